//! What is told of a command line that cannot be read: what is wrong with it, and what was probably meant.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::Ended;
use super::look::Look;
use super::output::Output;
use crate::error::{failure, quoted};

/// What other programs call a thing that this one does, and what it is here.
type Elsewhere = (&'static [&'static str], &'static str);

const COMMANDS: [Elsewhere; 14] = [
    (
        &["search", "find", "grep"],
        "search with: ckpt list --grep WORDS",
    ),
    (
        &["history", "saves", "versions"],
        "list the saves of a checkpoint with: ckpt log",
    ),
    (
        &["undo", "revert", "rollback", "checkout"],
        "go back to an earlier save with: ckpt restore",
    ),
    (
        &["delete", "remove", "del", "clean", "gc", "drop"],
        "delete checkpoints with: ckpt prune",
    ),
    (
        &["rename", "label", "tag", "alias"],
        "name a checkpoint with: ckpt name",
    ),
    (
        &["close", "finish", "complete", "archive"],
        "mark what is finished with: ckpt done",
    ),
    (
        &["create", "new", "add", "commit", "checkpoint"],
        "save one with: ckpt save",
    ),
    (
        &["view", "cat", "print", "open", "get", "brief"],
        "read one with: ckpt load",
    ),
    (
        &["continue", "go", "start", "switch"],
        "go on with one in an agent with: ckpt resume",
    ),
    (
        &["merge", "append"],
        "add to a checkpoint with: ckpt save --merge",
    ),
    (
        &["update", "upgrade"],
        "add to a checkpoint with: ckpt save --merge; a new version is installed as this one was",
    ),
    (
        &["push", "pull", "fetch"],
        "bring checkpoints to your other machines with: ckpt sync",
    ),
    (&["version"], "print it with: ckpt --version"),
    (
        &[
            "init",
            "setup",
            "install",
            "config",
            "configure",
            "doctor",
            "info",
            "which",
            "login",
        ],
        "a save needs no set-up; see what is set up, and what is missing, with: ckpt status",
    ),
];

/// The same for options: of these commands, or of all where none is named.
const OPTIONS: [(&[&str], Elsewhere); 12] = [
    (
        &["load", "show"],
        (&["--full"], "print the whole checkpoint with --format full"),
    ),
    (
        &["load", "show"],
        (
            &["--diff", "--patch", "-p"],
            "print the lines that changed with --format diff",
        ),
    ),
    (
        &["load", "show"],
        (
            &["--last", "--newest", "-l"],
            "load the newest with --latest",
        ),
    ),
    (
        &["list", "ls"],
        (&["-a", "-A"], "list what is done, too, with --all"),
    ),
    (
        &["list", "ls"],
        (&["--search", "--query", "-g"], "search with --grep WORDS"),
    ),
    (
        &["diff"],
        (
            &["--stat", "--name-status", "--summary"],
            "print the paths alone with --name-only",
        ),
    ),
    (
        &["prune", "rm"],
        (&["-n"], "see what would be deleted with --dry-run"),
    ),
    (
        &["prune", "rm"],
        (
            &["--all", "-a"],
            "name what should go, or mark it on a terminal, where the key `a` marks all",
        ),
    ),
    (
        &["prune", "rm"],
        (
            &["--force", "-f", "-r", "-rf"],
            "it asks before anything goes; --help says more",
        ),
    ),
    (
        &["save"],
        (
            &["--message", "--title"],
            "give the goal with --goal, or -m",
        ),
    ),
    (&[], (&["--output", "-o", "-j"], "print JSON with --json")),
    (&[], (&["-v"], "print the version with -V")),
];

/// Where what stands in a file has to say all.
const IN_THE_JSON: &str =
    "say it in the JSON instead, such as {\"goal\": \"…\", \"mode\": \"merge\"}";

/// The arguments with `-h` behind the command that it stands before, for it is that command's help that is wanted.
pub(super) fn with_help_last(
    mut arguments: Vec<OsString>,
    command: impl FnOnce() -> clap::Command,
) -> Vec<OsString> {
    let is_help = |argument: &OsString| argument == "-h" || argument == "--help";
    if let [_, help, named, ..] = &arguments[..]
        && is_help(help)
        && command().find_subcommand(named).is_some()
    {
        arguments.swap(1, 2);
    }
    arguments
}

/// Writes what clap has to say; asked for, as `--help` is, it is data like any other.
pub(super) fn print(
    said: clap::Error,
    arguments: &[OsString],
    command: &clap::Command,
    output: &Output,
) -> anyhow::Result<Ended> {
    if let Some((typed, hint)) = other_command(&said) {
        let typed = quoted(typed);
        return Err(failure(format!("there is no command `{typed}`"), hint));
    }
    let said = with_short_quotes(with_suggestions(said, arguments, command));
    let text = said.render();
    let shown = |look: Look| match look.colored {
        true => text.ansi().to_string(),
        false => text.to_string(),
    };
    if said.use_stderr() {
        output.painted_note(&with_hints(&shown(output.err)));
        return Ok(Ended::Failed);
    }
    output.painted(&shown(output.out))?;
    Ok(Ended::Done)
}

fn typed(said: &clap::Error, kind: ContextKind) -> Option<&str> {
    match said.get(kind)? {
        ContextValue::String(typed) => Some(typed),
        _ => None,
    }
}

/// What helps who typed a command of another program; None where it is simply mistyped.
fn other_command(said: &clap::Error) -> Option<(&str, &'static str)> {
    let typed = typed(said, ContextKind::InvalidSubcommand)?;
    let (_, hint) = COMMANDS.iter().find(|(words, _)| words.contains(&typed))?;
    Some((typed, hint))
}

/// With suggestions that fit in place of clap's, which are of anything that is a little alike.
fn with_suggestions(
    mut said: clap::Error,
    arguments: &[OsString],
    command: &clap::Command,
) -> clap::Error {
    // That an option could be a value behind `--` is true, and never what was meant.
    said.remove(ContextKind::TrailingArg);
    if let Some(typed) = typed(&said, ContextKind::InvalidSubcommand) {
        let alike = commands_alike(typed, command);
        said.remove(ContextKind::SuggestedSubcommand);
        if !alike.is_empty() {
            said.insert(
                ContextKind::SuggestedSubcommand,
                ContextValue::Strings(alike),
            );
        }
    }
    let has = |option: &str| {
        let mut typed = arguments.iter().filter_map(|it| it.to_str());
        typed.any(|it| it.starts_with(option))
    };
    let hint = match (said.kind(), typed(&said, ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(typed)) => argument_hint(typed, arguments),
        (ErrorKind::ArgumentConflict, _) if has("--input") && !has("--from-transcript") => {
            Some(IN_THE_JSON.to_owned())
        }
        _ => None,
    };
    if let Some(hint) = hint {
        said.remove(ContextKind::SuggestedArg);
        let hint = StyledStr::from(hint);
        said.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint]));
    }
    said
}

/// The commands that a word is a slip of.
fn commands_alike(typed: &str, command: &clap::Command) -> Vec<String> {
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
    let names = shown.flat_map(|it| std::iter::once(it.get_name()).chain(it.get_visible_aliases()));
    let is_alike = |name: &&str| {
        let is_longer = name.len() > 2 && typed.starts_with(name);
        is_longer || slips(typed, name) <= 1 + typed.len() / 8
    };
    names.filter(is_alike).map(str::to_owned).collect()
}

/// How many letters are wrong, missing, too many or changed places (optimal string alignment).
fn slips(a: &str, b: &str) -> usize {
    /// No command is as long.
    const COMPARED: usize = 32;
    let a: Vec<char> = a.chars().take(COMPARED).collect();
    let b: Vec<char> = b.chars().take(COMPARED).collect();
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let wrong = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[i - 1][j] + 1)
                .min(row[j - 1] + 1)
                .min(rows[i - 1][j - 1] + wrong);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// What was probably meant by an argument that the command does not take.
fn argument_hint(typed: &str, arguments: &[OsString]) -> Option<String> {
    let words: Vec<&str> = arguments.iter().filter_map(|it| it.to_str()).collect();
    let command = words.iter().skip(1).find(|word| !word.starts_with('-'));
    let command = command.copied().unwrap_or_default();
    let name = typed.split('=').next().unwrap_or_default();
    let known = OPTIONS.iter().find(|(commands, (names, _))| {
        names.contains(&name) && (commands.is_empty() || commands.contains(&command))
    });
    if let Some((_, (_, hint))) = known {
        return Some((*hint).to_owned());
    }
    let is_list = matches!(command, "list" | "ls" | "log");
    let number = typed.trim_start_matches('-');
    if is_list && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(format!("list that many with -n {number}"));
    }
    match command {
        "list" | "ls" if name == "--format" => Some("print JSON with --json".to_owned()),
        _ if typed.starts_with('-') => None,
        "list" | "ls" if !words.iter().any(|word| word.starts_with("--")) => {
            Some("search with --grep WORDS, or read one with: ckpt load SELECTOR".to_owned())
        }
        "diff" => Some("it takes one checkpoint, or two".to_owned()),
        "redact" => Some("it reads standard input: ckpt redact < FILE".to_owned()),
        "save" | "name" | "list" | "ls" => {
            Some("a text of several words goes in quotes".to_owned())
        }
        _ => None,
    }
}

/// Quotes of what was typed the beginning, as every error does, and no secret.
fn with_short_quotes(mut said: clap::Error) -> clap::Error {
    const TYPED: [ContextKind; 3] = [
        ContextKind::InvalidArg,
        ContextKind::InvalidSubcommand,
        ContextKind::InvalidValue,
    ];
    for kind in TYPED {
        if let Some(ContextValue::String(typed)) = said.get(kind) {
            let quoted = ContextValue::String(quoted(typed));
            said.insert(kind, quoted);
        }
    }
    said
}

/// Clap's own word for a hint is another one.
fn with_hints(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let plain = line
            .trim_start()
            .trim_start_matches(|c: char| c == '\u{1b}' || c == '[' || c.is_ascii_digit());
        match plain.trim_start_matches(['m', ';']).starts_with("tip:") {
            true => line.replacen("tip:", "hint:", 1),
            false => line.to_owned(),
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (typed, meant, expected) in [
            ("load", "load", 0),
            ("laod", "load", 1),
            ("lst", "list", 1),
            ("statsu", "status", 1),
            ("", "ls", 2),
            ("install", "list", 5),
        ] {
            assert_eq!(slips(typed, meant), expected, "{typed}");
        }
    }
}

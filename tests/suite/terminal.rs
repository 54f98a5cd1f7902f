//! What reaches a terminal: the brief in its style, nothing of a checkpoint that could act on it, and errors
//! where a stream or a folder cannot be written.

#[cfg(target_os = "linux")]
use std::fs::File;
#[cfg(target_os = "linux")]
use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::files::{least, with};
use crate::harness::golden::assert_golden;
use crate::harness::pty::{Left, Terminal};
#[cfg(target_os = "linux")]
use crate::harness::skipped;
use crate::harness::{Output, Project};

/// Moves, erases, titles, links, reversals, and characters that hide.
const HOSTILE: &str = "a\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{1b}[8mhidden\r\u{8}\u{202e}b\u{2066}c\u{200b}\u{e0041}\u{85}\u{2028}d";

fn on_terminal(project: &Project, arguments: &[&str], columns: u16) -> Terminal {
    let mut command = project.command(arguments);
    command.env("TERM", "xterm-256color");
    Terminal::open(&command, columns, 60)
}

fn hostile(text: &str) -> Value {
    with(
        least(text),
        json!({
            "project": {"name": text},
            "git": {"branch": text, "head": text, "dirty": true},
            "goal": {"primary": text, "tasks": [{"description": text, "status": text}]},
            "summary": format!("{text}\n{text}"),
            "nextSteps": [text],
            "decisions": [text],
            "modifiedFiles": [{"path": text, "status": text, "source": text, "note": text}],
            "recentCommands": [{"command": text, "exitCode": 1, "note": text}],
        }),
    )
}

/// Everything written is text, line ends, and sequences of this program: colours, and with `drawing` those
/// that the picker moves the cursor and erases with.
#[track_caller]
fn assert_harmless(written: &str, drawing: bool) {
    let mut rest = written;
    while let Some(start) = rest.find('\u{1b}') {
        let sequence = &rest[start + 1..];
        let parameters = sequence.strip_prefix('[').unwrap_or("?");
        let last = parameters.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        let allowed = if drawing { "mABCDJK" } else { "m" };
        assert!(
            last.starts_with(|c| allowed.contains(c)),
            "{:?}",
            &written[..200.min(written.len())]
        );
        // Conceal hides text although it is only a colour.
        assert!(!parameters.starts_with("8m"), "{written:?}");
        rest = &last[1..];
    }
    let acts = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{1b}');
    let hides = |c: char| "\u{202e}\u{2066}\u{200b}\u{e0041}\u{2028}".contains(c);
    assert!(!written.contains(|c| acts(c) || hides(c)), "{written:?}");
}

#[test]
fn nothing_of_a_checkpoint_acts_on_the_terminal() {
    let project = Project::repository();
    project.put("hostile", hostile(HOSTILE));
    project.put("broken", format!("{{\"version\": \"{HOSTILE}\"}}"));
    project.put("odd", with(least("g"), json!({"updatedAt": HOSTILE})));
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["load", "hostile"],
        &["load", "hostile", "--json"],
        &["load", "hostile", "--format", "full"],
        &["load", "broken"],
        &["load", "odd"],
        &["load", "absent"],
        &["load", HOSTILE],
        &["list", "--session", "hostile"],
        &["__selectors"],
    ] {
        if arguments.iter().all(|argument| !argument.contains(HOSTILE)) {
            let output = project.ckpt(arguments);
            assert_harmless(&(output.stdout + &output.stderr), false);
        }
        for columns in [40, 80] {
            assert_harmless(
                &on_terminal(&project, arguments, columns).ends().written,
                false,
            );
        }
    }
    let mut picker = on_terminal(&project, &["load"], 80);
    picker
        .shows("❯")
        .types("hidden")
        .shows("> hidden")
        .types("\u{1b}");
    assert_harmless(&picker.ends().written, true);
    let mut questions = on_terminal(&project, &["save", "--session", "hostile"], 80);
    questions
        .shows("Goal:")
        .types("\r")
        .shows("Task:")
        .types("\u{3}");
    assert_harmless(&questions.ends().written, true);
}

#[test]
fn a_line_without_an_end_is_cut_for_people() {
    const LONG: usize = 50_000;
    let project = Project::bare_folder();
    let long = "x".repeat(LONG);
    project.put("long", least(&long));
    let version = format!("{{\"version\": 1, \"createdAt\": \"{long}\"}}");
    project.put("odd", &version);
    for arguments in [
        &["list"][..],
        &["load", "long"],
        &["load", "odd"],
        &["load"],
    ] {
        let mut terminal = on_terminal(&project, arguments, 80);
        if arguments == ["load"] {
            terminal.shows("❯").types("\u{1b}");
        }
        let Left { written, .. } = terminal.ends();
        let longest = written.split('\n').map(str::len).max();
        assert!(longest < Some(LONG / 4), "{arguments:?}: {longest:?}");
    }
    // A program gets all of it.
    project
        .ckpt(["load", "long", "--format", "full"])
        .succeeds()
        .prints(&long);
    let listed = project.ckpt(["__selectors"]).succeeds().stdout;
    assert!(listed.len() < 1_000);
}

fn brief() -> (Project, &'static str) {
    let project = Project::repository();
    project.write("src/main.rs", "fn main() { main() }\n");
    project.save(
        "s1",
        json!({
            "goal": "Let users sign in with GitHub, and keep them signed in over restarts of the browser",
            "tasks": [
                {"description": "OAuth callback route with its state in a signed cookie that lives five minutes", "status": "done"},
                {"description": "Session cookie", "status": "in_progress"},
                {"description": "Sign-out", "status": "pending"},
                {"description": "Ask for `SECRET_BASE`", "status": "blocked"},
            ],
            "summary": "The callback works.\n\n# Not a heading\n    indented 日本語のドキュメントを書き直して、リンク切れを全部直す とても長い行です",
            "nextSteps": ["Set `SameSite` on the session cookie and write down in the manual why it has to be Lax"],
            "decisions": ["State is kept in the cookie, not in Redis"],
            "recentCommands": [{"command": "npm run build", "exitCode": 0}, {"command": "npm test", "exitCode": 1, "note": "expects Lax"}, {"command": "ls"}],
            "modifiedFiles": [{"path": "src/main.rs", "note": "cookie options"}],
        }),
    );
    project.write("src/main.rs", "fn main() {}\n");
    (project, "s1")
}

#[test]
fn a_brief_on_a_terminal_is_coloured_and_wrapped_to_its_width() {
    let (project, session) = brief();
    for columns in [80, 40] {
        let left = on_terminal(&project, &["load", session], columns).ends();
        let hash = project.saved(session)["git"]["head"].as_str().unwrap()[..9].to_owned();
        let screen = left.screen.replace(&hash, "<commit>");
        assert_golden(&format!("brief_{columns}.txt"), &(screen + "\n"));
    }
    let written = on_terminal(&project, &["load", session], 80).ends().written;
    for painted in [
        "\u{1b}[1m## Goal\u{1b}[0m",
        "\u{1b}[32m- [x]\u{1b}[0m",
        "\u{1b}[35;1m- [~]\u{1b}[0m",
        "\u{1b}[35m`SameSite`\u{1b}[0m",
        "\u{1b}[35;1m- ⚠ Changed after the checkpoint, re-read before editing:\u{1b}[0m",
    ] {
        assert!(written.contains(painted), "{painted:?} in {written:?}");
    }
}

#[test]
fn a_brief_off_a_terminal_is_the_markdown_byte_for_byte() {
    let (project, session) = brief();
    let load = ["load", "--session", session];
    let text = project.ckpt([&load[..], &["--json"]].concat()).json()["text"].clone();
    let output = project.ckpt(load).succeeds();
    assert_eq!(output.stdout, text.as_str().unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn data_that_cannot_be_written_is_an_error() {
    let project = Project::bare_folder();
    project.put("s1", least("g"));
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["load", "s1"],
        &["load", "s1", "--format", "full"],
        &["completions", "bash"],
        &["__selectors"],
        &["--help"],
        &["load", "--help"],
        &["--version"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = project.command(arguments);
        let child = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.starts_with("error: "), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let project = Project::bare_folder();
    for number in 0..200 {
        project.put(&format!("s{number}"), least(&"goal ".repeat(80)));
    }
    for arguments in ["list --limit 0", "completions zsh", "__selectors"] {
        let script = format!("\"$0\" {arguments} | head -1; exit ${{PIPESTATUS[0]}}");
        let mut command = project.program("bash");
        command
            .args(["-c", &script])
            .arg(env!("CARGO_BIN_EXE_ckpt"))
            .current_dir(project.root());
        let output = Output::of(&mut command).succeeds().stays_silent();
        assert_eq!(output.stdout.lines().count(), 1, "{arguments}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_can_still_be_read() {
    let project = Project::bare_folder();
    project.put("s1", least("g"));
    // Permissions do not hold root back; a read-only file system does.
    let script = r#"mount --bind . "$PWD" && mount -o remount,ro,bind "$PWD" && cd "$PWD" || { echo skipped; exit 0; }
        "$0" list && "$0" load s1 && ! "$0" save --goal g --session s2"#;
    let mut command = project.program("unshare");
    command
        .args(["-m", "sh", "-c", script])
        .arg(env!("CARGO_BIN_EXE_ckpt"));
    if command
        .output()
        .is_ok_and(|output| output.stdout.starts_with(b"skipped") || output.stdout.is_empty())
    {
        skipped("no mounts here");
        return;
    }
    let output = Output::of(&mut command).succeeds();
    assert!(output.stdout.contains("# Resuming"), "{}", output.stdout);
    output.errs("error: ").errs("Read-only file system");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_checkpoint_as_it_was() {
    let project = Project::bare_folder();
    let script = r#"mount -t tmpfs -o size=16k none . && cd "$PWD" || { echo skipped; exit 0; }
        "$0" save --goal first --session s1 || exit 9
        head -c 100000 /dev/zero > fill 2>/dev/null
        "$0" save --goal second --session s1 && exit 9
        "$0" load s1; ls -A .claude-checkpoints"#;
    let mut command = project.program("unshare");
    command
        .args(["-m", "sh", "-c", script])
        .arg(env!("CARGO_BIN_EXE_ckpt"));
    if command
        .output()
        .is_ok_and(|output| output.stdout.starts_with(b"skipped") || output.stdout.is_empty())
    {
        skipped("no mounts here");
        return;
    }
    let output = Output::of(&mut command).succeeds();
    assert!(
        output.stdout.contains("## Goal\nfirst"),
        "{}",
        output.stdout
    );
    output.errs("No space left on device");
}

#[test]
fn a_person_who_starts_the_server_is_told_what_it_waits_for() {
    let project = Project::bare_folder();
    let mut terminal = on_terminal(&project, &["serve"], 80);
    terminal.shows("hint: an agent's client starts this and speaks MCP to it; Ctrl-C ends it");
}

//! Completions for a shell: clap_complete's, and where the shell can, the selectors that `ckpt` knows.

use std::collections::BTreeSet;

use clap::{Arg, Command};
use clap_complete::Shell;

use super::{BRANCH, SELECTOR};

/// What the shells would do for [`SELECTOR`].
const ZSH_USERS: &str = "_users";
const FISH_USERS: &str = "(__fish_complete_users)";
/// What they would do for [`BRANCH`].
const ZSH_HOSTS: &str = "_hosts";
const FISH_HOSTS: &str = "(__fish_print_hostnames)";

const FISH_SELECTORS: &str = "(__ckpt_selectors)";
const FISH_BRANCHES: &str = "(__ckpt_selectors --branches)";

/// The script that makes a shell complete `ckpt`.
pub(crate) fn completions(command: &Command, shell: Shell) -> Vec<u8> {
    let mut built = offered(command);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut built, "ckpt", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        Shell::Bash => bash(&script, &built),
        Shell::Zsh => zsh(&script),
        Shell::Fish => fish(&script, &built),
        _ => script,
    }
    .into_bytes()
}

/// The command without what is hidden, which a generator would offer all the same.
fn offered(command: &Command) -> Command {
    let subcommands = command.get_subcommands();
    Command::new("ckpt")
        .version(env!("CARGO_PKG_VERSION"))
        .args(command.get_arguments())
        .subcommands(subcommands.filter(|sub| !sub.is_hide_set()))
}

fn bash(script: &str, command: &Command) -> String {
    let selectors = include_str!("selectors.bash")
        .replace(
            "@SELECTOR_OPTIONS@",
            &options(command, takes_selector).join(" | "),
        )
        .replace(
            "@BRANCH_OPTIONS@",
            &options(command, |arg| arg.get_value_hint() == BRANCH).join(" | "),
        )
        .replace(
            "@VALUE_OPTIONS@",
            &options(command, |arg| !takes_selector(arg)).join(" | "),
        )
        .replace("@COMMANDS@", &commands(command).join(" | "));
    // Files are offered where an option takes one, and nowhere else.
    let script = script.replace(" -o bashdefault -o default ", " ");
    script.replace("complete -F _ckpt ", "complete -F _ckpt_with_selectors ") + &selectors
}

fn zsh(script: &str) -> String {
    let script = script
        .replace(ZSH_USERS, "_ckpt_selectors")
        .replace(ZSH_HOSTS, "_ckpt_branches");
    // The function has to be there when the last lines of the script call what uses it.
    match script.split_once('\n') {
        Some((compdef, rest)) => format!("{compdef}\n{}{rest}", include_str!("selectors.zsh")),
        None => script,
    }
}

fn fish(script: &str, command: &Command) -> String {
    let mut script = script
        .replace(FISH_USERS, FISH_SELECTORS)
        .replace(FISH_HOSTS, FISH_BRANCHES);
    // Files are offered where an option takes one, and nowhere else.
    script.push_str("\ncomplete -c ckpt -f\n");
    script.push_str(include_str!("selectors.fish"));
    for name in commands(command) {
        script.push_str(&format!(
            "complete -c ckpt -n \"__fish_ckpt_using_subcommand {name}\" -k -f -a \"{FISH_SELECTORS}\"\n"
        ));
    }
    script
}

fn takes_selector(arg: &Arg) -> bool {
    arg.get_value_hint() == SELECTOR
}

/// The commands that take a selector by position.
fn commands(command: &Command) -> Vec<&str> {
    let takes = |command: &&Command| command.get_positionals().any(takes_selector);
    let taking = command.get_subcommands().filter(takes);
    taking.map(Command::get_name).collect()
}

/// The options that take a value, of all commands, as they are typed.
fn options(command: &Command, wanted: impl Fn(&Arg) -> bool) -> Vec<String> {
    let mut names = BTreeSet::new();
    for command in command.get_subcommands().chain([command]) {
        let options = command.get_opts().filter(|arg| wanted(arg));
        for option in options.filter(|arg| arg.get_action().takes_values()) {
            names.extend(option.get_long().map(|long| format!("--{long}")));
            names.extend(option.get_short().map(|short| format!("-{short}")));
        }
    }
    names.into_iter().collect()
}

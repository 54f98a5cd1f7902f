//! Completions and man pages, from the definition of the command line.

mod completions;
mod man;

use clap::{Command, ValueHint};
use clap_complete::Shell;

pub(crate) use completions::completions;

/// Marks an argument that takes a selector. clap knows no hint for that; this one is used for nothing else,
/// and what shells do for it is replaced.
pub(crate) const SELECTOR: ValueHint = ValueHint::Username;

/// Marks an argument that takes a branch, in the same way.
pub(crate) const BRANCH: ValueHint = ValueHint::Hostname;

/// A file of the repository that is generated.
#[derive(Debug)]
pub(crate) struct File {
    /// Relative to the repository, with `/`.
    pub(crate) path: String,
    pub(crate) content: Vec<u8>,
}

/// All of them: the completions of every shell, and a man page for each command.
pub(crate) fn files(command: &Command) -> anyhow::Result<Vec<File>> {
    let shells = [
        (Shell::Bash, "ckpt.bash"),
        (Shell::Zsh, "_ckpt"),
        (Shell::Fish, "ckpt.fish"),
        (Shell::PowerShell, "_ckpt.ps1"),
        (Shell::Elvish, "ckpt.elv"),
    ];
    let mut files: Vec<File> = shells
        .into_iter()
        .map(|(shell, name)| File {
            path: format!("completions/{name}"),
            content: completions(command, shell),
        })
        .collect();
    for (name, content) in man::pages(command)? {
        files.push(File {
            path: format!("man/{name}"),
            content,
        });
    }
    Ok(files)
}

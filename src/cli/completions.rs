//! `ckpt completions`, and what completions and packages are made with.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Command;
use clap_complete::Shell;

use super::Ended;
use super::output::Output;
use super::width::cut;
use crate::checkpoint::markdown;
use crate::commands::{self, Context};
use crate::generate;

/// Columns of a goal beside its selector.
const GOAL: usize = 60;

const EXAMPLES: &str = "\
The folder that a shell looks in has to be there already.

Examples:
  ckpt completions bash > ~/.local/share/bash-completion/completions/ckpt
  ckpt completions zsh > ~/.zfunc/_ckpt          with ~/.zfunc in $fpath
  ckpt completions fish > ~/.config/fish/completions/ckpt.fish
  ckpt completions powershell >> $PROFILE
  ckpt completions elvish >> ~/.config/elvish/rc.elv";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// bash, zsh, fish, powershell or elvish
    #[arg(value_enum, ignore_case = true, hide_possible_values = true)]
    shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(super) struct GenerateArgs {
    /// Where `completions` and `man` are written
    directory: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(super) struct SelectorArgs {
    /// Print the branches instead
    #[arg(long)]
    branches: bool,
}

pub(super) fn run(args: &Args, command: &Command, output: &Output) -> anyhow::Result<Ended> {
    let script = generate::completions(command, args.shell);
    output.data(&String::from_utf8_lossy(&script))?;
    Ok(Ended::Done)
}

/// Writes every file of the repository that is generated.
pub(super) fn generate(args: &GenerateArgs, command: &Command) -> anyhow::Result<Ended> {
    for file in generate::files(command)? {
        let path = args.directory.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)
                .with_context(|| format!("could not create `{}`", parent.display()))?;
        }
        fs::write(&path, file.content)
            .with_context(|| format!("could not write `{}`", path.display()))?;
    }
    Ok(Ended::Done)
}

/// A line for each checkpoint, newest first: selector, tab, goal; or for each branch that one was saved on.
pub(super) fn selectors(
    args: &SelectorArgs,
    context: &Context,
    output: &Output,
) -> anyhow::Result<Ended> {
    let request = commands::list::Request {
        limit: Some(0),
        ..commands::list::Request::default()
    };
    let outcome = commands::list::run(context, &request)?;
    let mut lines = String::new();
    let mut branches: Vec<&str> = Vec::new();
    for entry in outcome.entries.iter().filter(|_| args.branches) {
        let branch = entry.branch.as_deref();
        branches.extend(branch.filter(|branch| !branches.contains(branch)));
    }
    for branch in branches {
        lines.push_str(&format!("{}\n", markdown::line(branch)));
    }
    for entry in outcome.entries.iter().filter(|_| !args.branches) {
        let goal = cut(&markdown::line(&entry.goal), GOAL);
        lines.push_str(&format!("{}\t{goal}\n", entry.short));
    }
    if !lines.is_empty() {
        output.data(&lines)?;
    }
    Ok(Ended::Done)
}

//! `ckpt sync`

use clap::ValueHint;

use super::Ended;
use super::output::Output;
use super::prompt::confirm::confirm;
use crate::commands::Context;
use crate::commands::sync::{self, Request};
use crate::error::failure;

const DETAILS: &str = "\
Each machine has a ref of its own on the remote and reads the others'. The newer checkpoint wins, and the \
older one goes into the history. History, transcripts and files of the project are never sent.

Examples:
  git config --global ckpt.sync git@example.com:me/checkpoints.git
  ckpt sync --dry-run   what would be sent and received
  ckpt sync             sync with that remote
  ckpt sync --stop      take away what this machine sent";

#[derive(Debug, clap::Args)]
#[command(after_help = DETAILS)]
pub(super) struct Args {
    /// A URL, or the name of a remote; not given, what `git config ckpt.sync` says
    #[arg(value_name = "REMOTE", value_hint = ValueHint::Url)]
    remote: Option<String>,
    /// The name by which the remote knows the project
    #[arg(long = "as", value_name = "NAME", value_hint = ValueHint::Other)]
    project: Option<String>,
    /// Print what would be sent and received, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Remove from the remote what this machine sent
    #[arg(long)]
    stop: bool,
    /// Use a remote for the first time without asking
    #[arg(short, long)]
    yes: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let Args {
        remote,
        project,
        dry_run,
        stop,
        yes,
        json,
    } = args;
    let request = Request {
        remote,
        project,
        dry_run,
        stop,
    };
    let plan = sync::plan(context, &request)?;
    if !plan.is_known && !yes {
        if !output.asks {
            return Err(failure(
                format!(
                    "`{}` was never used here before, and without a terminal nobody can be asked about it; nothing was sent",
                    plan.remote
                ),
                match dry_run {
                    true => "pass --yes if it may be read",
                    false => "pass --yes if the checkpoints may go there",
                },
            ));
        }
        let question = match dry_run {
            true => format!("Read {}, and send nothing?", plan.remote),
            false if plan.is_of_all_folders => format!(
                "Send this folder's checkpoints to {}, as `{}` like those of the repository's other folders?",
                plan.remote, plan.project
            ),
            false => format!("Send this project's checkpoints to {}?", plan.remote),
        };
        if !confirm(&question, false, output.err)? {
            output.note("Nothing was sent.");
            return Ok(Ended::NotFound);
        }
    }
    if output.asks {
        output.note(&format!("Talking to {} …", plan.remote));
    }
    let outcome = sync::run(context, &request, plan)?;
    output.warnings(&outcome.warnings);
    match json {
        true => output.json(&outcome)?,
        false => output.data(&outcome.text)?,
    }
    Ok(Ended::Done)
}

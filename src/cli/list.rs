//! `ckpt list`

use super::output::{self, Output};
use super::{Ended, table};
use crate::commands::{self, Context, list::Filter};

const EXAMPLES: &str = "\
Examples:
  ckpt list                        the latest 10
  ckpt list --open --limit 0       all that have something left to do
  ckpt list --grep 'oauth cookie'  those that mention both words
  ckpt list | grep main            off a terminal nothing is cut off";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// List only those that mention all WORDS: in goal, summary, tasks or decisions
    #[arg(long, value_name = "WORDS")]
    grep: Option<String>,
    /// List only those that were saved on this branch
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    /// List only those that have no tasks or some that are not done
    #[arg(long)]
    open: bool,
    /// List at most N; 0 lists all
    #[arg(long, default_value_t = 10, value_name = "N")]
    limit: usize,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let request = commands::list::Request {
        limit: Some(args.limit),
        filter: Filter {
            words: args.grep,
            branch: args.branch,
            open: args.open,
        },
    };
    let outcome = commands::list::run(context, &request)?;
    output.warnings(&outcome.warnings);
    if args.json {
        output.json(&outcome)?;
        return Ok(Ended::Done);
    }
    if outcome.unfiltered == 0 {
        output.note("No checkpoints here.");
        if let Some(parent) = context.parent_with_checkpoints() {
            output.hint(&output::parent_hint(&parent, "list"));
        }
        return Ok(Ended::Done);
    }
    if outcome.total == 0 {
        output.note("No checkpoint matches.");
        return Ok(Ended::Done);
    }
    output.painted(&table::render(&outcome.entries, output.out))?;
    if output.out.width.is_some()
        && let Some(legend) = table::legend(&outcome.entries)
    {
        output.note(&legend);
    }
    if outcome.omitted > 0 {
        output.hint(&format!(
            "{} more; list all with --limit 0",
            outcome.omitted
        ));
    }
    Ok(Ended::Done)
}

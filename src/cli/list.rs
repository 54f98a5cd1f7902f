//! `ckpt list`

use clap::ValueHint;

use super::output::Output;
use super::{Ended, count, select, table};
use crate::checkpoint::time;
use crate::commands::{self, Context, counted, list::Filter};
use crate::error::failure;
use crate::generate::BRANCH;

const EXAMPLES: &str = "\
Examples:
  ckpt list                        the latest 10
  ckpt list --open --limit 0       all that have something left to do
  ckpt list --grep 'oauth cookie'  those that mention both words
  ckpt list --all                  also what only a transcript tells
  ckpt list --everywhere           those of all projects
  ckpt list | grep main            off a terminal nothing is cut off";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// List those that mention all of these words
    #[arg(long, value_name = "WORDS", value_hint = ValueHint::Other)]
    grep: Option<String>,
    /// List those that were saved on this branch
    #[arg(long, value_name = "NAME", value_hint = BRANCH)]
    branch: Option<String>,
    /// List those whose tasks are not all done
    #[arg(long)]
    open: bool,
    /// List those that were saved since: 2d, 12h, 2026-10-08
    #[arg(long, value_name = "TIME", value_hint = ValueHint::Other)]
    since: Option<String>,
    /// List at most N; 0 lists all
    #[arg(short = 'n', long, default_value_t = 10, value_name = "N", value_parser = count, value_hint = ValueHint::Other)]
    limit: usize,
    /// List what is done and sessions without a checkpoint, too
    #[arg(long)]
    all: bool,
    /// List those of every project that the clients know
    #[arg(long)]
    everywhere: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// What is asked for.
fn request(args: Args, context: &Context) -> anyhow::Result<commands::list::Request> {
    let since = args.since.as_deref().map(|text| {
        let meant = time::meant(text, context.env.now);
        let hint = "write an age, such as 2d or 12h, or a date, such as 2026-10-08";
        meant.map(|meant| *meant.start()).ok_or_else(|| {
            failure(
                format!("`{text}` is not a time that --since understands"),
                hint,
            )
        })
    });
    Ok(commands::list::Request {
        limit: Some(args.limit),
        query: None,
        everywhere: args.everywhere,
        all: args.all,
        as_aside: false,
        own_branch_first: false,
        filter: Filter {
            words: commands::list::words(args.grep.as_deref().unwrap_or_default())?,
            branch: args.branch,
            open: args.open,
            without_done: !args.all && !args.json,
            since: since.transpose()?,
        },
    })
}

pub(super) fn run(args: Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let json = args.json;
    let outcome = commands::list::run(context, &request(args, context)?)?;
    output.warnings(&outcome.warnings);
    if json {
        output.json(&outcome)?;
        return Ok(Ended::Done);
    }
    if outcome.unfiltered == 0 && outcome.entries.is_empty() {
        output.note(&select::none_here(context));
        for elsewhere in &outcome.elsewhere {
            output.hint(elsewhere);
        }
        return Ok(Ended::Done);
    }
    let done = || {
        if outcome.done_left_out > 0 {
            output.hint(&format!(
                "{} left out; list all with --all",
                counted(outcome.done_left_out, "finished one")
            ));
        }
    };
    if outcome.entries.is_empty() {
        output.note("No checkpoint matches.");
        done();
        return Ok(Ended::Done);
    }
    output.painted(&table::render(&outcome.entries, output.out))?;
    if output.out.width.is_some()
        && let Some(legend) = table::legend(&outcome.entries)
    {
        output.note(&legend);
    }
    for elsewhere in &outcome.elsewhere {
        output.hint(elsewhere);
    }
    done();
    if outcome.omitted > 0 {
        output.hint(&format!(
            "{} more; list all with --limit 0",
            outcome.omitted
        ));
    }
    Ok(Ended::Done)
}

//! `ckpt diff`

mod view;

use super::output::Output;
use super::{Ended, select};
use crate::checkpoint::path;
use crate::commands::diff::{Detail, Outcome, Request};
use crate::commands::{self, At, Context, Revision, Selector};
use crate::error::failure;
use crate::generate::SELECTOR;
use view::View;

const EXAMPLES: &str = "\
Examples:
  ckpt diff                        what changed since this session's checkpoint
  ckpt diff 0f9c 7d1e              one checkpoint against another, by field
  ckpt diff -p                     with the lines that changed
  ckpt diff --prev                 what the last save changed
  ckpt diff '@{3}' '@{0}'          what the last three changed
  ckpt diff --name-only | xargs    the paths to read again
  ckpt diff --exit-code && echo same";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A session id or the start of it, `latest` or `legacy`; @{N} after it for the N-th save before
    #[arg(value_hint = SELECTOR)]
    a: Option<String>,
    /// The checkpoint to compare A with, instead of the project now
    #[arg(value_hint = SELECTOR)]
    b: Option<String>,
    /// Compare A's backup, the save before it, with A
    #[arg(long, conflicts_with = "b")]
    prev: bool,
    /// Show the lines that changed, as far as git has what they were
    #[arg(short, long, conflicts_with_all = ["b", "prev", "name_only"])]
    patch: bool,
    /// Print the paths of the files that differ alone, one a line
    #[arg(long, conflicts_with = "json")]
    name_only: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Exit with status 1 where anything differs
    #[arg(long)]
    exit_code: bool,
}

impl Args {
    /// Those that tell what changed since a checkpoint.
    pub(super) fn of(selector: String) -> Self {
        Self {
            a: Some(selector),
            b: None,
            prev: false,
            patch: false,
            name_only: false,
            json: false,
            exit_code: false,
        }
    }
}

pub(super) fn run(args: &Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let asks = output.asks && !args.json;
    let selected = select::revision(args.a.as_deref(), "diff", asks, context, output)?;
    let Some((selector, at)) = selected else {
        // Status 1 would say that something differs.
        return Ok(match args.exit_code {
            true => Ended::Failed,
            false => Ended::NotFound,
        });
    };
    let b = args.b.as_deref().filter(|typed| !typed.is_empty());
    let request = match (b, at) {
        (None, Some(_)) if args.prev => {
            return Err(failure(
                "--prev compares a checkpoint as a whole with the save before it",
                format!("name the two saves: ckpt diff '{selector}@{{2}}' '{selector}@{{1}}'"),
            ));
        }
        (None, None) if args.prev => Request::Backup(selector),
        (b, at) => {
            let a = revision(selector, at);
            match b {
                Some(b) => {
                    let (selector, at) = context.revision(b)?;
                    Request::Checkpoints(a, revision(selector, at))
                }
                None if args.patch => Request::Now(a, Detail::Lines),
                None => Request::Now(a, Detail::Files),
            }
        }
    };
    let outcome = commands::diff::run(context, &request)?;
    output.warnings(outcome.warnings());
    if args.json {
        output.json(&outcome)?;
    } else if args.name_only {
        let paths = outcome.paths().into_iter();
        let lines: String = paths.map(|path| path::shown(path) + "\n").collect();
        if !lines.is_empty() {
            output.data(&lines)?;
        }
    } else {
        let mut view = View::default();
        match &outcome {
            Outcome::Since(since) => view.since(since),
            Outcome::Between(between) => view.between(between),
        }
        output.painted(&view.painted(output.out))?;
    }
    match &outcome {
        _ if !args.exit_code => Ok(Ended::Done),
        outcome if outcome.differs() => Ok(Ended::Differs),
        Outcome::Since(since) if since.incomplete => Err(failure(
            "no difference was found, but not everything could be compared",
            "see above what was compared",
        )),
        _ => Ok(Ended::Done),
    }
}

fn revision(selector: Selector, at: Option<At>) -> Revision {
    Revision {
        selector,
        at: at.unwrap_or(At::PRESENT),
    }
}

//! `ckpt log`

use super::output::Output;
use super::{Ended, count, select, table};
use crate::commands::log::{Outcome, Request};
use crate::commands::{self, Context, counted};
use crate::generate::SELECTOR;

const EXAMPLES: &str = "\
Examples:
  ckpt log                      the saves of this session's checkpoint
  ckpt log 0f9c -n 5            the last five of another one
  ckpt load '0f9c@{2}'          read one of them
  ckpt diff '0f9c@{2}' 0f9c     what changed since it
  ckpt restore '0f9c@{2}'       make it the present one again";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A session id or the start of it, `latest` or `legacy`
    #[arg(value_hint = SELECTOR)]
    selector: Option<String>,
    /// List the newest N alone; 0, the default, lists all
    #[arg(short = 'n', long, value_name = "N", value_parser = count)]
    limit: Option<usize>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let asks = output.asks && !args.json;
    let typed = args.selector.as_deref();
    let Some(selector) = select::typed_or_own(typed, "log", asks, context, output)? else {
        return Ok(Ended::NotFound);
    };
    let request = Request {
        selector,
        limit: args.limit.filter(|limit| *limit > 0),
    };
    let outcome = commands::log::run(context, &request)?;
    output.warnings(&outcome.warnings);
    if args.json {
        output.json(&outcome)?;
        return Ok(Ended::Done);
    }
    output.painted(&table::saves(&outcome.saves, output.out))?;
    omitted(&outcome, output);
    Ok(Ended::Done)
}

fn omitted(outcome: &Outcome, output: &Output) {
    if outcome.omitted > 0 {
        output.hint(&format!(
            "{} more; list all without -n",
            counted(outcome.omitted, "save")
        ));
    }
}

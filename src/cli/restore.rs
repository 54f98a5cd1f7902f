//! `ckpt restore`

use super::output::Output;
use super::{Ended, select};
use crate::checkpoint::text::one_line;
use crate::commands::{self, Context, Revision};
use crate::generate::SELECTOR;

const DETAILS: &str = "\
The present save goes into the history, so the next restore undoes this one. No file of the project is \
touched: only the checkpoint is.

Examples:
  ckpt log                      which saves there are
  ckpt restore                  the save before the present one of this session
  ckpt restore '0f9c@{3}'       the third before the present one of another
  ckpt restore '0f9c@{2h}'      the one that was current 2 hours ago";

#[derive(Debug, clap::Args)]
#[command(after_help = DETAILS)]
pub(super) struct Args {
    /// A session id or the start of it, and @{N} or @{TIME}; without that, @{1}
    #[arg(value_name = "SELECTOR@{N}", value_hint = SELECTOR)]
    selector: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let asks = output.asks && !args.json;
    let typed = args.selector.as_deref();
    let Some((selector, at)) = select::revision(typed, "restore", asks, context, output)? else {
        return Ok(Ended::NotFound);
    };
    let at = at.unwrap_or_else(|| commands::restore::unnamed(context, &selector));
    let revision = Revision { selector, at };
    let outcome = commands::restore::run(context, &revision)?;
    output.warnings(&outcome.warnings);
    if args.json {
        output.json(&outcome)?;
        return Ok(Ended::Done);
    }
    let commands::restore::Outcome {
        selector,
        restored,
        path,
        saved,
        ..
    } = &outcome;
    if outcome.unchanged {
        output.note(&format!(
            "`{selector}` is that save already; nothing changed."
        ));
        return Ok(Ended::Done);
    }
    output.data(&format!(
        "Restored {restored}, {saved}, to {}",
        one_line(path)
    ))?;
    if let Some(replaced) = &outcome.replaced {
        output.hint(&format!("what it replaced is `{replaced}` now"));
    }
    Ok(Ended::Done)
}

//! `ckpt load`

use clap::ValueEnum;

use super::output::{self, Output};
use super::{Ended, list};
use crate::commands::{self, Context};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A session id, the start of one (4 characters or more), or `legacy`; not given: the session's own
    selector: Option<String>,
    /// Load the newest checkpoint, whichever session's it is
    #[arg(long, conflicts_with = "selector")]
    latest: bool,
    /// Print the brief alone, or the whole checkpoint below it
    #[arg(long, value_enum, default_value_t = Format::Brief, value_name = "FORMAT")]
    format: Format,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Brief,
    Full,
}

pub(super) fn run(args: Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let typed = args.selector.as_deref().filter(|typed| !typed.is_empty());
    let selector = typed.map(|typed| context.expand(typed)).transpose()?;
    let outcome = commands::load::run(
        context,
        &commands::load::Request {
            format: Some(match args.format {
                Format::Brief => commands::load::Format::Brief,
                Format::Full => commands::load::Format::Full,
            }),
            checkpoint: selector.map(|selector| selector.to_string()),
            latest: args.latest,
        },
    )?;
    let ended = if outcome.found {
        Ended::Done
    } else {
        Ended::NotFound
    };
    if args.json {
        output.json(&outcome)?;
        return Ok(ended);
    }
    if !outcome.found {
        output.warnings(&outcome.warnings);
        match &outcome.candidates {
            Some(candidates) => {
                output.note("No checkpoint of this session. What else there is:");
                output.note(&list::table(candidates, context)?);
                if let Some(omitted @ 1..) = outcome.omitted {
                    output.hint(&format!(
                        "{omitted} more; list all with ckpt list --limit 0"
                    ));
                }
                output.hint("name one: ckpt load SELECTOR; or take the newest: ckpt load --latest");
            }
            None => output.note("Nothing to resume: no checkpoints here."),
        }
        if let Some(parent) = context.parent_with_checkpoints() {
            output.hint(&output::parent_hint(&parent, "load"));
        }
        return Ok(ended);
    }
    output.data(&outcome.text)?;
    if let Some(checkpoint) = &outcome.checkpoint {
        output.data("")?;
        output.json(checkpoint)?;
    }
    Ok(ended)
}

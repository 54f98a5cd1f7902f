//! `ckpt load`

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::output::Output;
use super::{Ended, brief, select, table};
use crate::commands::{self, At, Context, Reader, Revision};
use crate::error::failure;
use crate::generate::SELECTOR;

const EXAMPLES: &str = "\
Examples:
  ckpt load                  this session's own checkpoint, or choose one
  ckpt load 0f9c             the one whose session id starts with this
  ckpt load --latest         the newest, whichever session's it is
  ckpt load '0f9c@{2}'       two saves before; '0f9c@{3d}' as it was 3 days ago
  ckpt load 0f9c | pbcopy    off a terminal the brief is plain Markdown
  ckpt load --json | jq .drift.changedSince";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A session id or its start, a name, `latest` or `legacy`; @{N} after it
    /// for the N-th save before; or a checkpoint's file
    #[arg(value_name = "SELECTOR|FILE", value_hint = SELECTOR)]
    selector: Option<String>,
    /// Load the save before the present one: @{1}
    #[arg(long)]
    prev: bool,
    /// Load the newest checkpoint, whichever session's it is
    #[arg(long, conflicts_with = "selector")]
    latest: bool,
    /// Print the brief, or with more below it: full, the whole checkpoint; diff, the lines that changed
    #[arg(
        long,
        value_enum,
        ignore_case = true,
        default_value_t = Format::Brief,
        value_name = "FORMAT",
        hide_default_value = true,
        hide_possible_values = true
    )]
    format: Format,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Those that print the brief of a checkpoint.
    pub(super) fn of(selector: String) -> Self {
        Self {
            selector: Some(selector),
            prev: false,
            latest: false,
            format: Format::Brief,
            json: false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Brief,
    Full,
    Diff,
}

impl From<Format> for commands::load::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Brief => Self::Brief,
            Format::Full => Self::Full,
            Format::Diff => Self::Diff,
        }
    }
}

pub(super) fn run(args: Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let typed = args.selector.as_deref().filter(|typed| !typed.is_empty());
    if let Some(path) = typed.and_then(|typed| file(typed, context)) {
        if args.prev {
            return Err(failure(
                "a file has no save before it, so --prev cannot go with one",
                "leave out --prev, or name a checkpoint of this project",
            ));
        }
        return show(
            &commands::load::file(context, &path, args.format.into())?,
            args.json,
            context,
            output,
        );
    }
    let named = named(typed, &args, context)?;
    let mut request = commands::load::Request {
        format: Some(args.format.into()),
        checkpoint: named.map(|named| named.to_string()),
        latest: args.latest,
        reader: Reader::Person,
        as_json: args.json,
        longest: None,
    };
    let mut outcome = commands::load::run(context, &request)?;
    if outcome.candidates.is_some() && output.asks && !args.json {
        request.checkpoint = select::picked(context, true, output)?;
        if request.checkpoint.is_none() {
            output.note("Nothing chosen, nothing loaded.");
            return Ok(Ended::NotFound);
        }
        outcome = commands::load::run(context, &request)?;
    }
    show(&outcome, args.json, context, output)
}

fn show(
    outcome: &commands::load::Outcome,
    json: bool,
    context: &Context,
    output: &Output,
) -> anyhow::Result<Ended> {
    let ended = if outcome.found {
        Ended::Done
    } else {
        Ended::NotFound
    };
    if json {
        output.json(outcome)?;
        return Ok(ended);
    }
    if !outcome.found {
        output.warnings(&outcome.warnings);
        nothing(outcome, context, output);
        return Ok(ended);
    }
    output.painted(&brief::render(&outcome.text, output.out))?;
    if outcome.checkpoint.is_some() {
        output.data("")?;
        output.value(&commands::structured(outcome)?["checkpoint"])?;
    }
    if output.out.width.is_some() && output.err.width.is_some() {
        let selector = outcome.selector.as_deref();
        selector
            .into_iter()
            .for_each(|selector| output.hint(&onwards(context, selector)));
    }
    Ok(ended)
}

/// The file that is meant: one that is there or named as only a file can be, and as no checkpoint is.
fn file(typed: &str, context: &Context) -> Option<PathBuf> {
    let is_path = typed.starts_with(['.', '~'])
        || Path::new(typed).is_absolute()
        || typed.ends_with(".json")
        || typed.ends_with(".prev");
    let path = context.env.cwd.as_ref()?.join(typed);
    let path: PathBuf = path.components().collect();
    let is_checkpoint = || {
        let named = context.revision(typed);
        named.is_ok_and(|(selector, _)| !matches!(context.store.load(&selector), Ok(None)))
    };
    ((is_path || path.is_file()) && !is_checkpoint()).then_some(path)
}

/// What the arguments name; None where the session's own is meant, or the newest.
fn named(typed: Option<&str>, args: &Args, context: &Context) -> anyhow::Result<Option<Revision>> {
    let typed = match (typed, args.latest, args.prev) {
        (None, true, true) => Some("latest"),
        (None, false, true) => Some("@{0}"),
        (typed, ..) => typed,
    };
    let Some(typed) = typed else {
        return Ok(None);
    };
    let (selector, at) = context.revision(typed)?;
    let at = match (args.prev, at.unwrap_or(At::PRESENT)) {
        (true, At::Before(number)) => At::Before(number + 1),
        (true, At::Time(_)) => {
            return Err(failure(
                "--prev and a time name two different saves",
                "leave out one of them",
            ));
        }
        (false, at) => at,
    };
    Ok(Some(Revision { selector, at }))
}

fn nothing(outcome: &commands::load::Outcome, context: &Context, output: &Output) {
    match &outcome.candidates {
        Some(candidates) => {
            output.note(select::OTHERS);
            output.painted_note(&table::render(candidates, output.err));
            if let Some(omitted @ 1..) = outcome.omitted {
                output.hint(&format!(
                    "{omitted} more; list all with ckpt list --limit 0"
                ));
            }
            output.hint("name one: ckpt load SELECTOR; or take the newest: ckpt load --latest");
        }
        None => output.note(&format!(
            "Nothing to resume. {}",
            select::none_here(context)
        )),
    }
    for elsewhere in &outcome.elsewhere {
        output.hint(elsewhere);
    }
}

/// How a person goes on from the checkpoint that they read.
fn onwards(context: &Context, selector: &str) -> String {
    let root = context.store.root();
    let there = match &context.env.cwd {
        Some(cwd) if cwd.canonicalize().is_ok_and(|cwd| cwd == root) => String::new(),
        _ => format!(" -C '{}'", root.display()),
    };
    format!("go on with it in an agent: ckpt resume{there} {selector}")
}

//! `ckpt name` and `ckpt done`

use super::Ended;
use super::output::Output;
use crate::commands::{self, Context, Name};
use crate::generate::SELECTOR;

const NAMING: &str = "\
A name is letters, digits, `.`, `_`, `/` and `-`. It can be used wherever a selector can. In a \
project only one checkpoint has it, the last that was given it.

Examples:
  ckpt name 0f9c auth      call it `auth` from now on: ckpt load auth
  ckpt name auth           take the name away again";

const DONE: &str = "\
A finished checkpoint is no longer offered to agents, and is listed only with --all, until it is saved again. \
`ckpt prune --done` deletes finished ones.

Examples:
  ckpt done auth 0f9c
  ckpt done --undo auth";

#[derive(Debug, clap::Args)]
#[command(after_help = NAMING)]
pub(super) struct NameArgs {
    /// A session id or the start of it, a name, `latest` or `legacy`
    #[arg(value_hint = SELECTOR)]
    selector: String,
    /// What it is called from now on; left out, its name is taken away
    #[arg(value_hint = clap::ValueHint::Other)]
    name: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = DONE)]
pub(super) struct DoneArgs {
    /// Session ids or the starts of them, names, `latest` or `legacy`
    #[arg(required = true, value_name = "SELECTOR", value_hint = SELECTOR)]
    selectors: Vec<String>,
    /// Say that they are not finished after all
    #[arg(long)]
    undo: bool,
}

pub(super) fn name(args: &NameArgs, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let name = args.name.as_deref().filter(|name| !name.is_empty());
    let request = commands::name::Request {
        selector: context.expand(&args.selector)?,
        name: name.map(Name::parse).transpose()?,
    };
    let outcome = commands::name::run(context, &request)?;
    output.warnings(&outcome.warnings);
    if args.json {
        output.json(&outcome)?;
        return Ok(Ended::Done);
    }
    let selector = &outcome.selector;
    output.note(&match (&outcome.name, outcome.changed) {
        (Some(name), true) => format!("Checkpoint `{selector}` is called `{name}` now."),
        (Some(name), false) => format!("Checkpoint `{selector}` was called `{name}` already."),
        (None, true) => format!("Checkpoint `{selector}` has no name any more."),
        (None, false) => format!("Checkpoint `{selector}` had no name."),
    });
    Ok(Ended::Done)
}

pub(super) fn done(args: &DoneArgs, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    // All of them before any is marked: a mistyped one changes nothing.
    let mut selectors = Vec::new();
    for typed in &args.selectors {
        let selector = context.expand(typed)?;
        if !selectors.contains(&selector) {
            selectors.push(selector);
        }
    }
    let marked = commands::name::mark(context, &selectors, !args.undo)?;
    output.warnings(&marked.warnings);
    for selector in &selectors {
        let was_changed = marked.changed.contains(selector);
        output.note(&match (args.undo, was_changed) {
            (false, true) => format!("Checkpoint `{selector}` is done."),
            (false, false) => format!("Checkpoint `{selector}` was done already."),
            (true, true) => format!("Checkpoint `{selector}` is open again."),
            (true, false) => format!("Checkpoint `{selector}` was open already."),
        });
    }
    Ok(Ended::Done)
}

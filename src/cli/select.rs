//! Which checkpoint a person means.

use super::output::Output;
use super::prompt::picker;
use super::table;
use crate::commands::{self, At, Context, Selector};

/// Like [`typed_or_own`], with the save that is meant, if one was typed.
pub(super) fn revision(
    typed: Option<&str>,
    command: &str,
    asks: bool,
    context: &Context,
    output: &Output,
) -> anyhow::Result<Option<(Selector, Option<At>)>> {
    if let Some(typed) = typed.filter(|typed| !typed.is_empty()) {
        return context.revision(typed).map(Some);
    }
    let selected = typed_or_own(None, command, asks, context, output)?;
    Ok(selected.map(|selector| (selector, None)))
}

/// Stands above the project's checkpoints where the session has none of its own.
pub(super) const OTHERS: &str = "This session has no checkpoint; the project has these:";

/// That there is none at all.
pub(super) fn none_here(context: &Context) -> String {
    format!("No checkpoints in `{}`.", context.store.root().display())
}

/// The checkpoint that was typed, else the session's own, else, where `asks`, the one that the person picks.
///
/// None where there is none, which was told, for `command` to be called again.
pub(super) fn typed_or_own(
    typed: Option<&str>,
    command: &str,
    asks: bool,
    context: &Context,
    output: &Output,
) -> anyhow::Result<Option<Selector>> {
    if let Some(typed) = typed.filter(|typed| !typed.is_empty()) {
        return context.expand(typed).map(Some);
    }
    if let Some(own) = context.own()? {
        return Ok(Some(own));
    }
    let request = commands::list::Request {
        as_aside: true,
        ..commands::list::Request::default()
    };
    let listed = commands::list::run(context, &request)?;
    if listed.total == 0 {
        output.note(&none_here(context));
        for elsewhere in &listed.elsewhere {
            output.hint(elsewhere);
        }
        return Ok(None);
    }
    if asks {
        let picked = picked(context, false, output)?;
        if picked.is_none() {
            output.note("Nothing chosen.");
        }
        return picked.map(|picked| context.expand(&picked)).transpose();
    }
    output.warnings(&listed.warnings);
    output.note(OTHERS);
    output.painted_note(&table::render(&listed.entries, output.err));
    output.hint(&format!("name one: ckpt {command} SELECTOR"));
    Ok(None)
}

/// The selector of the checkpoint that a person picks from all of them, with `recoverable` also from the
/// sessions that have none; the only one where there is one. None where they leave.
pub(super) fn picked(
    context: &Context,
    recoverable: bool,
    output: &Output,
) -> anyhow::Result<Option<String>> {
    let request = commands::list::Request {
        limit: Some(0),
        all: recoverable,
        as_aside: true,
        own_branch_first: true,
        ..commands::list::Request::default()
    };
    let listed = commands::list::run(context, &request)?;
    output.warnings(&listed.warnings);
    let picked = match &listed.entries[..] {
        [only] => Some(only),
        entries => picker::pick("Which checkpoint?", entries, output.err)?,
    };
    Ok(picked.map(|entry| entry.selector.clone()))
}

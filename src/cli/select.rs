//! Which checkpoint a person means.

use super::list;
use super::output::{self, Output};
use crate::commands::{self, Context, Selector};

/// The checkpoint that was typed, else the session's own.
///
/// None where the session has none; then it was told which there are, for `command` to be called again.
pub(super) fn typed_or_own(
    typed: Option<&str>,
    command: &str,
    context: &Context,
    output: &Output,
) -> anyhow::Result<Option<Selector>> {
    if let Some(typed) = typed.filter(|typed| !typed.is_empty()) {
        return context.expand(typed).map(Some);
    }
    if let Some(own) = context.own()? {
        return Ok(Some(own));
    }
    let listed = commands::list::run(context, &commands::list::Request { limit: None })?;
    output.warnings(&listed.warnings);
    if listed.total == 0 {
        output.note("No checkpoints here.");
        if let Some(parent) = context.parent_with_checkpoints() {
            output.hint(&output::parent_hint(&parent, command));
        }
        return Ok(None);
    }
    output.note("No checkpoint of this session. The project's others:");
    output.note(&list::table(&listed.entries, context)?);
    output.hint(&format!("name one: ckpt {command} SELECTOR"));
    Ok(None)
}

//! `name` and `done`: what is said about a checkpoint, which is no save of it (docs/contract.md, section 5 and 14).

use serde::Serialize;

use super::{Context, Reader, Selector, harmless, redact_checkpoint};
use crate::checkpoint::format::Checkpoint;
use crate::error::failure;
use crate::redact::redact;
use crate::store::selector::{Name, SessionId};

/// Gives a checkpoint a name, or takes it away.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) selector: Selector,
    pub(crate) name: Option<Name>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) selector: String,
    /// What it is called now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Whether it was called otherwise before.
    pub(crate) changed: bool,
    pub(crate) warnings: Vec<String>,
}

pub(crate) fn run(context: &Context, request: &Request) -> anyhow::Result<Outcome> {
    let Request { selector, name } = request;
    if let Some(name) = name {
        check(context, name)?;
    }
    let name = name.as_ref().map(Name::as_str);
    let changed = amend(context, selector, |checkpoint| {
        let is_other = checkpoint.name.as_deref() != name;
        checkpoint.name = name.map(str::to_owned);
        is_other
    })?;
    let mut warnings = context.warnings.clone();
    if let Some(name) = name {
        warnings.extend(taken_from_others(context, selector, name)?);
    }
    Ok(Outcome {
        selector: selector.to_string(),
        name: name.map(str::to_owned),
        changed,
        warnings: harmless(context.words, warnings),
    })
}

/// Says of checkpoints that they are finished, or that they are not; gives those of which it was not said before.
pub(crate) fn mark(
    context: &Context,
    selectors: &[Selector],
    done: bool,
) -> anyhow::Result<Vec<Selector>> {
    // One that is not there leaves the others as they are.
    for selector in selectors {
        if context.store.load(selector)?.is_none() {
            return Err(context.unknown(selector, Reader::Person)?);
        }
    }
    let mut marked = Vec::new();
    for selector in selectors {
        let changed = amend(context, selector, |checkpoint| {
            std::mem::replace(&mut checkpoint.done, done) != done
        })?;
        marked.extend(changed.then(|| selector.clone()));
    }
    Ok(marked)
}

/// Fails where a name could never be reached, because a selector is looked up first, or is no name to show.
pub(super) fn check(context: &Context, name: &Name) -> anyhow::Result<()> {
    if !is_harmless(name.as_str()) {
        return Err(failure(
            "the name looks like a secret, and a name is shown wherever its checkpoint is",
            "choose one such as `auth` or `feat/oauth`",
        ));
    }
    let id = SessionId::parse(name.as_str()).map(Selector::Session);
    let is_id = id.is_ok_and(|id| context.store.selectors().is_ok_and(|all| all.contains(&id)));
    if is_id {
        return Err(failure(
            format!("`{name}` is the id of a checkpoint, so it cannot be a name"),
            "choose another name",
        ));
    }
    Ok(())
}

/// Whether a name is no secret; one that was redacted would be no name.
pub(super) fn is_harmless(name: &str) -> bool {
    redact(name).count == 0
}

/// Takes a name from the other checkpoints that have it; a warning for each.
pub(super) fn taken_from_others(
    context: &Context,
    owner: &Selector,
    name: &str,
) -> anyhow::Result<Vec<String>> {
    let mut warnings = Vec::new();
    for selector in context.store.selectors()? {
        let has_it = |checkpoint: &Checkpoint| checkpoint.name.as_deref() == Some(name);
        let loaded = context.store.load(&selector).ok().flatten();
        if selector == *owner || !loaded.is_some_and(|loaded| has_it(&loaded.checkpoint)) {
            continue;
        }
        let taken = context.store.amend(&selector, |checkpoint| {
            let mut checkpoint = checkpoint.clone();
            checkpoint.name = None;
            redact_checkpoint(&mut checkpoint);
            Ok(Some(checkpoint.to_bytes()?))
        })?;
        if taken {
            warnings.push(format!(
                "the name `{name}` was taken from checkpoint `{selector}`, which had it before"
            ));
        }
    }
    Ok(warnings)
}

/// Whether the checkpoint was changed; an error where there is none that could be.
fn amend(
    context: &Context,
    selector: &Selector,
    change: impl FnOnce(&mut Checkpoint) -> bool,
) -> anyhow::Result<bool> {
    let Some(loaded) = context.store.load(selector)? else {
        return Err(context.unknown(selector, Reader::Person)?);
    };
    if let Some(fault) = &loaded.main_fault {
        return Err(failure(
            format!(
                "only the backup of checkpoint `{selector}` can be read: its main file {fault}"
            ),
            "make the backup the present save again first, which `ckpt restore` does",
        ));
    }
    context.store.amend(selector, |checkpoint| {
        let mut checkpoint = checkpoint.clone();
        match change(&mut checkpoint) {
            true => {
                redact_checkpoint(&mut checkpoint);
                Ok(Some(checkpoint.to_bytes()?))
            }
            false => Ok(None),
        }
    })
}

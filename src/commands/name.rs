//! `name` and `done`: what is said about a checkpoint, which is no save of it (docs/contract.md, section 5 and 14).

use serde::Serialize;

use super::{Context, Reader, Selector, fit, harmless, redact_checkpoint};
use crate::checkpoint::bound;
use crate::checkpoint::format::Checkpoint;
use crate::error::failure;
use crate::redact::redact;
use crate::store::replace::Amended;
use crate::store::selector::{self, Name, SessionId};

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
    refuse_project(selector)?;
    if let Some(name) = name {
        check(context, name)?;
    }
    let name = name.as_ref().map(Name::as_str);
    let mut warnings = context.warnings.clone();
    let changed = amend(context, selector, &mut warnings, |checkpoint| {
        let is_other = checkpoint.name.as_deref() != name;
        checkpoint.name = name.map(str::to_owned);
        is_other
    })?;
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

/// What became of a mark.
#[derive(Debug, Default)]
pub(crate) struct Marked {
    /// Those that did not have it before.
    pub(crate) changed: Vec<Selector>,
    pub(crate) warnings: Vec<String>,
}

/// Says of checkpoints that they are finished, or that they are not.
pub(crate) fn mark(
    context: &Context,
    selectors: &[Selector],
    done: bool,
) -> anyhow::Result<Marked> {
    // One that is not there leaves the others as they are.
    for selector in selectors {
        refuse_project(selector)?;
        if context.store.load(selector)?.is_none() {
            return Err(context.unknown(selector, Reader::Person)?);
        }
    }
    let mut marked = Marked::default();
    for selector in selectors {
        let changed = amend(context, selector, &mut marked.warnings, |checkpoint| {
            std::mem::replace(&mut checkpoint.done, done) != done
        })?;
        marked.changed.extend(changed.then(|| selector.clone()));
    }
    marked.warnings = harmless(context.words, marked.warnings);
    Ok(marked)
}

/// Fails for the project's own checkpoint, which is found by no other name and never over.
fn refuse_project(selector: &Selector) -> anyhow::Result<()> {
    if *selector == Selector::Project {
        return Err(failure(
            "the project's own checkpoint has no name but `project`, and is never done",
            "change what it says with: ckpt edit project",
        ));
    }
    Ok(())
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
        let taken = write(context, &selector, &mut warnings, |checkpoint| {
            has_it(checkpoint) && checkpoint.name.take().is_some()
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
    warnings: &mut Vec<String>,
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
    write(context, selector, warnings, change)
}

/// Writes what `change` makes of a checkpoint where it gives true. What the file held beyond what can be read and written
/// goes into the backup, as with a save.
fn write(
    context: &Context,
    selector: &Selector,
    warnings: &mut Vec<String>,
    change: impl FnOnce(&mut Checkpoint) -> bool,
) -> anyhow::Result<bool> {
    let now = context.env.now;
    context.store.amend(selector, now, |checkpoint, size| {
        let mut next = checkpoint.clone();
        if !change(&mut next) {
            return Ok(None);
        }
        next.note_mark();
        redact_checkpoint(&mut next);
        let whole = next.to_bytes()?;
        let limit = bound::FILE_BYTES;
        if checkpoint.left_out.is_empty() && size <= limit && whole.len() <= limit {
            return Ok(Some(Amended::All(whole)));
        }
        let bytes = fit::checkpoint(&mut next, warnings)?;
        warnings.push(format!(
            "not all that checkpoint `{selector}` held could be kept; its file before is `{}` now",
            selector::nth(selector, 1)
        ));
        Ok(Some(Amended::Part(bytes)))
    })
}

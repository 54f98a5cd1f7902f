//! `edit`: a checkpoint as a text to be edited, and what comes back as the checkpoint (docs/contract.md, section 14).
//!
//! An edit changes what a checkpoint says of the work, not when it was made: `git`, the files with their
//! hashes and `updatedAt` are the project at the moment of the save, and what changed since is told by all
//! three together. So they stay, as do `id` and `createdAt`.

use jiff::Timestamp;
use uuid::Uuid;

use super::{Context, Name, Reader, Selector, counted, fit, name, redact_checkpoint, save};
use crate::checkpoint::form::Form;
use crate::checkpoint::format::Checkpoint;
use crate::checkpoint::time;
use crate::store::Loaded;
use crate::store::selector::SessionId;

/// A checkpoint that is being edited.
pub(crate) struct Opened {
    pub(crate) selector: Selector,
    /// What the person gets to edit.
    pub(crate) text: String,
    pub(crate) warnings: Vec<String>,
    loaded: Loaded,
}

/// The text that came back.
pub(crate) struct Request<'a> {
    pub(crate) opened: &'a Opened,
    pub(crate) text: &'a str,
    /// What a new checkpoint is called that the text becomes, in place of the one that was opened.
    pub(crate) copy: Option<&'a Name>,
}

#[derive(Debug)]
pub(crate) enum Outcome {
    /// It says what the checkpoint says already, or nothing at all.
    Unchanged,
    /// It cannot be a checkpoint, and why: every fault. Nothing was written.
    Invalid(Vec<String>),
    /// The checkpoint is no longer the one that was opened. Nothing was written.
    Overtaken,
    Written(Written),
}

#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) selector: Selector,
    pub(crate) path: String,
    pub(crate) bytes: usize,
    pub(crate) warnings: Vec<String>,
}

/// Fails where there is no such checkpoint, or where a copy of it could never be reached by its name.
pub(crate) fn open(
    context: &Context,
    selector: Selector,
    copy: Option<&Name>,
) -> anyhow::Result<Opened> {
    if let Some(name) = copy {
        name::check(context, name)?;
    }
    let Some(loaded) = context.load(&selector)? else {
        return Err(context.unknown(&selector, Reader::Person)?);
    };
    let mut warnings = context.warnings.clone();
    if let Some(fault) = &loaded.main_fault {
        warnings.push(format!(
            "this is the backup, the save before the last: the main file {fault}"
        ));
    }
    let checkpoint = &loaded.checkpoint;
    let heading = format!(
        "Checkpoint {selector}, {}.",
        time::saved(checkpoint.updated_at, context.env.now)
    );
    Ok(Opened {
        text: Form::of(checkpoint).to_text(&heading),
        selector,
        warnings,
        loaded,
    })
}

/// Writes the edited text under the rules of a save, unless the checkpoint changed meanwhile.
pub(crate) fn run(context: &Context, request: &Request<'_>) -> anyhow::Result<Outcome> {
    let Request { opened, text, copy } = request;
    let saved = &opened.loaded.checkpoint;
    if text.trim().is_empty() {
        return Ok(Outcome::Unchanged);
    }
    let form = match Form::parse(text) {
        Ok(form) => form,
        Err(fault) => return Ok(Outcome::Invalid(vec![fault])),
    };
    let mut next = match form.apply(saved, context.env.now) {
        Ok(next) => next,
        Err(faults) => return Ok(Outcome::Invalid(faults)),
    };
    // A copy of one that was not changed is a new checkpoint all the same.
    if next == *saved && copy.is_none() {
        return Ok(Outcome::Unchanged);
    }
    let mut warnings = Vec::new();
    let target = match copy {
        Some(name) => detach(&mut next, &opened.selector, name, context.env.now),
        None => opened.selector.clone(),
    };
    next.note_change(context.env.now);
    next.generator = save::generator();
    next.meta.redactions = redact(&mut next, &mut warnings);
    let bytes = match fit::checkpoint(&mut next, &mut warnings) {
        Ok(bytes) => bytes,
        Err(error) => return Ok(Outcome::Invalid(vec![format!("{error:#}")])),
    };
    let mut overtaken = false;
    let now = context.env.now;
    let written = context.store.update(&target, now, |present| {
        overtaken =
            copy.is_none() && !present.is_some_and(|present| present.is_same(&opened.loaded));
        anyhow::ensure!(!overtaken, "it was changed meanwhile");
        Ok((bytes, ()))
    });
    match written {
        Err(_) if overtaken => Ok(Outcome::Overtaken),
        written => {
            let (written, ()) = written?;
            warnings.extend(written.warnings);
            if let Some(name) = copy {
                warnings.extend(name::taken_from_others(context, &target, name.as_str())?);
            }
            Ok(Outcome::Written(Written {
                selector: target,
                path: written.path.display().to_string(),
                bytes: written.bytes,
                warnings,
            }))
        }
    }
}

/// Makes a checkpoint of its own of an edited one, which goes on from that and is of the same moment of the project.
fn detach(next: &mut Checkpoint, from: &Selector, name: &Name, now: Timestamp) -> Selector {
    let id = SessionId::mint();
    next.id = Uuid::new_v4().to_string();
    next.created_at = now;
    next.session_id = Some(id.as_str().to_owned());
    next.resumed_from = Some(from.to_string());
    next.name = Some(name.to_string());
    next.done = false;
    next.times = None;
    Selector::Session(id)
}

fn redact(checkpoint: &mut Checkpoint, warnings: &mut Vec<String>) -> usize {
    let redactions = redact_checkpoint(checkpoint);
    if redactions > 0 {
        let secrets = counted(redactions, "secret");
        warnings.push(format!("{secrets} redacted before writing"));
    }
    redactions
}

//! `restore`: an earlier save becomes the present one again, byte for byte (docs/contract.md, section 14).

use serde::Serialize;

use super::{At, Context, Reader, Selector, earlier, harmless};
use crate::checkpoint::time;
use crate::store::selector::{self, Revision};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    pub(crate) selector: String,
    /// What the restored save was called before.
    pub(crate) restored: String,
    pub(crate) updated_at: String,
    pub(crate) path: String,
    pub(crate) bytes: usize,
    /// Whether there was nothing to do, because that save is the present one.
    pub(crate) unchanged: bool,
    /// What undoes this, left out where nothing was replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) replaced: Option<String>,
    pub(crate) warnings: Vec<String>,
    /// For people, such as `saved 2m ago`.
    #[serde(skip)]
    pub(crate) saved: String,
}

/// The save that is meant where none is named: the one before the present one. Where only the backup can be read, that is
/// the backup.
pub(crate) fn unnamed(context: &Context, selector: &Selector) -> At {
    let loaded = context.store.load(selector).ok().flatten();
    let is_backup = loaded.is_some_and(|loaded| loaded.main_fault.is_some());
    At::Before(usize::from(!is_backup))
}

/// Fails, with nothing changed, where there is no such save, or where its file is no checkpoint.
pub(crate) fn run(context: &Context, revision: &Revision) -> anyhow::Result<Outcome> {
    let selector = &revision.selector;
    let mut warnings = context.warnings.clone();
    let before = earlier::read(context, revision, Reader::Person)?;
    let is_present = before.number == 0 && before.loaded.main_fault.is_none();
    if is_present {
        return Ok(outcome(context, revision, before, None, warnings));
    }
    // What was read is what is meant: a save in between gives each of them another number.
    let bytes = before.loaded.bytes.clone();
    let (saved, replaced) = context
        .store
        .update(selector, context.env.now, |previous| {
            let replaced = previous.is_some_and(|previous| previous.main_fault.is_none());
            Ok((bytes, replaced))
        })?;
    warnings.extend(saved.warnings);
    let replaced = replaced.then(|| selector::nth(selector, 1));
    let mut outcome = outcome(context, revision, before, replaced, warnings);
    outcome.path = saved.path.display().to_string();
    outcome.unchanged = false;
    Ok(outcome)
}

fn outcome(
    context: &Context,
    revision: &Revision,
    save: earlier::Save,
    replaced: Option<String>,
    mut warnings: Vec<String>,
) -> Outcome {
    let at = save.loaded.checkpoint.updated_at;
    warnings.extend(save.warnings);
    Outcome {
        selector: revision.selector.to_string(),
        restored: selector::nth(&revision.selector, save.number),
        updated_at: time::format(at),
        path: save.loaded.path.display().to_string(),
        bytes: save.loaded.bytes.len(),
        unchanged: true,
        replaced,
        warnings: harmless(context.words, warnings),
        saved: time::saved(at, context.env.now),
    }
}

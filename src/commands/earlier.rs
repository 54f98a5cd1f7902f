//! One save of a checkpoint, by its number or by the time at which it was current.

use super::{Context, Reader, counted, redact_checkpoint};
use crate::error::failure;
use crate::store::Loaded;
use crate::store::selector::{self, At, Revision};

/// A save with its secrets redacted, whoever wrote the file.
pub(super) struct Save {
    /// How many saves before the present one it is.
    pub(super) number: usize,
    pub(super) loaded: Loaded,
    pub(super) warnings: Vec<String>,
}

impl Save {
    pub(super) fn present(loaded: Loaded) -> Self {
        Self {
            number: 0,
            loaded,
            warnings: Vec::new(),
        }
    }
}

/// Fails where there is no such checkpoint, or no such save of it.
pub(super) fn load(context: &Context, revision: &Revision, reader: Reader) -> anyhow::Result<Save> {
    let mut save = read(context, revision, reader)?;
    redact_checkpoint(&mut save.loaded.checkpoint);
    Ok(save)
}

/// The save as it stands in its file.
pub(super) fn read(context: &Context, revision: &Revision, reader: Reader) -> anyhow::Result<Save> {
    let Revision { selector, at } = revision;
    if *at == At::PRESENT {
        let Some(loaded) = context.store.load(selector)? else {
            return Err(context.unknown(selector, reader)?);
        };
        return Ok(Save::present(loaded));
    }
    let saves = context.store.saves(selector)?;
    let before = saves.before();
    let number = saves.number(*at, context.env.now);
    if let Some(number) = number
        && let Some(loaded) = saves.read(number)?
    {
        return Ok(Save {
            number,
            loaded,
            warnings: saves.warnings,
        });
    }
    if before == 0 && context.store.load(selector)?.is_none() {
        return Err(context.unknown(selector, reader)?);
    }
    let what = match number {
        Some(_) => format!("there is no save `{revision}`"),
        None => format!("no save of `{selector}` is as old as `{revision}`"),
    };
    let kept = match before {
        0 => "has no earlier save yet".to_owned(),
        before => format!(
            "has {}, up to `{}`",
            counted(before, "earlier save"),
            selector::nth(selector, before)
        ),
    };
    let hint = match reader {
        Reader::Person => format!("list its saves: ckpt log {selector}"),
        Reader::Agent => format!("`@{{1}}` is the save before the present one of `{selector}`"),
    };
    Err(failure(format!("{what}: the checkpoint {kept}"), hint))
}

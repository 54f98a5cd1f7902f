//! What a save builds on: the session's own checkpoint, or the one that it was resumed from.

use super::Context;
use super::load::renamed;
use super::provenance::Stranger;
use super::scan::Scan;
use crate::checkpoint::format::Checkpoint;
use crate::checkpoint::update::Mode;
use crate::store::Loaded;
use crate::store::selector::Selector;

/// What a save builds on, and the checkpoint that its session went on from.
pub(super) struct Base {
    /// None where the save builds on nothing.
    pub(super) checkpoint: Option<Checkpoint>,
    pub(super) resumed_from: Option<Selector>,
    pub(super) warnings: Vec<String>,
}

impl Base {
    /// `own` is the checkpoint of the session itself, which `selector` names.
    pub(super) fn find(
        context: &Context,
        scan: &Scan,
        mode: Mode,
        selector: &Selector,
        own: Option<Loaded>,
        resumed_from: Option<Selector>,
    ) -> Self {
        let mut warnings = Vec::new();
        let own = own.inspect(|own| warnings.extend(renamed(selector, &own.checkpoint)));
        let (base, resumed_from) = match (own, resumed_from) {
            (Some(own), _) => {
                let origin = own.checkpoint.resumed_from.as_deref();
                let resumed_from = origin.and_then(|origin| Selector::parse(origin).ok());
                (Some((own, selector.clone())), resumed_from)
            }
            (None, Some(selector)) => match context.load(&selector) {
                Ok(Some(loaded)) => (Some((loaded, selector.clone())), Some(selector)),
                Ok(None) => {
                    warnings.push(format!(
                        "`resumedFrom` was ignored: there is no checkpoint `{selector}`"
                    ));
                    (None, None)
                }
                Err(error) => {
                    warnings.push(format!("`resumedFrom` was ignored: {error:#}"));
                    (None, None)
                }
            },
            (None, None) => (None, None),
        };
        if mode == Mode::Merge && base.is_none() {
            warnings.push(
                "this session had no checkpoint to merge into; a new one was written".to_owned(),
            );
        }
        let base = base.filter(|_| mode == Mode::Merge);
        if let Some((loaded, selector)) = &base {
            let stranger = Stranger::of(scan.is_tracked(&loaded.file), loaded.is_foreign);
            warnings.extend(stranger.map(|stranger| stranger.warning_of_base(selector)));
        }
        Self {
            checkpoint: base.map(|(loaded, _)| loaded.checkpoint),
            resumed_from,
            warnings,
        }
    }
}

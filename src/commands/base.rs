//! What a save builds on: the session's own checkpoint, or the one that it was resumed from.

use super::load::oddities;
use super::provenance::Stranger;
use super::scan::Scan;
use super::{Context, Reader, earlier, named};
use crate::checkpoint::edits::Mode;
use crate::checkpoint::format::{Checkpoint, ModifiedFile};
use crate::store::Loaded;
use crate::store::selector::{At, Revision, Selector};

/// What a save builds on, and the checkpoint that its session went on from.
#[derive(Default)]
pub(super) struct Base {
    /// None where the save builds on nothing.
    pub(super) checkpoint: Option<Checkpoint>,
    /// The files that it recorded, by path from the root.
    pub(super) recorded: Vec<ModifiedFile>,
    pub(super) resumed_from: Option<Selector>,
    pub(super) warnings: Vec<String>,
    /// Why there is no building on the checkpoint that `resumedFrom` names.
    pub(super) fault: Option<String>,
}

/// `own` is the checkpoint of the session itself, which `selector` names.
pub(super) fn find(
    context: &Context,
    scan: &Scan,
    mode: Mode,
    selector: &Selector,
    own: &Option<Loaded>,
    resumed_from: &Option<Revision>,
) -> Base {
    let mut warnings = Vec::new();
    let mut fault = None;
    let (base, resumed_from) = match (own, resumed_from) {
        (Some(own), _) => {
            warnings.extend(oddities(selector, &own.checkpoint));
            let origin = own.checkpoint.resumed_from.as_deref();
            let resumed_from = origin.and_then(|origin| Selector::parse(origin).ok());
            (Some((own.clone(), selector.clone())), resumed_from)
        }
        (None, Some(origin)) => match resumed(context, origin) {
            Ok(mut loaded) => {
                // What begins here is another checkpoint than the one that it builds on.
                loaded.checkpoint.id.clear();
                loaded.checkpoint.created_at = context.env.now;
                let selector = origin.selector.clone();
                (Some((loaded, selector.clone())), Some(selector))
            }
            Err(why) => {
                let argument = context.words.argument("resumedFrom");
                warnings.push(format!("{argument} was ignored: {why}"));
                fault = Some(why);
                (None, None)
            }
        },
        (None, None) => (None, None),
    };
    if mode == Mode::Merge && base.is_none() && *selector != Selector::Project {
        warnings
            .push("this session had no checkpoint to merge into; a new one was written".to_owned());
    }
    let base = base.filter(|_| mode == Mode::Merge);
    if let Some((loaded, selector)) = &base {
        let stranger = Stranger::of(scan.is_tracked(&loaded.file), loaded.is_foreign);
        warnings.extend(stranger.map(|stranger| stranger.warning_of_base(selector)));
        warnings.extend(loaded.is_cut());
    }
    let checkpoint = base.map(|(loaded, _)| loaded.checkpoint);
    let recorded = checkpoint.as_ref().map_or(&[][..], |it| &it.modified_files);
    Base {
        recorded: named::carried_over(context, recorded, &mut warnings),
        checkpoint,
        resumed_from,
        warnings,
        fault,
    }
}

/// The checkpoint that a session says it went on from, or why there is none.
fn resumed(context: &Context, origin: &Revision) -> Result<Loaded, String> {
    let Revision { selector, at } = origin;
    let loaded = match *at {
        At::PRESENT => context.load(selector),
        _ => earlier::load(context, origin, Reader::Agent).map(|save| Some(save.loaded)),
    };
    match loaded {
        Ok(Some(loaded)) => Ok(loaded),
        Ok(None) => Err(format!("there is no checkpoint `{selector}`")),
        Err(error) => Err(format!("{error:#}")),
    }
}

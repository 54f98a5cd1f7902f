//! A checkpoint's saves: the present one, its backup, and those in the history (docs/contract.md, section 3 and 4).

use anyhow::bail;
use jiff::Timestamp;

use super::history::{Contents, Earlier, History};
use super::selector::{At, Selector, nth};
use super::stored::Stored;
use super::{Files, Loaded, Store, names};

/// The saves of a checkpoint, numbered from the present one, which is 0.
pub(crate) struct Saves<'a> {
    store: &'a Store,
    selector: Selector,
    /// None where there is no file of the checkpoint itself; an error where none can be used.
    present: anyhow::Result<Option<Loaded>>,
    before: Vec<Kept>,
    place: Option<Files>,
    history: Option<History>,
    /// What in the history is no save although it is named like one.
    pub(crate) warnings: Vec<String>,
}

enum Kept {
    Backup,
    History(Earlier),
}

impl Store {
    pub(crate) fn saves(&self, selector: &Selector) -> anyhow::Result<Saves<'_>> {
        let place = self.place(selector)?;
        let present = match &place {
            Some(place) => self.load_from(selector, place),
            None => Ok(None),
        };
        let mut before = Vec::new();
        // A backup that serves as the present one is not also the one before it, and one that cannot serve is none.
        let in_place = matches!(&present, Ok(Some(loaded)) if loaded.main_fault.is_none());
        if let Some(place) = place.as_ref().filter(|_| in_place)
            && place.dir.symlink_metadata(&place.backup).is_ok()
        {
            before.push(Kept::Backup);
        }
        let sessions = self.sessions()?;
        let opened = sessions.map(|sessions| History::open(&sessions, selector));
        let found = opened.transpose().and_then(|history| {
            let history = history.flatten();
            let found = history.as_ref().map(History::find).transpose()?;
            Ok((history, found.unwrap_or_default()))
        });
        // The backup can be read, whatever lies where the history should be.
        let (history, found) = found.unwrap_or_else(|error| {
            let mut nothing = Contents::default();
            nothing.odd.push(format!("{error:#}"));
            (None, nothing)
        });
        before.extend(found.saves.into_iter().map(Kept::History));
        Ok(Saves {
            store: self,
            selector: selector.clone(),
            present,
            before,
            place,
            history,
            warnings: found.odd,
        })
    }
}

impl Saves<'_> {
    /// How many there are before the present one.
    pub(crate) fn before(&self) -> usize {
        self.before.len()
    }

    /// One of them; None where there is none of that number, an error where its file cannot be used.
    pub(crate) fn read(&self, number: usize) -> anyhow::Result<Option<Loaded>> {
        let Some(before) = number.checked_sub(1) else {
            return match &self.present {
                Ok(present) => Ok(present.clone()),
                Err(_) => self.store.load(&self.selector),
            };
        };
        let (dir, name, file) = match (self.before.get(before), &self.place, &self.history) {
            (Some(Kept::Backup), Some(place), _) => {
                let file = names::below_root(&self.selector, &place.backup);
                (&*place.dir, &place.backup, file)
            }
            (Some(Kept::History(save)), _, Some(history)) => {
                (&history.dir, &save.name, history.below_root(&save.name))
            }
            _ => return Ok(None),
        };
        match Stored::read(dir, name, &self.selector) {
            Stored::Valid(checkpoint, content) => Ok(Some(Loaded {
                checkpoint: *checkpoint,
                path: self.store.root().join(&file),
                main_fault: None,
                file,
                is_foreign: content.is_foreign,
                bytes: content.bytes,
            })),
            unusable => bail!(
                "the save `{}` cannot be used: `{file}` {}",
                nth(&self.selector, number),
                unusable.fault().unwrap_or_default()
            ),
        }
    }

    /// The number of the save that is meant; None where none was current yet.
    pub(crate) fn number(&self, at: At, now: Timestamp) -> Option<usize> {
        let then = match at {
            At::Before(number) => return Some(number),
            At::Time(then) => then,
        };
        (0..=self.before.len()).find(|number| {
            let since = self.current_since(*number, now);
            since.is_some_and(|since| since <= then)
        })
    }

    /// When a save became the present one.
    ///
    /// It says so itself, unless it was restored, or recovered later; then the save of which it made a further one
    /// earlier is dated. What lies in the future counts as now.
    fn current_since(&self, number: usize, now: Timestamp) -> Option<Timestamp> {
        let saved = self.read(number).ok().flatten();
        let saved = saved.map(|saved| saved.checkpoint.updated_at);
        let moved = match self.before.get(number + 1) {
            Some(Kept::History(save)) => Some(save.until),
            _ => None,
        };
        saved.max(moved).map(|since| since.min(now))
    }
}

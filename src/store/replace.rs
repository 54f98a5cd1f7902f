//! Replacing checkpoints: one by what a save makes of it, or several, all or none (docs/contract.md, sections 4 and 18).

use std::path::PathBuf;
use std::rc::Rc;

use anyhow::Context as _;
use cap_std::fs::Dir;
use jiff::Timestamp;

use super::file::{self, Replacement, Unsynced};
use super::history::{Contents, History};
use super::selector::Selector;
use super::stored::Stored;
use super::{Files, Loaded, Store};
use crate::checkpoint::format::{Checkpoint, Invalid};
use crate::error::failure;

/// What to do about a file that is left as it is.
const KEPT: &str = "the file was left as it is; move it away, or update ckpt";
/// What to do about a file that is another session's.
const TAKEN: &str =
    "this file system takes the two ids for one; choose an id that differs in more than case";

/// A checkpoint that was written.
#[derive(Debug)]
pub(crate) struct Saved {
    pub(crate) path: PathBuf,
    pub(crate) bytes: usize,
    /// What the writer must know although the write succeeded.
    pub(crate) warnings: Vec<String>,
}

/// A checkpoint that is to take the place of what is here.
pub(crate) struct Incoming {
    pub(crate) selector: Selector,
    pub(crate) bytes: Vec<u8>,
    /// When it was saved, wherever that was.
    pub(crate) saved: Timestamp,
}

/// A checkpoint of which something else is said, as bytes.
pub(crate) enum Amended {
    /// It holds all that the file held.
    All(Vec<u8>),
    /// It holds less, so the file becomes the backup.
    Part(Vec<u8>),
}

/// What a replacement finds.
struct Found {
    previous: Option<Loaded>,
    has_main: bool,
    has_backup: bool,
    /// What is wrong with the backup.
    fault: Option<String>,
    warning: Option<String>,
}

impl Found {
    /// Whether both mean the same new backup, or none.
    fn is_same(&self, other: &Self) -> bool {
        match (&self.previous, &other.previous) {
            (None, None) => true,
            (Some(one), Some(other)) => {
                one.is_same(other) && one.main_fault.is_none() == other.main_fault.is_none()
            }
            _ => false,
        }
    }
}

/// A checkpoint that is written and synced beside its name, and so is what becomes its backup.
struct Staged<'a> {
    place: &'a Files,
    found: Found,
    new: Replacement<'a>,
    new_backup: Option<Replacement<'a>>,
}

/// How far the files of a checkpoint got to their names.
struct Placed<'a> {
    selector: &'a Selector,
    place: &'a Files,
    had_main: bool,
    main: bool,
    backup: bool,
    /// What is in the history since the old backup went there.
    kept: Option<Contents>,
    warnings: Vec<String>,
}

impl Store {
    /// Replaces a checkpoint by what `next` makes of the previous one, under the project's lock.
    ///
    /// The previous valid checkpoint becomes the backup, and the backup the newest of the history, as of `now`. A crash
    /// at any point leaves the old or the new checkpoint whole. Fails, with nothing changed, where the file there is of
    /// another format version or not a regular file, or where the history cannot be kept.
    pub(crate) fn update<T>(
        &self,
        selector: &Selector,
        now: Timestamp,
        next: impl FnOnce(Option<&Loaded>) -> anyhow::Result<(Vec<u8>, T)>,
    ) -> anyhow::Result<(Saved, T)> {
        let sessions = Rc::new(self.create_sessions()?);
        let lock = self.lock(&sessions)?;
        let place = self.files_in(selector, Rc::clone(&sessions))?;
        let found = self.find(&place, selector)?;
        let (bytes, made) = next(found.previous.as_ref())?;
        let staged = self.stage(&place, found, &bytes, None)?;
        let placed = staged.place(&sessions, selector, now)?;
        file::sync_directory(&place.dir)
            .context("could not sync the directory of the checkpoint")?;
        // Only now: a save that fails deletes nothing.
        let trimmed = placed.trim(&sessions);
        let saved = Saved {
            path: self.path(selector),
            bytes: bytes.len(),
            warnings: lock
                .warning()
                .into_iter()
                .chain(placed.warnings)
                .chain(trimmed)
                .collect(),
        };
        Ok((saved, made))
    }

    /// Changes what is said about a checkpoint and not what it holds: neither backup nor history are touched, unless the
    /// change keeps less than the file held. Nothing is written where `change`, which gets the checkpoint and the size
    /// of its file, gives nothing, or where the main file cannot be used.
    pub(crate) fn amend(
        &self,
        selector: &Selector,
        now: Timestamp,
        change: impl FnOnce(&Checkpoint, usize) -> anyhow::Result<Option<Amended>>,
    ) -> anyhow::Result<bool> {
        let sessions = Rc::new(self.create_sessions()?);
        let _lock = self.lock(&sessions)?;
        let place = self.files_in(selector, Rc::clone(&sessions))?;
        let main = Stored::read(&place.dir, &place.main, selector);
        let Stored::Valid(checkpoint, content) = &main else {
            return Ok(false);
        };
        let placed = match change(checkpoint, content.bytes.len())? {
            None => return Ok(false),
            Some(Amended::All(bytes)) => {
                Replacement::write(&place.dir, &place.main, &bytes)
                    .and_then(|new| new.written_at(content.modified).sync()?.place())
                    .with_context(|| format!("could not replace `{}`", place.main))?;
                None
            }
            Some(Amended::Part(bytes)) => {
                let found = self.find(&place, selector)?;
                let staged = self.stage(&place, found, &bytes, content.modified)?;
                Some(staged.place(&sessions, selector, now)?)
            }
        };
        file::sync_directory(&place.dir)
            .context("could not sync the directory of the checkpoint")?;
        // What cannot go goes with the next save.
        drop(placed.map(|placed| placed.trim(&sessions)));
        Ok(true)
    }

    /// Replaces those checkpoints for which `is_newer` says so of what is here, all of them or none; tells of each whether
    /// it was replaced.
    ///
    /// Everything is written before anything is renamed, so that a full disk is noticed with all in its place, and
    /// before the lock is taken, so that it is held for renames alone. As in [`Store::update`] each is whole whenever
    /// that ends; only a kill between two renames leaves some replaced and others not.
    pub(crate) fn replace_all(
        &self,
        incoming: &[Incoming],
        now: Timestamp,
        is_newer: impl Fn(&Incoming, &Checkpoint) -> bool,
    ) -> anyhow::Result<Vec<bool>> {
        if incoming.is_empty() {
            return Ok(Vec::new());
        }
        let sessions = Rc::new(self.create_sessions()?);
        let places = incoming.iter().map(|it| {
            let place = self.files_in(&it.selector, Rc::clone(&sessions))?;
            Ok((it, place))
        });
        let places = places.collect::<anyhow::Result<Vec<(&Incoming, Files)>>>()?;
        let judged = |it: &Incoming, place, found: Found| {
            let previous = found.previous.as_ref();
            let wins = previous.is_none_or(|previous| is_newer(it, &previous.checkpoint));
            let staged = wins.then(|| self.stage(place, found, &it.bytes, Some(it.saved)));
            staged.transpose()
        };
        let mut staged = Vec::new();
        for (it, place) in &places {
            let found = self.find(place, &it.selector)?;
            staged.push((*it, judged(it, place, found)?));
        }
        let _lock = self.lock(&sessions)?;
        for (it, staged) in &mut staged {
            let Some(before) = staged.take() else {
                continue;
            };
            let found = self.find(before.place, &it.selector)?;
            *staged = match before.found.is_same(&found) {
                true => Some(Staged { found, ..before }),
                // A save came in between.
                false => judged(it, before.place, found)?,
            };
        }
        let replaced = staged.iter().map(|(_, staged)| staged.is_some()).collect();
        let staged = staged.into_iter();
        let staged = staged.filter_map(|(it, staged)| Some((&it.selector, staged?)));
        place_all(staged, &sessions, now)?;
        Ok(replaced)
    }

    /// Fails where one of the files must not be replaced.
    fn find(&self, place: &Files, selector: &Selector) -> anyhow::Result<Found> {
        let (main, backup) = replaceable(place, selector)?;
        let warning = match &main {
            Stored::Invalid(invalid) => Some(format!(
                "the previous checkpoint `{}` was {invalid} and was replaced",
                place.main
            )),
            _ => None,
        };
        Ok(Found {
            has_main: !matches!(main, Stored::Missing),
            has_backup: !matches!(backup, Stored::Missing),
            fault: backup.fault(),
            warning,
            previous: self.usable(selector, main, || backup).unwrap_or_default(),
        })
    }

    fn stage<'a>(
        &self,
        place: &'a Files,
        found: Found,
        bytes: &[u8],
        written_at: Option<Timestamp>,
    ) -> anyhow::Result<Staged<'a>> {
        let failed = |name: &str| format!("could not write `{name}` in `{}`", self.root.display());
        let write = |name: &'a str, bytes: &[u8]| {
            Replacement::write(&place.dir, name, bytes).with_context(|| failed(name))
        };
        let sync = |name: &str, written: Unsynced<'a>| written.sync().with_context(|| failed(name));
        let new = write(&place.main, bytes)?.written_at(written_at);
        let previous = found.previous.as_ref();
        let previous = previous.filter(|previous| previous.main_fault.is_none());
        let new_backup = previous.map(|previous| write(&place.backup, &previous.bytes));
        let new_backup = new_backup.transpose()?;
        let new = sync(&place.main, new)?;
        let new_backup = new_backup.map(|backup| sync(&place.backup, backup));
        Ok(Staged {
            new_backup: new_backup.transpose()?,
            place,
            found,
            new,
        })
    }
}

impl<'a> Staged<'a> {
    /// Gives the files their names. Fails with those of before in their places, but for a main file that was invalid.
    fn place(
        self,
        sessions: &Dir,
        selector: &'a Selector,
        now: Timestamp,
    ) -> anyhow::Result<Placed<'a>> {
        let mut placed = Placed {
            selector,
            place: self.place,
            had_main: self.found.has_main,
            main: false,
            backup: false,
            kept: None,
            warnings: Vec::new(),
        };
        match placed.rename(self, sessions, now) {
            Ok(()) => Ok(placed),
            Err(error) => {
                placed.undo(sessions);
                Err(error)
            }
        }
    }
}

impl Placed<'_> {
    fn rename(&mut self, staged: Staged<'_>, sessions: &Dir, now: Timestamp) -> anyhow::Result<()> {
        let Files { dir, main, backup } = self.place;
        let found = staged.found;
        self.warnings.extend(found.warning);
        if let Some(new_backup) = staged.new_backup {
            if found.has_backup {
                let history = History::create(sessions, self.selector)?;
                let contents = history.take(dir, backup, now)?;
                let moved = history.newest(&contents);
                let fault = found.fault;
                self.warnings.extend(fault.map(|fault| {
                    format!("the backup `{backup}` {fault}; it was moved to `{moved}`")
                }));
                self.kept = Some(contents);
            }
            new_backup
                .place()
                .with_context(|| format!("could not replace `{backup}`"))?;
            self.backup = true;
        }
        staged
            .new
            .place()
            .with_context(|| format!("could not replace `{main}`"))?;
        self.main = true;
        Ok(())
    }

    /// Puts the files of before back, by renames alone: the new backup is what the main file held. What the system
    /// refuses here stays where it is, which is whole all the same.
    fn undo(self, sessions: &Dir) {
        let Files { dir, main, backup } = self.place;
        let _ = match (self.main, self.backup) {
            (true, true) => dir.rename(backup, dir, main),
            (true, false) if !self.had_main => dir.remove_file(main),
            (false, true) => dir.remove_file(backup),
            _ => Ok(()),
        };
        if let Ok(Some(history)) = History::open(sessions, self.selector) {
            if let Some(kept) = &self.kept {
                let _ = history.give_back(kept, dir, backup);
            }
            history.leave(sessions, self.selector);
        }
    }

    /// Has the history forget its oldest; gives why it could not.
    fn trim(&self, sessions: &Dir) -> Option<String> {
        let kept = self.kept.as_ref()?;
        match History::open(sessions, self.selector) {
            Ok(history) => history?.trim(kept),
            Err(error) => Some(format!("{error:#}")),
        }
    }
}

/// Gives all files their names, or none.
fn place_all<'a>(
    staged: impl Iterator<Item = (&'a Selector, Staged<'a>)>,
    sessions: &Dir,
    now: Timestamp,
) -> anyhow::Result<()> {
    let mut all: Vec<Placed<'_>> = Vec::new();
    let place = || {
        for (selector, staged) in staged {
            all.push(staged.place(sessions, selector, now)?);
        }
        file::sync_directory(sessions).context("could not sync the directory of the checkpoints")
    };
    let result = place();
    for placed in all.into_iter().rev() {
        match result {
            // What cannot go goes with the next save.
            Ok(()) => drop(placed.trim(sessions)),
            Err(_) => placed.undo(sessions),
        }
    }
    result
}

/// A checkpoint and its backup as they stand; an error where one of them must not be replaced.
fn replaceable(place: &Files, selector: &Selector) -> anyhow::Result<(Stored, Stored)> {
    let main = Stored::read(&place.dir, &place.main, selector);
    if let Stored::Refused(_) = &main {
        return Err(refused(&place.main, &main, KEPT));
    }
    file::refuse_special(&place.dir, &place.backup).map_err(|refusal| {
        let message = format!("could not save: cannot use `{}`: {refusal}", place.backup);
        failure(message, KEPT)
    })?;
    let backup = Stored::read(&place.dir, &place.backup, selector);
    for (name, stored) in [(&place.main, &main), (&place.backup, &backup)] {
        match stored {
            Stored::Others(_) => return Err(refused(name, stored, TAKEN)),
            Stored::Invalid(Invalid::Version(_)) => return Err(refused(name, stored, KEPT)),
            _ => {}
        }
    }
    Ok((main, backup))
}

/// The error of a save that must not replace a file, with what to do.
fn refused(name: &str, stored: &Stored, hint: &str) -> anyhow::Error {
    let fault = stored.fault().unwrap_or_default();
    failure(format!("could not save: `{name}` {fault}"), hint)
}

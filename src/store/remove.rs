//! Deleting checkpoints, and what interrupted saves left behind.

use std::collections::BTreeSet;
use std::io;
use std::rc::Rc;

use anyhow::Context as _;
use cap_std::fs::Dir;
use jiff::Timestamp;

use super::draft::{self, Unwritten};
use super::file;
use super::history::History;
use super::lock::Lock;
use super::selector::Selector;
use super::stored::Stored;
use super::{Files, Loaded, Store};
use crate::checkpoint::format::{Checkpoint, Invalid};

/// A checkpoint's files as they were found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    main: Content,
    backup: Content,
    history: Past,
    /// When the later of them was written; None where the system does not say.
    pub(crate) modified: Option<Timestamp>,
}

#[derive(Debug, PartialEq, Eq)]
enum Content {
    Missing,
    File(file::Content),
    /// Not readable, or not a regular file, and why: what follows its name in a sentence.
    Refused(String),
}

/// How many saves a history holds, and their bytes; or why it cannot be looked into.
#[derive(Debug, PartialEq, Eq)]
enum Past {
    Saves(usize, u64),
    Refused(String),
}

/// Files that interrupted saves, and edits that are over, left behind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Leftovers {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
}

/// How much stayed because it could not be deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Undeleted {
    pub(crate) checkpoints: usize,
    pub(crate) drafts: usize,
    pub(crate) temporary_files: usize,
}

/// What was deleted, and what stayed although it was to go.
#[derive(Debug, Default)]
pub(crate) struct Removed {
    pub(crate) selectors: BTreeSet<Selector>,
    /// The texts of edits, by name.
    pub(crate) drafts: BTreeSet<String>,
    pub(crate) leftovers: Leftovers,
    pub(crate) undeleted: Undeleted,
    /// Why each that stayed did.
    pub(crate) warnings: Vec<String>,
}

impl Content {
    fn read(dir: &Dir, name: &str) -> Self {
        match file::read_content(dir, name) {
            Ok(None) => Self::Missing,
            Ok(Some(content)) => Self::File(content),
            Err(refusal) => Self::Refused(refusal.predicate()),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::File(content) => content.bytes.len() as u64,
            Self::Missing | Self::Refused(_) => 0,
        }
    }

    fn judge(&self, selector: &Selector) -> Stored {
        match self {
            Self::Missing => Stored::Missing,
            Self::File(content) => Stored::judge(content.clone(), selector),
            Self::Refused(why) => Stored::Refused(why.clone()),
        }
    }

    /// Whether it is no checkpoint of any version. One that cannot be read may well be one.
    fn is_broken(&self) -> bool {
        match self {
            Self::Missing => true,
            Self::File(content) => matches!(
                Checkpoint::parse(&content.bytes),
                Err(Invalid::NotJson(_) | Invalid::Shape(_))
            ),
            Self::Refused(_) => false,
        }
    }
}

impl Past {
    fn read(sessions: &Dir, selector: &Selector) -> Self {
        let found = History::open(sessions, selector)
            .and_then(|history| history.as_ref().map(History::find).transpose());
        match found {
            Ok(found) => {
                let saves = found.unwrap_or_default().saves;
                Self::Saves(saves.len(), saves.iter().map(|save| save.bytes).sum())
            }
            Err(error) => Self::Refused(format!("{error:#}")),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Saves(_, bytes) => *bytes,
            Self::Refused(_) => 0,
        }
    }
}

impl Snapshot {
    fn read(place: &Files, history: Past) -> Self {
        let [main, backup] =
            [&place.main, &place.backup].map(|name| Content::read(&place.dir, name));
        let files = [(&main, &place.main), (&backup, &place.backup)];
        let modified = files.map(|(content, name)| match content {
            Content::Missing => None,
            Content::File(content) => content.modified,
            Content::Refused(_) => file::modified(&place.dir.symlink_metadata(name).ok()?),
        });
        Self {
            modified: modified.into_iter().flatten().max(),
            main,
            backup,
            history,
        }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.main.bytes() + self.backup.bytes() + self.history.bytes()
    }

    fn is_gone(&self) -> bool {
        matches!(
            (&self.main, &self.backup),
            (Content::Missing, Content::Missing)
        )
    }

    /// Whether neither file is a checkpoint of any version, and there is no earlier save that could be restored.
    pub(crate) fn is_broken(&self) -> bool {
        self.main.is_broken() && self.backup.is_broken() && self.history == Past::Saves(0, 0)
    }

    /// Why it must not be deleted: which file is not ours to judge, and why.
    fn refused(&self, place: &Files) -> Option<String> {
        [(&place.main, &self.main), (&place.backup, &self.backup)]
            .into_iter()
            .find_map(|(name, content)| match content {
                Content::Refused(why) => Some(format!("`{name}` {why}")),
                Content::Missing | Content::File(_) => None,
            })
            .or_else(|| match &self.history {
                Past::Refused(why) => Some(why.clone()),
                Past::Saves(..) => None,
            })
    }
}

/// What all checkpoints of a store share, opened once for tens of thousands of files.
pub(crate) struct Look<'a> {
    store: &'a Store,
    sessions: Option<Rc<Dir>>,
    /// Whether any of them may have a history.
    has_history: bool,
}

impl<'a> Look<'a> {
    fn new(store: &'a Store, sessions: Option<Rc<Dir>>) -> Self {
        let has_history = sessions.as_deref().is_some_and(History::is_there);
        Self {
            store,
            sessions,
            has_history,
        }
    }

    /// None where there is no such checkpoint.
    pub(crate) fn snapshot(&self, selector: &Selector) -> anyhow::Result<Option<Snapshot>> {
        let place = match &self.sessions {
            Some(sessions) => Some(self.store.files_in(selector, Rc::clone(sessions))?),
            None => self.store.place(selector)?,
        };
        Ok(place.map(|place| Snapshot::read(&place, self.past(selector))))
    }

    fn past(&self, selector: &Selector) -> Past {
        let sessions = self.sessions.as_deref().filter(|_| self.has_history);
        sessions.map_or(Past::Saves(0, 0), |sessions| Past::read(sessions, selector))
    }

    fn remove(
        &self,
        sessions: &Rc<Dir>,
        selector: &Selector,
        seen: &Snapshot,
        removed: &mut Removed,
    ) -> anyhow::Result<()> {
        let place = self.store.files_in(selector, Rc::clone(sessions))?;
        let snapshot = Snapshot::read(&place, self.past(selector));
        if snapshot != *seen {
            removed.warnings.push(match snapshot.is_gone() {
                true => format!("checkpoint `{selector}` was deleted meanwhile"),
                false => format!("checkpoint `{selector}` was saved again meanwhile and was kept"),
            });
            return Ok(());
        }
        let deleted = match snapshot.refused(&place) {
            Some(why) => Err(format!("checkpoint `{selector}` was kept: {why}")),
            None => self
                .remove_history(sessions, selector)
                .and_then(|()| place.remove(&snapshot).map_err(|error| error.to_string()))
                .map_err(|why| format!("could not delete checkpoint `{selector}`: {why}")),
        };
        match deleted {
            Ok(()) => {
                removed.selectors.insert(selector.clone());
            }
            Err(why) => {
                removed.undeleted.checkpoints += 1;
                removed.warnings.push(why);
            }
        }
        Ok(())
    }

    fn remove_history(&self, sessions: &Dir, selector: &Selector) -> Result<(), String> {
        match self.has_history {
            true => History::remove(sessions, selector),
            false => Ok(()),
        }
    }
}

impl Store {
    /// A look at the checkpoints that are there.
    pub(crate) fn look(&self) -> anyhow::Result<Look<'_>> {
        Ok(Look::new(self, self.sessions()?.map(Rc::new)))
    }

    /// The checkpoint of files that have been read; as [`Store::load`].
    pub(crate) fn load_snapshot(
        &self,
        selector: &Selector,
        snapshot: &Snapshot,
    ) -> anyhow::Result<Option<Loaded>> {
        let main = snapshot.main.judge(selector);
        self.usable(selector, main, || snapshot.backup.judge(selector))
    }

    /// Deletes those checkpoints that still stand as they were seen, both files of each, the same of texts of edits, and
    /// the leftovers; all under the project's lock, so that no save is in between.
    pub(crate) fn remove(
        &self,
        doomed: &[(&Selector, &Snapshot)],
        drafts: &[&Unwritten],
        now: Timestamp,
    ) -> anyhow::Result<Removed> {
        let sessions = self.create_sessions()?;
        let lock = Lock::acquire(&sessions).context("could not delete anything")?;
        let mut removed = Removed {
            warnings: Vec::from_iter(lock.warning()),
            ..Removed::default()
        };
        let sessions = Rc::new(sessions);
        let look = Look::new(self, Some(Rc::clone(&sessions)));
        for (selector, seen) in doomed {
            look.remove(&sessions, selector, seen, &mut removed)?;
        }
        for draft in drafts {
            removed.take_draft(draft, draft.remove(&sessions, now));
        }
        for dir in [&self.dir, &*sessions] {
            removed.take_leftovers(dir, now)?;
            file::sync_directory(dir).context("could not sync the directory")?;
        }
        Ok(removed)
    }

    /// What [`Store::remove`] would find of leftovers.
    pub(crate) fn leftovers(&self, now: Timestamp) -> anyhow::Result<Leftovers> {
        let mut leftovers = Leftovers::default();
        let root = stale(&self.dir, now)?;
        let sessions = match self.sessions()? {
            Some(sessions) => stale(&sessions, now)?,
            None => Vec::new(),
        };
        for (_, bytes) in root.into_iter().chain(sessions) {
            leftovers.files += 1;
            leftovers.bytes += bytes;
        }
        Ok(leftovers)
    }
}

impl Removed {
    fn take_draft(&mut self, draft: &Unwritten, deleted: io::Result<bool>) {
        let name = &draft.name;
        match deleted {
            Ok(true) => {
                self.drafts.insert(name.clone());
            }
            Ok(false) => self
                .warnings
                .push(format!("`{name}` was edited meanwhile and was kept")),
            Err(error) => {
                self.undeleted.drafts += 1;
                self.warnings
                    .push(format!("could not delete `{name}`: {error}"));
            }
        }
    }

    fn take_leftovers(&mut self, dir: &Dir, now: Timestamp) -> anyhow::Result<()> {
        for (name, bytes) in stale(dir, now)? {
            match dir.remove_file(&name) {
                Ok(()) => {
                    self.leftovers.files += 1;
                    self.leftovers.bytes += bytes;
                }
                // Its save came to its end after all.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    self.undeleted.temporary_files += 1;
                    self.warnings
                        .push(format!("could not delete `{name}`: {error}"));
                }
            }
        }
        Ok(())
    }
}

impl Files {
    /// The main file goes last: a deletion that is interrupted leaves the newer of the two.
    fn remove(&self, snapshot: &Snapshot) -> io::Result<()> {
        let files = [
            (&self.backup, &snapshot.backup),
            (&self.main, &snapshot.main),
        ];
        let there = files
            .into_iter()
            .filter(|(_, content)| **content != Content::Missing);
        for (name, _) in there {
            match self.dir.remove_file(name) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// The stale temporary files of a directory, with their sizes in bytes.
fn stale(dir: &Dir, now: Timestamp) -> anyhow::Result<Vec<(String, u64)>> {
    let mut stale = Vec::new();
    for entry in dir
        .entries()
        .context("could not list the temporary files")?
    {
        let Ok(entry) = entry else { continue };
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if !file::is_temporary(&name) && !draft::is_left_behind(dir, &name) {
            continue;
        }
        // The entry itself, not what a link of that name leads to.
        let Ok(metadata) = dir.symlink_metadata(&name) else {
            continue;
        };
        let age = file::modified(&metadata).map(|modified| now.duration_since(modified));
        if metadata.is_file() && age.is_some_and(|age| age > file::STALE) {
            stale.push((name, metadata.len()));
        }
    }
    Ok(stale)
}

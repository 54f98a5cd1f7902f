//! Which paths differ, out of what git says.
//!
//! What is uncommitted is what `git status` lists. What differs from an older commit is that, united with where HEAD
//! differs from the commit; only for a path in both is the content compared.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Changes, Statuses};
use super::layout::is_linked_worktree;
use super::porcelain::{EXECUTABLE, Entry, FILE, Kind, LINK, Moved, Record, SUBMODULE};
use super::{Repository, Result};
use crate::checkpoint::format::FileStatus;
use crate::files::hash::blob_id;
use crate::files::{is_executable, names};

/// What a path has in HEAD and in the index, and whether the working tree has what the index has.
#[derive(Debug, Default, Clone)]
struct State {
    head: Option<Entry>,
    index: Option<Entry>,
    /// Whether git says that the working tree has what the index has.
    is_as_indexed: bool,
    is_unmerged: bool,
    /// Whether the index knows it, even if only as intended to be added.
    is_tracked: bool,
    /// Whether it is there, untracked and not ignored.
    is_untracked: bool,
    /// Its mode in the working tree, as far as git says; 0 where nothing is there.
    mode: u32,
}

impl State {
    /// The state of a path that `git status` does not list.
    fn clean(entry: Entry) -> Self {
        Self {
            head: Some(entry.clone()),
            mode: entry.mode,
            index: Some(entry),
            is_as_indexed: true,
            is_unmerged: false,
            is_tracked: true,
            is_untracked: false,
        }
    }
}

impl Repository {
    /// Everything under the project root that is uncommitted or untracked and not ignored. Both paths of a rename are
    /// listed, the older one as deleted.
    pub(crate) fn changes(&self) -> Result<Changes> {
        let records = self.records()?;
        let same = self.unchanged_by_filters(records)?;
        let mut statuses = Statuses::with_capacity(records.len());
        for record in records {
            if !same.contains(&record.path) && !self.is_linked_worktree(record) {
                statuses.extend(self.inside(&record.path).map(|it| (it, record.status())));
            }
            if let Some(from) = record.from.as_ref().filter(|_| record.is_renamed()) {
                statuses.extend(self.inside(from).map(|it| (it, FileStatus::Deleted)));
            }
        }
        Ok(Changes::new(statuses, self.unread.clone()))
    }

    /// Exactly the paths under the project root where the working tree differs from the commit that it was started
    /// with: files that are tracked as git would store them, and untracked ones that are not ignored. Without one,
    /// everything that is there.
    pub(super) fn differences(&self, moved: Vec<Moved>) -> Result<Changes> {
        let records = self.records()?;
        let same = self.unchanged_by_filters(records)?;
        let moved: BTreeMap<Vec<u8>, Moved> =
            moved.into_iter().map(|it| (it.path.clone(), it)).collect();
        let mut states = states(records, &same);
        self.forget_what_head_has_not(&mut states)?;
        let mut found = Differences {
            repository: self,
            statuses: Statuses::new(),
            uncertain: BTreeMap::new(),
        };
        let base = |path: &[u8]| match moved.get(path) {
            Some(moved) => moved.old.clone(),
            None => states.get(path).and_then(|state| state.head.clone()),
        };
        for (path, state) in &states {
            found.add(path, base(path), Some(state));
        }
        for (path, moved) in &moved {
            if !states.contains_key(path.as_slice()) {
                let clean = moved.new.clone().map(State::clean);
                found.add(path, moved.old.clone(), clean.as_ref());
            }
        }
        let untracked = records.iter().filter(|it| it.kind == Kind::Untracked);
        for record in untracked {
            let path = record.path.as_slice();
            let is_known = states.contains_key(path) || moved.contains_key(path);
            if !is_known && !self.is_linked_worktree(record) {
                found.push(path, FileStatus::Untracked);
            }
        }
        found.finish()
    }

    /// Asks whether HEAD has what `git status` may only say that it has. A merge that follows a rename, or finds a file
    /// where the other side has a folder, gives a file a name that it has in no commit. And what was to be added
    /// (git-add(1), `--intent-to-add`) and is gone is told as an empty file that was deleted.
    fn forget_what_head_has_not(&self, states: &mut BTreeMap<&[u8], State>) -> Result<()> {
        let is_empty = |entry: &Entry| blob_id(&entry.id, b"") == entry.id;
        let is_doubtful = |state: &State| {
            state.is_unmerged || state.mode == 0 && state.head.as_ref().is_some_and(is_empty)
        };
        let doubtful = states.iter_mut().filter(|(_, state)| is_doubtful(state));
        let doubtful = doubtful.filter(|(path, _)| !path.contains(&b'\n'));
        let (paths, doubtful): (Vec<&[u8]>, Vec<&mut State>) = doubtful.unzip();
        let names: Vec<_> = paths.iter().map(|it| [b"HEAD:", *it].concat()).collect();
        for (state, object) in doubtful.into_iter().zip(self.objects(&names)?) {
            if object.is_none() {
                state.head = None;
            }
        }
        Ok(())
    }

    /// A path of the repository relative to the project root; None outside of it, and where it is the root itself.
    pub(super) fn inside(&self, path: &[u8]) -> Option<Vec<u8>> {
        let inside = path.strip_prefix(self.prefix.as_slice())?;
        (!inside.is_empty()).then(|| inside.to_vec())
    }

    /// The mode that git gives to the file or link at a path; 0 where there is none, or only beyond a link, where git sees
    /// nothing.
    pub(super) fn mode(&self, path: &[u8]) -> u32 {
        let Some(path) = names::from_git(path) else {
            return 0;
        };
        match self.worktree.metadata(path) {
            Some(_) if self.worktree.is_beyond_link(path) => 0,
            Some(it) if it.is_symlink() => LINK,
            Some(it) if it.is_file() && is_executable(&it) => EXECUTABLE,
            Some(it) if it.is_file() => FILE,
            _ => 0,
        }
    }

    fn is_linked_worktree(&self, record: &Record) -> bool {
        record.is_folder
            && names::from_git(&record.path)
                .is_some_and(|it| is_linked_worktree(&self.top.join(it)))
    }
}

/// The states of tracked paths; `same` are those that a filter would turn into what the index has.
fn states<'a>(records: &'a [Record], same: &BTreeSet<Vec<u8>>) -> BTreeMap<&'a [u8], State> {
    let mut states: BTreeMap<&[u8], State> = BTreeMap::new();
    for record in records
        .iter()
        .filter(|record| record.kind != Kind::Untracked)
    {
        let state = State {
            head: record.head.clone().filter(|_| record.from.is_none()),
            index: record.index.clone(),
            is_as_indexed: record.code.1 == b'.' || same.contains(&record.path),
            is_unmerged: record.kind == Kind::Unmerged,
            is_tracked: record.code.0 != b'D',
            is_untracked: false,
            mode: record.mode,
        };
        let before = states.insert(&record.path, state);
        if let (Some(before), Some(state)) = (before, states.get_mut(record.path.as_slice())) {
            state.head = state.head.take().or(before.head);
        }
        if let Some(from) = record.from.as_deref().filter(|_| record.is_renamed()) {
            let state = states.entry(from).or_default();
            state.head = record.head.clone();
        }
    }
    let untracked = records.iter().filter(|it| it.kind == Kind::Untracked);
    for record in untracked {
        if let Some(state) = states.get_mut(record.path.as_slice()) {
            state.is_untracked = true;
        }
    }
    states
}

/// Where the working tree differs from an older commit, as it is gathered.
struct Differences<'a> {
    repository: &'a Repository,
    statuses: Statuses,
    /// Files that differ unless they have the content of a blob or are at a commit, with the status that they have then.
    uncertain: BTreeMap<Vec<u8>, (Entry, FileStatus)>,
}

impl Differences<'_> {
    fn push(&mut self, path: &[u8], status: FileStatus) {
        let inside = self.repository.inside(path);
        self.statuses.extend(inside.map(|path| (path, status)));
    }

    /// Adds a path, given what the older commit has there.
    fn add(&mut self, path: &[u8], base: Option<Entry>, state: Option<&State>) {
        let index = state.and_then(|state| state.index.as_ref());
        let is_unmerged = state.is_some_and(|state| state.is_unmerged);
        // What the index no longer has may still be there, untracked or ignored.
        let mode = match state {
            Some(state) if state.is_tracked => state.mode,
            _ if base.as_ref().is_some_and(Entry::is_submodule)
                && self.repository.is_repository(path) =>
            {
                SUBMODULE
            }
            _ => self.repository.mode(path),
        };
        let is_indexed = state.is_some_and(|state| state.is_as_indexed && state.index.is_some());
        let changed = match is_unmerged {
            true => FileStatus::Unmerged,
            false => FileStatus::Modified,
        };
        match (base, index) {
            (None, _) if is_unmerged && mode != 0 => self.push(path, changed),
            (None, Some(_)) if mode != 0 || is_indexed => self.push(path, FileStatus::Added),
            (None, None) if mode != 0 && state.is_some_and(|state| state.is_tracked) => {
                self.push(path, FileStatus::Added);
            }
            (None, None) if state.is_some_and(|state| state.is_untracked) => {
                self.push(path, FileStatus::Untracked);
            }
            (None, _) => {}
            (Some(base), Some(index)) if is_indexed && *index == base => {}
            (Some(_), Some(_)) if is_indexed => self.push(path, changed),
            (Some(_), _) if mode == 0 => self.push(path, FileStatus::Deleted),
            // git found that the working tree differs from what both have.
            (Some(base), Some(index)) if *index == base => self.push(path, changed),
            (Some(base), _) if base.mode != mode => self.push(path, changed),
            (Some(base), _) => {
                self.uncertain.insert(path.to_vec(), (base, changed));
            }
        }
    }

    fn finish(mut self) -> Result<Changes> {
        let mut unread = self.repository.unread.clone();
        let mut blobs = BTreeMap::new();
        let mut different = BTreeSet::new();
        for (path, (base, _)) in &self.uncertain {
            if !base.is_submodule() {
                blobs.insert(path.clone(), base.id.clone());
                continue;
            }
            match self.repository.differs_inside(path, &base.id, true) {
                Ok(true) => drop(different.insert(path.clone())),
                Ok(false) => {}
                Err(mut missing) => unread.append(&mut missing),
            }
        }
        different.append(&mut self.repository.differing(blobs)?);
        for path in different {
            if let Some((_, status)) = self.uncertain.remove(&path) {
                self.push(&path, status);
            }
        }
        Ok(Changes::new(self.statuses, unread))
    }
}

//! Which paths differ, from libgit2's comparisons of tree, index and working tree.
//!
//! What libgit2 reports and git does not (absent files of a sparse checkout, files behind a filter) is
//! corrected here, and submodules are left to [`super::submodule`].

use std::collections::{BTreeMap, BTreeSet};

use git2::{Delta, DiffDelta, FileMode, Index, IndexEntry, Oid, Tree};

use super::differences::{Blob, SKIP_WORKTREE};
use super::libgit2::Reader;
use super::status::{Found, Staged, Statuses, combined};
use super::worktree::Kind;
use super::{content, submodule, text};
use crate::checkpoint::format::FileStatus;

const STAGE: u16 = 0x3000;

impl Reader {
    /// Everything under the project root that is uncommitted or untracked.
    pub(super) fn changes(&self) -> anyhow::Result<Statuses> {
        let head = self.head_tree()?;
        let candidates = self.candidates(head.as_ref(), true)?;
        let staged = self.staged(head.as_ref(), &candidates, true)?;
        let found = self.found(&candidates)?;
        let mut statuses: Vec<(Vec<u8>, FileStatus)> = Vec::with_capacity(found.len());
        for (path, (staged, _)) in &staged {
            if !found.contains_key(path) {
                statuses.push((self.relative(path), combined(Some(*staged), None)));
            }
        }
        for (path, (found, _)) in &found {
            let staged = staged.get(path).map(|(staged, _)| *staged);
            statuses.push((self.relative(path), combined(staged, Some(*found))));
        }
        Ok(statuses.into_iter().collect())
    }

    /// Where the working tree under the project root differs from `base`; an empty tree where it is None.
    pub(super) fn changes_since(&self, base: Option<Oid>) -> anyhow::Result<Statuses> {
        let base = match base {
            Some(id) => Some(self.repository.find_commit(id)?.tree()?),
            None => None,
        };
        let candidates = self.candidates(base.as_ref(), true)?;
        let staged = self.staged(base.as_ref(), &candidates, false)?;
        let found = self.found(&candidates)?;
        let mut statuses = Statuses::new();
        let mut uncertain = BTreeMap::new();
        // For thousands of new files one map is enough.
        let only_staged = staged.keys().filter(|path| !found.contains_key(*path));
        for path in found.keys().chain(only_staged) {
            let (indexed, old) = match (staged.get(path), found.get(path)) {
                (Some((staged, old)), _) => (*staged != Staged::Deleted, *old),
                (None, Some((found, old))) => (*found != Found::Untracked, *old),
                (None, None) => continue,
            };
            let found = found.get(path).map(|(found, _)| *found);
            let present = match found {
                Some(Found::Deleted) => false,
                Some(Found::Untracked) if old.is_none() => true,
                None if indexed => true,
                _ => self.is_present(path, old),
            };
            match old {
                Some(_) if !present => {
                    statuses.insert(path.clone(), FileStatus::Deleted);
                }
                Some(_) if indexed && found.is_none() => {
                    statuses.insert(path.clone(), FileStatus::Modified);
                }
                Some(blob) => {
                    uncertain.insert(path.clone(), blob);
                }
                None if !present => {}
                None if indexed => {
                    statuses.insert(path.clone(), FileStatus::Added);
                }
                None => {
                    statuses.insert(path.clone(), FileStatus::Untracked);
                }
            }
        }
        if let Some(base) = &base {
            statuses.extend(self.compare(base, &candidates.index, uncertain)?);
        }
        Ok(statuses
            .into_iter()
            .map(|(path, status)| (self.relative(&path), status))
            .collect())
    }

    /// Whether anything differs from HEAD.
    pub(super) fn is_dirty(&self, untracked: bool) -> anyhow::Result<bool> {
        let head = self.head_tree()?;
        let candidates = self.candidates(head.as_ref(), untracked)?;
        let found = self.found(&candidates)?;
        let clean = |found: &Found| !untracked && *found == Found::Untracked;
        Ok(!found.values().all(|(found, _)| clean(found))
            || !self.staged(head.as_ref(), &candidates, false)?.is_empty())
    }

    fn head_tree(&self) -> Result<Option<Tree<'_>>, git2::Error> {
        let id = self.head_id()?;
        id.map(|id| self.repository.find_commit(id)?.tree())
            .transpose()
    }

    /// The index as it is on disk now, in memory alone.
    pub(super) fn index(&self) -> anyhow::Result<Index> {
        let mut index = self.repository.index()?;
        index.read(false)?;
        if self.expects_no_skipped() {
            let present: Vec<IndexEntry> = index
                .iter()
                .filter(|entry| entry.flags_extended & SKIP_WORKTREE != 0)
                .filter(|entry| self.kind(&entry.path).is_some())
                .collect();
            for mut entry in present {
                entry.flags_extended &= !SKIP_WORKTREE;
                index.add(&entry)?;
            }
        }
        Ok(index)
    }

    /// Whether git takes files that a sparse checkout leaves out for tracked ones once they are there
    /// (git-sparse-checkout(1), `sparse.expectFilesOutsideOfPatterns`).
    pub(super) fn expects_no_skipped(&self) -> bool {
        self.setting("core.sparseCheckout", false)
            && !self.setting("sparse.expectFilesOutsideOfPatterns", false)
    }

    pub(super) fn setting(&self, name: &str, default: bool) -> bool {
        let config = self.repository.config();
        config.map_or(default, |config| config.get_bool(name).unwrap_or(default))
    }

    /// Which of the paths do not have, in the working tree, what `base` has there.
    fn compare(
        &self,
        base: &Tree<'_>,
        index: &Index,
        paths: BTreeMap<Vec<u8>, Blob>,
    ) -> anyhow::Result<Statuses> {
        let mut statuses = Statuses::new();
        let mut options = self.options();
        let mut files = BTreeSet::new();
        for (path, blob) in paths {
            if blob.mode == FileMode::Commit {
                if submodule::differs(self, &path, blob.id) {
                    statuses.insert(path, FileStatus::Modified);
                }
            } else if matches!(self.kind(&path), Some(Kind::File | Kind::Link)) {
                options.pathspec(path.as_slice());
                files.insert(path);
            } else {
                statuses.insert(path, FileStatus::Modified);
            }
        }
        if files.is_empty() {
            return Ok(statuses);
        }
        let diff = self
            .repository
            .diff_tree_to_workdir(Some(base), Some(&mut options))?;
        for delta in diff.deltas() {
            let Some(path) = path(&delta) else { continue };
            let status = match delta.status() {
                Delta::Deleted => FileStatus::Deleted,
                Delta::Modified | Delta::Typechange if !self.is_same(&delta, index, &path) => {
                    FileStatus::Modified
                }
                _ => continue,
            };
            if files.contains(&path) {
                statuses.insert(path, status);
            }
        }
        Ok(statuses)
    }

    /// Whether a file has the content of the older side all the same, by conversions that libgit2 lacks.
    pub(super) fn is_same(&self, delta: &DiffDelta<'_>, index: &Index, path: &[u8]) -> bool {
        delta.old_file().mode() == delta.new_file().mode()
            && content::is_same(self, index, path, delta.old_file().id())
    }

    /// Whether there is anything at a path that can be compared with `old`.
    fn is_present(&self, path: &[u8], old: Option<Blob>) -> bool {
        let link = old.is_none_or(|blob| blob.mode == FileMode::Commit);
        match self.kind(path) {
            Some(Kind::Directory) => link,
            kind => kind.is_some(),
        }
    }

    pub(super) fn kind(&self, path: &[u8]) -> Option<Kind> {
        self.worktree.kind(&text::from_git(path)?)
    }

    fn relative(&self, path: &[u8]) -> Vec<u8> {
        path.strip_prefix(self.prefix.as_slice())
            .unwrap_or(path)
            .to_vec()
    }
}

pub(super) fn path(delta: &DiffDelta<'_>) -> Option<Vec<u8>> {
    let path = delta
        .new_file()
        .path_bytes()
        .or(delta.old_file().path_bytes())?;
    Some(path.strip_suffix(b"/").unwrap_or(path).to_vec())
}

pub(super) fn old(delta: &DiffDelta<'_>) -> Option<Blob> {
    let file = delta.old_file();
    (file.mode() != FileMode::Unreadable).then(|| Blob {
        id: file.id(),
        mode: file.mode(),
    })
}

/// Index entries that are no conflict and are submodules.
pub(super) fn gitlinks(index: &Index) -> impl Iterator<Item = IndexEntry> {
    index
        .iter()
        .filter(|entry| entry.mode == u32::from(FileMode::Commit) && entry.flags & STAGE == 0)
}

//! Which paths differ, from libgit2's comparisons of tree, index and working tree.
//!
//! What libgit2 reports and git does not (absent files of a sparse checkout, files behind a filter) is
//! corrected here, and submodules are left to [`super::submodule`].

use std::collections::{BTreeMap, BTreeSet};

use git2::{Delta, DiffDelta, DiffOptions, FileMode, Index, IndexEntry, Oid, Tree};

use super::candidates::Candidates;
use super::libgit2::Reader;
use super::status::{Found, Staged, Statuses, combined};
use super::worktree::Kind;
use super::{content, submodule, text};
use crate::checkpoint::format::FileStatus;

/// Pairs of added and deleted files that are compared to find renames, as a square.
const RENAME_LIMIT: usize = 200;
/// "Assume unchanged" among an index entry's flags (gitformat-index(5)).
const ASSUME_VALID: u16 = 0x8000;
/// "Skip worktree" among its extended flags.
const SKIP_WORKTREE: u16 = 0x4000;
const STAGE: u16 = 0x3000;

/// What a comparison's older side has at a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blob {
    pub(super) id: Oid,
    pub(super) mode: FileMode,
}

type Differences<T> = BTreeMap<Vec<u8>, (T, Option<Blob>)>;

impl Reader {
    /// Everything under the project root that is uncommitted or untracked.
    pub(super) fn changes(&self) -> anyhow::Result<Statuses> {
        let head = self.head_tree()?;
        let candidates = self.candidates(head.as_ref(), true)?;
        let staged = self.staged(head.as_ref(), &candidates, true)?;
        let found = self.found(&candidates)?;
        let paths: BTreeSet<&Vec<u8>> = staged.keys().chain(found.keys()).collect();
        let status = |path: &Vec<u8>| {
            let staged = staged.get(path).map(|(staged, _)| *staged);
            let found = found.get(path).map(|(found, _)| *found);
            (self.relative(path), combined(staged, found))
        };
        Ok(paths.into_iter().map(status).collect())
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
        let paths: BTreeSet<&Vec<u8>> = staged.keys().chain(found.keys()).collect();
        for path in paths {
            let (indexed, old) = match (staged.get(path), found.get(path)) {
                (Some((staged, old)), _) => (*staged != Staged::Deleted, *old),
                (None, Some((found, old))) => (*found != Found::Untracked, *old),
                (None, None) => continue,
            };
            let found = found.get(path).map(|(found, _)| *found);
            let present = match found {
                Some(Found::Deleted) => false,
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

    fn options(&self) -> DiffOptions {
        let mut options = DiffOptions::new();
        options
            .disable_pathspec_match(true)
            .include_typechange(true)
            .skip_binary_check(true)
            .ignore_submodules(true);
        options
    }

    /// For comparing these paths, or without them everything under the project root; None where there are
    /// none.
    fn options_for(&self, paths: Option<&[Vec<u8>]>) -> Option<DiffOptions> {
        let mut options = self.options();
        match paths {
            Some([]) => return None,
            Some(paths) => {
                for path in paths {
                    options.pathspec(path.as_slice());
                }
            }
            None => {
                if let Some(root) = self.prefix.strip_suffix(b"/") {
                    options.pathspec(root);
                }
            }
        }
        Some(options)
    }

    fn staged(
        &self,
        tree: Option<&Tree<'_>>,
        candidates: &Candidates,
        renames: bool,
    ) -> anyhow::Result<Differences<Staged>> {
        let Some(mut options) = self.options_for(candidates.staged.as_deref()) else {
            return Ok(Differences::new());
        };
        options.ignore_submodules(false);
        let index = Some(&candidates.index);
        let mut diff = self
            .repository
            .diff_tree_to_index(tree, index, Some(&mut options))?;
        let has = |status| diff.deltas().any(|delta| delta.status() == status);
        if renames && has(Delta::Added) && has(Delta::Deleted) {
            let mut find = git2::DiffFindOptions::new();
            find.renames(true).rename_limit(RENAME_LIMIT);
            // Without it, as where a blob was never fetched, a rename is an addition and a deletion.
            let _ = diff.find_similar(Some(&mut find));
        }
        let mut staged = Differences::new();
        for delta in diff.deltas() {
            let Some(path) = path(&delta) else { continue };
            let kind = match delta.status() {
                Delta::Added => Staged::Added,
                Delta::Deleted => Staged::Deleted,
                Delta::Conflicted => Staged::Conflicted,
                Delta::Renamed => {
                    if let Some(from) = delta.old_file().path_bytes() {
                        staged.insert(from.to_vec(), (Staged::Deleted, old(&delta)));
                    }
                    staged.insert(path, (Staged::Renamed, None));
                    continue;
                }
                Delta::Modified | Delta::Typechange => Staged::Modified,
                _ => continue,
            };
            staged.insert(path, (kind, old(&delta)));
        }
        Ok(staged)
    }

    /// Where the working tree differs from the index.
    fn found(&self, candidates: &Candidates) -> anyhow::Result<Differences<Found>> {
        let Candidates { index, walked, .. } = candidates;
        let suspects = walked.as_ref().map(|walked| walked.suspects.as_slice());
        let mut found = Differences::new();
        if let Some(mut options) = self.options_for(suspects) {
            let untracked = walked.is_none();
            options
                .include_untracked(untracked)
                .recurse_untracked_dirs(untracked)
                .include_unreadable(true);
            let diff = self
                .repository
                .diff_index_to_workdir(Some(index), Some(&mut options))?;
            let deltas = diff.deltas();
            for (path, (kind, old)) in deltas.filter_map(|delta| self.found_at(&delta, index)) {
                add(&mut found, path, kind, old);
            }
        }
        for path in walked.iter().flat_map(|walked| &walked.untracked) {
            add(&mut found, path.clone(), Found::Untracked, None);
        }
        for (path, (kind, blob)) in submodule::changes(self, index)? {
            found.insert(path, (kind, Some(blob)));
        }
        Ok(found)
    }

    /// What one difference of the working tree from the index means; None where git sees none.
    fn found_at(
        &self,
        delta: &DiffDelta<'_>,
        index: &Index,
    ) -> Option<(Vec<u8>, (Found, Option<Blob>))> {
        let path = path(delta)?;
        let old = old(delta);
        if old.is_some_and(|blob| blob.mode == FileMode::Commit) {
            return None;
        }
        let found = match delta.status() {
            Delta::Untracked | Delta::Unreadable if self.is_listed(&path) => Found::Untracked,
            Delta::Conflicted => Found::Conflicted,
            Delta::Deleted if self.is_skipped(index, &path) => return None,
            Delta::Deleted if self.kind(&path) == Some(Kind::Other) => Found::Modified,
            Delta::Deleted => Found::Deleted,
            Delta::Modified | Delta::Typechange if !self.is_same(delta, index, &path) => {
                Found::Modified
            }
            _ => return None,
        };
        Some((path, (found, old)))
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
    fn is_same(&self, delta: &DiffDelta<'_>, index: &Index, path: &[u8]) -> bool {
        delta.old_file().mode() == delta.new_file().mode()
            && content::is_same(self, index, path, delta.old_file().id())
    }

    /// Whether git never looks at a tracked file.
    fn is_skipped(&self, index: &Index, path: &[u8]) -> bool {
        let entry = text::from_git(path).and_then(|path| index.get_path(&path, 0));
        entry.is_some_and(|entry| {
            entry.flags & ASSUME_VALID != 0 || entry.flags_extended & SKIP_WORKTREE != 0
        })
    }

    /// Whether git lists what stands at an untracked path: files, links and whole repositories.
    fn is_listed(&self, path: &[u8]) -> bool {
        match self.kind(path) {
            Some(Kind::File | Kind::Link) => true,
            Some(Kind::Directory) => text::from_git(path)
                .is_some_and(|path| self.worktree.kind(&path.join(".git")).is_some()),
            Some(Kind::Other) | None => false,
        }
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

fn add(found: &mut Differences<Found>, path: Vec<u8>, kind: Found, old: Option<Blob>) {
    // A file that became a repository is both gone and a new, untracked thing.
    found
        .entry(path)
        .and_modify(|(known, _)| *known = Found::Modified)
        .or_insert((kind, old));
}

fn path(delta: &DiffDelta<'_>) -> Option<Vec<u8>> {
    let path = delta
        .new_file()
        .path_bytes()
        .or(delta.old_file().path_bytes())?;
    Some(path.strip_suffix(b"/").unwrap_or(path).to_vec())
}

fn old(delta: &DiffDelta<'_>) -> Option<Blob> {
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

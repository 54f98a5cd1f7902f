//! How libgit2 compares tree, index and working tree, and what of that git sees as well.

use std::collections::{BTreeMap, HashMap};
use std::mem;

use git2::{Delta, DiffDelta, DiffOptions, FileMode, Index, Oid, Tree};
use jiff::Timestamp;

use super::candidates::Candidates;
use super::libgit2::Reader;
use super::scan::{old, path};
use super::status::{Found, Staged, Status, Statuses};
use super::text;
use super::worktree::Kind;

/// Pairs of added and deleted files that are compared to find renames, as a square.
const RENAME_LIMIT: usize = 200;
/// "Assume unchanged" among an index entry's flags (gitformat-index(5)).
const ASSUME_VALID: u16 = 0x8000;
/// "Skip worktree" among its extended flags.
pub(super) const SKIP_WORKTREE: u16 = 0x4000;

/// What a comparison's older side has at a path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Blob {
    pub(super) id: Oid,
    pub(super) mode: FileMode,
}

pub(super) type Differences<T> = BTreeMap<Vec<u8>, (T, Option<Blob>)>;

/// Where the working tree differs from the index.
pub(super) struct Unstaged {
    pub(super) known: Differences<Found>,
    /// The untracked paths that are in no other comparison, which can be very many.
    pub(super) new: Statuses,
    /// When the others were last modified, as far as it was seen.
    pub(super) times: HashMap<Vec<u8>, Timestamp>,
}

impl Reader {
    pub(super) fn options(&self) -> DiffOptions {
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

    pub(super) fn staged(
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

    /// Where the working tree differs from the index in anything but submodules, given where the index differs from
    /// a tree.
    pub(super) fn found(
        &self,
        candidates: &mut Candidates,
        staged: &Differences<Staged>,
    ) -> anyhow::Result<Unstaged> {
        let Candidates { index, walked, .. } = candidates;
        let suspects = walked.as_ref().map(|walked| walked.suspects.as_slice());
        let mut known = Differences::new();
        if let Some(mut options) = self.options_for(suspects) {
            let untracked = walked.is_none();
            options
                .include_untracked(untracked)
                .recurse_untracked_dirs(untracked)
                .include_ignored(untracked)
                .include_unreadable(true);
            let diff = self
                .repository
                .diff_index_to_workdir(Some(index), Some(&mut options))?;
            let deltas = diff.deltas();
            for (path, kind, old) in deltas.filter_map(|delta| self.found_at(&delta, index)) {
                add(&mut known, path, kind, old);
            }
        }
        let mut new = Statuses::new();
        let mut times = HashMap::new();
        if let Some(walked) = walked {
            times = mem::take(&mut walked.times);
            for (path, blob) in walked.rewritten.drain(..) {
                add(&mut known, path, Found::Rewritten, Some(blob));
            }
            new = mem::take(&mut walked.untracked);
            let is_compared = |path: &[u8]| known.contains_key(path) || staged.contains_key(path);
            let compared: Statuses = new
                .extract_if(.., |status| is_compared(&status.path))
                .collect();
            for Status { path, .. } in compared {
                add(&mut known, path, Found::Untracked, None);
            }
        }
        Ok(Unstaged { known, new, times })
    }

    /// What one difference of the working tree from the index means; None where git sees none.
    fn found_at(
        &self,
        delta: &DiffDelta<'_>,
        index: &Index,
    ) -> Option<(Vec<u8>, Found, Option<Blob>)> {
        let path = path(delta)?;
        let old = old(delta);
        if old.is_some_and(|blob| blob.mode == FileMode::Commit) {
            return None;
        }
        let found = match delta.status() {
            Delta::Untracked | Delta::Unreadable if self.is_listed(&path) => Found::Untracked,
            // libgit2 takes a repository without a commit for a folder with nothing in it.
            Delta::Ignored
                if delta.new_file().mode() == FileMode::Tree
                    && self.is_listed(&path)
                    && !self.ignores(&path) =>
            {
                Found::Untracked
            }
            Delta::Conflicted => Found::Conflicted,
            Delta::Deleted if self.is_skipped(index, &path) => return None,
            Delta::Deleted if self.kind(&path) == Some(Kind::Other) => Found::Modified,
            Delta::Deleted => Found::Deleted,
            Delta::Modified | Delta::Typechange if !self.is_same(delta, index, &path) => {
                Found::Modified
            }
            _ => return None,
        };
        Some((path, found, old))
    }

    /// Whether git never looks at a tracked file.
    pub(super) fn is_skipped(&self, index: &Index, path: &[u8]) -> bool {
        let entry = text::indexed(path).and_then(|path| index.get_path(&path, 0));
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
}

fn add(found: &mut Differences<Found>, path: Vec<u8>, kind: Found, old: Option<Blob>) {
    found
        .entry(path)
        .and_modify(|(known, _)| *known = Found::Replaced)
        .or_insert((kind, old));
}

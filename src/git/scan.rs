//! Which paths differ, from libgit2's comparisons of tree, index and working tree.
//!
//! What libgit2 reports and git does not (absent files of a sparse checkout, files behind a filter) is
//! corrected here, and what stands in submodules is left to [`super::submodule`].

use std::collections::{BTreeMap, BTreeSet, HashMap};

use git2::{Delta, DiffDelta, FileMode, Index, IndexEntry, Oid, Tree};
use jiff::Timestamp;

use super::differences::{Blob, Differences, SKIP_WORKTREE, Unstaged};
use super::libgit2::Reader;
use super::status::{Found, Staged, Status, Statuses, combined};
use super::submodule::{Link, Listing, Older};
use super::worktree::Kind;
use super::{Untracked, content, text};
use crate::checkpoint::format::FileStatus;

const STAGE: u16 = 0x3000;

impl Reader {
    /// Everything under the project root that is uncommitted or untracked.
    pub(super) fn changes(&self, untracked: Untracked) -> anyhow::Result<Listing> {
        let untracked = self.lists(untracked);
        let head = self.head_tree()?;
        let (index, mut staged, unstaged) = self.compared(head.as_ref(), untracked, true)?;
        let Unstaged {
            mut known,
            new,
            times,
        } = unstaged;
        known.retain(|_, (found, _)| untracked || *found != Found::Untracked);
        let unseen = self.unseen(&index)?;
        let links = self.gitlinks(&index).map(|(path, id)| {
            known.remove(&path);
            let staged = staged.remove(&path).map(|(staged, _)| staged);
            let link = Link::uncommitted(self.below(&path), id.to_string(), staged);
            link.unless_unseen(unseen.contains(&path))
        });
        let links = links.collect();
        let mut statuses = Statuses::with_capacity(staged.len() + known.len());
        for (path, (found, _)) in known {
            let staged = staged.remove(&path).map(|(staged, _)| staged);
            statuses.push(Status::new(path, combined(staged, Some(found))));
        }
        for (path, (staged, _)) in staged {
            statuses.push(Status::new(path, combined(Some(staged), None)));
        }
        let statuses = self.relative(dated(statuses, &times, new));
        Ok(Listing { statuses, links })
    }

    /// Where the working tree under the project root differs from `base`; an empty tree where it is None.
    pub(super) fn changes_since(&self, base: Option<Oid>) -> anyhow::Result<Listing> {
        let base = match base {
            Some(id) => Some(self.repository.find_commit(id)?.tree()?),
            None => None,
        };
        let (index, mut staged, unstaged) = self.compared(base.as_ref(), true, false)?;
        let Unstaged {
            mut known,
            new,
            times,
        } = unstaged;
        let links = self.links_since(&index, &mut staged, &mut known)?;
        let mut statuses = Statuses::with_capacity(staged.len() + known.len());
        let mut uncertain = BTreeMap::new();
        let only_staged = staged.keys().filter(|path| !known.contains_key(*path));
        for path in known.keys().chain(only_staged) {
            let (indexed, old) = match (staged.get(path), known.get(path)) {
                // What the index has is what the base has.
                (None, Some((Found::Rewritten, _))) => {
                    statuses.push(Status::new(path.clone(), FileStatus::Modified));
                    continue;
                }
                (Some((staged, old)), _) => (*staged != Staged::Deleted, *old),
                (None, Some((found, old))) => (*found != Found::Untracked, *old),
                (None, None) => continue,
            };
            let found = known.get(path).map(|(found, _)| *found);
            let present = match found {
                Some(Found::Deleted) => false,
                Some(Found::Untracked) if old.is_none() => true,
                None if indexed => true,
                _ => self.is_present(path, old),
            };
            let status = match old {
                Some(_) if !present => FileStatus::Deleted,
                Some(_) if indexed && found.is_none() => FileStatus::Modified,
                Some(blob) => {
                    uncertain.insert(path.clone(), blob);
                    continue;
                }
                None if !present => continue,
                None if indexed => FileStatus::Added,
                None => FileStatus::Untracked,
            };
            statuses.push(Status::new(path.clone(), status));
        }
        if let Some(base) = &base {
            let compared = self.compare(base, &index, uncertain)?.into_iter();
            statuses.extend(compared.map(|(path, status)| Status::new(path, status)));
        }
        let statuses = self.relative(dated(statuses, &times, new));
        Ok(Listing { statuses, links })
    }

    /// Where a tree, the index and the working tree differ, with as much of the index as that takes.
    fn compared(
        &self,
        tree: Option<&Tree<'_>>,
        untracked: bool,
        renames: bool,
    ) -> anyhow::Result<(Index, Differences<Staged>, Unstaged)> {
        let mut candidates = self.candidates(tree, untracked)?;
        let staged = self.staged(tree, &candidates, renames)?;
        let unstaged = self.found(&mut candidates, &staged)?;
        Ok((candidates.index, staged, unstaged))
    }

    /// The submodules of the index and of an older side, taken out of where those two and the working tree differ.
    fn links_since(
        &self,
        index: &Index,
        staged: &mut Differences<Staged>,
        known: &mut Differences<Found>,
    ) -> anyhow::Result<Vec<Link>> {
        let unseen = self.unseen(index)?;
        let mut links = Vec::new();
        for (path, id) in self.gitlinks(index) {
            known.remove(&path);
            let link = match staged.remove(&path) {
                None => Link::since(self.below(&path), Older::Submodule(id.to_string()), None),
                Some((staged, old)) => {
                    let older = match old {
                        None => Older::Nothing,
                        Some(old) if old.mode == FileMode::Commit => {
                            Older::Submodule(old.id.to_string())
                        }
                        Some(_) => Older::Other,
                    };
                    let status = combined(Some(staged), None);
                    Link::since(self.below(&path), older, Some(status))
                }
            };
            links.push(link.unless_unseen(unseen.contains(&path)));
        }
        staged.retain(|path, (change, old)| {
            let old = old.filter(|old| old.mode == FileMode::Commit);
            let is_out = *change == Staged::Deleted && path.starts_with(&self.prefix);
            let Some(old) = old.filter(|_| is_out) else {
                return true;
            };
            known.remove(path);
            let older = Older::Submodule(old.id.to_string());
            let status = Some(FileStatus::Deleted);
            links.push(Link::since(self.below(path), older, status));
            false
        });
        Ok(links)
    }

    pub(super) fn head_tree(&self) -> Result<Option<Tree<'_>>, git2::Error> {
        let id = self.head_id()?;
        id.map(|id| self.repository.find_commit(id)?.tree())
            .transpose()
    }

    /// The index as it is on disk now, in memory alone.
    pub(super) fn index(&self) -> anyhow::Result<Index> {
        let mut index = self.repository.index()?;
        index.read(false)?;
        if self.settings.expects_no_skipped {
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

    /// Which of the paths do not have, in the working tree, what `base` has there.
    fn compare(
        &self,
        base: &Tree<'_>,
        index: &Index,
        paths: BTreeMap<Vec<u8>, Blob>,
    ) -> anyhow::Result<BTreeMap<Vec<u8>, FileStatus>> {
        let mut statuses = BTreeMap::new();
        let mut options = self.options();
        let mut files = BTreeSet::new();
        for (path, blob) in paths {
            let is_submodule = blob.mode == FileMode::Commit;
            if !is_submodule && matches!(self.kind(&path), Some(Kind::File | Kind::Link)) {
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

    /// A path below the project root as seen from there.
    fn below(&self, path: &[u8]) -> Vec<u8> {
        path.get(self.prefix.len()..).unwrap_or_default().to_vec()
    }

    /// The submodules below the project root that the index has, each with its commit.
    fn gitlinks(&self, index: &Index) -> impl Iterator<Item = (Vec<u8>, Oid)> {
        index
            .iter()
            .filter(|entry| entry.mode == u32::from(FileMode::Commit) && entry.flags & STAGE == 0)
            .filter(|entry| entry.path.starts_with(&self.prefix))
            .map(|entry| (entry.path, entry.id))
    }

    /// The submodules at which git does not look in the working tree (git-update-index(1), `--assume-unchanged` and
    /// `--skip-worktree`).
    fn unseen(&self, index: &Index) -> anyhow::Result<BTreeSet<Vec<u8>>> {
        // What libgit2 is given to compare is never assumed to be unchanged.
        #[cfg(target_os = "linux")]
        if let Some(raw) = self.raw_index()? {
            let entries = raw.beside.iter().filter_map(|&at| raw.get(at));
            let unseen = entries.filter(|entry| {
                let is_left_out =
                    || !self.settings.expects_no_skipped || self.kind(entry.path).is_none();
                entry.is_gitlink() && (entry.is_assumed() || entry.is_skipped() && is_left_out())
            });
            return Ok(unseen.map(|entry| entry.path.to_vec()).collect());
        }
        let links = self.gitlinks(index).map(|(path, _)| path);
        Ok(links.filter(|path| self.is_skipped(index, path)).collect())
    }

    /// The paths as seen from the project root; one that is not below it, as where a folder was a file, is none.
    fn relative(&self, mut statuses: Statuses) -> Statuses {
        if self.prefix.is_empty() {
            return statuses;
        }
        statuses.retain_mut(|Status { path, .. }| {
            let is_inside = path.len() > self.prefix.len() && path.starts_with(&self.prefix);
            if is_inside {
                path.drain(..self.prefix.len());
            }
            is_inside
        });
        statuses
    }
}

/// The statuses with the times that were seen, and those of new files.
fn dated(
    mut statuses: Statuses,
    times: &HashMap<Vec<u8>, Timestamp>,
    mut new: Statuses,
) -> Statuses {
    for status in &mut statuses {
        status.modified = times.get(&status.path).copied();
    }
    // The new ones are the more where it matters, so that they stay in their place.
    new.append(&mut statuses);
    new
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

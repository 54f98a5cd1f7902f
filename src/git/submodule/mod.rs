//! Submodules as single entries: their commit, and whether anything in them is uncommitted.
//!
//! Each is read as a repository of its own, by libgit2 or by the git command, never from the repository around it:
//! what git must not run is switched off for each by itself.

mod ignore;
mod link;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::command::Surroundings;
use super::worktree::{Kind, Worktree};
use super::{Changes, Opened, Repository, TimedOut, Unread, Untracked, listed, opened_at, text};
use crate::checkpoint::path;
use crate::env::Deadline;
pub(super) use ignore::{Ignore, Ignored, MODULES, MODULES_READ};
pub(super) use link::{Link, Listing, Older, Stands};

/// How many repositories a submodule may be inside of: each is held open while those in it are read.
const DEEPEST: usize = 20;

/// The repository that a folder itself is, or why it cannot be read; `depth` is how many others it is inside of.
pub(super) fn open(
    folder: &Path,
    surroundings: &Surroundings,
    deadline: Deadline,
    depth: usize,
) -> Result<Repository, String> {
    if depth > DEEPEST {
        return Err(format!("it is inside of more than {DEEPEST} others"));
    }
    let repository = match opened_at(folder, surroundings.clone(), deadline, depth) {
        Opened::Repository(repository) => Some(repository),
        Opened::Absent => None,
        Opened::Unreadable(why) => return Err(why),
    };
    // git looks for a repository further up where there is none here.
    let own = repository.filter(Repository::is_at_its_top);
    own.ok_or_else(|| "its `.git` is no repository of its own".to_owned())
}

impl Repository {
    /// What was found, with the submodules as they stand now; `untracked` holds for the files in them as well.
    pub(super) fn looked_into(
        &self,
        listing: Listing,
        untracked: Untracked,
    ) -> anyhow::Result<Changes> {
        let Listing {
            mut statuses,
            links,
        } = listing;
        let mut unread = Vec::new();
        if !links.is_empty() {
            let worktree = Worktree::open(&self.root)?;
            let ignored = self.ignored_in_submodules(untracked);
            for link in links {
                let stands = self.stands(&worktree, &link, &ignored);
                let stands = stands.unwrap_or_else(|mut missing| {
                    unread.append(&mut missing);
                    Stands::Unknown
                });
                statuses.extend(link.status(stands));
            }
        }
        Ok(Changes {
            list: listed(statuses),
            unread,
        })
    }

    fn ignored_in_submodules(&self, untracked: Untracked) -> Result<Ignored, String> {
        let read = self.bounded(move |reader| reader.ignored_in_submodules(untracked));
        let ignored = self.or_ask(read, |asker| asker.ignored_in_submodules(untracked));
        ignored.map_err(|error| format!("{error:#}"))
    }

    /// How a submodule stands, or which repositories would have to be read to know.
    fn stands(
        &self,
        worktree: &Worktree,
        link: &Link,
        ignored: &Result<Ignored, String>,
    ) -> Result<Stands, Vec<Unread>> {
        let unread = |why: String| {
            let path = path::encode(&link.path);
            vec![Unread { path, why }]
        };
        let ignore = match ignored {
            Ok(ignored) => ignored.at(&link.path),
            Err(_) => Ignore::Nothing,
        };
        if ignore == Ignore::All {
            return Ok(Stands::Unknown);
        }
        let Some(name) = text::from_git(&link.path) else {
            return Err(unread("its name is no Unicode".to_owned()));
        };
        match worktree.kind(&name) {
            None => return Ok(Stands::Gone),
            Some(_) if worktree.is_beyond_link(&name) => return Ok(Stands::Gone),
            Some(Kind::Directory) => {}
            Some(_) => return Ok(Stands::Different),
        }
        let Some(id) = &link.id else {
            return Ok(Stands::Unknown);
        };
        let folder = self.root.join(&name);
        match fs::symlink_metadata(folder.join(".git")) {
            Ok(_) => {}
            // Not initialised: there is nothing that could differ.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Stands::Unknown),
            Err(error) => return Err(unread(error.to_string())),
        }
        ignored.as_ref().map_err(|why| unread(why.clone()))?;
        if self.deadline.has_passed() {
            return Err(unread(TimedOut.to_string()));
        }
        let nested = open(&folder, &self.surroundings, self.deadline, self.depth + 1);
        let changes = nested.and_then(|nested| {
            let changes = nested.changes_from(id, ignore);
            changes.map_err(|error| format!("{error:#}"))
        });
        let changes = changes.map_err(unread)?;
        match changes {
            None => Ok(Stands::Different),
            Some(changes) if !changes.list.is_empty() => Ok(Stands::Different),
            Some(changes) if changes.unread.is_empty() => Ok(Stands::Same),
            Some(changes) => {
                let inside = changes.unread.into_iter().map(|unread| {
                    let path = [&link.path, &b"/"[..], &path::decode(&unread.path)].concat();
                    let path = path::from_bytes(path);
                    Unread { path, ..unread }
                });
                Err(inside.collect())
            }
        }
    }

    /// What is uncommitted here and not ignored from outside; None where HEAD is not at the commit `id`.
    fn changes_from(&self, id: &str, ignore: Ignore) -> anyhow::Result<Option<Changes>> {
        // Before its first commit git compares nothing but the files.
        if self.head_commit()?.is_some_and(|commit| commit != id) {
            return Ok(None);
        }
        let changes = match ignore {
            Ignore::Nothing => self.uncommitted(Untracked::AsConfigured)?,
            Ignore::Untracked => self.uncommitted(Untracked::None)?,
            Ignore::Dirty | Ignore::All => Changes::default(),
        };
        Ok(Some(changes))
    }
}

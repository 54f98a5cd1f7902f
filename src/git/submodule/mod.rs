//! Submodules as single entries: their commit, and whether anything in them is uncommitted.
//!
//! Each is read as a repository of its own, never from the repository around it: what git must not run is switched off
//! for each by itself.

mod ignore;
mod link;
mod list;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::program::Surroundings;
use super::worktree::Kind;
use super::{Changes, Error, Opened, Repository, Result, Start, Unread, Untracked, text};
use crate::checkpoint::path;
use crate::env::Deadline;
pub(super) use ignore::{Ignore, Ignored, MODULES, MODULES_READ};
pub(super) use link::{Checkout, Link, Listing, Older};
pub(super) use list::Submodules;

/// How deep submodules may be nested: each repository stays open while those in it are read.
const DEEPEST: usize = 20;

/// Opens the repository that a folder itself is, or says why it cannot be read; `depth` is how many are around it.
pub(super) fn open(
    folder: &Path,
    surroundings: &Surroundings,
    deadline: Deadline,
    depth: usize,
    untracked: Untracked,
) -> Result<Repository, String> {
    if depth > DEEPEST {
        return Err(format!("it is nested inside more than {DEEPEST} others"));
    }
    let start = Start {
        depth,
        untracked,
        since: None,
    };
    match start.open(folder, surroundings.clone(), deadline) {
        Opened::Repository(repository) => Ok(*repository),
        // git, which would look further up, is kept from it.
        Opened::Absent => Err("it is not a repository of its own".to_owned()),
        Opened::Unreadable(why) => Err(why),
    }
}

impl Unread {
    /// The same, with its path from the folder that holds `folder`.
    fn within(self, folder: &[u8]) -> Self {
        let path = [folder, &b"/"[..], &path::decode(&self.path)].concat();
        Self {
            path: path::from_bytes(path),
            ..self
        }
    }
}

impl Repository {
    /// What was found, with the state of the submodules; `untracked` applies to the files in them as well.
    pub(super) fn looked_into(&self, listing: Listing, untracked: Untracked) -> Result<Changes> {
        let Listing {
            mut statuses,
            links,
        } = listing;
        let mut unread = Vec::new();
        if !links.is_empty() {
            let ignored = self.ignored_in_submodules(untracked);
            let ignored = ignored.map_err(|error| error.to_string());
            for link in links {
                let checkout = self.checkout(&link, &ignored);
                let checkout = checkout.unwrap_or_else(|mut missing| {
                    unread.append(&mut missing);
                    Checkout::Unknown
                });
                statuses.extend(link.status(checkout));
            }
        }
        Ok(Changes::new(statuses, unread))
    }

    /// The state of a submodule, or the repositories that could not be read to find it out.
    fn checkout(
        &self,
        link: &Link,
        ignored: &Result<Ignored, String>,
    ) -> Result<Checkout, Vec<Unread>> {
        let unread = |why: String| {
            let path = path::encode(&link.path);
            vec![Unread { path, why }]
        };
        let ignore = match ignored {
            Ok(ignored) => ignored.at(&link.path),
            Err(_) => Ignore::Nothing,
        };
        if ignore == Ignore::All {
            return Ok(Checkout::Unknown);
        }
        let whole = [&self.prefix[..], &link.path].concat();
        let Some(name) = text::from_git(&whole) else {
            return Err(unread("its name is not valid Unicode".to_owned()));
        };
        if let Some(checkout) = self.checkout_at_a_look(&name) {
            return Ok(checkout);
        }
        let Some(id) = &link.id else {
            return Ok(Checkout::Unknown);
        };
        let folder = self.top.join(&name);
        match fs::symlink_metadata(folder.join(".git")) {
            Ok(_) => {}
            // Not initialised: there is nothing that could differ.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Checkout::Unknown),
            Err(error) => return Err(unread(error.to_string())),
        }
        ignored.as_ref().map_err(|why| unread(why.clone()))?;
        if self.deadline.has_passed() {
            return Err(unread(Error::TimedOut.to_string()));
        }
        let untracked = match ignore {
            Ignore::Nothing => Untracked::AsConfigured,
            _ => Untracked::None,
        };
        let (deadline, depth) = (self.deadline, self.depth + 1);
        let nested = open(&folder, &self.surroundings, deadline, depth, untracked);
        let changes = nested.and_then(|nested| {
            let changes = nested.changes_from(id, ignore, untracked);
            changes.map_err(|error| error.to_string())
        });
        let changes = changes.map_err(unread)?;
        match changes {
            None => Ok(Checkout::Different),
            Some(changes) if !changes.list.is_empty() => Ok(Checkout::Different),
            Some(changes) if changes.unread.is_empty() => Ok(Checkout::Same),
            Some(changes) => {
                let inside = changes.unread.into_iter();
                Err(inside.map(|unread| unread.within(&link.path)).collect())
            }
        }
    }

    /// The state of a submodule, where a look at its folder is enough.
    fn checkout_at_a_look(&self, name: &Path) -> Option<Checkout> {
        match self.worktree.kind(name) {
            None => Some(Checkout::Gone),
            Some(_) if self.worktree.is_beyond_link(name) => Some(Checkout::Gone),
            Some(Kind::Directory) => None,
            Some(_) => Some(Checkout::Different),
        }
    }

    /// What is uncommitted here and not ignored by the repository around it; None where HEAD is not at `id`.
    fn changes_from(
        &self,
        id: &str,
        ignore: Ignore,
        untracked: Untracked,
    ) -> Result<Option<Changes>> {
        // Before the first commit git compares the files alone.
        if self.commit().is_some_and(|commit| commit != id) {
            return Ok(None);
        }
        Ok(Some(match ignore {
            Ignore::Nothing | Ignore::Untracked => self.uncommitted(untracked)?,
            Ignore::Dirty | Ignore::All => Changes::default(),
        }))
    }
}

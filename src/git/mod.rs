//! What git knows of the project, as plain facts: branch, HEAD, changes, history, hashes.
//!
//! Nothing here writes into a repository, takes its locks or runs a command that its configuration names.
//! The project root alone decides which repository is read: variables such as `GIT_DIR` and
//! `GIT_INDEX_FILE` (git(1)) are ignored.

mod content;
mod hash;
mod libgit2;
mod log;
mod scan;
mod submodule;
#[cfg(test)]
mod tests;
mod text;
mod worktree;

use std::cell::RefCell;
use std::fmt;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use anyhow::{Context, anyhow};

use crate::checkpoint::format::FileStatus;
use crate::checkpoint::path;
use crate::env::Deadline;
use libgit2::{Reader, Unopened};
use scan::Statuses;
pub(crate) use worktree::Worktree;

/// Where HEAD stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// None when HEAD is detached.
    pub(crate) branch: Option<String>,
    /// The commit id in hexadecimal.
    pub(crate) commit: String,
}

/// A path that differs, relative to the project root, in the text form of [`crate::checkpoint::path`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: String,
    pub(crate) status: FileStatus,
}

/// What the working tree is compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Base<'a> {
    /// A commit id in hexadecimal.
    Commit(&'a str),
    /// No files at all, as before the first commit.
    Empty,
}

/// Where HEAD is seen from a commit; `commits` are those reachable from HEAD and not from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum History {
    Ancestor {
        commits: usize,
    },
    /// It is no ancestor of HEAD: rebased, reset, or on another branch.
    Diverged {
        commits: usize,
    },
    /// The repository does not have it.
    Gone,
}

/// The error of work that its deadline cut short.
#[derive(Debug)]
pub(crate) struct TimedOut;

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("reading the git repository took too long")
    }
}

impl std::error::Error for TimedOut {}

/// What [`open`] found at a project root.
pub(crate) enum Opened {
    Repository(Repository),
    /// The project is in no repository.
    Absent,
    /// It is in one that cannot be read, and why.
    Unreadable(String),
}

/// The repository that a project is in, and the time allowed for reading it.
pub(crate) struct Repository {
    /// None once a scan outlived the deadline and kept it.
    reader: RefCell<Option<Reader>>,
    deadline: Deadline,
}

/// Finds the repository that `root`, a canonical path, is in.
pub(crate) fn open(root: &Path, deadline: Deadline) -> Opened {
    match Reader::open(root) {
        Ok(reader) => Opened::Repository(Repository {
            reader: RefCell::new(Some(reader)),
            deadline,
        }),
        Err(Unopened::Absent) => Opened::Absent,
        Err(Unopened::Refused(why) | Unopened::Unsupported(why)) => Opened::Unreadable(why),
    }
}

impl Repository {
    /// None before the first commit.
    pub(crate) fn head(&self) -> anyhow::Result<Option<Head>> {
        self.bounded(Reader::head).context("could not read HEAD")
    }

    /// Everything under the project root that is uncommitted or untracked and not ignored, once each,
    /// sorted by path. Both paths of a staged rename are listed, the older one as deleted.
    ///
    /// Fails with [`TimedOut`] where the deadline passes.
    pub(crate) fn changes(&self) -> anyhow::Result<Vec<Change>> {
        self.bounded(|reader| twice(|| reader.changes()))
            .map(listed)
    }

    /// Exactly the paths under the project root where the working tree differs from `base`: files that are
    /// tracked as git would store them, and untracked ones that are not ignored. Sorted by path.
    ///
    /// Fails with [`TimedOut`] where the deadline passes.
    pub(crate) fn changes_since(&self, base: Base<'_>) -> anyhow::Result<Vec<Change>> {
        let base = match base {
            Base::Commit(commit) => Some(git2::Oid::from_str(commit)?),
            Base::Empty => None,
        };
        self.bounded(move |reader| twice(|| reader.changes_since(base)))
            .map(listed)
    }

    /// What became of a commit, given by its id in hexadecimal.
    pub(crate) fn commits_since(&self, commit: &str) -> anyhow::Result<History> {
        let commit = commit.to_owned();
        self.bounded(move |reader| reader.commits_since(&commit))
    }

    /// Whether the ignore rules cover a path of the project, tracked or not; false where they cannot be read.
    pub(crate) fn is_ignored(&self, path: &str) -> bool {
        let path = path::decode(path);
        let reader = self.reader.borrow();
        reader
            .as_ref()
            .is_some_and(|reader| reader.is_ignored(&path))
    }

    /// Lends the reader to a thread that is left alone, reader and all, when the deadline passes.
    fn bounded<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reader) -> anyhow::Result<T> + Send + 'static,
    ) -> anyhow::Result<T> {
        let reader = self.reader.borrow_mut().take().ok_or(TimedOut)?;
        let (sender, receiver) = mpsc::channel();
        thread::Builder::new().spawn(move || {
            let result = read(&reader);
            // Nobody waits for it any more when this fails.
            let _ = sender.send((reader, result));
        })?;
        let (reader, result) =
            receiver
                .recv_timeout(self.deadline.remaining())
                .map_err(|error| match error {
                    RecvTimeoutError::Timeout => anyhow::Error::new(TimedOut),
                    RecvTimeoutError::Disconnected => anyhow!("reading the git repository failed"),
                })?;
        self.reader.replace(Some(reader));
        result
    }
}

/// Reads again once where it fails: a file or the index may have been written to meanwhile.
fn twice<T>(read: impl Fn() -> anyhow::Result<T>) -> anyhow::Result<T> {
    read().or_else(|_| read())
}

fn listed(statuses: Statuses) -> Vec<Change> {
    let mut changes: Vec<Change> = statuses
        .into_iter()
        .map(|(path, status)| Change {
            path: path::encode(&path),
            status,
        })
        .collect();
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}

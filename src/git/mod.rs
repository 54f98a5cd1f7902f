//! What git knows of the project, as plain facts: branch, HEAD, changes, history, hashes.
//!
//! Nothing here writes into a repository, takes its locks or runs a command that its configuration names.
//! The project root alone decides which repository is read: variables such as `GIT_DIR` and
//! `GIT_INDEX_FILE` (git(1)) are ignored.

mod candidates;
mod command;
mod content;
mod differences;
mod hash;
#[cfg(target_os = "linux")]
mod index;
mod libgit2;
mod plumbing;
mod porcelain;
#[cfg(target_os = "linux")]
mod rules;
mod scan;
mod status;
mod submodule;
#[cfg(test)]
mod tests;
mod text;
#[cfg(target_os = "linux")]
mod treediff;
#[cfg(target_os = "linux")]
mod walk;
mod worktree;

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use anyhow::{Context, anyhow};

use crate::checkpoint::format::FileStatus;
use crate::checkpoint::path;
use crate::env::{Deadline, Env};
use command::Surroundings;
use libgit2::{Reader, Unopened};
use plumbing::Asker;
use status::Statuses;
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
///
/// It is read through libgit2, and through the git command where libgit2 cannot.
pub(crate) struct Repository {
    root: PathBuf,
    surroundings: Surroundings,
    deadline: Deadline,
    /// None where libgit2 cannot open it.
    reader: RefCell<Option<Box<Reader>>>,
    asker: OnceCell<Result<Box<Asker>, String>>,
}

/// Finds the repository that `root`, a canonical path, is in.
pub(crate) fn open(root: &Path, env: &Env, deadline: Deadline) -> Opened {
    let surroundings = Surroundings::new(env);
    let (reader, why) = match Reader::open(root, &surroundings.excludes()) {
        Ok(reader) => (Some(Box::new(reader)), String::new()),
        Err(Unopened::Absent) => return Opened::Absent,
        Err(Unopened::Refused(why)) => return Opened::Unreadable(why),
        Err(Unopened::Unsupported(why)) => (None, why),
    };
    let repository = Repository {
        root: root.to_owned(),
        surroundings,
        deadline,
        asker: OnceCell::new(),
        reader: RefCell::new(reader),
    };
    if repository.reader.borrow().is_none()
        && let Err(also) = repository.asker()
    {
        return Opened::Unreadable(format!("{why}; {also}"));
    }
    Opened::Repository(repository)
}

impl Repository {
    /// None before the first commit.
    pub(crate) fn head(&self) -> anyhow::Result<Option<Head>> {
        // Short enough to need no thread, and wanted even when a scan has used up the time.
        let head = self.reader.borrow().as_ref().map(|reader| reader.head());
        self.or_ask(head, Asker::head)
            .context("could not read HEAD")
    }

    /// Everything under the project root that is uncommitted or untracked and not ignored, once each,
    /// sorted by path. Both paths of a staged rename are listed, the older one as deleted.
    ///
    /// Fails with [`TimedOut`] where the deadline passes.
    pub(crate) fn changes(&self) -> anyhow::Result<Vec<Change>> {
        let changes = self.bounded(|reader| twice(|| reader.changes()));
        self.or_ask(changes, Asker::changes).map(listed)
    }

    /// Exactly the paths under the project root where the working tree differs from `base`: files that are
    /// tracked as git would store them, and untracked ones that are not ignored. Sorted by path.
    ///
    /// Fails with [`TimedOut`] where the deadline passes.
    pub(crate) fn changes_since(&self, base: Base<'_>) -> anyhow::Result<Vec<Change>> {
        let commit = match base {
            Base::Commit(commit) => Some(commit),
            Base::Empty => None,
        };
        let id = commit.map(git2::Oid::from_str).transpose();
        let changes = self.bounded(move |reader| {
            let id = id?;
            twice(|| reader.changes_since(id))
        });
        self.or_ask(changes, |asker| asker.changes_since(commit))
            .map(listed)
    }

    /// What became of a commit, given by its id in hexadecimal.
    pub(crate) fn commits_since(&self, commit: &str) -> anyhow::Result<History> {
        let owned = commit.to_owned();
        let history = self.bounded(move |reader| reader.commits_since(&owned));
        self.or_ask(history, |asker| asker.commits_since(commit))
    }

    /// Whether the ignore rules cover a path of the project, tracked or not; false where they cannot be read.
    pub(crate) fn is_ignored(&self, path: &str) -> bool {
        let path = path::decode(path);
        match self.reader.borrow().as_ref() {
            Some(reader) => reader.is_ignored(&path),
            None => self.asker().is_ok_and(|asker| asker.is_ignored(&path)),
        }
    }

    fn asker(&self) -> Result<&Asker, &String> {
        let new = || Asker::new(&self.root, &self.surroundings, self.deadline);
        self.asker
            .get_or_init(|| match new() {
                Ok(asker) => Ok(Box::new(asker)),
                Err(error) => Err(format!("{error:#}")),
            })
            .as_deref()
    }

    /// What libgit2 read, or else what the git command says.
    fn or_ask<T>(
        &self,
        read: Option<anyhow::Result<T>>,
        ask: impl FnOnce(&Asker) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let error = match read {
            Some(Err(error)) if !error.is::<TimedOut>() => Some(error),
            Some(result) => return result,
            None => None,
        };
        if self.deadline.has_passed() {
            return Err(TimedOut.into());
        }
        match (self.asker(), error) {
            (Ok(asker), _) => ask(asker),
            (Err(_), Some(error)) => Err(error),
            (Err(why), None) => Err(anyhow!(why.clone())),
        }
    }

    /// Lends the reader to a thread, which is left alone with it when the deadline passes; None where there is
    /// no reader.
    fn bounded<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reader) -> anyhow::Result<T> + Send + 'static,
    ) -> Option<anyhow::Result<T>> {
        if self.deadline.has_passed() {
            return Some(Err(TimedOut.into()));
        }
        let reader = self.reader.borrow_mut().take()?;
        let (sender, receiver) = mpsc::channel();
        let spawned = thread::Builder::new().spawn(move || {
            let result = read(&reader);
            // Nobody waits for it any more when this fails.
            let _ = sender.send((reader, result));
        });
        if let Err(error) = spawned {
            return Some(Err(error.into()));
        }
        match receiver.recv_timeout(self.deadline.remaining()) {
            Ok((reader, result)) => {
                self.reader.replace(Some(reader));
                Some(result)
            }
            Err(RecvTimeoutError::Timeout) => {
                let reader = Reader::open(&self.root, &self.surroundings.excludes());
                self.reader.replace(reader.ok().map(Box::new));
                Some(Err(TimedOut.into()))
            }
            Err(RecvTimeoutError::Disconnected) => {
                Some(Err(anyhow!("reading the git repository failed")))
            }
        }
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

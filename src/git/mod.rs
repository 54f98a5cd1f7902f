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
mod hashes;
mod history;
#[cfg(target_os = "linux")]
mod index;
mod libgit2;
mod log;
mod pieces;
mod plumbing;
mod porcelain;
#[cfg(target_os = "linux")]
mod rules;
mod scan;
mod settings;
mod status;
mod submodule;
#[cfg(test)]
mod tests;
mod text;
mod timely;
mod tracked;
#[cfg(target_os = "linux")]
mod treediff;
#[cfg(target_os = "linux")]
mod walk;
mod worktree;

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use jiff::Timestamp;

use crate::checkpoint::format::FileStatus;
use crate::checkpoint::path;
use crate::env::{Deadline, Env};
use command::Surroundings;
pub(crate) use hashes::{Hashes, Hashing};
use libgit2::{Reader, Unopened};
use plumbing::Asker;
use status::Statuses;
use timely::Worker;
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
    /// See [`Worktree::times`].
    modified: Option<Timestamp>,
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

/// The error of reading a repository of which libgit2 would see other untracked files than git.
#[derive(Debug)]
struct Misread;

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the ignore rules can be read by the git command alone")
    }
}

impl std::error::Error for Misread {}

/// How long what is nearly always done at once may take, also when a scan has used up the time: opening the
/// repository, reading HEAD or an ignore rule.
const QUICK: Duration = Duration::from_secs(1);

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
    worker: Worker,
    asker: OnceCell<Result<Box<Asker>, String>>,
}

/// Finds the repository that `root`, a canonical path, is in.
pub(crate) fn open(root: &Path, env: &Env, deadline: Deadline) -> Opened {
    let surroundings = Surroundings::new(env);
    let worker = Worker::default();
    let (reader, why) = match opened(root, &surroundings, &worker, deadline) {
        Err(error) => return Opened::Unreadable(format!("{error:#}")),
        Ok(opened) => match opened {
            Ok(reader) => (Some(reader), String::new()),
            Err(Unopened::Absent) => return Opened::Absent,
            Err(Unopened::Refused(why)) => return Opened::Unreadable(why),
            Err(Unopened::Unsupported(why)) => (None, why),
        },
    };
    let repository = Repository {
        root: root.to_owned(),
        surroundings,
        deadline,
        asker: OnceCell::new(),
        reader: RefCell::new(reader),
        worker,
    };
    if repository.reader.borrow().is_none()
        && let Err(also) = repository.asker()
    {
        return Opened::Unreadable(format!("{why}; {also}"));
    }
    Opened::Repository(repository)
}

fn opened(
    root: &Path,
    surroundings: &Surroundings,
    worker: &Worker,
    deadline: Deadline,
) -> anyhow::Result<Result<Box<Reader>, Unopened>> {
    let root = root.to_owned();
    let excludes = surroundings.excludes();
    let open = move || Reader::open(&root, &excludes).map(Box::new);
    worker.in_time(deadline.or_after(QUICK), open)
}

impl Repository {
    /// None before the first commit.
    pub(crate) fn head(&self) -> anyhow::Result<Option<Head>> {
        let head = self.bounded_by(self.deadline.or_after(QUICK), Reader::head);
        self.or_ask(head, Asker::head)
            .context("could not read HEAD")
    }

    /// Everything under the project root that is uncommitted or untracked and not ignored, once each,
    /// sorted by path. Both paths of a staged rename are listed, the older one as deleted.
    ///
    /// Fails with [`TimedOut`] where the deadline passes.
    pub(crate) fn changes(&self) -> anyhow::Result<Vec<Change>> {
        let changes = self.bounded(|reader| twice(|| reader.changes()));
        self.or_ask(changes, |asker| {
            self.with_submodules(asker, asker.changes()?)
        })
        .map(listed)
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
        self.or_ask(changes, |asker| {
            self.with_submodules(asker, asker.changes_since(commit)?)
        })
        .map(listed)
    }

    /// What became of a commit, given by its id in hexadecimal.
    pub(crate) fn commits_since(&self, commit: &str) -> anyhow::Result<History> {
        let owned = commit.to_owned();
        let history = self.bounded(move |reader| reader.commits_since(&owned));
        self.or_ask(history, |asker| asker.commits_since(commit))
    }

    /// Whether the ignore rules cover a path of the project, tracked or not; an error where they cannot be read.
    pub(crate) fn is_ignored(&self, path: &str) -> anyhow::Result<bool> {
        let path = path::decode(path);
        let asked = path.clone();
        let ignored = self.bounded_by(self.deadline.or_after(QUICK), move |reader| {
            Ok(reader.is_ignored(&path))
        });
        self.or_ask(ignored, |asker| Ok(asker.is_ignored(&asked)))
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
            (Err(_), Some(error)) => Err(libgit2::plain(error)),
            (Err(why), None) => Err(anyhow!(why.clone())),
        }
    }

    /// [`Repository::bounded_by`] the scan's own deadline.
    fn bounded<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Reader) -> anyhow::Result<T> + Send + 'static,
    ) -> Option<anyhow::Result<T>> {
        self.bounded_by(self.deadline, read)
    }

    /// Lends the reader to a thread, which is left alone with it when the deadline passes; None where there is
    /// no reader.
    fn bounded_by<T: Send + 'static>(
        &self,
        deadline: Deadline,
        read: impl FnOnce(&Reader) -> anyhow::Result<T> + Send + 'static,
    ) -> Option<anyhow::Result<T>> {
        if deadline.has_passed() {
            return Some(Err(TimedOut.into()));
        }
        let reader = self.reader.borrow_mut().take()?;
        let lent = self.worker.in_time(deadline, move || {
            let result = read(&reader);
            (reader, result)
        });
        Some(match lent {
            Ok((reader, result)) => {
                self.reader.replace(Some(reader));
                result
            }
            Err(error) => {
                let deadline = Deadline::after(QUICK);
                let another = opened(&self.root, &self.surroundings, &self.worker, deadline);
                self.reader.replace(another.ok().and_then(Result::ok));
                Err(error)
            }
        })
    }
}

/// Reads again once where it fails: a file or the index may have been written to meanwhile.
fn twice<T>(read: impl Fn() -> anyhow::Result<T>) -> anyhow::Result<T> {
    read().or_else(|error| match error.is::<Misread>() {
        true => Err(error),
        false => read(),
    })
}

fn listed(statuses: Statuses) -> Vec<Change> {
    let mut changes: Vec<Change> = statuses
        .into_iter()
        .map(|status| Change {
            path: path::from_bytes(status.path),
            status: status.status,
            modified: status.modified,
        })
        .collect();
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}

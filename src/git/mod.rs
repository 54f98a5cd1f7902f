//! What git knows of the project, as plain facts: branch, HEAD, changes, history, hashes.
//!
//! Nothing here writes into a repository, takes its locks or runs a command that its configuration names.
//! The project root alone decides which repository is read: variables such as `GIT_DIR` and
//! `GIT_INDEX_FILE` (git(1)) are ignored.

mod candidates;
mod command;
mod content;
mod differences;
mod facts;
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

use crate::checkpoint::path;
use crate::env::{Deadline, Env};
use command::Surroundings;
pub(crate) use facts::{Base, Change, Changes, Head, History, Unread};
pub(crate) use hashes::{Hashes, Hashing};
use libgit2::{Reader, Unopened};
use plumbing::Asker;
use status::Statuses;
use timely::Worker;
pub(crate) use worktree::Worktree;

/// Which untracked files are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Untracked {
    All,
    /// None where `status.showUntrackedFiles` says so (git-config(1)), as for git in submodules.
    AsConfigured,
    None,
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

/// The git command of the search path; None where there is none but in the project.
pub(crate) fn program(env: &Env, project: &Path) -> Option<PathBuf> {
    Surroundings::new(env, project).program()
}

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
    /// How many repositories it is inside of as a submodule.
    depth: usize,
    /// None where libgit2 cannot open it.
    reader: RefCell<Option<Box<Reader>>>,
    worker: Worker,
    asker: OnceCell<Result<Box<Asker>, String>>,
}

/// Finds the repository that `root`, a canonical path, is in.
pub(crate) fn open(root: &Path, env: &Env, deadline: Deadline) -> Opened {
    opened_at(root, Surroundings::new(env, root), deadline, 0)
}

fn opened_at(root: &Path, surroundings: Surroundings, deadline: Deadline, depth: usize) -> Opened {
    let repository = Repository {
        root: root.to_owned(),
        surroundings,
        deadline,
        depth,
        asker: OnceCell::new(),
        reader: RefCell::default(),
        worker: Worker::default(),
    };
    let why = match repository.read_at(repository.patience()) {
        Err(error) => return Opened::Unreadable(format!("{error:#}")),
        Ok(Err(Unopened::Absent)) => return Opened::Absent,
        Ok(Err(Unopened::Refused(why))) => return Opened::Unreadable(why),
        Ok(Err(Unopened::Unsupported(why))) => why,
        Ok(Ok(reader)) => {
            repository.reader.replace(Some(reader));
            return Opened::Repository(repository);
        }
    };
    match repository.asker() {
        Err(also) => Opened::Unreadable(format!("{why}; {also}")),
        Ok(_) => Opened::Repository(repository),
    }
}

impl Repository {
    /// A reader of its own, opened in the worker's thread.
    fn read_at(&self, deadline: Deadline) -> anyhow::Result<Result<Box<Reader>, Unopened>> {
        let root = self.root.clone();
        let excludes = self.surroundings.excludes();
        let open = move || Reader::open(&root, &excludes).map(Box::new);
        self.worker.in_time(deadline, open)
    }

    /// The deadline of what is nearly always done at once. Submodules, of which there can be many, have no time but
    /// that of the scan.
    fn patience(&self) -> Deadline {
        match self.depth {
            0 => self.deadline.or_after(QUICK),
            _ => self.deadline,
        }
    }

    /// Whether the folder that it was looked for in is the top of its working tree.
    fn is_at_its_top(&self) -> bool {
        match &*self.reader.borrow() {
            Some(reader) => reader.prefix.is_empty(),
            None => self.asker().is_ok_and(Asker::is_at_its_top),
        }
    }

    /// None before the first commit.
    pub(crate) fn head(&self) -> anyhow::Result<Option<Head>> {
        let head = self.bounded_by(self.patience(), Reader::head);
        self.or_ask(head, Asker::head)
            .context("could not read HEAD")
    }

    /// The commit of [`Repository::head`] alone, in hexadecimal.
    fn head_commit(&self) -> anyhow::Result<Option<String>> {
        let read = self.bounded_by(self.patience(), |reader| {
            Ok(reader.head_id()?.map(|id| id.to_string()))
        });
        self.or_ask(read, |asker| asker.commit("HEAD"))
            .context("could not read HEAD")
    }

    /// Everything under the project root that is uncommitted or untracked and not ignored. Both paths of a staged
    /// rename are listed, the older one as deleted.
    ///
    /// Fails with [`TimedOut`] where the deadline passes.
    pub(crate) fn changes(&self) -> anyhow::Result<Changes> {
        self.uncommitted(Untracked::All)
    }

    fn uncommitted(&self, untracked: Untracked) -> anyhow::Result<Changes> {
        let read = self.bounded(move |reader| twice(|| reader.changes(untracked)));
        let listing = self.or_ask(read, |asker| asker.changes(untracked))?;
        self.looked_into(listing, untracked)
    }

    /// Exactly the paths under the project root where the working tree differs from `base`: files that are
    /// tracked as git would store them, and untracked ones that are not ignored.
    ///
    /// Fails with [`TimedOut`] where the deadline passes.
    pub(crate) fn changes_since(&self, base: Base<'_>) -> anyhow::Result<Changes> {
        let commit = match base {
            Base::Commit(commit) => Some(commit),
            Base::Empty => None,
        };
        let id = commit.map(git2::Oid::from_str).transpose();
        let read = self.bounded(move |reader| {
            let id = id?;
            twice(|| reader.changes_since(id))
        });
        let listing = self.or_ask(read, |asker| asker.changes_since(commit))?;
        self.looked_into(listing, Untracked::All)
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
        let ignored = self.bounded_by(self.patience(), move |reader| reader.is_ignored(&path));
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
                // Of a submodule nothing more is asked.
                if self.depth == 0 {
                    let another = self.read_at(Deadline::after(QUICK));
                    self.reader.replace(another.ok().and_then(Result::ok));
                }
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

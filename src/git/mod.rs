//! What git knows of the project, as plain facts: branch, HEAD, changes, history.
//!
//! One call of `git status` says what is uncommitted, for every kind of repository and on every system; it runs while
//! other work goes on. Where there is no git command, this program stands in for it, through libgit2 and in a process
//! of its own (see [`substitute`]).
//!
//! Nothing here writes into a repository, takes its locks or runs a command that its configuration names.
//! Only the project root decides which repository is read: variables such as `GIT_DIR` and
//! `GIT_INDEX_FILE` (git(1)) are ignored.

mod blobs;
mod changes;
mod command;
mod content;
mod error;
mod facts;
mod history;
mod layout;
mod porcelain;
mod program;
mod submodules;
mod substitute;
#[cfg(test)]
mod tests;
mod tracked;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use crate::checkpoint::drift::{Head, History};
use crate::checkpoint::path;
use crate::env::{Deadline, Env};
use crate::files::{Worktree, names};
pub(crate) use blobs::{At, Attributes};
use command::{Git, Running};
pub(crate) use error::Error;
use error::Result;
pub(crate) use facts::{Base, Change, Changes, Unread};
use history::Asked;
use layout::{GitDir, IndexHints};
use porcelain::{Record, Status};
use program::Surroundings;
use submodules::{Look, Submodules};
pub(crate) use substitute::{SUBSTITUTE, answer as answer_as_git};
pub(crate) use tracked::tracked;

/// How long a quick question, such as for HEAD or an ignore rule, may take even after a scan has used up its time.
const QUICK: Duration = Duration::from_secs(1);

/// The git command on the search path; never one inside the project or its repository.
pub(crate) fn program(env: &Env, project: &Path) -> Option<PathBuf> {
    Surroundings::new(env, project, &layout::git_dirs(project)).program
}

/// The branch that is checked out at a project root, read from git's files without starting git. None where HEAD is
/// detached, or only git can tell.
pub(crate) fn branch(root: &Path) -> Option<String> {
    layout::git_dirs(root).first()?.branch()
}

/// Whether a project root is the top of the repository that it is in, by git's files alone.
pub(crate) fn is_top(root: &Path) -> bool {
    let git_dirs = layout::git_dirs(root);
    git_dirs.first().is_none_or(|it| it.folder == root)
}

/// What was found at a project root.
pub(crate) enum Opened {
    Repository(Box<Repository>),
    /// The project is not in a repository.
    Absent,
    /// The project is in a repository that cannot be read, and why.
    Unreadable(String),
}

/// The repository that a project is in, and the time allowed for reading it.
pub(crate) struct Repository {
    root: PathBuf,
    /// Where the repository's own files are.
    git_dir: GitDir,
    surroundings: Surroundings,
    /// Runs in the project root.
    git: Git,
    /// Whether there is no git command, so that libgit2 decides.
    is_substitute: bool,
    deadline: Deadline,
    /// How many repositories it is nested in, as a submodule; 0 where it is none.
    depth: usize,
    /// The top of the working tree, and its files.
    top: PathBuf,
    worktree: Worktree,
    /// The project root inside the working tree, with a final `/`; empty where they are the same.
    prefix: Vec<u8>,
    /// The filter drivers that are switched off.
    drivers: BTreeSet<String>,
    hints: IndexHints,
    submodules: Submodules,
    asked: Option<Asked>,
    /// What `git status` listed, or why that is not known.
    status: Result<Vec<Record>>,
    /// The submodules of which nothing is known.
    unread: Vec<Unread>,
    head: Option<Head>,
}

/// A repository whose status is being read.
pub(crate) struct Opening(Result<(Box<Repository>, Result<Asking>), Opened>);

/// What git is being asked.
struct Asking {
    /// For the top of the working tree, where git's files do not say it for certain.
    top: Option<Running>,
    status: Running,
}

/// Finds the repository that `root`, a canonical path, is in, and begins to read its status. Given an older commit in
/// `since`, git is asked meanwhile how HEAD relates to it. The files at the root can be asked for at once; what stands
/// for a directory among them is its commit, where it is a repository (a submodule or a nested one). An error where
/// the root cannot be opened.
pub(crate) fn start(
    root: &Path,
    env: &Env,
    deadline: Deadline,
    since: Option<&str>,
) -> anyhow::Result<(Worktree, Opening)> {
    let start = Start {
        since,
        ..Start::default()
    };
    let git_dirs = layout::git_dirs(root);
    let surroundings = Surroundings::new(env, root, &git_dirs);
    let opening = start.begin(root, surroundings.clone(), &git_dirs, deadline);
    let format = git_dirs.first().map(GitDir::format).unwrap_or_default();
    let folder = root.to_owned();
    let commit = move |path: &Path| commit_of(&folder.join(path), &surroundings);
    Ok((Worktree::open(root)?.with(format, commit), opening))
}

/// How a repository is opened.
#[derive(Default)]
struct Start<'a> {
    depth: usize,
    since: Option<&'a str>,
    /// Path specifications of what is looked at, submodules aside; all where there are none.
    only: &'a [String],
}

impl Start<'_> {
    fn begin_at(&self, root: &Path, env: &Env, deadline: Deadline) -> Opening {
        let git_dirs = layout::git_dirs(root);
        let surroundings = Surroundings::new(env, root, &git_dirs);
        self.begin(root, surroundings, &git_dirs, deadline)
    }

    fn begin(
        &self,
        root: &Path,
        surroundings: Surroundings,
        git_dirs: &[GitDir],
        deadline: Deadline,
    ) -> Opening {
        Opening(match git_dirs.first() {
            None => Err(Opened::Absent),
            Some(git_dir) => self
                .repository(root, surroundings, git_dir, git_dirs, deadline)
                .map_err(unreadable)
                .map(|mut repository| {
                    let asking = repository.ask(self, git_dirs);
                    (Box::new(repository), asking)
                }),
        })
    }

    /// A repository of which nothing is known yet but where it is.
    fn repository(
        &self,
        root: &Path,
        surroundings: Surroundings,
        git_dir: &GitDir,
        git_dirs: &[GitDir],
        deadline: Deadline,
    ) -> Result<Repository> {
        if let Some(fault) = git_dirs.iter().find_map(GitDir::fault) {
            return Err(Error::Unsupported(fault));
        }
        let git = Git::new(root, &surroundings, deadline);
        let is_substitute = git.is_none();
        let git = git.map_or_else(|| Git::substitute(root, &surroundings, deadline), Ok);
        let mut git = git?;
        if self.depth > 0 {
            git.stay();
        }
        let (top, worktree, prefix) = placed(root, &git_dir.folder)?;
        Ok(Repository {
            root: root.to_owned(),
            git_dir: git_dir.clone(),
            surroundings,
            git,
            is_substitute,
            deadline,
            depth: self.depth,
            top,
            worktree,
            prefix,
            drivers: BTreeSet::new(),
            hints: IndexHints::default(),
            submodules: Submodules::new(),
            asked: None,
            status: Err(Error::TimedOut),
            unread: Vec::new(),
            head: None,
        })
    }
}

/// The arguments of a status of what is at some paths.
fn status(
    depth: usize,
    submodules: Option<&str>,
    paths: impl Iterator<Item = OsString>,
) -> Vec<OsString> {
    let args = [
        "status",
        "--porcelain=v2",
        "--branch",
        "-z",
        "--no-ahead-behind",
    ];
    // In a submodule git lists untracked files as its settings say.
    let all = (depth == 0).then_some("--untracked-files=all");
    let args = args.into_iter().chain(all).chain(submodules).chain(["--"]);
    args.map(OsString::from).chain(paths).collect()
}

/// The filter drivers that git would otherwise run.
fn drivers(
    git: &Git,
    surroundings: &Surroundings,
    git_dirs: &[GitDir],
) -> Result<BTreeSet<String>> {
    let files = surroundings.configured.as_deref();
    if let Some(drivers) = files.and_then(|files| layout::drivers(files, git_dirs)) {
        return Ok(drivers);
    }
    let names = git.output(&["config", "--list", "--name-only", "-z"])?;
    let driver = |name| {
        let name = String::from_utf8_lossy(name);
        let (driver, _) = name.strip_prefix("filter.")?.rsplit_once('.')?;
        Some(driver.to_owned())
    };
    Ok(porcelain::fields(&names).filter_map(driver).collect())
}

impl Opening {
    /// Waits for the status.
    pub(crate) fn finish(self) -> Opened {
        let heard = self.0.and_then(|(mut repository, asking)| {
            repository.hear(asking)?;
            Ok(repository)
        });
        heard.map_or_else(|opened| opened, Opened::Repository)
    }
}

impl Repository {
    fn ask(&mut self, start: &Start<'_>, git_dirs: &[GitDir]) -> Result<Asking> {
        if !self.is_substitute {
            self.drivers = drivers(&self.git, &self.surroundings, git_dirs)?;
            self.git.switch_off(&self.drivers)?;
        }
        // Counting many commits takes longer than all else.
        if let Some(commit) = start.since {
            self.asked = Asked::start(&self.git, &self.git_dir, commit)?;
        }
        let show = ["rev-parse", "--show-toplevel"];
        let mut top = (!self.git_dir.is_plain())
            .then(|| self.git.start(&show))
            .transpose()?;
        self.hints = IndexHints::in_index(&self.git_dir, tracked::STORE);
        if self.hints.submodules && start.only.is_empty() && !self.is_substitute {
            top.take().map_or(Ok(()), |top| self.place(top))?;
            self.submodules = submodules::read(&self.git, self.hints, &self.prefix)?;
        }
        let all = start.only.is_empty().then(|| ".".into());
        let paths = start.only.iter().map(OsString::from).chain(all);
        let paths = paths.chain(submodules::closed(&self.submodules, &self.top));
        // git must not look into submodules yet: their own filters are not switched off.
        let besides = Some("--ignore-submodules=dirty");
        let status = self.git.start(&status(self.depth, besides, paths))?;
        Ok(Asking { top, status })
    }

    /// Waits for what was asked.
    fn hear(&mut self, asking: Result<Asking>) -> Result<(), Opened> {
        let (placed, status) = match asking {
            Ok(Asking { top, status }) => (top.map_or(Ok(()), |top| self.place(top)), Ok(status)),
            Err(error) => (Ok(()), Err(error)),
        };
        let look = Look::start(self);
        let status = status.and_then(Running::output);
        match status.and_then(|output| Status::parse(&output)) {
            Ok(status) => {
                self.status = Ok(status.records);
                self.head = status.head;
            }
            Err(error) => {
                if let Some(opened) = refused(&error, &self.git_dir) {
                    return Err(opened);
                }
                // Whatever took so long or went wrong, HEAD can nearly always be read at once.
                let head = head(
                    &self.git.until(self.deadline.or_after(QUICK)),
                    &self.git_dir,
                );
                self.head = Some(head.map_err(|_| unreadable(error.clone()))?);
                self.status = Err(error);
            }
        }
        placed.map_err(unreadable)?;
        self.note(look);
        Ok(())
    }

    /// Takes over where git says that the working tree is.
    fn place(&mut self, top: Running) -> Result<()> {
        (self.top, self.worktree, self.prefix) = placed(&self.root, &named(&top.output()?))?;
        Ok(())
    }
}

fn unreadable(error: Error) -> Opened {
    Opened::Unreadable(error.to_string())
}

/// The folder in a line that git printed.
fn named(output: &[u8]) -> PathBuf {
    let name = output.strip_suffix(b"\n").unwrap_or(output);
    names::from_git(name).map_or_else(PathBuf::new, Path::to_owned)
}

/// The top of a working tree, its files, and where the project root is inside it.
fn placed(root: &Path, top: &Path) -> Result<(PathBuf, Worktree, Vec<u8>)> {
    let top = top.canonicalize()?;
    let Some(prefix) = names::prefix(&top, root) else {
        let why = "the project root is outside the repository's working tree";
        return Err(Error::Unsupported(why.to_owned()));
    };
    let worktree = Worktree::open(&top).map_err(|error| Error::Failed(format!("{error:#}")))?;
    Ok((top, worktree, prefix))
}

/// What it means where git refuses the repository as a whole; None where only this one question failed.
fn refused(error: &Error, git_dir: &GitDir) -> Option<Opened> {
    let Error::Failed(errors) = error else {
        return None;
    };
    let says = |words: &str| errors.contains(words);
    let is_bare = git_dir.own == git_dir.folder && !git_dir.folder.ends_with(".git");
    let why = if says("detected dubious ownership") || says("is owned by someone else") {
        "the repository belongs to another user (see `safe.directory` in git-config(1))"
    } else if says("must be run in a work tree") || says("cannot use bare repository") {
        match is_bare {
            true => "the repository is bare: it has no working tree",
            false => "the project root is inside a `.git` directory",
        }
    } else if says("not a git repository (or any") {
        if git_dir.own == git_dir.folder {
            return Some(Opened::Absent);
        }
        "git takes the `.git` that is there for no repository"
    } else if says("not a git repository") {
        "`.git` names a repository that is not there"
    } else if says("unknown repository extension") {
        errors
    } else {
        return None;
    };
    Some(Opened::Unreadable(why.to_owned()))
}

/// HEAD alone, read from git's files or else asked for.
fn head(git: &Git, git_dir: &GitDir) -> Result<Head> {
    if let Some(commit) = git_dir.head() {
        let branch = git_dir.branch();
        return Ok(Head { branch, commit });
    }
    let answer = git.run(&["rev-parse", "HEAD", "--symbolic-full-name", "HEAD"])?;
    if answer.status != Some(0) {
        return Err(answer.failure());
    }
    let output = String::from_utf8_lossy(&answer.output);
    let mut lines = output.lines();
    let commit = lines.next().unwrap_or_default().to_owned();
    let branch = lines
        .next()
        .and_then(|name| name.strip_prefix("refs/heads/"));
    let branch = branch.map(str::to_owned);
    Ok(Head { branch, commit })
}

/// The commit that the HEAD of the repository in a folder itself names; None where there is none, or it is bare.
fn commit_of(folder: &Path, surroundings: &Surroundings) -> Option<String> {
    let git_dir = layout::git_dir(folder)?;
    if git_dir.own == folder || git_dir.fault().is_some() {
        return None;
    }
    git_dir.head().or_else(|| {
        let mut git = Git::new(folder, surroundings, Deadline::after(QUICK))?;
        git.stay();
        let id = git.output(&["rev-parse", "-q", "--verify", "HEAD^{commit}"]);
        Some(String::from_utf8_lossy(&id.ok()?).trim_end().to_owned())
    })
}

impl Repository {
    /// None before the first commit.
    pub(crate) fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// A warning about what may be wrong in the facts of this repository.
    pub(crate) fn caveat(&self) -> Option<&'static str> {
        const WHY: &str = "there is no `git` command, so what changed was found without it: files behind filters (such as git-lfs), in another encoding or left out by a sparse checkout may be missing or wrong";
        self.is_substitute.then_some(WHY)
    }

    /// Whether the ignore rules cover a path of the project, tracked or not; an error where they cannot be read.
    pub(crate) fn is_ignored(&self, path: &str) -> Result<bool> {
        if let Some(is_listed) = self.is_listed(path) {
            return Ok(!is_listed);
        }
        // A name that starts like this can only be a path, never an option or a pattern.
        let path = [b"./", path::decode(path).as_slice()].concat();
        let Some(path) = names::from_git(&path) else {
            return Ok(false);
        };
        let args = ["check-ignore", "-q", "--no-index", "--"].map(OsString::from);
        let args = args.into_iter().chain([path.as_os_str().to_owned()]);
        let git = self.git.until(self.deadline.or_after(QUICK));
        let answer = git.run(&args.collect::<Vec<_>>())?;
        match answer.status {
            Some(0) => Ok(true),
            Some(1) => Ok(false),
            _ => Err(answer.failure()),
        }
    }

    /// Whether `git status` lists a file of the store as untracked; None where that does not tell whether it is ignored,
    /// for the file is not there, the index may have it, or there is no status.
    fn is_listed(&self, path: &str) -> Option<bool> {
        let path = [&self.prefix, path::decode(path).as_slice()].concat();
        if self.hints.checkpoints || self.mode(&path) == 0 {
            return None;
        }
        let mut records = self.status.as_ref().ok()?.iter();
        Some(records.any(|record| record.path.eq_ignore_ascii_case(&path)))
    }

    /// Only the commit of [`Repository::head`], in hexadecimal.
    fn commit(&self) -> Option<&str> {
        self.head.as_ref().map(|head| head.commit.as_str())
    }

    /// What `git status` listed.
    fn records(&self) -> Result<&Vec<Record>> {
        self.status.as_ref().map_err(Clone::clone)
    }

    /// Runs at the top of the working tree.
    fn git_at_top(&self) -> Git {
        self.git.within(&self.top)
    }
}

//! Submodules as single entries: their commit, and whether anything in them is uncommitted.
//!
//! git looks into all of them by itself, and hands down into each what it was told not to run (git(1), `-c`); so their
//! filter drivers have to be known first. A submodule that git cannot read, or must not, is opened as a repository of
//! its own, so that it is named and costs nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::{mem, slice};

use super::command::{Git, Running};
use super::layout::{IndexHints, git_dir};
use super::porcelain::{
    Entry, FOLDER, Indexed, KIND, Kind, LINK, REGULAR, Record, SUBMODULE, Status, fields,
};
use super::program::Surroundings;
use super::tracked::STORE;
use super::{
    Change, Changes, Error, Opened, Repository, Result, Start, Unread, drivers, named, placed,
    status,
};
use crate::checkpoint::format::FileStatus;
use crate::checkpoint::path;
use crate::env::Deadline;
use crate::files::names;

/// How deep submodules may be nested.
const DEEPEST: usize = 20;
/// The file of the submodules' settings at the top of a working tree (gitmodules(5)).
const MODULES: &str = ".gitmodules";
/// Bytes of it that are read; 10,000 submodules take about a megabyte.
const MODULES_READ: u64 = 16 * 1024 * 1024;

/// The submodules of an index with their commits, by path from the top of the working tree.
pub(super) type Submodules = BTreeMap<Vec<u8>, String>;

/// Those that the index has in the folder of `git`, which `prefix` leads to from the top. Fails where git could take
/// something else for a submodule, too, as only a made-up index has it.
pub(super) fn read(git: &Git, hints: IndexHints, prefix: &[u8]) -> Result<Submodules> {
    let output = git.output(&hints.listing())?;
    let mut submodules = Submodules::new();
    for field in fields(&output) {
        let odd = || Error::Unsupported("its index has an entry of no known kind".to_owned());
        let Indexed { entry, path } = Indexed::parse(field).ok_or_else(odd)?;
        let path = [prefix, path].concat();
        match entry.mode {
            SUBMODULE => drop(submodules.insert(path, entry.id)),
            FOLDER if hints.folders && !is_within(&submodules, &path) => {}
            mode if matches!(mode & KIND, REGULAR | LINK) => {}
            _ => return Err(odd()),
        }
    }
    Ok(submodules)
}

/// Whether a path leads into one of the submodules.
fn is_within(submodules: &Submodules, path: &[u8]) -> bool {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    slashes
        .into_iter()
        .any(|(at, _)| submodules.contains_key(&path[..at]))
}

/// Path specifications that leave out those that git has to be kept from even to see at which commit they are.
pub(super) fn closed(submodules: &Submodules, top: &Path) -> Vec<OsString> {
    let is_closed = |path: &&Vec<u8>| {
        let folder = names::from_git(path).map(|path| top.join(path));
        let git_dir = folder.as_deref().and_then(git_dir);
        git_dir.is_some_and(|git_dir| git_dir.fault().is_some())
    };
    let closed = submodules.keys().filter(is_closed);
    closed.filter_map(|path| spec(",exclude", path)).collect()
}

/// What names a path from the top of the working tree and nothing else (gitglossary(7), pathspec).
fn spec(magic: &str, path: &[u8]) -> Option<OsString> {
    let mut spec = OsString::from(format!(":(top,literal{magic})"));
    spec.push(names::from_git(path)?.as_os_str());
    Some(spec)
}

/// Makes sure that git can look into a submodule, and into those in it, and adds the filter drivers that it could run
/// there; `depth` is how many repositories are around it.
fn survey(
    folder: &Path,
    git: &Git,
    surroundings: &Surroundings,
    depth: usize,
    found: &mut BTreeSet<String>,
) -> Result<()> {
    match fs::symlink_metadata(folder.join(".git")) {
        Ok(_) => {}
        // Not initialised: git does not look into it.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    }
    check_depth(depth)?;
    let git_dir = git_dir(folder).filter(|_| !folder.is_symlink());
    let git_dir = git_dir.ok_or_else(|| Error::Unsupported("it is a link".to_owned()))?;
    if let Some(fault) = git_dir.fault() {
        return Err(Error::Unsupported(fault));
    }
    let mut git = git.within(folder);
    git.stay();
    if !git_dir.is_plain() {
        let top = git.output(&["rev-parse", "--show-toplevel"])?;
        placed(folder, &named(&top))?;
    }
    let own = drivers(&git, surroundings, slice::from_ref(&git_dir))?;
    git.switch_off(&own)?;
    found.extend(own);
    let hints = IndexHints::in_index(&git_dir, STORE);
    if hints.folders {
        return Err(Error::Unsupported("its index hides what it has".to_owned()));
    }
    // The index is read by git, whatever it may hold; which minds, too, whose it is, as it does not from outside.
    let inner = read(&git, hints, b"")?;
    if !inner.is_empty() {
        check_modules(folder)?;
    }
    for path in inner.keys() {
        let folder = folder.join(names::from_git(path).ok_or_else(unnamed)?);
        survey(&folder, &git, surroundings, depth + 1, found)?;
    }
    Ok(())
}

fn check_depth(depth: usize) -> Result<()> {
    match depth > DEEPEST {
        true => Err(Error::Unsupported(format!(
            "it is nested inside more than {DEEPEST} others"
        ))),
        false => Ok(()),
    }
}

/// Fails where git would read something else than a file of settings.
fn check_modules(top: &Path) -> Result<()> {
    match fs::symlink_metadata(top.join(MODULES)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Ok(metadata) if metadata.is_file() && metadata.len() <= MODULES_READ => Ok(()),
        _ => Err(Error::Failed(format!(
            "`{MODULES}` is a link, too large or unreadable"
        ))),
    }
}

fn unnamed() -> Error {
    Error::Failed("its name is not valid Unicode".to_owned())
}

/// A look of git's into submodules, which goes on while other work is done.
pub(super) struct Look {
    git: Git,
    depth: usize,
    /// Where git looks, and where it must not.
    entered: Vec<Vec<u8>>,
    left: Vec<Vec<u8>>,
    running: Option<Running>,
}

impl Look {
    /// Into the submodules of a repository, to whose own filter drivers those of theirs are added.
    pub(super) fn start(repository: &mut Repository) -> Result<Self> {
        let mut look = Self {
            git: repository.git.clone(),
            depth: repository.depth,
            entered: Vec::new(),
            left: Vec::new(),
            running: None,
        };
        if repository.submodules.is_empty() {
            return Ok(look);
        }
        check_modules(&repository.top)?;
        let mut found = BTreeSet::new();
        for path in repository.submodules.keys() {
            let folder = names::from_git(path).ok_or_else(unnamed);
            let surveyed = folder.and_then(|folder| {
                let folder = repository.top.join(folder);
                let (git, surroundings) = (&repository.git, &repository.surroundings);
                survey(&folder, git, surroundings, look.depth + 1, &mut found)
            });
            match surveyed {
                Ok(()) => look.entered.push(path.clone()),
                Err(_) => look.left.push(path.clone()),
            }
        }
        look.git.switch_off(&found)?;
        repository.drivers.append(&mut found);
        if !look.entered.is_empty() {
            look.running = Some(look.ask(&look.entered)?);
        }
        Ok(look)
    }

    fn ask(&self, paths: &[Vec<u8>]) -> Result<Running> {
        let entered = paths.iter().filter_map(|path| spec("", path));
        let left = self.left.iter().filter_map(|path| spec(",exclude", path));
        self.git
            .start(&status(self.depth, None, entered.chain(left)))
    }

    /// What git says of those that it looks into, by path. One at which it fails is among the others afterwards.
    fn seen(&mut self) -> BTreeMap<Vec<u8>, Record> {
        let records = |running: Running| Ok(Status::parse(&running.output()?)?.records);
        let all = self.running.take().map_or(Ok(Vec::new()), records);
        let all = all.unwrap_or_else(|_: Error| {
            let (mut seen, mut entered) = (Vec::new(), Vec::new());
            for path in mem::take(&mut self.entered) {
                match self.ask(slice::from_ref(&path)).and_then(records) {
                    Ok(records) => {
                        seen.extend(records);
                        entered.push(path);
                    }
                    Err(_) => self.left.push(path),
                }
            }
            self.entered = entered;
            self.left.sort();
            seen
        });
        let tracked = all.into_iter().filter(|it| it.kind == Kind::Tracked);
        tracked.map(|it| (it.path.clone(), it)).collect()
    }
}

/// Opens the repository that a folder itself is, or says why it cannot be read; `depth` is how many are around it.
pub(super) fn open(
    folder: &Path,
    surroundings: &Surroundings,
    deadline: Deadline,
    depth: usize,
) -> Result<Repository> {
    check_depth(depth)?;
    let start = Start {
        depth,
        ..Start::default()
    };
    let git_dir = git_dir(folder);
    let opening = start.begin(folder, surroundings.clone(), git_dir.as_slice(), deadline);
    match opening.finish() {
        Opened::Repository(repository) => Ok(*repository),
        // git, which would look further up, is kept from it.
        Opened::Absent => Err(Error::Failed(
            "it is not a repository of its own".to_owned(),
        )),
        Opened::Unreadable(why) => Err(Error::Failed(why)),
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
    /// Adds to what was listed what a look into submodules found.
    pub(super) fn note(&mut self, look: Result<Look>) {
        let mut look = match look {
            Ok(look) => look,
            Err(why) => {
                let there = self.submodules.keys();
                let there = there.filter(|path| self.is_repository(path));
                let unread = there.filter_map(|path| self.unread_at(path, &why));
                self.unread = unread.collect();
                return;
            }
        };
        let mut seen = look.seen();
        let mut unread = Vec::new();
        for path in look.left.iter().filter(|path| self.is_repository(path)) {
            let id = &self.submodules[path];
            match self.differs_inside(path, id, true) {
                Ok(false) => {}
                Ok(true) => drop(seen.insert(path.clone(), modified(path, id))),
                Err(mut missing) => unread.append(&mut missing),
            }
        }
        self.unread = unread;
        let Ok(records) = &mut self.status else {
            return;
        };
        records.retain_mut(|record| {
            match seen.remove(&record.path) {
                _ if record.kind != Kind::Tracked => {}
                Some(now) => {
                    record.code.1 = now.code.1;
                    record.mode = now.mode;
                    record.submodule = now.submodule;
                }
                // What moved may be hidden by settings that the first question passed over.
                None if look.entered.binary_search(&record.path).is_ok() => record.code.1 = b'.',
                None => {}
            }
            record.code != (b'.', b'.')
        });
        records.extend(seen.into_values());
    }

    /// Whether a folder of the working tree is a repository of its own.
    pub(super) fn is_repository(&self, path: &[u8]) -> bool {
        names::from_git(path).is_some_and(|path| {
            self.worktree.metadata(path).is_some_and(|it| it.is_dir())
                && !self.worktree.is_beyond_link(path)
                && self.worktree.metadata(&path.join(".git")).is_some()
        })
    }

    fn unread_at(&self, path: &[u8], why: &Error) -> Option<Unread> {
        Some(Unread {
            path: path::from_bytes(self.inside(path)?),
            why: why.to_string(),
        })
    }

    /// Whether a submodule differs from a commit, by its HEAD or by what is uncommitted in it, where untracked files
    /// may not count; or else the repositories that could not be read to find it out.
    pub(super) fn differs_inside(
        &self,
        path: &[u8],
        commit: &str,
        counts_untracked: bool,
    ) -> Result<bool, Vec<Unread>> {
        let changes = match self.changes_inside(path, commit) {
            Ok(Some(changes)) => changes,
            Ok(None) => return Ok(true),
            Err(why) => return Err(self.unread_at(path, &why).into_iter().collect()),
        };
        let counts = |change: &Change| counts_untracked || change.status != FileStatus::Untracked;
        if changes.list.iter().any(counts) || changes.unread.is_empty() {
            return Ok(changes.list.iter().any(counts));
        }
        let inside = self.inside(path).unwrap_or_default();
        let unread = changes.unread.into_iter();
        Err(unread.map(|unread| unread.within(&inside)).collect())
    }

    /// What is uncommitted in a submodule; None where its HEAD is not at a commit.
    fn changes_inside(&self, path: &[u8], commit: &str) -> Result<Option<Changes>> {
        let folder = self.top.join(names::from_git(path).ok_or_else(unnamed)?);
        let nested = open(&folder, &self.surroundings, self.deadline, self.depth + 1)?;
        // Before the first commit git compares the files alone.
        match nested.commit() {
            Some(head) if head != commit => Ok(None),
            _ => nested.changes().map(Some),
        }
    }
}

/// What git would say of a submodule at a commit of the index in which something changed.
fn modified(path: &[u8], id: &str) -> Record {
    let entry = Entry {
        mode: SUBMODULE,
        id: id.to_owned(),
    };
    Record {
        kind: Kind::Tracked,
        code: (b'.', b'M'),
        head: Some(entry.clone()),
        index: Some(entry),
        mode: SUBMODULE,
        submodule: *b"S.MU",
        path: path.to_vec(),
        from: None,
        is_folder: false,
    }
}

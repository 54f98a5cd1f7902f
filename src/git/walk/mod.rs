//! One walk over the working tree, on all cores: which index entries may have changed, and what is untracked.
//!
//! An entry whose stat data are the index's is unchanged, as for git. A file that nothing converts is compared here;
//! every other one is a suspect, about which libgit2 decides with all that git knows of filters, modes and links
//! ([`super::scan`]). Only the names of folders that are folders on disk are looked at, so that nothing is seen
//! through a link.

mod content;
mod listing;
mod queue;
mod stat;
mod state;

use std::ops::Range;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use jiff::Timestamp;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat};

use super::index::{Entry, Group, RawIndex};
use super::rules::{Rules, Verdict};
use super::status::{Status, Statuses};
use super::text;
use listing::Listing;
use queue::{Queue, locked};
pub(super) use stat::Trust;
use stat::modified;
use state::State;

/// Names that are looked at before more threads are started: small projects are done by then, and in others there are
/// folders for all.
const ALONE: usize = 400;
/// Files in the index from which on there is work for more threads, as soon as there are [`FOLDERS`] for them.
const MANY: usize = 4 * ALONE;
const FOLDERS: usize = 16;
/// Names that can be looked at while a folder is opened and listed.
const FOLDER: usize = 8;
/// Threads at most; more wait for the disk and for each other.
const THREADS: usize = 8;

const NOFOLLOW: AtFlags = AtFlags::SYMLINK_NOFOLLOW;
const ATTRIBUTES: &str = ".gitattributes";
const IGNORE: &str = ".gitignore";

/// A folder to be read.
pub(super) struct Folder {
    /// From the top of the working tree, with a final `/`; empty for the top.
    pub(super) path: Vec<u8>,
    /// The index entries in it.
    pub(super) range: Range<usize>,
    pub(super) rules: Arc<Rules>,
    /// What may convert the content of files in it.
    pub(super) conversions: Arc<Rules>,
    /// Whether untracked files in it are wanted.
    pub(super) list: bool,
    /// Whether it is one entry should it be a repository.
    pub(super) nested: bool,
}

/// What the ignore rules have to decide.
pub(super) enum Question {
    File(Vec<u8>),
    Folder(Folder),
}

/// An index entry, and when it was last modified where that was seen.
pub(super) type Dated = (usize, Option<Timestamp>);

#[derive(Default)]
pub(super) struct Found {
    /// Index entries that may differ from what is on disk.
    pub(super) suspects: Vec<Dated>,
    /// Index entries of files that do, as their content tells, with no conversion in the way.
    pub(super) rewritten: Vec<Dated>,
    /// Files, links and repositories that are not in the index, and not ignored.
    pub(super) untracked: Statuses,
    pub(super) questions: Vec<Question>,
    /// What was looked at, in names.
    pub(super) effort: usize,
    /// Whether there are ignore rules that git and libgit2 read differently.
    pub(super) misread: bool,
}

/// Where a walk takes place.
pub(super) struct Walk<'a> {
    index: &'a RawIndex,
    trust: Trust,
    top: OwnedFd,
    path: &'a Path,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        index: &'a RawIndex,
        trust: Trust,
        path: &'a Path,
    ) -> rustix::io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self {
            index,
            trust,
            top: openat(CWD, path, flags, Mode::empty())?,
            path,
        })
    }

    /// Reads the folders and those in them; what each thread finds is mostly in order then, and soon sorted.
    pub(super) fn run(&self, mut folders: Vec<Folder>, found: &mut Found) {
        let alone = found.effort + ALONE;
        let tracked: usize = folders.iter().map(|folder| folder.range.len()).sum();
        let enough = if tracked > MANY { FOLDERS } else { usize::MAX };
        let mut listing = Listing::default();
        while found.effort < alone
            && folders.len() < enough
            && let Some(folder) = folders.pop()
        {
            folders.extend(self.read(folder, &mut listing, found).into_iter().rev());
        }
        if folders.is_empty() {
            return;
        }
        let queue = Queue::new(folders);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let results = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 1..cores.min(THREADS) {
                scope.spawn(|| {
                    let mut found = Found::default();
                    let mut listing = Listing::default();
                    queue.work(|folder| self.read(folder, &mut listing, &mut found));
                    locked(&results).push(found);
                });
            }
            queue.work(|folder| self.read(folder, &mut listing, found));
        });
        for other in locked(&results).drain(..) {
            found.suspects.extend(other.suspects);
            found.rewritten.extend(other.rewritten);
            found.untracked.extend(other.untracked);
            found.questions.extend(other.questions);
            found.misread |= other.misread;
        }
    }

    fn read(&self, folder: Folder, listing: &mut Listing, found: &mut Found) -> Vec<Folder> {
        found.effort += FOLDER;
        let opened = self.open(&folder.path);
        let listed = opened.and_then(|dir| listing.read(&dir).and(Ok(dir)));
        let Ok(dir) = listed else {
            self.suspect(folder.range, found);
            return Vec::new();
        };
        found.effort += listing.items.len();
        if folder.nested && listing.find(b".git").is_some() && self.is_repository(&folder.path) {
            let path = folder.path[..folder.path.len() - 1].to_vec();
            found.untracked.push(Status::untracked(path, None));
            return Vec::new();
        }
        let mut below = Vec::new();
        let rules = self.rules(&folder, listing);
        found.misread |= rules.is_misread();
        let conversions = self.conversions(&folder, listing);
        found.misread |= conversions.is_misread();
        let mut visit = |name: &[u8], range: Range<usize>, found: &mut Found| {
            let nested = range.is_empty();
            let verdict = match folder.list {
                true => rules.verdict(&folder.path, name, true),
                false => Verdict::Ignored,
            };
            let folder = Folder {
                path: [&folder.path, name, b"/"].concat(),
                range,
                rules: rules.clone(),
                conversions: conversions.clone(),
                list: folder.list,
                nested,
            };
            match verdict {
                Verdict::Listed => below.push(folder),
                Verdict::Ignored if folder.range.is_empty() => {}
                Verdict::Ignored => below.push(Folder {
                    list: false,
                    ..folder
                }),
                Verdict::Unclear => found.questions.push(Question::Folder(folder)),
                Verdict::Misread => found.misread = true,
            }
        };
        let mut folders = vec![false; listing.items.len()];
        let mut next = 0;
        for group in self.index.groups(folder.path.len(), folder.range.clone()) {
            match group {
                Group::File(name, range) => {
                    let item = listing.find_next(name, &mut next);
                    let here = item.map(|item| &listing.items[item]);
                    let here = here.map(|item| (&dir, listing.c_name(item)));
                    for (at, entry) in self.index.entries(range) {
                        match self.state(&entry, here, &conversions) {
                            State::Untouched => {}
                            State::Suspect(time) => found.suspects.push((at, time)),
                            State::Rewritten(time) => found.rewritten.push((at, time)),
                        }
                    }
                    if let Some(item) = item {
                        listing.items[item].tracked = true;
                    }
                }
                Group::Folder(name, range) => match listing.find_next(name, &mut next) {
                    Some(item) if listing.items[item].kind == FileType::Directory => {
                        folders[item] = true;
                        visit(name, range, found);
                    }
                    _ => self.suspect(range, found),
                },
            }
        }
        if folder.list {
            for (item, in_index) in listing.items.iter().zip(folders) {
                let name = &listing.names[item.name.clone()];
                match item.kind {
                    _ if in_index || name == b".git" => {}
                    FileType::Directory
                        if item.tracked && self.has(&folder, name, |entry| entry.is_gitlink()) => {}
                    FileType::Directory => visit(name, 0..0, found),
                    FileType::RegularFile | FileType::Symlink if !item.tracked => {
                        let path = [&folder.path, name].concat();
                        match rules.verdict(&folder.path, name, false) {
                            Verdict::Ignored => {}
                            Verdict::Unclear => found.questions.push(Question::File(path)),
                            Verdict::Misread => found.misread = true,
                            Verdict::Listed => {
                                let stat = statat(&dir, listing.c_name(item), NOFOLLOW);
                                let time = stat.ok().as_ref().and_then(modified);
                                found.untracked.push(Status::untracked(path, time));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        below
    }

    /// The ignore rules that hold in a folder.
    fn rules(&self, folder: &Folder, listing: &Listing) -> Arc<Rules> {
        match listing.find(IGNORE.as_bytes()) {
            _ if !folder.list => folder.rules.clone(),
            // git follows no link here, and reads from the index what a sparse checkout leaves out.
            Some(item) if listing.items[item].kind == FileType::Symlink => {
                Rules::misread(&folder.rules)
            }
            Some(_) => match self.file(folder, IGNORE) {
                Some(file) => Rules::with(&folder.rules, &file),
                None => Rules::unclear(),
            },
            None if self.has(folder, IGNORE.as_bytes(), |entry| entry.is_skipped()) => {
                Rules::misread(&folder.rules)
            }
            None => folder.rules.clone(),
        }
    }

    /// What may convert the content of the files in a folder.
    fn conversions(&self, folder: &Folder, listing: &Listing) -> Arc<Rules> {
        match listing.find(ATTRIBUTES.as_bytes()) {
            // git follows no link here either, and libgit2 does.
            Some(item) if listing.items[item].kind == FileType::Symlink => {
                Rules::misread(&folder.conversions)
            }
            Some(_) => match self.file(folder, ATTRIBUTES) {
                Some(file) => Rules::with_conversions(&folder.conversions, &file),
                None => Rules::unclear(),
            },
            // Where the file is gone, those of the index hold.
            None if self.has(folder, ATTRIBUTES.as_bytes(), |_| true) => Rules::unclear(),
            None => folder.conversions.clone(),
        }
    }

    /// Where a file in a folder is; None for a folder whose name the system does not take.
    fn file(&self, folder: &Folder, name: &str) -> Option<PathBuf> {
        Some(self.path.join(text::from_git(&folder.path)?).join(name))
    }

    fn open(&self, path: &[u8]) -> rustix::io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let path = path.strip_suffix(b"/").unwrap_or(b".");
        openat(&self.top, path, flags, Mode::empty())
    }

    /// Whether a folder with `.git` in it is a repository, as git tells untracked ones from folders.
    fn is_repository(&self, path: &[u8]) -> bool {
        let exists = |name: &[u8]| statat(&self.top, [path, name].concat(), AtFlags::empty());
        exists(b".git").is_ok_and(|stat| match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                let parts: [&[u8]; 3] = [b".git/HEAD", b".git/objects", b".git/refs"];
                parts.into_iter().all(|name| exists(name).is_ok())
            }
            kind => kind == FileType::RegularFile,
        })
    }

    /// Whether the index has such an entry in a folder.
    fn has(&self, folder: &Folder, name: &[u8], is_meant: impl Fn(&Entry<'_>) -> bool) -> bool {
        let range = folder.range.clone();
        let stages = self.index.file(folder.path.len(), name, range);
        let mut entries = self.index.entries(stages);
        entries.any(|(_, entry)| is_meant(&entry))
    }

    /// All of these are not where they should be.
    fn suspect(&self, range: Range<usize>, found: &mut Found) {
        let looked_at = |entry: &Entry<'_>| {
            entry.stage() != 0 || !entry.is_assumed() && !entry.is_skipped() && !entry.is_gitlink()
        };
        let entries = self.index.entries(range);
        let entries = entries.filter(|(_, entry)| looked_at(entry));
        found.suspects.extend(entries.map(|(at, _)| (at, None)));
    }
}

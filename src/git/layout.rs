//! Where a repository's own files are, and what can be read from them without git (gitrepository-layout(5)).
//!
//! Nothing here decides what is true of a repository, only whether git has to be asked.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use memchr::{memchr_iter, memchr2_iter, memmem};

use crate::files::{self, hash::Format};

/// The most bytes of a file that git reads as a whole: several times the index of the largest repositories known.
const LARGEST: u64 = 1 << 29;
/// Bytes of a file that names a folder or a reference.
const NAME: u64 = 1 << 13;
/// Bytes of a configuration that is looked at here.
const CONFIGURATION: u64 = 1 << 20;
/// Bytes of `packed-refs` that are looked at here.
const REFERENCES: u64 = 1 << 24;
/// Bytes of the index that are looked at at once.
const CHUNK: u64 = 1 << 16;

/// A folder in which git may find a repository.
#[derive(Debug, Clone)]
pub(super) struct GitDir {
    /// The top of the working tree, unless `core.worktree` names another.
    pub(super) folder: PathBuf,
    /// The repository's own folder, for one working tree.
    pub(super) own: PathBuf,
    /// The folder that all its working trees share.
    pub(super) common: PathBuf,
}

/// Those of `root` and the folders above it, the nearest first.
pub(super) fn git_dirs(root: &Path) -> Vec<GitDir> {
    root.ancestors().filter_map(git_dir).collect()
}

/// The one that a folder itself has.
pub(super) fn git_dir(folder: &Path) -> Option<GitDir> {
    let entry = folder.join(".git");
    let own = match fs::symlink_metadata(&entry) {
        Ok(_) if entry.is_dir() => entry,
        Ok(_) => named(&entry, "gitdir: ").unwrap_or(entry),
        // A bare repository is one without a `.git`.
        Err(_) if folder.join("HEAD").is_file() && folder.join("objects").is_dir() => {
            folder.to_owned()
        }
        Err(_) => return None,
    };
    let file = own.join("commondir");
    let common = match file.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => own.clone(),
        // Where it cannot be read here, nothing is found in its place, and git is asked.
        _ => named(&file, "").unwrap_or(file),
    };
    Some(GitDir {
        folder: folder.to_owned(),
        own,
        common,
    })
}

impl GitDir {
    /// Why git must not read it: a device, or a file without end, in the place of one of git's would fill the memory
    /// before any deadline.
    pub(super) fn fault(&self) -> Option<String> {
        let own = [
            "HEAD",
            "commondir",
            "config.worktree",
            "index",
            "reftable/tables.list",
        ];
        let common = [
            "config",
            "packed-refs",
            "shallow",
            "info/attributes",
            "info/exclude",
            "info/grafts",
            "objects/info/alternates",
            "reftable/tables.list",
        ];
        let own = own.iter().map(|name| self.own.join(name));
        let common = common.iter().map(|name| self.common.join(name));
        let head = self.reference().map(|name| self.common.join(name));
        let faulty = own.chain(common).chain(head).find(|file| is_faulty(file))?;
        let name = faulty.strip_prefix(&self.common).unwrap_or(&faulty);
        Some(format!(
            "git's own `{}` is not a regular file, or is larger than {LARGEST} bytes",
            name.display()
        ))
    }

    /// Whether git certainly takes it for a repository, and its folder for the working tree.
    pub(super) fn is_plain(&self) -> bool {
        let is_head = self.reference().is_some() || self.detached().is_some();
        let folders = ["objects", "refs"].map(|name| self.common.join(name));
        let files = [self.common.join("config"), self.own.join("config.worktree")];
        let is_here = |file: &PathBuf| {
            configuration(file).is_some_and(|text| {
                !holds(&text, b"[include") && (!holds(&text, b"worktree") || self.is_named(&text))
            })
        };
        is_head
            && self.own != self.folder
            && folders.iter().all(|folder| folder.is_dir())
            && files.iter().all(is_here)
    }

    /// Whether a configuration says once, as git itself writes it for a submodule, that its folder is the working tree
    /// (git-config(1), `core.worktree`).
    fn is_named(&self, configuration: &[u8]) -> bool {
        let text = String::from_utf8_lossy(configuration);
        let mut lines = text
            .lines()
            .filter(|line| holds(line.as_bytes(), b"worktree"));
        let (Some(line), None) = (lines.next(), lines.next()) else {
            return false;
        };
        let name = line.strip_prefix("\tworktree = ");
        let named = name.and_then(|name| self.own.join(name).canonicalize().ok());
        named.is_some() && named == self.folder.canonicalize().ok()
    }

    /// Whether it belongs to a linked working tree (git-worktree(1)).
    pub(super) fn is_linked(&self) -> bool {
        self.own != self.common
    }

    /// The format of its object ids (git-config(1), `extensions.objectFormat`).
    pub(super) fn format(&self) -> Format {
        let text = configuration(&self.common.join("config"));
        match text.is_some_and(|it| holds(&it, b"objectformat") && holds(&it, b"sha256")) {
            true => Format::Sha256,
            false => Format::Sha1,
        }
    }

    /// Whether it is a shallow clone, whose commits end before its history does.
    pub(super) fn is_shallow(&self) -> bool {
        self.common.join("shallow").exists()
    }

    /// The commits at which a shallow clone ends.
    pub(super) fn edges(&self) -> BTreeSet<String> {
        let text = text(&self.common.join("shallow"), REFERENCES).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The commit that HEAD names, as far as plain files tell.
    pub(super) fn head(&self) -> Option<String> {
        let Some(name) = self.reference() else {
            return self.detached();
        };
        let loose = text(&self.common.join(&name), NAME);
        if let Some(id) = loose.as_deref().and_then(id) {
            return Some(id.to_owned());
        }
        let packed = text(&self.common.join("packed-refs"), REFERENCES)?;
        packed.lines().find_map(|line| {
            let (id, other) = line.split_once(' ')?;
            (other == name).then(|| self::id(id).map(str::to_owned))?
        })
    }

    /// The branch that HEAD names; None where it names a commit, or cannot be read.
    pub(super) fn reference(&self) -> Option<String> {
        let head = text(&self.own.join("HEAD"), NAME)?;
        let name = head.strip_prefix("ref:")?.trim();
        let is_plain = name.starts_with("refs/") && !name.split('/').any(|part| part == "..");
        is_plain.then(|| name.to_owned())
    }

    /// The branch that HEAD names, without `refs/heads/`.
    pub(super) fn branch(&self) -> Option<String> {
        /// What HEAD holds where references are not files (git-refs(1), reftable).
        const ELSEWHERE: &str = ".invalid";
        let name = self.reference()?;
        let branch = name.strip_prefix("refs/heads/")?;
        (branch != ELSEWHERE).then(|| branch.to_owned())
    }

    fn detached(&self) -> Option<String> {
        id(&text(&self.own.join("HEAD"), NAME)?).map(str::to_owned)
    }
}

/// Whether a folder is a linked working tree of any repository.
pub(super) fn is_linked_worktree(folder: &Path) -> bool {
    git_dir(folder).is_some_and(|git_dir| git_dir.is_linked())
}

/// The filter drivers that git could run here, read from its files of configuration; None where only git can tell.
pub(super) fn drivers(files: &[PathBuf], git_dirs: &[GitDir]) -> Option<BTreeSet<String>> {
    let own = git_dirs.iter().flat_map(|git_dir| {
        [
            git_dir.common.join("config"),
            git_dir.own.join("config.worktree"),
        ]
    });
    let mut drivers = BTreeSet::new();
    for file in files.iter().cloned().chain(own) {
        if !add_drivers(&configuration(&file)?, &mut drivers) {
            return None;
        }
    }
    Some(drivers)
}

/// Adds every driver that has a section; false where git has to be asked, as where the text includes other files.
fn add_drivers(text: &[u8], drivers: &mut BTreeSet<String>) -> bool {
    let begins = |text: &[u8], word: &[u8]| {
        text.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    memchr_iter(b'[', text).all(|at| {
        let section = &text[at + 1..];
        if begins(section, b"include") {
            return false;
        }
        if !begins(section, b"filter") {
            return true;
        }
        let name = section[b"filter".len()..].strip_prefix(b" \"");
        let name = name.and_then(|rest| Some(&rest[..memmem::find(rest, b"\"]")?]));
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let name = name.filter(|name| name.iter().all(is_plain));
        let name = name.and_then(|name| std::str::from_utf8(name).ok());
        drivers.extend(name.map(str::to_owned));
        name.is_some()
    })
}

/// What the index may hold, found without reading it entry by entry: false is certain, true is not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct IndexHints {
    pub(super) submodules: bool,
    /// Files of the store.
    pub(super) checkpoints: bool,
    /// Folders that stand for all that is in them (git-sparse-checkout(1), `--sparse-index`).
    pub(super) folders: bool,
}

impl IndexHints {
    const ANYTHING: Self = Self {
        submodules: true,
        checkpoints: true,
        folders: false,
    };

    /// The arguments that list the index. For a sparse index git would otherwise write objects.
    pub(super) fn listing(self) -> Vec<String> {
        let sparse = self.folders.then_some("--sparse");
        let args = ["ls-files", "-z", "--stage"].into_iter().chain(sparse);
        args.map(str::to_owned).collect()
    }

    /// Of the index of a repository; the name of the store's files begins with `start` in whatever case.
    pub(super) fn in_index(git_dir: &GitDir, start: &str) -> Self {
        match files::open(&git_dir.own.join("index"), LARGEST) {
            Ok(Some(file)) => Self::read(file, start.as_bytes()).unwrap_or(Self::ANYTHING),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::default(),
            Ok(None) | Err(_) => Self::ANYTHING,
        }
    }

    fn read(mut file: fs::File, start: &[u8]) -> Option<Self> {
        /// A submodule's mode as an entry has it (gitformat-index(5)).
        const SUBMODULE: &[u8] = &[0, 0, 0xe0, 0];
        /// The extension of an index that is split over two files, and the start of its length.
        const SPLIT: &[u8] = b"link\0\0";
        /// The extension of a sparse index, and its length.
        const SPARSE: &[u8] = b"sdir\0\0\0\0";
        let mut text = Vec::new();
        let mut header = [0; 8];
        file.read_exact(&mut header).ok()?;
        let mut hints = Self {
            // Version 4 stores of each name only what differs from the one before.
            checkpoints: header[7] == 4,
            ..Self::default()
        };
        loop {
            let kept = text.len().min(start.len().max(SPARSE.len()) - 1);
            text.drain(..text.len() - kept);
            if file.by_ref().take(CHUNK).read_to_end(&mut text).ok()? == 0 {
                return Some(hints);
            }
            if among_zeros(&text, SPLIT, 0..4) {
                return Some(Self::ANYTHING);
            }
            hints.folders = hints.folders || among_zeros(&text, SPARSE, 0..4);
            hints.submodules = hints.submodules || among_zeros(&text, SUBMODULE, 2..3);
            hints.checkpoints = hints.checkpoints || holds(&text, start);
        }
    }
}

/// Whether a text has such bytes, those of which that are no zeros stand at `rare`: an index is full of zeros, and a search
/// that goes by them takes many times as long.
fn among_zeros(text: &[u8], bytes: &[u8], rare: Range<usize>) -> bool {
    let start = rare.start;
    let mut found = memmem::find_iter(text, &bytes[rare]);
    found.any(|at| at >= start && text[at - start..].starts_with(bytes))
}

/// Whether a text has a word in small letters, in whatever case.
fn holds(text: &[u8], word: &[u8]) -> bool {
    let first = word.first().copied().unwrap_or_default();
    let mut starts = memchr2_iter(first, first.to_ascii_uppercase(), text);
    starts.any(|start| {
        let found = text[start..].get(..word.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(word))
    })
}

/// A file of git's configuration, empty where there is none; None where there is something that is not to be read here.
fn configuration(file: &Path) -> Option<Vec<u8>> {
    match files::read(file, CONFIGURATION) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Vec::new()),
        read => read.ok()?,
    }
}

fn is_faulty(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|it| !it.is_dir() && (!it.is_file() || it.len() > LARGEST))
}

/// An object id in hexadecimal, of either format.
fn id(text: &str) -> Option<&str> {
    let text = text.trim_end();
    is_id(text).then_some(text)
}

/// Whether a text can be nothing but an object's id, and so no option and no expression.
pub(super) fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The folder that a file names after a prefix, from where the file is.
fn named(file: &Path, prefix: &str) -> Option<PathBuf> {
    let text = text(file, NAME)?;
    let name = text.strip_prefix(prefix)?;
    let name = name.trim_end_matches(['\n', '\r']);
    Some(file.parent()?.join(name))
}

/// The text of a regular file of at most `limit` bytes.
fn text(file: &Path, limit: u64) -> Option<String> {
    String::from_utf8(files::read(file, limit).ok()??).ok()
}

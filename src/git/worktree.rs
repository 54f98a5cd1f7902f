//! Files of the project by path: content hashes and times, with or without a repository.

use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::Context;
use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use jiff::Timestamp;

use super::command::Git;
use super::hash::{self, Format};
use super::porcelain::{EXECUTABLE, FILE, LINK};
use super::program::Surroundings;
use super::{Blob, Change, QUICK, layout, text};
use crate::env::Deadline;

/// Bytes up to which a file's content is hashed, so that one file costs at most about a tenth of a second.
const HASHED: u64 = 64 * 1024 * 1024;
/// Files, at least, that a thread is worth starting for to ask for their times.
const SHARE: usize = 2000;
/// Times that a file which shrinks while it is read is read again.
const ATTEMPTS: usize = 3;

/// Files of the project by path relative to its root, in the text form of [`crate::checkpoint::path`].
///
/// Links are followed inside the root, never out of it, and never as the last part of a path.
#[derive(Debug)]
pub(crate) struct Worktree {
    root: PathBuf,
    dir: Dir,
    /// The format of the repository that it is in.
    format: Format,
    /// For git, which has to say where the HEAD of some repositories is.
    surroundings: Option<Surroundings>,
    /// The folder whose files were last asked for, for the next is mostly in the same.
    last: RefCell<Option<(PathBuf, Dir)>>,
}

/// What stands at a path, by its own type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Link,
    Directory,
    /// A FIFO, socket or device.
    Other,
}

impl Worktree {
    pub(crate) fn open(root: &Path) -> anyhow::Result<Self> {
        let dir = Dir::open_ambient_dir(root, ambient_authority())
            .with_context(|| format!("could not open `{}`", root.display()))?;
        Ok(Self {
            root: root.to_owned(),
            dir,
            format: Format::Sha1,
            surroundings: None,
            last: RefCell::default(),
        })
    }

    /// With the git command to read the repositories in it, and with hashes in the form of the one around it.
    pub(super) fn asking_git(
        self,
        surroundings: Surroundings,
        git_dirs: &[layout::GitDir],
    ) -> Self {
        let format = match git_dirs.first().is_some_and(layout::GitDir::has_sha256) {
            true => Format::Sha256,
            false => Format::Sha1,
        };
        Self {
            surroundings: Some(surroundings),
            format,
            ..self
        }
    }

    /// The same files through a handle of its own.
    pub(super) fn another(&self) -> anyhow::Result<Self> {
        Ok(Self {
            root: self.root.clone(),
            dir: self.dir.try_clone()?,
            format: self.format,
            surroundings: self.surroundings.clone(),
            last: RefCell::default(),
        })
    }

    /// A path's state now: the git blob id of a file's raw bytes or of a link's target, and for a directory that is a
    /// repository (a submodule or a nested one) the commit that its HEAD names.
    ///
    /// None where nothing is there, it is anything else, or it cannot be read. For a file over 64 MiB a
    /// text made of its size and modification time stands in, `size:N,mtime:RFC3339`: it is no hash, but it
    /// too differs when the file was written to.
    ///
    /// An earlier hash of it decides in which format.
    pub(super) fn hash(&self, path: &str, earlier: Option<&str>) -> Option<String> {
        let format = earlier.map_or(self.format, Format::of);
        let path = text::to_path(path)?;
        match self.kind(&path)? {
            Kind::File => (0..ATTEMPTS).find_map(|_| self.hash_file(format, &path)),
            Kind::Link => Some(format.blob(&self.link_target(&path)?)),
            Kind::Directory => self.commit(&path),
            Kind::Other => None,
        }
    }

    /// What a path holds now: a file's bytes, or what a link says; no file of more than `limit` bytes is read.
    pub(crate) fn content(&self, path: &str, limit: u64) -> Blob {
        let Some(path) = text::to_path(path) else {
            return Blob::Missing;
        };
        match self.kind(&path) {
            Some(Kind::File) => match self.open_file(&path) {
                Some((_, len)) if len > limit => Blob::Large,
                Some(_) => self.read(&path, limit).map_or(Blob::Other, Blob::Bytes),
                None => Blob::Other,
            },
            Some(Kind::Link) => self.link_target(&path).map_or(Blob::Other, Blob::Bytes),
            Some(Kind::Directory | Kind::Other) => Blob::Other,
            None => Blob::Missing,
        }
    }

    /// When the file, link or directory itself was last modified.
    pub(crate) fn modified(&self, path: &str) -> Option<Timestamp> {
        let modified = self.metadata(&text::to_path(path)?)?.modified().ok()?;
        Timestamp::try_from(modified.into_std()).ok()
    }

    /// When each file was last modified, as [`Worktree::modified`] has it.
    pub(crate) fn times(&self, changes: &[Change]) -> Vec<Option<Timestamp>> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let share = changes.len().div_ceil(cores).max(SHARE);
        thread::scope(|scope| {
            let shares: Vec<_> = changes
                .chunks(share)
                .map(|share| {
                    let worktree = self.another();
                    scope.spawn(move || {
                        let modified = |it: &Change| worktree.as_ref().ok()?.modified(&it.path);
                        share.iter().map(modified).collect::<Vec<_>>()
                    })
                })
                .collect();
            let times = shares.into_iter().map(|it| it.join().unwrap_or_default());
            times.flatten().collect()
        })
    }

    fn metadata(&self, path: &Path) -> Option<Metadata> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return self.dir.symlink_metadata(path).ok();
        };
        let mut last = self.last.borrow_mut();
        let dir = match &*last {
            _ if folder.as_os_str().is_empty() => &self.dir,
            Some((path, dir)) if path == folder => dir,
            _ => {
                let Ok(dir) = self.dir.open_dir(folder) else {
                    // As where it may be entered but not read.
                    return self.dir.symlink_metadata(path).ok();
                };
                &last.insert((folder.to_owned(), dir)).1
            }
        };
        dir.symlink_metadata(name).ok()
    }

    pub(super) fn kind(&self, path: &Path) -> Option<Kind> {
        let file_type = self.metadata(path)?.file_type();
        Some(if file_type.is_file() {
            Kind::File
        } else if file_type.is_symlink() {
            Kind::Link
        } else if file_type.is_dir() {
            Kind::Directory
        } else {
            Kind::Other
        })
    }

    /// Whether a path leads through a symbolic link, where git sees nothing.
    pub(super) fn is_beyond_link(&self, path: &Path) -> bool {
        let mut folders = path.ancestors().skip(1);
        folders.any(|folder| self.kind(folder) == Some(Kind::Link))
    }

    /// The mode that git gives to the file or link at a path; 0 where there is none, or only beyond a link.
    pub(super) fn mode(&self, path: &Path) -> u32 {
        match self.metadata(path) {
            Some(_) if self.is_beyond_link(path) => 0,
            Some(it) if it.is_symlink() => LINK,
            Some(it) if it.is_file() && is_executable(&it) => EXECUTABLE,
            Some(it) if it.is_file() => FILE,
            _ => 0,
        }
    }

    /// What a symbolic link holds; None where there is none.
    pub(super) fn link_target(&self, path: &Path) -> Option<Vec<u8>> {
        text::bytes_of(&self.dir.read_link_contents(path).ok()?)
    }

    /// A regular file and its length; opening never waits, whatever took the file's place meanwhile.
    pub(super) fn open_file(&self, path: &Path) -> Option<(File, u64)> {
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = self.dir.open_with(path, &options).ok()?;
        let metadata = file.metadata().ok()?;
        metadata.is_file().then_some((file, metadata.len()))
    }

    /// A regular file's content; None where it is longer than `limit`.
    pub(super) fn read(&self, path: &Path, limit: u64) -> Option<Vec<u8>> {
        let (file, len) = self.open_file(path)?;
        let mut content = Vec::new();
        (len <= limit && file.take(limit).read_to_end(&mut content).is_ok()).then_some(content)
    }

    fn hash_file(&self, format: Format, path: &Path) -> Option<String> {
        let (file, len) = self.open_file(path)?;
        if len > HASHED {
            let modified = file.metadata().ok()?.modified().ok()?.into_std();
            let modified = Timestamp::try_from(modified).ok()?;
            return Some(format!("size:{len},mtime:{modified}"));
        }
        hash::blob(format, file, len, None).ok()?
    }

    fn commit(&self, path: &Path) -> Option<String> {
        let folder = self.root.join(path);
        let git_dir = layout::git_dir(&folder)?;
        if git_dir.own == folder || git_dir.fault().is_some() {
            return None;
        }
        if let Some(commit) = git_dir.head() {
            return Some(commit);
        }
        let surroundings = self.surroundings.as_ref()?;
        let mut git = Git::new(&folder, surroundings, Deadline::after(QUICK))?;
        git.stay();
        let answer = git
            .run(&["rev-parse", "-q", "--verify", "HEAD^{commit}"])
            .ok()?;
        let id = String::from_utf8_lossy(&answer.output);
        (answer.status == Some(0)).then(|| id.trim_end().to_owned())
    }
}

/// Whether its owner may execute a file; never on systems that do not keep that.
#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    use cap_std::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    false
}

//! The files below a root, with or without a repository.

use std::cell::RefCell;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use anyhow::Context;
use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use jiff::Timestamp;

use super::hash::{self, Format};
use super::names;

/// Bytes up to which a file's content is hashed, so that one file costs at most about a tenth of a second.
const HASHED: u64 = 64 * 1024 * 1024;
/// Files, at least, that a thread is worth starting for to ask for their times.
const SHARE: usize = 2000;
/// Times that a file which shrinks while it is read is read again.
const ATTEMPTS: usize = 3;

/// Files of the project by path relative to its root, in the text form of [`crate::checkpoint::path`].
///
/// Links are followed inside the root, never out of it, and never as the last part of a path.
pub(crate) struct Worktree {
    dir: Dir,
    /// The format of hashes that no earlier one decides.
    format: Format,
    of_directory: Arc<OfDirectory>,
    /// The folder whose files were last asked for, for the next is mostly in the same.
    last: RefCell<Option<(PathBuf, Dir)>>,
}

/// Tells what stands for a directory, given by its path from the root.
type OfDirectory = dyn Fn(&Path) -> Option<String> + Send + Sync;

/// What was found of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// There is nothing.
    Missing,
    /// A file of more bytes than were wanted.
    Large,
    /// Anything but a file.
    Other,
    Bytes(Vec<u8>),
}

impl Worktree {
    pub(crate) fn open(root: &Path) -> anyhow::Result<Self> {
        let dir = Dir::open_ambient_dir(root, ambient_authority())
            .with_context(|| format!("could not open `{}`", root.display()))?;
        Ok(Self {
            dir,
            format: Format::default(),
            of_directory: Arc::new(|_| None),
            last: RefCell::default(),
        })
    }

    /// The same with hashes in another format, and with what stands for a directory, given by its path from the root.
    pub(crate) fn with(
        self,
        format: Format,
        of_directory: impl Fn(&Path) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            format,
            of_directory: Arc::new(of_directory),
            ..self
        }
    }

    /// The same files through a handle of its own.
    pub(super) fn another(&self) -> anyhow::Result<Self> {
        Ok(Self {
            dir: self.dir.try_clone()?,
            format: self.format,
            of_directory: Arc::clone(&self.of_directory),
            last: RefCell::default(),
        })
    }

    /// A path's state now: the git blob id of a file's raw bytes or of a link's target, and for a directory what
    /// [`Worktree::with`] was told.
    ///
    /// None where nothing is there, it is anything else, or it cannot be read. For a file over 64 MiB a
    /// text made of its size and modification time stands in, `size:N,mtime:RFC3339`: it is no hash, but it
    /// too differs when the file was written to.
    ///
    /// An earlier hash of it decides in which format.
    pub(crate) fn hash(&self, path: &str, earlier: Option<&str>) -> Option<String> {
        let format = earlier.map_or(self.format, Format::of);
        let path = names::to_path(path)?;
        let metadata = self.metadata(&path)?;
        if metadata.is_file() {
            (0..ATTEMPTS).find_map(|_| self.hash_file(format, &path))
        } else if metadata.is_symlink() {
            Some(format.blob(&self.link_target(&path)?))
        } else if metadata.is_dir() {
            (self.of_directory)(&path)
        } else {
            None
        }
    }

    /// What a path holds now: a file's bytes, or what a link says; no file of more than `limit` bytes is read.
    pub(crate) fn content(&self, path: &str, limit: u64) -> Found {
        let path = names::to_path(path);
        let there = path.and_then(|path| Some((self.metadata(&path)?, path)));
        let bytes = match there {
            None => return Found::Missing,
            Some((it, path)) if it.is_file() => match self.open_file(&path) {
                Some((_, metadata)) if metadata.len() > limit => return Found::Large,
                Some((file, _)) => {
                    let mut bytes = Vec::new();
                    let read = file.take(limit).read_to_end(&mut bytes);
                    read.is_ok().then_some(bytes)
                }
                None => None,
            },
            Some((it, path)) if it.is_symlink() => self.link_target(&path),
            Some(_) => None,
        };
        bytes.map_or(Found::Other, Found::Bytes)
    }

    /// When the file, link or directory itself was last modified.
    pub(crate) fn modified(&self, path: &str) -> Option<Timestamp> {
        modified(&self.metadata(&names::to_path(path)?)?)
    }

    /// When each of some files was last modified, as [`Worktree::modified`] has it; `path` says which file one is.
    pub(crate) fn times<T: Sync>(
        &self,
        files: &[T],
        path: fn(&T) -> &str,
    ) -> Vec<Option<Timestamp>> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let share = files.len().div_ceil(cores).max(SHARE);
        thread::scope(|scope| {
            let shares: Vec<_> = files
                .chunks(share)
                .map(|share| {
                    let worktree = self.another();
                    scope.spawn(move || {
                        let modified = |it| worktree.as_ref().ok()?.modified(path(it));
                        share.iter().map(modified).collect::<Vec<_>>()
                    })
                })
                .collect();
            let times = shares.into_iter().map(|it| it.join().unwrap_or_default());
            times.flatten().collect()
        })
    }

    /// Of what stands at a path itself; None where there is nothing.
    pub(crate) fn metadata(&self, path: &Path) -> Option<Metadata> {
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

    /// Whether a path leads through a symbolic link.
    pub(crate) fn is_beyond_link(&self, path: &Path) -> bool {
        let mut folders = path.ancestors().skip(1);
        folders.any(|folder| self.metadata(folder).is_some_and(|it| it.is_symlink()))
    }

    /// What a symbolic link holds; None where there is none.
    pub(crate) fn link_target(&self, path: &Path) -> Option<Vec<u8>> {
        names::bytes_of(&self.dir.read_link_contents(path).ok()?)
    }

    /// A regular file; opening never waits, whatever took the file's place meanwhile.
    pub(crate) fn open_file(&self, path: &Path) -> Option<(File, Metadata)> {
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = self.dir.open_with(path, &options).ok()?;
        let metadata = file.metadata().ok()?;
        metadata.is_file().then_some((file, metadata))
    }

    fn hash_file(&self, format: Format, path: &Path) -> Option<String> {
        let (file, metadata) = self.open_file(path)?;
        let len = metadata.len();
        if len > HASHED {
            return Some(format!("size:{len},mtime:{}", modified(&metadata)?));
        }
        hash::blob(format, file, len, None).ok()?
    }
}

/// When what it describes was last modified; None where the system does not say.
pub(crate) fn modified(metadata: &Metadata) -> Option<Timestamp> {
    Timestamp::try_from(metadata.modified().ok()?.into_std()).ok()
}

/// Whether its owner may execute a file; never on systems that do not keep that.
#[cfg(unix)]
pub(crate) fn is_executable(metadata: &Metadata) -> bool {
    use cap_std::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
pub(crate) fn is_executable(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::time::{Duration, SystemTime};

    #[test]
    fn what_is_no_file_has_no_hash() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        fs::create_dir_all(root.join("folder")).unwrap();
        fs::write(root.join("folder/file"), "").unwrap();
        fs::write(folder.path().join("outside"), "secret").unwrap();
        let worktree = Worktree::open(&root).unwrap();
        let absolute = root.join("folder/file");
        for path in [
            "",
            ".",
            "absent",
            "folder",
            "folder/file/x",
            "../outside",
            "a\0b",
            absolute.to_str().unwrap(),
        ] {
            assert_eq!(worktree.hash(path, None), None, "{path}");
        }
    }

    #[test]
    fn a_directory_is_told_by_what_was_said_of_it_through_every_handle() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/b")).unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let worktree = Worktree::open(folder.path()).unwrap();
        let said = |path: &Path| Some(path.to_str()?.replace('\\', "/"));
        let worktree = worktree.with(Format::Sha256, said).another().unwrap();
        assert_eq!(worktree.hash("a/b", None).as_deref(), Some("a/b"));
        assert_eq!(worktree.hash("file", None).map(|it| it.len()), Some(64));
        assert_eq!(worktree.hash("absent", None), None);
    }

    #[test]
    fn a_file_over_the_bound_is_told_by_size_and_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = fs::File::create(folder.path().join("huge")).unwrap();
        file.set_len(65 * 1024 * 1024).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        file.set_modified(time).unwrap();
        let worktree = Worktree::open(folder.path()).unwrap();
        assert_eq!(
            worktree.hash("huge", None).as_deref(),
            Some("size:68157440,mtime:2023-11-14T22:13:20Z")
        );
        let modified = worktree.modified("huge").map(|time| time.to_string());
        assert_eq!(modified.as_deref(), Some("2023-11-14T22:13:20Z"));
        assert_eq!(worktree.modified("absent"), None);
    }

    #[test]
    fn the_content_of_a_file_is_told_up_to_a_limit() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("folder")).unwrap();
        fs::write(folder.path().join("file"), "1234").unwrap();
        let worktree = Worktree::open(folder.path()).unwrap();
        let found = |path, limit| worktree.content(path, limit);
        assert_eq!(found("file", 4), Found::Bytes(b"1234".to_vec()));
        assert_eq!(found("file", 3), Found::Large);
        assert_eq!(found("folder", 4), Found::Other);
        assert_eq!(found("absent", 4), Found::Missing);
        assert_eq!(found("", 4), Found::Missing);
    }

    #[cfg(unix)]
    #[test]
    fn a_fifo_has_no_hash_and_blocks_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut made = std::process::Command::new("mkfifo");
        let made = made.arg(folder.path().join("pipe")).status();
        assert!(made.unwrap().success());
        let worktree = Worktree::open(folder.path()).unwrap();
        assert_eq!(worktree.hash("pipe", None), None);
    }
}

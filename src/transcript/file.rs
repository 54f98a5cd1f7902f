//! Opening files that others own: regular ones alone, and without waiting for anybody.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io::{BufRead as _, BufReader, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use jiff::Timestamp;

use super::backwards;

/// A file of a folder; its name is looked up in that folder and nowhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) folder: PathBuf,
    pub(super) name: String,
    pub(super) modified: Timestamp,
}

impl Found {
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// The file of a path that a person names.
    pub(super) fn at(path: &Path) -> Option<Self> {
        let folder = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let name = path.file_name()?.to_str()?.to_owned();
        let metadata = path.symlink_metadata().ok()?;
        let modified = Timestamp::try_from(metadata.modified().ok()?).ok()?;
        let found = Self {
            folder: folder.to_owned(),
            name,
            modified,
        };
        metadata.is_file().then_some(found)
    }

    /// The file and its length; None where it is gone or not a regular file.
    fn open(&self) -> Option<(File, u64)> {
        let dir = Dir::open_ambient_dir(&self.folder, ambient_authority()).ok()?;
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true).follow(FollowSymlinks::No);
        let file = dir.open_with(&self.name, &options).ok()?;
        let metadata = file.metadata().ok()?;
        metadata.is_file().then_some((file, metadata.len()))
    }

    /// Bytes; 0 where it is gone or not a regular file.
    pub(super) fn length(&self) -> u64 {
        self.open().map_or(0, |(_, length)| length)
    }

    /// Hands out the lines of the file's last bytes, the last line first, until told to break.
    pub(super) fn backwards(&self, bytes: u64, visit: impl FnMut(&[u8]) -> ControlFlow<()>) {
        if let Some((file, length)) = self.open() {
            // What could be read before a fault still counts.
            let _ = backwards::lines(file, length, bytes, visit);
        }
    }

    /// Hands out the lines of the file's first bytes, until told to break.
    pub(super) fn forwards(&self, bytes: u64, mut visit: impl FnMut(&[u8]) -> ControlFlow<()>) {
        let Some((file, _)) = self.open() else { return };
        let mut lines = BufReader::new(file.take(bytes));
        let mut line = Vec::new();
        while lines
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            if visit(line.trim_ascii_end()).is_break() {
                return;
            }
            line.clear();
        }
    }
}

/// The regular files of a folder that `accepts` takes by their names, the last written first.
pub(super) fn listed(folder: &Path, accepts: impl Fn(&str) -> bool) -> Vec<Found> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<Found> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let name = name.to_str().filter(|name| accepts(name))?;
            // Of a link it is the link's own, which is not a file's.
            let metadata = entry.metadata().ok()?;
            let modified = Timestamp::try_from(metadata.modified().ok()?).ok()?;
            let found = || Found {
                folder: folder.to_owned(),
                name: name.to_owned(),
                modified,
            };
            metadata.is_file().then(found)
        })
        .collect();
    files.sort_by(|a, b| {
        b.modified
            .cmp(&a.modified)
            .then_with(|| a.name.cmp(&b.name))
    });
    files
}

/// The last written of a folder's regular files that `accepts` takes by their names; each is looked at once, for
/// this runs at every session's start.
pub(super) fn latest(folder: &Path, accepts: impl Fn(&str) -> bool) -> Option<Found> {
    let mut latest: Option<(SystemTime, OsString)> = None;
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let name = entry.file_name();
        if !name.to_str().is_some_and(&accepts) {
            continue;
        }
        let metadata = entry.metadata().ok().filter(Metadata::is_file);
        let modified = metadata.and_then(|metadata| metadata.modified().ok());
        let is_later = |modified: &SystemTime| latest.as_ref().is_none_or(|(at, _)| modified > at);
        latest = match modified.filter(is_later) {
            Some(modified) => Some((modified, name)),
            None => latest,
        };
    }
    let (modified, name) = latest?;
    Some(Found {
        folder: folder.to_owned(),
        name: name.into_string().ok()?,
        modified: Timestamp::try_from(modified).ok()?,
    })
}

/// The names of a folder's folders, in descending order.
pub(super) fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort_by(|a, b| b.cmp(a));
    names
}

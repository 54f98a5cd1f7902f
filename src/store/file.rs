//! One directory's files and folders: bounded reads, atomic replacement, links refused.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::fs::{Dir, DirBuilder, File, Metadata, OpenOptions};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::names::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};
use crate::error::{failure, hint_of};

/// Bytes that a read takes at the most; no writer of the format makes files of a sixteenth of it.
const READ_LIMIT: u64 = 1 << 20;

/// How old a temporary file must be to count as left behind. Saves hold theirs for milliseconds, and under the
/// lock; the age is for file systems that have no locks.
pub(super) const STALE: SignedDuration = SignedDuration::from_hours(1);

/// What a file held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// Whether it belongs to another user; never where the system does not say.
    pub(super) is_foreign: bool,
    /// When it was written; None where the system does not say.
    pub(super) modified: Option<Timestamp>,
}

/// Why a file is not read or not replaced.
#[derive(Debug)]
pub(super) enum Refusal {
    Link,
    Special,
    TooLarge,
    /// The system does not let us.
    Unreadable(io::Error),
}

impl Refusal {
    /// It as what follows the file's name in a sentence.
    pub(super) fn predicate(&self) -> String {
        match self {
            Self::Link => "is a symbolic link, which is refused".to_owned(),
            Self::Special => "is not a regular file, which is refused".to_owned(),
            Self::TooLarge => {
                format!("is larger than {READ_LIMIT} bytes, so it is not a checkpoint")
            }
            Self::Unreadable(error) => format!("cannot be read: {error}"),
        }
    }
}

/// It as a cause, after what could not be done with the file.
impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            refused => write!(f, "it {}", refused.predicate()),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// A file's bytes; None where there is no such file. As [`read_content`].
pub(super) fn read(dir: &Dir, name: &str) -> Result<Option<Vec<u8>>, Refusal> {
    Ok(read_content(dir, name)?.map(|content| content.bytes))
}

/// A file's content; None where there is no such file.
///
/// Anything but a regular file is refused, and symbolic links are not followed (docs/contract.md, section 4).
pub(super) fn read_content(dir: &Dir, name: &str) -> Result<Option<Content>, Refusal> {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true).follow(FollowSymlinks::No);
    let file = match dir.open_with(name, &options) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            refuse_special(dir, name)?;
            return Err(error.into());
        }
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(Refusal::Special);
    }
    // Room to see the end of the file in the same buffer, which spares most of the calls.
    let expected = metadata.len().min(READ_LIMIT) as usize;
    let mut bytes = Vec::with_capacity(expected + 64);
    file.take(READ_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > READ_LIMIT {
        return Err(Refusal::TooLarge);
    }
    Ok(Some(Content {
        bytes,
        is_foreign: is_foreign(&metadata),
        modified: modified(&metadata),
    }))
}

#[cfg(unix)]
fn is_foreign(metadata: &Metadata) -> bool {
    use cap_std::fs::MetadataExt as _;
    metadata.uid() != rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_foreign(_metadata: &Metadata) -> bool {
    false
}

/// Fails where `name` is there and is not a regular file.
pub(super) fn refuse_special(dir: &Dir, name: &str) -> Result<(), Refusal> {
    match dir.symlink_metadata(name) {
        Ok(metadata) if metadata.is_symlink() => Err(Refusal::Link),
        Ok(metadata) if !metadata.is_file() => Err(Refusal::Special),
        _ => Ok(()),
    }
}

/// Whether a name is one that [`Replacement`] gives to a temporary file.
pub(super) fn is_temporary(name: &str) -> bool {
    name.strip_prefix(TEMPORARY_PREFIX)
        .and_then(|rest| rest.strip_suffix(TEMPORARY_SUFFIX))
        .is_some_and(|id| Uuid::try_parse(id).is_ok())
}

/// A new file, mode 0600, to be written; an error where there is something of that name.
pub(super) fn create(dir: &Dir, name: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options
        .write(true)
        .create_new(true)
        .follow(FollowSymlinks::No);
    owner_only(&mut options);
    dir.open_with(name, &options)
}

/// Replaces a file by one that is written and synced; the directory is not synced.
pub(super) fn replace(dir: &Dir, name: &str, bytes: &[u8]) -> io::Result<()> {
    Replacement::write(dir, name, bytes)?.sync()?.place()
}

/// A written and synced file that has not yet taken its name's place; removed if it never does.
pub(super) struct Replacement<'a> {
    dir: &'a Dir,
    temporary: String,
    name: &'a str,
    placed: bool,
}

/// One that is written, but might not outlast a power cut yet.
///
/// Where there are several, syncing the first costs the others little once they are written, too.
pub(super) struct Unsynced<'a> {
    file: std::fs::File,
    replacement: Replacement<'a>,
}

impl<'a> Unsynced<'a> {
    /// Has it written at another time, by which a session's start tells how old a checkpoint is. A file system that
    /// keeps no such time loses only that.
    pub(super) fn written_at(self, at: Option<Timestamp>) -> Self {
        if let Some(at) = at.and_then(|at| SystemTime::try_from(at).ok()) {
            let _ = self.file.set_modified(at);
        }
        self
    }

    pub(super) fn sync(self) -> io::Result<Replacement<'a>> {
        self.file.sync_all()?;
        Ok(self.replacement)
    }
}

impl<'a> Replacement<'a> {
    pub(super) fn write(dir: &'a Dir, name: &'a str, bytes: &[u8]) -> io::Result<Unsynced<'a>> {
        let temporary = format!("{TEMPORARY_PREFIX}{}{TEMPORARY_SUFFIX}", Uuid::new_v4());
        let mut file = create(dir, &temporary)?;
        let replacement = Self {
            dir,
            temporary,
            name,
            placed: false,
        };
        file.write_all(bytes)?;
        let file = file.into_std();
        Ok(Unsynced { file, replacement })
    }

    pub(super) fn place(mut self) -> io::Result<()> {
        self.dir.rename(&self.temporary, self.dir, self.name)?;
        self.placed = true;
        Ok(())
    }
}

impl Drop for Replacement<'_> {
    fn drop(&mut self) {
        if !self.placed {
            // A leftover is harmless: it is ignored by every command, and `ckpt prune` removes it.
            let _ = self.dir.remove_file(&self.temporary);
        }
    }
}

/// Makes renames last through a power cut. Windows has no such call and keeps them by itself.
pub(super) fn sync_directory(dir: &Dir) -> io::Result<()> {
    if cfg!(unix) {
        // Opened anew: the handle of a directory may be one that only names it (open(2), O_PATH).
        dir.open(".")?.sync_all()?;
    }
    Ok(())
}

#[cfg(unix)]
pub(super) fn owner_only(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt as _;
    options.mode(0o600);
}

#[cfg(not(unix))]
pub(super) fn owner_only(_options: &mut OpenOptions) {}

/// A directory; None where there is none. A symbolic link is refused. `shown` is its path in messages.
pub(super) fn open_directory(
    parent: &Dir,
    name: &str,
    shown: &Path,
) -> anyhow::Result<Option<Dir>> {
    match parent.open_dir_nofollow(name) {
        Ok(dir) => Ok(Some(dir)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let why = match parent.symlink_metadata(name) {
                Ok(metadata) if metadata.is_symlink() => {
                    "it is a symbolic link, which is refused".to_owned()
                }
                Ok(metadata) if !metadata.is_dir() => "it is not a directory".to_owned(),
                _ => error.to_string(),
            };
            bail!(failure(
                format!("cannot use `{}`: {why}", shown.display()),
                "move it away; ckpt makes a directory of that name",
            ))
        }
    }
}

/// A directory, made where there is none, mode 0700, and whether it was made.
pub(super) fn create_directory(
    parent: &Dir,
    name: &str,
    shown: &Path,
) -> anyhow::Result<(Dir, bool)> {
    if let Some(dir) = open_directory(parent, name, shown)? {
        return Ok((dir, false));
    }
    let made = match parent.create_dir_with(name, &owner_only_directory()) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
        Err(error) => {
            let hint = "checkpoints are kept in the project's own folder, which has to be writable";
            return Err(failure(
                format!("could not create `{}`: {error}", shown.display()),
                hint_of(&error).unwrap_or(hint),
            ));
        }
    };
    let dir = open_directory(parent, name, shown)?;
    let dir = dir.with_context(|| format!("the directory `{}` vanished", shown.display()))?;
    Ok((dir, made))
}

#[cfg(unix)]
fn owner_only_directory() -> DirBuilder {
    use cap_std::fs::DirBuilderExt as _;
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

#[cfg(not(unix))]
fn owner_only_directory() -> DirBuilder {
    DirBuilder::new()
}

/// When a file was written last; None where the system does not say.
pub(super) fn modified(metadata: &Metadata) -> Option<Timestamp> {
    Timestamp::try_from(metadata.modified().ok()?.into_std()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_refuses_makes_a_sentence() {
        let refusal = Refusal::from(io::Error::from(io::ErrorKind::PermissionDenied));
        assert_eq!(refusal.predicate(), "cannot be read: permission denied");
        assert_eq!(refusal.to_string(), "permission denied");
        assert_eq!(
            Refusal::Link.to_string(),
            "it is a symbolic link, which is refused"
        );
    }
}

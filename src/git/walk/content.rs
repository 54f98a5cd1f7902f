//! The content of a file that nothing converts, against what the index has.

use std::ffi::CStr;
use std::fs::File;
use std::os::fd::OwnedFd;

use git2::Oid;
use rustix::fs::{Mode, OFlags, openat};

use crate::git::hash;
use crate::git::index::Entry;

/// Whether a file's content is the one that the index has; None where it cannot be read.
pub(super) fn is_same(dir: &OwnedFd, name: &CStr, entry: &Entry<'_>) -> Option<bool> {
    // Opening never waits, whatever took the file's place.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(dir, name, flags, Mode::empty()).ok()?);
    let metadata = file.metadata().ok().filter(|metadata| metadata.is_file())?;
    let id = hash::blob(file, metadata.len()).ok()??;
    Some(id == Oid::from_bytes(entry.id()).ok()?.to_string())
}

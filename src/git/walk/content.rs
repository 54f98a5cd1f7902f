//! The content of a file that nothing converts, against what the index has.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;

use git2::Oid;
use rustix::fs::{Mode, OFlags, openat};

use crate::git::hash;
use crate::git::index::Entry;

/// Whether a file's content is the one that the index has; None where it cannot be read, or has line ends that may be
/// converted.
pub(super) fn is_same(
    dir: &OwnedFd,
    name: &CStr,
    entry: &Entry<'_>,
    line_ends: bool,
) -> Option<bool> {
    // Opening never waits, whatever took the file's place.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(dir, name, flags, Mode::empty()).ok()?);
    let metadata = file.metadata().ok().filter(|metadata| metadata.is_file())?;
    let id = match line_ends {
        true => hash::blob(Unconverted(file), metadata.len()),
        false => hash::blob(file, metadata.len()),
    };
    Some(id.ok()?? == Oid::from_bytes(entry.id()).ok()?.to_string())
}

/// Fails at the first carriage return: without any, git stores a file's line ends as they are.
struct Unconverted<R>(R);

impl<R: Read> Read for Unconverted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        match memchr::memchr(b'\r', &buffer[..read]) {
            Some(_) => Err(io::ErrorKind::InvalidData.into()),
            None => Ok(read),
        }
    }
}

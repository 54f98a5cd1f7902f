//! When a file counts as unchanged without a look at its content, as git-update-index(1) tells.

use jiff::Timestamp;
use rustix::fs::{FileType, Stat};

use crate::git::index::{Entry, Time};

/// What of an entry's stat data counts (git-config(1)).
#[derive(Debug, Clone, Copy)]
pub(in crate::git) struct Trust {
    /// `core.trustctime`
    pub(in crate::git) ctime: bool,
    /// `core.checkStat` is not `minimal`.
    pub(in crate::git) owner: bool,
    /// `core.fileMode`
    pub(in crate::git) mode: bool,
    /// Whether files that a sparse checkout leaves out are looked at where they are there all the same.
    pub(in crate::git) skipped: bool,
}

impl Trust {
    /// Whether a file's stat data are those of an index, and so much older than it that they can be relied upon.
    pub(super) fn is_untouched(&self, entry: &Entry<'_>, stat: &Stat, written: Time) -> bool {
        let time = |seconds, nanoseconds| Time {
            seconds: seconds as u32,
            nanoseconds: nanoseconds as u32,
        };
        let mtime = entry.mtime();
        [size(stat), stat.st_size as u32].contains(&entry.size())
            && same(mtime, time(stat.st_mtime, stat.st_mtime_nsec))
            && (!self.ctime || same(entry.ctime(), time(stat.st_ctime, stat.st_ctime_nsec)))
            && (!self.owner || entry.owner() == [stat.st_ino as u32, stat.st_uid, stat.st_gid])
            && self.has_mode(entry.mode(), stat.st_mode)
            && is_before(mtime, written)
    }

    /// Whether a file can differ from an entry in its content alone.
    pub(super) fn is_plain(&self, entry: &Entry<'_>, stat: &Stat) -> bool {
        FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
            && self.has_mode(entry.mode(), stat.st_mode)
            && !entry.is_extended()
    }

    fn has_mode(&self, indexed: u32, mode: u32) -> bool {
        let kind = FileType::from_raw_mode(mode);
        kind == FileType::from_raw_mode(indexed)
            && (kind != FileType::RegularFile
                || !self.mode
                || (mode & 0o100 != 0) == (indexed & 0o100 != 0))
    }
}

/// Whether a file that nothing converts differs for its length alone; an entry of no length is one that git wants to
/// look at.
pub(super) fn is_resized(entry: &Entry<'_>, stat: &Stat) -> bool {
    entry.size() != 0 && entry.size() != size(stat)
}

/// When a file was last modified; None for a time that no calendar has.
pub(super) fn modified(stat: &Stat) -> Option<Timestamp> {
    Timestamp::new(stat.st_mtime, i32::try_from(stat.st_mtime_nsec).ok()?).ok()
}

/// A file's length as the index keeps it: modulo 2^32, but by newer versions of git never as the 0 that stands for a
/// length that nobody knows.
fn size(stat: &Stat) -> u32 {
    match stat.st_size as u32 {
        0 if stat.st_size != 0 => 1 << 31,
        size => size,
    }
}

fn same(indexed: Time, now: Time) -> bool {
    indexed.seconds == now.seconds
        && (indexed.nanoseconds == now.nanoseconds || indexed.nanoseconds == 0)
}

/// Whether a file was last written before the index was, so that a later write shows in its time
/// (git's Documentation/technical/racy-git).
fn is_before(mtime: Time, index: Time) -> bool {
    mtime.seconds < index.seconds
        || mtime.seconds == index.seconds
            && mtime.nanoseconds != 0
            && mtime.nanoseconds < index.nanoseconds
}

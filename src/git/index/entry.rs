//! One entry of the index.

use git2::{FileMode, IndexEntry, IndexTime, Oid};

use super::{FIXED, word};

/// "Assume unchanged" among an entry's flags.
const ASSUME_VALID: u16 = 0x8000;
/// "Skip worktree" among its extended flags.
const SKIP_WORKTREE: u16 = 0x4000;
const STAGE: u16 = 0x3000;

/// A time as the index keeps it: seconds modulo 2^32 and nanoseconds, which are 0 where nobody noted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::git) struct Time {
    pub(in crate::git) seconds: u32,
    pub(in crate::git) nanoseconds: u32,
}

/// One entry, decoded where it is asked.
#[derive(Debug, Clone, Copy)]
pub(in crate::git) struct Entry<'a> {
    pub(super) fixed: &'a [u8; FIXED],
    pub(in crate::git) path: &'a [u8],
    pub(super) flags: u16,
    pub(super) extended: u16,
}

impl Entry<'_> {
    /// 0, or the side of a conflict.
    pub(in crate::git) fn stage(&self) -> u16 {
        self.flags & STAGE
    }

    pub(in crate::git) fn mode(&self) -> u32 {
        self.word(24)
    }

    pub(in crate::git) fn is_gitlink(&self) -> bool {
        self.mode() == u32::from(FileMode::Commit)
    }

    /// The length modulo 2^32; 0 also where git wants the content compared.
    pub(in crate::git) fn size(&self) -> u32 {
        self.word(36)
    }

    pub(in crate::git) fn ctime(&self) -> Time {
        Time {
            seconds: self.word(0),
            nanoseconds: self.word(4),
        }
    }

    pub(in crate::git) fn mtime(&self) -> Time {
        Time {
            seconds: self.word(8),
            nanoseconds: self.word(12),
        }
    }

    /// Inode, user and group, each modulo 2^32.
    pub(in crate::git) fn owner(&self) -> [u32; 3] {
        [self.word(20), self.word(28), self.word(32)]
    }

    pub(in crate::git) fn id(&self) -> &[u8] {
        &self.fixed[40..]
    }

    /// Whether git takes the file for unchanged without a look.
    pub(in crate::git) fn is_assumed(&self) -> bool {
        self.flags & ASSUME_VALID != 0
    }

    /// Whether anything more is known of it, such as that it is only meant to be added.
    pub(in crate::git) fn is_extended(&self) -> bool {
        self.extended != 0
    }

    /// Whether a sparse checkout leaves the file out.
    pub(in crate::git) fn is_skipped(&self) -> bool {
        self.extended & SKIP_WORKTREE != 0
    }

    /// The entry for libgit2, as one that no sparse checkout leaves out where it is `expected`; it then has
    /// an owner that no file has, so that libgit2 compares contents. It is assumed to be unchanged in no case, for
    /// then libgit2 would compare it with no tree either.
    pub(in crate::git) fn to_git2(self, expected: bool) -> Result<IndexEntry, git2::Error> {
        let time = |time: Time| IndexTime::new(time.seconds as i32, time.nanoseconds);
        let [ino, uid, gid] = self.owner();
        Ok(IndexEntry {
            ctime: time(self.ctime()),
            mtime: time(self.mtime()),
            dev: self.word(16),
            ino,
            mode: self.mode(),
            uid: if expected { !uid } else { uid },
            gid,
            file_size: self.size(),
            id: Oid::from_bytes(self.id())?,
            flags: self.flags & !ASSUME_VALID,
            flags_extended: if expected {
                self.extended & !SKIP_WORKTREE
            } else {
                self.extended
            },
            path: self.path.to_vec(),
        })
    }

    fn word(&self, at: usize) -> u32 {
        word(self.fixed, at).unwrap_or_default()
    }
}

//! What is told of a repository.

use crate::checkpoint::format::FileStatus;
use crate::checkpoint::path;

/// A path that differs, relative to the project root, in the text form of [`crate::checkpoint::path`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: String,
    pub(crate) status: FileStatus,
}

/// Every path that differs, as far as that can be known.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Once each, sorted by path.
    pub(crate) list: Vec<Change>,
    /// The submodules of which it is not known whether they differ.
    pub(crate) unread: Vec<Unread>,
}

/// Paths as git's bytes, relative to the project root.
pub(super) type Statuses = Vec<(Vec<u8>, FileStatus)>;

impl Changes {
    /// Of a path that is named twice, what is untracked again counts, and not that it is deleted.
    pub(super) fn new(statuses: Statuses, unread: Vec<Unread>) -> Self {
        let changes = statuses.into_iter().map(|(path, status)| Change {
            path: path::from_bytes(path),
            status,
        });
        let mut list: Vec<Change> = changes.collect();
        list.sort_by(|a, b| a.path.cmp(&b.path));
        list.dedup_by(|later, earlier| {
            let is_same = later.path == earlier.path;
            if is_same && later.status != FileStatus::Deleted {
                earlier.status = later.status.clone();
            }
            is_same
        });
        Self { list, unread }
    }
}

/// A submodule that could not be looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unread {
    /// Relative to the project root, like that of a [`Change`].
    pub(crate) path: String,
    pub(crate) why: String,
}

/// What the working tree is compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Base<'a> {
    /// A commit id in hexadecimal.
    Commit(&'a str),
    /// No files at all, as before the first commit.
    Empty,
}

//! A path's one status out of its two, in the index and in the working tree.

use jiff::Timestamp;

use crate::checkpoint::format::FileStatus;

/// Paths as git's bytes, relative to the project root, once each.
pub(super) type Statuses = Vec<Status>;

/// What is uncommitted at a path.
#[derive(Debug)]
pub(super) struct Status {
    pub(super) path: Vec<u8>,
    pub(super) status: FileStatus,
    /// When it was last modified, where that was seen on the way.
    pub(super) modified: Option<Timestamp>,
}

impl Status {
    pub(super) fn new(path: Vec<u8>, status: FileStatus) -> Self {
        Self {
            path,
            status,
            modified: None,
        }
    }

    #[cfg(target_os = "linux")]
    pub(super) fn untracked(path: Vec<u8>, modified: Option<Timestamp>) -> Self {
        Self {
            modified,
            ..Self::new(path, FileStatus::Untracked)
        }
    }
}

/// How the index differs from a tree at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Staged {
    Added,
    Modified,
    Deleted,
    Renamed,
    Conflicted,
}

/// How the working tree differs from the index at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Modified,
    Deleted,
    Untracked,
    Conflicted,
    /// Modified in its content, with nothing that converts it.
    Rewritten,
    /// A file became a repository, which is both gone and a new, untracked thing.
    Replaced,
}

/// What is on disk decides over what is staged: a file that is gone is deleted, whatever the index has, and
/// one that was only taken out of the index is untracked. A new file stays added when it is edited again.
pub(super) fn combined(staged: Option<Staged>, found: Option<Found>) -> FileStatus {
    match (staged, found) {
        (Some(Staged::Conflicted), _) | (_, Some(Found::Conflicted)) => FileStatus::Unmerged,
        (_, Some(Found::Untracked)) => FileStatus::Untracked,
        (_, Some(Found::Deleted)) | (Some(Staged::Deleted), _) => FileStatus::Deleted,
        (Some(Staged::Added), _) => FileStatus::Added,
        (Some(Staged::Renamed), _) => FileStatus::Renamed,
        _ => FileStatus::Modified,
    }
}

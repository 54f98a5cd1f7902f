//! The status of a submodule, by what is compared and by how it stands.

use crate::checkpoint::format::FileStatus;
use crate::git::facts::Statuses;

/// What was found without a look into submodules.
pub(in crate::git) struct Listing {
    pub(in crate::git) statuses: Statuses,
    pub(in crate::git) links: Vec<Link>,
}

/// A submodule that is still to be looked into.
pub(in crate::git) struct Link {
    /// Relative to the project root.
    pub(in crate::git) path: Vec<u8>,
    /// The commit at which it is no change, in hexadecimal; None where it is one at any.
    pub(in crate::git) id: Option<String>,
    /// Its status as the index has it.
    indexed: Option<FileStatus>,
    /// Its status where nothing is there.
    gone: Option<FileStatus>,
}

/// What the older side of a comparison has at a submodule's path.
pub(in crate::git) enum Older {
    Nothing,
    /// A file or a link.
    Other,
    /// A submodule at this commit.
    Submodule(String),
}

/// How a submodule stands in the working tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::git) enum Checkout {
    Gone,
    /// At the commit, with nothing uncommitted.
    Same,
    Different,
    /// There is nothing to look into, or it must not or cannot be.
    Unknown,
}

impl Link {
    /// One that the index has at the commit `id`, given how that differs from HEAD.
    pub(in crate::git) fn uncommitted(
        path: Vec<u8>,
        id: String,
        staged: Option<FileStatus>,
    ) -> Self {
        Self {
            path,
            id: staged.is_none().then_some(id),
            indexed: staged,
            gone: Some(FileStatus::Deleted),
        }
    }

    /// One that is compared with an older side, given how the index differs from that.
    pub(in crate::git) fn since(path: Vec<u8>, older: Older, indexed: Option<FileStatus>) -> Self {
        let (id, gone) = match older {
            Older::Nothing => (None, None),
            Older::Other => (None, Some(FileStatus::Deleted)),
            Older::Submodule(id) => (Some(id), Some(FileStatus::Deleted)),
        };
        Self {
            path,
            id,
            indexed,
            gone,
        }
    }

    /// The same, or one that is as the index has it, however it stands, where git does not look at that.
    pub(in crate::git) fn unless_unseen(self, unseen: bool) -> Self {
        match unseen {
            true => Self {
                id: None,
                gone: self.indexed.clone(),
                ..self
            },
            false => self,
        }
    }

    /// What it is told as; None where it is no change.
    pub(in crate::git) fn status(self, checkout: Checkout) -> Option<(Vec<u8>, FileStatus)> {
        let status = match checkout {
            Checkout::Gone => self.gone,
            Checkout::Same => None,
            Checkout::Different if self.id.is_some() => Some(FileStatus::Modified),
            Checkout::Different | Checkout::Unknown => self.indexed,
        };
        Some((self.path, status?))
    }
}

//! The survey of a project, with which every command begins that asks what its files and its repository hold.

use std::time::Duration;

use super::Context;
use crate::env::Deadline;
use crate::git::{self, Opened, Repository, Worktree};

/// How long a scan of the repository may take (SPEC section 7).
const SCAN_TIME: Duration = Duration::from_secs(3);

pub(super) struct Survey {
    pub(super) worktree: Worktree,
    /// None outside a repository, and where it cannot be read.
    pub(super) repository: Option<Repository>,
    /// Why the repository that is there cannot be read.
    pub(super) fault: Option<String>,
}

/// What the repository says has to be asked within [`SCAN_TIME`] of this.
pub(super) fn survey(context: &Context) -> anyhow::Result<Survey> {
    let root = context.store.root();
    let worktree = Worktree::open(root)?.asking_git(&context.env);
    let (repository, fault) = match git::open(root, &context.env, Deadline::after(SCAN_TIME)) {
        Opened::Absent => (None, None),
        Opened::Unreadable(why) => (None, Some(why)),
        Opened::Repository(repository) => (Some(repository), None),
    };
    Ok(Survey {
        worktree,
        repository,
        fault,
    })
}

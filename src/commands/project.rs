//! The survey of a project, with which every command begins that asks what its files and its repository hold.

use std::time::Duration;

use super::Context;
use crate::env::Deadline;
use crate::files::Worktree;
use crate::git::{self, Opened, Opening, Repository};

/// How long a scan of the repository may take (docs/contract.md, section 7).
const SCAN_TIME: Duration = Duration::from_secs(3);

/// A survey that goes on while other work is done.
pub(super) struct Surveying {
    pub(super) worktree: Worktree,
    opening: Opening,
}

pub(super) struct Survey {
    pub(super) worktree: Worktree,
    /// None outside a repository, and where it cannot be read.
    pub(super) repository: Option<Repository>,
    /// Why the repository that is there cannot be read.
    pub(super) fault: Option<String>,
}

/// Begins a survey, which ends within [`SCAN_TIME`]; where an older commit is given, with what became of that.
pub(super) fn begin(context: &Context, since: Option<&str>) -> anyhow::Result<Surveying> {
    let root = context.store.root();
    let deadline = Deadline::after(SCAN_TIME);
    let (worktree, opening) = git::start(root, &context.env, deadline, since)?;
    Ok(Surveying { worktree, opening })
}

impl Surveying {
    pub(super) fn finish(self) -> Survey {
        let (repository, fault) = match self.opening.finish() {
            Opened::Absent => (None, None),
            Opened::Unreadable(why) => (None, Some(why)),
            Opened::Repository(repository) => (Some(*repository), None),
        };
        Survey {
            worktree: self.worktree,
            repository,
            fault,
        }
    }
}

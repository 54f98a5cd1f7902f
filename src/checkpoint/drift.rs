//! What changed since a save: the recorded state against the state now (SPEC section 8).

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use serde::Serialize;

use super::format::Checkpoint;

/// The project as it is now, as far as it could be found out.
#[derive(Debug, Default)]
pub(crate) struct Now {
    /// None outside a repository, before the first commit, and where it cannot be read.
    pub(crate) head: Option<Head>,
    pub(crate) history: History,
    /// The content hash of every recorded path that is there.
    pub(crate) hashes: HashMap<String, String>,
    /// The paths at which the working tree differs from the saved commit's tree; None where that tree or
    /// the repository cannot be read, so that only the recorded files can be compared.
    pub(crate) differing: Option<Vec<Differing>>,
}

#[derive(Debug)]
pub(crate) struct Head {
    /// None when detached.
    pub(crate) branch: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Differing {
    pub(crate) path: String,
    /// When the file was last written; None where it is gone.
    pub(crate) modified: Option<Timestamp>,
}

/// How HEAD relates to the saved commit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum History {
    /// No commit was saved, or the repository cannot be read now.
    #[default]
    Unknown,
    /// HEAD is the saved commit or follows it.
    Ahead { commits: u64 },
    /// The saved commit is there but HEAD does not follow it: rebased, reset, or another branch.
    Diverged { commits: u64 },
    /// The saved commit is no longer in the repository.
    Gone,
}

/// What load reports. A field that cannot be known is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Drift {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch_changed: Option<bool>,
    /// Left out when HEAD is detached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) current_branch: Option<String>,
    /// Commits reachable from HEAD and not from the saved HEAD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commits_since: Option<u64>,
    /// Paths whose content is not what it was, sorted.
    pub(crate) changed_since: Vec<String>,
    #[serde(skip)]
    pub(crate) history: History,
    /// Whether only the recorded files could be compared.
    #[serde(skip)]
    pub(crate) recorded_only: bool,
}

impl Drift {
    pub(crate) fn between(saved: &Checkpoint, now: Now) -> Self {
        let Now {
            head,
            history,
            hashes,
            differing,
        } = now;
        let recorded: HashMap<&str, Option<&str>> = saved
            .modified_files
            .iter()
            .map(|file| (file.path.as_str(), file.hash.as_deref()))
            .collect();
        let mut changed: BTreeSet<String> = recorded
            .iter()
            .filter(|(path, hash)| hashes.get(**path).map(String::as_str) != **hash)
            .map(|(path, _)| (*path).to_owned())
            .collect();
        let recorded_only = differing.is_none();
        // A file that the cap left out may have been as it is already at the save; only its time can tell.
        let counts = |file: &Differing| {
            !saved.lacks_files() || file.modified.is_some_and(|at| at > saved.updated_at)
        };
        for file in differing.into_iter().flatten() {
            if !recorded.contains_key(file.path.as_str()) && counts(&file) {
                changed.insert(file.path);
            }
        }
        let branches = saved.git.as_ref().zip(head.as_ref());
        Self {
            branch_changed: branches.map(|(then, now)| then.branch != now.branch),
            current_branch: head.and_then(|head| head.branch),
            commits_since: match history {
                History::Ahead { commits } | History::Diverged { commits } => Some(commits),
                History::Unknown | History::Gone => None,
            },
            changed_since: changed.into_iter().collect(),
            history,
            recorded_only,
        }
    }

    /// Whether the project stands exactly as it was saved.
    pub(crate) fn is_none(&self) -> bool {
        self.branch_changed != Some(true)
            && self.changed_since.is_empty()
            && matches!(
                self.history,
                History::Unknown | History::Ahead { commits: 0 }
            )
    }
}

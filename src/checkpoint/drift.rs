//! What changed since a save: the recorded state against the state now (docs/contract.md, section 8).

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use super::format::{Checkpoint, FileStatus, ModifiedFile, Source};
use super::path;

/// The project as it is now, as far as it could be found out.
#[derive(Debug, Default)]
pub(crate) struct Now {
    /// None outside a repository, before the first commit, and where it cannot be read.
    pub(crate) head: Option<Head>,
    pub(crate) history: History,
    /// The content hash of every recorded path that has one.
    pub(crate) hashes: HashMap<String, String>,
    /// The recorded paths that exist and have no content to hash, such as directories.
    pub(crate) unhashable: HashSet<String>,
    /// The paths at which the working tree differs from the saved commit's tree; None where that tree or
    /// the repository cannot be read, so that only the recorded files can be compared.
    pub(crate) differing: Option<Vec<Differing>>,
    /// The submodules that could not be looked into, so that they may differ as well.
    pub(crate) unread: Vec<String>,
}

/// Where HEAD stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// None when detached.
    pub(crate) branch: Option<String>,
    /// The commit id in hexadecimal.
    pub(crate) commit: String,
}

#[derive(Debug)]
pub(crate) struct Differing {
    pub(crate) path: String,
    /// How the working tree differs from the saved commit.
    pub(crate) status: FileStatus,
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
    /// The repository is a shallow clone, and its history ends between the two.
    BeyondEdge,
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
    /// What is not as it was, sorted by path; in JSON the paths alone.
    #[serde(serialize_with = "paths")]
    pub(crate) changed_since: Vec<Changed>,
    /// HEAD's commit now; None where there is none or it cannot be read.
    #[serde(skip)]
    pub(crate) current_head: Option<String>,
    #[serde(skip)]
    pub(crate) history: History,
    /// Whether only the recorded files could be compared.
    #[serde(skip)]
    pub(crate) recorded_only: bool,
    /// The submodules of which it is not known whether they changed.
    #[serde(skip)]
    pub(crate) unread: Vec<String>,
    /// Whether some files that were uncommitted at the save may not have been recorded. Of those only the modification
    /// time tells whether they changed, and where they are gone nothing does.
    #[serde(skip)]
    pub(crate) lacks_files: bool,
}

/// A path whose content is not what it was at the save.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Changed {
    #[serde(serialize_with = "path::serialize")]
    pub(crate) path: String,
    pub(crate) change: How,
}

/// What happened to a file since the save.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum How {
    Modified,
    New,
    Deleted,
    /// It was deleted at the save and exists again.
    Restored,
    /// Its uncommitted changes are gone: it is as the saved commit has it.
    Reverted,
}

/// What stands at a recorded path now.
#[derive(Debug, Clone, Copy)]
enum Content<'a> {
    Gone,
    /// Something is there that has no content to hash.
    Unhashable,
    Hash(&'a str),
}

impl How {
    /// What happened to a recorded file; None where its content is what it was.
    fn of_recorded(
        file: &ModifiedFile,
        now: Content<'_>,
        differing: Option<&HashMap<&str, &Differing>>,
    ) -> Option<Self> {
        let differs = differing.and_then(|differing| differing.get(file.path.as_str()));
        let was_gone = file.status == FileStatus::Deleted;
        match (&file.hash, now) {
            (None, Content::Gone) if was_gone => None,
            (_, Content::Gone) => Some(Self::Deleted),
            (None, _) if was_gone => Some(match file.source {
                Source::Git => Self::Restored,
                _ => Self::New,
            }),
            // It was a directory and still is.
            (None, Content::Unhashable) => None,
            // It was there; what it held is not known.
            (None, Content::Hash(_)) => Some(Self::Modified),
            (Some(_), Content::Unhashable) => Some(match differs.map(|file| &file.status) {
                Some(FileStatus::Deleted) => Self::Deleted,
                _ => Self::Modified,
            }),
            (Some(then), Content::Hash(now)) if then == now => None,
            (Some(_), Content::Hash(_)) => {
                // Only of a file that the scan found and the commit has. Any other may be ignored by git, so that its
                // not differing says nothing.
                let in_commit = file.source == Source::Git
                    && matches!(file.status, FileStatus::Modified | FileStatus::Unmerged);
                let is_as_committed = in_commit && differing.is_some() && differs.is_none();
                Some(if is_as_committed {
                    Self::Reverted
                } else {
                    Self::Modified
                })
            }
        }
    }

    /// What happened to a file that was as the saved commit has it.
    fn of_clean(status: &FileStatus) -> Self {
        match status {
            FileStatus::Added | FileStatus::Untracked => Self::New,
            FileStatus::Deleted => Self::Deleted,
            _ => Self::Modified,
        }
    }
}

fn paths<S: Serializer>(changed: &[Changed], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(changed.iter().map(|changed| path::harmless(&changed.path)))
}

/// The recorded files that are not as they were, each with what happened to it.
fn changed_of_recorded(
    saved: &Checkpoint,
    hashes: &HashMap<String, String>,
    unhashable: &HashSet<String>,
    differing: Option<&[Differing]>,
) -> BTreeMap<String, How> {
    let differing = differing.map(|files| {
        let files = files.iter();
        files.map(|file| (file.path.as_str(), file)).collect()
    });
    let mut changed = BTreeMap::new();
    for file in &saved.modified_files {
        let now = match hashes.get(&file.path) {
            Some(hash) => Content::Hash(hash),
            None if unhashable.contains(&file.path) => Content::Unhashable,
            None => Content::Gone,
        };
        // Of a path that another writer recorded twice, the last entry counts.
        match How::of_recorded(file, now, differing.as_ref()) {
            Some(how) => changed.insert(file.path.clone(), how),
            None => changed.remove(&file.path),
        };
    }
    changed
}

impl Drift {
    pub(crate) fn between(saved: &Checkpoint, now: Now) -> Self {
        let Now {
            head,
            history,
            hashes,
            unhashable,
            differing,
            unread,
        } = now;
        let lacks_files = saved.lacks_files();
        let recorded_only = differing.is_none();
        let mut changed = changed_of_recorded(saved, &hashes, &unhashable, differing.as_deref());
        let recorded = saved.modified_files.iter().map(|file| file.path.as_str());
        let recorded: HashSet<&str> = recorded.collect();
        // A file that the cap left out may have looked like this at the save already; only its time can tell.
        let counts = |file: &Differing| {
            // A checkpoint has its time in milliseconds.
            let is_later = |at: Timestamp| at.as_millisecond() > saved.updated_at.as_millisecond();
            !lacks_files || file.modified.is_some_and(is_later)
        };
        for file in differing.into_iter().flatten() {
            if !recorded.contains(file.path.as_str()) && counts(&file) {
                changed.insert(file.path, How::of_clean(&file.status));
            }
        }
        let branches = saved.git.as_ref().zip(head.as_ref());
        Self {
            branch_changed: branches.map(|(then, now)| then.branch != now.branch),
            current_head: head.as_ref().map(|head| head.commit.clone()),
            current_branch: head.and_then(|head| head.branch),
            commits_since: match history {
                History::Ahead { commits } | History::Diverged { commits } => Some(commits),
                History::Unknown | History::Gone | History::BeyondEdge => None,
            },
            changed_since: changed
                .into_iter()
                .map(|(path, change)| Changed { path, change })
                .collect(),
            history,
            recorded_only,
            unread,
            lacks_files,
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

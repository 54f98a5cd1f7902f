//! What the project itself says at a load: what changed since the save.

use std::collections::HashMap;
use std::time::Duration;

use super::project::{self, Survey};
use super::{Context, counted};
use crate::checkpoint::drift::{self, Differing, Drift, History};
use crate::checkpoint::format::{Checkpoint, Source};
use crate::checkpoint::path;
use crate::env::Deadline;
use crate::files::{Hashing, Worktree};
use crate::git::{self, Base, Change, Repository, Unread};
use crate::redact::redact;
use crate::store::names;

/// How long the recorded files' content may take to hash: a hundred files of the largest size are some 6 GiB.
pub(super) const HASH_TIME: Duration = Duration::from_secs(3);
/// Stands for the content now of a file that was not reached in time; no hash, so that it differs from any.
const NOT_HASHED: &str = "not hashed in time";

/// What a load found out.
pub(super) struct Compared {
    pub(super) drift: Drift,
    /// Whether the checkpoint's own file is part of the repository; None where that cannot be known.
    pub(super) is_tracked: Option<bool>,
    /// The subjects of the new commits, newest first.
    pub(super) subjects: Vec<String>,
    pub(super) warnings: Vec<String>,
    pub(super) ground: Ground,
}

/// What the facts were read from, for what is asked further.
pub(super) struct Ground {
    pub(super) worktree: Worktree,
    pub(super) repository: Option<Repository>,
}

/// What changed since a save, with the subjects of at most `subjects` new commits; `file` is the checkpoint's
/// own, relative to the project root, where it matters whose it is.
pub(super) fn drift(
    context: &Context,
    saved: &Checkpoint,
    file: Option<&str>,
    subjects: usize,
) -> anyhow::Result<Compared> {
    let commit = saved.git.as_ref().map(|git| git.head.as_str());
    let surveying = project::begin(context, commit)?;
    // Beside the scan, which is most of the work.
    let recorded = saved.modified_files.iter();
    let recorded = recorded.map(|file| (file.path.clone(), file.hash.clone()));
    let deadline = Deadline::after(HASH_TIME);
    let hashing = surveying.worktree.hashing(recorded.collect(), deadline)?;
    let Survey {
        worktree,
        repository,
        fault,
    } = surveying.finish();
    let mut warnings = Vec::new();
    let mut is_tracked = fault.is_none().then_some(false);
    warnings.extend(fault.map(|why| format!("git facts are missing: {why}")));
    let mut now = drift::Now::default();
    let mut newest = Vec::new();
    if let Some(repository) = &repository {
        if let Some(file) = file {
            let tracked = repository.tracked(&[file.to_owned()]);
            is_tracked = tracked.ok().map(|tracked| !tracked.is_empty());
        }
        let compared = compare(repository, &worktree, saved, &mut now, &mut warnings);
        let commit = commit.filter(|_| subjects > 0);
        let named = compared.and_then(|()| match (commit, now.history) {
            (Some(commit), History::Ahead { .. } | History::Diverged { .. }) => {
                repository.subjects_since(commit, subjects)
            }
            _ => Ok(Vec::new()),
        });
        match named {
            Ok(named) => newest = named,
            Err(error) => warnings.push(format!("git facts are incomplete: {error}")),
        }
        warnings.extend(repository.caveat().map(str::to_owned));
    }
    now.hashes = hashes(hashing, saved, &mut warnings);
    let paths = saved.modified_files.iter().map(|file| &file.path);
    let is_unhashable =
        |path: &&String| !now.hashes.contains_key(*path) && worktree.modified(path).is_some();
    now.unhashable = paths.filter(is_unhashable).cloned().collect();
    Ok(Compared {
        drift: Drift::between(saved, now),
        is_tracked,
        subjects: newest,
        warnings,
        ground: Ground {
            worktree,
            repository,
        },
    })
}

/// A warning of the submodules that are missing among what changed; None where there are none.
pub(super) fn not_looked_into(unread: &[Unread]) -> Option<String> {
    const NAMED: usize = 3;
    let name = |unread: &Unread| format!("`{}`", path::shown(&unread.path));
    match unread {
        [] => None,
        [only] => Some(format!(
            "submodule {} was not looked into: {}",
            name(only),
            only.why
        )),
        [first, ..] => {
            let names: Vec<String> = unread.iter().take(NAMED).map(name).collect();
            let more = match unread.len() > NAMED {
                true => ", …",
                false => "",
            };
            Some(format!(
                "{} were not looked into ({}{more}); the first: {}",
                counted(unread.len(), "submodule"),
                names.join(", "),
                first.why
            ))
        }
    }
}

/// What the recorded files hold now.
fn hashes(
    hashing: Hashing,
    saved: &Checkpoint,
    warnings: &mut Vec<String>,
) -> HashMap<String, String> {
    let mut found = hashing.finish();
    let mut unhashed = 0;
    for file in &saved.modified_files {
        found.entry(file.path.clone()).or_insert_with(|| {
            unhashed += 1;
            Some(NOT_HASHED.to_owned())
        });
    }
    if unhashed > 0 {
        warnings.push(format!(
            "{} could not be hashed in time and count as changed",
            counted(unhashed, "recorded file")
        ));
    }
    let found = found.into_iter();
    found
        .filter_map(|(path, hash)| Some((path, hash?)))
        .collect()
}

fn compare(
    repository: &Repository,
    worktree: &Worktree,
    saved: &Checkpoint,
    now: &mut drift::Now,
    warnings: &mut Vec<String>,
) -> Result<(), git::Error> {
    now.head = repository.head().map(|head| drift::Head {
        // As a save keeps it.
        branch: head.branch.as_ref().map(|branch| redact(branch).text),
        commit: head.commit.clone(),
    });
    let base = match &saved.git {
        Some(git) => {
            now.history = match &now.head {
                Some(head) if head.commit == git.head => History::Ahead { commits: 0 },
                _ => repository.commits_since(&git.head)?,
            };
            Base::Commit(&git.head)
        }
        // Only a repository's scan records files by itself, so this was one before its first commit.
        None if saved
            .modified_files
            .iter()
            .any(|file| file.source == Source::Git) =>
        {
            Base::Empty
        }
        None => return Ok(()),
    };
    if now.history == History::Gone {
        return Ok(());
    }
    let changes = repository.changes_since(base)?;
    warnings.extend(not_looked_into(&changes.unread));
    let unread = changes.unread.into_iter();
    now.unread = unread.map(|unread| unread.path).collect();
    let changes: Vec<Change> = changes
        .list
        .into_iter()
        .filter(|change| !names::owns(&change.path))
        .collect();
    // Told apart by their times are only those that the save may have dropped.
    let times = match saved.lacks_files() {
        true => worktree.times(&changes, |it| &it.path),
        false => vec![None; changes.len()],
    };
    let differing = changes.into_iter().zip(times);
    let differing = differing.map(|(change, modified)| Differing {
        path: change.path,
        status: change.status,
        modified,
    });
    now.differing = Some(differing.collect());
    Ok(())
}

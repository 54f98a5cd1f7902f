//! How the project stands to what a session did that saved no checkpoint.

use std::collections::HashMap;

use jiff::Timestamp;

use super::project::{self, Survey};
use super::{Context, facts};
use crate::checkpoint::drift::{Changed, Drift, How};
use crate::checkpoint::format::FileStatus;
use crate::checkpoint::unsaved::Presence;
use crate::git::Repository;
use crate::redact::redact;

/// The state of the files, and what changed since the session.
pub(super) struct UnsavedDrift {
    /// Every file that the session wrote.
    pub(super) files: Vec<(String, Presence)>,
    pub(super) drift: Drift,
    pub(super) warnings: Vec<String>,
}

/// Compares with the project as it is now: `files` were written by the session, which was on `branch` and
/// last active at `until`.
pub(super) fn compare(
    context: &Context,
    files: &[String],
    branch: Option<&str>,
    until: Option<Timestamp>,
) -> anyhow::Result<UnsavedDrift> {
    let Survey {
        worktree,
        repository,
        fault,
    } = project::begin(context, None)?.finish();
    let mut warnings = Vec::new();
    warnings.extend(fault.map(|why| format!("git facts are missing: {why}")));
    let mut head = repository.as_ref().and_then(Repository::head).cloned();
    // As the session's own is told.
    if let Some(branch) = head.as_mut().and_then(|head| head.branch.as_mut()) {
        *branch = redact(branch).text;
    }
    let uncommitted = repository.and_then(|repository| uncommitted(&repository, &mut warnings));
    // Clients write down milliseconds.
    let is_later = |modified: Timestamp| {
        until.is_some_and(|until| modified.as_millisecond() > until.as_millisecond())
    };
    let mut changed: Vec<Changed> = Vec::new();
    let presence = |path: &String| {
        let modified = worktree.modified(path);
        if modified.is_none_or(is_later) {
            let change = match modified {
                Some(_) => How::Modified,
                None => How::Deleted,
            };
            let path = path.clone();
            changed.push(Changed { path, change });
        }
        let status = uncommitted.as_ref().map(|changes| changes.get(path));
        let presence = match (modified, status) {
            (None, _) => Presence::Gone,
            (_, Some(Some(status))) => Presence::Uncommitted(status.clone()),
            (_, Some(None)) => Presence::Committed,
            (_, None) => Presence::Present,
        };
        (path.clone(), presence)
    };
    let files = files.iter().map(presence).collect();
    changed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(UnsavedDrift {
        files,
        drift: Drift {
            branch_changed: head
                .as_ref()
                .zip(branch)
                .map(|(now, then)| now.branch.as_deref() != Some(then)),
            current_branch: head.and_then(|head| head.branch),
            changed_since: changed,
            recorded_only: true,
            ..Drift::default()
        },
        warnings,
    })
}

/// The status of every uncommitted file, by its path; None where that is not known.
fn uncommitted(
    repository: &Repository,
    warnings: &mut Vec<String>,
) -> Option<HashMap<String, FileStatus>> {
    let changes = repository.changes();
    match &changes {
        Ok(changes) => warnings.extend(facts::not_looked_into(&changes.unread)),
        Err(error) => warnings.push(format!("git facts are incomplete: {error}")),
    }
    warnings.extend(repository.caveat().map(str::to_owned));
    let changes = changes.ok()?.list.into_iter();
    Some(changes.map(|change| (change.path, change.status)).collect())
}

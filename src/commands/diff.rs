//! `diff`: a checkpoint against the project as it is now, or against another one (SPEC section 14).

use serde::Serialize;

use super::{Context, Reader, Selector, facts, read_from_backup, redact_checkpoint};
use crate::checkpoint::compare::{Change, Comparison};
use crate::checkpoint::drift::{Changed, Drift};
use crate::checkpoint::format::Checkpoint;
use crate::checkpoint::time;
use crate::error::failure;

/// How many of the new commits are named.
const SUBJECTS: usize = 10;

#[derive(Debug)]
pub(crate) enum Request {
    /// A checkpoint against the project as it is now.
    Now(Selector),
    /// The first checkpoint against the second.
    Checkpoints(Selector, Selector),
    /// A checkpoint's backup against the checkpoint.
    Backup(Selector),
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Outcome {
    Since(Box<Since>),
    Between(Box<Between>),
}

/// What changed in the project since a save.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Since {
    pub(crate) checkpoint: Side,
    pub(crate) differs: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<Change<Option<String>>>,
    /// HEAD's commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) head: Option<Change<Option<String>>>,
    /// The subjects of the newest new commits; `drift.commitsSince` says how many there are.
    pub(crate) commits: Vec<String>,
    pub(crate) files: Vec<Changed>,
    /// As `load` reports it.
    pub(crate) drift: Drift,
    pub(crate) warnings: Vec<String>,
    /// Whether something that should have been compared could not be.
    #[serde(skip)]
    pub(crate) incomplete: bool,
}

/// What one checkpoint says and another does not.
#[derive(Debug, Serialize)]
pub(crate) struct Between {
    pub(crate) before: Side,
    pub(crate) after: Side,
    pub(crate) differs: bool,
    pub(crate) changes: Comparison,
    pub(crate) warnings: Vec<String>,
}

/// A checkpoint that was compared.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Side {
    pub(crate) selector: String,
    pub(crate) updated_at: String,
    pub(crate) from_backup: bool,
    /// For people, such as `2m ago`.
    #[serde(skip)]
    pub(crate) age: String,
}

impl Outcome {
    pub(crate) fn differs(&self) -> bool {
        match self {
            Self::Since(since) => since.differs,
            Self::Between(between) => between.differs,
        }
    }

    pub(crate) fn warnings(&self) -> &[String] {
        match self {
            Self::Since(since) => &since.warnings,
            Self::Between(between) => &between.warnings,
        }
    }

    /// The paths of the files that differ.
    pub(crate) fn paths(&self) -> Vec<&str> {
        match self {
            Self::Since(since) => since.files.iter().map(|file| file.path.as_str()).collect(),
            Self::Between(between) => {
                let files = between.changes.modified_files.iter();
                files.map(|file| file.path.as_str()).collect()
            }
        }
    }
}

pub(crate) fn run(context: &Context, request: &Request) -> anyhow::Result<Outcome> {
    let mut warnings = context.warnings.clone();
    match request {
        Request::Now(selector) => {
            let (side, checkpoint) = load(context, selector, &mut warnings)?;
            since(context, side, &checkpoint, warnings)
        }
        Request::Checkpoints(before, after) => {
            let before = load(context, before, &mut warnings)?;
            let after = load(context, after, &mut warnings)?;
            Ok(between(before, after, warnings))
        }
        Request::Backup(selector) => {
            let after = load(context, selector, &mut warnings)?;
            if after.0.from_backup {
                return Err(failure(
                    format!("of checkpoint `{selector}` only the backup can be read"),
                    format!("read it with `ckpt load {selector}`"),
                ));
            }
            let backup = context.store.load_backup(selector)?.ok_or_else(|| {
                failure(
                    format!("checkpoint `{selector}` has no backup yet"),
                    "each save keeps the one before it; compare again after the next",
                )
            })?;
            let before = side(context, selector, backup, true);
            Ok(between(before, after, warnings))
        }
    }
}

fn load(
    context: &Context,
    selector: &Selector,
    warnings: &mut Vec<String>,
) -> anyhow::Result<(Side, Checkpoint)> {
    let Some(loaded) = context.store.load(selector)? else {
        return Err(context.unknown(selector, Reader::Person)?);
    };
    if let Some(fault) = &loaded.main_fault {
        warnings.push(read_from_backup(selector, fault));
    }
    let from_backup = loaded.main_fault.is_some();
    Ok(side(context, selector, loaded.checkpoint, from_backup))
}

fn side(
    context: &Context,
    selector: &Selector,
    mut checkpoint: Checkpoint,
    from_backup: bool,
) -> (Side, Checkpoint) {
    redact_checkpoint(&mut checkpoint);
    let side = Side {
        selector: selector.to_string(),
        updated_at: time::format(checkpoint.updated_at),
        from_backup,
        age: time::age(checkpoint.updated_at, context.env.now),
    };
    (side, checkpoint)
}

fn since(
    context: &Context,
    side: Side,
    saved: &Checkpoint,
    mut warnings: Vec<String>,
) -> anyhow::Result<Outcome> {
    let facts::Found {
        drift,
        is_tracked: _,
        subjects,
        warnings: found,
    } = facts::drift(context, saved, None, SUBJECTS)?;
    let unknown = drift.recorded_only && saved.modified_files.is_empty();
    let incomplete = unknown || drift.lacks_files || !found.is_empty();
    warnings.extend(found);
    if unknown {
        warnings.push(
            "no file was recorded and there is no git to ask, so what changed cannot be known"
                .to_owned(),
        );
    }
    let branch = match (&saved.git, drift.branch_changed) {
        (Some(git), Some(true)) => {
            Change::between(git.branch.clone(), drift.current_branch.clone())
        }
        _ => None,
    };
    let head = match (&saved.git, &drift.current_head) {
        (Some(git), Some(now)) => Change::between(Some(git.head.clone()), Some(now.clone())),
        _ => None,
    };
    Ok(Outcome::Since(Box::new(Since {
        checkpoint: side,
        differs: !drift.is_none(),
        branch,
        head,
        commits: subjects,
        files: drift.changed_since.clone(),
        drift,
        warnings,
        incomplete,
    })))
}

fn between(
    (before, earlier): (Side, Checkpoint),
    (after, later): (Side, Checkpoint),
    warnings: Vec<String>,
) -> Outcome {
    let changes = Comparison::between(&earlier, &later);
    Outcome::Between(Box::new(Between {
        before,
        after,
        differs: !changes.is_empty(),
        changes,
        warnings,
    }))
}

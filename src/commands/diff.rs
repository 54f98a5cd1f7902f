//! `diff`: a checkpoint against the project as it is now, or against another one (docs/contract.md, section 14).

use serde::Serialize;

use super::{Context, Reader, Selector, earlier, facts, lines, read_from_backup};
use crate::checkpoint::compare::{Change, Comparison};
use crate::checkpoint::drift::{Changed, Drift};
use crate::checkpoint::format::Checkpoint;
use crate::checkpoint::lines::Patch;
use crate::checkpoint::time;
use crate::error::failure;
use crate::redact::redact;
use crate::store::selector::{self, At, Revision};

/// How many of the new commits are named.
const SUBJECTS: usize = 10;

#[derive(Debug)]
pub(crate) enum Request {
    /// A checkpoint against the project as it is now, perhaps with the lines that changed.
    Now(Revision, Detail),
    /// The first checkpoint against the second.
    Checkpoints(Revision, Revision),
    /// The save before the present one against that.
    Backup(Selector),
}

/// How much is told of the files that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Files,
    Lines,
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
    /// The lines that changed, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) patches: Option<Vec<Patch>>,
    /// How many further files changed, whose lines were not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) omitted: Option<usize>,
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
    /// For people, such as `saved 2m ago`.
    #[serde(skip)]
    pub(crate) saved: String,
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
        Request::Now(selector, detail) => {
            let (side, checkpoint) = load(context, selector, &mut warnings)?;
            since(context, side, &checkpoint, *detail, warnings)
        }
        Request::Checkpoints(before, after) => {
            let before = load(context, before, &mut warnings)?;
            let after = load(context, after, &mut warnings)?;
            Ok(between(before, after, warnings))
        }
        Request::Backup(selector) => {
            let after = load(context, &selector.clone().into(), &mut warnings)?;
            if after.0.from_backup {
                return Err(failure(
                    format!("only the backup of checkpoint `{selector}` can be read"),
                    format!("read it with `ckpt load {selector}`"),
                ));
            }
            let before = Revision {
                selector: selector.clone(),
                at: At::Before(1),
            };
            let mut before = load(context, &before, &mut warnings)?;
            before.0.from_backup = true;
            Ok(between(before, after, warnings))
        }
    }
}

fn load(
    context: &Context,
    revision: &Revision,
    warnings: &mut Vec<String>,
) -> anyhow::Result<(Side, Checkpoint)> {
    let earlier::Save {
        number,
        loaded,
        warnings: found,
    } = earlier::load(context, revision, Reader::Person)?;
    let selector = &revision.selector;
    warnings.extend(found);
    if let Some(fault) = &loaded.main_fault {
        warnings.push(read_from_backup(selector, fault));
    }
    warnings.extend(loaded.is_cut());
    let checkpoint = loaded.checkpoint;
    let side = Side {
        selector: selector::nth(selector, number),
        updated_at: time::format(checkpoint.updated_at),
        from_backup: loaded.main_fault.is_some(),
        saved: time::saved(checkpoint.updated_at, context.env.now),
    };
    Ok((side, checkpoint))
}

fn since(
    context: &Context,
    side: Side,
    saved: &Checkpoint,
    detail: Detail,
    mut warnings: Vec<String>,
) -> anyhow::Result<Outcome> {
    let facts::Compared {
        drift,
        is_tracked: _,
        subjects,
        warnings: found,
        ground,
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
    let lines = match detail {
        Detail::Files => None,
        Detail::Lines => Some(lines::compare(&ground, saved, &drift)),
    };
    let patches = lines.as_ref().map(|lines| {
        let files = lines.files.iter();
        files
            .map(|file| file.patch(|text| redact(text).text))
            .collect()
    });
    Ok(Outcome::Since(Box::new(Since {
        omitted: lines.map(|lines| lines.more).filter(|more| *more > 0),
        patches,
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

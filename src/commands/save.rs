//! `save`: the agent's knowledge and the project's facts, written as the session's checkpoint
//! (SPEC section 6).

use serde::Serialize;
use uuid::Uuid;

use super::base::Base;
use super::{Context, counted, harmless, named, redact_checkpoint, scan, with_warnings};
use crate::checkpoint::format::{Checkpoint, Generator};
use crate::checkpoint::limits::{self, Kind};
use crate::checkpoint::merge::{self, Facts};
use crate::checkpoint::update::{Mode, Update};
use crate::error::failure;
use crate::redact::redact;
use crate::store::selector::{Selector, SessionId};
use crate::store::session::{Current, Origin};

pub(crate) type Request = Update;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    pub(crate) text: String,
    /// The file that was written.
    pub(crate) path: String,
    pub(crate) bytes: usize,
    /// How the save was done; a merge without anything to build on is a replace.
    pub(crate) mode: Mode,
    pub(crate) counts: Counts,
    pub(crate) warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// `env`, `argument` or `minted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_source: Option<&'static str>,
    /// What loads the checkpoint again.
    #[serde(skip)]
    pub(crate) selector: String,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counts {
    pub(crate) tasks: usize,
    pub(crate) modified_files: usize,
    pub(crate) recent_commands: usize,
    pub(crate) redactions: usize,
}

pub(crate) fn run(context: &Context, mut update: Request) -> anyhow::Result<Outcome> {
    check(&mut update)?;
    let resumed_from = update
        .resumed_from
        .as_deref()
        .map(Selector::parse)
        .transpose()?;
    let mut warnings = context.warnings.clone();
    let redactions = redact_all(&mut update, &mut warnings);
    let session = match &context.current {
        Current::Session(id, origin) => Some((id.clone(), *origin)),
        Current::Unnamed => Some((SessionId::mint(), Origin::Minted)),
        Current::Legacy => None,
    };
    let selector = match &session {
        Some((id, _)) => Selector::Session(id.clone()),
        None => Selector::Legacy,
    };

    let mut scan = scan::scan(context)?;
    let given = update.modified_files.take().unwrap_or_default();
    let named = named::named(context, given, &mut warnings);
    let as_of = update.as_of.map(|at| at.min(context.env.now));
    if as_of.is_some() {
        scan.keep_only(&named);
    }
    warnings.extend(scan.warnings.iter().cloned());
    // Without the lock and what it says now; what differs under the lock is seen to there.
    let mode = update.mode.unwrap_or_default();
    let base = |own, resumed_from| Base::find(context, &scan, mode, &selector, own, resumed_from);
    let expected = base(context.load(&selector).ok().flatten(), resumed_from.clone());
    let recorded = expected.checkpoint.map(|base| base.modified_files);
    let recorded = named::carried_over(context, &recorded.unwrap_or_default(), &mut Vec::new());
    scan.hash_ahead(&named, &recorded)?;
    let (saved, written) = context.store.update(&selector, |previous| {
        let own = previous.cloned().map(|mut own| {
            redact_checkpoint(&mut own.checkpoint);
            own
        });
        let Base {
            checkpoint: base,
            resumed_from,
            mut warnings,
        } = base(own, resumed_from);
        let recorded = base.as_ref().map_or(&[][..], |base| &base.modified_files);
        let recorded = named::carried_over(context, recorded, &mut warnings);
        let mut chosen = scan.choose(&named, &recorded)?;
        let mut git = scan.git.clone();
        if let Some(at) = as_of {
            scan.set_back(&mut chosen, at, &named, &recorded);
            match &base {
                // What was known at the save is still true of then.
                Some(base) => {
                    git.clone_from(&base.git);
                    chosen.truncated |= base.meta.files_truncated;
                }
                None => chosen.truncated = true,
            }
        }
        warnings.extend(chosen.warnings);
        let facts = Facts {
            id: Uuid::new_v4().to_string(),
            now: as_of.unwrap_or(context.env.now),
            generator: generator(),
            project: context.project_name(),
            session_id: session.as_ref().map(|(id, _)| id.as_str().to_owned()),
            resumed_from: resumed_from.map(|selector| selector.to_string()),
            git,
            files: chosen.files,
            files_truncated: chosen.truncated,
            files_dropped: chosen.dropped,
            redactions,
        };
        let mode = if base.is_some() {
            Mode::Merge
        } else {
            Mode::Replace
        };
        let mut next = match base {
            Some(base) => {
                let (next, dropped) = merge::merge(base, update, facts);
                let warning = |list| format!("`{list}` was full: its oldest entries were dropped");
                warnings.extend(dropped.into_iter().map(warning));
                next
            }
            None => merge::replace(update.goal.clone().ok_or_else(no_base)?, update, facts),
        };
        let bytes = fit(&mut next, &mut warnings)?;
        let counts = Counts {
            tasks: next.goal.tasks.len(),
            modified_files: next.modified_files.len(),
            recent_commands: next.recent_commands.len(),
            redactions,
        };
        Ok((
            bytes,
            Written {
                mode,
                counts,
                warnings,
            },
        ))
    })?;
    warnings.extend(written.warnings);
    warnings.extend(saved.warnings);
    let warnings = harmless(warnings);

    let text = summary(
        &selector,
        &written.mode,
        written.counts,
        saved.bytes,
        session.as_ref(),
    );
    Ok(Outcome {
        text: with_warnings(text, &warnings),
        path: saved.path.display().to_string(),
        bytes: saved.bytes,
        mode: written.mode,
        counts: written.counts,
        warnings,
        session_source: session.as_ref().map(|(_, origin)| origin.as_str()),
        session: session.map(|(id, _)| id.as_str().to_owned()),
        selector: selector.to_string(),
    })
}

/// This program, as the writer of a checkpoint.
pub(super) fn generator() -> Generator {
    Generator {
        name: env!("CARGO_PKG_NAME").to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Generator::default()
    }
}

/// The session's own checkpoint as it is, for a person to go on from; None where there is none to read.
pub(crate) fn own(context: &Context) -> Option<Checkpoint> {
    let loaded = context.load(&context.current.selector()?).ok()?;
    loaded.map(|loaded| loaded.checkpoint)
}

struct Written {
    mode: Mode,
    counts: Counts,
    warnings: Vec<String>,
}

fn check(update: &mut Update) -> anyhow::Result<()> {
    update.goal = update.goal.take().filter(|goal| !goal.trim().is_empty());
    if update.goal.is_none() && update.mode.unwrap_or_default() == Mode::Replace {
        return Err(goal_missing());
    }
    let violations = update.violations();
    if violations.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = violations.iter().map(ToString::to_string).collect();
    Err(failure(
        format!("over the limit, so nothing was saved: {}", named.join("; ")),
        "shorten what is named and save again",
    ))
}

fn goal_missing() -> anyhow::Error {
    failure(
        "no `goal` was given, so nothing was saved",
        "say in one sentence what the session is to reach",
    )
}

/// The error of a merge that finds nothing from which the goal could be kept.
fn no_base() -> anyhow::Error {
    failure(
        "this session has no checkpoint to merge into, and a new one needs a `goal`, so nothing was saved",
        "give a goal, too, or name the session whose checkpoint is meant: `session`, or ckpt save --session ID",
    )
}

/// Redacts every text that was given; the number of values that went.
fn redact_all(update: &mut Update, warnings: &mut Vec<String>) -> usize {
    let mut total = 0;
    let mut fields: Vec<&'static str> = Vec::new();
    update.for_each_text(|field, text| {
        if field.kind == Kind::Prose {
            let redacted = redact(text);
            if redacted.count > 0 {
                total += redacted.count;
                *text = redacted.text;
                if fields.last() != Some(&field.top_level()) {
                    fields.push(field.top_level());
                }
            }
        }
    });
    if total > 0 {
        let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        let secrets = counted(total, "secret");
        warnings.push(format!(
            "{secrets} redacted before writing, in {}",
            fields.join(", ")
        ));
    }
    total
}

/// The bytes to write; what had to be dropped for it is warned of.
pub(super) fn fit(
    checkpoint: &mut Checkpoint,
    warnings: &mut Vec<String>,
) -> anyhow::Result<Vec<u8>> {
    let limit = limits::FILE_BYTES;
    let (bytes, dropped) = limits::fit(checkpoint)?.map_err(|bytes| {
        failure(
            format!(
                "the checkpoint would have {bytes} bytes (limit {limit}), so nothing was saved"
            ),
            "shorten the longest texts and save again",
        )
    })?;
    if dropped != limits::Dropped::default() {
        let commands = counted(dropped.commands, "command");
        let files = counted(dropped.files, "file");
        warnings.push(format!(
            "{commands} and {files} were dropped to stay within {limit} bytes"
        ));
    }
    Ok(bytes)
}

fn summary(
    selector: &Selector,
    mode: &Mode,
    counts: Counts,
    bytes: usize,
    session: Option<&(SessionId, Origin)>,
) -> String {
    let Counts {
        tasks,
        modified_files,
        recent_commands,
        redactions: _,
    } = counts;
    let verb = match mode {
        Mode::Replace => "Saved",
        Mode::Merge => "Merged into",
    };
    let mut text = format!(
        "{verb} checkpoint `{selector}`: {}, {}, {}, {bytes} bytes.",
        counted(tasks, "task"),
        counted(modified_files, "file"),
        counted(recent_commands, "command"),
    );
    if let Some((id, Origin::Argument | Origin::Minted)) = session {
        text.push_str(&format!(
            " Pass `session`: \"{}\" on every later call.",
            id.as_str()
        ));
    }
    text
}

//! `list`: the checkpoints of a project, newest first (SPEC section 11).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Context, counted, recover, with_warnings};
use crate::checkpoint::format::TaskStatus;
use crate::checkpoint::redact::redact;
use crate::checkpoint::{markdown, time};
use crate::store::session::Selector;

/// How many entries are listed where the request names no limit.
const DEFAULT_LIMIT: usize = 10;
/// How many recoverable sessions are listed at the most; each has to be looked into.
const RECOVERABLE: usize = 50;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// How many entries at most; 0 for all, not given for 10.
    pub(crate) limit: Option<usize>,
    /// Whether to list the sessions that can be recovered, too; for people, not for agents.
    #[serde(skip)]
    pub(crate) all: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) text: String,
    /// The directory that was listed.
    pub(crate) path: String,
    pub(crate) entries: Vec<Entry>,
    pub(crate) total: usize,
    pub(crate) omitted: usize,
    pub(crate) warnings: Vec<String>,
}

/// One checkpoint in a list.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub(crate) selector: String,
    pub(crate) goal: String,
    /// Left out where the file could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated_at: Option<String>,
    pub(crate) age: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<String>,
    pub(crate) all_tasks_done: bool,
    pub(crate) is_current_session: bool,
    pub(crate) from_backup: bool,
    /// Whether there is no checkpoint, but a transcript from which the session can be recovered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) recoverable: bool,
    /// Tasks done and tasks in all, for tables.
    #[serde(skip)]
    pub(crate) progress: (usize, usize),
}

/// Every checkpoint, newest first and unreadable ones last.
pub(super) struct Entries {
    pub(super) entries: Vec<Entry>,
    pub(super) warnings: Vec<String>,
}

pub(crate) fn run(context: &Context, request: &Request) -> anyhow::Result<Outcome> {
    let Entries {
        mut entries,
        warnings: found,
    } = entries(context)?;
    let total = entries.len();
    let limit = match request.limit.unwrap_or(DEFAULT_LIMIT) {
        0 => usize::MAX,
        limit => limit,
    };
    entries.truncate(limit);
    let omitted = total - entries.len();
    let warnings = [context.warnings.clone(), found].concat();
    let text = if total == 0 {
        "No checkpoints in this project.".to_owned()
    } else {
        let newest = if omitted > 0 {
            format!(", newest {}", entries.len())
        } else {
            String::new()
        };
        format!(
            "{}{newest}:\n{}",
            counted(total, "checkpoint"),
            lines(&entries)
        )
    };
    if request.all {
        entries.extend(recover::entries(context, limit.min(RECOVERABLE)));
    }
    Ok(Outcome {
        text: with_warnings(text, &warnings),
        path: context.store.directory().display().to_string(),
        entries,
        total,
        omitted,
        warnings,
    })
}

/// One line of text for each entry.
pub(super) fn lines(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let mut facts = vec![entry.age.clone()];
        facts.extend(entry.branch.as_deref().map(markdown::code));
        let marks = [
            (entry.all_tasks_done, "all tasks done"),
            (entry.is_current_session, "this session"),
            (entry.from_backup, "from backup"),
            (entry.recoverable, "recoverable"),
        ];
        facts.extend(
            marks
                .iter()
                .filter(|(is, _)| *is)
                .map(|(_, mark)| (*mark).to_owned()),
        );
        let goal = markdown::line(&entry.goal);
        text.push_str(&format!(
            "- `{}` {goal} ({})\n",
            entry.selector,
            facts.join(", ")
        ));
    }
    text
}

pub(super) fn entries(context: &Context) -> anyhow::Result<Entries> {
    let mut dated: Vec<(Option<Timestamp>, Entry)> = Vec::new();
    let mut warnings = Vec::new();
    let own = context.current.selector();
    for selector in context.store.selectors()? {
        let is_current_session = own.as_ref() == Some(&selector);
        match context.store.load(&selector) {
            Ok(None) => {}
            Ok(Some(loaded)) => {
                if let Some(fault) = &loaded.main_fault {
                    warnings.push(format!(
                        "checkpoint `{selector}` was read from its backup: its main file is {fault}"
                    ));
                }
                let checkpoint = loaded.checkpoint;
                let tasks = &checkpoint.goal.tasks;
                let done = tasks
                    .iter()
                    .filter(|task| task.status == TaskStatus::Done)
                    .count();
                dated.push((
                    Some(checkpoint.updated_at),
                    Entry {
                        selector: selector.to_string(),
                        updated_at: Some(time::format(checkpoint.updated_at)),
                        age: time::age(checkpoint.updated_at, context.env.now),
                        all_tasks_done: checkpoint.all_tasks_done(),
                        is_current_session,
                        from_backup: loaded.main_fault.is_some(),
                        recoverable: false,
                        progress: (done, tasks.len()),
                        branch: checkpoint.git.and_then(|git| git.branch),
                        goal: redact(&checkpoint.goal.primary).text,
                    },
                ));
            }
            Err(error) => {
                warnings.push(format!("{error:#}"));
                dated.push((None, unreadable(&selector, is_current_session)));
            }
        }
    }
    // None, an unreadable one, is less than any time.
    dated.sort_by(|(a, _), (b, _)| b.cmp(a));
    let entries = dated.into_iter().map(|(_, entry)| entry).collect();
    Ok(Entries { entries, warnings })
}

fn unreadable(selector: &Selector, is_current_session: bool) -> Entry {
    Entry {
        selector: selector.to_string(),
        goal: "(unreadable)".to_owned(),
        updated_at: None,
        age: "unknown".to_owned(),
        branch: None,
        all_tasks_done: false,
        is_current_session,
        from_backup: false,
        recoverable: false,
        progress: (0, 0),
    }
}

//! `log`: the saves of a checkpoint, newest first (docs/contract.md, section 14).

use serde::Serialize;

use super::{Context, Reader, Selector, harmless};
use crate::checkpoint::time;
use crate::redact::redact;
use crate::store::Loaded;
use crate::store::selector;

pub(crate) struct Request {
    pub(crate) selector: Selector,
    /// How many saves at most; None for all.
    pub(crate) limit: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) selector: String,
    pub(crate) saves: Vec<Save>,
    pub(crate) total: usize,
    pub(crate) omitted: usize,
    pub(crate) warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Save {
    /// What names it, such as `auth@{2}`.
    pub(crate) selector: String,
    /// How many saves before the present one it is.
    pub(crate) number: usize,
    /// Left out, as all that follows, where the file cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated_at: Option<String>,
    pub(crate) age: String,
    pub(crate) tasks_done: usize,
    pub(crate) tasks: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) goal: Option<String>,
    pub(crate) bytes: usize,
}

/// Fails where there is no such checkpoint and no earlier save of it either.
pub(crate) fn run(context: &Context, request: &Request) -> anyhow::Result<Outcome> {
    let Request { selector, limit } = request;
    let found = context.store.saves(selector)?;
    let mut warnings = context.warnings.clone();
    let mut saves = Vec::new();
    let mut total = 0;
    for number in 0..=found.before() {
        let read = found.read(number);
        // The present one can be missing where a person took the files away.
        if number == 0 && matches!(read, Ok(None)) {
            continue;
        }
        total += 1;
        if limit.is_some_and(|limit| saves.len() >= limit) {
            continue;
        }
        let loaded = read.unwrap_or_else(|error| {
            warnings.push(format!("{error:#}"));
            None
        });
        if let Some(loaded) = &loaded
            && let Some(fault) = &loaded.main_fault
        {
            warnings.push(format!(
                "`{selector}` was read from its backup: its main file {fault}"
            ));
        }
        saves.push(save(context, selector, number, loaded));
    }
    if total == 0 {
        return Err(context.unknown(selector, Reader::Person)?);
    }
    warnings.extend(found.warnings);
    Ok(Outcome {
        selector: selector.to_string(),
        omitted: total - saves.len(),
        saves,
        total,
        warnings: harmless(context.words, warnings),
    })
}

fn save(context: &Context, selector: &Selector, number: usize, loaded: Option<Loaded>) -> Save {
    let bytes = loaded.as_ref().map_or(0, |loaded| loaded.bytes.len());
    let checkpoint = loaded.map(|loaded| loaded.checkpoint);
    let (tasks_done, tasks) = checkpoint.as_ref().map_or((0, 0), |it| it.progress());
    let at = checkpoint.as_ref().map(|checkpoint| checkpoint.updated_at);
    Save {
        selector: selector::nth(selector, number),
        number,
        updated_at: at.map(time::format),
        age: at.map_or("unknown".to_owned(), |at| time::age(at, context.env.now)),
        tasks_done,
        tasks,
        branch: checkpoint
            .as_ref()
            .and_then(|checkpoint| checkpoint.git.as_ref()?.branch.as_ref())
            .map(|branch| redact(branch).text),
        goal: checkpoint.map(|checkpoint| redact(&checkpoint.goal.primary).text),
        bytes,
    }
}

//! `list`: the checkpoints of a project, newest first.

use serde::{Deserialize, Serialize};

use super::Context;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    /// How many entries at most; 0 for all, not given for 10.
    pub(crate) limit: Option<usize>,
}

/// SPEC section 11.
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
}

pub(crate) fn run(_context: &Context, _request: &Request) -> anyhow::Result<Outcome> {
    anyhow::bail!("not wired yet")
}

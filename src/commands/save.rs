//! `save`: the agent's knowledge and the project's facts, written as the session's checkpoint.

use serde::Serialize;

use super::Context;
use crate::checkpoint::update::{Mode, Update};

pub(crate) type Request = Update;

/// SPEC section 6.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    pub(crate) text: String,
    /// The file that was written.
    pub(crate) path: String,
    pub(crate) bytes: usize,
    /// How the save was done, which a merge without a base makes `replace`.
    pub(crate) mode: Mode,
    pub(crate) counts: Counts,
    pub(crate) warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// `env`, `argument` or `minted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_source: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counts {
    pub(crate) tasks: usize,
    pub(crate) modified_files: usize,
    pub(crate) recent_commands: usize,
    pub(crate) redactions: usize,
}

pub(crate) fn run(_context: &Context, _request: Request) -> anyhow::Result<Outcome> {
    anyhow::bail!("not wired yet")
}

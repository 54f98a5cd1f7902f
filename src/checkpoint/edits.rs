//! What a save changes: the agent's part of a checkpoint, checked and ready to be merged.

use serde::Serialize;

use super::format::TaskStatus;

/// The texts and lists that a save brings (docs/contract.md, section 6), with nothing left open but what "not given" means
/// for them: an empty list brings nothing, and `None` keeps what is recorded.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Edits {
    pub(crate) goal: Option<String>,
    pub(crate) tasks: Vec<TaskEdit>,
    pub(crate) summary: Option<String>,
    pub(crate) next_steps: Option<Vec<String>>,
    pub(crate) decisions: Vec<String>,
    pub(crate) recent_commands: Vec<CommandEdit>,
    /// Whether a merge drops every task that `tasks` does not name; for a person, who was shown them all.
    pub(crate) only_these_tasks: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TaskEdit {
    pub(crate) description: String,
    /// Not given: what a merge finds recorded, else `pending`.
    pub(crate) status: Option<TaskStatus>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CommandEdit {
    pub(crate) command: String,
    pub(crate) exit_code: Option<i64>,
    pub(crate) note: Option<String>,
}

/// A file that the agent names; it is recorded together with those that the repository names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileEdit {
    pub(crate) path: String,
    pub(crate) note: Option<String>,
}

/// Ends the description of a task that was given up: it is blocked for good, and no status says so.
pub(crate) const CANCELLED: &str = " (cancelled)";

/// How a save treats what the checkpoint holds already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Mode {
    #[default]
    Replace,
    Merge,
}

impl TaskStatus {
    /// The words that a save accepts.
    pub(crate) const WORDS: [&str; 4] = ["pending", "in_progress", "done", "blocked"];
}

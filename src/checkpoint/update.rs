//! What a save is given: the agent's part of a checkpoint.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};

use super::format::TaskStatus;

/// The arguments of a save but for where it goes (SPEC section 6). None stands for "not given".
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Update {
    pub(crate) goal: Option<String>,
    pub(crate) tasks: Option<Vec<TaskUpdate>>,
    pub(crate) summary: Option<String>,
    pub(crate) next_steps: Option<Vec<String>>,
    pub(crate) decisions: Option<Vec<String>>,
    pub(crate) modified_files: Option<Vec<FileUpdate>>,
    pub(crate) recent_commands: Option<Vec<CommandUpdate>>,
    pub(crate) mode: Option<Mode>,
    /// The selector that this session went on from.
    pub(crate) resumed_from: Option<String>,
    /// Whether a merge drops every task that `tasks` does not name; for a person, who was shown them all.
    #[serde(skip)]
    pub(crate) only_these_tasks: bool,
    /// When the session was last active that all this was recovered from; None for what is told as it happens.
    #[serde(skip)]
    pub(crate) as_of: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TaskUpdate {
    pub(crate) description: String,
    /// Not given: what a merge finds recorded, else `pending`.
    #[serde(default, deserialize_with = "known_status")]
    pub(crate) status: Option<TaskStatus>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FileUpdate {
    pub(crate) path: String,
    pub(crate) note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CommandUpdate {
    pub(crate) command: String,
    pub(crate) exit_code: Option<i64>,
    pub(crate) note: Option<String>,
}

/// How a save treats what the checkpoint holds already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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

fn known_status<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<TaskStatus>, D::Error> {
    match Option::deserialize(deserializer)? {
        Some(TaskStatus::Other(word)) => Err(serde::de::Error::custom(format_args!(
            "`{word}` is none of {}",
            TaskStatus::WORDS.join(", ")
        ))),
        status => Ok(status),
    }
}

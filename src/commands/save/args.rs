//! The arguments of a save as they come over the wire, made into its request.

use serde::{Deserialize, Deserializer};

use super::Request;
use crate::checkpoint::edits::{CommandEdit, Edits, FileEdit, Mode, TaskEdit};
use crate::checkpoint::format::TaskStatus;
use crate::store::selector::Selector;

/// The arguments of a save but for where it goes (SPEC section 6). None stands for "not given".
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Args {
    goal: Option<String>,
    tasks: Option<Vec<Task>>,
    summary: Option<String>,
    next_steps: Option<Vec<String>>,
    decisions: Option<Vec<String>>,
    modified_files: Option<Vec<File>>,
    recent_commands: Option<Vec<Command>>,
    mode: Option<Word>,
    resumed_from: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Task {
    description: String,
    #[serde(default, deserialize_with = "known_status")]
    status: Option<TaskStatus>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    path: String,
    note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Command {
    command: String,
    exit_code: Option<i64>,
    note: Option<String>,
}

/// The words of `mode`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Word {
    Replace,
    Merge,
}

impl Args {
    /// Fails where `resumedFrom` is no selector.
    pub(crate) fn into_request(self) -> anyhow::Result<Request> {
        let Self {
            goal,
            tasks,
            summary,
            next_steps,
            decisions,
            modified_files,
            recent_commands,
            mode,
            resumed_from,
        } = self;
        let tasks = tasks.into_iter().flatten();
        let tasks = tasks.map(|task| TaskEdit {
            description: task.description,
            status: task.status,
        });
        let commands = recent_commands.into_iter().flatten();
        let commands = commands.map(|entry| CommandEdit {
            command: entry.command,
            exit_code: entry.exit_code,
            note: entry.note,
        });
        let files = modified_files.into_iter().flatten();
        let files = files.map(|file| FileEdit {
            path: file.path,
            note: file.note,
        });
        Ok(Request {
            edits: Edits {
                goal,
                tasks: tasks.collect(),
                summary,
                next_steps,
                decisions: decisions.unwrap_or_default(),
                recent_commands: commands.collect(),
                only_these_tasks: false,
            },
            files: files.collect(),
            mode: match mode {
                Some(Word::Merge) => Mode::Merge,
                Some(Word::Replace) | None => Mode::Replace,
            },
            resumed_from: resumed_from.as_deref().map(Selector::parse).transpose()?,
            as_of: None,
        })
    }
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

//! The text in which a person edits a checkpoint: what the agent wrote, as TOML (toml.io).
//!
//! TOML, because it has comments and texts of several lines, and because editors know it. The fields have
//! the names of the format. What the project said, git and the files with their hashes, is not in it, nor
//! are unknown fields: all that stays in the checkpoint as it is.

mod apply;
#[cfg(test)]
mod tests;
mod write;

use std::collections::BTreeMap;

use serde::Deserialize;

use super::fields::{DECISIONS, Field, LISTS, NEXT_STEPS};
use super::format::{Checkpoint, TaskStatus};

/// What a person can edit of a checkpoint. An empty text counts as not given, as in a save.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Form {
    goal: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    tasks: Vec<FormTask>,
    #[serde(default)]
    next_steps: Vec<String>,
    #[serde(default)]
    decisions: Vec<String>,
    #[serde(default)]
    recent_commands: Vec<FormCommand>,
    /// By path, for the recorded files.
    #[serde(default)]
    file_notes: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormTask {
    #[serde(default)]
    status: TaskStatus,
    description: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FormCommand {
    command: String,
    exit_code: Option<i64>,
    #[serde(default)]
    note: String,
}

impl Form {
    pub(crate) fn of(checkpoint: &Checkpoint) -> Self {
        let note = |note: &Option<String>| note.clone().unwrap_or_default();
        let tasks = checkpoint.goal.tasks.iter().map(|task| FormTask {
            status: task.status.clone(),
            description: task.description.clone(),
        });
        let commands = checkpoint.recent_commands.iter().map(|entry| FormCommand {
            command: entry.command.clone(),
            exit_code: entry.exit_code,
            note: note(&entry.note),
        });
        let files = checkpoint.modified_files.iter();
        Self {
            goal: checkpoint.goal.primary.clone(),
            summary: checkpoint.summary.clone().unwrap_or_default(),
            tasks: tasks.collect(),
            next_steps: checkpoint.next_steps.clone(),
            decisions: checkpoint.decisions.clone(),
            recent_commands: commands.collect(),
            file_notes: files
                .map(|file| (file.path.clone(), note(&file.note)))
                .collect(),
        }
    }

    /// Reads what a person wrote; the error says what is wrong and on which line.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        // Line ends are the editor's; a carriage return of the checkpoint's stands as an escape.
        let text = text.replace("\r\n", "\n");
        let mut form: Self = toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            format!("line {line}: {}", error.message().replace('\n', "; "))
        })?;
        form.for_each_text(|text| {
            // The line end before the closing quotes of a text of several lines.
            if text.ends_with('\n') {
                text.pop();
            }
        });
        Ok(form)
    }

    /// The lists of texts, each with its field.
    fn lists(&self) -> [(&'static Field, &Vec<String>); LISTS] {
        [
            (&NEXT_STEPS, &self.next_steps),
            (&DECISIONS, &self.decisions),
        ]
    }

    fn for_each_text(&mut self, mut visit: impl FnMut(&mut String)) {
        let Self {
            goal,
            summary,
            tasks,
            next_steps,
            decisions,
            recent_commands,
            file_notes,
        } = self;
        visit(goal);
        visit(summary);
        for task in tasks {
            visit(&mut task.description);
        }
        next_steps.iter_mut().chain(decisions).for_each(&mut visit);
        for entry in recent_commands {
            visit(&mut entry.command);
            visit(&mut entry.note);
        }
        file_notes.values_mut().for_each(visit);
    }
}

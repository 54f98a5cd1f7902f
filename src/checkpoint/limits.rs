//! The fields that the agent writes, each with its limit: one list for checking and for redacting.

use std::fmt;

use serde_json::{Map, Value, json};

use super::edits::{CommandEdit, Edits, FileEdit, TaskEdit};
use super::format::{Checkpoint, FileStatus, ModifiedFile, Source, TaskStatus, Times};

pub(crate) const GOAL: usize = 500;
pub(crate) const TASKS: usize = 30;
pub(crate) const TASK: usize = 300;
pub(crate) const SUMMARY: usize = 4_000;
pub(crate) const NEXT_STEPS: usize = 20;
pub(crate) const NEXT_STEP: usize = 500;
pub(crate) const DECISIONS: usize = 20;
pub(crate) const DECISION: usize = 500;
pub(crate) const FILES: usize = 100;
pub(crate) const PATH: usize = 1_024;
pub(crate) const NOTE: usize = 300;
pub(crate) const COMMANDS: usize = 50;
pub(crate) const COMMAND: usize = 1_000;
/// A checkpoint file's size in bytes.
pub(crate) const FILE_BYTES: usize = 65_536;

const PATH_PART: &str = ".path";

/// What a text is for: prose may hold secrets and is redacted, a path names a file and stays exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Prose,
    Path,
}

/// One text of a save: the name of its field, its limit in characters, its kind.
pub(crate) struct Field {
    /// The field at the top level that the text belongs to, such as `recentCommands`.
    pub(crate) name: &'static str,
    /// Its place in a list.
    pub(crate) index: Option<usize>,
    /// The part of an entry, such as `.note`; empty where it is the whole.
    pub(crate) part: &'static str,
    pub(crate) limit: usize,
    pub(crate) kind: Kind,
}

/// Visits every text that a save was given.
pub(crate) fn for_each_text(
    edits: &mut Edits,
    files: &mut [FileEdit],
    mut visit: impl FnMut(Field, &mut String),
) {
    let Edits {
        goal,
        tasks,
        summary,
        next_steps,
        decisions,
        recent_commands,
        only_these_tasks: _,
    } = edits;
    let mut text = |name, index, part, limit, text: &mut String| {
        let kind = match part {
            PATH_PART => Kind::Path,
            _ => Kind::Prose,
        };
        let field = Field {
            name,
            index,
            part,
            limit,
            kind,
        };
        visit(field, text);
    };
    if let Some(goal) = goal {
        text("goal", None, "", GOAL, goal);
    }
    for (index, task) in tasks.iter_mut().enumerate() {
        let TaskEdit {
            description,
            status: _,
        } = task;
        text("tasks", Some(index), ".description", TASK, description);
    }
    if let Some(summary) = summary {
        text("summary", None, "", SUMMARY, summary);
    }
    for (index, step) in next_steps.iter_mut().flatten().enumerate() {
        text("nextSteps", Some(index), "", NEXT_STEP, step);
    }
    for (index, decision) in decisions.iter_mut().enumerate() {
        text("decisions", Some(index), "", DECISION, decision);
    }
    for (index, command) in recent_commands.iter_mut().enumerate() {
        let CommandEdit {
            command,
            exit_code: _,
            note,
        } = command;
        text("recentCommands", Some(index), ".command", COMMAND, command);
        if let Some(note) = note {
            text("recentCommands", Some(index), ".note", NOTE, note);
        }
    }
    for (index, file) in files.iter_mut().enumerate() {
        let FileEdit { path, note } = file;
        if let Some(note) = note {
            text("modifiedFiles", Some(index), ".note", NOTE, note);
        }
        text("modifiedFiles", Some(index), PATH_PART, PATH, path);
    }
}

/// Every field that is over its limit (docs/contract.md, section 5), under the name that `named` gives it by its field, index and
/// part; empty when all is well.
pub(crate) fn violations(
    edits: &mut Edits,
    files: &mut [FileEdit],
    named: impl Fn(&str, Option<usize>, &str) -> String,
) -> Vec<Violation> {
    let next_steps = edits.next_steps.as_ref().map_or(0, Vec::len);
    let lists = [
        ("tasks", edits.tasks.len(), TASKS),
        ("nextSteps", next_steps, NEXT_STEPS),
        ("decisions", edits.decisions.len(), DECISIONS),
        ("modifiedFiles", files.len(), FILES),
        ("recentCommands", edits.recent_commands.len(), COMMANDS),
    ];
    let over = lists
        .into_iter()
        .filter(|(_, length, limit)| length > limit);
    let over = over.map(|(name, length, limit)| Violation {
        field: named(name, None, ""),
        length,
        limit,
        unit: "entries",
    });
    let mut violations = Vec::from_iter(over);
    for_each_text(edits, files, |field, text| {
        let place = named(field.name, field.index, field.part);
        violations.extend(Violation::of_text(place, text, field.limit));
    });
    violations
}

impl Checkpoint {
    /// Whether uncommitted files may be missing from `modifiedFiles`. Other writers than this program say only that
    /// something was dropped; files are a part of it where the list is full.
    pub(crate) fn lacks_files(&self) -> bool {
        let is_ours = self.generator.name == env!("CARGO_PKG_NAME");
        let full = self.modified_files.len() >= FILES;
        self.meta.files_truncated || !is_ours && self.meta.truncated && full
    }

    /// Visits every text that may hold a secret: the agent's, and what other programs may have written in
    /// places of their own.
    pub(crate) fn for_each_prose(&mut self, mut visit: impl FnMut(&mut String)) {
        let Self {
            version: _,
            id: _,
            created_at: _,
            updated_at: _,
            generator,
            project,
            session_id: _,
            resumed_from: _,
            name,
            done: _,
            git,
            goal,
            summary,
            next_steps,
            decisions,
            modified_files,
            recent_commands,
            meta,
            client,
            times,
            extra,
            left_out: _,
        } = self;
        visit(&mut goal.primary);
        for task in &mut goal.tasks {
            visit(&mut task.description);
            if let TaskStatus::Other(word) = &mut task.status {
                visit(word);
            }
            unknown_fields(&mut task.extra, &mut visit);
        }
        summary.iter_mut().for_each(&mut visit);
        next_steps.iter_mut().chain(decisions).for_each(&mut visit);
        for command in recent_commands {
            visit(&mut command.command);
            command.note.iter_mut().for_each(&mut visit);
            unknown_fields(&mut command.extra, &mut visit);
        }
        for file in modified_files {
            file.note.iter_mut().for_each(&mut visit);
            if let FileStatus::Other(word) = &mut file.status {
                visit(word);
            }
            if let Source::Other(word) = &mut file.source {
                visit(word);
            }
            unknown_fields(&mut file.extra, &mut visit);
        }
        if let Some(git) = git {
            git.branch.iter_mut().for_each(&mut visit);
            unknown_fields(&mut git.extra, &mut visit);
        }
        name.iter_mut().for_each(&mut visit);
        visit(&mut generator.name);
        visit(&mut generator.version);
        visit(&mut project.name);
        meta.machine.iter_mut().for_each(&mut visit);
        if let Some(Times { decisions, done }) = times {
            decisions.iter_mut().chain(done).for_each(&mut visit);
        }
        if let Some(client) = client {
            visit(&mut client.name);
            visit(&mut client.version);
            unknown_fields(&mut client.extra, &mut visit);
        }
        for extra in [
            &mut generator.extra,
            &mut project.extra,
            &mut goal.extra,
            &mut meta.extra,
            extra,
        ] {
            unknown_fields(extra, &mut visit);
        }
    }
}

/// Visits the texts among `fields`, each with its name before it, which may say what it is.
fn unknown_fields(fields: &mut Map<String, Value>, visit: &mut impl FnMut(&mut String)) {
    for (name, value) in fields {
        unknown_value(name, value, visit);
    }
}

fn unknown_value(name: &str, value: &mut Value, visit: &mut impl FnMut(&mut String)) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::Array(values) => {
            for value in values {
                unknown_value(name, value, visit);
            }
        }
        Value::Object(fields) => unknown_fields(fields, visit),
        Value::String(text) => {
            let mut field = json!({ name: &text }).to_string();
            visit(&mut field);
            let visited = serde_json::from_str::<Map<String, Value>>(&field);
            match visited
                .ok()
                .as_mut()
                .and_then(|fields| fields.get_mut(name))
            {
                Some(Value::String(visited)) => std::mem::swap(text, visited),
                _ => visit(text),
            }
        }
    }
}

/// What [`fit`] dropped to bring a checkpoint under the file's limit.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) commands: usize,
    pub(crate) files: usize,
}

/// The checkpoint's bytes, within [`FILE_BYTES`]: the oldest commands go first, then files without a note, of which
/// those go first that are not uncommitted.
///
/// The error is the size in bytes of what is left when neither is left to drop.
pub(crate) fn fit(
    checkpoint: &mut Checkpoint,
) -> serde_json::Result<Result<(Vec<u8>, Dropped), usize>> {
    let mut dropped = Dropped::default();
    loop {
        let bytes = checkpoint.to_bytes()?;
        if bytes.len() <= FILE_BYTES {
            return Ok(Ok((bytes, dropped)));
        }
        let files = &checkpoint.modified_files;
        let last = |wanted: &dyn Fn(&ModifiedFile) -> bool| {
            files
                .iter()
                .rposition(|file| file.note.is_none() && wanted(file))
        };
        let spare = last(&|file| file.source != Source::Git).or_else(|| last(&|_| true));
        if !checkpoint.recent_commands.is_empty() {
            checkpoint.recent_commands.remove(0);
            dropped.commands += 1;
        } else if let Some(index) = spare {
            let file = checkpoint.modified_files.remove(index);
            dropped.files += 1;
            checkpoint.meta.files_truncated |= file.source == Source::Git;
        } else {
            return Ok(Err(bytes.len()));
        }
        checkpoint.meta.truncated = true;
    }
}

/// A field that is over its limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    /// As its reader knows it, in backticks.
    field: String,
    length: usize,
    limit: usize,
    unit: &'static str,
}

impl Violation {
    /// None where a text is within its limit in characters.
    pub(crate) fn of_text(field: String, text: &str, limit: usize) -> Option<Self> {
        let length = text.chars().count();
        (length > limit).then_some(Self {
            field,
            length,
            limit,
            unit: "characters",
        })
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            field,
            length,
            limit,
            unit,
        } = self;
        write!(f, "{field} has {length} {unit} (limit {limit})")
    }
}

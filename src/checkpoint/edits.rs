//! What a save changes: the agent's part of a checkpoint, checked and ready to be merged.

use std::fmt;

use serde::Serialize;

use super::fields::{
    COMMANDS, DECISIONS, FILES, Field, GOAL, LISTS, NEXT_STEPS, NOTE, NOTE_PART, PATH_PART,
    SUMMARY, TASKS,
};
use super::format::TaskStatus;

/// The texts and lists that a save brings (docs/contract.md, section 6), with nothing left open but what "not given" means
/// for them: an empty list brings nothing, and `None` keeps what is recorded.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Edits {
    pub(crate) goal: Option<String>,
    pub(crate) tasks: Vec<TaskEdit>,
    pub(crate) summary: Option<String>,
    pub(crate) next_steps: Option<Vec<String>>,
    pub(crate) decisions: Option<Vec<String>>,
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

/// One text of a save, by the field that it belongs to.
pub(crate) struct Part {
    pub(crate) field: &'static Field,
    /// Its place in a list.
    index: Option<usize>,
    /// The part of an entry, such as `.note`; empty where it is the whole.
    part: &'static str,
    limit: usize,
}

impl Part {
    fn main(field: &'static Field, index: Option<usize>) -> Self {
        Self {
            field,
            index,
            part: field.part,
            limit: field.limit,
        }
    }

    fn note(field: &'static Field, index: usize) -> Self {
        Self {
            index: Some(index),
            part: NOTE_PART,
            limit: NOTE,
            ..Self::main(field, None)
        }
    }

    /// Whether it names a file and stays exact; all others may hold secrets.
    pub(crate) fn is_path(&self) -> bool {
        self.part == PATH_PART
    }
}

impl Edits {
    /// The lists of texts, each with its field.
    pub(crate) fn lists(&mut self) -> [(&'static Field, &mut Option<Vec<String>>); LISTS] {
        let Self {
            goal: _,
            tasks: _,
            summary: _,
            next_steps,
            decisions,
            recent_commands: _,
            only_these_tasks: _,
        } = self;
        [(&NEXT_STEPS, next_steps), (&DECISIONS, decisions)]
    }

    /// Visits every text that a save was given.
    pub(crate) fn for_each_text(
        &mut self,
        files: &mut [FileEdit],
        mut visit: impl FnMut(Part, &mut String),
    ) {
        if let Some(goal) = &mut self.goal {
            visit(Part::main(&GOAL, None), goal);
        }
        for (index, task) in self.tasks.iter_mut().enumerate() {
            let TaskEdit {
                description,
                status: _,
            } = task;
            visit(Part::main(&TASKS, Some(index)), description);
        }
        if let Some(summary) = &mut self.summary {
            visit(Part::main(&SUMMARY, None), summary);
        }
        for (field, list) in self.lists() {
            for (index, text) in list.iter_mut().flatten().enumerate() {
                visit(Part::main(field, Some(index)), text);
            }
        }
        for (index, command) in self.recent_commands.iter_mut().enumerate() {
            let CommandEdit {
                command,
                exit_code: _,
                note,
            } = command;
            visit(Part::main(&COMMANDS, Some(index)), command);
            if let Some(note) = note {
                visit(Part::note(&COMMANDS, index), note);
            }
        }
        for (index, file) in files.iter_mut().enumerate() {
            let FileEdit { path, note } = file;
            if let Some(note) = note {
                visit(Part::note(&FILES, index), note);
            }
            visit(Part::main(&FILES, Some(index)), path);
        }
    }

    /// Every field that is over its limit (docs/contract.md, section 5), under the name that `named` gives it by its
    /// field, index and part; empty when all is well.
    pub(crate) fn violations(
        &mut self,
        files: &mut [FileEdit],
        named: impl Fn(&str, Option<usize>, &str) -> String,
    ) -> Vec<Violation> {
        let mut lengths = vec![(&TASKS, self.tasks.len())];
        let lists = self.lists();
        lengths.extend(lists.map(|(field, list)| (field, list.as_ref().map_or(0, Vec::len))));
        lengths.push((&FILES, files.len()));
        lengths.push((&COMMANDS, self.recent_commands.len()));
        let over = lengths
            .into_iter()
            .filter(|(field, length)| *length > field.entries);
        let over = over.map(|(field, length)| Violation {
            field: named(field.name, None, ""),
            length,
            limit: field.entries,
            unit: "entries",
        });
        let mut violations = Vec::from_iter(over);
        self.for_each_text(files, |part, text| {
            let place = named(part.field.name, part.index, part.part);
            violations.extend(Violation::of_text(place, text, part.limit));
        });
        violations
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

//! An edited form as the checkpoint that it stands for.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::write::on_one_line;
use super::{Form, FormCommand, FormTask};
use crate::checkpoint::edits::{CommandEdit, Edits, TaskEdit, Violation};
use crate::checkpoint::fields::NOTE;
use crate::checkpoint::format::{Checkpoint, ModifiedFile, RecentCommand, Task, TaskStatus};
use crate::checkpoint::shared;
use crate::checkpoint::text::{QUOTED, shortened};

/// How alike two texts must be, from 0 to 1, for one to count as the other reworded.
const ALIKE: f32 = 0.6;

impl Form {
    /// The checkpoint with what was edited; `now` is when commands that are new were recorded.
    ///
    /// Only what differs from `saved` is taken over and checked, so that an old text over its limit does not
    /// stand in the way. The error names everything that is wrong.
    pub(crate) fn apply(
        self,
        saved: &Checkpoint,
        now: Timestamp,
    ) -> Result<Checkpoint, Vec<String>> {
        let shown = Self::of(saved);
        let mut next = saved.clone();
        // What is new, for the limits of a save.
        let mut edits = Edits::default();
        let mut faults = Vec::new();
        self.apply_texts(&shown, &mut next, &mut edits, &mut faults);
        let Self {
            mut tasks,
            mut recent_commands,
            file_notes,
            ..
        } = self;
        if tasks != shown.tasks {
            tasks.retain(|task| !task.description.is_empty());
            faults.extend(unknown_statuses(&tasks, &shown.tasks));
            edits.tasks = tasks.iter().map(FormTask::to_edit).collect();
            next.goal.tasks = edited_tasks(&saved.goal.tasks, tasks);
            if let Some(times) = &mut next.times {
                // The next save dates what was done in the editor.
                times.done.clear();
            }
        }
        if recent_commands != shown.recent_commands {
            recent_commands.retain(|entry| !entry.command.is_empty());
            edits.recent_commands = recent_commands.iter().map(FormCommand::to_edit).collect();
            next.recent_commands = edited_commands(&saved.recent_commands, recent_commands, now);
        }
        if next.decisions != saved.decisions
            && let Some(times) = &mut next.times
        {
            let old: Vec<&str> = saved.decisions.iter().map(String::as_str).collect();
            let new: Vec<&str> = next.decisions.iter().map(String::as_str).collect();
            let origins = origins(&old, &new);
            times.decisions = shared::rearranged(&times.decisions, &origins, now);
        }
        let violations = edits.violations(&mut [], named);
        faults.extend(violations.iter().map(ToString::to_string));
        faults.extend(edit_notes(
            &mut next.modified_files,
            &shown.file_notes,
            &file_notes,
        ));
        match faults.is_empty() {
            true => Ok(next),
            false => Err(faults),
        }
    }

    /// Takes over goal, summary and the lists of texts where they are not as they were `shown`.
    fn apply_texts(
        &self,
        shown: &Self,
        next: &mut Checkpoint,
        edits: &mut Edits,
        faults: &mut Vec<String>,
    ) {
        if self.goal != shown.goal {
            if self.goal.trim().is_empty() {
                faults.push("`goal` is empty".to_owned());
            }
            edits.goal = Some(self.goal.clone());
            next.goal.primary.clone_from(&self.goal);
        }
        if self.summary != shown.summary {
            edits.summary = Some(self.summary.clone());
            next.summary = given(&self.summary);
        }
        let lists = self.lists().into_iter().zip(shown.lists());
        let targets = next.lists_mut().into_iter().zip(edits.lists());
        for (((_, edited), (_, shown)), ((_, kept), (_, edit))) in lists.zip(targets) {
            if edited != shown {
                *kept = edited.clone();
                kept.retain(|text| !text.is_empty());
                *edit = Some(kept.clone());
            }
        }
    }
}

impl FormTask {
    fn to_edit(&self) -> TaskEdit {
        TaskEdit {
            description: self.description.clone(),
            status: Some(self.status.clone()),
        }
    }
}

impl FormCommand {
    fn to_edit(&self) -> CommandEdit {
        CommandEdit {
            command: self.command.clone(),
            exit_code: self.exit_code,
            note: given(&self.note),
        }
    }
}

/// A field as the form names it.
fn named(name: &str, index: Option<usize>, part: &str) -> String {
    match index {
        Some(index) => format!("`{name}[{index}]{part}`"),
        None => format!("`{name}`"),
    }
}

fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A word of a later version may stay, but none may come in.
fn unknown_statuses<'a>(
    tasks: &'a [FormTask],
    shown: &'a [FormTask],
) -> impl Iterator<Item = String> + 'a {
    tasks.iter().enumerate().filter_map(|(index, task)| {
        let stood_there = || shown.iter().any(|old| old.status == task.status);
        match &task.status {
            TaskStatus::Other(word) if !stood_there() => Some(format!(
                "`tasks[{index}].status` is `{}`, which is none of {}",
                shortened(word, QUOTED).escape_debug(),
                TaskStatus::WORDS.join(", ")
            )),
            _ => None,
        }
    })
}

fn edited_tasks(saved: &[Task], edited: Vec<FormTask>) -> Vec<Task> {
    let old: Vec<&str> = saved.iter().map(|task| task.description.as_str()).collect();
    let new: Vec<&str> = edited
        .iter()
        .map(|task| task.description.as_str())
        .collect();
    let origins = origins(&old, &new);
    let tasks = edited.into_iter().zip(origins);
    tasks
        .map(|(task, origin)| Task {
            description: task.description,
            status: task.status,
            extra: origin
                .map(|index| saved[index].extra.clone())
                .unwrap_or_default(),
        })
        .collect()
}

fn edited_commands(
    saved: &[RecentCommand],
    edited: Vec<FormCommand>,
    now: Timestamp,
) -> Vec<RecentCommand> {
    let old: Vec<&str> = saved.iter().map(|entry| entry.command.as_str()).collect();
    let new: Vec<&str> = edited.iter().map(|entry| entry.command.as_str()).collect();
    let origins = origins(&old, &new);
    let commands = edited.into_iter().zip(origins);
    commands
        .map(|(entry, origin)| {
            let origin = origin.map(|index| &saved[index]);
            RecentCommand {
                command: entry.command,
                exit_code: entry.exit_code,
                note: given(&entry.note),
                at: origin.map_or(Some(now), |origin| origin.at),
                extra: origin
                    .map(|origin| origin.extra.clone())
                    .unwrap_or_default(),
            }
        })
        .collect()
}

/// Sets the notes that were edited, and says what is wrong with them.
fn edit_notes(
    files: &mut [ModifiedFile],
    shown: &BTreeMap<String, String>,
    edited: &BTreeMap<String, String>,
) -> Vec<String> {
    let unknown = edited.keys().filter(|path| !shown.contains_key(*path));
    let mut faults: Vec<String> = unknown
        .map(|path| {
            format!(
                "`fileNotes` names {}, which is not a recorded file",
                on_one_line(path)
            )
        })
        .collect();
    for file in files {
        let note = |notes: &BTreeMap<String, String>| notes.get(&file.path).and_then(|n| given(n));
        let (before, after) = (note(shown), note(edited));
        if before != after {
            let field = format!("`fileNotes.{}`", on_one_line(&file.path));
            let text = after.as_deref().unwrap_or_default();
            let violation = Violation::of_text(field, text, NOTE);
            faults.extend(violation.map(|violation| violation.to_string()));
            file.note = after;
        }
    }
    faults
}

/// For each new text the old one that it comes from, by index: the same, else one that it is much like,
/// else, where equally many are left on both sides, the one that stands in the same place among those.
pub(super) fn origins(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut left: Vec<usize> = (0..old.len()).collect();
    let mut origins = vec![None; new.len()];
    let mut find = |how: &dyn Fn(&str, &[&str]) -> Option<usize>, left: &mut Vec<usize>| {
        for (text, origin) in new.iter().zip(&mut origins) {
            let texts: Vec<&str> = left.iter().map(|index| old[*index]).collect();
            if origin.is_none()
                && let Some(at) = how(text, &texts)
            {
                *origin = Some(left.remove(at));
            }
        }
    };
    let same = |text: &str, texts: &[&str]| texts.iter().position(|old| *old == text);
    let alike = |text: &str, texts: &[&str]| {
        let closest = similar::get_close_matches(text, texts, 1, ALIKE);
        same(closest.first()?, texts)
    };
    find(&same, &mut left);
    find(&alike, &mut left);
    let missing: Vec<&mut Option<usize>> = origins
        .iter_mut()
        .filter(|origin| origin.is_none())
        .collect();
    if missing.len() == left.len() {
        for (origin, index) in missing.into_iter().zip(left) {
            *origin = Some(index);
        }
    }
    origins
}

//! A checkpoint from the edits of a save: replacing what was there, or building on it (docs/contract.md, section 6).

use std::mem;

use jiff::Timestamp;
use serde_json::Map;

use super::edits::{CANCELLED, CommandEdit, Edits, TaskEdit};
use super::fields::{COMMANDS, Field, TASKS};
use super::format::{Checkpoint, Client, Generator, Git, ModifiedFile, RecentCommand, Task};

/// What the program itself knows at the moment of a save.
#[derive(Debug)]
pub(crate) struct Facts {
    /// A UUID for a checkpoint that begins here.
    pub(crate) id: String,
    pub(crate) now: Timestamp,
    /// When it was made all the same, where what it replaces seems to be later.
    pub(crate) changed_at: Option<Timestamp>,
    pub(crate) generator: Generator,
    pub(crate) project: String,
    pub(crate) session_id: Option<String>,
    pub(crate) resumed_from: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) git: Option<Git>,
    /// None where whoever saves is no client's agent.
    pub(crate) client: Option<Client>,
    /// Already chosen and hashed.
    pub(crate) files: Vec<ModifiedFile>,
    /// Whether uncommitted files were left out of `files`.
    pub(crate) files_truncated: bool,
    /// Whether other files were left out of it.
    pub(crate) files_dropped: bool,
    pub(crate) redactions: usize,
}

/// A checkpoint of the edits alone; its lists are as they were given.
pub(crate) fn replace(goal: String, mut edits: Edits, facts: Facts) -> Checkpoint {
    let mut base = Checkpoint::begun(facts.id.clone(), facts.now, goal);
    let tasks = mem::take(&mut edits.tasks);
    base.goal.tasks = tasks.into_iter().map(new_task).collect();
    edits.only_these_tasks = false;
    for ((_, kept), (_, given)) in base.lists_mut().into_iter().zip(edits.lists()) {
        *kept = given.take().unwrap_or_default();
    }
    merge(base, edits, facts).0
}

/// The edits on top of `base`, with the names of the lists that had to drop their oldest entries.
pub(crate) fn merge(
    base: Checkpoint,
    mut edits: Edits,
    facts: Facts,
) -> (Checkpoint, Vec<&'static str>) {
    let mut next = base;
    let mut dropped = Vec::new();
    for ((field, kept), (_, given)) in next.lists_mut().into_iter().zip(edits.lists()) {
        merge_list(field, kept, given.take());
    }
    next.goal.primary = edits.goal.unwrap_or(next.goal.primary);
    let tasks = edits.tasks;
    if edits.only_these_tasks {
        let named = |task: &Task| tasks.iter().any(|t| t.description == task.description);
        next.goal.tasks.retain(named);
    }
    merge_tasks(&mut next.goal.tasks, tasks);
    next.summary = edits.summary.or(next.summary);
    let recorded = |command| recorded_command(command, facts.now);
    let recorded = edits.recent_commands.into_iter().map(recorded);
    next.recent_commands.extend(recorded);
    drop_oldest(&mut next.goal.tasks, &TASKS, &mut dropped);
    for (field, list) in next.lists_mut() {
        if field.grows {
            drop_oldest(list, field, &mut dropped);
        }
    }
    drop_oldest(&mut next.recent_commands, &COMMANDS, &mut dropped);
    record(&mut next, facts, !dropped.is_empty());
    (next, dropped)
}

/// Records the facts of a save that merges; `is_cut` is whether lists lost entries.
fn record(next: &mut Checkpoint, facts: Facts, is_cut: bool) {
    let Facts {
        id,
        now,
        changed_at,
        generator,
        project,
        session_id,
        resumed_from,
        name,
        git,
        client,
        files,
        files_truncated,
        files_dropped,
        redactions,
    } = facts;
    if next.id.is_empty() {
        next.id = id;
    }
    next.updated_at = now;
    next.generator = Generator {
        extra: mem::take(&mut next.generator.extra),
        ..generator
    };
    next.project.name = project;
    next.session_id = session_id;
    next.resumed_from = resumed_from;
    next.name = name;
    // Who saves is not finished.
    next.done = false;
    let known = next.git.take().map(|git| git.extra);
    next.git = git.map(|git| Git {
        extra: known.unwrap_or_default(),
        ..git
    });
    next.client = client.or(next.client.take());
    next.modified_files = files;
    next.meta.redactions = redactions;
    next.meta.truncated = files_truncated || files_dropped || is_cut;
    next.meta.files_truncated = files_truncated;
    // Wherever it came from, it is this machine's from now on.
    next.meta.machine = None;
    next.meta.changed_at = changed_at;
}

fn merge_list(field: &Field, kept: &mut Vec<String>, given: Option<Vec<String>>) {
    match given {
        None => {}
        Some(given) if !field.grows => *kept = given,
        Some(given) => {
            for text in given {
                if !kept.contains(&text) {
                    kept.push(text);
                }
            }
        }
    }
}

fn merge_tasks(tasks: &mut Vec<Task>, edits: Vec<TaskEdit>) {
    // Of tasks with the same text, each is meant once.
    let mut edited = vec![false; tasks.len()];
    for edit in edits {
        let same = |at: &usize| {
            !edited[*at] && essence(tasks[*at].description.trim()) == essence(&edit.description)
        };
        match (0..tasks.len()).find(same) {
            Some(at) => {
                edited[at] = true;
                let task = &mut tasks[at];
                task.status = edit.status.unwrap_or_else(|| task.status.clone());
                task.description = edit.description;
            }
            None => {
                tasks.push(new_task(edit));
                edited.push(true);
            }
        }
    }
}

/// What a task's description says but for whether it was given up.
fn essence(description: &str) -> &str {
    description.strip_suffix(CANCELLED).unwrap_or(description)
}

fn new_task(edit: TaskEdit) -> Task {
    let TaskEdit {
        description,
        status,
    } = edit;
    Task {
        description,
        status: status.unwrap_or_default(),
        extra: Map::new(),
    }
}

fn recorded_command(edit: CommandEdit, now: Timestamp) -> RecentCommand {
    let CommandEdit {
        command,
        exit_code,
        note,
    } = edit;
    RecentCommand {
        command,
        exit_code,
        note,
        at: Some(now),
        extra: Map::new(),
    }
}

fn drop_oldest<T>(list: &mut Vec<T>, field: &Field, dropped: &mut Vec<&'static str>) {
    let over = list.len().saturating_sub(field.entries);
    if over > 0 {
        list.drain(..over);
        dropped.push(field.name);
    }
}

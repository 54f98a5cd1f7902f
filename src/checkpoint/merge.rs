//! A checkpoint from the edits of a save: replacing what was there, or building on it (docs/contract.md, section 6).

use std::mem;

use jiff::Timestamp;
use serde_json::Map;

use super::edits::{CANCELLED, CommandEdit, Edits, TaskEdit};
use super::format::{
    Checkpoint, Client, Generator, Git, Goal, Meta, ModifiedFile, Project, RecentCommand, Task,
    VERSION,
};
use super::limits;

/// What the program itself knows at the moment of a save.
#[derive(Debug)]
pub(crate) struct Facts {
    /// A UUID for a checkpoint that begins here.
    pub(crate) id: String,
    pub(crate) now: Timestamp,
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
    let tasks = mem::take(&mut edits.tasks);
    edits.only_these_tasks = false;
    let base = Checkpoint {
        version: VERSION,
        id: facts.id.clone(),
        created_at: facts.now,
        updated_at: facts.now,
        generator: Generator::default(),
        project: Project::default(),
        session_id: None,
        resumed_from: None,
        name: None,
        done: false,
        git: None,
        goal: Goal {
            primary: goal,
            tasks: tasks.into_iter().map(new_task).collect(),
            ..Goal::default()
        },
        summary: None,
        next_steps: Vec::new(),
        decisions: mem::take(&mut edits.decisions),
        modified_files: Vec::new(),
        recent_commands: Vec::new(),
        meta: Meta::default(),
        client: None,
        times: None,
        extra: Map::new(),
        left_out: Vec::new(),
    };
    merge(base, edits, facts).0
}

/// The edits on top of `base`, with the names of the lists that had to drop their oldest entries.
pub(crate) fn merge(
    base: Checkpoint,
    edits: Edits,
    facts: Facts,
) -> (Checkpoint, Vec<&'static str>) {
    let Edits {
        goal,
        tasks,
        summary,
        next_steps,
        decisions,
        recent_commands,
        only_these_tasks,
    } = edits;
    let mut next = base;
    let mut dropped = Vec::new();

    if let Some(goal) = goal {
        next.goal.primary = goal;
    }
    if only_these_tasks {
        let named = |task: &Task| tasks.iter().any(|t| t.description == task.description);
        next.goal.tasks.retain(named);
    }
    merge_tasks(&mut next.goal.tasks, tasks);
    drop_oldest(&mut next.goal.tasks, limits::TASKS, "tasks", &mut dropped);
    next.summary = summary.or(next.summary);
    next.next_steps = next_steps.unwrap_or(next.next_steps);
    for decision in decisions {
        if !next.decisions.contains(&decision) {
            next.decisions.push(decision);
        }
    }
    drop_oldest(
        &mut next.decisions,
        limits::DECISIONS,
        "decisions",
        &mut dropped,
    );
    let recorded = |command| recorded_command(command, facts.now);
    next.recent_commands
        .extend(recent_commands.into_iter().map(recorded));
    drop_oldest(
        &mut next.recent_commands,
        limits::COMMANDS,
        "recentCommands",
        &mut dropped,
    );

    if next.id.is_empty() {
        next.id = facts.id;
    }
    next.updated_at = facts.now;
    next.generator = Generator {
        extra: std::mem::take(&mut next.generator.extra),
        ..facts.generator
    };
    next.project.name = facts.project;
    next.session_id = facts.session_id;
    next.resumed_from = facts.resumed_from;
    next.name = facts.name;
    // Who saves is not finished.
    next.done = false;
    let known = next.git.take().map(|git| git.extra);
    next.git = facts.git.map(|git| Git {
        extra: known.unwrap_or_default(),
        ..git
    });
    next.client = facts.client.or(next.client);
    next.modified_files = facts.files;
    next.meta.redactions = facts.redactions;
    next.meta.truncated = facts.files_truncated || facts.files_dropped || !dropped.is_empty();
    next.meta.files_truncated = facts.files_truncated;
    (next, dropped)
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

fn drop_oldest<T>(
    list: &mut Vec<T>,
    limit: usize,
    name: &'static str,
    dropped: &mut Vec<&'static str>,
) {
    let over = list.len().saturating_sub(limit);
    if over > 0 {
        list.drain(..over);
        dropped.push(name);
    }
}

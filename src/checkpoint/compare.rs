//! Two checkpoints side by side, field by field.

use serde::Serialize;

use super::format::{Checkpoint, Goal, ModifiedFile, RecentCommand, Task, TaskStatus};
use super::path;

/// What is different; a field that is the same in both is left out.
///
/// Compared is what a checkpoint says of the work: the order of its lists, times, identity and what the
/// program noted about the save itself do not count.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Comparison {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<Change<Option<String>>>,
    /// HEAD's commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) head: Option<Change<Option<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) goal: Option<Change<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tasks: Vec<TaskChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<Change<Option<String>>>,
    #[serde(skip_serializing_if = "ListChange::is_empty")]
    pub(crate) next_steps: ListChange<String>,
    #[serde(skip_serializing_if = "ListChange::is_empty")]
    pub(crate) decisions: ListChange<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) modified_files: Vec<FileChange>,
    #[serde(skip_serializing_if = "ListChange::is_empty")]
    pub(crate) recent_commands: ListChange<RecentCommand>,
}

/// A value that is not the same on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Change<T> {
    pub(crate) before: T,
    pub(crate) after: T,
}

/// Entries that only one side has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ListChange<T> {
    pub(crate) added: Vec<T>,
    pub(crate) removed: Vec<T>,
}

/// A task whose status changed, or that only one side has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct TaskChange {
    pub(crate) description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<TaskStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<TaskStatus>,
}

/// A recorded file that differs, or that only one side has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct FileChange {
    #[serde(serialize_with = "path::serialize")]
    pub(crate) path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<FileState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<FileState>,
}

/// What a checkpoint says of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FileState {
    pub(crate) status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
}

impl<T: PartialEq> Change<T> {
    pub(crate) fn between(before: T, after: T) -> Option<Self> {
        (before != after).then_some(Self { before, after })
    }
}

impl<T: Clone> ListChange<T> {
    /// Each entry of one side stands for one equal entry of the other.
    fn between(before: &[T], after: &[T], same: impl Fn(&T, &T) -> bool) -> Self {
        let mut removed: Vec<&T> = before.iter().collect();
        let mut added = Vec::new();
        for entry in after {
            match removed.iter().position(|old| same(old, entry)) {
                Some(index) => drop(removed.remove(index)),
                None => added.push(entry.clone()),
            }
        }
        Self {
            added,
            removed: removed.into_iter().cloned().collect(),
        }
    }
}

impl<T> ListChange<T> {
    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }
}

impl Comparison {
    pub(crate) fn between(before: &Checkpoint, after: &Checkpoint) -> Self {
        let Checkpoint {
            version: _,
            id: _,
            created_at: _,
            updated_at: _,
            generator: _,
            project: _,
            session_id: _,
            resumed_from: _,
            git,
            goal:
                Goal {
                    primary,
                    tasks,
                    extra: _,
                },
            summary,
            next_steps,
            decisions,
            modified_files,
            recent_commands,
            meta: _,
            extra: _,
            left_out: _,
        } = after;
        let branch = |checkpoint: &Checkpoint| checkpoint.git.as_ref()?.branch.clone();
        let head = |git: &Option<super::format::Git>| git.as_ref().map(|git| git.head.clone());
        Self {
            branch: Change::between(branch(before), branch(after)),
            head: Change::between(head(&before.git), head(git)),
            goal: Change::between(before.goal.primary.clone(), primary.clone()),
            tasks: tasks_between(&before.goal.tasks, tasks),
            summary: Change::between(before.summary.clone(), summary.clone()),
            next_steps: ListChange::between(&before.next_steps, next_steps, PartialEq::eq),
            decisions: ListChange::between(&before.decisions, decisions, PartialEq::eq),
            modified_files: files_between(&before.modified_files, modified_files),
            recent_commands: ListChange::between(
                &before.recent_commands,
                recent_commands,
                is_same_command,
            ),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let Self {
            branch,
            head,
            goal,
            tasks,
            summary,
            next_steps,
            decisions,
            modified_files,
            recent_commands,
        } = self;
        branch.is_none()
            && head.is_none()
            && goal.is_none()
            && tasks.is_empty()
            && summary.is_none()
            && next_steps.is_empty()
            && decisions.is_empty()
            && modified_files.is_empty()
            && recent_commands.is_empty()
    }
}

/// A replacing save records its commands anew, so their time says nothing.
fn is_same_command(a: &RecentCommand, b: &RecentCommand) -> bool {
    (&a.command, a.exit_code, &a.note) == (&b.command, b.exit_code, &b.note)
}

fn tasks_between(before: &[Task], after: &[Task]) -> Vec<TaskChange> {
    let mut old: Vec<&Task> = before.iter().collect();
    let mut changes = Vec::new();
    for task in after {
        let was = old
            .iter()
            .position(|old| old.description == task.description)
            .map(|index| old.remove(index).status.clone());
        if was.as_ref() != Some(&task.status) {
            changes.push(TaskChange {
                description: task.description.clone(),
                before: was,
                after: Some(task.status.clone()),
            });
        }
    }
    changes.extend(old.into_iter().map(|task| TaskChange {
        description: task.description.clone(),
        before: Some(task.status.clone()),
        after: None,
    }));
    changes
}

fn files_between(before: &[ModifiedFile], after: &[ModifiedFile]) -> Vec<FileChange> {
    let mut paths: Vec<&str> = before
        .iter()
        .chain(after)
        .map(|file| file.path.as_str())
        .collect();
    paths.sort_unstable();
    paths.dedup();
    let state = |files: &[ModifiedFile], path: &str| {
        let file = files.iter().rfind(|file| file.path == path)?;
        Some(FileState {
            status: file.status.as_str().to_owned(),
            hash: file.hash.clone(),
            note: file.note.clone(),
        })
    };
    paths
        .into_iter()
        .filter_map(|path| {
            let Change { before, after } =
                Change::between(state(before, path), state(after, path))?;
            Some(FileChange {
                path: path.to_owned(),
                before,
                after,
            })
        })
        .collect()
}

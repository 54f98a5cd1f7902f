//! Two checkpoints side by side, field by field.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::Hash;

use serde::{Serialize, Serializer};

use super::fields::Field;
use super::format::{Checkpoint, ModifiedFile, RecentCommand, Task, TaskStatus};
use super::path;

/// What is different; a field that is the same in both is left out.
///
/// Compared is what a checkpoint says of the work: the order of its lists, times, identity and what the
/// program noted about the save itself do not count.
#[derive(Debug, Clone, Serialize)]
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
    #[serde(flatten)]
    pub(crate) lists: Lists,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) modified_files: Vec<FileChange>,
    #[serde(skip_serializing_if = "ListChange::is_empty")]
    pub(crate) recent_commands: ListChange<RecentCommand>,
}

/// What differs in the lists of texts, by the names of their fields; none of them is empty.
#[derive(Debug, Clone)]
pub(crate) struct Lists(pub(crate) Vec<(&'static Field, ListChange<String>)>);

impl Serialize for Lists {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let lists = self.0.iter();
        serializer.collect_map(lists.map(|(field, change)| (field.name, change)))
    }
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
    /// Each entry of one side stands for one entry of the other with an equal key.
    fn between<'a, K: Hash + Eq>(
        before: &'a [T],
        after: &'a [T],
        key: impl Fn(&'a T) -> K,
    ) -> Self {
        let mut old = Unmatched::of(before, &key);
        let added = after.iter().filter(|entry| old.take(&key(entry)).is_none());
        Self {
            added: added.cloned().collect(),
            removed: old.left().cloned().collect(),
        }
    }
}

/// Entries of a list that have found no counterpart, by their keys: lists may be long, and comparing each entry with
/// each would take their length squared.
struct Unmatched<'a, T, K> {
    entries: Vec<Option<&'a T>>,
    /// The places of the entries with a key, the first one first.
    places: HashMap<K, VecDeque<usize>>,
}

impl<'a, T, K: Hash + Eq> Unmatched<'a, T, K> {
    fn of(entries: &'a [T], key: impl Fn(&'a T) -> K) -> Self {
        let mut places: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (place, entry) in entries.iter().enumerate() {
            places.entry(key(entry)).or_default().push_back(place);
        }
        Self {
            entries: entries.iter().map(Some).collect(),
            places,
        }
    }

    /// The first of the entries with this key.
    fn take(&mut self, key: &K) -> Option<&'a T> {
        let place = self.places.get_mut(key)?.pop_front()?;
        self.entries[place].take()
    }

    fn left(self) -> impl Iterator<Item = &'a T> {
        self.entries.into_iter().flatten()
    }
}

impl<T> ListChange<T> {
    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }
}

impl Comparison {
    pub(crate) fn between(before: &Checkpoint, after: &Checkpoint) -> Self {
        let branch = |checkpoint: &Checkpoint| checkpoint.git.as_ref()?.branch.clone();
        let head = |checkpoint: &Checkpoint| Some(checkpoint.git.as_ref()?.head.clone());
        let lists = before.lists().into_iter().zip(after.lists());
        let lists = lists.map(|((field, before), (_, after))| {
            (field, ListChange::between(before, after, |text| text))
        });
        Self {
            branch: Change::between(branch(before), branch(after)),
            head: Change::between(head(before), head(after)),
            goal: Change::between(before.goal.primary.clone(), after.goal.primary.clone()),
            tasks: tasks_between(&before.goal.tasks, &after.goal.tasks),
            summary: Change::between(before.summary.clone(), after.summary.clone()),
            lists: Lists(lists.filter(|(_, change)| !change.is_empty()).collect()),
            modified_files: files_between(&before.modified_files, &after.modified_files),
            recent_commands: ListChange::between(
                &before.recent_commands,
                &after.recent_commands,
                command_key,
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
            lists,
            modified_files,
            recent_commands,
        } = self;
        branch.is_none()
            && head.is_none()
            && goal.is_none()
            && tasks.is_empty()
            && summary.is_none()
            && lists.0.is_empty()
            && modified_files.is_empty()
            && recent_commands.is_empty()
    }
}

/// A replacing save records its commands anew, so their time says nothing.
fn command_key(command: &RecentCommand) -> (&str, Option<i64>, Option<&str>) {
    (&command.command, command.exit_code, command.note.as_deref())
}

fn tasks_between(before: &[Task], after: &[Task]) -> Vec<TaskChange> {
    let mut old = Unmatched::of(before, |task| task.description.as_str());
    let mut changes = Vec::new();
    for task in after {
        let was = old.take(&task.description.as_str());
        let was = was.map(|task| task.status.clone());
        if was.as_ref() != Some(&task.status) {
            changes.push(TaskChange {
                description: task.description.clone(),
                before: was,
                after: Some(task.status.clone()),
            });
        }
    }
    changes.extend(old.left().map(|task| TaskChange {
        description: task.description.clone(),
        before: Some(task.status.clone()),
        after: None,
    }));
    changes
}

fn files_between(before: &[ModifiedFile], after: &[ModifiedFile]) -> Vec<FileChange> {
    let by_path = |files: &'_ [ModifiedFile]| -> HashMap<String, FileState> {
        // Of a path that stands twice the last entry counts.
        let states = files.iter().map(|file| {
            let state = FileState {
                status: file.status.as_str().to_owned(),
                hash: file.hash.clone(),
                note: file.note.clone(),
            };
            (file.path.clone(), state)
        });
        states.collect()
    };
    let (before, after) = (by_path(before), by_path(after));
    let paths: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    paths
        .into_iter()
        .filter_map(|path| {
            let Change { before, after } =
                Change::between(before.get(path).cloned(), after.get(path).cloned())?;
            Some(FileChange {
                path: path.clone(),
                before,
                after,
            })
        })
        .collect()
}

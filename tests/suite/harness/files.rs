//! Checkpoint files made by hand, and what stands in a project's files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

use serde_json::{Value, json};

#[cfg(unix)]
use super::Output;
use super::Project;

/// The least that a checkpoint of version 1 has to hold.
pub(crate) fn least(goal: &str) -> Value {
    json!({
        "version": 1,
        "createdAt": "2026-10-08T02:00:00.000Z",
        "updatedAt": "2026-10-08T02:20:00.000Z",
        "goal": {"primary": goal},
    })
}

/// An object with further fields, which replace those of the same name.
pub(crate) fn with(mut object: Value, fields: Value) -> Value {
    let fields = fields.as_object().unwrap().clone();
    object.as_object_mut().unwrap().extend(fields);
    object
}

/// Path, source and note of every file that a checkpoint records; `-` where there is no note.
pub(crate) fn recorded(checkpoint: &Value) -> Vec<(&str, &str, &str)> {
    fn text<'a>(file: &'a Value, key: &str) -> &'a str {
        file[key].as_str().unwrap_or("-")
    }
    let files = checkpoint["modifiedFiles"].as_array().unwrap().iter();
    files
        .map(|file| (text(file, "path"), text(file, "source"), text(file, "note")))
        .collect()
}

impl Project {
    /// Writes a session's checkpoint as another program would have left it.
    pub(crate) fn put(&self, session: &str, content: impl ToString) {
        let file = format!(".claude-checkpoints/{session}.json");
        self.write(file, content.to_string());
    }

    pub(crate) fn put_backup(&self, session: &str, content: impl ToString) {
        let file = format!(".claude-checkpoints/{session}.json.prev");
        self.write(file, content.to_string());
    }

    /// The backup of a session's checkpoint.
    pub(crate) fn backup(&self, session: &str) -> PathBuf {
        self.path(format!(".claude-checkpoints/{session}.json.prev"))
    }

    /// The names in the directory of the checkpoints, sorted, but for what keeps it out of git and the history; none
    /// where there is no such directory.
    pub(crate) fn stored_names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(".claude-checkpoints")) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.retain(|name| name != ".gitignore" && name != "history");
        names.sort();
        names
    }

    /// The saves in a checkpoint's history, newest first.
    pub(crate) fn history(&self, selector: &str) -> Vec<PathBuf> {
        let folder = self.path(".claude-checkpoints/history").join(selector);
        let entries = fs::read_dir(folder).into_iter().flatten();
        let mut saves: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        saves.sort();
        saves.reverse();
        saves
    }

    /// Every regular file of the project but git's and the lock, with its bytes.
    pub(crate) fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.root(), &mut files);
        files
    }
}

/// Writes a program, by another process: a program that any process has open for writing cannot be run, and one
/// that another test starts at this moment would have it open for as long as it takes to start.
#[cfg(unix)]
pub(crate) fn write_program(path: &Path, text: &str) {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "cat > \"$0\" && chmod 700 \"$0\""])
        .arg(path);
    Output::with_input(&mut shell, text.as_bytes()).succeeds();
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if entry.file_name() == ".git" || entry.file_name() == ".lock" {
            continue;
        } else if kind.is_dir() {
            collect(&path, files);
        } else if kind.is_file() {
            files.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
}

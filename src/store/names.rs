//! Which checkpoints a project has, by file names and times alone.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use super::session::{Selector, SessionId};

/// The directory of the sessions' checkpoints, in the project root.
pub(crate) const DIRECTORY: &str = ".claude-checkpoints";
pub(super) const LEGACY_FILE: &str = ".claude-checkpoint";
const EXTENSION: &str = ".json";
pub(super) const BACKUP: &str = ".prev";

/// A checkpoint that has at least one of its two files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) selector: Selector,
    /// When the later of its files was written; None where the system does not say.
    pub(crate) modified: Option<SystemTime>,
}

/// Every checkpoint of a project; none where the directory is a link or cannot be read.
pub(crate) fn scan(root: &Path) -> Vec<Found> {
    let mut found = BTreeMap::new();
    let mut add = |selector: Selector, modified: Option<SystemTime>| {
        let latest = found.entry(selector).or_insert(None);
        *latest = modified.max(*latest);
    };
    for name in [LEGACY_FILE.to_owned(), backup_name(LEGACY_FILE)] {
        if let Ok(metadata) = fs::symlink_metadata(root.join(name)) {
            add(Selector::Legacy, metadata.modified().ok());
        }
    }
    let directory = root.join(DIRECTORY);
    let is_directory = fs::symlink_metadata(&directory).is_ok_and(|metadata| metadata.is_dir());
    let entries = is_directory
        .then(|| fs::read_dir(&directory).ok())
        .flatten();
    for entry in entries.into_iter().flatten().flatten() {
        if let Some(id) = session_of(&entry.file_name()) {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            add(Selector::Session(id), modified.ok());
        }
    }
    let found = found.into_iter();
    found
        .map(|(selector, modified)| Found { selector, modified })
        .collect()
}

pub(super) fn main_name(selector: &Selector) -> String {
    match selector {
        Selector::Legacy => LEGACY_FILE.to_owned(),
        Selector::Session(id) => format!("{}{EXTENSION}", id.as_str()),
    }
}

pub(super) fn backup_name(main: &str) -> String {
    format!("{main}{BACKUP}")
}

/// The session whose main file or backup a name is; None for a file of somebody else.
pub(super) fn session_of(name: &OsStr) -> Option<SessionId> {
    let name = name.to_str()?;
    let main = name.strip_suffix(BACKUP).unwrap_or(name);
    SessionId::parse(main.strip_suffix(EXTENSION)?).ok()
}

/// Whether a path relative to the project root is the store's own.
pub(crate) fn owns(path: &str) -> bool {
    path.starts_with(LEGACY_FILE)
}

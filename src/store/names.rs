//! Which checkpoints a project has, by file names and times alone.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::selector::{Selector, SessionId};

/// The directory of the sessions' checkpoints, in the project root.
pub(crate) const DIRECTORY: &str = ".claude-checkpoints";
pub(crate) const LEGACY_FILE: &str = ".claude-checkpoint";
pub(super) const EXTENSION: &str = ".json";
/// Keeps the directory of the sessions out of git.
pub(super) const IGNORE_FILE: &str = ".gitignore";
/// What that holds (gitignore(5)).
pub(super) const IGNORE_ALL: &[u8] = b"*\n";
pub(super) const BACKUP: &str = ".prev";
/// How temporary files are named, so that the pattern that ignores checkpoints ignores them too.
pub(super) const TEMPORARY_PREFIX: &str = ".claude-checkpoint.";
pub(super) const TEMPORARY_SUFFIX: &str = ".tmp";

/// How long after its last write a checkpoint is in its place.
const SOON: Duration = Duration::from_secs(1);

/// How many checkpoints a project has, a main file or a backup being enough, and when the latest was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    pub(crate) count: usize,
    /// None where the system does not say.
    pub(crate) newest: Option<SystemTime>,
    /// Whose that is; None for the legacy checkpoint.
    pub(crate) session: Option<String>,
}

/// Counts a project's checkpoints; none where the directory is a link or cannot be read.
///
/// It runs at every session's start, so nothing is gathered, a backup is not looked at beside its main file, which is
/// never older, and no more times are asked for once the latest is known.
pub(crate) fn survey(root: &Path) -> Survey {
    let mut survey = Survey::default();
    if let Some(metadata) = either_file(root, LEGACY_FILE) {
        survey.count += 1;
        survey.newest = metadata.modified().ok();
    }
    let directory = root.join(DIRECTORY);
    let Ok(metadata) = fs::symlink_metadata(&directory) else {
        return survey;
    };
    let entries = metadata.is_dir().then(|| fs::read_dir(&directory).ok());
    // A save ends with a rename, which is a change of the directory.
    let changed = metadata.modified().ok();
    let is_latest = |time: SystemTime| {
        let before = changed.and_then(|changed| changed.duration_since(time).ok());
        before.is_some_and(|before| before < SOON)
    };
    for entry in entries.flatten().into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some((main, session)) = name.to_str().and_then(main_and_session) else {
            continue;
        };
        let is_backup = main.len() < name.len();
        let counted = is_backup && fs::symlink_metadata(directory.join(main)).is_ok();
        if !SessionId::is_valid(session) || counted {
            continue;
        }
        survey.count += 1;
        if !survey.newest.is_some_and(is_latest) {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let modified = modified.ok();
            if modified > survey.newest {
                survey.newest = modified;
                survey.session = Some(session.to_owned());
            }
        }
    }
    survey
}

/// Whether a session has a checkpoint.
pub(crate) fn has(root: &Path, id: &SessionId) -> bool {
    let main = main_name(&Selector::Session(id.clone()));
    either_file(&root.join(DIRECTORY), &main).is_some()
}

fn either_file(directory: &Path, main: &str) -> Option<Metadata> {
    fs::symlink_metadata(directory.join(main))
        .or_else(|_| fs::symlink_metadata(directory.join(backup_name(main))))
        .ok()
}

pub(super) fn main_name(selector: &Selector) -> String {
    match selector {
        Selector::Legacy => LEGACY_FILE.to_owned(),
        // No session id begins with `_`.
        Selector::Project => format!("_project{EXTENSION}"),
        Selector::Session(id) => format!("{}{EXTENSION}", id.as_str()),
    }
}

/// A checkpoint's file by its name, relative to the project root.
pub(super) fn below_root(selector: &Selector, name: &str) -> String {
    match selector {
        Selector::Legacy => name.to_owned(),
        Selector::Project | Selector::Session(_) => format!("{DIRECTORY}/{name}"),
    }
}

/// The names of a checkpoint's two files, relative to the project root.
pub(crate) fn files(selector: &Selector) -> [String; 2] {
    let main = main_name(selector);
    [backup_name(&main), main].map(|name| below_root(selector, &name))
}

pub(super) fn backup_name(main: &str) -> String {
    format!("{main}{BACKUP}")
}

/// The session whose main file or backup a name is; None for a file of somebody else.
pub(super) fn session_of(name: &OsStr) -> Option<SessionId> {
    let (_, session) = main_and_session(name.to_str()?)?;
    SessionId::parse(session).ok()
}

/// The main file that a name belongs to, and what stands for the session in it.
fn main_and_session(name: &str) -> Option<(&str, &str)> {
    let main = name.strip_suffix(BACKUP).unwrap_or(name);
    Some((main, main.strip_suffix(EXTENSION)?))
}

/// Whether a path relative to the project root is a store's own: the project's, or that of a folder in it.
pub(crate) fn owns(path: &str) -> bool {
    let own = |name: &str| {
        name == LEGACY_FILE
            || name == DIRECTORY
            || name == backup_name(LEGACY_FILE)
            || name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)
    };
    // All of them start like the first, and next to no path has that.
    let bytes = path.as_bytes();
    let may_start =
        |at: usize| bytes[at] == b'.' && bytes[at..].starts_with(LEGACY_FILE.as_bytes());
    (0..bytes.len()).any(may_start) && path.split('/').any(own)
}

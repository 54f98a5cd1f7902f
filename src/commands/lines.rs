//! The changed lines of what differs from a checkpoint, from git's own objects alone (docs/contract.md, section 8, Lines).

use std::collections::HashMap;

use super::facts::Ground;
use crate::checkpoint::drift::Drift;
use crate::checkpoint::format::{Checkpoint, FileStatus, ModifiedFile, Source};
use crate::checkpoint::lines::{Compared, Content, is_lock_file};
use crate::files::Found;
use crate::git::{At, Attributes};

/// Files that are compared; the others are counted.
const FILES: usize = 200;
/// Bytes of a file that is compared.
const SIZE: u64 = 256 * 1024;

const NOT_KEPT: &str = "content at the save not kept";

/// The files that changed, and how many more there are.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) files: Vec<Compared>,
    pub(super) more: usize,
}

/// Compares what changed with what it was at the save.
pub(super) fn compare(ground: &Ground, saved: &Checkpoint, drift: &Drift) -> Lines {
    let recorded: HashMap<&str, &ModifiedFile> = saved
        .modified_files
        .iter()
        .map(|file| (file.path.as_str(), file))
        .collect();
    let changed = drift.changed_since.iter().map(|changed| &changed.path);
    let paths: Vec<&str> = changed.take(FILES).map(String::as_str).collect();
    let more = drift.changed_since.len() - paths.len();
    let places: Vec<SavedContent<'_>> = paths
        .iter()
        .map(|path| SavedContent::of(saved, recorded.get(path).copied()))
        .collect();
    let before = before(ground, &paths, &places);
    let attributes = ground.repository.as_ref();
    let attributes = attributes.and_then(|repository| repository.attributes(&paths).ok());
    let attributes = attributes.unwrap_or_default();
    let files = paths.into_iter().zip(before).map(|(path, before)| {
        let attributes = attributes.get(path).copied().unwrap_or_default();
        compared(ground, path, before, attributes)
    });
    Lines {
        files: files.collect(),
        more,
    }
}

/// Where the content of a file at the save is.
#[derive(Debug, Clone, Copy)]
enum SavedContent<'a> {
    /// It was clean, so the saved commit has it, or there was none.
    Commit(&'a str),
    /// Its hash was recorded, and it may have been committed or staged since.
    Blob(&'a str),
    /// There was none.
    Nothing,
    Unknown,
}

impl<'a> SavedContent<'a> {
    fn of(saved: &'a Checkpoint, recorded: Option<&'a ModifiedFile>) -> Self {
        match (recorded, &saved.git) {
            (Some(file), _) => match &file.hash {
                Some(hash) if hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => Self::Blob(hash),
                None if file.status == FileStatus::Deleted && file.source == Source::Git => {
                    Self::Nothing
                }
                Some(_) | None => Self::Unknown,
            },
            // What was dropped from the list need not have been clean.
            (None, Some(git)) if !saved.lacks_files() => Self::Commit(&git.head),
            // Every file is recorded before the first commit.
            (None, None) if !saved.lacks_files() => Self::Nothing,
            (None, _) => Self::Unknown,
        }
    }
}

fn before(ground: &Ground, paths: &[&str], places: &[SavedContent<'_>]) -> Vec<Content> {
    let wanted = paths.iter().zip(places).enumerate();
    let (indices, wanted): (Vec<usize>, Vec<(&str, At<'_>)>) = wanted
        .filter_map(|(index, (path, saved_content))| match saved_content {
            SavedContent::Commit(commit) => Some((index, (*path, At::Commit(commit)))),
            SavedContent::Blob(id) => Some((index, (*path, At::Id(id)))),
            SavedContent::Nothing | SavedContent::Unknown => None,
        })
        .unzip();
    let found = ground.repository.as_ref();
    let found = found.and_then(|repository| repository.blobs(&wanted, SIZE).ok());
    let mut contents: Vec<Content> = places
        .iter()
        .map(|saved_content| match saved_content {
            SavedContent::Nothing => Content::Absent,
            _ => Content::Unknown(NOT_KEPT),
        })
        .collect();
    for (index, found) in indices.into_iter().zip(found.into_iter().flatten()) {
        contents[index] = match (found, places[index]) {
            (Found::Missing, SavedContent::Commit(_)) => Content::Absent,
            (Found::Missing, _) => Content::Unknown(NOT_KEPT),
            (found, _) => content(found),
        };
    }
    contents
}

fn compared(ground: &Ground, path: &str, before: Content, attributes: Attributes) -> Compared {
    let now = content(ground.worktree.content(path, SIZE));
    let why = if attributes.is_converted {
        Some("git keeps it in another form, by a filter or an encoding")
    } else if attributes.is_binary {
        Some("it is not text")
    } else if attributes.is_generated {
        Some("a program writes it")
    } else if is_lock_file(path) {
        Some("it is a lock file")
    } else {
        None
    };
    let before = match attributes.is_converted {
        // Nothing that could be counted.
        true => Content::Unknown("git keeps it in another form, by a filter or an encoding"),
        false => before,
    };
    Compared::new(path.to_owned(), before, now, why)
}

fn content(found: Found) -> Content {
    match found {
        Found::Missing => Content::Absent,
        Found::Large => Content::Unknown("it is larger than 256 KiB"),
        Found::Other => Content::Unknown("it is not a file"),
        Found::Bytes(bytes) => Content::Bytes(bytes),
    }
}

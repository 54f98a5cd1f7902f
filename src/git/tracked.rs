//! Whether a file is part of the repository, so that it came with a clone.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::command::Git;
use super::layout::IndexHints;
use super::porcelain::{Indexed, fields};
use super::{Error, Opened, Repository, Result, Start};
use crate::checkpoint::path;
use crate::env::{Deadline, Env};

/// How the names of the store's files begin.
pub(super) const STORE: &str = ".claude-checkpoint";

/// Those of the files, given relative to the project root, that the index or HEAD has, or that are inside a
/// submodule.
///
/// Names that differ in case alone count as the same: on some file systems they are.
pub(crate) fn tracked(
    root: &Path,
    env: &Env,
    deadline: Deadline,
    files: &[String],
) -> Result<BTreeSet<String>> {
    let specs = specs(files);
    let start = Start {
        only: &specs,
        ..Start::default()
    };
    match start.begin_at(root, env, deadline).finish() {
        Opened::Absent => Ok(BTreeSet::new()),
        Opened::Unreadable(why) => Err(Error::Unsupported(why)),
        Opened::Repository(repository) => repository.tracked(files),
    }
}

impl Repository {
    /// [`tracked`] of a repository that is open.
    pub(crate) fn tracked(&self, files: &[String]) -> Result<BTreeSet<String>> {
        let mut tracked = staged(&self.git, self.hints, files)?;
        // What HEAD has and the index has not.
        let gone = self.records()?.iter().filter_map(|it| match it.code.0 {
            b'D' => Some(&it.path),
            b'R' => it.from.as_ref(),
            _ => None,
        });
        let gone = gone.filter_map(|path| self.inside(path));
        tracked.extend(among(files, gone.map(|path| (path, false))));
        Ok(tracked)
    }
}

/// What of the files the index has.
fn staged(git: &Git, hints: IndexHints, files: &[String]) -> Result<BTreeSet<String>> {
    if !hints.checkpoints {
        return Ok(BTreeSet::new());
    }
    let output = git.output(&[&hints.listing()[..], &["--".to_owned()], &specs(files)].concat())?;
    let entries = fields(&output).filter_map(Indexed::parse);
    let entries = entries.map(|it| {
        // A sparse index has folders, too.
        let holds_others = it.entry.is_submodule() || it.path.ends_with(b"/");
        (
            it.path.strip_suffix(b"/").unwrap_or(it.path).to_vec(),
            holds_others,
        )
    });
    Ok(among(files, entries))
}

/// The top folders or files of the project that the files are, or are in.
fn specs(files: &[String]) -> Vec<String> {
    let tops: BTreeSet<&str> = files
        .iter()
        .map(|file| file.split('/').next().unwrap_or(file))
        .collect();
    let spec = |top: &str| format!(":(icase,literal){top}");
    tops.into_iter().map(spec).collect()
}

/// Those of the files that an entry of the index is, or, where it is a submodule, that it holds.
fn among(files: &[String], entries: impl Iterator<Item = (Vec<u8>, bool)>) -> BTreeSet<String> {
    let mut by_path: HashMap<Vec<u8>, Vec<&String>> = HashMap::new();
    for file in files {
        let path = path::decode(file).to_ascii_lowercase();
        by_path.entry(path).or_default().push(file);
    }
    let mut tracked = BTreeSet::new();
    for (entry, holds_others) in entries {
        let entry = entry.to_ascii_lowercase();
        let found = by_path.get(&entry).into_iter().flatten();
        tracked.extend(found.map(|file| (*file).clone()));
        if holds_others {
            let folder = [&entry, &b"/"[..]].concat();
            let inside = by_path.iter().filter(|(path, _)| path.starts_with(&folder));
            tracked.extend(inside.flat_map(|(_, files)| files.iter().map(|file| (*file).clone())));
        }
    }
    tracked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter_and_submodules_hold_files() {
        let files = ["a/b.json", "c/d.json", "e.json"].map(str::to_owned);
        let entries = [
            (b"A/B.json".to_vec(), false),
            (b"c".to_vec(), true),
            (b"e".to_vec(), true),
            (b"c/d".to_vec(), false),
        ];
        let tracked = among(&files, entries.into_iter());
        assert_eq!(
            tracked,
            BTreeSet::from(["a/b.json".into(), "c/d.json".into()])
        );
    }
}

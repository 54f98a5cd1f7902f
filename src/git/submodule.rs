//! Submodules as single entries: their commit, and whether anything in them is uncommitted.

use std::collections::BTreeMap;

use git2::{FileMode, Index, Oid, SubmoduleIgnore};

use super::differences::Blob;
use super::libgit2::Reader;
use super::plumbing::Asker;
use super::scan::gitlinks;
use super::status::{Found, Status, Statuses};
use super::worktree::Kind;
use super::{Repository, text};
use crate::checkpoint::format::FileStatus;

/// Submodules under the project root that are not as the index has them.
pub(super) fn changes(
    reader: &Reader,
    index: &Index,
) -> anyhow::Result<BTreeMap<Vec<u8>, (Found, Blob)>> {
    let links: Vec<(Vec<u8>, Oid)> = gitlinks(index)
        .filter(|entry| entry.path.starts_with(&reader.prefix))
        .map(|entry| (entry.path, entry.id))
        .collect();
    if links.is_empty() {
        return Ok(BTreeMap::new());
    }
    let rules = rules(reader);
    let mut changes = BTreeMap::new();
    for (path, id) in links {
        let rule = rules.get(&path).copied();
        if let Some(found) = state(reader, &path, id, rule) {
            let mode = FileMode::Commit;
            changes.insert(path, (found, Blob { id, mode }));
        }
    }
    Ok(changes)
}

/// Whether a submodule is not at the commit `id`, or has uncommitted changes.
pub(super) fn differs(reader: &Reader, path: &[u8], id: Oid) -> bool {
    let rule = rules(reader).get(path).copied();
    state(reader, path, id, rule).is_some()
}

/// Those of the submodules at the paths that have uncommitted changes.
fn uncommitted(reader: &Reader, paths: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let rules = rules(reader);
    let is_dirty = |path: &Vec<u8>| {
        let nested = text::from_git(path).and_then(|path| reader.nested(&path));
        let head = nested.and_then(|nested| nested.head_id().ok().flatten());
        head.is_some_and(|head| state(reader, path, head, rules.get(path).copied()).is_some())
    };
    paths.into_iter().filter(is_dirty).collect()
}

impl Repository {
    /// What the git command found, and the submodules with uncommitted changes: it is kept from looking into them,
    /// for what it must not run is switched off in the repository around them alone.
    pub(super) fn with_submodules(
        &self,
        asker: &Asker,
        mut found: Statuses,
    ) -> anyhow::Result<Statuses> {
        let links = asker.staged()?.into_iter();
        let links: Vec<Vec<u8>> = links
            .filter_map(|(path, is_submodule)| is_submodule.then_some(path))
            .collect();
        if links.is_empty() {
            return Ok(found);
        }
        let dirty = self.bounded(|reader| Ok(uncommitted(reader, links)));
        for path in dirty.transpose()?.unwrap_or_default() {
            if let Some(path) = asker.inside(&path)
                && !found.iter().any(|known| known.path == path)
            {
                found.push(Status::new(path.to_vec(), FileStatus::Modified));
            }
        }
        Ok(found)
    }
}

/// What each submodule's own `ignore` setting says: that of the configuration, or else that of `.gitmodules`
/// (gitmodules(5)), which is all that libgit2 reads.
fn rules(reader: &Reader) -> BTreeMap<Vec<u8>, SubmoduleIgnore> {
    let submodules = reader.repository.submodules().unwrap_or_default();
    submodules
        .iter()
        .filter_map(|submodule| {
            let key = format!("submodule.{}.ignore", submodule.name().ok()?);
            let rule = configured(reader, &key).unwrap_or(submodule.ignore_rule());
            Some((text::to_git(submodule.path())?, rule))
        })
        .collect()
}

fn configured(reader: &Reader, key: &str) -> Option<SubmoduleIgnore> {
    let config = reader.repository.config().ok()?;
    match config.get_string(key).ok()?.as_str() {
        "all" => Some(SubmoduleIgnore::All),
        "dirty" => Some(SubmoduleIgnore::Dirty),
        "untracked" => Some(SubmoduleIgnore::Untracked),
        _ => None,
    }
}

fn state(reader: &Reader, path: &[u8], id: Oid, rule: Option<SubmoduleIgnore>) -> Option<Found> {
    // `diff.ignoreSubmodules` holds for submodules without a setting of their own (git-config(1)).
    let rule = match rule {
        None | Some(SubmoduleIgnore::Unspecified | SubmoduleIgnore::None) => {
            configured(reader, "diff.ignoreSubmodules")
        }
        rule => rule,
    };
    if rule == Some(SubmoduleIgnore::All) {
        return None;
    }
    match reader.kind(path) {
        None => return Some(Found::Deleted),
        Some(Kind::Directory) => {}
        Some(_) => return Some(Found::Modified),
    }
    // Not initialised: there is nothing that could differ.
    let nested = reader.nested(&text::from_git(path)?)?;
    if nested.head_id().ok()? != Some(id) {
        return Some(Found::Modified);
    }
    let dirty = match rule {
        Some(SubmoduleIgnore::Dirty) => false,
        Some(SubmoduleIgnore::Untracked) => nested.is_dirty(false).unwrap_or(false),
        _ => nested.is_dirty(true).unwrap_or(false),
    };
    dirty.then_some(Found::Modified)
}

//! Submodules as single entries: their commit, and whether anything in them is uncommitted.

use git2::{FileMode, Index, Oid, SubmoduleIgnore};
use std::collections::BTreeMap;

use super::libgit2::Reader;
use super::scan::{Blob, Found, gitlinks};
use super::text;
use super::worktree::Kind;

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

/// What each submodule's `ignore` setting says (gitmodules(5)).
fn rules(reader: &Reader) -> BTreeMap<Vec<u8>, SubmoduleIgnore> {
    let submodules = reader.repository.submodules().unwrap_or_default();
    submodules
        .iter()
        .filter_map(|submodule| Some((text::to_git(submodule.path())?, submodule.ignore_rule())))
        .collect()
}

fn state(reader: &Reader, path: &[u8], id: Oid, rule: Option<SubmoduleIgnore>) -> Option<Found> {
    let rule = match rule {
        None | Some(SubmoduleIgnore::Unspecified | SubmoduleIgnore::None) => default_rule(reader),
        Some(rule) => rule,
    };
    if rule == SubmoduleIgnore::All {
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
        SubmoduleIgnore::Dirty => false,
        SubmoduleIgnore::Untracked => nested.is_dirty(false).unwrap_or(false),
        _ => nested.is_dirty(true).unwrap_or(false),
    };
    dirty.then_some(Found::Modified)
}

/// `diff.ignoreSubmodules`, which holds for submodules without a setting of their own (git-config(1)).
fn default_rule(reader: &Reader) -> SubmoduleIgnore {
    let config = reader.repository.config();
    let value = config.and_then(|config| config.get_string("diff.ignoreSubmodules"));
    match value.as_deref() {
        Ok("all") => SubmoduleIgnore::All,
        Ok("dirty") => SubmoduleIgnore::Dirty,
        Ok("untracked") => SubmoduleIgnore::Untracked,
        _ => SubmoduleIgnore::None,
    }
}

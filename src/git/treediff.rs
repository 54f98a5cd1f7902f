//! Where the index may differ from a tree: folder by folder, past all that the index knows to be the same.

use std::ops::Range;

use git2::{ObjectType, Oid, Repository, Tree};

use super::index::{CachedTree, Group, RawIndex};
use super::text;

/// Bytes of the longest path that Linux takes (limits.h, `PATH_MAX`).
const LONGEST: usize = 4096;

/// Paths and index entries among which is everything that differs: files and submodules, no folders, for libgit2
/// loses a folder among paths where another name sorts between it and what is in it.
#[derive(Debug, Default)]
pub(super) struct Differing {
    pub(super) paths: Vec<Vec<u8>>,
    pub(super) entries: Vec<usize>,
}

struct Comparison<'a> {
    repository: &'a Repository,
    index: &'a RawIndex,
    differing: Differing,
}

/// What differs under a folder, whose path ends with `/` or is empty, from a whole tree; from an empty one
/// where there is none.
pub(super) fn differing(
    repository: &Repository,
    index: &RawIndex,
    tree: Option<&Tree<'_>>,
    folder: &[u8],
) -> Result<Differing, git2::Error> {
    let range = index.beginning_with(folder, 0..index.len());
    let mut comparison = Comparison {
        repository,
        index,
        differing: Differing::default(),
    };
    let cached = index.cached_tree();
    match (tree, folder.strip_suffix(b"/")) {
        (None, _) => comparison.add(range),
        (Some(tree), None) => comparison.compare(tree, cached.as_ref(), b"", range)?,
        (Some(tree), Some(path)) => {
            let entry = text::from_git(path).and_then(|path| tree.get_path(&path).ok());
            match entry.filter(|entry| entry.kind() == Some(ObjectType::Tree)) {
                Some(entry) => {
                    let mut cached = cached.as_ref();
                    for part in path.split(|&byte| byte == b'/') {
                        cached = cached.and_then(|cached| cached.child(part));
                    }
                    let tree = repository.find_tree(entry.id())?;
                    comparison.compare(&tree, cached, folder, range)?;
                }
                None => comparison.add(range),
            }
        }
    }
    Ok(comparison.differing)
}

impl Comparison<'_> {
    fn compare(
        &mut self,
        tree: &Tree<'_>,
        cached: Option<&CachedTree<'_>>,
        folder: &[u8],
        range: Range<usize>,
    ) -> Result<(), git2::Error> {
        if is_same(cached, tree.id(), &range) {
            return Ok(());
        }
        let index = self.index;
        for group in index.groups(folder.len(), range.clone()) {
            match group {
                Group::File(name, stages) => {
                    let old = tree.get_name_bytes(name);
                    let is_old = old.is_some_and(|old| {
                        let mut entries = index.entries(stages.clone());
                        entries.all(|(_, entry)| {
                            entry.stage() == 0
                                && entry.id() == old.id().as_bytes()
                                && i64::from(entry.mode()) == i64::from(old.filemode_raw())
                        })
                    });
                    if !is_old {
                        self.add(stages);
                    }
                }
                Group::Folder(name, entries) => {
                    let old = tree.get_name_bytes(name);
                    let old = old.filter(|old| old.kind() == Some(ObjectType::Tree));
                    let cached = cached.and_then(|cached| cached.child(name));
                    match old {
                        Some(old) if is_same(cached, old.id(), &entries) => {}
                        Some(old) => {
                            let tree = self.repository.find_tree(old.id())?;
                            self.compare(&tree, cached, &[folder, name, b"/"].concat(), entries)?;
                        }
                        None => self.add(entries),
                    }
                }
            }
        }
        for old in tree {
            let mut path = [folder, old.name_bytes()].concat();
            let is_there = match old.kind() {
                Some(ObjectType::Tree) => {
                    path.push(b'/');
                    let entries = index.beginning_with(&path, range.clone());
                    path.pop();
                    !entries.is_empty()
                }
                _ => !index
                    .file(folder.len(), old.name_bytes(), range.clone())
                    .is_empty(),
            };
            match old.kind() {
                _ if is_there => {}
                Some(ObjectType::Tree) => self.add_tree(old.id(), path)?,
                _ => self.differing.paths.push(path),
            }
        }
        Ok(())
    }

    /// All that is in a folder of the tree.
    fn add_tree(&mut self, id: Oid, folder: Vec<u8>) -> Result<(), git2::Error> {
        let mut folders = vec![(id, folder)];
        while let Some((id, folder)) = folders.pop() {
            // Trees can be made deeper than any disk has folders.
            if folder.len() > LONGEST {
                continue;
            }
            for entry in &self.repository.find_tree(id)? {
                let path = [&folder, b"/".as_slice(), entry.name_bytes()].concat();
                match entry.kind() {
                    Some(ObjectType::Tree) => folders.push((entry.id(), path)),
                    _ => self.differing.paths.push(path),
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, range: Range<usize>) {
        let paths = self.index.entries(range.clone());
        let paths = paths.map(|(_, entry)| entry.path.to_vec());
        self.differing.paths.extend(paths);
        self.differing.entries.extend(range);
    }
}

fn is_same(cached: Option<&CachedTree<'_>>, id: Oid, entries: &Range<usize>) -> bool {
    cached.is_some_and(|cached| cached.is(id, entries.len()))
}

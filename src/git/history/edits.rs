//! What makes history other than the commits say: a shallow clone, grafts and replacements.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, bail};
use git2::{Oid, Repository};
use memchr::memmem;

use crate::git::settings::Settings;

/// Where git has the replacements of objects (git-replace(1)).
const REPLACED: &str = "refs/replace/";
/// Replacements of replacements that git follows.
const DEPTH: usize = 5;

/// All edits of a repository's history.
#[derive(Debug, Default)]
pub(super) struct Edits {
    parents: HashMap<Oid, Vec<Oid>>,
    objects: HashMap<Oid, Oid>,
}

impl Edits {
    pub(super) fn read(repository: &Repository, settings: &Settings) -> anyhow::Result<Self> {
        let mut edits = Self::default();
        let common = repository.commondir();
        // A line of a graft has a commit and its parents, one of a shallow clone a commit that shall have none
        // (gitrepository-layout(5)). What is no such line is a comment, or nothing to git either.
        for file in ["info/grafts", "shallow"] {
            let text = contents(&common.join(file))?;
            let lines = text.split(|&byte| byte == b'\n');
            edits.parents.extend(lines.filter_map(|line| {
                let ids = line.trim_ascii().split(|&byte| byte == b' ').map(id);
                let ids: Vec<Oid> = ids.collect::<Option<_>>()?;
                let (&commit, parents) = ids.split_first()?;
                Some((commit, parents.to_vec()))
            }));
        }
        if may_be_replaced(common)? && settings.replaces_objects {
            for reference in repository.references_glob("refs/replace/*")? {
                let reference = reference?;
                let name = reference.name_bytes().strip_prefix(REPLACED.as_bytes());
                if let (Some(old), Some(new)) = (name.and_then(id), reference.target()) {
                    edits.objects.insert(old, new);
                }
            }
        }
        Ok(edits)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parents.is_empty() && self.objects.is_empty()
    }

    /// The object that stands for a commit.
    pub(super) fn object(&self, commit: Oid) -> anyhow::Result<Oid> {
        let mut object = commit;
        for _ in 0..=DEPTH {
            match self.objects.get(&object) {
                Some(&other) => object = other,
                None => return Ok(object),
            }
        }
        bail!("its replacement is replaced too often");
    }

    /// The parents that a commit has instead of its own.
    pub(super) fn parents(&self, commit: Oid) -> Option<&[Oid]> {
        self.parents.get(&commit).map(Vec::as_slice)
    }
}

/// Whether there can be replacements. libgit2 would parse all packed references to say so.
fn may_be_replaced(common: &Path) -> anyhow::Result<bool> {
    if fs::exists(common.join(REPLACED))? {
        return Ok(true);
    }
    let packed = contents(&common.join("packed-refs"))?;
    Ok(memmem::find(&packed, REPLACED.as_bytes()).is_some())
}

/// What a file holds; nothing where there is none.
fn contents(path: &Path) -> anyhow::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        read => read.with_context(|| format!("could not read {}", path.display())),
    }
}

/// An object id in all its digits. libgit2 takes thrice the time, which shows in a walk.
pub(super) fn id(hexadecimal: &[u8]) -> Option<Oid> {
    let (pairs, []) = hexadecimal.as_chunks::<2>() else {
        return None;
    };
    let mut id = [0; 20];
    (pairs.len() == id.len()).then_some(())?;
    for (byte, &[high, low]) in id.iter_mut().zip(pairs) {
        *byte = u8::try_from(digit(high)? << 4 | digit(low)?).ok()?;
    }
    Oid::from_bytes(&id).ok()
}

fn digit(character: u8) -> Option<u32> {
    char::from(character).to_digit(16)
}

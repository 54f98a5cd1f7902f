//! Whether a file is part of the repository, so that it came with a clone.

use std::collections::{BTreeSet, HashMap};

use git2::FileMode;

use super::Repository;
use super::libgit2::Reader;
use super::plumbing::Asker;
use crate::checkpoint::path;

impl Repository {
    /// Those of the files, given relative to the project root, that the index has, or that are inside a submodule.
    ///
    /// Names that differ in case alone count as the same: on some file systems they are.
    pub(crate) fn tracked(&self, files: &[String]) -> anyhow::Result<BTreeSet<String>> {
        let wanted: Vec<(String, Vec<u8>)> = files
            .iter()
            .map(|file| (file.clone(), path::decode(file)))
            .collect();
        let asked = wanted.clone();
        let tracked = self.bounded(move |reader| reader.tracked(&wanted));
        self.or_ask(tracked, |asker| asker.tracked(&asked))
    }
}

impl Reader {
    fn tracked(&self, files: &[(String, Vec<u8>)]) -> anyhow::Result<BTreeSet<String>> {
        #[cfg(target_os = "linux")]
        if let Some(index) = self.raw_index()? {
            let start = [&self.prefix, caseless_start(files)].concat();
            let range = index.beginning_with(&start, 0..index.len());
            let entries = index.entries(range).filter_map(|(_, entry)| {
                let path = entry.path.strip_prefix(&*self.prefix)?;
                Some((path, entry.is_gitlink()))
            });
            return Ok(among(files, entries));
        }
        let link = u32::from(FileMode::Commit);
        let mut index = self.repository.index()?;
        index.read(false)?;
        let entries = index
            .iter()
            .map(|entry| (entry.path, entry.mode == link))
            .filter_map(|(path, link)| Some((path.strip_prefix(&*self.prefix)?.to_vec(), link)));
        Ok(among(files, entries))
    }
}

impl Asker {
    fn tracked(&self, files: &[(String, Vec<u8>)]) -> anyhow::Result<BTreeSet<String>> {
        let entries = self.staged()?;
        let entries = entries
            .into_iter()
            .filter_map(|(path, link)| Some((self.inside(&path)?.to_vec(), link)));
        Ok(among(files, entries))
    }
}

/// How the names of all the files, and of the folders that they are in, begin in whatever case: large indexes are
/// looked through in part.
#[cfg(target_os = "linux")]
fn caseless_start(files: &[(String, Vec<u8>)]) -> &[u8] {
    let is_caseless = |byte: &&u8| **byte != b'/' && !byte.is_ascii_alphabetic();
    let starts = files.iter().map(|(_, path)| {
        let length = path.iter().take_while(is_caseless).count();
        &path[..length]
    });
    let common = |a: &'_ [u8], b: &'_ [u8]| a.iter().zip(b).take_while(|(a, b)| a == b).count();
    starts.reduce(|a, b| &a[..common(a, b)]).unwrap_or_default()
}

/// Those of the files that an entry of the index is, or, where it is a submodule, that it holds.
fn among(
    files: &[(String, Vec<u8>)],
    entries: impl Iterator<Item = (impl AsRef<[u8]>, bool)>,
) -> BTreeSet<String> {
    let mut tracked = BTreeSet::new();
    let mut by_path: HashMap<Vec<u8>, Vec<&String>> = HashMap::new();
    for (file, path) in files {
        by_path
            .entry(path.to_ascii_lowercase())
            .or_default()
            .push(file);
    }
    let lengths: BTreeSet<usize> = by_path.keys().map(Vec::len).collect();
    for (entry, is_submodule) in entries {
        let entry = entry.as_ref();
        if !is_submodule && !lengths.contains(&entry.len()) {
            continue;
        }
        let entry = entry.to_ascii_lowercase();
        let found = by_path.get(&entry).into_iter().flatten();
        tracked.extend(found.map(|file| (*file).clone()));
        if is_submodule {
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
        let files = ["a/b.json", "c/d.json", "e.json"].map(|file| (file.to_owned(), file.into()));
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

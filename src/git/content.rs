//! Whether files have the content of blobs, as git would store them.

use std::collections::{BTreeMap, BTreeSet};

use super::command::Git;
use super::porcelain::Record;
use super::{Error, Repository, Result};
use crate::checkpoint::path;
use crate::files::hash::{self, Format, blob_id};
use crate::files::{modified, names};

/// The driver of git-lfs; what it would store is computed here.
const LFS: &str = "lfs";

impl Repository {
    /// Those of the paths that do not have the content of the blobs, as git would store it.
    pub(super) fn differing(&self, blobs: BTreeMap<Vec<u8>, String>) -> Result<BTreeSet<Vec<u8>>> {
        let mut different = BTreeMap::new();
        let mut files = Vec::new();
        for (path, id) in blobs {
            match self.raw(&path, &id)? {
                Some(raw) if raw == id => {}
                // git reads the names line by line.
                Some(_) if !path.contains(&b'\n') => files.push((path, id)),
                Some(_) | None => {
                    different.insert(path, id);
                }
            }
        }
        if self.is_substitute {
            different.extend(files);
            return Ok(different.into_keys().collect());
        }
        if !files.is_empty() {
            let names = files.iter().map(|(path, _)| path::encode(path) + "\n");
            let names = names.collect::<String>().into_bytes();
            let ids = self
                .git_at_top()
                .output_of(&["hash-object", "--stdin-paths"], names)?;
            let ids = String::from_utf8_lossy(&ids).into_owned();
            let mut ids = ids.lines();
            for (path, id) in files {
                if ids.next() != Some(&id) {
                    different.insert(path, id);
                }
            }
        }
        let same = self.stored_by_lfs(&different, &self.filtered(&different)?)?;
        different.retain(|path, _| !same.contains(path));
        Ok(different.into_keys().collect())
    }

    /// The blob id of a file's bytes as they are, or of what a link holds, in the format of another; None where there is
    /// neither.
    fn raw(&self, path: &[u8], id: &str) -> Result<Option<String>> {
        let Some(name) = names::from_git(path) else {
            return Ok(None);
        };
        if let Some(target) = self.worktree.link_target(name) {
            return Ok(Some(blob_id(id, &target)));
        }
        let Some((reader, metadata)) = self.worktree.open_file(name) else {
            return Ok(None);
        };
        let (format, len) = (Format::of(id), metadata.len());
        Ok(hash::blob(format, reader, len, Some(self.deadline))?)
    }

    /// Those of the files that git calls changed only because their filter is switched off.
    ///
    /// What git-lfs stores is computed. Behind any other driver a file counts as unchanged while it has the size and
    /// the modification time that the index noted. Else it counts as changed: reading a file once more costs less than
    /// trusting a wrong one.
    pub(super) fn unchanged_by_filters(&self, records: &[Record]) -> Result<BTreeSet<Vec<u8>>> {
        if self.drivers.is_empty() {
            return Ok(BTreeSet::new());
        }
        let rewritten = records.iter().filter(|record| record.is_rewritten());
        let blobs = rewritten.filter_map(|record| {
            let index = record.index.as_ref()?;
            Some((record.path.clone(), index.id.clone()))
        });
        let blobs = blobs.collect();
        let filtered = self.filtered(&blobs)?;
        let mut same = self.stored_by_lfs(&blobs, &filtered)?;
        // A submodule that nothing but a filter may have changed.
        let submodules = records.iter().filter(|it| it.submodule == *b"S.M.");
        for (path, index) in submodules.filter_map(|it| Some((&it.path, it.index.as_ref()?))) {
            if self.differs_inside(path, &index.id, false) == Ok(false) {
                same.insert(path.clone());
            }
        }
        let others = filtered.iter().filter(|(_, driver)| *driver != LFS);
        let others: BTreeSet<&[u8]> = others.map(|(path, _)| path.as_slice()).collect();
        if !others.is_empty() {
            same.extend(self.untouched(&others)?);
        }
        Ok(same)
    }

    /// Those of the paths behind a driver that was switched off, with the driver.
    fn filtered(&self, blobs: &BTreeMap<Vec<u8>, String>) -> Result<BTreeMap<Vec<u8>, String>> {
        if blobs.is_empty() || self.drivers.is_empty() {
            return Ok(BTreeMap::new());
        }
        let answers =
            attributes(&self.git_at_top(), &["filter"], blobs.keys().cloned())?.into_iter();
        Ok(answers
            .filter(|(_, _, driver)| self.drivers.contains(driver))
            .map(|(path, _, driver)| (path, driver))
            .collect())
    }

    /// Those of the files that have the size and the modification time that the index noted.
    fn untouched(&self, paths: &BTreeSet<&[u8]>) -> Result<Vec<Vec<u8>>> {
        let sparse = self.hints.folders.then_some("--sparse");
        let args = ["ls-files", "-z", "--debug"].into_iter().chain(sparse);
        let output = self.git_at_top().output(&args.collect::<Vec<_>>())?;
        let mut untouched = Vec::new();
        // The lines about a file follow its name.
        let mut fields = output.split(|&byte| byte == 0);
        let mut name = fields.next();
        for field in fields {
            let told = String::from_utf8_lossy(field);
            let value = |label: &str| {
                let (_, rest) = told.split_once(label)?;
                rest.split_ascii_whitespace().next()
            };
            if let Some(path) = name.filter(|path| paths.contains(path))
                && let (Some(time), Some(size)) = (value("mtime: "), value("size: "))
                && self.has(path, time, size)
            {
                untouched.push(path.to_vec());
            }
            let end = field.iter().rposition(|&byte| byte == b'\n');
            name = end.and_then(|end| field.get(end + 1..));
        }
        Ok(untouched)
    }

    /// Whether a file has a modification time, as `seconds:nanoseconds`, and a size.
    fn has(&self, path: &[u8], time: &str, size: &str) -> bool {
        let file = names::from_git(path).and_then(|path| self.worktree.open_file(path));
        let told = file.and_then(|(_, metadata)| Some((metadata.len(), modified(&metadata)?)));
        let (Some((len, modified)), Some((seconds, nanoseconds))) = (told, time.split_once(':'))
        else {
            return false;
        };
        // The index keeps the size modulo 2^32, and no nanoseconds where git was built without them.
        (len as u32).to_string() == size
            && modified.as_second().to_string() == seconds
            && (nanoseconds == "0" || modified.subsec_nanosecond().to_string() == nanoseconds)
    }

    /// Those of the paths that git-lfs would store as the blobs; `filtered` are the paths that have a driver.
    fn stored_by_lfs(
        &self,
        blobs: &BTreeMap<Vec<u8>, String>,
        filtered: &BTreeMap<Vec<u8>, String>,
    ) -> Result<BTreeSet<Vec<u8>>> {
        let mut same = BTreeSet::new();
        for (path, _) in filtered.iter().filter(|(_, driver)| *driver == LFS) {
            let file = names::from_git(path).and_then(|path| self.worktree.open_file(path));
            let (Some((reader, metadata)), Some(id)) = (file, blobs.get(path)) else {
                continue;
            };
            let size = metadata.len();
            let digest = match hash::sha256(reader, size, self.deadline) {
                Err(error) if error.kind() == std::io::ErrorKind::TimedOut => {
                    return Err(Error::TimedOut);
                }
                digest => digest.ok().flatten(),
            };
            // git-lfs, docs/spec.md, "The Pointer".
            let pointer = digest.map(|digest| {
                format!(
                    "version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {size}\n"
                )
            });
            if pointer.is_some_and(|pointer| blob_id(id, pointer.as_bytes()) == *id) {
                same.insert(path.clone());
            }
        }
        Ok(same)
    }
}

/// What git says of attributes of paths in its folder: path, attribute and value.
pub(super) fn attributes(
    git: &Git,
    names: &[&str],
    paths: impl Iterator<Item = Vec<u8>>,
) -> Result<Vec<(Vec<u8>, String, String)>> {
    let ask = ["check-attr", "-z", "--stdin"];
    let paths = paths.flat_map(|path| [path.as_slice(), b"\0"].concat());
    let output = git.output_of(&[&ask[..], names].concat(), paths.collect())?;
    let fields: Vec<&[u8]> = output.split(|&byte| byte == 0).collect();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let answers = fields.chunks_exact(3);
    Ok(answers
        .map(|answer| (answer[0].to_vec(), text(answer[1]), text(answer[2])))
        .collect())
}

//! What files held, out of git's own objects, and what attributes say of them.

use std::collections::BTreeMap;

use super::content::attributes;
use super::{Error, Repository, Result};
use crate::checkpoint::path;

/// Where an object is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At<'a> {
    /// At a path of the project in the tree of a commit, given by its id.
    Commit(&'a str),
    /// By its id in hexadecimal.
    Id(&'a str),
}

/// What was found of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Blob {
    /// There is nothing.
    Missing,
    /// A file of more bytes than were wanted.
    Large,
    /// Anything but a file.
    Other,
    Bytes(Vec<u8>),
}

/// What `.gitattributes` says of a file (gitattributes(5)).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Attributes {
    /// Its content on disk is another than git's, by a filter or an encoding.
    pub(crate) is_converted: bool,
    /// No lines are to be shown of it.
    pub(crate) is_binary: bool,
    /// A program writes it.
    pub(crate) is_generated: bool,
}

impl Repository {
    /// What is found for paths of the project, in their order; no file of more than `limit` bytes is read.
    pub(crate) fn blobs(&self, wanted: &[(&str, At<'_>)], limit: u64) -> Result<Vec<Blob>> {
        let names: Vec<Vec<u8>> = wanted
            .iter()
            .map(|(path, at)| self.name(path, *at))
            .collect();
        let mut found = vec![Blob::Missing; wanted.len()];
        // git reads the names line by line.
        let asked: Vec<usize> = (0..names.len())
            .filter(|&at| !names[at].contains(&b'\n'))
            .collect();
        let lines = asked
            .iter()
            .flat_map(|&at| [names[at].as_slice(), b"\n"].concat());
        let sizes = self
            .git
            .output_of(&["cat-file", "--batch-check"], lines.collect())?;
        let mut small = Vec::new();
        for (&at, line) in asked.iter().zip(sizes.split(|&byte| byte == b'\n')) {
            let line = String::from_utf8_lossy(line);
            let mut parts = line.rsplitn(3, ' ');
            match (
                parts.next().map(str::parse::<u64>),
                parts.next(),
                parts.next(),
            ) {
                (Some(Ok(size)), Some("blob"), Some(id)) if size <= limit => {
                    small.push((at, id.to_owned()));
                }
                (Some(Ok(_)), Some("blob"), Some(_)) => found[at] = Blob::Large,
                (Some(Ok(_)), Some(_), Some(_)) => found[at] = Blob::Other,
                // A submodule's commit, which is in no repository but its own.
                _ if line.ends_with(" submodule") => found[at] = Blob::Other,
                _ => {}
            }
        }
        let lines: String = small.iter().map(|(_, id)| format!("{id}\n")).collect();
        if !small.is_empty() {
            let output = self
                .git
                .output_of(&["cat-file", "--batch"], lines.into_bytes())?;
            let mut rest = output.as_slice();
            for (at, _) in small {
                found[at] = Blob::Bytes(next_blob(&mut rest)?);
            }
        }
        Ok(found)
    }

    /// The name by which git knows an object.
    fn name(&self, path: &str, at: At<'_>) -> Vec<u8> {
        match at {
            At::Id(id) => id.as_bytes().to_vec(),
            At::Commit(commit) => {
                [commit.as_bytes(), b":", &self.prefix, &path::decode(path)].concat()
            }
        }
    }

    /// What attributes say of paths of the project; of those that are not there they say nothing.
    pub(crate) fn attributes(&self, paths: &[&str]) -> Result<BTreeMap<String, Attributes>> {
        let mut all: BTreeMap<String, Attributes> = BTreeMap::new();
        if self.is_substitute || paths.is_empty() {
            return Ok(all);
        }
        let names = paths.iter().map(|path| path::decode(path));
        let output = attributes(
            &self.git,
            &[
                "filter",
                "working-tree-encoding",
                "diff",
                "linguist-generated",
            ],
            names,
        )?;
        let by_name: BTreeMap<Vec<u8>, &str> = paths
            .iter()
            .map(|path| (path::decode(path), *path))
            .collect();
        for (name, attribute, value) in output {
            let Some(path) = by_name.get(&name) else {
                continue;
            };
            let is_set = !matches!(value.as_str(), "unspecified" | "unset" | "false");
            let known = all.entry((*path).to_owned()).or_default();
            match attribute.as_str() {
                "filter" => known.is_converted |= self.known.drivers.contains(&value),
                "working-tree-encoding" => known.is_converted |= is_set,
                "diff" => known.is_binary |= value == "unset",
                _ => known.is_generated |= is_set,
            }
        }
        Ok(all)
    }
}

/// Takes the next answer off the output of `git cat-file --batch`.
fn next_blob(rest: &mut &[u8]) -> Result<Vec<u8>> {
    let odd = || Error::Failed("git: these are not the blobs it was asked for".to_owned());
    let end = rest
        .iter()
        .position(|&byte| byte == b'\n')
        .ok_or_else(odd)?;
    let header = String::from_utf8_lossy(&rest[..end]);
    let size = header.rsplit(' ').next().map(str::parse::<usize>);
    let Some(Ok(size)) = size else {
        return Err(odd());
    };
    let content = rest.get(end + 1..end + 1 + size).ok_or_else(odd)?;
    *rest = rest.get(end + 1 + size + 1..).unwrap_or_default();
    Ok(content.to_vec())
}

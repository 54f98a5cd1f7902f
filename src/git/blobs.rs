//! What files held, out of git's own objects, and what attributes say of them.

use std::collections::BTreeMap;

use super::content::attributes;
use super::{Error, Repository, Result};
use crate::checkpoint::path;
use crate::files::Found;

/// Where an object is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At<'a> {
    /// At a path of the project in the tree of a commit, given by its id.
    Commit(&'a str),
    /// By its id in hexadecimal.
    Id(&'a str),
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

/// What git says of an object.
pub(super) struct Object {
    id: String,
    /// `blob`, `tree`, `commit` or `tag`, or `submodule` for a commit that is in no repository but its own.
    kind: String,
    /// In bytes.
    size: u64,
}

impl Object {
    /// Of a line of `git cat-file --batch-check`.
    fn parse(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let (id, kind, size) = match line.rsplit_once(' ')? {
            (id, kind @ "submodule") => (id, kind, 0),
            (rest, size) => {
                let (id, kind) = rest.rsplit_once(' ')?;
                (id, kind, size.parse().ok()?)
            }
        };
        let (id, kind) = (id.to_owned(), kind.to_owned());
        Some(Self { id, kind, size })
    }
}

impl Repository {
    /// What is found for paths of the project, in their order; no file of more than `limit` bytes is read.
    pub(crate) fn blobs(&self, wanted: &[(&str, At<'_>)], limit: u64) -> Result<Vec<Found>> {
        let names: Vec<Vec<u8>> = wanted
            .iter()
            .map(|(path, at)| self.name(path, *at))
            .collect();
        let mut found = vec![Found::Missing; wanted.len()];
        let mut small = Vec::new();
        for (at, object) in self.objects(&names)?.into_iter().enumerate() {
            match object {
                None => {}
                Some(object) if object.kind != "blob" => found[at] = Found::Other,
                Some(object) if object.size > limit => found[at] = Found::Large,
                Some(object) => small.push((at, object)),
            }
        }
        if small.is_empty() {
            return Ok(found);
        }
        let lines: String = small.iter().map(|(_, it)| format!("{}\n", it.id)).collect();
        let ask = ["cat-file", "--batch"];
        let output = self.git.output_of(&ask, lines.into_bytes())?;
        let mut rest = output.as_slice();
        for (at, Object { id, kind, size }) in small {
            let header = format!("{id} {kind} {size}\n");
            let answer = rest.strip_prefix(header.as_bytes());
            let answer = answer.and_then(|it| it.split_at_checked(usize::try_from(size).ok()?));
            let Some((content, others)) = answer else {
                let why = "git: these are not the blobs it was asked for";
                return Err(Error::Failed(why.to_owned()));
            };
            found[at] = Found::Bytes(content.to_vec());
            rest = others.strip_prefix(b"\n").unwrap_or_default();
        }
        Ok(found)
    }

    /// The objects that git has by names, in their order; None for a name that it has not, and for one with a line break.
    pub(super) fn objects(&self, names: &[Vec<u8>]) -> Result<Vec<Option<Object>>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        // git reads the names line by line.
        let lines = names.iter().map(|name| match name.contains(&b'\n') {
            true => b"",
            false => name.as_slice(),
        });
        let lines: Vec<&[u8]> = lines.flat_map(|line| [line, b"\n"]).collect();
        let ask = ["cat-file", "--batch-check"];
        let answers = self.git.output_of(&ask, lines.concat())?;
        let answers = answers.split(|&byte| byte == b'\n');
        Ok(answers.take(names.len()).map(Object::parse).collect())
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
                "filter" => known.is_converted |= self.drivers.contains(&value),
                "working-tree-encoding" => known.is_converted |= is_set,
                "diff" => known.is_binary |= value == "unset",
                _ => known.is_generated |= is_set,
            }
        }
        Ok(all)
    }
}

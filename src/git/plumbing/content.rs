//! Whether files have the content of blobs, as git would store them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use anyhow::{Context, bail};

use super::Asker;
use crate::checkpoint::path;
use crate::git::hash::{self, Format};
use crate::git::timely::Timely;
use crate::git::worktree::Kind;
use crate::git::{TimedOut, text};

const LINK: &str = "120000";

impl Asker {
    /// The mode that git gives to the file or link at a path; None where there is none, or only beyond a link.
    pub(super) fn mode(&self, path: &[u8]) -> Option<&'static str> {
        let path = text::from_git(path)?;
        match self.worktree.kind(&path)? {
            _ if self.worktree.is_beyond_link(&path) => None,
            Kind::Link => Some(LINK),
            Kind::File if self.worktree.is_executable(&path) => Some("100755"),
            Kind::File => Some("100644"),
            Kind::Directory | Kind::Other => None,
        }
    }

    /// Those of the paths that do not have the content of the blobs, as git would store it.
    pub(super) fn differing(
        &self,
        blobs: BTreeMap<Vec<u8>, String>,
    ) -> anyhow::Result<BTreeSet<Vec<u8>>> {
        let mut different = BTreeMap::new();
        let mut files = Vec::new();
        for (path, id) in blobs {
            let name = text::from_git(&path).context("a name that is no Unicode")?;
            let link = self.worktree.link_target(&name);
            let readable = self.worktree.open_file(&name).is_some();
            match link {
                Some(target) if Format::of(&id).blob(&target) == id => {}
                // git reads the names line by line.
                None if readable && !path.contains(&b'\n') => files.push((path, id)),
                _ => {
                    different.insert(path, id);
                }
            }
        }
        if !files.is_empty() {
            let names = files.iter().map(|(path, _)| path::encode(path) + "\n");
            let names = names.collect::<String>().into_bytes();
            let ids = self
                .git
                .output_of(&["hash-object", "--stdin-paths"], names)?;
            let ids = String::from_utf8(ids)?;
            let mut ids = ids.lines();
            for (path, id) in files {
                if ids.next() != Some(&id) {
                    different.insert(path, id);
                }
            }
        }
        let same = self.unchanged_by_filters(&different)?;
        Ok(different
            .into_keys()
            .filter(|path| !same.contains(path))
            .collect())
    }

    /// Those of the paths that git-lfs would store as the blobs.
    pub(super) fn unchanged_by_filters(
        &self,
        blobs: &BTreeMap<Vec<u8>, String>,
    ) -> anyhow::Result<BTreeSet<Vec<u8>>> {
        let mut same = BTreeSet::new();
        if blobs.is_empty() {
            return Ok(same);
        }
        let names: Vec<u8> = blobs
            .keys()
            .flat_map(|path| [path, &b"\0"[..]].concat())
            .collect();
        let output = self
            .git
            .output_of(&["check-attr", "-z", "--stdin", "filter"], names)?;
        let fields: Vec<&[u8]> = output.split(|&byte| byte == 0).collect();
        for answer in fields.chunks_exact(3).filter(|answer| answer[2] == b"lfs") {
            let file = text::from_git(answer[0]).and_then(|path| self.worktree.open_file(&path));
            let (Some((file, len)), Some(id)) = (file, blobs.get(answer[0])) else {
                continue;
            };
            let reader = Timely {
                reader: file,
                deadline: self.deadline,
            };
            let pointer = match hash::lfs_pointer(reader, len) {
                Err(error) if error.kind() == io::ErrorKind::TimedOut => bail!(TimedOut),
                pointer => pointer.ok().flatten(),
            };
            if pointer.is_some_and(|pointer| Format::of(id).blob(pointer.as_bytes()) == *id) {
                same.insert(answer[0].to_vec());
            }
        }
        Ok(same)
    }
}

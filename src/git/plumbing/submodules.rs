//! The submodules of the index, and which of their changes are not to be seen.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Asker, SUBMODULE, entry};
use crate::checkpoint::format::FileStatus;
use crate::git::porcelain::fields;
use crate::git::submodule::{Ignored, Link, Older};
use crate::git::{pieces, text};

/// Bytes of `.gitmodules` that are read; 10,000 submodules take about a megabyte.
const MODULES: u64 = 16 * 1024 * 1024;

/// The submodules under the project root, by path from the top of the working tree.
pub(super) struct Submodules {
    /// Each with its commit.
    pub(super) all: BTreeMap<Vec<u8>, String>,
    closed: Vec<Vec<u8>>,
}

impl Submodules {
    /// Those that git has to be kept from even to see at which commit they are.
    pub(super) fn closed(&self) -> Vec<&[u8]> {
        self.closed.iter().map(Vec::as_slice).collect()
    }
}

impl Asker {
    pub(super) fn submodules(&self) -> anyhow::Result<Submodules> {
        let output = self.index()?;
        let mut all = BTreeMap::new();
        for (meta, path) in fields(&output).filter_map(entry) {
            let mut parts = meta.split(|&byte| byte == b' ');
            if let (Some(SUBMODULE), Some(id), Some(b"0")) =
                (parts.next(), parts.next(), parts.next())
            {
                all.insert(path.to_vec(), String::from_utf8_lossy(id).into_owned());
            }
        }
        let closed = all.keys().filter(|path| self.is_closed(path));
        Ok(Submodules {
            closed: closed.cloned().collect(),
            all,
        })
    }

    fn is_closed(&self, path: &[u8]) -> bool {
        let folder = text::from_git(path).map(|path| self.top.join(path));
        folder.is_some_and(|folder| {
            folder.join(".git").symlink_metadata().is_ok() && pieces::fault(&folder).is_some()
        })
    }

    /// What one difference between a commit and the working tree, given by the mode and id that the commit has and
    /// by its code, says of a submodule; None where it is of something else.
    pub(super) fn link_since(
        &self,
        path: &[u8],
        (mode, id, code): (&str, &str, &str),
        submodules: &Submodules,
    ) -> Option<Link> {
        let is_submodule = mode.as_bytes() == SUBMODULE;
        let indexed = submodules.all.get(path);
        if indexed.is_none() && !(is_submodule && code == "D") {
            return None;
        }
        let older = match mode {
            "000000" => Older::Nothing,
            _ if is_submodule => Older::Submodule(id.to_owned()),
            _ => Older::Other,
        };
        let status = match (&older, indexed) {
            (_, None) => Some(FileStatus::Deleted),
            (Older::Nothing, _) => Some(FileStatus::Added),
            (Older::Submodule(old), Some(new)) if old == new => None,
            _ => Some(FileStatus::Modified),
        };
        Some(Link::since(self.inside(path)?.to_vec(), older, status))
    }

    /// What of the submodules under the project root is not to be seen.
    pub(in crate::git) fn ignored_in_submodules(&self) -> anyhow::Result<Ignored> {
        let names = r"^(submodule\..*\.ignore|diff\.ignoresubmodules)$";
        let list = ["config", "-z", "--get-regexp", names];
        // It fails where there is no such setting.
        let configured = settings(&self.git.run(&list, Vec::new())?.output);
        let configured: BTreeMap<_, _> = configured.into_iter().collect();
        let file = Path::new(".gitmodules");
        let list = ["config", "-z", "--list"];
        let modules = match self.worktree.read(file, MODULES) {
            Some(text) => self.git.run(&[&list[..], &["--file=-"]].concat(), text)?,
            // Where it is gone, git reads the one of the index.
            None => {
                let list = [&list[..], &["--blob=:.gitmodules"]].concat();
                self.git.run(&list, Vec::new())?
            }
        };
        let configured = |name: &str| configured.get(name).cloned();
        Ok(Ignored::new(
            &settings(&modules.output),
            configured,
            &self.prefix,
        ))
    }
}

/// Names and values as `git config -z` prints them, without those that are no text.
fn settings(output: &[u8]) -> Vec<(String, String)> {
    let setting = |field: &[u8]| {
        let field = String::from_utf8(field.to_vec()).ok()?;
        let (name, value) = field.split_once('\n')?;
        Some((name.to_owned(), value.to_owned()))
    };
    fields(output).filter_map(setting).collect()
}

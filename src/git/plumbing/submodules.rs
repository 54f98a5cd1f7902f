//! The submodules of the index, and which of their changes are not to be seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;

use super::{Asker, SUBMODULE, entry};
use crate::checkpoint::format::FileStatus;
use crate::git::porcelain::fields;
use crate::git::submodule::{Ignored, Link, MODULES, MODULES_READ, Older};
use crate::git::{Untracked, pieces, text};

/// The submodules under the project root, by path from the top of the working tree.
pub(super) struct Submodules {
    /// Each with its commit.
    pub(super) all: BTreeMap<Vec<u8>, String>,
    closed: Vec<Vec<u8>>,
    /// Those at which git does not look in the working tree.
    pub(super) unseen: BTreeSet<Vec<u8>>,
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
        let mut unseen = BTreeSet::new();
        for (meta, path) in fields(&output).filter_map(entry) {
            let mut parts = meta.split(|&byte| byte == b' ');
            if let (Some(tag), Some(SUBMODULE), Some(id), Some(b"0")) =
                (parts.next(), parts.next(), parts.next(), parts.next())
            {
                all.insert(path.to_vec(), String::from_utf8_lossy(id).into_owned());
                // `S` is left out by a sparse checkout, and any small letter assumed to be unchanged.
                if matches!(tag, [b'S' | b'a'..=b'z']) {
                    unseen.insert(path.to_vec());
                }
            }
        }
        let closed = all.keys().filter(|path| self.is_closed(path));
        Ok(Submodules {
            closed: closed.cloned().collect(),
            all,
            unseen,
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
    pub(in crate::git) fn ignored_in_submodules(
        &self,
        untracked: Untracked,
    ) -> anyhow::Result<Ignored> {
        let names = r"^(submodule\..*\.ignore|diff\.ignoresubmodules)$";
        let list = ["config", "-z", "--get-regexp", names];
        // It fails where there is no such setting.
        let configured = settings(&self.git.run(&list, Vec::new())?.output);
        let configured: BTreeMap<_, _> = configured.into_iter().collect();
        let configured = |name: &str| configured.get(name).cloned();
        let modules = self.modules()?;
        let lists = self.lists(untracked)?;
        Ok(Ignored::new(&modules, configured, lists, &self.prefix))
    }

    /// Whether untracked files are wanted.
    fn lists(&self, untracked: Untracked) -> anyhow::Result<bool> {
        Ok(match untracked {
            Untracked::All => true,
            Untracked::AsConfigured => {
                // It fails for the values that are no truth values, all of which list some.
                let ask = ["config", "--bool", "status.showUntrackedFiles"];
                self.git.run(&ask, Vec::new())?.output != b"false\n"
            }
            Untracked::None => false,
        })
    }

    /// The names and values of `.gitmodules`.
    fn modules(&self) -> anyhow::Result<Vec<(String, String)>> {
        let conflict = ["ls-files", "--unmerged", "--", MODULES];
        // In a conflict git reads none.
        if !self.git.output(&conflict)?.is_empty() {
            return Ok(Vec::new());
        }
        let file = Path::new(MODULES);
        let from = |place: &str, text: Vec<u8>| {
            // From anything but a named file, git would follow what it includes.
            let list = ["config", "-z", "--list", "--no-includes", place];
            let answer = self.git.run(&list, text)?;
            // A malformed one sets nothing; git says no more than that it is.
            let read = (answer.status == Some(0)).then(|| settings(&answer.output));
            anyhow::Ok(read)
        };
        let modules = if self.worktree.kind(file).is_some() {
            let text = self.worktree.read(file, MODULES_READ);
            let text = text
                .with_context(|| format!("`{MODULES}` is a link, too large or not to be read"))?;
            from("--file=-", text)?
        } else {
            match from(&format!("--blob=:{MODULES}"), Vec::new())? {
                None => from(&format!("--blob=HEAD:{MODULES}"), Vec::new())?,
                indexed => indexed,
            }
        };
        Ok(modules.unwrap_or_default())
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

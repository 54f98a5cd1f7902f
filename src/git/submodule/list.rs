//! The submodules of the index, and which of their changes are not to be seen.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

use super::{Ignored, MODULES, MODULES_READ};
use crate::git::command::Git;
use crate::git::layout::{IndexHints, git_dir};
use crate::git::porcelain::{Indexed, fields};
use crate::git::{Error, Repository, Result, Untracked, text};

/// The submodules under the project root, by path from the top of the working tree.
#[derive(Debug, Default)]
pub(in crate::git) struct Submodules {
    /// Each with its commit.
    pub(in crate::git) all: BTreeMap<Vec<u8>, String>,
    /// Those at which git does not look in the working tree (git-update-index(1), `--assume-unchanged` and
    /// `--skip-worktree`).
    pub(in crate::git) unseen: BTreeSet<Vec<u8>>,
}

impl Submodules {
    /// Those that the index has in the folder of `git`, which `prefix` leads to from the top.
    pub(in crate::git) fn read(git: &Git, hints: IndexHints, prefix: &[u8]) -> Result<Self> {
        let mut submodules = Self::default();
        if !hints.submodules {
            return Ok(submodules);
        }
        let output = git.output(&hints.listing())?;
        for indexed in fields(&output).filter_map(Indexed::parse) {
            if !indexed.entry.is_submodule() || !indexed.is_merged {
                continue;
            }
            let path = [prefix, indexed.path].concat();
            if matches!(indexed.tag, Some(b'S' | b'a'..=b'z')) {
                submodules.unseen.insert(path.clone());
            }
            submodules.all.insert(path, indexed.entry.id);
        }
        Ok(submodules)
    }

    /// Those that git has to be kept from even to see at which commit they are, as path specifications.
    pub(in crate::git) fn closed(&self, top: &Path) -> Vec<OsString> {
        let is_closed = |path: &&Vec<u8>| {
            let folder = text::from_git(path).map(|path| top.join(path));
            let git_dir = folder.as_deref().and_then(git_dir);
            git_dir.is_some_and(|git_dir| git_dir.fault().is_some())
        };
        let closed = self.all.keys().filter(is_closed);
        let names = closed.filter_map(|path| text::from_git(path));
        names
            .map(|name| {
                let mut spec = OsString::from(":(top,literal,exclude)");
                spec.push(name.as_os_str());
                spec
            })
            .collect()
    }
}

impl Repository {
    /// What of the submodules under the project root is not to be seen.
    pub(super) fn ignored_in_submodules(&self, untracked: Untracked) -> Result<Ignored> {
        let names = r"^(submodule\..*\.ignore|diff\.ignoresubmodules)$";
        let list = ["config", "-z", "--get-regexp", names];
        // It fails where there is no such setting.
        let configured = settings(&self.git.run(&list)?.output);
        let configured: BTreeMap<_, _> = configured.into_iter().collect();
        let configured = |name: &str| configured.get(name).cloned();
        let modules = self.modules()?;
        let lists = self.lists(untracked)?;
        Ok(Ignored::new(&modules, configured, lists, &self.prefix))
    }

    /// Whether untracked files are wanted.
    fn lists(&self, untracked: Untracked) -> Result<bool> {
        Ok(match untracked {
            Untracked::All => true,
            Untracked::AsConfigured => {
                // It fails for the values that are no truth values, all of which list some.
                let ask = ["config", "--bool", "status.showUntrackedFiles"];
                self.git.run(&ask)?.output != b"false\n"
            }
            Untracked::None => false,
        })
    }

    /// The names and values of `.gitmodules`.
    fn modules(&self) -> Result<Vec<(String, String)>> {
        let git = self.git_at_top();
        // In a conflict git reads none.
        if !git
            .output(&["ls-files", "--unmerged", "--", MODULES])?
            .is_empty()
        {
            return Ok(Vec::new());
        }
        let file = Path::new(MODULES);
        let from = |git_dir: &str, text: Vec<u8>| {
            // From anything but a named file, git would follow what it includes.
            let list = ["config", "-z", "--list", "--no-includes", git_dir];
            let answer = git.start_with(&list, text)?.answer()?;
            // A malformed one sets nothing; git says no more than that it is.
            Ok::<_, Error>((answer.status == Some(0)).then(|| settings(&answer.output)))
        };
        let modules = if self.worktree.kind(file).is_some() {
            let why = || format!("`{MODULES}` is a link, too large or unreadable");
            let text = self.worktree.read(file, MODULES_READ);
            from("--file=-", text.ok_or_else(|| Error::Failed(why()))?)?
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

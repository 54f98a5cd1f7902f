//! The facts as the git command gives them, for repositories that libgit2 does not know how to read.
//!
//! Where they differ: a rename is an addition and a deletion, because git leaves out some deleted files when it
//! looks for renames in the midst of a conflict. Filters do not run, so that a file behind a driver other than
//! git-lfs counts as changed when its stat data is stale. git does not look into submodules, which is left to
//! [`super::submodule`]: what it must not run is switched off in the repository around them alone.

mod changes;
mod content;
mod submodules;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::command::{Git, Surroundings};
use super::porcelain::fields;
use super::worktree::Worktree;
use super::{Head, History, text};
use crate::env::Deadline;

/// A repository read through the git command, seen from the project root.
pub(super) struct Asker {
    git: Git,
    /// The top of the working tree.
    top: PathBuf,
    worktree: Worktree,
    /// The project root inside the working tree, with a final `/`; empty where they are the same.
    prefix: Vec<u8>,
    deadline: Deadline,
}

/// The mode of a submodule.
const SUBMODULE: &[u8] = b"160000";

impl Asker {
    pub(super) fn new(
        root: &Path,
        surroundings: &Surroundings,
        deadline: Deadline,
    ) -> anyhow::Result<Self> {
        let mut git = Git::new(root, surroundings, deadline)?;
        let mut top = git.output(&["rev-parse", "--show-toplevel"])?;
        top.pop();
        let top: PathBuf = text::from_git(&top)
            .context("the name of the repository is no Unicode")?
            .canonicalize()?;
        let Some(mut prefix) = root.strip_prefix(&top).ok().and_then(text::to_git) else {
            bail!("the project root is outside the repository's working tree");
        };
        if !prefix.is_empty() {
            prefix.push(b'/');
        }
        git.change_folder(&top);
        let worktree = Worktree::open(&top)?;
        Ok(Self {
            git,
            top,
            worktree,
            prefix,
            deadline,
        })
    }

    /// Whether the project root is the top of the working tree.
    pub(super) fn is_at_its_top(&self) -> bool {
        self.prefix.is_empty()
    }

    pub(super) fn head(&self) -> anyhow::Result<Option<Head>> {
        let Some(commit) = self.commit("HEAD")? else {
            return Ok(None);
        };
        let answer = self.git.run(&["symbolic-ref", "-q", "HEAD"], Vec::new())?;
        let branch = (answer.status == Some(0)).then(|| {
            let name = String::from_utf8_lossy(&answer.output);
            let name = name.trim_end_matches('\n');
            name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()
        });
        Ok(Some(Head { branch, commit }))
    }

    pub(super) fn commits_since(&self, commit: &str) -> anyhow::Result<History> {
        if !is_hexadecimal(commit) || self.commit(commit)?.is_none() {
            return Ok(History::Gone);
        }
        if self.commit("HEAD")?.is_none() {
            return Ok(History::Diverged { commits: 0 });
        }
        let range = format!("{commit}...HEAD");
        let output = self
            .git
            .output(&["rev-list", "--count", "--left-right", &range, "--"])?;
        let output = String::from_utf8_lossy(&output);
        let mut counts = output.split_whitespace().map(str::parse);
        let (Some(Ok(lost)), Some(Ok(commits))) = (counts.next(), counts.next()) else {
            bail!("git: not the two numbers that were asked for");
        };
        Ok(match lost {
            0usize => History::Ancestor { commits },
            _ => History::Diverged { commits },
        })
    }

    /// The subjects of the newest commits that HEAD has and `commit` has not.
    pub(super) fn subjects_since(&self, commit: &str, limit: usize) -> anyhow::Result<Vec<String>> {
        if !is_hexadecimal(commit) {
            bail!("`{}` is no commit", commit.escape_debug());
        }
        if self.commit("HEAD")?.is_none() {
            return Ok(Vec::new());
        }
        let output = self.git.output(&[
            "rev-list",
            "--topo-order",
            &format!("--max-count={limit}"),
            "--encoding=UTF-8",
            "--format=%x09%s",
            &format!("{commit}..HEAD"),
            "--",
        ])?;
        // Lines with the commits' ids stand between them.
        let output = String::from_utf8_lossy(&output);
        let subjects = output.lines().filter_map(|line| line.strip_prefix('\t'));
        Ok(subjects.map(str::to_owned).collect())
    }

    pub(super) fn is_ignored(&self, path: &[u8]) -> bool {
        // No name that starts like this is taken for anything but a path.
        let path = [b"./", self.prefix.as_slice(), path].concat();
        let Some(path) = text::from_git(&path) else {
            return false;
        };
        let args = ["check-ignore", "-q", "--no-index", "--"].map(OsString::from);
        let args = args.into_iter().chain([path.into_owned().into_os_string()]);
        let answer = self.git.run(&args.collect::<Vec<_>>(), Vec::new());
        answer.is_ok_and(|answer| answer.status == Some(0))
    }

    /// Every path under the project root that the index has, and whether it is a submodule.
    pub(super) fn staged(&self) -> anyhow::Result<Vec<(Vec<u8>, bool)>> {
        let output = self.index()?;
        let entries = fields(&output).filter_map(|field| {
            let (meta, path) = entry(field)?;
            Some((path.to_vec(), meta.get(2..)?.starts_with(SUBMODULE)))
        });
        Ok(entries.collect())
    }

    /// The index under the project root, as `git ls-files -v --stage` prints it.
    fn index(&self) -> anyhow::Result<Vec<u8>> {
        self.under_root(&["ls-files", "-z", "-v", "--stage"], &[])
    }

    /// A path of the repository relative to the project root; None outside of it.
    pub(super) fn inside<'a>(&self, path: &'a [u8]) -> Option<&'a [u8]> {
        path.strip_prefix(self.prefix.as_slice())
    }

    /// The output of a command about everything under the project root but some paths of the repository.
    fn under_root(&self, args: &[&str], without: &[&[u8]]) -> anyhow::Result<Vec<u8>> {
        let root = self.prefix.strip_suffix(b"/");
        let only = root.map(|root| (":(literal)", root));
        let without = without.iter().map(|path| (":(literal,exclude)", *path));
        let mut args: Vec<OsString> = args.iter().map(OsString::from).collect();
        args.push("--".into());
        for (magic, path) in only.into_iter().chain(without) {
            let mut spec = OsString::from(magic);
            spec.push(
                text::from_git(path)
                    .context("a name that is no Unicode")?
                    .as_os_str(),
            );
            args.push(spec);
        }
        self.git.output(&args)
    }

    /// The commit that a name stands for, in hexadecimal; None where there is none.
    pub(super) fn commit(&self, name: &str) -> anyhow::Result<Option<String>> {
        let name = format!("{name}^{{commit}}");
        let answer = self
            .git
            .run(&["rev-parse", "-q", "--verify", &name], Vec::new())?;
        let id = String::from_utf8_lossy(&answer.output)
            .trim_end()
            .to_owned();
        Ok((answer.status == Some(0)).then_some(id))
    }
}

/// Tag, mode and id of an entry of the index, and its path.
fn entry(field: &[u8]) -> Option<(&[u8], &[u8])> {
    let tab = field.iter().position(|&byte| byte == b'\t')?;
    Some((&field[..tab], field.get(tab + 1..)?))
}

/// Whether a text can be nothing but a commit's id, and so no option and no expression.
fn is_hexadecimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

//! The facts as the git command gives them, for repositories that libgit2 does not know how to read.
//!
//! Where they differ: a rename is an addition and a deletion, because git leaves out some deleted files when it
//! looks for renames in the midst of a conflict. Filters do not run, so that a file behind a driver other than
//! git-lfs counts as changed when its stat data is stale. git does not look into submodules, which is left to
//! [`super::submodule`] where libgit2 can open the repository around them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::command::{Git, Surroundings};
use super::hash::{self, Format};
use super::porcelain::{Record, fields};
use super::status::{Found, Staged, Status, Statuses, combined};
use super::timely::Timely;
use super::worktree::{Kind, Worktree};
use super::{Head, History, TimedOut, text};
use crate::checkpoint::format::FileStatus;
use crate::env::Deadline;

/// A repository read through the git command, seen from the project root.
pub(super) struct Asker {
    git: Git,
    worktree: Worktree,
    /// The project root inside the working tree, with a final `/`; empty where they are the same.
    prefix: Vec<u8>,
    deadline: Deadline,
}

const LINK: &str = "120000";

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
            worktree,
            prefix,
            deadline,
        })
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

    /// Everything under the project root that is uncommitted or untracked.
    pub(super) fn changes(&self) -> anyhow::Result<Statuses> {
        let output = self.under_root(&[
            "status",
            "--porcelain=v2",
            "-z",
            "--untracked-files=all",
            "--ignore-submodules=dirty",
            "--no-renames",
        ])?;
        let mut codes: BTreeMap<&[u8], (Option<Staged>, Option<Found>)> = BTreeMap::new();
        let mut uncertain = BTreeMap::new();
        for field in fields(&output) {
            let record = Record::parse(field)
                .with_context(|| format!("git: `{}` is no status", field.escape_ascii()))?;
            let (staged, found) = record.codes();
            if let (None, Some(Found::Modified), Some(id)) = (staged, found, record.same_mode) {
                uncertain.insert(record.path.to_vec(), id.to_owned());
            }
            let known = codes.entry(record.path).or_default();
            *known = (staged.or(known.0), found.or(known.1));
        }
        let same = self.unchanged_by_filters(&uncertain)?;
        let statuses = codes
            .into_iter()
            .filter(|(path, _)| !same.contains(*path))
            .map(|(path, (staged, found))| {
                Status::new(self.relative(path), combined(staged, found))
            });
        Ok(statuses.collect())
    }

    /// Where the working tree under the project root differs from `base`; an empty tree where it is None.
    pub(super) fn changes_since(&self, base: Option<&str>) -> anyhow::Result<Statuses> {
        let base = match base {
            Some(commit) => self
                .commit(commit)?
                .with_context(|| format!("there is no commit {commit}"))?,
            None => {
                let id = self.git.output(&["hash-object", "-t", "tree", "--stdin"])?;
                String::from_utf8_lossy(&id).trim_end().to_owned()
            }
        };
        let args = ["diff-index", "--raw", "-z", "--no-abbrev", "--no-renames"];
        let plain = [
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=dirty",
            &base,
        ];
        let output = self.under_root(&[&args[..], &plain].concat())?;
        let mut statuses = BTreeMap::new();
        let mut uncertain = BTreeMap::new();
        let mut parts = fields(&output);
        while let (Some(meta), Some(path)) = (parts.next(), parts.next()) {
            let meta = std::str::from_utf8(meta)?;
            let mut parts = meta.trim_start_matches(':').split(' ');
            let (Some(old), Some(new), Some(id), Some(_), Some(code)) = (
                parts.next(),
                parts.next(),
                parts.next(),
                parts.next(),
                parts.next(),
            ) else {
                bail!("git: `{meta}` is no difference");
            };
            // What the index no longer has may still be there, untracked or ignored.
            let here = (code == "D").then(|| self.mode(path)).flatten();
            let (code, new) = here.map_or((code, new), |mode| ("M", mode));
            let status = match code {
                "A" => FileStatus::Added,
                "D" => FileStatus::Deleted,
                "U" => FileStatus::Unmerged,
                _ => FileStatus::Modified,
            };
            if code == "M" && old == new && self.mode(path).is_some() {
                uncertain.insert(path.to_vec(), id.to_owned());
                continue;
            }
            // A conflict is told twice, the second time with what the working tree has.
            statuses.insert(path.to_vec(), status);
        }
        let untracked = self.under_root(&["ls-files", "-z", "--others", "--exclude-standard"])?;
        for path in fields(&untracked) {
            let path = path.strip_suffix(b"/").unwrap_or(path).to_vec();
            if !uncertain.contains_key(&path) {
                // What the base has and the index has not is here, and is not the same.
                statuses
                    .entry(path)
                    .and_modify(|status| *status = FileStatus::Modified)
                    .or_insert(FileStatus::Untracked);
            }
        }
        for path in self.differing(uncertain)? {
            statuses.insert(path, FileStatus::Modified);
        }
        Ok(statuses
            .into_iter()
            .map(|(path, status)| Status::new(self.relative(&path), status))
            .collect())
    }

    /// Every path under the project root that the index has, and whether it is a submodule.
    pub(super) fn staged(&self) -> anyhow::Result<Vec<(Vec<u8>, bool)>> {
        let output = self.under_root(&["ls-files", "-z", "--stage"])?;
        let entry = |field: &[u8]| {
            let tab = field.iter().position(|&byte| byte == b'\t')?;
            let is_submodule = field.starts_with(b"160000");
            Some((field.get(tab + 1..)?.to_vec(), is_submodule))
        };
        Ok(fields(&output).filter_map(entry).collect())
    }

    /// A path of the repository relative to the project root; None outside of it.
    pub(super) fn inside<'a>(&self, path: &'a [u8]) -> Option<&'a [u8]> {
        path.strip_prefix(self.prefix.as_slice())
    }

    fn commit(&self, name: &str) -> anyhow::Result<Option<String>> {
        let name = format!("{name}^{{commit}}");
        let answer = self
            .git
            .run(&["rev-parse", "-q", "--verify", &name], Vec::new())?;
        let id = String::from_utf8_lossy(&answer.output)
            .trim_end()
            .to_owned();
        Ok((answer.status == Some(0)).then_some(id))
    }

    fn under_root(&self, args: &[&str]) -> anyhow::Result<Vec<u8>> {
        let mut args: Vec<OsString> = args.iter().map(OsString::from).collect();
        args.push("--".into());
        if let Some(root) = self.prefix.strip_suffix(b"/").and_then(text::from_git) {
            let mut only = OsString::from(":(literal)");
            only.push(root.as_os_str());
            args.push(only);
        }
        self.git.output(&args)
    }

    /// The mode that git gives to the file or link at a path; None where there is none, or only beyond a link.
    fn mode(&self, path: &[u8]) -> Option<&'static str> {
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
    fn differing(&self, blobs: BTreeMap<Vec<u8>, String>) -> anyhow::Result<BTreeSet<Vec<u8>>> {
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
            let names = files
                .iter()
                .map(|(path, _)| crate::checkpoint::path::encode(path) + "\n");
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
    fn unchanged_by_filters(
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

    fn relative(&self, path: &[u8]) -> Vec<u8> {
        path.strip_prefix(self.prefix.as_slice())
            .unwrap_or(path)
            .to_vec()
    }
}

/// Whether a text can be nothing but a commit's id, and so no option and no expression.
fn is_hexadecimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

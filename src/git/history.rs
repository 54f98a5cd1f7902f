//! What became of a commit: how HEAD is seen from it, and what differs between the two.

use std::cell::Cell;

use super::command::{Git, Running};
use super::facts::{Base, Changes};
use super::layout::{GitDir, is_id};
use super::porcelain::{Moved, empty_tree};
use super::{Error, History, Repository, Result};

/// The questions about an older commit, asked while the status is read.
pub(super) struct Asked {
    commit: String,
    history: Cell<Option<Running>>,
    moved: Cell<Option<Running>>,
}

impl Asked {
    /// None where the commit is HEAD's, as far as files say, or is none at all.
    pub(super) fn start(git: &Git, git_dir: &GitDir, commit: &str) -> Result<Option<Self>> {
        if !is_id(commit) || git_dir.head().as_deref() == Some(commit) {
            return Ok(None);
        }
        Ok(Some(Self {
            commit: commit.to_owned(),
            history: Some(git.start(&counting(git_dir, commit))?).into(),
            moved: Some(git.start(&comparing(commit, "HEAD"))?).into(),
        }))
    }
}

/// A question that answers how many commits each of two has that the other has not, or, where history has an edge,
/// which they are.
fn counting(git_dir: &GitDir, commit: &str) -> Vec<String> {
    let form = match git_dir.is_shallow() {
        true => &["--left-right"][..],
        false => &["--left-right", "--count"],
    };
    let range = format!("{commit}...HEAD");
    let args = ["rev-list"].iter().chain(form).map(ToString::to_string);
    args.chain([range, "--".to_owned()]).collect()
}

fn comparing<'a>(base: &'a str, head: &'a str) -> [&'a str; 10] {
    [
        "diff-tree",
        "--raw",
        "-r",
        "-z",
        "--no-abbrev",
        "--no-renames",
        base,
        head,
        "--",
        ".",
    ]
}

impl Repository {
    /// What became of a commit, given by its id in hexadecimal.
    pub(crate) fn commits_since(&self, commit: &str) -> Result<History> {
        match self.commit() {
            _ if !is_id(commit) => return Ok(History::Gone),
            Some(head) if head == commit => return Ok(History::Ahead { commits: 0 }),
            None if self.has_commit(commit)? => return Ok(History::Diverged { commits: 0 }),
            None => return Ok(History::Gone),
            Some(_) => {}
        }
        let running = match self.asked_of(commit).and_then(|asked| asked.history.take()) {
            Some(running) => running,
            None => self.git.start(&counting(&self.git_dir, commit))?,
        };
        let answer = running.answer()?;
        if answer.status != Some(0) {
            return match self.has_commit(commit)? {
                true => Err(answer.failure()),
                false => Ok(History::Gone),
            };
        }
        let output = String::from_utf8_lossy(&answer.output);
        match self.git_dir.is_shallow() {
            true => Ok(within(&output, &self.git_dir)),
            false => counted(&output),
        }
    }

    /// Exactly the paths under the project root where the working tree differs from `base`: files that are tracked as
    /// git would store them, and untracked ones that are not ignored.
    pub(crate) fn changes_since(&self, base: Base<'_>) -> Result<Changes> {
        let (base, head) = match (base, self.commit()) {
            (Base::Commit(base), _) if !is_id(base) => return Err(no_commit(base)),
            // Where HEAD names a branch without a commit, everything that the base has was taken away.
            (Base::Commit(base), head) => (base, head.unwrap_or(empty_tree(base.len()))),
            (Base::Empty, Some(head)) => (empty_tree(head.len()), head),
            (Base::Empty, None) => return self.differences(Vec::new()),
        };
        let moved = match self.asked_of(base).and_then(|asked| asked.moved.take()) {
            _ if base == head => Vec::new(),
            Some(running) => Moved::parse(&running.output()?)?,
            None => Moved::parse(&self.git.output(&comparing(base, head))?)?,
        };
        self.differences(moved)
    }

    /// The subjects of at most `limit` commits that are reachable from HEAD and not from `commit`, an id in
    /// hexadecimal; newest first, with what is not UTF-8 replaced.
    pub(crate) fn subjects_since(&self, commit: &str, limit: usize) -> Result<Vec<String>> {
        if !is_id(commit) {
            return Err(no_commit(commit));
        }
        if self.commit().is_none_or(|head| head == commit) {
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

    fn has_commit(&self, commit: &str) -> Result<bool> {
        let objects = self.objects(&[format!("{commit}^{{commit}}").into_bytes()])?;
        Ok(objects.iter().all(Option::is_some))
    }

    fn asked_of(&self, commit: &str) -> Option<&Asked> {
        self.asked.as_ref().filter(|asked| asked.commit == commit)
    }
}

fn no_commit(name: &str) -> Error {
    Error::Failed(format!("`{}` is not a commit", name.escape_debug()))
}

/// The two numbers of a count.
fn counted(output: &str) -> Result<History> {
    let mut counts = output.split_whitespace().map(str::parse);
    let (Some(Ok(lost)), Some(Ok(commits))) = (counts.next(), counts.next()) else {
        return Err(Error::Failed(
            "git: it did not answer with the two numbers it was asked for".to_owned(),
        ));
    };
    Ok(match lost {
        0u64 => History::Ahead { commits },
        _ => History::Diverged { commits },
    })
}

/// The same from a list of commits, where nothing can be known beyond the commits at the edge.
fn within(output: &str, git_dir: &GitDir) -> History {
    let edges = git_dir.edges();
    let mut lost = 0;
    let mut commits = 0;
    for line in output.lines() {
        let Some((side, id)) = line.split_at_checked(1) else {
            continue;
        };
        if edges.contains(id) {
            return History::BeyondEdge;
        }
        match side {
            "<" => lost += 1,
            _ => commits += 1,
        }
    }
    match lost {
        0 => History::Ahead { commits },
        _ => History::Diverged { commits },
    }
}

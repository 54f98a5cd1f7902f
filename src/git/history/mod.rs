//! The commits since a saved one, counted as `git rev-list --count` counts them.
//!
//! libgit2 counts them too, but reads only graphs of old versions of git, and those also where git does not.

mod commits;
mod edits;
mod graph;
mod layer;
mod walk;

use anyhow::Context as _;
use git2::{ErrorCode, ObjectType, Oid};

use super::History;
use super::libgit2::Reader;
use commits::Commits;
use edits::Edits;
use graph::Files;
use walk::Walk;

/// Commits that are read from their objects in the time in which a mebibyte of a graph is read and checked.
const COMMITS_PER_MEBIBYTE: u64 = 500;

impl Reader {
    pub(super) fn commits_since(&self, commit: &str) -> anyhow::Result<History> {
        let Ok(saved) = Oid::from_str(commit) else {
            return Ok(History::Gone);
        };
        match self.repository.find_object(saved, Some(ObjectType::Commit)) {
            Ok(_) => {}
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(History::Gone),
            Err(error) => return Err(error).context(format!("could not read commit {commit}")),
        }
        match self.head_id()? {
            Some(head) => self.commits_between(saved, head),
            None => Ok(History::Diverged { commits: 0 }),
        }
    }

    /// The objects alone give every answer. The graph, which has to be read as a whole, is asked once that has
    /// taken as long as reading it would, so the two together never take much longer than the better one.
    fn commits_between(&self, saved: Oid, head: Oid) -> anyhow::Result<History> {
        let odb = self.repository.odb()?;
        let edits = Edits::read(&self.repository, &self.settings)?;
        let files = Files::find(&self.repository.commondir().join("objects"));
        // git takes no notice of the graph either where history is edited.
        let files = files.filter(|_| edits.is_empty());
        let patience = files.as_ref().map_or(usize::MAX, patience);
        let commits = Commits::new(&odb, &edits);
        let mut walk = Walk::new(&commits, saved, head)?;
        if !walk.run(patience)? {
            let files = files.filter(|_| self.settings.uses_commit_graph);
            if let Some(graph) = files.and_then(Files::read) {
                let commits = Commits::with_graph(&odb, &edits, graph);
                if let Ok(history) = Walk::new(&commits, saved, head).and_then(Walk::finish) {
                    return Ok(history);
                }
            }
        }
        walk.finish()
    }
}

fn patience(files: &Files) -> usize {
    let commits = files.length().saturating_mul(COMMITS_PER_MEBIBYTE) >> 20;
    usize::try_from(commits).unwrap_or(usize::MAX)
}

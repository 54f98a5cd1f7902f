//! The subjects of commits, for people.

use git2::{Oid, Sort};

use super::Repository;
use super::libgit2::Reader;

impl Repository {
    /// The subjects of at most `limit` commits that are reachable from HEAD and not from `commit`, an id in
    /// hexadecimal; newest first, with what is not UTF-8 replaced.
    pub(crate) fn subjects_since(&self, commit: &str, limit: usize) -> anyhow::Result<Vec<String>> {
        let id = Oid::from_str(commit);
        let subjects = self.bounded(move |reader| reader.subjects_since(id?, limit));
        self.or_ask(subjects, |asker| asker.subjects_since(commit, limit))
    }
}

impl Reader {
    fn subjects_since(&self, commit: Oid, limit: usize) -> anyhow::Result<Vec<String>> {
        let Some(head) = self.head_id()? else {
            return Ok(Vec::new());
        };
        let mut walk = self.repository.revwalk()?;
        walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)?;
        walk.push(head)?;
        walk.hide(commit)?;
        walk.take(limit)
            .map(|id| {
                let commit = self.repository.find_commit(id?)?;
                let subject = commit.summary_bytes().unwrap_or_default();
                Ok(String::from_utf8_lossy(subject).into_owned())
            })
            .collect()
    }
}

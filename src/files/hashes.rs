//! Content hashes of many files, as far as the time allows.

use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use super::Worktree;
use crate::env::Deadline;

/// By path; what stands for a file is what [`Worktree::hash`] gives, and a path that is not there was not reached.
pub(crate) type Hashes = HashMap<String, Option<String>>;

/// Files that are being hashed while other work goes on.
///
/// Each file is bounded by itself, but a hundred are not, and a network that is gone answers no read at all:
/// hence a thread, which is left behind at the deadline.
#[derive(Debug)]
pub(crate) struct Hashing {
    hashed: Receiver<(String, Option<String>)>,
    deadline: Deadline,
}

impl Worktree {
    /// Starts to hash the files at the paths, in their order; in the format of an earlier hash, where one is given.
    pub(crate) fn hashing(
        &self,
        paths: Vec<(String, Option<String>)>,
        deadline: Deadline,
    ) -> anyhow::Result<Hashing> {
        let (sender, hashed) = mpsc::channel();
        if !paths.is_empty() {
            let worktree = self.another()?;
            thread::Builder::new().spawn(move || {
                for (path, earlier) in paths {
                    if deadline.has_passed() {
                        break;
                    }
                    let hash = worktree.hash(&path, earlier.as_deref());
                    // Nobody may wait any more.
                    let _ = sender.send((path, hash));
                }
            })?;
        }
        Ok(Hashing { hashed, deadline })
    }

    /// The hashes of the files at the paths that are reached, in their order, before the deadline passes.
    pub(crate) fn hashes(&self, paths: Vec<String>, deadline: Deadline) -> anyhow::Result<Hashes> {
        let paths = paths.into_iter().map(|path| (path, None));
        Ok(self.hashing(paths.collect(), deadline)?.finish())
    }
}

impl Hashing {
    /// What was hashed, at the end or else at the deadline.
    pub(crate) fn finish(self) -> Hashes {
        let next = || self.hashed.recv_timeout(self.deadline.remaining()).ok();
        std::iter::from_fn(next).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_not_reached_in_time_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a"), "a").unwrap();
        let worktree = Worktree::open(folder.path()).unwrap();
        let paths = || vec!["a".to_owned(), "absent".to_owned()];
        let all = worktree
            .hashes(paths(), Deadline::after(Duration::from_secs(600)))
            .unwrap();
        assert_eq!(all.len(), 2);
        assert!(all["a"].is_some() && all["absent"].is_none());
        let none = worktree
            .hashes(paths(), Deadline::after(Duration::ZERO))
            .unwrap();
        assert!(none.is_empty());
    }
}

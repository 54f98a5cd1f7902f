//! Content hashes of many files, as far as the time allows.

use std::collections::HashMap;
use std::sync::mpsc;
use std::thread;

use super::Worktree;
use crate::env::Deadline;

/// By path; what stands for a file is what [`Worktree::hash`] gives, and a path that is not there was not reached.
pub(crate) type Hashes = HashMap<String, Option<String>>;

impl Worktree {
    /// The hashes of the paths, in their order, until the deadline passes.
    ///
    /// Each file is bounded by itself, but a hundred are not, and a network that is gone answers no read at all:
    /// hence a thread, which is left behind.
    pub(crate) fn hashes(&self, paths: Vec<String>, deadline: Deadline) -> anyhow::Result<Hashes> {
        let mut hashes = Hashes::new();
        if paths.is_empty() {
            return Ok(hashes);
        }
        let worktree = self.another()?;
        let (sender, receiver) = mpsc::channel();
        thread::Builder::new().spawn(move || {
            for path in paths {
                let hash = worktree.hash(&path);
                if sender.send((path, hash)).is_err() {
                    return;
                }
            }
        })?;
        while let Ok((path, hash)) = receiver.recv_timeout(deadline.remaining()) {
            hashes.insert(path, hash);
        }
        Ok(hashes)
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
        let many = vec!["a".to_owned(); 100_000];
        let none = worktree
            .hashes(many, Deadline::after(Duration::ZERO))
            .unwrap();
        assert!(none.len() <= 1);
    }
}

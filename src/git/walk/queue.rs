//! The work of a walk, which every thread takes from and adds to.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Folder;

/// Folders to be read, and how many are being read, of which each can bring more.
pub(super) struct Queue {
    state: Mutex<(Vec<Folder>, usize)>,
    changed: Condvar,
}

impl Queue {
    pub(super) fn new(folders: Vec<Folder>) -> Self {
        Self {
            state: Mutex::new((folders, 0)),
            changed: Condvar::new(),
        }
    }

    /// The next folder to read, to be followed by [`Queue::done`]; None once there will be no more.
    pub(super) fn next(&self) -> Option<Folder> {
        let mut state = locked(&self.state);
        loop {
            if let Some(folder) = state.0.pop() {
                state.1 += 1;
                return Some(folder);
            }
            if state.1 == 0 {
                return None;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn done(&self, below: Vec<Folder>) {
        let mut state = locked(&self.state);
        state.0.extend(below);
        state.1 -= 1;
        if state.1 == 0 || state.0.len() > 1 {
            self.changed.notify_all();
        }
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The work of a walk, shared by its threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Folder;

/// Folders that one thread passes on to others. Each thread keeps what it finds to itself while no other waits for
/// work, for to wake one takes as long as to read a small folder.
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    waiting: AtomicUsize,
}

struct State {
    folders: Vec<Folder>,
    /// Threads that have folders to read, and can find more.
    busy: usize,
}

impl Queue {
    pub(super) fn new(folders: Vec<Folder>) -> Self {
        Self {
            state: Mutex::new(State { folders, busy: 0 }),
            changed: Condvar::new(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Reads folders, of which each can bring more, until no thread has any left.
    pub(super) fn work(&self, mut read: impl FnMut(Folder) -> Vec<Folder>) {
        while let Some(folder) = self.next() {
            let mut own = vec![folder];
            while let Some(folder) = own.pop() {
                own.extend(read(folder).into_iter().rev());
                if own.len() > 1 && self.waiting.load(Ordering::Relaxed) > 0 {
                    // The first ones are the nearest to the top, and lead to the most.
                    self.share(own.drain(..own.len() / 2));
                }
            }
            self.done();
        }
    }

    fn next(&self) -> Option<Folder> {
        let mut state = locked(&self.state);
        loop {
            if let Some(folder) = state.folders.pop() {
                state.busy += 1;
                return Some(folder);
            }
            if state.busy == 0 {
                return None;
            }
            self.waiting.fetch_add(1, Ordering::Relaxed);
            let woken = self.changed.wait(state);
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn share(&self, folders: impl Iterator<Item = Folder>) {
        locked(&self.state).folders.extend(folders);
        self.changed.notify_all();
    }

    fn done(&self) {
        let mut state = locked(&self.state);
        state.busy -= 1;
        if state.busy == 0 {
            self.changed.notify_all();
        }
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

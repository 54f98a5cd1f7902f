//! Signals that end the program, held back for a while.

use std::ffi::c_int;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
use signal_hook::{SigId, flag};

/// Ctrl-C, where the terminal makes a signal of it.
pub(super) static INTERRUPT: Signal = Signal::new(SIGINT);

/// A signal that ends the program where it is not held back.
pub(super) struct Signal {
    pub(super) number: c_int,
    at_once: AtomicBool,
    /// It cannot be taken back, so one serves whenever the signal is held.
    handler: OnceLock<SigId>,
}

impl Signal {
    pub(super) const fn new(number: c_int) -> Self {
        Self {
            number,
            at_once: AtomicBool::new(true),
            handler: OnceLock::new(),
        }
    }

    pub(super) fn hold(&'static self) -> io::Result<Held> {
        if self.handler.get().is_none() {
            let id = flag::register_conditional_default(self.number, &self.at_once)?;
            self.handler.get_or_init(|| id);
        }
        self.at_once.store(false, Ordering::SeqCst);
        Ok(Held(self))
    }
}

/// Until it is dropped, its signal does nothing by itself.
pub(super) struct Held(&'static Signal);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.at_once.store(true, Ordering::SeqCst);
    }
}

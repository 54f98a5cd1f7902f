//! Signals while a question is on the screen: they end the program once the terminal is as it was.

use std::ffi::c_int;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::{SigId, flag, low_level};

use crate::cli::signals::{Held, INTERRUPT, Signal};

static HANGUP: Signal = Signal::new(SIGHUP);
static TERMINATE: Signal = Signal::new(SIGTERM);

/// Holds the signals back until it is dropped.
pub(super) struct Signals {
    held: Vec<Held>,
    /// The number of the one that came, or 0.
    came: Arc<AtomicUsize>,
    /// Readable once one came.
    wake: UnixStream,
    actions: Vec<SigId>,
}

impl Signals {
    pub(super) fn hold() -> io::Result<Self> {
        let (wake, written) = UnixStream::pair()?;
        let mut signals = Self {
            held: Vec::new(),
            came: Arc::default(),
            wake,
            actions: Vec::new(),
        };
        for signal in [&HANGUP, &INTERRUPT, &TERMINATE] {
            signals.held.push(signal.hold()?);
            let number = signal.number;
            let came = Arc::clone(&signals.came);
            let noted = flag::register_usize(number, came, number as usize)?;
            signals.actions.push(noted);
            let woken = low_level::pipe::register(number, written.try_clone()?)?;
            signals.actions.push(woken);
        }
        Ok(signals)
    }

    /// Waits for something to be typed, for so long at most, and says whether it was; an error where a signal comes
    /// first.
    pub(super) fn wait_for_input(&self, at_most: Option<Duration>) -> io::Result<bool> {
        let at_most = at_most.map(|time| Timespec {
            tv_sec: time.as_secs() as _,
            tv_nsec: time.subsec_nanos() as _,
        });
        let stdin = stdin();
        let mut ready = [
            PollFd::new(&self.wake, PollFlags::IN),
            PollFd::new(&stdin, PollFlags::IN),
        ];
        loop {
            match poll(&mut ready, at_most.as_ref()) {
                Ok(0) => return Ok(false),
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok(_) if !ready[0].revents().is_empty() => {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                Ok(_) => return Ok(true),
            }
        }
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        // From here on they end the program themselves.
        self.held.clear();
        for action in self.actions.drain(..) {
            low_level::unregister(action);
        }
        let came = self.came.load(Ordering::SeqCst);
        if came != 0 {
            // It does not return.
            let _ = low_level::emulate_default_handler(came as c_int);
        }
    }
}

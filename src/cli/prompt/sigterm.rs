//! SIGTERM while a question is on the screen: it ends the program once the terminal is as it was.

use std::io;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::stdin;
use signal_hook::consts::SIGTERM;
use signal_hook::{flag, low_level};

/// Holds SIGTERM back until it is dropped.
pub(super) struct Sigterm {
    handler: &'static Handler,
}

/// A handler cannot be taken back, so one serves every question.
static HANDLER: OnceLock<Handler> = OnceLock::new();

struct Handler {
    /// Whether the signal ends the program at once, as it does without a handler.
    at_once: Arc<AtomicBool>,
    /// Readable once the signal came.
    came: UnixStream,
}

impl Handler {
    fn register() -> io::Result<Self> {
        let at_once = Arc::new(AtomicBool::new(true));
        flag::register_conditional_default(SIGTERM, Arc::clone(&at_once))?;
        let (came, written) = UnixStream::pair()?;
        low_level::pipe::register(SIGTERM, written)?;
        Ok(Self { at_once, came })
    }
}

impl Sigterm {
    pub(super) fn hold() -> io::Result<Self> {
        let handler = match HANDLER.get() {
            Some(handler) => handler,
            None => {
                let handler = Handler::register()?;
                HANDLER.get_or_init(|| handler)
            }
        };
        handler.at_once.store(false, Ordering::SeqCst);
        Ok(Self { handler })
    }

    /// Waits for a key to be typed; an error where the signal comes first.
    pub(super) fn wait_for_key(&self) -> io::Result<()> {
        match self.has_come(None)? {
            true => Err(io::ErrorKind::Interrupted.into()),
            false => Ok(()),
        }
    }

    /// Whether the signal came, after at most so long a wait for it or a key.
    fn has_come(&self, patience: Option<&Timespec>) -> io::Result<bool> {
        let stdin = stdin();
        let mut ready = [
            PollFd::new(&self.handler.came, PollFlags::IN),
            PollFd::new(&stdin, PollFlags::IN),
        ];
        loop {
            match poll(&mut ready, patience) {
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
                Ok(_) => return Ok(!ready[0].revents().is_empty()),
            }
        }
    }
}

impl Drop for Sigterm {
    fn drop(&mut self) {
        self.handler.at_once.store(true, Ordering::SeqCst);
        if self.has_come(Some(&Timespec::default())).unwrap_or(false) {
            // It does not return.
            let _ = low_level::emulate_default_handler(SIGTERM);
        }
    }
}

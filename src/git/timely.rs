//! Work that is given up when its time is over.

use std::io::{self, Read};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use anyhow::anyhow;

use super::TimedOut;
use crate::env::Deadline;

/// Does the work in a thread of its own, which is left behind when the deadline passes.
///
/// Nothing else helps where a read does not return: a FIFO in the place of a file of git's, a network that is gone.
pub(super) fn in_time<T: Send + 'static>(
    deadline: Deadline,
    work: impl FnOnce() -> T + Send + 'static,
) -> anyhow::Result<T> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        // Nobody waits for it any more when this fails.
        let _ = sender.send(work());
    })?;
    receiver
        .recv_timeout(deadline.remaining())
        .map_err(|error| match error {
            RecvTimeoutError::Timeout => TimedOut.into(),
            RecvTimeoutError::Disconnected => anyhow!("reading the git repository failed"),
        })
}

/// Reads until the deadline passes, and fails after it.
pub(super) struct Timely<R> {
    pub(super) reader: R,
    pub(super) deadline: Deadline,
}

impl<R: Read> Read for Timely<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.deadline.has_passed() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, TimedOut));
        }
        self.reader.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn work_that_does_not_end_is_left_behind() {
        let (_held, never) = mpsc::channel::<()>();
        let waited = in_time(Deadline::after(Duration::ZERO), move || never.recv());
        assert!(waited.unwrap_err().is::<TimedOut>());
    }

    #[test]
    fn work_that_panics_is_an_error() {
        let patient = Deadline::after(Duration::from_secs(600));
        assert_eq!(in_time(patient, || 1).unwrap(), 1);
        let failed = in_time(patient, || -> u8 { panic!("a test of panics") });
        assert!(!failed.unwrap_err().is::<TimedOut>());
    }

    #[test]
    fn a_reader_fails_once_the_time_is_over() {
        let deadline = Deadline::after(Duration::ZERO);
        let mut timely = Timely {
            reader: io::repeat(0),
            deadline,
        };
        let error = timely.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}

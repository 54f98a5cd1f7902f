//! Work that is given up when its time is over.

use std::cell::Cell;
use std::io::{self, Read};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;

use anyhow::anyhow;

use super::TimedOut;
use crate::env::Deadline;

type Job = Box<dyn FnOnce() + Send>;

/// A thread for work that may never end, started when it is first needed.
///
/// Nothing else helps where a read does not return: a FIFO in the place of a file of git's, a network that is gone.
#[derive(Default)]
pub(super) struct Worker {
    jobs: Cell<Option<Sender<Job>>>,
}

impl Worker {
    /// Does the work in the thread, which is left behind when the deadline passes.
    pub(super) fn in_time<T: Send + 'static>(
        &self,
        deadline: Deadline,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> anyhow::Result<T> {
        let jobs = match self.jobs.take() {
            Some(jobs) => jobs,
            None => started()?,
        };
        let (sender, receiver) = mpsc::channel();
        // A thread that is gone drops the job, and with it the sender; nobody waits for a result any more when
        // sending that fails.
        let _ = jobs.send(Box::new(move || {
            let _ = sender.send(work());
        }));
        let result = receiver
            .recv_timeout(deadline.remaining())
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => TimedOut.into(),
                RecvTimeoutError::Disconnected => anyhow!("reading the git repository failed"),
            })?;
        self.jobs.set(Some(jobs));
        Ok(result)
    }
}

fn started() -> io::Result<Sender<Job>> {
    let (jobs, waiting) = mpsc::channel::<Job>();
    thread::Builder::new().spawn(move || waiting.into_iter().for_each(|job| job()))?;
    Ok(jobs)
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
        let worker = Worker::default();
        let waited = worker.in_time(Deadline::after(Duration::ZERO), move || never.recv());
        assert!(waited.unwrap_err().is::<TimedOut>());
        let patient = Deadline::after(Duration::from_secs(600));
        assert_eq!(worker.in_time(patient, || 1).unwrap(), 1);
    }

    #[test]
    fn work_that_panics_is_an_error() {
        let patient = Deadline::after(Duration::from_secs(600));
        let worker = Worker::default();
        let failed = worker.in_time(patient, || -> u8 { panic!("a test of panics") });
        assert!(!failed.unwrap_err().is::<TimedOut>());
        assert_eq!(worker.in_time(patient, || 1).unwrap(), 1);
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

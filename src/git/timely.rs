//! Reading that is given up when its time is over.

use std::io::{self, Read};

use super::Error;
use crate::env::Deadline;

/// Reads until the deadline passes, and fails after it.
pub(super) struct Timely<R> {
    pub(super) reader: R,
    pub(super) deadline: Deadline,
}

impl<R: Read> Read for Timely<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.deadline.has_passed() {
            return Err(io::Error::new(io::ErrorKind::TimedOut, Error::TimedOut));
        }
        self.reader.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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

//! Hashes of content, computed here so that no object is written and no other program runs.

use std::fmt::Write as _;
use std::io::{self, Read};

use sha1::Sha1;
use sha2::Sha256;
use sha2::digest::{Digest as _, DynDigest};

use crate::env::Deadline;

/// Bytes read at a time, at most.
const BUFFER: u64 = 64 * 1024;

/// The object format of a repository (gitformat-hash-function-transition(5)).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Format {
    #[default]
    Sha1,
    Sha256,
}

impl Format {
    /// The format that an object id in hexadecimal belongs to.
    pub(crate) fn of(id: &str) -> Self {
        match id.len() {
            64 => Self::Sha256,
            _ => Self::Sha1,
        }
    }

    /// The blob id of `bytes`, in hexadecimal.
    pub(super) fn blob(self, bytes: &[u8]) -> String {
        let mut state = self.begun(bytes.len() as u64);
        state.update(bytes);
        hex(&state.finalize())
    }

    /// The digest of a blob of a length, before its content.
    fn begun(self, len: u64) -> Box<dyn DynDigest> {
        let header = format!("blob {len}\0");
        match self {
            Self::Sha1 => Box::new(Sha1::new_with_prefix(header)),
            Self::Sha256 => Box::new(Sha256::new_with_prefix(header)),
        }
    }
}

/// The blob id of `bytes` in the format that another id has.
pub(crate) fn blob_id(like: &str, bytes: &[u8]) -> String {
    Format::of(like).blob(bytes)
}

/// The blob id of the first `len` bytes; None where there are fewer. Fails after the deadline.
pub(crate) fn blob(
    format: Format,
    reader: impl Read,
    len: u64,
    deadline: Option<Deadline>,
) -> io::Result<Option<String>> {
    digest(format.begun(len), reader, len, deadline)
}

/// The SHA-256 of the first `len` bytes, in hexadecimal; None where there are fewer. Fails after the deadline.
pub(crate) fn sha256(
    reader: impl Read,
    len: u64,
    deadline: Deadline,
) -> io::Result<Option<String>> {
    digest(Box::new(Sha256::new()), reader, len, Some(deadline))
}

/// The digest with `len` bytes more; None where there are fewer.
fn digest(
    mut state: Box<dyn DynDigest>,
    reader: impl Read,
    len: u64,
    deadline: Option<Deadline>,
) -> io::Result<Option<String>> {
    let mut reader = reader.take(len);
    // Most files are small, and room for a large one costs more than their digest.
    let mut buffer = vec![0; len.clamp(1, BUFFER) as usize];
    let mut total = 0;
    loop {
        if deadline.is_some_and(|it| it.has_passed()) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match reader.read(&mut buffer) {
            Ok(0) => return Ok((total == len).then(|| hex(&state.finalize()))),
            Ok(read) => {
                state.update(&buffer[..read]);
                total += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn hashing_fails_once_the_time_is_over() {
        let deadline = Deadline::after(Duration::ZERO);
        let error = blob(Format::Sha1, io::repeat(0), 1, Some(deadline)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}

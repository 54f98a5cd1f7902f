//! Object ids computed here, so that no object is written and no other program runs.

use std::fmt::Write as _;
use std::io::{self, Read};

use sha1::Sha1;
use sha2::Sha256;
use sha2::digest::Digest;

use crate::env::Deadline;

/// Bytes read at a time, at most.
const BUFFER: u64 = 64 * 1024;

/// The object format of a repository (gitformat-hash-function-transition(5)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Sha1,
    Sha256,
}

impl Format {
    /// The format that an object id in hexadecimal belongs to.
    pub(super) fn of(id: &str) -> Self {
        match id.len() {
            64 => Self::Sha256,
            _ => Self::Sha1,
        }
    }

    /// The blob id of `bytes`, in hexadecimal.
    pub(super) fn blob(self, bytes: &[u8]) -> String {
        let header = header(bytes.len() as u64);
        match self {
            Self::Sha1 => hex(&Sha1::new_with_prefix(header).chain_update(bytes).finalize()),
            Self::Sha256 => hex(&Sha256::new_with_prefix(header)
                .chain_update(bytes)
                .finalize()),
        }
    }
}

/// The blob id of `bytes` in the format that another id has.
pub(crate) fn blob_id(like: &str, bytes: &[u8]) -> String {
    Format::of(like).blob(bytes)
}

/// The blob id of the first `len` bytes; None where there are fewer. Fails after the deadline.
pub(super) fn blob(
    format: Format,
    reader: impl Read,
    len: u64,
    deadline: Option<Deadline>,
) -> io::Result<Option<String>> {
    let header = header(len);
    let (digest, read) = match format {
        Format::Sha1 => digest(Sha1::new_with_prefix(header), reader, len, deadline)?,
        Format::Sha256 => digest(Sha256::new_with_prefix(header), reader, len, deadline)?,
    };
    Ok((read == len).then_some(digest))
}

/// The pointer that git-lfs stores in place of a file, with the file's first `len` bytes as content
/// (git-lfs, docs/spec.md); None where there are fewer. Fails after the deadline.
pub(super) fn lfs_pointer(
    reader: impl Read,
    len: u64,
    deadline: Deadline,
) -> io::Result<Option<String>> {
    let (digest, read) = digest(Sha256::new(), reader, len, Some(deadline))?;
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {len}\n");
    Ok((read == len).then_some(pointer))
}

fn header(len: u64) -> String {
    format!("blob {len}\0")
}

fn digest<D: Digest>(
    mut state: D,
    reader: impl Read,
    len: u64,
    deadline: Option<Deadline>,
) -> io::Result<(String, u64)> {
    let mut reader = reader.take(len);
    // Most files are small, and room for a large one costs more than their digest.
    let mut buffer = vec![0; len.clamp(1, BUFFER) as usize];
    let mut total = 0;
    loop {
        if deadline.is_some_and(|it| it.has_passed()) {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match reader.read(&mut buffer) {
            Ok(0) => return Ok((hex(&state.finalize()), total)),
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

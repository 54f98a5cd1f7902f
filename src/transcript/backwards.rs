//! Reads a file's lines from its end, in bounded memory.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

/// Bytes that are read first, for often the last lines tell everything, and at a time once more is needed.
const FIRST_BLOCK: u64 = 16 << 10;
const BLOCK: u64 = 64 << 10;
/// Bytes of memory to begin with: so many come from the system as they are needed, and need not be filled with zeros.
const ROOM: usize = 256 << 10;
/// The longest line that is handed out; a longer one, such as an image in a message, is passed over.
const LONGEST_LINE: usize = 1 << 20;

/// Hands the lines of the first `length` bytes to `visit`, the last one first, until it breaks or the lines
/// come to more than `limit` bytes. A line that the limit cuts is not handed out.
pub(super) fn lines(
    mut from: impl Read + Seek,
    length: u64,
    limit: u64,
    mut visit: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> io::Result<()> {
    let end = length.saturating_sub(limit);
    let mut start = length;
    // A block, and behind it what is read already of the line that it ends in.
    let mut bytes = vec![0; ROOM];
    let mut rest = 0;
    let mut block = FIRST_BLOCK;
    let mut is_too_long = false;
    while start > end {
        let size = block.min(start - end);
        start -= size;
        block = BLOCK;
        from.seek(SeekFrom::Start(start))?;
        let size = size as usize;
        if bytes.len() < size + rest {
            bytes.resize(size + rest, 0);
        }
        bytes.copy_within(..rest, size);
        if let Err(error) = from.read_exact(&mut bytes[..size]) {
            return match error.kind() {
                // The file is being cut short.
                io::ErrorKind::UnexpectedEof => Ok(()),
                _ => Err(error),
            };
        }
        let mut line_end = size + rest;
        let mut searched = size;
        while let Some(newline) = memchr::memrchr(b'\n', &bytes[..searched]) {
            if !is_too_long && visit(&bytes[newline + 1..line_end]).is_break() {
                return Ok(());
            }
            is_too_long = false;
            line_end = newline;
            searched = newline;
        }
        is_too_long |= line_end > LONGEST_LINE;
        rest = match is_too_long {
            true => 0,
            false => line_end,
        };
    }
    if start == 0 && !is_too_long {
        // Nothing is left to break off from.
        let _ = visit(&bytes[..rest]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn read(text: &[u8], limit: u64) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        let length = text.len() as u64;
        lines(Cursor::new(text), length, limit, |line| {
            found.push(line.to_vec());
            ControlFlow::Continue(())
        })
        .unwrap();
        found
    }

    #[test]
    fn lines_come_last_first_wherever_the_blocks_meet() {
        for width in [1, 99, 65_535, 65_536, 65_537, 200_000] {
            let expected: Vec<Vec<u8>> = (b'a'..b'f').map(|byte| vec![byte; width]).collect();
            let mut text = expected.join(&b'\n');
            let backwards: Vec<Vec<u8>> = expected.into_iter().rev().collect();
            assert_eq!(read(&text, u64::MAX), backwards, "{width}");
            text.push(b'\n');
            assert_eq!(read(&text, u64::MAX)[1..], backwards, "{width}");
        }
        assert_eq!(read(b"", u64::MAX), [b""]);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let mut text = b"first\n".to_vec();
        text.extend(vec![b'x'; LONGEST_LINE * 2]);
        text.extend(b"\nlast");
        assert_eq!(read(&text, u64::MAX), [&b"last"[..], b"first"]);
    }

    #[test]
    fn reading_stops_at_the_limit_and_where_it_is_told_to() {
        assert_eq!(read(b"one\ntwo\nthree", 9), [&b"three"[..]]);
        let mut found = Vec::new();
        lines(Cursor::new(b"a\nb\nc"), 5, 5, |line| {
            found.push(line.to_vec());
            ControlFlow::Break(())
        })
        .unwrap();
        assert_eq!(found, [b"c"]);
    }

    #[test]
    fn a_file_that_shrinks_meanwhile_is_no_error() {
        let result = lines(Cursor::new(b"a\nb"), 1_000, 1_000, |_| panic!("no line"));
        assert!(result.is_ok());
    }
}

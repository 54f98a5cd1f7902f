//! Reads a file's lines from its end, in bounded memory.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use super::shorten::Shortener;

/// Bytes that are read first, for often the last lines tell everything, and at a time once more is needed.
const FIRST_BLOCK: u64 = 16 << 10;
const BLOCK: u64 = 64 << 10;
/// Bytes of memory to begin with: so many come from the system as they are needed, and need not be filled with zeros.
const ROOM: usize = 256 << 10;
/// The longest line that is handed out as it is; of a longer one, such as an image in a message, the strings are cut.
const LONGEST_LINE: usize = 1 << 20;
/// Bytes of longer lines that are read beyond the limit.
const LONG_LINES: u64 = 16 << 20;

/// Hands the lines of the first `length` bytes to `visit`, the last one first, until it breaks or the lines
/// come to more than `limit` bytes. A line that the limit cuts is not handed out. Whether all were.
pub(super) fn lines(
    mut from: impl Read + Seek,
    length: u64,
    limit: u64,
    mut visit: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> io::Result<bool> {
    let mut end = length.saturating_sub(limit);
    let mut long_lines = LONG_LINES;
    // Where the line ends that is too long.
    let mut long_end = 0;
    let mut start = length;
    // A block, and behind it what is read already of the line that it ends in.
    let mut bytes = vec![0; ROOM];
    let mut rest = 0;
    let mut block = FIRST_BLOCK;
    let mut is_too_long = false;
    while start > 0 {
        if start <= end {
            let more = block.min(long_lines).min(start);
            if !is_too_long || more == 0 {
                return Ok(false);
            }
            long_lines -= more;
            end = start - more;
        }
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
                io::ErrorKind::UnexpectedEof => Ok(false),
                _ => Err(error),
            };
        }
        let mut line_end = size + rest;
        let mut searched = size;
        while let Some(newline) = memchr::memrchr(b'\n', &bytes[..searched]) {
            let control = match is_too_long {
                false => visit(&bytes[newline + 1..line_end]),
                true => visit(&shortened(&mut from, start + newline as u64 + 1, long_end)?),
            };
            if control.is_break() {
                return Ok(false);
            }
            is_too_long = false;
            line_end = newline;
            searched = newline;
        }
        if !is_too_long && line_end > LONGEST_LINE {
            is_too_long = true;
            long_end = start + line_end as u64;
        }
        rest = match is_too_long {
            true => 0,
            false => line_end,
        };
    }
    // Nothing is left to break off from.
    let _ = match is_too_long {
        false => visit(&bytes[..rest]),
        true => visit(&shortened(&mut from, 0, long_end)?),
    };
    Ok(true)
}

/// A line that is too long, with its strings cut.
fn shortened(from: &mut (impl Read + Seek), start: u64, end: u64) -> io::Result<Vec<u8>> {
    from.seek(SeekFrom::Start(start))?;
    let mut left = end.saturating_sub(start);
    let mut line = Vec::new();
    let mut shortener = Shortener::default();
    let mut piece = vec![0; BLOCK as usize];
    // What is still too long then holds no JSON that anybody wrote.
    while left > 0 && line.len() < LONGEST_LINE {
        let size = left.min(BLOCK) as usize;
        from.read_exact(&mut piece[..size])?;
        shortener.copy(&piece[..size], &mut line);
        left -= size as u64;
    }
    Ok(line)
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
    fn of_a_line_that_is_too_long_the_strings_are_cut() {
        let long = format!(
            r#"{{"image":"{}","text":"t"}}"#,
            "x".repeat(LONGEST_LINE * 2)
        );
        for text in [format!("first\n{long}\nlast"), format!("{long}\nlast")] {
            // Beyond the limit, too, for what comes before would be lost with it.
            for limit in [u64::MAX, LONGEST_LINE as u64 + 99] {
                let lines = read(text.as_bytes(), limit);
                assert_eq!(lines[0], b"last");
                assert!(lines[1].len() < LONGEST_LINE && lines[1].ends_with(br#"","text":"t"}"#));
            }
            let first = read(text.as_bytes(), u64::MAX).len() == 3;
            assert_eq!(first, text.starts_with("first"));
        }
        let endless = vec![b'x'; LONG_LINES as usize * 2];
        assert!(read(&endless, 1_000_000).is_empty());
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
        assert!(!result.unwrap());
    }
}

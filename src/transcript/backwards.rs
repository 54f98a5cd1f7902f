//! Reads a file's lines from its end, in bounded memory.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

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
    from: impl Read + Seek,
    length: u64,
    limit: u64,
    mut visit: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> io::Result<bool> {
    let mut file = Backwards {
        from,
        start: length,
        end: length.saturating_sub(limit),
        long_lines: LONG_LINES,
        long_end: None,
        block: FIRST_BLOCK,
        bytes: vec![0; ROOM],
        rest: 0,
    };
    while file.start > 0 {
        let Some(size) = file.read_block()? else {
            return Ok(false);
        };
        let mut line_end = size + file.rest;
        let mut searched = size;
        while let Some(newline) = memchr::memrchr(b'\n', &file.bytes[..searched]) {
            if file.hand_out(newline + 1..line_end, &mut visit)?.is_break() {
                return Ok(false);
            }
            line_end = newline;
            searched = newline;
        }
        file.keep(line_end);
    }
    // Nothing is left to break off from.
    let _ = file.hand_out(0..file.rest, &mut visit)?;
    Ok(true)
}

/// A file of which all from `start` on was read.
struct Backwards<R> {
    from: R,
    start: u64,
    /// Where the limit ends.
    end: u64,
    /// Bytes that may still be read beyond it, of lines that are too long.
    long_lines: u64,
    /// Where the line ends that is being read, if it is too long.
    long_end: Option<u64>,
    /// Bytes of the next block.
    block: u64,
    /// A block, and behind it what is read already of the line that it ends in.
    bytes: Vec<u8>,
    rest: usize,
}

impl<R: Read + Seek> Backwards<R> {
    /// Reads the block before; its size, or None where the limits end or the file is being cut short.
    fn read_block(&mut self) -> io::Result<Option<usize>> {
        if self.start <= self.end {
            let more = self.block.min(self.long_lines).min(self.start);
            if self.long_end.is_none() || more == 0 {
                return Ok(None);
            }
            self.long_lines -= more;
            self.end = self.start - more;
        }
        let size = self.block.min(self.start - self.end);
        self.start -= size;
        self.block = BLOCK;
        self.from.seek(SeekFrom::Start(self.start))?;
        let size = size as usize;
        if self.bytes.len() < size + self.rest {
            self.bytes.resize(size + self.rest, 0);
        }
        self.bytes.copy_within(..self.rest, size);
        match self.from.read_exact(&mut self.bytes[..size]) {
            Ok(()) => Ok(Some(size)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Hands out the line that begins and ends in a range of the bytes, or ends where `long_end` says.
    fn hand_out(
        &mut self,
        range: Range<usize>,
        visit: &mut impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        Ok(match self.long_end.take() {
            None => visit(&self.bytes[range]),
            Some(end) => {
                let start = self.start + range.start as u64;
                visit(&shortened(&mut self.from, start, end)?)
            }
        })
    }

    /// Keeps the first bytes, of a line that begins in a block before.
    fn keep(&mut self, line_end: usize) {
        if self.long_end.is_none() && line_end > LONGEST_LINE {
            self.long_end = Some(self.start + line_end as u64);
        }
        self.rest = match self.long_end {
            Some(_) => 0,
            None => line_end,
        };
    }
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

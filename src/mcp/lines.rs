//! Lines of bytes from a stream, each of bounded length.

use std::io;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// The longest line that is taken, in bytes. A save at every limit is some 200 KiB of JSON.
const MAX: usize = 16 * 1024 * 1024;
/// How much of a longer line is kept, in bytes; enough to find the request's id.
const HEAD: usize = 4 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Without its newline.
    Whole(Vec<u8>),
    /// A line over the limit, of which only the beginning is kept.
    TooLong(Vec<u8>),
}

pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    too_long: bool,
    max: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            too_long: false,
            max: MAX,
        }
    }

    /// The next line, or None at the end of input; what follows the last newline is a line too.
    ///
    /// Dropping the future loses nothing: bytes leave the stream only together with their copy into `self.line`.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                let rest = self.take();
                return Ok(match &rest {
                    Line::Whole(line) if line.is_empty() => None,
                    _ => Some(rest),
                });
            }
            let newline = available.iter().position(|byte| *byte == b'\n');
            let end = newline.unwrap_or(available.len());
            if !self.too_long {
                self.line.extend_from_slice(&available[..end]);
            }
            self.input.consume(newline.map_or(end, |end| end + 1));
            if self.line.len() > self.max {
                self.line.truncate(HEAD);
                self.line.shrink_to_fit();
                self.too_long = true;
            }
            if newline.is_some() {
                return Ok(Some(self.take()));
            }
        }
    }

    fn take(&mut self) -> Line {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.too_long) {
            Line::TooLong(line)
        } else {
            Line::Whole(line)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(input: &[u8], max: usize) -> Vec<Line> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut lines = Lines::new(input);
            lines.max = max;
            let mut all = Vec::new();
            while let Some(line) = lines.next().await.unwrap() {
                all.push(line);
            }
            all
        })
    }

    #[test]
    fn the_last_line_needs_no_newline() {
        assert_eq!(
            lines_of(b"one\n\ntwo", 10),
            [
                Line::Whole(b"one".to_vec()),
                Line::Whole(Vec::new()),
                Line::Whole(b"two".to_vec())
            ]
        );
    }

    #[test]
    fn a_line_over_the_limit_is_passed_over_and_the_next_one_is_read() {
        let long = vec![b'x'; 3 * HEAD];
        let input = [long.as_slice(), b"\nshort\n", long.as_slice()].concat();
        let head = Line::TooLong(vec![b'x'; HEAD]);
        let [first, second, third] = &lines_of(&input, 2 * HEAD)[..] else {
            panic!("not three lines");
        };
        assert_eq!(first, &head);
        assert_eq!(second, &Line::Whole(b"short".to_vec()));
        assert_eq!(third, &head);
    }
}

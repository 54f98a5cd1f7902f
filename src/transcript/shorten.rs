//! JSON whose long strings are cut: a pasted image makes a line of megabytes, of which none is of use.

/// Bytes that are kept of a string, its start.
const STRING_KEPT: usize = 64 << 10;

/// Copies JSON as it comes, line by line or in any pieces, without what is too long.
#[derive(Debug, Default)]
pub(super) struct Shortener {
    is_in_string: bool,
    /// Whether the next byte belongs to the escape before it.
    is_escaped: bool,
    /// Where in the copy the string began, and its latest escape.
    string: usize,
    escape: Option<usize>,
    is_cut: bool,
}

/// The longest escape, `\ud83d`.
const ESCAPE: usize = 6;

impl Shortener {
    /// Copies the next piece to the end of `copy`, which nobody else may change meanwhile.
    pub(super) fn copy(&mut self, piece: &[u8], copy: &mut Vec<u8>) {
        let mut rest = piece;
        while !rest.is_empty() {
            rest = match self.is_in_string {
                false => self.copy_outside(rest, copy),
                true => self.copy_string(rest, copy),
            };
        }
    }

    fn copy_outside<'a>(&mut self, piece: &'a [u8], copy: &mut Vec<u8>) -> &'a [u8] {
        let Some(quote) = memchr::memchr(b'"', piece) else {
            copy.extend_from_slice(piece);
            return &[];
        };
        copy.extend_from_slice(&piece[..=quote]);
        *self = Self {
            is_in_string: true,
            string: copy.len(),
            ..Self::default()
        };
        &piece[quote + 1..]
    }

    fn copy_string<'a>(&mut self, piece: &'a [u8], copy: &mut Vec<u8>) -> &'a [u8] {
        if self.is_escaped {
            self.is_escaped = false;
            self.keep(&piece[..1], copy);
            return &piece[1..];
        }
        // No string holds a line end: where one does, it is broken, and the next line is not.
        let end = memchr::memchr3(b'"', b'\\', b'\n', piece).unwrap_or(piece.len());
        self.keep(&piece[..end], copy);
        let Some(byte) = piece.get(end) else {
            return &[];
        };
        if *byte == b'\\' {
            self.is_escaped = true;
            self.escape = Some(copy.len());
            self.keep(b"\\", copy);
        } else {
            copy.push(*byte);
            self.is_in_string = false;
        }
        &piece[end + 1..]
    }

    fn keep(&mut self, piece: &[u8], copy: &mut Vec<u8>) {
        if self.is_cut {
            return;
        }
        let room = (self.string + STRING_KEPT).saturating_sub(copy.len());
        copy.extend_from_slice(&piece[..piece.len().min(room)]);
        if piece.len() > room {
            self.is_cut = true;
            // Half an escape would take the closing quote for its own.
            if let Some(escape) = self.escape.filter(|at| at + ESCAPE > copy.len()) {
                copy.truncate(escape);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortened(text: &[u8], piece: usize) -> Vec<u8> {
        let mut copy = Vec::new();
        let mut shortener = Shortener::default();
        for piece in text.chunks(piece) {
            shortener.copy(piece, &mut copy);
        }
        copy
    }

    #[test]
    fn short_strings_stay_as_they_are() {
        let text = br#"{"a":"b\"c\\","d":[1,"\ud83d"]}
{"cut off
{"next":"line"}"#;
        for piece in [1, 2, 7, 1_000] {
            assert_eq!(shortened(text, piece), text, "{piece}");
        }
    }

    #[test]
    fn long_strings_are_cut_and_the_rest_stays_readable() {
        for part in ["A", "\\\"", "\\\\", "\\ud83d\\ude00", "\\n", "ü"] {
            for before in 0..8 {
                let long = "x".repeat(before) + &part.repeat(2 * STRING_KEPT / part.len());
                let text = format!(r#"{{"image":"{long}","uuid":"u"}}"#);
                for piece in [4_096, text.len()] {
                    let short = shortened(text.as_bytes(), piece);
                    assert!(short.len() < STRING_KEPT + 100);
                    let short = String::from_utf8_lossy(&short);
                    let short = short.replace("\\ud83d\"", "\"");
                    let read: serde_json::Value = serde_json::from_str(&short).unwrap();
                    assert_eq!(read["uuid"], "u", "{part}");
                }
            }
        }
    }
}

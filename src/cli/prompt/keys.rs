//! What a terminal sends for the keys that are pressed (ECMA-48 section 5.4; xterm's "Control Sequences").

/// A key that a prompt may know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// A character, control characters among them.
    Char(char),
    Enter,
    Tab,
    BackTab,
    Backspace,
    Del,
    Escape,
    CtrlC,
    ArrowUp,
    ArrowDown,
    ArrowLeft,
    ArrowRight,
    #[cfg_attr(
        not(any(unix, test)),
        expect(dead_code, reason = "`console` does not tell it")
    )]
    WordLeft,
    #[cfg_attr(
        not(any(unix, test)),
        expect(dead_code, reason = "`console` does not tell it")
    )]
    WordRight,
    Home,
    End,
    PageUp,
    PageDown,
    /// One that means nothing here, such as F5.
    Other,
}

#[cfg(unix)]
pub(super) use bytes::Keys;

#[cfg(unix)]
mod bytes {
    //! The bytes that a terminal sends.

    use super::Key;

    /// The bytes of the keys that were pressed and not yet read.
    #[derive(Debug, Default)]
    pub(in crate::cli::prompt) struct Keys(Vec<u8>);

    impl Keys {
        pub(in crate::cli::prompt) fn push(&mut self, bytes: &[u8]) {
            self.0.extend_from_slice(bytes);
        }

        /// The next key; None where more bytes are needed for one, which `is_all` says will not come: a lone Escape
        /// begins like most other keys.
        pub(in crate::cli::prompt) fn next(&mut self, is_all: bool) -> Option<Key> {
            let (key, length) = match first(&self.0) {
                Read::Key(key, length) => (key, length),
                Read::Partial if is_all && !self.0.is_empty() => match self.0[0] {
                    ESCAPE if self.0.len() == 1 => (Key::Escape, 1),
                    _ => (Key::Other, self.0.len()),
                },
                Read::Partial => return None,
            };
            self.0.drain(..length);
            Some(key)
        }

        pub(in crate::cli::prompt) fn is_empty(&self) -> bool {
            self.0.is_empty()
        }
    }

    const ESCAPE: u8 = 0x1b;

    enum Read {
        /// A key, and how many bytes it took.
        Key(Key, usize),
        Partial,
    }

    fn first(bytes: &[u8]) -> Read {
        let Some(&byte) = bytes.first() else {
            return Read::Partial;
        };
        let key = match byte {
            ESCAPE => return escaped(&bytes[1..]),
            b'\r' | b'\n' => Key::Enter,
            b'\t' => Key::Tab,
            0x7f | 0x08 => Key::Backspace,
            0x03 => Key::CtrlC,
            // As in readline(3).
            0x01 => Key::Home,
            0x05 => Key::End,
            0x00..0x80 => Key::Char(char::from(byte)),
            _ => return character(bytes),
        };
        Read::Key(key, 1)
    }

    /// A character of several bytes.
    fn character(bytes: &[u8]) -> Read {
        const LONGEST: usize = 4;
        let some = &bytes[..bytes.len().min(LONGEST)];
        let valid = match std::str::from_utf8(some) {
            Ok(text) => text,
            Err(error) => match (error.valid_up_to(), error.error_len()) {
                (0, None) => return Read::Partial,
                (0, Some(length)) => return Read::Key(Key::Other, length),
                (length, _) => std::str::from_utf8(&some[..length]).unwrap_or_default(),
            },
        };
        match valid.chars().next() {
            Some(c) => Read::Key(Key::Char(c), c.len_utf8()),
            None => Read::Partial,
        }
    }

    /// What follows an Escape; lengths count the Escape, too.
    fn escaped(rest: &[u8]) -> Read {
        match rest.first() {
            None => Read::Partial,
            Some(b'[') => sequence(&rest[1..]),
            // What the keypad and some function keys send.
            Some(b'O') => match rest.get(1) {
                None => Read::Partial,
                Some(b'M') => Read::Key(Key::Enter, 3),
                Some(&last) => Read::Key(named(last, 0, 1), 3),
            },
            // Alt with the keys of readline(3).
            Some(b'b' | b'B') => Read::Key(Key::WordLeft, 2),
            Some(b'f' | b'F') => Read::Key(Key::WordRight, 2),
            Some(&ESCAPE) => Read::Key(Key::Escape, 1),
            Some(_) => match first(rest) {
                Read::Key(_, length) => Read::Key(Key::Other, length + 1),
                Read::Partial => Read::Partial,
            },
        }
    }

    /// A control sequence: parameters, and the byte that ends it and says what it is.
    fn sequence(rest: &[u8]) -> Read {
        const BEFORE: usize = 2;
        // The Linux console's F1 to F5.
        if rest.first() == Some(&b'[') {
            return match rest.len() {
                1 => Read::Partial,
                _ => Read::Key(Key::Other, BEFORE + 2),
            };
        }
        let is_final = |byte: &u8| (0x40..0x7f).contains(byte);
        let is_part = |byte: &u8| (0x20..0x40).contains(byte);
        let end = rest.iter().position(|byte| !is_part(byte));
        let Some(end) = end else {
            return Read::Partial;
        };
        if !is_final(&rest[end]) {
            return Read::Key(Key::Other, BEFORE + end);
        }
        let parameters = std::str::from_utf8(&rest[..end]).unwrap_or_default();
        let mut numbers = parameters
            .split(';')
            .map(|part| part.parse::<u8>().unwrap_or_default());
        let number = numbers.next().unwrap_or_default();
        let modifiers = numbers.next().unwrap_or(1);
        Read::Key(named(rest[end], number, modifiers), BEFORE + end + 1)
    }

    fn named(last: u8, number: u8, modifiers: u8) -> Key {
        // One more than the sum of 1 for Shift, 2 for Alt, 4 for Ctrl.
        let by_word = modifiers.saturating_sub(1) & 0b110 != 0;
        match (last, number) {
            (b'A', _) => Key::ArrowUp,
            (b'B', _) => Key::ArrowDown,
            (b'C', _) if by_word => Key::WordRight,
            (b'D', _) if by_word => Key::WordLeft,
            (b'C', _) => Key::ArrowRight,
            (b'D', _) => Key::ArrowLeft,
            (b'H', _) | (b'~', 1 | 7) => Key::Home,
            (b'F', _) | (b'~', 4 | 8) => Key::End,
            (b'Z', _) => Key::BackTab,
            (b'~', 3) => Key::Del,
            (b'~', 5) => Key::PageUp,
            (b'~', 6) => Key::PageDown,
            _ => Key::Other,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn read(bytes: &[u8]) -> Vec<Key> {
            let mut keys = Keys::default();
            keys.push(bytes);
            std::iter::from_fn(|| keys.next(true)).collect()
        }

        #[test]
        fn a_key_is_one_key_with_whatever_modifier() {
            for (bytes, key) in [
                (&b"\x1b[C"[..], Key::ArrowRight),
                (b"\x1b[1;5C", Key::WordRight),
                (b"\x1b[1;3D", Key::WordLeft),
                (b"\x1b[1;2C", Key::ArrowRight),
                (b"\x1b[1;2A", Key::ArrowUp),
                (b"\x1bOB", Key::ArrowDown),
                (b"\x1bOC", Key::ArrowRight),
                (b"\x1bb", Key::WordLeft),
                (b"\x1b[H", Key::Home),
                (b"\x1b[4~", Key::End),
                (b"\x1bOF", Key::End),
                (b"\x1b[3~", Key::Del),
                (b"\x1b[3;5~", Key::Del),
                (b"\x1b[Z", Key::BackTab),
                (b"\x1b[15~", Key::Other),
                (b"\x1b[15;2~", Key::Other),
                (b"\x1bOP", Key::Other),
                (b"\x1b[[A", Key::Other),
                (b"\x1b[200~", Key::Other),
                (b"\x1b[<0;10;10M", Key::Other),
                (b"\x1b[?1;2c", Key::Other),
                (b"\x1bx", Key::Other),
                (b"\x1b", Key::Escape),
                (b"\x1b[", Key::Other),
                (b"\xff", Key::Other),
                ("é".as_bytes(), Key::Char('é')),
                ("😀".as_bytes(), Key::Char('😀')),
            ] {
                assert_eq!(read(bytes), [key], "{}", bytes.escape_ascii());
            }
            let all = [Key::Char('a'), Key::WordRight, Key::Char('b'), Key::Enter];
            assert_eq!(read(b"a\x1b[1;5Cb\r"), all);
            assert_eq!(read("aé😀".as_bytes()).len(), 3);
        }

        #[test]
        fn a_key_whose_bytes_come_one_by_one_is_waited_for() {
            for bytes in [&b"\x1b[1;5C"[..], "😀".as_bytes(), b"\x1bOA"] {
                let mut keys = Keys::default();
                for byte in &bytes[..bytes.len() - 1] {
                    keys.push(&[*byte]);
                    assert_eq!(keys.next(false), None, "{}", bytes.escape_ascii());
                }
                keys.push(&bytes[bytes.len() - 1..]);
                assert!(keys.next(false).is_some());
                assert!(keys.is_empty());
            }
        }
    }
}

//! Identifiers: where they stand, and the words they are made of.

use crate::redact::lex::class::{Class, WORD};

/// A name in the text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Dashes before it, where it is written `-name` or `--name`.
    pub(crate) dashes: usize,
    /// Written in quotes.
    pub(crate) quoted: bool,
}

impl Name {
    /// The name as it stands in `text`.
    pub(crate) fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// The first identifier at or after `from`: words joined by `_`, `-` and `.`.
pub(crate) fn next_identifier(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| -> usize {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii() => usize::from(WORD.has(*byte)),
            Some(_) => {
                let c = text.get(at..).and_then(|rest| rest.chars().next());
                c.filter(|c| c.is_alphanumeric()).map_or(0, char::len_utf8)
            }
            None => 0,
        }
    };
    let mut start = from;
    while is_word(start) == 0 {
        bytes.get(start)?;
        start += 1;
    }
    let mut end = start;
    loop {
        let length = is_word(end);
        if length > 0 {
            end += length;
        } else if matches!(bytes.get(end), Some(b'-' | b'.')) && is_word(end + 1) > 0 {
            end += 1;
        } else {
            return Some((start, end));
        }
    }
}

/// The identifier at `start..end` as a name, with how it is written.
pub(crate) fn name_at(text: &str, start: usize, end: usize) -> Name {
    let bytes = text.as_bytes();
    let before = |n: usize| start.checked_sub(n).and_then(|i| bytes.get(i)).copied();
    let dashes = match (before(1), before(2)) {
        (Some(b'-'), Some(b'-')) => 2,
        (Some(b'-'), _) => 1,
        _ => 0,
    };
    let opens = |b: u8| b.is_ascii_whitespace() || b"\"'`([,".contains(&b);
    let dashes = if before(dashes + 1).is_none_or(opens) {
        dashes
    } else {
        0
    };
    let quoted = matches!(before(1), Some(b'"' | b'\''))
        && matches!(bytes.get(end), Some(b'"' | b'\'' | b'\\'));
    let quoted = quoted
        || matches!(
            (before(1), bytes.get(end)),
            (Some(b'#' | b'.' | b'/'), Some(b'"' | b'\''))
        );
    let quoted = quoted || matches!(bytes.get(end), Some(b'"' | b'\''));
    Name {
        start,
        end,
        dashes,
        quoted,
    }
}

/// Whether `identifier` is written as environment variables are: `DB_PASSWORD`.
pub(crate) fn is_constant(identifier: &str) -> bool {
    const CONSTANT: Class = Class::of("A-Z0-9_");
    identifier.len() > 2 && CONSTANT.covers(identifier)
}

/// The words of `identifier`, last first.
pub(crate) fn words(identifier: &str) -> Words<'_> {
    Words { rest: identifier }
}

/// The words of an identifier, last first.
pub(crate) struct Words<'a> {
    /// What is before those that were given.
    pub(crate) rest: &'a str,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_end_matches(|c: char| !c.is_alphanumeric());
        let mut start = self.rest.len();
        let mut following: Option<char> = None;
        for (at, c) in self.rest.char_indices().rev() {
            let hump = match following {
                None => false,
                // `dbPassword`: a lower-case letter before an upper-case one.
                Some(next) if next.is_uppercase() => c.is_lowercase() || c.is_ascii_digit(),
                // `APIKey`: the hump begins at its upper-case letter.
                Some(next) => next.is_lowercase() && self.hump_starts(start),
            };
            if !c.is_alphanumeric() || hump {
                break;
            }
            start = at;
            following = Some(c);
        }
        let (rest, word) = self.rest.split_at_checked(start)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

impl Words<'_> {
    fn hump_starts(&self, at: usize) -> bool {
        let mut chars = self.rest.get(at..).unwrap_or_default().chars();
        let upper = chars.next().is_some_and(char::is_uppercase);
        upper && chars.next().is_some_and(char::is_lowercase)
    }
}

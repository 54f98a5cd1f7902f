//! Walks over JSON without reading it. Of a transcript's line little is needed, and most of it is long texts:
//! stepping over those costs a fraction of parsing them.
//!
//! What is handed out is as it stands in the text, for serde_json to read; what is stepped over is not checked.

/// A place in a text. Every step gives None where the text is cut off, or is not what the step expects.
pub(super) struct Walk<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn of(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The next byte that is no white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at)?.is_ascii_whitespace() {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    /// Goes through an object: `visit` is given the name of each member, without quotes, and takes its value.
    pub(super) fn object(
        &mut self,
        mut visit: impl FnMut(&'a [u8], &mut Self) -> Option<()>,
    ) -> Option<()> {
        let mut is_next = self.enter(b'{', b'}')?;
        while is_next {
            let name = self.name()?;
            self.take(b':')?;
            visit(name, self)?;
            is_next = self.goes_on(b'}')?;
        }
        Some(())
    }

    /// Goes through a list; `visit` takes each item.
    pub(super) fn list(&mut self, mut visit: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        let mut is_next = self.enter(b'[', b']')?;
        while is_next {
            visit(self)?;
            is_next = self.goes_on(b']')?;
        }
        Some(())
    }

    /// Steps over a value of any depth, in constant memory.
    pub(super) fn value(&mut self) -> Option<&'a [u8]> {
        let first = self.peek()?;
        let start = self.at;
        self.at = match first {
            b'"' => string_end(self.text, start)?,
            b'{' | b'[' => nested_end(self.text, start)?,
            _ => {
                let is_end =
                    |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
                let length = self.text[start..].iter().position(is_end)?;
                start + Some(length).filter(|length| *length > 0)?
            }
        };
        Some(&self.text[start..self.at])
    }

    fn name(&mut self) -> Option<&'a [u8]> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at;
        self.at = string_end(self.text, start)?;
        self.text.get(start + 1..self.at - 1)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    /// Whether anything stands between the brackets.
    fn enter(&mut self, open: u8, close: u8) -> Option<bool> {
        self.take(open)?;
        let is_empty = self.peek()? == close;
        self.at += usize::from(is_empty);
        Some(!is_empty)
    }

    /// Whether a comma comes, and not the end.
    fn goes_on(&mut self, close: u8) -> Option<bool> {
        let next = self.peek()?;
        self.at += 1;
        (next == b',' || next == close).then_some(next == b',')
    }
}

/// Where the string ends whose opening quote is there, after its closing one.
fn string_end(text: &[u8], start: usize) -> Option<usize> {
    let begin = start + 1;
    let mut from = begin;
    loop {
        let quote = from + find_quote(text.get(from..)?)?;
        // A quote within the text has an odd number of backslashes before it.
        let before = &text[begin..quote];
        if before.last() != Some(&b'\\') || ending_backslashes(before).is_multiple_of(2) {
            return Some(quote + 1);
        }
        from = quote + 1;
    }
}

fn ending_backslashes(text: &[u8]) -> usize {
    let ending = text.iter().rev().take_while(|byte| **byte == b'\\');
    ending.count()
}

/// The first quote. Names and most values are too short for the search of a long text to pay.
fn find_quote(text: &[u8]) -> Option<usize> {
    const WORDS: usize = 5;
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    const QUOTES: u64 = u64::from_ne_bytes([b'"'; 8]);
    let (words, _) = text.as_chunks::<8>();
    for (at, word) in words.iter().take(WORDS).enumerate() {
        let differing = u64::from_le_bytes(*word) ^ QUOTES;
        // The lowest bit that stays is in the first byte that is zero ("Bit Twiddling Hacks", Anderson).
        let zeros = differing.wrapping_sub(LOW) & !differing & HIGH;
        if zeros != 0 {
            return Some(at * 8 + zeros.trailing_zeros() as usize / 8);
        }
    }
    let from = words.len().min(WORDS) * 8;
    Some(from + memchr::memchr(b'"', &text[from..])?)
}

/// Where the object or list ends that begins there.
fn nested_end(text: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match text.get(at)? {
            b'"' => {
                at = string_end(text, at)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(object: &str) -> Option<Vec<(&str, &str)>> {
        let text = |bytes| std::str::from_utf8(bytes).unwrap();
        let mut found = Vec::new();
        Walk::of(object.as_bytes()).object(|name, walk| {
            found.push((text(name), text(walk.value()?)));
            Some(())
        })?;
        Some(found)
    }

    #[test]
    fn members_come_as_they_stand() {
        for (object, expected) in [
            ("{}", vec![]),
            (r#" { "a" : -1.5e3 } "#, vec![("a", "-1.5e3")]),
            (
                r#"{"a":"x\"}\\","b":{"c":[{"d":"]"}]},"e":null}"#,
                vec![
                    ("a", r#""x\"}\\""#),
                    ("b", r#"{"c":[{"d":"]"}]}"#),
                    ("e", "null"),
                ],
            ),
            (r#"{"a":1,"a":2}"#, vec![("a", "1"), ("a", "2")]),
        ] {
            assert_eq!(read(object), Some(expected), "{object}");
        }
    }

    #[test]
    fn what_is_nested_is_walked_through_or_stepped_over() {
        let mut found = Vec::new();
        let mut take = |walk: &mut Walk<'static>| {
            found.push(walk.value()?);
            Some(())
        };
        let text = br#"{"a": [[], ["1", {"b": "]"}]], "c": {}, "d": {"e": 2}}"#;
        let walked = Walk::of(text).object(|name, walk| match name {
            b"a" => walk.list(|walk| walk.list(&mut take)),
            b"d" => walk.object(|_, walk| take(walk)),
            _ => walk.object(|_, _| panic!("empty")),
        });
        assert_eq!(walked, Some(()));
        let expected: [&[u8]; 3] = [br#""1""#, br#"{"b": "]"}"#, b"2"];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_cut_off_anywhere_is_nothing() {
        let whole = r#"{"a":"x\\","b":{"c":[1,2]},"e":[true]}"#;
        for end in 0..whole.len() {
            assert_eq!(read(&whole[..end]), None, "{}", &whole[..end]);
        }
        for broken in [
            "[]",
            "3",
            "{a:1}",
            r#"{"a" 1}"#,
            r#"{"a":1 "b":2}"#,
            r#"{":1}"#,
            "{]",
            "{\"a\":}",
        ] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }

    #[test]
    fn a_string_ends_at_its_own_quote_wherever_that_is() {
        for length in 0..100 {
            for text in [
                "x".repeat(length),
                "\u{7f}ü!#".repeat(length),
                "\\\"".repeat(length),
                "\\\\".repeat(length),
            ] {
                let object = format!(r#"{{"a":"{text}","b":"\""}}"#);
                let value = format!("\"{text}\"");
                assert_eq!(read(&object).unwrap()[0], ("a", value.as_str()));
            }
        }
    }

    #[test]
    fn depth_costs_no_memory() {
        let deep = format!("{{\"a\":{}", "[".repeat(1_000_000));
        assert_eq!(read(&deep), None);
    }
}

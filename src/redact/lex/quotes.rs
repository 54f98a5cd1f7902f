//! Reads the value that follows a name: quoted in any of the usual ways, or bare.

use super::class::Class;
use super::reach::{self, REACH};
use crate::redact::span::Span;

/// A value as it stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value {
    /// The value without its quotes.
    pub(crate) span: Span,
    /// Where the text goes on, after the closing quote.
    pub(crate) after: usize,
    pub(crate) quoted: bool,
}

/// Where a bare value ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bare {
    /// As a shell word or the value of a `key=value` list.
    Word,
    /// As the rest of a `key: value` line or a word of prose: white space ends it.
    Line,
}

const QUOTES: [(&str, &str); 11] = [
    ("\"\"\"", "\"\"\""),
    ("'''", "'''"),
    ("\"", "\""),
    ("'", "'"),
    ("`", "`"),
    ("“", "”"),
    ("„", "“"),
    ("‘", "’"),
    ("«", "»"),
    ("「", "」"),
    // Bold in Markdown.
    ("**", "**"),
];

/// Reads the value at `at`. `None` when there is nothing there.
pub(crate) fn read(text: &str, at: usize, bare: Bare) -> Option<Value> {
    let at = at + string_prefix(text.get(at..)?);
    let rest = text.get(at..)?;
    let value = match escaped_quote(rest) {
        Some(quote) => until(text, at + quote.len(), quote),
        None => QUOTES
            .iter()
            .find(|(open, _)| rest.starts_with(open))
            .and_then(|(open, close)| match *close {
                "'" | "\"" | "`" => until_quote(text, at + open.len(), close),
                _ => until(text, at + open.len(), close),
            }),
    };
    value.or_else(|| read_bare(text, at + opening_quote(rest), bare))
}

/// Length of a string prefix of some language (`b"`, `r#"`, `$'`, `@"`), 0 when there is none.
fn string_prefix(rest: &str) -> usize {
    let letters = rest
        .bytes()
        .take_while(|b| b"bBrRfFuUL@$".contains(b))
        .count();
    let hashes = rest
        .bytes()
        .skip(letters)
        .take_while(|b| *b == b'#')
        .count();
    let quoted = matches!(rest.as_bytes().get(letters + hashes), Some(b'"' | b'\''));
    if letters <= 2 && quoted {
        letters + hashes
    } else {
        0
    }
}

/// A quote with the backslashes before it, as in JSON within a string: `\"`.
fn escaped_quote(rest: &str) -> Option<&str> {
    let slashes = rest.bytes().take_while(|byte| *byte == b'\\').count();
    let quoted = matches!(rest.as_bytes().get(slashes), Some(b'"' | b'\''));
    if slashes > 0 && quoted {
        rest.get(..=slashes)
    } else {
        None
    }
}

fn opening_quote(rest: &str) -> usize {
    escaped_quote(rest).map_or_else(
        || {
            QUOTES
                .iter()
                .find(|(open, _)| rest.starts_with(open))
                .map_or(0, |(open, _)| open.len())
        },
        str::len,
    )
}

/// The value from `start` to the next `close`, on one line unless the quote is a triple one.
fn until(text: &str, start: usize, close: &str) -> Option<Value> {
    let rest = reach::ahead(text, start);
    let length = reach::passed(rest, rest.find(close))?;
    let inner = rest.get(..length)?;
    if inner.contains('\n') && !(close.len() == 3 && close.is_ascii()) {
        return None;
    }
    let span = Span {
        start,
        end: start + length,
    };
    Some(Value {
        span,
        after: span.end + close.len(),
        quoted: true,
    })
}

/// The value from `start` to the quote that closes it, past escaped and doubled quotes.
fn until_quote(text: &str, start: usize, close: &str) -> Option<Value> {
    let seen = start + reach::ahead(text, start).len();
    let end = closing_quote(
        text.as_bytes().get(..=seen).unwrap_or(text.as_bytes()),
        start,
        close,
    );
    reach::spend(end.unwrap_or(seen) - start);
    let span = Span { start, end: end? };
    Some(Value {
        span,
        after: span.end + 1,
        quoted: true,
    })
}

/// Where the quote is that closes what begins at `start`.
fn closing_quote(bytes: &[u8], start: usize, close: &str) -> Option<usize> {
    let quote = close.bytes().next()?;
    let mut at = start;
    loop {
        let byte = *bytes.get(at)?;
        let next = bytes.get(at + 1).copied();
        match byte {
            b'\n' => return None,
            b'\\' if next == Some(quote) && quote == b'\'' && ends_value(bytes.get(at + 2)) => {
                at += 1
            }
            b'\\' => at += 2,
            _ if byte == quote => {
                let rest = bytes.get(at..).unwrap_or_default();
                if rest.starts_with(b"'\\''") {
                    at += 4;
                } else if rest.starts_with(b"'\"'\"'") {
                    at += 5;
                } else if quote == b'\''
                    && next == Some(quote)
                    && at > start
                    && !ends_value(bytes.get(at + 2))
                {
                    at += 2;
                } else {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
}

/// Whether a value cannot go on with this byte after a quote.
fn ends_value(next: Option<&u8>) -> bool {
    next.is_none_or(|byte| byte.is_ascii_whitespace() || b",;)]}>\"'".contains(byte))
}

fn read_bare(text: &str, start: usize, bare: Bare) -> Option<Value> {
    let end = bare_end(text, start, bare);
    reach::spend(end.unwrap_or(start + REACH) - start);
    let end = start + trimmed(text.get(start..end?)?).len();
    let span = Span { start, end };
    (end > start).then_some(Value {
        span,
        after: end,
        quoted: false,
    })
}

/// Where the bare value that begins at `start` ends, if it does within reach.
fn bare_end(text: &str, start: usize, bare: Bare) -> Option<usize> {
    let seen = start + reach::ahead(text, start).len();
    let bytes = text.as_bytes();
    let mut at = start;
    let mut opened = false;
    let mut within = [None; 2];
    while at < seen {
        // What most of a value is.
        if bytes[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let c = text.get(at..)?.chars().next()?;
        let next = bytes.get(at + 1);
        let after = at + c.len_utf8();
        let part_end = match c {
            '\\' => match next {
                Some(b'\n') if bytes.get(at + 2).is_none_or(u8::is_ascii_whitespace) => None,
                Some(b'"' | b'\'' | b'n' | b'r' | b't') | None => None,
                Some(_) => {
                    let escaped = text.get(after..)?.chars().next()?;
                    Some(after + escaped.len_utf8())
                }
            },
            // Quotes around a value are others than those within a shell word.
            '"' | '\'' if at > start => {
                let [double, single] = &mut within;
                let within = if c == '"' { double } else { single };
                match within.get_or_insert_with(|| is_within(text, start, c)) {
                    true => None,
                    false => closed(text, after, c),
                }
            }
            '"' | '\'' | '`' | '<' | '>' => None,
            '”' | '’' | '“' | '‘' | '»' | '«' | '」' | '，' | '。' | '；' | '、' => {
                None
            }
            ';' | '|' if bare == Bare::Word => None,
            '&' if bare == Bare::Word && ends_word(bytes, after) => None,
            ')' if bare == Bare::Word && !opened => None,
            ',' | ';'
                if next.is_none_or(|b| b.is_ascii_whitespace() || b"\"'`".contains(b))
                    || begins_pair(bytes, after) =>
            {
                None
            }
            _ if c.is_whitespace() || c.is_control() => None,
            _ => Some(after),
        };
        let Some(end) = part_end else {
            return Some(at);
        };
        opened |= c == '(' || end > after && text.get(at..end)?.contains('(');
        at = end;
    }
    (seen == text.len()).then_some(at)
}

/// Where the quoted part ends that begins behind its quote at `at`, if its line closes it.
fn closed(text: &str, at: usize, quote: char) -> Option<usize> {
    let rest = reach::ahead(text, at);
    let length = reach::passed(rest, rest.find([quote, '\n']))?;
    let closes = rest.get(length..)?.starts_with(quote);
    closes.then_some(at + length + 1)
}

/// Whether `at` lies between two `quote`s of its line, as far as the 256 bytes before tell.
pub(crate) fn is_within(text: &str, at: usize, quote: char) -> bool {
    let before = text
        .as_bytes()
        .get(at.saturating_sub(256)..at)
        .unwrap_or_default();
    reach::spend(before.len() / 4);
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    line.iter()
        .filter(|byte| char::from(**byte) == quote)
        .count()
        % 2
        == 1
}

/// Whether the `&` before `at` is a shell's or a query's, and no part of a password.
fn ends_word(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.first()
        .is_none_or(|byte| byte.is_ascii_whitespace() || b"&|;)\"'`".contains(byte))
        || rest.starts_with(b"amp;")
        || begins_pair(bytes, at)
}

/// Whether `key=` stands at `at`.
fn begins_pair(bytes: &[u8], at: usize) -> bool {
    const KEY: Class = Class::of("A-Za-z0-9_.-");
    let end = KEY.run_end(bytes, at);
    end > at && bytes.get(end) == Some(&b'=') && end - at <= 32
}

/// `value` without the punctuation of the sentence or structure around it.
fn trimmed(value: &str) -> &str {
    let [round, square, curly] = ['(', '[', '{'].map(|bracket| value.contains(bracket));
    value.trim_end_matches(|last| match last {
        '.' | ',' | ';' | ':' => true,
        ')' => !round,
        ']' => !square,
        '}' => !curly,
        _ => false,
    })
}

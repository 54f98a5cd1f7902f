//! Reads the value that follows a name: quoted in any of the usual ways, or bare.

use super::Span;
use super::class::Class;
use super::reach::{self, REACH};

/// A value as it stands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    /// The value without its quotes.
    pub(super) span: Span,
    /// Where the text goes on, after the closing quote.
    pub(super) after: usize,
    pub(super) quoted: bool,
}

/// Where a bare value ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bare {
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
pub(super) fn read(text: &str, at: usize, bare: Bare) -> Option<Value> {
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
    let length = rest.find(close)?;
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
    let bytes = text.as_bytes();
    let quote = close.bytes().next()?;
    let mut at = start;
    loop {
        reach::count(1);
        let byte = *bytes.get(at).filter(|_| at - start <= REACH)?;
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
                    let span = Span { start, end: at };
                    return Some(Value {
                        span,
                        after: at + 1,
                        quoted: true,
                    });
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
    let rest = text.get(start..)?;
    let bytes = text.as_bytes();
    let mut end = start;
    let mut skip_to = start;
    for (offset, c) in rest.char_indices() {
        let at = start + offset;
        reach::count(1);
        if at < skip_to {
            continue;
        }
        if offset > REACH {
            return None;
        }
        let next = bytes.get(at + 1);
        let done = match c {
            '\\' => match next {
                Some(b'\n') => {
                    skip_to = at + 2;
                    bytes.get(at + 2).is_none_or(u8::is_ascii_whitespace)
                }
                Some(b'"' | b'\'' | b'n' | b'r' | b't') | None => true,
                Some(_) => {
                    let escaped = text.get(at + 1..).and_then(|t| t.chars().next());
                    skip_to = at + 1 + escaped.map_or(0, char::len_utf8);
                    false
                }
            },
            '"' | '\'' => match quoted_part(text, start, at, c) {
                Some(after) => {
                    skip_to = after;
                    false
                }
                None => true,
            },
            '`' | '<' | '>' => true,
            ';' | '|' if bare == Bare::Word => true,
            '&' if bare == Bare::Word => ends_word(bytes, at + 1),
            ')' if bare == Bare::Word => !text.get(start..at).is_some_and(|v| v.contains('(')),
            ',' | ';' => {
                next.is_none_or(|b| b.is_ascii_whitespace() || b"\"'`".contains(b))
                    || begins_pair(bytes, at + 1)
            }
            '”' | '’' | '“' | '‘' | '»' | '«' | '」' | '，' | '。' | '；' | '、' => {
                true
            }
            _ => c.is_whitespace() || c.is_control(),
        };
        if done {
            break;
        }
        end = skip_to.max(at + c.len_utf8());
    }
    let end = start + trimmed(text.get(start..end)?).len();
    let span = Span { start, end };
    (end > start).then_some(Value {
        span,
        after: end,
        quoted: false,
    })
}

/// End of a quoted part within a bare shell word that began at `start`: `abc"d e"`.
fn quoted_part(text: &str, start: usize, at: usize, quote: char) -> Option<usize> {
    if at == start || is_within(text, start, quote) {
        return None;
    }
    let rest = reach::ahead(text, at + 1);
    let length = rest.find([quote, '\n'])?;
    rest.get(length..)?
        .starts_with(quote)
        .then_some(at + 1 + length + 1)
}

/// Whether `at` lies between two `quote`s of its line, as far as the 256 bytes before tell.
pub(super) fn is_within(text: &str, at: usize, quote: char) -> bool {
    let before = text
        .as_bytes()
        .get(at.saturating_sub(256)..at)
        .unwrap_or_default();
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
    let mut value = value;
    loop {
        let Some(last) = value.chars().next_back() else {
            return value;
        };
        let closes = match last {
            '.' | ',' | ';' | ':' => true,
            ')' => !value.contains('('),
            ']' => !value.contains('['),
            '}' => !value.contains('{'),
            _ => false,
        };
        if !closes {
            return value;
        }
        value = value
            .get(..value.len() - last.len_utf8())
            .unwrap_or_default();
    }
}

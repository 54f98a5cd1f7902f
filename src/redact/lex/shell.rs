//! Splits a command line into words, with quotes, escapes and line continuations.

use super::class::WORD;
use super::quotes::is_within;
use super::reach;
use crate::redact::span::Span;

/// Most words of one command that are looked at.
const MAX_WORDS: usize = 96;

/// A simple command: its words with their quotes, and what ended it.
pub(crate) struct SimpleCommand {
    pub(crate) words: Vec<Span>,
    /// Where the word after the command begins, when a pipe ended it.
    pub(crate) piped_to: Option<usize>,
}

/// The command whose first word begins at `start`, up to `;`, `|`, `&&`, a line's end or the end of
/// the quotes that the whole command stands in.
pub(crate) fn command(text: &str, start: usize) -> SimpleCommand {
    let line = simple_command(text, start);
    let end = line.words.last().map_or(start, |word| word.end);
    reach::spend(end - start);
    line
}

fn simple_command(text: &str, start: usize) -> SimpleCommand {
    // A longer command has its secret, if any, within reach.
    let reached = start + reach::ahead(text, start).len();
    let bytes = text.as_bytes().get(..reached).unwrap_or_default();
    let enclosing = ['"', '\'', '`']
        .into_iter()
        .find(|quote| is_within(text, start, *quote));
    let enclosing = enclosing.and_then(|quote| u8::try_from(quote).ok());
    let mut line = SimpleCommand {
        words: Vec::new(),
        piped_to: None,
    };
    let mut at = start;
    while line.words.len() < MAX_WORDS {
        at = skip_blank(bytes, at);
        let Some(byte) = bytes.get(at).copied() else {
            return line;
        };
        if Some(byte) == enclosing && !starts_concatenation(bytes, at) {
            return line;
        }
        match byte {
            b'|' => {
                let pipe = bytes.get(at + 1) != Some(&b'|');
                line.piped_to = pipe.then(|| skip_blank(bytes, at + 1));
                return line;
            }
            b'\n' | b'\r' | b';' | b'&' | b')' => return line,
            b'<' | b'>' => {
                let end = at + bytes.iter().skip(at).take_while(|b| **b == byte).count();
                line.words.push(Span { start: at, end });
                at = end;
            }
            _ => {
                let end = word_end(bytes, at, enclosing);
                if end == at {
                    return line;
                }
                line.words.push(Span { start: at, end });
                at = end;
            }
        }
    }
    line
}

/// Past blanks and line continuations of sh (`\`), cmd (`^`) and PowerShell (a backquote).
fn skip_blank(bytes: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        match bytes.get(at..).unwrap_or_default() {
            [b' ' | b'\t', ..] => at += 1,
            [b'\\' | b'^' | b'`', b'\n', ..] => at += 2,
            [b'\\' | b'^' | b'`', b'\r', b'\n', ..] => at += 3,
            _ => return at,
        }
    }
}

/// An escaped quote within the quotes of the whole command opens an inner one.
fn starts_concatenation(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|i| bytes.get(i)) == Some(&b'\\')
}

fn word_end(bytes: &[u8], start: usize, enclosing: Option<u8>) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'\\' if matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => return at,
            b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\'')) && enclosing.is_some() => {
                let quote = bytes.get(at + 1).copied().unwrap_or_default();
                let rest = bytes.get(at + 2..).unwrap_or_default();
                let closing = rest.windows(2).position(|pair| pair == [b'\\', quote]);
                reach::spend(closing.unwrap_or(rest.len()));
                match closing {
                    Some(length) => at += 4 + length,
                    None => return at,
                }
            }
            b'\\' if at + 1 < bytes.len() => at += 2,
            _ if Some(byte) == enclosing => return at,
            b'"' | b'\'' => match closing(bytes, at) {
                Some(close) => at = close + 1,
                None => return at,
            },
            b'|' | b';' | b'&' | b'<' | b'>' => return at,
            b')' if !bytes.get(start..at).unwrap_or_default().contains(&b'(') => return at,
            _ if byte.is_ascii_whitespace() => return at,
            _ => at += 1,
        }
    }
    at
}

/// Where the quote that opens at `at` closes.
fn closing(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes.get(at).copied()?;
    let mut end = at + 1;
    let closed = loop {
        match bytes.get(end) {
            Some(b'\\') if quote == b'"' => end += 2,
            None | Some(b'\n') => break false,
            Some(byte) if *byte == quote => break true,
            Some(_) => end += 1,
        }
    };
    reach::spend(end - at);
    closed.then_some(end)
}

/// The text of `span` as it is meant: single quotes keep a `$` from naming a variable. Only what no
/// variable is called like counts, for texts are often quoted within other quotes.
pub(crate) fn meant(text: &str, span: Span) -> &str {
    let content = span.of(text);
    let before = span
        .start
        .checked_sub(1)
        .and_then(|i| text.as_bytes().get(i));
    let mut pairs = content.as_bytes().windows(2);
    // `'$w1nter'`, but `'$s3_bucket'`.
    let mixed =
        pairs.any(|pair| matches!(pair, [a, b] if a.is_ascii_digit() && b.is_ascii_lowercase()));
    match content.strip_prefix('$') {
        Some(rest) if before == Some(&b'\'') && mixed && WORD.covers(rest) => rest,
        _ => content,
    }
}

/// `span` without the quotes, escaped or not, around it.
pub(crate) fn unquoted(text: &str, span: Span) -> Span {
    let word = span.of(text);
    for quote in ["\\\"", "\\'", "\"", "'", "`"] {
        if word.len() >= 2 * quote.len() && word.starts_with(quote) && word.ends_with(quote) {
            return Span {
                start: span.start + quote.len(),
                end: span.end - quote.len(),
            };
        }
    }
    let ansi = word.starts_with("$'") && word.ends_with('\'') && word.len() > 3;
    if ansi {
        Span {
            start: span.start + 2,
            end: span.end - 1,
        }
    } else {
        span
    }
}

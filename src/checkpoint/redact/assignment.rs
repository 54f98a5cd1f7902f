//! Secrets that have a name: assignments, settings, flags, headers, calls and sentences.

use super::Span;
use super::class::{Class, WORD};
use super::cookie;
use super::credential;
use super::haystack::Haystack;
use super::judge::{Named, is_secret};
use super::link::{self, Link, Linked, Name};
use super::literal;
use super::name::{self, Kind};
use super::place;
use super::value::Value;

/// Three letters of every ASCII name that [`name::classify`] knows; a text with none has no name.
const STEMS: &[&str] = &[
    "key", "tok", "pas", "bea", "pwd", "psw", "wor", "sec", "cre", "aut", "coo", "pat", "psk",
    "jwt", "sid", "ses", "otp", "pep", "sal", "sen", "wac", "slo", "lsz", "rol", "mdp", "mne",
    "cla", " pw", "_pw", "-pw", ".pw", "pw:", "pw=", "pw ", "\"pw",
];

/// Adds the spans of the values of all names that announce a secret.
pub(super) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    if text.is_ascii() && !STEMS.iter().any(|stem| haystack.may_hold(stem)) {
        return;
    }
    let mut at = 0;
    while let Some((start, end)) = next_identifier(text, at) {
        at = end;
        let identifier = text.get(start..end).unwrap_or_default();
        let Some(kind) = kind_in_text(text, identifier, start) else {
            continue;
        };
        let name = name_at(text, start, end);
        let Some(linked) = link::after(text, name) else {
            continue;
        };
        let count = spans.len();
        match kind {
            Kind::Authorization => credential::authorization(text, linked, spans),
            Kind::Cookie => cookie::cookies(text, linked, spans),
            _ => assigned(text, name, kind, linked, spans),
        }
        if let Some(last) = spans.get(count..).and_then(<[Span]>::last) {
            at = at.max(last.end);
        }
    }
}

/// The first identifier at or after `from`: words joined by `_`, `-` and `.`.
fn next_identifier(text: &str, from: usize) -> Option<(usize, usize)> {
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

/// The kind of the name, with the word before it where prose writes a name as two words.
fn kind_in_text(text: &str, identifier: &str, start: usize) -> Option<Kind> {
    let kind = name::classify(identifier)?;
    if identifier == "KEY" {
        return Some(Kind::Vague);
    }
    let single = !identifier.contains(['_', '-', '.']);
    if !single || !matches!(kind, Kind::Weak | Kind::Token) {
        return Some(kind);
    }
    let before = text.get(..start).unwrap_or_default();
    let Some(before) = before.strip_suffix(' ') else {
        return Some(kind);
    };
    let word = before
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    name::classify(&format!("{word}_{identifier}")).map(|joined| match joined {
        Kind::Token if kind == Kind::Weak && !name::is_telling_key(&word.to_ascii_lowercase()) => {
            kind
        }
        joined => joined,
    })
}

fn name_at(text: &str, start: usize, end: usize) -> Name {
    let bytes = text.as_bytes();
    let before = |n: usize| start.checked_sub(n).and_then(|i| bytes.get(i)).copied();
    let flag = before(1) == Some(b'-') && {
        let dashes = 1 + usize::from(before(2) == Some(b'-'));
        before(dashes + 1).is_none_or(|b| b.is_ascii_whitespace() || b"\"'`([,".contains(&b))
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
        flag,
        quoted,
    }
}

fn assigned(text: &str, name: Name, kind: Kind, linked: Linked, spans: &mut Vec<Span>) {
    if begins_assignment(text, linked) {
        return;
    }
    let Some(value) = literal::value_at(text, linked) else {
        return;
    };
    let Some(content) = text.get(value.span.start..value.span.end) else {
        return;
    };
    if closes_name(text, name, value)
        || is_structured(content)
        || is_substitution(text, value, content)
    {
        return;
    }
    // `sk-...`: a prefix that documentation has cut.
    let rest = text.get(value.span.end..).unwrap_or_default();
    if content.len() <= 12 && (rest.starts_with("...") || rest.starts_with('…')) {
        return;
    }
    if matches!(linked.link, Link::Flag | Link::Space) && !value.quoted && content.starts_with('-')
    {
        return;
    }
    let named = Named {
        identifier: text.get(name.start..name.end).unwrap_or_default(),
        kind,
        place: place::of(text, name, kind, linked, value),
        quoted: value.quoted,
    };
    let parts = literal::concatenated(text, value);
    let whole: String = parts
        .iter()
        .filter_map(|part| text.get(part.start..part.end))
        .collect();
    if is_secret(if parts.len() > 1 { &whole } else { content }, named) {
        spans.extend(parts);
    }
}

/// Whether the quote before the value ends one that opened before the name: `the "token:" label`.
fn closes_name(text: &str, name: Name, value: Value) -> bool {
    let quote = |at: Option<usize>| {
        let byte = at.and_then(|at| text.as_bytes().get(at)).copied();
        byte.filter(|byte| matches!(byte, b'"' | b'\'' | b'`'))
    };
    let opening = quote(name.start.checked_sub(1));
    value.quoted
        && value.span.start == name.end + 2
        && opening.is_some()
        && quote(Some(name.end + 1)) == opening
}

/// Whether what follows a name is another name with a value: `password=token=…`.
fn begins_assignment(text: &str, linked: Linked) -> bool {
    let inner = next_identifier(text, linked.at).filter(|(start, _)| *start == linked.at);
    inner.is_some_and(|(start, end)| {
        matches!(text.as_bytes().get(end), Some(b'=' | b':'))
            && text.get(start..end).and_then(name::classify).is_some()
    })
}

/// Whether a value is a list of `name=value` pairs or a JSON text, of which only parts are secret;
/// those are found when the search gets to their names.
fn is_structured(content: &str) -> bool {
    const KEY: Class = Class::of("A-Za-z0-9_.-");
    let key = KEY.run_end(content.as_bytes(), 0);
    let pairs = content
        .get(key..)
        .and_then(|rest| rest.strip_prefix('='))
        .is_some_and(|rest| {
            (1..=32).contains(&key)
                && rest
                    .split_once(['&', ';', ','])
                    .is_some_and(|(_, more)| more.contains('='))
        });
    let object = content.starts_with(['{', '[']) && content.contains(':') && content.contains('"');
    let docker = ["id=", "src=", "type=", "name="]
        .iter()
        .any(|option| content.starts_with(option));
    pairs || object || docker
}

/// Whether a value between backquotes is a command to run.
fn is_substitution(text: &str, value: Value, content: &str) -> bool {
    let before = value
        .span
        .start
        .checked_sub(1)
        .and_then(|i| text.as_bytes().get(i));
    value.quoted && before == Some(&b'`') && content.contains(' ')
}

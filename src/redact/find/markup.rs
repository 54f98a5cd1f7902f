//! Pairs of a name and a value that stand apart: XML attributes, `name:`/`value:` items, property
//! lists.

use crate::redact::context::name;
use crate::redact::context::place::Place;
use crate::redact::decide::{Named, is_secret};
use crate::redact::lex::class::Class;
use crate::redact::lex::haystack::Haystack;
use crate::redact::lex::quotes::{self, Bare};
use crate::redact::lex::reach;
use crate::redact::span::Span;

/// Keys whose value is the name of a setting.
const NAME_KEYS: &[&str] = &[
    "name",
    "Name",
    "key",
    "Key",
    "ParameterKey",
    "parameterKey",
    "var",
    "variable",
    "<key>",
    "id",
    "property",
];

/// Keys whose value is the setting's value.
const VALUE_KEYS: &[&str] = &[
    "value",
    "Value",
    "ParameterValue",
    "parameterValue",
    "default",
    "content",
    "stringValue",
];

/// Most bytes between the name and the key of its value.
const MAX_GAP: usize = 96;

/// Adds the spans of the values whose name stands apart from them.
pub(crate) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    for key in NAME_KEYS {
        for at in haystack.find_all(key) {
            let end = at + key.len();
            if let Some((name, after)) = value_of(text, at, end, key) {
                apart(text, name, after, spans);
            }
        }
    }
    for at in haystack.find_all("variable \"") {
        if let Some(value) = quotes::read(text, at + "variable ".len(), Bare::Word) {
            apart(text, value.span.of(text), value.after, spans);
        }
    }
}

/// The name that `key`, at `at..end`, has as its value, and where the text goes on.
fn value_of<'a>(text: &'a str, at: usize, end: usize, key: &str) -> Option<(&'a str, usize)> {
    let bytes = text.as_bytes();
    if key == "<key>" {
        let rest = reach::ahead(text, end);
        let length = reach::passed(rest, rest.find('<')).filter(|length| *length <= 64)?;
        return Some((rest.get(..length)?, end + length));
    }
    let before = at.checked_sub(1).and_then(|i| bytes.get(i));
    if before.is_some_and(|b| b.is_ascii_alphanumeric() || b"_-$.".contains(b)) {
        return None;
    }
    const CLOSE: Class = Class::of("\"'\\");
    const GAP: Class = Class::of(" \t");
    let closed = CLOSE.run_end(bytes, end);
    let operator = GAP.run_end(bytes, closed);
    if !matches!(bytes.get(operator), Some(b':' | b'=')) {
        return None;
    }
    let value = quotes::read(text, GAP.run_end(bytes, operator + 1), Bare::Word)?;
    let name = text.get(value.span.start..value.span.end)?;
    let name = name.trim_end_matches(['\\', '/']);
    const NAME: Class = Class::of("A-Za-z0-9_.:/-");
    (name.len() <= 64 && NAME.covers(name)).then_some((name, value.after))
}

/// The value of the setting `name`, whose key follows within the gap after `after`.
fn apart(text: &str, name: &str, after: usize, spans: &mut Vec<Span>) {
    let Some(kind) = name::classify(name) else {
        return;
    };
    let Some((value, quoted)) = value_apart(text, after) else {
        return;
    };
    let Some(content) = text.get(value.start..value.end) else {
        return;
    };
    let named = Named {
        identifier: name,
        kind,
        place: match quoted {
            true => Place::Literal,
            false => Place::Setting,
        },
        quoted,
    };
    if is_secret(content, named) {
        spans.push(value);
    }
}

/// The value whose key follows within the gap, and whether it has an end of its own.
fn value_apart(text: &str, after: usize) -> Option<(Span, bool)> {
    let (start, is_content) = value_key(text, after)?;
    if is_content {
        let rest = reach::ahead(text, start);
        let length = reach::passed(rest, rest.find('<'))?;
        let end = start + length;
        return Some((Span { start, end }, true));
    }
    // Between another name and its value there is no way to tell whose the value is.
    let between = text.get(after..start).unwrap_or_default();
    if between.contains("name") || between.contains("Name") {
        return None;
    }
    const GAP: Class = Class::of("\"'\\ \t:=");
    let bytes = text.as_bytes();
    let mut open = GAP.run_end(bytes, start);
    while open > start && matches!(bytes.get(open - 1), Some(b'"' | b'\'' | b'\\')) {
        open -= 1;
    }
    let value = quotes::read(text, open, Bare::Line)?;
    Some((value.span, value.quoted))
}

/// Where the key of a value ends within the gap, and whether the value is what an element of XML holds.
fn value_key(text: &str, after: usize) -> Option<(usize, bool)> {
    const CONTENT: &str = "<string>";
    let limit = text.floor_char_boundary(after + MAX_GAP);
    let gap = text.get(after..limit).unwrap_or_default();
    reach::spend(gap.len() * VALUE_KEYS.len());
    if let Some(at) = gap.find(CONTENT) {
        return Some((after + at + CONTENT.len(), true));
    }
    let is_edge = |byte: Option<&u8>| byte.is_none_or(|b| !b.is_ascii_alphanumeric());
    let keys = VALUE_KEYS.iter().filter_map(|key| {
        let at = gap.find(key)?;
        Some((at, at + key.len()))
    });
    let (_, end) = keys
        .filter(|(at, end)| {
            let before = at.checked_sub(1).and_then(|i| gap.as_bytes().get(i));
            is_edge(before) && is_edge(gap.as_bytes().get(*end))
        })
        .min()?;
    Some(match gap.as_bytes().get(end) {
        Some(b'>') => (after + end + 1, true),
        _ => (after + end, false),
    })
}

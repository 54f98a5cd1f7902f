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
    let limit = text.floor_char_boundary(after + MAX_GAP);
    let gap = text.get(after..limit).unwrap_or_default();
    reach::spend(gap.len() * VALUE_KEYS.len());
    let found = VALUE_KEYS
        .iter()
        .filter_map(|key| gap.find(key).map(|at| (at, at + key.len())))
        .filter(|(at, end)| {
            let before = at.checked_sub(1).and_then(|i| gap.as_bytes().get(i));
            [before, gap.as_bytes().get(*end)]
                .into_iter()
                .all(|byte| byte.is_none_or(|b| !b.is_ascii_alphanumeric()))
        })
        .min();
    let content = gap.find("<string>").map(|at| (at, at + "<string>".len()));
    let (start, markup) = match (found, content) {
        (_, Some((_, end))) => (after + end, true),
        (Some((_, end)), None) if gap.as_bytes().get(end) == Some(&b'>') => (after + end + 1, true),
        (Some((_, end)), None) => (after + end, false),
        (None, None) => return,
    };
    const GAP: Class = Class::of("\"'\\ \t:=");
    let bytes = text.as_bytes();
    let (value, quoted) = if markup {
        let rest = reach::ahead(text, start);
        let Some(length) = reach::passed(rest, rest.find('<')) else {
            return;
        };
        let span = Span {
            start,
            end: start + length,
        };
        (span, true)
    } else {
        // Between another name and its value there is no way to tell whose the value is.
        let between = text.get(after..start).unwrap_or_default();
        if between.contains("name") || between.contains("Name") {
            return;
        }
        let mut open = GAP.run_end(bytes, start);
        while open > start && matches!(bytes.get(open - 1), Some(b'"' | b'\'' | b'\\')) {
            open -= 1;
        }
        let Some(value) = quotes::read(text, open, Bare::Line) else {
            return;
        };
        (value.span, value.quoted)
    };
    let Some(content) = text.get(value.start..value.end) else {
        return;
    };
    if is_secret(
        content,
        Named {
            identifier: name,
            kind,
            place: if quoted {
                Place::Literal
            } else {
                Place::Setting
            },
            quoted,
        },
    ) {
        spans.push(value);
    }
}

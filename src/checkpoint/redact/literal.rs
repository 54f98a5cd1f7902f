//! The literal that a name is connected with: past schemes, out of expansions, joined from parts.

use super::Span;
use super::class::{Class, WORD};
use super::credential;
use super::link::{Link, Linked};
use super::reach;
use super::value::{self, Bare, Value};

/// The value itself, past a scheme word and out of `${NAME:-…}`.
pub(super) fn value_at(text: &str, linked: Linked) -> Option<Value> {
    let bare = linked.bare;
    if linked.link == Link::Tag {
        let rest = reach::ahead(text, linked.at);
        let content = rest.get(..rest.find('<')?)?;
        let lead = content.len() - content.trim_start().len();
        let start = linked.at + lead;
        let span = Span {
            start,
            end: start + content.trim().len(),
        };
        return Some(Value {
            span,
            after: span.end,
            quoted: true,
        });
    }
    if let Some(default) = expansion_default(text, linked.at).or_else(|| echoed(text, linked.at)) {
        return Some(default);
    }
    let value = value::read(text, linked.at, bare)?;
    let content = text.get(value.span.start..value.span.end)?;
    if let Some(default) =
        expansion_default(text, value.span.start).filter(|d| d.span.end < value.span.end)
    {
        return Some(default);
    }
    if content.starts_with("%s") {
        return formatted(text, value.span.end);
    }
    if !value.quoted && credential::is_scheme(content) && text.get(value.after..)?.starts_with(' ')
    {
        return value::read(text, value.after + 1, bare);
    }
    if value.quoted
        && let Some((scheme, rest)) = content.split_once(' ')
        && credential::is_scheme(scheme)
    {
        return Some(Value {
            span: Span {
                start: value.span.end - rest.len(),
                ..value.span
            },
            ..value
        });
    }
    Some(value)
}

/// The literal default in `${NAME:-default}` at `at`.
fn expansion_default(text: &str, at: usize) -> Option<Value> {
    let rest = reach::ahead(text, at).strip_prefix("${")?;
    let name = WORD.run_end(rest.as_bytes(), 0);
    let operator = [":-", ":=", "-"]
        .iter()
        .find(|op| rest.get(name..).is_some_and(|r| r.starts_with(**op)))?;
    let start = name + operator.len();
    let length = rest.get(start..)?.find(['}', '\n'])?;
    let span = Span {
        start: at + 2 + start,
        end: at + 2 + start + length,
    };
    (length > 0).then_some(Value {
        span,
        after: span.end + 1,
        quoted: true,
    })
}

/// The literal that a command substitution echoes: `$(echo X | base64 -d)`.
fn echoed(text: &str, at: usize) -> Option<Value> {
    let rest = text.get(at..)?;
    let command = ["$(echo ", "$(printf ", "\"$(echo ", "`echo "]
        .iter()
        .find(|command| rest.starts_with(**command))?;
    let mut start = at + command.len();
    // `echo -n`, `printf --`.
    for _ in 0..2 {
        if !text.get(start..)?.starts_with('-') {
            break;
        }
        start += reach::ahead(text, start).find(' ')? + 1;
    }
    value::read(text, start, Bare::Word)
}

/// The argument for the `%s` that ends at `end`: `printf 'TOKEN=%s' X`.
fn formatted(text: &str, end: usize) -> Option<Value> {
    let rest = reach::ahead(text, end);
    let quote = rest.find(['"', '\'']).filter(|at| *at <= 8)?;
    let argument = rest.get(quote + 1..)?.strip_prefix(' ')?;
    // Python formats with `"…%s" % value`.
    if argument.starts_with('%') {
        return None;
    }
    value::read(text, end + rest.len() - argument.len(), Bare::Word)
}

/// The spans of `value` and of the literals it is concatenated with: `"a" + "b"`, `"a" \ "b"`.
pub(super) fn concatenated(text: &str, value: Value) -> Vec<Span> {
    const JOINT: Class = Class::of(" \t\r\n+.\\&");
    let bytes = text.as_bytes();
    let mut spans = vec![value.span];
    let mut after = value.after;
    if !value.quoted {
        return spans;
    }
    loop {
        let next = JOINT.run_end(bytes, after);
        let joint = text.get(after..next).unwrap_or_default();
        let joined = joint.contains(['+', '\\'])
            || joint.trim() == "."
            || (joint.contains('\n') && joint.trim().is_empty());
        if !joined || next - after > 64 || !matches!(bytes.get(next), Some(b'"' | b'\'')) {
            break;
        }
        let Some(part) = value::read(text, next, Bare::Word).filter(|part| part.quoted) else {
            break;
        };
        // A quoted key of the next line is no part of this value.
        if bytes.get(part.after) == Some(&b':') {
            break;
        }
        spans.push(part.span);
        after = part.after;
    }
    spans
}

//! The literal that a name is connected with: past schemes, out of expansions, joined from parts.

use super::class::{Class, WORD};
use super::identifier::Name;
use super::link::{Link, Linked};
use super::quotes::{self, Bare, Value};
use super::reach;
use super::vocabulary::SCHEMES;
use crate::redact::span::Span;

/// The value itself, past a scheme word and out of `${NAME:-…}`.
pub(crate) fn value_at(text: &str, linked: Linked) -> Option<Value> {
    let bare = linked.bare;
    if linked.link == Link::Tag {
        let rest = reach::ahead(text, linked.at);
        let (at, end) = match rest.strip_prefix("<![CDATA[") {
            Some(_) => ("<![CDATA[".len(), reach::passed(rest, rest.find("]]>"))?),
            None => (0, reach::passed(rest, rest.find('<'))?),
        };
        let content = rest.get(at..end)?;
        let lead = at + content.len() - content.trim_start().len();
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
    let inner = expansion_default(text, linked.at)
        .or_else(|| echoed(text, linked.at))
        .or_else(|| wrapped(text, linked.at));
    if let Some(default) = inner {
        return Some(default);
    }
    let value = quotes::read(text, linked.at, bare)?;
    let content = text.get(value.span.start..value.span.end)?;
    if let Some(default) =
        expansion_default(text, value.span.start).filter(|d| d.span.end < value.span.end)
    {
        return Some(default);
    }
    if content.starts_with("%s") {
        return formatted(text, value.span.end);
    }
    // `TOKEN=Bearer X`; but `KEY=key run` ends after its word.
    let scheme = match linked.link {
        Link::Equals => ["bearer", "basic"].contains(&content.to_ascii_lowercase().as_str()),
        _ => is_scheme(content),
    };
    if !value.quoted && scheme && text.get(value.after..)?.starts_with(' ') {
        return quotes::read(text, value.after + 1, bare);
    }
    if value.quoted
        && let Some((scheme, rest)) = content.split_once(' ')
        && is_scheme(scheme)
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
    let default = rest.get(start..)?;
    let length = reach::passed(default, default.find(['}', '\n']))?;
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
        let option = reach::ahead(text, start);
        start += reach::passed(option, option.find(' '))? + 1;
    }
    quotes::read(text, start, Bare::Word)
}

/// The value of `-e "NAME=some words"`, up to the quote that closes its pair.
pub(crate) fn to_closing_quote(text: &str, name: Name, value: Value) -> Value {
    const OPTIONS: &[&str] = &[
        "--build-arg ",
        "--data ",
        "--data-raw ",
        "--data-urlencode ",
        "--env ",
        "--env=",
        "--form ",
        "--set ",
        "-d ",
        "-e ",
        "-F ",
        "-var ",
        "-var=",
        "Environment=",
        "env ",
        "set ",
    ];
    let before = text.get(..name.start).unwrap_or_default();
    let Some(quote) = before.chars().next_back().filter(|c| "\"'".contains(*c)) else {
        return value;
    };
    let option = before.get(..before.len() - 1).unwrap_or_default();
    let rest = reach::ahead(text, value.span.end);
    let words = rest.split([quote, '\n']).next().unwrap_or_default();
    reach::spend(words.len());
    let closed = rest
        .get(words.len()..)
        .is_some_and(|r| r.starts_with(quote));
    let listed = words.contains(['=', '"', '\'', '$']);
    if value.quoted
        || !closed
        || listed
        || words.is_empty()
        || !OPTIONS.iter().any(|known| option.ends_with(known))
    {
        return value;
    }
    let span = Span {
        end: value.span.end + words.len(),
        ..value.span
    };
    Value {
        span,
        after: span.end + 1,
        quoted: true,
    }
}

/// The literal that a type or a digest is made of: `String::from("X")`, `MD5('X')`.
fn wrapped(text: &str, at: usize) -> Option<Value> {
    const WRAPPERS: &[&str] = &[
        "String::from(",
        "Some(",
        "SecretString::from(",
        "SecretString::new(",
        "Secret::new(",
        "SecretBox::new(",
        "Zeroizing::new(",
        "new String(",
        "Buffer.from(",
        "MD5(",
        "md5(",
        "SHA1(",
        "sha1(",
        "SHA2(",
    ];
    let rest = text.get(at..)?;
    let wrapper = WRAPPERS.iter().find(|start| rest.starts_with(**start))?;
    quotes::read(text, at + wrapper.len(), Bare::Word).filter(|value| value.quoted)
}

/// The argument for the `%s` that ends at `end`: `printf 'TOKEN=%s' X`.
fn formatted(text: &str, end: usize) -> Option<Value> {
    let rest = reach::ahead(text, end);
    let quote = rest.find(['"', '\'']);
    let quote = reach::passed(rest, quote).filter(|at| *at <= 8)?;
    let argument = rest.get(quote + 1..)?.strip_prefix(' ')?;
    // Python formats with `"…%s" % value`.
    if argument.starts_with('%') {
        return None;
    }
    quotes::read(text, end + rest.len() - argument.len(), Bare::Word)
}

/// The spans of `value` and of the literals it is concatenated with: `"a" + "b"`, `"a" \ "b"`.
pub(crate) fn concatenated(text: &str, value: Value) -> Vec<Span> {
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
        let Some(part) = quotes::read(text, next, Bare::Word).filter(|part| part.quoted) else {
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

/// Whether `word` is a scheme of the `Authorization` header.
pub(crate) fn is_scheme(word: &str) -> bool {
    SCHEMES
        .iter()
        .any(|scheme| scheme.eq_ignore_ascii_case(word))
}

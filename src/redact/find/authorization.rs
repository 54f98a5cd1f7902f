//! `Authorization` headers: a scheme word and the credentials after it.

use crate::redact::lex::class::{Class, WORD};
use crate::redact::lex::link::{Link, Linked};
use crate::redact::lex::literal::{self, is_scheme};
use crate::redact::lex::quotes::{self, Bare, Value};
use crate::redact::lex::reach;
use crate::redact::lex::vocabulary::{FLAG_WORDS, FUNCTION_WORDS};
use crate::redact::span::{MARK, Span};
use crate::redact::value::entropy;
use crate::redact::value::reference::is_reference;

/// Adds the credentials of an `Authorization` header whose value is at `linked`.
pub(crate) fn authorization(text: &str, linked: Linked, spans: &mut Vec<Span>) {
    if matches!(linked.link, Link::Call | Link::Compare) {
        return;
    }
    let value = quotes::read(text, linked.at, Bare::Line);
    let Some(value) = value.filter(|value| value.quoted || linked.link != Link::Comma) else {
        return;
    };
    let Some((span, after_scheme)) = past_scheme(text, value, linked.link) else {
        return;
    };
    // `"Bearer " + "X"`.
    if span.start == span.end && after_scheme {
        let parts = literal::concatenated(text, value);
        let literals = parts.get(1..).unwrap_or_default();
        spans.extend(literals.iter().filter(|part| {
            let content = part.of(text);
            !is_reference(content, true)
        }));
        return;
    }
    let content = span.of(text);
    // Within a string, a parameter's quotes are escaped.
    let escaped = content
        .strip_suffix('=')
        .is_some_and(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
        && text
            .get(span.end..)
            .is_some_and(|rest| rest.starts_with("\\\""));
    if has_parameters(content) || escaped {
        let rest = reach::ahead(text, span.start);
        let end = reach::passed(rest, rest.find('\n'));
        let line = span.start + end.unwrap_or(rest.len());
        return parameters(
            text,
            span.start,
            if value.quoted { span.end } else { line },
            spans,
        );
    }
    let credential = content.split([' ', ',']).next().unwrap_or_default();
    let word = credential.len() < 16 && credential.bytes().all(|b| b.is_ascii_lowercase());
    let told = after_scheme || value.quoted && credential.len() >= 3 || !word;
    // `Bearer $(…)` in backquotes.
    let command = text
        .get(..span.start)
        .is_some_and(|before| before.ends_with('`'))
        && content.contains(' ');
    if told && !command && !is_about(credential) && !is_reference(credential, false) {
        spans.push(Span {
            start: span.start,
            end: span.start + credential.len(),
        });
    }
}

/// Whether `word` goes on with a sentence about the header.
fn is_about(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    [FUNCTION_WORDS, FLAG_WORDS]
        .iter()
        .any(|list| list.contains(&word.as_str()))
        || [
            "authentication",
            "scheme",
            "header",
            "tokens",
            "prefix",
            "auth",
        ]
        .contains(&word.as_str())
}

/// What follows the scheme word of a header's `value`, and whether there is such a word; all of the
/// value when there is none.
fn past_scheme(text: &str, value: Value, link: Link) -> Option<(Span, bool)> {
    const BLANK: Class = Class::of(" \t");
    const SCHEME: Class = Class::of("A-Za-z_-");
    let content = text.get(value.span.start..value.span.end)?;
    // `-H Authorization:\ Bearer\ X` has its blanks escaped.
    let blank = if value.quoted { " " } else { "\\ " };
    if let Some((scheme, rest)) = content.split_once(blank).filter(|_| value.quoted) {
        let span = Span {
            start: value.span.end - rest.len(),
            end: value.span.end,
        };
        return Some((span, is_scheme(scheme)));
    }
    if let Some((_, last)) = content.rsplit_once(blank) {
        let span = Span {
            start: value.span.end - last.len(),
            end: value.span.end,
        };
        return Some((span, true));
    }
    let next = BLANK.run_end(text.as_bytes(), value.span.end);
    // `HMAC-SHA256 X`.
    let numbered = content.len() <= 20 && content.contains('-') && next > value.span.end;
    if numbered && text.get(next..)?.starts_with(MARK) {
        return None;
    }
    if let Some(credential) = quotes::read(text, next, Bare::Line)
        .filter(|next| numbered && !value.quoted && is_credible(text, next.span))
    {
        return Some((credential.span, true));
    }
    if !SCHEME.covers(content) && !is_scheme(content) {
        let told = link != Link::Space || is_credible(text, value.span);
        return told.then_some((value.span, false));
    }
    if value.quoted || next == value.span.end {
        let listed = matches!(link, Link::Space | Link::Comma);
        return (!is_scheme(content) && !listed).then_some((value.span, false));
    }
    let credential = quotes::read(text, next, Bare::Line)?;
    let told = link != Link::Space && (is_scheme(content) || credential.quoted);
    let scheme = is_scheme(content) && link != Link::Space;
    (told || is_credible(text, credential.span)).then_some((credential.span, scheme))
}

fn is_credible(text: &str, span: Span) -> bool {
    text.get(span.start..span.end).is_some_and(|v| {
        v.len() >= 8 && v.bytes().any(|b| b.is_ascii_digit()) && entropy::shannon(v) >= 2.5
    })
}

/// Whether a credential is a list of `name=value` parameters rather than one opaque string.
fn has_parameters(credential: &str) -> bool {
    credential.split_once('=').is_some_and(|(name, value)| {
        name.len() <= 32
            && WORD.covers(name)
            && !value.trim_matches('=').is_empty()
            && !entropy::is_opaque(name)
    })
}

/// Adds the secret ones of `name="value", name=value` parameters between `start` and `end`.
fn parameters(text: &str, start: usize, end: usize, spans: &mut Vec<Span>) {
    const SECRET: &[&str] = &[
        "signature",
        "response",
        "oauth_signature",
        "oauth_token",
        "token",
        "mac",
        "sig",
        "cnonce",
        "password",
        "key",
        "secret",
        "api_key",
        "apikey",
    ];
    let mut at = start;
    while let Some(equals) = text
        .get(at..end)
        .and_then(|rest| rest.find('='))
        .map(|n| at + n)
    {
        let name = text
            .get(WORD.run_start(text.as_bytes(), equals)..equals)
            .unwrap_or_default();
        at = equals + 1;
        let Some(value) = quotes::read(text, at, Bare::Word).filter(|value| value.span.end <= end)
        else {
            continue;
        };
        let content = value.span.of(text);
        if SECRET.iter().any(|known| known.eq_ignore_ascii_case(name))
            && !is_reference(content, value.quoted)
        {
            spans.push(value.span);
        }
        at = value.after;
    }
}

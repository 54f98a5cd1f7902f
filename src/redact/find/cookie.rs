//! The values of `Cookie` and `Set-Cookie` headers and of `cookies` mappings.

use crate::redact::lex::class::Class;
use crate::redact::lex::link::{Link, Linked};
use crate::redact::lex::quotes::{self, Bare};
use crate::redact::lex::reach;
use crate::redact::lex::vocabulary::HARMLESS_COOKIES;
use crate::redact::span::Span;
use crate::redact::value::entropy;
use crate::redact::value::reference::is_reference;

/// What it costs to judge a cookie.
const JUDGING: usize = 128;

/// Parts of the names of cookies that identify a session.
const TELLING: &[&str] = &[
    "sess", "token", "auth", "sid", "jwt", "secret", "key", "remember", "csrf", "login", "id",
];

/// Adds the values of the cookies at `linked`: `a=X; b=Y`, or `{"a": "X"}`.
pub(crate) fn cookies(text: &str, linked: Linked, spans: &mut Vec<Span>) {
    if matches!(
        linked.link,
        Link::Space | Link::Call | Link::Compare | Link::Default | Link::Tag
    ) {
        return;
    }
    let rest = text.get(linked.at..).unwrap_or_default();
    if rest.starts_with('{') {
        return mapping(text, linked.at, spans);
    }
    let value = quotes::read(text, linked.at, Bare::Line);
    let start = value.map_or(linked.at, |value| value.span.start);
    let end = match value.filter(|value| value.quoted) {
        Some(value) => value.span.end,
        None => {
            let rest = reach::ahead(text, start);
            let end = rest.find(['\n', '"', '\'', '`']);
            start + reach::passed(rest, end).unwrap_or(rest.len())
        }
    };
    header(text, Span { start, end }, spans);
}

/// `name=value` pairs, as the header has them.
pub(crate) fn header(text: &str, list: Span, spans: &mut Vec<Span>) {
    let mut at = list.start;
    reach::spend(list.end - list.start);
    for pair in list.of(text).split(';') {
        if let Some((name, value)) = pair.split_once('=') {
            let value = value.split([' ', ',']).next().unwrap_or_default();
            let start = at + name.len() + 1;
            if is_session(name, value) {
                spans.push(Span {
                    start,
                    end: start + value.len(),
                });
            }
        }
        at += pair.len() + 1;
    }
}

/// `{"name": "value"}` on one line.
fn mapping(text: &str, at: usize, spans: &mut Vec<Span>) {
    const GAP: Class = Class::of(" {:,=>");
    let bytes = text.as_bytes();
    let mut at = at;
    loop {
        let name =
            quotes::read(text, GAP.run_end(bytes, at), Bare::Word).filter(|name| name.quoted);
        let Some(name) = name else { return };
        let value = quotes::read(text, GAP.run_end(bytes, name.after), Bare::Word);
        let Some(value) = value.filter(|value| value.quoted) else {
            return;
        };
        if is_session(name.span.of(text), value.span.of(text)) {
            spans.push(value.span);
        }
        at = value.after;
    }
}

/// Whether the cookie lets its holder in.
fn is_session(name: &str, value: &str) -> bool {
    reach::spend(JUDGING);
    let name = name.trim().to_ascii_lowercase();
    let harmless = HARMLESS_COOKIES.iter().any(|known| name.starts_with(known));
    let telling = TELLING.iter().any(|part| name.contains(part));
    let least = if telling { 8 } else { 16 };
    !harmless
        && value.len() >= least
        && entropy::shannon(value) >= 2.5
        && !is_reference(value, false)
}

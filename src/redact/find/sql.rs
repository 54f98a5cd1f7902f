//! Passwords in SQL and in the commands of data stores.

use crate::redact::context::name;
use crate::redact::context::place::Place;
use crate::redact::decide::{Named, is_secret};
use crate::redact::lex::class::{Class, WORD};
use crate::redact::lex::haystack::Haystack;
use crate::redact::lex::quotes::{self, Bare};
use crate::redact::lex::reach;
use crate::redact::span::Span;
use crate::redact::value::reference::is_reference;

/// Phrases after which a quoted password follows.
const PHRASES: &[&str] = &[
    "IDENTIFIED BY",
    "identified by",
    "IDENTIFIED WITH mysql_native_password BY",
    "IDENTIFIED WITH caching_sha2_password BY",
    "BY PASSWORD",
    "USING PASSWORD",
    "PASSWORD FOR",
    "password for",
    "ENCRYPTED PASSWORD",
];

/// Adds the spans of the passwords in the statements of `text`.
pub(crate) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    for phrase in PHRASES {
        for at in haystack.find_all(phrase) {
            statement(
                text,
                at + phrase.len(),
                *phrase == "PASSWORD FOR" || *phrase == "password for",
                spans,
            );
        }
    }
    for keyword in ["VALUES", "values", "Values"] {
        for at in haystack.find_all(keyword) {
            insert(text, at, at + keyword.len(), spans);
        }
    }
    for keyword in ["AUTH ", "masterauth ", "requirepass ", "SETUSER "] {
        for at in haystack.find_all(keyword) {
            let before = at.checked_sub(1).and_then(|i| text.as_bytes().get(i));
            if before.is_none_or(|b| !WORD.has(*b)) {
                data_store(text, at + keyword.len(), keyword, spans);
            }
        }
    }
}

/// The quoted password at `at`, past a user and an equals sign where the phrase has them.
fn statement(text: &str, at: usize, past_user: bool, spans: &mut Vec<Span>) {
    let start = if past_user {
        let rest = reach::ahead(text, at);
        let Some(equals) = reach::passed(rest, rest.find('='))
            .filter(|n| *n < 128 && !rest.get(..*n).unwrap_or_default().contains('\n'))
        else {
            return;
        };
        at + equals + 1
    } else {
        at
    };
    const BLANK: Class = Class::of(" (=");
    let start = BLANK.run_end(text.as_bytes(), start);
    let literal = text
        .get(start..)
        .is_some_and(|rest| rest.starts_with(['\'', '"', '\\']));
    let value = quotes::read(text, start, Bare::Word).filter(|value| value.quoted && literal);
    let Some(value) = value else {
        return;
    };
    let content = value.span.of(text);
    if content.len() >= 3 && !is_reference(content, true) {
        spans.push(value.span);
    }
}

/// The values of `INSERT … (a, token) VALUES (1, 'X')` whose column's name announces a secret.
fn insert(text: &str, keyword: usize, at: usize, spans: &mut Vec<Span>) {
    let before = reach::behind(text, keyword).trim_end();
    let columns = before.strip_suffix(')').and_then(|list| {
        let (rest, columns) = list.rsplit_once('(').unwrap_or(("", list));
        reach::spend(columns.len());
        (rest.len() + columns.len() < list.len() && columns.len() <= 1024).then_some(columns)
    });
    let Some(columns) = columns else {
        return;
    };
    let bytes = text.as_bytes();
    let mut position = at;
    const GAP: Class = Class::of(" \t\r\n(");
    for column in columns.split(',') {
        position = GAP.run_end(bytes, position);
        let Some(value) = quotes::read(text, position, Bare::Word) else {
            return;
        };
        let column = column.trim().trim_matches(['`', '"', '[', ']']);
        let kind = name::classify(column);
        let content = value.span.of(text);
        if let Some(kind) = kind.filter(|_| value.quoted) {
            let named = Named {
                identifier: column,
                kind,
                place: Place::Literal,
                quoted: true,
            };
            if is_secret(content, named) {
                spans.push(value.span);
            }
        }
        let rest = reach::ahead(text, value.after);
        let Some(comma) = reach::passed(rest, rest.find(',')) else {
            return;
        };
        position = value.after + comma + 1;
    }
}

/// `AUTH X`, `AUTH user X`, `ACL SETUSER name on >X`.
fn data_store(text: &str, at: usize, keyword: &str, spans: &mut Vec<Span>) {
    let rest = reach::ahead(text, at);
    let line = rest.split('\n').next().unwrap_or_default();
    let mut offset = at;
    for word in line.split(' ').take(8) {
        reach::spend(word.len());
        let start = offset;
        offset += word.len() + 1;
        let password = if keyword == "SETUSER " {
            let word = word.trim_end_matches(['"', '\'']);
            word.trim_start_matches(['"', '\''])
                .strip_prefix('>')
                .unwrap_or_default()
        } else {
            word
        };
        let digit = password.bytes().any(|b| b.is_ascii_digit());
        if password.len() >= 8
            && digit
            && !is_reference(password, false)
            && !password.contains(['=', ':'])
        {
            let start = start + word.find(password).unwrap_or_default();
            spans.push(Span {
                start,
                end: start + password.len(),
            });
            return;
        }
        if keyword != "SETUSER " && !word.chars().all(|c| c.is_ascii_alphanumeric()) {
            return;
        }
    }
}

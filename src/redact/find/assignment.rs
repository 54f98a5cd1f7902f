//! Secrets that have a name: assignments, settings, flags, headers, calls and sentences.

use super::{authorization, cookie, note};
use crate::redact::context::name::{self, Kind, STEMS, kind_in_text};
use crate::redact::context::place;
use crate::redact::decide::{Named, is_secret};
use crate::redact::lex::class::Class;
use crate::redact::lex::haystack::Haystack;
use crate::redact::lex::identifier::{Name, name_at, next_identifier, words};
use crate::redact::lex::link::{self, Link, Linked};
use crate::redact::lex::literal;
use crate::redact::lex::quotes::Value;
use crate::redact::lex::reach;
use crate::redact::lex::shell;
use crate::redact::lex::vocabulary::ACCOUNTS;
use crate::redact::span::{MARK, Span};
use crate::redact::value::looks::has_mixture;

/// Adds the spans of the values of all names that announce a secret.
pub(crate) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    if text.is_ascii() && !STEMS.iter().any(|stem| haystack.may_hold(stem)) {
        return;
    }
    let mut found = spans.clone();
    found.sort_unstable();
    let mut found = found.into_iter().peekable();
    let mut at = 0;
    while let Some((start, end)) = next_identifier(text, at).filter(|_| reach::left() > 0) {
        at = end;
        // What is part of a secret is no name: `mysql -pMyKey shop`.
        while found.next_if(|span| span.end <= start).is_some() {}
        if found.peek().is_some_and(|span| span.start < end) {
            continue;
        }
        let identifier = text.get(start..end).unwrap_or_default();
        let Some(kind) = kind_in_text(text, identifier, start) else {
            continue;
        };
        if kind == Kind::Password {
            spans.extend(note::told_before(text, start, end));
        }
        let name = name_at(text, start, end);
        let Some(linked) = link::after(text, name) else {
            continue;
        };
        if is_glued(identifier, name, linked) {
            continue;
        }
        let count = spans.len();
        match kind {
            Kind::Authorization => authorization::authorization(text, linked, spans),
            Kind::Cookie => cookie::cookies(text, linked, spans),
            _ => assigned(text, name, kind, linked, spans),
        }
        if let Some(last) = spans.get(count..).and_then(<[Span]>::last) {
            at = at.max(last.end);
        }
    }
}

fn assigned(text: &str, name: Name, kind: Kind, linked: Linked, spans: &mut Vec<Span>) {
    if begins_assignment(text, linked) {
        return;
    }
    let Some(value) = literal::value_at(text, linked) else {
        return;
    };
    let value = literal::to_closing_quote(text, name, value);
    let Some(content) = text.get(value.span.start..value.span.end) else {
        return;
    };
    if closes_name(text, name, value)
        || is_structured(content)
        || linked.link != Link::Space && is_substitution(text, value, content)
        || linked.link == Link::Space && is_resource(text, name)
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
    let identifier = name.of(text);
    let Some((value, kind)) = past_user(text, identifier, kind, value) else {
        return;
    };
    let value = within_slashes(text, name, value);
    let named = Named {
        identifier,
        kind,
        place: place::of(text, name, kind, linked, value),
        quoted: value.quoted,
    };
    let parts = literal::concatenated(text, value);
    let whole: String = parts
        .iter()
        .filter_map(|part| text.get(part.start..part.end))
        .collect();
    let meant = shell::meant(text, value.span);
    if is_secret(if parts.len() > 1 { &whole } else { meant }, named) {
        spans.extend(parts);
    }
}

/// Whether a "name" is an option of one letter and its value: `-uAppToken shop`.
fn is_glued(identifier: &str, name: Name, linked: Linked) -> bool {
    let mut letters = identifier.chars();
    let first = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
    let hump = letters.next().is_some_and(|c| !c.is_lowercase());
    let after = letters.next().is_some_and(char::is_lowercase);
    name.dashes == 1 && linked.link == Link::Flag && first && hump && after
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

/// The password of the login that a value under `creds` or `auth` is: `bob:word`, `neo4j/word`.
/// `None` where only the user is left of it.
fn past_user(text: &str, identifier: &str, kind: Kind, value: Value) -> Option<(Value, Kind)> {
    const USER: Class = Class::of("A-Za-z0-9_.@-");
    let last = words(identifier).next().unwrap_or_default();
    if !["creds", "credentials", "auth"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(last))
    {
        return Some((value, kind));
    }
    let content = text.get(value.span.start..value.span.end)?;
    let rest = text.get(value.span.end..)?.trim_start_matches([':', '/']);
    if rest.starts_with(MARK) {
        return None;
    }
    let login = |separator: char| {
        content.split_once(separator).filter(|(user, password)| {
            (1..=32).contains(&user.len())
                && USER.covers(user)
                && !password.is_empty()
                && !password.starts_with('/')
        })
    };
    // A slash is a path's, unless what stands before it is known for a user.
    let known = |user: &str| {
        ACCOUNTS.contains(&user)
            || identifier
                .split(['_', '-', '.'])
                .any(|part| part.eq_ignore_ascii_case(user))
    };
    let login = login(':').or_else(|| login('/').filter(|(user, _)| known(user)));
    let Some((_, password)) = login else {
        return Some((value, kind));
    };
    let span = Span {
        start: value.span.end - password.len(),
        ..value.span
    };
    // `aws:profile` is none.
    let kind = if has_mixture(password) {
        Kind::Secret
    } else {
        Kind::Vague
    };
    Some((Value { span, ..value }, kind))
}

/// The value without the end of the `s/…/…/` that it stands in.
fn within_slashes(text: &str, name: Name, value: Value) -> Value {
    let content = value.span.of(text);
    let replaces = text.get(..name.start).is_some_and(|b| b.ends_with('/'));
    match content.rsplit_once('/') {
        Some((word, flags))
            if replaces && !value.quoted && flags.bytes().all(|b| b"gimI".contains(&b)) =>
        {
            let end = value.span.start + word.len();
            let span = Span { end, ..value.span };
            Value { span, ..value }
        }
        _ => value,
    }
}

/// Whether the name is the kind of a resource, whose own name follows: `kubectl get secret api-token`.
fn is_resource(text: &str, name: Name) -> bool {
    let before = text.get(..name.start).unwrap_or_default();
    ["get ", "describe ", "delete ", "edit ", "patch "]
        .iter()
        .any(|verb| before.ends_with(verb))
        && text.get(name.start..name.end) == Some("secret")
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

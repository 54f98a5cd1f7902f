//! Credentials in addresses: `scheme://user:password@host`, `user:password@host`, signed queries.

use crate::redact::lex::class::{ALNUM, Class};
use crate::redact::lex::haystack::Haystack;
use crate::redact::lex::reach;
use crate::redact::lex::vocabulary::QUERY_SECRETS;
use crate::redact::span::Span;
use crate::redact::value::entropy;
use crate::redact::value::reference::is_reference;

/// Longest user information looked at, in bytes.
const MAX_USER_INFO: usize = 512;

/// Passwords that say: the user name is the token.
const EMPTY_PASSWORDS: &[&str] = &["", "x-oauth-basic", "api_token", "api", "X"];

/// Adds the secrets in the addresses of `text`.
pub(crate) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    for at in haystack.find_all("://") {
        user_info(text, at + 3, spans);
    }
    for at in haystack.find_all("jdbc:oracle:thin:") {
        let start = at + "jdbc:oracle:thin:".len();
        let login = reach::ahead(text, start)
            .split(|c: char| c.is_whitespace())
            .next()
            .and_then(|url| url.split_once('@'));
        if let Some((user, password)) = login
            .and_then(|(login, _)| login.split_once('/'))
            .filter(|(_, password)| is_password(password))
        {
            let start = start + user.len() + 1;
            spans.push(Span {
                start,
                end: start + password.len(),
            });
        }
    }
    for (at, _) in text.match_indices('@') {
        bare_login(text, at, spans);
    }
    for (at, separator) in text.match_indices(['?', '&']) {
        parameter(text, at + separator.len(), spans);
    }
}

/// The user information of the authority that begins at `start`.
fn user_info(text: &str, start: usize, spans: &mut Vec<Span>) {
    let Some(rest) = text.get(start..) else {
        return;
    };
    let rest = rest
        .get(..rest.floor_char_boundary(MAX_USER_INFO))
        .unwrap_or_default();
    let rest = rest
        .split(|c: char| c.is_whitespace() || "\"`<>|\\".contains(c))
        .next()
        .unwrap_or_default();
    let Some(first_at) = rest.find('@') else {
        return;
    };
    let slash = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    // A password may hold an unescaped `@`, or else a `/`, but hardly both.
    let end = if first_at < slash {
        rest.get(..slash)
            .and_then(|a| a.rfind('@'))
            .unwrap_or(first_at)
    } else {
        first_at
    };
    let Some(info) = rest.get(..end) else { return };
    let (user, password) = info.split_once(':').unwrap_or((info, ""));
    if user.contains('/') || !rest.get(end + 1..).is_some_and(begins_host) {
        return;
    }
    if first_at > slash {
        let port = password.bytes().take_while(u8::is_ascii_digit).count();
        let path = password
            .as_bytes()
            .get(port)
            .is_none_or(|b| b"/,?#".contains(b));
        if user.contains(['?', '#'])
            || path && port > 0
            || !password.bytes().any(|b| b.is_ascii_digit())
        {
            return;
        }
    }
    let span = if EMPTY_PASSWORDS.contains(&password) {
        let token = user.len() >= 16 && entropy::is_opaque(user) && !rest.contains("sentry.io");
        token.then_some(Span {
            start,
            end: start + user.len(),
        })
    } else {
        let begin = start + user.len() + 1;
        is_password(password).then_some(Span {
            start: begin,
            end: begin + password.len(),
        })
    };
    spans.extend(span);
}

/// Whether `password` is one. In lower case, even `user:password@` may be; in upper case or in
/// brackets, documentation speaks.
fn is_password(password: &str) -> bool {
    let template =
        password.contains(['{', '}', '[', '<']) && !password.contains(|c: char| c.is_ascii_digit());
    let plain = password.bytes().all(|b| b.is_ascii_lowercase());
    !template && (plain || !is_reference(password, true))
}

fn begins_host(rest: &str) -> bool {
    rest.bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphanumeric() || b"[$_{(/".contains(&b) || !b.is_ascii())
}

/// `user:password@host` without a scheme, around the `@` at `at`.
fn bare_login(text: &str, at: usize, spans: &mut Vec<Span>) {
    const PASSWORD: Class = Class::of("!#$%&()*+,.0-9:;=?A-Z^_a-z~-");
    const HOST: Class = Class::of("A-Za-z0-9.-");
    let bytes = text.as_bytes();
    let host = text
        .get(at + 1..HOST.run_end(bytes, at + 1))
        .unwrap_or_default();
    let dotted = host.contains('.')
        && host.bytes().filter(|b| *b == b'.').count()
            >= if host.bytes().any(|b| b.is_ascii_alphabetic()) {
                1
            } else {
                3
            };
    // `user:password@tcp(host:3306)/database`, as Go has it.
    let socket = matches!(host, "tcp" | "unix") && bytes.get(at + 1 + host.len()) == Some(&b'(');
    if !(dotted || socket || host == "localhost") {
        return;
    }
    let mut start = at;
    while start > 0 && at - start < 128 && bytes.get(start - 1).is_some_and(|b| PASSWORD.has(*b)) {
        start -= 1;
    }
    let Some((user, password)) = text.get(start..at).and_then(|login| login.split_once(':')) else {
        return;
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let digit = password.bytes().any(|b| b.is_ascii_digit());
    let mixed = password.bytes().any(|b| b.is_ascii_uppercase())
        || password.contains(|c: char| c.is_ascii_punctuation() && !"./-".contains(c));
    if user.starts_with(|c: char| c.is_ascii_alphabetic())
        && user.len() <= 32
        && user.chars().all(plain)
        && password.len() >= 8
        && digit
        && mixed
        && !password.starts_with("//")
        && !is_reference(password, true)
    {
        spans.push(Span {
            start: at - password.len(),
            end: at,
        });
    }
}

/// The value of the query parameter whose name begins at `start`.
fn parameter(text: &str, start: usize, spans: &mut Vec<Span>) {
    const NAME: Class = Class::of("A-Za-z0-9_-");
    const VALUE: Class = Class::of("A-Za-z0-9%+/=_.~-");
    let bytes = text.as_bytes();
    let equals = NAME.run_end(bytes, start);
    if equals == start || equals - start > 32 || bytes.get(equals) != Some(&b'=') {
        return;
    }
    let name = text.get(start..equals).unwrap_or_default();
    if !QUERY_SECRETS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
    {
        return;
    }
    let end = VALUE.run_end(bytes, equals + 1);
    let value = text.get(equals + 1..end).unwrap_or_default();
    if entropy::is_opaque(value)
        && !is_uuid(value)
        && ALNUM.has(value.bytes().next().unwrap_or(b'.'))
    {
        spans.push(Span {
            start: equals + 1,
            end,
        });
    }
}

fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(i, b)| {
            if matches!(i, 8 | 13 | 18 | 23) {
                b == b'-'
            } else {
                b.is_ascii_hexdigit()
            }
        })
}

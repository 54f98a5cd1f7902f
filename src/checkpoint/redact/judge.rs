//! Decides whether a value, after a name of some kind and in some position, is a secret.

use super::class::{Class, HEX, UPPER_ALNUM};
use super::entropy;
use super::link::Link;
use super::name::Kind;
use super::prose::is_mundane;
use super::reference::{is_reference, is_state_word};

/// The position of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) kind: Kind,
    pub(super) link: Link,
    pub(super) quoted: bool,
    /// The name is written as environment variables are: `DB_PASSWORD`.
    pub(super) constant: bool,
}

/// Whether `value` is a secret there.
pub(super) fn is_secret(value: &str, place: Place) -> bool {
    if value.len() < 3 || is_reference(value, place.quoted && !is_template(value)) {
        return false;
    }
    match place.link {
        // A name and a quoted text side by side may be any call or list.
        Link::Comma | Link::Call | Link::Compare => {
            place.quoted && !is_sentence(value) && is_generated_or_chosen(value, place.kind)
        }
        // Prose: "the password is X".
        Link::Space if is_sentence(value) => {
            place.quoted && place.kind == Kind::Password && is_passphrase(value)
        }
        Link::Space => {
            is_generated_or_chosen(value, place.kind)
                && (place.quoted || !is_mundane(value))
                && !is_ledger_address(value, place.kind)
        }
        Link::Colon if !place.quoted && !place.constant => match place.kind {
            Kind::Password => has_mixture(value) && !value.starts_with("__"),
            Kind::Token | Kind::Weak if is_mundane(value) || value.len() < 8 => false,
            kind => is_enough(value, kind) && has_mixture(value),
        },
        Link::Flag if !matches!(place.kind, Kind::Password) => {
            is_enough(value, place.kind) && !is_wordy(value) && is_generated(value)
        }
        // Code assigns variables; a word by itself is one.
        Link::SpacedEquals if !place.quoted && !is_setting(value, place) => false,
        Link::Equals
        | Link::SpacedEquals
        | Link::Colon
        | Link::Flag
        | Link::Default
        | Link::Tag => {
            if is_sentence(value) && value.split_whitespace().count() > 3 && mentions_secret(value)
            {
                return false;
            }
            is_enough(value, place.kind)
                && !(place.kind == Kind::Password && is_state_word(value) && !place.constant)
                && !(place.constant && is_switch(value))
        }
    }
}

/// Whether a bare `value` after ` = ` is a setting rather than an expression of code.
fn is_setting(value: &str, place: Place) -> bool {
    let chosen = place.kind == Kind::Password;
    let variable = !chosen && (is_mundane(value) || is_number(value) && value.len() < 12);
    !variable && (place.constant || has_mixture(value))
}

/// Whether `value` can be a secret of `kind` where the syntax leaves no doubt that it is a value.
fn is_enough(value: &str, kind: Kind) -> bool {
    match kind {
        Kind::Password => true,
        Kind::Secret => value.len() >= 4 && !is_state_word(value),
        Kind::Token | Kind::Authorization | Kind::Cookie => is_generated(value),
        Kind::Weak => is_bare_opaque(value),
    }
}

fn is_generated_or_chosen(value: &str, kind: Kind) -> bool {
    match kind {
        Kind::Password | Kind::Secret => {
            value.len() >= 6 && has_mixture(value) && !is_number(value)
        }
        Kind::Token => {
            value.len() >= 12
                && is_generated(value)
                && entropy::shannon(value) >= 3.0
                && value.bytes().any(|b| b.is_ascii_digit())
        }
        _ => false,
    }
}

/// Four to ten plain words, none of which speaks of secrets.
fn is_passphrase(value: &str) -> bool {
    let count = value.split(' ').count();
    (4..=10).contains(&count)
        && value.bytes().all(|b| b.is_ascii_lowercase() || b == b' ')
        && !mentions_secret(value)
}

/// `0x` and 40 hexadecimal digits: the address of a contract, which prose calls a token.
fn is_ledger_address(value: &str, kind: Kind) -> bool {
    kind == Kind::Token && value.len() == 42 && value.starts_with("0x")
}

/// Letters together with digits, or a long run of letters in both cases.
fn is_generated(value: &str) -> bool {
    let letter = value.chars().any(char::is_alphabetic);
    let digit = value.bytes().any(|b| b.is_ascii_digit());
    let upper = value.bytes().any(|b| b.is_ascii_uppercase());
    let lower = value.bytes().any(|b| b.is_ascii_lowercase());
    if value.contains(' ') {
        return false;
    }
    value.len() >= 6 && letter && digit
        || value.len() >= 16
            && !digit
            && upper
            && lower
            && !value.contains(['-', '.', '/', ':', '_'])
        || value.len() >= 20 && digit
        || value.len() >= 24 && !value.contains(['-', '.', '/', ':', '_'])
}

/// Whether `value` is more than one word: it has a digit, or punctuation inside, or humps.
fn has_mixture(value: &str) -> bool {
    let digit = value.bytes().any(|b| b.is_ascii_digit());
    let letter = value.chars().any(char::is_alphabetic);
    let symbol = value
        .chars()
        .any(|c| c.is_ascii_punctuation() && !"-_.,'/:".contains(c));
    let word = value
        .chars()
        .all(|c| c.is_alphabetic() || "-_'/".contains(c));
    digit && letter
        || (symbol && letter && value.len() >= 8 && !value.contains(['(', '<', '=']))
        || (digit && value.len() >= 6)
        || (!word && symbol && digit)
}

/// Words of lower-case letters, as names of resources are: `db-creds:latest`, `deploy-key`.
fn is_wordy(value: &str) -> bool {
    value.len() < 24
        && value
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b"-_:./".contains(&b))
}

fn is_sentence(value: &str) -> bool {
    value.contains(' ')
}

fn mentions_secret(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    [
        "password", "token", "secret", "key", "required", "must", "invalid",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

fn is_template(value: &str) -> bool {
    value.starts_with('{') && value.ends_with('}')
}

/// Values of settings about secrets: `ALLOW_EMPTY_PASSWORD=yes`.
fn is_switch(value: &str) -> bool {
    [
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
        "null",
        "none",
        "nil",
        "undefined",
        "disabled",
        "enabled",
        "auto",
        "required",
        "optional",
        "todo",
        "tbd",
    ]
    .iter()
    .any(|word| word.eq_ignore_ascii_case(value))
}

fn is_number(value: &str) -> bool {
    value
        .bytes()
        .all(|b| b.is_ascii_digit() || b".,:-%".contains(&b))
}

/// Opaque, and without anything that a path, a list or a composed identifier has inside.
fn is_bare_opaque(value: &str) -> bool {
    const OPAQUE: Class = Class::of("A-Za-z0-9+/=_");
    let path = value.contains('/')
        && !value.contains(['+', '='])
        && !value.bytes().any(|b| b.is_ascii_uppercase());
    let fingerprint =
        matches!(value.len(), 16 | 40) && UPPER_ALNUM.covers(value) && HEX.covers(value);
    OPAQUE.covers(value) && !path && !fingerprint && entropy::is_opaque(value)
}

pub(super) fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(i, b)| {
            if matches!(i, 8 | 13 | 18 | 23) {
                b == b'-'
            } else {
                b.is_ascii_hexdigit()
            }
        })
}

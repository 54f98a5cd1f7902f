//! What a value looks like, from a mere reference to what only a machine makes.

use super::class::Class;
use super::code::{is_code, is_constant, is_state_word, is_switch};
use super::entropy;
use super::judge::Named;
use super::name::Kind;
use super::place::Place;
use super::public::{is_mundane, is_number, is_public, is_term, is_upper_hex_id};
use super::reference::{repeats_name, stands_for};
use super::vocabulary::{FUNCTION_WORDS, SWITCHING};

/// What a value looks like; the later, the more like a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Looks {
    /// Says where a secret is, or stands in for one: `$TOKEN`, `<token>`, `your-key`, `/run/key`.
    Reference,
    /// A state, a type, a variable: `required`, `string`, `rawToken`.
    Name,
    /// One word, or a number: `winter`.
    Word,
    /// Some words that make no sentence: `correct horse battery staple`.
    Phrase,
    /// More than a word, as a person would choose it: `hunter2`, `Winter!`.
    Chosen,
    /// Long and mixed.
    Generated,
    /// Long and mixed, with nothing inside that lists, paths and identifiers have.
    Opaque,
}

/// What `value` looks like under its name, in its place.
pub(super) fn of(value: &str, named: Named<'_>) -> Looks {
    // Prose has its stars around words, and asks.
    let value = match named.place {
        Place::Prose => value.trim_end_matches(['*', '?']),
        _ => value,
    };
    if stands_for(value) || !value.chars().any(char::is_alphanumeric) || repeats_name(value, named)
    {
        return Looks::Reference;
    }
    if value.contains(char::is_whitespace) {
        return several_words(value, named);
    }
    if is_name(value, named) {
        Looks::Name
    } else if is_opaque(value) {
        Looks::Opaque
    } else if is_generated(value) {
        Looks::Generated
    } else if has_mixture(value) {
        Looks::Chosen
    } else {
        Looks::Word
    }
}

/// Whether one word, in its place, is a state, a type, a variable, or public.
fn is_name(value: &str, named: Named<'_>) -> bool {
    let Named { kind, place, .. } = named;
    let exact = place == Place::Shell && named.is_constant();
    if is_switch(value)
        || !exact && is_state_word(value)
        || is_public(value, kind)
        || is_number(value) && is_count(value, named)
        || named.identifier.starts_with("Token") && value.starts_with('#')
        || kind == Kind::Vague && (is_mundane(value) || is_wordy(value))
        || !named.quoted && is_code(value, named)
    {
        return true;
    }
    match place {
        Place::Shell | Place::Literal => false,
        Place::Setting | Place::Assigned => {
            is_participle(value) || is_term(value) || is_type(value, named)
        }
        Place::Code => {
            kind != Kind::Password && (is_mundane(value) || is_number(value))
                || value.len() < 8
                    && !matches!(kind, Kind::Password | Kind::Secret)
                    && !named.is_constant()
        }
        Place::Prose => {
            let least = if kind == Kind::Password { 5 } else { 6 };
            value.len() < least
                || is_number(value)
                || !named.quoted && is_mundane(value)
                || kind == Kind::Token && is_upper_hex_id(value)
                || is_pair(value)
                || ["=\"", "](", "\\"].iter().any(|part| value.contains(part))
        }
        Place::Argument => {
            !named.quoted
                || value.len() < 6
                || value.starts_with('-')
                || is_number(value)
                || is_mundane(value)
                || is_constant(value)
                || ["Key", "Token", "Secret", "Password"]
                    .iter()
                    .any(|end| value.ends_with(end))
        }
    }
}

/// A number that counts or switches something: `REQUIRE_PASSWORD=1`, `token: 3`.
fn is_count(value: &str, named: Named<'_>) -> bool {
    let first = named
        .identifier
        .split(['_', '-'])
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    if value.len() == 1 && SWITCHING.contains(&first.as_str()) {
        return true;
    }
    let assigned = named.place == Place::Assigned;
    !named.quoted
        && named.kind != Kind::Password
        && (value.len() < 4 || assigned && value.len() < 5)
        && (assigned || !named.is_constant())
}

/// Another name and its value: `guifg=#0a0b0c`.
fn is_pair(value: &str) -> bool {
    value.split_once('=').is_some_and(|(name, rest)| {
        name.len() >= 2
            && name.bytes().all(|b| b.is_ascii_lowercase())
            && !rest.trim_start_matches('=').is_empty()
    })
}

/// A word that ends as states do: `expired`, `pending`, `unavailable`.
fn is_participle(value: &str) -> bool {
    value.len() >= 6
        && value.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
        && !value.bytes().skip(1).any(|b| b.is_ascii_uppercase())
        && ["ed", "ing", "able", "ible"]
            .iter()
            .any(|end| value.ends_with(end))
}

/// The name of a type, as a field called `token` has it: `token: Address`.
fn is_type(value: &str, named: Named<'_>) -> bool {
    const LETTERS: Class = Class::of("A-Za-z");
    let word = value.trim_end_matches(|c: char| c.is_ascii_digit());
    named.kind != Kind::Password
        && !named.identifier.contains(['_', '-'])
        && value.starts_with(|c: char| c.is_ascii_uppercase())
        && LETTERS.covers(word)
        && (4..=12).contains(&word.len())
}

/// Several words: a sentence or a label tells of secrets, other words may be one.
fn several_words(value: &str, named: Named<'_>) -> Looks {
    if value.contains('\n') {
        return Looks::Reference;
    }
    let words: Vec<&str> = value.split_whitespace().collect();
    let lower = value.to_ascii_lowercase();
    let function = words
        .iter()
        .any(|word| FUNCTION_WORDS.contains(&word.to_ascii_lowercase().as_str()));
    let capital = value.starts_with(char::is_uppercase);
    let capitals = words
        .iter()
        .all(|word| word.starts_with(char::is_uppercase));
    let plain = value
        .chars()
        .all(|c| c.is_alphabetic() || " '-".contains(c));
    let label = plain && capital && !(capitals && words.len() >= 3);
    let stop = value.ends_with(['.', '!', '?', '…', ':']);
    let sentence = function && (capital || stop || words.len() >= 5 || !plain);
    let tells = TELLING.iter().any(|word| lower.contains(word))
        || words.iter().any(|word| word.eq_ignore_ascii_case("key"));
    let exact = named.place == Place::Shell && named.is_constant();
    let points = words.iter().any(|word| stands_for(word));
    if tells || points || !exact && (sentence || label) {
        return Looks::Reference;
    }
    let passphrase = (4..=12).contains(&words.len())
        && value.bytes().all(|b| b.is_ascii_lowercase() || b == b' ');
    if passphrase && named.kind == Kind::Password && named.quoted && !function {
        Looks::Chosen
    } else {
        Looks::Phrase
    }
}

/// Parts of words with which a text tells of a secret rather than being one.
const TELLING: &[&str] = &[
    "password",
    "passwort",
    "token",
    "secret",
    "keys",
    "required",
    "must",
    "invalid",
    "forgot",
    "--",
    "${",
    "$(",
    "mot de passe",
    "contraseña",
    "senha",
];

/// Letters, digits and symbols that no single word has together.
pub(super) fn has_mixture(value: &str) -> bool {
    let digit = value.bytes().any(|b| b.is_ascii_digit());
    let letter = value.chars().any(char::is_alphabetic);
    let symbol = value
        .chars()
        .any(|c| c.is_ascii_punctuation() && !"-_.,'/:".contains(c));
    digit && letter
        || (symbol && letter && value.len() >= 8 && !value.contains(['(', '<', '=']))
        || (digit && value.len() >= 6)
        || (symbol && digit)
}

fn is_generated(value: &str) -> bool {
    value.len() >= 12
        && value.bytes().any(|b| b.is_ascii_digit())
        && value.chars().any(char::is_alphabetic)
        && entropy::shannon(value) >= 3.0
}

fn is_opaque(value: &str) -> bool {
    const OPAQUE: Class = Class::of("A-Za-z0-9+/=_");
    let path = value.contains('/')
        && !value.contains(['+', '='])
        && !value.bytes().any(|b| b.is_ascii_uppercase());
    OPAQUE.covers(value) && !path && !is_upper_hex_id(value) && entropy::is_opaque(value)
}

/// Words of lower-case letters, as names of resources are: `db-creds:latest`, `login.title`.
fn is_wordy(value: &str) -> bool {
    value
        .bytes()
        .all(|b| b.is_ascii_lowercase() || b"-_:./".contains(&b))
}

//! What a value looks like, from a word to what only a machine makes.

use super::entropy;
use super::public::is_upper_hex_id;
use super::reference::stands_for;
use crate::redact::lex::class::Class;
use crate::redact::lex::vocabulary::FUNCTION_WORDS;

/// What a value looks like; the later, the more like a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Looks {
    /// One word, or a number: `winter`.
    Word,
    /// Several words: `blue dragon 42`.
    Phrase,
    /// Some words that make no sentence: `correct horse battery staple`.
    Passphrase,
    /// More than a word, as a person would choose it: `hunter2`, `Winter!`.
    Chosen,
    /// Long and mixed.
    Generated,
    /// Long and mixed, with nothing inside that lists, paths and identifiers have.
    Opaque,
}

/// What `value` looks like, whatever its name and its place.
pub(crate) fn of(value: &str) -> Looks {
    if value.contains(char::is_whitespace) {
        if is_passphrase(value) {
            Looks::Passphrase
        } else {
            Looks::Phrase
        }
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

fn is_passphrase(value: &str) -> bool {
    (4..=12).contains(&value.split_whitespace().count())
        && value.bytes().all(|b| b.is_ascii_lowercase() || b == b' ')
        && !holds_function_word(value)
}

fn holds_function_word(value: &str) -> bool {
    value
        .split_whitespace()
        .any(|word| FUNCTION_WORDS.contains(&word.to_ascii_lowercase().as_str()))
}

/// Words that tell of a secret, or say where one is.
pub(crate) fn tells_of_secret(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut words = value.split_whitespace();
    TELLING.iter().any(|word| lower.contains(word))
        || words.any(|word| word.eq_ignore_ascii_case("key") || stands_for(word))
}

/// Words that make a sentence or a label.
pub(crate) fn is_sentence_or_label(value: &str) -> bool {
    let words = || value.split_whitespace();
    let function = holds_function_word(value);
    let capital = value.starts_with(char::is_uppercase);
    let capitals = words().all(|word| word.starts_with(char::is_uppercase));
    let plain = value
        .chars()
        .all(|c| c.is_alphabetic() || " '-".contains(c));
    let label = plain && capital && !(capitals && words().count() >= 3);
    let stop = value.ends_with(['.', '!', '?', '…', ':']);
    label || function && (capital || stop || words().count() >= 5 || !plain)
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

/// Another name and its value: `guifg=#0a0b0c`.
pub(crate) fn is_pair(value: &str) -> bool {
    value.split_once('=').is_some_and(|(name, rest)| {
        name.len() >= 2
            && name.bytes().all(|b| b.is_ascii_lowercase())
            && !rest.trim_start_matches('=').is_empty()
    })
}

/// A word that ends as states do: `expired`, `pending`, `unavailable`.
pub(crate) fn is_participle(value: &str) -> bool {
    value.len() >= 6
        && value.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-')
        && !value.bytes().skip(1).any(|b| b.is_ascii_uppercase())
        && ["ed", "ing", "able", "ible"]
            .iter()
            .any(|end| value.ends_with(end))
}

/// A capital and letters, as types are called: `Address`, `Claims2`.
pub(crate) fn is_type_name(value: &str) -> bool {
    const LETTERS: Class = Class::of("A-Za-z");
    let word = value.trim_end_matches(|c: char| c.is_ascii_digit());
    value.starts_with(|c: char| c.is_ascii_uppercase())
        && LETTERS.covers(word)
        && (4..=12).contains(&word.len())
}

/// Letters, digits and symbols that no single word has together.
pub(crate) fn has_mixture(value: &str) -> bool {
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

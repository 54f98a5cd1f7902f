//! Bare words that code has in place of a value: calls, members, types, variables, states.

use super::entropy;
use super::public::is_selector;
use crate::redact::lex::class::{Class, DIGIT, WORD};
use crate::redact::lex::identifier::words;
use crate::redact::lex::vocabulary::{
    CODE_ROOTS, CODE_WORDS, NAME_STEMS, NAME_WORDS, STATES, SWITCHES,
};

/// Whether `value` is a word of [`STATES`], in any case.
pub(crate) fn is_state_word(value: &str) -> bool {
    STATES.iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// Whether `value` switches something on or off, or says that there is none.
pub(crate) fn is_switch(value: &str) -> bool {
    SWITCHES.iter().any(|word| word.eq_ignore_ascii_case(value))
}

/// Whether `value` is code where it stands without quotes in no particular place.
pub(crate) fn is_bare_code(value: &str) -> bool {
    is_expression(value)
        || is_state_word(value)
        || is_member(value)
        || is_telling_variable(value)
        || is_typed_number(value)
        || is_constant(value)
}

/// A call, an index, a pointer, a path of a namespace.
pub(crate) fn is_expression(value: &str) -> bool {
    const PATH: Class = Class::of("A-Za-z0-9_$.?!:-");
    let bytes = value.as_bytes();
    let starts_name = bytes
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || b"_&*!@($".contains(b));
    let name = PATH.run_end(
        bytes,
        usize::from(matches!(bytes.first(), Some(b'&' | b'*' | b'!'))),
    );
    let called = bytes.get(name).is_some_and(|b| b"([{<".contains(b));
    // `*mut Password`, `&secret`.
    let pointer = matches!(bytes, [b'*' | b'&', next, ..] if next.is_ascii_alphabetic())
        && !value.bytes().any(|b| b.is_ascii_digit());
    starts_name && called
        || pointer
        || matches!(bytes.first(), Some(b'{' | b'[' | b'(' | b'|' | b'>'))
        || value.contains("::")
        || value.ends_with("?;")
}

/// A number with its type, or a short one in hexadecimal: `212u16`, `0x02`.
pub(crate) fn is_typed_number(value: &str) -> bool {
    const TYPES: &[&str] = &[
        "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize",
    ];
    let typed = TYPES.iter().filter_map(|kind| value.strip_suffix(kind));
    is_selector(value) || typed.into_iter().any(|number| DIGIT.covers(number))
}

/// The name of a constant: `VIRTUAL_KEY_2`, in upper case, with few digits.
pub(crate) fn is_constant(value: &str) -> bool {
    const CONSTANT: Class = Class::of("A-Z0-9_");
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    CONSTANT.covers(value) && value.contains('_') && digits * 4 <= value.len()
}

/// `config.apiKey`, `os.environ`, `this.token`, `settings.API_KEY`.
pub(crate) fn is_member(value: &str) -> bool {
    let mut parts = value.split('.');
    let identifier = |part: &str| {
        let part = part.trim_end_matches(['?', '!', ';', ',']);
        // Digits end a word of an identifier; `Pa55w` has them inside.
        let mut pairs = part.as_bytes().windows(2);
        let letter = part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let inside =
            |pair: &[u8]| matches!(pair, [a, b] if a.is_ascii_digit() && b.is_ascii_alphabetic());
        // `tuple.0`, `ed25519.Ed25519PrivateKey`.
        let known = part.len() == 1 && DIGIT.covers(part)
            || ["Key", "Token", "Secret"].iter().any(|w| part.contains(w));
        known || letter && WORD.covers(part) && !pairs.any(inside)
    };
    value.contains('.')
        && parts.all(|part| identifier(part) && part.len() <= 40)
        && !value
            .split('.')
            .any(|part| part.len() >= 16 && entropy::is_opaque(part))
}

/// A member of what programs keep settings in, or one that speaks of a secret.
pub(crate) fn is_rooted_member(value: &str) -> bool {
    let root = value.split(['.', '?', '!']).next().unwrap_or_default();
    is_member(value) && (CODE_ROOTS.contains(&root) || mentions_name(value))
}

/// The name of a constant that speaks of a secret: `API_KEY_NAME`.
pub(crate) fn is_telling_constant(value: &str) -> bool {
    is_constant(value) && mentions_name(value)
}

/// `accessToken`, `passwordSchema`, `DbPassword`, `hashed_password`: no digits, and a name's stem.
pub(crate) fn is_telling_variable(value: &str) -> bool {
    const VARIABLE: Class = Class::of("A-Za-z_");
    let humps = value
        .bytes()
        .skip(1)
        .any(|b| b.is_ascii_uppercase() || b == b'_')
        || value.bytes().next().is_some_and(|b| b.is_ascii_uppercase());
    VARIABLE.covers(value)
        && humps
        && value.bytes().any(|b| b.is_ascii_lowercase())
        && mentions_name(value)
}

/// A variable with no words in its name but those of code and of secrets: `accessToken`, where
/// `winterToken` may be chosen.
pub(crate) fn is_plain_variable(value: &str) -> bool {
    let mut words = words(value);
    is_telling_variable(value)
        && words.all(|word| {
            let word = word.to_ascii_lowercase();
            [NAME_WORDS, CODE_WORDS, CODE_ROOTS, NAME_STEMS]
                .iter()
                .any(|list| list.contains(&word.as_str()))
        })
}

fn mentions_name(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    NAME_STEMS.iter().any(|stem| lower.contains(stem))
}

/// Variables that hold anything: `value`, `raw_input`, `response`.
pub(crate) fn is_common_variable(value: &str) -> bool {
    WORD.covers(value)
        && !value.bytes().any(|b| b.is_ascii_digit())
        && value
            .split('_')
            .any(|word| CODE_WORDS.contains(&word.to_ascii_lowercase().as_str()))
}

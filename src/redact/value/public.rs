//! Values that a machine made, or that count or name something, and that open nothing.

use crate::redact::lex::class::{Class, DIGIT, HEX};
use crate::redact::lex::vocabulary::TERMS;

/// The name of an algorithm or format, which notes tell of a secret: `password: argon2id`.
pub(crate) fn is_term(value: &str) -> bool {
    TERMS.contains(&value.to_ascii_lowercase().as_str())
}

/// A version or a range of versions: `1.2.3`, `v1.2`, `^4.0.0`, `>=1.2`.
pub(crate) fn is_release(value: &str) -> bool {
    let digits = value.trim_start_matches(['v', 'V', '^', '~', '>', '<', '=']);
    let marked = digits.len() < value.len();
    !digits.is_empty() && is_number(digits) && (marked || digits.matches('.').count() >= 2)
}

/// Bytes with colons between them, or the long id of a key.
pub(crate) fn is_fingerprint(value: &str) -> bool {
    let pairs = value.len() >= 23
        && value
            .split(':')
            .all(|pair| pair.len() == 2 && HEX.covers(pair));
    let id = value.strip_prefix("0x").unwrap_or(value);
    pairs || is_upper_hex_id(id) && id.len() < value.len()
}

/// 16 or 40 upper-case hexadecimal digits, as keys of OpenPGP are called.
pub(crate) fn is_upper_hex_id(value: &str) -> bool {
    const UPPER_HEX: Class = Class::of("0-9A-F");
    matches!(value.len(), 16 | 40) && UPPER_HEX.covers(value)
}

/// `0x` and 40 hexadecimal digits: the address of a contract, which many call a token.
pub(crate) fn is_ledger_address(value: &str) -> bool {
    value.len() == 42 && value.starts_with("0x")
}

/// A short number in hexadecimal: `0x02`, `0xe7897444`.
pub(crate) fn is_selector(value: &str) -> bool {
    value
        .strip_prefix("0x")
        .is_some_and(|digits| digits.len() <= 8)
}

/// `RICH_MARKUP_MODE`: the name of a variable or a constant.
pub(crate) fn is_variable_name(value: &str) -> bool {
    const NAME: Class = Class::of("A-Z_");
    NAME.covers(value) && value.matches('_').count() >= 2
}

pub(crate) fn is_number(value: &str) -> bool {
    value
        .bytes()
        .all(|b| b.is_ascii_digit() || b".,:-%".contains(&b))
}

/// Whether `word` is something that prose puts after a secret's name without telling it: an
/// algorithm, a version, a ticket, a measure, a name from code.
pub(crate) fn is_mundane(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    if TERMS.contains(&lower.as_str()) || lower.starts_with("cve-") {
        return true;
    }
    let bytes = word.as_bytes();
    let upper = word.bytes().any(|b| b.is_ascii_uppercase());
    let version = word
        .trim_start_matches(['v', 'V'])
        .split_once('.')
        .is_some_and(|(major, _)| is_digits(major));
    let measure = {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let unit = word.get(digits..).unwrap_or_default();
        digits > 0 && unit.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') && unit.len() <= 12
    };
    let ticket = word
        .rsplit_once(['-', '#'])
        .is_some_and(|(project, number)| {
            is_digits(number) && project.bytes().all(|b| b.is_ascii_uppercase())
        });
    // `glib-2.0`, `python3-apt-2.9`.
    let release = word.rsplit_once('-').is_some_and(|(name, number)| {
        number.split('.').all(is_digits)
            && number.contains('.')
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    });
    let snake = word.contains('_')
        && !upper
        && bytes
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || b"_.:".contains(b));
    version || measure || ticket || release || snake
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && DIGIT.covers(text)
}

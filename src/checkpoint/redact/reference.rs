//! Values that name, describe or stand in for a secret without being one.

use super::class::{Class, DIGIT, HEX, WORD};
use super::vocabulary::{EXTENSIONS, NAME_WORDS, STAND_INS, STATES, STORES};

/// Whether `value` stands for a secret that is kept elsewhere, or for none.
pub(super) fn is_reference(value: &str, quoted: bool) -> bool {
    is_empty(value)
        || is_expansion(value)
        || is_pattern(value)
        || is_colour(value)
        || is_stand_in(value)
        || is_address(value)
        || is_path(value)
        || repeats_name(value)
        || (!quoted && is_code(value))
}

/// Whether `value` is a word of [`STATES`], in any case.
pub(super) fn is_state_word(value: &str) -> bool {
    STATES.iter().any(|word| word.eq_ignore_ascii_case(value))
}

fn is_empty(value: &str) -> bool {
    !value.chars().any(char::is_alphanumeric)
}

/// `$X`, `${X}`, `$(cmd)`, `%X%`, `%s`, `{{ x }}`, `{x}`, `<x>`, `#{x}`, `:param`, `@file`, `!Ref`.
fn is_expansion(value: &str) -> bool {
    let bytes = value.as_bytes();
    let second = bytes.get(1).copied().unwrap_or(b' ');
    let names = second.is_ascii_alphabetic() || second == b'_';
    match bytes.first() {
        Some(b'$') if names || second == b'{' || second == b'(' || second == b'[' => {
            // `$ecret$auce` and `$2b$…` begin like a variable but go on.
            let name = WORD.run_end(bytes, 1);
            second == b'{'
                || second == b'('
                || second == b'['
                || bytes
                    .get(name)
                    .is_none_or(|b| b"/.:-[>\"'),} ?".contains(b))
                || value.contains("->")
        }
        Some(b'$') if second.is_ascii_digit() && bytes.len() == 2 => true,
        Some(b'%') if value.len() > 2 && value.ends_with('%') => {
            WORD.covers(value.trim_matches('%'))
        }
        Some(b'%') => value.len() <= 3 || second == b'(',
        Some(b'<') => value.contains('>') || value.starts_with("<%") || bytes.len() < 3,
        Some(b'{') => {
            value.starts_with("{{")
                || value.ends_with('}')
                || WORD.covers(value.trim_start_matches('{'))
        }
        Some(b'[') => value.ends_with(']') || WORD.covers(value.trim_start_matches('[')),
        Some(b'#') => second == b'{',
        Some(b':') => {
            WORD.covers(value.trim_start_matches(':')) && !value.bytes().any(|b| b.is_ascii_digit())
        }
        Some(b'!') => names && !value.bytes().any(|b| b.is_ascii_digit()),
        Some(b'@') => {
            second == b'/' || second == b'.' || value.contains("env") || value.contains(".txt")
        }
        _ => {
            let template = ["${", "{{", "#{"].iter().any(|part| value.contains(part));
            value.contains("$(") || template && value.contains('}')
        }
    }
}

/// A regular expression, which describes secrets: `ghp_[A-Za-z0-9]{36}`, `\S+`, `.*`.
fn is_pattern(value: &str) -> bool {
    const PARTS: &[&str] = &[
        "[A-Z", "[a-z", "[0-9", "[^", "(?", "(.*", "(.+", "\\S+", "\\S*", "\\w+", "\\w*", "\\d+",
        "\\d{", "\\s*", "\\s+",
    ];
    value.ends_with(".*") || value.ends_with(".+") || PARTS.iter().any(|part| value.contains(part))
}

/// `#f8f8f2`: the colour that styles give to tokens.
fn is_colour(value: &str) -> bool {
    value
        .strip_prefix('#')
        .is_some_and(|digits| matches!(digits.len(), 3 | 6 | 8) && HEX.covers(digits))
}

fn is_stand_in(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    if STAND_INS.iter().any(|part| lower.contains(part)) {
        return true;
    }
    let letters = value.trim_matches(|c: char| !c.is_alphanumeric());
    let mut chars = letters.chars();
    let first = chars.next();
    // `xxx`, `XXXX-XXXX`, `aaaaaaaa`.
    let repeated = letters.len() >= 3
        && letters
            .chars()
            .filter(|c| c.is_alphanumeric())
            .all(|c| Some(c) == first);
    // `YOUR_KEY`, `TOKEN`, `IDENT`.
    const CONSTANT: Class = Class::of("A-Z_-");
    repeated || (letters.len() >= 2 && letters.len() <= 24 && CONSTANT.covers(letters))
}

/// `op://vault/item`, `vault:secret/x`, `https://…`: credentials in these are found as such.
fn is_address(value: &str) -> bool {
    const SCHEME: Class = Class::of("A-Za-z0-9+.-");
    let scheme = SCHEME.run_end(value.as_bytes(), 0);
    let web = scheme > 1
        && value
            .get(scheme..)
            .is_some_and(|rest| rest.starts_with("://"));
    web || STORES.iter().any(|store| value.starts_with(store))
}

/// A path or a file name: `/run/secrets/x`, `~/.ssh/id`, `keys/release.pem`, `secret.json`.
fn is_path(value: &str) -> bool {
    let windows = value.as_bytes().get(1..3) == Some(b":\\");
    if [
        "~/", "./", "../", "\\\\", "/run/", "/etc/", "/var/", "/home/", "/tmp/", "/dev/", "/usr/",
        "/opt/", "/Users/",
    ]
    .iter()
    .any(|start| value.starts_with(start))
        || windows
    {
        return true;
    }
    if let Some((stem, extension)) = value.rsplit_once('.')
        && EXTENSIONS.contains(&extension)
        && !stem.is_empty()
        && stem
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._-/~*".contains(&b))
    {
        return true;
    }
    // Segments of lower-case words; Base64 holds slashes too, but not only such words between them.
    const SEGMENT: Class = Class::of("a-z0-9._@:{}*-");
    value.contains('/')
        && value.split('/').all(|segment| {
            SEGMENT.covers(segment)
                && segment.bytes().filter(u8::is_ascii_digit).count() * 3 <= segment.len()
        })
}

/// `password`, `Token`, `new password`, `api_key`, `<your token>`.
fn repeats_name(value: &str) -> bool {
    let mut words = value
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek().is_some()
        && words.all(|word| {
            NAME_WORDS
                .iter()
                .any(|known| known.eq_ignore_ascii_case(word))
        })
}

/// Unquoted code: a call, an index, a member, a type, a variable whose name tells what it holds.
fn is_code(value: &str) -> bool {
    let bytes = value.as_bytes();
    const PATH: Class = Class::of("A-Za-z0-9_$.?!:-");
    let starts_name = bytes
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || b"_&*!@($".contains(b));
    let name = PATH.run_end(
        bytes,
        usize::from(matches!(bytes.first(), Some(b'&' | b'*' | b'!'))),
    );
    let called = bytes.get(name).is_some_and(|b| b"([{<".contains(b));
    // `*mut Password`, `&secret`.
    let pointer = matches!(bytes, [b'*' | b'&', next, ..] if next.is_ascii_alphabetic());
    if starts_name && called
        || pointer
        || is_state_word(value)
        || matches!(bytes.first(), Some(b'{' | b'[' | b'(' | b'&' | b'|' | b'>'))
    {
        return true;
    }
    is_member(value)
        || is_telling_variable(value)
        || is_number(value)
        || is_constant(value)
        || value.contains("::")
        || value.ends_with("?;")
}

/// A number with its type, or a short one in hexadecimal: `212u16`, `0x02`.
fn is_number(value: &str) -> bool {
    const TYPES: &[&str] = &[
        "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize",
    ];
    let typed = TYPES.iter().filter_map(|kind| value.strip_suffix(kind));
    let hexadecimal = value
        .strip_prefix("0x")
        .is_some_and(|digits| digits.len() <= 8);
    hexadecimal || typed.into_iter().any(|number| DIGIT.covers(number))
}

/// The name of a constant: `VIRTUAL_KEY_2`, in upper case, with few digits.
fn is_constant(value: &str) -> bool {
    const CONSTANT: Class = Class::of("A-Z0-9_");
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    CONSTANT.covers(value) && value.contains('_') && digits * 4 <= value.len()
}

/// `config.apiKey`, `os.environ`, `this.token`, `settings.API_KEY`.
fn is_member(value: &str) -> bool {
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
        && !entropic(value)
}

/// `accessToken`, `passwordSchema`, `DbPassword`, `hashed_password`: no digits, and a name's stem.
fn is_telling_variable(value: &str) -> bool {
    const VARIABLE: Class = Class::of("A-Za-z_");
    let lower = value.to_ascii_lowercase();
    let humps = value
        .bytes()
        .skip(1)
        .any(|b| b.is_ascii_uppercase() || b == b'_')
        || value.bytes().next().is_some_and(|b| b.is_ascii_uppercase());
    VARIABLE.covers(value)
        && humps
        && [
            "password", "passwd", "token", "secret", "key", "cred", "auth", "string", "schema",
        ]
        .iter()
        .any(|stem| lower.contains(stem))
}

fn entropic(value: &str) -> bool {
    value
        .split('.')
        .any(|part| part.len() >= 16 && super::entropy::is_opaque(part))
}

//! Values that name, describe or stand in for a secret without being one, in any place.

use super::code;
use crate::redact::lex::class::{Class, WORD};
use crate::redact::lex::reach;
use crate::redact::lex::vocabulary::{EXTENSIONS, NAME_WORDS, PLACEHOLDERS, STORES};

/// What it costs to look a value up in lists of words, in bytes looked at.
const LISTS: usize = 128;

/// Patterns that are searched for in all of a value.
const PATTERNS: usize = 8;

/// Whether `value`, which stands in no particular place, is no secret itself.
pub(crate) fn is_reference(value: &str, quoted: bool) -> bool {
    !value.chars().any(char::is_alphanumeric)
        || stands_for(value)
        || is_of_name_words(value)
        || (!quoted && code::is_bare_code(value))
}

/// Whether `value` says where a secret is, or is written in place of one.
pub(crate) fn stands_for(value: &str) -> bool {
    reach::spend(LISTS + value.len() * PATTERNS);
    value.starts_with("-----")
        || is_expansion(value)
        || is_pattern(value)
        || is_placeholder(value)
        || is_address(value)
        || is_path(value)
        || is_rule(value)
        || READERS.iter().any(|reader| value.starts_with(reader))
}

#[rustfmt::skip] // A list reads by the line.
/// What code reads the environment or a sealed value with.
const READERS: &[&str] = &[
    "process.env", "import.meta.env", "os.environ", "os.getenv(", "os.Getenv(", "System.getenv",
    "Deno.env", "Bun.env", "std::env", "ENV[", "ENV.fetch", "env(", "getenv(", "ENC[",
    "Environment.Get",
];

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
            WORD.covers(value.trim_matches('%')) || value.starts_with("%env(")
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
        "\\d{", "\\s*", "\\s+", "A-Za-z", "a-zA-Z", "a-z0-9", "0-9a-",
    ];
    [".*", ".+"]
        .iter()
        .any(|any| value.starts_with(any) || value.ends_with(any))
        || PARTS.iter().any(|part| value.contains(part))
}

/// What a value has to be, as frameworks have it: `required|min:8`, `nullable|string`.
fn is_rule(value: &str) -> bool {
    value
        .split_once('|')
        .is_some_and(|(first, _)| code::is_state_word(first))
}

/// What documentation writes in place of a secret: `your-api-key`, `xxxx`, `sk-...`, `<…>`.
fn is_placeholder(value: &str) -> bool {
    let rest = masked(value);
    if rest.len() < value.len() {
        // A mask with a prefix, or with the last digits, as consoles show keys.
        return rest.chars().filter(|c| c.is_alphanumeric()).count() <= 12;
    }
    if value.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    let lower = value.to_ascii_lowercase();
    let words = || {
        lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
    };
    let known = |word: &str| PLACEHOLDERS.contains(&word);
    words().any(|word| word == "your")
        || words().count() > 1
            && words().any(known)
            && words().all(|word| known(word) || NAME_WORDS.contains(&word))
        || matches!(
            lower.as_str(),
            "todo" | "tbd" | "fixme" | "placeholder" | "redacted"
        )
}

/// `value` without its masks: runs of three or more of `x`, `*`, `.` or `•`, and ellipses.
fn masked(value: &str) -> String {
    let mut rest = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let mut run = 1;
        while chars.peek() == Some(&c) {
            chars.next();
            run += 1;
        }
        let mask = matches!(c, 'x' | 'X' | '*' | '.' | '•') && run >= 3 || c == '…';
        if !mask {
            rest.extend(std::iter::repeat_n(c, run));
        }
    }
    rest
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
    let windows = value.as_bytes().get(1..3) == Some(b":\\")
        || value.matches('\\').count() >= 3 && !value.bytes().any(|b| b.is_ascii_digit());
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
    // The scope of a signature, with which the access key's name stands.
    if value.ends_with("/aws4_request") {
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
    // `git@h.example/a` is an address, `p@ss/word` is not.
    let address = !value.contains('@') || value.contains('.');
    value.contains('/')
        && address
        && value.split('/').all(|segment| {
            SEGMENT.covers(segment)
                && segment.bytes().filter(u8::is_ascii_digit).count() * 3 <= segment.len()
        })
}

/// `password`, `Token`, `new password`, `api_key`.
pub(crate) fn is_of_name_words(value: &str) -> bool {
    let mut words = value
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek().is_some()
        && words.all(|word| {
            let word = word.to_lowercase();
            NAME_WORDS.contains(&word.as_str())
        })
}

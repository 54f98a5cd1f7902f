//! Finds names in a text, and what kind of name each is there.

use super::class::WORD;
use super::link::Name;
use super::name::{self, Kind};

/// Three letters of every ASCII name that [`name::classify`] knows; a text with none has no name.
pub(super) const STEMS: &[&str] = &[
    "key", "tok", "pas", "bea", "pwd", "psw", "wor", "sec", "cre", "aut", "coo", "pat", "psk",
    "jwt", "sid", "ses", "otp", "pep", "sal", "sen", "wac", "slo", "lsz", "rol", "mdp", "mne",
    "cla", "kod", "-art-", " pw", "_pw", "-pw", ".pw", "pw:", "pw=", "pw ", "\"pw",
];

/// Most bytes looked at before a name.
const NEAR: usize = 64;

/// Words after which `pass` is a password, and not what tests do.
const QUALIFIERS: &[&str] = &[
    "admin", "app", "database", "db", "ftp", "login", "mail", "master", "root", "smtp", "ssh",
    "sudo", "temp", "user", "wifi",
];

/// The first identifier at or after `from`: words joined by `_`, `-` and `.`.
pub(super) fn next_identifier(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_word = |at: usize| -> usize {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii() => usize::from(WORD.has(*byte)),
            Some(_) => {
                let c = text.get(at..).and_then(|rest| rest.chars().next());
                c.filter(|c| c.is_alphanumeric()).map_or(0, char::len_utf8)
            }
            None => 0,
        }
    };
    let mut start = from;
    while is_word(start) == 0 {
        bytes.get(start)?;
        start += 1;
    }
    let mut end = start;
    loop {
        let length = is_word(end);
        if length > 0 {
            end += length;
        } else if matches!(bytes.get(end), Some(b'-' | b'.')) && is_word(end + 1) > 0 {
            end += 1;
        } else {
            return Some((start, end));
        }
    }
}

/// The kind of the name, with the word before it where prose writes a name as two words.
pub(super) fn kind_in_text(text: &str, identifier: &str, start: usize) -> Option<Kind> {
    let kind = name::classify(identifier)?;
    if identifier == "KEY" {
        return Some(Kind::Vague);
    }
    if kind == Kind::Vague && is_of_login(text, identifier, start) {
        return Some(Kind::Password);
    }
    let single = !identifier.contains(['_', '-', '.']);
    if !single || !matches!(kind, Kind::Weak | Kind::Token) {
        return Some(kind);
    }
    let before = text.get(..start).unwrap_or_default();
    let Some(before) = before.strip_suffix(' ') else {
        return Some(kind);
    };
    let word = before
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    name::classify(&format!("{word}_{identifier}")).map(|joined| match joined {
        Kind::Token if kind == Kind::Weak && !name::is_telling_key(&word.to_ascii_lowercase()) => {
            kind
        }
        joined => joined,
    })
}

/// Whether `pw` or `pass` is a login's: `root pw`, `user=bob&pass=word`.
fn is_of_login(text: &str, identifier: &str, start: usize) -> bool {
    let near = text.ceil_char_boundary(start.saturating_sub(NEAR));
    let line = text.get(near..start).unwrap_or_default();
    let line = line.rsplit('\n').next().unwrap_or_default();
    let before = line
        .trim_end()
        .rsplit(|c: char| !c.is_alphanumeric())
        .next();
    let lower = line.to_ascii_lowercase();
    let user = ["user", "login", "email"]
        .iter()
        .any(|word| lower.contains(word));
    match identifier {
        "pw" | "PW" => true,
        "pass" => before.is_some_and(|word| QUALIFIERS.contains(&word)) || user,
        _ => false,
    }
}

pub(super) fn name_at(text: &str, start: usize, end: usize) -> Name {
    let bytes = text.as_bytes();
    let before = |n: usize| start.checked_sub(n).and_then(|i| bytes.get(i)).copied();
    let dashes = match (before(1), before(2)) {
        (Some(b'-'), Some(b'-')) => 2,
        (Some(b'-'), _) => 1,
        _ => 0,
    };
    let opens = |b: u8| b.is_ascii_whitespace() || b"\"'`([,".contains(&b);
    let dashes = if before(dashes + 1).is_none_or(opens) {
        dashes
    } else {
        0
    };
    let quoted = matches!(before(1), Some(b'"' | b'\''))
        && matches!(bytes.get(end), Some(b'"' | b'\'' | b'\\'));
    let quoted = quoted
        || matches!(
            (before(1), bytes.get(end)),
            (Some(b'#' | b'.' | b'/'), Some(b'"' | b'\''))
        );
    let quoted = quoted || matches!(bytes.get(end), Some(b'"' | b'\''));
    Name {
        start,
        end,
        dashes,
        quoted,
    }
}

//! Sentences that tell a secret: "the db password is X", "token I used: X".

use crate::redact::lex::haystack::Haystack;
use crate::redact::lex::reach;
use crate::redact::lex::vocabulary::{ACCOUNTS, LOGINS, PAGES};
use crate::redact::span::Span;
use crate::redact::value::looks::has_mixture;
use crate::redact::value::public::is_mundane;
use crate::redact::value::reference::is_reference;

const LONGEST_PHRASE: usize = 64;

/// Most bytes of a login on either side of its separator.
const LONGEST_LOGIN: usize = 128;

/// Adds the passwords of logins that a note writes as `user/password`.
pub(crate) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
    let text = haystack.text();
    if !ACCOUNTS
        .iter()
        .chain(LOGINS)
        .any(|word| haystack.may_hold(word))
    {
        return;
    }
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let lower = line.to_ascii_lowercase();
        let told = LOGINS.iter().any(|phrase| lower.contains(phrase));
        for (at, separator) in line.match_indices([':', '/']) {
            login(line, at, separator.len(), told)
                .into_iter()
                .for_each(|span| {
                    spans.push(Span {
                        start: offset + span.start,
                        end: offset + span.end,
                    });
                });
        }
        offset += line.len();
    }
}

/// The password of the login whose separator is at `at` of `line`.
fn login(line: &str, at: usize, separator: usize, told: bool) -> Option<Span> {
    let near = line.floor_char_boundary(at.saturating_sub(LONGEST_LOGIN.min(reach::left())));
    let before = line.get(near..at)?;
    reach::spend(before.len());
    let spaced = before.ends_with(' ');
    let word = before.trim_end().rsplit(char::is_whitespace).next()?;
    let user = word.rsplit(|c: char| "\"'`(:/".contains(c)).next()?;
    // `SSO / OAuth2` is a choice.
    let plain = user.bytes().any(|b| b.is_ascii_lowercase())
        && user
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._@-".contains(&b));
    let address = word.contains(['=', '?']) || word.ends_with("//") || word.contains("://");
    let known = told || ACCOUNTS.contains(&user);
    if !plain || !known || address || !(2..=32).contains(&user.len()) {
        return None;
    }
    let rest = line.get(at + separator..)?;
    if rest.starts_with(':') {
        return None;
    }
    let start = at + separator + usize::from(rest.starts_with(' '));
    let rest = line.get(start..line.floor_char_boundary(start + LONGEST_LOGIN))?;
    let password = rest.split(char::is_whitespace).next()?;
    let password = password.trim_end_matches([',', '.', ';', ')', '"', '\'', '`']);
    let symbols = || password.bytes().filter(u8::is_ascii_punctuation);
    let address = password.starts_with('/')
        || password.contains(['=', '{'])
        || password.split_once('@').is_some_and(|(_, host)| {
            host.contains(['.', ':']) || ["", "localhost"].contains(&host)
        })
        || symbols().count() > 0 && symbols().all(|b| b"/.:-".contains(&b));
    let account = ACCOUNTS.contains(&user);
    let chosen = symbols().count() > 0 || told && (spaced || account);
    let sure = chosen && is_strong(password) || account && is_whole_login(before, user, rest);
    (sure && !address && !is_reference(password, false)).then(|| Span {
        start,
        end: start + password.len(),
    })
}

/// Whether `login root/word` is all that a part of a sentence says.
fn is_whole_login(before: &str, user: &str, rest: &str) -> bool {
    let lead = before.strip_suffix(user).unwrap_or_default();
    let lead = lead
        .trim_end_matches([' ', ':', '`', '"', '\''])
        .to_ascii_lowercase();
    let end = rest.find([' ', ',', '.', ';', ')', '\n', '`', '"', '\'']);
    let (word, after) = rest
        .split_at_checked(end.unwrap_or(rest.len()))
        .unwrap_or_default();
    // `root/index.html` and `root/word is broken` go on.
    let ends =
        after.trim_end().is_empty() || !after.starts_with([' ', '.']) || after.starts_with(". ");
    LOGINS.iter().any(|phrase| ends_with_word(&lead, phrase))
        && (4..=12).contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_alphanumeric())
        && ends
        && !PAGES.contains(&word)
}

/// Whether `word`, as a whole, ends `text`.
fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word)
        .is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric()))
}

/// The value that a sentence tells before the name at `start..end`: `use X as the password`.
pub(crate) fn told_before(text: &str, start: usize, end: usize) -> Option<Span> {
    let near = text.ceil_char_boundary(start.saturating_sub(LONGEST_PHRASE));
    reach::spend(LONGEST_PHRASE);
    let mut before = text.get(near..start)?.rsplit('\n').next()?.trim_end();
    // `X is the password hasher` tells of something else.
    let rest = text.get(end..)?;
    let after = rest.trim_start_matches(['"', '\'', '`']);
    let ends = after.len() < rest.len()
        || after.trim_start_matches(' ').is_empty()
        || after.starts_with(['.', ',', ';', ')', '\n', '\r'])
        || [" for ", " of ", " on ", " in "]
            .iter()
            .any(|word| after.starts_with(word));
    for _ in 0..4 {
        let (rest, word) = before.rsplit_once(' ')?;
        before = rest.trim_end();
        if ["as", "is", "ist", "es", "est"].contains(&word) {
            let value = before.rsplit(' ').next()?;
            let bare = value.trim_matches(['"', '\'', '`', ',']);
            let quoted = bare.len() + 2 <= value.len();
            let upper = bare.bytes().any(|b| b.is_ascii_uppercase());
            let chosen = bare.len() >= 6
                && bare.bytes().any(|b| b.is_ascii_digit())
                && has_mixture(bare)
                && (quoted || upper && !is_mundane(bare))
                && !is_reference(bare, false);
            let to = near + text.get(near..start)?.rfind(value)? + value.find(bare)? + bare.len();
            return (ends && chosen).then(|| Span {
                start: to - bare.len(),
                end: to,
            });
        }
        if !word.bytes().all(|b| b.is_ascii_lowercase()) {
            return None;
        }
    }
    None
}

/// Eight characters or more, of both cases and with a digit.
fn is_strong(password: &str) -> bool {
    let has = |test: fn(&u8) -> bool| password.as_bytes().iter().any(test);
    password.len() >= 8
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
}

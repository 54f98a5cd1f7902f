//! Sentences that tell a secret: "the db password is X", "token I used: X".

use super::Span;
use super::class::Class;
use super::haystack::Haystack;
use super::reach;
use super::reference::is_reference;
use super::vocabulary::{ACCOUNTS, CONNECTING, LOGINS, RELATING};

const LONGEST_PHRASE: usize = 64;

/// Most bytes of a login on either side of its separator.
const LONGEST_LOGIN: usize = 128;

/// Adds the passwords of logins that a note writes as `user/password`.
pub(super) fn find(haystack: &Haystack<'_>, spans: &mut Vec<Span>) {
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
    let before = line.get(line.floor_char_boundary(at.saturating_sub(LONGEST_LOGIN))..at)?;
    let spaced = before.ends_with(' ');
    let word = before.trim_end().rsplit(char::is_whitespace).next()?;
    let user = word.rsplit(|c: char| "\"'`(:/".contains(c)).next()?;
    let plain = user
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"._@-".contains(&b));
    let address = word.contains(['=', '?']) || word.ends_with("//") || word.contains("://");
    let known = told || ACCOUNTS.contains(&user);
    if !plain || !known || address || !(2..=32).contains(&user.len()) {
        return None;
    }
    let rest = line.get(at + separator..)?;
    let start = at + separator + usize::from(rest.starts_with(' '));
    let rest = line.get(start..line.floor_char_boundary(start + LONGEST_LOGIN))?;
    let password = rest.split(char::is_whitespace).next()?;
    let password = password.trim_end_matches([',', '.', ';', ')', '"', '\'', '`']);
    let symbols = || password.bytes().filter(u8::is_ascii_punctuation);
    let address = password.starts_with('/')
        || password.contains(['=', '{'])
        || password
            .split_once('@')
            .is_some_and(|(_, host)| host.contains('.') || host.is_empty())
        || symbols().count() > 0 && symbols().all(|b| b"/.:-".contains(&b));
    let chosen = symbols().count() > 0 || told && spaced;
    (chosen && !address && is_strong(password) && !is_reference(password, false)).then(|| Span {
        start,
        end: start + password.len(),
    })
}

/// Eight characters or more, of both cases and with a digit.
fn is_strong(password: &str) -> bool {
    let has = |test: fn(&u8) -> bool| password.as_bytes().iter().any(test);
    password.len() >= 8
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
}

/// Where the value begins that the sentence, which goes on at `at` after a name, may tell.
pub(super) fn value_start(text: &str, at: usize) -> usize {
    let mut at = aside_end(text, at)
        .or_else(|| relative_end(text, at))
        .unwrap_or(at);
    for _ in 0..5 {
        let (word, end) = word_at(text, at);
        let bare = word.trim_end_matches([':', ',']);
        if !CONNECTING
            .iter()
            .any(|known| known.eq_ignore_ascii_case(bare))
        {
            break;
        }
        let next = blank_end(text, end);
        if next == end {
            break;
        }
        at = next;
    }
    let rest = text.get(at..).unwrap_or_default();
    let opening = ["(", ": ", "= ", "→ ", "-> ", "- "]
        .iter()
        .find(|open| rest.starts_with(**open));
    at + opening.map_or(0, |open| open.len())
}

/// Past an aside and its colon: "(staging): ".
fn aside_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..text.floor_char_boundary(at + LONGEST_PHRASE))?;
    let (aside, after) = rest.strip_prefix('(')?.split_once(')')?;
    let after = after.strip_prefix(": ")?;
    (!aside.contains('\n')).then(|| at + rest.len() - after.len())
}

/// Past a phrase such as "on the build box is".
fn relative_end(text: &str, at: usize) -> Option<usize> {
    let (word, _) = word_at(text, at);
    if !RELATING.contains(&word) {
        return None;
    }
    let phrase = text.get(at..text.floor_char_boundary(at + LONGEST_PHRASE))?;
    let sentence = phrase.find(['\n', ';', '"', ',']).unwrap_or(phrase.len());
    let phrase = phrase.get(..sentence)?;
    let (verb, found) = [" is ", " was ", ": ", " = ", " es ", " est ", " ist "]
        .iter()
        .filter_map(|verb| phrase.find(verb).map(|found| (verb, found)))
        .min_by_key(|(_, found)| *found)?;
    Some(at + found + verb.len())
}

fn word_at(text: &str, at: usize) -> (&str, usize) {
    let rest = reach::ahead(text, at);
    let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
    (rest.get(..length).unwrap_or_default(), at + length)
}

fn blank_end(text: &str, at: usize) -> usize {
    const BLANK: Class = Class::of(" \t");
    BLANK.run_end(text.as_bytes(), at)
}

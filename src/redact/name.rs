//! Which names announce a secret: the last words of `AWS_SECRET_ACCESS_KEY`, `dbPassword`,
//! `x-api-key` or `auth.client-secret` decide.

use super::class::Class;
use super::vocabulary::{
    COMPOUND_TOKENS, HARMLESS_KEYS, HARMLESS_TOKENS, PASSWORDS, SUFFIXES, TELLING_KEYS,
};

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Chosen by a person: any value may be one.
    Password,
    /// A shared secret: usually made by a machine, sometimes chosen.
    Secret,
    /// Made by a machine, mostly.
    Token,
    /// Often the name of something else: a plain word is no secret.
    Vague,
    /// The name alone says little; only an opaque value counts.
    Weak,
    /// An `Authorization` header: a scheme word, then the credentials.
    Authorization,
    /// A `Cookie` header: `name=value` pairs.
    Cookie,
}

/// Classifies an identifier, with words split at `_`, `-`, `.` and humps.
pub(super) fn classify(identifier: &str) -> Option<Kind> {
    let mut words = WordsFromEnd::new(identifier);
    let mut last = words.next()?;
    if last.len() == identifier.len() && !may_end_name(last) {
        return None;
    }
    let mut dropped = None;
    for _ in 0..2 {
        if !is_suffix(last) {
            break;
        }
        dropped = Some(last);
        last = words.next()?;
    }
    if last.eq_ignore_ascii_case("accesskey") && last.len() == identifier.len() {
        // The attribute of HTML that names a key of the keyboard.
        return Some(Kind::Vague);
    }
    let last = last
        .trim_end_matches(|c: char| c.is_ascii_digit())
        .to_lowercase();
    let hump = words.rest.ends_with(char::is_alphanumeric);
    let before = words.next().map(str::to_lowercase);
    let kind = kind_of(&last, before.as_deref())?;
    let unknown = kind == Kind::Token
        && last == "key"
        && before.as_deref().is_none_or(|word| !is_telling_key(word));
    // `key_value` is a pair, `api_key_value` is not.
    if unknown && dropped.is_some_and(|word| word.eq_ignore_ascii_case("value")) {
        return None;
    }
    // Code names many things in humps that are keys of tables, not of doors.
    let kind = if unknown && hump { Kind::Vague } else { kind };
    // `publicKey.data` is no longer about the key; `client-key-data` still is.
    match (dropped, kind) {
        (Some(_), Kind::Weak | Kind::Authorization | Kind::Cookie) => None,
        _ => Some(kind),
    }
}

/// Whether `identifier` is written as environment variables are: `DB_PASSWORD`.
pub(super) fn is_constant(identifier: &str) -> bool {
    const CONSTANT: Class = Class::of("A-Z0-9_");
    identifier.len() > 2 && CONSTANT.covers(identifier)
}

/// Whether `word` ends as one of the words that [`kind_of`] knows; most words do not.
fn may_end_name(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let bytes = word.as_bytes();
    let tails: &[&str] = match bytes.last().map(u8::to_ascii_lowercase) {
        Some(b'a') => &["senha", "sena", "sana", "rola"],
        Some(b'c') => &["monic"],
        Some(b'd') => &["word", "wd", "cred", "sid", "id", "ord"],
        Some(b'e') => &["phrase", "code", "kode", "passe", "clave", "cookie"],
        Some(b'h') => &["auth"],
        Some(b'k') => &["psk"],
        Some(b'l') => &["tial"],
        Some(b'n') => &["token", "zation"],
        Some(b'o') => &["slo", "szo"],
        Some(b'p') => &["mdp", "otp"],
        Some(b'r') => &["bearer", "pepper"],
        Some(b's') => &[
            "pass", "keys", "tokens", "secrets", "creds", "tials", "cookies", "words",
        ],
        Some(b't') => &["secret", "wort", "pat", "jwt", "salt"],
        Some(b'w') => &["psw", "pw"],
        Some(b'y') => &["key"],
        Some(byte) => return !byte.is_ascii(),
        None => return false,
    };
    let ends = |tail: &&str| {
        let from = bytes.len().checked_sub(tail.len());
        from.and_then(|from| bytes.get(from..))
            .is_some_and(|end| end.eq_ignore_ascii_case(tail.as_bytes()))
    };
    !word.is_ascii() || tails.iter().any(ends)
}

fn kind_of(last: &str, before: Option<&str>) -> Option<Kind> {
    if PASSWORDS.contains(&last) || is_compound(last, &["password", "passwd", "passphrase"]) {
        return Some(Kind::Password);
    }
    if last == "signingkey" && before == Some("user") {
        return None;
    }
    if COMPOUND_TOKENS.contains(&last) {
        return Some(Kind::Token);
    }
    match last {
        "pass"
            if matches!(
                before,
                Some("one" | "two" | "single" | "multi" | "first" | "second")
            ) =>
        {
            None
        }
        "pass" | "pw" => Some(if before.is_some() {
            Kind::Password
        } else {
            Kind::Vague
        }),
        "passe" | "clave" | "sshpass" => Some(Kind::Password),
        "credential" if matches!(before, Some("amz" | "goog")) => None,
        "storepass" | "keypass" | "dbpass" | "rootpass" | "userpass" | "requirepass"
        | "adminpass" | "masterauth" | "masteruserpass" | "srcstorepass" | "deststorepass"
        | "srckeypass" | "destkeypass" => Some(Kind::Password),
        "secret" if before == Some("existing") => None,
        // The header of Artifactory: `X-JFrog-Art-Api`.
        "api" if before == Some("art") => Some(Kind::Token),
        "secret" | "credential" | "credentials" | "creds" => Some(Kind::Secret),
        "token" if before.is_some_and(|word| HARMLESS_TOKENS.contains(&word)) => None,
        "token" => Some(Kind::Token),
        "id" if before == Some("secret") => Some(Kind::Vague),
        "bearer" => Some(Kind::Vague),
        "key" if before == Some("secret") => Some(Kind::Secret),
        "key" => match before {
            // The member of an object that is called just that.
            Some("self" | "this" | "e" | "event") => Some(Kind::Weak),
            Some(word) if HARMLESS_KEYS.contains(&word) => None,
            // Of a browser's storage, more often than of a cloud's.
            Some("storage") => Some(Kind::Vague),
            Some(_) => Some(Kind::Token),
            None => Some(Kind::Weak),
        },
        "auth" | "pat" | "psk" | "jwt" => Some(if before.is_some() || last != "auth" {
            Kind::Vague
        } else {
            Kind::Weak
        }),
        "sid" | "sessionid" | "jsessionid" | "phpsessid" | "passkey" | "authcode" | "keys"
        | "secrets" | "tokens" | "passwords" | "otp" | "pepper" | "salt"
            if before.is_none_or(|word| !HARMLESS_KEYS.contains(&word)) =>
        {
            Some(Kind::Weak)
        }
        "mnemonic" => Some(Kind::Secret),
        "authorization" => Some(Kind::Authorization),
        "cookie" | "cookies" => Some(Kind::Cookie),
        _ if is_compound(last, &["secret"]) => Some(Kind::Secret),
        _ if is_compound(last, &["token"]) => Some(Kind::Token),
        "schlüssel" => Some(if before.is_some() {
            Kind::Token
        } else {
            Kind::Weak
        }),
        _ if ["密码", "密碼", "パスワード", "비밀번호"]
            .iter()
            .any(|word| last.trim_end_matches(PARTICLES).ends_with(word)) =>
        {
            Some(Kind::Password)
        }
        _ => None,
    }
}

/// What Chinese, Japanese and Korean write right after a word: "is", "as for".
const PARTICLES: [char; 7] = ['是', '为', '為', 'は', 'が', '는', '가'];

/// Whether `identifier` ends in a key whose other word says outright that it is secret, as prose
/// has it (`api key`, `private key`).
pub(super) fn is_telling_key(qualifier: &str) -> bool {
    TELLING_KEYS.contains(&qualifier)
}

/// Whether `word` is one of `tails` with something before it: `rpcpassword`, `jwtsecret`.
fn is_compound(word: &str, tails: &[&str]) -> bool {
    tails
        .iter()
        .any(|tail| word.len() > tail.len() && word.ends_with(tail))
}

fn is_suffix(word: &str) -> bool {
    let version = word.strip_prefix(['v', 'V']).unwrap_or(word);
    if !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    SUFFIXES
        .iter()
        .any(|suffix| suffix.eq_ignore_ascii_case(word))
}

/// The words of `identifier`, last first.
pub(super) fn words(identifier: &str) -> impl Iterator<Item = &str> {
    WordsFromEnd::new(identifier)
}

/// The words of an identifier, last first.
struct WordsFromEnd<'a> {
    rest: &'a str,
}

impl<'a> WordsFromEnd<'a> {
    fn new(identifier: &'a str) -> Self {
        Self { rest: identifier }
    }
}

impl<'a> Iterator for WordsFromEnd<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_end_matches(|c: char| !c.is_alphanumeric());
        let mut start = self.rest.len();
        let mut following: Option<char> = None;
        for (at, c) in self.rest.char_indices().rev() {
            let hump = match following {
                None => false,
                // `dbPassword`: a lower-case letter before an upper-case one.
                Some(next) if next.is_uppercase() => c.is_lowercase() || c.is_ascii_digit(),
                // `APIKey`: the hump begins at its upper-case letter.
                Some(next) => next.is_lowercase() && self.hump_starts(start),
            };
            if !c.is_alphanumeric() || hump {
                break;
            }
            start = at;
            following = Some(c);
        }
        let (rest, word) = self.rest.split_at_checked(start)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

impl WordsFromEnd<'_> {
    fn hump_starts(&self, at: usize) -> bool {
        let mut chars = self.rest.get(at..).unwrap_or_default().chars();
        let upper = chars.next().is_some_and(char::is_uppercase);
        upper && chars.next().is_some_and(char::is_lowercase)
    }
}

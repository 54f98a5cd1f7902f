//! Which names announce a secret: the last words of `AWS_SECRET_ACCESS_KEY`, `dbPassword`,
//! `x-api-key` or `auth.client-secret` decide.

use crate::redact::lex::identifier::words;
use crate::redact::lex::vocabulary::{
    COMPOUND_TOKENS, HARMLESS_KEYS, HARMLESS_TOKENS, PASSWORDS, SUFFIXES, TELLING_KEYS,
};

/// What a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
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
pub(crate) fn classify(identifier: &str) -> Option<Kind> {
    let mut words = words(identifier);
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

/// Names that say themselves that they are of no secret.
struct Harmless {
    last: &'static str,
    /// What stands before it.
    before: &'static [&'static str],
    /// A text whose value stays because of this row.
    #[cfg(test)]
    example: &'static str,
}

#[cfg_attr(
    not(test),
    expect(unused_variables, reason = "the tests alone read them")
)]
const fn harmless(
    last: &'static str,
    before: &'static [&'static str],
    example: &'static str,
) -> Harmless {
    Harmless {
        last,
        before,
        #[cfg(test)]
        example,
    }
}

#[rustfmt::skip] // A table reads by the row.
const HARMLESS: &[Harmless] = &[
    harmless("key", HARMLESS_KEYS, "PUBLIC_KEY=Kd83ks92wLq0"),
    harmless("token", HARMLESS_TOKENS, "NEXT_PAGE_TOKEN=Kd83ks92wLq0"),
    // The scope of a signature.
    harmless("credential", &["amz", "goog"], "X-Amz-Credential=Kd83ks92wLq0/20260101/eu-west-1"),
    // The name of a secret, as charts take it.
    harmless("secret", &["existing"], "existingSecret: db-creds2"),
    // Times that something is gone through.
    harmless("pass", &["one", "two", "single", "multi", "first", "second"], "second_pass=Kd83ks92wLq0"),
];

fn is_harmless(last: &str, before: Option<&str>) -> bool {
    before.is_some_and(|before| {
        let mut rows = HARMLESS.iter();
        rows.any(|row| row.last == last && row.before.contains(&before))
    })
}

fn kind_of(last: &str, before: Option<&str>) -> Option<Kind> {
    if PASSWORDS.contains(&last) || is_compound(last, &["password", "passwd", "passphrase"]) {
        return Some(Kind::Password);
    }
    if is_harmless(last, before) {
        return None;
    }
    if COMPOUND_TOKENS.contains(&last) {
        return Some(Kind::Token);
    }
    match last {
        "pass" | "pw" => Some(if before.is_some() {
            Kind::Password
        } else {
            Kind::Vague
        }),
        "passe" | "clave" | "sshpass" => Some(Kind::Password),
        "storepass" | "keypass" | "dbpass" | "rootpass" | "userpass" | "requirepass"
        | "adminpass" | "masterauth" | "masteruserpass" | "srcstorepass" | "deststorepass"
        | "srckeypass" | "destkeypass" => Some(Kind::Password),
        // The header of Artifactory: `X-JFrog-Art-Api`.
        "api" if before == Some("art") => Some(Kind::Token),
        "secret" | "credential" | "credentials" | "creds" => Some(Kind::Secret),
        "token" => Some(Kind::Token),
        "id" if before == Some("secret") => Some(Kind::Vague),
        "bearer" => Some(Kind::Vague),
        "key" => Some(kind_of_key(before)),
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

fn kind_of_key(before: Option<&str>) -> Kind {
    match before {
        Some("secret") => Kind::Secret,
        // The member of an object that is called just that.
        Some("self" | "this" | "e" | "event") | None => Kind::Weak,
        // Of a browser's storage, more often than of a cloud's.
        Some("storage") => Kind::Vague,
        Some(_) => Kind::Token,
    }
}

/// What Chinese, Japanese and Korean write right after a word: "is", "as for".
const PARTICLES: [char; 7] = ['是', '为', '為', 'は', 'が', '는', '가'];

/// Whether `identifier` ends in a key whose other word says outright that it is secret, as prose
/// has it (`api key`, `private key`).
pub(crate) fn is_telling_key(qualifier: &str) -> bool {
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

/// Three letters of every ASCII name that [`classify`] knows; a text with none has no name.
pub(crate) const STEMS: &[&str] = &[
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

/// The kind of the name, with the word before it where prose writes a name as two words.
pub(crate) fn kind_in_text(text: &str, identifier: &str, start: usize) -> Option<Kind> {
    let kind = classify(identifier)?;
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
    classify(&format!("{word}_{identifier}")).map(|joined| match joined {
        Kind::Token if kind == Kind::Weak && !is_telling_key(&word.to_ascii_lowercase()) => kind,
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

#[cfg(test)]
mod tests {
    use super::HARMLESS;
    use crate::redact::redact;

    #[test]
    fn each_harmless_name_is_all_that_spares_its_example() {
        for row in HARMLESS {
            assert_eq!(redact(row.example).text, row.example);
            let plainer = row
                .before
                .iter()
                .fold(row.example.to_owned(), |text, word| {
                    text.replace(&word.to_uppercase(), "API")
                        .replace(word, "api")
                });
            let plainer = plainer.replace("Amz", "Api").replace("PAGE", "API");
            assert_eq!(redact(&plainer).count, 1, "{plainer}");
        }
    }
}

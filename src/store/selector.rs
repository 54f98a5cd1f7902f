//! Session ids and selectors: which checkpoint is meant, as it is stored and as a person types it (SPEC section 3).

use std::fmt;

use anyhow::bail;
use uuid::Uuid;

use crate::error::failure;

/// The selector of the checkpoint that belongs to no session.
pub(crate) const LEGACY: &str = "legacy";
/// Words that name something else than a session.
const RESERVED: [(&str, &str); 3] = [
    (
        LEGACY,
        "`legacy` names the checkpoint that belongs to no session",
    ),
    ("project", "`project` names the project's own checkpoint"),
    ("latest", "`latest` names the newest checkpoint"),
];

/// A session id that is safe as a file name on every system.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SessionId(String);

impl SessionId {
    /// Characters.
    pub(crate) const LONGEST: usize = 128;

    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        if let Some(why) = Self::fault(text) {
            return Err(failure(
                format!("`{}` is no valid session id: {why}", text.escape_debug()),
                "pass the id as it was given to you, or leave it out",
            ));
        }
        Ok(Self(text.to_owned()))
    }

    pub(super) fn is_valid(text: &str) -> bool {
        Self::fault(text).is_none()
    }

    fn fault(text: &str) -> Option<&'static str> {
        let bytes = text.as_bytes();
        let allowed = |byte: &u8| ALLOWED[usize::from(*byte)];
        // The longer checks are left out for most ids, which are UUIDs: a hook reads a hundred of them.
        let dotted = bytes.contains(&b'.');
        if text.is_empty() || text.len() > Self::LONGEST {
            Some("it must have 1 to 128 characters")
        } else if !bytes.iter().all(allowed) {
            Some("it may hold only letters, digits, `.`, `_` and `-`")
        } else if !bytes[0].is_ascii_alphanumeric() {
            Some("it must start with a letter or a digit")
        } else if dotted && bytes.windows(2).any(|pair| pair == b"..") {
            Some("it may not hold `..`")
        } else if let Some((_, why)) = RESERVED.iter().find(|(word, _)| *word == text) {
            Some(why)
        } else if is_device_name(text) {
            Some("it is the name of a device on Windows")
        } else {
            None
        }
    }

    /// A new random id (UUID version 4).
    pub(crate) fn mint() -> Self {
        Self(Uuid::new_v4().to_string())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The bytes that an id may hold.
const ALLOWED: [bool; 256] = {
    let mut allowed = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let value = byte as u8;
        allowed[byte] = value.is_ascii_alphanumeric() || matches!(value, b'.' | b'_' | b'-');
        byte += 1;
    }
    allowed
};

/// Names that Windows keeps for devices, whatever ending follows ("Naming Files, Paths, and Namespaces").
fn is_device_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let end = bytes.iter().take(5).position(|byte| *byte == b'.');
    let (devices, stem): (&[&[u8]], _) = match &bytes[..end.unwrap_or(bytes.len())] {
        stem @ [_, _, _] => (&[b"con", b"prn", b"aux", b"nul"], stem),
        [stem @ .., b'0'..=b'9'] if stem.len() == 3 => (&[b"com", b"lpt"], stem),
        _ => return false,
    };
    devices
        .iter()
        .any(|device| device.eq_ignore_ascii_case(stem))
}

/// Names one checkpoint of a project.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Selector {
    Legacy,
    Session(SessionId),
}

impl Selector {
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        if text == LEGACY {
            return Ok(Self::Legacy);
        }
        SessionId::parse(text).map(Self::Session)
    }

    /// Whether an id names another session, and yet perhaps the same file: some file systems ignore case.
    pub(super) fn is_in_other_case(&self, id: &str) -> bool {
        let Self::Session(own) = self else {
            return false;
        };
        own.as_str() != id && own.as_str().eq_ignore_ascii_case(id)
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Legacy => LEGACY,
            Self::Session(id) => id.as_str(),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Characters that the start of a selector must have at least.
const SHORTEST_PREFIX: usize = 4;

/// What a person typed for a selector: a whole one, or a prefix that only one of `known`, which is sorted, has.
pub(crate) fn expand(typed: &str, known: &[Selector]) -> anyhow::Result<Selector> {
    if let Some(exact) = known.iter().find(|selector| selector.as_str() == typed) {
        return Ok(exact.clone());
    }
    let mut matches = known
        .iter()
        .filter(|selector| **selector != Selector::Legacy && selector.as_str().starts_with(typed));
    match (
        typed.len() >= SHORTEST_PREFIX,
        matches.next(),
        matches.next(),
    ) {
        (true, Some(only), None) => Ok(only.clone()),
        (true, Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(matches);
            let all: Vec<String> = all
                .map(|selector| format!("`{}`", shortened(selector, known)))
                .collect();
            bail!(failure(
                format!(
                    "`{typed}` is the start of {} selectors: {}",
                    all.len(),
                    all.join(", ")
                ),
                "type more of the one that you mean",
            ))
        }
        _ => Selector::parse(typed)
            .map_err(|why| failure(why.to_string(), "list those that there are: ckpt list")),
    }
}

/// How the sentence ends that a person's selector names nothing: one that is meant as a start may be too short for that.
pub(crate) fn perhaps_too_short(typed: &Selector) -> String {
    match typed.as_str().len() < SHORTEST_PREFIX {
        true => {
            format!(", and the start of a session id needs at least {SHORTEST_PREFIX} characters")
        }
        false => String::new(),
    }
}

/// The start of a selector that names it alone among `known`, which is sorted, and is long enough to be told apart at a glance.
///
/// Only ids that nobody reads as words are cut at the shortest.
pub(crate) fn shortened<'a>(selector: &'a Selector, known: &[Selector]) -> &'a str {
    const SHORTEST_UUID: usize = 8;
    const SHORTEST: usize = 20;
    let whole = selector.as_str();
    let shared = |other: &Selector| {
        let pairs = whole.bytes().zip(other.as_str().bytes());
        pairs.take_while(|(a, b)| a == b).count()
    };
    // Of a sorted list, the neighbours share most.
    let after = known.partition_point(|other| other <= selector);
    let before = known.partition_point(|other| other < selector);
    let neighbours = known[..before].last().into_iter().chain(known.get(after));
    let unique = neighbours.map(shared).max().unwrap_or_default() + 1;
    let shortest = match Uuid::try_parse(whole) {
        Ok(_) => SHORTEST_UUID,
        Err(_) => SHORTEST,
    };
    whole.get(..unique.max(shortest)).unwrap_or(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_are_safe_as_files_are_session_ids() {
        let long = "a".repeat(128);
        for good in ["a", "0f9c", "A.b_c-d", "com10", "console", long.as_str()] {
            assert!(SessionId::parse(good).is_ok(), "{good}");
        }
        let too_long = "a".repeat(129);
        for bad in [
            "",
            "../x",
            "a/b",
            "a\\b",
            "con",
            "CON",
            "con.a",
            "lpt1",
            "nul",
            "a..b",
            ".a",
            "-a",
            "_a",
            "legacy",
            "project",
            "latest",
            "a\0",
            "a\n",
            "ü",
            "a b",
            "a:b",
            too_long.as_str(),
        ] {
            assert!(SessionId::parse(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_shortened_selector_names_the_one_it_came_from() {
        let known: Vec<Selector> = [
            "legacy",
            "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b",
            "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b",
            "77aa01ce-3c4d-4e5f-9a6b-7c8d9e0f1a2b",
            "auth",
            "auth-refactor-of-the-cookie",
            "auth-refactor-of-the-session",
        ]
        .map(|text| Selector::parse(text).unwrap())
        .to_vec();
        let short: Vec<&str> = known.iter().map(|s| shortened(s, &known)).collect();
        assert_eq!(
            short,
            [
                "legacy",
                "0f9c1a2b",
                "77aa01ce-3c4d-4e5f-8",
                "77aa01ce-3c4d-4e5f-9",
                "auth",
                "auth-refactor-of-the-c",
                "auth-refactor-of-the-s",
            ]
        );
        for (short, selector) in short.into_iter().zip(&known) {
            assert_eq!(expand(short, &known).unwrap(), *selector);
        }
    }

    #[test]
    fn a_prefix_of_four_characters_names_its_only_match() {
        let known: Vec<Selector> = ["legacy", "abcd1", "abcd2", "abce", "ab"]
            .map(|text| Selector::parse(text).unwrap())
            .to_vec();
        assert_eq!(expand("abce", &known).unwrap().as_str(), "abce");
        assert_eq!(expand("abcd1", &known).unwrap().as_str(), "abcd1");
        assert_eq!(expand("ab", &known).unwrap().as_str(), "ab");
        assert_eq!(expand("abc", &known).unwrap().as_str(), "abc");
        assert_eq!(expand("lega", &known).unwrap().as_str(), "lega");
        let error = expand("abcd", &known).unwrap_err().to_string();
        assert!(error.contains("`abcd1`, `abcd2`"), "{error}");
        assert!(expand("../x", &known).is_err());
    }
}

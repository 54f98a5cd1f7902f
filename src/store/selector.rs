//! Session ids and selectors: which checkpoint is meant, as it is stored and as a person types it (docs/contract.md, section 3).

use std::fmt;

use anyhow::bail;
use jiff::Timestamp;
use uuid::Uuid;

use crate::checkpoint::time;
use crate::error::{failure, quoted};

/// The selector of the checkpoint that belongs to no session.
pub(crate) const LEGACY: &str = "legacy";
/// The selector of the project's own checkpoint.
pub(crate) const PROJECT: &str = "project";
/// Reserved words, which no session id may be.
const RESERVED: [(&str, &str); 3] = [
    (
        LEGACY,
        "`legacy` names the checkpoint that belongs to no session",
    ),
    (PROJECT, "`project` names the project's own checkpoint"),
    ("latest", "`latest` names the newest checkpoint"),
];

/// A session id that is safe as a file name on every system.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SessionId(String);

impl SessionId {
    /// In characters.
    pub(crate) const LONGEST: usize = 128;

    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        if let Some(why) = Self::fault(text) {
            return Err(failure(
                format!(
                    "`{}` is not a valid session id: {why}",
                    quoted(&text.escape_debug().to_string())
                ),
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
        // Most ids are UUIDs and skip the slower checks: a hook reads a hundred of them.
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

/// Whether Windows reserves the name for a device, whatever its ending ("Naming Files, Paths, and Namespaces").
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
    /// What every session of the project should know; it belongs to none of them.
    Project,
    Session(SessionId),
}

impl Selector {
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        match text {
            LEGACY => return Ok(Self::Legacy),
            PROJECT => return Ok(Self::Project),
            _ => {}
        }
        SessionId::parse(text).map(Self::Session)
    }

    /// Whether another id may name the same file, because some file systems ignore case.
    pub(super) fn is_in_other_case(&self, id: &str) -> bool {
        let Self::Session(own) = self else {
            return false;
        };
        own.as_str() != id && own.as_str().eq_ignore_ascii_case(id)
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Legacy => LEGACY,
            Self::Project => PROJECT,
            Self::Session(id) => id.as_str(),
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A checkpoint's name. In a store only one checkpoint has it, the last to take it (docs/contract.md, section 5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name(String);

impl Name {
    /// In characters.
    pub(crate) const LONGEST: usize = 64;

    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let bytes = text.as_bytes();
        let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"._/-".contains(byte);
        let why = if text.is_empty() || text.len() > Self::LONGEST {
            "it must have 1 to 64 characters"
        } else if !bytes.iter().all(allowed) {
            "it may hold only letters, digits, `.`, `_`, `/` and `-`"
        } else if !bytes[0].is_ascii_alphanumeric() {
            "it must start with a letter or a digit"
        } else if let Some((_, why)) = RESERVED.iter().find(|(word, _)| *word == text) {
            why
        } else if Uuid::try_parse(text).is_ok() {
            "it looks like a session id"
        } else {
            return Ok(Self(text.to_owned()));
        };
        Err(failure(
            format!(
                "`{}` is not a valid name: {why}",
                quoted(&text.escape_debug().to_string())
            ),
            "choose one such as `auth` or `feat/oauth`",
        ))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One of a checkpoint's saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// This many saves before the present one.
    Before(usize),
    /// The save that was current at that time.
    Time(Timestamp),
}

impl At {
    pub(crate) const PRESENT: Self = Self::Before(0);
}

/// One save of one checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Revision {
    pub(crate) selector: Selector,
    pub(crate) at: At,
}

impl Revision {
    /// What a selector names, which may end in `@{N}` or `@{TIME}`; where nothing stands before that, a save of `own`.
    pub(crate) fn parse(
        text: &str,
        own: impl FnOnce() -> anyhow::Result<Option<Selector>>,
        now: Timestamp,
    ) -> anyhow::Result<Self> {
        let (named, at) = split(text, now)?;
        let selector = match named {
            Some(named) => Selector::parse(named)?,
            None => own()?.ok_or_else(|| nameless(text))?,
        };
        Ok(Self {
            selector,
            at: at.unwrap_or(At::PRESENT),
        })
    }
}

impl From<Selector> for Revision {
    fn from(selector: Selector) -> Self {
        Self {
            selector,
            at: At::PRESENT,
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            At::Before(number) => f.write_str(&nth(&self.selector, number)),
            At::Time(then) => write!(f, "{}@{{{then}}}", self.selector),
        }
    }
}

/// How messages name the save that is `before` saves older than the present one.
pub(crate) fn nth(selector: &Selector, before: usize) -> String {
    match before {
        0 => selector.to_string(),
        before => format!("{selector}@{{{before}}}"),
    }
}

/// The name in a selector, and the save that is meant; None for the part that is not there.
pub(crate) fn split(text: &str, now: Timestamp) -> anyhow::Result<(Option<&str>, Option<At>)> {
    // Also what git writes for earlier commits: whoever types that is told how it is written here.
    let Some((named, of)) = text.split_once(['@', '~', '^']) else {
        return Ok((Some(text), None));
    };
    let within = of.strip_prefix('{').and_then(|of| of.strip_suffix('}'));
    let at = within.and_then(|of| {
        if of.bytes().all(|byte| byte.is_ascii_digit()) {
            return of.parse().ok().map(At::Before);
        }
        time::meant(of, now).map(|meant| At::Time(*meant.end()))
    });
    let at = at.ok_or_else(|| {
        failure(
            format!("`{}` names no save", quoted(&text.escape_debug().to_string())),
            "write @{1} for the save before the present one, @{2h} for the one of 2 hours ago, @{2026-10-08} for the last one of that day",
        )
    })?;
    Ok((Some(named).filter(|named| !named.is_empty()), Some(at)))
}

/// The error where a save of the session's own checkpoint is meant and there is no session.
pub(crate) fn nameless(text: &str) -> anyhow::Error {
    failure(
        format!(
            "`{}` means a save of the session's own checkpoint, and no session is known here",
            quoted(text)
        ),
        "name the checkpoint before it, as SELECTOR@{1}",
    )
}

/// The selector that a person typed: a whole one, or the start of exactly one of `known`, which is sorted. Letters match
/// in either case.
pub(crate) fn expand(typed: &str, known: &[Selector]) -> anyhow::Result<Selector> {
    if typed.eq_ignore_ascii_case(PROJECT) {
        return Ok(Selector::Project);
    }
    let whole = |selector: &&Selector| selector.as_str() == typed;
    let in_either_case = |selector: &&Selector| selector.as_str().eq_ignore_ascii_case(typed);
    if let Some(exact) = known.iter().find(whole) {
        return Ok(exact.clone());
    }
    let mut matches: Vec<&Selector> = known.iter().filter(in_either_case).collect();
    if matches.is_empty() {
        matches = known
            .iter()
            .filter(|selector| selector.starts_with(typed))
            .collect();
    }
    match matches[..] {
        [] => Selector::parse(typed)
            .map_err(|why| failure(why.to_string(), "list those that there are: ckpt list")),
        [only] => Ok(only.clone()),
        _ => {
            const NAMED: usize = 10;
            let starts = Starts::new(known);
            let named = matches.iter().take(NAMED);
            let mut named: Vec<String> = named
                .map(|selector| format!("`{}`", starts.of(selector)))
                .collect();
            let more = matches.len().saturating_sub(NAMED);
            named.extend((more > 0).then(|| format!("{more} more")));
            bail!(failure(
                format!(
                    "`{typed}` is the start of {} selectors: {}",
                    matches.len(),
                    named.join(", ")
                ),
                "type more of the one you mean",
            ))
        }
    }
}

impl Selector {
    /// Whether a person may mean it by typing this much of it.
    pub(crate) fn starts_with(&self, typed: &str) -> bool {
        let start = self.as_str().get(..typed.len());
        let is_session = *self != Self::Legacy;
        is_session && start.is_some_and(|start| start.eq_ignore_ascii_case(typed))
    }
}

/// The starts by which selectors are told apart, with letters matching in either case.
pub(crate) struct Starts(Vec<String>);

impl Starts {
    pub(crate) fn new(known: &[Selector]) -> Self {
        let mut all: Vec<String> = known
            .iter()
            .map(|selector| selector.as_str().to_ascii_lowercase())
            .collect();
        all.sort_unstable();
        Self(all)
    }

    /// A start of a selector that no other one has, and long enough to tell it apart at a glance.
    ///
    /// Only ids that cannot be read as words are shortened.
    pub(crate) fn of<'a>(&self, selector: &'a Selector) -> &'a str {
        const SHORTEST_UUID: usize = 8;
        const SHORTEST: usize = 20;
        let whole = selector.as_str();
        let lower = whole.to_ascii_lowercase();
        let shared = |other: &String| {
            let pairs = lower.bytes().zip(other.bytes());
            pairs.take_while(|(a, b)| a == b).count()
        };
        // In a sorted list the neighbours have most in common.
        let after = self.0.partition_point(|other| *other <= lower);
        let before = self.0.partition_point(|other| *other < lower);
        // Two that differ only in case are told apart by nothing but the whole.
        if after - before > 1 {
            return whole;
        }
        let neighbours = self.0[..before].last().into_iter().chain(self.0.get(after));
        let unique = neighbours.map(shared).max().unwrap_or_default() + 1;
        let shortest = match Uuid::try_parse(whole) {
            Ok(_) => SHORTEST_UUID,
            Err(_) => SHORTEST,
        };
        whole.get(..unique.max(shortest)).unwrap_or(whole)
    }
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
        let starts = Starts::new(&known);
        let short: Vec<&str> = known.iter().map(|s| starts.of(s)).collect();
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
    fn a_start_of_any_length_in_either_case_names_its_only_match() {
        let mut known: Vec<Selector> = ["legacy", "abcd1", "abcd2", "abce", "ab", "Xy"]
            .map(|text| Selector::parse(text).unwrap())
            .to_vec();
        known.sort();
        for (typed, expected) in [
            ("abce", "abce"),
            ("ABCE", "abce"),
            ("abcd1", "abcd1"),
            ("ab", "ab"),
            ("AB", "ab"),
            ("x", "Xy"),
            ("xY", "Xy"),
            ("lega", "lega"),
            ("new", "new"),
        ] {
            assert_eq!(expand(typed, &known).unwrap().as_str(), expected, "{typed}");
        }
        let error = expand("Abc", &known).unwrap_err().to_string();
        assert!(
            error.contains("3 selectors: `abcd1`, `abcd2`, `abce`"),
            "{error}"
        );
        assert!(expand("../x", &known).is_err());
    }

    #[test]
    fn a_selector_may_end_in_which_save_is_meant() {
        let now: Timestamp = "2026-10-08T02:26:00Z".parse().unwrap();
        let own = Selector::parse("own").unwrap();
        let parsed = |text| Revision::parse(text, || Ok(Some(own.clone())), now);
        for (text, selector, at) in [
            ("x", "x", At::PRESENT),
            ("x@{0}", "x", At::PRESENT),
            ("x@{12}", "x", At::Before(12)),
            ("legacy@{1}", "legacy", At::Before(1)),
            ("@{1}", "own", At::Before(1)),
            (
                "@{2h}",
                "own",
                At::Time("2026-10-08T00:26:00Z".parse().unwrap()),
            ),
            (
                "x@{2026-10-07T00:00:00Z}",
                "x",
                At::Time("2026-10-07T00:00:00Z".parse().unwrap()),
            ),
        ] {
            let revision = parsed(text).unwrap();
            assert_eq!(
                (revision.selector.as_str(), revision.at),
                (selector, at),
                "{text}"
            );
        }
        for text in [
            "x@",
            "x@1",
            "x@{",
            "x@{}",
            "x@{1",
            "x@1}",
            "x@{-1}",
            "x@{1}2",
            "x@{1}@{1}",
            "x@{soon}",
            "x@{99999999999999999999}",
            "@",
            "a/b@{1}",
            "x@{1.5}",
            "x@{１}",
        ] {
            assert!(parsed(text).is_err(), "{text}");
        }
        assert!(Revision::parse("@{1}", || Ok(None), now).is_err());
    }
}

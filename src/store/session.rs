//! Session ids, selectors, and which session is the current one (SPEC section 3).

use std::fmt;

use uuid::Uuid;

use crate::env::{self, Env};
use crate::error::failure;

/// The selector of the checkpoint that belongs to no session.
pub(crate) const LEGACY: &str = "legacy";

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
        } else if text == LEGACY {
            Some("`legacy` names the checkpoint that belongs to no session")
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

/// Where the current session's id came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Variable,
    Argument,
    Minted,
}

impl Origin {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Variable => "env",
            Self::Argument => "argument",
            Self::Minted => "minted",
        }
    }
}

/// The session that a call belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Current {
    Session(SessionId, Origin),
    /// No id yet: the first save mints one.
    Unnamed,
    /// Clients without an id share the legacy checkpoint.
    Legacy,
}

impl Current {
    /// Also gives a warning where `CHECKPOINT_SESSION_IDS` holds a value that it cannot have.
    pub(crate) fn resolve(
        env: &Env,
        argument: Option<&str>,
    ) -> anyhow::Result<(Self, Option<String>)> {
        if let Some(value) = env.var(env::SESSION_ID) {
            let id = SessionId::parse(&value).map_err(|why| {
                failure(
                    format!("the variable {} is unusable: {why}", env::SESSION_ID),
                    "unset it, or set it to the id of the session",
                )
            })?;
            match argument {
                Some(argument) if argument != id.as_str() => return Err(mismatch(argument, &id)),
                _ => return Ok((Self::Session(id, Origin::Variable), None)),
            }
        }
        let policy = env.var(env::SESSION_IDS);
        let warning = match policy.as_deref() {
            None | Some("mint" | "legacy") => None,
            Some(other) => Some(format!(
                "{} is `{}`, which is neither `mint` nor `legacy`; taken as `mint`",
                env::SESSION_IDS,
                other.escape_debug()
            )),
        };
        let current = match argument {
            Some(argument) => Self::Session(SessionId::parse(argument)?, Origin::Argument),
            None if policy.as_deref() == Some("legacy") => Self::Legacy,
            None => Self::Unnamed,
        };
        Ok((current, warning))
    }

    /// The selector of the session's own checkpoint; none before the first save has minted an id.
    pub(crate) fn selector(&self) -> Option<Selector> {
        match self {
            Self::Session(id, _) => Some(Selector::Session(id.clone())),
            Self::Unnamed => None,
            Self::Legacy => Some(Selector::Legacy),
        }
    }
}

fn mismatch(argument: &str, id: &SessionId) -> anyhow::Error {
    failure(
        format!(
            "`session` is `{}`, but the current session is `{}` ({})",
            argument.escape_debug(),
            id.as_str(),
            env::SESSION_ID
        ),
        "leave `session` out; to read another checkpoint pass its selector as `checkpoint` (ckpt load SELECTOR), to go on from it as `resumedFrom`",
    )
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
}

//! Which session is the current one (SPEC section 3).

use super::selector::{Selector, SessionId};
use crate::env::{self, Env};
use crate::error::failure;

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

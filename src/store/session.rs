//! Which session is the current one (docs/contract.md, section 3).

use super::selector::{LEGACY, Selector, SessionId};
use crate::env::{self, Env};
use crate::error::{failure, quoted};

/// Why a subagent's save is refused, and what it is to do instead; the hook and the server say the same.
pub(crate) const NOT_BY_A_SUBAGENT: (&str, &str) = (
    "checkpoints are saved by the main agent alone: a subagent's save would replace the session's checkpoint",
    "report what should be kept to the parent agent instead",
);

/// Where the current session's id came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The argument `hookSession`, which the hook of the session itself added to the call.
    Hook,
    /// What the client's call says beside its arguments.
    Client,
    Variable,
    Argument,
    Minted,
}

impl Origin {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::Client => "client",
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
    /// `told` is what the call itself says, which counts before the variable and the argument; `is_option` whether a person
    /// passes that as an option.
    pub(crate) fn resolve(
        env: &Env,
        told: Option<(SessionId, Origin)>,
        argument: Option<&str>,
        is_option: bool,
    ) -> anyhow::Result<Self> {
        let known = match told {
            Some(told) => Some(told),
            None => of_variable(env)?.map(|id| (id, Origin::Variable)),
        };
        match (known, argument) {
            (Some((id, origin)), Some(argument)) if argument != id.as_str() => {
                Err(mismatch(argument, &id, origin, is_option))
            }
            (Some((id, origin)), _) => Ok(Self::Session(id, origin)),
            (None, Some(argument)) => {
                Ok(Self::Session(SessionId::parse(argument)?, Origin::Argument))
            }
            (None, None) if env.var(env::SESSION_IDS).as_deref() == Some(LEGACY) => {
                Ok(Self::Legacy)
            }
            (None, None) => Ok(Self::Unnamed),
        }
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

fn of_variable(env: &Env) -> anyhow::Result<Option<SessionId>> {
    let Some(value) = env.var(env::SESSION_ID) else {
        return Ok(None);
    };
    let id = SessionId::parse(&value).map_err(|why| {
        failure(
            format!("the variable {} cannot be used: {why}", env::SESSION_ID),
            "unset it, or set it to the id of the session",
        )
    })?;
    Ok(Some(id))
}

/// A warning where `CHECKPOINT_SESSION_IDS` would count and holds a value that it cannot have.
pub(crate) fn policy_warning(env: &Env) -> Option<String> {
    let policy = env.var(env::SESSION_IDS)?;
    let is_fine = env.os_var(env::SESSION_ID).is_some() || matches!(&*policy, "mint" | LEGACY);
    (!is_fine).then(|| {
        format!(
            "{} is `{}`, which is neither `mint` nor `legacy`; taken as `mint`",
            env::SESSION_IDS,
            quoted(&policy).escape_debug()
        )
    })
}

fn mismatch(argument: &str, id: &SessionId, origin: Origin, is_option: bool) -> anyhow::Error {
    let source = match origin {
        Origin::Variable => env::SESSION_ID,
        _ => "as the client says",
    };
    let (name, hint) = match is_option {
        true => (
            "--session",
            "leave it out; read another checkpoint with: ckpt load SELECTOR, or go on from it with --resumed-from",
        ),
        false => (
            "session",
            "leave `session` out; to read another checkpoint pass its selector as `checkpoint`, to go on from it as \
             `resumedFrom`",
        ),
    };
    failure(
        format!(
            "`{name}` is `{}`, but the current session is `{}` ({source})",
            quoted(argument).escape_debug(),
            id.as_str(),
        ),
        hint,
    )
}

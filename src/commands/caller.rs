//! Whose call it is: the session that a hook, the client, its environment or an argument names (docs/contract.md, section 3).

use std::path::Path;
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use super::arguments::{CallerHint, Scope, Words};
use crate::env::{Deadline, Env};
use crate::error::failure;
use crate::store::selector::SessionId;
use crate::store::session::{Current, NOT_BY_A_SUBAGENT, Origin};
use crate::transcript;

/// How long a call is looked for in transcripts; the client writes it down within some 100 ms.
const PATIENCE: Duration = Duration::from_millis(300);

/// The session as the call itself tells it.
struct Identified {
    id: SessionId,
    origin: Origin,
    is_subagent: bool,
}

/// Who makes a call; found out once, and not before somebody has to know.
pub(super) struct Caller {
    identified: LazyLock<Option<Identified>, Box<dyn FnOnce() -> Option<Identified> + Send>>,
    /// The argument `session`.
    argument: Option<String>,
    words: Words,
}

impl Caller {
    /// Begins the search where one is needed; else an argument that cannot be right fails here and now.
    pub(super) fn new(env: &Env, root: &Path, scope: Scope) -> anyhow::Result<Self> {
        let Scope {
            session: argument,
            hook_session,
            hint,
            project_root: _,
            client_root: _,
            started_in: _,
            words,
            client: _,
            is_guessed: _,
            looks_above: _,
        } = scope;
        let hooked = hook_session.map(|id| Identified {
            id,
            origin: Origin::Hook,
            is_subagent: false,
        });
        let identified = match (hooked, hint) {
            (Some(hooked), _) => Some(hooked),
            (None, CallerHint::ToolUse(call)) => {
                return Ok(Self {
                    identified: LazyLock::new(search(env.clone(), root, call)),
                    argument,
                    words,
                });
            }
            (None, CallerHint::Thread { id, is_subagent }) => identified(&id, is_subagent),
            (None, CallerHint::None) => None,
        };
        let caller = Self {
            identified: LazyLock::new(Box::new(|| identified)),
            argument,
            words,
        };
        caller.current(env)?;
        Ok(caller)
    }

    /// A session that somebody named.
    pub(super) fn named(id: SessionId) -> Self {
        Self {
            identified: LazyLock::new(Box::new(|| {
                Some(Identified {
                    id,
                    origin: Origin::Argument,
                    is_subagent: false,
                })
            })),
            argument: None,
            words: Words::default(),
        }
    }

    pub(super) fn current(&self, env: &Env) -> anyhow::Result<Current> {
        let identified = self.identified.as_ref();
        let identified = identified.map(|identified| (identified.id.clone(), identified.origin));
        Current::resolve(
            env,
            identified,
            self.argument.as_deref(),
            self.words == Words::Options,
        )
    }

    /// The error that tells a subagent not to save.
    pub(super) fn refuse_subagent(&self) -> anyhow::Result<()> {
        match &*self.identified {
            Some(identified) if identified.is_subagent => {
                let (why, instead) = NOT_BY_A_SUBAGENT;
                Err(failure(why, instead))
            }
            _ => Ok(()),
        }
    }
}

fn identified(id: &str, is_subagent: bool) -> Option<Identified> {
    let id = SessionId::parse(id).ok()?;
    Some(Identified {
        id,
        origin: Origin::Client,
        is_subagent,
    })
}

/// Looks for a call in a thread of its own, so that other work need not wait for it.
fn search(env: Env, root: &Path, call: String) -> Box<dyn FnOnce() -> Option<Identified> + Send> {
    let deadline = Deadline::after(PATIENCE);
    // A client names its transcripts after the folder in which it started the server, which need not be the root.
    let folders: Vec<_> = env.cwd.iter().cloned().chain([root.to_owned()]).collect();
    let search = move || transcript::locate_call(&env, &folders, &call, deadline);
    let searching = thread::Builder::new().spawn(search);
    Box::new(move || {
        let place = searching.ok()?.join().ok()??;
        identified(&place.session, place.is_subagent)
    })
}

//! The command layer: a request in, an outcome out; no terminal and no protocol.

mod arguments;
pub(crate) mod list;
pub(crate) mod load;
pub(crate) mod save;

pub(crate) use arguments::{Arguments, Scope};

use crate::env::Env;

/// Where a command works and for whom.
pub(crate) struct Context {
    pub(crate) env: Env,
}

impl Context {
    /// Fails where the project root or the session is not a valid one (SPEC sections 2 and 3).
    pub(crate) fn new(env: Env, _scope: Scope) -> anyhow::Result<Self> {
        Ok(Self { env })
    }
}

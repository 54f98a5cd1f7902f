//! The two hooks of Claude Code (SPEC section 12): read JSON, perhaps print a decision, never fail.
//!
//! They need neither git, nor argument parsing, nor the async runtime, for they run at every session's start
//! and before every save. On any trouble they print nothing and succeed.

mod guard;
mod nudge;

use std::io::{self, Read as _, Write as _};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde::Deserialize;

use crate::env::Env;

/// Bytes of input that are read; a save at its limits is a tenth of it.
const INPUT_LIMIT: u64 = 1 << 20;
/// How long the input may take; the client writes it before it waits for the hook.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hook {
    Nudge,
    Guard,
}

impl Hook {
    /// The hook that a command's name stands for.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "nudge" => Some(Self::Nudge),
            "guard" => Some(Self::Guard),
            _ => None,
        }
    }

    /// Reads standard input and prints what the client is to be told, if anything.
    pub(crate) fn run(self) {
        let Some(input) = read() else { return };
        let told = match self {
            Self::Nudge => nudge::decide(&input, &Env::from_process()),
            Self::Guard => guard::decide(&input),
        };
        if let Some(told) = told {
            // A client that no longer listens needs no answer.
            let _ = writeln!(io::stdout().lock(), "{told}");
        }
    }
}

/// What the hooks need of their input; everything else is skipped.
#[derive(Debug, Default, Deserialize)]
struct Input {
    session_id: Option<String>,
    cwd: Option<String>,
    /// SessionStart: what the session starts from.
    source: Option<String>,
    /// PreToolUse.
    tool_name: Option<String>,
    /// Set in subagents alone, unlike `agent_type`.
    agent_id: Option<String>,
}

/// Reads one JSON object without waiting for the end of the input, which some clients leave open.
fn read() -> Option<Input> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let input = io::BufReader::new(io::stdin().take(INPUT_LIMIT));
        let mut json = serde_json::Deserializer::from_reader(input);
        // Nobody listens any more once the time is over.
        let _ = sender.send(Input::deserialize(&mut json).ok());
    });
    receiver.recv_timeout(PATIENCE).ok().flatten()
}

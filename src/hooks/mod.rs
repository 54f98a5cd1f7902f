//! The two hooks of Claude Code, Codex and Gemini CLI (docs/contract.md, section 12): read JSON, perhaps print an answer, never fail.
//!
//! They need neither argument parsing nor the async runtime, and git only for the brief after a compaction, for they run at
//! every session's start, at every prompt and after every batch of tools. On any trouble they print nothing and succeed.

mod guard;
mod nudge;
mod remind;
mod start;

use std::io::{self, IsTerminal as _, Read, Write as _};
use std::process;
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::env::Env;

/// What a person is told who calls a hook by hand.
const SETUP: &str = concat!(
    "`ckpt nudge` and `ckpt guard` are hooks: a coding agent's client runs them and writes an event to their standard input.\n\
     In Claude Code they are set up in ~/.claude/settings.json, or in a project's .claude/settings.json:\n\n",
    include_str!("setup.json"),
    "\ndocs/clients.md says how to do it for Codex and Gemini CLI; with the plugin none of it is needed.\n"
);

/// Bytes of input that are read; a save at its limits is a tenth of it.
const INPUT_LIMIT: usize = 1 << 20;
/// Room for the first read, which is enough for all but a big save's input.
const ROOM: usize = 1 << 13;
/// How long a hook may take; the client writes the input before it waits for the hook.
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

    /// Reads standard input and prints what the client is to be told, if anything. To a person it says how it is set up.
    pub(crate) fn run(self, env: &Env) {
        if io::stdin().is_terminal() {
            // Who no longer listens need not know.
            let _ = io::stderr().write_all(SETUP.as_bytes());
            return;
        }
        give_up_after(PATIENCE);
        if let Some(answer) = self.answer(io::stdin().lock(), env) {
            // A client that no longer listens needs no answer.
            let _ = io::stdout().lock().write_all(&answer);
        }
    }

    /// What answers an input; None where the client is told nothing.
    pub(crate) fn answer(self, from: impl Read, env: &Env) -> Option<Vec<u8>> {
        let input = parse(from)?;
        let answer = match self {
            Self::Nudge => nudge::answer(&input, env)?,
            Self::Guard => Answer::Decision(guard::decide(&input)?),
        };
        let mut line = match answer {
            Answer::Text(text) => text.into_bytes(),
            Answer::Decision(hook_specific_output) => serde_json::to_vec(&Output {
                hook_specific_output,
            })
            .ok()?,
        };
        line.push(b'\n');
        Some(line)
    }
}

/// Ends the process once the time is over.
///
/// A read that nobody answers, or a folder that is on a network that is gone, cannot be interrupted. The work is the
/// first thread's, so that it waits for no other one.
fn give_up_after(patience: Duration) {
    let watch = move || {
        thread::sleep(patience);
        #[expect(
            clippy::exit,
            reason = "nothing is held that would have to be given back"
        )]
        process::exit(0);
    };
    // Without a second thread a hook is not bounded, and still does its work.
    let _ = thread::Builder::new().spawn(watch);
}

/// What the hooks need of their input; everything else is skipped.
#[derive(Debug, Default, Deserialize)]
struct Input {
    hook_event_name: Option<String>,
    session_id: Option<String>,
    cwd: Option<String>,
    /// The session's own, which need not exist yet.
    transcript_path: Option<String>,
    /// SessionStart: what the session starts from.
    source: Option<String>,
    /// PreToolUse.
    tool_name: Option<String>,
    /// PreToolUse: the arguments of the call, as they were written.
    tool_input: Option<Box<RawValue>>,
    /// PostToolBatch: the calls that were made, with what they answered.
    tool_calls: Option<Box<RawValue>>,
    /// Set in subagents alone, unlike `agent_type`.
    agent_id: Option<String>,
}

/// What a client is told.
enum Answer {
    /// As it stands, for an event at which JSON is not understood.
    Text(String),
    Decision(Decision),
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Output {
    hook_specific_output: Decision,
}

#[derive(Debug, Serialize)]
#[serde(tag = "hookEventName", rename_all_fields = "camelCase")]
enum Decision {
    SessionStart {
        additional_context: String,
    },
    UserPromptSubmit {
        additional_context: String,
    },
    PostToolBatch {
        additional_context: String,
    },
    #[serde(rename = "PreToolUse")]
    Denial {
        permission_decision: &'static str,
        permission_decision_reason: String,
    },
    /// It takes the place of the whole input, and decides nothing: the user's permissions stay as they are.
    #[serde(rename = "PreToolUse")]
    Rewrite {
        updated_input: Box<RawValue>,
    },
    /// The same for Gemini CLI, which asks by itself whether the call may be made.
    BeforeTool {
        #[serde(rename = "tool_input")]
        tool_input: Box<RawValue>,
    },
}

/// Parses one object without waiting for the end of the input, which some clients leave open.
fn parse(mut from: impl Read) -> Option<Input> {
    let mut text = Vec::new();
    let mut filled = 0;
    while filled < INPUT_LIMIT {
        text.resize(filled + filled.max(ROOM), 0);
        let count = match from.read(&mut text[filled..]) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        filled += count;
        // What ends in a brace may be whole; anything else is cut off, unless nothing follows.
        let read = text[..filled].trim_ascii_end();
        if count > 0 && !read.ends_with(b"}") {
            continue;
        }
        match Input::deserialize(&mut serde_json::Deserializer::from_slice(read)) {
            Ok(input) => return Some(input),
            Err(error) if error.is_eof() && count > 0 => {}
            Err(_) => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands out its text in pieces, and panics where it is read past its end.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(!self.0.is_empty(), "would block");
            let (piece, rest) = self.0.split_at(self.1.min(self.0.len()).min(buffer.len()));
            buffer[..piece.len()].copy_from_slice(piece);
            self.0 = rest;
            Ok(piece.len())
        }
    }

    #[test]
    fn an_object_is_read_in_pieces_and_not_past_its_end() {
        let text = r#"{"session_id":"ü1","cwd":"/p","tool_input":{"a":[1,-2e3,null,"\u00fc"]},"agent_id":"a"}"#;
        for size in [1, 7, text.len()] {
            let input = parse(Pieces(text.as_bytes(), size)).unwrap();
            assert_eq!(input.session_id.as_deref(), Some("ü1"), "{size}");
            assert_eq!(input.agent_id.as_deref(), Some("a"), "{size}");
        }
    }

    #[test]
    fn what_is_no_object_or_too_long_is_nothing() {
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(INPUT_LIMIT));
        for text in [
            "",
            "{",
            "garbage",
            "[]x",
            "\u{feff}{}",
            r#"{"cwd":1}"#,
            &long,
        ] {
            assert!(parse(text.as_bytes()).is_none(), "{text:.20}");
        }
    }
}

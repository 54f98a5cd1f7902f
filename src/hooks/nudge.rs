//! `ckpt nudge`: tells the agent at a session's start that there is something to resume.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::Input;
use crate::checkpoint::time;
use crate::env::{self, Env};
use crate::store::names::{self, Found};
use crate::store::session::{Selector, SessionId};

/// Values of the variable that silence the note.
const SILENCE: [&str; 4] = ["off", "0", "false", "no"];

/// The note for the agent's context; None where there is nothing to tell.
pub(super) fn decide(input: &Input, env: &Env) -> Option<Value> {
    let choice = env.var(env::NUDGE).unwrap_or_default();
    if SILENCE.iter().any(|word| choice.eq_ignore_ascii_case(word)) {
        return None;
    }
    let found = names::scan(&root(input, env)?);
    let newest = found.iter().filter_map(|found| found.modified).max()?;
    let note = note(found.len(), newest, env.now, own(input, &found));
    Some(json!({
        "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": note }
    }))
}

fn root(input: &Input, env: &Env) -> Option<PathBuf> {
    match env.os_var(env::PROJECT_ROOT) {
        Some(root) => Some(PathBuf::from(root)).filter(|root| root.is_absolute()),
        None => {
            let cwd = input.cwd.as_deref().filter(|cwd| !cwd.is_empty());
            cwd.map(|cwd| Path::new(cwd).to_owned())
                .or_else(|| env.cwd.clone())
        }
    }
}

/// The session's own checkpoint, where the session goes on: its server may run under another id.
fn own(input: &Input, found: &[Found]) -> Option<SessionId> {
    if !matches!(input.source.as_deref(), Some("resume" | "compact")) {
        return None;
    }
    let id = SessionId::parse(input.session_id.as_deref()?).ok()?;
    let own = Selector::Session(id.clone());
    found
        .iter()
        .any(|found| found.selector == own)
        .then_some(id)
}

fn note(count: usize, newest: SystemTime, now: Timestamp, own: Option<SessionId>) -> String {
    let age = match Timestamp::try_from(newest) {
        Ok(newest) => time::age(newest, now),
        Err(_) => "at an unknown time".to_owned(),
    };
    let checkpoints = match count {
        1 => format!("1 session checkpoint, saved {age}"),
        count => format!("{count} session checkpoints, the newest saved {age}"),
    };
    let which = match own {
        Some(id) => format!(
            " This session's own is `{0}`: the tool load_session_checkpoint takes it as `checkpoint`: \"{0}\".",
            id.as_str()
        ),
        None => " The tool load_session_checkpoint shows what can be resumed.".to_owned(),
    };
    format!(
        "This project has {checkpoints}.{which} The user decides whether to resume: confirm with the user before acting on a checkpoint."
    )
}

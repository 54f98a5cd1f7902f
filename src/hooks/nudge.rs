//! `ckpt nudge`: tells the agent at a session's start that there is something to resume.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;

use super::{Decision, Input};
use crate::checkpoint::time;
use crate::env::{self, Env};
use crate::store::names::{self, Survey};
use crate::store::session::SessionId;

/// Values of the variable that silence the note.
const SILENCE: [&str; 4] = ["off", "0", "false", "no"];

/// The note for the agent's context; None where there is nothing to tell.
pub(super) fn decide(input: &Input, env: &Env) -> Option<Decision> {
    let choice = env.var(env::NUDGE).unwrap_or_default();
    if SILENCE.iter().any(|word| choice.eq_ignore_ascii_case(word)) {
        return None;
    }
    let root = root(input, env)?;
    let Survey { count, newest } = names::survey(&root);
    let newest = newest?;
    Some(Decision::SessionStart {
        additional_context: note(count, newest, env.now, &which(input, &root)),
    })
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

/// What helps to find the right checkpoint where the client's server does not know the session it serves.
fn which(input: &Input, root: &Path) -> String {
    let own = match input.source.as_deref() {
        Some("resume" | "compact") => own(input, root),
        _ => None,
    };
    if let Some(id) = own {
        return format!(
            "This session's own is `{0}`: the tool load_session_checkpoint takes it as `checkpoint`: \"{0}\".",
            id.as_str()
        );
    }
    let mut which = "The tool load_session_checkpoint shows what can be resumed.".to_owned();
    if input.source.as_deref() == Some("clear") {
        // The server runs on under the id from before, so a plain save would replace what was just left.
        which.push_str(
            " Saves go to the same checkpoint as before /clear: `mode`: \"merge\" adds to it, \"replace\" drops what it holds.",
        );
    }
    which
}

fn own(input: &Input, root: &Path) -> Option<SessionId> {
    let id = SessionId::parse(input.session_id.as_deref()?).ok()?;
    names::has(root, &id).then_some(id)
}

fn note(count: usize, newest: SystemTime, now: Timestamp, which: &str) -> String {
    let age = match Timestamp::try_from(newest) {
        Ok(newest) => time::age(newest, now),
        Err(_) => "at an unknown time".to_owned(),
    };
    let checkpoints = match count {
        1 => format!("1 session checkpoint, saved {age}"),
        count => format!("{count} session checkpoints, the newest saved {age}"),
    };
    format!(
        "This project has {checkpoints}. {which} The user decides whether to resume: confirm with the user before acting on a checkpoint."
    )
}

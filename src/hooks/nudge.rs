//! `ckpt nudge`: tells the agent at a session's start that there is something to resume.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;

use super::{Decision, Input};
use crate::checkpoint::{text, time};
use crate::env::{self, Env};
use crate::store::names::{self, Survey};
use crate::store::selector::SessionId;
use crate::transcript::{End, Transcripts};

/// How many transcripts are looked at for one of this project.
const LOOKED_AT: usize = 3;

/// The note for the agent's context; None where there is nothing to tell.
pub(super) fn decide(input: &Input, env: &Env) -> Option<Decision> {
    if env.is_off(env::NUDGE) {
        return None;
    }
    let root = root(input, env)?;
    let Survey { count, newest } = names::survey(&root);
    let additional_context = match count {
        0 => unsaved(input, &root, env)?,
        count => note(count, newest?, env.now, &which(input, &root)),
    };
    let additional_context = text::lines(&additional_context).into_owned();
    Some(Decision::SessionStart { additional_context })
}

/// The note on a project without checkpoints whose latest session, not this one, has no clean end.
fn unsaved(input: &Input, root: &Path, env: &Env) -> Option<String> {
    // Who goes on with a session of their own has chosen already.
    if !matches!(input.source.as_deref(), None | Some("startup" | "clear")) {
        return None;
    }
    let transcripts = Transcripts::open(env, &root.canonicalize().ok()?)?;
    let mut others: Vec<String> = input.session_id.iter().cloned().collect();
    let latest = (0..LOOKED_AT).find_map(|_| {
        let latest = transcripts.latest_but(&others)?;
        let end = transcripts.end(&latest);
        others.push(latest.id.clone());
        (end != End::Elsewhere).then_some((latest, end))
    });
    let (latest, end) = latest?;
    if !matches!(end, End::Cut | End::MidTurn) {
        return None;
    }
    Some(format!(
        "This project has no session checkpoint, and the transcript of its latest session ({}, last active {}) has no \
         clean end: it was cut off, or still runs. The tool load_session_checkpoint shows what can be recovered of it. \
         The user decides whether to resume: confirm with the user before acting on it.",
        latest.id,
        time::age(latest.modified(), env.now),
    ))
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

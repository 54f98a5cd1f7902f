//! `ckpt nudge`: tells the agent, at each event, what it would not know by itself.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::{Answer, Decision, Input, remind, start};
use crate::checkpoint::text;
use crate::commands::{Context, Scope, compaction};
use crate::env::{self, Env};
use crate::store::selector::SessionId;

/// How long the brief after a compaction may take, which is less than a hook may.
const BRIEF_TIME: Duration = Duration::from_millis(1_500);

pub(super) fn answer(input: &Input, env: &Env) -> Option<Answer> {
    let is_subagents = input.agent_id.as_deref().is_some_and(|id| !id.is_empty());
    if env.is_off(env::NUDGE) || is_subagents {
        return None;
    }
    let root = root(input, env)?;
    let harmless = |told: String| text::lines(&told).into_owned();
    let decision = match input.hook_event_name.as_deref() {
        None | Some("SessionStart") => Decision::SessionStart {
            additional_context: harmless(started(input, &root, env)?),
        },
        Some("UserPromptSubmit") => Decision::UserPromptSubmit {
            additional_context: remind::decide(input, &root, env)?,
        },
        Some("PostToolBatch") => Decision::PostToolBatch {
            additional_context: remind::decide(input, &root, env)?,
        },
        Some("PreCompact") => {
            let told = compaction::before(&context(input, root, env)?).ok()?;
            return Some(Answer::Text(harmless(told)));
        }
        Some(_) => return None,
    };
    Some(Answer::Decision(decision))
}

fn started(input: &Input, root: &Path, env: &Env) -> Option<String> {
    let brief = match input.source.as_deref() {
        Some("compact") => brief(input, root, env),
        _ => None,
    };
    brief.or_else(|| start::note(input, root, env))
}

/// What the session itself knew before its context was compacted; None where nothing is known, or not in time.
fn brief(input: &Input, root: &Path, env: &Env) -> Option<String> {
    let context = context(input, root.to_owned(), env)?;
    let (sender, receiver) = mpsc::channel();
    let load = move || {
        // Who no longer waits needs no brief.
        let _ = sender.send(compaction::after(&context).ok().flatten());
    };
    thread::Builder::new().spawn(load).ok()?;
    receiver.recv_timeout(BRIEF_TIME).ok()?
}

/// None where the hook names no session, or the project cannot be opened.
fn context(input: &Input, root: PathBuf, env: &Env) -> Option<Context> {
    let session = SessionId::parse(input.session_id.as_deref()?).ok()?;
    let scope = Scope {
        project_root: Some(root),
        hook_session: Some(session),
        ..Scope::default()
    };
    Context::new(env.clone(), scope).ok()
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

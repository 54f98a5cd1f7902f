//! The note at a session's start: that there is something to resume.

use std::path::Path;

use jiff::Timestamp;

use super::Input;
use crate::checkpoint::time;
use crate::env::Env;
use crate::store::names::{self, Survey};
use crate::store::nearby::{self, Nearby};
use crate::store::selector::SessionId;
use crate::store::trees;
use crate::transcript::{self, Effort, End, Life, Lives, Transcripts};

/// How many transcripts are looked at for one of this project that a person had.
const LOOKED_AT: usize = 64;
/// How many other stores are named.
const TOLD: usize = 5;

const CONFIRM: &str =
    "The user decides whether to resume: confirm with the user before acting on it.";

/// By file names and times alone; no checkpoint is opened. None where there is nothing to tell.
pub(super) fn note(input: &Input, root: &Path, env: &Env) -> Option<String> {
    let survey = names::survey(root);
    match survey.count {
        0 => nothing_here(input, &root.canonicalize().ok()?, env),
        _ => saved(&survey, &which(input, root, env), input, env),
    }
}

/// The notes on a project without checkpoints: what else its repository has, and what can be recovered.
fn nothing_here(input: &Input, root: &Path, env: &Env) -> Option<String> {
    // Who goes on with a session of their own has chosen already.
    if !matches!(input.source.as_deref(), None | Some("startup" | "clear")) {
        return None;
    }
    let notes = [elsewhere(root, env), unsaved(input, root, env)];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    if notes.is_empty() {
        return None;
    }
    Some(format!("{} {CONFIRM}", notes.join(" ")))
}

/// The note on the other stores of the repository.
fn elsewhere(root: &Path, env: &Env) -> Option<String> {
    let top = trees::top(root)?;
    let below = transcript::folders_below(env, top, Effort::Names);
    let stores = nearby::stores(root, &below);
    let named = stores.iter().take(TOLD).map(|store| {
        let Nearby { root, survey: _ } = store;
        format!("{} in `{}`", store.summary(env.now), root.display())
    });
    let more = match stores.len().saturating_sub(TOLD) {
        0 => String::new(),
        more => format!("; and {more} more stores"),
    };
    let named = Vec::from_iter(named).join("; ");
    (!stores.is_empty()).then(|| {
        format!(
            "This folder has no session checkpoint, but its repository has: {named}{more}. The tool load_session_checkpoint \
             shows them with the folder passed as `projectRoot`."
        )
    })
}

/// The note on the latest session, not this one, where it has no clean end.
fn unsaved(input: &Input, root: &Path, env: &Env) -> Option<String> {
    let transcripts = Transcripts::open(env, root)?;
    let others = transcripts.sessions_by_name().into_iter();
    let others = others.filter(|session| input.session_id.as_ref() != Some(&session.id));
    // Of those that programs ran by themselves, the latest counts only where a person had none.
    let mut programs = None;
    let mut persons = None;
    for session in others.take(LOOKED_AT) {
        let (end, is_headless) = transcripts.end(&session);
        if end == End::Elsewhere {
            continue;
        }
        if !is_headless {
            persons = Some((session, end));
            break;
        }
        programs.get_or_insert((session, end));
    }
    let (latest, end) = persons.or(programs)?;
    if !matches!(end, End::Cut | End::MidTurn) {
        return None;
    }
    let how = match Lives::read(env).of(&latest.id) {
        Life::Running => "it still runs",
        Life::Killed => "it was killed",
        Life::Unknown => "it was cut off, or still runs",
    };
    Some(format!(
        "This project has no session checkpoint, and the transcript of its latest session ({}, last active {}) has no \
         clean end: {how}. The tool load_session_checkpoint shows what can be recovered of it.",
        latest.id,
        time::age(latest.modified().min(env.now), env.now),
    ))
}

/// How to find the right checkpoint.
fn which(input: &Input, root: &Path, env: &Env) -> String {
    let (whose, id) = match input.source.as_deref() {
        Some("resume" | "compact") => ("This session's own is", own(input, root)),
        Some("clear") => (
            "The conversation before /clear has",
            before(input, root, env),
        ),
        _ => ("", None),
    };
    match id.as_ref().map(SessionId::as_str) {
        Some(id) => format!(
            "{whose} `{id}`: the tool load_session_checkpoint takes it as `checkpoint`: \"{id}\"."
        ),
        None => "The tool load_session_checkpoint shows what can be resumed.".to_owned(),
    }
}

/// The session that `/clear` ended, where it has a checkpoint.
///
/// The client names it nowhere. But it wrote the last lines of its transcript when it ended it, a moment ago, and no client
/// says any more that it runs this session.
fn before(input: &Input, root: &Path, env: &Env) -> Option<SessionId> {
    let transcript = Path::new(input.transcript_path.as_deref()?);
    let lives = Lives::read(env);
    let others: Vec<&str> = input
        .session_id
        .as_deref()
        .into_iter()
        .chain(lives.running())
        .collect();
    let before = SessionId::parse(&transcript::latest_beside(env, transcript, &others)?).ok()?;
    names::has(root, &before).then_some(before)
}

fn own(input: &Input, root: &Path) -> Option<SessionId> {
    let id = SessionId::parse(input.session_id.as_deref()?).ok()?;
    names::has(root, &id).then_some(id)
}

fn saved(survey: &Survey, which: &str, input: &Input, env: &Env) -> Option<String> {
    let saved = match Timestamp::try_from(survey.newest?) {
        Ok(newest) => time::saved(newest, env.now),
        Err(_) => "saved at an unknown time".to_owned(),
    };
    let other = survey
        .session
        .as_deref()
        .filter(|id| input.session_id.as_deref() != Some(id));
    let by = match other.map(|id| Lives::read(env).of(id)) {
        Some(Life::Running) => " by a session that still runs",
        Some(Life::Killed) => " by a session that was killed",
        Some(Life::Unknown) | None => "",
    };
    let checkpoints = match survey.count {
        1 => format!("1 session checkpoint, {saved}{by}"),
        count => format!("{count} session checkpoints, the newest {saved}{by}"),
    };
    Some(format!(
        "This project has {checkpoints}. {which} The user decides whether to resume: confirm with the user before acting on a checkpoint."
    ))
}

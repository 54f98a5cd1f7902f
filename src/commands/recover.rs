//! What the agent did not save: sessions as the transcripts of their clients tell them.

use std::collections::{BTreeSet, HashSet};

use super::{Context, list, load, standing};
use crate::checkpoint::format::Checkpoint;
use crate::checkpoint::recovered::Recovered;
use crate::checkpoint::time;
use crate::checkpoint::unsaved::Unsaved;
use crate::store::selector::{self, Selector, SessionId};
use crate::store::session::{Current, Origin};
use crate::transcript::{Account, Lives, Outline, Session, Transcripts};

/// How many transcripts are opened for some that can be offered.
const OPENED: usize = 100;

pub(super) fn transcripts(context: &Context) -> Option<Transcripts> {
    // An id that somebody names need not be that of the session in which the command runs.
    let within = match context.current() {
        Ok(Current::Session(id, Origin::Hook | Origin::Client | Origin::Variable)) => Some(id),
        _ => None,
    };
    let transcripts = Transcripts::open(&context.env, context.store.root())?;
    Some(transcripts.within(within.as_ref().map(SessionId::as_str)))
}

/// What happened in the checkpoint's session after its save; None where nothing did, or nothing is known.
pub(super) fn after_save(
    context: &Context,
    selector: &Selector,
    checkpoint: &Checkpoint,
) -> Option<Recovered> {
    let Selector::Session(id) = selector else {
        return None;
    };
    let transcripts = transcripts(context)?.for_brief();
    let recovered = transcripts.after(id.as_str(), checkpoint.updated_at)?;
    Some(recovered).filter(|recovered| !recovered.is_empty())
}

/// The sessions of this project, but the current one, that can be recovered and have no checkpoint: the last
/// active first, at most `limit`.
pub(super) fn entries(context: &Context, limit: usize) -> Vec<list::Entry> {
    chosen(context, limit, |_| true)
}

/// Those of them that a load offers. A client can give its server another id than its own, so that the current
/// one has to be known by the load that it waits for.
pub(super) fn offered(context: &Context, limit: usize) -> Vec<list::Entry> {
    chosen(context, limit, |outline| !outline.is_loading)
}

fn chosen(
    context: &Context,
    limit: usize,
    is_wanted: impl Fn(&Outline) -> bool,
) -> Vec<list::Entry> {
    let mut known = [
        context.store.selectors().unwrap_or_default(),
        selectors(context),
    ]
    .concat();
    known.sort();
    let lives = Lives::read(&context.env);
    let found = unsaved(context).into_iter().flatten();
    found
        .filter(|(_, outline)| is_wanted(outline))
        .take(limit)
        .map(|(session, outline)| list::Entry {
            running: lives.of(&session.id).is_running(),
            ..entry(context, &known, &session, outline)
        })
        .collect()
}

/// The sessions without a checkpoint, opened one by one as they are asked for.
pub(super) fn unsaved(context: &Context) -> Option<impl Iterator<Item = (Session, Outline)>> {
    let transcripts = transcripts(context)?;
    let known: HashSet<String> = context
        .store
        .selectors()
        .ok()?
        .iter()
        .map(Selector::to_string)
        .collect();
    let own = context.own_selector().ok()?.map(|own| own.to_string());
    let mut sessions = transcripts.sessions();
    sessions.retain(|session| !known.contains(&session.id) && own.as_ref() != Some(&session.id));
    let opened = sessions.into_iter().take(OPENED);
    Some(opened.filter_map(move |session| {
        let outline = transcripts.outline(&session)?;
        // A client can give its server another id than its own, so that the checkpoint bears that one.
        outline
            .saved
            .is_disjoint(&known)
            .then_some((session, outline))
    }))
}

fn entry(
    context: &Context,
    known: &[Selector],
    session: &Session,
    outline: Outline,
) -> list::Entry {
    let Outline {
        goal,
        branch,
        until,
        saved: _,
        is_loading: _,
    } = outline;
    list::Entry {
        selector: session.id.clone(),
        goal,
        updated_at: Some(time::format(until)),
        age: time::age(until, context.env.now),
        branch,
        all_tasks_done: false,
        is_current_session: false,
        from_backup: false,
        machine: None,
        recoverable: true,
        running: None,
        short: Selector::parse(&session.id).map_or(session.id.clone(), |selector| {
            selector::shortened(&selector, known).to_owned()
        }),
        checkpoint: None,
        progress: (0, 0),
    }
}

/// The id under which Claude Code resumes the conversation of a session; None where it has none of that id.
pub(crate) fn resumable<'a>(context: &Context, id: &'a str) -> Option<&'a str> {
    let mut sessions = transcripts(context)?.named().into_iter();
    sessions.any(|session| session.id == id).then_some(id)
}

/// The ids of the sessions that left a transcript, sorted, for one that a person means by its start.
pub(super) fn selectors(context: &Context) -> Vec<Selector> {
    let sessions = transcripts(context).map(|transcripts| transcripts.sessions());
    named_by(sessions.iter().flatten())
}

/// The selectors of sessions, sorted.
pub(super) fn named_by<'a>(sessions: impl Iterator<Item = &'a Session>) -> Vec<Selector> {
    let selectors = sessions.filter_map(|session| Selector::parse(&session.id).ok());
    BTreeSet::from_iter(selectors).into_iter().collect()
}

/// A session that has no checkpoint, as its transcript tells it; None where it has no transcript either.
pub(super) fn load(
    context: &Context,
    selector: &Selector,
) -> anyhow::Result<Option<load::Outcome>> {
    let transcripts = transcripts(context).map(Transcripts::for_brief);
    let found = transcripts.and_then(|transcripts| {
        let mut sessions = transcripts.sessions_of(selector.as_str()).into_iter();
        sessions.find_map(|session| Some((transcripts.account(&session)?, session)))
    });
    let Some((account, session)) = found else {
        return Ok(None);
    };
    let Account {
        goal,
        branch,
        recovered,
    } = account;
    let branch = branch.as_deref();
    let stands = standing::compare(context, &recovered.files, branch, recovered.until)?;
    let warnings = [context.warnings.clone(), stands.warnings].concat();
    let mut notes = vec![format!(
        "Session `{}` saved no checkpoint. What follows was recovered from its transcript: facts, not the agent's \
         own account.",
        session.id
    )];
    notes.extend(warnings.iter().map(|warning| format!("Warning: {warning}")));
    let drift = stands.drift;
    let unsaved = Unsaved {
        project: &context.project_name(),
        goal: &goal,
        branch,
        recovered: &recovered,
        files: &stands.files,
        changed: &drift.changed_since,
        moved_to: (drift.branch_changed == Some(true)).then_some(drift.current_branch.as_deref()),
    };
    Ok(Some(load::Outcome {
        text: unsaved.render(&notes, context.env.now),
        found: true,
        path: Some(session.path().display().to_string()),
        updated_at: recovered.until.map(time::format),
        drift: Some(drift),
        warnings,
        selector: Some(session.id),
        ..load::Outcome::default()
    }))
}

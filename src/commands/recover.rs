//! What the agent did not save: sessions as the transcripts of their clients tell them.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;

use super::entries::Entry;
use super::{Context, Reader, shared, unsaved};
use crate::checkpoint::drift::Drift;
use crate::checkpoint::format::{Checkpoint, Client};
use crate::checkpoint::recovered::Recovered;
use crate::checkpoint::text::{one_line, shortened};
use crate::checkpoint::time;
use crate::checkpoint::unsaved::Unsaved;
use crate::env::Deadline;
use crate::error::failure;
use crate::store::selector::{Selector, SessionId, Starts};
use crate::store::session::{Current, Origin};
use crate::transcript::{Account, Home, Lives, Outline, Session, Transcripts};

/// How many sessions in which a person spoke are offered at most, and how long looking for them may take.
const OPENED: usize = 100;
const LOOKING: Duration = Duration::from_secs(2);

pub(super) fn transcripts(context: &Context) -> Option<Transcripts> {
    // An id given as an argument need not be that of the session in which the command runs.
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

/// Sessions without a checkpoint that can be recovered.
pub(super) struct Recoverable {
    /// The last active first, and behind them those in which no person spoke.
    pub(super) entries: Vec<Entry>,
    /// How many more there may be, which were not looked into.
    pub(super) unopened: usize,
}

/// The sessions of this project, but the current one, that can be recovered and have no checkpoint.
pub(super) fn entries(context: &Context) -> Recoverable {
    chosen(context, |_| true)
}

/// Those of them that a load offers. A client can give its server another id than its own, so the current session is
/// recognised by the load that its transcript ends with.
pub(super) fn offered(context: &Context) -> Recoverable {
    chosen(context, |outline| !outline.is_loading)
}

fn chosen(context: &Context, is_wanted: impl Fn(&Outline) -> bool) -> Recoverable {
    let Some(mut unsaved) = unsaved(context) else {
        return Recoverable {
            entries: Vec::new(),
            unopened: 0,
        };
    };
    let mut known = context.store.selectors().unwrap_or_default();
    known.extend(named_by(unsaved.sessions.iter()));
    known.sort();
    let lives = Lives::read(&context.env);
    let starts = Starts::new(&known);
    let deadline = Deadline::after(LOOKING);
    let (mut persons, mut programs) = (Vec::new(), Vec::new());
    while persons.len() < OPENED && !deadline.has_passed() {
        let Some((session, outline)) = unsaved.next() else {
            break;
        };
        if !is_wanted(&outline) {
            continue;
        }
        let found = match outline.is_headless {
            true => &mut programs,
            false => &mut persons,
        };
        found.push(Entry {
            running: lives.of(&session.id).is_running(),
            ..entry(context, &starts, &session, outline)
        });
    }
    persons.append(&mut programs);
    Recoverable {
        entries: persons,
        unopened: unsaved.sessions.len(),
    }
}

/// The latest session without a checkpoint in which a person spoke, or else the latest of all.
pub(super) fn latest_unsaved(context: &Context) -> Option<Session> {
    let deadline = Deadline::after(LOOKING);
    let mut latest = None;
    for (session, outline) in unsaved(context)? {
        if !outline.is_headless {
            return Some(session);
        }
        latest.get_or_insert(session);
        if deadline.has_passed() {
            break;
        }
    }
    latest
}

/// The sessions without a checkpoint, opened one by one as they are asked for.
struct UnsavedSessions {
    transcripts: Transcripts,
    known: HashSet<String>,
    /// Those that were not opened yet.
    sessions: VecDeque<Session>,
}

impl Iterator for UnsavedSessions {
    type Item = (Session, Outline);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let session = self.sessions.pop_front()?;
            // A client can give its server another id than its own, and then the checkpoint has the server's.
            match self.transcripts.outline(&session) {
                Some(outline) if outline.saved.is_disjoint(&self.known) => {
                    return Some((session, outline));
                }
                _ => {}
            }
        }
    }
}

fn unsaved(context: &Context) -> Option<UnsavedSessions> {
    let transcripts = with_former(context, transcripts(context)?);
    let selectors = context.store.selectors().ok()?;
    let known: HashSet<String> = selectors.iter().map(Selector::to_string).collect();
    let own = context.own_selector().ok()?.map(|own| own.to_string());
    let mut sessions = transcripts.sessions();
    sessions.retain(|session| !known.contains(&session.id) && own.as_ref() != Some(&session.id));
    Some(UnsavedSessions {
        transcripts,
        known,
        sessions: sessions.into(),
    })
}

/// The transcripts, together with those of the folder that the project was in before it was moved or renamed. That is a
/// folder which is gone and some of whose sessions have checkpoints here, because those moved along.
fn with_former(context: &Context, transcripts: Transcripts) -> Transcripts {
    // Looking through all folders takes time, and helps only where the project has just been moved.
    let Some(selectors) = context.store.selectors().ok().filter(|all| !all.is_empty()) else {
        return transcripts;
    };
    if !transcripts.sessions().is_empty() {
        return transcripts;
    }
    let known: HashSet<&str> = selectors.iter().map(Selector::as_str).collect();
    let is_known = |id: &String| known.contains(id.as_str());
    let gone = transcripts.elsewhere(|folder| !folder.exists());
    let former = gone
        .into_iter()
        .find(|gone| transcripts.ids_in(&gone.folder).iter().any(is_known));
    match former {
        Some(former) => transcripts.with_former(&former.folder),
        None => transcripts,
    }
}

fn entry(context: &Context, starts: &Starts, session: &Session, outline: Outline) -> Entry {
    let Outline {
        goal,
        branch,
        until,
        saved: _,
        is_loading: _,
        is_headless,
    } = outline;
    let selector = Selector::parse(&session.id);
    Entry {
        short: selector.map_or(session.id.clone(), |it| starts.of(&it).to_owned()),
        selector: session.id.clone(),
        goal,
        updated_at: Some(time::format(until)),
        age: time::age(until, context.env.now),
        branch,
        recoverable: true,
        is_headless,
        client: Some(Client::named(session.client_name())),
        ..Entry::default()
    }
}

/// Whether a session of that id left a transcript.
pub(super) fn is_known(context: &Context, id: &str) -> bool {
    transcripts(context).is_some_and(|transcripts| !transcripts.sessions_of(id).is_empty())
}

/// The ids of the sessions that left a transcript, sorted, for one that a person means by its start.
pub(super) fn selectors(context: &Context) -> Vec<Selector> {
    let transcripts = transcripts(context).map(|transcripts| with_former(context, transcripts));
    let sessions = transcripts.map(|transcripts| transcripts.sessions());
    named_by(sessions.iter().flatten())
}

/// The selectors of sessions, sorted.
pub(super) fn named_by<'a>(sessions: impl Iterator<Item = &'a Session>) -> Vec<Selector> {
    let selectors = sessions.filter_map(|session| Selector::parse(&session.id).ok());
    BTreeSet::from_iter(selectors).into_iter().collect()
}

/// A session that has no checkpoint, as its transcript tells it.
pub(super) struct Brief {
    pub(super) text: String,
    pub(super) session: String,
    /// The transcript's.
    pub(super) path: String,
    /// When the session was last active.
    pub(super) until: Option<Timestamp>,
    pub(super) drift: Drift,
    pub(super) warnings: Vec<String>,
}

/// What the transcript of a session tells; None where it has none.
pub(super) fn brief(
    context: &Context,
    selector: &Selector,
    reader: Reader,
) -> anyhow::Result<Option<Brief>> {
    let Some((account, session)) = found(context, selector, reader)? else {
        return Ok(None);
    };
    let Account {
        goal,
        goal_from,
        branch,
        recovered,
    } = account;
    let branch = branch.as_deref();
    let compared = unsaved::compare(context, &recovered.files, branch, recovered.until)?;
    let warnings = [context.warnings.clone(), compared.warnings].concat();
    let mut notes = vec![format!(
        "Session `{}` saved no checkpoint. What follows was recovered from its transcript: facts, not the agent's \
         own account.",
        session.id
    )];
    notes.extend(warnings.iter().map(|warning| format!("Warning: {warning}")));
    let drift = compared.drift;
    let unsaved = Unsaved {
        project: &context.project_name(),
        goal: &goal,
        goal_from,
        branch,
        recovered: &recovered,
        files: &compared.files,
        changed: &drift.changed_since,
        moved_to: (drift.branch_changed == Some(true)).then_some(drift.current_branch.as_deref()),
    };
    let text = unsaved.render(&notes, context.env.now);
    let shared =
        shared::section(context, None).map_or(String::new(), |shared| format!("\n{shared}"));
    Ok(Some(Brief {
        text: text + &shared,
        path: session.path().display().to_string(),
        session: session.id,
        until: recovered.until,
        drift,
        warnings,
    }))
}

/// What the first readable transcript of a session tells. An error where its transcripts all belong to another project.
fn found(
    context: &Context,
    selector: &Selector,
    reader: Reader,
) -> anyhow::Result<Option<(Account, Session)>> {
    let Some(transcripts) = transcripts(context).map(Transcripts::for_brief) else {
        return Ok(None);
    };
    let mut elsewhere = None;
    for session in transcripts.sessions_of(selector.as_str()) {
        let account = match transcripts.home(&session) {
            Home::Elsewhere(folder) if !is_inside(context, &folder) => {
                elsewhere = Some(folder);
                None
            }
            Home::Elsewhere(_) | Home::Here => transcripts.account(&session),
            Home::Gone(folder) => {
                let former = transcripts.clone().with_former(&folder);
                former.account(&session)
            }
        };
        if let Some(account) = account {
            return Ok(Some((account, session)));
        }
    }
    match elsewhere {
        Some(folder) => Err(is_elsewhere(selector, &folder, reader)),
        None => Ok(None),
    }
}

/// Whether a folder lies in the project, as a worktree that the client made does.
fn is_inside(context: &Context, folder: &Path) -> bool {
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.starts_with(context.store.root())
}

fn is_elsewhere(selector: &Selector, folder: &Path, reader: Reader) -> anyhow::Error {
    let folder = shortened(&one_line(&folder.display().to_string()), 1_000);
    let hint = match reader {
        Reader::Agent => format!("pass `projectRoot`: `{folder}`"),
        Reader::Person => format!("name that project with -C {folder}"),
    };
    failure(
        format!("session `{selector}` belongs to another project, `{folder}`"),
        hint,
    )
}

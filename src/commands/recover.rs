//! What the agent did not save: sessions as the transcripts of their clients tell them.

use std::collections::HashSet;
use std::path::Path;

use super::{Context, list, load, save, standing};
use crate::checkpoint::format::Checkpoint;
use crate::checkpoint::limits;
use crate::checkpoint::recovered::{Recovered, Unsaved};
use crate::checkpoint::text::shortened;
use crate::checkpoint::time;
use crate::checkpoint::update::{CommandUpdate, FileUpdate, Mode, Update};
use crate::env;
use crate::error::failure;
use crate::store::Store;
use crate::store::session::{self, Current, Origin, Selector, SessionId};
use crate::transcript::{Account, Session, Transcripts};

fn transcripts(context: &Context) -> Option<Transcripts> {
    Transcripts::open(&context.env, context.store.root())
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
    let recovered = transcripts(context)?.after(id.as_str(), checkpoint.updated_at)?;
    Some(recovered).filter(|recovered| !recovered.is_empty())
}

/// The sessions of this project, but the current one, that can be recovered and have no checkpoint: the last
/// active first, at most `limit`.
pub(super) fn entries(context: &Context, limit: usize) -> Vec<list::Entry> {
    let known = [
        context.store.selectors().unwrap_or_default(),
        selectors(context),
    ]
    .concat();
    let found = unsaved(context).into_iter().flatten();
    found
        .take(limit)
        .map(|(session, account)| entry(context, &known, &session, account))
        .collect()
}

/// The sessions without a checkpoint, opened one by one as they are asked for.
fn unsaved(context: &Context) -> Option<impl Iterator<Item = (Session, Account)>> {
    let transcripts = transcripts(context)?;
    let known: HashSet<String> = context
        .store
        .selectors()
        .ok()?
        .iter()
        .map(Selector::to_string)
        .collect();
    let own = context.current.selector().map(|own| own.to_string());
    let sessions = transcripts.sessions().into_iter();
    Some(sessions.filter_map(move |session| {
        if known.contains(&session.id) || own.as_ref() == Some(&session.id) {
            return None;
        }
        let account = transcripts.account(&session)?;
        // A client can give its server another id than its own, so that the checkpoint bears that one.
        account
            .saved
            .is_disjoint(&known)
            .then_some((session, account))
    }))
}

fn entry(
    context: &Context,
    known: &[Selector],
    session: &Session,
    account: Account,
) -> list::Entry {
    let Account {
        goal,
        branch,
        recovered,
        saved: _,
    } = account;
    let at = recovered.until.unwrap_or(session.modified());
    list::Entry {
        selector: session.id.clone(),
        goal,
        updated_at: Some(time::format(at)),
        age: time::age(at, context.env.now),
        branch,
        all_tasks_done: false,
        is_current_session: false,
        from_backup: false,
        recoverable: true,
        short: Selector::parse(&session.id).map_or(session.id.clone(), |selector| {
            session::shortened(&selector, known).to_owned()
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

/// The ids of the sessions that left a transcript, for one that a person means by its start.
pub(super) fn selectors(context: &Context) -> Vec<Selector> {
    let sessions = transcripts(context).map(|transcripts| transcripts.sessions());
    let sessions = sessions.into_iter().flatten();
    sessions
        .filter_map(|session| Selector::parse(&session.id).ok())
        .collect()
}

/// A session that has no checkpoint, as its transcript tells it; None where it has no transcript either.
pub(super) fn load(
    context: &Context,
    selector: &Selector,
) -> anyhow::Result<Option<load::Outcome>> {
    let Some((session, account)) = find(context, selector.as_str()) else {
        return Ok(None);
    };
    let Account {
        goal,
        branch,
        recovered,
        saved: _,
    } = account;
    let branch = branch.as_deref();
    let stands = standing::compare(context, &recovered.files, branch, recovered.until)?;
    let warnings = [context.warnings.clone(), stands.warnings].concat();
    let mut notes = vec![
        "No checkpoint was saved in this session. What follows was recovered from its transcript: facts, \
         not the agent's own account."
            .to_owned(),
    ];
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

fn find(context: &Context, id: &str) -> Option<(Session, Account)> {
    let transcripts = transcripts(context)?;
    let session = transcripts
        .sessions()
        .into_iter()
        .find(|session| session.id == id)?;
    let account = transcripts.account(&session)?;
    Some((session, account))
}

/// Saves what a transcript tells, for good, as the checkpoint of its session.
///
/// `named` is a session id, the start of one, or a file; without it, it is the current session's, and else the
/// latest that has no checkpoint. To a checkpoint that is there, what happened after its save is added.
pub(crate) fn save(context: &Context, named: Option<&str>) -> anyhow::Result<save::Outcome> {
    let transcripts = transcripts(context).ok_or_else(|| {
        failure(
            "reading transcripts is switched off",
            format!("unset {} and save again", env::TRANSCRIPTS),
        )
    })?;
    let session = match named {
        Some(named) => session_named(context, &transcripts, named)?,
        None => latest(context, &transcripts)?,
    };
    let account = transcripts.account(&session).ok_or_else(|| {
        failure(
            format!(
                "`{}` holds no session of this project",
                session.path().display()
            ),
            "name another session or file, or its project with -C",
        )
    })?;
    let id = SessionId::parse(&session.id)?;
    let existing = context.load(&Selector::Session(id.clone()))?;
    let update = match existing {
        None => Update {
            goal: Some(account.goal.clone()),
            summary: Some(told(&account.recovered, UNSAVED)),
            ..update(account.recovered)
        },
        Some(loaded) => {
            let Checkpoint {
                updated_at,
                summary,
                ..
            } = loaded.checkpoint;
            let after = transcripts.after(&session.id, updated_at);
            let after = after.filter(|after| !after.is_empty()).ok_or_else(|| {
                failure(
                    format!(
                        "nothing happened after the save of checkpoint `{}`",
                        id.as_str()
                    ),
                    "load it as it is",
                )
            })?;
            let told = told(&after, ADDED);
            let room = limits::SUMMARY.saturating_sub(told.chars().count() + 2);
            let before = summary.map(|summary| shortened(&summary, room.saturating_sub(1)));
            Update {
                mode: Some(Mode::Merge),
                summary: Some(before.map_or(String::new(), |before| before + "\n\n") + &told),
                ..update(after)
            }
        }
    };
    let context = Context {
        env: context.env.clone(),
        store: Store::open(context.store.root().to_owned())?,
        current: Current::Session(id, Origin::Argument),
        warnings: context.warnings.clone(),
    };
    save::run(&context, update)
}

const UNSAVED: &str = "Recovered from the session's transcript; the agent saved no checkpoint.";
const ADDED: &str = "Added from the session's transcript, for after the agent's save:";

fn session_named(
    context: &Context,
    transcripts: &Transcripts,
    named: &str,
) -> anyhow::Result<Session> {
    let path = Path::new(named);
    if named.contains(std::path::is_separator) || path.extension().is_some_and(|end| end == "jsonl")
    {
        let base = context.env.cwd.clone().unwrap_or_default();
        return Session::at(&base.join(path)).ok_or_else(|| {
            failure(
                format!("`{named}` is no transcript"),
                "name a regular file whose name ends in its session's id and `.jsonl`",
            )
        });
    }
    let sessions = transcripts.sessions();
    let known: Vec<Selector> = sessions
        .iter()
        .filter_map(|session| Selector::parse(&session.id).ok())
        .collect();
    let selector = session::expand(named, &known)?;
    let mut sessions = sessions.into_iter();
    sessions
        .find(|session| session.id == selector.as_str())
        .ok_or_else(|| {
            failure(
                format!("there is no transcript of session `{selector}` in this project"),
                "list those that there are: ckpt list --all",
            )
        })
}

fn latest(context: &Context, transcripts: &Transcripts) -> anyhow::Result<Session> {
    let own = context.current.selector().map(|own| own.to_string());
    let mut sessions = transcripts.sessions().into_iter();
    if let Some(own) = sessions.find(|session| own.as_ref() == Some(&session.id)) {
        return Ok(own);
    }
    let unsaved = unsaved(context).and_then(|mut unsaved| unsaved.next());
    unsaved.map(|(session, _)| session).ok_or_else(|| {
        failure(
            "no session of this project left a transcript without a checkpoint",
            "name a session or a file",
        )
    })
}

/// The facts as the arguments of a save, but for goal and summary.
fn update(recovered: Recovered) -> Update {
    let commands = recovered.commands.into_iter().map(|ran| CommandUpdate {
        exit_code: ran.outcome.exit_code(),
        note: ran.outcome.note().map(str::to_owned),
        command: ran.command,
    });
    let files = recovered.files.into_iter();
    let files = files.map(|path| FileUpdate { path, note: None });
    Update {
        recent_commands: Some(commands.collect()),
        modified_files: Some(files.collect()),
        ..Update::default()
    }
}

/// What has no field of its own, as a summary under a heading.
fn told(recovered: &Recovered, heading: &str) -> String {
    let mut parts = vec![heading.to_owned()];
    if let [before @ .., last] = &recovered.prompts[..] {
        parts.extend(
            before
                .iter()
                .map(|prompt| format!("The user asked: {prompt}")),
        );
        parts.push(format!("The user asked last: {last}"));
    }
    let named = [
        ("Compacted by the client, which noted", &recovered.summary),
        ("The transcript ends while this runs", &recovered.running),
        ("The agent's last words", &recovered.last_words),
    ];
    let named = named.into_iter();
    parts.extend(named.filter_map(|(what, text)| Some(format!("{what}: {}", text.as_ref()?))));
    shortened(&parts.join("\n"), limits::SUMMARY - 1)
}

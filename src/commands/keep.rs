//! `save --from-transcript`: what a transcript tells of a session, kept for good.

use std::path::Path;

use super::caller::Caller;
use super::{Context, recover, save};
use crate::checkpoint::edits::{CommandEdit, Edits, FileEdit, Mode};
use crate::checkpoint::format::{Checkpoint, Client};
use crate::checkpoint::recovered::Recovered;
use crate::checkpoint::text::shortened;
use crate::checkpoint::{fields, markdown};
use crate::env;
use crate::error::failure;
use crate::store::Store;
use crate::store::selector::{self, Selector, SessionId};
use crate::transcript::{Account, Session, Transcripts};

/// Saves what a transcript tells as the checkpoint of its session.
///
/// `named` is a session id, the start of one, or a file; without it, it is the current session's, and else the
/// latest that has no checkpoint. To a checkpoint that is there, what happened after its save is added.
pub(crate) fn run(context: &Context, named: Option<&str>) -> anyhow::Result<save::Outcome> {
    let transcripts = recover::transcripts(context).ok_or_else(|| {
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
                "`{}` does not hold a session of this project",
                session.path().display()
            ),
            "name another session or file, or its project with -C",
        )
    })?;
    let id = SessionId::parse(&session.id)?;
    let existing = context.load(&Selector::Session(id.clone()))?;
    let known = existing
        .as_ref()
        .and_then(|loaded| loaded.checkpoint.client.as_ref());
    let client = match known {
        Some(_) => None,
        None => Some(Client::named(session.client_name())),
    };
    let mut request = match existing {
        None => {
            let goal = account.goal.clone();
            let summary = summary_of(&account.recovered, &unsaved(context, &account));
            let mut request = request(account.recovered);
            request.edits.goal = Some(goal);
            request.edits.summary = Some(summary);
            request
        }
        Some(loaded) => addition(&transcripts, &session, loaded.checkpoint)?,
    };
    // What the project holds now may have been written by others since.
    request.as_of = request.as_of.or(Some(session.modified()));
    let context = Context {
        env: context.env.clone(),
        store: Store::open(context.store.root().to_owned())?,
        caller: Caller::named(id),
        words: context.words,
        client,
        warnings: context.warnings.clone(),
        is_guessed: false,
        is_above: context.is_above,
    };
    save::run(&context, request)
}

/// What happened in a session after the save of its checkpoint, as a save that adds it.
fn addition(
    transcripts: &Transcripts,
    session: &Session,
    saved: Checkpoint,
) -> anyhow::Result<save::Request> {
    let in_it = transcripts.after_in(session, saved.updated_at);
    let after = match in_it.is_empty() {
        false => Some(in_it),
        true => transcripts.after(&session.id, saved.updated_at),
    };
    let after = after.filter(|after| !after.is_empty()).ok_or_else(|| {
        failure(
            format!(
                "nothing happened after the save of checkpoint `{}`",
                session.id
            ),
            "load it as it is",
        )
    })?;
    let summary = joined(saved.summary, &summary_of(&after, ADDED));
    let mut request = request(after);
    request.mode = Mode::Merge;
    request.edits.summary = Some(summary);
    Ok(request)
}

/// Whose words a checkpoint holds that no agent saved, and of when its facts are.
fn unsaved(context: &Context, account: &Account) -> String {
    let branch = account.branch.as_deref();
    let branch = branch.map_or(String::new(), |branch| {
        format!(" The session was on branch {}.", markdown::code(branch))
    });
    format!(
        "Recovered from the session's transcript on {}; the agent saved no checkpoint. Branch, commit and files are as \
         they were found then; files written after the session's last activity count as changed.{branch}",
        context.env.now.strftime("%Y-%m-%d %H:%M UTC")
    )
}

/// A summary that begins with the agent's own, whole, and has as much of the facts as fits behind it.
fn joined(own: Option<String>, facts: &str) -> String {
    const BETWEEN: &str = "\n\n";
    // The least that says anything.
    const LEAST: usize = ADDED.len() + 20;
    let Some(own) = own.filter(|own| !own.trim().is_empty()) else {
        return facts.to_owned();
    };
    let taken = own.chars().count() + BETWEEN.len();
    match fields::SUMMARY.limit.saturating_sub(taken) {
        0 if own.chars().count() > fields::SUMMARY.limit => {
            shortened(&own, fields::SUMMARY.limit - 1)
        }
        room if room < LEAST => own,
        room => own + BETWEEN + &shortened(facts, room - 1),
    }
}

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
                format!("`{named}` is not a transcript"),
                "name a regular file whose name ends in its session's id and `.jsonl`",
            )
        });
    }
    let sessions = transcripts.sessions();
    let selector = selector::expand(named, &recover::named_by(sessions.iter()))?;
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
    let own = context.own_selector()?.map(|own| own.to_string());
    let mut sessions = transcripts.sessions().into_iter();
    if let Some(own) = sessions.find(|session| own.as_ref() == Some(&session.id)) {
        return Ok(own);
    }
    recover::latest_unsaved(context).ok_or_else(|| {
        failure(
            "no session of this project left a transcript without a checkpoint",
            "name a session or a file",
        )
    })
}

/// The facts as a save, but for goal and summary.
fn request(recovered: Recovered) -> save::Request {
    let commands = recovered.commands.into_iter().map(|ran| CommandEdit {
        exit_code: ran.outcome.exit_code(),
        note: ran.outcome.note().map(str::to_owned),
        command: ran.command,
    });
    // A path that no checkpoint can hold loses none of the others.
    let fits = |path: &String| path.chars().count() <= fields::FILES.limit;
    let files = recovered.files.into_iter().filter(fits);
    let files = files.map(|path| FileEdit { path, note: None });
    save::Request {
        edits: Edits {
            recent_commands: commands.collect(),
            ..Edits::default()
        },
        files: files.collect(),
        as_of: recovered.until,
        ..save::Request::default()
    }
}

/// What has no field of its own, as a summary under a heading.
fn summary_of(recovered: &Recovered, heading: &str) -> String {
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
    shortened(&parts.join("\n"), fields::SUMMARY.limit - 1)
}

//! `ckpt status`

use std::io::{self, IsTerminal as _, Read as _};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::Ended;
use super::output::Output;
use crate::commands::status::{self, Kept, Outcome, RootFrom};
use crate::commands::{self, Scope, counted};
use crate::env::Env;

/// Bytes of what a client tells the command of its status line.
const INPUT: u64 = 1 << 20;
/// How long that may take to come: a prompt does not wait for what never ends.
const PATIENCE: Duration = Duration::from_millis(200);

const EXAMPLES: &str = "\
Examples:
  ckpt status                   where, what and with which clients
  ckpt status --line            a line for a prompt: PS1='$(ckpt status --line) $ '
  ckpt status --json | jq .problems

In the status line of Claude Code (its settings.json):
  \"statusLine\": {\"type\": \"command\", \"command\": \"ckpt status --line\"}";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print one line for a prompt, and nothing where anything is wrong
    #[arg(long, conflicts_with = "json")]
    line: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, env: Env, scope: Scope, output: &Output) -> anyhow::Result<Ended> {
    if args.line {
        if let Some(line) = status::line(env, scope, &from_client()) {
            // A prompt that is gone needs no line.
            let _ = output.data(&line);
        }
        return Ok(Ended::Done);
    }
    let outcome = status::run(env, scope)?;
    output.warnings(&outcome.warnings);
    if args.json {
        output.value(&commands::structured(&outcome)?)?;
        return Ok(Ended::Done);
    }
    output.data(&view(&outcome))?;
    for problem in &outcome.problems {
        output.warnings(std::slice::from_ref(&problem.what));
        output.hint(&problem.hint);
    }
    Ok(Ended::Done)
}

/// What a client says on standard input; nothing where that is a terminal, or does not end.
fn from_client() -> Vec<u8> {
    let input = io::stdin();
    if input.is_terminal() {
        return Vec::new();
    }
    let (sender, receiver) = mpsc::channel();
    let reader = thread::Builder::new().spawn(move || {
        let mut said = Vec::new();
        if input.lock().take(INPUT).read_to_end(&mut said).is_ok() {
            // Nobody waits any more.
            let _ = sender.send(said);
        }
    });
    match reader {
        Ok(_) => receiver.recv_timeout(PATIENCE).unwrap_or_default(),
        Err(_) => Vec::new(),
    }
}

fn view(outcome: &Outcome) -> String {
    let Outcome {
        root,
        root_from,
        path,
        checkpoints,
        session,
        session_source,
        checkpoint,
        clients,
        problems: _,
        warnings: _,
    } = outcome;
    let why = match root_from {
        RootFrom::Option => "-C",
        RootFrom::Variable => "CHECKPOINT_PROJECT_ROOT",
        RootFrom::WorkingDirectory => "the working directory",
        RootFrom::Above => "the nearest store above the working directory",
    };
    let session = match (session, session_source) {
        (Some(id), Some("env")) => format!("{id} (CLAUDE_CODE_SESSION_ID)"),
        (Some(id), _) => format!("{id} (--session)"),
        (None, _) => "none; the client or --session would name one".to_owned(),
    };
    let checkpoint = match checkpoint {
        Some(kept) => described(kept),
        None => "none yet".to_owned(),
    };
    let mut rows = vec![
        ("Project", format!("{root} ({why})")),
        (
            "Store",
            format!("{path} ({})", counted(*checkpoints, "checkpoint")),
        ),
        ("Session", session),
        ("Checkpoint", checkpoint),
    ];
    let has = |what: &str, is: bool| match is {
        true => what.to_owned(),
        false => format!("no {what}"),
    };
    for (index, client) in clients.iter().enumerate() {
        let label = if index == 0 { "Clients" } else { "" };
        let (server, hooks) = (has("server", client.server), has("hooks", client.hooks));
        rows.push((label, format!("{}: {server}, {hooks}", client.name)));
    }
    if clients.is_empty() {
        rows.push(("Clients", "none found in this home folder".to_owned()));
    }
    let lines = rows
        .iter()
        .map(|(label, text)| format!("{label:<11} {text}\n"));
    lines.collect()
}

fn described(kept: &Kept) -> String {
    let Kept {
        selector,
        is_current_session,
        goal,
        updated_at: _,
        age,
        tasks_done,
        tasks,
        changed_since,
        is_partly_compared,
        saves,
    } = kept;
    let whose = match is_current_session {
        true => "this session's",
        false => "the newest",
    };
    let mut facts = vec![whose.to_owned(), format!("saved {age}")];
    if *tasks > 0 {
        facts.push(format!("{tasks_done} of {} done", counted(*tasks, "task")));
    }
    let known = match is_partly_compared {
        true => ", as far as that is known",
        false => "",
    };
    let changed = counted(*changed_since, "file");
    facts.push(format!("{changed} changed since{known}"));
    facts.push(format!("{} kept", counted(*saves, "save")));
    format!("{goal}\n{:<12}{selector}: {}", "", facts.join(", "))
}

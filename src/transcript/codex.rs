//! Codex CLI's session files (measured on 0.171.0): `sessions/YYYY/MM/DD/rollout-TIME-SESSION.jsonl`, whose
//! first line names the working directory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::file::{self, Found};
use super::line::{self, Call, Event, Line, Text};
use crate::checkpoint::recovered::Outcome;
use crate::checkpoint::surrogates;
use crate::env::{self, Env};

/// How many session files, the latest, are looked at for those of a project.
const LOOKED_AT: usize = 64;
/// Bytes of a first line, which holds the client's instructions, too.
const FIRST_LINE: u64 = 256 << 10;
/// Characters of a session id in a file's name.
const ID: usize = 36;

/// The folder of all sessions; None where there is no home.
pub(super) fn folder(env: &Env) -> Option<PathBuf> {
    let home = match env.os_var(env::CODEX_HOME) {
        Some(directory) => PathBuf::from(directory),
        None => env.home()?.join(".codex"),
    };
    Some(home.join("sessions"))
}

/// The session that the stem of a file's name ends in.
pub(super) fn session(stem: &str) -> Option<&str> {
    stem.strip_prefix("rollout-")?;
    stem.get(stem.len().checked_sub(ID)?..)
}

/// The latest session files that were begun in `root`.
pub(super) fn transcripts(sessions: &Path, root: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut left = LOOKED_AT;
    for day in days(sessions) {
        for file in file::listed(&day, |name| name.starts_with("rollout-")) {
            if left == 0 {
                return found;
            }
            left -= 1;
            let mut is_of_root = false;
            file.forwards(FIRST_LINE, |line| {
                is_of_root = parse(line)
                    .is_some_and(|line| !line.is_subagents && line.cwd.as_deref() == Some(root));
                ControlFlow::Break(())
            });
            found.extend(is_of_root.then_some(file));
        }
    }
    found
}

/// The folders of the days, the last first; they are listed as they are needed.
fn days(sessions: &Path) -> impl Iterator<Item = PathBuf> {
    let below = |folder: PathBuf| {
        let names = file::folders(&folder).into_iter();
        names.map(move |name| folder.join(name))
    };
    below(sessions.to_owned()).flat_map(below).flat_map(below)
}

#[derive(Deserialize)]
struct Raw {
    #[serde(rename = "type")]
    kind: Text,
    #[serde(default)]
    timestamp: Text,
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    #[serde(default, rename = "type")]
    kind: Text,
    #[serde(default)]
    cwd: Text,
    /// Who began the session; those of subagents have files of their own.
    #[serde(default)]
    thread_source: Text,
    item: Option<Item>,
    #[serde(default)]
    name: Text,
    #[serde(default)]
    call_id: Text,
    #[serde(default)]
    arguments: Text,
    #[serde(default)]
    output: Text,
    #[serde(default)]
    message: Text,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: Text,
    #[serde(default)]
    id: Text,
    #[serde(default)]
    content: Text,
    #[serde(default)]
    status: Text,
    exit_code: Option<i64>,
    #[serde(default)]
    changes: BTreeMap<String, IgnoredAny>,
}

/// Reads a line; None where it is of no use or of no known shape.
pub(super) fn parse(line: &[u8]) -> Option<Line<'_>> {
    let Raw {
        kind: Text(kind),
        timestamp,
        payload,
    } = surrogates::from_slice(line).ok()?;
    let subagents = !matches!(payload.thread_source.0.as_str(), "" | "user");
    let cwd = match kind.as_str() {
        "session_meta" => payload.cwd.clone().non_empty().map(Cow::Owned),
        _ => None,
    };
    let events = match (kind.as_str(), payload.kind.0.as_str()) {
        ("session_meta", _) => Vec::new(),
        ("compacted", _) => vec![Event::Summary(payload.message.0)],
        ("event_msg", "item_completed") => completed(payload.item?),
        ("event_msg", "task_complete" | "turn_aborted") => vec![Event::TurnEnd],
        ("response_item", "function_call" | "custom_tool_call") => vec![called(payload)],
        ("response_item", "function_call_output" | "custom_tool_call_output") => {
            vec![answered(payload)]
        }
        _ => return None,
    };
    Some(Line {
        at: timestamp.0.parse().ok(),
        cwd,
        is_subagents: subagents,
        events,
        ..Line::default()
    })
}

fn completed(item: Item) -> Vec<Event> {
    let Item {
        kind,
        id: Text(id),
        content: Text(content),
        status,
        exit_code,
        changes,
    } = item;
    match kind.0.as_str() {
        "UserMessage" if !content.trim().is_empty() => vec![Event::Prompt(content)],
        "AgentMessage" if !content.trim().is_empty() => vec![Event::Words(content)],
        "CommandExecution" => vec![Event::Result {
            id,
            outcome: exit_code.map_or(Outcome::Failed, Outcome::Exit),
            saved: None,
        }],
        "FileChange" if status.0 == "completed" => changes.into_keys().map(Event::Wrote).collect(),
        _ => Vec::new(),
    }
}

fn called(payload: Payload) -> Event {
    #[derive(Deserialize)]
    struct Arguments {
        cmd: Text,
    }
    let Text(name) = payload.name;
    let command = match name.as_str() {
        "exec_command" => surrogates::from_slice(payload.arguments.0.as_bytes()).ok(),
        _ => None,
    };
    Event::Call {
        id: payload.call_id.0,
        call: match command {
            Some(Arguments { cmd: Text(cmd) }) => Call::Command(cmd),
            None => Call::of_tool(name),
        },
    }
}

/// What the model was told of a call; where it was a command, [`completed`] tells more.
fn answered(payload: Payload) -> Event {
    const CODES: [&str; 2] = ["Process exited with code ", "Exit code: "];
    let Text(output) = payload.output;
    let code = CODES.iter().find_map(|mark| {
        let (_, rest) = output.split_once(mark)?;
        rest.lines().next()?.trim().parse().ok()
    });
    let outcome = match code {
        Some(code) => Outcome::Exit(code),
        None if output.contains("Process running with session ID") => Outcome::Background,
        None => Outcome::Failed,
    };
    Event::Result {
        id: payload.call_id.0,
        outcome,
        saved: line::saved(&output),
    }
}

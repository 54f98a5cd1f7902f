//! Gemini CLI's session files (measured on 0.61.0): `tmp/PROJECT/chats/session-TIME-START.jsonl`, where PROJECT is the
//! name that `projects.json` gives the directory, and START the start of the session's id, which the first line holds.
//!
//! A message is written anew, under the same id, whenever something is added to it; its last form counts. Older
//! versions named folders by a hash of the directory, and wrote the whole session as one value (`.json`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::client::{self, Client, Session};
use super::file::{self, TranscriptFile, WHOLE};
use super::line::{self, Call, Event, Line, Text};
use super::{paths, wrapping};
use crate::checkpoint::recovered::Outcome;
use crate::checkpoint::surrogates;
use crate::env::{self, Env};

/// What it calls itself (`clientInfo.name`).
pub(crate) const NAME: &str = "gemini-cli-mcp-client";

#[derive(Debug)]
pub(super) struct GeminiCli;

/// Bytes of the first line, which holds the session's id.
const FIRST_LINE: usize = 4 << 10;
/// Bytes of the client's list of projects.
const PROJECTS: u64 = 4 << 20;
/// Characters of the id that a file's name ends in.
const START: usize = 8;

impl Client for GeminiCli {
    fn name(&self) -> &'static str {
        NAME
    }

    /// The one of everything that the client keeps.
    fn folder(&self, env: &Env) -> Option<PathBuf> {
        let home = env.os_var(env::GEMINI_HOME).map(PathBuf::from);
        Some(home.or_else(|| env.home())?.join(".gemini"))
    }

    fn sessions(&self, folder: &Path, root: &str, since: Option<Timestamp>) -> Vec<Session> {
        let names = names(folder);
        let own = names
            .into_iter()
            .filter(|(path, _)| paths::is_same(path, root));
        let mut own: Vec<String> = own.map(|(_, name)| name).collect();
        own.push(hashed(root));
        let chats = own
            .iter()
            .map(|name| folder.join("tmp").join(name).join("chats"));
        chats
            .flat_map(|chats| file::written_since(&chats, since, is_transcript))
            .filter_map(|file| Session::of(&GeminiCli, file))
            .collect()
    }

    fn sessions_of(&self, folder: &Path, _root: &str, id: &str) -> Vec<Session> {
        let start = id.get(..START).unwrap_or(id);
        let is_it = |name: &str| is_transcript(name) && name.contains(start);
        let tmp = folder.join("tmp");
        let chats = file::folders(&tmp)
            .into_iter()
            .map(|project| tmp.join(project).join("chats"));
        let files = chats.flat_map(|chats| file::listed(&chats, is_it));
        let sessions = files.filter_map(|file| Session::of(&GeminiCli, file));
        sessions.filter(|session| session.id == id).collect()
    }

    fn session(&self, file: &TranscriptFile) -> Option<String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Header {
            session_id: Text,
            #[serde(default)]
            kind: Text,
        }
        if !is_transcript(&file.name) {
            return None;
        }
        let mut id = None;
        file.forwards(FIRST_LINE, |line| {
            let header = surrogates::from_slice(line).ok();
            id = header.filter(|header: &Header| header.kind.0 != "subagent");
            ControlFlow::Break(())
        });
        let Text(id) = id?.session_id;
        client::is_id(&id).then_some(id)
    }

    fn begun_in(&self, file: &TranscriptFile) -> Option<String> {
        let project = file.folder.parent()?;
        if let Some(written) = TranscriptFile::at(&project.join(".project_root")) {
            let path = String::from_utf8_lossy(&written.head(FIRST_LINE))
                .trim()
                .to_owned();
            return Some(path).filter(|path| !path.is_empty());
        }
        let name = project.file_name()?.to_str()?;
        let named = names(project.parent()?.parent()?).into_iter();
        let mut named = named.filter(|(path, named)| named == name || hashed(path) == name);
        named.next().map(|(path, _)| path)
    }

    fn projects(&self, folder: &Path) -> Vec<String> {
        names(folder).into_keys().collect()
    }

    fn configured(&self, env: &Env) -> Vec<String> {
        let folder = self.folder(env);
        folder.map_or(Vec::new(), |folder| self.projects(&folder))
    }

    fn parse<'a>(&self, line: &'a [u8]) -> Option<Line<'a>> {
        parse(line)
    }

    fn subagents(&self, session: &Session) -> Vec<TranscriptFile> {
        file::listed(&session.file.folder.join(&session.id), |name| {
            name.ends_with(".jsonl")
        })
    }
}

fn is_transcript(name: &str) -> bool {
    name.starts_with("session-") && (name.ends_with(".jsonl") || name.ends_with(WHOLE))
}

/// The directories that the client knows, and what it calls each.
fn names(home: &Path) -> BTreeMap<String, String> {
    #[derive(Default, Deserialize)]
    struct Projects {
        #[serde(default)]
        projects: BTreeMap<String, String>,
    }
    let file = TranscriptFile::at(&home.join("projects.json"));
    let projects: Option<Projects> =
        file.and_then(|file| serde_json::from_slice(&file.text(PROJECTS)).ok());
    projects.unwrap_or_default().projects
}

fn hashed(directory: &str) -> String {
    let hash = Sha256::digest(paths::plain(directory));
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[derive(Deserialize)]
struct Raw {
    #[serde(default)]
    id: Text,
    #[serde(default)]
    timestamp: Text,
    #[serde(default, rename = "type")]
    kind: Text,
    #[serde(default)]
    content: Content,
    #[serde(rename = "displayContent")]
    shown: Option<Content>,
    #[serde(default, rename = "toolCalls")]
    calls: Vec<ToolCall>,
    #[serde(rename = "$rewindTo")]
    rewound_to: Option<Text>,
    #[serde(rename = "$set")]
    set: Option<Set>,
}

#[derive(Deserialize)]
struct Set {
    #[serde(default)]
    summary: Text,
}

/// What was said: a text, or parts of which the tools' answers are not wanted.
#[derive(Default)]
struct Content {
    texts: Vec<String>,
    has_data: bool,
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = match Value::deserialize(deserializer)? {
            Value::Array(parts) => parts,
            one => vec![one],
        };
        let mut content = Self::default();
        for part in parts {
            match part {
                Value::String(text) => content.texts.push(text),
                Value::Object(mut part) => {
                    content.has_data |=
                        part.contains_key("inlineData") || part.contains_key("fileData");
                    if let Some(Value::String(text)) = part.remove("text") {
                        content.texts.push(text);
                    }
                }
                _ => {}
            }
        }
        Ok(content)
    }
}

impl Content {
    /// What a person typed, without what the client put before, between and behind it.
    fn typed(&self) -> String {
        const REFERENCED: &str = "--- Content from referenced files ---";
        let texts = self.texts.iter();
        let before = texts.take_while(|text| !text.trim_start().starts_with(REFERENCED));
        let typed =
            before.map(|text| wrapping::typed(text.split(REFERENCED).next().unwrap_or(text)));
        let typed: Vec<&str> = typed.filter(|text| !text.is_empty()).collect();
        typed.join("\n")
    }
}

#[derive(Deserialize)]
struct ToolCall {
    #[serde(default)]
    id: Text,
    #[serde(default)]
    name: Text,
    #[serde(default)]
    args: Value,
    #[serde(default)]
    status: Text,
    #[serde(default)]
    timestamp: Text,
    #[serde(default)]
    result: Value,
    #[serde(default, rename = "resultDisplay")]
    shown: Value,
}

/// Reads a line; None where it is of no use or of no known shape.
pub(super) fn parse(line: &[u8]) -> Option<Line<'_>> {
    let raw: Raw = surrogates::from_slice(line)
        .or_else(|_| surrogates::from_slice(String::from_utf8_lossy(line).as_bytes()))
        .ok()?;
    // A message bears the time at which it began, and a call the one at which it was answered.
    let answered = raw
        .calls
        .iter()
        .filter_map(|call| line::time(&call.timestamp.0));
    let at = line::time(&raw.timestamp.0).max(answered.max());
    let given = |Text(text): Text| Some(text).filter(|text| !text.is_empty()).map(Cow::Owned);
    let events = match (raw.kind.0.as_str(), raw.set) {
        (_, Some(set)) => {
            let title = set.summary.non_empty().map(|text| Event::Title {
                text,
                is_persons: false,
            });
            title.into_iter().collect()
        }
        ("user", _) => asked(raw.shown.as_ref().unwrap_or(&raw.content)),
        ("gemini", _) => done(&raw.content, raw.calls),
        _ => Vec::new(),
    };
    Some(Line {
        at,
        record: given(raw.id),
        rewound_to: raw.rewound_to.and_then(given),
        events,
        ..Line::default()
    })
}

fn asked(content: &Content) -> Vec<Event> {
    let typed = content.typed();
    let prompt = match (typed.is_empty(), content.has_data) {
        (false, _) => Some(typed),
        (true, true) => Some("(an image)".to_owned()),
        (true, false) => None,
    };
    prompt.map(Event::Prompt).into_iter().collect()
}

/// What the agent said and did; its calls are written once they are answered.
fn done(content: &Content, calls: Vec<ToolCall>) -> Vec<Event> {
    let words = content.texts.join("\n");
    let has_ended = calls.is_empty() && !words.trim().is_empty();
    let mut events = Vec::new();
    if !words.trim().is_empty() {
        events.push(Event::Words(words));
    }
    let mut results = Vec::new();
    for call in calls {
        let (call, result) = called(call);
        events.push(call);
        results.extend(result);
    }
    events.append(&mut results);
    events.extend(has_ended.then_some(Event::TurnEnd));
    events
}

fn called(call: ToolCall) -> (Event, Option<Event>) {
    let ToolCall {
        id: Text(id),
        name: Text(name),
        args,
        status: Text(status),
        timestamp: _,
        result,
        shown,
    } = call;
    let text =
        |value: &Value, field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
    let answer = result.pointer("/0/functionResponse/response/output");
    let answer = answer.and_then(Value::as_str).unwrap_or_default();
    let path = text(&shown, "filePath").or_else(|| text(&args, "file_path"));
    let (call, code) = match (name.as_str(), path) {
        ("run_shell_command", _) => {
            let code = exit_code(answer, shown.as_str().unwrap_or_default());
            (
                Call::Command(text(&args, "command").unwrap_or_default()),
                code,
            )
        }
        ("write_file" | "replace" | "edit", Some(path)) => (Call::Write(path), 0),
        _ => (Call::of_tool(name), 0),
    };
    let outcome = match status.as_str() {
        "success" => Some(Outcome::Exit(code)),
        "error" | "cancelled" => Some(Outcome::Failed),
        _ => None,
    };
    let saved = match &call {
        Call::Own { is_load: false } => line::saved_in_words(answer),
        _ => None,
    };
    let result = outcome.map(|outcome| Event::Result {
        id: id.clone(),
        outcome,
        saved,
    });
    (Event::Call { id, call }, result)
}

/// The exit code that the client adds to a command's output where it is not 0; what the command printed is no code.
fn exit_code(answer: &str, printed: &str) -> i64 {
    let added = match answer.split_once(printed.trim_end()) {
        Some((_, added)) if !printed.trim().is_empty() => added,
        _ => answer,
    };
    let mut lines = added.lines();
    let code = lines.find_map(|line| line.strip_prefix("Exit Code: ")?.trim().parse().ok());
    code.unwrap_or(0)
}

//! Codex CLI's session files (measured on 0.171.0): `sessions/YYYY/MM/DD/rollout-TIME-SESSION.jsonl`, archived ones in
//! `archived_sessions/`, and long idle ones compressed (`.jsonl.zst`). The first line names the working directory.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memchr::memmem::find;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::client::{self, Client, Gauge, Reading, Session};
use super::file::{self, COMPRESSED, TranscriptFile};
use super::line::{self, Call, Event, Line, Text};
use super::skim::Walk;
use super::{paths, wrapping};
use crate::checkpoint::recovered::Outcome;
use crate::checkpoint::surrogates;
use crate::env::{self, Env};

/// What it calls itself (`clientInfo.name`).
pub(crate) const NAME: &str = "codex-mcp-client";

#[derive(Debug)]
pub(super) struct Codex;

/// How many bytes of a first line are read: first as many as name the directory, then all, with the instructions in it.
const FIRST_LINE: [usize; 2] = [4 << 10, 256 << 10];
/// Characters of a session id in a file's name.
const ID: usize = 36;

impl Client for Codex {
    fn gauge(&self) -> Option<&'static dyn Gauge> {
        Some(&Codex)
    }

    fn name(&self) -> &'static str {
        NAME
    }

    /// They lie in the folder of the day on which they began, whatever the project.
    fn finds_by_name(&self) -> bool {
        false
    }

    /// The folder in which the client keeps everything.
    fn folder(&self, env: &Env) -> Option<PathBuf> {
        match env.os_var(env::CODEX_HOME) {
            Some(directory) => Some(PathBuf::from(directory)),
            None => Some(env.home()?.join(".codex")),
        }
    }

    fn sessions(&self, folder: &Path, root: &str, since: Option<Timestamp>) -> Vec<Session> {
        let files = files(folder, |_| true).into_iter();
        let later = files.filter(|file| since.is_none_or(|since| file.modified >= since));
        let is_of_root = |file: &TranscriptFile| {
            let meta = Meta::of(file);
            meta.is_some_and(|meta| !meta.is_subagents && paths::is_same(&meta.cwd, root))
        };
        later
            .filter(is_of_root)
            .filter_map(|file| Session::of(&Codex, file))
            .collect()
    }

    fn sessions_of(&self, folder: &Path, _root: &str, id: &str) -> Vec<Session> {
        let files = files(folder, |name| session_named(name) == Some(id)).into_iter();
        files.filter_map(|file| Session::of(&Codex, file)).collect()
    }

    fn session(&self, file: &TranscriptFile) -> Option<String> {
        session_named(&file.name).map(str::to_owned)
    }

    fn begun_in(&self, file: &TranscriptFile) -> Option<String> {
        let meta = Meta::of(file)?;
        (!meta.is_subagents).then_some(meta.cwd)
    }

    /// The projects of the latest sessions.
    fn projects(&self, folder: &Path) -> Vec<String> {
        let mut files = files(folder, |_| true);
        files.sort_by_key(|file| std::cmp::Reverse(file.modified));
        let latest = files.iter().take(LATEST);
        latest.filter_map(|file| self.begun_in(file)).collect()
    }

    fn configured(&self, env: &Env) -> Vec<String> {
        let folder = self.folder(env);
        folder.map_or(Vec::new(), |folder| configured(&folder))
    }

    fn parse<'a>(&self, line: &'a [u8]) -> Option<Line<'a>> {
        parse(line)
    }

    /// In a fork, versions before 0.171 repeat the parent's lines after its first one, with the time of the fork.
    fn repeats_until(&self, session: &Session) -> Option<Timestamp> {
        let mut lines = 0;
        let mut is_fork = false;
        let mut until: Option<Timestamp> = None;
        session.file.forwards(REPEATED, |line| {
            let Some(stamp) = Stamp::of(line) else {
                return ControlFlow::Continue(());
            };
            lines += 1;
            let is_parents = stamp.is_meta && stamp.id != session.id;
            is_fork |= is_parents;
            // A fork names its parent in its first lines, and what was written in one go is the parent's.
            let is_later = until.is_some_and(|until| {
                stamp
                    .at
                    .is_some_and(|at| at.duration_since(until).as_millis() > AT_ONCE)
            });
            if lines > FORK_SEEN && !is_fork || is_fork && !is_parents && is_later {
                return ControlFlow::Break(());
            }
            until = stamp.at.or(until);
            ControlFlow::Continue(())
        });
        until.filter(|_| is_fork)
    }
}

/// How many bytes at a fork's start are searched for what it repeats.
const REPEATED: usize = 1 << 20;
/// The lines among which a fork names its parent.
const FORK_SEEN: usize = 3;
/// The longest time, in milliseconds, between two lines that a fork repeats.
const AT_ONCE: i128 = 100;

/// When a line was written, and for a first line whose session it is.
struct Stamp {
    at: Option<Timestamp>,
    is_meta: bool,
    id: String,
}

impl Stamp {
    fn of(line: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Raw {
            timestamp: Text,
            #[serde(rename = "type")]
            kind: Text,
            payload: Id,
        }
        #[derive(Deserialize)]
        struct Id {
            #[serde(default)]
            id: Text,
        }
        let raw: Raw = surrogates::from_slice(line).ok()?;
        Some(Self {
            at: line::time(&raw.timestamp.0),
            is_meta: raw.kind.0 == "session_meta",
            id: raw.payload.id.0,
        })
    }
}

/// How many of the latest sessions are asked for their projects.
const LATEST: usize = 1_000;

/// The directories of `[projects."…"]` in the client's settings.
fn configured(folder: &Path) -> Vec<String> {
    const LONGEST: u64 = 1 << 20;
    let Some(file) = TranscriptFile::at(&folder.join("config.toml")) else {
        return Vec::new();
    };
    let settings = String::from_utf8_lossy(&file.text(LONGEST)).into_owned();
    let settings: toml::Table = settings.parse().unwrap_or_default();
    let projects = settings.get("projects").and_then(toml::Value::as_table);
    projects
        .into_iter()
        .flat_map(|projects| projects.keys().cloned())
        .collect()
}

/// The session that a file holds, according to its name.
pub(super) fn session_named(name: &str) -> Option<&str> {
    let name = name.strip_suffix(COMPRESSED).unwrap_or(name);
    let stem = name.strip_prefix("rollout-")?.strip_suffix(".jsonl")?;
    let id = stem.get(stem.len().checked_sub(ID)?..)?;
    client::is_id(id).then_some(id)
}

/// The session files whose names `accepts` takes; of one that is there both compressed and plain, the plain one.
fn files(home: &Path, accepts: impl Fn(&str) -> bool) -> Vec<TranscriptFile> {
    let is_session = |name: &str| session_named(name).is_some() && accepts(name);
    let archived = home.join("archived_sessions");
    let mut found = file::listed(&archived, is_session);
    for day in days(&home.join("sessions")) {
        found.extend(file::listed(&day, is_session));
    }
    let names: HashSet<String> = found.iter().map(|file| file.name.clone()).collect();
    found.retain(|file| {
        let plain = file.name.strip_suffix(COMPRESSED);
        plain.is_none_or(|plain| !names.contains(plain))
    });
    found
}

/// The folders of the days.
fn days(sessions: &Path) -> impl Iterator<Item = PathBuf> {
    let below = |folder: PathBuf| {
        let names = file::folders(&folder).into_iter();
        names.map(move |name| folder.join(name))
    };
    below(sessions.to_owned()).flat_map(below).flat_map(below)
}

/// What the first line says of a session.
struct Meta {
    cwd: String,
    is_subagents: bool,
}

impl Meta {
    fn of(file: &TranscriptFile) -> Option<Self> {
        FIRST_LINE.into_iter().find_map(|bytes| {
            let mut meta = None;
            file.forwards(bytes, |line| {
                meta = Self::read(line);
                ControlFlow::Break(())
            });
            meta
        })
    }

    /// Reads only as much of the line as it needs; what comes after may be cut off.
    fn read(line: &[u8]) -> Option<Self> {
        let mut cwd = None;
        let mut source = String::new();
        let mut thread_source = String::new();
        let mut is_known = false;
        let read = |value: &[u8]| {
            let text = surrogates::from_slice(value);
            text.map_or(String::new(), |Text(text)| text)
        };
        let mut walk = |walk: &mut Walk<'_>| {
            walk.object(|name, walk| {
                match name {
                    b"cwd" => cwd = Some(read(walk.value()?)),
                    // An object, where another session began this one as a subagent's.
                    b"source" if walk.peek()? == b'{' => {
                        walk.value()?;
                        source = "subagent".to_owned();
                    }
                    b"source" => source = read(walk.value()?),
                    b"thread_source" => thread_source = read(walk.value()?),
                    // After what is needed come the instructions, which are long.
                    b"base_instructions" | b"instructions" => is_known = true,
                    _ => drop(walk.value()?),
                }
                (!is_known).then_some(())
            })
        };
        let whole = Walk::of(line).object(|name, inner| match name {
            b"payload" => walk(inner),
            b"cwd" | b"timestamp" | b"type" | b"ordinal" => inner.value().map(drop),
            _ => inner.value().map(drop),
        });
        if whole.is_none() && !is_known {
            return None;
        }
        let is_subagents = is_subagents(&source, &thread_source);
        Some(Self {
            cwd: cwd?,
            is_subagents,
        })
    }
}

fn is_subagents(source: &str, thread_source: &str) -> bool {
    source == "subagent" || !matches!(thread_source, "" | "user")
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
    /// Who began the session; a subagent's session has a file of its own.
    #[serde(default)]
    thread_source: Text,
    #[serde(default)]
    source: Text,
    git: Option<Git>,
    item: Option<Item>,
    #[serde(default)]
    role: Text,
    #[serde(default)]
    content: Text,
    #[serde(default)]
    name: Text,
    #[serde(default)]
    call_id: Text,
    #[serde(default)]
    arguments: Text,
    #[serde(default)]
    input: Text,
    action: Option<Action>,
    #[serde(default)]
    output: Text,
    #[serde(default)]
    message: Text,
    exit_code: Option<i64>,
    success: Option<bool>,
    #[serde(default)]
    changes: BTreeMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
struct Git {
    #[serde(default)]
    branch: Text,
}

/// What a `local_shell_call` runs.
#[derive(Deserialize)]
struct Action {
    #[serde(default)]
    command: Vec<Text>,
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

/// Reads a line; None where it says nothing of use, or has no known shape.
pub(super) fn parse(line: &[u8]) -> Option<Line<'_>> {
    let raw = surrogates::from_slice(line).or_else(|error| match str::from_utf8(line) {
        Ok(_) => Err(error),
        // A single byte that is not UTF-8 must not hide the rest.
        Err(_) => surrogates::from_slice(String::from_utf8_lossy(line).as_bytes()),
    });
    let Raw {
        kind: Text(kind),
        timestamp,
        payload,
    } = raw.ok()?;
    let at = line::time(&timestamp.0);
    if kind == "session_meta" {
        let text = |Text(text)| {
            Some(text)
                .filter(|text: &String| !text.is_empty())
                .map(Cow::Owned)
        };
        return Some(Line {
            at,
            is_subagents: is_subagents(&payload.source.0, &payload.thread_source.0),
            is_headless: Some(matches!(payload.source.0.as_str(), "exec" | "mcp")),
            cwd: text(payload.cwd),
            branch: payload.git.and_then(|git| text(git.branch)),
            ..Line::default()
        });
    }
    let events = match (kind.as_str(), payload.kind.0.as_str()) {
        ("compacted", _) => vec![Event::Summary(payload.message.0)],
        ("event_msg", "item_completed") => completed(payload.item?),
        ("event_msg", "user_message") => asked(&payload.message.0),
        ("event_msg", "agent_message") => said(payload.message.0),
        ("event_msg", "exec_command_end") => vec![ended(payload.call_id.0, payload.exit_code)],
        ("event_msg", "patch_apply_end") if payload.success != Some(false) => {
            payload.changes.into_keys().map(Event::Wrote).collect()
        }
        ("event_msg", "task_complete" | "turn_aborted") => vec![Event::TurnEnd],
        ("response_item", "message") => match payload.role.0.as_str() {
            "user" if !is_element(&payload.content.0) => asked(&payload.content.0),
            "assistant" => said(payload.content.0),
            _ => return None,
        },
        ("response_item", "function_call" | "custom_tool_call" | "local_shell_call") => {
            vec![called(payload)]
        }
        ("response_item", "function_call_output" | "custom_tool_call_output") => {
            vec![answered(payload)]
        }
        _ => return None,
    };
    Some(Line {
        at,
        events,
        ..Line::default()
    })
}

/// Whether a text is a single XML-like element and nothing else, which is how the client writes in the person's name.
fn is_element(text: &str) -> bool {
    let text = text.trim();
    let name = text
        .strip_prefix('<')
        .and_then(|rest| rest.split(['>', ' ']).next());
    name.is_some_and(|name| !name.is_empty() && text.ends_with(&format!("</{name}>")))
}

fn asked(text: &str) -> Vec<Event> {
    let text = wrapping::typed(text);
    let prompt = (!text.is_empty()).then(|| Event::Prompt(text.to_owned()));
    prompt.into_iter().collect()
}

fn said(text: String) -> Vec<Event> {
    match text.trim().is_empty() {
        true => Vec::new(),
        false => vec![Event::Words(text)],
    }
}

fn ended(id: String, exit_code: Option<i64>) -> Event {
    Event::Result {
        id,
        outcome: exit_code.map_or(Outcome::Failed, Outcome::Exit),
        saved: None,
    }
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
        "UserMessage" => asked(&content),
        "AgentMessage" => said(content),
        "CommandExecution" => vec![ended(id, exit_code)],
        "FileChange" if status.0 == "completed" => changes.into_keys().map(Event::Wrote).collect(),
        _ => Vec::new(),
    }
}

/// What a call runs or writes. The shell has had several names, and its command has been a text or a list.
fn called(payload: Payload) -> Event {
    #[derive(Deserialize)]
    struct Arguments {
        #[serde(default)]
        cmd: Command,
        #[serde(default)]
        command: Command,
        #[serde(default)]
        input: Text,
    }
    let Text(name) = payload.name;
    let id = payload.call_id.0;
    if let Some(Action { command }) = payload.action {
        let command = Command::List(command).into_text();
        let call = Call::Command(command);
        return Event::Call { id, call };
    }
    let arguments: Option<Arguments> = surrogates::from_slice(payload.arguments.0.as_bytes()).ok();
    let call = match (name.as_str(), arguments) {
        (
            "exec_command" | "shell" | "shell_command" | "container.exec" | "local_shell",
            Some(run),
        ) => {
            let command = match run.cmd.into_text() {
                text if text.is_empty() => run.command.into_text(),
                text => text,
            };
            match Patch::of(&command) {
                Some(patch) => Call::Patch(patch.0),
                None => Call::Command(command),
            }
        }
        ("apply_patch", arguments) => {
            let input = arguments.map_or(payload.input, |arguments| arguments.input);
            Call::Patch(Patch::of(&input.0).map_or(Vec::new(), |patch| patch.0))
        }
        _ => Call::of_tool(name),
    };
    Event::Call { id, call }
}

/// A command as a model gives it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Command {
    List(Vec<Text>),
    Text(Text),
}

impl Default for Command {
    fn default() -> Self {
        Self::Text(Text::default())
    }
}

impl Command {
    /// As a person would type it: where a shell is given a command, that command alone.
    fn into_text(self) -> String {
        let words: Vec<String> = match self {
            Self::Text(Text(text)) => return text,
            Self::List(words) => words.into_iter().map(|Text(word)| word).collect(),
        };
        match &words[..] {
            [shell, flag, command]
                if is_shell(shell) && matches!(flag.as_str(), "-c" | "-lc" | "-Command") =>
            {
                command.clone()
            }
            words => shell_words::join(words),
        }
    }
}

fn is_shell(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    matches!(name, "bash" | "sh" | "zsh" | "fish" | "pwsh" | "powershell")
}

/// The files that a patch writes, in the client's own format.
struct Patch(Vec<String>);

impl Patch {
    fn of(text: &str) -> Option<Self> {
        const FILES: [&str; 3] = ["*** Add File: ", "*** Update File: ", "*** Move to: "];
        let (_, patch) = text.split_once("*** Begin Patch")?;
        let files = patch.lines().filter_map(|line| {
            let mut marks = FILES.iter();
            marks
                .find_map(|mark| line.strip_prefix(mark))
                .map(|path| path.trim().to_owned())
        });
        Some(Self(files.collect()))
    }
}

/// What the model was told about the end of a call; where it was a command, [`completed`] tells more.
///
/// The exit code stands in the header, above the line that begins the output; below that line anybody may have written.
fn answered(payload: Payload) -> Event {
    const CODES: [&str; 2] = ["Process exited with code ", "Exit code: "];
    const RUNNING: &str = "Process running with session ID";
    const DONE: [&str; 2] = ["Wall time: ", "Success. "];
    #[derive(Deserialize)]
    struct Structured {
        metadata: Metadata,
    }
    #[derive(Deserialize)]
    struct Metadata {
        exit_code: i64,
    }
    let Text(output) = payload.output;
    let structured: Option<Structured> = match output.starts_with('{') {
        true => serde_json::from_str(&output).ok(),
        false => None,
    };
    let header: Vec<&str> = output
        .lines()
        .take_while(|line| *line != "Output:")
        .collect();
    let code = header.iter().find_map(|line| {
        let mut codes = CODES.iter();
        let code = codes.find_map(|mark| line.strip_prefix(mark))?;
        code.trim().parse().ok()
    });
    let says = |mark: &str| header.iter().any(|line| line.starts_with(mark));
    let has_header = header.len() < output.lines().count() || header.len() <= HEADER;
    let outcome = match structured
        .map(|structured| structured.metadata.exit_code)
        .or(code)
    {
        Some(code) if has_header => Outcome::Exit(code),
        _ if says(RUNNING) => Outcome::Background,
        _ if DONE.iter().any(|mark| says(mark)) => Outcome::Exit(0),
        _ => Outcome::Failed,
    };
    Event::Result {
        id: payload.call_id.0,
        outcome,
        saved: line::saved(&output),
    }
}

/// The most lines that a header has, for one that no output follows.
const HEADER: usize = 6;
impl Gauge for Codex {
    fn may_tell(&self, line: &[u8]) -> bool {
        find(line, b"\"token_count\"").is_some()
    }

    fn read(&self, line: &[u8]) -> Option<Reading> {
        let line: TokenCount = serde_json::from_slice(line).ok()?;
        line.payload.info.map(|info| Reading {
            tokens: info.last_token_usage.total_tokens,
            window: info.model_context_window,
        })
    }

    fn is_of_a_hook(&self, line: &[u8]) -> bool {
        find(line, b"\"developer\"").is_some()
    }

    fn compaction(&self, line: &[u8]) -> Option<Option<u64>> {
        find(line, b"\"type\":\"compacted\"").map(|_| None)
    }
}

#[derive(Deserialize)]
struct TokenCount {
    payload: TokenPayload,
}

#[derive(Deserialize)]
struct TokenPayload {
    info: Option<TokenInfo>,
}

#[derive(Deserialize)]
struct TokenInfo {
    last_token_usage: TokenUsage,
    model_context_window: Option<u64>,
}

#[derive(Deserialize)]
struct TokenUsage {
    total_tokens: u64,
}

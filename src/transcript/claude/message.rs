//! One line of a transcript of Claude Code's: what was said, called, and answered.

use std::borrow::Cow;

use crate::checkpoint::recovered::Outcome;
use crate::checkpoint::surrogates;
use crate::transcript::line::{self, Call, Event, Line, Parent, Position, Text};
use crate::transcript::skim::Walk;
use crate::transcript::wrapping;

/// The first version that was seen to write a session's end.
const TELLS_END: [u32; 3] = [2, 1, 332];

/// The members of a line that are of use, as they stand in it.
#[derive(Default)]
struct Raw<'a> {
    kind: &'a [u8],
    timestamp: &'a [u8],
    cwd: &'a [u8],
    git_branch: &'a [u8],
    version: &'a [u8],
    uuid: &'a [u8],
    parent_uuid: &'a [u8],
    /// The line that a compaction summed up to, which has no parent then.
    logical_parent_uuid: &'a [u8],
    leaf_uuid: &'a [u8],
    subtype: &'a [u8],
    entrypoint: &'a [u8],
    /// The session's title, under whichever name the line has it.
    title: &'a [u8],
    operation: &'a [u8],
    content: &'a [u8],
    original_cwd: &'a [u8],
    is_sidechain: bool,
    is_meta: bool,
    is_compact_summary: bool,
    /// Whether no person wrote the message.
    is_programs: bool,
    message: Option<Message<'a>>,
    attachment: Option<Attachment<'a>>,
}

const TRUE: &[u8] = b"true";
const NULL: &[u8] = b"null";
const TEXT: &[u8] = b"\"text\"";

impl<'a> Raw<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let mut raw = Self::default();
        Walk::of(line).object(|name, walk| {
            match name {
                b"type" => raw.kind = walk.value()?,
                b"timestamp" => raw.timestamp = walk.value()?,
                b"cwd" => raw.cwd = walk.value()?,
                b"gitBranch" => raw.git_branch = walk.value()?,
                b"version" => raw.version = walk.value()?,
                b"uuid" => raw.uuid = walk.value()?,
                b"parentUuid" => raw.parent_uuid = walk.value()?,
                b"logicalParentUuid" => raw.logical_parent_uuid = walk.value()?,
                b"leafUuid" => raw.leaf_uuid = walk.value()?,
                b"subtype" => raw.subtype = walk.value()?,
                b"entrypoint" => raw.entrypoint = walk.value()?,
                b"customTitle" | b"aiTitle" | b"summary" => raw.title = walk.value()?,
                b"operation" => raw.operation = walk.value()?,
                b"content" => raw.content = walk.value()?,
                b"worktreeSession" if walk.peek()? == b'{' => walk.object(|name, walk| {
                    let value = walk.value()?;
                    if name == b"originalCwd" {
                        raw.original_cwd = value;
                    }
                    Some(())
                })?,
                b"isSidechain" => raw.is_sidechain = walk.value()? == TRUE,
                b"isMeta" => raw.is_meta = walk.value()? == TRUE,
                b"isCompactSummary" => raw.is_compact_summary = walk.value()? == TRUE,
                b"origin" => raw.is_programs = is_programs(walk)?,
                b"message" => raw.message = Some(Message::of(walk)?),
                b"attachment" => raw.attachment = Some(Attachment::of(walk)?),
                _ => drop(walk.value()?),
            }
            Some(())
        })?;
        Some(raw)
    }
}

/// Whether an `origin` says that no person wrote a message. Without one, or with `{"kind": "human"}`, a person did.
fn is_programs(walk: &mut Walk<'_>) -> Option<bool> {
    if walk.peek()? != b'{' {
        return Some(walk.value()? != NULL);
    }
    let mut is_programs = true;
    walk.object(|name, walk| {
        let value = walk.value()?;
        if name == b"kind" {
            is_programs = value != b"\"human\"";
        }
        Some(())
    })?;
    Some(is_programs)
}

/// What the client adds to a conversation beside its messages.
#[derive(Default)]
struct Attachment<'a> {
    kind: &'a [u8],
    prompt: &'a [u8],
    mode: &'a [u8],
    is_programs: bool,
}

impl<'a> Attachment<'a> {
    fn of(walk: &mut Walk<'a>) -> Option<Self> {
        let mut attachment = Self::default();
        if walk.peek()? != b'{' {
            walk.value()?;
            return Some(attachment);
        }
        walk.object(|name, walk| {
            match name {
                b"type" => attachment.kind = walk.value()?,
                b"prompt" => attachment.prompt = walk.value()?,
                b"commandMode" => attachment.mode = walk.value()?,
                b"origin" => attachment.is_programs = is_programs(walk)?,
                _ => drop(walk.value()?),
            }
            Some(())
        })?;
        Some(attachment)
    }

    /// What the person typed while the agent worked, given to the agent in between.
    fn events(&self) -> Vec<Event> {
        let is_typed = matches!(self.mode, b"" | b"\"prompt\"") && !self.is_programs;
        match self.kind {
            b"\"queued_command\"" if is_typed => asked(&text_of(self.prompt)),
            _ => Vec::new(),
        }
    }
}

#[derive(Default)]
struct Message<'a> {
    id: &'a [u8],
    blocks: Vec<Block<'a>>,
    stop_reason: &'a [u8],
}

impl<'a> Message<'a> {
    fn of(walk: &mut Walk<'a>) -> Option<Self> {
        let mut message = Self::default();
        walk.object(|name, walk| {
            match name {
                b"content" if walk.peek()? == b'[' => walk.list(|walk| {
                    message.blocks.push(Block::of(walk)?);
                    Some(())
                })?,
                b"content" => message.blocks = vec![Block::of_text(walk.value()?)],
                b"id" => message.id = walk.value()?,
                b"stop_reason" => message.stop_reason = walk.value()?,
                _ => drop(walk.value()?),
            }
            Some(())
        })?;
        Some(message)
    }
}

/// A part of a message, as it stands there.
#[derive(Default)]
struct Block<'a> {
    kind: &'a [u8],
    text: &'a [u8],
    id: &'a [u8],
    name: &'a [u8],
    command: &'a [u8],
    path: &'a [u8],
    tool_use_id: &'a [u8],
    content: &'a [u8],
    is_error: bool,
}

impl<'a> Block<'a> {
    fn of(walk: &mut Walk<'a>) -> Option<Self> {
        let mut block = Self::default();
        if walk.peek()? != b'{' {
            walk.value()?;
            return Some(block);
        }
        walk.object(|name, walk| {
            match name {
                b"type" => block.kind = walk.value()?,
                b"text" => block.text = walk.value()?,
                b"id" => block.id = walk.value()?,
                b"name" => block.name = walk.value()?,
                b"input" if walk.peek()? == b'{' => walk.object(|name, walk| {
                    match name {
                        b"command" => block.command = walk.value()?,
                        b"file_path" | b"notebook_path" => block.path = walk.value()?,
                        _ => drop(walk.value()?),
                    }
                    Some(())
                })?,
                b"tool_use_id" => block.tool_use_id = walk.value()?,
                b"content" => block.content = walk.value()?,
                b"is_error" => block.is_error = walk.value()? == TRUE,
                _ => drop(walk.value()?),
            }
            Some(())
        })?;
        Some(block)
    }

    fn of_text(text: &'a [u8]) -> Self {
        Self {
            kind: TEXT,
            text,
            ..Self::default()
        }
    }
}

/// The text of a value; empty where it is none.
fn text_of(value: &[u8]) -> Cow<'_, str> {
    let inside = value
        .strip_prefix(b"\"")
        .and_then(|value| value.strip_suffix(b"\""));
    // Most values need no parsing, and those that do may be long.
    let plain = inside.filter(|inside| inside.len() < PLAIN && !inside.contains(&b'\\'));
    if let Some(text) = plain.and_then(|plain| str::from_utf8(plain).ok()) {
        return Cow::Borrowed(text);
    }
    let text = surrogates::from_slice(value).or_else(|_| {
        // One byte that is not UTF-8 must not hide the rest.
        surrogates::from_slice(String::from_utf8_lossy(value).as_bytes())
    });
    text.map_or(Cow::Borrowed(""), |Text(text)| Cow::Owned(text))
}

/// The longest text, in bytes, that is taken without parsing where nothing in it is escaped.
const PLAIN: usize = 1 << 10;

/// Reads a line; None where it is of no use or of no known shape.
pub(in crate::transcript) fn parse(line: &[u8]) -> Option<Line<'_>> {
    if is_of_no_use(line) {
        return None;
    }
    let raw = Raw::of(line)?;
    let title = |is_persons| {
        let text = text_of(raw.title).trim().to_owned();
        let title = Event::Title { text, is_persons };
        vec![title]
    };
    let events = match (raw.kind, &raw.message) {
        (b"\"user\"", Some(message)) if raw.is_compact_summary => summary(&text(message)),
        (b"\"user\"", Some(message)) => user_events(message, raw.is_meta || raw.is_programs),
        (b"\"assistant\"", Some(message)) => done(message),
        (b"\"attachment\"", _) => raw.attachment.iter().flat_map(Attachment::events).collect(),
        (b"\"queue-operation\"", _) => queued(raw.operation, &text_of(raw.content)),
        (b"\"custom-title\"", _) => title(true),
        (b"\"ai-title\"" | b"\"summary\"", _) => title(false),
        (b"\"cost-state\"", _) => vec![Event::SessionEnd],
        _ => Vec::new(),
    };
    let given = |value| Some(text_of(value)).filter(|text| !text.is_empty());
    let place = given(raw.uuid).map(|id| Position {
        id,
        parent: match given(raw.parent_uuid).or_else(|| given(raw.logical_parent_uuid)) {
            Some(parent) => Parent::Line(parent),
            None if raw.subtype == b"\"compact_boundary\"" => Parent::Before,
            None => Parent::None,
        },
        message: raw
            .message
            .as_ref()
            .map_or(Cow::Borrowed(""), |message| text_of(message.id)),
    });
    let leaf = match raw.kind {
        b"\"last-prompt\"" => given(raw.leaf_uuid).filter(|leaf| !leaf.starts_with(NO_LEAF)),
        _ => None,
    };
    let is_end = |event: &Event| matches!(event, Event::TurnEnd | Event::Summary(_));
    Some(Line {
        at: line::time(&text_of(raw.timestamp)),
        // A session in a worktree belongs to the project that it was begun in.
        cwd: given(raw.original_cwd).or_else(|| given(raw.cwd)),
        branch: given(raw.git_branch),
        place,
        leaf,
        record: None,
        rewound_to: None,
        is_headless: given(raw.entrypoint).map(|entrypoint| entrypoint.starts_with("sdk")),
        is_subagents: raw.is_sidechain,
        tells_end: events.iter().any(is_end) && tells_end(&text_of(raw.version)),
        events,
    })
}

/// The start of the id that the client writes where a conversation was rewound to its beginning.
const NO_LEAF: &str = "00000000";

/// Whether the start of a line tells that it is of no use. Such lines repeat what others say and can be most of a file.
fn is_of_no_use(line: &[u8]) -> bool {
    const TYPE: &[u8] = b"{\"type\":\"";
    const OF_NO_USE: [&[u8]; 2] = [b"api-request", b"file-history"];
    let kind = line.strip_prefix(TYPE);
    kind.is_some_and(|kind| {
        OF_NO_USE
            .iter()
            .any(|of_no_use| kind.starts_with(of_no_use))
    })
}

fn tells_end(version: &str) -> bool {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    let version = [(); 3].map(|()| numbers.next().unwrap_or(0));
    version >= TELLS_END
}

fn text(message: &Message<'_>) -> String {
    let blocks = message.blocks.iter();
    let texts: Vec<String> = blocks
        .filter(|block| block.kind == TEXT)
        .map(|block| text_of(block.text).into_owned())
        .collect();
    texts.join("\n")
}

/// The client writes instructions for itself around the summary.
fn summary(text: &str) -> Vec<Event> {
    const BEFORE: &str = "Summary:\n";
    const AFTER: &str = "\n\nIf you need specific details from before compaction";
    let text = text.split_once(BEFORE).map_or(text, |(_, summary)| summary);
    let text = text.split(AFTER).next().unwrap_or(text);
    vec![Event::Summary(text.trim().to_owned())]
}

/// What was typed while the agent worked: a command of the queue's.
fn queued(operation: &[u8], text: &str) -> Vec<Event> {
    let is_prompt = |event: &Event| matches!(event, Event::Prompt(_) | Event::Command(_));
    let asked = asked(text).into_iter().find(is_prompt);
    let text = asked.map(|asked| match asked {
        Event::Prompt(text) | Event::Command(text) => text,
        _ => String::new(),
    });
    match (operation, text) {
        (b"\"enqueue\"", Some(text)) => vec![Event::Queued(text)],
        (b"\"enqueue\"", None) => Vec::new(),
        (_, text) => vec![Event::Unqueued(text.unwrap_or_default())],
    }
}

/// What the person asked for with a text; nothing where the client wrote it in the person's name.
fn asked(text: &str) -> Vec<Event> {
    const NO_PROMPT: [&str; 5] = [
        "<local-command",
        "<bash-",
        "<task-notification",
        "<system-reminder",
        "Caveat: ",
    ];
    let text = wrapping::typed(text);
    if text.starts_with("<command-") {
        return command(text).map(Event::Command).into_iter().collect();
    }
    if text.is_empty() || NO_PROMPT.iter().any(|mark| text.starts_with(mark)) {
        return Vec::new();
    }
    vec![Event::Prompt(text.to_owned())]
}

/// A slash command as the person typed it; None where it is one that the client answers by itself.
fn command(text: &str) -> Option<String> {
    // A command with arguments counts. Of those without, only one that is put to the agent does; its message follows.
    const CLIENTS: [&str; 20] = [
        "add-dir",
        "agents",
        "background",
        "btw",
        "color",
        "compact",
        "config",
        "copy",
        "effort",
        "export",
        "fast",
        "login",
        "mcp",
        "model",
        "plugin",
        "remote-control",
        "rename",
        "resume",
        "rewind",
        "theme",
    ];
    let element = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        Some(rest.split_once(&format!("</{name}>"))?.0.trim())
    };
    let name = element("command-name")?.trim_start_matches('/');
    let arguments = element("command-args").unwrap_or_default();
    let is_told_to_agent = text.starts_with("<command-message>");
    if name.is_empty() || !is_told_to_agent && (arguments.is_empty() || CLIENTS.contains(&name)) {
        return None;
    }
    Some(format!("/{name} {arguments}").trim_end().to_owned())
}

/// A `user` line: what the person said, or what tools answered.
fn user_events(message: &Message<'_>, is_harness: bool) -> Vec<Event> {
    let blocks = message.blocks.iter();
    let results: Vec<Event> = blocks
        .filter(|block| block.kind == b"\"tool_result\"")
        .map(result)
        .collect();
    if !results.is_empty() {
        return results;
    }
    let text = typed(message);
    if text.starts_with("[Request interrupted by user") {
        return vec![Event::TurnEnd];
    }
    if is_harness {
        return Vec::new();
    }
    let is_image = |block: &Block<'_>| block.kind == b"\"image\"";
    if text.is_empty() && message.blocks.iter().any(is_image) {
        return vec![Event::Prompt("(an image)".to_owned())];
    }
    asked(&text)
}

/// The text of a message without what the client put into blocks of its own.
fn typed(message: &Message<'_>) -> String {
    let blocks = message.blocks.iter();
    let texts = blocks
        .filter(|block| block.kind == TEXT)
        .map(|block| text_of(block.text));
    let typed: Vec<String> = texts
        .map(|text| wrapping::typed(&text).to_owned())
        .filter(|text| !text.is_empty())
        .collect();
    typed.join("\n")
}

fn result(block: &Block<'_>) -> Event {
    const BACKGROUND: &str = "Command running in background";
    // Only these tell anything. Most results are long, and their text is of no use.
    let is_told = block.is_error
        || block.content.starts_with(b"[")
        || block
            .content
            .get(1..)
            .is_some_and(|text| text.starts_with(BACKGROUND.as_bytes()))
        || line::may_tell_of_save(block.content);
    let answer = match is_told {
        true => text_of(block.content),
        false => Cow::Borrowed(""),
    };
    let outcome = if block.is_error {
        let code = answer
            .trim_start_matches("Error: ")
            .strip_prefix("Exit code ");
        let code = code.and_then(|rest| rest.lines().next()?.trim().parse().ok());
        code.map_or(Outcome::Failed, Outcome::Exit)
    } else if answer.starts_with(BACKGROUND) {
        Outcome::Background
    } else {
        Outcome::Exit(0)
    };
    Event::Result {
        id: text_of(block.tool_use_id).into_owned(),
        outcome,
        saved: line::saved(&answer),
    }
}

/// An `assistant` line: what the agent said and which tools it called.
fn done(message: &Message<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    let gives_no_reason = matches!(message.stop_reason, b"" | NULL);
    let mut goes_on = matches!(message.stop_reason, b"\"tool_use\"" | b"\"pause_turn\"");
    for block in &message.blocks {
        match block.kind {
            TEXT => {
                let words = text_of(block.text).into_owned();
                events.extend((!words.is_empty()).then_some(Event::Words(words)));
            }
            b"\"tool_use\"" => {
                goes_on = true;
                let name = text_of(block.name);
                let call = match &*name {
                    "Bash" | "PowerShell" => Call::Command(text_of(block.command).into_owned()),
                    "Edit" | "Write" | "MultiEdit" | "NotebookEdit" => {
                        Call::Write(text_of(block.path).into_owned())
                    }
                    _ => Call::of_tool(name.into_owned()),
                };
                let id = text_of(block.id).into_owned();
                events.push(Event::Call { id, call });
            }
            kind => goes_on |= kind == b"\"thinking\"" && gives_no_reason,
        }
    }
    if !goes_on {
        events.push(Event::TurnEnd);
    }
    events
}

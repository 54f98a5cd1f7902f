//! One line of a transcript of Claude Code's: what was said, called, and answered.

use std::borrow::Cow;

use crate::checkpoint::recovered::Outcome;
use crate::checkpoint::surrogates;
use crate::transcript::line::{self, Call, Event, Line, Text};
use crate::transcript::skim::Walk;

/// The first version that was seen to write down that a session ended.
const TELLS_END: [u32; 3] = [2, 1, 332];

/// The members of a line that are of use, as they stand in it.
#[derive(Default)]
struct Raw<'a> {
    kind: &'a [u8],
    timestamp: &'a [u8],
    cwd: &'a [u8],
    git_branch: &'a [u8],
    version: &'a [u8],
    is_sidechain: bool,
    is_meta: bool,
    is_compact_summary: bool,
    /// Whether no person wrote the message.
    has_origin: bool,
    message: Option<Message<'a>>,
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
                b"isSidechain" => raw.is_sidechain = walk.value()? == TRUE,
                b"isMeta" => raw.is_meta = walk.value()? == TRUE,
                b"isCompactSummary" => raw.is_compact_summary = walk.value()? == TRUE,
                b"origin" => raw.has_origin = walk.value()? != NULL,
                b"message" => raw.message = Some(Message::of(walk)?),
                // It stands at the start of long lines that repeat what others say.
                b"attachment" => return None,
                _ => drop(walk.value()?),
            }
            Some(())
        })?;
        Some(raw)
    }
}

#[derive(Default)]
struct Message<'a> {
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
    // Most need no reading, and what does may also be long.
    let plain = inside.filter(|inside| inside.len() < PLAIN && !inside.contains(&b'\\'));
    if let Some(text) = plain.and_then(|plain| str::from_utf8(plain).ok()) {
        return Cow::Borrowed(text);
    }
    let text = surrogates::from_slice(value);
    text.map_or(Cow::Borrowed(""), |Text(text)| Cow::Owned(text))
}

/// Bytes of a text that is taken as it is, where nothing in it is escaped.
const PLAIN: usize = 1 << 10;

/// Reads a line; None where it is of no use or of no known shape.
pub(in crate::transcript) fn parse(line: &[u8]) -> Option<Line<'_>> {
    if is_of_no_use(line) {
        return None;
    }
    let raw = Raw::of(line)?;
    let is_harness = raw.is_meta || raw.has_origin;
    let events = match (raw.kind, raw.message) {
        (b"\"user\"", Some(message)) if raw.is_compact_summary => summary(&text(&message)),
        (b"\"user\"", Some(message)) => told(&message, is_harness),
        (b"\"assistant\"", Some(message)) => done(message),
        (b"\"cost-state\"", _) => vec![Event::SessionEnd],
        _ => return None,
    };
    let given = |value| Some(text_of(value)).filter(|text| !text.is_empty());
    let is_end = |event: &Event| matches!(event, Event::TurnEnd | Event::Summary(_));
    Some(Line {
        at: line::time(&text_of(raw.timestamp)),
        cwd: given(raw.cwd),
        branch: given(raw.git_branch),
        is_subagents: raw.is_sidechain,
        tells_end: events.iter().any(is_end) && tells_end(&text_of(raw.version)),
        events,
    })
}

/// Whether the start of a line tells that it is of no use: such lines, which repeat what others say, can be most
/// of a file.
fn is_of_no_use(line: &[u8]) -> bool {
    const TYPE: &[u8] = b"{\"type\":\"";
    const OF_USE: [&[u8]; 3] = [b"user\"", b"assistant\"", b"cost-state\""];
    let kind = line.strip_prefix(TYPE);
    kind.is_some_and(|kind| !OF_USE.iter().any(|of_use| kind.starts_with(of_use)))
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

/// A `user` line: what the person said, or what tools answered.
fn told(message: &Message<'_>, is_harness: bool) -> Vec<Event> {
    // Commands of the client's own, and messages that it writes in the person's name.
    const NO_PROMPT: [&str; 6] = [
        "<command-",
        "<local-command",
        "<bash-",
        "<task-notification",
        "<system-reminder",
        "Caveat: ",
    ];
    let blocks = message.blocks.iter();
    let results: Vec<Event> = blocks
        .filter(|block| block.kind == b"\"tool_result\"")
        .map(result)
        .collect();
    if !results.is_empty() {
        return results;
    }
    let text = text(message);
    let start = text.trim_start();
    if start.starts_with("[Request interrupted by user") {
        return vec![Event::TurnEnd];
    }
    if is_harness || start.is_empty() || NO_PROMPT.iter().any(|mark| start.starts_with(mark)) {
        return Vec::new();
    }
    vec![Event::Prompt(text)]
}

fn result(block: &Block<'_>) -> Event {
    const BACKGROUND: &str = "Command running in background";
    // Only these tell anything; most results are long, and none of their text is of use.
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
fn done(message: Message<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    let gives_no_reason = matches!(message.stop_reason, b"" | NULL);
    let mut goes_on = matches!(message.stop_reason, b"\"tool_use\"" | b"\"pause_turn\"");
    for block in message.blocks {
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

//! One line of a transcript of Claude Code's: what was said, called, and answered.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

use crate::checkpoint::recovered::Outcome;
use crate::transcript::line::{self, Call, Event, Line, Text};

/// The first version that was seen to write down that a session ended.
const TELLS_END: [u32; 3] = [2, 1, 332];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Raw {
    #[serde(rename = "type")]
    kind: Text,
    #[serde(default)]
    timestamp: Text,
    #[serde(default)]
    cwd: Text,
    #[serde(default)]
    git_branch: Text,
    #[serde(default)]
    version: Text,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_compact_summary: bool,
    /// Set where no person wrote the message.
    origin: Option<IgnoredAny>,
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Content,
    #[serde(default)]
    stop_reason: Text,
}

#[derive(Default)]
struct Content(Vec<Block>);

#[derive(Default, Deserialize)]
struct Block {
    #[serde(default, rename = "type")]
    kind: Text,
    #[serde(default)]
    text: Text,
    #[serde(default)]
    id: Text,
    #[serde(default)]
    name: Text,
    #[serde(default)]
    input: Input,
    #[serde(default)]
    tool_use_id: Text,
    #[serde(default)]
    content: Text,
    is_error: Option<bool>,
}

#[derive(Default, Deserialize)]
struct Input {
    #[serde(default)]
    command: Text,
    #[serde(default)]
    file_path: Text,
    #[serde(default)]
    notebook_path: Text,
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrBlocks;

        impl<'de> Visitor<'de> for TextOrBlocks {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of blocks")
            }

            fn visit_str<E>(self, text: &str) -> Result<Content, E> {
                Ok(Content(vec![Block {
                    kind: Text("text".to_owned()),
                    text: Text(text.to_owned()),
                    ..Block::default()
                }]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Content, A::Error> {
                let mut blocks = Vec::new();
                while let Some(block) = items.next_element()? {
                    blocks.push(block);
                }
                Ok(Content(blocks))
            }
        }

        deserializer.deserialize_any(TextOrBlocks)
    }
}

/// Reads a line; None where it is of no use or of no known shape.
pub(in crate::transcript) fn parse(line: &[u8]) -> Option<Line> {
    if is_of_no_use(line) {
        return None;
    }
    let raw: Raw = serde_json::from_slice(line).ok()?;
    let Raw {
        kind: Text(kind),
        timestamp,
        cwd,
        git_branch,
        version,
        is_sidechain,
        is_meta,
        is_compact_summary,
        origin,
        message,
    } = raw;
    let blocks = message.map(
        |Message {
             content: Content(blocks),
             stop_reason,
         }| (blocks, stop_reason.0),
    );
    let events = match (kind.as_str(), blocks) {
        ("user", Some((blocks, _))) if is_compact_summary => summary(&text(blocks)),
        ("user", Some((blocks, _))) => told(blocks, is_meta || origin.is_some()),
        ("assistant", Some((blocks, stop_reason))) => done(blocks, &stop_reason),
        ("cost-state", _) => vec![Event::SessionEnd],
        _ => return None,
    };
    Some(Line {
        at: timestamp.0.parse().ok(),
        cwd: cwd.non_empty(),
        branch: git_branch.non_empty(),
        is_subagents: is_sidechain,
        tells_end: tells_end(&version.0),
        events,
    })
}

/// Whether the start of a line tells that it is of no use: such lines, which repeat what others say, can be most
/// of a file.
fn is_of_no_use(line: &[u8]) -> bool {
    const START: usize = 160;
    const TYPE: &[u8] = b"{\"type\":\"";
    const OF_USE: [&[u8]; 3] = [b"user\"", b"assistant\"", b"cost-state\""];
    // Within a text the quotes would have backslashes before them.
    const ATTACHMENT: &[u8] = b"\"attachment\":{";
    match line.strip_prefix(TYPE) {
        Some(kind) => !OF_USE.iter().any(|of_use| kind.starts_with(of_use)),
        None => memchr::memmem::find(&line[..line.len().min(START)], ATTACHMENT).is_some(),
    }
}

fn tells_end(version: &str) -> bool {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    let version = [(); 3].map(|()| numbers.next().unwrap_or(0));
    version >= TELLS_END
}

fn text(blocks: Vec<Block>) -> String {
    let texts: Vec<String> = blocks
        .into_iter()
        .filter(|block| block.kind.0 == "text")
        .map(|block| block.text.0)
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
fn told(blocks: Vec<Block>, is_harness: bool) -> Vec<Event> {
    // Commands of the client's own, and messages that it writes in the person's name.
    const NO_PROMPT: [&str; 6] = [
        "<command-",
        "<local-command",
        "<bash-",
        "<task-notification",
        "<system-reminder",
        "Caveat: ",
    ];
    let results: Vec<Event> = blocks
        .iter()
        .filter(|block| block.kind.0 == "tool_result")
        .map(result)
        .collect();
    if !results.is_empty() {
        return results;
    }
    let text = text(blocks);
    let start = text.trim_start();
    if start.starts_with("[Request interrupted by user") {
        return vec![Event::TurnEnd];
    }
    if is_harness || start.is_empty() || NO_PROMPT.iter().any(|mark| start.starts_with(mark)) {
        return Vec::new();
    }
    vec![Event::Prompt(text)]
}

fn result(block: &Block) -> Event {
    let answer = block.content.0.as_str();
    let outcome = if block.is_error == Some(true) {
        let code = answer
            .trim_start_matches("Error: ")
            .strip_prefix("Exit code ");
        let code = code.and_then(|rest| rest.lines().next()?.trim().parse().ok());
        code.map_or(Outcome::Failed, Outcome::Exit)
    } else if answer.starts_with("Command running in background") {
        Outcome::Background
    } else {
        Outcome::Exit(0)
    };
    Event::Result {
        id: block.tool_use_id.0.clone(),
        outcome,
        saved: line::saved(answer),
    }
}

/// An `assistant` line: what the agent said and which tools it called.
fn done(blocks: Vec<Block>, stop_reason: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let mut goes_on = matches!(stop_reason, "tool_use" | "pause_turn");
    for block in blocks {
        let Block {
            kind,
            text,
            id,
            name,
            input,
            ..
        } = block;
        match kind.0.as_str() {
            "text" => events.extend(text.non_empty().map(Event::Words)),
            "tool_use" => {
                goes_on = true;
                let call = match name.0.as_str() {
                    "Bash" | "PowerShell" => Call::Command(input.command.0),
                    "Edit" | "Write" | "MultiEdit" => Call::Write(input.file_path.0),
                    "NotebookEdit" => Call::Write(input.notebook_path.0),
                    _ => Call::Other(name.0),
                };
                events.push(Event::Call { id: id.0, call });
            }
            _ => goes_on |= kind.0 == "thinking" && stop_reason.is_empty(),
        }
    }
    if !goes_on {
        events.push(Event::TurnEnd);
    }
    events
}

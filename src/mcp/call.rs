//! One tool call: arguments in, result out; blocking, and without the protocol's connection.

use std::any::Any;

use rmcp::model::{CallToolResult, ContentBlock, Implementation, JsonObject};
use serde::Serialize;
use serde_json::Value;

use super::tools::Tool;
use crate::checkpoint::format::Client;
use crate::commands::{Arguments, CallerHint, Context, Scope, list, load, save, structured};
use crate::env::Env;
use crate::error::{Report, quoted};

/// Runs a tool. Whatever goes wrong is a result too, for the agent to read and to act on.
pub(super) fn run(tool: Tool, scope: Scope, arguments: Arguments) -> CallToolResult {
    outcome(tool, scope, arguments).unwrap_or_else(|error| failed(&error))
}

fn outcome(tool: Tool, scope: Scope, arguments: Arguments) -> anyhow::Result<CallToolResult> {
    let context = |warnings| {
        let mut context = Context::new(Env::from_process(), scope)?;
        context.warn(warnings);
        anyhow::Ok(context)
    };
    match tool {
        Tool::Save => {
            let (request, warnings) = save::Request::read(arguments)?;
            let outcome = save::run(&context(warnings)?, request)?;
            done(&outcome)
        }
        Tool::Load => {
            let (request, warnings) = arguments.into_request(&load::ARGUMENTS)?;
            let outcome = load::run(&context(warnings)?, &request)?;
            done(&outcome)
        }
        Tool::List => {
            let (request, warnings) = arguments.into_request(&list::ARGUMENTS)?;
            let outcome = list::run(&context(warnings)?, &request)?;
            done(&outcome)
        }
    }
}

/// What a client calls itself; None where it says nothing.
pub(super) fn client(said: Implementation) -> Option<Client> {
    let Implementation { name, version, .. } = said;
    let name = quoted(&name);
    (!name.trim().is_empty()).then(|| Client {
        name,
        version: quoted(&version),
        ..Client::default()
    })
}

/// What the metadata of a call says of the session that makes it (measured on Claude Code 2.1.332 and Codex 0.171.0;
/// neither documents it).
pub(super) fn caller_hint(meta: &JsonObject) -> CallerHint {
    const LONGEST: usize = 256;
    let text = |name| meta.get(name).and_then(Value::as_str);
    let is_plain = |id: &&str| {
        (1..=LONGEST).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if let Some(call) = text("claudecode/toolUseId").filter(is_plain) {
        return CallerHint::ToolUse(call.to_owned());
    }
    let Some(thread) = text("threadId") else {
        return CallerHint::None;
    };
    let source = meta.get("x-codex-turn-metadata");
    let source = source.and_then(|turn| turn.get("thread_source")?.as_str());
    CallerHint::Thread {
        id: thread.to_owned(),
        is_subagent: source == Some("subagent")
            && text("sessionId").is_some_and(|session| session != thread),
    }
}

/// The text blocks are what clients show that do not read structured content, and the reverse: hence both, and a whole
/// checkpoint as a block of its own.
fn done(outcome: &impl Serialize) -> anyhow::Result<CallToolResult> {
    let structured = structured(outcome)?;
    let text = structured["text"].as_str().unwrap_or_default();
    let checkpoint = structured.get("checkpoint").map(Value::to_string);
    let blocks = [Some(text.to_owned()), checkpoint];
    let mut result = CallToolResult::success(
        blocks
            .into_iter()
            .flatten()
            .map(ContentBlock::text)
            .collect(),
    );
    result.structured_content = Some(structured);
    Ok(result)
}

pub(super) fn failed(error: &anyhow::Error) -> CallToolResult {
    let Report { message, hint } = Report::from(error);
    error_text(match hint {
        Some(hint) => format!("{message}\n{hint}"),
        None => message,
    })
}

/// The result of a call that panicked, with the panic's own words.
pub(super) fn panicked(panic: &(dyn Any + Send)) -> CallToolResult {
    let words = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    let words = quoted(words);
    error_text(format!(
        "internal error: {words}\nthis is a bug in ckpt; the server goes on, and a checkpoint is never left half written"
    ))
}

fn error_text(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::failure;

    fn text(result: &CallToolResult) -> &str {
        assert_eq!(result.is_error, Some(true));
        &result.content[0].as_text().unwrap().text
    }

    #[test]
    fn a_failed_call_says_what_and_what_to_do() {
        let error = failure("no such checkpoint", "call list_session_checkpoints");
        assert_eq!(
            text(&failed(&error)),
            "no such checkpoint\ncall list_session_checkpoints"
        );
    }

    #[test]
    fn a_panic_is_reported_with_its_words() {
        let panic = std::panic::catch_unwind(|| panic!("odd {}", 1)).unwrap_err();
        assert!(text(&panicked(&*panic)).starts_with("internal error: odd 1\n"));
    }
}

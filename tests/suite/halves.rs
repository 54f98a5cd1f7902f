//! Half a character as JSON can escape it, from programs that cut a text in its middle: read as U+FFFD everywhere.

use serde_json::json;

use crate::harness::mcp::Server;
use crate::harness::transcripts::{LATER, killed};
use crate::harness::{Output, Project};

const SESSION: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const HALVES: [&str; 4] = [r"\ud83d", r"\ude00", r"a\uD83Db", r"\ud83d\ud83d\ude00"];

#[test]
fn a_save_over_mcp_is_not_lost() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    for (id, half) in (100..).zip(HALVES) {
        let call = json!({
            "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
                "name": "save_session_checkpoint", "arguments": {"goal": "fix HALF bug", "session": "s1"},
            },
        });
        server.send_bytes(format!("{call}\n").replace("HALF", half).as_bytes());
        let answer = server.answer(id);
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let goal = project.saved("s1")["goal"]["primary"].to_string();
        assert!(
            goal.contains('\u{fffd}') && goal.ends_with(" bug\""),
            "{goal}"
        );
    }
    server.close();
}

#[test]
fn a_save_from_input_is_not_lost() {
    let project = Project::bare_folder();
    for half in HALVES {
        let input = format!(r#"{{"goal": "fix {half} bug"}}"#);
        let mut command = project.command(["save", "--input", "-", "--session", "s1"]);
        Output::with_input(&mut command, input.as_bytes()).succeeds();
        let goal = project.saved("s1")["goal"]["primary"].to_string();
        assert!(
            goal.contains('\u{fffd}') && goal.ends_with(" bug\""),
            "{goal}"
        );
    }
    project.write("input.json", r#"{"goal": "\ud83d", "tasks": ["#);
    project
        .ckpt(["save", "--input", "input.json"])
        .fails_with("`input.json` is not valid JSON: EOF");
}

#[test]
fn a_line_to_redact_is_not_lost() {
    let project = Project::bare_folder();
    let line = br#"{"id": 1, "text": "TOKEN=abcd1234efgh \ud83d"}"#;
    Output::with_input(&mut project.command(["redact", "--jsonl"]), line)
        .succeeds()
        .prints("{\"id\":1,\"redacted\":\"TOKEN=«redacted» \u{fffd}\"}");
}

#[test]
fn a_subagent_does_not_save_by_half_a_character() {
    let project = Project::bare_folder();
    let input = br#"{"tool_name": "mcp__ckpt__save_session_checkpoint", "agent_id": "a", "tool_input": {"\udc00": "\ud83d"}}"#;
    Output::with_input(&mut project.command(["guard"]), input)
        .succeeds()
        .prints("deny");
}

#[test]
fn a_transcript_loses_neither_the_text_nor_the_line() {
    let project = Project::repository();
    let mut transcript = killed(&project, SESSION, 5)
        .prompt("HALF the \"rest\"")
        .calls("Bash", json!({"command": "npm test -- HALF"}));
    for line in &mut transcript.lines {
        *line = line.replace("HALF", r"\ud83d");
    }
    transcript.put(&project);
    project
        .ckpt_with(&[("CKPT_NOW", LATER)], ["load", SESSION])
        .succeeds()
        .prints("The user asked: \u{fffd} the \"rest\"\n")
        .prints("`npm test -- \u{fffd}`\n");
}

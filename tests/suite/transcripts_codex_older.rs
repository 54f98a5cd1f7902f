//! Session files of Codex CLI as older versions wrote them, and as later ones put them away.

use std::fs;
use std::path::{Path, PathBuf};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::transcripts::{LATER, at, json_of};

const SESSION: &str = "01a22c07-88a3-7882-9233-efa386b5cd10";
const PARENT: &str = "01a22c07-1111-7882-9233-efa386b5cd10";

/// A line of that second of the minute after the save.
fn line(second: u32, kind: &str, payload: Value) -> String {
    let timestamp = format!("2026-10-08T02:24:{second:02}.000Z");
    json!({"timestamp": timestamp, "type": kind, "payload": payload}).to_string()
}

fn meta(second: u32, id: &str, cwd: &Path) -> String {
    let git = json!({"commit_hash": "c", "branch": "feat/parser"});
    let payload = json!({"id": id, "cwd": cwd, "originator": "codex_cli_rs", "source": "cli", "instructions": "i", "git": git});
    line(second, "session_meta", payload)
}

fn event(second: u32, kind: &str, mut payload: Value) -> String {
    payload["type"] = json!(kind);
    line(second, "event_msg", payload)
}

fn item(second: u32, kind: &str, mut payload: Value) -> String {
    payload["type"] = json!(kind);
    line(second, "response_item", payload)
}

fn call(second: u32, id: &str, name: &str, arguments: Value) -> String {
    item(
        second,
        "function_call",
        json!({"name": name, "call_id": id, "arguments": arguments.to_string()}),
    )
}

fn output(second: u32, id: &str, output: Value) -> String {
    item(
        second,
        "function_call_output",
        json!({"call_id": id, "output": output}),
    )
}

/// The lines of a session of the events that came before completed items.
fn older(project: &Project) -> Vec<String> {
    let said = |role: &str, kind: &str, text: &str| json!({"role": role, "content": [{"type": kind, "text": text}]});
    vec![
        meta(1, SESSION, &project.root()),
        item(
            2,
            "message",
            said(
                "user",
                "input_text",
                "<environment_context>\n<cwd>x</cwd>\n</environment_context>",
            ),
        ),
        item(3, "message", said("user", "input_text", "Fix the parser")),
        event(
            3,
            "user_message",
            json!({"message": "Fix the parser", "images": []}),
        ),
        call(
            4,
            "c1",
            "shell",
            json!({"command": ["bash", "-lc", "make test"], "workdir": "x"}),
        ),
        output(
            5,
            "c1",
            json!(json!({"output": "Exit code: 0", "metadata": {"exit_code": 2}}).to_string()),
        ),
        call(
            6,
            "c2",
            "shell",
            json!({"command": ["cargo", "fmt", "a file.rs"]}),
        ),
        output(
            7,
            "c2",
            json!(json!({"output": "", "metadata": {"exit_code": 0}}).to_string()),
        ),
        call(
            8,
            "c3",
            "shell",
            json!({"command": ["apply_patch", "*** Begin Patch\n*** Update File: src/main.rs\n@@\n-a\n+b\n*** Add File: new.rs\n+x\n*** End Patch"]}),
        ),
        output(
            9,
            "c3",
            json!(json!({"output": "Success.", "metadata": {"exit_code": 0}}).to_string()),
        ),
        event(10, "agent_message", json!({"message": "The parser fails."})),
        item(
            10,
            "message",
            said("assistant", "output_text", "The parser fails."),
        ),
    ]
}

fn day(project: &Project) -> PathBuf {
    project.home().join(".codex/sessions/2026/10/08")
}

fn put(folder: &Path, id: &str, bytes: &[u8], ending: &str) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(format!("rollout-2026-10-08T02-24-00-{id}.jsonl{ending}"));
    fs::write(&path, bytes).unwrap();
    let file = fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(at(90)).unwrap();
    path
}

fn brief(project: &Project) -> String {
    let output = project.ckpt_with(&[("CKPT_NOW", LATER)], ["load", SESSION]);
    output.succeeds().stdout
}

fn assert_whole(project: &Project) {
    let listed = json_of(project, &["list", "--all"]);
    assert_eq!(listed["entries"][0]["selector"], SESSION, "{listed}");
    assert_eq!(listed["entries"][0]["goal"], "Fix the parser");
    assert_eq!(listed["entries"][0]["branch"], "feat/parser");
    let brief = brief(project);
    for fact in [
        "## Goal (the first prompt)\nFix the parser\n",
        "Branch `feat/parser`\n",
        "(last 2, oldest first):\n  - ✗ exit 2 `make test`\n  - ✓ `cargo fmt 'a file.rs'`\n",
        "- The agent's last words: The parser fails.\n",
        "- new.rs (gone)\n",
        "src/main.rs",
    ] {
        assert!(brief.contains(fact), "no {fact:?} in {brief}");
    }
    assert!(!brief.contains("environment_context"), "{brief}");
}

#[test]
fn the_events_of_older_versions_are_read() {
    let project = Project::repository();
    let path = put(
        &day(&project),
        SESSION,
        older(&project).join("\n").as_bytes(),
        "",
    );
    assert_whole(&project);
    let kept = json_of(
        &project,
        &["save", "--from-transcript", path.to_str().unwrap()],
    );
    assert_eq!(kept["session"], SESSION);
    assert_eq!(project.saved(SESSION)["goal"]["primary"], "Fix the parser");
}

#[test]
fn an_archived_session_is_read_where_it_lies() {
    let project = Project::repository();
    let archive = project.home().join(".codex/archived_sessions");
    put(&archive, SESSION, older(&project).join("\n").as_bytes(), "");
    assert_whole(&project);
    json_of(&project, &["save", "--from-transcript", SESSION]);
    assert_eq!(project.saved(SESSION)["sessionId"], SESSION);
}

#[test]
fn a_compressed_session_is_read_in_every_place() {
    let project = Project::repository();
    let lines = older(&project).join("\n");
    let compressed = compress_to_vec(lines.as_bytes(), CompressionLevel::Fastest);
    // What is written in pieces has a frame for each.
    let (start, end) = lines.as_bytes().split_at(lines.len() / 2);
    let frames = [start, end]
        .map(|part| compress_to_vec(part, CompressionLevel::Fastest))
        .concat();
    for bytes in [&compressed, &frames] {
        let path = put(&day(&project), SESSION, bytes, ".zst");
        assert_whole(&project);
        let named = ["save", "--from-transcript", path.to_str().unwrap()];
        project.ckpt(named).succeeds();
        fs::remove_dir_all(project.path(".claude-checkpoints")).unwrap();
        fs::remove_file(path).unwrap();
    }
    let archive = project.home().join(".codex/archived_sessions");
    put(&archive, SESSION, &compressed, ".zst");
    assert_whole(&project);
}

#[test]
fn what_is_compressed_badly_changes_nothing_else() {
    let project = Project::repository();
    put(
        &day(&project),
        PARENT,
        older(&project)
            .join("\n")
            .replace(SESSION, PARENT)
            .as_bytes(),
        "",
    );
    let compressed = compress_to_vec(
        older(&project).join("\n").as_bytes(),
        CompressionLevel::Fastest,
    );
    let mut flipped = compressed.clone();
    for byte in flipped.iter_mut().skip(20) {
        *byte ^= 0x5a;
    }
    // A frame that asks for a window of terabytes.
    let endless = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff][..], &[0; 64]].concat();
    for bytes in [
        &b""[..],
        b"no zstd",
        &compressed[..compressed.len() / 2],
        &flipped,
        &endless,
    ] {
        put(&day(&project), SESSION, bytes, ".zst");
        let listed = json_of(&project, &["list", "--all"]);
        let found = listed["entries"].as_array().unwrap();
        assert!(
            found.iter().any(|entry| entry["selector"] == PARENT),
            "{listed}"
        );
    }
}

#[test]
fn of_a_session_that_is_there_twice_the_plain_file_counts() {
    let project = Project::repository();
    let lines = older(&project);
    put(
        &day(&project),
        SESSION,
        &compress_to_vec(lines[..3].join("\n").as_bytes(), CompressionLevel::Fastest),
        ".zst",
    );
    put(&day(&project), SESSION, lines.join("\n").as_bytes(), "");
    assert_whole(&project);
    assert_eq!(
        json_of(&project, &["list", "--all"])["entries"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn any_number_of_sessions_elsewhere_hides_none_here() {
    let project = Project::repository();
    put(
        &day(&project),
        SESSION,
        older(&project).join("\n").as_bytes(),
        "",
    );
    let elsewhere = project.home();
    for number in 0..100 {
        let id = format!("01a22c07-88a3-7882-9233-efa386{number:06}");
        let path = put(
            &project.home().join(".codex/sessions/2026/11/30"),
            &id,
            meta(1, &id, &elsewhere).as_bytes(),
            "",
        );
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(at(1_000 + number)).unwrap();
    }
    assert_whole(&project);
}

#[test]
fn what_a_fork_repeats_is_its_parents() {
    let project = Project::repository();
    let repeated = older(&project).into_iter().map(|line| {
        let mut line: Value = serde_json::from_str(&line).unwrap();
        line["timestamp"] = json!("2026-10-08T02:24:30.004Z");
        line.to_string().replace(SESSION, PARENT)
    });
    let mut lines = vec![meta(30, SESSION, &project.root())];
    lines.extend(repeated);
    lines.extend([
        event(40, "user_message", json!({"message": "Now the printer"})),
        call(41, "c9", "shell_command", json!({"command": "make print"})),
        output(
            42,
            "c9",
            json!("Exit code: 0\nWall time: 1 seconds\nOutput:\nok"),
        ),
    ]);
    put(&day(&project), SESSION, lines.join("\n").as_bytes(), "");
    put(
        &day(&project),
        PARENT,
        older(&project)
            .join("\n")
            .replace(SESSION, PARENT)
            .as_bytes(),
        "",
    );
    let brief = brief(&project);
    assert!(
        brief.contains("## Goal (the first prompt)\nNow the printer\n"),
        "{brief}"
    );
    assert!(
        brief.contains("(last 1, oldest first):\n  - ✓ `make print`\n"),
        "{brief}"
    );
    for parents in ["Fix the parser", "make test", "The parser fails", "new.rs"] {
        assert!(!brief.contains(parents), "{parents} in {brief}");
    }
    let listed = json_of(&project, &["list", "--all"]);
    let goals: Vec<&Value> = listed["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| &entry["goal"])
        .collect();
    assert!(
        goals.contains(&&json!("Fix the parser")) && goals.contains(&&json!("Now the printer")),
        "{listed}"
    );
}

#[test]
fn commands_are_told_as_they_were_typed_and_how_they_ended() {
    let project = Project::repository();
    let forms = [
        (
            "exec_command",
            json!({"cmd": "a1"}),
            "Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 3\nOutput:\nx",
            "✗ exit 3 `a1`",
        ),
        (
            "shell_command",
            json!({"command": "a2"}),
            "Exit code: 0\nWall time: 1 seconds\nOutput:\nx",
            "✓ `a2`",
        ),
        (
            "shell",
            json!({"command": ["/bin/zsh", "-lc", "a3"]}),
            "Exit code: 1\nWall time: 1 seconds\nOutput:\nExit code: 0",
            "✗ exit 1 `a3`",
        ),
        (
            "container.exec",
            json!({"command": ["a4", "x y"]}),
            "{\"output\":\"\",\"metadata\":{\"exit_code\":5}}",
            "✗ exit 5 `a4 'x y'`",
        ),
        // What a command prints is no exit code.
        (
            "exec_command",
            json!({"cmd": "a5"}),
            "Wall time: 1 seconds\nOutput:\nProcess exited with code 9",
            "✓ `a5`",
        ),
        (
            "exec_command",
            json!({"cmd": "a6"}),
            "exec_command failed: no such file\nProcess exited with code",
            "✗ `a6`",
        ),
        (
            "exec_command",
            json!({"cmd": "a7"}),
            "aborted by user after 3.2s",
            "✗ `a7`",
        ),
        (
            "exec_command",
            json!({"cmd": "a8"}),
            "Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\nProcess exited with code 1",
            "· `a8` — left running",
        ),
    ];
    for (name, arguments, answer, expected) in forms {
        let lines = [
            meta(1, SESSION, &project.root()),
            event(2, "user_message", json!({"message": "p"})),
            call(3, "c", name, arguments),
            output(4, "c", json!(answer)),
        ];
        put(&day(&project), SESSION, lines.join("\n").as_bytes(), "");
        let brief = brief(&project);
        assert!(
            brief.contains(&format!("  - {expected}")),
            "no {expected} in {brief}"
        );
    }
    let lines = [
        meta(1, SESSION, &project.root()),
        event(
            2,
            "user_message",
            json!({"message": "# Context from my IDE setup:\n\n## Active file: a.rs\n\n## My request for Codex:\nrename it"}),
        ),
        item(
            3,
            "local_shell_call",
            json!({"call_id": "c", "action": {"type": "exec", "command": ["bash", "-lc", "git mv a b"]}}),
        ),
        output(4, "c", json!("Exit code: 0\nOutput:\n")),
    ];
    put(&day(&project), SESSION, lines.join("\n").as_bytes(), "");
    let brief = brief(&project);
    assert!(
        brief.contains("(the first prompt)\nrename it\n") && brief.contains("✓ `git mv a b`"),
        "{brief}"
    );
}

#[test]
fn sessions_that_subagents_had_are_no_persons() {
    let project = Project::repository();
    let payload = json!({"id": SESSION, "cwd": project.root(), "source": {"subagent": "review"}, "originator": "codex_cli_rs"});
    let lines = [
        line(1, "session_meta", payload),
        event(2, "user_message", json!({"message": "p"})),
    ];
    put(&day(&project), SESSION, lines.join("\n").as_bytes(), "");
    assert_eq!(json_of(&project, &["list", "--all"])["entries"], json!([]));
}

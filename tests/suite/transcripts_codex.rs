//! Session files of Codex CLI, as version 0.171.0 writes them.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::transcripts::{LATER, at};

/// The client's own id of its session, which its servers are not told.
const CODEX: &str = "01a22c07-88a3-7882-9233-efa386b5cd10";
const MINTED: &str = "8b9821ab-fa27-42c0-90a0-a6fe0d0a3cd1";

/// The lines of a session that began at that second of the minute after the save.
struct Rollout(Vec<String>);

impl Rollout {
    fn new(cwd: PathBuf, source: &str) -> Self {
        Self(Vec::new()).line(
            "session_meta",
            json!({"id": CODEX, "cwd": cwd, "thread_source": source, "base_instructions": {"text": "i"}}),
        )
    }

    fn line(mut self, kind: &str, payload: Value) -> Self {
        let second = self.0.len();
        let line = json!({
            "timestamp": format!("2026-10-08T02:24:{second:02}.000Z"), "ordinal": second, "type": kind, "payload": payload,
        });
        self.0.push(line.to_string());
        self
    }

    fn item(self, item: Value) -> Self {
        self.line("event_msg", json!({"type": "item_completed", "item": item}))
    }

    fn prompt(self, text: &str) -> Self {
        let texts = json!([{"type": "text", "text": text}]);
        self.item(json!({"type": "UserMessage", "id": "u", "content": texts}))
    }

    fn calls(self, id: &str, command: &str) -> Self {
        let arguments = json!({"cmd": command}).to_string();
        let call = json!({"type": "function_call", "name": "exec_command", "call_id": id, "arguments": arguments});
        self.line("response_item", call)
    }

    fn answers(self, id: &str, output: &str) -> Self {
        let answer = json!({"type": "function_call_output", "call_id": id, "output": output});
        self.line("response_item", answer)
    }

    fn put(&self, project: &Project) {
        let day = project.home().join(".codex/sessions/2026/10/08");
        fs::create_dir_all(&day).unwrap();
        let path = day.join(format!("rollout-2026-10-08T02-24-00-{CODEX}.jsonl"));
        fs::write(&path, self.0.join("\n")).unwrap();
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(at(90)).unwrap();
    }
}

fn session(project: &Project) -> Rollout {
    let changes = json!({project.path("a.txt").to_str().unwrap(): {"type": "add", "content": "c"}});
    Rollout::new(project.root(), "user")
        .prompt("Build the parser")
        .calls("call_1", "npm test")
        .item(json!({"type": "CommandExecution", "id": "call_1", "command": ["bash"], "exit_code": 4}))
        .answers("call_1", "Chunk ID: 1\nProcess exited with code 4\nOutput:\n")
        .item(json!({"type": "FileChange", "id": "call_2", "changes": changes, "status": "completed"}))
}

fn interrupted(rollout: Rollout) -> Rollout {
    rollout
        .prompt("go on")
        .calls("call_8", "npm run dev")
        .answers("call_8", "Process running with session ID 7")
        .item(json!({"type": "AgentMessage", "id": "m", "content": [{"type": "Text", "text": "Now the tests."}]}))
        .calls("call_9", "npm test -- all")
}

fn load(project: &Project, selector: &str) -> String {
    let output = project.ckpt_with(&[("CKPT_NOW", LATER)], ["load", selector]);
    output.succeeds().stdout
}

#[test]
fn how_a_command_ended_is_what_stands_above_its_output() {
    let project = Project::repository();
    Rollout::new(project.root(), "user")
        .prompt("Build the parser")
        .calls("c1", "cat log")
        .answers(
            "c1",
            "Wall time: 1 seconds\nOutput:\nProcess exited with code 9",
        )
        .calls("c2", "cat other")
        .answers("c2", "Exit code: 3\nOutput:\nProcess exited with code 0")
        .put(&project);
    let brief = load(&project, &CODEX[..8]);
    for fact in ["  - ✓ `cat log`\n", "  - ✗ exit 3 `cat other`\n"] {
        assert!(brief.contains(fact), "no {fact:?} in {brief}");
    }
}

#[test]
fn a_session_that_saved_nothing_is_recovered() {
    let project = Project::repository();
    interrupted(session(&project)).put(&project);
    let listed = project.ckpt(["list", "--all", "--json"]).succeeds().json();
    assert_eq!(listed["entries"][0]["selector"], CODEX);
    assert_eq!(listed["entries"][0]["goal"], "Build the parser");
    let brief = load(&project, &CODEX[..8]);
    for fact in [
        "## Goal (the first prompt)\nBuild the parser\n",
        "- The user asked: go on\n",
        "  - ✗ exit 4 `npm test`\n",
        "  - · `npm run dev` — left running in the background\n",
        "- The transcript ends while this runs, result unknown: `npm test -- all`\n",
        "- The agent's last words: Now the tests.\n",
        "- a.txt (gone)\n",
    ] {
        assert!(brief.contains(fact), "no {fact:?} in {brief}");
    }
}

#[test]
fn half_a_character_loses_neither_the_text_nor_the_line() {
    let project = Project::repository();
    let mut rollout = Rollout::new(project.root(), "user")
        .prompt("OUTER in the prompt")
        .calls("call_1", "npm test -- INNER");
    for line in &mut rollout.0 {
        // The command's JSON is a text of the line's.
        *line = line.replace("OUTER", r"\ud83d");
        *line = line.replace("INNER", r"\\ud83d");
    }
    rollout.put(&project);
    let brief = load(&project, &CODEX[..8]);
    for fact in ["\u{fffd} in the prompt\n", "`npm test -- \u{fffd}`\n"] {
        assert!(brief.contains(fact), "no {fact:?} in {brief}");
    }
}

#[test]
fn a_checkpoint_under_a_minted_id_finds_the_session_by_its_save() {
    let project = Project::repository();
    project.save(MINTED, json!({"goal": "Build the parser"}));
    let saved = json!({"text": "Saved", "session": MINTED, "sessionSource": "minted"});
    let answer = format!("Wall time: 0.0090 seconds\nOutput:\n{saved}");
    interrupted(session(&project).answers("call_3", &answer)).put(&project);
    let brief = load(&project, MINTED);
    assert!(brief.contains("## After the save"), "{brief}");
    assert!(brief.contains("- The user asked: go on\n"), "{brief}");
    let listed = project.ckpt(["list", "--all", "--json"]).succeeds().json();
    assert_eq!(listed["entries"].as_array().unwrap().len(), 1);
}

#[test]
fn sessions_of_other_projects_and_of_subagents_are_passed_over() {
    let project = Project::repository();
    for (cwd, source) in [(project.path("src"), "user"), (project.root(), "subagent")] {
        Rollout::new(cwd, source).prompt("p").put(&project);
        let listed = project.ckpt(["list", "--all", "--json"]).succeeds().json();
        assert_eq!(listed["entries"], json!([]));
    }
}

//! Session files of Gemini CLI, as version 0.61.0 writes them.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::harness::Project;
use crate::harness::transcripts::{LATER, at, json_of};

const SESSION: &str = "2b394f7c-c6f0-4ce6-81aa-40d7e303af0a";
const MINTED: &str = "8b9821ab-fa27-42c0-90a0-a6fe0d0a3cd1";

struct Chat(Vec<Value>);

impl Chat {
    fn new() -> Self {
        Self(vec![
            json!({"sessionId": SESSION, "projectHash": "h", "startTime": "t", "kind": "main"}),
        ])
    }

    fn record(mut self, mut record: Value) -> Self {
        let second = self.0.len();
        record["timestamp"] = json!(format!("2026-10-08T02:24:{second:02}.000Z"));
        self.0.push(record);
        self
    }

    fn raw(mut self, record: Value) -> Self {
        self.0.push(record);
        self
    }

    fn prompt(self, id: &str, text: &str) -> Self {
        self.record(json!({"id": id, "type": "user", "content": [{"text": text}]}))
    }

    fn says(self, id: &str, text: &str) -> Self {
        self.record(json!({"id": id, "type": "gemini", "content": text}))
    }

    /// A message, as it is written first and once its call is answered.
    fn calls(
        self,
        id: &str,
        name: &str,
        args: Value,
        status: &str,
        output: &str,
        shown: Value,
    ) -> Self {
        let result = json!([{"functionResponse": {"name": name, "response": {"output": output}}}]);
        let call = json!({"id": format!("{id}-call"), "name": name, "args": args, "status": status, "result": result, "resultDisplay": shown});
        self.record(json!({"id": id, "type": "gemini", "content": ""}))
            .record(json!({"id": id, "type": "gemini", "content": "", "toolCalls": [call]}))
    }

    fn runs(self, id: &str, command: &str, output: &str, printed: &str) -> Self {
        let output = format!("<untrusted_context>\nOutput: {output}\n</untrusted_context>");
        self.calls(
            id,
            "run_shell_command",
            json!({"command": command}),
            "success",
            &output,
            json!(printed),
        )
    }

    fn lines(&self) -> String {
        let lines: Vec<String> = self.0.iter().map(Value::to_string).collect();
        lines.join("\n")
    }

    fn put(&self, project: &Project) -> PathBuf {
        let names = json!({"projects": {project.root().to_str().unwrap(): "my-app"}});
        let home = project.home().join(".gemini");
        put(
            &home.join("tmp/my-app/chats/session-2026-10-08T02-24-2b394f7c.jsonl"),
            &self.lines(),
        );
        fs::write(home.join("projects.json"), names.to_string()).unwrap();
        home
    }
}

fn put(path: &PathBuf, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(at(90)).unwrap();
}

fn session(project: &Project) -> Chat {
    let path = project.path("src/a.ts");
    Chat::new()
        .raw(json!({"$set": {"messages": [{"id": "m0", "type": "user", "content": [{"text": "<session_context>\nx</session_context>"}]}]}}))
        .prompt("m1", "<hook_context>from a hook</hook_context>\n\nBuild the parser")
        .runs("m2", "npm run build", "ok\nProcess Group PGID: 1", "ok")
        .runs("m3", "npm test", "1 failed\nExit Code: 4\nProcess Group PGID: 2", "1 failed")
        .calls("m4", "write_file", json!({"file_path": path, "content": "c"}), "success", "Successfully created", json!({"filePath": path}))
        .calls("m5", "replace", json!({"file_path": project.path("refused.ts")}), "cancelled", "", json!("Cancelled"))
        .says("m6", "One test is left.")
}

fn load(project: &Project, selector: &str) -> String {
    let output = project.ckpt_with(&[("CKPT_NOW", LATER)], ["load", selector]);
    output.succeeds().stdout
}

fn assert_whole(project: &Project) {
    let listed = json_of(project, &["list", "--all"]);
    assert_eq!(listed["entries"][0]["selector"], SESSION, "{listed}");
    assert_eq!(listed["entries"][0]["goal"], "Build the parser");
    let brief = load(project, SESSION);
    for fact in [
        "## Goal (the first prompt)\nBuild the parser\n",
        "(last 2, oldest first):\n  - ✓ `npm run build`\n  - ✗ exit 4 `npm test`\n",
        "- The agent's last words: One test is left.\n",
        "- src/a.ts (gone)\n",
    ] {
        assert!(brief.contains(fact), "no {fact:?} in {brief}");
    }
    assert!(
        !brief.contains("refused") && !brief.contains("from a hook"),
        "{brief}"
    );
}

#[test]
fn a_session_that_saved_nothing_is_recovered_and_kept() {
    let project = Project::repository();
    session(&project).put(&project);
    assert_whole(&project);
    json_of(&project, &["save", "--from-transcript", &SESSION[..8]]);
    let stored = project.saved(SESSION);
    assert_eq!(stored["goal"]["primary"], "Build the parser");
    assert_eq!(stored["recentCommands"][1]["exitCode"], 4);
}

#[test]
fn every_place_and_form_of_the_files_is_known() {
    // Another home, a folder that is named by a hash, and a session that is one value.
    let project = Project::repository();
    let home = session(&project).put(&project);
    let elsewhere = project.home().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::rename(&home, elsewhere.join(".gemini")).unwrap();
    assert_eq!(json_of(&project, &["list", "--all"])["entries"], json!([]));
    let variable = [("GEMINI_CLI_HOME", elsewhere.to_str().unwrap())];
    let listed = project
        .ckpt_with(&variable, ["list", "--all", "--json"])
        .succeeds()
        .json();
    assert_eq!(listed["entries"][0]["selector"], SESSION);
    let hash: String = Sha256::digest(project.root().to_str().unwrap())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let folder = project.home().join(".gemini/tmp").join(hash).join("chats");
    put(
        &folder.join("session-2026-10-08T02-24-2b394f7c.jsonl"),
        &session(&project).lines(),
    );
    assert_whole(&project);
    fs::remove_dir_all(&folder).unwrap();
    let records = session(&project).0;
    let last_forms = records.iter().filter(|record| {
        record.get("id").is_some()
            && (record["type"] == "user"
                || record.get("toolCalls").is_some()
                || record["content"] != "")
    });
    let whole = json!({"sessionId": SESSION, "messages": last_forms.collect::<Vec<_>>()});
    put(
        &folder.join("session-2026-10-08T02-24-2b394f7c.json"),
        &format!("{whole:#}"),
    );
    assert_whole(&project);
}

#[test]
fn what_was_rewound_is_told_no_more() {
    let project = Project::repository();
    Chat::new()
        .prompt("m1", "Build the exporter")
        .says("m2", "How?")
        .prompt("m3", "Use SQL")
        .runs("m4", "pip install sqlalchemy", "ok", "ok")
        .raw(json!({"$rewindTo": "m3"}))
        .prompt("m5", "Use CSV")
        .runs("m6", "python export.py", "ok", "ok")
        .put(&project);
    let brief = load(&project, SESSION);
    assert!(
        brief.contains("Build the exporter")
            && brief.contains("Use CSV")
            && brief.contains("export.py"),
        "{brief}"
    );
    assert!(
        !brief.contains("SQL") && !brief.contains("sqlalchemy"),
        "{brief}"
    );
}

#[test]
fn what_a_command_prints_is_no_exit_code() {
    let project = Project::repository();
    Chat::new()
        .prompt("m1", "p")
        .runs(
            "m2",
            "a1",
            "Exit Code: 9\nProcess Group PGID: 1",
            "Exit Code: 9",
        )
        .runs(
            "m3",
            "a2",
            "Exit Code: 0\nExit Code: 2\nProcess Group PGID: 1",
            "Exit Code: 0",
        )
        .put(&project);
    let brief = load(&project, SESSION);
    assert!(
        brief.contains("✓ `a1`") && brief.contains("✗ exit 2 `a2`"),
        "{brief}"
    );
}

#[test]
fn a_checkpoint_under_a_minted_id_finds_the_session_by_its_save() {
    let project = Project::repository();
    project.save(MINTED, json!({"goal": "Build the parser"}));
    let told =
        format!("<untrusted_context>\nSaved checkpoint `{MINTED}`: 0 tasks.\n</untrusted_context>");
    session(&project)
        .calls(
            "m7",
            "mcp_ckpt_save_session_checkpoint",
            json!({"goal": "g"}),
            "success",
            &told,
            json!("Saved"),
        )
        .prompt("m8", "go on")
        .put(&project);
    let brief = load(&project, MINTED);
    assert!(
        brief.contains("## After the save") && brief.contains("- The user asked: go on\n"),
        "{brief}"
    );
    let listed = json_of(&project, &["list", "--all"]);
    assert_eq!(listed["entries"].as_array().unwrap().len(), 1, "{listed}");
}

#[test]
fn files_referred_to_and_pictures_are_no_part_of_a_prompt() {
    let project = Project::repository();
    let parts = json!([
        {"text": "Explain @a.txt"}, {"text": "\n--- Content from referenced files ---"}, {"text": "one\ntwo"},
    ]);
    Chat::new()
        .record(json!({"id": "m1", "type": "user", "content": parts}))
        .says("m2", "It is a list.")
        .put(&project);
    assert!(load(&project, SESSION).contains("(the first prompt)\nExplain @a.txt\n"));
    let shown = json!([{"text": "Explain it"}]);
    let sent = json!([{"text": "Explain it"}, {"inlineData": {"data": "x".repeat(2 << 20)}}]);
    Chat::new()
        .record(json!({"id": "m1", "type": "user", "content": sent, "displayContent": shown}))
        .says("m2", "A cat.")
        .put(&project);
    assert!(load(&project, SESSION).contains("(the first prompt)\nExplain it\n"));
}

#[test]
fn sessions_of_other_projects_and_of_subagents_are_passed_over() {
    let project = Project::repository();
    let home = session(&project).put(&project);
    fs::write(
        home.join("projects.json"),
        json!({"projects": {"/elsewhere": "my-app"}}).to_string(),
    )
    .unwrap();
    assert_eq!(json_of(&project, &["list", "--all"])["entries"], json!([]));
    let mut subagents = session(&project);
    subagents.0[0]["kind"] = json!("subagent");
    subagents.put(&project);
    assert_eq!(json_of(&project, &["list", "--all"])["entries"], json!([]));
}

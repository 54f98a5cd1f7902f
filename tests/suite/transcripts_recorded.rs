//! Transcripts that the real clients wrote, without what nobody reads and with other paths.

use std::fs;
use std::path::Path;

use crate::harness::Project;
use crate::harness::transcripts::json_of;

/// A time at which all of them had ended.
const NOW: &str = "2026-12-01T04:00:00Z";

fn recorded(name: &str, project: &Project) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/transcripts")
        .join(name);
    let text = fs::read_to_string(path).unwrap();
    text.replace("{ROOT}", project.root().to_str().unwrap())
}

fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Puts a session of Claude Code's where it has those of that folder.
fn put_claude(project: &Project, folder: &Path, session: &str, text: &str) {
    let name: String = folder
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    put(
        &project
            .home()
            .join(".claude/projects")
            .join(name)
            .join(format!("{session}.jsonl")),
        text,
    );
}

fn brief(project: &Project, session: &str) -> String {
    let output = project.ckpt_with(&[("CKPT_NOW", NOW)], ["load", session]);
    output.succeeds().stdout
}

fn assert_told(brief: &str, told: &[&str], untold: &[&str]) {
    for fact in told {
        assert!(brief.contains(fact), "no {fact:?} in {brief}");
    }
    for fact in untold {
        assert!(!brief.contains(fact), "{fact:?} in {brief}");
    }
}

#[test]
fn claude_code_a_slash_command_a_prompt_in_between_and_a_name() {
    const SESSION: &str = "07836fcd-cbe2-49e4-b784-b3210cf53730";
    let project = Project::repository();
    put_claude(
        &project,
        &project.root(),
        SESSION,
        &recorded("claude-slash-command.jsonl", &project),
    );
    let listed = json_of(&project, &["list", "--all"]);
    assert_eq!(listed["entries"][0]["goal"], "/fix T-481 login loops");
    assert_told(
        &brief(&project, SESSION),
        &[
            "- The user called the session: Login loops\n",
            "- The user asked: Stop using API v1, use v2\n- The user asked: A third prompt\n",
            "✓ `sleep 8; echo slept`",
            "- The agent's last words: ok three\n",
        ],
        &["/rename", "system-reminder", "The transcript ends"],
    );
}

#[test]
fn claude_code_a_rewound_conversation() {
    const SESSION: &str = "7cf5d37b-fc98-47ab-a432-c36881195c2b";
    let project = Project::repository();
    put_claude(
        &project,
        &project.root(),
        SESSION,
        &recorded("claude-rewind.jsonl", &project),
    );
    assert_told(
        &brief(&project, SESSION),
        &[
            "(the first prompt)\nBuild the exporter\n",
            "Use plain CSV",
            "✓ `echo csv`",
            "CSV done",
        ],
        &["echo sql", "SQL done", "/rewind"],
    );
}

#[test]
fn claude_code_a_worktree_that_was_entered() {
    const SESSION: &str = "8a61172d-0efc-431a-b549-9b50b0335091";
    let project = Project::repository();
    let worktree = project.path(".claude/worktrees/feat");
    put_claude(
        &project,
        &worktree,
        SESSION,
        &recorded("claude-worktree.jsonl", &project),
    );
    assert_eq!(
        json_of(&project, &["list", "--all"])["entries"][0]["selector"],
        SESSION
    );
    assert_told(
        &brief(&project, SESSION),
        &[
            "Enter a worktree",
            "✓ `pwd; echo in > n.txt`",
            ".claude/worktrees/feat/b.txt",
            "Branch `worktree-feat`",
        ],
        &["- b.txt"],
    );
}

#[test]
fn claude_code_a_picture_of_a_megabyte_and_calls_beside_each_other() {
    const SESSION: &str = "9618604a-e4ab-42c2-b9ca-486f2818653f";
    let project = Project::repository();
    let text = recorded("claude-headless-image.jsonl", &project)
        .replace("{IMAGE}", &"A".repeat(1_400_000));
    put_claude(&project, &project.root(), SESSION, &text);
    assert_told(
        &brief(&project, SESSION),
        &[
            "(the first prompt)\nMake the header match\n",
            "- The user asked: second\n",
            "✓ `echo p1; sleep 1`\n  - ✓ `echo p2`\n",
        ],
        &["[Image", "/rename", "AAAA"],
    );
}

#[test]
fn codex_a_session_that_was_killed_and_resumed_and_a_fork_of_it() {
    const SESSION: &str = "01a22f73-0f54-7ba0-9548-5d9b28d11fa1";
    const FORK: &str = "01a22f73-2666-7e91-95cf-034da15b0ce6";
    let project = Project::repository();
    let day = project.home().join(".codex/sessions/2026/12/01");
    for (session, name) in [
        (SESSION, "codex-killed-and-resumed.jsonl"),
        (FORK, "codex-fork.jsonl"),
    ] {
        put(
            &day.join(format!("rollout-2026-12-01T02-33-19-{session}.jsonl")),
            &recorded(name, &project),
        );
    }
    assert_told(
        &brief(&project, SESSION),
        &[
            "(the first prompt)\nDo all of it\n",
            "- The user asked: Go on\n",
            "✓ `echo hi`\n  - ✗ exit 3 `ls /nonexistent; exit 3`\n  - · `sleep 60` — no result in the transcript\n",
            "- The agent's last words: Resumed.\n",
            "- a.txt",
            "- b.txt",
        ],
        &["environment_context"],
    );
    assert_told(
        &brief(&project, FORK),
        &["(the first prompt)\nGo on elsewhere\n", "Forked."],
        &["Do all of it", "sleep 60"],
    );
    // Cut off where it was killed.
    let whole = recorded("codex-killed-and-resumed.jsonl", &project);
    let (killed, _) = whole
        .split_once("{\"timestamp\":\"2026-12-01T02:33:24")
        .unwrap();
    put(
        &day.join(format!("rollout-2026-12-01T02-33-19-{SESSION}.jsonl")),
        killed,
    );
    let told = brief(&project, SESSION);
    assert_told(
        &told,
        &["The transcript ends while this runs, result unknown: `sleep 60`"],
        &["Resumed"],
    );
    json_of(&project, &["save", "--from-transcript", SESSION]);
    assert_eq!(project.saved(SESSION)["goal"]["primary"], "Do all of it");
}

#[test]
fn gemini_a_session_that_was_killed_and_resumed_twice() {
    const SESSION: &str = "2b394f7c-c6f0-4ce6-81aa-40d7e303af0a";
    let project = Project::repository();
    let tmp = project.home().join(".gemini/tmp/proj");
    let text = recorded("gemini-killed-and-resumed.jsonl", &project);
    put(
        &tmp.join("chats/session-2026-12-01T02-33-2b394f7c.jsonl"),
        &text,
    );
    put(&tmp.join(".project_root"), project.root().to_str().unwrap());
    let names = serde_json::json!({"projects": {project.root().to_str().unwrap(): "proj"}});
    put(
        &project.home().join(".gemini/projects.json"),
        &names.to_string(),
    );
    assert_told(
        &brief(&project, SESSION),
        &[
            "(the first prompt)\nDo all of it\n",
            "- The user asked: Go on\n- The user asked: Go on again\n",
            "✓ `echo hi`\n  - ✗ exit 3 `ls /nonexistent; exit 3`\n",
            "- The agent's last words: Resumed latest.\n",
            "- a.txt",
            "- b.txt",
        ],
        &["hook_context", "session_context"],
    );
    json_of(&project, &["save", "--from-transcript", SESSION]);
    assert_eq!(project.saved(SESSION)["goal"]["primary"], "Do all of it");
}

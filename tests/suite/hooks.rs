//! The two hooks of Claude Code (SPEC section 12): what they say, and that no input makes them fail or hang.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::harness::{Output, Project};

const BOTH: [&str; 2] = ["nudge", "guard"];
/// [`crate::harness::NOW`] in seconds since 1970.
const NOW: u64 = 1791426235;

/// Runs a hook with what a client writes; it must succeed and say nothing on standard error.
#[track_caller]
fn hook(project: &Project, name: &str, variables: &[(&str, &Path)], input: &[u8]) -> String {
    let mut command = project.command([name]);
    command.envs(variables.iter().copied());
    let output = Output::with_input(&mut command, input).succeeds();
    assert_eq!(output.stderr, "");
    output.stdout
}

/// The note that a session's start puts into the agent's context, if any.
#[track_caller]
fn note(project: &Project, variables: &[(&str, &Path)], input: &Value) -> Option<String> {
    let text = hook(project, "nudge", variables, input.to_string().as_bytes());
    let answer: Value =
        serde_json::from_str(Some(text.as_str()).filter(|text| !text.is_empty())?).unwrap();
    let told = &answer["hookSpecificOutput"];
    assert_eq!(told["hookEventName"], "SessionStart");
    Some(told["additionalContext"].as_str().unwrap().to_owned())
}

fn start(project: &Project, source: &str) -> Value {
    json!({"session_id": "now", "cwd": project.root(), "hook_event_name": "SessionStart", "source": source})
}

/// A checkpoint of which only the name and the time are to count.
fn checkpoint(project: &Project, name: &str, age: u64) {
    project.write(name, "unread");
    let file = fs::File::options()
        .write(true)
        .open(project.path(name))
        .unwrap();
    let at = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW - age);
    file.set_modified(at).unwrap();
}

#[test]
fn a_session_is_told_how_many_checkpoints_there_are_and_how_old_the_newest_is() {
    let project = Project::bare_folder();
    let input = start(&project, "startup");
    assert_eq!(note(&project, &[], &input), None);
    project.write(".claude-checkpoints/notes.txt", "somebody else's");
    assert_eq!(note(&project, &[], &input), None);
    checkpoint(&project, ".claude-checkpoints/a.json", 7_200);
    let told = note(&project, &[], &input).unwrap();
    assert!(
        told.starts_with("This project has 1 session checkpoint, saved 2h ago. "),
        "{told}"
    );
    assert!(told.contains("load_session_checkpoint"), "{told}");
    assert!(told.contains("confirm with the user"), "{told}");
    checkpoint(&project, ".claude-checkpoints/a.json", 300);
    checkpoint(&project, ".claude-checkpoints/a.json.prev", 7_200);
    checkpoint(&project, ".claude-checkpoints/b.json.prev", 7_200);
    checkpoint(&project, ".claude-checkpoint", 7_200);
    let told = note(&project, &[], &input).unwrap();
    assert!(
        told.starts_with("This project has 3 session checkpoints, the newest saved 5m ago. "),
        "{told}"
    );
}

#[test]
fn a_session_that_goes_on_is_told_which_checkpoint_is_its_own() {
    let project = Project::bare_folder();
    checkpoint(&project, ".claude-checkpoints/now.json", 60);
    checkpoint(&project, ".claude-checkpoints/other.json", 60);
    for (source, named) in [
        ("resume", true),
        ("compact", true),
        ("startup", false),
        ("clear", false),
        ("fork", false),
    ] {
        let told = note(&project, &[], &start(&project, source)).unwrap();
        assert_eq!(
            told.contains("This session's own is `now`"),
            named,
            "{source}: {told}"
        );
    }
    let mut foreign = start(&project, "resume");
    foreign["session_id"] = json!("../now");
    assert!(!note(&project, &[], &foreign).unwrap().contains("own is"));
}

#[test]
fn after_clear_a_session_is_told_where_its_saves_go() {
    let project = Project::bare_folder();
    checkpoint(&project, ".claude-checkpoints/before.json", 60);
    for (source, told) in [("clear", true), ("startup", false), ("resume", false)] {
        let note = note(&project, &[], &start(&project, source)).unwrap();
        assert_eq!(
            note.contains("the same checkpoint as before /clear"),
            told,
            "{source}: {note}"
        );
    }
}

#[test]
fn the_project_is_the_variables_then_the_hooks_then_the_working_directory() {
    let project = Project::bare_folder();
    let other = Project::bare_folder();
    checkpoint(&other, ".claude-checkpoints/a.json", 60);
    let root = other.root();
    let here = start(&project, "startup");
    let there = json!({"cwd": root});
    assert!(note(&project, &[("CHECKPOINT_PROJECT_ROOT", &root)], &here).is_some());
    assert!(
        note(
            &project,
            &[("CHECKPOINT_PROJECT_ROOT", Path::new("relative"))],
            &there
        )
        .is_none()
    );
    assert!(
        note(
            &project,
            &[("CHECKPOINT_PROJECT_ROOT", Path::new(""))],
            &there
        )
        .is_some()
    );
    assert!(note(&project, &[], &there).is_some());
    assert!(note(&project, &[], &here).is_none());
    assert!(note(&other, &[], &json!({"cwd": ""})).is_some());
    assert!(note(&other, &[], &json!({})).is_some());
}

#[test]
fn the_variable_silences_the_note_in_any_case() {
    let project = Project::bare_folder();
    checkpoint(&project, ".claude-checkpoints/a.json", 60);
    let input = start(&project, "startup");
    for (value, silent) in [
        ("off", true),
        ("OFF", true),
        ("0", true),
        ("False", true),
        ("no", true),
        ("", false),
        ("on", false),
        ("1", false),
        ("nope", false),
    ] {
        let told = note(
            &project,
            &[("SESSION_CHECKPOINT_NUDGE", Path::new(value))],
            &input,
        );
        assert_eq!(told.is_none(), silent, "{value}");
    }
}

#[test]
fn only_a_subagents_save_is_denied() {
    let project = Project::bare_folder();
    let save = "mcp__plugin_session-checkpoint_ckpt__save_session_checkpoint";
    let big = "x".repeat(100_000);
    for (input, denied) in [
        (
            json!({"tool_name": save, "tool_input": {"summary": big}, "agent_id": "a", "agent_type": "t"}),
            true,
        ),
        (
            json!({"tool_name": save, "tool_input": {"summary": big}, "agent_type": "t"}),
            false,
        ),
        (
            json!({"tool_name": "mcp__ckpt__load_session_checkpoint", "agent_id": "a"}),
            false,
        ),
    ] {
        let text = hook(&project, "guard", &[], input.to_string().as_bytes());
        assert_eq!(!text.is_empty(), denied);
        if denied {
            let answer: Value = serde_json::from_str(&text).unwrap();
            let told = &answer["hookSpecificOutput"];
            assert_eq!(told["hookEventName"], "PreToolUse");
            assert_eq!(told["permissionDecision"], "deny");
            assert!(
                told["permissionDecisionReason"]
                    .as_str()
                    .unwrap()
                    .contains("parent")
            );
        }
    }
}

#[test]
fn bad_input_is_met_with_silence_and_success() {
    let project = Project::bare_folder();
    checkpoint(&project, ".claude-checkpoints/a.json", 60);
    let ten_megabytes = format!(
        r#"{{"tool_input": "{}", "agent_id": "a"}}"#,
        "x".repeat(10 << 20)
    );
    for input in [
        b"".as_slice(),
        b"\n",
        b"garbage",
        b"null",
        b"{",
        br#"{"cwd": 1, "agent_id": 1}"#,
        b"{\"cwd\": \"\xff\xfe\", \"agent_id\": \"\xff\"}",
        b"\xff\xfe\x00",
        ten_megabytes.as_bytes(),
    ] {
        for name in BOTH {
            let shown = String::from_utf8_lossy(&input[..input.len().min(40)]);
            assert_eq!(hook(&project, name, &[], input), "", "{name}: {shown}");
        }
    }
}

#[test]
fn an_input_that_never_ends_holds_nobody_up() {
    let project = Project::bare_folder();
    checkpoint(&project, ".claude-checkpoints/a.json", 60);
    let whole = r#"{"agent_id": "a"}"#;
    let mut running = Vec::new();
    for name in BOTH {
        for (input, answered) in [("", false), (r#"{"agent_id": "a""#, false), (whole, true)] {
            let mut command = project.command([name]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn().unwrap();
            child
                .stdin
                .as_mut()
                .unwrap()
                .write_all(input.as_bytes())
                .unwrap();
            running.push((child, name, input, answered));
        }
    }
    for (mut child, name, input, answered) in running {
        // Its end of the input stays open until it has ended by itself.
        let input_end = child.stdin.take();
        let mut text = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert!(child.wait().unwrap().success(), "{name} {input}");
        drop(input_end);
        assert_eq!(!text.is_empty(), answered, "{name} {input}");
    }
}

#[test]
fn a_closed_output_is_no_failure() {
    let project = Project::bare_folder();
    checkpoint(&project, ".claude-checkpoints/a.json", 60);
    for name in BOTH {
        let mut command = project.command([name]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        child
            .stdin
            .take()
            .unwrap()
            .write_all(br#"{"agent_id": "a"}"#)
            .unwrap();
        assert!(child.wait().unwrap().success(), "{name}");
    }
}

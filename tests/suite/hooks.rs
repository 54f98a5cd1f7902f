//! The two hooks of Claude Code (docs/contract.md, section 12): what they say, and that no input makes them fail or hang.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::harness::files::least;
#[cfg(unix)]
use crate::harness::pty::Terminal;
use crate::harness::transcripts::Transcript;
#[cfg(target_os = "linux")]
use crate::harness::transcripts::{killed, process, start_of};
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
fn what_is_said_of_a_checkpoint_makes_it_no_younger() {
    let project = Project::bare_folder();
    let file = ".claude-checkpoints/s1.json";
    checkpoint(&project, file, 7_200);
    let old = fs::metadata(project.path(file))
        .unwrap()
        .modified()
        .unwrap();
    for odd in [json!("a summary"), json!(["odd"])] {
        let mut saved = least("g");
        saved["summary"] = odd;
        project.put("s1", saved);
        let written = fs::File::options().write(true).open(project.path(file));
        written.unwrap().set_modified(old).unwrap();
        for arguments in [&["name", "s1", "auth"][..], &["done", "auth"]] {
            project.ckpt(arguments).succeeds();
            let told = note(&project, &[], &start(&project, "startup")).unwrap();
            let expected = "This project has 1 session checkpoint, saved 2h ago. ";
            assert!(told.starts_with(expected), "{told}");
        }
    }
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
fn after_clear_a_session_is_told_of_the_conversation_before() {
    const BEFORE: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    const UNSAVED: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    const BESIDE: &str = "88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    let project = Project::bare_folder();
    checkpoint(&project, &format!(".claude-checkpoints/{BEFORE}.json"), 60);
    checkpoint(&project, &format!(".claude-checkpoints/{BESIDE}.json"), 60);
    let transcript = |id: &str, seconds| {
        Transcript::new(&project, id, seconds)
            .prompt("p")
            .put(&project)
    };
    let own = transcript("now", 100);
    transcript(BEFORE, 50);
    transcript(UNSAVED, 20);
    let note = |source: &str, variables: &[(&str, &Path)]| {
        let mut input = start(&project, source);
        input["transcript_path"] = json!(own);
        note(&project, variables, &input).unwrap()
    };
    let named = format!(
        "The conversation before /clear has `{BEFORE}`: the tool load_session_checkpoint takes it"
    );
    assert!(
        note("clear", &[]).contains(&named),
        "{}",
        note("clear", &[])
    );
    assert!(!note("startup", &[]).contains("before /clear"));
    let off = [("CHECKPOINT_TRANSCRIPTS", Path::new("off"))];
    assert!(!note("clear", &off).contains("before /clear"));

    // Another client goes on beside this one, in the same folder.
    transcript(BESIDE, 90);
    assert!(!note("clear", &[]).contains(&named));
    #[cfg(target_os = "linux")]
    {
        process(
            &project,
            BESIDE,
            std::process::id(),
            &start_of(std::process::id()),
        );
        assert!(
            note("clear", &[]).contains(&named),
            "{}",
            note("clear", &[])
        );
    }
    transcript(UNSAVED, 95);
    assert!(
        !note("clear", &[]).contains("before /clear"),
        "it saved nothing"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_session_that_was_cut_off_is_said_to_run_or_to_have_been_killed() {
    const UNSAVED: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    let project = Project::bare_folder();
    killed(&project, UNSAVED, 0).put(&project);
    let told = || note(&project, &[], &start(&project, "startup")).unwrap();
    assert!(
        told().contains("it was cut off, or still runs"),
        "{}",
        told()
    );
    let own = std::process::id();
    process(&project, UNSAVED, own, "1");
    assert!(told().contains("it was killed"), "{}", told());
    process(&project, UNSAVED, own + 1_000_000_000, &start_of(own));
    assert!(told().contains("it was killed"), "{}", told());
    process(&project, UNSAVED, own, &start_of(own));
    assert!(told().contains("it still runs"), "{}", told());
    // A process id of another machine says nothing here.
    let folder = project.home().join(".claude/sessions");
    fs::remove_dir_all(&folder).unwrap();
    process(&project, UNSAVED, own, &start_of(own));
    let file = folder.join(format!("{own}.json"));
    let mut entry: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    entry["pidDomain"] = json!("linux:another:pid:[1]");
    fs::write(&file, entry.to_string()).unwrap();
    assert!(
        told().contains("it was cut off, or still runs"),
        "{}",
        told()
    );
    for odd in ["", "{", "[]", r#"{"sessionId": 1}"#] {
        fs::write(&file, odd).unwrap();
        assert!(told().contains("it was cut off, or still runs"), "{odd}");
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
fn a_subagents_save_is_denied_and_every_other_call_is_bound_to_its_session() {
    let project = Project::bare_folder();
    let save = "mcp__plugin_session-checkpoint_ckpt__save_session_checkpoint";
    let big = "x".repeat(100_000);
    let arguments = json!({"goal": "ü", "summary": big, "tasks": [{"description": "}"}]});
    for (tool, agent, is_denied) in [
        (save, json!({"agent_id": "a", "agent_type": "t"}), true),
        (save, json!({"agent_type": "t"}), false),
        (
            "mcp__ckpt__load_session_checkpoint",
            json!({"agent_id": "a"}),
            false,
        ),
        ("mcp__ckpt__list_session_checkpoints", json!({}), false),
    ] {
        let mut input = json!({"session_id": "s1", "tool_name": tool, "tool_input": arguments});
        input
            .as_object_mut()
            .unwrap()
            .extend(agent.as_object().unwrap().clone());
        let text = hook(&project, "guard", &[], input.to_string().as_bytes());
        let answer: Value = serde_json::from_str(&text).unwrap();
        let told = &answer["hookSpecificOutput"];
        assert_eq!(told["hookEventName"], "PreToolUse");
        if is_denied {
            assert_eq!(told["permissionDecision"], "deny");
            let reason = told["permissionDecisionReason"].as_str().unwrap();
            assert!(reason.contains("parent"), "{reason}");
            assert_eq!(told.get("updatedInput"), None);
        } else {
            assert_eq!(told.get("permissionDecision"), None);
            let mut expected = arguments.clone();
            expected["hookSession"] = json!("s1");
            assert_eq!(told["updatedInput"], expected);
        }
    }
    let others = json!({"session_id": "s1", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    assert_eq!(
        hook(&project, "guard", &[], others.to_string().as_bytes()),
        ""
    );
}

#[cfg(unix)]
#[test]
fn a_person_who_calls_one_is_told_how_it_is_set_up() {
    let project = Project::bare_folder();
    for name in BOTH {
        let terminal = Terminal::open(&project.command([name]), 120, 60);
        let shown = terminal.ends().screen;
        assert!(
            shown.contains("ckpt guard") && shown.contains("settings.json"),
            "{shown}"
        );
    }
    let page = include_str!("../../docs/clients.md");
    assert!(page.contains(include_str!("../../src/hooks/setup.json")));
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
    let mut running = Vec::new();
    for name in BOTH {
        let whole = match name {
            "nudge" => r#"{"source": "startup"}"#,
            _ => r#"{"agent_id": "a"}"#,
        };
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

#[test]
fn a_hook_works_on_the_project_that_it_is_given() {
    let project = Project::bare_folder();
    project.put("s1", least("g"));
    let root = project.root();
    for root in [root.to_str().unwrap(), "."] {
        let mut command = project.command(["nudge", "-C", root]);
        command.env("CHECKPOINT_PROJECT_ROOT", project.home());
        let output = Output::with_input(&mut command, b"{\"cwd\": \"/\"}").succeeds();
        output.stays_silent().prints("1 session checkpoint");
    }
    // And never fails for an option, which a client would take for a decision.
    for arguments in [
        &["nudge", "-C", "/nowhere"][..],
        &["guard", "--session", "a/b"],
        &["guard", "-C", "x"],
    ] {
        let mut command = project.command(arguments);
        let output = Output::with_input(&mut command, b"{\"cwd\": \"/\"}").succeeds();
        assert_eq!(output.stdout, "", "{arguments:?}");
        let told = output.stderr.contains("`--session` has no effect here");
        assert_eq!(told, arguments.contains(&"--session"), "{arguments:?}");
    }
}

//! The reminder to save, by the end of the transcript alone (docs/contract.md, section 12).

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::transcripts::Transcript;
use crate::harness::{Output, Project};

const ID: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const EVENTS: [&str; 2] = ["UserPromptSubmit", "PostToolBatch"];

/// What the session is told, with more of the input and variables; empty where nothing is.
fn told_with(
    project: &Project,
    transcript: &PathBuf,
    more: Value,
    variables: &[(&str, &str)],
) -> String {
    let mut told = EVENTS.map(|event| {
        let mut input = json!({
            "session_id": ID, "cwd": project.root(), "hook_event_name": event, "transcript_path": transcript,
        });
        let more = more.as_object().unwrap().clone();
        input.as_object_mut().unwrap().extend(more);
        let mut command = project.command(["nudge"]);
        command.envs(variables.iter().copied());
        let output = Output::with_input(&mut command, input.to_string().as_bytes()).succeeds();
        if output.stdout.is_empty() {
            return String::new();
        }
        let answer: Value = serde_json::from_str(&output.stdout).unwrap();
        let answer = &answer["hookSpecificOutput"];
        assert_eq!(answer["hookEventName"], event);
        answer["additionalContext"].as_str().unwrap().to_owned()
    });
    assert_eq!(told[0], told[1], "the same at both events");
    std::mem::take(&mut told[0])
}

fn told(project: &Project, transcript: &Transcript) -> String {
    told_with(project, &transcript.put(project), json!({}), &[])
}

fn session(project: &Project) -> Transcript {
    Transcript::new(project, ID, 0).prompt("p")
}

#[test]
fn a_session_is_reminded_once_the_context_has_grown_since_its_save() {
    let project = Project::bare_folder();
    let saved = || session(&project).holds(10_000).saves(ID).holds(12_000);
    assert_eq!(told(&project, &saved().holds(89_999)), "");
    let text = told(&project, &saved().holds(90_000).runs("echo", 0));
    assert!(
        text.starts_with("Checkpoint reminder: the context has grown by about 80,000 tokens since this session's last save. ")
            && text.contains("save_session_checkpoint") && !text.contains('\n'),
        "{text}"
    );
    // Said once, and again only after another save.
    let reminded = || saved().holds(90_000).hears(&text);
    assert_eq!(told(&project, &reminded().holds(300_000)), "");
    let again = || reminded().saves(ID).holds(100_000);
    assert_eq!(told(&project, &again().holds(169_000)), "");
    assert_ne!(told(&project, &again().holds(171_000)), "");
    // Only what a hook said counts as said.
    assert_ne!(told(&project, &saved().prompt(&text).holds(90_000)), "");
}

#[test]
fn a_save_that_was_refused_does_not_count() {
    let project = Project::bare_folder();
    let refused = |transcript: Transcript| {
        let call = transcript.calls("mcp__ckpt__save_session_checkpoint", json!({"goal": "g"}));
        call.answers(json!("over the limit, so nothing was saved"), true)
    };
    let transcript = refused(session(&project).holds(10_000).saves(ID).holds(85_000));
    assert_ne!(told(&project, &transcript.holds(95_000)), "");
}

#[test]
fn a_session_that_saved_nothing_is_reminded_by_what_its_context_can_hold() {
    let project = Project::bare_folder();
    assert_eq!(told(&project, &session(&project).holds(139_999)), "");
    let text = told(&project, &session(&project).holds(140_000));
    assert!(
        text.contains("holds about 140,000 tokens, and this session has saved no checkpoint"),
        "{text}"
    );
    // The last compaction came at 100,000.
    let compacted_by = |trigger: &str, tokens| {
        let metadata = json!({"trigger": trigger, "preTokens": 100_000});
        let boundary =
            json!({"type": "system", "subtype": "compact_boundary", "compactMetadata": metadata});
        session(&project)
            .holds(99_000)
            .line(boundary)
            .holds(5_000)
            .holds(tokens)
    };
    // Where a person asked for it, that says nothing of how much there is room for.
    assert_eq!(told(&project, &compacted_by("manual", 139_999)), "");
    assert_ne!(told(&project, &compacted_by("manual", 140_000)), "");
    let compacted = |tokens| compacted_by("auto", tokens);
    assert_eq!(told(&project, &compacted(69_999)), "");
    assert_ne!(told(&project, &compacted(70_000)), "");
    // With a checkpoint of before it is the growth since the compaction that counts.
    project.save(ID, json!({"goal": "g"}));
    assert_eq!(told(&project, &compacted(84_999)), "");
    assert_ne!(told(&project, &compacted(85_000)), "");
}

#[test]
fn what_is_said_before_a_compaction_can_be_said_again_after_it() {
    let project = Project::bare_folder();
    let full = session(&project).holds(150_000);
    let text = told(&project, &full);
    let compacted = full.hears(&text).compacts("summary").holds(10_000);
    assert_ne!(told(&project, &compacted.holds(141_000)), "");
}

#[test]
fn the_variable_names_a_number_of_tokens_or_switches_it_off() {
    let project = Project::bare_folder();
    let transcript = session(&project)
        .holds(10_000)
        .saves(ID)
        .holds(60_000)
        .put(&project);
    for (value, is_told) in [
        ("50000", true),
        ("50001", false),
        ("off", false),
        ("0", false),
        ("No", false),
        ("", false),
        ("many", false),
    ] {
        let text = told_with(
            &project,
            &transcript,
            json!({}),
            &[("CHECKPOINT_REMIND", value)],
        );
        assert_eq!(!text.is_empty(), is_told, "{value}");
    }
    for silenced in ["SESSION_CHECKPOINT_NUDGE", "CHECKPOINT_TRANSCRIPTS"] {
        let variables = [("CHECKPOINT_REMIND", "1"), (silenced, "off")];
        assert_eq!(
            told_with(&project, &transcript, json!({}), &variables),
            "",
            "{silenced}"
        );
    }
}

#[test]
fn a_subagent_and_a_batch_that_saves_are_not_reminded() {
    let project = Project::bare_folder();
    let transcript = session(&project).holds(200_000).put(&project);
    assert_ne!(
        told_with(&project, &transcript, json!({"agent_id": ""}), &[]),
        ""
    );
    assert_eq!(
        told_with(&project, &transcript, json!({"agent_id": "a1"}), &[]),
        ""
    );
    let calls = json!({"tool_calls": [{"tool_name": "mcp__ckpt__save_session_checkpoint"}]});
    assert_eq!(told_with(&project, &transcript, calls, &[]), "");
}

#[test]
fn what_subagents_used_and_what_the_client_made_up_does_not_count() {
    let project = Project::bare_folder();
    let usage = json!({"input_tokens": 500_000, "output_tokens": 1});
    let line = |sidechain: bool, model: &str, usage: &Value| json!({"type": "assistant", "isSidechain": sidechain, "message": {"role": "assistant", "model": model, "content": [], "usage": usage}});
    let transcript = session(&project)
        .holds(150_000)
        .line(line(true, "m", &usage))
        .line(line(
            false,
            "<synthetic>",
            &json!({"input_tokens": 0, "output_tokens": 0}),
        ));
    let text = told(&project, &transcript);
    assert!(text.contains("about 150,000 tokens"), "{text}");
}

#[test]
fn of_a_long_transcript_the_end_alone_is_read() {
    let project = Project::bare_folder();
    let long = "x".repeat(10_000);
    let mut transcript = session(&project).holds(10_000);
    for _ in 0..150 {
        transcript = transcript.prompt(&long).holds(60_000);
    }
    assert_eq!(told(&project, &transcript), "");
    project.save(ID, json!({"goal": "g"}));
    assert_ne!(
        told(&project, &transcript.holds(140_000)),
        "",
        "it has grown by 80,000 in what was read"
    );
}

#[test]
fn what_is_no_transcript_is_met_with_silence() {
    let project = Project::bare_folder();
    let good = session(&project).holds(200_000).put(&project);
    assert_ne!(told_with(&project, &good, json!({}), &[]), "");
    let elsewhere = good.with_file_name("notes.jsonl");
    std::fs::copy(&good, &elsewhere).unwrap();
    for path in [
        elsewhere,
        good.with_file_name("none.jsonl"),
        project.root(),
        PathBuf::new(),
    ] {
        assert_eq!(
            told_with(&project, &path, json!({}), &[]),
            "",
            "{}",
            path.display()
        );
    }
    for odd in [
        "",
        "{",
        "\u{0}",
        r#"{"type":"assistant","message":{"usage":{"input_tokens":-1}}}"#,
        r#"{"type":"assistant","message":{"usage":7}}"#,
    ] {
        std::fs::write(&good, odd).unwrap();
        assert_eq!(told_with(&project, &good, json!({}), &[]), "", "{odd}");
    }
}

/// The lines of Codex 0.171.0 that tell how full its context is.
fn token_count(tokens: u64) -> String {
    let usage = json!({"input_tokens": tokens, "output_tokens": 0, "total_tokens": tokens});
    let info = json!({"total_token_usage": {"total_tokens": 9_000_000}, "last_token_usage": usage, "model_context_window": 258_400});
    json!({"timestamp": "2026-10-08T02:23:55.000Z", "type": "event_msg", "payload": {"type": "token_count", "info": info}}).to_string()
}

#[test]
fn codex_says_itself_what_its_context_can_hold() {
    let project = Project::bare_folder();
    let folder = project.home().join(".codex/sessions/2026/10/08");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("rollout-2026-10-08T02-23-55-{ID}.jsonl"));
    for (tokens, is_told) in [(180_000, false), (181_000, true)] {
        std::fs::write(&file, [token_count(10_000), token_count(tokens)].join("\n")).unwrap();
        assert_eq!(
            !told_with(&project, &file, json!({}), &[]).is_empty(),
            is_told,
            "{tokens}"
        );
    }
    let said = told_with(&project, &file, json!({}), &[]);
    let content = json!([{"type": "input_text", "text": said}]);
    let told = json!({"type": "response_item", "payload": {"type": "message", "role": "developer", "content": content}}).to_string();
    std::fs::write(
        &file,
        [token_count(181_000), told, token_count(200_000)].join("\n"),
    )
    .unwrap();
    assert_eq!(told_with(&project, &file, json!({}), &[]), "");
}

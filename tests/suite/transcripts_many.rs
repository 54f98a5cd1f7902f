//! Many sessions: which come first, and what is counted where not all are shown.

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::transcripts::{LATER, Transcript, json_of, killed};

const PERSONS: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

fn programs(number: usize) -> String {
    format!("88bb01ce-3c4d-4e5f-8a6b-7c8d9e{number:06}")
}

fn selectors(entries: &Value) -> Vec<&str> {
    let entries = entries.as_array().unwrap().iter();
    entries
        .map(|entry| entry["selector"].as_str().unwrap())
        .collect()
}

/// A person's session, and behind it in time many that programs had.
fn crowded(count: usize) -> Project {
    let project = Project::repository();
    killed(&project, PERSONS, 0).put(&project);
    for number in 0..count {
        Transcript::new(&project, &programs(number), 100 + i64::try_from(number).unwrap())
            .line(json!({"type": "user", "entrypoint": "sdk-cli", "message": {"content": "You are an observer."}}))
            .ends("{}")
            .put(&project);
    }
    project
}

#[test]
fn sessions_of_programs_stand_behind_a_persons() {
    let project = crowded(12);
    let listed = json_of(&project, &["list", "--all"]);
    let listed_selectors = selectors(&listed["entries"]);
    assert_eq!(listed_selectors[0], PERSONS);
    assert_eq!(listed_selectors[1], programs(11));
    assert_eq!(
        (&listed["total"], &listed["omitted"]),
        (&json!(13), &json!(3))
    );
    let output = project.ckpt(["list", "--all"]).succeeds();
    assert!(output.stderr.contains("3 more"), "{}", output.stderr);
    let offered = json_of(&project, &["load"]);
    assert_eq!(selectors(&offered["candidates"])[0], PERSONS);
    let text = offered["text"].as_str().unwrap();
    assert!(text.contains("… and 10 more"), "{text}");
    let kept = json_of(&project, &["save", "--from-transcript"]);
    assert_eq!(kept["session"], PERSONS);
    // Once a person has spoken in one, it is a person's.
    Transcript::new(&project, &programs(0), 300)
        .line(json!({"type": "user", "entrypoint": "sdk-cli", "message": {"content": "observe"}}))
        .line(json!({"type": "user", "entrypoint": "cli", "origin": {"kind": "human"}, "message": {"content": "and now?"}}))
        .put(&project);
    let listed = json_of(&project, &["list", "--all"]);
    assert_eq!(selectors(&listed["entries"])[0], programs(0));
}

#[test]
fn the_note_names_the_persons_session_behind_those_of_programs() {
    let project = crowded(12);
    let input = json!({"session_id": "now", "cwd": project.root(), "source": "startup"});
    let mut command = project.command(["nudge"]);
    command.env("CKPT_NOW", LATER);
    let note = crate::harness::Output::with_input(&mut command, input.to_string().as_bytes());
    let note = note.succeeds().stdout;
    assert!(note.contains(PERSONS), "{note}");
}

#[test]
fn a_filter_is_applied_before_the_limit() {
    let project = crowded(12);
    let found = json_of(
        &project,
        &["list", "--all", "--limit", "2", "--grep", "github"],
    );
    assert_eq!(selectors(&found["entries"]), [PERSONS]);
    assert_eq!(found["total"], 1);
    let found = json_of(
        &project,
        &["list", "--all", "--limit", "2", "--grep", "observer"],
    );
    assert_eq!(
        (&found["total"], &found["omitted"]),
        (&json!(12), &json!(10))
    );
}

#[test]
fn scratch_files_elsewhere_take_no_room_from_the_projects_own() {
    let project = Project::repository();
    let mut transcript = Transcript::new(&project, PERSONS, 0)
        .prompt("p")
        .writes(&project, "src/own.rs");
    for number in 0..150 {
        transcript = transcript
            .calls(
                "Write",
                json!({"file_path": format!("/tmp/scratch/{number}"), "content": "c"}),
            )
            .answers(json!("File created"), false);
    }
    transcript.put(&project);
    let brief = json_of(&project, &["load", PERSONS]);
    assert!(
        brief["text"].as_str().unwrap().contains("src/own.rs"),
        "{brief}"
    );
    json_of(&project, &["save", "--from-transcript", PERSONS]);
    let stored = project.saved(PERSONS);
    assert_eq!(stored["modifiedFiles"][0]["path"], "src/own.rs");
    assert_eq!(stored["modifiedFiles"].as_array().unwrap().len(), 1);
}

#[test]
fn whatever_the_list_offers_can_be_loaded() {
    let project = Project::repository();
    let folder = killed(&project, PERSONS, 0).put(&project);
    let folder = folder.parent().unwrap();
    for name in [
        "{88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b}",
        "urn:uuid:88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2c",
        "88bb01ce3c4d4e5f8a6b7c8d9e0f1a2d",
        "88BB01CE-3C4D-4E5F-8A6B-7C8D9E0F1A2E",
        "88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2f ",
    ] {
        killed(&project, PERSONS, 0).put_as(&folder.join(format!("{name}.jsonl")));
    }
    // A checkpoint whose id begins with that of a session is another one.
    project.save(&format!("{PERSONS}-2"), json!({"goal": "another"}));
    let listed = json_of(&project, &["list", "--all"]);
    let offered = selectors(&listed["entries"]);
    assert_eq!(offered.len(), 3, "{offered:?}");
    for selector in offered {
        let loaded = json_of(&project, &["load", selector]);
        assert_eq!(loaded["found"], true, "{selector}");
        let text = loaded["text"].as_str().unwrap();
        assert_eq!(
            text.contains("another"),
            selector.ends_with("-2"),
            "{selector}: {text}"
        );
    }
}

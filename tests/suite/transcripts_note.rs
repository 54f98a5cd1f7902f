//! `ckpt nudge` where there is no checkpoint: a session that was cut off is told of.

use serde_json::{Value, json};

use crate::harness::transcripts::{LATER, Transcript, killed};
use crate::harness::{Output, Project};

const SAVED: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const UNSAVED: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const OLDER: &str = "88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

/// The note that a session's start puts into the agent's context; empty where there is none.
fn note(project: &Project, input: Value, variables: &[(&str, &str)]) -> String {
    let mut command = project.command(["nudge"]);
    command
        .env("CKPT_NOW", LATER)
        .envs(variables.iter().copied());
    let output = Output::with_input(&mut command, input.to_string().as_bytes()).succeeds();
    output.stdout
}

#[test]
fn a_session_is_told_of_the_latest_one_if_that_was_cut_off() {
    let project = Project::repository();
    let start = json!({"session_id": "now", "cwd": project.root(), "source": "startup"});
    let told = |variables: &[(&str, &str)]| note(&project, start.clone(), variables);
    assert_eq!(told(&[]), "");
    let cut_off = killed(&project, UNSAVED, 0);
    cut_off.put(&project);
    let told_of = told(&[]);
    assert!(
        told_of.contains(UNSAVED) && told_of.contains("59m ago"),
        "{told_of}"
    );
    assert!(
        told_of.contains("load_session_checkpoint") && told_of.contains("confirm"),
        "{told_of}"
    );
    assert_eq!(told_of.trim_end().lines().count(), 1);
    for silenced in ["SESSION_CHECKPOINT_NUDGE", "CHECKPOINT_TRANSCRIPTS"] {
        assert_eq!(told(&[(silenced, "off")]), "");
    }
    for source in ["resume", "compact", "fork"] {
        let mut input = start.clone();
        input["source"] = json!(source);
        assert_eq!(note(&project, input, &[]), "", "{source}");
    }
    let mut own = start.clone();
    own["session_id"] = json!(UNSAVED);
    assert_eq!(note(&project, own, &[]), "", "its own transcript");
    cut_off.exits().put(&project);
    assert_eq!(told(&[]), "", "ended in good order");
    Transcript::new(&project, OLDER, 100)
        .prompt("p")
        .ends("Done.")
        .put(&project);
    assert_ne!(told(&[]), "", "killed while it waited for the person");
    let old = Transcript::new(&project, OLDER, 100)
        .by("2.1.197")
        .prompt("p");
    old.ends("Done.").put(&project);
    assert_eq!(told(&[]), "", "a client that does not tell");
    project.save(SAVED, json!({"goal": "g"}));
    assert!(told(&[]).contains("This project has 1 session checkpoint"));
}

#[test]
fn a_project_with_the_same_encoded_name_is_not_mixed_up_in_the_note() {
    let project = Project::repository();
    let sibling = project
        .root()
        .display()
        .to_string()
        .replace("my-app", "my app");
    Transcript::new(&project, UNSAVED, 0)
        .at(sibling)
        .prompt("p")
        .put(&project);
    let start = json!({"session_id": "now", "cwd": project.root(), "source": "startup"});
    assert_eq!(note(&project, start.clone(), &[]), "");
    // It does not hide the session of this project, whichever way it ended itself.
    killed(&project, OLDER, -60).put(&project);
    assert!(note(&project, start.clone(), &[]).contains(OLDER));
    let sibling = project
        .root()
        .display()
        .to_string()
        .replace("my-app", "my.app");
    let ended = Transcript::new(&project, UNSAVED, 0)
        .at(sibling)
        .prompt("p");
    ended.ends("Done.").exits().put(&project);
    assert!(note(&project, start, &[]).contains(OLDER));
}

#[test]
fn what_the_client_adds_at_the_end_hides_nothing() {
    let project = Project::repository();
    let attachment = json!({"type": "attachment", "attachment": {"content": "x".repeat(100_000)}});
    let added = killed(&project, UNSAVED, 0).line(attachment);
    let lines = ["last-prompt", "mode", "queue-operation", "never-seen"];
    let added = lines.iter().fold(added, |added, kind| {
        added.raw(json!({"type": kind, "sessionId": UNSAVED}).to_string())
    });
    added.put(&project);
    let start = json!({"session_id": "now", "cwd": project.root(), "source": "startup"});
    assert!(note(&project, start, &[]).contains(UNSAVED));
}

#[test]
fn of_many_sessions_the_last_one_decides() {
    let project = Project::repository();
    let id = |number: i64| format!("88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a{number:02}");
    for number in 0..10 {
        let session = killed(&project, &id(number), number * 20);
        session.put(&project);
    }
    let start = |own: &str| json!({"session_id": own, "cwd": project.root(), "source": "clear"});
    assert!(note(&project, start("now"), &[]).contains(&id(9)));
    assert!(
        note(&project, start(&id(9)), &[]).contains(&id(8)),
        "but the session itself"
    );
    killed(&project, &id(8), 300).exits().put(&project);
    assert_eq!(note(&project, start("now"), &[]), "");
}

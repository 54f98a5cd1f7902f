//! Which sessions run and which were killed, by what the client writes down of its processes (docs/contract.md, section 12).

use std::fs;

use serde_json::json;

use crate::harness::transcripts::{Transcript, at, json_of, process, start_of};
use crate::harness::{Output, Project};

const RUNS: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const KILLED: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const ENDED: &str = "88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const UNSAVED: &str = "99cc01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

/// A project with a session of each kind, and one that runs and has saved nothing.
fn project() -> Project {
    let project = Project::bare_folder();
    let own = std::process::id();
    for (session, start, shift) in [
        (RUNS, start_of(own), 0),
        (KILLED, "1".to_owned(), 1),
        (UNSAVED, start_of(1), 2),
    ] {
        let pid = if session == UNSAVED {
            1
        } else {
            own + shift * 1_000_000_000
        };
        process(&project, session, pid, &start);
    }
    for session in [RUNS, KILLED, ENDED] {
        project.save(session, json!({"goal": format!("goal of {session}")}));
    }
    Transcript::new(&project, UNSAVED, 0)
        .prompt("the prompt")
        .put(&project);
    project
}

#[test]
fn a_list_tells_which_sessions_run_and_which_were_killed() {
    let project = project();
    let listed = json_of(&project, &["list", "--all"]);
    let entries = listed["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 4);
    for entry in entries {
        let expected = match entry["selector"].as_str().unwrap() {
            RUNS | UNSAVED => json!(true),
            KILLED => json!(false),
            _ => json!(null),
        };
        assert_eq!(entry["running"], expected, "{entry}");
    }
    let text = listed["text"].as_str().unwrap();
    for (session, mark) in [(RUNS, "still runs"), (KILLED, "was killed")] {
        let line = text.lines().find(|line| line.contains(session)).unwrap();
        assert!(line.ends_with(&format!(", {mark})")), "{line}");
    }
    project
        .ckpt(["list", "--all"])
        .prints("still runs")
        .prints("was killed");
}

#[test]
fn the_current_session_is_not_said_to_run() {
    let project = project();
    let own = project.ckpt(["list", "--json", "--session", RUNS]).json();
    let text = own["text"].as_str().unwrap();
    let line = text.lines().find(|line| line.contains(RUNS)).unwrap();
    assert!(line.ends_with("this session)"), "{line}");
}

#[test]
fn a_note_tells_whether_the_newest_checkpoint_is_of_a_session_that_runs() {
    let project = project();
    let told = |session: &str| {
        let input = json!({"session_id": session, "cwd": project.root(), "source": "startup"});
        let mut command = project.command(["nudge"]);
        let output = Output::with_input(&mut command, input.to_string().as_bytes());
        output.succeeds().stdout
    };
    for (index, session, expected) in [
        (
            0,
            KILLED,
            "the newest saved just now by a session that was killed. ",
        ),
        (
            1,
            RUNS,
            "the newest saved just now by a session that still runs. ",
        ),
        (2, ENDED, "the newest saved just now. "),
    ] {
        let file = fs::File::options()
            .append(true)
            .open(project.checkpoint(session));
        file.unwrap().set_modified(at(index - 10)).unwrap();
        for other in [KILLED, RUNS, ENDED] {
            let older = fs::File::options()
                .append(true)
                .open(project.checkpoint(other));
            if other != session {
                older.unwrap().set_modified(at(-1_000)).unwrap();
            }
        }
        assert!(told("now").contains(expected), "{}", told("now"));
        assert!(!told(session).contains(" by a session "), "it is its own");
    }
}

#[test]
fn without_the_files_of_the_client_nothing_is_said() {
    let project = project();
    let off = [("CHECKPOINT_TRANSCRIPTS", "off")];
    let listed = project.ckpt_with(&off, ["list", "--json"]).json();
    for entry in listed["entries"].as_array().unwrap() {
        assert_eq!(entry.get("running"), None, "{entry}");
    }
}

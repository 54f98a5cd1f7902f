//! `ckpt save --from-transcript`: which files belong to a session, and what is known of them.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::transcripts::{LATER, Transcript, at, killed};

const SAVED: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const UNSAVED: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
/// When [`killed`] was last active, in seconds after the save, but for half of one.
const ENDED: i64 = 15;

/// Writes a file as it was written so many seconds after the save.
fn write(project: &Project, path: &str, content: &str, seconds: i64) {
    project.write(path, content);
    let file = fs::File::options()
        .append(true)
        .open(project.path(path))
        .unwrap();
    file.set_modified(at(seconds)).unwrap();
}

fn keep(project: &Project, session: &str) -> Value {
    let arguments = ["save", "--from-transcript", session];
    project
        .ckpt_with(&[("CKPT_NOW", LATER)], arguments)
        .succeeds();
    project.saved(session)
}

/// The files of a checkpoint: path, status, whether their content is known.
fn recorded(stored: &Value) -> Vec<(&str, &str, bool)> {
    let files = stored["modifiedFiles"].as_array().unwrap().iter();
    files
        .map(|file| {
            let text = |field: &str| file[field].as_str().unwrap();
            (text("path"), text("status"), file.get("hash").is_some())
        })
        .collect()
}

fn load(project: &Project, session: &str) -> (String, Value) {
    let output = project.ckpt_with(&[("CKPT_NOW", LATER)], ["load", session, "--json"]);
    let loaded = output.succeeds().json();
    let changed = loaded["drift"]["changedSince"].clone();
    (loaded["text"].as_str().unwrap().to_owned(), changed)
}

#[test]
fn files_of_others_are_not_the_sessions() {
    let project = Project::repository();
    killed(&project, UNSAVED, 0).put(&project);
    write(&project, "README", "edited", ENDED - 10);
    write(&project, "src/auth/callback.ts", "new", ENDED - 10);
    write(&project, "notes.txt", "not the session's", ENDED - 10);
    write(
        &project,
        "src/main.rs",
        "not the session's either",
        ENDED - 10,
    );
    let stored = keep(&project, UNSAVED);
    let expected = [
        ("README", "M", true),
        ("src/auth/callback.ts", "??", true),
        ("src/gone.ts", "D", false),
    ];
    assert_eq!(recorded(&stored), expected);
    assert_eq!(stored["updatedAt"], "2026-10-08T02:24:10.500Z", "{stored}");
    assert_eq!(stored["git"]["dirty"], true);
    let summary = stored["summary"].as_str().unwrap();
    for said in [
        "as they were found then",
        "on 2026-10-08 03:23 UTC",
        "on branch `main`",
    ] {
        assert!(summary.contains(said), "no {said:?} in {summary}");
    }
    let (brief, changed) = load(&project, UNSAVED);
    assert_eq!(changed, json!([]));
    assert!(brief.contains("- No change was found"), "{brief}");
    // From then on it is as with any other checkpoint.
    project.write("src/auth/callback.ts", "written after the recovery");
    project.write("notes.txt", "this too");
    assert_eq!(
        load(&project, UNSAVED).1,
        json!(["notes.txt", "src/auth/callback.ts"])
    );
}

#[test]
fn what_was_written_between_the_sessions_end_and_its_recovery_counts_as_changed() {
    for is_repository in [true, false] {
        let project = match is_repository {
            true => Project::repository(),
            false => Project::bare_folder(),
        };
        killed(&project, UNSAVED, 0).put(&project);
        write(&project, "README", "written again", ENDED + 60);
        write(
            &project,
            "src/auth/callback.ts",
            "as the session left it",
            ENDED,
        );
        let stored = keep(&project, UNSAVED);
        let known = recorded(&stored)
            .into_iter()
            .map(|(path, _, known)| (path, known));
        let expected = [
            ("README", false),
            ("src/auth/callback.ts", true),
            ("src/gone.ts", false),
        ];
        assert_eq!(known.collect::<Vec<_>>(), expected);
        let (brief, changed) = load(&project, UNSAVED);
        assert_eq!(changed, json!(["README"]), "{brief}");
        assert!(
            brief.contains("re-read before editing: `README`"),
            "{brief}"
        );
        for wrong in ["can be trusted", "No file changed", "None of them changed"] {
            assert!(!brief.contains(wrong), "{brief}");
        }
        let differing = project
            .ckpt(["diff", UNSAVED, "--name-only"])
            .succeeds()
            .stdout;
        assert_eq!(differing, "README\n");
    }
}

#[test]
fn a_file_of_somebody_else_that_changed_since_the_sessions_end_is_told_too() {
    let project = Project::repository();
    killed(&project, UNSAVED, 0).put(&project);
    write(&project, "README", "hello\n", ENDED - 10);
    write(&project, "notes.txt", "after the session", ENDED + 60);
    write(&project, "older.txt", "before its end", ENDED - 10);
    keep(&project, UNSAVED);
    assert_eq!(load(&project, UNSAVED).1, json!(["notes.txt"]));
}

#[test]
fn what_the_agent_saved_keeps_the_state_of_its_save() {
    let project = Project::repository();
    write(&project, "src/a.rs", "at the save", -5);
    write(&project, "src/b.rs", "at the save", -5);
    project.save(
        SAVED,
        json!({"goal": "g", "modifiedFiles": [{"path": "src/a.rs", "note": "why"}]}),
    );
    let before = project.saved(SAVED);
    Transcript::new(&project, SAVED, 0)
        .prompt("go on")
        .writes(&project, "src/b.rs")
        .put(&project);
    write(&project, "src/a.rs", "by somebody else", 30);
    write(&project, "src/b.rs", "by the session", 2);
    write(&project, "src/c.rs", "by somebody else", 2);
    project.commit("after the session");
    let stored = keep(&project, SAVED);
    assert_eq!(stored["git"], before["git"]);
    assert_eq!(stored["modifiedFiles"][0], before["modifiedFiles"][0]);
    assert_ne!(
        stored["modifiedFiles"][1]["hash"],
        before["modifiedFiles"][1]["hash"]
    );
    assert_eq!(stored["modifiedFiles"].as_array().unwrap().len(), 2);
    let (brief, changed) = load(&project, SAVED);
    assert_eq!(changed, json!(["src/a.rs", "src/c.rs"]), "{brief}");
    assert!(brief.contains("1 new commit on HEAD"), "{brief}");
}

#[test]
fn what_came_after_a_recovery_is_told_once_more() {
    let project = Project::repository();
    let first = killed(&project, UNSAVED, 0);
    first.put(&project);
    keep(&project, UNSAVED);
    let resumed = first.prompt("where were we?").runs("npm run e2e", 0);
    resumed.put(&project);
    let (brief, _) = load(&project, UNSAVED);
    assert!(
        brief.contains("- The user asked: where were we?\n"),
        "{brief}"
    );
    let (_, after) = brief.split_once("## After the save").unwrap();
    assert!(!after.contains("npm test"), "{brief}");
    keep(&project, UNSAVED);
    let again = project.ckpt(["save", "--from-transcript", UNSAVED]);
    again.fails_with("nothing happened after the save");
}

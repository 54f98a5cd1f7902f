//! Sessions that saved no checkpoint: listed, loaded, kept, and told of, from their transcripts.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::golden::assert_golden;
use crate::harness::mcp::Server;
use crate::harness::transcripts::{LATER, Transcript, at, folder, json_of, killed};

const SAVED: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const UNSAVED: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const OLDER: &str = "88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

fn selectors(entries: &Value) -> Vec<&str> {
    let entries = entries.as_array().unwrap().iter();
    entries
        .map(|entry| entry["selector"].as_str().unwrap())
        .collect()
}

#[test]
fn one_is_listed_by_as_much_of_its_id_as_names_it() {
    let project = Project::repository();
    // By time, and by time alone, another one stands between two that share their start.
    let common = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2";
    for (session, seconds) in [
        (format!("{common}b"), 0),
        (OLDER.to_owned(), -50),
        (format!("{common}c"), -90),
    ] {
        killed(&project, &session, seconds).put(&project);
    }
    let listed = project.ckpt(["list", "--all"]).succeeds().stdout;
    for short in [&format!("{common}b"), &format!("{common}c"), "88bb01ce "] {
        assert!(listed.contains(short), "{listed}");
    }
    // A checkpoint, too, can share its start.
    project.save("zzzz", json!({"goal": "g"}));
    project.save(&OLDER.replace("1a2b", "1a2c"), json!({"goal": "g"}));
    let listed = project.ckpt(["list", "--all"]).succeeds().stdout;
    assert!(listed.contains(OLDER), "{listed}");
}

#[test]
fn loading_one_gives_a_brief_from_the_transcript_alone() {
    let project = Project::repository();
    project.write("src/auth/callback.ts", "c");
    killed(&project, UNSAVED, 0).put(&project);
    for file in ["src/auth/callback.ts", "README"] {
        let file = fs::File::options()
            .append(true)
            .open(project.path(file))
            .unwrap();
        file.set_modified(at(-60)).unwrap();
    }
    let output = project.ckpt_with(&[("CKPT_NOW", LATER)], ["load", UNSAVED]);
    let brief = output.succeeds().stdout;
    assert_golden("unsaved.md", &project.normalized(&brief));
    let loaded = json_of(&project, &["load", &UNSAVED[..6]]);
    assert_eq!(loaded["found"], true);
    assert_eq!(loaded["drift"]["changedSince"], json!(["src/gone.ts"]));
    assert_eq!(loaded["drift"]["branchChanged"], false);
    for absent in ["checkpoint", "resumeHint", "fromBackup"] {
        assert_eq!(loaded.get(absent), None, "{absent}");
    }
    project.git(["checkout", "-q", "-b", "other"]);
    project.write("README", "written after the session");
    let loaded = json_of(&project, &["load", UNSAVED]);
    assert_eq!(
        loaded["drift"]["changedSince"],
        json!(["README", "src/gone.ts"])
    );
    assert_eq!(loaded["drift"]["branchChanged"], true);
    assert!(
        loaded["text"]
            .as_str()
            .unwrap()
            .contains("- Branch changed: now on `other`")
    );
}

#[test]
fn they_stand_among_the_checkpoints_by_time_where_all_are_asked_for() {
    let project = Project::repository();
    project.save(SAVED, json!({"goal": "saved"}));
    killed(&project, SAVED, 10).put(&project);
    killed(&project, UNSAVED, 20).put(&project);
    killed(&project, OLDER, 10).put(&project);
    let without = json_of(&project, &["list"]);
    assert_eq!(selectors(&without["entries"]), [SAVED]);
    assert_eq!(without["entries"][0].get("recoverable"), None);
    let listed = json_of(&project, &["list", "--all"]);
    assert_eq!(selectors(&listed["entries"]), [UNSAVED, OLDER, SAVED]);
    assert_eq!(listed["entries"][0]["recoverable"], true);
    assert_eq!(
        listed["entries"][0]["goal"],
        "Let users sign in with GitHub"
    );
    assert_eq!(listed["entries"][0]["branch"], "main");
    assert_eq!(
        (&listed["total"], &listed["omitted"]),
        (&json!(3), &json!(0))
    );
    assert_eq!(listed["text"], without["text"]);
    let table = project.ckpt(["list", "--all"]).succeeds().stdout;
    assert!(
        table.contains("no checkpoint, recoverable from its transcript"),
        "{table}"
    );
    let latest = json_of(&project, &["load", "--latest"]);
    assert!(latest["path"].as_str().unwrap().contains(SAVED));
    let filtered = json_of(&project, &["list", "--all", "--grep", "github SIGN"]);
    assert_eq!(selectors(&filtered["entries"]), [UNSAVED, OLDER]);
}

#[test]
fn they_are_offered_where_the_session_has_no_checkpoint_of_its_own() {
    let project = Project::repository();
    killed(&project, UNSAVED, 0).put(&project);
    killed(&project, OLDER, -50).put(&project);
    let mut server = Server::open(&project, json!({}));
    let session = json!({"session": OLDER});
    let result = server.call("load_session_checkpoint", session.clone());
    let offered = &result["structuredContent"];
    assert_eq!(offered["found"], false);
    assert_eq!(
        selectors(&offered["candidates"]),
        [UNSAVED],
        "never the session itself"
    );
    assert_eq!(offered["total"], 0);
    let text = offered["text"].as_str().unwrap();
    assert!(
        text.contains("has no checkpoints yet") && text.contains("recoverable"),
        "{text}"
    );
    let named = json!({"session": OLDER, "checkpoint": UNSAVED});
    let result = server.call("load_session_checkpoint", named);
    let text = result["structuredContent"]["text"].as_str().unwrap();
    assert!(
        text.starts_with(&format!("Session `{UNSAVED}` saved no checkpoint.")),
        "{text}"
    );
    let listed = server.call("list_session_checkpoints", session);
    assert_eq!(listed["structuredContent"]["entries"], json!([]));
    server.close();
    let output = project.ckpt(["load"]).exits(1);
    assert!(output.stderr.contains("77aa01ce"), "{}", output.stderr);
    project.save(SAVED, json!({"goal": "saved"}));
    let offered = json_of(&project, &["load"]);
    assert_eq!(selectors(&offered["candidates"]), [SAVED, UNSAVED, OLDER]);
    assert_eq!(offered["total"], 1);
}

#[test]
fn a_session_whose_checkpoint_bears_another_id_is_not_one_that_saved_nothing() {
    let project = Project::repository();
    project.save(SAVED, json!({"goal": "saved"}));
    killed(&project, UNSAVED, 0).saves(SAVED).put(&project);
    assert_eq!(
        selectors(&json_of(&project, &["list", "--all"])["entries"]),
        [SAVED]
    );
}

#[test]
fn only_sessions_in_which_somebody_said_something_are_offered() {
    let project = Project::repository();
    Transcript::new(&project, UNSAVED, 0).exits().put(&project);
    Transcript::new(&project, OLDER, 0)
        .prompt("<command-name>/exit</command-name>")
        .put(&project);
    let configuration = project.home().join(".claude");
    let folder = folder(&configuration, &project);
    killed(&project, UNSAVED, 0).put_as(&folder.join("agent-a1b2.jsonl"));
    killed(&project, UNSAVED, 0).put_as(&folder.join("notes.jsonl"));
    assert_eq!(json_of(&project, &["list", "--all"])["entries"], json!([]));
    project.ckpt(["load"]).exits(1).errs("Nothing to resume");
}

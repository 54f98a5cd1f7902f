//! A store as version 0.1 wrote it, which every later version reads and goes on with (docs/contract.md, section 16).

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::harness::Project;

const AUTH: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

/// A project with that store: sessions with and without a backup, one that was resumed from another, one whose main
/// file is cut off, and the legacy checkpoint.
fn project() -> Project {
    let project = Project::bare_folder();
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores/0.1");
    copy(&store, &project.root());
    project
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => {
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
}

#[test]
fn it_is_listed_and_loaded_as_it_was() {
    let project = project();
    let before = project.snapshot();
    let list = project.ckpt(["list", "--json"]).succeeds().json();
    let entries: Vec<(&str, &str)> = list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["selector"].as_str().unwrap(),
                entry["goal"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        entries,
        [
            ("legacy", "Legacy at 08"),
            ("Only-One.x", "Only ever saved once"),
            ("half", "First"),
            ("resumed", "Sign out"),
            (AUTH, "Sign in with GitHub"),
        ]
    );
    let loaded = project.ckpt(["load", AUTH, "--json", "--format", "full"]);
    let checkpoint = &loaded.succeeds().json()["checkpoint"];
    assert_eq!(
        checkpoint["summary"],
        "The callback works; the cookie does not."
    );
    assert_eq!(checkpoint["modifiedFiles"][0]["note"], "cookie options");
    assert_eq!(checkpoint["recentCommands"][1]["exitCode"], 1);
    project
        .ckpt(["load", "half"])
        .succeeds()
        .prints("was read from its backup");
    project
        .ckpt(["load", "0f9c@{1}"])
        .succeeds()
        .prints("- [ ] Callback");
    project
        .ckpt(["log", "legacy"])
        .succeeds()
        .prints("Legacy at 07");
    project
        .ckpt(["diff", "--prev", "0f9c"])
        .succeeds()
        .prints("One session a browser");
    assert_eq!(project.snapshot(), before);
}

#[test]
fn it_is_merged_into_restored_and_pruned() {
    let project = project();
    let merge =
        json!({"mode": "merge", "tasks": [{"description": "Session cookie", "status": "done"}]});
    let before = project.saved(AUTH);
    let backup = fs::read(project.backup(AUTH)).unwrap();
    project.save(AUTH, merge);
    let after = project.saved(AUTH);
    for kept in [
        "id",
        "createdAt",
        "decisions",
        "nextSteps",
        "summary",
        "recentCommands",
    ] {
        assert_eq!(after[kept], before[kept], "{kept}");
    }
    assert_eq!(after["goal"]["tasks"][0]["status"], "done");
    // What was the backup is the first of the history.
    assert_eq!(fs::read(&project.history(AUTH)[0]).unwrap(), backup);
    assert!(!project.path(".claude-checkpoints/.gitignore").exists());
    project.save("resumed", json!({"mode": "merge", "nextSteps": ["n"]}));
    assert_eq!(project.saved("resumed")["resumedFrom"], AUTH);
    project.ckpt(["restore", AUTH]).succeeds();
    assert_eq!(project.saved(AUTH), before);
    let new = json!({"goal": "new", "mode": "merge", "resumedFrom": "Only-One.x"});
    project.save("new", new);
    assert_eq!(project.saved("new")["goal"]["tasks"][0]["description"], "t");
    project.ckpt(["prune", "--keep", "0", "--yes"]).succeeds();
    assert_eq!(project.stored_names(), [".lock"]);
    assert!(!project.path(".claude-checkpoint").exists());
    assert!(!project.path(".claude-checkpoints/history").exists());
}

#[test]
fn old_mistakes_with_the_session_still_get_their_explaining_error() {
    let project = project();
    let own = [("CLAUDE_CODE_SESSION_ID", "resumed")];
    for (options, command) in [
        (&["--session", AUTH][..], "load"),
        (&["--session", "half"], "list"),
    ] {
        project
            .ckpt_with(&own, [&[command], options].concat())
            .fails_with("but the current session is `resumed` (CLAUDE_CODE_SESSION_ID)")
            .errs("ckpt load SELECTOR");
    }
    for bad in ["../x", "legacy", "a@{1}"] {
        let save = project.try_save(bad, &json!({"goal": "g"}));
        save.fails_with(&format!("`{bad}` is not a valid session id"));
    }
}

//! The checkpoint format, version 1 (docs/contract.md, section 5).

use std::fs;

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};
use crate::harness::golden::assert_golden;

#[test]
fn a_file_holds_every_field_as_the_format_has_it() {
    let project = Project::repository();
    project.put("s0", least("where it began"));
    project.write("src/main.rs", "fn main() { todo!() }\n");
    project.save(
        "s1",
        json!({
            "goal": "add a login page",
            "tasks": [
                {"description": "design", "status": "done"},
                {"description": "build", "status": "in_progress"},
                {"description": "test", "status": "blocked"},
                {"description": "ship"},
            ],
            "summary": "The page is there.\nIts form is not.",
            "nextSteps": ["build the form"],
            "decisions": ["no framework"],
            "modifiedFiles": [{"path": "src/main.rs", "note": "the entry"}, {"path": "README"}],
            "recentCommands": [
                {"command": "cargo build", "exitCode": 0},
                {"command": "cargo test", "exitCode": 101, "note": "one fails"},
                {"command": "ls"},
            ],
            "resumedFrom": "s0",
        }),
    );
    let text = fs::read_to_string(project.checkpoint("s1")).unwrap();
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(&version), "{text}");
    let text = text.replace(&version, "\"version\": \"<version>\"");
    assert_golden("checkpoint.json", &project.normalized(&text));
}

#[test]
fn a_file_of_the_legacy_kind_has_no_session() {
    let project = Project::bare_folder();
    project
        .ckpt_with(
            &[("CHECKPOINT_SESSION_IDS", "legacy")],
            ["save", "--goal", "g"],
        )
        .succeeds();
    let text = project.read(".claude-checkpoint");
    let text = text.replace(env!("CARGO_PKG_VERSION"), "<version>");
    assert_golden("legacy.json", &project.normalized(&text));
}

#[test]
fn git_is_null_without_a_commit_and_its_branch_where_detached() {
    let git = |project: &Project| {
        project.save("s1", json!({"goal": "g"}));
        project.saved("s1")["git"].clone()
    };
    assert_eq!(git(&Project::bare_folder()), Value::Null);
    assert_eq!(git(&Project::unborn()), Value::Null);
    let project = Project::repository();
    let head = project.head();
    assert_eq!(
        git(&project),
        json!({"branch": "main", "head": head, "dirty": false})
    );
    project.write("README", "changed\n");
    project.git(["checkout", "-q", "--detach"]);
    assert_eq!(
        git(&project),
        json!({"branch": null, "head": head, "dirty": true})
    );
}

#[test]
fn times_are_utc_in_milliseconds() {
    let project = Project::bare_folder();
    let now = [("CKPT_NOW", "2026-10-08T04:23:55.123987+02:00")];
    project
        .ckpt_with(
            &now,
            ["save", "--goal", "g", "--session", "s1", "--command", "ls"],
        )
        .succeeds();
    let saved = project.saved("s1");
    let expected = "2026-10-08T02:23:55.123Z";
    assert_eq!(saved["createdAt"], expected);
    assert_eq!(saved["updatedAt"], expected);
    assert_eq!(saved["recentCommands"][0]["at"], expected);
}

#[test]
fn absolute_paths_are_never_stored() {
    let project = Project::repository();
    project.write("new.txt", "x");
    fs::create_dir(project.path("sub")).unwrap();
    let named = |name: &str| json!({"path": project.path(name).display().to_string()});
    project.save(
        "s1",
        json!({
            "goal": "g",
            "projectRoot": project.root().display().to_string(),
            "modifiedFiles": [
                named("README"), named("absent.txt"), named("sub/../src/main.rs"),
                {"path": "/etc/hosts"}, {"path": project.home().display().to_string()},
            ],
        }),
    );
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    for file in [project.checkpoint("s1"), project.backup("s1")] {
        let text = fs::read_to_string(file).unwrap();
        let parent = project.root().parent().unwrap().display().to_string();
        assert!(!text.contains(&parent) && !text.contains("\"/"), "{text}");
    }
    assert_eq!(project.saved("s1")["project"], json!({"name": "my-app"}));
}

#[test]
fn unknown_fields_survive_a_merge_at_every_level() {
    let project = Project::bare_folder();
    project.write("a", "a");
    project.put(
        "s1",
        json!({
            "version": 1,
            "createdAt": "2026-10-08T02:00:00.000Z",
            "updatedAt": "2026-10-08T02:20:00.000Z",
            "future": {"deep": [1, 2.5, null]},
            "generator": {"name": "other", "commit": "abc"},
            "project": {"name": "x", "language": "rust"},
            "goal": {"primary": "g", "deadline": "friday", "tasks": [{"description": "t", "status": "done", "owner": "me"}]},
            "modifiedFiles": [{"path": "a", "lines": 3}],
            "recentCommands": [{"command": "c", "seconds": 4}],
            "meta": {"model": "m"},
        }),
    );
    project.save(
        "s1",
        json!({"goal": "h", "mode": "merge", "tasks": [{"description": "t", "status": "blocked"}]}),
    );
    let saved = project.saved("s1");
    for (pointer, expected) in [
        ("/future", json!({"deep": [1, 2.5, null]})),
        ("/project/language", json!("rust")),
        ("/goal/deadline", json!("friday")),
        (
            "/goal/tasks/0",
            json!({"description": "t", "status": "blocked", "owner": "me"}),
        ),
        ("/modifiedFiles/0/lines", json!(3)),
        ("/recentCommands/0/seconds", json!(4)),
        ("/meta/model", json!("m")),
    ] {
        assert_eq!(
            saved.pointer(pointer),
            Some(&expected),
            "{pointer}: {saved}"
        );
    }
}

#[test]
fn a_checkpoint_without_an_id_gets_one_from_a_merge() {
    let project = Project::bare_folder();
    project.put("s1", least("g"));
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    let id = project.saved("s1")["id"].as_str().unwrap().to_owned();
    assert_eq!(project.normalized(&id), "<uuid>");
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    assert_eq!(project.saved("s1")["id"], id);
}

#[test]
fn an_unknown_status_survives_a_merge_that_does_not_name_its_task() {
    let project = Project::bare_folder();
    let tasks = json!([{"description": "a", "status": "cancelled"}, {"description": "b", "status": "cancelled"}]);
    project.put(
        "s1",
        with(
            least("g"),
            json!({"goal": {"primary": "g", "tasks": tasks}}),
        ),
    );
    project.ckpt(["load", "s1"]).succeeds().prints("- [ ] a");
    project.save(
        "s1",
        json!({"goal": "g", "mode": "merge", "tasks": [{"description": "b"}]}),
    );
    assert_eq!(project.saved("s1")["goal"]["tasks"], tasks);
}

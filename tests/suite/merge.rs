//! What a save keeps, sets and adds (the table in docs/contract.md, section 6).

use serde_json::{Value, json};

use crate::harness::files::{recorded, with};
use crate::harness::{Output, Project};

const BEFORE: &str = "2026-10-08T01:00:00.000Z";
const NOW: &str = "2026-10-08T02:23:55.000Z";

/// A session with every field filled, saved an hour before.
fn filled() -> Project {
    let project = Project::repository();
    project.write("new.txt", "new");
    let input = json!({
        "goal": "old goal",
        "tasks": [{"description": "a", "status": "done"}, {"description": "b"}],
        "summary": "old summary",
        "nextSteps": ["old step"],
        "decisions": ["old decision", "shared"],
        "modifiedFiles": [{"path": "README", "note": "old note"}, {"path": "absent.txt"}],
        "recentCommands": [{"command": "old", "exitCode": 1, "note": "n"}],
    });
    let mut command = project.command(["save", "--input", "-", "--session", "s1"]);
    Output::with_input(
        command.env("CKPT_NOW", BEFORE),
        input.to_string().as_bytes(),
    )
    .succeeds();
    project
}

fn save(project: &Project, mode: &str, fields: Value) -> Value {
    let input = with(json!({"goal": "new goal", "mode": mode}), fields);
    let saved = project.save("s1", input).json();
    assert_eq!(saved["mode"], mode);
    project.saved("s1")
}

#[test]
fn a_replace_keeps_nothing() {
    let project = filled();
    let old = project.saved("s1");
    let new = save(&project, "replace", json!({}));
    assert_eq!(new["goal"], json!({"primary": "new goal", "tasks": []}));
    assert!(new.get("summary").is_none());
    for list in ["nextSteps", "decisions", "recentCommands"] {
        assert_eq!(new[list], json!([]), "{list}");
    }
    assert_eq!(recorded(&new), [("new.txt", "git", "-")]);
    assert_ne!(new["id"], old["id"]);
    assert_eq!(new["createdAt"], NOW);
    assert_eq!(new["updatedAt"], NOW);
}

#[test]
fn a_replace_says_what_it_replaced_and_how_to_have_it_back() {
    let project = filled();
    let arguments = json!({"goal": "new goal", "decisions": ["shared"]});
    let text = project.save("s1", arguments).json()["text"].to_string();
    let line = "Replaced 2 tasks, 1 decision and the summary of 1h ago, kept as `s1@{1}`.";
    assert!(text.contains(line), "{text}");
    let before = project.ckpt(["load", "s1@{1}"]).succeeds().stdout;
    assert!(before.contains("old decision"), "{before}");
    // Nothing to tell of where everything is given again, and none where a merge keeps it.
    for mode in ["replace", "merge"] {
        let arguments = json!({"goal": "new goal", "mode": mode, "decisions": ["shared"]});
        let text = project.save("s1", arguments).json()["text"].to_string();
        assert!(!text.contains("Replaced"), "{mode}: {text}");
    }
    // A person is told beside the data.
    let output = project
        .ckpt(["save", "--session", "s1", "--goal", "g"])
        .succeeds();
    assert!(
        output
            .stderr
            .contains("Replaced 1 decision of just now, kept as"),
        "{}",
        output.stderr
    );
    assert!(!output.stdout.contains("Replaced"), "{}", output.stdout);
}

#[test]
fn replace_is_the_default() {
    let project = filled();
    let saved = project.save("s1", json!({"goal": "g"})).json();
    assert_eq!(saved["mode"], "replace");
    assert_eq!(project.saved("s1")["decisions"], json!([]));
}

#[test]
fn a_merge_that_gives_nothing_keeps_everything_but_the_goal_and_the_facts() {
    let project = filled();
    let old = project.saved("s1");
    let new = save(&project, "merge", json!({}));
    assert_eq!(new["goal"]["primary"], "new goal");
    for kept in [
        "id",
        "createdAt",
        "summary",
        "nextSteps",
        "decisions",
        "recentCommands",
        "sessionId",
    ] {
        assert_eq!(new[kept], old[kept], "{kept}");
    }
    assert_eq!(new["goal"]["tasks"], old["goal"]["tasks"]);
    assert_eq!(new["createdAt"], BEFORE);
    assert_eq!(new["updatedAt"], NOW);
}

#[test]
fn a_merge_sets_what_it_is_given_and_appends_to_the_lists() {
    let project = filled();
    let new = save(
        &project,
        "merge",
        json!({
            "tasks": [{"description": "c"}, {"description": "b", "status": "in_progress"}, {"description": "a ", "status": "blocked"}],
            "summary": "new summary",
            "nextSteps": ["new step"],
            "decisions": ["new decision", "shared", "new decision"],
            "recentCommands": [{"command": "old"}, {"command": "new", "exitCode": 0}],
        }),
    );
    let task =
        |description: &str, status: &str| json!({"description": description, "status": status});
    assert_eq!(
        new["goal"]["tasks"],
        json!([
            task("a", "blocked"),
            task("b", "in_progress"),
            task("c", "pending"),
        ])
    );
    assert_eq!(new["summary"], "new summary");
    assert_eq!(new["nextSteps"], json!(["new step"]));
    assert_eq!(
        new["decisions"],
        json!(["old decision", "shared", "new decision"])
    );
    assert_eq!(
        new["recentCommands"],
        json!([
            {"command": "old", "exitCode": 1, "note": "n", "at": BEFORE},
            {"command": "old", "at": NOW},
            {"command": "new", "exitCode": 0, "at": NOW},
        ])
    );
}

#[test]
fn a_merge_can_empty_the_next_steps() {
    let project = filled();
    let new = save(&project, "merge", json!({"nextSteps": []}));
    assert_eq!(new["nextSteps"], json!([]));
}

#[test]
fn a_task_that_a_merge_names_without_a_status_keeps_the_one_it_has() {
    let project = filled();
    let new = save(&project, "merge", json!({"tasks": [{"description": "a"}]}));
    assert_eq!(
        new["goal"]["tasks"][0],
        json!({"description": "a", "status": "done"})
    );
}

#[test]
fn a_merge_records_the_scan_the_given_files_and_those_recorded_before() {
    let project = filled();
    project.commit("second");
    project.write("src/main.rs", "changed");
    let new = save(
        &project,
        "merge",
        json!({"modifiedFiles": [{"path": ".gitignore", "note": "given"}, {"path": "README"}]}),
    );
    assert_eq!(
        recorded(&new),
        [
            (".gitignore", "agent", "given"),
            ("README", "agent", "old note"),
            ("absent.txt", "agent", "-"),
            ("new.txt", "agent", "-"),
            ("src/main.rs", "git", "-"),
        ]
    );
    let new = save(
        &project,
        "merge",
        json!({"modifiedFiles": [{"path": "README", "note": "newer"}]}),
    );
    assert!(recorded(&new).contains(&("README", "agent", "newer")));
}

#[test]
fn a_merge_without_a_checkpoint_is_a_replace_with_a_warning() {
    let project = Project::bare_folder();
    let saved = project
        .save("s1", json!({"goal": "g", "mode": "merge"}))
        .json();
    assert_eq!(saved["mode"], "replace");
    assert!(
        saved["warnings"]
            .to_string()
            .contains("no checkpoint to merge into"),
        "{saved}"
    );
    assert!(saved["text"].as_str().unwrap().contains("Warning: "));
    let saved = project
        .save("s1", json!({"goal": "g", "mode": "merge"}))
        .json();
    assert_eq!(saved["mode"], "merge");
    assert_eq!(saved["warnings"], json!([]));
}

#[test]
fn a_merge_without_a_goal_keeps_it_where_there_is_one() {
    let project = filled();
    project
        .ckpt(["save", "--merge", "--session", "s1", "--decision", "d"])
        .succeeds();
    assert_eq!(project.saved("s1")["goal"]["primary"], "old goal");
    project
        .ckpt(["save", "--merge", "--session", "s2", "--decision", "d"])
        .fails_with("`--goal`");
    assert!(!project.checkpoint("s2").exists());
}

#[test]
fn a_project_that_does_not_ignore_checkpoints_is_told_which_line_does() {
    let project = Project::repository();
    let warnings =
        |project: &Project| project.save("s1", json!({"goal": "g"})).json()["warnings"].to_string();
    assert_eq!(warnings(&project), "[]");
    project.write(".gitignore", "");
    assert_eq!(warnings(&project), "[]");
    // As earlier versions made it.
    project.remove(".claude-checkpoints/.gitignore");
    assert!(warnings(&project).contains("`.claude-checkpoint*`"));
    assert_eq!(project.read(".gitignore"), "");
    assert_eq!(warnings(&Project::bare_folder()), "[]");
}

#[test]
fn a_replace_takes_its_lists_as_they_are() {
    let project = Project::bare_folder();
    project.save(
        "s1",
        json!({
            "goal": "g",
            "tasks": [{"description": "a", "status": "done"}, {"description": "a", "status": "pending"}],
            "decisions": ["d", "d"],
        }),
    );
    let saved = project.saved("s1");
    assert_eq!(saved["goal"]["tasks"].as_array().unwrap().len(), 2);
    assert_eq!(saved["decisions"], json!(["d", "d"]));
}

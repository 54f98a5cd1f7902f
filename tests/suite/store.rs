//! The files of the checkpoints: what is written, what is kept, what is refused (docs/contract.md, section 4).

use std::fs;

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};

const GARBAGE: &str = "{\"version\": 1, \"goal\"";

#[test]
fn a_save_replaces_the_file_and_never_writes_into_it() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "one"}));
    let kept = project.path("kept");
    fs::hard_link(project.checkpoint("s1"), &kept).unwrap();
    let before = fs::read(&kept).unwrap();
    project.save("s1", json!({"goal": "two"}));
    project.save("s1", json!({"goal": "three"}));
    assert_eq!(fs::read(&kept).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_what_is_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::bare_folder();
    let legacy = [("CHECKPOINT_SESSION_IDS", "legacy")];
    for goal in ["one", "two"] {
        project.save("s1", json!({"goal": goal}));
        project
            .ckpt_with(&legacy, ["save", "--goal", goal])
            .succeeds();
    }
    for (name, expected) in [
        (".claude-checkpoints", 0o700),
        (".claude-checkpoints/s1.json", 0o600),
        (".claude-checkpoints/s1.json.prev", 0o600),
        (".claude-checkpoints/.lock", 0o600),
        (".claude-checkpoint", 0o600),
        (".claude-checkpoint.prev", 0o600),
    ] {
        let mode = fs::metadata(project.path(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, expected, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_checkpoint_that_others_could_read_is_closed_by_the_next_save() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "one"}));
    let file = project.checkpoint("s1");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    project.save("s1", json!({"goal": "two"}));
    for file in [file, project.backup("s1")] {
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
}

#[test]
fn a_backup_is_a_file_of_its_own() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "one"}));
    let other = project.path("other");
    fs::hard_link(project.checkpoint("s1"), &other).unwrap();
    fs::hard_link(project.checkpoint("s1"), project.backup("s1")).unwrap();
    project.save("s1", json!({"goal": "two"}));
    // Whoever writes into the file that was the checkpoint does not change what became of it.
    fs::write(&other, GARBAGE).unwrap();
    for (file, goal) in [
        (project.checkpoint("s1"), "two"),
        (project.backup("s1"), "one"),
    ] {
        let file: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        assert_eq!(file["goal"]["primary"], goal);
    }
}

#[test]
fn a_file_of_another_version_is_never_overwritten() {
    for version in [json!(2), json!(0), json!("1"), json!(1.5), Value::Null] {
        let project = Project::bare_folder();
        let file = with(least("later"), json!({"version": version}));
        project.put("s1", &file);
        project.put_backup("s1", least("backup"));
        project.write(".claude-checkpoint", file.to_string());
        let before = project.snapshot();
        for mode in ["replace", "merge"] {
            project
                .try_save("s1", &json!({"goal": "g", "mode": mode}))
                .fails_with(&format!("format version {version}"));
        }
        project
            .ckpt_with(
                &[("CHECKPOINT_SESSION_IDS", "legacy")],
                ["save", "--goal", "g"],
            )
            .fails_with(&format!("format version {version}"));
        assert_eq!(project.snapshot(), before);
    }
}

#[test]
fn only_the_sessions_own_checkpoint_is_written() {
    let project = Project::repository();
    project.put("s2", least("other"));
    project.put_backup("s2", least("other's backup"));
    project.put("s3", GARBAGE);
    project.write(".claude-checkpoint", least("legacy").to_string());
    for name in [
        "notes.txt",
        "x.json.bak",
        ".hidden.json",
        "a b.json",
        "s1.json.prev.old",
        "x.tmp",
    ] {
        project.write(format!(".claude-checkpoints/{name}"), name);
    }
    project.write(".gitignore", "target\n");
    project.write(".mcp.json", "{}");
    let mut before = project.snapshot();
    project.save("s1", json!({"goal": "g", "resumedFrom": "s2"}));
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    let mut after = project.snapshot();
    assert!(after.remove(&project.checkpoint("s1")).is_some());
    assert!(after.remove(&project.backup("s1")).is_some());
    assert_eq!(after, before);

    let list = project.ckpt(["list", "--json"]).succeeds().json();
    assert_eq!(list["total"], 4, "{list}");
    project.ckpt(["load", "s1"]).succeeds();
    before = project.snapshot();
    project.ckpt(["load", "--latest"]).succeeds();
    assert_eq!(project.snapshot(), before);
}

#[test]
fn files_that_no_session_can_have_are_not_listed() {
    let project = Project::bare_folder();
    for name in ["legacy", "con", "a..b", "_a", "a b", ".a"] {
        project.put(name, least(name));
    }
    project.write(".claude-checkpoints/s1.JSON", least("x").to_string());
    project.write(".claude-checkpoints/s1", least("x").to_string());
    let list = project.ckpt(["list", "--json"]).succeeds();
    assert_eq!(list.json()["total"], 0, "{}", list.stdout);
}

#[test]
fn a_save_that_fails_leaves_everything_as_it_was() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "one"}));
    project.save("s1", json!({"goal": "two"}));
    let (before, names) = (project.snapshot(), project.stored_names());
    let long: Vec<String> = (10..30)
        .map(|n| format!("{n}{}", "😀".repeat(498)))
        .collect();
    for arguments in [
        json!({"goal": "g".repeat(501)}),
        json!({"goal": "g", "resumedFrom": "../x"}),
        json!({"goal": "g", "decisions": long, "nextSteps": long}),
        json!({"goal": true}),
        json!({}),
    ] {
        project.try_save("s1", &arguments).exits(2);
        assert_eq!(project.snapshot(), before);
        assert_eq!(project.stored_names(), names);
    }
}

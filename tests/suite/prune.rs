//! `ckpt prune`: which checkpoints go, and which never do.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::harness::files::{least, with};
use crate::harness::{NOW, Output, Project};

fn checkpoint(goal: &str, updated: &str, statuses: &[&str]) -> Value {
    let tasks: Vec<Value> = statuses
        .iter()
        .map(|status| json!({"description": "t", "status": status}))
        .collect();
    with(
        least(goal),
        json!({"updatedAt": updated, "goal": {"primary": goal, "tasks": tasks}}),
    )
}

/// Checkpoints of one hour, 3, 10 and 40 days and two years; `done` has its tasks done.
fn project() -> Project {
    let project = Project::bare_folder();
    for (session, updated, statuses) in [
        ("hour", "2026-10-08T01:20:00Z", &["done", "pending"][..]),
        ("days", "2026-10-05T00:00:00Z", &["done"]),
        ("weeks", "2026-09-28T00:00:00Z", &[]),
        ("months", "2026-08-29T00:00:00Z", &["done", "done"]),
        ("years", "2024-10-01T00:00:00Z", &["blocked"]),
    ] {
        project.put(session, checkpoint(session, updated, statuses));
    }
    project
}

/// The selectors that a prune with these options deletes, newest first, or by a dry run would.
fn pruned(project: &Project, options: &[&str]) -> Vec<String> {
    let json = project
        .ckpt([&["prune", "--json"], options].concat())
        .succeeds()
        .json();
    let checkpoints = json["checkpoints"].as_array().unwrap().iter();
    checkpoints
        .map(|checkpoint| checkpoint["selector"].as_str().unwrap().to_owned())
        .collect()
}

fn would(project: &Project, options: &[&str]) -> Vec<String> {
    pruned(project, &[options, &["--dry-run"]].concat())
}

fn now() -> SystemTime {
    NOW.parse::<jiff::Timestamp>().unwrap().try_into().unwrap()
}

fn set_modified(path: &Path, time: SystemTime) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
}

#[test]
fn each_condition_selects_and_all_that_are_given_have_to_hold() {
    let project = project();
    for (options, expected) in [
        (
            &["--older-than", "1d"][..],
            &["days", "weeks", "months", "years"][..],
        ),
        (
            &["--older-than", "60m"],
            &["hour", "days", "weeks", "months", "years"],
        ),
        (
            &["--older-than", "2h"],
            &["days", "weeks", "months", "years"],
        ),
        (&["--older-than", "1w"], &["weeks", "months", "years"]),
        (&["--older-than", "1y"], &["years"]),
        (&["--older-than", "100y"], &[]),
        (&["--done"], &["days", "months"]),
        (
            &["--keep", "0"],
            &["hour", "days", "weeks", "months", "years"],
        ),
        (&["--keep", "3"], &["months", "years"]),
        (&["--keep", "9"], &[]),
        (&["--broken"], &[]),
        (&["--older-than", "5d", "--done"], &["months"]),
        (&["--done", "--keep", "2"], &["months"]),
        (&["--older-than", "1d", "--done", "--keep", "4"], &[]),
    ] {
        assert_eq!(would(&project, options), expected, "{options:?}");
    }
}

#[test]
fn what_is_selected_goes_with_its_backup_and_is_counted() {
    let project = project();
    project.put_backup("months", checkpoint("before", "2026-08-01T00:00:00Z", &[]));
    let sizes = [
        project.checkpoint("months"),
        project.backup("months"),
        project.checkpoint("days"),
    ]
    .map(|path| fs::metadata(path).unwrap().len());
    let bytes: u64 = sizes.iter().sum();
    let dry = project.ckpt(["prune", "--done", "--dry-run"]).succeeds();
    assert!(dry.stdout.contains("days") && dry.stdout.contains("months"));
    assert_eq!(
        dry.stderr,
        format!("Would delete 2 checkpoints and free {bytes} bytes.\n")
    );
    let output = project.ckpt(["prune", "--done", "--yes"]).succeeds();
    assert_eq!(output.stdout, dry.stdout);
    assert_eq!(
        output.stderr,
        format!("Deleted 2 checkpoints and freed {bytes} bytes.\n")
    );
    assert_eq!(
        project.stored_names(),
        [".lock", "hour.json", "weeks.json", "years.json"]
    );
    let again = project.ckpt(["prune", "--done", "--yes"]).succeeds();
    assert_eq!(
        (again.stdout.as_str(), again.stderr.as_str()),
        ("", "Nothing to delete.\n")
    );
}

#[test]
fn the_json_says_what_went_and_what_was_freed() {
    let project = project();
    let size = fs::metadata(project.checkpoint("years")).unwrap().len();
    let json = project
        .ckpt(["prune", "--older-than", "1y", "--yes", "--json"])
        .succeeds()
        .stays_silent()
        .json();
    assert_eq!(
        json,
        json!({
            "dryRun": false,
            "checkpoints": [{
                "selector": "years", "goal": "years", "updatedAt": "2024-10-01T00:00:00.000Z", "age": "2y ago",
                "allTasksDone": false,
                "tasksDone": 0,
                "tasks": 1, "isCurrentSession": false, "fromBackup": false, "bytes": size,
            }],
            "drafts": [],
            "temporaryFiles": 0,
            "bytes": size,
            "warnings": [],
        })
    );
}

#[test]
fn the_current_sessions_own_never_goes_but_counts_among_the_newest() {
    let project = project();
    let own = ["prune", "--yes", "--session", "hour"];
    let with = |options: &[&str]| project.ckpt([&own[..], options].concat()).succeeds();
    with(&["--keep", "3"]);
    assert_eq!(
        project.stored_names(),
        [".lock", "days.json", "hour.json", "weeks.json"]
    );
    with(&["--keep", "0"]);
    assert_eq!(project.stored_names(), [".lock", "hour.json"]);
    let mut command = project.command(["prune", "--yes", "--keep", "0"]);
    command.env("CHECKPOINT_SESSION_IDS", "legacy");
    project.write(".claude-checkpoint", least("legacy").to_string());
    Output::of(&mut command).succeeds();
    assert!(project.path(".claude-checkpoint").exists());
    assert_eq!(project.stored_names(), [".lock"]);
}

#[test]
fn the_legacy_checkpoint_goes_like_any_other() {
    let project = Project::bare_folder();
    project.write(".claude-checkpoint", least("legacy").to_string());
    project.write(".claude-checkpoint.prev", least("before").to_string());
    project.write(".claude-checkpoint.notes", "mine");
    assert_eq!(pruned(&project, &["--keep", "0", "--yes"]), ["legacy"]);
    assert!(!project.path(".claude-checkpoint").exists());
    assert!(!project.path(".claude-checkpoint.prev").exists());
    assert_eq!(project.read(".claude-checkpoint.notes"), "mine");
}

#[test]
fn broken_is_what_neither_file_makes_a_checkpoint_and_nothing_else_unreadable() {
    let project = project();
    let good = least("good").to_string();
    for (session, main, backup) in [
        ("both", Some("{"), Some("")),
        ("main-only", Some("{\"version\": 1}"), None),
        ("backup-only", None, Some("[]")),
        ("orphan", None, Some(good.as_str())),
        ("saved-by-backup", Some("{"), Some(good.as_str())),
        ("newer", Some("{\"version\": 2}"), None),
        ("newer-backup", Some("{"), Some("{\"version\": 2}")),
    ] {
        if let Some(main) = main {
            project.put(session, main);
        }
        if let Some(backup) = backup {
            project.put_backup(session, backup);
        }
    }
    let mut broken = would(&project, &["--broken"]);
    broken.sort();
    assert_eq!(broken, ["backup-only", "both", "main-only"]);
    for file in [
        "both.json",
        "both.json.prev",
        "main-only.json",
        "backup-only.json.prev",
    ] {
        set_modified(&project.path(".claude-checkpoints").join(file), now());
    }
    let old = now() - Duration::from_secs(10 * 86_400);
    set_modified(&project.checkpoint("main-only"), old);
    assert_eq!(
        would(&project, &["--broken", "--older-than", "9d"]),
        ["main-only"]
    );
    assert_eq!(would(&project, &["--broken", "--done"]), [""; 0]);
    // What cannot be read goes by nothing but --broken; a backup that is left alone is a checkpoint.
    let rest = would(&project, &["--keep", "0"]);
    assert_eq!(rest.len(), 7);
    assert!(rest.contains(&"orphan".to_owned()) && rest.contains(&"saved-by-backup".to_owned()));
    assert_eq!(pruned(&project, &["--broken", "--yes"]).len(), 3);
    for gone in [
        "both.json",
        "both.json.prev",
        "main-only.json",
        "backup-only.json.prev",
    ] {
        assert!(
            !project.path(".claude-checkpoints").join(gone).exists(),
            "{gone}"
        );
    }
    assert!(project.checkpoint("newer").exists() && project.backup("newer-backup").exists());
}

#[test]
fn what_is_no_file_of_its_own_is_left_alone() {
    let project = project();
    let target = project.path("target.json");
    fs::write(&target, "{").unwrap();
    fs::create_dir_all(project.checkpoint("folder")).unwrap();
    project.put("with-link", checkpoint("g", "2020-01-01T00:00:00Z", &[]));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&target, project.checkpoint("link")).unwrap();
        std::os::unix::fs::symlink(&target, project.backup("with-link")).unwrap();
    }
    assert_eq!(would(&project, &["--broken"]), [""; 0]);
    #[cfg(unix)]
    {
        let output = project
            .ckpt(["prune", "--older-than", "5y", "--yes"])
            .exits(2)
            .errs("warning: checkpoint `with-link` was kept: `with-link.json.prev` is a symbolic link, which is refused\n");
        assert!(
            output
                .stderr
                .ends_with("\nNothing deleted.\nerror: 1 checkpoint could not be deleted\n"),
            "{}",
            output.stderr
        );
        assert!(project.checkpoint("with-link").exists());
    }
    assert!(target.exists());
}

#[test]
fn temporary_files_that_are_stale_go_and_no_others() {
    let project = project();
    let stale = now() - Duration::from_secs(2 * 60 * 60);
    let fresh = now() - Duration::from_secs(60);
    let id = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    let names = [
        format!(".claude-checkpoint.{id}.tmp"),
        format!(".claude-checkpoints/.claude-checkpoint.{id}.tmp"),
        ".claude-checkpoint.notes.tmp".to_owned(),
        ".claude-checkpoints/edit-mine.toml".to_owned(),
        ".claude-checkpoints/.claude-checkpoint.0f9c1a2b-3c4d-4e5f-8a6b-000000000000.tmp"
            .to_owned(),
    ];
    for name in &names {
        project.write(name, "12345");
        set_modified(&project.path(name), stale);
    }
    set_modified(&project.path(&names[4]), fresh);
    let options = ["prune", "--older-than", "100y"];
    project
        .ckpt([&options[..], &["--dry-run"]].concat())
        .succeeds()
        .errs("Would delete 2 temporary files and free 10 bytes.");
    let json = project
        .ckpt([&options[..], &["--yes", "--json"]].concat())
        .succeeds()
        .json();
    assert_eq!(
        (&json["temporaryFiles"], &json["bytes"]),
        (&json!(2), &json!(10))
    );
    let left: Vec<bool> = names
        .iter()
        .map(|name| project.path(name).exists())
        .collect();
    assert_eq!(left, [false, false, true, true, true]);
}

#[test]
fn off_a_terminal_it_needs_a_condition_and_a_yes() {
    let project = project();
    let before = project.stored_names();
    for options in [&["prune"][..], &["prune", "--yes"], &["prune", "--dry-run"]] {
        project
            .ckpt(options)
            .fails_with("no condition was given, and there is no terminal on which to choose; nothing was deleted")
            .errs("hint: name what should go, or pass --older-than AGE, --done, --keep N or --broken");
    }
    project
        .ckpt(["prune", "--done"])
        .fails_with("cannot ask for confirmation without a terminal; nothing was deleted")
        .errs("hint: pass --yes");
    for age in ["30", "d", "-3d", "1 parsec", ""] {
        project
            .ckpt(["prune", "--yes", &format!("--older-than={age}")])
            .exits(2)
            .errs("90m, 12h, 30d, 2w or 1y");
    }
    project
        .ckpt(["prune", "--yes", "--older-than", "19000y"])
        .exits(2);
    project
        .ckpt(["prune", "--done", "--yes", "--dry-run"])
        .exits(2);
    assert_eq!(project.stored_names(), before);
}

#[test]
fn a_folder_without_checkpoints_is_left_without_anything() {
    let project = Project::bare_folder();
    project
        .ckpt(["prune", "--done", "--yes"])
        .succeeds()
        .errs("Nothing to delete.");
    assert_eq!(fs::read_dir(project.root()).unwrap().count(), 0);
}

#[test]
fn where_nothing_is_to_go_nobody_has_to_be_asked() {
    let project = Project::bare_folder();
    project
        .ckpt(["prune", "--done"])
        .succeeds()
        .errs("Nothing to delete.");
    project.put("s1", least("g"));
    project
        .ckpt(["prune", "--done"])
        .succeeds()
        .errs("Nothing to delete.");
    project
        .ckpt(["prune", "--keep", "0"])
        .fails_with("cannot ask for confirmation without a terminal");
}

/// Files of the directory of the checkpoints, with their names alone in them, two hours old.
fn put_stale(project: &Project, names: &[&str]) {
    for name in names {
        let path = format!(".claude-checkpoints/{name}");
        project.write(&path, name);
        let stale = now() - Duration::from_secs(2 * 3600);
        set_modified(&project.path(&path), stale);
    }
}

fn are_there<const N: usize>(project: &Project, names: [&str; N]) -> [bool; N] {
    names.map(|name| project.path(".claude-checkpoints").join(name).exists())
}

#[test]
fn what_an_editor_and_an_edit_left_goes_once_the_text_itself_is_gone() {
    let project = project();
    let names = [
        "edit-1.toml~",
        ".edit-1.toml.swp",
        "edit-1.toml.held",
        "edit-2.toml~",
        "edit-2.toml",
        "mine.toml~",
    ];
    put_stale(&project, &names);
    let json = project
        .ckpt(["prune", "--older-than", "9y", "--yes", "--json"])
        .succeeds()
        .json();
    assert_eq!(json["temporaryFiles"], 3);
    assert_eq!(
        are_there(&project, names),
        [false, false, false, true, true, true]
    );
}

#[test]
fn the_text_of_an_edit_is_said_to_be_unredacted_and_goes_only_when_it_is_meant() {
    let project = project();
    let names = ["edit-1.toml", "edit-1.toml~", "edit-22.toml", "edit-3.toml"];
    put_stale(&project, &names);
    // This one may be open: it was written a moment ago.
    set_modified(&project.path(".claude-checkpoints/edit-3.toml"), now());
    for options in [
        &["--done"][..],
        &["--keep", "0"],
        &["--older-than", "3h"],
        &["--broken", "--older-than", "3h"],
        &["--broken", "--done"],
        &["hour"],
    ] {
        let json = project
            .ckpt([&["prune", "--json", "--dry-run"], options].concat())
            .succeeds()
            .json();
        assert_eq!(json["drafts"], json!([]), "{options:?}");
    }
    for options in [&["--broken"][..], &["--older-than", "1h"]] {
        let json = project
            .ckpt([&["prune", "--json", "--dry-run"], options].concat())
            .succeeds()
            .json();
        let drafts = json!([
            {"name": "edit-22.toml", "age": "2h ago", "bytes": 12},
            {"name": "edit-1.toml", "age": "2h ago", "bytes": 23},
        ]);
        assert_eq!(json["drafts"], drafts, "{options:?}");
    }
    let listed = project.ckpt(["prune", "--broken", "--dry-run"]).succeeds();
    assert_eq!(
        listed.stderr,
        "Would delete 2 unwritten edits and free 35 bytes.\n"
    );
    for said in [
        "edit-1.toml",
        "an edit that was not written",
        "not redacted",
    ] {
        assert!(listed.stdout.contains(said), "{}", listed.stdout);
    }
    project
        .ckpt(["prune", "edit-3.toml", "--yes"])
        .fails_with("`edit-3.toml` may still be open in an editor; nothing was deleted")
        .errs("hint: close the editor first");
    assert_eq!(are_there(&project, names), [true; 4]);
    project
        .ckpt(["prune", "edit-2", "days", "--yes"])
        .succeeds()
        .errs("Deleted 1 checkpoint and 1 unwritten edit and freed ");
    assert_eq!(are_there(&project, names), [true, true, false, true]);
    project
        .ckpt(["prune", "--broken", "--yes"])
        .succeeds()
        .errs("Deleted 1 unwritten edit and freed 23 bytes.\n");
    assert_eq!(are_there(&project, names), [false, false, false, true]);
}

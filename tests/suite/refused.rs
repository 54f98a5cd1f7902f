//! Links and special files in the place of what is the store's own are refused (docs/contract.md, section 4).
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::harness::Project;
use crate::harness::files::least;

const LEGACY: [(&str, &str); 1] = [("CHECKPOINT_SESSION_IDS", "legacy")];

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// What can stand where a regular file belongs.
const SPECIAL: [&str; 5] = [
    "link",
    "absolute link",
    "dangling link",
    "fifo",
    "directory",
];

fn put_special(kind: &str, path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let target = path.with_file_name("target.txt");
    fs::write(&target, least("behind the link").to_string()).unwrap();
    match kind {
        "link" => symlink("target.txt", path).unwrap(),
        "absolute link" => symlink(&target, path).unwrap(),
        "dangling link" => symlink("absent.txt", path).unwrap(),
        "fifo" => mkfifo(path),
        _ => fs::create_dir(path).unwrap(),
    }
}

fn fault(kind: &str) -> &'static str {
    if kind.contains("link") {
        "symbolic link"
    } else {
        "not a regular file"
    }
}

#[track_caller]
fn assert_untouched(kind: &str, path: &Path) {
    let kept = fs::symlink_metadata(path).unwrap().file_type();
    assert!(!kept.is_file(), "{kind} was replaced");
    let target = fs::read_to_string(path.with_file_name("target.txt")).unwrap();
    assert_eq!(target, least("behind the link").to_string());
    assert!(!path.with_file_name("absent.txt").exists());
}

#[test]
fn a_checkpoint_that_is_no_regular_file_is_neither_read_nor_replaced() {
    for kind in SPECIAL {
        let project = Project::bare_folder();
        let path = project.checkpoint("s1");
        put_special(kind, &path);
        project.ckpt(["load", "s1"]).fails_with(fault(kind));
        project
            .try_save("s1", &json!({"goal": "g"}))
            .fails_with(fault(kind));
        project
            .try_save("s1", &json!({"goal": "g", "mode": "merge"}))
            .fails_with(fault(kind));
        let list = project
            .ckpt(["list", "--json"])
            .succeeds()
            .errs(fault(kind));
        assert_eq!(list.json()["total"], 1);
        assert_untouched(kind, &path);
        assert!(!project.backup("s1").exists());
    }
}

#[test]
fn a_legacy_checkpoint_that_is_no_regular_file_is_neither_read_nor_replaced() {
    for kind in SPECIAL {
        let project = Project::bare_folder();
        let path = project.path(".claude-checkpoint");
        put_special(kind, &path);
        project.ckpt(["load", "legacy"]).fails_with(fault(kind));
        project
            .ckpt_with(&LEGACY, ["save", "--goal", "g"])
            .fails_with(fault(kind));
        assert_untouched(kind, &path);
    }
}

#[test]
fn a_backup_that_is_no_regular_file_is_neither_read_nor_replaced() {
    for kind in SPECIAL {
        let project = Project::bare_folder();
        let path = project.backup("s1");
        put_special(kind, &path);
        project.put("s1", "{");
        project
            .ckpt(["load", "s1"])
            .fails_with("`s1.json.prev`")
            .errs(fault(kind));
        project.put("s1", least("good"));
        let before = project.snapshot();
        project
            .try_save("s1", &json!({"goal": "g"}))
            .fails_with(fault(kind))
            .errs("`s1.json.prev`")
            .errs("hint: the file was left as it is; move it away");
        assert_eq!(project.snapshot(), before);
        assert_untouched(kind, &path);
    }
}

#[test]
fn a_lock_that_is_no_regular_file_is_refused() {
    for kind in SPECIAL {
        let project = Project::bare_folder();
        let path = project.path(".claude-checkpoints/.lock");
        put_special(kind, &path);
        project
            .try_save("s1", &json!({"goal": "g"}))
            .fails_with(fault(kind))
            .errs("`.lock`")
            .errs("hint: move it away");
        assert_untouched(kind, &path);
        assert_eq!(project.stored_names(), [".lock", "target.txt"]);
    }
}

#[test]
fn a_directory_of_checkpoints_that_is_none_is_refused() {
    for kind in ["link", "absolute link", "dangling link", "fifo", "file"] {
        let project = Project::bare_folder();
        let (path, elsewhere) = (
            project.path(".claude-checkpoints"),
            project.path("elsewhere"),
        );
        project.write("elsewhere/s1.json", least("elsewhere").to_string());
        match kind {
            "link" => symlink("elsewhere", &path).unwrap(),
            "absolute link" => symlink(&elsewhere, &path).unwrap(),
            "dangling link" => symlink(project.path("absent"), &path).unwrap(),
            "fifo" => mkfifo(&path),
            _ => fs::write(&path, "").unwrap(),
        }
        let fault = if kind.contains("link") {
            "symbolic link"
        } else {
            "not a directory"
        };
        for arguments in [
            &["save", "--goal", "g"][..],
            &["load"],
            &["load", "s1"],
            &["list"],
        ] {
            project
                .ckpt([arguments, &["--session", "s1"]].concat())
                .fails_with(fault)
                .errs(".claude-checkpoints");
        }
        project
            .ckpt_with(&LEGACY, ["save", "--goal", "g"])
            .fails_with(fault);
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1, "{kind}");
        assert!(!project.path("absent").exists());
    }
}

#[test]
fn a_link_to_a_checkpoint_gives_way_to_a_good_backup() {
    let project = Project::bare_folder();
    put_special("link", &project.checkpoint("s1"));
    project.put_backup("s1", least("the backup's goal"));
    let loaded = project.load("s1");
    assert_eq!(loaded["fromBackup"], true);
    assert!(
        loaded["text"]
            .as_str()
            .unwrap()
            .contains("the backup's goal")
    );
}

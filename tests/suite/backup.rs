//! The backup: when it serves, and what never takes its place (docs/contract.md, section 4).

use std::fs;

use serde_json::json;

use crate::harness::Project;
use crate::harness::files::{least, with};

const GARBAGE: &str = "{\"version\": 1, \"goal\"";

#[test]
fn the_previous_checkpoint_becomes_the_backup_byte_for_byte() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "one"}));
    assert_eq!(project.stored_names(), [".lock", "s1.json"]);
    let first = fs::read(project.checkpoint("s1")).unwrap();
    project.save("s1", json!({"goal": "two"}));
    assert_eq!(fs::read(project.backup("s1")).unwrap(), first);
    let second = fs::read(project.checkpoint("s1")).unwrap();
    project.save("s1", json!({"goal": "three", "mode": "merge"}));
    assert_eq!(fs::read(project.backup("s1")).unwrap(), second);
    assert_eq!(project.stored_names(), [".lock", "s1.json", "s1.json.prev"]);
}

/// What a main file can be that cannot be used, with a word of the fault that is told.
fn unusable() -> Vec<(Option<String>, &'static str)> {
    vec![
        (None, "missing"),
        (Some(String::new()), "not valid JSON"),
        (Some(GARBAGE.to_owned()), "not valid JSON"),
        (Some("\0".repeat(700)), "not valid JSON"),
        (Some("[]".to_owned()), "version"),
        (
            Some(json!({"goal": {"primary": "g"}}).to_string()),
            "version",
        ),
        (Some(json!({"version": 1}).to_string()), "not a checkpoint"),
        (
            Some(with(least("g"), json!({"version": 2})).to_string()),
            "format version 2",
        ),
        (Some(" ".repeat((1 << 20) + 1)), "larger than"),
    ]
}

#[test]
fn a_main_file_that_cannot_be_used_falls_back_to_the_backup_and_says_so() {
    for (main, fault) in unusable() {
        let project = Project::bare_folder();
        project.put_backup("s1", least("the backup's goal"));
        if let Some(main) = main {
            project.put("s1", main);
        }
        let before = project.snapshot();
        let loaded = project.load("s1");
        assert_eq!(loaded["fromBackup"], true, "{fault}");
        assert!(loaded["warnings"].to_string().contains(fault), "{loaded}");
        let text = loaded["text"].as_str().unwrap();
        assert!(
            text.contains("backup") && text.contains("the backup's goal"),
            "{text}"
        );

        let list = project
            .ckpt(["list", "--json"])
            .succeeds()
            .errs(fault)
            .json();
        assert_eq!(list["entries"][0]["fromBackup"], true);
        assert_eq!(list["entries"][0]["goal"], "the backup's goal");
        assert!(list["warnings"][0].as_str().unwrap().contains(fault));
        assert_eq!(project.snapshot(), before);
    }
}

#[test]
fn a_good_main_file_is_taken_whatever_the_backup_is() {
    let project = Project::bare_folder();
    project.put("s1", least("main"));
    project.put_backup("s1", GARBAGE);
    let loaded = project.load("s1");
    assert_eq!(loaded["fromBackup"], false);
    assert_eq!(loaded["warnings"], json!([]));
}

#[test]
fn where_both_files_are_bad_the_error_names_both_faults_and_nothing_is_deleted() {
    for (main, main_fault) in unusable() {
        for (backup, backup_fault) in unusable() {
            let project = Project::bare_folder();
            let (Some(main), Some(backup)) = (&main, backup) else {
                continue;
            };
            project.put("s1", main);
            project.put_backup("s1", backup);
            let before = project.snapshot();
            project
                .ckpt(["load", "s1"])
                .fails_with("`s1.json` is ")
                .errs(main_fault)
                .errs("`s1.json.prev` is ")
                .errs(backup_fault);
            assert_eq!(project.snapshot(), before);
        }
    }
}

#[test]
fn a_bad_main_file_without_a_backup_is_an_error_that_says_so() {
    let project = Project::bare_folder();
    project.put("s1", GARBAGE);
    project
        .ckpt(["load", "s1"])
        .fails_with("`s1.json` is not valid JSON")
        .errs("`s1.json.prev` is missing");
}

#[test]
fn a_corrupt_main_file_never_replaces_a_good_backup() {
    for mode in ["replace", "merge"] {
        let project = Project::bare_folder();
        project.put("s1", GARBAGE);
        project.put_backup("s1", with(least("backup"), json!({"decisions": ["kept"]})));
        let backup = fs::read(project.backup("s1")).unwrap();
        let saved = project
            .save("s1", json!({"goal": "new", "mode": mode}))
            .json();
        assert!(
            saved["warnings"].to_string().contains("not valid JSON"),
            "{saved}"
        );
        assert_eq!(fs::read(project.backup("s1")).unwrap(), backup);
        let expected = if mode == "merge" {
            json!(["kept"])
        } else {
            json!([])
        };
        assert_eq!(project.saved("s1")["decisions"], expected);
    }
}

#[test]
fn a_save_without_a_main_file_leaves_the_backup_as_it_is() {
    let project = Project::bare_folder();
    project.put_backup("s1", least("backup"));
    let backup = fs::read(project.backup("s1")).unwrap();
    project.save("s1", json!({"goal": "new"}));
    assert_eq!(fs::read(project.backup("s1")).unwrap(), backup);
    assert_eq!(project.saved("s1")["goal"]["primary"], "new");
}

#[test]
fn a_backup_that_cannot_be_read_is_moved_into_the_history_and_that_is_said() {
    for (content, fault) in unusable() {
        let Some(content) = content.filter(|_| !fault.contains("version 2")) else {
            continue;
        };
        let project = Project::bare_folder();
        for goal in ["one", "two", "three"] {
            project.save("s1", json!({"goal": goal}));
        }
        let before = project.history("s1");
        project.put_backup("s1", &content);
        let saved = project.save("s1", json!({"goal": "four"})).json();
        let warning = saved["warnings"][0].as_str().unwrap();
        assert!(
            warning.starts_with("the backup `s1.json.prev` is ") && warning.contains(fault),
            "{warning}"
        );
        let moved = project.history("s1");
        let moved: Vec<_> = moved.iter().filter(|it| !before.contains(it)).collect();
        let [moved] = moved[..] else {
            panic!("{moved:?}")
        };
        assert!(before.iter().all(|earlier| earlier.exists()), "{fault}");
        assert_eq!(fs::read_to_string(moved).unwrap(), content, "{fault}");
        let name = moved.file_name().unwrap().to_str().unwrap();
        assert!(warning.contains(name), "{warning}");
        let backup = fs::read_to_string(project.backup("s1")).unwrap();
        assert!(backup.contains("three"), "{backup}");
        let again = project.save("s1", json!({"goal": "five"})).json();
        assert_eq!(again["warnings"], json!([]), "{fault}");
        assert!(moved.exists(), "{fault}");
    }
}

#[test]
fn a_backup_of_another_version_is_never_overwritten() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "first"}));
    let backup = format!("{}.prev", project.checkpoint("s1").display());
    std::fs::write(&backup, "{\"version\": 2}").unwrap();
    let refused = project.try_save("s1", &json!({"goal": "second"}));
    refused.fails_with("could not save: `s1.json.prev` is of format version 2");
    assert_eq!(
        std::fs::read_to_string(&backup).unwrap(),
        "{\"version\": 2}"
    );
    assert_eq!(project.saved("s1")["goal"]["primary"], "first");
}

#[cfg(unix)]
#[test]
fn every_fault_of_a_file_makes_a_sentence() {
    let large = " ".repeat((1 << 20) + 1);
    let link = "is a symbolic link, which is refused";
    type Make = fn(&std::path::Path, &str);
    let cases: [(Make, &str); 5] = [
        (
            |path, large| fs::write(path, large).unwrap(),
            "is larger than 1048576 bytes, so it is not a checkpoint",
        ),
        (
            |path, _| fs::create_dir(path).unwrap(),
            "is not a regular file, which is refused",
        ),
        (
            |path, _| std::os::unix::fs::symlink("/dev/null", path).unwrap(),
            link,
        ),
        (
            |path, _| fs::write(path, "[]").unwrap(),
            "is not a checkpoint (no field `version`)",
        ),
        (
            |path, _| fs::write(path, r#"{"version": 2}"#).unwrap(),
            "is of format version 2, and this ckpt reads only version 1",
        ),
    ];
    for (make, fault) in cases {
        let project = Project::bare_folder();
        project.put("other", least("other"));
        make(&project.checkpoint("s1"), &large);
        project.ckpt(["load", "s1"]).fails_with(&format!(
            "can be used: `s1.json` {fault}; `s1.json.prev` is missing\n"
        ));
        make(&project.backup("s1"), &large);
        for arguments in [
            &["list"][..],
            &["prune", "--done", "--dry-run"],
            &["diff", "s1", "other"],
        ] {
            project.ckpt(arguments).errs(&format!(
                "can be used: `s1.json` {fault}; `s1.json.prev` {fault}\n"
            ));
        }
        fs::remove_file(project.backup("s1"))
            .or_else(|_| fs::remove_dir(project.backup("s1")))
            .unwrap();
        project.put_backup("s1", least("the backup's goal"));
        for (arguments, subject) in [
            (&["load", "s1"][..], "its main file"),
            (&["list"], "its main file"),
            (&["prune", "--done", "--dry-run"], "its main file"),
            (&["diff", "s1", "other"], "its main file"),
        ] {
            let output = project.ckpt(arguments).succeeds();
            let said = output.stdout + &output.stderr;
            assert!(
                said.replace('\\', "")
                    .contains(&format!("{subject} {fault}\n")),
                "{said}"
            );
        }
        if fault.contains("no field") {
            continue;
        }
        project
            .ckpt(["save", "--goal", "g", "--session", "s1"])
            .fails_with(&format!("could not save: `s1.json` {fault}\n"));
    }
}

//! What is dropped to stay within the limits of a file and of its lists (docs/contract.md, section 5).

use std::fs;

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};

const LIMIT: u64 = 65_536;

/// Texts that together are far over the limit of a file: 50 commands and 100 files, some with a note.
fn too_much() -> Value {
    let commands: Vec<Value> = (0..50)
        .map(|n| json!({"command": format!("{n} {}", "c".repeat(900)), "note": "n".repeat(300)}))
        .collect();
    let files: Vec<Value> = (0..100)
        .map(|n| {
            let path = format!("{n:03}/{}", "p".repeat(200));
            if n % 2 == 0 {
                json!({"path": path})
            } else {
                json!({"path": path, "note": "why"})
            }
        })
        .collect();
    json!({"goal": "g", "summary": "s".repeat(4_000), "recentCommands": commands, "modifiedFiles": files})
}

#[test]
fn a_file_over_its_limit_drops_its_oldest_commands_first() {
    let project = Project::bare_folder();
    let saved = project.save("s1", too_much());
    let bytes = fs::metadata(project.checkpoint("s1")).unwrap().len();
    assert!(bytes <= LIMIT && bytes > LIMIT - 2_000, "{bytes}");
    let file = project.saved("s1");
    let commands = file["recentCommands"].as_array().unwrap();
    assert!((1..50).contains(&commands.len()), "{}", commands.len());
    for (command, number) in commands.iter().rev().zip((0..50).rev()) {
        let command = command["command"].as_str().unwrap();
        assert!(command.starts_with(&format!("{number} ")), "{command}");
    }
    assert_eq!(file["modifiedFiles"].as_array().unwrap().len(), 100);
    assert_eq!(file["meta"]["truncated"], true);
    let saved = saved.json();
    assert_eq!(saved["bytes"], bytes);
    assert_eq!(saved["counts"]["recentCommands"], commands.len());
    assert!(
        saved["warnings"].to_string().contains("65536 bytes"),
        "{saved}"
    );
}

#[test]
fn after_the_commands_the_files_without_a_note_are_dropped() {
    let project = Project::bare_folder();
    let more = json!({
        "decisions": (10..30).map(|n| format!("{n}{}", "😀".repeat(490))).collect::<Value>(),
    });
    project.save("s1", with(too_much(), more));
    let file = project.saved("s1");
    assert_eq!(file["recentCommands"], json!([]));
    let (with_note, without): (Vec<&Value>, Vec<&Value>) = file["modifiedFiles"]
        .as_array()
        .unwrap()
        .iter()
        .partition(|file| file.get("note").is_some());
    assert_eq!(with_note.len(), 50);
    assert!(without.len() < 50, "{}", without.len());
    assert!(fs::metadata(project.checkpoint("s1")).unwrap().len() <= LIMIT);
    assert_eq!(file["meta"]["truncated"], true);
}

#[test]
fn what_does_not_fit_even_then_is_an_error_and_nothing_is_written() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "before"}));
    let before = project.snapshot();
    let long: Value = (10..30)
        .map(|n| format!("{n}{}", "😀".repeat(498)))
        .collect();
    project
        .try_save(
            "s1",
            &json!({"goal": "g", "decisions": long, "nextSteps": long}),
        )
        .fails_with("65536");
    assert_eq!(project.snapshot(), before);
}

#[test]
fn a_merge_that_grows_a_list_past_its_cap_drops_the_oldest_and_says_so() {
    let numbered = |range: std::ops::Range<usize>| -> Vec<String> {
        range.map(|n| format!("entry {n}")).collect()
    };
    for (list, pointer, key, cap) in [
        ("tasks", "/goal/tasks", Some("description"), 30),
        ("decisions", "/decisions", None, 20),
        ("recentCommands", "/recentCommands", Some("command"), 50),
    ] {
        let entries = |range| -> Value {
            let texts = numbered(range).into_iter();
            match key {
                Some(key) => texts.map(|text| json!({key: text})).collect(),
                None => texts.collect(),
            }
        };
        let project = Project::bare_folder();
        let save = |range| {
            let saved = project.save(
                "s1",
                json!({"goal": "g", "mode": "merge", list: entries(range)}),
            );
            saved.json()["warnings"].to_string()
        };
        save(0..cap - 1);
        // Full is not over.
        let warnings = save(cap - 1..cap);
        assert_eq!(warnings, "[]");
        assert_eq!(project.saved("s1")["meta"]["truncated"], false);

        let warnings = save(cap..cap + 3);
        assert!(warnings.contains(&format!("`{list}`")), "{warnings}");
        let file = project.saved("s1");
        assert_eq!(file["meta"]["truncated"], true);
        let left: Vec<&str> = file
            .pointer(pointer)
            .unwrap()
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| key.map_or(entry, |key| &entry[key]).as_str().unwrap())
            .collect();
        assert_eq!(left, numbered(3..cap + 3));
    }
}

#[test]
fn a_merge_into_a_file_over_the_caps_brings_it_under_them() {
    let project = Project::bare_folder();
    let decisions: Value = (0..40).map(|n| format!("entry {n}")).collect();
    project.put("s1", with(least("g"), json!({"decisions": decisions})));
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    let file = project.saved("s1");
    assert_eq!(file["decisions"].as_array().unwrap().len(), 20);
    assert_eq!(file["decisions"][19], "entry 39");
    assert_eq!(file["meta"]["truncated"], true);
}

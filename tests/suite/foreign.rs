//! Files of other programs, of later versions and of other sessions: kept, refused or told apart.

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};

/// An unknown field at every level of the format. What describes the program that wrote the file, or the
/// repository as it was then, is made anew by a save, and is not among them.
fn with_unknown_fields() -> Value {
    with(
        least("g"),
        json!({
            "later": {"deep": [1, {"x": null}]},
            "project": {"name": "p", "later": [2]},
            "goal": {"primary": "g", "later": 4.5, "tasks": [{"description": "t", "status": "pending", "later": 5}]},
            "modifiedFiles": [{"path": "a", "later": true}],
            "recentCommands": [{"command": "c", "at": "2026-10-08T02:00:00.000Z", "later": {}}],
            "meta": {"redactions": 0, "truncated": false, "later": "ü"},
        }),
    )
}

#[test]
fn unknown_fields_survive_a_merge_at_every_level() {
    let project = Project::bare_folder();
    let before = with_unknown_fields();
    project.put("s1", &before);
    for _ in 0..2 {
        project.save(
            "s1",
            json!({"mode": "merge", "tasks": [{"description": "t", "status": "done"}]}),
        );
    }
    let after = project.saved("s1");
    for place in [
        "/later",
        "/project/later",
        "/goal/later",
        "/goal/tasks/0/later",
        "/modifiedFiles/0/later",
        "/recentCommands/0/later",
        "/meta/later",
    ] {
        let kept = after.pointer(place);
        assert_eq!(kept, before.pointer(place), "{place} in {after}");
    }
    assert_eq!(after["goal"]["tasks"][0]["status"], "done");
}

#[test]
fn unknown_numbers_survive_exactly() {
    let project = Project::bare_folder();
    // The shortest text of a number is its exact one; not every parser gives it back.
    let numbers = "[0.1, 1e-7, 123456.789e100, 9007199254740993, -0.0, 18446744073709551615, 2.2250738585072011e-308]";
    let file = least("g")
        .to_string()
        .replacen('{', &format!("{{\"later\": {numbers},"), 1);
    project.put("s1", file);
    project.save("s1", json!({"mode": "merge"}));
    let once = project.saved("s1")["later"].to_string();
    assert_eq!(
        once,
        "[0.1,1e-7,1.23456789e+105,9007199254740993,-0.0,18446744073709551615,2.225073858507201e-308]"
    );
    project.save("s1", json!({"mode": "merge"}));
    assert_eq!(project.saved("s1")["later"].to_string(), once);
}

#[test]
fn half_a_character_of_another_program_is_no_reason_to_lose_a_file() {
    let project = Project::bare_folder();
    let halves = [r"\ud83d", r"\ude00", r"a\uD83Db", r"\ud83d\ud83d\ude00"];
    for half in halves {
        let file = least("HALF").to_string().replace("HALF", half);
        project.put("s1", &file);
        let load = project.load("s1");
        assert_eq!(
            (&load["fromBackup"], &load["warnings"]),
            (&json!(false), &json!([])),
            "{half}"
        );
        assert!(
            load["text"].as_str().unwrap().contains('\u{fffd}'),
            "{load}"
        );
        project
            .save("s1", json!({"mode": "merge", "decisions": ["d"]}))
            .stays_silent();
        assert_eq!(project.saved("s1")["decisions"], json!(["d"]));
    }
}

#[test]
fn a_session_whose_id_differs_in_case_alone_never_gets_anothers_checkpoint() {
    // As a file system that ignores case has it: one file answers to both names.
    let project = Project::bare_folder();
    let theirs = with(least("theirs"), json!({"sessionId": "ABC"}));
    for (name, file) in [
        ("main", ".claude-checkpoints/abc.json"),
        ("backup", ".claude-checkpoints/abc.json.prev"),
    ] {
        let project = Project::bare_folder();
        project.write(file, theirs.to_string());
        let before = project.snapshot();
        for mode in ["replace", "merge"] {
            project
                .try_save("abc", &json!({"goal": "mine", "mode": mode}))
                .fails_with("session `ABC`, whose id differs in case alone");
        }
        project
            .ckpt(["load", "--session", "abc"])
            .fails_with("session `ABC`");
        assert_eq!(project.snapshot(), before, "{name}");
    }
    project.put("ABC", &theirs);
    assert_eq!(project.load("ABC")["warnings"], json!([]));
    project.save("ABC", json!({"goal": "theirs again"}));
}

#[test]
fn a_file_that_says_it_is_another_sessions_is_warned_of() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    std::fs::copy(project.checkpoint("s1"), project.checkpoint("s2")).unwrap();
    let warning = "the file of checkpoint `s2` says that it is session `s1`'s";
    assert_eq!(project.load("s2")["warnings"], json!([warning]));
    project
        .save("s2", json!({"goal": "g", "mode": "merge"}))
        .errs(warning);
    assert_eq!(project.load("s2")["warnings"], json!([]));
    project.save("s2", json!({"goal": "g"})).stays_silent();
}

#[test]
fn what_is_nearly_json_is_an_error_and_never_a_panic() {
    let deep = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    let least = least("g").to_string();
    let beside = |text: &str| least.replacen('{', &format!("{{\"later\": {text},"), 1);
    for (file, is_read) in [
        (least.replace(',', ",\r\n\t"), true),
        (format!("\u{feff}{least}"), true),
        (beside(&deep(100)), true),
        (beside(&deep(100_000)), false),
        (beside("1e999"), true),
        (beside(&"9".repeat(5_000)), true),
        (beside("-"), false),
        (beside("\"\\u0000\""), true),
        (beside("\"\u{0}\""), false),
        (beside("NaN"), false),
        (beside("1, \"goal\": 1"), true),
        (format!("{least}{least}"), false),
        (format!("{least}\u{0}"), false),
        (format!("\u{feff}\u{feff}{least}"), false),
    ] {
        let project = Project::bare_folder();
        project.put("s1", &file);
        let load = project.ckpt(["load", "s1"]);
        assert_eq!(load.status == 0, is_read, "{file:.80}: {}", load.stderr);
        assert!(!load.stderr.contains("panicked"), "{}", load.stderr);
        let saved = project.try_save("s1", &json!({"goal": "new"}));
        assert!(!saved.stderr.contains("panicked"), "{}", saved.stderr);
        assert_eq!(
            saved.stderr.contains("was replaced"),
            !is_read,
            "{file:.80}"
        );
        project.ckpt(["list"]).succeeds();
    }
    let project = Project::bare_folder();
    project.write(
        ".claude-checkpoints/s1.json",
        [least.as_bytes(), b"\xff"].concat(),
    );
    project.ckpt(["load", "s1"]).fails_with("not valid JSON");
}

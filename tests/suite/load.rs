//! What a load finds, and what it never picks by itself (docs/contract.md, section 10).

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};
use crate::harness::golden::assert_golden;
use crate::harness::mcp::Server;

/// A checkpoint of a given age in minutes, counted from the time that tests see.
fn aged(goal: &str, minutes: u32) -> Value {
    let at = format!(
        "2026-10-08T{:02}:{:02}:00Z",
        1 - minutes / 60,
        59 - minutes % 60
    );
    with(least(goal), json!({"createdAt": at, "updatedAt": at}))
}

/// Three sessions, oldest last by name and first by time, and the legacy file.
fn others() -> Project {
    let project = Project::bare_folder();
    project.put("aaaa", aged("oldest", 40));
    project.put(
        "bbbb",
        with(
            aged("newest", 5),
            json!({"git": {"branch": "topic", "head": "abc"}}),
        ),
    );
    project.put("cccc", aged("middle", 20));
    project.write(".claude-checkpoint", aged("legacy goal", 30).to_string());
    project
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn nothing_at_all_is_a_message_and_no_error() {
    let project = Project::bare_folder();
    let output = project.ckpt(["load"]).exits(1).errs("Nothing to resume");
    assert_eq!(output.stdout, "");
    let outcome = project.ckpt(["load", "--json"]).exits(1).stays_silent();
    assert_golden("load_nothing.json", &outcome.stdout);
    project
        .ckpt(["load", "--latest"])
        .exits(1)
        .errs("Nothing to resume");
    project
        .ckpt(["load", "--session", "s1"])
        .exits(1)
        .errs("Nothing to resume");
}

#[test]
fn without_an_own_checkpoint_the_others_are_offered_newest_first() {
    let project = others();
    for arguments in [&["load"][..], &["load", "--session", "mine"]] {
        let output = project.ckpt(arguments).exits(1);
        assert_eq!(output.stdout, "");
        assert_golden("load_candidates.txt", &output.stderr);
        let output = project.ckpt([arguments, &["--json"]].concat()).exits(1);
        assert_golden("load_candidates.json", &output.stdout);
    }
}

#[test]
fn it_never_picks_one_even_where_there_is_only_one() {
    let project = Project::bare_folder();
    project.put("only", least("the goal of the only one"));
    let outcome = project.ckpt(["load", "--json"]).exits(1).json();
    assert_eq!(outcome["found"], false);
    assert_eq!(outcome["total"], 1);
    assert!(outcome["text"].as_str().unwrap().contains("Ask the user"));
    project.write(".claude-checkpoint", least("legacy").to_string());
    let outcome = project
        .ckpt(["load", "--json", "--session", "s1"])
        .exits(1)
        .json();
    assert_eq!(outcome["total"], 2);
}

#[test]
fn at_most_ten_candidates_are_offered_and_the_rest_counted() {
    let project = Project::bare_folder();
    for (count, omitted) in [(10, 0), (13, 3)] {
        for number in 0..count {
            project.put(&format!("s{number:02}"), aged("g", number));
        }
        let outcome = project.ckpt(["load", "--json"]).exits(1).json();
        let candidates = outcome["candidates"].as_array().unwrap();
        assert_eq!(candidates.len(), 10);
        assert_eq!(candidates[0]["selector"], "s00");
        assert_eq!(candidates[9]["selector"], "s09");
        assert_eq!(outcome["total"], count);
        assert_eq!(outcome["omitted"], omitted);
        let text = outcome["text"].as_str().unwrap();
        assert_eq!(text.contains("and 3 more"), omitted > 0, "{text}");
        assert_eq!(text.contains("`limit`: 0"), omitted > 0, "{text}");
        let table = project.ckpt(["load"]).exits(1).stderr;
        assert_eq!(table.contains("hint: 3 more"), omitted > 0, "{table}");
    }
}

#[test]
fn an_unreadable_candidate_is_offered_last_with_a_warning() {
    let project = others();
    project.put("dddd", "{");
    let outcome = project.ckpt(["load", "--json"]).exits(1).json();
    let last = outcome["candidates"].as_array().unwrap().last().unwrap();
    assert_eq!(last["selector"], "dddd");
    assert!(outcome["warnings"][0].as_str().unwrap().contains("`dddd`"));
    assert!(outcome["text"].as_str().unwrap().contains("Warning: "));
}

#[test]
fn the_own_checkpoint_is_loaded_without_a_hint() {
    let project = others();
    let outcome = project.load("aaaa");
    assert_eq!(
        keys(&outcome),
        [
            "text",
            "found",
            "path",
            "fromBackup",
            "updatedAt",
            "drift",
            "warnings"
        ]
    );
    assert_eq!(outcome["found"], true);
    assert_eq!(
        outcome["path"],
        project.checkpoint("aaaa").display().to_string()
    );
    assert_eq!(outcome["updatedAt"], "2026-10-08T01:19:00.000Z");
    let text = outcome["text"].as_str().unwrap();
    assert!(text.starts_with("# Resuming: "), "{text}");
    // Named by its selector it is the own one still.
    let named = project
        .ckpt(["load", "aaaa", "--session", "aaaa", "--json"])
        .json();
    assert_eq!(named, outcome);
}

#[test]
fn anothers_checkpoint_comes_with_the_hint_as_the_briefs_first_line() {
    let project = others();
    for arguments in [
        &["load", "cccc"][..],
        &["load", "cccc", "--session", "aaaa"],
    ] {
        let outcome = project
            .ckpt([arguments, &["--json"]].concat())
            .succeeds()
            .json();
        let hint = outcome["resumeHint"].as_str().unwrap();
        assert!(
            hint.contains("`resumedFrom`") && hint.contains("\"cccc\""),
            "{hint}"
        );
        let text = outcome["text"].as_str().unwrap();
        assert_eq!(text.lines().next().unwrap(), hint);
        assert!(text.contains("\n\n# Resuming: "), "{text}");
        // Only an agent has use for it.
        let told = project.ckpt(arguments).succeeds().stdout;
        assert!(told.starts_with("# Resuming: "), "{told}");
    }
    let outcome = project.ckpt(["load", "legacy", "--json"]).succeeds().json();
    assert!(
        outcome["resumeHint"]
            .as_str()
            .unwrap()
            .contains("\"legacy\"")
    );
}

#[test]
fn an_unknown_selector_is_an_error_that_lists_what_exists() {
    let project = others();
    let output = project.ckpt(["load", "nowhere"]).fails_with("`nowhere`");
    for selector in ["bbbb", "cccc", "legacy", "aaaa"] {
        assert!(
            output.stderr.contains(&format!("`{selector}`")),
            "{}",
            output.stderr
        );
    }
    project
        .ckpt(["load", "nowhere", "--json"])
        .fails_with("`nowhere`");
    Project::bare_folder()
        .ckpt(["load", "nowhere"])
        .fails_with("`nowhere`");
    Project::bare_folder()
        .ckpt(["load", "legacy"])
        .fails_with("`legacy`");
}

#[test]
fn a_person_is_told_of_selectors_as_they_type_them_and_an_agent_of_whole_ones() {
    let uuid = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    let project = Project::bare_folder();
    for session in ["77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b", uuid] {
        project.put(session, least("g"));
    }
    for command in ["load", "diff", "edit"] {
        let output = project.ckpt([command, "nowhere"]).exits(2);
        output.errs("\nhint: name one of those that exist: `0f9c1a2b`, `77aa01ce`\n");
    }
    let mut server = Server::open(&project, json!({}));
    let refused = server.call("load_session_checkpoint", json!({"checkpoint": "0f9"}));
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(text.contains(&format!("`{uuid}`")), "{text}");
    server.close();
}

#[test]
fn a_start_that_names_several_or_none_is_told_so() {
    let project = Project::bare_folder();
    let common = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2";
    for last in ["b", "c"] {
        project.put(&format!("{common}{last}"), least("g"));
    }
    project.put("0f9c7777-3c4d-4e5f-8a6b-7c8d9e0f1a2b", least("g"));
    project.put("x1", least("a short id"));
    for command in ["load", "diff", "edit", "log", "restore"] {
        let output = project.ckpt([command, "0F9"]).exits(2);
        output.errs(&format!(
            "`0F9` is the start of 3 selectors: `{common}b`, `{common}c`, `0f9c7777`\n"
        ));
        project
            .ckpt([command, "0f8"])
            .fails_with("there is no checkpoint `0f8`");
    }
    project.ckpt(["load", "X"]).succeeds();
    project.ckpt(["load", "x1"]).succeeds();
    let output = project.ckpt(["load", "0f9c"]).exits(2);
    output.errs(&format!(
        "`0f9c` is the start of 3 selectors: `{common}b`, `{common}c`, `0f9c7777`\n"
    ));
}

#[test]
fn who_names_a_checkpoint_below_a_folder_that_has_some_is_told_of_it() {
    let project = Project::bare_folder();
    project.put("s1", least("g"));
    project.write("below/file", "");
    let parent = project.root().display().to_string();
    let output = project.ckpt(["load", "s1", "-C", "below"]).exits(2);
    output.errs(&format!(
        "in `{parent}`, above this folder: pass it with -C"
    ));
}

#[test]
fn latest_takes_the_newest_whichever_sessions_it_is() {
    let project = others();
    project.put("zzzz", "{");
    for session in ["aaaa", "bbbb", "new"] {
        let loaded = project
            .ckpt(["load", "--latest", "--json", "--session", session])
            .succeeds()
            .json();
        assert_eq!(
            loaded["path"],
            project.checkpoint("bbbb").display().to_string()
        );
        assert_eq!(loaded.get("resumeHint").is_some(), session != "bbbb");
    }
    project.write(".claude-checkpoint", aged("legacy goal", 0).to_string());
    project
        .ckpt(["load", "--latest"])
        .succeeds()
        .prints("legacy goal");
    project.ckpt(["load", "aaaa", "--latest"]).exits(2);
}

#[test]
fn full_adds_the_whole_checkpoint() {
    let project = others();
    let outcome = project
        .ckpt(["load", "--session", "aaaa", "--format", "full", "--json"])
        .succeeds();
    assert_golden("load_full.json", &project.normalized(&outcome.stdout));
    let brief = project.ckpt(["load", "--session", "aaaa"]).succeeds();
    let full = project
        .ckpt(["load", "--session", "aaaa", "--format", "full"])
        .succeeds();
    let json = full.stdout.strip_prefix(&brief.stdout).unwrap();
    let checkpoint: Value = serde_json::from_str(json).unwrap();
    assert_eq!(checkpoint, outcome.json()["checkpoint"]);
}

#[test]
fn full_keeps_the_fields_that_this_version_does_not_know() {
    let project = Project::bare_folder();
    project.put("s1", with(least("g"), json!({"future": [1]})));
    let outcome = project
        .ckpt(["load", "s1", "--format", "full", "--json"])
        .succeeds()
        .json();
    assert_eq!(outcome["checkpoint"]["future"], json!([1]));
}

#[test]
fn a_load_changes_no_file() {
    let project = others();
    let before = project.snapshot();
    project.ckpt(["load", "aaaa"]).succeeds();
    project.ckpt(["load", "--latest"]).succeeds();
    project.ckpt(["list"]).succeeds();
    assert_eq!(project.snapshot(), before);
    assert_eq!(
        project.stored_names(),
        ["aaaa.json", "bbbb.json", "cccc.json"]
    );
}

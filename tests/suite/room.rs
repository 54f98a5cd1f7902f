//! Results that every client shows whole, and a brief that stays brief (docs/contract.md, section 10).

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};
use crate::harness::mcp::Server;

const SAVE: &str = "save_session_checkpoint";
const LOAD: &str = "load_session_checkpoint";
const LIST: &str = "list_session_checkpoints";
const RESULT: usize = 39_000;
const BRIEF: usize = 12_000;

fn texts(count: usize, length: usize, character: char) -> Vec<String> {
    (0..count)
        .map(|n| format!("{n:02}{}", character.to_string().repeat(length - 2)))
        .collect()
}

/// Every list full, every text of so many characters or as long as it may be.
fn filled(character: char, longest: usize) -> Value {
    let long = |limit: usize| longest.min(limit);
    let tasks = texts(30, long(300), character).into_iter().enumerate();
    let tasks = tasks.map(|(n, task)| {
        json!({"description": task, "status": if n % 3 == 0 { "done" } else { "pending" }})
    });
    let files = (0..100).map(|n| {
        let folders = format!("{}/", character.to_string().repeat(60)).repeat(long(240) / 60);
        json!({"path": format!("{folders}{n}"), "note": character.to_string().repeat(long(80))})
    });
    let commands = texts(50, long(300), character).into_iter();
    let commands = commands.map(|command| json!({"command": command, "exitCode": 1, "note": "n"}));
    json!({
        "goal": character.to_string().repeat(long(500)),
        "summary": character.to_string().repeat(long(4_000)),
        "nextSteps": texts(20, long(500), character),
        "decisions": texts(20, long(500), character),
        "tasks": tasks.collect::<Value>(),
        "modifiedFiles": files.collect::<Value>(),
        "recentCommands": commands.collect::<Value>(),
    })
}

fn length(value: &Value) -> usize {
    value.to_string().chars().count()
}

#[track_caller]
fn content(result: &Value) -> &Value {
    assert_eq!(result["isError"], false, "{result}");
    let content = &result["structuredContent"];
    assert!(length(content) <= RESULT, "{}", length(content));
    content
}

#[test]
fn a_brief_has_at_most_twelve_thousand_characters() {
    let project = Project::bare_folder();
    for (character, longest) in [('g', 200), ('*', 100), ('`', 240)] {
        project.save("s1", filled(character, longest));
        let text = project.ckpt(["load", "s1"]).succeeds().stdout;
        let count = text.chars().count();
        assert!(count <= BRIEF, "{character} {longest}: {count}");
        assert!(text.contains("- [x] 10 tasks done"), "{text}");
        assert!(
            text.ends_with("\nShortened; `--format full` has the rest.\n"),
            "{text}"
        );
        assert!(text.contains("## Since this checkpoint"));
    }
}

#[test]
fn what_is_left_out_of_a_brief_goes_step_by_step() {
    let project = Project::bare_folder();
    let brief = |summary: usize, notes: usize, decision: usize| {
        let commands: Vec<Value> = (0..15)
            .map(|n| json!({"command": format!("c{n}"), "note": "n".repeat(notes)}))
            .collect();
        project.save(
            "s1",
            json!({
                "goal": "g", "summary": "s".repeat(summary),
                "tasks": [{"description": "finished", "status": "done"}, {"description": "open"}],
                "recentCommands": commands, "decisions": texts(20, decision, 'd'),
            }),
        );
        let text = project.ckpt(["load", "s1"]).succeeds().stdout;
        let is_short = text.contains("Shortened;");
        let marks = [
            text.contains("- [x] finished"),
            text.contains(" — n"),
            text.contains(&"s".repeat(summary)),
            text.contains(&texts(20, decision, 'd')[19]),
        ];
        assert!(text.contains("- [ ] open"));
        (is_short, marks)
    };
    assert_eq!(brief(1_000, 20, 200), (false, [true; 4]));
    assert_eq!(brief(3_000, 300, 200), (true, [false, false, true, true]));
    assert_eq!(brief(4_000, 300, 499), (true, [false, false, false, false]));
    assert_eq!(brief(4_000, 300, 250), (true, [false, false, true, true]));
}

#[test]
fn a_whole_checkpoint_comes_without_its_brief_where_both_would_be_too_long() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    let full = json!({"session": "s1", "format": "full"});
    let mut save = with(filled('g', 60), json!({"session": "s1"}));
    server.call(SAVE, json!({"goal": "g", "session": "s1"}));
    let small = server.call(LOAD, full.clone());
    let text = content(&small)["text"].as_str().unwrap();
    assert!(text.contains("# Resuming"));
    assert!(content(&small)["checkpoint"].is_object());

    server.call(SAVE, save.clone());
    let alone = server.call(LOAD, full.clone());
    let found = content(&alone);
    assert!(!found["text"].as_str().unwrap().contains("# Resuming"));
    assert_eq!(found["checkpoint"], project.saved("s1"));
    assert_eq!(found["warnings"], json!([]));

    save["recentCommands"] = texts(50, 900, 'c').into();
    server.call(SAVE, save);
    let cut = server.call(LOAD, full);
    let found = content(&cut);
    let path = project.checkpoint("s1");
    let warning = found["warnings"].to_string();
    assert!(
        warning.contains("were left out to keep this short"),
        "{warning}"
    );
    assert!(warning.contains(path.to_str().unwrap()), "{warning}");
    assert!(found["text"].as_str().unwrap().contains("left out"));
    let commands = found["checkpoint"]["recentCommands"].as_array().unwrap();
    assert!(commands.len() < 50);
    let kept = commands.iter().map(|entry| entry["command"].clone());
    let saved = project.saved("s1")["recentCommands"].clone();
    let saved = saved.as_array().unwrap();
    let newest = saved[saved.len() - commands.len()..].iter();
    assert!(kept.eq(newest.map(|entry| entry["command"].clone())));
    // A program on the command line gets all of it.
    let output = project.ckpt(["load", "s1", "--format", "full", "--json"]);
    let printed = output.succeeds().json();
    assert_eq!(printed["checkpoint"], project.saved("s1"));
    server.close();
}

#[test]
fn no_result_is_longer_than_clients_show_whatever_it_holds() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    for character in ['g', '"', '\u{1f600}', '\\'] {
        for longest in [100, 500, 1_000] {
            let save = with(filled(character, longest), json!({"session": "s1"}));
            let unknown: Vec<String> = (0..200).map(|n| format!("unknown{n}")).collect();
            let mut noisy = save.clone();
            for name in unknown {
                noisy[name] = json!("x");
            }
            let saved = server.call(SAVE, noisy);
            if saved["isError"] == true {
                // More than a file may hold.
                assert!(length(&saved) <= RESULT);
                continue;
            }
            content(&saved);
            for format in ["brief", "full"] {
                content(&server.call(LOAD, json!({"session": "s1", "format": format})));
            }
        }
    }
    // As other writers may leave it.
    project.put(
        "s2",
        with(
            least(&"g".repeat(50_000)),
            json!({"more": "x".repeat(9_000)}),
        ),
    );
    for arguments in [
        json!({"checkpoint": "s2"}),
        json!({"checkpoint": "s2", "format": "full"}),
        json!({"session": "none"}),
    ] {
        content(&server.call(LOAD, arguments));
    }
    content(&server.call(LIST, json!({})));
    server.close();
}

#[test]
fn a_list_stops_early_and_counts_the_rest() {
    let project = Project::bare_folder();
    for n in 0..120 {
        project.put(
            &format!("s{n}"),
            least(&format!("{n} {}", "\"".repeat(400))),
        );
    }
    for n in 0..300 {
        project.put(&format!("broken{n}"), "{");
    }
    let mut server = Server::open(&project, json!({}));
    let result = server.call(LIST, json!({"limit": 0}));
    let found = content(&result);
    let entries = found["entries"].as_array().unwrap().len() as u64;
    assert!(entries > 10);
    assert_eq!(found["omitted"].as_u64().unwrap() + entries, 420);
    assert_eq!(found["total"], 420);
    let text = found["text"].as_str().unwrap();
    assert!(
        text.contains(&format!("420 checkpoints, newest {entries}:")),
        "{text}"
    );
    content(&server.call(LOAD, json!({})));
    server.close();
    let printed = project.ckpt(["list", "--limit", "0", "--json"]).succeeds();
    assert_eq!(printed.json()["entries"].as_array().unwrap().len(), 420);
}

#[test]
fn a_load_names_no_more_changed_paths_than_there_is_room_for() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    for n in 0..2_000 {
        project.write(format!("{}/{n}", "folder".repeat(10)), "x");
    }
    let mut server = Server::open(&project, json!({}));
    let result = server.call(LOAD, json!({"checkpoint": "s1"}));
    let found = content(&result);
    let named = found["drift"]["changedSince"].as_array().unwrap().len();
    assert!(named > 40 && named < 2_000, "{named}");
    let warnings = found["warnings"].to_string();
    let left = 2_000 - named;
    assert!(
        warnings.contains(&format!("{left} more changed paths")),
        "{warnings}"
    );
    server.close();
    assert_eq!(project.changed_since("s1").len(), 2_000);
}

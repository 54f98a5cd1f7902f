//! The list of a project's checkpoints (docs/contract.md, section 11).

use serde_json::{Value, json};

use crate::harness::files::{least, with};
use crate::harness::golden::assert_golden;
use crate::harness::{Output, Project};

fn at(goal: &str, time: &str) -> Value {
    with(least(goal), json!({"updatedAt": time}))
}

fn tasks(goal: &str, statuses: &[&str]) -> Value {
    let tasks: Value = statuses
        .iter()
        .map(|status| json!({"description": "t", "status": status}))
        .collect();
    json!({"goal": {"primary": goal, "tasks": tasks}})
}

fn selectors(list: &Value) -> Vec<&str> {
    let entries = list["entries"].as_array().unwrap().iter();
    entries
        .map(|entry| entry["selector"].as_str().unwrap())
        .collect()
}

/// One checkpoint of each kind.
fn mixed() -> Project {
    let project = Project::bare_folder();
    project.put(
        "0f9c2f3e-0a1b-4c5d-8e6f-000000000001",
        with(
            at("Let people sign in with GitHub", "2026-10-08T02:00:00Z"),
            with(
                tasks("Let people sign in with GitHub", &["done", "pending"]),
                json!({"git": {"branch": "feat/github-oauth", "head": "abc"}}),
            ),
        ),
    );
    project.put(
        "7d1e4b6a-0a1b-4c5d-8e6f-000000000002",
        with(
            at("x", "2026-10-07T02:00:00Z"),
            tasks("Speed up the build", &["done", "done"]),
        ),
    );
    project.put_backup("restored", at("From the backup", "2026-10-01T00:00:00Z"));
    project.put("restored", "{");
    project.put("broken", "");
    project.write(
        ".claude-checkpoint",
        at("The legacy one", "2026-09-01T00:00:00Z").to_string(),
    );
    project
}

const CURRENT: &str = "7d1e4b6a-0a1b-4c5d-8e6f-000000000002";

#[test]
fn the_table_shows_selector_goal_tasks_branch_age_and_marks() {
    let output = mixed().ckpt(["list", "--session", CURRENT]).succeeds();
    assert_golden("list.txt", &output.stdout);
    assert_golden("list.stderr.txt", &output.stderr);
}

#[test]
fn the_json_of_a_list_is_the_tools_structured_content() {
    let project = mixed();
    let output = project
        .ckpt(["list", "--json", "--session", CURRENT])
        .succeeds();
    assert_golden("list.json", &project.normalized(&output.stdout));
}

#[test]
fn a_selector_is_shown_as_long_as_needed_to_be_unique_and_what_is_shown_selects() {
    let project = Project::bare_folder();
    let ids = [
        "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
        "22222222-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
        "22222222-aaab-4aaa-8aaa-aaaaaaaaaaaa",
        "abcdefghi",
        "abcdefghij",
        "s1",
        "legacy-notes",
    ];
    for id in ids {
        project.put(id, least(&format!("goal of {id}")));
    }
    project.write(".claude-checkpoint", least("goal of legacy").to_string());
    let table = project.ckpt(["list", "--limit", "0"]).succeeds().stdout;
    let shown: Vec<&str> = table
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(shown.len(), 8, "{table}");
    for (line, selector) in table.lines().skip(1).zip(&shown) {
        let goal = &line[line.find("goal of").unwrap()..];
        let id = goal.split_whitespace().nth(2).unwrap();
        assert!(id.starts_with(selector), "{line}");
        let loaded = project.ckpt(["load", selector]).succeeds();
        assert!(
            loaded.stdout.contains(&format!("goal of {id}\n")),
            "{selector}: {}",
            loaded.stdout
        );
    }
    for short in ["11111111", "22222222-aaaa", "22222222-aaab", "s1", "legacy"] {
        assert!(shown.contains(&short), "{short} in {table}");
    }
    // What the limit leaves out counts as well.
    let table = project.ckpt(["list", "--limit", "1"]).succeeds().stdout;
    let selector = table
        .lines()
        .nth(1)
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap();
    project.ckpt(["load", selector]).succeeds();
}

#[test]
fn entries_are_newest_first_and_unreadable_ones_last_with_a_warning_each() {
    let project = Project::bare_folder();
    project.put("a", at("g", "2026-10-08T01:00:00Z"));
    project.put("b", at("g", "2026-10-08T04:30:00+02:00"));
    project.put("c", at("g", "2026-10-08T02:00:00.001Z"));
    project.put("d", "{");
    project.put("e", with(least("g"), json!({"version": 2})));
    project.write(
        ".claude-checkpoint",
        at("g", "2026-10-08T02:00:00Z").to_string(),
    );
    let output = project.ckpt(["list", "--json"]).succeeds();
    let list = output.json();
    let order = selectors(&list);
    assert_eq!(order[..4], ["b", "c", "legacy", "a"]);
    assert!(
        order[4..].contains(&"d") && order[4..].contains(&"e"),
        "{order:?}"
    );
    assert_eq!(list["total"], 6);
    let warnings = list["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 3, "{list}");
    let faults = [
        ("b", "dated in the future"),
        ("d", "not valid JSON"),
        ("e", "format version 2"),
    ];
    for (id, fault) in faults {
        assert!(
            warnings.iter().any(|warning| {
                let warning = warning.as_str().unwrap();
                warning.contains(&format!("`{id}`")) && warning.contains(fault)
            }),
            "{list}"
        );
    }
    assert_eq!(output.stderr.lines().count(), 3, "{}", output.stderr);
}

#[test]
fn a_limit_counts_what_it_leaves_out() {
    let project = Project::bare_folder();
    for minute in 10..23 {
        project.put(
            &format!("s{minute}"),
            at("g", &format!("2026-10-08T02:{minute}:00Z")),
        );
    }
    for (limit, shown) in [
        (None, 10),
        (Some("10"), 10),
        (Some("0"), 13),
        (Some("3"), 3),
        (Some("99"), 13),
    ] {
        let mut arguments = vec!["list"];
        arguments.extend(limit.map(|limit| ["--limit", limit]).into_iter().flatten());
        let table = project.ckpt(&arguments).succeeds();
        assert_eq!(table.stdout.lines().count(), shown + 1, "{limit:?}");
        let more = 13 - shown;
        assert_eq!(
            table.stderr.contains(&format!("{more} more")),
            more > 0,
            "{}",
            table.stderr
        );
        arguments.push("--json");
        let list = project.ckpt(&arguments).succeeds().json();
        assert_eq!(selectors(&list).len(), shown);
        assert_eq!(selectors(&list)[0], "s22");
        assert_eq!(list["total"], 13);
        assert_eq!(list["omitted"], more);
    }
}

#[test]
fn all_tasks_done_needs_at_least_one_task() {
    for (statuses, expected, shown) in [
        (&[][..], false, ""),
        (&["done"], true, "1/1"),
        (&["done", "done"], true, "2/2"),
        (&["done", "blocked"], false, "1/2"),
        (&["done", "cancelled"], false, "1/2"),
    ] {
        let project = Project::bare_folder();
        project.put("s1", with(least("g"), tasks("g", statuses)));
        let list = project.ckpt(["list", "--json"]).json();
        assert_eq!(list["entries"][0]["allTasksDone"], expected, "{statuses:?}");
        project.ckpt(["list"]).prints(shown);
    }
}

#[test]
fn the_current_session_is_marked() {
    let project = mixed();
    let current = |list: &Value| -> Vec<String> {
        let entries = list["entries"].as_array().unwrap().iter();
        entries
            .filter(|entry| entry["isCurrentSession"] == true)
            .map(|entry| entry["selector"].as_str().unwrap().to_owned())
            .collect()
    };
    let list = project.ckpt(["list", "--json"]).json();
    assert_eq!(current(&list), Vec::<String>::new());
    let list = project.ckpt_with(
        &[("CLAUDE_CODE_SESSION_ID", "restored")],
        ["list", "--json"],
    );
    assert_eq!(current(&list.json()), ["restored"]);
    let list = project.ckpt_with(&[("CHECKPOINT_SESSION_IDS", "legacy")], ["list", "--json"]);
    assert_eq!(current(&list.json()), ["legacy"]);
}

#[test]
fn an_empty_project_is_a_note_and_an_empty_list() {
    let project = Project::bare_folder();
    let output = project.ckpt(["list"]).succeeds().errs("No checkpoints");
    assert_eq!(output.stdout, "");
    let output = project.ckpt(["list", "--json"]).succeeds().stays_silent();
    assert_golden("list_empty.json", &project.normalized(&output.stdout));
}

#[test]
fn a_goal_of_any_kind_stays_on_its_row() {
    let project = Project::bare_folder();
    project.put("s1", least("a\nb\r\n\u{1b}[31mc\u{2028}d\te"));
    let output = project.ckpt(["list"]).succeeds();
    assert_eq!(output.stdout.lines().count(), 2, "{}", output.stdout);
    assert!(
        !output
            .stdout
            .contains(|c: char| c.is_control() && c != '\n'),
        "{:?}",
        output.stdout
    );
    let list = project.ckpt(["list", "--json"]).json();
    assert_eq!(list["entries"][0]["goal"], "a b  \u{fffd}[31mc d e");
    let text = list["text"].as_str().unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn many_that_cannot_be_read_are_told_one_by_one_in_a_list_alone() {
    let project = Project::bare_folder();
    project.put("good", least("good"));
    let broken = |count: usize| {
        for number in 0..count {
            project.put(&format!("broken-{number}"), "{");
        }
    };
    let others: [&[&str]; 4] = [
        &["load"],
        &["diff"],
        &["edit"],
        &["prune", "--done", "--dry-run"],
    ];
    let told = |output: &Output| output.stderr.matches("warning: ").count();
    broken(3);
    for arguments in others {
        assert_eq!(told(&project.ckpt(arguments)), 3, "{arguments:?}");
    }
    broken(22);
    for arguments in others {
        let output = project.ckpt(arguments).errs(
            "warning: 22 checkpoints cannot be read (`broken-0`, `broken-1`, `broken-10` and 19 more); \
             `ckpt list` says why\n",
        );
        assert_eq!(told(&output), 1, "{arguments:?}");
    }
    let output = project.ckpt(["list", "--limit", "0"]).succeeds();
    assert_eq!(told(&output), 22);
    assert_eq!(output.stdout.matches("(unreadable)").count(), 22);
    let json = project.ckpt(["load", "--json"]).exits(1).json();
    assert_eq!(json["warnings"].as_array().unwrap().len(), 1, "{json}");
    assert_eq!((&json["total"], &json["omitted"]), (&json!(23), &json!(13)));
}

#[test]
fn of_many_files_that_are_no_checkpoints_a_few_are_named_and_the_rest_is_counted() {
    let project = Project::bare_folder();
    for number in 0..500 {
        project.put(&format!("foreign-{number}"), "not a checkpoint");
    }
    let json = project.ckpt(["list", "--json"]).succeeds().json();
    assert_eq!(json["total"], 500);
    let warnings = json["warnings"].as_array().unwrap();
    assert_eq!(warnings.last().unwrap(), "480 warnings more");
    assert!(json.to_string().chars().count() <= 39_000);
}

#[test]
fn of_many_that_are_dated_in_the_future_there_is_one_warning() {
    let project = Project::bare_folder();
    let ahead = json!({"updatedAt": "2030-01-01T00:00:00Z"});
    let warnings = || {
        let warnings = project.ckpt(["list", "--json"]).succeeds().json()["warnings"].clone();
        serde_json::from_value::<Vec<String>>(warnings).unwrap()
    };
    project.put("a1", with(least("g"), ahead.clone()));
    assert_eq!(warnings().len(), 1);
    assert!(warnings()[0].starts_with("checkpoint `a1` is dated in the future (2030-01-01"));
    for number in 2..=9 {
        project.put(&format!("a{number}"), with(least("g"), ahead.clone()));
    }
    let told = "9 checkpoints are dated in the future (`a1`, `a2`, `a3`, … and 6 more), so some clock is or was wrong";
    assert_eq!(warnings(), [told]);
}

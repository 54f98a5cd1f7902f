//! `ckpt save` on the command line (docs/contract.md, section 14).

use std::fs;

use serde_json::{Value, json};

use crate::harness::files::{least, recorded};
use crate::harness::golden::assert_golden;
use crate::harness::{Output, Project};

fn save(project: &Project, arguments: &[&str]) -> Value {
    let arguments = [&["save", "--session", "s1"], arguments].concat();
    project.ckpt(arguments).succeeds();
    project.saved("s1")
}

/// A text with the checkpoint's size left out, which depends on the version's length.
#[track_caller]
fn without_size(project: &Project, session: &str, text: &str) -> String {
    let bytes = fs::metadata(project.checkpoint(session)).unwrap().len();
    let (before, after) = (format!("{bytes} bytes"), format!("\"bytes\": {bytes},"));
    assert!(
        text.contains(&before) || text.contains(&after),
        "no {bytes} in {text}"
    );
    let text = text
        .replace(&before, "<size> bytes")
        .replace(&after, "\"bytes\": <size>,");
    project.normalized(&text)
}

#[test]
fn it_prints_path_size_counts_and_how_to_load() {
    let project = Project::repository();
    let tail = [
        "--task",
        "done: t",
        "--file",
        "README",
        "--command",
        "0: ls",
    ];
    let output = project
        .ckpt([&["save", "--session", "s1", "--goal", "g"], &tail[..]].concat())
        .succeeds();
    assert_eq!(output.stderr, "Load it with: ckpt load s1\n");
    assert_golden("save.txt", &without_size(&project, "s1", &output.stdout));
}

#[test]
fn the_json_of_a_save_is_the_tools_structured_content() {
    let project = Project::repository();
    project.write(".gitignore", "");
    project.write(".claude-checkpoints/.lock", "");
    let tail = ["--merge", "--file", "../x", "--json"];
    let output = project
        .ckpt([&["save", "--session", "s1", "--goal", "g"], &tail[..]].concat())
        .succeeds();
    assert_golden("save.json", &without_size(&project, "s1", &output.stdout));
    assert_golden("save.stderr.txt", &output.stderr);
    let output = project.ckpt(["save", "--goal", "g", "--json"]).succeeds();
    let minted = output.json()["session"].as_str().unwrap().to_owned();
    assert_golden(
        "save_minted.json",
        &without_size(&project, &minted, &output.stdout),
    );
}

#[test]
fn every_option_fills_its_field() {
    let project = Project::bare_folder();
    project.put("s0", least("base"));
    let saved = save(
        &project,
        &[
            "--goal",
            "the goal",
            "--summary",
            "where it stands",
            "--next",
            "n1",
            "--next",
            "n2",
            "--decision",
            "d1",
            "--decision",
            "d2",
            "--resumed-from",
            "s0",
        ],
    );
    assert_eq!(saved["goal"]["primary"], "the goal");
    assert_eq!(saved["summary"], "where it stands");
    assert_eq!(saved["nextSteps"], json!(["n1", "n2"]));
    assert_eq!(saved["decisions"], json!(["d1", "d2"]));
    assert_eq!(saved["resumedFrom"], "s0");
}

#[test]
fn a_task_may_have_a_status_before_it() {
    for (given, description, status) in [
        ("write it", "write it", "pending"),
        ("pending: write it", "write it", "pending"),
        ("in_progress: write it", "write it", "in_progress"),
        ("done:write it", "write it", "done"),
        ("blocked:  write: it ", "write: it", "blocked"),
        ("fix: the bug", "fix: the bug", "pending"),
        ("a: done: b", "a: done: b", "pending"),
    ] {
        let saved = save(&Project::bare_folder(), &["--goal", "g", "--task", given]);
        assert_eq!(
            saved["goal"]["tasks"],
            json!([{"description": description, "status": status}]),
            "{given}"
        );
    }
}

#[test]
fn a_command_may_have_its_exit_status_before_it() {
    for (given, command, exit_code) in [
        ("cargo test", "cargo test", None),
        ("0: cargo test", "cargo test", Some(0)),
        ("101:cargo test", "cargo test", Some(101)),
        ("-1: x", "x", Some(-1)),
        ("curl http://a:80", "curl http://a:80", None),
        ("99999999999999999999: x", "99999999999999999999: x", None),
        (": x", ": x", None),
    ] {
        let option = format!("--command={given}");
        let saved = save(&Project::bare_folder(), &["--goal", "g", &option]);
        let entry = &saved["recentCommands"][0];
        assert_eq!(entry["command"], command, "{given}");
        assert_eq!(
            entry.get("exitCode").and_then(Value::as_i64),
            exit_code,
            "{given}"
        );
    }
}

#[test]
fn a_file_may_have_a_note_behind_it() {
    for (given, expected) in [
        ("a", ("a", "agent", "-")),
        ("a=why", ("a", "agent", "why")),
        ("a=b=c", ("a", "agent", "b=c")),
        ("a=", ("a", "agent", "-")),
    ] {
        let saved = save(&Project::bare_folder(), &["--goal", "g", "--file", given]);
        assert_eq!(recorded(&saved), [expected], "{given}");
    }
}

#[test]
fn options_merge_as_the_tool_does() {
    let project = Project::bare_folder();
    save(
        &project,
        &[
            "--goal",
            "g",
            "--task",
            "a",
            "--decision",
            "d1",
            "--next",
            "n1",
        ],
    );
    let saved = save(
        &project,
        &["--merge", "--task", "done: a", "--decision", "d2"],
    );
    assert_eq!(
        saved["goal"],
        json!({"primary": "g", "tasks": [{"description": "a", "status": "done"}]})
    );
    assert_eq!(saved["decisions"], json!(["d1", "d2"]));
    assert_eq!(saved["nextSteps"], json!(["n1"]));
    let merged = project
        .ckpt(["save", "--merge", "--session", "s1"])
        .succeeds();
    assert!(
        merged.stdout.starts_with("Merged into "),
        "{}",
        merged.stdout
    );
}

#[test]
fn with_neither_goal_nor_input_it_fails_where_nobody_can_be_asked() {
    let project = Project::bare_folder();
    project
        .ckpt(["save"])
        .fails_with("goal")
        .errs("--goal")
        .errs("--input")
        .errs("--merge");
    project.ckpt(["save", "--summary", "s"]).fails_with("goal");
    assert!(project.stored_names().is_empty());
}

#[test]
fn an_empty_text_counts_as_not_given() {
    let project = Project::bare_folder();
    for goal in ["", " ", "\n\t"] {
        project.ckpt(["save", "--goal", goal]).fails_with("goal");
        project
            .try_save("s1", &json!({"goal": goal}))
            .fails_with("goal");
    }
    assert!(project.stored_names().is_empty());

    save(&project, &["--goal", "g", "--summary", "s", "--next", "n"]);
    let saved = save(
        &project,
        &[
            "--merge",
            "--goal",
            "",
            "--summary",
            "",
            "--next",
            "",
            "--task",
            "",
            "--decision",
            "",
            "--command",
            "",
        ],
    );
    assert_eq!(saved["goal"], json!({"primary": "g", "tasks": []}));
    assert_eq!(saved["summary"], "s");
    assert_eq!(saved["decisions"], json!([]));
    assert_eq!(saved["recentCommands"], json!([]));
}

#[test]
fn the_input_comes_from_a_file_or_from_standard_input() {
    let project = Project::bare_folder();
    project.write(
        "input.json",
        json!({"goal": "from a file", "session": "s1"}).to_string(),
    );
    project.ckpt(["save", "--input", "input.json"]).succeeds();
    assert_eq!(project.saved("s1")["goal"]["primary"], "from a file");
    let mut command = project.command(["save", "--input", "-", "--session", "s1"]);
    Output::with_input(&mut command, br#"{"goal": "from standard input"}"#).succeeds();
    assert_eq!(
        project.saved("s1")["goal"]["primary"],
        "from standard input"
    );
}

#[test]
fn null_and_empty_arguments_count_as_absent() {
    let project = Project::bare_folder();
    project.save(
        "s1",
        json!({"goal": "g", "summary": "s", "nextSteps": ["n"]}),
    );
    project.save(
        "s1",
        json!({
            "goal": "", "mode": "merge", "summary": null, "nextSteps": "", "tasks": null, "resumedFrom": "",
            "session": null, "projectRoot": "", "decisions": ["", "d", null],
            "recentCommands": [{"command": "c", "exitCode": null, "note": ""}],
        }),
    );
    let saved = project.saved("s1");
    assert_eq!(saved["goal"]["primary"], "g");
    assert_eq!(saved["summary"], "s");
    assert_eq!(saved["nextSteps"], json!(["n"]));
    assert_eq!(saved["decisions"], json!(["d"]));
    assert!(saved["recentCommands"][0].get("exitCode").is_none());
    assert!(saved["recentCommands"][0].get("note").is_none());
}

#[test]
fn input_goes_with_no_option_that_says_what_to_save() {
    let project = Project::bare_folder();
    for option in [
        &["--goal", "g"][..],
        &["--task", "t"],
        &["--summary", "s"],
        &["--next", "n"],
        &["--decision", "d"],
        &["--file", "f"],
        &["--command", "c"],
        &["--merge"],
        &["--resumed-from", "s0"],
    ] {
        project
            .ckpt([&["save", "--input", "-"], option].concat())
            .exits(2)
            .errs("--input");
    }
}

#[test]
fn a_status_is_known_however_it_is_written() {
    let project = Project::bare_folder();
    let tasks = [
        "--task",
        "DONE: a",
        "--task",
        "in progress: b",
        "--task",
        "in-progress: c",
        "--task",
        "note: d",
    ];
    let save = ["save", "--session", "s1", "--goal", "g"];
    project.ckpt(save.iter().chain(&tasks)).succeeds();
    let saved = project.saved("s1")["goal"]["tasks"].clone();
    let told = saved.as_array().unwrap().iter().map(|task| {
        (
            task["status"].as_str().unwrap(),
            task["description"].as_str().unwrap(),
        )
    });
    let expected = [
        ("done", "a"),
        ("in_progress", "b"),
        ("in_progress", "c"),
        ("pending", "note: d"),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn a_text_may_begin_with_a_dash() {
    let project = Project::repository();
    let arguments = [
        "save",
        "--session",
        "s1",
        "--goal",
        "-v for all",
        "--task",
        "- first",
        "--summary",
        "--fast is the default",
        "--next",
        "-1",
        "--decision",
        "-O2 breaks",
        "--command",
        "-x",
        "--file",
        "-odd",
        "--decision",
        "--no-cache it is",
    ];
    project.write("-odd", "x");
    project.ckpt(arguments).succeeds();
    let saved = project.saved("s1");
    assert_eq!(saved["goal"]["primary"], "-v for all");
    assert_eq!(saved["goal"]["tasks"][0]["description"], "- first");
    assert_eq!(saved["summary"], "--fast is the default");
    assert_eq!(saved["nextSteps"], json!(["-1"]));
    assert_eq!(
        saved["decisions"],
        json!(["-O2 breaks", "--no-cache it is"])
    );
    assert_eq!(saved["recentCommands"][0]["command"], "-x");
    assert_eq!(saved["modifiedFiles"][0]["path"], "-odd");
}

#[test]
fn an_option_is_not_taken_for_the_text_before_it() {
    let project = Project::repository();
    for option in ["--merge", "--json", "--decision=x", "--session"] {
        let output = project.ckpt(["save", "--goal", option]).exits(2);
        assert!(
            output
                .stderr
                .contains("is an option, and the text before it is missing"),
            "{}",
            output.stderr
        );
    }
    assert_eq!(project.stored_names(), [""; 0]);
}

#[test]
fn task_texts_are_trimmed_in_every_form() {
    let project = Project::repository();
    project
        .ckpt([
            "save",
            "--session",
            "s1",
            "--goal",
            "g",
            "--task",
            "  one ",
            "--task",
            "done:  two ",
        ])
        .succeeds();
    project.save(
        "s1",
        json!({"goal": "g", "mode": "merge", "tasks": [
            {"description": " one\n", "status": "done"}, {"description": "\ttwo"},
        ]}),
    );
    let tasks = project.saved("s1")["goal"]["tasks"].clone();
    assert_eq!(
        tasks,
        json!([
            {"description": "one", "status": "done"}, {"description": "two", "status": "done"},
        ])
    );
}

#[test]
fn of_tasks_with_the_same_text_each_is_updated_in_turn() {
    let project = Project::repository();
    let tasks = |statuses: [&str; 2]| {
        let tasks = statuses.map(|status| json!({"description": "deploy", "status": status}));
        json!({"goal": "g", "mode": "merge", "tasks": tasks})
    };
    project.save("s1", tasks(["pending", "pending"]));
    project.save("s1", tasks(["done", "in_progress"]));
    let saved = project.saved("s1");
    let statuses: Vec<&Value> = saved["goal"]["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|task| &task["status"])
        .collect();
    assert_eq!(statuses, ["done", "in_progress"]);
}

#[test]
fn blank_texts_are_named_and_left_out() {
    let project = Project::repository();
    let saved = project.save("s1", json!({
        "goal": "g", "tasks": [{"description": "a"}, {"description": " \n"}], "summary": "  ", "nextSteps": ["", "n"],
        "decisions": ["\t"], "recentCommands": [{"command": " "}, {"command": "c"}], "modifiedFiles": [{"path": " "}],
    })).json();
    let warning = "`tasks[1]`, `decisions[0]`, `nextSteps[0]`, `recentCommands[0]`, `modifiedFiles[0]` are blank and left out";
    // An empty string counts as not given at all.
    let warning = warning.replace("`nextSteps[0]`, ", "");
    let warnings = saved["warnings"].to_string();
    assert!(
        warnings.contains(&warning) || warnings.contains("blank and left out"),
        "{warnings}"
    );
    let saved = project.saved("s1");
    assert_eq!(saved["goal"]["tasks"].as_array().unwrap().len(), 1);
    assert_eq!(saved["nextSteps"], json!(["n"]));
    assert_eq!(saved["decisions"], json!([]));
    assert_eq!(saved["recentCommands"].as_array().unwrap().len(), 1);
    assert_eq!(saved.get("summary"), None);
}

#[test]
fn what_a_named_path_is_not_is_said() {
    let project = Project::repository();
    let save = |path: &str| {
        let file = format!("{path}=n");
        project
            .ckpt(["save", "--goal", "g", "--session", "s1", "--file", &file])
            .succeeds()
    };
    for path in [".", "./", "src/..", project.root().to_str().unwrap()] {
        save(path).errs("is the project itself, not a file of it, and was left out");
    }
    save("..").errs("paths outside the project were dropped: `..`");
    save("src/mian.rs").errs("`src/mian.rs` was named but is not there; check the path");
    save("src").warns_of_nothing();
}

#[test]
fn a_merge_without_a_goal_names_the_checkpoint_that_is_not_there() {
    let project = Project::repository();
    let output = project.try_save("s1", &json!({"mode": "merge", "resumedFrom": "gone"}));
    output.fails_with("cannot be used, because there is no checkpoint `gone`, and a new one needs");
}

#[test]
fn only_the_file_that_is_written_has_to_be_ignored() {
    let project = Project::repository();
    project.write(".gitignore", ".claude-checkpoints/\n");
    let legacy = [("CHECKPOINT_SESSION_IDS", "legacy")];
    project
        .ckpt_with(&legacy, ["save", "--goal", "g"])
        .succeeds()
        .errs("checkpoints are not ignored by git");
    project
        .ckpt(["save", "--goal", "g", "--session", "s1"])
        .succeeds()
        .warns_of_nothing();
    project.write(
        ".gitignore",
        ".claude-checkpoint\n.claude-checkpoint.prev\n",
    );
    project
        .ckpt_with(&legacy, ["save", "--goal", "g"])
        .succeeds()
        .warns_of_nothing();
}

//! Arguments as agents and clients really send them (docs/contract.md, section 6): every accepted form of every argument, over
//! MCP, in the JSON of `--input`, and on the command line.

use serde_json::{Map, Value, json};

use crate::harness::mcp::Server;
use crate::harness::{Output, Project};

const SAVE: &str = "save_session_checkpoint";
const LOAD: &str = "load_session_checkpoint";
const LIST: &str = "list_session_checkpoints";

/// A form of an argument, as JSON and as options (none: the command line has no such form), and what is saved.
type Form = (Value, &'static [&'static str], Value);

fn forms() -> Vec<Form> {
    let task = |description: &str, status: &str| json!({"tasks": [{"description": description, "status": status}]});
    let file = |path: &str| json!({"modifiedFiles": [{"path": path}]});
    vec![
        // goal
        (json!({"goal": "g"}), &["--goal", "g"], json!({"goal": "g"})),
        (json!({"Goal": "g"}), &["--goal", "g"], json!({"goal": "g"})),
        (
            json!({"objective": "g"}),
            &["--goal=g"],
            json!({"goal": "g"}),
        ),
        (
            json!({"goal": 16}),
            &["--goal", "16"],
            json!({"goal": "16"}),
        ),
        (json!({"goal": ["a", "b"]}), &[], json!({"goal": "a\nb"})),
        (json!({"goal": {"text": "g"}}), &[], json!({"goal": "g"})),
        (
            json!({"goal": {"primary": "g", "tasks": [{"description": "t", "status": "done"}]}}),
            &[],
            json!({"goal": "g", "tasks": [{"description": "t", "status": "done"}]}),
        ),
        // tasks: the list
        (
            json!({"tasks": [{"description": "t"}]}),
            &["--task", "t"],
            task("t", "pending"),
        ),
        (
            json!({"tasks": r#"[{"description":"t","status":"done"}]"#}),
            &["--task", "done: t"],
            task("t", "done"),
        ),
        (
            json!({"tasks": {"description": "t"}}),
            &["--task", r#"{"description":"t"}"#],
            task("t", "pending"),
        ),
        (
            json!({"tasks": r#"{"description":"t"}"#}),
            &[],
            task("t", "pending"),
        ),
        (
            json!({"tasks": [r#"{"description":"t","status":"blocked"}"#]}),
            &[],
            task("t", "blocked"),
        ),
        (json!({"tasks": "t"}), &[], task("t", "pending")),
        (json!({"tasks": ["t"]}), &[], task("t", "pending")),
        (
            json!({"tasks": [7]}),
            &["--task", "7"],
            task("7", "pending"),
        ),
        (
            json!({"tasks": "- [x] a\n- [ ] b\n\n- c"}),
            &["--task=- [x] a", "--task", "[ ] b", "--task", "c"],
            json!({"tasks": [
                {"description": "a", "status": "done"}, {"description": "b", "status": "pending"},
                {"description": "c", "status": "pending"},
            ]}),
        ),
        (
            json!({"todos": [{"content": "t", "status": "completed", "priority": "high", "id": "1"}]}),
            &[],
            task("t", "done"),
        ),
        (
            json!({"plan": [{"step": "t", "status": "in_progress"}]}),
            &[],
            task("t", "in_progress"),
        ),
        // tasks: the description
        (
            json!({"tasks": [{"content": "t"}]}),
            &[],
            task("t", "pending"),
        ),
        (
            json!({"tasks": [{"title": "t"}]}),
            &[],
            task("t", "pending"),
        ),
        (json!({"tasks": [{"task": "t"}]}), &[], task("t", "pending")),
        (json!({"tasks": [{"text": "t"}]}), &[], task("t", "pending")),
        (json!({"tasks": [{"name": "t"}]}), &[], task("t", "pending")),
        (
            json!({"tasks": [{"Description": "t"}]}),
            &[],
            task("t", "pending"),
        ),
        (
            json!({"tasks": ["[x] t"]}),
            &["--task", "[x] t"],
            task("t", "done"),
        ),
        (
            json!({"tasks": ["- [X] t"]}),
            &["--task", "* [X] t"],
            task("t", "done"),
        ),
        (
            json!({"tasks": ["1. [~] t"]}),
            &["--task", "1. [~] t"],
            task("t", "in_progress"),
        ),
        (
            json!({"tasks": ["[!] t"]}),
            &["--task", "[!] t"],
            task("t", "blocked"),
        ),
        (
            json!({"tasks": ["✅ t"]}),
            &["--task", "☑\u{fe0f} t"],
            task("t", "done"),
        ),
        (
            json!({"tasks": ["☐ t"]}),
            &["--task", "⬜ t"],
            task("t", "pending"),
        ),
        (
            json!({"tasks": [{"description": "[ ] t", "status": "done"}]}),
            &[],
            task("t", "done"),
        ),
        (
            json!({"tasks": ["[WIP] t"]}),
            &["--task", "[WIP] t"],
            task("[WIP] t", "pending"),
        ),
        (
            json!({"tasks": ["a: t"]}),
            &["--task", "a: t"],
            task("a: t", "pending"),
        ),
        // tasks: the status
        (
            json!({"tasks": [{"description": "t", "status": "completed"}]}),
            &["--task", "completed: t"],
            task("t", "done"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "complete"}]}),
            &["--task", "complete: t"],
            task("t", "done"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "finished"}]}),
            &["--task", "finished: t"],
            task("t", "done"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "DONE"}]}),
            &["--task", "Done: t"],
            task("t", "done"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "[x]"}]}),
            &[],
            task("t", "done"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": true}]}),
            &[],
            task("t", "done"),
        ),
        (
            json!({"tasks": [{"description": "t", "done": true}]}),
            &[],
            task("t", "done"),
        ),
        (
            json!({"tasks": [{"text": "t", "completed": false}]}),
            &[],
            task("t", "pending"),
        ),
        (
            json!({"tasks": [{"description": "t", "state": "open"}]}),
            &["--task", "open: t"],
            task("t", "pending"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "todo"}]}),
            &["--task", "todo: t"],
            task("t", "pending"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "in-progress"}]}),
            &["--task", "in-progress: t"],
            task("t", "in_progress"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "In Progress"}]}),
            &["--task", "in progress: t"],
            task("t", "in_progress"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "doing"}]}),
            &["--task", "doing: t"],
            task("t", "in_progress"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "active"}]}),
            &["--task", "active: t"],
            task("t", "in_progress"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "waiting"}]}),
            &["--task", "waiting: t"],
            task("t", "blocked"),
        ),
        (
            json!({"tasks": [{"description": "t", "status": "cancelled"}]}),
            &["--task", "canceled: t"],
            task("t (cancelled)", "blocked"),
        ),
        // summary
        (
            json!({"summary": "s"}),
            &["--summary", "s"],
            json!({"summary": "s"}),
        ),
        (
            json!({"summary": 1.5}),
            &["--summary", "1.5"],
            json!({"summary": "1.5"}),
        ),
        (
            json!({"summary": ["a", "b"]}),
            &[],
            json!({"summary": "a\nb"}),
        ),
        // nextSteps and decisions
        (
            json!({"nextSteps": ["n"]}),
            &["--next", "n"],
            json!({"nextSteps": ["n"]}),
        ),
        (
            json!({"next_steps": ["n"]}),
            &[],
            json!({"nextSteps": ["n"]}),
        ),
        (json!({"next": "n"}), &[], json!({"nextSteps": ["n"]})),
        (json!({"nextSteps": "n"}), &[], json!({"nextSteps": ["n"]})),
        (
            json!({"nextSteps": r#"["a", "b"]"#}),
            &[],
            json!({"nextSteps": ["a", "b"]}),
        ),
        (
            json!({"nextSteps": "1. a\n2. b"}),
            &[],
            json!({"nextSteps": ["a", "b"]}),
        ),
        (
            json!({"nextSteps": "a\nb"}),
            &["--next", "a\nb"],
            json!({"nextSteps": ["a\nb"]}),
        ),
        (
            json!({"nextSteps": [{"step": "n"}]}),
            &[],
            json!({"nextSteps": ["n"]}),
        ),
        (
            json!({"nextSteps": [1, "", null]}),
            &["--next", "1", "--next", ""],
            json!({"nextSteps": ["1"]}),
        ),
        (
            json!({"decisions": ["d"]}),
            &["--decision", "d"],
            json!({"decisions": ["d"]}),
        ),
        (json!({"decisions": "d"}), &[], json!({"decisions": ["d"]})),
        (
            json!({"decisions": "[\"d\"]"}),
            &[],
            json!({"decisions": ["d"]}),
        ),
        (
            json!({"decisions": [{"decision": "d", "reason": "r"}]}),
            &[],
            json!({"decisions": ["d (r)"]}),
        ),
        (
            json!({"decisions": ["[x] is a mark"]}),
            &["--decision", "[x] is a mark"],
            json!({"decisions": ["[x] is a mark"]}),
        ),
        // modifiedFiles
        (
            json!({"modifiedFiles": [{"path": "a", "note": "n"}]}),
            &["--file", "a=n"],
            json!({"modifiedFiles": [{"path": "a", "note": "n"}]}),
        ),
        (json!({"modifiedFiles": ["a"]}), &["--file", "a"], file("a")),
        (json!({"modifiedFiles": "a"}), &[], file("a")),
        (
            json!({"modifiedFiles": {"path": "a"}}),
            &["--file", r#"{"path":"a"}"#],
            file("a"),
        ),
        (json!({"modifiedFiles": "[\"a\"]"}), &[], file("a")),
        (json!({"modified_files": [{"file": "a"}]}), &[], file("a")),
        (json!({"files": [{"filePath": "a"}]}), &[], file("a")),
        (json!({"modifiedFiles": ["a=b"]}), &[], file("a=b")),
        // recentCommands
        (
            json!({"recentCommands": [{"command": "c", "exitCode": 1}]}),
            &["--command", "1: c"],
            json!({"recentCommands": [{"command": "c", "exitCode": 1}]}),
        ),
        (
            json!({"recentCommands": [{"command": "c", "exitCode": "1"}]}),
            &["--command", "1:c"],
            json!({"recentCommands": [{"command": "c", "exitCode": 1}]}),
        ),
        (
            json!({"recentCommands": [{"command": "c", "exitCode": 1.0}]}),
            &[],
            json!({"recentCommands": [{"command": "c", "exitCode": 1}]}),
        ),
        (
            json!({"recentCommands": [{"cmd": "c", "exit_code": "-1.0"}]}),
            &["--command=-1: c"],
            json!({"recentCommands": [{"command": "c", "exitCode": -1}]}),
        ),
        (
            json!({"recentCommands": ["c"]}),
            &["--command", "c"],
            json!({"recentCommands": [{"command": "c"}]}),
        ),
        (
            json!({"recentCommands": "c"}),
            &[],
            json!({"recentCommands": [{"command": "c"}]}),
        ),
        (
            json!({"recent_commands": r#"[{"command":"c","note":"n"}]"#}),
            &[],
            json!({"recentCommands": [{"command": "c", "note": "n"}]}),
        ),
        (
            json!({"commands": [{"command": ["npm", "test"]}]}),
            &[],
            json!({"recentCommands": [{"command": "npm test"}]}),
        ),
        (
            json!({"recentCommands": [{"command": "c", "note": 3}]}),
            &[],
            json!({"recentCommands": [{"command": "c", "note": "3"}]}),
        ),
        (
            json!({"recentCommands": ["a: b"]}),
            &["--command", "a: b"],
            json!({"recentCommands": [{"command": "a: b"}]}),
        ),
        // a whole checkpoint, of which a save takes what was said and records the facts anew
        (
            json!({
                "version": 1, "id": "x", "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z",
                "generator": {"name": "ckpt", "version": "0.1.0"}, "project": {"name": "p"}, "sessionId": "old",
                "git": {"branch": "b", "head": "h", "dirty": true}, "meta": {"redactions": 0, "truncated": false},
                "goal": {"primary": "g", "tasks": [{"description": "t", "status": "in_progress"}]},
                "summary": "s", "nextSteps": ["n"], "decisions": ["d"],
                "modifiedFiles": [
                    {"path": "a", "status": "M", "source": "agent", "hash": "h"},
                    {"path": "b", "status": "M", "source": "git", "hash": "h"},
                ],
                "recentCommands": [{"command": "c", "exitCode": 0, "at": "2026-01-01T00:00:00.000Z"}],
            }),
            &[],
            json!({
                "goal": "g", "tasks": [{"description": "t", "status": "in_progress"}], "summary": "s",
                "nextSteps": ["n"], "decisions": ["d"], "modifiedFiles": [{"path": "a"}],
                "recentCommands": [{"command": "c", "exitCode": 0}],
            }),
        ),
    ]
}

/// What a save kept of its arguments, without what it knows by itself.
fn kept(project: &Project, session: &str) -> Value {
    let saved = project.saved(session);
    let plain = |list: &Value, fields: &[&str]| -> Value {
        let entries = list.as_array().unwrap().iter();
        entries
            .map(|entry| {
                let given = fields.iter().filter(|field| entry.get(**field).is_some());
                Value::Object(
                    given
                        .map(|field| ((*field).to_owned(), entry[*field].clone()))
                        .collect(),
                )
            })
            .collect()
    };
    let mut kept = Map::new();
    for (name, value) in [
        ("goal", saved["goal"]["primary"].clone()),
        (
            "tasks",
            plain(&saved["goal"]["tasks"], &["description", "status"]),
        ),
        ("summary", saved["summary"].clone()),
        ("nextSteps", saved["nextSteps"].clone()),
        ("decisions", saved["decisions"].clone()),
        (
            "modifiedFiles",
            plain(&saved["modifiedFiles"], &["path", "note"]),
        ),
        (
            "recentCommands",
            plain(&saved["recentCommands"], &["command", "exitCode", "note"]),
        ),
    ] {
        if !value.is_null() && value != json!([]) {
            kept.insert(name.to_owned(), value);
        }
    }
    Value::Object(kept)
}

/// Arguments with a goal where they have none, and what is then saved.
fn with_goal(mut given: Value, mut expected: Value) -> (Value, Value) {
    if expected.get("goal").is_none() {
        given["goal"] = json!("g");
        expected["goal"] = json!("g");
    }
    (given, expected)
}

#[test]
fn every_form_of_every_argument_is_taken_over_mcp_and_as_input() {
    let project = Project::bare_folder();
    for name in ["a", "b", "a=b"] {
        project.write(name, "x");
    }
    project.write("a", "");
    project.write("a=b", "");
    let mut server = Server::open(&project, json!({}));
    for (index, (given, _, expected)) in forms().into_iter().enumerate() {
        let (mut given, expected) = with_goal(given, expected);
        let input = project.try_save(&format!("i{index}"), &given).succeeds();
        assert_eq!(input.stderr, "", "{given}");
        assert_eq!(
            kept(&project, &format!("i{index}")),
            expected,
            "as input: {given}"
        );
        given["session"] = json!(format!("m{index}"));
        let result = server.call(SAVE, given.clone());
        assert_eq!(
            result["structuredContent"]["warnings"],
            json!([]),
            "{given}"
        );
        assert_eq!(
            kept(&project, &format!("m{index}")),
            expected,
            "over MCP: {given}"
        );
    }
    server.close();
}

#[test]
fn the_same_is_taken_on_the_command_line() {
    let project = Project::bare_folder();
    for name in ["a", "b", "a=b"] {
        project.write(name, "x");
    }
    for (index, (given, options, expected)) in forms().into_iter().enumerate() {
        if options.is_empty() {
            continue;
        }
        let session = format!("c{index}");
        let mut arguments = vec!["save", "--session", &session];
        if given == with_goal(given.clone(), expected.clone()).0 {
            arguments.extend(options);
        } else {
            arguments.extend(["--goal", "g"]);
            arguments.extend(options);
        }
        project.ckpt(&arguments).succeeds().warns_of_nothing();
        let (_, expected) = with_goal(given, expected);
        assert_eq!(kept(&project, &session), expected, "{options:?}");
    }
}

#[test]
fn one_bad_entry_or_part_is_left_out_and_the_rest_is_saved() {
    let project = Project::bare_folder();
    for (given, expected, warning) in [
        (
            json!({"tasks": [{"description": "t"}, true, {"status": "done"}]}),
            json!({"tasks": [{"description": "t", "status": "pending"}]}),
            "`tasks[1]` cannot be read: got true, expected a task, such as {\"description\"",
        ),
        (
            json!({"tasks": [{"description": "t", "status": "reviewing"}]}),
            json!({"tasks": [{"description": "t", "status": "pending"}]}),
            "`tasks[0].status` cannot be read: got \"reviewing\", expected \"pending\", \"in_progress\"",
        ),
        (
            json!({"tasks": [{"description": "t", "owner": "me"}, {"description": "u", "owner": "me"}]}),
            json!({"tasks": [{"description": "t", "status": "pending"}, {"description": "u", "status": "pending"}]}),
            "entries of `tasks` have no field \"owner\"",
        ),
        (
            json!({"tasks": true}),
            json!({}),
            "`tasks[0]` cannot be read: got true",
        ),
        (
            json!({"summary": {"a": 1}}),
            json!({}),
            "`summary` cannot be read: got {\"a\":1}, expected a string",
        ),
        (
            json!({"nextSteps": ["n", [true]]}),
            json!({"nextSteps": ["n"]}),
            "`nextSteps[1]` cannot be read: got [true]",
        ),
        (
            json!({"decisions": [false, "d"]}),
            json!({"decisions": ["d"]}),
            "`decisions[0]` cannot be read: got false",
        ),
        (
            json!({"modifiedFiles": [{"note": "n"}, "a"]}),
            json!({"modifiedFiles": [{"path": "a"}]}),
            "`modifiedFiles[0]` cannot be read: got {\"note\":\"n\"}, expected a file, such as {\"path\"",
        ),
        (
            json!({"recentCommands": [{"command": "c", "exitCode": "one"}]}),
            json!({"recentCommands": [{"command": "c"}]}),
            "`recentCommands[0].exitCode` cannot be read: got \"one\", expected a whole number",
        ),
        (
            json!({"recentCommands": [{"command": "c", "exitCode": 0.5}]}),
            json!({"recentCommands": [{"command": "c"}]}),
            "`recentCommands[0].exitCode` cannot be read: got 0.5",
        ),
        (
            json!({"recentCommands": [{"exitCode": 1}, "c"]}),
            json!({"recentCommands": [{"command": "c"}]}),
            "`recentCommands[0]` cannot be read: got {\"exitCode\":1}, expected a command",
        ),
        (
            json!({"nextStep": ["n"]}),
            json!({}),
            "the argument `nextStep` is unknown and was left out; the nearest known one is `nextSteps`",
        ),
        (
            json!({"checkpoint": "s1"}),
            json!({}),
            "the argument `checkpoint` is unknown",
        ),
        (
            json!({"summary": {"token": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}}),
            json!({}),
            "`summary` cannot be read: got {\"token\":\"«redacted»\"}",
        ),
    ] {
        let (given, expected) = with_goal(given, expected);
        let output = project.try_save("s1", &given).succeeds().errs(warning);
        assert!(!output.stderr.contains("panicked"));
        assert_eq!(kept(&project, "s1"), expected, "{given}");
    }
}

#[test]
fn a_mode_that_cannot_be_read_loses_nothing() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g", "decisions": ["kept"]}));
    let given = json!({"goal": "h", "decisions": ["new"], "mode": "careful"});
    project
        .try_save("s1", &given)
        .succeeds()
        .errs("got \"careful\"");
    assert_eq!(project.saved("s1")["decisions"], json!(["kept", "new"]));
    for (mode, expected) in [
        ("Merge", json!(["kept", "new", "d"])),
        ("append", json!(["kept", "new", "d"])),
        ("REPLACE", json!(["d"])),
    ] {
        project.save("s1", json!({"goal": "g", "decisions": ["d"], "mode": mode}));
        assert_eq!(project.saved("s1")["decisions"], expected, "{mode}");
    }
}

#[test]
fn only_a_goal_that_cannot_be_read_stops_a_save() {
    let project = Project::bare_folder();
    for (given, fault) in [
        (
            json!({"goal": true}),
            "`goal` cannot be read: got true, expected a string, such as \"Sign in",
        ),
        (
            json!({"goal": {"a": 1, "b": 2}}),
            "`goal` cannot be read: got {\"a\":1,\"b\":2}",
        ),
        (json!({"goal": [[true]]}), "`goal` cannot be read"),
        (json!({"goal": " "}), "no `goal` was given"),
        (json!({"tasks": ["t"]}), "no `goal` was given"),
        // What says where it goes is no less than a goal.
        (
            json!({"goal": "g", "resumedFrom": [true]}),
            "`resumedFrom` cannot be read: got [true]",
        ),
        (
            json!({"goal": "g", "projectRoot": {}}),
            "`projectRoot` cannot be read: got {}",
        ),
    ] {
        let input = given.to_string();
        let mut command = project.command(["save", "--input", "-"]);
        Output::with_input(&mut command, input.as_bytes()).fails_with(fault);
    }
    assert!(project.stored_names().is_empty());
}

#[test]
fn a_task_that_was_cancelled_is_found_again_by_what_it_says() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g", "tasks": ["t"]}));
    let cancelled = json!({"goal": "g", "mode": "merge", "tasks": [{"description": "t", "status": "cancelled"}]});
    project.save("s1", cancelled);
    assert_eq!(
        kept(&project, "s1")["tasks"],
        json!([{"description": "t (cancelled)", "status": "blocked"}])
    );
    let done =
        json!({"goal": "g", "mode": "merge", "tasks": [{"description": "t", "status": "done"}]});
    project.save("s1", done);
    assert_eq!(
        kept(&project, "s1")["tasks"],
        json!([{"description": "t", "status": "done"}])
    );
}

#[test]
fn a_load_and_a_list_take_every_form_too() {
    let project = Project::bare_folder();
    for session in ["s1", "s2", "s3"] {
        project.save(session, json!({"goal": session}));
    }
    let mut server = Server::open(&project, json!({}));
    for (limit, entries) in [
        (json!(2), 2),
        (json!("2"), 2),
        (json!(2.0), 2),
        (json!("2.0"), 2),
        (json!("0"), 3),
        (json!(""), 3),
    ] {
        let result = server.call(LIST, json!({"limit": limit}));
        let listed = result["structuredContent"]["entries"]
            .as_array()
            .unwrap()
            .len();
        assert_eq!(listed, entries, "{limit}");
    }
    for (arguments, checkpoint) in [
        (json!({"checkpoint": "s1", "format": "Full"}), true),
        (json!({"Checkpoint": "s1", "format": "full"}), true),
        (json!({"checkpoint": "s1", "format": null}), false),
        (json!({"session": "s1"}), false),
    ] {
        let result = server.call(LOAD, arguments.clone());
        let content = &result["structuredContent"];
        assert_eq!(content["found"], true, "{arguments}");
        assert_eq!(
            content.get("checkpoint").is_some(),
            checkpoint,
            "{arguments}"
        );
    }
    let unknown = server.call(LOAD, json!({"checkpoint": "s1", "fromat": "full"}));
    let warnings = unknown["structuredContent"]["warnings"].to_string();
    assert!(
        warnings.contains("the nearest known one is `format`"),
        "{warnings}"
    );
    for (tool, arguments, told) in [
        (
            LIST,
            json!({"limit": "ten"}),
            "`limit` cannot be read: got \"ten\", expected a whole number, such as 10",
        ),
        (
            LIST,
            json!({"limit": 1.5}),
            "`limit` cannot be read: got 1.5",
        ),
        (
            LOAD,
            json!({"format": "xml"}),
            "`format` cannot be read: got \"xml\", expected one of \"brief\", \"full\"",
        ),
        (
            LOAD,
            json!({"checkpoint": {"a": 1}}),
            "`checkpoint` cannot be read: got {\"a\":1}, expected a string",
        ),
        (
            LIST,
            json!({"projectRoot": ["/", true]}),
            "`projectRoot` cannot be read",
        ),
        (
            LIST,
            json!({"projectRoot": "absent"}),
            "`projectRoot` names `absent`, which cannot be used: it is not an absolute path",
        ),
    ] {
        let result = server.call(tool, arguments.clone());
        assert_eq!(result["isError"], true, "{arguments}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(told), "{arguments}: {text}");
        for word in ["struct ", "sequence", "i64", "usize", "variant", "map"] {
            assert!(!text.contains(word), "{arguments}: {text}");
        }
    }
    server.close();
}

#[test]
fn on_the_command_line_messages_have_the_command_lines_words() {
    let project = Project::bare_folder();
    let long = "x".repeat(501);
    for (options, told, untold) in [
        (
            &["--goal", "g", "--next", "a", "--next", &long][..],
            "`--next` number 2 has 501 characters (limit 500)",
            "nextSteps",
        ),
        (&["--goal", &long], "`--goal` has 501 characters", "`goal`"),
        (&["--merge", "--next", "n"], "needs a `--goal`", "`goal`"),
        (
            &["-C", "absent", "--goal", "g"],
            "`-C` names `",
            "projectRoot",
        ),
    ] {
        let output = project
            .ckpt(["save"].iter().chain(options))
            .fails_with(told);
        assert!(!output.stderr.contains(untold), "{}", output.stderr);
    }
    for (options, told, untold) in [
        (
            &["--summary", "password=hunter2hunter2"][..],
            "redacted before writing, in `--summary`",
            "`summary`",
        ),
        (
            &["--resumed-from", "absent"],
            "`--resumed-from` was ignored",
            "resumedFrom",
        ),
        (
            &["--task", r#"{"description":"t","status":"odd"}"#],
            "`--task` number 1 cannot be read: got \"odd\"",
            "tasks",
        ),
    ] {
        let project = Project::repository();
        let arguments = ["save", "--session", "s1", "--goal", "g"];
        let output = project
            .ckpt(arguments.iter().chain(options))
            .succeeds()
            .errs(told);
        assert!(!output.stderr.contains(untold), "{}", output.stderr);
    }
}

#[cfg(unix)]
#[test]
fn a_server_goes_on_where_its_folder_was_made_anew_and_else_names_the_argument() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    server.call(SAVE, json!({"goal": "g", "session": "s1"}));
    let root = project.root();
    std::fs::remove_dir_all(&root).unwrap();
    let gone = server.call(SAVE, json!({"goal": "h", "session": "s1"}));
    let text = gone["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("name the project with `projectRoot`"),
        "{text}"
    );
    std::fs::create_dir(&root).unwrap();
    let again = server.call(SAVE, json!({"goal": "h", "session": "s1"}));
    assert_eq!(again["isError"], false, "{again}");
    assert_eq!(project.saved("s1")["goal"]["primary"], "h");
    server.close();
}

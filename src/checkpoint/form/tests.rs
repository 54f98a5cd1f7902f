//! Texts that come back as they were, edits, and everything that can be wrong with them.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::apply::origins;
use super::{Form, FormCommand, FormTask};
use crate::checkpoint::format::{Checkpoint, TaskStatus};
use crate::checkpoint::text::is_unprintable;

fn checkpoint(fields: Value) -> Checkpoint {
    let mut value = json!({
        "version": 1, "createdAt": "2026-10-08T02:00:00.000Z", "updatedAt": "2026-10-08T02:00:00.000Z",
        "goal": {"primary": "g", "tasks": []},
    });
    for (name, field) in fields.as_object().unwrap() {
        value[name] = field.clone();
    }
    Checkpoint::parse(value.to_string().as_bytes()).unwrap()
}

fn now() -> Timestamp {
    "2026-10-08T02:26:00Z".parse().unwrap()
}

#[test]
fn every_text_comes_back_as_it_was() {
    let odd = [
        "",
        "plain",
        "two\nlines",
        "ends in a line\n",
        "\n",
        "\n\n",
        "\"quotes\" \"\"\" \"\"\"\" \\ \\n",
        "\"\"\"\n\"\"\"",
        "a\"\n\"",
        "cr\r\nlf\r",
        "\ttab\n\ttab",
        "\u{0}\u{1b}[31m\u{7f}\u{85}\u{202e}\u{feff}\u{e0041}",
        "\u{0}\n\u{1b}\n\u{202e}",
        "# no comment = [\n]",
        "trailing  \n  leading",
        "ü 😀 «redacted»",
    ];
    for text in odd {
        let checkpoint = checkpoint(json!({
            "goal": {"primary": text, "tasks": [{"description": text, "status": text}]},
            "summary": text, "nextSteps": [text, text], "decisions": [text],
            "recentCommands": [{"command": text, "note": text, "exitCode": -1}, {"command": text}],
            "modifiedFiles": [{"path": text, "note": text}, {"path": "a.b/c d"}],
        }));
        let form = Form::of(&checkpoint);
        let written = form.to_text("heading");
        assert!(!written.contains(|c| is_unprintable(c) && c != '\n' && c != '\t'));
        for text in [written.clone(), written.replace('\n', "\r\n")] {
            let parsed = Form::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(parsed, form, "{text}");
        }
        assert_eq!(form.apply(&checkpoint, now()).unwrap(), checkpoint);
    }
}

#[test]
fn what_is_not_toml_or_of_another_shape_is_named_with_its_line() {
    for (text, expected) in [
        (
            "goal = \"a\"\nsummary = \"b",
            "line 2: invalid basic string",
        ),
        ("", "line 1: missing field `goal`"),
        (
            "goal = \"a\"\n\ngoals = \"b\"",
            "line 3: unknown field `goals`",
        ),
        ("goal = 1", "line 1: invalid type: integer `1`"),
        (
            "goal = \"a\"\ntasks = [\n  \"x\",\n]",
            "line 3: invalid type: string",
        ),
        ("goal = \"a\"\ngoal = \"b\"", "line 2: duplicate key"),
    ] {
        let error = Form::parse(text).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
        assert!(!error.contains('\n'));
    }
}

#[test]
fn everything_that_is_wrong_is_named() {
    let saved = checkpoint(json!({
        "goal": {"primary": "g", "tasks": [{"description": "t", "status": "later"}]},
        "modifiedFiles": [{"path": "a"}],
        "decisions": ["d".repeat(501)],
    }));
    let mut form = Form::of(&saved);
    form.goal = " ".to_owned();
    form.summary = "s".repeat(4_001);
    form.next_steps = vec!["n".to_owned(); 21];
    form.tasks.push(FormTask {
        status: TaskStatus::Other("doing".to_owned()),
        description: "t".repeat(301),
    });
    form.file_notes = [
        ("a".to_owned(), "n".repeat(301)),
        ("b".to_owned(), String::new()),
    ]
    .into();
    assert_eq!(
        form.apply(&saved, now()).unwrap_err(),
        [
            "`goal` is empty",
            "`tasks[1].status` is `doing`, which is none of pending, in_progress, done, blocked",
            "`nextSteps` has 21 entries (limit 20)",
            "`tasks[1].description` has 301 characters (limit 300)",
            "`summary` has 4001 characters (limit 4000)",
            "`fileNotes` names \"b\", which is not a recorded file",
            "`fileNotes.\"a\"` has 301 characters (limit 300)",
        ]
    );
}

#[test]
fn unknown_fields_and_times_stay_with_what_was_reworded() {
    let saved = checkpoint(json!({
        "goal": {"primary": "g", "tasks": [
            {"description": "write the parser", "status": "pending", "x": 1},
            {"description": "test it", "status": "pending", "x": 2},
        ]},
        "recentCommands": [
            {"command": "cargo test", "at": "2026-10-08T01:00:00.000Z", "y": 1},
            {"command": "make", "at": "2026-10-08T01:30:00.000Z", "y": 2},
        ],
        "modifiedFiles": [{"path": "a", "hash": "0", "z": 1}],
        "later": {"a": null},
    }));
    let mut form = Form::of(&saved);
    form.tasks.reverse();
    form.tasks[1].description = "write the TOML parser".to_owned();
    form.recent_commands[0].exit_code = Some(0);
    form.recent_commands.push(FormCommand {
        command: "ls".to_owned(),
        exit_code: None,
        note: String::new(),
    });
    form.file_notes.insert("a".to_owned(), "note".to_owned());
    let next = serde_json::to_value(form.apply(&saved, now()).unwrap()).unwrap();
    assert_eq!(
        next["goal"]["tasks"],
        json!([
            {"description": "test it", "status": "pending", "x": 2},
            {"description": "write the TOML parser", "status": "pending", "x": 1},
        ])
    );
    assert_eq!(
        next["recentCommands"],
        json!([
            {"command": "cargo test", "exitCode": 0, "at": "2026-10-08T01:00:00.000Z", "y": 1},
            {"command": "make", "at": "2026-10-08T01:30:00.000Z", "y": 2},
            {"command": "ls", "at": "2026-10-08T02:26:00.000Z"},
        ])
    );
    assert_eq!(
        next["modifiedFiles"][0],
        json!({"path": "a", "status": "M", "source": "agent", "note": "note", "hash": "0", "z": 1})
    );
    assert_eq!(next["later"], json!({"a": null}));
}

#[test]
fn each_text_finds_where_it_comes_from() {
    for (old, new, expected) in [
        (
            &["a", "b", "a"][..],
            &["b", "a", "a"][..],
            vec![Some(1), Some(0), Some(2)],
        ),
        (
            &["the first task", "zzz", "third"],
            &["the 1st task", "third"],
            vec![Some(0), Some(2)],
        ),
        (&["abc", "x"], &["x", "123"], vec![Some(1), Some(0)]),
        (&["x"], &["x", "abc"], vec![Some(0), None]),
        (&["abc", "def"], &["123"], vec![None]),
        (&[], &["x"], vec![None]),
    ] {
        assert_eq!(origins(old, new), expected, "{old:?} {new:?}");
    }
}

#[test]
fn what_is_emptied_is_left_out() {
    let saved = checkpoint(json!({
        "goal": {"primary": "g", "tasks": [{"description": "a"}, {"description": "b"}]},
        "summary": "s", "nextSteps": ["a", "b"], "decisions": ["a"],
        "recentCommands": [{"command": "a", "note": "n"}],
        "modifiedFiles": [{"path": "a", "note": "n"}],
    }));
    let text = "goal = \"g\"\ntasks = [{ description = \"\" }, { description = \"b\" }]\nnextSteps = [\"\", \"b\"]";
    let next = Form::parse(text).unwrap().apply(&saved, now()).unwrap();
    assert_eq!(next.goal.tasks.len(), 1);
    assert_eq!(
        (next.summary, next.next_steps),
        (None, vec!["b".to_owned()])
    );
    assert!(next.decisions.is_empty() && next.recent_commands.is_empty());
    assert_eq!(next.modified_files[0].note, None);
}

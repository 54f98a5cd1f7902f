//! A conversation that was rewound: what was left behind stays in the file, and is told of no more.

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::transcripts::{LATER, Transcript};

const SESSION: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

/// A transcript whose lines are a tree: each is `(its own name, the name of the one it answers, what it is)`.
fn tree(project: &Project, lines: &[(&str, &str, Value)]) -> Transcript {
    let begun = Transcript::new(project, SESSION, 0);
    lines
        .iter()
        .fold(begun, |transcript, (name, parent, line)| {
            let mut line = line.clone();
            line["uuid"] = json!(name);
            line["parentUuid"] = match *parent {
                "" => Value::Null,
                parent => json!(parent),
            };
            transcript.line(line)
        })
}

fn asks(text: &str) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

fn says(text: &str) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    json!({"type": "assistant", "message": {"content": content, "stop_reason": "end_turn"}})
}

/// A call that is one of those of a message.
fn calls(message: &str, id: &str, command: &str) -> Value {
    let content =
        json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
    json!({"type": "assistant", "message": {"id": message, "content": content, "stop_reason": "tool_use"}})
}

fn answers(id: &str) -> Value {
    let content =
        json!([{"type": "tool_result", "tool_use_id": id, "content": "out", "is_error": false}]);
    json!({"type": "user", "message": {"content": content}})
}

fn brief(project: &Project) -> String {
    let output = project.ckpt_with(&[("CKPT_NOW", LATER)], ["load", SESSION]);
    output.succeeds().stdout
}

fn assert_told(brief: &str, told: &[&str], untold: &[&str]) {
    for fact in told {
        assert!(brief.contains(fact), "no {fact:?} in {brief}");
    }
    for fact in untold {
        assert!(!brief.contains(fact), "{fact:?} in {brief}");
    }
}

/// One prompt, a second that was taken back, and a third in its place.
fn rewound() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("p1", "", asks("Build the exporter")),
        ("a1", "p1", says("How?")),
        ("p2", "a1", asks("Use a SQL database")),
        ("c2", "p2", calls("m2", "t2", "pip install sqlalchemy")),
        ("r2", "c2", answers("t2")),
        ("a2", "r2", says("SQL done")),
        ("p3", "a1", asks("Use plain CSV")),
        ("c3", "p3", calls("m3", "t3", "python export.py")),
        ("r3", "c3", answers("t3")),
    ]
}

const LIVE: [&str; 3] = [
    "Build the exporter",
    "- The user asked: Use plain CSV\n",
    "✓ `python export.py`",
];
const ABANDONED: [&str; 3] = ["SQL", "sqlalchemy", "last 2"];

#[test]
fn of_a_rewound_conversation_the_branch_that_it_ended_in_is_told() {
    let project = Project::repository();
    tree(&project, &rewound()).put(&project);
    assert_told(&brief(&project), &LIVE, &ABANDONED);
}

#[test]
fn a_first_prompt_that_was_typed_anew_is_the_goal() {
    let project = Project::repository();
    let lines = [
        ("p1", "", asks("Build the exporter with SQL")),
        ("a1", "p1", says("SQL done")),
        ("p2", "", asks("Build the exporter")),
        ("a2", "p2", says("CSV done")),
    ];
    tree(&project, &lines).put(&project);
    assert_told(
        &brief(&project),
        &["## Goal (the first prompt)\nBuild the exporter\n"],
        &["SQL"],
    );
}

#[test]
fn a_conversation_that_was_rewound_and_left_ends_where_it_was_rewound_to() {
    let project = Project::repository();
    let rewound = rewound();
    let leaf = json!({"type": "last-prompt", "lastPrompt": "Build the exporter", "leafUuid": "a1"});
    tree(&project, &rewound[..6])
        .raw(leaf.to_string())
        .exits()
        .put(&project);
    assert_told(
        &brief(&project),
        &["Build the exporter"],
        &["SQL", "sqlalchemy"],
    );
}

#[test]
fn calls_that_ran_beside_each_other_are_all_told() {
    let project = Project::repository();
    let calls_of_one_message = |parent: &'static str| {
        vec![
            ("p1", "", asks("Check it")),
            ("c1", "p1", calls("m1", "t1", "make lint")),
            ("c2", "c1", calls("m1", "t2", "make test")),
            ("c3", "c2", calls("m1", "t3", "make docs")),
            ("r1", "c1", answers("t1")),
            ("r3", "c3", answers("t3")),
            ("r2", "c2", answers("t2")),
            ("a1", parent, says("All is well")),
        ]
    };
    // Whichever of the results the conversation went on from.
    for parent in ["r1", "r2", "r3"] {
        tree(&project, &calls_of_one_message(parent)).put(&project);
        assert_told(
            &brief(&project),
            &["✓ `make lint`", "✓ `make test`", "✓ `make docs`", "last 3"],
            &[],
        );
    }
}

#[test]
fn where_the_tree_is_broken_nothing_is_lost() {
    let project = Project::repository();
    let mut lines = rewound();
    // The line that the third prompt answers is nowhere.
    lines[6].1 = "gone";
    tree(&project, &lines).put(&project);
    assert_told(
        &brief(&project),
        &["Build the exporter", "python export.py", "sqlalchemy"],
        &[],
    );
    // A line of a kind that nobody knows is a part of the conversation as well.
    let mut lines = rewound();
    lines.insert(1, ("x1", "p1", json!({"type": "never-seen"})));
    lines[2].1 = "x1";
    tree(&project, &lines).put(&project);
    assert_told(&brief(&project), &LIVE, &ABANDONED);
}

#[test]
fn a_compaction_is_no_end_of_the_conversation() {
    let project = Project::repository();
    for logical_parent in [json!("a1"), Value::Null] {
        let boundary = json!({"type": "system", "subtype": "compact_boundary", "logicalParentUuid": logical_parent});
        let summary = json!({"type": "user", "isCompactSummary": true, "message": {"content": "Summary:\nso far"}});
        let lines = [
            ("p1", "", asks("Build the exporter")),
            ("c1", "p1", calls("m1", "t1", "make")),
            ("r1", "c1", answers("t1")),
            ("a1", "r1", says("done")),
            ("b", "", boundary),
            ("s", "b", summary),
            ("p2", "s", asks("go on")),
        ];
        tree(&project, &lines).put(&project);
        assert_told(
            &brief(&project),
            &["Build the exporter", "✓ `make`", "so far", "go on"],
            &[],
        );
    }
}

#[test]
fn what_was_rewound_to_before_a_save_is_not_told_as_after_it() {
    let project = Project::repository();
    let before = Transcript::new(&project, SESSION, -3);
    let root = before.line({
        let mut line = asks("Build the exporter");
        line["uuid"] = json!("p1");
        line
    });
    project.save(SESSION, json!({"goal": "Export"}));
    let after = tree(
        &project,
        &rewound()[2..]
            .iter()
            .cloned()
            .map(|(name, parent, line)| (name, if parent == "a1" { "p1" } else { parent }, line))
            .collect::<Vec<_>>(),
    );
    after
        .lines
        .iter()
        .fold(root, |all, line| all.raw(line))
        .put(&project);
    assert_told(&brief(&project), &LIVE[1..], &ABANDONED);
}

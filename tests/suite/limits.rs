//! Limits of what is saved (docs/contract.md, section 5).

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::with;

fn strings(count: usize) -> Value {
    (0..count).map(|n| format!("entry {n}")).collect()
}

fn objects(key: &str, count: usize) -> Value {
    (0..count)
        .map(|n| json!({key: format!("entry{n}")}))
        .collect()
}

/// Every limit: the field as errors name it, its limit and unit, and an input of a given length.
type Limit = (&'static str, usize, &'static str, fn(usize) -> Value);
const LIMITS: [Limit; 16] = [
    (
        "goal",
        500,
        "characters",
        |n| json!({"goal": "ü".repeat(n)}),
    ),
    (
        "summary",
        4_000,
        "characters",
        |n| json!({"summary": "😀".repeat(n)}),
    ),
    (
        "tasks",
        30,
        "entries",
        |n| json!({"tasks": objects("description", n)}),
    ),
    (
        "tasks[1].description",
        300,
        "characters",
        |n| json!({"tasks": [{"description": "t"}, {"description": "ü".repeat(n)}]}),
    ),
    (
        "nextSteps",
        20,
        "entries",
        |n| json!({"nextSteps": strings(n)}),
    ),
    (
        "nextSteps[1]",
        500,
        "characters",
        |n| json!({"nextSteps": ["s", "ü".repeat(n)]}),
    ),
    (
        "decisions",
        20,
        "entries",
        |n| json!({"decisions": strings(n)}),
    ),
    (
        "decisions[0]",
        500,
        "characters",
        |n| json!({"decisions": ["ü".repeat(n)]}),
    ),
    (
        "modifiedFiles",
        100,
        "entries",
        |n| json!({"modifiedFiles": objects("path", n)}),
    ),
    ("modifiedFiles[0].path", 1_024, "characters", |n| {
        // In folders, for no file system has names as long as that.
        let path: String = "ü"
            .repeat(n)
            .chars()
            .enumerate()
            .map(|(i, c)| if i % 50 == 49 { '/' } else { c })
            .collect();
        json!({"modifiedFiles": [{"path": path}]})
    }),
    (
        "modifiedFiles[0].note",
        300,
        "characters",
        |n| json!({"modifiedFiles": [{"path": "README", "note": "ü".repeat(n)}]}),
    ),
    (
        "recentCommands",
        50,
        "entries",
        |n| json!({"recentCommands": objects("command", n)}),
    ),
    (
        "recentCommands[0].command",
        1_000,
        "characters",
        |n| json!({"recentCommands": [{"command": "ü".repeat(n)}]}),
    ),
    (
        "recentCommands[0].note",
        300,
        "characters",
        |n| json!({"recentCommands": [{"command": "c", "note": "ü".repeat(n)}]}),
    ),
    // A merge counts what it is given in the same way.
    (
        "decisions",
        20,
        "entries",
        |n| json!({"decisions": strings(n), "mode": "merge"}),
    ),
    (
        "goal",
        500,
        "characters",
        |n| json!({"goal": "ü".repeat(n), "mode": "merge"}),
    ),
];

#[test]
fn at_its_limit_every_field_is_saved_whole() {
    for (field, limit, _, input) in LIMITS {
        let project = Project::bare_folder();
        let saved = project.save("s1", with(json!({"goal": "g"}), input(limit)));
        let warnings = saved.json()["warnings"].to_string();
        assert!(!warnings.contains("dropped"), "{field}: {warnings}");
        assert_eq!(project.saved("s1")["meta"]["truncated"], false, "{field}");
    }
}

#[test]
fn over_its_limit_every_field_is_an_error_with_limit_and_length_and_nothing_is_written() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "before"}));
    let before = project.snapshot();
    for (field, limit, unit, input) in LIMITS {
        let length = limit + 1;
        project
            .try_save("s1", &with(json!({"goal": "g"}), input(length)))
            .fails_with(&format!("`{field}` has {length} {unit} (limit {limit})"));
        assert_eq!(project.snapshot(), before, "{field}");
    }
}

#[test]
fn one_error_names_every_field_over_its_limit() {
    let project = Project::bare_folder();
    let output = project
        .try_save(
            "s1",
            &json!({
                "goal": "g".repeat(600),
                "summary": "fine",
                "tasks": objects("description", 31),
                "nextSteps": ["n".repeat(501), "fine", "n".repeat(502)],
                "recentCommands": [{"command": "c".repeat(1_001), "note": "n".repeat(301)}],
            }),
        )
        .fails_with("`goal` has 600 characters (limit 500)")
        .errs("`tasks` has 31 entries (limit 30)")
        .errs("`nextSteps[0]` has 501 ")
        .errs("`nextSteps[2]` has 502 ")
        .errs("`recentCommands[0].command` has 1001 ")
        .errs("`recentCommands[0].note` has 301 ");
    assert!(!output.stderr.contains("summary") && !output.stderr.contains("nextSteps[1]"));
    assert!(project.stored_names().is_empty());
}

#[test]
fn the_options_of_the_command_line_have_the_same_limits() {
    let project = Project::bare_folder();
    let long = "x".repeat(501);
    project
        .ckpt(["save", "--goal", &long, "--next", &long])
        .fails_with("`--goal` has 501 characters (limit 500)")
        .errs("`--next` number 1 has 501 ");
    assert!(project.stored_names().is_empty());
}

//! Command lines that nobody documented: each is answered with what was probably meant.

use serde_json::json;

use crate::harness::Project;

/// What is typed, and what the answer has to say.
const TYPED: [(&str, &str); 45] = [
    ("laod", "'load'"),
    ("lst", "'list'"),
    ("statsu", "'status'"),
    ("help laod", "'load'"),
    ("resume-last", "'resume'"),
    ("update", "ckpt save --merge"),
    ("version", "ckpt --version"),
    ("init", "ckpt status"),
    ("install", "ckpt status"),
    ("continue", "ckpt resume"),
    ("pull", "ckpt sync"),
    ("save fix it", "goes in quotes"),
    ("name s1 a b", "goes in quotes"),
    ("list --since last week", "goes in quotes"),
    ("list -5", "-n 5"),
    ("list 5", "-n 5"),
    ("log s1 -3", "-n 3"),
    ("list s1", "ckpt load SELECTOR"),
    ("list --format json", "--json"),
    ("load s1 -o json", "--json"),
    ("load s1 --full", "--format full"),
    ("load --diff s1", "--format diff"),
    ("load --last", "--latest"),
    ("diff --stat", "--name-only"),
    ("diff s1 s1 s1", "one checkpoint, or two"),
    ("diff s1 s1 -p", "cannot be used with '--patch'\n\nUsage"),
    ("redact file.txt", "ckpt redact < FILE"),
    ("prune s1 -n", "--dry-run"),
    ("prune --all", "mark it on a terminal"),
    ("-v", "-V"),
    ("list --limt 3", "'--limit'"),
    ("load ./gone.json", "gone.json`"),
    ("load feat/oath", "one of those that exist: `auth`"),
    ("load gone.json --prev", "leave out --prev"),
    ("save --input a.json --merge", "say it in the JSON"),
    ("save --task a --input a.json", "say it in the JSON"),
    ("load auth~1", "@{1} for the save before"),
    ("load auth^", "@{1} for the save before"),
    ("load auth@1", "@{1} for the save before"),
    ("done nothing", "one of those that exist: `auth`"),
    ("save", "--goal TEXT"),
    ("save --merge", "give `--goal`, too"),
    ("edit auth", "EDITOR"),
    ("sync", "git config --global ckpt.sync URL"),
    ("-C /nowhere list", "a directory that exists"),
];

#[test]
fn what_was_probably_meant_is_said() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "the goal", "name": "auth"}));
    for (typed, answer) in TYPED {
        let output = project.ckpt(typed.split(' ')).exits(2);
        assert_eq!(output.stdout, "", "{typed}");
        assert!(output.stderr.contains(answer), "{typed}: {}", output.stderr);
        // That an option could stand for a value is never what was meant.
        assert!(
            !output.stderr.contains("'-- "),
            "{typed}: {}",
            output.stderr
        );
        assert!(
            !output.stderr.contains("tip:"),
            "{typed}: {}",
            output.stderr
        );
    }
}

#[test]
fn what_is_not_alike_is_not_suggested() {
    let project = Project::bare_folder();
    for (typed, wrong) in [
        ("upload", "load"),
        ("instal", "list"),
        ("judge", "nudge"),
        ("blog", "log"),
    ] {
        let output = project.ckpt([typed]).exits(2);
        let suggests = output.stderr.contains(&format!("'{wrong}'"));
        // One letter too many is a slip, another word is none.
        assert_eq!(
            suggests,
            ["judge", "blog"].contains(&typed),
            "{}",
            output.stderr
        );
    }
}

#[test]
fn words_that_stand_for_a_checkpoint_may_be_in_either_case() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "the goal", "name": "auth"}));
    for typed in ["latest", "LATEST", "Latest", "auth", "AUTH", "S1"] {
        project.ckpt(["load", typed]).succeeds().prints("the goal");
    }
    // As it is written comes first.
    project.save("s2", json!({"goal": "another", "name": "Auth"}));
    project.save("s3", json!({"goal": "a third", "name": "LATEST"}));
    project.ckpt(["load", "auth"]).succeeds().prints("the goal");
    project.ckpt(["load", "Auth"]).succeeds().prints("another");
    project
        .ckpt(["load", "LATEST"])
        .succeeds()
        .prints("a third");
    for (option, value) in [("--format", "FULL"), ("--color", "Never")] {
        project.ckpt(["load", "auth", option, value]).succeeds();
    }
    project.ckpt(["completions", "Bash"]).succeeds();
}

#[test]
fn help_before_a_command_is_that_commands() {
    let project = Project::bare_folder();
    let after = project.ckpt(["save", "--help"]).succeeds();
    for help in ["-h", "--help"] {
        let before = project.ckpt([help, "save"]).succeeds();
        assert_eq!(before.stdout, after.stdout);
        let none = project.ckpt([help, "nothing"]).succeeds();
        assert!(none.stdout.contains("Commands:"), "{}", none.stdout);
    }
}

#[test]
fn one_that_is_named_twice_is_marked_once() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "the goal", "name": "auth"}));
    let output = project.ckpt(["done", "s1", "auth", "S1"]).succeeds();
    assert_eq!(output.stderr, "Checkpoint `s1` is done.\n");
}

#[test]
fn a_session_that_contradicts_is_told_to_a_person_in_options() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "the goal"}));
    let output = project.ckpt_with(
        &[("CLAUDE_CODE_SESSION_ID", "s1")],
        ["load", "--session", "other"],
    );
    let output = output.fails_with("`--session` is `other`, but the current session is `s1`");
    assert!(
        output.stderr.contains("--resumed-from"),
        "{}",
        output.stderr
    );
    assert!(!output.stderr.contains("resumedFrom"), "{}", output.stderr);
}

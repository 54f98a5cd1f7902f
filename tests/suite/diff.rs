//! `ckpt diff`: a checkpoint against the project as it is now, and against another one.

use serde_json::{Value, json};

use crate::harness::files::least;
use crate::harness::{Output, Project};

const SESSION: &str = "s1-first";

/// A project with one of each kind of uncommitted file, saved.
fn saved() -> Project {
    let project = Project::repository();
    for name in ["edited", "reverted", "deleted", "clean", "gone", "kept"] {
        project.write(format!("src/{name}.rs"), format!("// {name}\n"));
    }
    project.commit("second");
    for name in ["edited", "reverted", "kept"] {
        project.write(format!("src/{name}.rs"), "// edited\n");
    }
    project.remove("src/deleted.rs");
    project.write("src/untracked.rs", "// untracked\n");
    project.save(SESSION, json!({"goal": "g"}));
    project
}

fn diff<const N: usize>(project: &Project, arguments: [&str; N]) -> Output {
    let own = ["diff", "--session", SESSION];
    project.ckpt(own.into_iter().chain(arguments))
}

#[test]
fn nothing_changed_is_said_and_is_no_difference() {
    let project = saved();
    let output = diff(&project, ["--exit-code"]).succeeds();
    assert_eq!(
        output.stdout,
        "Since s1-first (saved just now, 2026-10-08T02:23:55.000Z)\nNothing changed.\n"
    );
    assert_eq!(diff(&project, ["--name-only"]).succeeds().stdout, "");
}

#[test]
fn each_file_is_told_with_how_it_changed() {
    let project = saved();
    project.write("src/edited.rs", "// edited twice\n");
    project.write("src/clean.rs", "// no longer\n");
    project.git(["checkout", "-q", "src/reverted.rs", "src/deleted.rs"]);
    project.remove("src/gone.rs");
    project.remove("src/untracked.rs");
    project.write("src/new.rs", "// new\n");
    let output = diff(&project, []).succeeds().stays_silent();
    assert_eq!(
        output.stdout,
        "\
Since s1-first (saved just now, 2026-10-08T02:23:55.000Z)

Files (7)
  modified  src/clean.rs
  restored  src/deleted.rs
  modified  src/edited.rs
  deleted   src/gone.rs
  new       src/new.rs
  reverted  src/reverted.rs
  deleted   src/untracked.rs
"
    );
    let names = diff(&project, ["--name-only"]).succeeds().stdout;
    let names: Vec<&str> = names.lines().collect();
    assert_eq!(names, project.changed_since(SESSION));
    diff(&project, ["--exit-code"]).exits(1);
    let json = diff(&project, ["--json"]).succeeds().json();
    assert_eq!(json["differs"], true);
    assert_eq!(
        json["files"][1],
        json!({"path": "src/deleted.rs", "change": "restored"})
    );
    assert_eq!(json["drift"], project.load(SESSION)["drift"]);
}

#[test]
fn an_ignored_file_that_the_agent_named_is_modified_and_not_reverted() {
    let project = Project::repository();
    project.write(".claude-checkpoint.notes", "");
    project.write(".gitignore", ".claude-checkpoint*\nlocal.env\n");
    project.commit("second");
    project.write("local.env", "a\n");
    project.save(
        SESSION,
        json!({"goal": "g", "modifiedFiles": [{"path": "local.env"}]}),
    );
    project.write("local.env", "b\n");
    diff(&project, [])
        .succeeds()
        .prints("  modified  local.env\n");
}

#[test]
fn new_commits_are_named_newest_first_and_the_rest_counted() {
    let project = saved();
    let before = project.head();
    for number in 1..=12 {
        project.git([
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            &format!("change {number}\n\nbody"),
        ]);
    }
    let after = project.head();
    let output = diff(&project, []).succeeds();
    assert_eq!(
        output.stdout,
        format!(
            "\
Since s1-first (saved just now, 2026-10-08T02:23:55.000Z)

HEAD
  ~ {} → {}

New commits (12)
  + change 12
  + change 11
  + change 10
  + change 9
  + change 8
  + change 7
  + change 6
  + change 5
  + change 4
  + change 3
    … and 2 older
",
            &before[..9],
            &after[..9]
        )
    );
    let json = diff(&project, ["--json"]).json();
    assert_eq!(json["commits"].as_array().unwrap().len(), 10);
    assert_eq!(json["head"], json!({"before": before, "after": after}));
    diff(&project, ["--exit-code", "--name-only"]).exits(1);
}

#[test]
fn a_branch_change_and_a_rewritten_history_are_told() {
    let project = saved();
    project.git(["checkout", "-q", "-b", "other"]);
    diff(&project, []).prints("\nBranch\n  ~ main → other\n");
    project.git(["commit", "-q", "--amend", "-m", "amended"]);
    diff(&project, [])
        .succeeds()
        .prints("    HEAD no longer follows the saved commit\n")
        .prints("\nNew commits (1)\n  + amended\n");
    project.git(["checkout", "-q", "--detach"]);
    diff(&project, []).prints("  ~ main → detached HEAD\n");
}

#[test]
fn a_project_without_git_is_compared_by_what_was_recorded() {
    let project = Project::bare_folder();
    project.write("a", "a");
    project.save(
        SESSION,
        json!({"goal": "g", "modifiedFiles": [{"path": "a"}, {"path": "b"}]}),
    );
    diff(&project, ["--exit-code"]).succeeds();
    project.remove("a");
    project.write("b", "b");
    let output = diff(&project, ["--exit-code"]).exits(1);
    let output = output.prints("  deleted   a\n  new       b\n");
    output.prints("\nOnly recorded files could be compared.\n");
}

#[test]
fn a_comparison_that_is_incomplete_does_not_pass_for_no_difference() {
    let project = saved();
    project.git(["checkout", "-q", "."]);
    project.save(SESSION, json!({"goal": "g"}));
    project.write(".git/HEAD", "broken");
    diff(&project, [])
        .succeeds()
        .errs("warning: git facts are missing: git takes the `.git` that is there for no");
    diff(&project, ["--exit-code"])
        .exits(2)
        .errs("error: no difference was found, but not everything could be compared");
}

#[test]
fn what_libgit2_says_reaches_a_person_without_its_codes() {
    let project = saved();
    // HEAD cannot be peeled to a commit; where there is a git command, that is asked.
    let blob = project.git(["hash-object", "-w", "src/main.rs"]);
    project.write(".git/refs/heads/main", blob + "\n");
    let no_git = project.home();
    let variables = [("PATH", no_git.to_str().unwrap())];
    for arguments in [
        &["load", SESSION][..],
        &["diff", SESSION],
        &["save", "--goal", "g", "--session", "s2"],
    ] {
        let output = project.ckpt_with(&variables, arguments).succeeds();
        let said = output.stdout + &output.stderr;
        assert!(said.contains("could not read HEAD: "), "{said}");
        assert!(
            !said.contains("class=") && !said.contains("code="),
            "{said}"
        );
    }
}

#[test]
fn without_a_checkpoint_of_its_own_the_others_are_told_with_status_1() {
    let project = saved();
    let output = project.ckpt(["diff"]).exits(1);
    assert_eq!(output.stdout, "");
    output
        .errs("This session has no checkpoint; the project has these:")
        .errs(SESSION)
        .errs("hint: name one: ckpt diff SELECTOR");
    Project::bare_folder()
        .ckpt(["diff"])
        .exits(1)
        .errs("No checkpoints in `");
}

#[test]
fn a_checkpoint_is_named_by_its_start_and_an_unknown_one_is_an_error() {
    let project = saved();
    project
        .ckpt(["diff", "s1-f"])
        .succeeds()
        .prints("Since s1-first ");
    let output = project
        .ckpt(["diff", "other"])
        .fails_with("there is no checkpoint `other`");
    output.errs("hint: name one of those that exist: `s1-first`");
    project
        .ckpt(["diff", "s1-first", "other"])
        .fails_with("`other`");
}

/// Two checkpoints that differ in every field.
fn two() -> Project {
    let project = Project::repository();
    project.write("a.rs", "a\n");
    project.write("b.rs", "b\n");
    project.save(
        SESSION,
        json!({
            "goal": "first goal",
            "tasks": [
                {"description": "stays", "status": "pending"},
                {"description": "moves", "status": "pending"},
                {"description": "goes", "status": "blocked"},
            ],
            "summary": "one\ntwo\nthree\nfour\nfive",
            "nextSteps": ["stays", "goes"],
            "decisions": ["old"],
            "modifiedFiles": [{"path": "a.rs", "note": "old note"}],
            "recentCommands": [{"command": "cargo test", "exitCode": 1}],
        }),
    );
    project.git(["checkout", "-q", "-b", "feat"]);
    project.git(["commit", "-q", "--allow-empty", "-m", "second"]);
    project.write("a.rs", "changed\n");
    project.remove("b.rs");
    project.write("c.rs", "c\n");
    project.save(
        "s2-second",
        json!({
            "goal": "second goal",
            "tasks": [
                {"description": "comes", "status": "in_progress"},
                {"description": "moves", "status": "done"},
                {"description": "stays", "status": "pending"},
            ],
            "summary": "one\ntwo\n3\nfour\nfive",
            "nextSteps": ["comes", "stays"],
            "decisions": ["old", "new"],
            "modifiedFiles": [{"path": "a.rs", "note": "new note"}, {"path": "c.rs", "note": "why"}],
            "recentCommands": [
                {"command": "cargo test", "exitCode": 1},
                {"command": "cargo test", "exitCode": 0, "note": "all"},
            ],
        }),
    );
    project
}

#[test]
fn two_checkpoints_are_compared_field_by_field() {
    let project = two();
    let (before, after) = (project.git(["rev-parse", "main"]), project.head());
    let output = project
        .ckpt(["diff", "s1-f", "s2-s"])
        .succeeds()
        .stays_silent();
    assert_eq!(
        output.stdout,
        format!(
            "\
--- s1-first (saved just now, 2026-10-08T02:23:55.000Z)
+++ s2-second (saved just now, 2026-10-08T02:23:55.000Z)

Goal
  - first goal
  + second goal

Tasks
  + in_progress  comes
  ~ pending → done  moves
  - blocked  goes

Summary
    two
  - three
  + 3
    four

Next steps
  - goes
  + comes

Decisions
  + new

Files
  ~ a.rs: content, note: new note
  - b.rs (??)
  + c.rs (??) — why

Commands
  + ✓ cargo test — all

Branch
  ~ main → feat

HEAD
  ~ {} → {}
",
            &before[..9],
            &after[..9]
        )
    );
    let names = project.ckpt(["diff", "--name-only", "s1-first", "s2-second"]);
    assert_eq!(names.succeeds().stdout, "a.rs\nb.rs\nc.rs\n");
    project
        .ckpt(["diff", "--exit-code", "s1-first", "s2-second"])
        .exits(1);
}

#[test]
fn the_json_of_two_checkpoints_leaves_out_what_is_the_same() {
    let project = two();
    let json = project
        .ckpt(["diff", "--json", "s1-first", "s2-second"])
        .succeeds()
        .json();
    assert_eq!(json["before"]["selector"], "s1-first");
    assert_eq!(
        json["changes"]["goal"],
        json!({"before": "first goal", "after": "second goal"})
    );
    assert_eq!(
        json["changes"]["tasks"][2],
        json!({"description": "goes", "before": "blocked"})
    );
    assert_eq!(
        json["changes"]["nextSteps"],
        json!({"added": ["comes"], "removed": ["goes"]})
    );
    assert_eq!(
        json["changes"]["modifiedFiles"][1]["before"]["status"],
        "??"
    );
    let same = project
        .ckpt(["diff", "--json", "s1-first", "s1-first"])
        .succeeds()
        .json();
    assert_eq!(
        (&same["differs"], &same["changes"]),
        (&json!(false), &json!({}))
    );
    project
        .ckpt(["diff", "--exit-code", "s1-first", "s1-first"])
        .succeeds()
        .prints("Nothing changed.");
}

#[test]
fn prev_compares_a_checkpoint_with_the_save_before_it() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "first"}));
    diff(&project, ["--prev"])
        .fails_with("there is no save `s1-first@{1}`: the checkpoint has no earlier save yet");
    project.save(SESSION, json!({"goal": "second"}));
    diff(&project, ["--prev"])
        .succeeds()
        .prints("--- s1-first@{1} (saved just now, 2026-10-08T02:23:55.000Z, backup)\n")
        .prints("  - first\n  + second\n");
    project.write(format!(".claude-checkpoints/{SESSION}.json"), "{");
    diff(&project, ["--prev"])
        .exits(2)
        .errs("only the backup of checkpoint");
    diff(&project, [])
        .succeeds()
        .errs("was read from its backup");
    diff(&project, ["--prev", "s1-first", "s1-first"]).exits(2);
}

#[test]
fn texts_of_a_checkpoint_cannot_reach_the_terminal_raw() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "a"}));
    let mut saved = project.saved(SESSION);
    saved["goal"]["primary"] = json!("\u{1b}[31mred\nsecond line");
    saved["summary"] = json!("\u{1b}]0;title\u{7}");
    saved["modifiedFiles"] = json!([{"path": "a\u{1b}[2J\nb", "hash": "0"}]);
    project.write(".claude-checkpoints/s2-second.json", saved.to_string());
    for arguments in [
        &["diff", "s1-first", "s2-second"][..],
        &["diff", "s2-second"],
        &["diff", "s2-second", "--name-only"],
        &["diff", "s1-first", "s2-second", "--json"],
    ] {
        let output = project.ckpt(arguments).succeeds();
        assert!(
            !output.stdout.contains(['\u{1b}', '\u{7}']),
            "{}",
            output.stdout
        );
        assert!(!output.stderr.contains('\u{1b}'));
    }
    let names = project.ckpt(["diff", "s2-second", "--name-only"]).stdout;
    assert_eq!(names, "\"a\\033[2J\\nb\"\n");
}

#[test]
fn colour_comes_only_where_it_is_asked_for() {
    let project = two();
    let plain = project.ckpt(["diff", "s1-first", "s2-second"]).stdout;
    let colored = project
        .ckpt(["diff", "--color=always", "s1-first", "s2-second"])
        .stdout;
    assert!(!plain.contains('\u{1b}'));
    assert!(
        colored.contains("\u{1b}[32m  + comes\u{1b}[0m\n"),
        "{colored}"
    );
    let json: Value = project
        .ckpt(["diff", "--color=always", "--json", "s1-first"])
        .json();
    assert_eq!(json["differs"], true);
}

#[test]
fn where_nothing_can_be_compared_nothing_is_promised() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    project.write("new", "x");
    let told = project
        .ckpt(["diff", "s1"])
        .succeeds()
        .errs("what changed cannot be known");
    assert!(!told.stdout.contains("Nothing changed"), "{}", told.stdout);
    project.ckpt(["diff", "s1", "--exit-code"]).exits(2);
}

#[test]
fn nothing_to_compare_is_no_difference() {
    let project = Project::repository();
    project.ckpt(["diff"]).exits(1);
    project.ckpt(["diff", "--exit-code"]).exits(2);
    project.put("s1", least("g"));
    project.ckpt(["diff", "--exit-code"]).exits(2);
}

//! The table of `ckpt list` on terminals of several widths and off them, and what it can leave out.

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};
use crate::harness::golden::assert_golden;
use crate::harness::pty::Terminal;

const OAUTH: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const MANUAL: &str = "5b0c33d1-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const BUILD: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

fn checkpoint(goal: &str, time: &str, branch: &str, statuses: &[&str]) -> Value {
    let task = |(index, status)| json!({"description": format!("task {index}"), "status": status});
    let tasks: Value = statuses.iter().enumerate().map(task).collect();
    with(
        least(goal),
        json!({
            "updatedAt": time,
            "git": {"branch": branch, "head": "abc"},
            "goal": {"primary": goal, "tasks": tasks},
        }),
    )
}

/// Goals that are long, wide, and neither.
fn project() -> Project {
    let project = Project::bare_folder();
    let oauth = checkpoint(
        "Let users sign in with GitHub",
        "2026-10-08T02:21:55Z",
        "feat/github-oauth",
        &["done", "in_progress", "pending"],
    );
    project.put(OAUTH, with(oauth, json!({"summary": "The Cookie is set"})));
    project.put(
        MANUAL,
        checkpoint(
            "日本語のドキュメントを書き直して、リンク切れを全部直す 🚀 と確認する",
            "2026-10-07T20:00:00Z",
            "docs/日本語のドキュメント",
            &["blocked"],
        ),
    );
    project.put_backup(
        BUILD,
        checkpoint(
            "Make a clean checkout build on Windows, macOS and Linux without any manual step, and say how",
            "2026-10-05T02:00:00Z",
            "main",
            &["done", "done"],
        ),
    );
    project.put(BUILD, "{");
    project.put(
        "nightly",
        checkpoint("🎉🎉 Release 2.0", "2026-09-01T00:00:00Z", "main", &[]),
    );
    project
}

/// What a terminal of that width shows.
fn seen(project: &Project, columns: u16, arguments: &[&str]) -> String {
    let mut command = project.command(arguments);
    command.env("TERM", "xterm-256color");
    let left = Terminal::open(&command, columns, 30).ends();
    assert_eq!(left.status, 0, "{}", left.screen);
    left.screen + "\n"
}

#[test]
fn the_table_fits_terminals_of_every_width() {
    let project = project();
    for columns in [120, 80, 64, 40] {
        let screen = seen(&project, columns, &["list", "--session", OAUTH]);
        assert_golden(&format!("list_{columns}.txt"), &screen);
    }
    // Nothing can be read in so little room, but nothing breaks either.
    for columns in [1, 2, 5, 10, 20] {
        seen(&project, columns, &["list"]);
    }
}

#[test]
fn off_a_terminal_nothing_is_cut_off_or_coloured() {
    let output = project().ckpt(["list", "--session", OAUTH]).succeeds();
    assert_golden("list_piped.txt", &output.stdout);
    let cells = |line: &str| line.split("  ").filter(|cell| !cell.is_empty()).count();
    for line in output.stdout.lines() {
        assert!((5..=6).contains(&cells(line)), "{line}");
    }
}

#[test]
fn colour_is_for_terminals_unless_told_otherwise() {
    let project = project();
    let colored = |arguments: &[&str], variables: &[(&str, &str)], terminal: bool| {
        let mut command = project.command(arguments);
        command.envs(variables.iter().copied());
        let written = match terminal {
            true => Terminal::open(&command, 80, 30).ends().written,
            false => project.ckpt_with(variables, arguments).succeeds().stdout,
        };
        written.contains("\u{1b}[")
    };
    let term = ("TERM", "xterm");
    for (arguments, variables, terminal, expected) in [
        (&["list"][..], &[term][..], true, true),
        (&["list"], &[term, ("NO_COLOR", "1")], true, false),
        (&["list"], &[term, ("NO_COLOR", "")], true, true),
        (&["list"], &[("TERM", "dumb")], true, false),
        (&["list"], &[], true, false),
        (
            &["list"],
            &[("TERM", "dumb"), ("CLICOLOR_FORCE", "1")],
            true,
            true,
        ),
        (&["list", "--color", "never"], &[term], true, false),
        (&["list"], &[term], false, false),
        (&["list"], &[term, ("CLICOLOR_FORCE", "1")], false, true),
        (&["list"], &[term, ("CLICOLOR_FORCE", "0")], false, false),
        (
            &["list"],
            &[term, ("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
            false,
            false,
        ),
        (
            &["list", "--color=always"],
            &[term, ("NO_COLOR", "1")],
            false,
            true,
        ),
        (&["load", "nightly"], &[term], true, true),
        (
            &["load", "nightly"],
            &[term, ("NO_COLOR", "1")],
            true,
            false,
        ),
    ] {
        let actual = colored(arguments, variables, terminal);
        assert_eq!(actual, expected, "{arguments:?} {variables:?} {terminal}");
    }
}

#[test]
fn filters_leave_out_what_does_not_match() {
    let project = project();
    let goals = |arguments: &[&str]| -> Vec<String> {
        let mut all = vec!["list", "--json"];
        all.extend(arguments);
        let list = project.ckpt(all).succeeds().json();
        let entries = list["entries"].as_array().unwrap();
        assert_eq!(list["total"], entries.len(), "{list}");
        let first = |entry: &Value| entry["selector"].as_str().unwrap()[..4].to_owned();
        entries.iter().map(first).collect()
    };
    for (arguments, expected) in [
        (&["--grep", "github"][..], &["0f9c"][..]),
        (&["--grep", "COOKIE sign"], &["0f9c"]),
        (&["--grep", "cookie linux"], &[]),
        (&["--grep", "task 1"], &["0f9c", "77aa"]),
        (&["--grep", "日本語"], &["5b0c"]),
        (&["--grep", ""], &["0f9c", "5b0c", "77aa", "nigh"]),
        (&["--branch", "main"], &["77aa", "nigh"]),
        (&["--branch", "mai"], &[]),
        (&["--open"], &["0f9c", "5b0c", "nigh"]),
        (&["--open", "--branch", "main"], &["nigh"]),
        (&["--open", "--grep", "linux"], &[]),
    ] {
        assert_eq!(goals(arguments), expected, "{arguments:?}");
    }
    let output = project.ckpt(["list", "--grep", "nowhere"]).succeeds();
    assert_eq!(output.errs("No checkpoint matches.").stdout, "");
}

#[test]
fn decisions_are_searched_and_secrets_are_not() {
    let project = Project::bare_folder();
    let secret = json!({"decisions": ["Redis is out", "API_KEY=hunter2hunter2"]});
    project.put("s1", with(least("g"), secret));
    let found = |words| {
        let list = project.ckpt(["list", "--json", "--grep", words]).json();
        list["total"] == 1
    };
    assert!(found("redis OUT"));
    assert!(!found("hunter2"));
}

#[test]
fn a_limit_counts_what_the_filter_lets_through() {
    let project = project();
    let output = project.ckpt(["list", "--open", "--limit", "1"]).succeeds();
    assert_eq!(output.stdout.lines().count(), 2, "{}", output.stdout);
    output.errs("2 more");
}

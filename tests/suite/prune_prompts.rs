//! `ckpt prune` on a terminal: marking what is to go, and the question before it goes.

use serde_json::json;

use crate::harness::Project;
use crate::harness::files::{least, with};
use crate::harness::pty::Terminal;

const DOWN: &str = "\u{1b}[B";
const ESCAPE: &str = "\u{1b}";
const CTRL_C: &str = "\u{3}";

/// Three checkpoints, newest first.
fn project() -> Project {
    let project = Project::bare_folder();
    for (session, minute) in [("first", 21), ("second", 20), ("third", 19)] {
        let time = json!({"updatedAt": format!("2026-10-08T02:{minute}:55Z")});
        project.put(session, with(least(&format!("The {session} goal")), time));
    }
    project
}

fn open(project: &Project, options: &[&str]) -> Terminal {
    let mut command = project.command([&["prune"], options].concat());
    command.env("TERM", "xterm-256color");
    Terminal::open(&command, 80, 24)
}

fn all(project: &Project) -> bool {
    project.stored_names() == ["first.json", "second.json", "third.json"]
}

#[test]
fn what_is_marked_goes_after_a_yes() {
    let project = project();
    let mut terminal = open(&project, &[]);
    terminal
        .shows("Which checkpoints are to go?")
        .shows("[ ] ❯ The first goal");
    terminal.types("\r").types(DOWN).shows("❯ The second goal");
    terminal
        .types(" ")
        .shows("[x] ❯ The second goal")
        .shows("1 marked");
    terminal.types(DOWN).types(" ").shows("2 marked");
    terminal.types("\r").shows("Delete 2 checkpoints (");
    assert!(all(&project));
    let left = terminal.ends_on("y");
    assert_eq!(left.status, 0);
    assert!(left.screen.contains("bytes)? [y/N] yes"), "{}", left.screen);
    assert!(
        left.screen.contains("Deleted 2 checkpoints and freed "),
        "{}",
        left.screen
    );
    assert!(left.cursor);
    assert_eq!(project.stored_names(), [".lock", "first.json"]);
}

#[test]
fn all_are_marked_and_unmarked_by_one_key() {
    let project = project();
    let mut terminal = open(&project, &["--yes"]);
    terminal.shows("Space marks");
    terminal.types("a").shows("3 marked");
    terminal.types("a").hides("3 marked");
    terminal.types("a").shows("3 marked");
    terminal.types(" ").shows("2 marked");
    assert_eq!(terminal.ends_on("\r").status, 0);
    assert_eq!(project.stored_names(), [".lock", "first.json"]);
}

#[test]
fn leaving_deletes_nothing() {
    let project = project();
    for key in [ESCAPE, CTRL_C] {
        let mut terminal = open(&project, &[]);
        terminal.shows("Space marks").types(" ").shows("1 marked");
        let left = terminal.ends_on(key);
        assert_eq!((left.status, left.screen.as_str()), (1, "Nothing deleted."));
        assert!(left.cursor);
        assert!(all(&project));
    }
    for key in ["n", "\r", ESCAPE, CTRL_C] {
        let mut terminal = open(&project, &["--keep", "1"]);
        terminal.shows("The second goal").shows("The third goal");
        terminal.shows("Delete 2 checkpoints (");
        let left = terminal.ends_on(key);
        assert_eq!(left.status, 1);
        assert!(
            left.screen.ends_with("[y/N] no\nNothing deleted."),
            "{}",
            left.screen
        );
        assert!(all(&project));
    }
}

#[test]
fn a_checkpoint_that_is_saved_before_the_yes_stays() {
    let project = project();
    let mut terminal = open(&project, &["--keep", "1"]);
    terminal.shows("Delete 2 checkpoints (");
    project.save("third", json!({"goal": "again"}));
    let left = terminal.ends_on("y");
    assert_eq!(left.status, 0);
    assert!(
        left.screen
            .contains("warning: checkpoint `third` was saved again meanwhile and stays"),
        "{}",
        left.screen
    );
    assert!(
        left.screen.contains("Deleted 1 checkpoint and freed "),
        "{}",
        left.screen
    );
    assert_eq!(project.saved("third")["goal"]["primary"], "again");
    assert!(!project.checkpoint("second").exists());
}

#[test]
fn the_list_fits_small_terminals_and_scrolls() {
    let project = Project::bare_folder();
    for number in 10..30 {
        let time = json!({"updatedAt": format!("2026-10-08T01:{number}:00Z")});
        let goal = format!("Goal number {number}");
        project.put(&format!("s{number}"), with(least(&goal), time));
    }
    for (columns, rows) in [(80, 24), (40, 6), (12, 4)] {
        let mut command = project.command(["prune"]);
        command.env("TERM", "xterm-256color");
        let mut terminal = Terminal::open(&command, columns, rows);
        terminal.shows("[ ] ❯");
        for _ in 0..15 {
            terminal.types(DOWN);
        }
        terminal.types(" ").shows("[x] ❯");
        let screen = terminal.screen();
        assert!(screen.starts_with(&"Which checkpoints"[..7]), "{screen}");
        if columns == 80 {
            assert!(screen.contains("[x] ❯ Goal number 14"), "{screen}");
        }
        let left = terminal.ends_on(ESCAPE);
        assert_eq!(left.screen.replace('\n', ""), "Nothing deleted.");
    }
}

#[test]
fn a_dry_run_of_what_is_marked_deletes_nothing_and_asks_nothing() {
    let project = project();
    let mut terminal = open(&project, &["--dry-run"]);
    terminal.shows("Space marks").types(" ").shows("1 marked");
    let left = terminal.ends_on("\r");
    assert_eq!(left.status, 0);
    assert!(
        left.screen.contains("Would delete 1 checkpoint and free "),
        "{}",
        left.screen
    );
    assert!(all(&project));
}

#[test]
fn what_was_shown_before_the_question_is_not_shown_again() {
    let project = project();
    let mut terminal = open(&project, &["--keep", "1"]);
    terminal.shows("Delete 2 checkpoints (");
    let left = terminal.ends_on("y");
    for goal in ["The second goal", "The third goal"] {
        assert_eq!(left.screen.matches(goal).count(), 1, "{}", left.screen);
    }
    // Who was not asked is told what went.
    let left = open(&project, &["first", "--yes"]).ends();
    assert!(left.screen.contains("The first goal"), "{}", left.screen);
}

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
        .shows("Which checkpoints should be deleted?")
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
            .contains("warning: checkpoint `third` was saved again meanwhile and was kept"),
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

#[test]
fn every_key_of_the_marking_does_what_it_is_for_whatever_the_size() {
    let keys = [
        (DOWN, "[ ] ❯ Goal 2 "),
        ("\t", "[ ] ❯ Goal 2 "),
        ("\u{1b}[A", "[ ] ❯ Goal {last} "),
        ("\u{1b}[Z", "[ ] ❯ Goal {last} "),
        ("\u{1b}[F", "[ ] ❯ Goal {last} "),
        ("\u{1b}[F\u{1b}[H", "[ ] ❯ Goal 1 "),
        ("\u{1b}[6~\u{1b}[5~", "[ ] ❯ Goal 1 "),
        (" ", "[x] ❯ Goal 1 "),
        ("  ", "[ ] ❯ Goal 1 "),
        ("a", ", {count} marked"),
        ("a ", "[ ] ❯ Goal 1 "),
        ("\r", "nothing is marked yet"),
        ("\r\u{1b}[C", "Space marks"),
        ("/", "type to filter"),
        ("/goal {last}", "[ ] ❯ Goal {last} "),
        ("Goal {last}", "[ ] ❯ Goal {last} "),
        ("/goal {last}\u{1b}[H ", "[x] ❯ Goal {last} "),
        ("/nowhere", "nothing matches"),
        // These act in the other picker alone, and are letters here.
        ("x", "> x"),
        ("r", "> r"),
        ("d", "> d"),
    ];
    for (count, columns) in [(1, 80), (12, 40), (12, 80), (12, 200), (2_000, 80)] {
        let project = Project::bare_folder();
        for number in 1..=count {
            let time =
                jiff::Timestamp::from_second(1_791_424_800 - i64::from(number) * 60).unwrap();
            let time = json!({"updatedAt": time.to_string()});
            let goal = format!("Goal {number}");
            project.put(&format!("s{number}"), with(least(&goal), time));
        }
        let filled = |text: &str| {
            let text = text.replace("{last}", &count.to_string());
            let text = text.replace("{count}", &count.to_string());
            match count {
                1 => text.replace("Goal 2 ", "Goal 1 "),
                _ => text,
            }
        };
        let step = if count > 1_000 { 5 } else { 1 };
        for (keys, shown) in keys.iter().step_by(step) {
            let mut command = project.command(["prune"]);
            command.env("TERM", "xterm-256color");
            let mut terminal = Terminal::open(&command, columns, 24);
            terminal.shows("[ ] ❯ Goal 1 ").shows("Space marks");
            terminal.types(&filled(keys)).shows(&filled(shown));
            let left = terminal.ends_on(CTRL_C);
            assert_eq!((left.status, left.screen.as_str()), (1, "Nothing deleted."));
            assert!(left.cursor && left.echoes_lines);
        }
        assert_eq!(
            project.stored_names().len(),
            usize::try_from(count).unwrap()
        );
    }
}

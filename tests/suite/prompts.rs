//! `ckpt save` without arguments: questions on a terminal, a failure elsewhere.

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::pty::Terminal;

const GOAL: &str = "Goal:";
const TASK: &str = "Task:";
const STEP: &str = "Next step:";

fn open(project: &Project, arguments: &[&str]) -> Terminal {
    let mut command = project.command(["save"].iter().chain(arguments));
    command.env("TERM", "xterm-256color");
    Terminal::open(&command, 80, 24)
}

fn tasks(checkpoint: &Value) -> Vec<(&str, &str)> {
    let tasks = checkpoint["goal"]["tasks"].as_array().unwrap().iter();
    tasks
        .map(|task| {
            let text = |field: &str| task[field].as_str().unwrap();
            (text("description"), text("status"))
        })
        .collect()
}

/// The session's own checkpoint, as its agent saved it.
fn saved_before() -> Project {
    let project = Project::repository();
    project.save(
        "s1",
        json!({
            "goal": "Sign in with GitHub",
            "tasks": [
                {"description": "Callback route", "status": "done"},
                {"description": "Session cookie", "status": "in_progress"},
                {"description": "Sign-out"},
            ],
            "summary": "The callback works.",
            "nextSteps": ["Set SameSite", "Write the route"],
            "decisions": ["No Redis"],
            "recentCommands": [{"command": "npm test", "exitCode": 1}],
        }),
    );
    project
}

#[test]
fn goal_tasks_and_next_steps_are_asked_for() {
    let project = Project::repository();
    let mut terminal = open(&project, &["--session", "s1"]);
    terminal.shows(GOAL).types("Ship 1.0\r");
    terminal.shows(TASK).types("done: Write it\r");
    terminal.shows("ends the list").types("Test it\r");
    terminal.shows("Task: Test it\n").types("\r");
    terminal.shows(STEP).types("Tag it\r");
    terminal.shows("Next step: Tag it\n").types("\r");
    let left = terminal.ends();
    assert_eq!(left.status, 0, "{}", left.screen);
    for text in ["Goal: Ship 1.0\n", "Task: done: Write it\n", "ckpt load s1"] {
        assert!(left.screen.contains(text), "{}", left.screen);
    }
    assert!(!left.screen.contains("Esc leaves"), "{}", left.screen);
    let saved = project.saved("s1");
    assert_eq!(saved["goal"]["primary"], "Ship 1.0");
    assert_eq!(
        tasks(&saved),
        [("Write it", "done"), ("Test it", "pending")]
    );
    assert_eq!(saved["nextSteps"], json!(["Tag it"]));
}

#[test]
fn what_the_own_checkpoint_has_is_offered_and_the_rest_of_it_is_kept() {
    let project = saved_before();
    let before = project.saved("s1");
    let mut terminal = open(&project, &["--session", "s1"]);
    terminal.shows("Goal: Sign in with GitHub").types("!\r");
    terminal.shows("Task: done: Callback route").types("\r");
    // Ctrl-U empties the line: the task goes.
    terminal
        .shows("Task: in_progress: Session cookie")
        .types("\u{15}\r");
    terminal.shows("Task: Sign-out").types("\u{1}done: \r");
    terminal.shows("Task: done: Sign-out\n").types("\r");
    terminal.shows("Next step: Set SameSite").types("\u{15}\r");
    terminal
        .shows("Next step: Write the route")
        .types("\r")
        .types("\r");
    let left = terminal.ends();
    assert_eq!(left.status, 0, "{}", left.screen);
    let saved = project.saved("s1");
    assert_eq!(saved["goal"]["primary"], "Sign in with GitHub!");
    assert_eq!(
        tasks(&saved),
        [("Callback route", "done"), ("Sign-out", "done")]
    );
    assert_eq!(saved["nextSteps"], json!(["Write the route"]));
    for field in ["id", "createdAt", "summary", "decisions", "recentCommands"] {
        assert_eq!(saved[field], before[field], "{field}");
    }
}

#[test]
fn only_what_the_arguments_lack_is_asked_for() {
    let project = Project::repository();
    let mut terminal = open(&project, &["--session", "s1", "--task", "a", "--next", "b"]);
    terminal.shows(GOAL).types("g\r");
    let left = terminal.ends();
    assert_eq!(left.status, 0, "{}", left.screen);
    assert!(!left.screen.contains(TASK), "{}", left.screen);
    assert_eq!(project.saved("s1")["nextSteps"], json!(["b"]));
}

#[test]
fn leaving_at_any_question_saves_nothing() {
    let project = saved_before();
    let before = project.snapshot();
    for (enters, label, key) in [
        (0, "Goal: Sign in", "\u{1b}"),
        (0, "Goal: Sign in", "\u{3}"),
        (1, "Task: done", "\u{3}"),
        (5, "Next step: Set", "\u{1b}"),
        (0, "Goal: Sign in", "\u{15}\u{4}"),
        (4, "empty ends", "\u{15}\u{4}"),
    ] {
        let mut terminal = open(&project, &["--session", "s1"]);
        for _ in 0..enters {
            terminal.types("\r");
        }
        terminal.shows(label).types(key);
        let left = terminal.ends();
        assert_eq!(left.status, 1, "{}", left.screen);
        assert!(
            left.screen.ends_with("Nothing was saved."),
            "{}",
            left.screen
        );
        assert!(left.cursor);
    }
    assert_eq!(project.snapshot(), before);
}

#[test]
fn an_answer_is_asked_for_until_it_can_be_saved() {
    let project = Project::repository();
    let mut terminal = open(&project, &["--session", "s1", "--task", "t", "--next", "n"]);
    terminal.shows(GOAL).types("\r");
    terminal.shows("nothing can be saved without it");
    terminal.types(&"é".repeat(501)).types("\r");
    terminal.shows("501 characters; at most 500");
    terminal.types("\u{7f}\r");
    let left = terminal.ends();
    assert_eq!(left.status, 0, "{}", left.screen);
    assert_eq!(project.saved("s1")["goal"]["primary"], "é".repeat(500));
}

#[test]
fn an_answer_of_wide_characters_scrolls_in_its_line() {
    let project = Project::repository();
    let mut command = project.command(["save", "--session", "s1", "--task", "t", "--next", "n"]);
    command.env("TERM", "xterm");
    let mut terminal = Terminal::open(&command, 20, 10);
    let goal = "日本語のドキュメントを書き直す";
    terminal.shows(GOAL).types(goal);
    // Twenty columns but the label and one for the cursor.
    terminal.shows("Goal: トを書き直す\n").types("\u{7f}\r");
    let left = terminal.ends();
    assert_eq!(left.status, 0, "{}", left.screen);
    assert_eq!(
        project.saved("s1")["goal"]["primary"],
        "日本語のドキュメントを書き直"
    );
}

#[test]
fn where_nobody_can_be_asked_it_fails() {
    let project = Project::repository();
    project.ckpt(["save"]).fails_with("no goal was given");
    let mut command = project.command(["save"]);
    command.env("TERM", "dumb");
    let left = Terminal::open(&command, 80, 24).ends();
    assert_eq!(left.status, 2);
    assert!(left.screen.contains("--goal TEXT"), "{}", left.screen);
}

#[test]
fn modified_and_function_keys_type_nothing() {
    let project = Project::repository();
    let mut terminal = open(&project, &["--session", "s1"]);
    // Ctrl-Right, F5, Shift-F5, Alt-x, a mouse click, Ctrl-Left; then Home and an insertion.
    let keys = "a\x1b[1;5Cb\x1b[15~\x1b[15;2~\x1bx\x1b[<0;10;10M\x1b[1;5D\x1b[H>\r";
    terminal.shows(GOAL).types(keys);
    terminal.shows("Goal: >ab\n").shows(TASK).types("\r");
    terminal.shows(STEP).types("\r");
    assert_eq!(terminal.ends().status, 0);
    assert_eq!(project.saved("s1")["goal"]["primary"], ">ab");
}

#[test]
fn a_key_that_comes_byte_by_byte_is_one_key() {
    let project = Project::repository();
    let mut terminal = open(&project, &["--session", "s1"]);
    terminal.shows(GOAL).types("ab");
    for byte in ["\x1b", "[", "1", ";", "5", "D", "x"] {
        terminal.types(byte);
    }
    terminal.shows("Goal: xab").types("\x1b");
    terminal.shows("Nothing was saved.");
    assert_eq!(terminal.ends().status, 1);
}

#[test]
fn a_merge_outside_a_session_offers_the_newest_that_is_not_done() {
    let project = saved_before();
    project.save("s2", json!({"goal": "Something else"}));
    project.ckpt(["done", "s2"]).succeeds();
    project.ckpt(["name", "s1", "oauth"]).succeeds();
    let offer = "Merge into `oauth`, saved just now: Sign in with GitHub? [Y/n]";
    let before = project.snapshot();
    for key in ["n", "\u{1b}", "\u{3}"] {
        let mut terminal = open(&project, &["--merge", "--next", "Tag it"]);
        terminal.shows(offer);
        let left = terminal.ends_on(key);
        assert_eq!(left.status, 1, "{}", left.screen);
        assert!(left.screen.ends_with("Nothing was saved."));
        assert_eq!(project.snapshot(), before);
    }
    for key in ["\r", "y"] {
        let mut terminal = open(&project, &["--merge", "--next", key.trim()]);
        terminal.shows(offer);
        let left = terminal.ends_on(key);
        assert_eq!(left.status, 0, "{}", left.screen);
        assert!(left.screen.contains("Merged into "), "{}", left.screen);
    }
    let saved = project.saved("s1");
    assert_eq!(saved["goal"]["primary"], "Sign in with GitHub");
    assert_eq!(saved["nextSteps"], json!(["y"]));
    assert_eq!(
        (&saved["sessionId"], &saved["name"]),
        (&json!("s1"), &json!("oauth"))
    );
    let files = [".lock", "s1.json", "s1.json.prev", "s2.json"];
    assert_eq!(project.stored_names(), files, "no new one");
}

#[test]
fn a_merge_that_says_into_what_or_has_no_choice_asks_nothing() {
    let project = saved_before();
    for arguments in [
        &["--merge", "--next", "n", "--session", "s1"][..],
        &["--merge", "--next", "n", "--resumed-from", "s1"],
        &["--merge", "--decision", "d", "--project"],
    ] {
        let left = open(&project, arguments).ends();
        assert_eq!(left.status, 0, "{}", left.screen);
        assert!(!left.written.contains("Merge into `"), "{}", left.written);
    }
    let empty = Project::repository();
    let left = open(&empty, &["--merge", "a goal"]).ends();
    assert_eq!(left.status, 0, "{}", left.screen);
}

//! `ckpt load` without a checkpoint of its own: a picker on a terminal, a list elsewhere.

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};
use crate::harness::pty::{Left, Terminal};

const DOWN: &str = "\u{1b}[B";
const UP: &str = "\u{1b}[A";
const ESCAPE: &str = "\u{1b}";
const CTRL_C: &str = "\u{3}";

fn checkpoint(goal: &str, minute: u8, more: Value) -> Value {
    let time = json!({"updatedAt": format!("2026-10-08T02:{minute}:55Z")});
    with(with(least(goal), time), more)
}

/// Three checkpoints of other sessions.
fn project() -> Project {
    let project = Project::bare_folder();
    let oauth = json!({
        "git": {"branch": "feat/github-oauth", "head": "abc"},
        "summary": "The callback works.",
        "goal": {"primary": "Sign in with GitHub", "tasks": [
            {"description": "Callback route", "status": "done"},
            {"description": "Session cookie", "status": "in_progress"},
        ]},
        "nextSteps": ["Set SameSite"],
    });
    project.put("first", checkpoint("", 21, oauth));
    project.put("second", checkpoint("Speed up the build", 20, json!({})));
    project.put("third", checkpoint("Write the manual", 19, json!({})));
    project
}

fn open(project: &Project, columns: u16, rows: u16) -> Terminal {
    let mut command = project.command(["load"]);
    command.env("TERM", "xterm-256color");
    Terminal::open(&command, columns, rows)
}

#[track_caller]
fn assert_left_alone(left: &Left) {
    assert_eq!(left.status, 1, "{}", left.screen);
    assert_eq!(left.screen, "Nothing chosen, nothing loaded.");
    assert!(left.cursor);
}

#[test]
fn it_shows_goal_branch_age_and_what_the_chosen_one_is_about() {
    let project = project();
    let mut terminal = open(&project, 80, 24);
    terminal.shows("1. Set SameSite");
    let screen = terminal.screen();
    let line = |text: &str| screen.lines().find(|line| line.contains(text)).unwrap();
    let chosen = line("Sign in with GitHub");
    assert!(chosen.starts_with('❯'), "{screen}");
    assert!(chosen.ends_with("feat/github-oauth  2m ago"), "{screen}");
    for text in [
        "1 of 2 tasks done",
        "The callback works.",
        "[~] Session cookie",
    ] {
        assert!(screen.contains(text), "{screen}");
    }
    assert!(!screen.contains("Callback route"), "{screen}");
    terminal.types(ESCAPE);
    assert_left_alone(&terminal.ends());
}

#[test]
fn arrows_choose_and_enter_loads() {
    let project = project();
    for (keys, expected) in [
        (vec![], "Sign in with GitHub"),
        (vec![DOWN], "Speed up the build"),
        (vec![DOWN, DOWN, UP], "Speed up the build"),
        (vec![UP], "Write the manual"),
        (vec![DOWN, DOWN, DOWN], "Sign in with GitHub"),
    ] {
        let mut terminal = open(&project, 80, 40);
        terminal.shows("❯");
        keys.iter().for_each(|key| {
            terminal.types(key);
        });
        terminal.shows(&format!("❯ {expected}")).types("\r");
        let left = terminal.ends();
        assert_eq!(left.status, 0, "{}", left.screen);
        assert!(
            left.screen.contains(&format!("## Goal\n{expected}")),
            "{}",
            left.screen
        );
        assert!(
            !left.screen.contains("Which checkpoint?"),
            "{}",
            left.screen
        );
    }
}

#[test]
fn typing_filters_by_every_word_in_what_a_checkpoint_holds() {
    let project = project();
    let mut terminal = open(&project, 80, 24);
    terminal.shows("Write the manual").types("cookie SIGN");
    terminal.hides("Write the manual").shows("❯ Sign in");
    terminal.types(" nowhere").shows("nothing matches");
    // Enter has nothing to take.
    terminal
        .types("\r")
        .types("\u{15}")
        .shows("Write the manual");
    terminal.types("third").hides("Sign in").types("\r");
    let left = terminal.ends();
    assert!(
        left.screen.contains("## Goal\nWrite the manual"),
        "{}",
        left.screen
    );
}

#[test]
fn esc_and_ctrl_c_leave_and_change_nothing() {
    let project = project();
    let before = project.snapshot();
    for key in [ESCAPE, CTRL_C] {
        let mut terminal = open(&project, 80, 24);
        terminal.shows("❯").types("x").shows("> x").types(key);
        assert_left_alone(&terminal.ends());
    }
    // The end of input is one where nothing is typed.
    let mut terminal = open(&project, 80, 24);
    terminal.shows("❯").types("x").shows("> x").types("\u{4}y");
    terminal.shows("> xy").types("\u{15}\u{4}");
    assert_left_alone(&terminal.ends());
    assert_eq!(project.snapshot(), before);
}

#[test]
fn it_fits_small_terminals_and_scrolls() {
    let project = Project::bare_folder();
    for number in 10..40 {
        let goal = format!("Goal number {number} {}", "日本語".repeat(20));
        project.put(
            &format!("s{number}"),
            checkpoint(
                &goal,
                0,
                json!({"updatedAt": format!("2026-10-08T01:{}:55Z", 60 - number)}),
            ),
        );
    }
    for (columns, rows) in [(80, 24), (40, 10), (30, 6)] {
        let mut terminal = open(&project, columns, rows);
        terminal.shows("❯ Goal number");
        for _ in 0..11 {
            terminal.types(DOWN);
        }
        terminal.shows("❯ Goal number 21").types(ESCAPE);
        let left = terminal.ends();
        assert_eq!(left.status, 1);
        assert!(left.screen.starts_with("Nothing chosen"), "{}", left.screen);
    }
}

#[test]
fn where_nobody_can_be_asked_the_list_is_said_and_the_status_is_1() {
    let project = project();
    let output = project.ckpt(["load"]).exits(1);
    assert_eq!(output.stdout, "");
    for text in [
        "Speed up the build",
        "third",
        "ckpt load SELECTOR",
        "--latest",
    ] {
        assert!(output.stderr.contains(text), "{}", output.stderr);
    }
    // A terminal that cannot move its cursor.
    let mut command = project.command(["load"]);
    command.env("TERM", "dumb");
    let left = Terminal::open(&command, 80, 24).ends();
    assert_eq!(left.status, 1, "{}", left.screen);
    assert!(
        left.screen.contains("ckpt load SELECTOR"),
        "{}",
        left.screen
    );
    // A program that wants JSON.
    let mut command = project.command(["load", "--json"]);
    command.env("TERM", "xterm");
    let left = Terminal::open(&command, 80, 60).ends();
    assert_eq!(left.status, 1);
    assert!(left.screen.contains("\"candidates\""), "{}", left.screen);
}

#[test]
fn the_latest_is_loaded_without_a_question() {
    let project = project();
    project
        .ckpt(["load", "--latest"])
        .succeeds()
        .prints("Sign in with GitHub");
    let mut command = project.command(["load", "--latest"]);
    command.env("TERM", "xterm");
    let left = Terminal::open(&command, 80, 40).ends();
    assert!(
        left.screen.contains("Sign in with GitHub"),
        "{}",
        left.screen
    );
}

#[test]
fn a_loaded_checkpoint_ends_with_the_way_to_go_on_with_it() {
    let id = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    let project = project();
    project.put(id, least("g"));
    let mut command = project.command(["load", "0f9c"]);
    command.env("TERM", "xterm");
    let screen = Terminal::open(&command, 200, 40).ends().screen;
    let here = format!("hint: go on with it in an agent: ckpt resume {id}");
    assert_eq!(screen.lines().last(), Some(&*here));

    let root = project.root();
    let mut command = project.command(["load", "0f9c", "-C", root.to_str().unwrap()]);
    command.env("TERM", "xterm").current_dir("/");
    let screen = Terminal::open(&command, 300, 40).ends().screen;
    let there = format!("ckpt resume -C '{}' {id}", root.display());
    assert!(screen.ends_with(&there), "{screen}");
    // Said to a person alone.
    project.ckpt(["load", "0f9c"]).succeeds().stays_silent();
}

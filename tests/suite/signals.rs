//! Signals while a person is asked: the terminal is left as it was found.

use rustix::process::Signal;
use serde_json::json;

use crate::harness::Project;
use crate::harness::files::least;
use crate::harness::pty::Terminal;

const SIGNALS: [Signal; 3] = [Signal::HUP, Signal::INT, Signal::TERM];

fn project() -> Project {
    let project = Project::bare_folder();
    project.put("first", least("The first goal"));
    project.put("second", least("The second goal"));
    project
}

fn open(project: &Project, arguments: &[&str], editor: &str) -> Terminal {
    let mut command = project.command(arguments);
    command.env("TERM", "xterm-256color").env("EDITOR", editor);
    Terminal::open(&command, 80, 24)
}

#[test]
fn a_question_leaves_the_screen_and_the_terminal_shows_again_what_is_typed() {
    let project = project();
    for (arguments, question) in [
        (&["load"][..], "Which checkpoint?"),
        (&["prune"], "Space marks"),
        (&["save"], "Esc leaves without saving"),
        (&["prune", "--keep", "0"], "[y/N]"),
    ] {
        for signal in SIGNALS {
            let mut terminal = open(&project, arguments, "");
            terminal.shows(question);
            let left = terminal.ends_on_signal(signal);
            assert_eq!(left.signal, Some(signal.as_raw()), "{arguments:?}");
            assert!(left.echoes_lines && left.cursor, "{arguments:?}");
            assert!(!left.screen.contains(question), "{}", left.screen);
            let is_list = arguments.len() > 1;
            assert_eq!(left.screen.is_empty(), !is_list, "{}", left.screen);
        }
    }
    assert_eq!(project.stored_names(), ["first.json", "second.json"]);
}

#[test]
fn so_does_one_that_follows_another() {
    let project = project();
    for signal in SIGNALS {
        let mut terminal = open(&project, &["prune"], "");
        terminal.shows("Space marks").types(" ").shows("1 marked");
        terminal.types("\r").shows("Delete 1 checkpoint");
        let left = terminal.ends_on_signal(signal);
        assert_eq!(left.signal, Some(signal.as_raw()));
        assert!(left.echoes_lines);
        assert!(!left.screen.contains("Delete 1"), "{}", left.screen);
    }
}

#[test]
fn so_does_one_that_follows_an_editor_which_was_interrupted() {
    let project = project();
    let editor = "sh -c 'kill -INT $PPID; echo wrong > \"$0\"'";
    let mut terminal = open(&project, &["edit", "first"], editor);
    terminal.shows("Edit it again?");
    let left = terminal.ends_on_signal(Signal::INT);
    assert_eq!(left.signal, Some(Signal::INT.as_raw()));
    assert!(left.echoes_lines);
    assert!(!left.screen.contains("Edit it again?"), "{}", left.screen);
}

#[test]
fn after_a_question_it_ends_the_program_at_once() {
    let project = project();
    for (name, signal) in [("HUP", Signal::HUP), ("TERM", Signal::TERM)] {
        let editor = format!("sh -c 'kill -{name} $PPID'");
        let mut terminal = open(&project, &["edit"], &editor);
        terminal.shows("Which checkpoint?");
        let left = terminal.ends_on("\r");
        assert_eq!(left.signal, Some(signal.as_raw()), "{}", left.screen);
        assert_eq!(project.saved("first"), json!(least("The first goal")));
    }
}

#[test]
fn after_a_question_ctrl_c_is_the_editors() {
    let project = project();
    let editor = "sh -c 'kill -INT $PPID'";
    let mut terminal = open(&project, &["edit"], editor);
    terminal.shows("Which checkpoint?");
    let left = terminal.ends_on("\r");
    assert_eq!(left.status, 0, "{}", left.screen);
    assert!(left.screen.contains("Nothing changed."), "{}", left.screen);
}

//! SIGTERM while a person is asked: the terminal is left as it was found.

use serde_json::json;

use crate::harness::Project;
use crate::harness::files::least;
use crate::harness::pty::Terminal;

const SIGTERM: i32 = 15;

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
        let mut terminal = open(&project, arguments, "");
        terminal.shows(question);
        let left = terminal.ends_on_sigterm();
        assert_eq!(left.signal, Some(SIGTERM), "{arguments:?}");
        assert!(left.echoes_lines && left.cursor, "{arguments:?}");
        assert!(!left.screen.contains(question), "{}", left.screen);
        let is_list = arguments.len() > 1;
        assert_eq!(left.screen.is_empty(), !is_list, "{}", left.screen);
    }
    assert_eq!(project.stored_names(), ["first.json", "second.json"]);
}

#[test]
fn so_does_one_that_follows_another() {
    let project = project();
    let mut terminal = open(&project, &["prune"], "");
    terminal.shows("Space marks").types(" ").shows("1 marked");
    terminal.types("\r").shows("Delete 1 checkpoint");
    let left = terminal.ends_on_sigterm();
    assert_eq!(left.signal, Some(SIGTERM));
    assert!(left.echoes_lines);
    assert!(!left.screen.contains("Delete 1"), "{}", left.screen);
}

#[test]
fn after_a_question_it_ends_the_program_at_once() {
    let project = project();
    let editor = "sh -c 'kill -TERM $PPID'";
    let mut terminal = open(&project, &["edit"], editor);
    terminal.shows("Which checkpoint?");
    let left = terminal.ends_on("\r");
    assert_eq!(left.signal, Some(SIGTERM), "{}", left.screen);
    assert_eq!(project.saved("first"), json!(least("The first goal")));
}

//! `ckpt edit` on a terminal: editing again, giving up, and Ctrl-C, which is the editor's.

use std::fs;

use serde_json::json;

use crate::harness::Project;
use crate::harness::files::least;
use crate::harness::pty::Terminal;

const SESSION: &str = "s1-first";
const ESCAPE: &str = "\u{1b}";

fn open(project: &Project, arguments: &[&str], script: &str) -> Terminal {
    let path = project.home().join("editor");
    fs::write(&path, script).unwrap();
    let mut command = project.command([&["edit"], arguments].concat());
    command
        .env("TERM", "xterm-256color")
        .env("EDITOR", format!("sh '{}'", path.display()));
    Terminal::open(&command, 100, 24)
}

fn saved() -> Project {
    let project = Project::bare_folder();
    project.save(SESSION, json!({"goal": "the goal"}));
    project
}

/// A script that makes the text invalid the first time and valid the second.
fn twice(project: &Project) -> String {
    let mark = project.home().join("second");
    format!(
        "if [ -e '{0}' ]; then grep -q '^goals' \"$1\" && echo 'goal = \"edited\"' > \"$1\"\n\
         else touch '{0}'; echo 'goals = 1' > \"$1\"; fi\n",
        mark.display()
    )
}

#[test]
fn a_text_that_is_wrong_is_edited_again() {
    let project = saved();
    let mut terminal = open(&project, &[SESSION], &twice(&project));
    terminal
        .shows("error: this cannot be written as a checkpoint:")
        .shows("  line 1: unknown field `goals`")
        .shows("Edit it again? [Y/n]");
    assert_eq!(project.saved(SESSION)["goal"]["primary"], "the goal");
    let left = terminal.ends_on("\r");
    assert_eq!(left.status, 0, "{}", left.screen);
    assert!(
        left.screen.contains("Edit it again? [Y/n] yes\nSaved "),
        "{}",
        left.screen
    );
    assert_eq!(project.saved(SESSION)["goal"]["primary"], "edited");
    assert!(
        !project
            .stored_names()
            .iter()
            .any(|name| name.starts_with("edit-"))
    );
}

#[test]
fn giving_up_keeps_the_text_and_says_where() {
    for key in ["n", ESCAPE, "\u{3}"] {
        let project = saved();
        let mut terminal = open(&project, &[SESSION], &twice(&project));
        terminal.shows("Edit it again? [Y/n]");
        let left = terminal.ends_on(key);
        assert_eq!(left.status, 2);
        assert!(
            left.screen
                .contains("hint: your text is kept, unredacted, in `"),
            "{}",
            left.screen
        );
        assert!(left.cursor);
        let names = project.stored_names();
        let kept = names.iter().find(|name| name.starts_with("edit-")).unwrap();
        assert_eq!(
            project.read(format!(".claude-checkpoints/{kept}")),
            "goals = 1\n"
        );
        assert_eq!(project.saved(SESSION)["goal"]["primary"], "the goal");
    }
}

#[test]
fn ctrl_c_is_the_editors() {
    let project = saved();
    let script = "trap 'caught=yes' INT\nstty -icanon\necho waiting\n\
                  while [ -z \"$caught\" ]; do read -r line; done\n\
                  echo 'goal = \"edited\"' > \"$1\"\nstty icanon\n";
    let mut terminal = open(&project, &[SESSION], script);
    terminal.shows("waiting");
    let left = terminal.ends_on("\u{3}");
    assert_eq!(left.status, 0, "{}", left.screen);
    assert_eq!(project.saved(SESSION)["goal"]["primary"], "edited");
}

#[test]
fn without_a_checkpoint_of_its_own_a_person_picks_one() {
    let project = saved();
    // Of one there is nothing to choose.
    let left = open(&project, &[], "true").ends();
    assert!(left.screen.contains("Nothing changed."), "{}", left.screen);
    project.put("older", least("another"));
    let mut terminal = open(&project, &[], "echo 'goal = \"edited\"' > \"$1\"");
    terminal.shows("Which checkpoint?").shows("❯ the goal");
    assert_eq!(terminal.ends_on("\r").status, 0);
    assert_eq!(project.saved(SESSION)["goal"]["primary"], "edited");
    let mut terminal = open(&project, &[], "exit 1");
    terminal.shows("Which checkpoint?");
    let left = terminal.ends_on(ESCAPE);
    assert_eq!((left.status, left.screen.as_str()), (1, "Nothing chosen."));
}

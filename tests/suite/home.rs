//! `ckpt` alone: a picker with keys on a terminal, the help elsewhere.

use rustix::process::Signal;
use serde_json::json;

use crate::harness::Project;
use crate::harness::files::{least, with, write_program};
use crate::harness::pty::{Left, Terminal};
#[cfg(target_os = "linux")]
use crate::harness::transcripts::{killed, process, start_of};

const DOWN: &str = "\u{1b}[B";
const UP: &str = "\u{1b}[A";
const PAGE_DOWN: &str = "\u{1b}[6~";
const PAGE_UP: &str = "\u{1b}[5~";
const HOME: &str = "\u{1b}[H";
const END: &str = "\u{1b}[F";
const ESCAPE: &str = "\u{1b}";

/// A project with so many checkpoints, "Goal 1" the newest.
fn project(count: usize) -> Project {
    let project = Project::bare_folder();
    for number in 1..=count {
        let time = jiff::Timestamp::from_second(1_791_424_800 - number as i64 * 60).unwrap();
        let fields =
            json!({"updatedAt": time.to_string(), "summary": format!("Summary {number}.")});
        project.put(
            &format!("s{number}"),
            with(least(&format!("Goal {number}")), fields),
        );
    }
    project
}

fn open_with(project: &Project, columns: u16, variables: &[(&str, &str)]) -> Terminal {
    let mut command = project.command([""; 0]);
    command.env("TERM", "xterm-256color");
    command.envs(variables.iter().copied());
    Terminal::open(&command, columns, 24)
}

fn open(project: &Project, columns: u16) -> Terminal {
    open_with(project, columns, &[])
}

/// The terminal is as it was, and nothing of the picker stays.
#[track_caller]
fn assert_clean(left: &Left) {
    assert!(left.cursor && left.echoes_lines);
    for text in ["❯", "Checkpoints  ", "Esc exit"] {
        assert!(!left.screen.contains(text), "{}", left.screen);
    }
    // Neither another screen nor colours that go on.
    assert!(!left.written.contains("\u{1b}[?1049h"));
    let last = left.written.rfind("\u{1b}[").map(|at| &left.written[at..]);
    assert!(
        last.is_none_or(|last| !last.starts_with("\u{1b}[1m")),
        "{last:?}"
    );
}

#[test]
fn every_key_moves_through_any_number_at_any_width() {
    for (count, columns) in [
        (2, 80),
        (12, 40),
        (12, 80),
        (12, 200),
        (2_000, 40),
        (2_000, 200),
    ] {
        let project = project(count);
        let mut terminal = open(&project, columns);
        let at = |number: usize| format!("Checkpoints  {number} of {count}\n");
        terminal.shows(&at(1)).shows("❯ Goal 1 ").shows("Esc exit");
        terminal
            .types(END)
            .shows(&at(count))
            .shows(&format!("❯ Goal {count} "));
        terminal.types(DOWN).shows(&at(1));
        terminal.types(UP).shows(&at(count));
        terminal.types(HOME).shows(&at(1));
        terminal.types(PAGE_DOWN).shows(&at(count.min(11)));
        terminal.types(PAGE_UP).shows(&at(1));
        terminal
            .types("\t")
            .shows(&at(2))
            .types("\u{1b}[Z")
            .shows(&at(1));
        // Keys that mean nothing do nothing.
        terminal
            .types("\u{1b}[1;5C\u{1b}[15~")
            .types(DOWN)
            .shows(&at(2))
            .shows("Summary 2.")
            .shows("Esc exit");
        let widest = terminal
            .screen()
            .lines()
            .map(|line| line.chars().count())
            .max();
        assert!(widest < Some(columns.into()), "{}", terminal.screen());
        let left = terminal.ends_on(ESCAPE);
        assert_eq!(left.status, 0, "{}", left.screen);
        assert_eq!(left.screen, "");
        assert_clean(&left);
    }
}

#[test]
fn typing_filters_and_the_best_match_comes_first() {
    for count in [12, 2_000] {
        let project = project(count);
        project.put(
            "late",
            with(
                least("Fix bug 9"),
                json!({"updatedAt": "2020-01-01T00:00:00Z"}),
            ),
        );
        let bugs = [
            ("b189", "Fix bug 189"),
            ("b91", "Fix bug 91, not the ninth"),
        ];
        for (session, goal) in bugs {
            project.put(
                session,
                with(least(goal), json!({"updatedAt": "2026-10-08T02:20:00Z"})),
            );
        }
        let mut terminal = open(&project, 80);
        terminal
            .shows("Esc exit")
            .types("/")
            .shows("type to filter");
        terminal
            .types("bug 9")
            .shows("1 of 3 (")
            .shows("❯ Fix bug 9 ")
            .shows("type to filter");
        let screen = terminal.screen();
        let line = |goal: &str| screen.lines().position(|line| line.contains(goal)).unwrap();
        assert!(line("Fix bug 91") < line("Fix bug 189"), "{screen}");
        terminal
            .types(ESCAPE)
            .shows(&format!("1 of {}\n", count + 3));
        // Any character that is no key begins a filter; an id counts from its start alone.
        terminal
            .types("b189")
            .shows("❯ Fix bug 189")
            .shows("1 of 1 (");
        terminal
            .types("\u{15}nowhere")
            .shows("nothing matches")
            .shows("0 of 0 (");
        terminal
            .types("\r")
            .types("\u{15}bug 89")
            .shows("1 of 1 (")
            .shows("❯ Fix bug 189");
        let left = terminal.ends_on("\r");
        assert_eq!(left.status, 0);
        assert!(
            left.screen.contains("## Goal\nFix bug 189"),
            "{}",
            left.screen
        );
        assert_clean(&left);
    }
}

#[test]
fn keys_act_on_the_checkpoint_under_the_cursor() {
    let project = project(12);
    let before = project.snapshot();
    let acts = |columns: u16, keys: &str| {
        let mut terminal = open_with(
            &project,
            columns,
            &[("EDITOR", "true"), ("CHECKPOINT_SESSION_IDS", "mint")],
        );
        terminal.shows("❯ Goal 1 ").types(DOWN).shows("❯ Goal 2 ");
        let left = terminal.ends_on(keys);
        assert_eq!(left.status, 0, "{}", left.screen);
        assert_clean(&left);
        left.screen
    };
    for columns in [40, 80, 200] {
        assert!(acts(columns, "\r").contains("## Goal\nGoal 2\n"));
        assert!(acts(columns, "d").contains("Since s2 (saved"));
        assert!(acts(columns, "e").contains("Nothing changed."));
        // In a filter the same keys are letters.
        let mut terminal = open(&project, columns);
        terminal
            .shows("❯ Goal 1 ")
            .types("/ed")
            .shows("> ed")
            .shows("nothing matches");
        // Back in the list they act again.
        terminal
            .types("\u{15}2")
            .shows("❯ Goal 2 ")
            .types(DOWN)
            .types(UP);
        assert!(terminal.ends_on("d").screen.contains("Since s2 (saved"));
    }
    // No key deletes.
    let mut terminal = open(&project, 80);
    terminal.shows("❯ Goal 1 ");
    for key in "DX\u{7f}\u{4}\u{1b}[3~".chars() {
        terminal.types(&key.to_string());
    }
    terminal.types("\u{3}");
    assert_clean(&terminal.ends());
    assert_eq!(project.snapshot(), before);
}

#[test]
fn every_way_out_leaves_the_terminal_as_it_was() {
    let project = project(12);
    for columns in [40, 80, 200] {
        for variables in [&[][..], &[("NO_COLOR", "1")]] {
            for keys in [
                ESCAPE,
                "\u{3}",
                "\u{7}",
                "/xyz\u{3}",
                "/xyz\u{1b}\u{1b}\u{1b}",
            ] {
                let mut terminal = open_with(&project, columns, variables);
                terminal.shows("❯ Goal 1 ");
                let left = terminal.ends_on(keys);
                assert_eq!((left.status, left.screen.as_str()), (0, ""), "{keys:?}");
                assert_clean(&left);
            }
        }
        for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
            let mut terminal = open(&project, columns);
            terminal.shows("❯ Goal 1 ").types("/x").shows("> x");
            let left = terminal.ends_on_signal(signal);
            assert_eq!(left.signal, Some(signal.as_raw()), "{}", left.screen);
            assert_clean(&left);
        }
    }
}

#[test]
fn without_colours_the_cursor_is_seen_and_with_them_they_can_be_read_on_any_ground() {
    let project = project(12);
    let written = |variables: &[(&str, &str)]| {
        let mut terminal = open_with(&project, 80, variables);
        terminal.shows("❯ Goal 1 ");
        terminal.ends_on(ESCAPE).written
    };
    let codes = |written: &str| -> Vec<String> {
        let sequences = written.split("\u{1b}[").skip(1);
        let codes = sequences.filter_map(|it| Some(it.split_once('m')?.0.to_owned()));
        codes
            .filter(|it| it.chars().all(|c| c.is_ascii_digit() || c == ';'))
            .collect()
    };
    assert_eq!(codes(&written(&[("NO_COLOR", "1")])), [""; 0]);
    let colored = codes(&written(&[]));
    assert!(!colored.is_empty());
    // Bold, faint, red, green, magenta; yellow and cyan are lost on white, blue on black.
    let readable = ["0", "1", "2", "31", "32", "35", "39", "22"];
    for code in colored.iter().flat_map(|codes| codes.split(';')) {
        assert!(readable.contains(&code), "{code}");
    }
}

#[test]
fn a_single_checkpoint_is_shown_without_a_question() {
    let project = project(1);
    for columns in [40, 80, 200] {
        for variable in [("COLORFGBG", "0;15"), ("NO_COLOR", "1")] {
            let left = open_with(&project, columns, &[variable]).ends();
            assert_eq!(left.status, 0);
            assert!(left.screen.contains("## Goal\nGoal 1\n"), "{}", left.screen);
            assert!(!left.written.contains('❯'));
            assert_clean(&left);
        }
    }
}

#[test]
fn where_there_is_nothing_to_pick_or_nobody_to_ask_the_help_is_shown() {
    let empty = project(0);
    let dumb = project(12);
    for left in [
        open(&empty, 80).ends(),
        open_with(&dumb, 80, &[("TERM", "dumb")]).ends(),
    ] {
        assert_eq!(left.status, 2);
        assert!(left.written.contains("Usage:"), "{}", left.written);
    }
    let output = dumb.ckpt([""; 0]).exits(2).errs("Usage: ckpt");
    assert_eq!(output.stdout, "");
}

#[test]
fn the_branch_that_is_checked_out_comes_first_and_then_the_newest() {
    let project = Project::repository();
    for (session, goal, branch, minute) in [
        ("s1", "Elsewhere, newest", "other", 20),
        ("s2", "Here, older", "main", 10),
        ("s3", "Here, newer", "main", 15),
        ("s4", "Elsewhere, oldest", "other", 5),
    ] {
        let fields = json!({
            "updatedAt": format!("2026-10-08T02:{minute:02}:00Z"), "git": {"branch": branch, "head": "abc"},
        });
        project.put(session, with(least(goal), fields));
    }
    let mut terminal = open(&project, 80);
    terminal.shows("❯ Here, newer").shows("Esc exit");
    let screen = terminal.screen();
    let places: Vec<usize> = [
        "Here, newer",
        "Here, older",
        "Elsewhere, newest",
        "Elsewhere, oldest",
    ]
    .iter()
    .map(|goal| screen.find(goal).unwrap())
    .collect();
    assert!(places.is_sorted(), "{screen}");
    terminal.ends_on(ESCAPE);
}

#[test]
fn a_goal_that_a_row_cuts_off_is_whole_below() {
    let project = project(2);
    let goal = format!(
        "{} and this is how it ends",
        "The same beginning of a long goal, ".repeat(3)
    );
    project.put(
        "long",
        with(least(&goal), json!({"updatedAt": "2026-10-08T02:23:00Z"})),
    );
    for columns in [40, 80] {
        let mut terminal = open(&project, columns);
        terminal
            .shows("❯ ")
            .types("how")
            .shows("> how")
            .shows("1 of 1")
            .shows("type to filter");
        let flat = terminal
            .screen()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let end = if columns == 80 {
            "and this is how it ends"
        } else {
            "The same beginning of a long goal,"
        };
        assert!(flat.contains(end), "{}", terminal.screen());
        terminal.ends_on("\u{3}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn recoverable_and_running_sessions_are_marked_in_their_place_by_time() {
    let project = Project::repository();
    let saved = |session: &str, goal: &str, minute: u8| {
        let fields = json!({
            "updatedAt": format!("2026-10-08T02:{minute}:00Z"), "git": {"branch": "main", "head": "abc"},
        });
        project.put(session, with(least(goal), fields));
    };
    saved("newest", "Saved last", 23);
    saved("oldest", "Saved first", 10);
    let recoverable = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    killed(&project, recoverable, -300).put(&project);
    let own = std::process::id();
    process(&project, "oldest", own, &start_of(own));
    let mut terminal = open(&project, 80);
    terminal
        .shows("❯ Saved last")
        .shows("? Let users sign in")
        .shows("~ Saved first")
        .shows("Esc exit");
    let screen = terminal.screen();
    let place = |goal: &str| screen.find(goal).unwrap();
    assert!(place("Saved last") < place("? Let users"), "{screen}");
    assert!(place("? Let users") < place("~ Saved first"), "{screen}");
    terminal
        .types(DOWN)
        .shows("recoverable from its transcript");
    terminal.types(DOWN).shows("still runs");
    terminal.ends_on(ESCAPE);
}

#[test]
fn it_goes_on_in_an_agent_and_looks_into_every_project() {
    let project = project(2);
    let other = Project::bare_folder();
    other.put(
        "there",
        with(
            least("Elsewhere"),
            json!({"updatedAt": "2025-10-08T02:00:00Z"}),
        ),
    );
    let roots = [project.root(), other.root()];
    let known: serde_json::Map<_, _> = roots
        .iter()
        .map(|root| (root.display().to_string(), json!({})))
        .collect();
    let settings = json!({"projects": known}).to_string();
    std::fs::write(project.home().join(".claude.json"), settings).unwrap();
    let client = project.home().join("bin/claude");
    std::fs::create_dir_all(client.parent().unwrap()).unwrap();
    write_program(&client, "#!/bin/sh\npwd\necho \"started with $*\"\n");
    let path = format!("{}:/usr/bin:/bin", client.parent().unwrap().display());
    let variables = [("PATH", path.as_str())];

    let mut terminal = open_with(&project, 200, &variables);
    terminal.shows("❯ Goal 1 ").shows("r resume");
    let left = terminal.ends_on("r");
    assert!(left.screen.contains("started with"), "{}", left.screen);
    assert!(left.screen.contains("s1"), "{}", left.screen);
    assert_clean(&left);

    for columns in [40, 80, 200] {
        let mut terminal = open_with(&project, columns, &variables);
        terminal.shows("❯ Goal 1 ").types("a");
        terminal
            .shows("Checkpoints of every project  1 of 3")
            .shows("Elsewhere");
        terminal
            .types(END)
            .shows("❯ Elsewhere")
            .types("a")
            .hides("Elsewhere");
        terminal
            .shows("1 of 2\n")
            .types("a")
            .shows("Elsewhere")
            .types(END);
        terminal.shows("❯ Elsewhere");
        let left = terminal.ends_on("\r");
        assert!(
            left.screen.contains("## Goal\nElsewhere"),
            "{}",
            left.screen
        );
        assert_clean(&left);
    }
    // Where the clients' lists are not to be read, that is said.
    let off = [("CHECKPOINT_TRANSCRIPTS", "off")];
    let mut terminal = open_with(&project, 80, &off);
    terminal.shows("❯ Goal 1 ");
    let left = terminal.ends_on("a");
    assert_eq!(left.status, 2);
    assert!(
        left.screen
            .contains("looking at every project is switched off"),
        "{}",
        left.screen
    );
}

#[test]
fn what_is_finished_is_marked_and_unmarked_in_its_place() {
    let project = project(12);
    for columns in [40, 80, 200] {
        let mut terminal = open(&project, columns);
        terminal.shows("❯ Goal 1 ").types(DOWN).shows("❯ Goal 2 ");
        terminal.types("x").shows("❯ ✓ Goal 2 ").shows("2 of 12");
        let list = project.ckpt(["list", "--json", "--limit", "0"]).json();
        let done = |entry: &serde_json::Value| entry["done"] == true;
        let entries = list["entries"].as_array().unwrap();
        assert_eq!(entries.iter().filter(|it| done(it)).count(), 1);
        // In a filter it is a letter, and behind one it acts again.
        terminal.types("/x").shows("nothing matches");
        terminal.types("\u{15}Goal 2").shows("1 of 2 (").types(HOME);
        terminal.types("x").hides("✓").shows("❯ Goal 2 ");
        let left = terminal.ends_on("\u{3}");
        assert_eq!((left.status, left.screen.as_str()), (0, ""));
        assert_clean(&left);
    }
    assert!(project.saved("s2").get("done").is_none());
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_marked_as_done_is_said_in_the_last_line() {
    let project = Project::repository();
    project.put("s1", least("Saved"));
    project.put("s2", json!({"version": 1}));
    killed(&project, "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b", -300).put(&project);
    let mut terminal = open(&project, 80);
    terminal
        .shows("❯ ")
        .types("/sign")
        .shows("❯ ? Let users")
        .types(DOWN);
    terminal
        .types("x")
        .shows("there is no checkpoint here to mark");
    terminal.types("\u{1b}").shows("1 of 3").types(END);
    terminal.shows("❯ (unreadable)").types("x");
    terminal.shows("there is no checkpoint here to mark");
    terminal.types(HOME).hides("there is no checkpoint");
    terminal.ends_on(ESCAPE);
}

#[test]
fn the_filter_finds_a_name_and_puts_it_before_a_text() {
    let project = project(12);
    project.put(
        "text",
        with(least("Another"), json!({"summary": "all about billing"})),
    );
    project.ckpt(["name", "s7", "billing"]).succeeds();
    let mut terminal = open(&project, 80);
    terminal
        .shows("❯ ")
        .types("/billing")
        .shows("1 of 2 (")
        .shows("❯ Goal 7 ");
    terminal.types("\u{1b}[B").shows("❯ Another");
    terminal.ends_on("\u{3}");
    let grep = project.ckpt(["list", "--grep", "billing"]).succeeds();
    assert!(grep.stdout.contains("Goal 7"), "{}", grep.stdout);
}

/// What a key does in the picker: what is typed, and what the screen then shows or what is left of it.
enum Effect {
    /// The picker stays, at the checkpoint of this number.
    At(usize),
    /// The picker stays and shows this.
    Shows(&'static str),
    /// The picker ends with this on the screen, empty for nothing.
    Leaves(&'static str),
}

/// Every key, each from the second of `count` checkpoints on.
fn keys(count: usize) -> Vec<(&'static str, Effect)> {
    use Effect::{At, Leaves, Shows};
    vec![
        (DOWN, At(3)),
        ("\u{1b}OB", At(3)),
        ("\t", At(3)),
        ("\u{e}", At(3)),
        (UP, At(1)),
        ("\u{1b}OA", At(1)),
        ("\u{1b}[Z", At(1)),
        ("\u{10}", At(1)),
        (HOME, At(1)),
        ("\u{1b}[1~", At(1)),
        ("\u{1}", At(1)),
        (END, At(count)),
        ("\u{1b}[4~", At(count)),
        ("\u{5}", At(count)),
        (PAGE_DOWN, At(count.min(12))),
        (PAGE_UP, At(1)),
        // What means nothing here changes nothing.
        ("\u{1b}[C", At(2)),
        ("\u{1b}[D", At(2)),
        ("\u{1b}[1;5C", At(2)),
        ("\u{1b}[3~", At(2)),
        ("\u{1b}[15~", At(2)),
        ("\u{7f}", At(2)),
        ("x", Shows("❯ ✓ Goal 2 ")),
        ("xx", At(2)),
        ("/", Shows("type to filter")),
        ("summary", Shows("> summary")),
        ("S", Shows("> S")),
        ("a", Shows("Checkpoints of every project")),
        ("\r", Leaves("## Goal\nGoal 2\n")),
        ("\u{1b}OM", Leaves("## Goal\nGoal 2\n")),
        ("d", Leaves("Since s2 (saved")),
        ("e", Leaves("Nothing changed.")),
        ("r", Leaves("went on with s2")),
        (ESCAPE, Leaves("")),
        ("\u{3}", Leaves("")),
        ("\u{7}", Leaves("")),
    ]
}

#[test]
fn every_key_does_what_it_is_for_whatever_the_size_and_the_colours() {
    for (count, columns, variables) in [
        (12, 40, ("COLORFGBG", "15;0")),
        (12, 80, ("COLORFGBG", "0;15")),
        (12, 200, ("NO_COLOR", "1")),
        (2_000, 40, ("NO_COLOR", "1")),
        (2_000, 80, ("COLORFGBG", "15;0")),
        (2_000, 200, ("COLORFGBG", "0;15")),
    ] {
        let project = project(count);
        let client = project.home().join("bin/claude");
        std::fs::create_dir_all(client.parent().unwrap()).unwrap();
        write_program(
            &client,
            "#!/bin/sh\necho \"$*\" | grep -o s2 | sed '1s/^/went on with /;1q'\n",
        );
        let path = format!("{}:/usr/bin:/bin", client.parent().unwrap().display());
        let surroundings = [("PATH", path.as_str()), ("EDITOR", "true"), variables];
        // Of thousands, reading them is what takes the time: a part of the keys goes there.
        let step = if count > 1_000 { 5 } else { 1 };
        for (keys, effect) in keys(count).into_iter().step_by(step) {
            let mut terminal = open_with(&project, columns, &surroundings);
            terminal.shows("❯ Goal 1 ").types(DOWN).shows("❯ Goal 2 ");
            terminal.shows("Esc exit");
            match effect {
                Effect::Leaves(text) => {
                    let left = terminal.ends_on(keys);
                    let place = format!("{keys:?}, {count}, {columns}: {}", left.screen);
                    assert_eq!(left.status, 0, "{place}");
                    assert!(left.screen.contains(text), "{place}");
                    assert!(!text.is_empty() || left.screen.is_empty(), "{place}");
                    assert_clean(&left);
                    continue;
                }
                Effect::At(number) => {
                    let at = format!("Checkpoints  {number} of {count}\n");
                    terminal.types(keys).shows(&at);
                    terminal.shows(&format!("❯ Goal {number} "));
                }
                Effect::Shows(text) => {
                    terminal.types(keys).shows(text);
                }
            }
            let left = terminal.ends_on("\u{3}");
            assert_eq!((left.status, left.screen.as_str()), (0, ""), "{keys:?}");
            assert_clean(&left);
            // What the key marked is not for the next one.
            if keys == "x" {
                project.ckpt(["done", "--undo", "s2"]).succeeds();
            }
        }
    }
}

#[test]
fn a_terminal_that_can_move_no_cursor_gets_no_picker_at_any_size() {
    for count in [1, 12, 2_000] {
        let project = project(count);
        for columns in [40, 80, 200] {
            let left = open_with(&project, columns, &[("TERM", "dumb")]).ends();
            assert_eq!(left.status, 2);
            assert!(!left.written.contains('\u{1b}'), "{:?}", left.written);
        }
    }
}

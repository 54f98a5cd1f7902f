//! The project root (docs/contract.md, section 2).

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::harness::mcp::Server;
use crate::harness::transcripts::{Transcript, folder};
use crate::harness::{Output, Project};

/// A folder beside the project, with its real path.
fn beside(project: &Project, name: &str) -> String {
    let path = project.root().with_file_name(name);
    fs::create_dir_all(&path).unwrap();
    path.display().to_string()
}

fn has_checkpoints(folder: impl AsRef<Path>) -> bool {
    folder.as_ref().join(".claude-checkpoints").exists()
}

const SAVE: [&str; 5] = ["save", "--goal", "g", "--session", "s1"];

#[test]
fn the_option_comes_before_the_variable_and_the_variable_before_the_working_directory() {
    let project = Project::bare_folder();
    let (option, variable) = (beside(&project, "option"), beside(&project, "variable"));
    let environment = [("CHECKPOINT_PROJECT_ROOT", variable.as_str())];

    let with_option = [&SAVE[..], &["-C", &option]].concat();
    project.ckpt_with(&environment, with_option).succeeds();
    assert!(has_checkpoints(&option) && !has_checkpoints(&variable));
    assert!(!has_checkpoints(project.root()));

    project.ckpt_with(&environment, SAVE).succeeds();
    assert!(has_checkpoints(&variable) && !has_checkpoints(project.root()));

    project.ckpt(SAVE).succeeds();
    assert!(has_checkpoints(project.root()));
}

#[test]
fn the_option_may_be_relative() {
    let project = Project::bare_folder();
    let other = beside(&project, "other");
    project.ckpt([&SAVE[..], &["--project-root", "../other"]].concat());
    assert!(has_checkpoints(other));
}

#[test]
fn empty_counts_as_not_given() {
    let project = Project::bare_folder();
    let arguments = [&SAVE[..], &["-C", ""]].concat();
    project
        .ckpt_with(&[("CHECKPOINT_PROJECT_ROOT", "")], arguments)
        .succeeds();
    assert!(has_checkpoints(project.root()));
}

#[test]
fn a_wrong_root_is_an_error_that_says_which_was_wrong_and_what_it_held() {
    let project = Project::bare_folder();
    project.write("file", "");
    let file = project.path("file").display().to_string();
    let absent = project.path("absent").display().to_string();
    for wrong in [&file, &absent] {
        project
            .ckpt(["list", "-C", wrong])
            .fails_with(&format!("`{wrong}`"))
            .errs("`-C` names `");
    }
    for wrong in [file.as_str(), &absent, ".", "src/../.."] {
        project
            .ckpt_with(&[("CHECKPOINT_PROJECT_ROOT", wrong)], ["list"])
            .fails_with(&format!("`{wrong}`"))
            .errs("CHECKPOINT_PROJECT_ROOT");
    }
}

#[test]
fn a_wrong_argument_is_not_made_up_for_by_a_good_variable() {
    let project = Project::bare_folder();
    let variable = beside(&project, "variable");
    project
        .ckpt_with(
            &[("CHECKPOINT_PROJECT_ROOT", &variable)],
            ["list", "-C", "absent"],
        )
        .fails_with("`-C` names `");
}

#[test]
fn the_argument_in_the_input_names_the_root_and_must_be_absolute() {
    let project = Project::bare_folder();
    let other = beside(&project, "other");
    project.save("s1", json!({"goal": "g", "projectRoot": other}));
    assert!(has_checkpoints(&other) && !has_checkpoints(project.root()));

    project
        .try_save("s1", &json!({"goal": "g", "projectRoot": "../other"}))
        .fails_with("`../other`")
        .errs("not an absolute path");
    project.save("s1", json!({"goal": "g", "projectRoot": ""}));
    assert!(has_checkpoints(project.root()));
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_resolved() {
    let project = Project::bare_folder();
    let link = project.root().with_file_name("link");
    std::os::unix::fs::symlink(project.root(), &link).unwrap();
    let link = link.display().to_string();
    let expected = project.checkpoint("s1").display().to_string();
    project
        .ckpt([&SAVE[..], &["-C", &link]].concat())
        .prints(&expected);
    project
        .ckpt_with(&[("CHECKPOINT_PROJECT_ROOT", &link)], SAVE)
        .prints(&expected);
}

#[test]
fn gits_top_level_plays_no_part() {
    let project = Project::repository();
    project.write("sub/a.txt", "a");
    project
        .ckpt([&SAVE[..], &["-C", "sub"]].concat())
        .succeeds();
    assert!(has_checkpoints(project.path("sub")) && !has_checkpoints(project.root()));
    project.ckpt(["load", "s1"]).exits(2);
}

#[cfg(unix)]
#[test]
fn a_working_directory_that_is_gone_is_an_error() {
    let project = Project::bare_folder();
    let mut command = project.program("sh");
    command
        .args([
            "-c",
            "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" list",
        ])
        .arg(env!("CARGO_BIN_EXE_ckpt"))
        .current_dir(project.root());
    Output::of(&mut command).fails_with("working directory");
}

#[test]
fn reading_commands_create_nothing() {
    let project = Project::bare_folder();
    project.ckpt(["list"]).succeeds();
    project.ckpt(["load"]).exits(1);
    project.ckpt(["load", "--session", "s1"]).exits(1);
    project.ckpt(["load", "s1"]).exits(2);
    assert!(fs::read_dir(project.root()).unwrap().next().is_none());
}

/// Runs in a folder of the project.
fn below(project: &Project, folder: &str, arguments: &[&str]) -> Output {
    fs::create_dir_all(project.path(folder)).unwrap();
    let mut command = project.command(arguments.iter().copied());
    Output::of(command.current_dir(project.path(folder)))
}

#[test]
fn below_a_folder_with_a_store_every_command_works_on_that_one_and_says_so_in_one_line() {
    for project in [Project::bare_folder(), Project::repository()] {
        project.save("s1", json!({"goal": "the goal"}));
        let says = format!("Using the checkpoints of `{}`.", project.root().display());
        let commands: [(&[&str], i32); 12] = [
            (&["list"], 0),
            (&["load", "s1"], 0),
            (&["load", "--json", "s1"], 0),
            (&["diff", "s1"], 0),
            (&["log", "s1"], 0),
            (&["name", "s1", "auth"], 0),
            (&["done", "s1"], 0),
            (&["resume", "s1", "--print"], 0),
            (&["save", "--session", "s2", "a goal"], 0),
            (&["save", "--session", "s2", "--merge", "--next", "n"], 0),
            (&["restore", "s2"], 0),
            (&["prune", "s2", "--yes"], 0),
        ];
        for (arguments, status) in commands {
            let output = below(&project, "a/b", arguments).exits(status);
            let said = output.stderr.lines().filter(|line| **line == says);
            assert_eq!(said.count(), 1, "{arguments:?}: {}", output.stderr);
        }
        let status = below(&project, "a/b", &["status"]).succeeds();
        assert!(status.stdout.contains("the nearest store above"));
        let line = below(&project, "a/b", &["status", "--line"]).succeeds();
        assert_eq!(line.stderr, "");
        assert!(line.stdout.contains("1 checkpoint"), "{}", line.stdout);
        assert!(!has_checkpoints(project.path("a/b")));
    }
}

#[test]
fn what_names_a_root_stays_there_though_a_store_is_above() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    let a = project.path("a").display().to_string();
    let dot = below(&project, "a", &["-C", ".", "list"]).succeeds();
    assert_eq!(dot.stdout, "");
    assert!(!dot.stderr.contains("Using"), "{}", dot.stderr);
    assert!(dot.stderr.contains("pass it with -C"), "{}", dot.stderr);
    let named = project.ckpt_with(&[("CHECKPOINT_PROJECT_ROOT", &a)], ["list"]);
    assert_eq!(named.succeeds().stdout, "");
    below(&project, "a", &["-C", ".", "save", "--session", "s2", "g"]).succeeds();
    assert!(has_checkpoints(project.path("a")));
    // From now on it has a store of its own, and what is below it uses that.
    let own = below(&project, "a", &["list"]).succeeds();
    assert!(!own.stderr.contains("Using"), "{}", own.stderr);
    below(&project, "a/b", &["list"]).errs(&format!("Using the checkpoints of `{a}`."));
}

#[test]
fn the_search_ends_at_the_top_of_the_working_tree_and_before_the_home() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    fs::create_dir_all(project.path("nested/sub")).unwrap();
    project.git(["-C", "nested", "init", "-q"]);
    let output = below(&project, "nested/sub", &["list"]).succeeds();
    assert_eq!(output.stdout, "");
    assert!(!output.stderr.contains("my-app`:"), "{}", output.stderr);

    let root = project.root().display().to_string();
    let mut home = project.command(["list"]);
    fs::create_dir_all(project.path("sub")).unwrap();
    home.current_dir(project.path("sub")).env("HOME", &root);
    let output = Output::of(&mut home).succeeds();
    assert_eq!(output.stdout, "", "the home folder is no project");
}

#[test]
fn an_agent_whose_folder_has_no_checkpoint_is_told_of_the_other_stores_of_its_repository() {
    let project = Project::repository();
    project.git(["worktree", "add", "-q", "../tree"]);
    let tree = project.root().with_file_name("tree");
    const ID: &str = "5d1f7c04-52bf-425f-b989-7a8aeab98c01";
    let below = project.path("below").display().to_string();
    let transcripts = folder(&project.home().join(".claude"), &project);
    let transcripts = format!("{}-below", transcripts.display());
    let session = Transcript::new(&project, ID, 0).at(&below).prompt("go on");
    session.put_as(&Path::new(&transcripts).join(format!("{ID}.jsonl")));
    for (root, session) in [
        (project.root(), "above"),
        (tree.clone(), "tree"),
        (project.path("below"), "below"),
    ] {
        fs::create_dir_all(&root).unwrap();
        let root = root.display().to_string();
        project.save(session, json!({"goal": "g", "projectRoot": root}));
    }
    fs::create_dir_all(project.path("here")).unwrap();
    let here = project.path("here").display().to_string();
    let named = [project.root(), tree, project.path("below")];

    let mut server = Server::start(&project);
    server.initialize("2025-11-25", json!({}));
    for tool in ["load_session_checkpoint", "list_session_checkpoints"] {
        let result = server.call(tool, json!({"projectRoot": here}));
        assert_eq!(result["isError"], false, "{result}");
        let text = result["structuredContent"]["text"].as_str().unwrap();
        for folder in &named {
            let says = format!("in `{}`", folder.display());
            assert!(text.contains(&says), "{tool}: {text}");
        }
        let counted = text.matches("1 checkpoint (saved just now)").count();
        assert_eq!(counted, named.len(), "{text}");
        assert!(text.contains("`projectRoot`"), "{text}");
        assert!(!text.contains("-C"), "{text}");
    }
    server.close();

    let input = json!({"hook_event_name": "SessionStart", "source": "startup", "cwd": here});
    let nudge = Output::with_input(
        &mut project.command(["nudge"]),
        input.to_string().as_bytes(),
    );
    let note = nudge.succeeds().json();
    let note = note["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    for folder in &named {
        assert!(note.contains(&format!("`{}`", folder.display())), "{note}");
    }
    assert!(note.contains("`projectRoot`"), "{note}");

    let person = project.ckpt(["-C", "here", "list", "--all"]).succeeds();
    for folder in &named {
        let says = format!("`{}`", folder.display());
        assert!(person.stderr.contains(&says), "{}", person.stderr);
    }
    assert!(!person.stderr.contains("projectRoot"), "{}", person.stderr);
}

#[test]
fn no_more_than_twenty_other_folders_are_looked_at() {
    let project = Project::repository();
    for number in 0..30 {
        let tree = format!("../tree{number}");
        project.git(["worktree", "add", "-q", "--detach", &tree]);
        let folder = project.root().with_file_name(format!("tree{number}"));
        let root = folder.display().to_string();
        project.save("s", json!({"goal": "g", "projectRoot": root}));
    }
    let text = project.ckpt(["load", "--json"]).exits(1).json();
    let text = text["text"].as_str().unwrap();
    let told = text.matches("1 checkpoint").count();
    assert!((15..=20).contains(&told), "{told}: {text}");
}

#[test]
fn the_json_of_a_folder_below_says_nothing_but_json_on_stdout() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    fs::create_dir(project.path("a")).unwrap();
    let load = project.ckpt(["load", "--json", "-C", "a"]).exits(1).json();
    assert_eq!(load["found"], false);
    let list = project.ckpt(["list", "--json", "-C", "a"]).succeeds();
    assert_eq!(list.json()["total"], 0);
}

#[test]
fn a_folder_inside_git_or_a_store_is_no_project() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    for folder in [".git", ".git/refs/heads", ".claude-checkpoints"] {
        let run = |arguments: &[&str]| {
            let mut command = project.command(arguments.iter().copied());
            Output::of(command.current_dir(project.path(folder)))
        };
        for arguments in [&SAVE[..], &["list"], &["load", "s1"], &["prune", "--done"]] {
            let output = run(arguments).exits(2);
            let root = project.root().display().to_string();
            assert!(output.stderr.contains("cannot use"), "{}", output.stderr);
            assert!(
                output.stderr.contains(&format!("probably `{root}`")),
                "{}",
                output.stderr
            );
        }
        assert!(!has_checkpoints(project.path(folder)));
        let option = project.path(folder).display().to_string();
        project.ckpt(["-C", &option, "list"]).exits(2);
        project
            .ckpt_with(&[("CHECKPOINT_PROJECT_ROOT", &option)], ["list"])
            .exits(2);
    }
    // Names that only look like it hold projects.
    for folder in [".github", "a.git", "x/.claude"] {
        fs::create_dir_all(project.path(folder)).unwrap();
        let option = project.path(folder).display().to_string();
        project.ckpt(["-C", &option, "list"]).succeeds();
    }
}

#[cfg(unix)]
#[test]
fn a_server_goes_on_in_the_folder_it_was_started_in_though_that_was_made_again() {
    let outer = Project::bare_folder();
    let folder = outer.path("work");
    fs::create_dir_all(&folder).unwrap();
    let server = || {
        let mut command = outer.command(["serve"]);
        command
            .current_dir(&folder)
            .env("CLAUDE_CODE_SESSION_ID", "s1");
        let mut server = Server::run(&mut command);
        server.initialize("2025-11-25", json!({}));
        server
    };
    let save = "save_session_checkpoint";
    let refused = |server: &mut Server| {
        let result = server.call(save, json!({"goal": "g"}));
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("`projectRoot`"), "{text}");
        assert!(!text.contains("-C"), "{text}");
    };
    let mut removed = server();
    fs::remove_dir_all(&folder).unwrap();
    refused(&mut removed);
    fs::create_dir_all(&folder).unwrap();
    let saved = removed.call(save, json!({"goal": "g"}));
    assert_eq!(saved["isError"], false, "{saved}");
    assert!(has_checkpoints(&folder));
    removed.close();
}

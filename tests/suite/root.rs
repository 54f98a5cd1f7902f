//! The project root (docs/contract.md, section 2).

use std::fs;
use std::path::Path;

use serde_json::json;

#[cfg(unix)]
use crate::harness::mcp::Server;
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
            .errs("which `-C` holds");
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
        .fails_with("which `-C` holds");
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

#[test]
fn below_a_folder_with_checkpoints_one_hint_line_names_the_option_to_use() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    fs::create_dir_all(project.path("a/b")).unwrap();
    let root = project.root().display().to_string();
    for (command, status) in [("list", 0), ("load", 1)] {
        let output = Output::of(project.command([command]).current_dir(project.path("a/b")))
            .exits(status)
            .errs(&format!("ckpt -C '{root}' {command}"));
        assert_eq!(output.stdout, "");
        let hints: Vec<&str> = output
            .stderr
            .lines()
            .filter(|line| line.contains("-C"))
            .collect();
        assert_eq!(hints.len(), 1, "{}", output.stderr);
        assert!(hints[0].starts_with("hint: "), "{}", hints[0]);
    }
}

#[test]
fn the_hint_names_the_nearest_parent_and_stays_away_from_a_folder_with_checkpoints() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    fs::create_dir_all(project.path("a/b")).unwrap();
    let a = project.path("a").display().to_string();
    project.ckpt([&SAVE[..], &["-C", "a"]].concat()).succeeds();
    project
        .ckpt(["list", "-C", "a/b"])
        .errs(&format!("ckpt -C '{a}' list"));
    let output = project.ckpt(["load", "-C", "a"]).exits(1);
    assert!(!output.stderr.contains("parent"), "{}", output.stderr);
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

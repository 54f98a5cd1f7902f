//! What a repository holds to make its reader crash, or run something: facts may be missing, and nothing else.

use std::fs;
use std::process::Command;

use crate::harness::Project;
use crate::harness::files::write_program;

/// Rules that libgit2 ends at, in a file that a clone brings along.
const CRASH: &str = "*\n!\\";
/// A rule at which libgit2 comes to no end.
const ENDLESS: &str = "\u{b}*";

fn assert_saves(project: &Project, variables: &[(&str, &str)], what: &str) {
    for arguments in [
        &["save", "--goal", "g", "--session", "s1"][..],
        &["save", "--goal", "g", "--session", "s1", "--merge"],
        &["load", "s1"],
        &["list"],
        &["diff", "s1"],
    ] {
        let output = project.ckpt_with(variables, arguments);
        assert_eq!(output.status, 0, "{what}, {arguments:?}: {}", output.stderr);
    }
}

#[test]
fn rules_that_libgit2_ends_at_end_nothing() {
    for place in [".gitignore", "src/.gitignore", ".git/info/exclude"] {
        let project = Project::repository();
        project.write(place, CRASH);
        project.git(["add", "-fA", "."]);
        assert_saves(&project, &[], place);
        let nowhere = project.home();
        assert_saves(&project, &[("PATH", nowhere.to_str().unwrap())], place);
    }
}

#[test]
fn rules_that_libgit2_comes_to_no_end_with_are_left_at_the_deadline() {
    let project = Project::repository();
    project.write(".gitignore", ENDLESS);
    project.git(["add", "-fA", "."]);
    assert_saves(&project, &[], "git");
    let nowhere = project.home();
    let variables = [("PATH", nowhere.to_str().unwrap())];
    let save = ["save", "--goal", "g", "--session", "s1"];
    project
        .ckpt_with(&variables, save)
        .succeeds()
        .errs("took too long");
    assert_eq!(project.saved("s1")["goal"]["primary"], "g");
}

#[test]
fn a_git_that_the_repository_brings_along_is_never_run() {
    let project = Project::repository();
    let marker = project.home().join("ran");
    let script = format!("#!/bin/sh\necho ran > '{}'\nexit 1\n", marker.display());
    for folder in ["bin", "sub/bin", "node_modules/.bin"] {
        fs::create_dir_all(project.path(folder)).unwrap();
        write_program(&project.path(folder).join("git"), &script);
    }
    let root = project.root().display().to_string();
    let home = project.home();
    std::os::unix::fs::symlink(project.path("bin"), home.join("link")).unwrap();
    fs::create_dir(home.join("own")).unwrap();
    std::os::unix::fs::symlink(project.path("bin/git"), home.join("own/git")).unwrap();
    let real = std::env::var("PATH").unwrap();
    let home = home.display();
    for entry in [
        "bin".to_owned(),
        "./bin".to_owned(),
        "../bin".to_owned(),
        String::new(),
        format!("{root}/bin"),
        format!("{root}/sub/../bin"),
        format!("{root}/node_modules/.bin"),
        format!("{home}/link"),
        format!("{home}/own"),
        "/proc/self/cwd/bin".to_owned(),
        "/proc/self/cwd/../bin".to_owned(),
    ] {
        let path = format!("{entry}:{real}");
        for folder in ["", "sub"] {
            for arguments in [
                &["save", "--goal", "g", "--session", "s1"][..],
                &["load", "s1"],
                &["list"],
            ] {
                let mut command: Command = project.command(arguments);
                command.current_dir(project.path(folder)).env("PATH", &path);
                command.env("CHECKPOINT_PROJECT_ROOT", project.path(folder));
                crate::harness::Output::of(&mut command).succeeds();
                assert!(!marker.exists(), "{entry} in `{folder}`, {arguments:?}");
            }
        }
    }
}

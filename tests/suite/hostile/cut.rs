//! What a repository holds to make its reader crash, or work without end: the facts are missing, and nothing else.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use super::{ended, start};
use crate::harness::Project;
use crate::harness::files::write_program;

/// Rules that libgit2 ends at, in a file that a clone brings along.
const CRASH: &str = "*\n!\\";

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

/// The processes that work in a folder or below.
#[cfg(target_os = "linux")]
fn at_work(folder: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|process| {
            let cwd = fs::read_link(process.path().join("cwd"));
            cwd.is_ok_and(|cwd| cwd.starts_with(folder))
        })
        .map(|process| {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        })
        .collect()
}

/// A commit of a tree with so many paths that no reader comes to their end.
fn endless(project: &Project) -> String {
    let make = |input: String| {
        let mut git = project.program("git");
        git.arg("mktree")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = git.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let blob = project.git(["hash-object", "-w", ".gitignore"]);
    let mut tree = make(
        (0..10)
            .map(|at| format!("100644 blob {blob}\t{at}\n"))
            .collect(),
    );
    for _ in 0..9 {
        tree = make(
            (0..10)
                .map(|at| format!("040000 tree {tree}\t{at}\n"))
                .collect(),
        );
    }
    project.git(["commit-tree", "-m", "endless", &tree])
}

#[cfg(target_os = "linux")]
#[test]
fn work_without_end_is_cut_off_and_over() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    let mut saved = project.saved("s1");
    let endless = endless(&project);
    let nowhere = project.home();
    for variables in [&[][..], &[("PATH", nowhere.to_str().unwrap())]] {
        saved["git"]["head"] = json!(endless);
        project.put("s1", saved.clone());
        let mut load = project.command(["load", "s1"]);
        load.envs(variables.iter().copied());
        let output = ended(start(load), "load").succeeds();
        assert!(output.stdout.contains("took too long"), "{}", output.stdout);
        assert_eq!(at_work(&project.root()), Vec::<String>::new());
    }
    // The same as what HEAD has, beside an index that has nothing.
    project.git(["update-ref", "HEAD", &endless]);
    project.remove(".git/index");
    let save = project.command(["save", "--goal", "after", "--session", "s1"]);
    ended(start(save), "save").succeeds().errs("took too long");
    assert_eq!(at_work(&project.root()), Vec::<String>::new());
    assert_eq!(project.saved("s1")["git"]["head"], endless);
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

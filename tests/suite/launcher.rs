//! The plugin's launcher: finds `ckpt` with a bare PATH, and says how to install it where there is none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

#[cfg(unix)]
use crate::harness::files::write_program;
use crate::harness::{Output, Project};

const NAME: &str = if cfg!(windows) { "ckpt.cmd" } else { "ckpt" };
const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

/// The system's own folders that it looks into, as they stand in it.
const SYSTEM: [&str; 5] = ["/opt/", "/usr/", "/home/", "/etc/", "/run/"];

/// The launcher with nothing in its environment but a home and a PATH that holds no `ckpt`, and with folders
/// beside the project for the system's, which may hold one.
fn launcher(project: &Project, arguments: &[&str]) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin/launcher");
    let mut text = fs::read_to_string(folder.join(NAME)).unwrap();
    let system = project.root().with_file_name("system");
    let system = system.to_str().unwrap();
    for folder in SYSTEM {
        for before in [' ', '"'] {
            let moved = format!("{before}{system}{folder}");
            text = text.replace(&format!("{before}{folder}"), &moved);
        }
    }
    let place = project.path(NAME);
    #[cfg(unix)]
    write_program(&place, &text);
    #[cfg(not(unix))]
    fs::write(&place, text).unwrap();
    let mut command = Command::new(place);
    command
        .args(arguments)
        .current_dir(project.root())
        .env_clear()
        .env(HOME, project.home())
        .env("PATH", project.path("empty"))
        .env("USER", "me");
    // Without it cmd.exe does not start at all.
    if let Some(system) = std::env::var_os("SystemRoot") {
        command.env("SystemRoot", system);
    }
    command
}

/// Puts the real binary into a folder.
fn install(folder: PathBuf) -> PathBuf {
    fs::create_dir_all(&folder).unwrap();
    let name = format!("ckpt{}", std::env::consts::EXE_SUFFIX);
    let (program, place) = (env!("CARGO_BIN_EXE_ckpt"), folder.join(name));
    // A copy that another test's process has open while it starts could not be run.
    #[cfg(unix)]
    std::os::unix::fs::symlink(program, place).unwrap();
    #[cfg(not(unix))]
    fs::copy(program, place).unwrap();
    folder
}

#[test]
fn ckpt_is_found_on_the_path_and_where_installers_put_it() {
    let mut places = vec!["home/on the path", "home/.cargo/bin", "home/.local/bin"];
    if cfg!(unix) {
        places.extend([
            "system/opt/homebrew/bin",
            "system/usr/local/bin",
            "system/home/linuxbrew/.linuxbrew/bin",
            "system/etc/profiles/per-user/me/bin",
            "system/run/current-system/sw/bin",
        ]);
    }
    for place in places {
        let project = Project::bare_folder();
        let folder = install(project.home().parent().unwrap().join(place));
        let mut command = launcher(&project, &["--version"]);
        if place.ends_with("on the path") {
            command.env("PATH", folder);
        }
        Output::of(&mut command)
            .succeeds()
            .prints(env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn arguments_and_input_are_passed_on() {
    let project = Project::bare_folder();
    install(project.home().join(".cargo/bin"));
    let input = br#"{"agent_id": "a"}"#;
    Output::with_input(&mut launcher(&project, &["guard"]), input)
        .succeeds()
        .prints("deny");
    Output::of(&mut launcher(&project, &["load", "no such selector"])).exits(2);
}

#[test]
fn where_ckpt_is_missing_a_session_goes_on_and_is_told_how_to_install_it() {
    let project = Project::bare_folder();
    let nudge = |event: &str| {
        let input = format!(r#"{{"session_id":"s","hook_event_name":"{event}"}}"#);
        Output::with_input(&mut launcher(&project, &["nudge"]), input.as_bytes()).succeeds()
    };
    for event in ["UserPromptSubmit", "PreCompact", "PostToolBatch"] {
        let output = nudge(event);
        assert_eq!(
            (output.stdout.as_str(), output.stderr.as_str()),
            ("", ""),
            "{event}"
        );
    }
    let nudge = nudge("SessionStart");
    let answer: Value = serde_json::from_str(&nudge.stdout).unwrap();
    let message = answer["systemMessage"].as_str().unwrap();
    assert!(message.contains("ckpt is not installed"), "{message}");
    // A name that the project does not own, or not yet, would install whatever is published under it.
    assert!(!message.contains("cargo install"), "{message}");
    assert!(message.contains("README"), "{message}");
    let guard = Output::of(&mut launcher(&project, &["guard"])).succeeds();
    assert_eq!((guard.stdout.as_str(), guard.stderr.as_str()), ("", ""));
    let serve = Output::of(&mut launcher(&project, &["serve"])).exits(127);
    assert_eq!(serve.stderr.trim_end(), message);
}

/// A program of that name that says it was run.
#[cfg(unix)]
fn plant(place: &Path) {
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    write_program(place, "#!/bin/sh\necho stolen\n");
}

/// Whether the launcher runs what is planted, with such a search path.
#[cfg(unix)]
fn runs_what_is_planted(command: &mut Command, path: &str) -> bool {
    let output = Output::of(command.env("PATH", path));
    match output.stdout.as_str() {
        "stolen\n" => true,
        _ => {
            output.exits(127);
            false
        }
    }
}

#[cfg(unix)]
#[test]
fn what_a_project_or_its_repository_holds_is_not_run_however_its_folder_is_spelt() {
    use std::os::unix::fs::symlink;

    let project = Project::repository();
    let root = project.root().to_owned();
    for name in ["ckpt-folder/ckpt", "node_modules/.bin/ckpt", "sub/bin/ckpt"] {
        plant(&project.path(name));
    }
    let beside = root.parent().unwrap().join("beside");
    fs::create_dir_all(&beside).unwrap();
    symlink(root.join("node_modules/.bin"), beside.join("folder")).unwrap();
    fs::create_dir_all(beside.join("program")).unwrap();
    symlink(root.join("sub/bin/ckpt"), beside.join("program/ckpt")).unwrap();
    fs::create_dir_all(beside.join("links")).unwrap();
    symlink("../program/ckpt", beside.join("links/ckpt")).unwrap();
    let (root, beside) = (root.to_str().unwrap(), beside.to_str().unwrap());
    let paths = [
        format!("{root}/node_modules/.bin"),
        format!("{root}//node_modules/../sub/./bin"),
        format!("{beside}/../my-app/node_modules/.bin"),
        format!("{beside}/folder"),
        format!("{beside}/program"),
        format!("{beside}/links"),
        "/proc/self/cwd/node_modules/.bin:/proc/self/cwd/bin:/proc/self/cwd/../ckpt-folder"
            .to_owned(),
        "node_modules/.bin::.:./bin:sub/bin".to_owned(),
    ];
    for folder in ["", "sub"] {
        for path in &paths {
            let mut command = launcher(&project, &["serve"]);
            command.current_dir(project.path(folder));
            assert!(
                !runs_what_is_planted(&mut command, path),
                "{path} in {folder:?}"
            );
        }
    }
    // From a folder beside it, the variables say which project it is.
    for variable in ["CLAUDE_PROJECT_DIR", "CHECKPOINT_PROJECT_ROOT"] {
        for path in &paths[..6] {
            let mut command = launcher(&project, &["serve"]);
            command
                .current_dir(project.home())
                .env(variable, project.path("sub"));
            assert!(
                !runs_what_is_planted(&mut command, path),
                "{path} by {variable}"
            );
        }
    }
    // Without them it is a program like any other, so that the paths above are right.
    let mut command = launcher(&project, &["serve"]);
    command.current_dir(project.home());
    for path in &paths[..6] {
        assert!(runs_what_is_planted(&mut command, path), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn what_the_main_working_tree_holds_is_not_run_in_a_linked_one() {
    let project = Project::repository();
    project.write("a.txt", "a");
    project.git(["add", "a.txt"]);
    project.git(["commit", "-qm", "a"]);
    project.git(["worktree", "add", "-q", "../linked"]);
    plant(&project.path("bin/ckpt"));
    let linked = project.root().with_file_name("linked");
    let mut command = launcher(&project, &["serve"]);
    command.current_dir(linked);
    let path = project.path("bin").to_str().unwrap().to_owned();
    assert!(!runs_what_is_planted(&mut command, &path));
}

#[cfg(unix)]
#[test]
fn in_a_home_folder_that_is_the_project_only_what_installers_put_there_is_run() {
    let project = Project::bare_folder();
    let home = project.home().to_owned();
    plant(&home.join("node_modules/.bin/ckpt"));
    fs::create_dir_all(home.join(".git")).unwrap();
    fs::write(home.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let path = home.join("node_modules/.bin").to_str().unwrap().to_owned();
    let mut command = launcher(&project, &["serve"]);
    command.current_dir(&home);
    assert!(!runs_what_is_planted(&mut command, &path));
    install(home.join(".cargo/bin"));
    let mut command = launcher(&project, &["--version"]);
    command.current_dir(&home).env("PATH", &path);
    Output::of(&mut command)
        .succeeds()
        .prints(env!("CARGO_PKG_VERSION"));
}

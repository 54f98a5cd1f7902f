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

/// The launcher with nothing in its environment but a home and a PATH that holds no `ckpt`, and with folders of the
/// project for the system's, which may hold one.
fn launcher(project: &Project, arguments: &[&str]) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin/launcher");
    let mut text = fs::read_to_string(folder.join(NAME)).unwrap();
    let system = project.path("system").to_str().unwrap().to_owned();
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
            "my-app/system/opt/homebrew/bin",
            "my-app/system/usr/local/bin",
            "my-app/system/home/linuxbrew/.linuxbrew/bin",
            "my-app/system/etc/profiles/per-user/me/bin",
            "my-app/system/run/current-system/sw/bin",
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

#[cfg(unix)]
#[test]
fn what_a_project_holds_is_not_run() {
    use std::os::unix::fs::PermissionsExt as _;

    let project = Project::bare_folder();
    for name in ["ckpt", "bin/ckpt"] {
        project.write(name, "#!/bin/sh\necho stolen\n");
        fs::set_permissions(project.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = launcher(&project, &["serve"]);
    let output = Output::of(command.env("PATH", ":.:bin:")).exits(127);
    assert_eq!(output.stdout, "");
}

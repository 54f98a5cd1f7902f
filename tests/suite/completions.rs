//! Completions in real shells, and that what is kept of them is what the definitions give.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::harness::files::{least, with};
use crate::harness::pty::Terminal;
use crate::harness::{Project, installed, skipped};

const OAUTH: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const BUILD: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for kind in ["completions", "man"] {
        for entry in fs::read_dir(folder.join(kind)).into_iter().flatten() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            files.insert(Path::new(kind).join(path.file_name().unwrap()), text);
        }
    }
    files
}

#[test]
fn the_generated_files_are_up_to_date() {
    let project = Project::bare_folder();
    if std::env::var_os("UPDATE").is_some() {
        project
            .ckpt(["__generate".as_ref(), repository().as_os_str()])
            .succeeds();
    }
    project.ckpt(["__generate", "."]).succeeds();
    let (mut kept, made) = (files(repository()), files(&project.root()));
    if std::env::var_os("UPDATE").is_some() {
        for (name, _) in kept.extract_if(.., |name, _| !made.contains_key(name)) {
            fs::remove_file(repository().join(name)).unwrap();
        }
    }
    let names =
        |files: &BTreeMap<PathBuf, String>| -> Vec<PathBuf> { files.keys().cloned().collect() };
    assert_eq!(
        names(&kept),
        names(&made),
        "UPDATE=1 cargo test rewrites them"
    );
    for (name, text) in made {
        let stale = kept[&name] != text;
        assert!(
            !stale,
            "{} is stale; UPDATE=1 cargo test rewrites it",
            name.display()
        );
    }
}

#[test]
fn the_command_prints_what_is_kept() {
    let project = Project::bare_folder();
    for (shell, file) in [
        ("bash", "ckpt.bash"),
        ("zsh", "_ckpt"),
        ("fish", "ckpt.fish"),
        ("powershell", "_ckpt.ps1"),
        ("elvish", "ckpt.elv"),
    ] {
        let output = project.ckpt(["completions", shell]).succeeds();
        let kept = fs::read_to_string(repository().join("completions").join(file)).unwrap();
        let same = output.stdout.trim_end() == kept.trim_end();
        assert!(same, "{shell}: {file} is another one");
        for hidden in [
            "'__selectors'",
            "\"__selectors\"",
            "ckpt,__selectors",
            "__generate",
        ] {
            assert!(!kept.contains(hidden), "{hidden} in {file}");
        }
    }
    project.ckpt(["completions", "csh"]).exits(2).errs("csh");
}

#[test]
fn selectors_are_printed_with_their_goals_newest_first() {
    let project = project();
    let output = project.ckpt(["__selectors"]).succeeds().stays_silent();
    let expected = "0f9c1a2b\tSign in with: GitHub\n77aa01ce\tSpeed up the build\n";
    assert_eq!(output.stdout, expected);
    let output = Project::bare_folder().ckpt(["__selectors"]).succeeds();
    assert_eq!(output.stdout, "");
}

fn project() -> Project {
    let project = Project::bare_folder();
    let branch = json!({"git": {"branch": "feat/oauth", "head": "abc"}});
    project.put(OAUTH, with(least("Sign in with: GitHub"), branch));
    let earlier = json!({"updatedAt": "2026-10-08T01:00:00.000Z"});
    project.put(BUILD, with(least("Speed up the build"), earlier));
    project
}

/// A shell without anybody's configuration, in which `ckpt` is found; None where it is not installed.
fn shell(project: &Project, name: &str, arguments: &[&str]) -> Option<Terminal> {
    if !installed(name) {
        skipped(&format!("no {name} here"));
        return None;
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_ckpt")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let path = std::iter::once(binary.to_owned()).chain(std::env::split_paths(&path));
    let mut command = Command::new(name);
    command
        .args(arguments)
        .current_dir(project.root())
        .env("PATH", std::env::join_paths(path).unwrap())
        .env("HOME", project.home())
        .env("CKPT_NOW", crate::harness::NOW)
        .env("LANG", "C.UTF-8")
        .env("TERM", "xterm");
    Some(Terminal::open(&command, 100, 30))
}

fn kept(name: &str) -> String {
    let path = repository().join("completions").join(name);
    path.to_str().unwrap().to_owned()
}

/// What every shell is asked: selectors by position, after an option, in another project, beside options.
fn check(mut terminal: Terminal, project: &Project, shows_goals: bool) {
    let clear = "\u{15}clear\r";
    let goals = |terminal: &mut Terminal| {
        if shows_goals {
            terminal
                .shows("Sign in with: GitHub")
                .shows("Speed up the build");
        }
    };
    terminal.types("ckpt load \t\t");
    terminal.shows("0f9c1a2b").shows("77aa01ce");
    goals(&mut terminal);
    assert!(
        !terminal.screen().contains("--latest"),
        "{}",
        terminal.screen()
    );

    terminal
        .types(clear)
        .hides("0f9c1a2b")
        .types("ckpt load 77\t");
    terminal.shows("ckpt load 77aa01ce");
    terminal
        .types(clear)
        .hides("ckpt load")
        .types("ckpt save --resumed-from 0\t");
    terminal.shows("--resumed-from 0f9c1a2b");
    terminal
        .types(clear)
        .hides("resumed-from")
        .types("ckpt load --la\t");
    terminal.shows("ckpt load --latest");
    terminal.types(clear).hides("--latest").types("ckpt comp\t");
    terminal.shows("ckpt completions");
    let root = project.root().display().to_string();
    terminal.types(clear).hides("completions").types("cd /\r");
    terminal
        .types(clear)
        .hides("cd /")
        .types(&format!("ckpt -C {root} load 7\t"));
    terminal.shows("load 77aa01ce");
    // The folder with an equals sign, attached, and in quotes, for its name has spaces.
    let spaced = project.home().join("two words");
    fs::create_dir(&spaced).unwrap();
    std::os::unix::fs::symlink(
        project.path(".claude-checkpoints"),
        spaced.join("not followed"),
    )
    .unwrap();
    let copy = spaced.join(".claude-checkpoints");
    fs::create_dir(&copy).unwrap();
    fs::copy(
        project.checkpoint(BUILD),
        copy.join(format!("{BUILD}.json")),
    )
    .unwrap();
    let spaced = spaced.canonicalize().unwrap().display().to_string();
    let escaped = spaced.replace(' ', "\\ ");
    for folder in [
        format!("--project-root={root}"),
        format!("--project-root '{spaced}'"),
        format!("-C \"{spaced}\""),
        format!("-C {escaped}"),
        format!("--project-root='{spaced}'"),
    ] {
        terminal.types(clear).hides("load 77aa01ce");
        terminal.types(&format!("ckpt {folder} load 7\t"));
        terminal.shows("load 77aa01ce");
    }
    // Nowhere are files offered that nobody can mean.
    terminal.types(clear).hides("load 77aa01ce");
    terminal
        .types(&format!("cd {root}; touch qqq; clear\r"))
        .hides("clear");
    for command in [
        "list q",
        "completions q",
        "redact q",
        "help q",
        "list --branch q",
    ] {
        terminal.types(&format!("ckpt {command}\t\t"));
        terminal.shows(&format!("ckpt {command}"));
        terminal.types("X").shows(&format!("ckpt {command}X"));
        terminal.types(clear).hides("ckpt");
    }
    terminal
        .types("ckpt list --branch fe\t")
        .shows("--branch feat/oauth");
    terminal.types(clear).hides("oauth");
    terminal.types("ckpt save --file q\t").shows("--file qqq");
    terminal.types("\u{15}exit\r");
    terminal.ends();
}

#[test]
fn bash_completes_selectors() {
    let project = project();
    if let Some(mut terminal) = shell(&project, "bash", &["--norc", "--noprofile", "-i"]) {
        terminal.types(&format!(
            "PS1='ready> '; source {}; clear\r",
            kept("ckpt.bash")
        ));
        terminal.hides("source").shows("ready>");
        check(terminal, &project, false);
    }
}

#[test]
fn zsh_completes_selectors_with_their_goals() {
    let project = project();
    if let Some(mut terminal) = shell(&project, "zsh", &["-f", "-i"]) {
        let folder = repository().join("completions").display().to_string();
        terminal.types(&format!(
            "PS1='ready> ' fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D; clear\r"
        ));
        terminal.hides("compinit").shows("ready>");
        check(terminal, &project, true);
    }
}

#[test]
fn fish_completes_selectors_with_their_goals() {
    let project = project();
    if let Some(mut terminal) = shell(&project, "fish", &["--no-config", "-i"]) {
        terminal.types(&format!(
            "function fish_prompt; echo -n 'ready> '; end; source {}; clear\r",
            kept("ckpt.fish")
        ));
        terminal.hides("source").shows("ready>");
        check(terminal, &project, true);
    }
}

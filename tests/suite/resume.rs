//! `ckpt resume`: which client is started, where, and with what.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::harness::files::write_program;
use crate::harness::transcripts::{LATER, Transcript};
use crate::harness::{Output, Project};

const SESSION: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const CODEX: &str = "01a22c07-88a3-7882-9233-efa386b5cd10";

/// A folder of programs that say how they were started.
fn clients(project: &Project, names: &[&str]) -> PathBuf {
    let folder = project.home().join("bin");
    fs::create_dir_all(&folder).unwrap();
    for name in names {
        let text =
            "#!/bin/sh\nbasename \"$0\"\npwd\nfor word in \"$@\"; do echo \"<$word>\"; done\n";
        write_program(&folder.join(name), text);
    }
    folder
}

fn resume(project: &Project, names: &[&str], arguments: &[&str]) -> Output {
    let path = format!("{}:/usr/bin:/bin", clients(project, names).display());
    let arguments = [&["resume"], arguments].concat();
    project.ckpt_with(&[("PATH", &path), ("CKPT_NOW", LATER)], arguments)
}

fn started(client: &str, folder: &Path, words: &[&str]) -> String {
    let words: String = words.iter().map(|word| format!("<{word}>\n")).collect();
    format!("{client}\n{}\n{words}", folder.display())
}

#[test]
fn a_conversation_that_still_exists_goes_on() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "g"}));
    Transcript::new(&project, SESSION, 0)
        .prompt("p")
        .put(&project);
    let output = resume(&project, &["claude"], &[&SESSION[..4]]).succeeds();
    assert_eq!(
        output.stdout,
        started("claude", &project.root(), &["--resume", SESSION])
    );
    // One that saved nothing, of another client.
    let day = project.home().join(".codex/sessions/2026/10/08");
    fs::create_dir_all(&day).unwrap();
    let lines = [
        json!({"timestamp": "2026-10-08T02:24:01.000Z", "type": "session_meta", "payload": {"id": CODEX, "cwd": project.root()}}),
        json!({"timestamp": "2026-10-08T02:24:02.000Z", "type": "event_msg", "payload": {"type": "user_message", "message": "p"}}),
    ];
    fs::write(
        day.join(format!("rollout-2026-10-08T02-24-00-{CODEX}.jsonl")),
        lines.map(|line| line.to_string()).join("\n"),
    )
    .unwrap();
    let output = resume(&project, &["claude", "codex"], &[CODEX]).succeeds();
    assert_eq!(
        output.stdout,
        started("codex", &project.root(), &["resume", CODEX])
    );
}

#[test]
fn where_it_is_gone_a_new_one_is_told_to_load_the_checkpoint() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "g"}));
    for (arguments, client, first) in [
        (&[SESSION][..], "claude", None),
        (&[SESSION, "--in", "codex"], "codex", None),
        (&[SESSION, "--in", "gemini"], "gemini", Some("-i")),
        (&[SESSION, "--in", "opencode"], "opencode", Some("--prompt")),
    ] {
        let output = resume(
            &project,
            &["claude", "codex", "gemini", "opencode"],
            arguments,
        )
        .succeeds()
        .stdout;
        let mut lines = output.lines();
        assert_eq!(lines.next(), Some(client));
        assert_eq!(lines.next(), project.root().to_str());
        if let Some(first) = first {
            assert_eq!(lines.next(), Some(&*format!("<{first}>")));
        }
        let prompt = lines.next().unwrap();
        assert!(
            prompt.contains("load_session_checkpoint")
                && prompt.contains(SESSION)
                && prompt.contains("resumedFrom"),
            "{prompt}"
        );
    }
    // The client that saved it is known, though its conversations are kept nowhere that is read.
    let mut saved = project.saved(SESSION);
    saved["client"] = json!({"name": "gemini-cli-mcp-client", "version": "0.61.0"});
    project.put(SESSION, &saved);
    let output = resume(&project, &["claude", "gemini"], &[SESSION])
        .succeeds()
        .stdout;
    assert!(
        output.starts_with("gemini\n") && output.contains("<-i>"),
        "{output}"
    );
    // Its conversation is another client's.
    Transcript::new(&project, SESSION, 0)
        .prompt("p")
        .put(&project);
    let output = resume(&project, &["codex"], &[SESSION, "--in", "codex"])
        .succeeds()
        .stdout;
    assert!(output.contains("load_session_checkpoint"), "{output}");
}

#[test]
fn a_conversation_that_moved_goes_on_where_it_is() {
    let project = Project::repository();
    let worktree = project.path(".claude/worktrees/feat");
    fs::create_dir_all(&worktree).unwrap();
    let name: String = worktree
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    project.save(SESSION, json!({"goal": "g"}));
    Transcript::new(&project, SESSION, 0)
        .prompt("p")
        .at(worktree.to_str().unwrap())
        .runs("make", 0)
        .put_as(
            &project
                .home()
                .join(".claude/projects")
                .join(name)
                .join(format!("{SESSION}.jsonl")),
        );
    let output = resume(&project, &["claude"], &[SESSION]).succeeds();
    assert_eq!(
        output.stdout,
        started("claude", &worktree, &["--resume", SESSION])
    );
}

#[test]
fn a_client_that_is_not_installed_is_an_error_that_names_the_way_by_hand() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "g"}));
    let failed = resume(&project, &["claude"], &[SESSION, "--in", "codex"])
        .fails_with("`codex` is not on the search path");
    assert!(
        failed.stderr.contains(&format!("ckpt load {SESSION}")),
        "{}",
        failed.stderr
    );
    // A program of the project's own is none.
    fs::create_dir(project.path("bin")).unwrap();
    write_program(&project.path("bin/codex"), "#!/bin/sh\necho taken");
    let link = project.home().join("link");
    std::os::unix::fs::symlink(project.path("bin"), &link).unwrap();
    for folder in [project.path("bin"), link, PathBuf::from("bin")] {
        let path = format!("{}:/usr/bin:/bin", folder.display());
        let output = project.ckpt_with(&[("PATH", &path)], ["resume", SESSION, "--in", "codex"]);
        output.fails_with("`codex` is not on the search path");
    }
}

#[test]
fn a_session_that_runs_is_not_doubled_unasked() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "g"}));
    Transcript::new(&project, SESSION, 0)
        .prompt("p")
        .put(&project);
    let sessions = project.home().join(".claude/sessions");
    fs::create_dir_all(&sessions).unwrap();
    let pid = std::process::id();
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else {
        return;
    };
    let started_at = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .nth(19)
        .unwrap();
    let running =
        json!({"pid": pid, "sessionId": SESSION, "cwd": project.root(), "procStart": started_at});
    fs::write(sessions.join(format!("{pid}.json")), running.to_string()).unwrap();
    resume(&project, &["claude"], &[SESSION]).fails_with("still runs; nothing was started");
    let printed = resume(&project, &["claude"], &[SESSION, "--print"]).succeeds();
    assert!(
        printed.stdout.contains("claude --resume"),
        "{}",
        printed.stdout
    );
}

#[test]
fn the_printed_line_does_what_the_command_would() {
    let project = Project::repository();
    let odd = project
        .root()
        .parent()
        .unwrap()
        .join("it's a\n$odd \"folder\" \u{202e}");
    fs::create_dir(&odd).unwrap();
    let odd_argument = odd.to_str().unwrap();
    project
        .ckpt([
            "-C",
            odd_argument,
            "--session",
            SESSION,
            "save",
            "--goal",
            "g",
        ])
        .succeeds();
    let printed = resume(
        &project,
        &["claude"],
        &["-C", odd_argument, SESSION, "--print"],
    )
    .succeeds()
    .stdout;
    assert_eq!(printed.lines().count(), 1, "{printed}");
    let mut shell = project.program("bash");
    shell.args(["-c", &printed]).env(
        "PATH",
        format!("{}:/usr/bin:/bin", project.home().join("bin").display()),
    );
    let ran = Output::of(&mut shell).succeeds().stdout;
    let direct = resume(&project, &["claude"], &["-C", odd_argument, SESSION])
        .succeeds()
        .stdout;
    assert_eq!(ran, direct);
    assert!(
        ran.starts_with(&format!("claude\n{odd_argument}\n")),
        "{ran}"
    );
}

#[test]
fn any_project_that_the_clients_know_is_found_from_anywhere() {
    let project = Project::repository();
    let there = project.root().parent().unwrap().join("there");
    fs::create_dir(&there).unwrap();
    project
        .ckpt([
            "-C",
            there.to_str().unwrap(),
            "--session",
            SESSION,
            "save",
            "--goal",
            "g",
        ])
        .succeeds();
    let settings = json!({"projects": {there.to_str().unwrap(): {}}});
    fs::write(project.home().join(".claude.json"), settings.to_string()).unwrap();
    resume(&project, &["claude"], &[SESSION]).fails_with("there is no checkpoint");
    let output = resume(&project, &["claude"], &["--everywhere", &SESSION[..5]])
        .succeeds()
        .stdout;
    assert!(
        output.starts_with(&format!("claude\n{}\n", there.display())),
        "{output}"
    );
    project.save(SESSION, json!({"goal": "g"}));
    resume(&project, &["claude"], &["--everywhere", &SESSION[..5]])
        .fails_with("could be any of these");
    resume(&project, &["claude"], &["--everywhere", "zz"])
        .fails_with("no project that the clients know");
    resume(&project, &["claude"], &["--everywhere"]).fails_with("without a terminal");
}

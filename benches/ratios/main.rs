//! What whole commands cost against references measured in the same run: `cargo bench`, or `cargo bench -- WORD`
//! for the rows that hold the word. `CKPT` names a binary to measure instead of the one built here.
//!
//! Each row is the median of interleaved runs. On a busy machine the ratios hold, the times do not.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod growth;
mod measure;
mod project;
mod server;
mod sync;
mod transcript;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use measure::{Bench, LOAD, SAVE, command, command_with};
use project::Project;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == server::MINIMAL) {
        server::serve_minimal();
        return;
    }
    let words = arguments
        .into_iter()
        .filter(|argument| !argument.starts_with('-'));
    let bench = Bench::new(words.collect());
    println!("| what | reference | median ms | reference ms | ratio | goal |");
    println!("|---|---|---|---|---|---|");
    hooks(&bench);
    line(&bench);
    scans(&bench);
    formats(&bench);
    history(&bench);
    everywhere(&bench);
    growth::measure(&bench);
    transcript::measure(&bench);
    server::measure(&bench);
    sync::measure(&bench);
}

fn hooks(bench: &Bench) {
    if !bench.wants("hook") {
        return;
    }
    let project = Project::new(20);
    project.checkpoints(100);
    let empty = bench.installed(&empty_program(&project.folder()));
    let long = long_transcript(&project.folder());
    for (name, hook, input, goal) in [
        ("nudge", "nudge", NUDGE.to_owned(), 1.1),
        ("guard", "guard", GUARD.to_owned(), 1.1),
        ("nudge, reminder at 100 MB", "nudge", reminder(&long), 2.0),
    ] {
        let file = project.folder().join("input");
        let common = format!(
            r#""session_id": "{SESSION}", "cwd": "{}""#,
            project.root.display()
        );
        fs::write(&file, format!("{{{common}, {input}}}")).unwrap();
        let mut run = command(&bench.ckpt, &project.root, &[hook], Some(&file));
        let mut reference = command(&empty, &project.root, &[], Some(&file));
        bench.row(
            &format!("hook {name}"),
            "an empty program",
            goal,
            &mut run,
            &mut reference,
        );
    }
}

const SESSION: &str = "7e1dcf04-52bf-425f-b989-7a8aeab984ff";
const NUDGE: &str =
    r#""transcript_path": "/t.jsonl", "hook_event_name": "SessionStart", "source": "startup""#;
const GUARD: &str = r#""hook_event_name": "PreToolUse", "agent_id": "a", "tool_name": "mcp__ckpt__save_session_checkpoint", "tool_input": {"goal": "g"}"#;

fn reminder(transcript: &Path) -> String {
    format!(
        r#""transcript_path": "{}", "hook_event_name": "UserPromptSubmit", "prompt": "go on""#,
        transcript.display()
    )
}

/// A transcript of 100 MB without a save in it, so that all is read of it that ever is.
fn long_transcript(folder: &Path) -> PathBuf {
    let answer = "x".repeat(9_000);
    let usage = r#""usage":{"input_tokens":2,"cache_creation_input_tokens":100,"cache_read_input_tokens":150000,"output_tokens":9}"#;
    let turn = format!(
        "{{\"type\":\"assistant\",\"message\":{{\"role\":\"assistant\",\"content\":[],{usage}}}}}\n\
         {{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{answer}\"}}}}\n"
    );
    let path = folder.join(format!("{SESSION}.jsonl"));
    fs::write(&path, turn.repeat((100 << 20) / turn.len())).unwrap();
    path
}

/// The line for a prompt or a client's status line.
fn line(bench: &Bench) {
    if !bench.wants("status --line") {
        return;
    }
    let project = Project::new(20);
    project.checkpoints(100);
    let empty = bench.installed(&empty_program(&project.folder()));
    let input = project.folder().join("input");
    let root = project.root.display();
    fs::write(
        &input,
        format!(r#"{{"session_id": "{SESSION}", "cwd": "{root}", "workspace": {{"current_dir": "{root}"}}}}"#),
    )
    .unwrap();
    let mut run = command(
        &bench.ckpt,
        &project.root,
        &["status", "--line"],
        Some(&input),
    );
    let mut reference = command(&empty, &project.root, &[], Some(&input));
    bench.row(
        "status --line",
        "an empty program",
        3.0,
        &mut run,
        &mut reference,
    );
}

/// What libgit2 does not read, against the same in a plain repository.
fn formats(bench: &Bench) {
    const FILES: usize = 5_000;
    if !bench.wants("format: reftable, SHA-256") {
        return;
    }
    let plain = Project::new(FILES);
    for (name, option) in [
        ("reftable", "--ref-format=reftable"),
        ("SHA-256", "--object-format=sha256"),
    ] {
        let other = Project::of_form(FILES, &[option]);
        for project in [&plain, &other] {
            project.change(10);
        }
        for (what, args) in [("save", &SAVE[..]), ("load", &LOAD)] {
            let mut run = command(&bench.ckpt, &other.root, args, None);
            let mut reference = command(&bench.ckpt, &plain.root, args, None);
            let title = format!("{what}, {name}, {FILES} files, 10 dirty");
            bench.row(&title, "the same, plain", 1.3, &mut run, &mut reference);
        }
    }
}

/// Checkpoints of many projects against as many in one.
fn everywhere(bench: &Bench) {
    const PROJECTS: usize = 200;
    const EACH: usize = 20;
    if !bench.wants("list --everywhere") {
        return;
    }
    let one = Project::new(20);
    one.save(bench);
    one.checkpoints(PROJECTS * EACH);
    let content = fs::read(one.root.join(".claude-checkpoint")).unwrap();
    let home = one.folder().join("home");
    let mut projects = Vec::new();
    for project in 0..PROJECTS {
        let root = home.join(format!("project-{project}"));
        let store = root.join(".claude-checkpoints");
        fs::create_dir_all(&store).unwrap();
        for number in 0..EACH {
            let name = format!("2d1f7c04-52bf-425f-b989-{project:06}{number:06}.json");
            fs::write(store.join(name), &content).unwrap();
        }
        projects.push(format!("{:?}: {{}}", root.display().to_string()));
    }
    let known = format!("{{\"projects\": {{{}}}}}", projects.join(", "));
    fs::write(home.join(".claude.json"), known).unwrap();
    let variables = [("HOME", home.as_path())];
    // The project that the command is run in counts, too, so that it is one of the many.
    let (own, many) = (one.root.as_path(), home.join("project-0"));
    let list = |root: &Path, args: &[&str]| command_with(&bench.ckpt, root, args, None, &variables);
    bench.row(
        &format!("list --everywhere, {PROJECTS} projects of {EACH}"),
        "list of as many in one",
        2.0,
        &mut list(&many, &["list", "--everywhere"]),
        &mut list(own, &["list"]),
    );
}

fn empty_program(folder: &Path) -> PathBuf {
    let (source, program) = (folder.join("empty.rs"), folder.join("empty"));
    fs::write(&source, "fn main() {}").unwrap();
    let mut rustc = Command::new("rustc");
    rustc
        .args(["-O", "-C", "strip=symbols", "-o"])
        .arg(&program)
        .arg(&source);
    assert!(rustc.status().unwrap().success());
    program
}

/// Saves and loads in projects of several sizes, clean and with changes.
fn scans(bench: &Bench) {
    let status = ["status", "--porcelain", "-uall"];
    let rows = [
        (20, 0, 0, 2.4, 0.8),
        (20, 10, 0, 2.4, 0.8),
        (5_000, 0, 0, 1.15, 0.9),
        (5_000, 10, 0, 1.15, 0.9),
        (5_000, 1_000, 0, 1.15, 0.9),
        (80_000, 0, 0, 1.05, 0.9),
        (80_000, 10, 0, 1.05, 0.9),
        (80_000, 1_000, 0, 0.8, 0.9),
        (80_000, 10_000, 0, 0.8, 0.9),
        (20, 0, 50_000, 1.15, f64::INFINITY),
    ];
    for (files, dirty, untracked, goal, load_goal) in rows {
        let name = format!("scan: {files} files, {dirty} dirty, {untracked} untracked");
        if !bench.wants(&name) {
            continue;
        }
        let project = Project::new(files);
        let changed = project.change(dirty);
        project.add_untracked(untracked);
        let root = &project.root;
        let git = |args: &[&str]| {
            let mut run = command(Path::new("git"), root, args, None);
            move || run()
        };
        let mut save = command(&bench.ckpt, root, &SAVE, None);
        let mut reference = git(&status);
        let names = project.folder().join("names");
        fs::write(&names, changed).unwrap();
        let mut hashes = command(
            Path::new("git"),
            root,
            &["hash-object", "--stdin-paths"],
            Some(&names),
        );
        let (title, of) = (
            format!("save, {name}"),
            if dirty < 1_000 {
                "git status"
            } else {
                "git status, hash-object"
            },
        );
        bench.row(&title, of, goal, &mut save, &mut || {
            reference();
            if dirty >= 1_000 {
                hashes();
            }
        });
        let mut load = command(&bench.ckpt, root, &LOAD, None);
        let mut parts = [
            git(&["diff", "--name-status", "HEAD"]),
            git(&["ls-files", "-o", "--exclude-standard"]),
            git(&["rev-list", "--count", "HEAD..HEAD"]),
        ];
        bench.row(
            &format!("load, {name}"),
            "git diff, ls-files -o, rev-list",
            load_goal,
            &mut load,
            &mut || {
                parts.iter_mut().for_each(|part| part());
            },
        );
    }
}

/// Loads 5,000 commits after the save, of 20,000, in a project so small that counting them is what it does.
fn history(bench: &Bench) {
    if !bench.wants("commits") {
        return;
    }
    let project = Project::new(20);
    project.commits(15_000);
    project.save(bench);
    let saved = project.git(&["rev-parse", "HEAD"]);
    project.commits(5_000);
    let range = format!("{saved}..HEAD");
    for (name, goal) in [("commits", 1.3), ("commits with a commit-graph", 1.3)] {
        let mut load = command(&bench.ckpt, &project.root, &LOAD, None);
        let mut count = command(
            Path::new("git"),
            &project.root,
            &["rev-list", "--count", &range],
            None,
        );
        bench.row(
            &format!("load, 5,000 {name}"),
            "git rev-list --count",
            goal,
            &mut load,
            &mut count,
        );
        project.git(&["commit-graph", "write", "--reachable"]);
    }
}

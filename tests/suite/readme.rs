//! README's commands: what it shows of them is what they print, and its picture is made of the same outputs.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::harness::files::{least, with};
use crate::harness::golden::assert_golden;
use crate::harness::picture;
use crate::harness::pty::Terminal;
use crate::harness::transcripts;
use crate::harness::{NOW, Project};

const README: &str = include_str!("../../README.md");
/// The part whose `console` blocks are run.
const PART: &str = "## In the terminal";
const SESSION: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
/// As wide as the longest line of the three outputs in the picture.
const COLUMNS: u16 = 102;

/// The example: work on a branch with two files changed, and two older checkpoints.
fn example() -> Project {
    let project = Project::unborn();
    project.write(".gitignore", ".claude-checkpoint*\n");
    project.write("src/auth/session.ts", "export const cookie = {};\n");
    project.commit("first");
    project.git(["checkout", "-q", "-b", "feat/github-oauth"]);
    project.write(
        "src/auth/session.ts",
        "export const cookie = { httpOnly: true };\n",
    );
    project.write(
        "src/auth/callback.ts",
        "export const callback = () => {};\n",
    );
    let done =
        json!([{"description": "a", "status": "done"}, {"description": "b", "status": "done"}]);
    let goal = "Make a clean checkout build on Windows";
    project.put(
        "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b",
        with(
            least(goal),
            json!({
                "updatedAt": "2026-10-05T02:00:00Z",
                "git": {"branch": "main"},
                "goal": {"primary": goal, "tasks": done},
            }),
        ),
    );
    let released = json!({"updatedAt": "2026-09-01T00:00:00Z", "git": {"branch": "main"}});
    let released = with(least("Release 2.0"), released);
    project.write(".claude-checkpoint", released.to_string());
    project
}

/// Types lines at a shell in the example, a minute after one another.
struct Shell {
    project: Project,
    minutes: u64,
    colours: bool,
}

impl Shell {
    fn new(colours: bool) -> Self {
        let project = example();
        Self {
            project,
            minutes: 0,
            colours,
        }
    }

    /// Everything that the line writes to its terminal.
    fn run(&mut self, line: &str) -> String {
        self.run_with(line, false)
    }

    /// The same where the line asks something, to which yes is said.
    fn run_with(&mut self, line: &str, asks: bool) -> String {
        let now: jiff::Timestamp = NOW.parse().unwrap();
        let now = now + Duration::from_secs(60 * self.minutes);
        self.minutes += 1;
        let binary = Path::new(env!("CARGO_BIN_EXE_ckpt"))
            .parent()
            .unwrap()
            .to_owned();
        let path = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths([binary].into_iter().chain(std::env::split_paths(&path)));
        let mut command = Command::new("sh");
        command
            .args(["-c", line])
            .current_dir(self.project.root())
            .env("PATH", path.unwrap())
            .env("HOME", self.project.home())
            .env("TERM", "xterm-256color")
            .env("CLAUDE_CODE_SESSION_ID", SESSION)
            .env("CKPT_NOW", now.to_string());
        if !self.colours {
            command.env("NO_COLOR", "1");
        }
        let mut terminal = Terminal::open(&command, COLUMNS, 60);
        if asks {
            terminal.shows("[y/N]").types("y");
        }
        let left = terminal.ends();
        assert_eq!(left.status, 0, "{line}: {}", left.written);
        let root = self.project.root().display().to_string();
        left.written.replace(&root, "~/my-app")
    }
}

/// README with the output of each line after `$ ` replaced by what `run` gives for it.
fn played(readme: &str, mut run: impl FnMut(&str) -> String) -> String {
    let (mut part, mut console) = (false, false);
    let mut text = String::new();
    for line in readme.lines() {
        let command = line.strip_prefix("$ ");
        if console && command.is_none() && line != "```" {
            continue;
        }
        text.push_str(line);
        text.push('\n');
        if let Some(command) = command.filter(|_| console) {
            text.push_str(&run(command).replace("\r\n", "\n"));
        } else if console {
            console = false;
        } else {
            console = part && line == "```console";
            part = line == PART || part && !line.starts_with("## ");
        }
    }
    text
}

#[test]
fn readme_shows_what_the_commands_print() {
    let mut shell = Shell::new(false);
    let mut lines = Vec::new();
    let actual = played(README, |line| {
        lines.push(line.to_owned());
        shell.run(line)
    });
    for command in ["save", "load", "list", "diff", "edit", "prune", "redact"] {
        let command = format!("ckpt {command}");
        assert!(
            lines.iter().any(|line| line.contains(&command)),
            "no {command}"
        );
    }
    if std::env::var_os("UPDATE").is_some() {
        fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"), actual).unwrap();
        return;
    }
    assert_eq!(
        actual, README,
        "README.md differs; UPDATE=1 cargo test rewrites it"
    );
}

#[test]
fn the_picture_is_of_list_load_and_diff() {
    assert!(README.contains("(tests/golden/terminal.svg)"));
    let mut shell = Shell::new(true);
    let mut written = String::new();
    let mut shown = 0;
    played(README, |line| {
        let output = shell.run(line);
        if ["ckpt list", "ckpt load", "ckpt diff"].contains(&line) {
            let gap = if shown == 0 { "" } else { "\r\n" };
            written += &format!("{gap}\u{1b}[1;32m$\u{1b}[0m \u{1b}[1m{line}\u{1b}[0m\r\n{output}");
            shown += 1;
        }
        output
    });
    assert_eq!(shown, 3);
    assert_golden("terminal.svg", &picture::svg(&written, COLUMNS));
}

/// The command lines outside of the part that is played, in their order.
fn other_lines() -> Vec<&'static str> {
    let (before, rest) = README.split_once(PART).unwrap();
    let (_, after) = rest.split_once("\n## ").unwrap();
    let lines = before.lines().chain(after.lines());
    lines.filter_map(|line| line.strip_prefix("$ ")).collect()
}

/// Lines that only the gate and the real client run.
const ELSEWHERE: [&str; 5] = [
    "cargo test --locked",
    "cargo install --locked --path .",
    "claude plugin marketplace add ./",
    "claude plugin install session-checkpoint@ckpt",
    "claude mcp list",
];

#[test]
fn every_other_command_of_the_readme_runs_as_it_is_written() {
    const CARGO: &str = "cargo run --locked -- ";
    const REMOTE: &str = "git@example.com:me/checkpoints.git";
    let mut shell = Shell::new(false);
    let remote = shell.project.home().join("remote.git");
    let made = Command::new("git")
        .args(["init", "-q", "--bare"])
        .arg(&remote)
        .status();
    assert!(made.unwrap().success());
    let killed = "77aa11ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    transcripts::killed(&shell.project, killed, -300).put(&shell.project);
    // The example has one whose id begins so, too.
    shell
        .project
        .remove(".claude-checkpoints/77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b.json");
    let mut ran = Vec::new();
    for line in other_lines() {
        if ELSEWHERE.contains(&line) {
            continue;
        }
        // The first time that a remote is read, and that something is sent there.
        let asks = line.starts_with("ckpt sync");
        // What cargo builds is the program that is tested, and the remote is one that is there.
        let typed = line.replace(CARGO, "ckpt ");
        let typed = typed.replace(REMOTE, &remote.display().to_string());
        ran.push((line, shell.run_with(&typed, asks)));
    }
    let said = |line: &str| {
        let found = ran.iter().find(|(ran, _)| *ran == line);
        &found.unwrap_or_else(|| panic!("no {line}")).1
    };
    assert!(
        said("cargo run --locked -- save --goal \"Try ckpt\"").contains("Load it with: ckpt load")
    );
    assert!(said("ckpt list --all").contains("Let users sign in"));
    assert!(said("ckpt load 77aa").contains("saved no checkpoint"));
    assert!(said("ckpt save --from-transcript 77aa").contains("Saved "));
    assert!(!said("ckpt sync").is_empty());
}

#[test]
fn the_commands_within_its_sentences_run_as_they_are_written() {
    let mut shell = Shell::new(false);
    let sources = env!("CARGO_MANIFEST_DIR");
    for (line, folder) in [
        (
            "mkdir -p ~/.zfunc && ckpt completions zsh > ~/.zfunc/_ckpt",
            "cd",
        ),
        (
            "mkdir -p ~/.cargo/share/man/man1 && cp man/*.1 ~/.cargo/share/man/man1",
            &format!("cd {sources}"),
        ),
    ] {
        assert!(README.contains(&format!("`{line}`")), "{line}");
        shell.run(&format!("{folder} && {line}"));
    }
    let home = shell.project.home();
    for file in [".zfunc/_ckpt", ".cargo/share/man/man1/ckpt-load.1"] {
        assert!(home.join(file).is_file(), "{file}");
    }
}

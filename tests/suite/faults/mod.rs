//! A save that is killed, or told by the system that it cannot, at each of its system calls: the old or the new
//! checkpoint is there, whole, and every later command works (docs/contract.md, section 4).
//!
//! strace stops the program at the chosen call (strace(1), "Tampering"). Where there is no strace, or where
//! processes may not be traced, these tests say so and pass.
#![cfg(target_os = "linux")]

mod delete;
mod disk;
mod errors;
mod kill;
mod lock;
mod order;
mod serve;
mod sync;
mod trace;

use std::fs;

use serde_json::{Value, json};

use crate::harness::Project;

/// The saves before the one that is stopped, oldest first: the backup and the checkpoint.
const EARLIER: [&str; 2] = ["older", "old"];
/// The save that is stopped.
const STOPPED: &str = "new";

/// Long enough to take more than one page, so that half a file would be noticed.
fn summary(goal: &str) -> String {
    goal.repeat(4_000 / goal.len())
}

/// Where a save starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// No checkpoint and no directory for them.
    Nothing,
    /// A checkpoint with its backup.
    Both,
    /// The same in the legacy files.
    Legacy,
    /// A checkpoint that is cut off, with a good backup.
    Corrupt,
    /// A checkpoint with its backup and as many earlier saves as are kept.
    History,
}

/// The goals of the saves in the history of [`Start::History`], oldest first.
fn in_history() -> impl Iterator<Item = String> {
    (0..50).map(|number| format!("kept{number:02}"))
}

impl Start {
    const ALL: [Self; 5] = [
        Self::Nothing,
        Self::Both,
        Self::Legacy,
        Self::Corrupt,
        Self::History,
    ];

    /// The goals that the main file may hold once the save was stopped.
    fn possible(self) -> &'static [&'static str] {
        match self {
            Self::Nothing => &[STOPPED],
            Self::Both | Self::Legacy | Self::History => &["old", STOPPED],
            Self::Corrupt => &["older", STOPPED],
        }
    }

    fn names(self) -> [&'static str; 2] {
        match self {
            Self::Legacy => [".claude-checkpoint", ".claude-checkpoint.prev"],
            _ => [
                ".claude-checkpoints/s1.json",
                ".claude-checkpoints/s1.json.prev",
            ],
        }
    }

    fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Legacy => &[("CHECKPOINT_SESSION_IDS", "legacy")],
            _ => &[("CLAUDE_CODE_SESSION_ID", "s1")],
        }
    }

    fn selector(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            _ => "s1",
        }
    }
}

/// A project that can be put back to where it started from as often as needed.
struct Ground {
    project: Project,
    start: Start,
    /// What the main file and the backup hold at the start.
    files: [Option<Vec<u8>>; 2],
    /// The file name and the content of each save in the history at the start, oldest first.
    history: Vec<(String, Vec<u8>)>,
}

impl Ground {
    fn new(project: Project, start: Start) -> Self {
        let mut ground = Self {
            project,
            start,
            files: [None, None],
            history: Vec::new(),
        };
        if start != Start::Nothing {
            for goal in EARLIER {
                ground.save(goal);
            }
            ground.files = start
                .names()
                .map(|name| fs::read(ground.project.path(name)).ok());
        }
        match (start, &mut ground.files) {
            (Start::Corrupt, [Some(main), _]) => main.truncate(100),
            (Start::History, [Some(main), _]) => {
                let mut file: Value = serde_json::from_slice(main).unwrap();
                for (number, goal) in in_history().enumerate() {
                    file["goal"]["primary"] = json!(goal);
                    file["summary"] = json!(summary(&goal));
                    let name = format!("20261001T000000.{number:03}Z.json");
                    ground.history.push((name, file.to_string().into_bytes()));
                }
            }
            _ => {}
        }
        ground
    }

    fn arguments(goal: &str) -> [String; 5] {
        ["save", "--goal", goal, "--summary", &summary(goal)].map(str::to_owned)
    }

    fn save(&self, goal: &str) {
        let output = self
            .project
            .ckpt_with(self.start.variables(), Self::arguments(goal));
        output.succeeds();
    }

    /// Puts the files back to how they were.
    fn reset(&self) {
        let _ = fs::remove_dir_all(self.project.path(".claude-checkpoints"));
        for name in [".claude-checkpoint", ".claude-checkpoint.prev"] {
            let _ = fs::remove_file(self.project.path(name));
        }
        for (name, bytes) in self.start.names().iter().zip(&self.files) {
            if let Some(bytes) = bytes {
                self.project.write(name, bytes);
            }
        }
        for (name, bytes) in &self.history {
            let folder = ".claude-checkpoints/history/s1";
            self.project.write(format!("{folder}/{name}"), bytes);
        }
    }

    /// The goals of everything that is kept: checkpoint, backup and history.
    fn kept(&self, at: &str) -> Vec<String> {
        let root = self.project.root();
        let history = self.project.history(self.start.selector());
        let history = history.iter().map(|path| path.strip_prefix(&root).unwrap());
        let history = history.map(|path| path.to_str().unwrap().to_owned());
        let names = self.start.names().map(str::to_owned);
        let all = names.into_iter().chain(history);
        all.filter_map(|name| self.goal(&name, at)).collect()
    }

    /// The goal of a file, which has to be whole; None where it is not there.
    fn goal(&self, name: &str, at: &str) -> Option<String> {
        let bytes = fs::read(self.project.path(name)).ok()?;
        let file: Value = serde_json::from_slice(&bytes)
            .unwrap_or_else(|error| panic!("{at}: `{name}` is not whole: {error}"));
        let goal = file["goal"]["primary"].as_str().unwrap().to_owned();
        assert_eq!(file["summary"], summary(&goal), "{at}: `{name}`");
        Some(goal)
    }

    /// Looks at what a stopped save left, with the eyes of the next commands; the goal that is in force.
    #[track_caller]
    fn inspect(&self, at: &str) -> Option<String> {
        let [main, backup] = self.start.names();
        let selector = self.start.selector();
        if self.start == Start::Corrupt && self.has_main_of_start() {
            // The good backup serves as before.
            assert_eq!(self.goal(backup, at).as_deref(), Some("older"), "{at}");
        } else {
            let goal = self.goal(main, at);
            assert!(goal.is_some() || self.start == Start::Nothing, "{at}");
            // Only the oldest one may make room.
            let kept = self.kept(at);
            let history = in_history().skip(1);
            let expected: Vec<String> = match self.start {
                Start::Nothing | Start::Corrupt => Vec::new(),
                Start::Both | Start::Legacy => EARLIER.map(str::to_owned).to_vec(),
                Start::History => history.chain(EARLIER.map(str::to_owned)).collect(),
            };
            for goal in expected {
                assert!(kept.contains(&goal), "{at}: `{goal}` is not in {kept:?}");
            }
        }

        let list = self.project.ckpt(["list", "--json"]).succeeds().json();
        let total = usize::from(list["total"] == 1);
        assert_eq!(
            list["entries"].as_array().unwrap().len(),
            total,
            "{at}: {list}"
        );
        let goal = (total == 1).then(|| {
            let load = self
                .project
                .ckpt(["load", selector, "--json", "--format", "full"]);
            let loaded = load.succeeds().json();
            let goal = loaded["checkpoint"]["goal"]["primary"].as_str().unwrap();
            assert_eq!(loaded["checkpoint"]["summary"], summary(goal), "{at}");
            goal.to_owned()
        });
        match &goal {
            Some(goal) => assert!(
                self.start.possible().contains(&goal.as_str()),
                "{at}: {goal}"
            ),
            None => assert_eq!(self.start, Start::Nothing, "{at}"),
        }

        let before = self.goal_in_main(main);
        self.save("next");
        assert_eq!(self.goal(main, at).as_deref(), Some("next"), "{at}");
        if let Some(before) = before {
            assert_eq!(self.goal(backup, at), Some(before), "{at}");
        }
        goal
    }

    fn has_main_of_start(&self) -> bool {
        let [main, _] = self.start.names();
        fs::read(self.project.path(main)).ok() == self.files[0]
    }

    /// The main file's goal where it can be read at all.
    fn goal_in_main(&self, main: &str) -> Option<String> {
        let bytes = fs::read(self.project.path(main)).ok()?;
        let file: Value = serde_json::from_slice(&bytes).ok()?;
        Some(file["goal"]["primary"].as_str()?.to_owned())
    }

    /// The temporary files that are there.
    fn leftovers(&self) -> Vec<String> {
        let mut names = self.project.stored_names();
        let root = fs::read_dir(self.project.root()).unwrap();
        names.extend(root.map(|entry| entry.unwrap().file_name().into_string().unwrap()));
        names.retain(|name| name.ends_with(".tmp"));
        names
    }
}

/// A repository with changes of several kinds, so that a save has something to scan.
fn repository() -> Project {
    let project = Project::repository();
    project.write("README", "changed\n");
    project.write("new/file.txt", "new\n");
    project
}

/// A save as an agent calls the tool.
fn call(id: usize, goal: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
        "name": "save_session_checkpoint", "arguments": {"goal": goal, "summary": summary(goal)},
    }})
}

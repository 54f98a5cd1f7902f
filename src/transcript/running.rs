//! Whether the client of a session still runs, by what Claude Code writes down of its processes (measured on 2.1.332).
//!
//! `sessions/<pid>.json` in its folder names the session of an interactive client, and is written anew when that changes
//! (`/clear`, `/resume`). A clean end removes the file; SIGKILL or a crash of the system leaves it behind.

use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;

use serde::Deserialize;

use super::{claude, file};
use crate::env::{self, Env};

/// How many files are read, the last written first, and bytes of each.
const FILES: usize = 256;
const BYTES: usize = 64 << 10;

/// What is known of the client of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Life {
    /// It ended in good order, is another client's, or the files do not say.
    #[default]
    Unknown,
    /// It was ended from outside, and had no time to clean up.
    Killed,
    Running,
}

impl Life {
    /// Whether it runs; None where that is not known.
    pub(crate) fn is_running(self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Killed => Some(false),
            Self::Running => Some(true),
        }
    }
}

/// The sessions of which clients left a file, each with what it says.
#[derive(Debug, Default)]
pub(crate) struct Lives(HashMap<String, Life>);

impl Lives {
    pub(crate) fn read(env: &Env) -> Self {
        let folder = match claude::configuration(env) {
            Some(configuration) if !env.is_off(env::TRANSCRIPTS) => configuration.join("sessions"),
            _ => return Self::default(),
        };
        let mut lives: HashMap<String, Life> = HashMap::new();
        let files = file::listed(&folder, |name| pid(name).is_some());
        for file in files.into_iter().take(FILES) {
            file.forwards(BYTES, |text| {
                let entry = pid(&file.name).zip(serde_json::from_slice::<Entry>(text).ok());
                if let Some((pid, entry)) = entry {
                    let life = life(pid, &entry);
                    // One that was killed can have been resumed since, by another process.
                    let known = lives.entry(entry.session_id).or_default();
                    *known = (*known).max(life);
                }
                ControlFlow::Break(())
            });
        }
        Self(lives)
    }

    pub(crate) fn of(&self, session: &str) -> Life {
        self.0.get(session).copied().unwrap_or_default()
    }

    /// The sessions that run.
    pub(crate) fn running(&self) -> impl Iterator<Item = &str> {
        let running = self.0.iter().filter(|(_, life)| **life == Life::Running);
        running.map(|(session, _)| session.as_str())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    session_id: String,
    /// When the process started, as its system counts.
    proc_start: String,
    /// Machine and namespace that the process id is of, in newer versions.
    pid_domain: Option<String>,
}

fn pid(name: &str) -> Option<u32> {
    name.strip_suffix(".json")?.parse().ok()
}

/// Process ids of another machine, or of another container, say nothing here.
fn life(pid: u32, entry: &Entry) -> Life {
    let is_here = entry
        .pid_domain
        .as_ref()
        .is_none_or(|named| domain().as_ref() == Some(named));
    if !is_here || !cfg!(target_os = "linux") {
        return Life::Unknown;
    }
    match start(pid).as_ref() == Some(&entry.proc_start) {
        true => Life::Running,
        false => Life::Killed,
    }
}

/// Field 22 of `/proc/<pid>/stat`; the second one, the program's name, can hold anything.
fn start(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, from_third) = stat.rsplit_once(')')?;
    from_third
        .split_ascii_whitespace()
        .nth(19)
        .map(str::to_owned)
}

fn domain() -> Option<String> {
    let machine = fs::read_to_string("/etc/machine-id").ok()?;
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("linux:{}:{}", machine.trim(), namespace.display()))
}

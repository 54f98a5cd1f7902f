//! The git command as a person would run it, with their credentials and settings, but in a repository of our own.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::bail;

use crate::env::{Deadline, Env};
use crate::error::failure;
use crate::process::{self, Answer, Error, Group, Limits, Running};

/// How long one command may take.
const PATIENCE: Duration = Duration::from_secs(300);
/// Bytes of a short answer, such as the list of all machines or of a machine's files.
const SHORT: u64 = 1 << 20;
/// Bytes that a remote may make the scratch repository grow to.
const SCRATCH: u64 = 256 << 20;
/// Bytes of one file there, which the system bounds where it can: when we are killed, nobody else looks at what git writes.
const FILE: u64 = SCRATCH + (64 << 20);
/// The file in which git writes down what it is told beside objects, such as refs (git(1), `GIT_TRACE_PACKET`).
const TALK: &str = "talk";
/// Bytes of it. Git keeps all refs in memory, and takes about twice as much for them.
const TALK_BYTES: u64 = 32 << 20;
/// Bytes that git may take for a single thing, such as a tree, or an answer over HTTP (`GIT_ALLOC_LIMIT`, which git's
/// own tests use).
const THING: &str = "128m";
/// How often that is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Variables that would lead git to another repository, index or object, or to settings from the surroundings.
const DROPPED: [&str; 11] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_SHALLOW_FILE",
    "GIT_QUARANTINE_PATH",
    "GIT_REPLACE_REF_BASE",
    "GIT_TEMPLATE_DIR",
];

/// git-config(1): nothing runs that is not needed to reach a remote, and no transport but those that only carry data.
const SETTINGS: [&str; 9] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.bigFileThreshold=1m",
    "fetch.fsckObjects=true",
    "fetch.unpackLimit=1",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.ext.allow=never",
    "push.gpgSign=false",
];

/// git(1): the transports that may be used.
const TRANSPORTS: &str = "file:git:http:https:ssh";

pub(super) struct Git {
    program: PathBuf,
    variables: Vec<(OsString, OsString)>,
}

/// What a command may give and take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowed {
    /// Bytes of output.
    output: u64,
    /// Whether a remote can make the scratch repository grow.
    grows: bool,
}

impl Allowed {
    pub(super) fn short() -> Self {
        Self::output(SHORT)
    }

    pub(super) fn output(bytes: u64) -> Self {
        Self {
            output: bytes,
            grows: false,
        }
    }

    pub(super) fn remote() -> Self {
        Self {
            output: SHORT,
            grows: true,
        }
    }
}

/// Its answer where it did what it was to do, or had more to say than was wanted.
pub(super) fn succeeded(answer: Answer) -> anyhow::Result<Answer> {
    ended_with(answer, &[0])
}

/// The same, where other statuses are as good.
pub(super) fn ended_with(answer: Answer, codes: &[i32]) -> anyhow::Result<Answer> {
    match answer.is_cut || answer.status.is_some_and(|code| codes.contains(&code)) {
        true => Ok(answer),
        false => Err(answer.failure().into()),
    }
}

impl Git {
    /// Fails where there is no git command outside of the project.
    pub(super) fn new(env: &Env, project: &Path) -> anyhow::Result<Self> {
        let Some(program) = crate::git::program(env, project) else {
            bail!(failure(
                "there is no git command on the search path, and a sync needs one",
                "install git",
            ));
        };
        let variables = env
            .variables()
            .filter(|(name, _)| {
                let dropped = name.to_str().is_some_and(|name| DROPPED.contains(&name));
                !dropped
            })
            .cloned()
            .collect();
        process::bound_files(FILE);
        Ok(Self { program, variables })
    }

    /// Runs a command in a folder, to its end or to one of its limits.
    pub(super) fn run(
        &self,
        folder: &Path,
        args: &[&str],
        input: Vec<u8>,
        allowed: Allowed,
    ) -> anyhow::Result<Answer> {
        let mut command = Command::new(&self.program);
        command
            .current_dir(folder)
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .envs([("LC_ALL", "C"), ("GIT_ALLOW_PROTOCOL", TRANSPORTS)])
            .envs([("GIT_ALLOC_LIMIT", THING)])
            .arg("--no-pager");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.args(args);
        if allowed.grows {
            command.env("GIT_TRACE_PACKET", folder.join(TALK));
        }
        let limits = Limits {
            output: allowed.output,
            deadline: Deadline::after(PATIENCE),
            group: Group::Ours,
        };
        let running = process::start(command, Some(input), limits)?;
        hear(running, allowed.grows.then_some(folder))
    }
}

/// Waits for a command, as long as it keeps to its limits; else it is ended.
fn hear(mut running: Running, scratch: Option<&Path>) -> anyhow::Result<Answer> {
    loop {
        match running.poll(LOOK) {
            Ok(Some(answer)) => return Ok(answer),
            Ok(None) => {}
            Err(Error::TimedOut) => bail!(failure(
                format!("git did not finish within {} s", PATIENCE.as_secs()),
                "check that the remote can be reached: git ls-remote URL",
            )),
            Err(error) => return Err(error.into()),
        }
        let Some(scratch) = scratch else { continue };
        if fs::metadata(scratch.join(TALK)).is_ok_and(|talk| talk.len() > TALK_BYTES) {
            bail!(failure(
                "the remote lists more refs than machines can have made, or says other things without end",
                "use a repository that holds nothing else",
            ));
        }
        if size(scratch) > SCRATCH {
            bail!(failure(
                format!(
                    "the remote sends more than {} MiB, which cannot be checkpoints; nothing was taken",
                    SCRATCH >> 20
                ),
                "use a repository that holds nothing else",
            ));
        }
    }
}

/// Bytes of all files below a folder, as far as it can be read.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

//! The git command as a person would run it, with their credentials and settings, but in a repository of our own.

use std::ffi::OsString;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};

use crate::env::{Deadline, Env};
use crate::error::failure;

/// How long one command may take.
const PATIENCE: Duration = Duration::from_secs(300);
/// Bytes of a short answer, such as the list of all machines or of a machine's files.
const SHORT: u64 = 1 << 20;
/// Bytes that a remote may make the scratch repository grow to.
const SCRATCH: u64 = 256 << 20;
/// How often that is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// Bytes of error output that are kept.
const ERRORS: u64 = 4096;

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
const SETTINGS: [&str; 8] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.bigFileThreshold=1m",
    "fetch.fsckObjects=true",
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

/// What a command said when it ended.
pub(super) struct Said {
    pub(super) output: Vec<u8>,
    /// Whether there was more output than allowed, so that the command was ended.
    pub(super) is_cut: bool,
    errors: String,
    code: Option<i32>,
}

impl Said {
    /// Itself where the command did what it was to do, or had more to say than was wanted.
    pub(super) fn succeeded(self) -> anyhow::Result<Self> {
        self.ended_with(&[0])
    }

    /// The same, where other statuses are as good.
    pub(super) fn ended_with(self, codes: &[i32]) -> anyhow::Result<Self> {
        if self.is_cut || self.code.is_some_and(|code| codes.contains(&code)) {
            return Ok(self);
        }
        let lines: Vec<&str> = self.errors.lines().map(str::trim).collect();
        let why = lines
            .iter()
            .find_map(|line| {
                line.strip_prefix("fatal: ")
                    .or(line.strip_prefix("error: "))
            })
            .or(lines.first().copied())
            .unwrap_or("it failed without a word");
        bail!("git: {}", why.trim_end_matches('.'));
    }
}

impl Git {
    /// Fails where there is no git command outside of the project.
    pub(super) fn new(env: &Env, project: &Path) -> anyhow::Result<Self> {
        let Some(program) = crate::git::program(env, project) else {
            bail!(failure(
                "there is no git command on the search path, and a sync is its work",
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
        Ok(Self { program, variables })
    }

    /// Runs a command in a folder, to its end or to one of its limits.
    pub(super) fn run(
        &self,
        folder: &Path,
        args: &[&str],
        input: Vec<u8>,
        allowed: Allowed,
    ) -> anyhow::Result<Said> {
        let mut command = Command::new(&self.program);
        command
            .current_dir(folder)
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .envs([("LC_ALL", "C"), ("GIT_ALLOW_PROTOCOL", TRANSPORTS)])
            .arg("--no-pager");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        let mut child = command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not run `{}`", self.program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command that ends before it has read everything says itself what was wrong.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        let output = child
            .stdout
            .take()
            .map(|stdout| collect(stdout, allowed.output));
        let errors = child.stderr.take().map(|stderr| collect(stderr, ERRORS));
        let scratch = allowed.grows.then_some(folder);
        let heard = hear(output, errors, scratch);
        let (mut output, errors) = match heard {
            Ok(heard) => heard,
            Err(error) => {
                end(&mut child);
                return Err(error);
            }
        };
        let is_cut = output.len() as u64 > allowed.output;
        output.truncate(allowed.output as usize);
        if is_cut {
            end(&mut child);
        }
        let status = child.wait().context("could not wait for git")?;
        Ok(Said {
            output,
            is_cut,
            errors: String::from_utf8_lossy(&errors).into_owned(),
            code: status.code(),
        })
    }
}

/// Ends a command and takes its status, so that nothing of it is left.
fn end(child: &mut Child) {
    // It may have ended by itself meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

type Bytes = Option<Receiver<Vec<u8>>>;

/// Waits for what a command prints, as long as it keeps to its limits.
fn hear(
    output: Bytes,
    errors: Bytes,
    scratch: Option<&Path>,
) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let deadline = Deadline::after(PATIENCE);
    let wait = |stream: Bytes| {
        let Some(stream) = stream else {
            return Ok(Vec::new());
        };
        loop {
            match stream.recv_timeout(LOOK.min(deadline.remaining())) {
                Ok(bytes) => return Ok(bytes),
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) if deadline.has_passed() => bail!(failure(
                    format!("git has not answered for {} s", PATIENCE.as_secs()),
                    "look whether the remote can be reached: git ls-remote URL",
                )),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if scratch.is_some_and(|scratch| size(scratch) > SCRATCH) {
                bail!(failure(
                    format!(
                        "the remote sends more than {} MiB, which cannot be checkpoints; nothing was taken",
                        SCRATCH >> 20
                    ),
                    "use a repository that holds nothing else",
                ));
            }
        }
    };
    Ok((wait(output)?, wait(errors)?))
}

/// Bytes of all files below a folder, as far as it can be read.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// Reads up to one byte over `limit` in a thread of its own, then hangs up.
fn collect(stream: impl Read + Send + 'static, limit: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could be read before an error is all there is.
        let _ = stream.take(limit + 1).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

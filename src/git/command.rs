//! A process that reads a repository: git, run so that nothing but git itself runs and nothing is changed, or, without
//! git, this program in its place (see [`super::substitute`]).

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::program::Surroundings;
use super::{Error, Result};
use crate::env::Deadline;

/// Bytes of output that are read; 100,000 paths take about a tenth of it.
const OUTPUT: u64 = 128 * 1024 * 1024;
/// Bytes of error output that are kept.
const ERRORS: u64 = 4096;
/// How long a process that was ended may take to be gone.
const DYING: Duration = Duration::from_secs(1);

/// git(1): no optional locks and no prompt; no object is fetched, and were one asked for, no transport is
/// allowed.
const SET: &[(&str, &str)] = &[
    ("LC_ALL", "C"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_ASKPASS", ""),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_PAGER", "cat"),
];

/// git-config(1): every setting by which a repository could have git run something when it is read.
/// Filter drivers are added by [`Git::switch_off`].
const OFF: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
];

/// What is run to ask about the repository around one folder.
#[derive(Debug, Clone)]
pub(super) struct Git {
    program: PathBuf,
    /// The arguments before those of a question.
    lead: Vec<OsString>,
    path: OsString,
    variables: Vec<(String, OsString)>,
    folder: PathBuf,
    deadline: Deadline,
}

/// How a command ended.
#[derive(Debug)]
pub(super) struct Answer {
    /// None where a signal ended it.
    pub(super) status: Option<i32>,
    pub(super) output: Vec<u8>,
    pub(super) errors: String,
}

/// A command that runs while other work is done. It is ended with what it started where nobody waits for it.
#[derive(Debug)]
pub(super) struct Running {
    id: u32,
    answer: Receiver<Result<Answer>>,
    deadline: Deadline,
    is_over: bool,
}

impl Git {
    /// None where there is no git command.
    pub(super) fn new(
        folder: &Path,
        surroundings: &Surroundings,
        deadline: Deadline,
    ) -> Option<Self> {
        let lead = ["--no-pager", "--no-optional-locks"].map(OsString::from);
        let settings = OFF.iter().flat_map(|setting| ["-c", setting]);
        Some(Self {
            program: surroundings.program.clone()?,
            lead: lead
                .into_iter()
                .chain(settings.map(OsString::from))
                .collect(),
            path: surroundings.path.clone(),
            variables: surroundings.variables.clone(),
            folder: folder.to_owned(),
            deadline,
        })
    }

    /// This program, which answers in the place of git; it has nothing of the surroundings but the person's files.
    pub(super) fn substitute(
        folder: &Path,
        surroundings: &Surroundings,
        deadline: Deadline,
    ) -> Result<Self> {
        let program = match cfg!(target_os = "linux") {
            // It may have been replaced meanwhile.
            true => PathBuf::from("/proc/self/exe"),
            false => std::env::current_exe()?,
        };
        Ok(Self {
            program,
            lead: vec![OsString::from(super::SUBSTITUTE)],
            path: OsString::new(),
            variables: surroundings.variables.clone(),
            folder: folder.to_owned(),
            deadline,
        })
    }

    /// Has git convert no file by these filter drivers (gitattributes(5)).
    pub(super) fn switch_off<'a>(
        &mut self,
        drivers: impl IntoIterator<Item = &'a String>,
    ) -> Result<()> {
        for driver in drivers {
            if driver.contains(['=', char::REPLACEMENT_CHARACTER]) {
                let why = format!("the filter `{driver}` cannot be switched off");
                return Err(Error::Unsupported(why));
            }
            for setting in ["clean=", "smudge=", "process=", "required=false"] {
                let setting = format!("filter.{driver}.{setting}");
                self.lead.extend(["-c".into(), setting.into()]);
            }
        }
        Ok(())
    }

    /// Keeps git from looking for a repository above its folder.
    pub(super) fn stay(&mut self) {
        if let Some(parent) = self.folder.parent() {
            let variable = ("GIT_CEILING_DIRECTORIES".to_owned(), parent.into());
            self.variables.retain(|(name, _)| *name != variable.0);
            self.variables.push(variable);
        }
    }

    /// The same in another folder.
    pub(super) fn within(&self, folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            ..self.clone()
        }
    }

    /// The same with another deadline.
    pub(super) fn until(&self, deadline: Deadline) -> Self {
        Self {
            deadline,
            ..self.clone()
        }
    }

    /// The output of a command that must succeed.
    pub(super) fn output<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Vec<u8>> {
        self.start(args)?.output()
    }

    /// The same for a command that reads `input`.
    pub(super) fn output_of<S: AsRef<OsStr>>(&self, args: &[S], input: Vec<u8>) -> Result<Vec<u8>> {
        self.start_with(args, input)?.output()
    }

    pub(super) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Answer> {
        self.start(args)?.answer()
    }

    pub(super) fn start<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Running> {
        self.spawn(args, Stdio::null()).map(|(running, _)| running)
    }

    pub(super) fn start_with<S: AsRef<OsStr>>(
        &self,
        args: &[S],
        input: Vec<u8>,
    ) -> Result<Running> {
        let (running, stdin) = self.spawn(args, Stdio::piped())?;
        if let Some(mut stdin) = stdin {
            // A command that ends before it has read everything says itself what was wrong.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        Ok(running)
    }

    fn spawn<S: AsRef<OsStr>>(
        &self,
        args: &[S],
        stdin: Stdio,
    ) -> Result<(Running, Option<std::process::ChildStdin>)> {
        if self.deadline.has_passed() {
            return Err(Error::TimedOut);
        }
        let mut command = Command::new(&self.program);
        command
            .current_dir(&self.folder)
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .envs(SET.iter().copied())
            .env("PATH", &self.path)
            .args(&self.lead)
            .args(args)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        alone(&mut command);
        let mut child = command.spawn().map_err(|error| {
            Error::Failed(format!(
                "could not run `{}`: {error}",
                self.program.display()
            ))
        })?;
        let stdin = child.stdin.take();
        let id = child.id();
        let (sender, answer) = mpsc::channel();
        thread::spawn(move || {
            // Nobody may wait any more.
            let _ = sender.send(collect(child));
        });
        let deadline = self.deadline;
        let running = Running {
            id,
            answer,
            deadline,
            is_over: false,
        };
        Ok((running, stdin))
    }
}

impl Running {
    pub(super) fn answer(mut self) -> Result<Answer> {
        let answer = self.answer.recv_timeout(self.deadline.remaining());
        self.is_over = !matches!(answer, Err(RecvTimeoutError::Timeout));
        answer.unwrap_or_else(|error| {
            Err(match error {
                RecvTimeoutError::Timeout => Error::TimedOut,
                RecvTimeoutError::Disconnected => Error::Failed("git could not be read".to_owned()),
            })
        })
    }

    /// The output of a command that must succeed.
    pub(super) fn output(self) -> Result<Vec<u8>> {
        let answer = self.answer()?;
        match answer.status {
            Some(0) => Ok(answer.output),
            _ => Err(answer.failure()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_over {
            end(self.id);
            // So that nothing of it is left, unless the system itself holds it.
            let _ = self.answer.recv_timeout(DYING);
        }
    }
}

impl Answer {
    /// Why a command failed.
    pub(super) fn failure(&self) -> Error {
        let lines = self.errors.lines();
        // Warnings may come before what ended it.
        let fatal = lines.clone().find(|line| line.starts_with("fatal: "));
        let line = fatal.or(lines.clone().next());
        let mut why = match (line, self.status) {
            (Some(line), _) => line.strip_prefix("fatal: ").unwrap_or(line).to_owned(),
            (None, Some(_)) => "it failed without a word".to_owned(),
            (None, None) => "it crashed".to_owned(),
        };
        if why.ends_with(':') {
            let details = lines.filter_map(|line| line.strip_prefix('\t'));
            why.push_str(&format!(" {}", details.collect::<Vec<_>>().join(", ")));
        }
        Error::Failed(format!("git: {}", why.trim_end_matches('.')))
    }
}

/// Reads a command to its end.
fn collect(mut child: Child) -> Result<Answer> {
    let errors = child.stderr.take().map(|stderr| {
        thread::spawn(move || {
            let mut stderr = stderr;
            let (kept, _) = read(&mut stderr, ERRORS);
            let _ = io::copy(&mut stderr, &mut io::sink());
            kept
        })
    });
    let output = child.stdout.take();
    let output = output.map(|mut stdout| read(&mut stdout, OUTPUT));
    let (output, is_whole) = output.unwrap_or_default();
    if !is_whole {
        end(child.id());
    }
    let errors = errors.and_then(|thread| thread.join().ok());
    let status = child.wait()?;
    if !is_whole {
        return Err(Error::Failed(
            "git: more output than can be read".to_owned(),
        ));
    }
    Ok(Answer {
        status: status.code(),
        output,
        errors: String::from_utf8_lossy(&errors.unwrap_or_default()).into_owned(),
    })
}

/// Reads up to `limit` bytes, and whether that was all.
fn read(stream: &mut impl Read, limit: u64) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    // What could be read before an error is all there is.
    let _ = stream.take(limit).read_to_end(&mut bytes);
    let is_whole = (bytes.len() as u64) < limit;
    (bytes, is_whole)
}

/// Has a command be ended together with what it starts, and show no window.
#[cfg(unix)]
fn alone(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

#[cfg(windows)]
fn alone(command: &mut Command) {
    use std::os::windows::process::CommandExt as _;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

/// Ends a process that was not waited for yet, and what it started.
#[cfg(unix)]
fn end(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // It may have ended meanwhile.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(windows)]
fn end(id: u32) {
    let mut kill = Command::new(r"C:\Windows\System32\taskkill.exe");
    kill.args(["/F", "/T", "/PID", &id.to_string()]);
    kill.stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    alone(&mut kill);
    // It may have ended meanwhile.
    let _ = kill.status();
}

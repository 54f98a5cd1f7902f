//! One process that is asked something: what it may read, print and take of time, and its end.

use std::fmt;
use std::io::{self, Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::env::Deadline;

/// Bytes of error output that are kept.
const ERRORS: u64 = 4096;
/// How long a process that was ended may take to be gone.
const DYING: Duration = Duration::from_secs(1);

/// Why a process gave no answer.
#[derive(Debug)]
pub(crate) enum Error {
    /// The deadline passed.
    TimedOut,
    /// It could not be run or read; why, as the end of a sentence.
    Failed(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut => f.write_str("it took too long"),
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

/// How what a process starts is ended with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// It is the first of a group of its own.
    Own,
    /// It stays in ours, so that it can ask the person at the terminal, and what it started is looked for.
    Ours,
}

/// What a process may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Bytes of output; a process that prints more is ended.
    pub(crate) output: u64,
    pub(crate) deadline: Deadline,
    pub(crate) group: Group,
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct Answer {
    /// None where a signal ended it.
    pub(crate) status: Option<i32>,
    pub(crate) output: Vec<u8>,
    /// Whether there was more output than allowed.
    pub(crate) is_cut: bool,
    /// The beginning of what it said beside its output.
    pub(crate) errors: String,
}

/// A process that runs while other work is done. It is ended where nobody waits for it.
#[derive(Debug)]
pub(crate) struct Running {
    id: u32,
    answer: Receiver<io::Result<Answer>>,
    limits: Limits,
    is_over: bool,
}

/// Starts a process that reads `input`, or nothing.
pub(crate) fn start(
    mut command: Command,
    input: Option<Vec<u8>>,
    limits: Limits,
) -> Result<Running, Error> {
    if limits.deadline.has_passed() {
        return Err(Error::TimedOut);
    }
    command
        .stdin(match input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if limits.group == Group::Own {
        alone(&mut command);
    }
    let mut child = command.spawn().map_err(|error| {
        let program = command.get_program().display();
        Error::Failed(format!("could not run `{program}`: {error}"))
    })?;
    if let (Some(input), Some(mut stdin)) = (input, child.stdin.take()) {
        // A command that ends before it has read everything says itself what was wrong.
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let id = child.id();
    let (sender, answer) = mpsc::channel();
    thread::spawn(move || {
        // Nobody may wait any more.
        let _ = sender.send(collect(child, limits));
    });
    Ok(Running {
        id,
        answer,
        limits,
        is_over: false,
    })
}

impl Running {
    /// Waits for its end or the deadline.
    pub(crate) fn answer(mut self) -> Result<Answer, Error> {
        let answer = self.poll(self.limits.deadline.remaining())?;
        answer.ok_or(Error::TimedOut)
    }

    /// Waits so long for its end, and no longer than to the deadline; None where it goes on.
    pub(crate) fn poll(&mut self, at_most: Duration) -> Result<Option<Answer>, Error> {
        let remaining = self.limits.deadline.remaining();
        let answer = self.answer.recv_timeout(at_most.min(remaining));
        self.is_over = !matches!(answer, Err(RecvTimeoutError::Timeout));
        match answer {
            Ok(Ok(answer)) => Ok(Some(answer)),
            Ok(Err(error)) => Err(Error::Failed(error.to_string())),
            Err(RecvTimeoutError::Timeout) if self.limits.deadline.has_passed() => {
                Err(Error::TimedOut)
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(Error::Failed("its output could not be read".to_owned()))
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_over {
            end(self.id, self.limits.group);
            // So that nothing of it is left, unless the system itself holds it.
            let _ = self.answer.recv_timeout(DYING);
        }
    }
}

/// Reads a process to its end.
fn collect(mut child: Child, limits: Limits) -> io::Result<Answer> {
    let errors = child.stderr.take().map(|stderr| {
        thread::spawn(move || {
            let mut stderr = stderr;
            let (kept, _) = read(&mut stderr, ERRORS);
            let _ = io::copy(&mut stderr, &mut io::sink());
            kept
        })
    });
    let output = child.stdout.take();
    let output = output.map(|mut stdout| read(&mut stdout, limits.output));
    let (output, is_cut) = output.unwrap_or_default();
    if is_cut {
        end(child.id(), limits.group);
    }
    let errors = errors.and_then(|thread| thread.join().ok());
    let status = child.wait()?;
    Ok(Answer {
        status: status.code(),
        output,
        is_cut,
        errors: String::from_utf8_lossy(&errors.unwrap_or_default()).into_owned(),
    })
}

/// Reads up to `limit` bytes, and whether there were more.
fn read(stream: &mut impl Read, limit: u64) -> (Vec<u8>, bool) {
    let mut bytes = Vec::new();
    // What could be read before an error is all there is.
    let _ = stream.take(limit + 1).read_to_end(&mut bytes);
    let is_cut = bytes.len() as u64 > limit;
    bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    (bytes, is_cut)
}

/// Has a process be ended together with what it starts, and show no window.
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
fn end(id: u32, group: Group) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    let Some(id) = i32::try_from(id).ok() else {
        return;
    };
    let pid = |id| Pid::from_raw(id);
    // It may have ended meanwhile.
    match group {
        Group::Own => drop(pid(id).map(|id| kill_process_group(id, Signal::KILL))),
        Group::Ours => {
            for id in descent(id, &parents()) {
                let _ = pid(id).map(|id| kill_process(id, Signal::KILL));
            }
        }
    }
}

/// A process and all that come from it, by the pairs of a process and its parent.
#[cfg(unix)]
fn descent(id: i32, parents: &[(i32, i32)]) -> Vec<i32> {
    let mut found = vec![id];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        let children = parents.iter().filter(|(_, of)| *of == parent);
        let new: Vec<i32> = children
            .map(|(id, _)| *id)
            .filter(|id| !found.contains(id))
            .collect();
        found.extend(new);
        at += 1;
    }
    found
}

/// Every process with its parent (proc_pid_stat(5)).
#[cfg(target_os = "linux")]
fn parents() -> Vec<(i32, i32)> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = processes.filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name before it may hold anything.
        let (_, facts) = stat.rsplit_once(')')?;
        let parent = facts.split_ascii_whitespace().nth(1)?;
        Some((id, parent.parse().ok()?))
    });
    processes.collect()
}

/// The same, as ps(1) says it.
#[cfg(all(unix, not(target_os = "linux")))]
fn parents() -> Vec<(i32, i32)> {
    let mut ps = Command::new("/bin/ps");
    let listed = ps.args(["-A", "-o", "pid=", "-o", "ppid="]).output();
    let listed = listed.map(|answer| String::from_utf8_lossy(&answer.stdout).into_owned());
    let pair = |line: &str| {
        let mut numbers = line.split_ascii_whitespace();
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    };
    let listed = listed.unwrap_or_default();
    listed.lines().filter_map(pair).collect()
}

#[cfg(windows)]
fn end(id: u32, _group: Group) {
    let mut kill = Command::new(r"C:\Windows\System32\taskkill.exe");
    kill.args(["/F", "/T", "/PID", &id.to_string()]);
    kill.stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    alone(&mut kill);
    // It may have ended meanwhile.
    let _ = kill.status();
}

/// Has neither this process nor any that it starts write a file of more bytes (setrlimit(2)).
#[cfg(unix)]
pub(crate) fn bound_files(bytes: u64) {
    bound(rustix::process::Resource::Fsize, bytes);
}

#[cfg(not(unix))]
pub(crate) fn bound_files(_bytes: u64) {}

/// Has this process take no more memory, but for files that it maps (setrlimit(2)); what it would need more for fails.
#[cfg(target_os = "linux")]
pub(crate) fn bound_memory(bytes: u64) {
    bound(rustix::process::Resource::Data, bytes);
}

/// Elsewhere such a bound says nothing of memory that is mapped, which is most.
#[cfg(not(target_os = "linux"))]
pub(crate) fn bound_memory(_bytes: u64) {}

#[cfg(unix)]
fn bound(what: rustix::process::Resource, bytes: u64) {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    let maximum = getrlimit(what).maximum;
    let current = Some(maximum.map_or(bytes, |maximum| maximum.min(bytes)));
    // A system that has no such bound is no reason to do nothing.
    let _ = setrlimit(what, Rlimit { current, maximum });
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_started_is_found_with_what_that_started() {
        let parents = [(5, 4), (3, 2), (4, 3), (2, 1), (9, 1), (7, 3)];
        assert_eq!(descent(3, &parents), [3, 4, 7, 5]);
        assert_eq!(descent(9, &parents), [9]);
        // A number that was given twice ends nothing for ever.
        assert_eq!(descent(1, &[(1, 2), (2, 1)]), [1, 2]);
    }
}

//! strace as a tool: which calls a command makes, and the command stopped at one of them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use tempfile::NamedTempFile;

/// What reads or writes the disk, or could.
pub(super) const TOUCHING: [&str; 27] = [
    "access",
    "close",
    "faccessat2",
    "fcntl",
    "flock",
    "fstat",
    "fsync",
    "fdatasync",
    "ftruncate",
    "getdents64",
    "linkat",
    "lseek",
    "mkdir",
    "mkdirat",
    "newfstatat",
    "open",
    "openat",
    "openat2",
    "pread64",
    "pwrite64",
    "read",
    "readlink",
    "readlinkat",
    "renameat",
    "statx",
    "unlinkat",
    "write",
];

/// Every file that has been opened is read no more than this often; what goes beyond is no fault point.
const LIMIT: usize = 400;

/// A call: its name and which of its thread's calls of that name it is, from 1.
pub(super) type Point = (String, usize);

/// Whether processes can be traced here; says so where they cannot.
pub(super) fn is_possible() -> bool {
    let probe = Command::new("strace")
        .args([
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-e",
            "inject=fsync:error=EIO",
        ])
        .arg("true")
        .stdin(Stdio::null())
        .output();
    let why = match probe {
        Err(error) => format!("strace cannot be run: {error}"),
        Ok(output) if !output.status.success() => {
            String::from_utf8_lossy(&output.stderr).trim().to_owned()
        }
        Ok(_) => return true,
    };
    say(&format!("skipped: {why}"));
    false
}

/// Writes to the real standard error, which the test harness does not hold back.
pub(super) fn say(text: &str) {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or_default();
    let line = format!("{name}: {text}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// The same command under strace, with these of its options.
pub(super) fn traced(command: &Command, options: &[&str]) -> Command {
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq"]).args(options);
    traced.arg(command.get_program()).args(command.get_args());
    traced.env_clear();
    traced.envs(
        command
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    if let Some(folder) = command.get_current_dir() {
        traced.current_dir(folder);
    }
    traced
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    traced
}

/// Every line of a trace of the program's own calls, without those of the loader before it.
pub(super) fn lines(command: &Command, input: &[u8]) -> Vec<String> {
    let file = NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    let mut traced = traced(command, &["-o", path]);
    let mut child = traced.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The points of a command at which `wanted` calls are made, but for those of the loader.
pub(super) fn points(command: &Command, input: &[u8], wanted: &[&str]) -> Vec<Point> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut loading: Option<BTreeMap<String, usize>> = None;
    for line in lines(command, input) {
        let Some((thread, name)) = call(&line) else {
            continue;
        };
        // The first thing that the runtime does on its own account.
        if loading.is_none() && name == "sigaltstack" {
            let counts = counts.iter();
            loading = Some(counts.map(|((_, name), n)| (name.clone(), *n)).collect());
        }
        *counts
            .entry((thread.to_owned(), name.to_owned()))
            .or_default() += 1;
    }
    let loading = loading.unwrap();
    let mut most: BTreeMap<String, usize> = BTreeMap::new();
    for ((_, name), count) in counts {
        let most = most.entry(name).or_default();
        *most = count.max(*most);
    }
    let mut points = Vec::new();
    for name in wanted {
        let from = loading.get(*name).copied().unwrap_or_default() + 1;
        let to = most.get(*name).copied().unwrap_or_default().min(LIMIT);
        points.extend((from..=to).map(|n| ((*name).to_owned(), n)));
    }
    points
}

/// The thread and the name of the call that a line of a trace begins.
pub(super) fn call(line: &str) -> Option<(&str, &str)> {
    let (thread, rest) = line.split_once(' ')?;
    let (name, _) = rest.trim_start().split_once('(')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(plain).then_some((thread, name))
}

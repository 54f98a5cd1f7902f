//! Repositories, folders and checkpoints that somebody made to do harm.
#![cfg(unix)]

mod cut;
#[cfg(target_os = "linux")]
mod endless;
mod large;
mod provenance;
mod remote;
mod stuck;
mod swap;
mod traps;
mod unseen;
mod words;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::harness::Output;

/// How long to wait for what never takes that long, before the test fails.
const PATIENCE: Duration = Duration::from_secs(120);

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn start(mut command: Command) -> Child {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for a command that must not hang.
#[track_caller]
fn ended(child: Child, what: &str) -> Output {
    let (sender, receiver) = mpsc::channel();
    let id = child.id();
    std::thread::spawn(move || sender.send(child.wait_with_output().unwrap()));
    let Ok(output) = receiver.recv_timeout(PATIENCE) else {
        Command::new("kill")
            .args(["-9", &id.to_string()])
            .status()
            .unwrap();
        panic!("{what} hangs");
    };
    Output {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap_or(-1),
    }
}

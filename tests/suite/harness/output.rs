//! What a command printed and how it ended, with assertions in a chain.

use std::io::Write as _;
use std::process::{Command, Stdio};

pub(crate) struct Output {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

impl Output {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            status: output.status.code().unwrap_or(-1),
        }
    }

    pub(crate) fn with_input(command: &mut Command, input: &[u8]) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that fails early does not read its input; that is for the assertions to judge.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Self {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            status: output.status.code().unwrap_or(-1),
        }
    }

    #[track_caller]
    pub(crate) fn exits(self, status: i32) -> Self {
        assert_eq!(
            self.status, status,
            "stdout: {}\nstderr: {}",
            self.stdout, self.stderr
        );
        self
    }

    #[track_caller]
    pub(crate) fn succeeds(self) -> Self {
        self.exits(0)
    }

    /// Fails with status 2, an error that holds `message`, and nothing on standard output.
    #[track_caller]
    pub(crate) fn fails_with(self, message: &str) -> Self {
        let output = self.exits(2).errs(message);
        assert_eq!(output.stdout, "");
        assert!(output.stderr.starts_with("error: "), "{}", output.stderr);
        output
    }

    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert!(
            self.stdout.contains(text),
            "no {text:?} in stdout: {}",
            self.stdout
        );
        self
    }

    #[track_caller]
    pub(crate) fn errs(self, text: &str) -> Self {
        assert!(
            self.stderr.contains(text),
            "no {text:?} in stderr: {}",
            self.stderr
        );
        self
    }

    /// Nothing on standard error.
    #[track_caller]
    pub(crate) fn stays_silent(self) -> Self {
        assert_eq!(self.stderr, "");
        self
    }

    /// Hints at most on standard error.
    #[track_caller]
    pub(crate) fn warns_of_nothing(self) -> Self {
        assert!(!self.stderr.contains("warning"), "{}", self.stderr);
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }
}

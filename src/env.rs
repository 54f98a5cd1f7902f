//! The process's surroundings, read once: the only reader of the environment and the clock.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use jiff::Timestamp;

/// Names the current session; set by Claude Code for the servers it starts.
pub(crate) const SESSION_ID: &str = "CLAUDE_CODE_SESSION_ID";
/// How a client without a session id is served: `mint` or `legacy`.
pub(crate) const SESSION_IDS: &str = "CHECKPOINT_SESSION_IDS";
/// The project root for servers that are started elsewhere.
pub(crate) const PROJECT_ROOT: &str = "CHECKPOINT_PROJECT_ROOT";
/// Where Claude Code keeps its own files; not set, `.claude` in the home directory.
pub(crate) const CLAUDE_CONFIG: &str = "CLAUDE_CONFIG_DIR";
/// Silences `ckpt nudge`.
pub(crate) const NUDGE: &str = "SESSION_CHECKPOINT_NUDGE";
/// When `ckpt nudge` reminds of saving: a number of tokens, or a word that switches it off.
pub(crate) const REMIND: &str = "CHECKPOINT_REMIND";
/// Switches off reading what clients wrote down of their sessions.
pub(crate) const TRANSCRIPTS: &str = "CHECKPOINT_TRANSCRIPTS";
/// Where Codex CLI keeps its own files; not set, `.codex` in the home directory.
pub(crate) const CODEX_HOME: &str = "CODEX_HOME";
/// The home directory that Gemini CLI takes for its own files, in place of the user's.
pub(crate) const GEMINI_HOME: &str = "GEMINI_CLI_HOME";
/// Fixes the clock (RFC 3339), so that tests can compare whole outputs.
const NOW: &str = "CKPT_NOW";

/// Working directory, variables and time, as they were when it was made.
#[derive(Debug, Clone)]
pub(crate) struct Env {
    /// None when the working directory no longer exists or may not be read.
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) now: Timestamp,
    /// A list, for the few that are asked for do not pay for a table.
    variables: Vec<(OsString, OsString)>,
}

impl Env {
    pub(crate) fn from_process() -> Self {
        let mut env = Self {
            cwd: std::env::current_dir().ok(),
            now: Timestamp::now(),
            variables: std::env::vars_os().collect(),
        };
        if let Some(pinned) = env.var(NOW).and_then(|value| value.parse().ok()) {
            env.now = pinned;
        }
        env
    }

    /// The same with a variable set to another value.
    pub(crate) fn with(mut self, name: &str, value: OsString) -> Self {
        self.variables.retain(|(other, _)| other != name);
        self.variables.push((name.into(), value));
        self
    }

    /// The home directory, as its variable says.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        let name = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
        self.os_var(name).map(PathBuf::from)
    }

    /// Where programs keep what they have to remember (XDG Base Directory Specification); None without a home.
    pub(crate) fn state_folder(&self) -> Option<PathBuf> {
        if cfg!(windows) {
            return self.os_var("LOCALAPPDATA").map(PathBuf::from);
        }
        let own = self.os_var("XDG_STATE_HOME").map(PathBuf::from);
        own.filter(|folder| folder.is_absolute())
            .or_else(|| Some(self.home()?.join(".local/state")))
    }

    /// The name that this machine has among others; None where the system does not say.
    pub(crate) fn host(&self) -> Option<String> {
        #[cfg(unix)]
        return Some(
            rustix::system::uname()
                .nodename()
                .to_string_lossy()
                .into_owned(),
        );
        #[cfg(not(unix))]
        self.var("COMPUTERNAME")
    }

    /// Every variable, as it was found.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &(OsString, OsString)> {
        self.variables.iter()
    }

    /// Whether a variable holds one of the words that switch something off, in any case.
    pub(crate) fn is_off(&self, name: &str) -> bool {
        const OFF: [&str; 4] = ["off", "0", "false", "no"];
        let value = self.var(name).unwrap_or_default();
        OFF.iter().any(|word| value.eq_ignore_ascii_case(word))
    }

    /// A variable's value; None where it is unset or empty.
    pub(crate) fn os_var(&self, name: &str) -> Option<&OsStr> {
        let (_, value) = self.variables.iter().find(|(other, _)| other == name)?;
        Some(value.as_os_str()).filter(|value| !value.is_empty())
    }

    /// Like [`Env::os_var`], with what is not Unicode replaced by U+FFFD, which no valid value holds.
    pub(crate) fn var(&self, name: &str) -> Option<String> {
        self.os_var(name)
            .map(|value| value.to_string_lossy().into_owned())
    }
}

/// A point in time after which work in hand is given up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    pub(crate) fn after(duration: Duration) -> Self {
        Self(Instant::now() + duration)
    }

    /// The later of this point in time and the one that is so far from now.
    pub(crate) fn or_after(self, duration: Duration) -> Self {
        Self(self.0.max(Instant::now() + duration))
    }

    pub(crate) fn has_passed(self) -> bool {
        Instant::now() >= self.0
    }

    /// Time left; zero once it has passed.
    pub(crate) fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

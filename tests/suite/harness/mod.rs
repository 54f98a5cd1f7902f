//! The real binary in a real temporary project, with a cleared environment and a pinned clock.

pub(crate) mod files;
pub(crate) mod git;
pub(crate) mod golden;
pub(crate) mod mcp;
pub(crate) mod output;
#[cfg(unix)]
pub(crate) mod picture;
#[cfg(unix)]
pub(crate) mod pty;
pub(crate) mod transcripts;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

pub(crate) use output::Output;

/// The time that every command sees unless a test says otherwise.
pub(crate) const NOW: &str = "2026-10-08T02:23:55Z";

/// A folder named `my-app` with a home beside it; gone when dropped.
pub(crate) struct Project {
    base: TempDir,
}

impl Project {
    /// A folder without git.
    pub(crate) fn bare_folder() -> Self {
        let base = tempfile::tempdir().unwrap();
        let project = Self { base };
        fs::create_dir(project.root()).unwrap();
        fs::create_dir(project.home()).unwrap();
        project
    }

    /// A repository without a commit.
    pub(crate) fn unborn() -> Self {
        let project = Self::bare_folder();
        project.git(["init", "-q", "-b", "main"]);
        project
    }

    /// A repository with one commit: `.gitignore`, `src/main.rs` and `README`.
    pub(crate) fn repository() -> Self {
        let project = Self::unborn();
        project.write(".gitignore", ".claude-checkpoint*\n");
        project.write("src/main.rs", "fn main() {}\n");
        project.write("README", "hello\n");
        project.commit("first");
        project
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.base.path().canonicalize().unwrap().join("my-app")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.base.path().join("home")
    }

    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root().join(relative)
    }

    pub(crate) fn write(&self, relative: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, relative: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(relative)).unwrap()
    }

    pub(crate) fn remove(&self, relative: impl AsRef<Path>) {
        fs::remove_file(self.path(relative)).unwrap();
    }

    /// The checkpoint file of a session.
    pub(crate) fn checkpoint(&self, session: &str) -> PathBuf {
        self.path(".claude-checkpoints")
            .join(format!("{session}.json"))
    }

    /// The checkpoint of a session as it stands in its file.
    pub(crate) fn saved(&self, session: &str) -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(self.checkpoint(session)).unwrap()).unwrap()
    }

    /// A command that is ready to run in the project's root.
    pub(crate) fn command<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
    ) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_ckpt"));
        command.args(arguments);
        command
    }

    /// Another program in the project's root, with nothing of the surroundings but the search path.
    pub(crate) fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("CKPT_NOW", NOW)
            .stdin(Stdio::null());
        surroundings(&mut command, &self.home());
        command
    }

    pub(crate) fn ckpt<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        Output::of(&mut self.command(arguments))
    }

    /// Runs with variables beside those that [`Project::command`] sets.
    pub(crate) fn ckpt_with<S: AsRef<OsStr>>(
        &self,
        variables: &[(&str, &str)],
        arguments: impl IntoIterator<Item = S>,
    ) -> Output {
        Output::of(self.command(arguments).envs(variables.iter().copied()))
    }

    /// Saves through `--input`, as an agent would, and fails where that fails.
    pub(crate) fn save(&self, session: &str, arguments: serde_json::Value) -> Output {
        self.try_save(session, &arguments).succeeds()
    }

    pub(crate) fn try_save(&self, session: &str, arguments: &serde_json::Value) -> Output {
        let mut command = self.command(["save", "--json", "--input", "-", "--session", session]);
        Output::with_input(&mut command, arguments.to_string().as_bytes())
    }

    /// Loads a session's own checkpoint as JSON.
    pub(crate) fn load(&self, session: &str) -> serde_json::Value {
        self.ckpt(["load", "--json", "--session", session])
            .succeeds()
            .json()
    }

    /// The paths that a load of the session's own checkpoint flags.
    pub(crate) fn changed_since(&self, session: &str) -> Vec<String> {
        let changed = &self.load(session)["drift"]["changedSince"];
        serde_json::from_value(changed.clone()).unwrap()
    }
}

/// What every program needs to know of a system, and where the home is, as each system says it.
pub(crate) fn surroundings(command: &mut Command, home: &Path) {
    command.env("HOME", home);
    if cfg!(windows) {
        command.env("USERPROFILE", home);
        for name in ["SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
    }
}

/// Whether a program is on the path.
#[cfg(unix)]
pub(crate) fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Says why a test has nothing to do here, past the runner, which shows nothing of a test that passes.
#[cfg(unix)]
pub(crate) fn skipped(why: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
}

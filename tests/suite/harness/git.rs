//! The git command, with everything that could differ between machines pinned.

use std::ffi::OsStr;
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
use std::process::Command;

use super::Project;

impl Project {
    /// Runs git in the project's root; its standard output without the last newline.
    pub(crate) fn git<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        self.git_at(&self.root(), arguments)
    }

    pub(crate) fn git_at<S: AsRef<OsStr>>(
        &self,
        folder: &Path,
        arguments: impl IntoIterator<Item = S>,
    ) -> String {
        let mut command = Command::new("git");
        command
            .args([
                "-c",
                "protocol.file.allow=always",
                "-c",
                "commit.gpgSign=false",
            ])
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("GIT_CONFIG_NOSYSTEM", "1");
        super::surroundings(&mut command, &self.home());
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "A U Thor");
            command.env(format!("GIT_{role}_EMAIL"), "author@example.com");
            command.env(format!("GIT_{role}_DATE"), "2026-10-01T12:00:00Z");
        }
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }

    /// Commits everything that is there.
    pub(crate) fn commit(&self, message: &str) {
        self.git(["add", "-A"]);
        self.git(["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Commits a submodule with one file, and all else; gives its folder.
    #[cfg(unix)]
    pub(crate) fn commit_submodule(&self, name: &str) -> PathBuf {
        let folder = self.path(name);
        self.write(folder.join("file"), "1\n");
        self.git_at(&folder, ["init", "-q"]);
        self.git_at(&folder, ["add", "."]);
        self.git_at(&folder, ["commit", "-q", "-m", "first"]);
        self.commit("second");
        folder
    }

    pub(crate) fn head(&self) -> String {
        self.git(["rev-parse", "HEAD"])
    }
}

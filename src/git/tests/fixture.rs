//! A repository in a temporary folder, and what the git command says of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use tempfile::TempDir;

use crate::checkpoint::path;
use crate::env::{Deadline, Env};
use crate::files::Worktree;
use crate::git::{self, Change, Changes, Head, Opened, Opening, Repository};

pub(super) struct Fixture {
    _folder: TempDir,
    /// The working tree, canonical.
    pub(super) root: PathBuf,
}

impl Fixture {
    /// An empty folder, no repository.
    pub(super) fn plain() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        fs::create_dir(&root).unwrap();
        Self {
            _folder: folder,
            root,
        }
    }

    pub(super) fn new() -> Self {
        Self::with(&[])
    }

    pub(super) fn with(init: &[&str]) -> Self {
        let fixture = Self::plain();
        fixture.git(&[&["init", "-q", "-b", "main"], init].concat());
        // What the person who runs the tests has configured must not show.
        for (name, value) in [
            ("core.excludesFile", ".git/none"),
            ("core.attributesFile", ".git/none"),
            ("core.autocrlf", "false"),
            ("protocol.file.allow", "always"),
        ] {
            fixture.git(&["config", name, value]);
        }
        fixture
    }

    /// A repository with these files committed.
    pub(super) fn committed(files: &[(&str, &str)]) -> Self {
        let fixture = Self::new();
        for (path, content) in files {
            fixture.write(path, content);
        }
        fixture.commit();
        fixture
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(super) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Writes a program, by another process: this one may be starting another at the same moment, which would have the
    /// program open for writing, and so long it cannot be run.
    #[cfg(unix)]
    pub(super) fn write_program(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"printf %s "$1" > "$0" && chmod 700 "$0""#]);
        assert!(shell.arg(path).arg(text).status().unwrap().success());
    }

    pub(super) fn remove(&self, path: &str) {
        let path = self.at(path);
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path).unwrap(),
            Ok(_) => fs::remove_file(path).unwrap(),
            Err(_) => {}
        }
    }

    /// Commits everything; gives the commit's id.
    pub(super) fn commit(&self) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "commit"]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// The output of a git command that must succeed, without its last newline.
    pub(super) fn git(&self, args: &[&str]) -> String {
        let output = self.try_git(args);
        assert!(
            output.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = String::from_utf8(output.stdout).unwrap();
        text.strip_suffix('\n').unwrap_or(&text).to_owned()
    }

    pub(super) fn try_git(&self, args: &[&str]) -> Output {
        command(&self.root).args(args).output().unwrap()
    }

    pub(super) fn repository(&self) -> Repository {
        repository(&self.root)
    }

    pub(super) fn head(&self) -> Option<Head> {
        self.repository().head().cloned()
    }

    pub(super) fn changes(&self) -> Vec<(String, String)> {
        changes(&self.root)
    }

    pub(super) fn changes_since(&self, commit: &str) -> Vec<(String, String)> {
        let base = git::Base::Commit(commit);
        read(self.repository().changes_since(base).unwrap())
    }
}

fn start(root: &Path) -> (Worktree, Opening) {
    git::start(root, &Env::from_process(), patient(), None).unwrap()
}

/// The files at a root, with git to ask.
pub(super) fn worktree(root: &Path) -> Worktree {
    start(root).0
}

pub(super) fn open(root: &Path) -> Opened {
    start(root).1.finish()
}

/// A deadline that no test reaches.
pub(super) fn patient() -> Deadline {
    Deadline::after(Duration::from_secs(600))
}

pub(super) fn repository(root: &Path) -> Repository {
    match open(root) {
        Opened::Repository(repository) => *repository,
        Opened::Absent => panic!("no repository at {}", root.display()),
        Opened::Unreadable(why) => panic!("unreadable: {why}"),
    }
}

pub(super) fn changes(root: &Path) -> Vec<(String, String)> {
    read(repository(root).changes().unwrap())
}

/// The changes of a repository of which nothing was left out.
#[track_caller]
pub(super) fn read(changes: Changes) -> Vec<(String, String)> {
    assert_eq!(changes.unread, []);
    pairs(changes.list)
}

pub(super) fn pairs(changes: Vec<Change>) -> Vec<(String, String)> {
    changes
        .into_iter()
        .map(|change| (change.path, change.status.as_str().to_owned()))
        .collect()
}

/// Expected changes, written as `"M a.txt"`.
#[track_caller]
pub(super) fn assert_changes(found: &[(String, String)], expected: &[&str]) {
    let found: Vec<String> = found
        .iter()
        .map(|(path, code)| format!("{code} {path}"))
        .collect();
    assert_eq!(found, expected);
}

/// Whether git and the two lists of changes agree in what is expected where nothing is committed since.
#[track_caller]
pub(super) fn assert_like_git(fixture: &Fixture, expected: &[&str]) {
    assert_changes(&status(&fixture.root, ""), expected);
    assert_changes(&fixture.changes(), expected);
    let head = fixture.git(&["rev-parse", "HEAD"]);
    assert_changes(&fixture.changes_since(&head), expected);
}

/// git with nothing of the surroundings but the search path.
pub(super) fn command(directory: &Path) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", directory)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
        .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z");
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "Somebody");
        command.env(format!("GIT_{role}_EMAIL"), "somebody@example.org");
    }
    command
}

/// `git status` under a folder as one code per path, paths relative to that folder.
pub(super) fn status(root: &Path, prefix: &str) -> Vec<(String, String)> {
    status_with(root, prefix, "--find-renames")
}

pub(super) fn status_with(root: &Path, prefix: &str, renames: &str) -> Vec<(String, String)> {
    let output = command(root)
        .args([
            "status",
            "--porcelain=v1",
            "-z",
            "-uall",
            renames,
            "--",
            ".",
        ])
        .output()
        .unwrap();
    assert!(output.status.success());
    let mut codes: BTreeMap<Vec<u8>, String> = BTreeMap::new();
    let mut fields = output
        .stdout
        .split(|&byte| byte == 0)
        .filter(|field| !field.is_empty());
    while let Some(field) = fields.next() {
        let (code, path) = (std::str::from_utf8(&field[..2]).unwrap(), &field[3..]);
        if code.contains('R') {
            let from = fields.next().unwrap();
            codes.entry(from.to_vec()).or_insert("D".to_owned());
        }
        let code = match code {
            "??" => "??",
            "DD" | "AU" | "UD" | "UA" | "DU" | "AA" | "UU" => "U",
            code if code.contains('D') => "D",
            code if code.contains('A') => "A",
            code if code.contains('R') => "R",
            _ => "M",
        };
        let known = codes.entry(path.to_vec()).or_insert(code.to_owned());
        if code == "??" {
            *known = code.to_owned();
        }
    }
    let mut codes: Vec<(String, String)> = codes
        .into_iter()
        .map(|(path, code)| {
            let path = path.strip_prefix(prefix.as_bytes()).unwrap();
            (path::encode(path.strip_suffix(b"/").unwrap_or(path)), code)
        })
        .collect();
    codes.sort();
    codes
}

#[cfg(unix)]
pub(super) fn fifo(fixture: &Fixture, path: &str) {
    let status = std::process::Command::new("mkfifo")
        .arg(fixture.at(path))
        .status()
        .unwrap();
    assert!(status.success());
}

//! Projects to measure in.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::measure::{Bench, command};

pub(crate) struct Project {
    folder: TempDir,
    /// The working tree of a repository, inside the folder.
    pub(crate) root: PathBuf,
    files: usize,
}

impl Project {
    /// So many small files, twenty in a folder, committed, packed and older than their index.
    pub(crate) fn new(files: usize) -> Self {
        Self::of_form(files, &[])
    }

    /// The same with further options for `git init`.
    pub(crate) fn of_form(files: usize, options: &[&str]) -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap().join("project");
        fs::create_dir(&root).unwrap();
        let project = Self {
            folder,
            root,
            files,
        };
        for number in 0..files {
            project.write(&tracked(number), &"x".repeat(number % 300));
        }
        let rules = "target/\n*.log\n.claude-checkpoint*\nnode_modules\n/dist\n!keep.log\n";
        project.write(".gitignore", rules);
        project.git(&[&["init", "-q", "-b", "main"], options].concat());
        for args in [
            &["add", "-A"][..],
            &[
                "-c",
                "user.name=a",
                "-c",
                "user.email=a",
                "commit",
                "-q",
                "-m",
                "first",
            ],
            &["gc", "-q"],
        ] {
            project.git(args);
        }
        // Stat data as old as they would be in daily work, so that no content has to be compared: most builds of git
        // look at the seconds alone.
        std::thread::sleep(Duration::from_millis(1_100));
        fs::remove_file(project.root.join(".git/index")).unwrap();
        project.git(&["read-tree", "HEAD"]);
        project.git(&["update-index", "-q", "--refresh"]);
        project
    }

    /// Where files beside the working tree go.
    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Edits so many files all over the project; gives their paths, one a line.
    pub(crate) fn change(&self, count: usize) -> String {
        let step = self.files.checked_div(count).unwrap_or(1).max(1);
        let paths: Vec<String> = (0..count.min(self.files))
            .map(|at| tracked(at * step))
            .collect();
        for path in &paths {
            self.write(path, &"edited\n".repeat(60));
        }
        paths
            .into_iter()
            .fold(String::new(), |all, path| all + &path + "\n")
    }

    pub(crate) fn add_untracked(&self, count: usize) {
        for number in 0..count {
            let path = format!(
                "new{}/part{}/file{number}.txt",
                number / 1000,
                number / 100 % 10
            );
            self.write(&path, "new\n");
        }
    }

    /// So many checkpoints, all the same but for the session.
    pub(crate) fn checkpoints(&self, count: usize) {
        let folder = self.root.join(".claude-checkpoints");
        fs::create_dir_all(&folder).unwrap();
        let own = fs::read_to_string(self.root.join(".claude-checkpoint"));
        let content = own.unwrap_or_else(|_| "{}".to_owned());
        for number in 0..count {
            let name = format!("2d1f7c04-52bf-425f-b989-{number:012}.json");
            fs::write(folder.join(name), &content).unwrap();
        }
    }

    pub(crate) fn save(&self, bench: &Bench) {
        let args = ["save", "--goal", "a goal", "--task", "a task"];
        command(&bench.ckpt, &self.root, &args, None)();
    }

    /// So many empty commits, one after the other and after those that are there.
    pub(crate) fn commits(&self, count: usize) {
        let last = self.git(&["log", "-1", "--format=%ct"]);
        let last: usize = last.parse().unwrap();
        let mut stream = String::new();
        for number in 0..count {
            let from = if number == 0 {
                "from refs/heads/main^0\n"
            } else {
                ""
            };
            writeln!(
                stream,
                "commit refs/heads/main\ncommitter a <a> {} +0000\ndata 0\n{from}",
                last + 1 + number
            )
            .unwrap();
        }
        let input = self.folder().join("stream");
        fs::write(&input, stream).unwrap();
        let mut import = Command::new("git");
        import
            .args(["fast-import", "--quiet", "--force"])
            .current_dir(&self.root);
        import.stdin(fs::File::open(input).unwrap());
        assert!(import.status().unwrap().success());
    }

    /// The output of a git command that must succeed, without its last newline.
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let mut git = Command::new("git");
        git.args(args).current_dir(&self.root).stdin(Stdio::null());
        let output = git.output().unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8_lossy(&output.stdout)
            .trim_end()
            .to_owned()
    }

    fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).unwrap();
        fs::write(path, content).unwrap();
    }
}

fn tracked(number: usize) -> String {
    format!(
        "src{}/module{}/file{number}.rs",
        number / 2000,
        number / 20 % 100
    )
}

//! The git command, run so that nothing but git itself runs, and that it changes nothing.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use anyhow::{Context, bail};

use super::TimedOut;
use crate::env::{Deadline, Env};

/// Bytes of output that are read; 100,000 paths take about a tenth of it.
const OUTPUT: u64 = 128 * 1024 * 1024;
/// Bytes of error output that are kept.
const ERRORS: u64 = 4096;

/// Variables that git needs to find the person's own configuration and to start at all.
const PASSED: &[&str] = &[
    "HOME",
    "XDG_CONFIG_HOME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "PROGRAMDATA",
    "SYSTEMROOT",
    "TMPDIR",
    "TEMP",
    "TMP",
];

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
/// Filter drivers are added by [`Git::new`].
const OFF: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "submodule.recurse=false",
];

/// What starting git takes from the surroundings.
#[derive(Debug, Clone, Default)]
pub(super) struct Surroundings {
    /// The folders of the search path that are trusted.
    folders: Vec<PathBuf>,
    variables: Vec<(&'static str, OsString)>,
}

impl Surroundings {
    /// For a project and every repository in it: none of them is to choose what is run for another.
    pub(super) fn new(env: &Env, project: &Path) -> Self {
        let variable = |name: &&'static str| Some((*name, env.os_var(name)?.to_owned()));
        Self {
            folders: trusted(env.os_var("PATH").unwrap_or_default(), project),
            variables: PASSED.iter().filter_map(variable).collect(),
        }
    }

    /// Where git looks for ignore rules of the person's own (gitignore(5)).
    pub(super) fn excludes(&self) -> Vec<PathBuf> {
        let variable = |wanted: &str| {
            let (_, value) = self.variables.iter().find(|(name, _)| *name == wanted)?;
            Some(PathBuf::from(value))
        };
        let home = variable("HOME").map(|home| home.join(".config"));
        let folders = [variable("XDG_CONFIG_HOME"), home];
        let folders = folders.into_iter().flatten();
        folders.map(|folder| folder.join("git/ignore")).collect()
    }

    pub(super) fn program(&self) -> Option<PathBuf> {
        program(&self.folders)
    }

    #[cfg(test)]
    pub(super) fn of_path(folder: &Path) -> Self {
        Self {
            folders: vec![folder.to_owned()],
            variables: Vec::new(),
        }
    }
}

/// A git command to ask about the repository around one folder.
#[derive(Debug)]
pub(super) struct Git {
    program: PathBuf,
    path: OsString,
    variables: Vec<(&'static str, OsString)>,
    settings: Vec<String>,
    folder: PathBuf,
    deadline: Deadline,
}

/// How a command ended.
pub(super) struct Answer {
    pub(super) status: Option<i32>,
    pub(super) output: Vec<u8>,
    errors: String,
}

impl Git {
    pub(super) fn new(
        folder: &Path,
        surroundings: &Surroundings,
        deadline: Deadline,
    ) -> anyhow::Result<Self> {
        let Some(program) = program(&surroundings.folders) else {
            bail!("there is no git command on the search path");
        };
        let mut git = Self {
            program,
            path: std::env::join_paths(&surroundings.folders)?,
            variables: surroundings.variables.clone(),
            settings: OFF.iter().map(ToString::to_string).collect(),
            folder: folder.to_owned(),
            deadline,
        };
        for driver in drivers(&git.output(&["config", "--list", "--name-only", "-z"])?) {
            if driver.contains(['=', char::REPLACEMENT_CHARACTER]) {
                bail!("the filter `{driver}` cannot be switched off");
            }
            for setting in ["clean=", "smudge=", "process=", "required=false"] {
                git.settings.push(format!("filter.{driver}.{setting}"));
            }
        }
        Ok(git)
    }

    pub(super) fn change_folder(&mut self, folder: &Path) {
        folder.clone_into(&mut self.folder);
    }

    /// The output of a command that must succeed.
    pub(super) fn output<S: AsRef<OsStr>>(&self, args: &[S]) -> anyhow::Result<Vec<u8>> {
        self.output_of(args, Vec::new())
    }

    /// The same for a command that reads `input`.
    pub(super) fn output_of<S: AsRef<OsStr>>(
        &self,
        args: &[S],
        input: Vec<u8>,
    ) -> anyhow::Result<Vec<u8>> {
        let answer = self.run(args, input)?;
        if answer.status == Some(0) {
            return Ok(answer.output);
        }
        let line = answer.errors.lines().next().unwrap_or("git failed");
        let why = line.strip_prefix("fatal: ").unwrap_or(line);
        bail!("git: {}", why.trim_end_matches('.'));
    }

    pub(super) fn run<S: AsRef<OsStr>>(
        &self,
        args: &[S],
        input: Vec<u8>,
    ) -> anyhow::Result<Answer> {
        let mut command = Command::new(&self.program);
        command
            .current_dir(&self.folder)
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .envs(SET.iter().copied())
            .env("PATH", &self.path)
            .args(["--no-pager", "--no-optional-locks"]);
        for setting in &self.settings {
            command.args(["-c", setting]);
        }
        let mut child = command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not run `{}`", self.program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A command that ends before it has read everything says itself what was wrong.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        let output = child.stdout.take().map(|stdout| collect(stdout, OUTPUT));
        let errors = child.stderr.take().map(|stderr| collect(stderr, ERRORS));
        let wait = |bytes: Option<Receiver<Vec<u8>>>| {
            let bytes = bytes.and_then(|bytes| bytes.recv_timeout(self.deadline.remaining()).ok());
            bytes.ok_or_else(|| anyhow::Error::new(TimedOut))
        };
        let read = wait(output).and_then(|output| {
            if output.len() as u64 > OUTPUT {
                bail!("git: more output than can be read");
            }
            Ok((output, wait(errors)?))
        });
        if read.is_err() {
            child.kill()?;
        }
        let status = child.wait()?;
        let (output, errors) = read?;
        Ok(Answer {
            status: status.code(),
            output,
            errors: String::from_utf8_lossy(&errors).into_owned(),
        })
    }
}

/// Reads up to one byte over `limit` in a thread of its own, and drops the rest.
fn collect(mut stream: impl Read + Send + 'static, limit: u64) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What could be read before an error is all there is.
        let _ = stream.by_ref().take(limit + 1).read_to_end(&mut bytes);
        let _ = sender.send(bytes);
        let _ = io::copy(&mut stream, &mut io::sink());
    });
    receiver
}

/// The folders of a search path that the project cannot have put programs into.
fn trusted(path: &OsStr, project: &Path) -> Vec<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute() && !folder.starts_with(project))
        .collect()
}

fn program(folders: &[PathBuf]) -> Option<PathBuf> {
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    folders
        .iter()
        .map(|folder| folder.join(&name))
        .find(|program| program.is_file())
}

/// The filter drivers among configuration names that NUL ends, with U+FFFD for what is not UTF-8.
fn drivers(names: &[u8]) -> BTreeSet<String> {
    names
        .split(|&byte| byte == 0)
        .filter_map(|name| {
            let name = String::from_utf8_lossy(name);
            let (driver, _) = name.strip_prefix("filter.")?.rsplit_once('.')?;
            Some(driver.to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_are_named_by_any_of_their_settings() {
        let names =
            b"core.bare\0filter.lfs.clean\0filter.lfs.process\0filter.a.b.required\0filter.x\0";
        let expected = ["a.b".to_owned(), "lfs".to_owned()];
        assert_eq!(drivers(names), BTreeSet::from(expected));
    }

    #[test]
    fn programs_of_the_project_are_never_run() {
        let path = std::env::join_paths(["", ".", "bin", "/project/bin", "/usr/bin"]).unwrap();
        assert_eq!(
            trusted(&path, Path::new("/project")),
            [Path::new("/usr/bin")]
        );
    }
}

//! A process that reads a repository: git, run so that nothing but git itself runs and nothing is changed, or, without
//! git, this program in its place (see [`super::substitute`]).

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::Surroundings;
use super::{Error, Result};
use crate::env::Deadline;
use crate::process::{self, Answer, Group, Limits};

/// Bytes of output that are read; 100,000 paths take about a tenth of it.
const OUTPUT: u64 = 128 * 1024 * 1024;

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
    // Bytes of a single thing that git keeps in memory, which it knows by the header before it reads it: a few bytes of a
    // clone can stand for a tree of a gigabyte. The index of three million files needs less; files are mapped.
    ("GIT_ALLOC_LIMIT", "512m"),
];

/// git-config(1): every setting by which a repository could have git run something when it is read.
/// Filter drivers are added by [`Git::switch_off`].
const OFF: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "credential.helper=",
    "diff.external=",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
];

/// What is run to ask about the repository around one folder.
#[derive(Debug, Clone)]
pub(super) struct Git {
    program: PathBuf,
    /// What names the folder on its command line. Were it its working directory, the standard library would copy this
    /// process to start it where the C library is linked in, which takes longer than git does.
    at: &'static str,
    /// The arguments between those and a question's.
    lead: Vec<OsString>,
    path: OsString,
    variables: Vec<(String, OsString)>,
    folder: PathBuf,
    deadline: Deadline,
}

/// A command that runs while other work is done.
#[derive(Debug)]
pub(super) struct Running(process::Running);

impl Git {
    /// None where there is no git command.
    pub(super) fn new(
        folder: &Path,
        surroundings: &Surroundings,
        deadline: Deadline,
    ) -> Option<Self> {
        let lead = ["--no-pager", "--no-optional-locks"].map(OsString::from);
        let settings = OFF.iter().flat_map(|setting| ["-c", setting]);
        Some(Self {
            program: surroundings.program.clone()?,
            at: "-C",
            lead: lead
                .into_iter()
                .chain(settings.map(OsString::from))
                .collect(),
            path: surroundings.path.clone(),
            variables: surroundings.variables.clone(),
            folder: folder.to_owned(),
            deadline,
        })
    }

    /// This program, which answers in the place of git; it has nothing of the surroundings but the person's files.
    pub(super) fn substitute(
        folder: &Path,
        surroundings: &Surroundings,
        deadline: Deadline,
    ) -> Result<Self> {
        let program = match cfg!(target_os = "linux") {
            // It may have been replaced meanwhile.
            true => PathBuf::from("/proc/self/exe"),
            false => std::env::current_exe()?,
        };
        Ok(Self {
            program,
            at: super::SUBSTITUTE,
            lead: Vec::new(),
            path: OsString::new(),
            variables: surroundings.variables.clone(),
            folder: folder.to_owned(),
            deadline,
        })
    }

    /// Has git convert no file by these filter drivers (gitattributes(5)).
    pub(super) fn switch_off<'a>(
        &mut self,
        drivers: impl IntoIterator<Item = &'a String>,
    ) -> Result<()> {
        for driver in drivers {
            if driver.contains(['=', char::REPLACEMENT_CHARACTER]) {
                let why = format!("the filter `{driver}` cannot be switched off");
                return Err(Error::Unsupported(why));
            }
            for setting in ["clean=", "smudge=", "process=", "required=false"] {
                let setting = format!("filter.{driver}.{setting}");
                self.lead.extend(["-c".into(), setting.into()]);
            }
        }
        Ok(())
    }

    /// Keeps git from looking for a repository above its folder.
    pub(super) fn stay(&mut self) {
        if let Some(parent) = self.folder.parent() {
            let variable = ("GIT_CEILING_DIRECTORIES".to_owned(), parent.into());
            self.variables.retain(|(name, _)| *name != variable.0);
            self.variables.push(variable);
        }
    }

    /// The same in another folder.
    pub(super) fn within(&self, folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            ..self.clone()
        }
    }

    /// The same with another deadline.
    pub(super) fn until(&self, deadline: Deadline) -> Self {
        Self {
            deadline,
            ..self.clone()
        }
    }

    /// The output of a command that must succeed.
    pub(super) fn output<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Vec<u8>> {
        self.start(args)?.output()
    }

    /// The same for a command that reads `input`.
    pub(super) fn output_of<S: AsRef<OsStr>>(&self, args: &[S], input: Vec<u8>) -> Result<Vec<u8>> {
        self.spawn(args, Some(input))?.output()
    }

    pub(super) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Answer> {
        self.start(args)?.answer()
    }

    pub(super) fn start<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Running> {
        self.spawn(args, None)
    }

    fn spawn<S: AsRef<OsStr>>(&self, args: &[S], input: Option<Vec<u8>>) -> Result<Running> {
        let mut command = Command::new(&self.program);
        command
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .envs(SET.iter().copied())
            .env("PATH", &self.path)
            .arg(self.at)
            .arg(&self.folder)
            .args(&self.lead)
            .args(args);
        let limits = Limits {
            output: OUTPUT,
            deadline: self.deadline,
            group: Group::Own,
        };
        Ok(Running(process::start(command, input, limits)?))
    }
}

impl Running {
    pub(super) fn answer(self) -> Result<Answer> {
        let answer = self.0.answer()?;
        match answer.is_cut {
            true => Err(Error::Failed(
                "git: it printed more than can be read".to_owned(),
            )),
            false => Ok(answer),
        }
    }

    /// The output of a command that must succeed.
    pub(super) fn output(self) -> Result<Vec<u8>> {
        let answer = self.answer()?;
        match answer.status {
            Some(0) => Ok(answer.output),
            _ => Err(answer.failure()),
        }
    }
}

impl From<process::Error> for Error {
    fn from(error: process::Error) -> Self {
        match error {
            process::Error::TimedOut => Self::TimedOut,
            process::Error::Failed(why) => Self::Failed(why),
        }
    }
}

impl Answer {
    /// Why a command of git's failed.
    pub(crate) fn failure(&self) -> Error {
        let lines = self.errors.lines();
        // Warnings may come before what ended it.
        let fatal = lines.clone().find(|line| line.starts_with("fatal: "));
        let line = fatal.or(lines.clone().next());
        let mut why = match (line, self.status) {
            (Some(line), _) => line.strip_prefix("fatal: ").unwrap_or(line).to_owned(),
            (None, Some(_)) => "it failed without saying why".to_owned(),
            (None, None) => "it crashed".to_owned(),
        };
        if why.ends_with(':') {
            let details = lines.filter_map(|line| line.strip_prefix('\t'));
            why.push_str(&format!(" {}", details.collect::<Vec<_>>().join(", ")));
        }
        Error::Failed(format!("git: {}", why.trim_end_matches('.')))
    }
}

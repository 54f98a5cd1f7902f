//! The person's editor.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, bail};

use super::signals::INTERRUPT;
use crate::env::Env;
use crate::error::failure;

const DEFAULT: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// A command that edits the file named by its last argument and ends when the person is done.
#[derive(Debug)]
pub(super) struct Editor {
    program: String,
    arguments: Vec<String>,
}

impl Editor {
    /// `VISUAL`, which needs a terminal that can do more than print, then `EDITOR`, then the system's own,
    /// which needs one too: git's rule (git-var(1)). A value may hold arguments, split and quoted as in a
    /// shell, but no shell sees it.
    pub(super) fn find(env: &Env, is_terminal: bool) -> anyhow::Result<Self> {
        let is_dumb = env.var("TERM").as_deref() == Some("dumb");
        let visual = env.var("VISUAL").filter(|_| !is_dumb);
        match (visual.map(|value| ("VISUAL", value)))
            .or_else(|| env.var("EDITOR").map(|value| ("EDITOR", value)))
        {
            Some((variable, value)) => Self::parse(&value)
                .with_context(|| format!("the variable {variable}, `{value}`, cannot be used")),
            None if is_terminal && !is_dumb => Self::parse(DEFAULT),
            None => Err(failure(
                "there is no editor to use",
                "set the variable EDITOR to one, such as EDITOR='code --wait'",
            )),
        }
    }

    fn parse(value: &str) -> anyhow::Result<Self> {
        // A backslash escapes in a shell; in a path on Windows it separates, and a slash does as well.
        let value = if cfg!(windows) {
            value.replace('\\', "/")
        } else {
            value.to_owned()
        };
        let mut words = shell_words::split(&value)?.into_iter();
        match words.next() {
            Some(program) => Ok(Self {
                program,
                arguments: words.collect(),
            }),
            None => bail!("it names no program"),
        }
    }

    /// Waits until the editor ends; an error where it cannot be started or ends as failed.
    pub(super) fn edit(&self, file: &Path) -> anyhow::Result<()> {
        // Ctrl-C is the editor's while it runs. It is not inherited: a handler, unlike ignoring, ends with exec.
        let _held = INTERRUPT.hold().context("could not wait for the editor")?;
        let Self { program, arguments } = self;
        let status = Command::new(program)
            .args(arguments)
            .arg(file)
            .status()
            .map_err(|why| {
                failure(
                    format!("could not start the editor `{program}`: {why}"),
                    "set the variable VISUAL or EDITOR to one that is installed",
                )
            })?;
        if !status.success() {
            bail!("the editor `{program}` failed: {status}");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_is_split_as_a_shell_would() {
        for (value, expected) in [
            ("vi", &["vi"][..]),
            ("code --wait", &["code", "--wait"]),
            (
                "  '/opt/my editor' -a \"b c\" ",
                &["/opt/my editor", "-a", "b c"],
            ),
            ("a ; $(b) | c", &["a", ";", "$(b)", "|", "c"]),
        ] {
            let Editor { program, arguments } = Editor::parse(value).unwrap();
            let words: Vec<&str> = [&program]
                .into_iter()
                .chain(&arguments)
                .map(String::as_str)
                .collect();
            assert_eq!(words, expected);
        }
        for unusable in ["", "  ", "'open"] {
            assert!(Editor::parse(unusable).is_err(), "{unusable}");
        }
    }
}

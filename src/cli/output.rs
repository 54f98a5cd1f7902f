//! Standard output for data, standard error for what is said about it.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};

use anyhow::Context as _;
use dialoguer::console::Term;
use owo_colors::Style;
use serde::Serialize;
use serde_json::Value;

use super::look::{self, Look, When, printable, printable_in_color};
use super::width;
use crate::checkpoint::text::one_line;
use crate::commands::{Context, structured};
use crate::env::Env;
use crate::error::Report;

/// Characters of one message; an error may quote a file that is one long line.
const MESSAGE: usize = 10_000;

/// The two streams of a command. Whatever goes through them is safe for a terminal.
#[derive(Debug)]
pub(super) struct Output {
    /// How standard output and standard error look.
    pub(super) out: Look,
    pub(super) err: Look,
    /// Whether a person is there to be asked: they see standard error and type into standard input.
    pub(super) asks: bool,
}

impl Output {
    pub(super) fn new(when: When, env: &Env) -> Self {
        Self {
            out: Look::new(when, env, columns(&Term::stdout())),
            err: Look::new(when, env, columns(&Term::stderr())),
            asks: io::stdin().is_terminal() && io::stderr().is_terminal() && !look::is_dumb(env),
        }
    }

    /// Writes text to standard output.
    pub(super) fn data(&self, text: &str) -> anyhow::Result<()> {
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        write(&(printable(text) + newline))
    }

    /// Writes text to standard output byte for byte, unless a terminal would act on it.
    pub(super) fn exact(&self, text: &str) -> anyhow::Result<()> {
        if self.out.width.is_some() {
            return write(&printable(text));
        }
        write(text)
    }

    /// Writes text that [`Look::paint`] coloured to standard output.
    pub(super) fn painted(&self, text: &str) -> anyhow::Result<()> {
        write(&printable_in_color(text))
    }

    /// Writes an outcome to standard output as JSON.
    pub(super) fn json(&self, outcome: &impl Serialize) -> anyhow::Result<()> {
        self.value(&structured(outcome)?)
    }

    /// Writes what [`structured`] made, or a part of it, to standard output as JSON.
    pub(super) fn value(&self, value: &Value) -> anyhow::Result<()> {
        self.data(&serde_json::to_string_pretty(value)?)
    }

    pub(super) fn warnings(&self, warnings: &[String]) {
        for warning in warnings {
            self.say("warning", look::NOTICE, &one_line(warning));
        }
    }

    pub(super) fn hint(&self, text: &str) {
        self.say("hint", look::NAME, text);
    }

    /// Says which folder's checkpoints are meant, where the working directory has none.
    pub(super) fn root_above(&self, context: &Context) {
        if let Some(root) = context.root_above() {
            self.note(&format!("Using the checkpoints of `{}`.", root.display()));
        }
    }

    /// Text on standard error, as it is.
    pub(super) fn note(&self, text: &str) {
        self.to_stderr(printable(text.trim_end()));
    }

    /// Text that [`Look::paint`] coloured on standard error.
    pub(super) fn painted_note(&self, text: &str) {
        self.to_stderr(printable_in_color(text.trim_end()));
    }

    pub(super) fn error(&self, error: &anyhow::Error) {
        let Report { message, hint } = Report::from(error);
        self.say("error", Style::new().red().bold(), &message);
        if let Some(hint) = hint {
            self.hint(&hint);
        }
    }

    fn say(&self, label: &str, style: Style, text: &str) {
        let label = self.err.paint(label, style);
        let text = printable(&width::cut(text, MESSAGE));
        self.to_stderr(format_args!("{label}: {text}"));
    }

    fn to_stderr(&self, line: impl Display) {
        // Where standard error cannot be written there is nobody to tell.
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}

/// Columns of a terminal; None for anything else. A terminal that does not know its size has the classic one.
fn columns(stream: &Term) -> Option<usize> {
    const CLASSIC: usize = 80;
    let size = stream.size_checked();
    stream
        .is_term()
        .then(|| size.map_or(CLASSIC, |(_, columns)| columns.into()))
}

fn write(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.context("could not write to standard output")
}

/// Whether an error only says that the reader of standard output has gone, as `ckpt list | head -1` does.
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

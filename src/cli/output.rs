//! Standard output for data, standard error for what is said about it, and colour on both.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use clap::ValueEnum;
use owo_colors::{OwoColorize as _, Style};
use serde::Serialize;

use crate::checkpoint::text::is_unprintable;
use crate::env::Env;
use crate::error::Report;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    Auto,
    Always,
    Never,
}

/// The two streams of a command. Whatever goes through them is safe for a terminal.
#[derive(Debug)]
pub(super) struct Output {
    colored_data: bool,
    colored_errors: bool,
    /// Whether a person is there to be asked: they see standard error and type into standard input.
    pub(super) asks: bool,
}

/// What a line of a comparison tells, which its colour shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Heading,
    Added,
    Removed,
    Changed,
}

impl Tone {
    fn colors(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Heading => Style::new().bold(),
            Self::Added => Style::new().green(),
            Self::Removed => Style::new().red(),
            Self::Changed => Style::new().yellow(),
        }
    }
}

impl Output {
    pub(super) fn new(when: When, env: &Env) -> Self {
        Self {
            colored_data: colored(when, env, io::stdout().is_terminal()),
            colored_errors: colored(when, env, io::stderr().is_terminal()),
            asks: io::stdin().is_terminal() && io::stderr().is_terminal(),
        }
    }

    /// Writes text to standard output.
    pub(super) fn data(&self, text: &str) -> anyhow::Result<()> {
        let newline = if text.ends_with('\n') { "" } else { "\n" };
        write(&(printable(text) + newline))
    }

    /// Writes text to standard output byte for byte, unless a terminal would act on it.
    pub(super) fn exact(&self, text: &str) -> anyhow::Result<()> {
        if io::stdout().is_terminal() {
            return write(&printable(text));
        }
        write(text)
    }

    /// Writes lines to standard output, each in the colour of its tone.
    pub(super) fn lines(&self, lines: &[(Tone, String)]) -> anyhow::Result<()> {
        let mut out = io::stdout().lock();
        for (tone, line) in lines {
            let line = printable(line);
            if self.colored_data && *tone != Tone::Plain {
                writeln!(out, "{}", line.style(tone.colors()))?;
            } else {
                writeln!(out, "{line}")?;
            }
        }
        Ok(out.flush()?)
    }

    /// Writes a value to standard output as JSON.
    pub(super) fn json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        let mut json = serde_json::to_string_pretty(value)?;
        if json.contains(|c| is_unprintable(c) && c != '\n') {
            json = escaped(&json);
        }
        self.data(&json)
    }

    pub(super) fn warnings(&self, warnings: &[String]) {
        for warning in warnings {
            self.say("warning", Style::new().yellow().bold(), warning);
        }
    }

    pub(super) fn hint(&self, text: &str) {
        self.say("hint", Style::new().cyan().bold(), text);
    }

    /// Text on standard error, as it is.
    pub(super) fn note(&self, text: &str) {
        self.to_stderr(printable(text.trim_end()));
    }

    pub(super) fn error(&self, error: &anyhow::Error) {
        let Report { message, hint } = Report::from(error);
        self.say("error", Style::new().red().bold(), &message);
        if let Some(hint) = hint {
            self.hint(&hint);
        }
    }

    fn say(&self, label: &str, style: Style, text: &str) {
        let text = printable(text);
        if self.colored_errors {
            self.to_stderr(format_args!("{}: {text}", label.style(style)));
        } else {
            self.to_stderr(format_args!("{label}: {text}"));
        }
    }

    fn to_stderr(&self, line: impl Display) {
        // Where standard error cannot be written there is nobody to tell.
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}

fn write(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Whether a stream is coloured: the option decides, then NO_COLOR (no-color.org), then CLICOLOR_FORCE
/// (bixense.com/clicolors), then whether it is a terminal that knows colours.
fn colored(when: When, env: &Env, is_terminal: bool) -> bool {
    let forced = env.var("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto if env.var("NO_COLOR").is_some() => false,
        When::Auto => forced || is_terminal && env.var("TERM").as_deref() != Some("dumb"),
    }
}

/// The text with every character that could move a terminal's cursor or hide something replaced.
pub(super) fn printable(text: &str) -> String {
    let keep = |c: char| !is_unprintable(c) || c == '\n';
    text.chars()
        .map(|c| if keep(c) { c } else { '\u{fffd}' })
        .collect()
}

/// JSON with the characters that [`printable`] would lose as escapes; they can only stand in strings.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if is_unprintable(c) && c != '\n' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Whether an error only says that the reader of standard output has gone, as `ckpt list | head -1` does.
pub(super) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

/// The hint for a person who works below a folder that has checkpoints (SPEC section 2).
pub(super) fn parent_hint(parent: &Path, command: &str) -> String {
    let parent = parent.display();
    format!("the parent folder `{parent}` has checkpoints: ckpt -C '{parent}' {command}")
}

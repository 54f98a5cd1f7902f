//! What a stream can show: colours on a terminal that has them, and how wide that is.

use std::ffi::OsString;

use clap::ValueEnum;
use owo_colors::{OwoColorize as _, Style};

use crate::checkpoint::text;
use crate::env::Env;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum When {
    Auto,
    Always,
    Never,
}

impl When {
    /// What a command line says that could not be understood as a whole.
    pub(super) fn typed(arguments: &[OsString]) -> Self {
        const OPTION: &str = "--color";
        let mut said = Self::Auto;
        let mut arguments = arguments.iter().map(|argument| argument.to_string_lossy());
        while let Some(argument) = arguments.next() {
            let value = match argument.strip_prefix(OPTION) {
                Some("") => arguments.next().unwrap_or_default().into_owned(),
                Some(rest) => rest.trim_start_matches('=').to_owned(),
                None if argument == "--" => break,
                None => continue,
            };
            said = Self::from_str(&value, false).unwrap_or(said);
        }
        said
    }
}

// The colours can be read on white and on black: yellow and cyan cannot on the one, blue not on the other.
/// What the eye is to find first: titles, selectors, the row under a cursor.
pub(super) const NAME: Style = Style::new().bold();
/// Branches, and code in a text.
pub(super) const PLACE: Style = Style::new().magenta();
/// What is to be noticed.
pub(super) const NOTICE: Style = Style::new().magenta().bold();
/// What is only there for those who look for it.
pub(super) const FAINT: Style = Style::new().dimmed();

/// How text for one stream is to look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) colored: bool,
    /// Columns of the terminal; None where the stream is none, so that nothing is fitted.
    pub(super) width: Option<usize>,
}

impl Look {
    /// The option decides, then NO_COLOR (no-color.org), then CLICOLOR_FORCE (bixense.com/clicolors), then
    /// whether it is a terminal that knows colours.
    pub(super) fn new(when: When, env: &Env, width: Option<usize>) -> Self {
        let forced = env.var("CLICOLOR_FORCE").is_some_and(|value| value != "0");
        let colored = match when {
            When::Always => true,
            When::Never => false,
            When::Auto if env.var("NO_COLOR").is_some() => false,
            When::Auto => forced || width.is_some() && !is_dumb(env),
        };
        Self { colored, width }
    }

    /// Harmless text in a style.
    pub(super) fn paint(self, text: &str, style: Style) -> String {
        let text = printable(text);
        if self.colored && !text.is_empty() {
            text.style(style).to_string()
        } else {
            text
        }
    }
}

/// Whether the terminal can neither colour text nor move its cursor.
pub(super) fn is_dumb(env: &Env) -> bool {
    match env.var("TERM") {
        Some(name) => name == "dumb",
        None => cfg!(unix),
    }
}

/// The text with every character that could move a terminal's cursor or hide something replaced.
pub(super) fn printable(text: &str) -> String {
    text::lines(text).into_owned()
}

/// [`printable`] text that keeps the sequences that only colour it (ECMA-48, SGR).
pub(super) fn printable_in_color(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\x1b[") {
        let (before, sequence) = rest.split_at(start);
        clean.push_str(&printable(before));
        let parameters = sequence[2..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        let length = match parameters.starts_with('m') {
            true => sequence.len() - parameters.len() + 1,
            false => 0,
        };
        clean.push_str(&sequence[..length]);
        if length == 0 {
            clean.push('\u{fffd}');
        }
        rest = &sequence[length.max(1)..];
    }
    clean + &printable(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_escape_sequences_only_colours_are_kept() {
        for (text, expected) in [
            ("\x1b[1;31mred\x1b[0m", "\x1b[1;31mred\x1b[0m"),
            ("\x1b[2Jgone", "\u{fffd}[2Jgone"),
            ("a\x1b]0;title\x07", "a\u{fffd}]0;title\u{fffd}"),
            ("\x1b[\x1b[1m\n", "\u{fffd}[\x1b[1m\n"),
            ("\u{202e}x\x1b[", "\u{fffd}x\u{fffd}["),
        ] {
            assert_eq!(printable_in_color(text), expected);
        }
    }
}

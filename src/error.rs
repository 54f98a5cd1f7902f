//! Errors with a hint, and the one rendering of an error for every front end.

use std::fmt;
use std::io::{self, ErrorKind};

use crate::checkpoint::text::{self, QUOTED, one_line, shortened};
use crate::redact::redact;

/// Characters of a text that is not ours that are looked at, so that no secret is cut before it was recognised.
const LOOKED_AT: usize = 5_000;
/// Characters of a whole message.
const LONGEST: usize = 4_000;

/// What went wrong together with what to do about it; the innermost cause of an [`anyhow::Error`].
#[derive(Debug)]
struct Failure {
    message: String,
    hint: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// An error whose hint tells the reader the next step, in the imperative.
pub(crate) fn failure(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Failure {
        message: message.into(),
        hint: hint.into(),
    })
}

/// What to do about an error of the system, where it is not what the command can know more of.
pub(crate) fn hint_of(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Some("make room on the disk, then try again")
        }
        ErrorKind::ReadOnlyFilesystem => {
            Some("the disk can only be read; make it writable, then try again")
        }
        _ => None,
    }
}

/// What an error quotes of an argument: its beginning, on one line and without its secrets.
pub(crate) fn quoted(argument: &str) -> String {
    text::quoted(&redact(&shortened(argument, LOOKED_AT)).text)
}

/// An error as every front end shows it: one line that says what and why, and perhaps a hint on another.
///
/// A cause may quote what is not ours, such as an argument, a file or the name of a folder, so each is made one line, its
/// secrets are redacted, and of what stands in backticks the beginning is shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl From<&anyhow::Error> for Report {
    fn from(error: &anyhow::Error) -> Self {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        let hints = error.chain().find_map(|cause| cause.downcast_ref());
        let hint = hints.map(|failure: &Failure| &*failure.hint);
        let system = || {
            error
                .chain()
                .find_map(|cause| hint_of(cause.downcast_ref()?))
        };
        Self {
            message: shown(&causes.join(": ")),
            hint: hint.or_else(system).map(shown),
        }
    }
}

fn shown(text: &str) -> String {
    let redacted = redact(&one_line(&shortened(text, LOOKED_AT))).text;
    let parts = redacted.split('`').enumerate();
    let parts: Vec<String> = parts
        .map(|(index, part)| match index % 2 {
            1 => shortened(part, QUOTED),
            _ => part.to_owned(),
        })
        .collect();
    shortened(&parts.join("`"), LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn of_what_an_error_quotes_the_beginning_is_shown_and_no_secret() {
        let secret = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
        for before in [0, 100, 190, 1_000] {
            let argument = format!("{} {secret} {}", "x".repeat(before), "y".repeat(50_000));
            let report = Report::from(&failure(format!("`{argument}` is odd"), "leave it out"));
            for said in [quoted(&argument), report.message] {
                assert!(said.chars().count() < 220, "{said}");
                assert!(!said.contains(&secret[..8]), "{said}");
            }
        }
        let report = Report::from(&failure(format!("`{}` and `b`", "a".repeat(300)), "h"));
        assert!(report.message.ends_with("…` and `b`"), "{}", report.message);
    }

    #[test]
    fn a_report_joins_the_causes_and_keeps_the_hint() {
        let error = Err::<(), _>(failure("no such file", "run `ckpt list`"))
            .context("could not load")
            .unwrap_err();
        let report = Report::from(&error);
        assert_eq!(report.message, "could not load: no such file");
        assert_eq!(report.hint.as_deref(), Some("run `ckpt list`"));
    }
}

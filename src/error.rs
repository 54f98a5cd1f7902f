//! Errors with a hint, and the one rendering of an error for every front end.

use std::fmt;

use crate::checkpoint::text::one_line;
use crate::redact::redact;

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

/// An error as every front end shows it: one line that says what and why, and perhaps a hint on another.
///
/// A cause may quote what is not ours, such as an argument, a file or the name of a folder, so each is made one line, and
/// its secrets are redacted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Report {
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl From<&anyhow::Error> for Report {
    fn from(error: &anyhow::Error) -> Self {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        let hint = error
            .chain()
            .find_map(|cause| cause.downcast_ref::<Failure>());
        Self {
            message: shown(&causes.join(": ")),
            hint: hint.map(|failure| shown(&failure.hint)),
        }
    }
}

fn shown(text: &str) -> String {
    redact(&one_line(text)).text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

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

//! What can go wrong when a repository is read.

use std::fmt;

/// Why a repository's facts are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Error {
    /// The deadline passed.
    TimedOut,
    /// The repository must not, or cannot, be read in any way; why, as the end of a sentence.
    Unsupported(String),
    /// One question could not be answered; why, as the end of a sentence.
    Failed(String),
}

pub(super) type Result<T, E = Error> = std::result::Result<T, E>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut => f.write_str("reading the git repository took too long"),
            Self::Unsupported(why) | Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::TimedOut => Self::TimedOut,
            _ => Self::Failed(error.to_string()),
        }
    }
}

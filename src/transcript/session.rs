//! A session by its transcript's file, and the clients that are known.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use uuid::Uuid;

use super::file::Found;
use super::line::Line;
use super::{claude, codex};

/// A client of which transcripts are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Client {
    ClaudeCode,
    Codex,
}

impl Client {
    const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    pub(super) fn parse(self, line: &[u8]) -> Option<Line<'_>> {
        match self {
            Self::ClaudeCode => claude::parse(line),
            Self::Codex => codex::parse(line),
        }
    }

    /// The session of a transcript, from the file's name.
    pub(super) fn session(self, name: &str) -> Option<&str> {
        let stem = name.strip_suffix(".jsonl")?;
        let id = match self {
            Self::ClaudeCode => stem,
            Self::Codex => codex::session(stem)?,
        };
        Uuid::try_parse(id).is_ok().then_some(id)
    }
}

/// A session that left a transcript.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(super) client: Client,
    pub(super) file: Found,
}

impl Session {
    pub(super) fn of(client: Client, file: Found) -> Option<Self> {
        let id = client.session(&file.name)?.to_owned();
        Some(Self { id, client, file })
    }

    /// When the transcript was last written.
    pub(crate) fn modified(&self) -> Timestamp {
        self.file.modified
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.file.path()
    }

    /// The session of a transcript that a person names; None where it is none.
    pub(crate) fn at(path: &Path) -> Option<Self> {
        let file = Found::at(path)?;
        let mut clients = Client::ALL.into_iter();
        clients.find_map(|client| Self::of(client, file.clone()))
    }
}

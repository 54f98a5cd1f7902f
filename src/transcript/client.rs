//! What has to be known of a client to read what it wrote down of its sessions.

use std::fmt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::file::TranscriptFile;
use super::line::Line;
use crate::env::Env;

/// A client whose transcripts are read.
pub(super) trait Client: fmt::Debug + Sync {
    /// What it calls itself to the servers that it starts (`clientInfo.name`).
    fn name(&self) -> &'static str;

    /// Its folder of transcripts; None where there is no home.
    fn folder(&self, env: &Env) -> Option<PathBuf>;

    /// The sessions of the project at `root` whose transcripts were written since then, in any order.
    ///
    /// By names and times alone where those tell, so that another project's can be among them.
    fn sessions(&self, folder: &Path, root: &str, since: Option<Timestamp>) -> Vec<Session>;

    /// The sessions of that id, found by the names of their files: the one of the project at `root`, or else any.
    fn sessions_of(&self, folder: &Path, root: &str, id: &str) -> Vec<Session>;

    /// The session of a transcript, from the file's name and, where that does not tell, its first line.
    fn session(&self, file: &TranscriptFile) -> Option<String>;

    /// Whether finding a project's sessions takes no more than looking at their files' names and times.
    fn finds_by_name(&self) -> bool {
        true
    }

    /// The directory in which a session began.
    fn begun_in(&self, file: &TranscriptFile) -> Option<String>;

    /// The directories of the projects of which it has transcripts.
    fn projects(&self, folder: &Path) -> Vec<String>;

    /// Those of them that may be below a directory.
    fn projects_below(&self, folder: &Path, directory: &str) -> Vec<String> {
        let _ = directory;
        self.projects(folder)
    }

    /// The directories of the projects that it has settings for, which outlive their transcripts.
    fn configured(&self, env: &Env) -> Vec<String> {
        let _ = env;
        Vec::new()
    }

    /// Reads a line; None where it is of no use or of no known shape.
    fn parse<'a>(&self, line: &'a [u8]) -> Option<Line<'a>>;

    /// Whether a line's directory is another project's, though the file is where this one's are.
    fn is_foreign(&self, cwd: &str, root: &str) -> bool {
        let _ = (cwd, root);
        false
    }

    /// The transcripts of a session's subagents, the last written first.
    fn subagents(&self, session: &Session) -> Vec<TranscriptFile> {
        let _ = session;
        Vec::new()
    }

    /// How its transcripts tell what the context of a session holds; None where they do not.
    fn gauge(&self) -> Option<&'static dyn Gauge> {
        None
    }

    /// Until when a transcript repeats that of the session from which its own was forked; None where it repeats none.
    fn repeats_until(&self, session: &Session) -> Option<Timestamp> {
        let _ = session;
        None
    }
}

/// Reads from single lines how full the context of a session is.
///
/// Most lines tell nothing of it, so that a line is searched before it is parsed.
pub(super) trait Gauge {
    /// Whether a line may tell what the context held when it was written.
    fn may_tell(&self, line: &[u8]) -> bool;

    fn read(&self, line: &[u8]) -> Option<Reading>;

    /// Whether a line that holds the words of a hook holds them for the agent.
    fn is_of_a_hook(&self, line: &[u8]) -> bool;

    /// None where a line does not tell of a compaction; else what the context can hold, as far as that tells it.
    fn compaction(&self, line: &[u8]) -> Option<Option<u64>>;
}

/// What the context of a session held, in tokens.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    pub(super) tokens: u64,
    /// What it can hold, where the client says so.
    pub(super) window: Option<u64>,
}

/// A session that left a transcript.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(super) client: &'static dyn Client,
    pub(super) file: TranscriptFile,
}

impl Session {
    pub(super) fn of(client: &'static dyn Client, file: TranscriptFile) -> Option<Self> {
        let id = client.session(&file)?;
        Some(Self { id, client, file })
    }

    /// When the transcript was last written.
    pub(crate) fn modified(&self) -> Timestamp {
        self.file.modified
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.file.path()
    }

    /// What the client that wrote it calls itself.
    pub(crate) fn client_name(&self) -> &'static str {
        self.client.name()
    }
}

/// The form in which clients write their ids, which is one that names a session here as well: a UUID with dashes.
pub(super) fn is_id(text: &str) -> bool {
    let is_of_id = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(is_of_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_uuid_as_clients_write_it() {
        assert!(is_id("01a22c07-88a3-7882-9233-efa386b5cd10"));
        assert!(is_id("01A22C07-88A3-7882-9233-EFA386B5CD10"));
        for other in [
            "",
            "01a22c0788a378829233efa386b5cd10",
            "{01a22c07-88a3-7882-9233-efa386b5cd10}",
            "urn:uuid:01a22c07-88a3-7882-9233-efa386b5cd10",
            "01a22c07-88a3-7882-9233-efa386b5cd1g",
            "01a22c07_88a3_7882_9233_efa386b5cd10",
        ] {
            assert!(!is_id(other), "{other}");
        }
    }
}

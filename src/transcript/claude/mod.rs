//! Claude Code's transcripts (measured on 2.1.332): one file a session, named after the folder it was
//! started in, which the file name alone does not tell for certain.

mod message;

use std::path::{Path, PathBuf};

use super::file::{self, Found};
use crate::env::{self, Env};
pub(super) use message::parse;

/// Where the client keeps its own files; None where there is no home.
pub(super) fn configuration(env: &Env) -> Option<PathBuf> {
    match env.os_var(env::CLAUDE_CONFIG) {
        Some(directory) => Some(PathBuf::from(directory)),
        None => Some(env.home()?.join(".claude")),
    }
}

/// The folder of all projects' transcripts.
pub(super) fn folder(env: &Env) -> Option<PathBuf> {
    Some(configuration(env)?.join("projects"))
}

/// A directory as the client writes it: the verbatim form of Windows is what only this program makes of a path.
pub(super) fn spelled(directory: &Path) -> String {
    let name = directory.to_string_lossy();
    name.strip_prefix(r"\\?\").unwrap_or(&name).to_owned()
}

/// Characters of a folder's name that stand for the path; after those of a longer one stands a hash.
const NAME_KEPT: usize = 200;

/// How a project's folder is named, or, where the second is true, how its name starts.
///
/// Every UTF-16 unit that is no ASCII letter or digit becomes a dash, so different paths can share a name.
pub(super) fn folder_name(directory: &str) -> (String, bool) {
    let encoded: String = directory
        .chars()
        .map(|c| match c {
            c if c.is_ascii_alphanumeric() => c.to_string(),
            c => "-".repeat(c.len_utf16()),
        })
        .collect();
    match encoded.get(..NAME_KEPT) {
        Some(start) if start.len() < encoded.len() => (format!("{start}-"), true),
        _ => (encoded, false),
    }
}

/// Whether a line's directory is another one that shares the project's folder.
pub(super) fn is_foreign(cwd: &str, root: &str) -> bool {
    cwd != root && folder_name(cwd) == folder_name(root)
}

/// The transcripts of a session's subagents, which are in a folder beside the session's own; the last written first.
pub(super) fn subagents(folder: &Path, session: &str) -> Vec<Found> {
    file::listed(&folder.join(session).join("subagents"), |name| {
        name.starts_with("agent-") && name.ends_with(".jsonl")
    })
}

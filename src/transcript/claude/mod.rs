//! Claude Code's transcripts (measured on 2.1.332): one file a session, in a folder that is named after the one it
//! works in, which the name alone does not tell for certain.

mod fill;
mod message;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::client::{self, Client, Gauge, Session};
use super::file::{self, TranscriptFile};
use super::line::Line;
use super::paths;
use super::skim::Walk;
use crate::env::{self, Env};
pub(super) use message::parse;

/// What it calls itself (`clientInfo.name`).
pub(crate) const NAME: &str = "claude-code";

#[derive(Debug)]
pub(super) struct ClaudeCode;

/// Characters of a folder's name that stand for the path; after those of a longer one stands a hash.
const NAME_KEPT: usize = 200;
/// What follows a project's folder name in those of the worktrees that the client makes for it.
const WORKTREES: &str = "--claude-worktrees-";
/// Bytes of a file's start in which a line names its directory: nearly always, and always but for the longest prompts.
const BEGINNINGS: [usize; 2] = [16 << 10, 512 << 10];

/// Bytes of the client's settings, in which prompts are remembered, too.
const SETTINGS: u64 = 32 << 20;

impl Client for ClaudeCode {
    fn gauge(&self) -> Option<&'static dyn Gauge> {
        Some(&ClaudeCode)
    }

    fn name(&self) -> &'static str {
        NAME
    }

    fn folder(&self, env: &Env) -> Option<PathBuf> {
        Some(configuration(env)?.join("projects"))
    }

    fn sessions(&self, folder: &Path, root: &str, since: Option<Timestamp>) -> Vec<Session> {
        let mut sessions = Vec::new();
        for (folder, is_worktree) in folders(folder, root) {
            let later = in_folder(&folder, since).into_iter();
            // A session moves with its person into a worktree; others were begun there, and are that one's.
            let is_of_root = |session: &Session| {
                let begun = self.begun_in(&session.file);
                begun.is_some_and(|begun| paths::is_same(&begun, root))
            };
            sessions.extend(later.filter(|session| !is_worktree || is_of_root(session)));
        }
        sessions
    }

    fn sessions_of(&self, folder: &Path, root: &str, id: &str) -> Vec<Session> {
        let name = format!("{id}.jsonl");
        let (own, is_start) = folder_name(root);
        if !is_start && let Some(file) = TranscriptFile::at(&folder.join(own).join(&name)) {
            return Session::of(&ClaudeCode, file).into_iter().collect();
        }
        let folders = file::folders(folder).into_iter();
        let files =
            folders.filter_map(|project| TranscriptFile::at(&folder.join(project).join(&name)));
        files
            .filter_map(|file| Session::of(&ClaudeCode, file))
            .collect()
    }

    fn session(&self, file: &TranscriptFile) -> Option<String> {
        let id = file.name.strip_suffix(".jsonl")?;
        client::is_id(id).then(|| id.to_owned())
    }

    fn begun_in(&self, file: &TranscriptFile) -> Option<String> {
        BEGINNINGS.into_iter().find_map(|bytes| {
            let mut begun = None;
            file.forwards(bytes, |line| {
                begun = parse(line).and_then(|line| line.cwd.map(|cwd| cwd.into_owned()));
                match begun {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            });
            begun
        })
    }

    fn projects(&self, folder: &Path) -> Vec<String> {
        self.projects_in(folder, |_| true)
    }

    fn projects_below(&self, folder: &Path, directory: &str) -> Vec<String> {
        let (name, _) = folder_name(directory);
        self.projects_in(folder, |project| project.starts_with(&name))
    }

    /// The keys of `projects` in `.claude.json`; nothing else of that file is taken.
    fn configured(&self, env: &Env) -> Vec<String> {
        let folder = match env.os_var(env::CLAUDE_CONFIG) {
            Some(directory) => Some(PathBuf::from(directory)),
            None => env.home(),
        };
        let file = folder.and_then(|folder| TranscriptFile::at(&folder.join(".claude.json")));
        let settings = file.map_or(Vec::new(), |file| file.text(SETTINGS));
        let mut projects = Vec::new();
        let mut read = |walk: &mut Walk<'_>| {
            walk.object(|directory, walk| {
                let quoted = [b"\"", directory, b"\""].concat();
                projects.extend(serde_json::from_slice::<String>(&quoted));
                walk.value().map(drop)
            })
        };
        // Where the file breaks off, what was read before is known all the same.
        let _ = Walk::of(&settings).object(|name, walk| match name {
            b"projects" => read(walk),
            _ => walk.value().map(drop),
        });
        projects
    }

    fn parse<'a>(&self, line: &'a [u8]) -> Option<Line<'a>> {
        parse(line)
    }

    fn is_foreign(&self, cwd: &str, root: &str) -> bool {
        !paths::is_same(cwd, root) && folder_name(cwd) == folder_name(root)
    }

    fn subagents(&self, session: &Session) -> Vec<TranscriptFile> {
        subagents(&session.file.folder, &session.id)
    }
}

impl ClaudeCode {
    /// The directories of the projects whose folders have such names.
    fn projects_in(&self, folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let folders = file::folders(folder).into_iter();
        let wanted = folders.filter(|project| is_wanted(project));
        let latest =
            wanted.filter_map(|project| in_folder(&folder.join(project), None).into_iter().next());
        latest
            .filter_map(|session| self.begun_in(&session.file))
            .collect()
    }
}

/// The sessions of a folder whose transcripts were written since then, the last written first.
pub(super) fn in_folder(folder: &Path, since: Option<Timestamp>) -> Vec<Session> {
    let files = file::written_since(folder, since, |name| name.ends_with(".jsonl"));
    files
        .into_iter()
        .filter_map(|file| Session::of(&ClaudeCode, file))
        .collect()
}

/// The folders in which sessions of a project can be, and whether each is one of its worktrees'.
pub(super) fn folders(projects: &Path, root: &str) -> Vec<(PathBuf, bool)> {
    let (name, is_start) = folder_name(root);
    let all = file::folders(projects).into_iter();
    let has_drive = paths::plain(root).as_bytes().get(1) == Some(&b':');
    all.filter_map(|folder| {
        let mut named = folder.clone();
        if has_drive && let Some(drive) = named.get_mut(..1) {
            drive.make_ascii_uppercase();
        }
        let rest = named.strip_prefix(&name)?;
        let is_own = is_start || rest.is_empty();
        let is_worktree = rest.starts_with(WORKTREES);
        (is_own || is_worktree).then(|| (projects.join(&folder), !is_own))
    })
    .collect()
}

/// How a project's folder is named, or, where the second is true, how its name starts.
///
/// Every UTF-16 unit that is no ASCII letter or digit becomes a dash, so different paths can share a name.
pub(super) fn folder_name(directory: &str) -> (String, bool) {
    let encoded: String = paths::plain(directory)
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

/// Where the client keeps its own files; None where there is no home.
pub(super) fn configuration(env: &Env) -> Option<PathBuf> {
    match env.os_var(env::CLAUDE_CONFIG) {
        Some(directory) => Some(PathBuf::from(directory)),
        None => Some(env.home()?.join(".claude")),
    }
}

/// The transcripts of a session's subagents, which are in a folder beside the session's own; the last written first.
pub(super) fn subagents(folder: &Path, session: &str) -> Vec<TranscriptFile> {
    file::listed(&folder.join(session).join("subagents"), |name| {
        name.starts_with("agent-") && name.ends_with(".jsonl")
    })
}

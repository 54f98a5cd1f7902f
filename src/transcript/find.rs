//! Which sessions left a transcript of a project.

use std::path::{Path, PathBuf};

use super::session::Client;
use super::{Session, Transcripts, claude, codex, file};
use crate::env::{self, Env};

/// The session whose transcript was written last in the folder of a session's own, and is none of `others`.
///
/// None too where the user does not want transcripts read.
pub(crate) fn latest_beside(env: &Env, transcript: &Path, others: &[&str]) -> Option<String> {
    if env.is_off(env::TRANSCRIPTS) {
        return None;
    }
    let session = |name: &str| Client::ClaudeCode.session(name).map(str::to_owned);
    let is_wanted = |name: &str| session(name).is_some_and(|id| !others.contains(&id.as_str()));
    let latest = file::latest(transcript.parent()?, is_wanted)?;
    session(&latest.name)
}

impl Transcripts {
    /// Claude Code's sessions in the folder of this project, the last first, by names and times alone.
    ///
    /// Another project whose folder has the same name can be among them.
    pub(crate) fn named(&self) -> Vec<Session> {
        let mut sessions = Vec::new();
        for folder in self.claude_folders() {
            let files = file::listed(&folder, |name| Client::ClaudeCode.session(name).is_some());
            sessions.extend(
                files
                    .into_iter()
                    .filter_map(|file| Session::of(Client::ClaudeCode, file)),
            );
        }
        sessions
    }

    /// Of those sessions the last active that is not one of `others`.
    pub(crate) fn latest_but(&self, others: &[String]) -> Option<Session> {
        let is_wanted = |name: &str| {
            let id = Client::ClaudeCode.session(name);
            id.is_some_and(|id| !others.iter().any(|other| other == id))
        };
        let folders = self.claude_folders().into_iter();
        let latest = folders.filter_map(|folder| file::latest(&folder, is_wanted));
        let latest = latest.max_by_key(|file| file.modified)?;
        Session::of(Client::ClaudeCode, latest)
    }

    /// The sessions of all clients in this project, the last first. Of Codex's, the latest are looked at.
    pub(crate) fn sessions(&self) -> Vec<Session> {
        let mut sessions = self.named();
        if let Some(folder) = &self.codex {
            let files = codex::transcripts(folder, &self.name);
            sessions.extend(
                files
                    .into_iter()
                    .filter_map(|file| Session::of(Client::Codex, file)),
            );
        }
        sessions.sort_by_key(|session| std::cmp::Reverse(session.modified()));
        sessions
    }

    /// The sessions of that id: folders that share the start of a long name can hold one each, of other projects.
    pub(crate) fn sessions_of(&self, id: &str) -> Vec<Session> {
        let is_it = |session: &Session| session.id == id;
        let of_claude: Vec<Session> = self.named().into_iter().filter(is_it).collect();
        match of_claude.is_empty() {
            true => self.sessions().into_iter().filter(is_it).collect(),
            false => of_claude,
        }
    }

    pub(super) fn claude_folders(&self) -> Vec<PathBuf> {
        let Some(projects) = &self.claude else {
            return Vec::new();
        };
        let (name, is_start) = claude::folder_name(&self.name);
        if !is_start {
            return vec![projects.join(name)];
        }
        let all = file::folders(projects).into_iter();
        all.filter(|folder| folder.starts_with(&name))
            .map(|folder| projects.join(folder))
            .collect()
    }
}

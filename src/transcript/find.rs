//! Which sessions left a transcript of a project.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::client::{Client, Session};
use super::file::TranscriptFile;
use super::{ENDING, SEARCHED, TAIL, Transcripts, claude, codex, gemini, paths};
use crate::env::{self, Env};

/// The clients whose transcripts are read.
pub(super) static CLIENTS: [&dyn Client; 3] =
    [&claude::ClaudeCode, &codex::Codex, &gemini::GeminiCli];

/// Where a session belongs that was found by its id alone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// To this project.
    Here,
    /// To a folder that is gone: it may have been this project's, before that was moved or renamed.
    Gone(PathBuf),
    /// To another project.
    Elsewhere(PathBuf),
}

/// Sessions of another folder.
#[derive(Debug)]
pub(crate) struct Elsewhere {
    pub(crate) folder: PathBuf,
    pub(crate) sessions: usize,
    /// When the last of them was active.
    pub(crate) until: Timestamp,
}

/// The folders of the projects that the clients know, each once, those that they have settings for first; None where
/// the user does not want that read.
pub(crate) fn known_projects(env: &Env) -> Option<Vec<PathBuf>> {
    if env.is_off(env::TRANSCRIPTS) {
        return None;
    }
    let configured = CLIENTS
        .into_iter()
        .flat_map(|client| client.configured(env));
    let worked_in = CLIENTS.into_iter().flat_map(|client| {
        let folder = client.folder(env);
        folder.map_or(Vec::new(), |folder| client.projects(&folder))
    });
    let mut seen = HashSet::new();
    let all = configured
        .chain(worked_in)
        .map(|folder| paths::plain(&folder));
    let known = all
        .filter(|folder| seen.insert(folder.clone()))
        .map(PathBuf::from);
    Some(known.filter(|folder| folder.is_absolute()).collect())
}

/// What finding folders may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// No more than a hook may: clients whose transcripts tell by their names where they belong.
    Names,
    Whatever,
}

/// The folders below one in which clients had sessions; none where the user does not want that read.
pub(crate) fn folders_below(env: &Env, top: &Path, effort: Effort) -> Vec<PathBuf> {
    if env.is_off(env::TRANSCRIPTS) {
        return Vec::new();
    }
    let clients = CLIENTS.into_iter();
    let clients = clients.filter(|client| effort == Effort::Whatever || client.finds_by_name());
    let folders = clients.filter_map(|client| Some((client, client.folder(env)?)));
    let above = top.to_string_lossy();
    let below = folders.flat_map(|(client, folder)| client.projects_below(&folder, &above));
    let below = below.map(|folder| PathBuf::from(paths::plain(&folder)));
    let mut seen = HashSet::new();
    let below = below.filter(|folder| folder.starts_with(top) && folder != top);
    below.filter(|folder| seen.insert(folder.clone())).collect()
}

/// The session whose transcript was written last in the folder of a session's own, and is none of `others`.
///
/// None too where the user does not want transcripts read.
pub(crate) fn latest_beside(env: &Env, transcript: &Path, others: &[&str]) -> Option<String> {
    if env.is_off(env::TRANSCRIPTS) {
        return None;
    }
    let sessions = claude::in_folder(transcript.parent()?, None).into_iter();
    let mut wanted = sessions.filter(|session| !others.contains(&session.id.as_str()));
    wanted.next().map(|session| session.id)
}

impl Transcripts {
    /// The sessions of this project, the last active first, by names and times alone where those tell: another
    /// project whose folder has the same name can be among them.
    pub(crate) fn sessions(&self) -> Vec<Session> {
        self.sessions_since(None)
    }

    /// Those of them that were active since a time.
    pub(super) fn sessions_since(&self, since: Option<Timestamp>) -> Vec<Session> {
        let mut sessions = Vec::new();
        for (client, folder) in &self.clients {
            for root in &self.roots {
                sessions.extend(client.sessions(folder, root, since));
            }
        }
        newest_first(sessions)
    }

    /// Those of them that names and times alone tell, for a hook that has no time for more.
    pub(crate) fn sessions_by_name(&self) -> Vec<Session> {
        let clients = self
            .clients
            .iter()
            .filter(|(client, _)| client.finds_by_name());
        let sessions =
            clients.flat_map(|(client, folder)| client.sessions(folder, &self.roots[0], None));
        newest_first(sessions.collect())
    }

    /// The sessions of that id, in whichever project.
    pub(crate) fn sessions_of(&self, id: &str) -> Vec<Session> {
        let clients = self.clients.iter();
        let found = clients.map(|(client, folder)| client.sessions_of(folder, &self.roots[0], id));
        found
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    /// Where a session belongs.
    pub(crate) fn home(&self, session: &Session) -> Home {
        let Some(begun) = session.client.begun_in(&session.file) else {
            return Home::Here;
        };
        if self.roots.iter().any(|root| paths::is_same(&begun, root)) {
            return Home::Here;
        }
        let folder = PathBuf::from(begun);
        match folder.is_dir() {
            true => Home::Elsewhere(folder),
            false => Home::Gone(folder),
        }
    }

    /// The conversation that goes on where a checkpoint was saved: the session's own, or, where a client gives its
    /// servers another id or none, the one that holds the save.
    pub(crate) fn conversation(&self, id: &str, saved_at: Option<Timestamp>) -> Option<Session> {
        if let Some(own) = self.sessions_of(id).into_iter().next() {
            return Some(own);
        }
        let later = self.sessions_since(Some(saved_at?)).into_iter().rev();
        later.take(SEARCHED).find(|session| {
            let (gatherer, _) = self.gather(session, None, TAIL);
            gatherer.has_saved(id)
        })
    }

    /// Where a session was last at work, which is where its client finds it.
    pub(crate) fn last_in(&self, session: &Session) -> Option<PathBuf> {
        let mut last = None;
        session.file.backwards(ENDING, |line| {
            let line = session.client.parse(line);
            last = line.and_then(|line| line.cwd.map(|cwd| PathBuf::from(cwd.into_owned())));
            match last {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        last.or_else(|| session.client.begun_in(&session.file).map(PathBuf::from))
    }

    /// The ids of the sessions that began in a folder.
    pub(crate) fn ids_in(&self, folder: &Path) -> Vec<String> {
        let root = folder.to_string_lossy();
        let clients = self.clients.iter();
        let sessions = clients.flat_map(|(client, home)| client.sessions(home, &root, None));
        sessions.map(|session| session.id).collect()
    }

    /// The same transcripts, with those of a folder in which the project was before.
    pub(crate) fn with_former(mut self, folder: &Path) -> Self {
        self.roots.push(paths::plain(&folder.to_string_lossy()));
        self
    }

    /// The folders of which there are sessions and that `is_wanted` takes, the last active first.
    pub(crate) fn elsewhere(&self, is_wanted: impl Fn(&Path) -> bool) -> Vec<Elsewhere> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for (client, home) in &self.clients {
            for folder in client.projects(home) {
                let is_own = self.roots.iter().any(|root| paths::is_same(root, &folder));
                if is_own || !is_wanted(Path::new(&folder)) || !seen.insert(paths::plain(&folder)) {
                    continue;
                }
                found.push(folder);
            }
        }
        let mut elsewhere: Vec<Elsewhere> = found
            .into_iter()
            .filter_map(|folder| {
                let clients = self.clients.iter();
                let sessions =
                    clients.flat_map(|(client, home)| client.sessions(home, &folder, None));
                let sessions = newest_first(sessions.collect());
                Some(Elsewhere {
                    sessions: sessions.len(),
                    until: sessions.first()?.modified(),
                    folder: PathBuf::from(folder),
                })
            })
            .collect();
        elsewhere.sort_by_key(|elsewhere| Reverse(elsewhere.until));
        elsewhere
    }
}

fn newest_first(mut sessions: Vec<Session>) -> Vec<Session> {
    sessions.sort_by(|a, b| (b.modified(), &a.id).cmp(&(a.modified(), &b.id)));
    sessions.dedup_by(|a, b| a.file == b.file);
    sessions
}

impl Session {
    /// The session of a transcript that a person names; None where it is none.
    pub(crate) fn at(path: &Path) -> Option<Self> {
        let file = TranscriptFile::at(path)?;
        let mut clients = CLIENTS.into_iter();
        clients.find_map(|client| Self::of(client, file.clone()))
    }
}

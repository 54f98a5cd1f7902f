//! What clients wrote down of a project's sessions on this machine: read where somebody resumes, never changed.
//!
//! The files belong to others and can hold anything. Reading is bounded in bytes, takes regular files alone,
//! and knows no errors: what cannot be read or understood is passed over.

mod backwards;
mod calls;
mod chain;
mod claude;
mod client;
mod codex;
mod file;
mod fill;
mod find;
mod gather;
mod gemini;
mod line;
mod paths;
mod running;
mod shorten;
mod skim;
#[cfg(test)]
mod tests;
mod whole;
mod wrapping;

use std::collections::HashSet;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::fields;
use crate::checkpoint::recovered::{COMMANDS_SHOWN, GoalFrom, Recovered};
use crate::env::{self, Env};
pub(crate) use calls::locate_call;
use chain::Chain;
pub(crate) use claude::NAME as CLAUDE_CODE;
use client::Client;
pub(crate) use client::Session;
pub(crate) use codex::NAME as CODEX;
pub(crate) use fill::{Fill, fill};
pub(crate) use find::{Effort, Elsewhere, Home, folders_below, known_projects, latest_beside};
pub(crate) use gather::End;
use gather::{Gatherer, Opening};
pub(crate) use gemini::NAME as GEMINI_CLI;
use line::Line;
pub(crate) use running::{Life, Lives};

/// Bytes at the end of a transcript that are searched for what happened last.
const TAIL: u64 = 4 << 20;
/// The same where a session is only to be offered.
const OUTLINE_TAIL: u64 = 512 << 10;
/// Bytes at its start that are searched for what it is about.
const HEAD: usize = 512 << 10;
/// Bytes at the end of a transcript of a subagent that are, and how many of those are looked at.
const SUBAGENT_TAIL: u64 = 256 << 10;
const SUBAGENTS: usize = 8;
/// Bytes at the end that tell how a session ended; after what tells it there can be long attachments.
const ENDING: u64 = 256 << 10;
/// How many other transcripts are searched for the save of a checkpoint.
const SEARCHED: usize = 3;

/// What the transcript of a whole session tells.
#[derive(Debug)]
pub(crate) struct Account {
    /// What it is about: the first prompt, or what stands for one.
    pub(crate) goal: String,
    pub(crate) goal_from: GoalFrom,
    pub(crate) branch: Option<String>,
    pub(crate) recovered: Recovered,
}

/// What is needed of a session to offer it.
#[derive(Debug)]
pub(crate) struct Outline {
    /// What it is about: the first prompt, or what stands for one.
    pub(crate) goal: String,
    pub(crate) branch: Option<String>,
    /// When it was last active.
    pub(crate) until: Timestamp,
    /// The sessions whose checkpoints were saved in it, as far back as was looked.
    pub(crate) saved: HashSet<String>,
    /// Whether it is loading a checkpoint just now, or was when it was cut off.
    pub(crate) is_loading: bool,
    /// Whether programs alone spoke to the agent, and no person did.
    pub(crate) is_headless: bool,
}

/// The transcripts of one project.
#[derive(Debug, Clone)]
pub(crate) struct Transcripts {
    /// The root as clients write it, and before that those that it is known to have had.
    roots: Vec<String>,
    /// The clients, each with its folder.
    clients: Vec<(&'static dyn Client, PathBuf)>,
    now: Timestamp,
    /// The session in which this program runs.
    live: Option<String>,
    /// How many commands of a session are told of.
    commands: usize,
}

impl Transcripts {
    /// None where the user does not want them read.
    pub(crate) fn open(env: &Env, root: &Path) -> Option<Self> {
        if env.is_off(env::TRANSCRIPTS) {
            return None;
        }
        let clients = find::CLIENTS.into_iter();
        Some(Self {
            roots: vec![paths::plain(&root.to_string_lossy())],
            clients: clients
                .filter_map(|client| Some((client, client.folder(env)?)))
                .collect(),
            now: env.now,
            live: None,
            commands: fields::COMMANDS.entries,
        })
    }

    /// The same, asked from within a session.
    pub(crate) fn within(self, session: Option<&str>) -> Self {
        Self {
            live: session.map(str::to_owned),
            ..self
        }
    }

    /// The same, with no more commands than a brief shows.
    pub(crate) fn for_brief(self) -> Self {
        Self {
            commands: COMMANDS_SHOWN,
            ..self
        }
    }

    /// What happened after the save of a session's checkpoint; None where nothing is known of it.
    ///
    /// The transcript is the one of the session, unless that ends before the save: a client can go on under
    /// another id than its server has (`--continue`, `/clear`). Then it is the one that holds the save.
    pub(crate) fn after(&self, id: &str, saved_at: Timestamp) -> Option<Recovered> {
        for own in self.sessions_of(id) {
            let (gatherer, _) = self.gather(&own, Some(saved_at), TAIL);
            if gatherer.has_found_something() {
                return Some(self.with_subagents(&own, id, gatherer, Some(saved_at)));
            }
        }
        // The one that ended soonest after the save comes first.
        let sessions = self.sessions_since(Some(saved_at)).into_iter().rev();
        let later = sessions.filter(|session| session.id != id);
        later.take(SEARCHED).find_map(|session| {
            let (gatherer, _) = self.gather(&session, Some(saved_at), TAIL);
            let holds_save = gatherer.has_saved(id);
            holds_save.then(|| self.with_subagents(&session, id, gatherer, Some(saved_at)))
        })
    }

    /// What happened in a session after a time.
    pub(crate) fn after_in(&self, session: &Session, since: Timestamp) -> Recovered {
        let (gatherer, _) = self.gather(session, Some(since), TAIL);
        self.with_subagents(session, &session.id, gatherer, Some(since))
    }

    /// Gathers from the last so many bytes of a transcript; whether those are all of it.
    fn gather(&self, session: &Session, since: Option<Timestamp>, bytes: u64) -> (Gatherer, bool) {
        let since = since.max(session.client.repeats_until(session));
        let mut gatherer = Gatherer::new(&self.roots, since);
        let mut chain = Chain::default();
        let is_whole = session.file.backwards(bytes, |line| {
            self.take(session, line, &mut chain, &mut gatherer)
        });
        chain.finish(|line| gatherer.take(line));
        (gatherer, is_whole)
    }

    /// Takes one line more, the one before those that were taken.
    fn take(
        &self,
        session: &Session,
        line: &[u8],
        chain: &mut Chain,
        gatherer: &mut Gatherer,
    ) -> ControlFlow<()> {
        let line = match session.client.parse(line) {
            Some(line) if !self.is_foreign(session, &line) => line,
            _ => return ControlFlow::Continue(()),
        };
        if !gatherer.is_too_old(&line) {
            return chain.take(line, |line| gatherer.take(line));
        }
        // It does not count, but it can be what those are judged by that wait.
        if chain.is_waiting() {
            let known = Line {
                events: Vec::new(),
                ..line
            };
            chain.take(known, |line| gatherer.take(line))?;
        }
        match chain.is_waiting() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// All that happened in a session; `server` is the one of the server that it calls, as far as known.
    fn with_subagents(
        &self,
        session: &Session,
        server: &str,
        mut gatherer: Gatherer,
        since: Option<Timestamp>,
    ) -> Recovered {
        let files = session.client.subagents(session).into_iter();
        let later = files.filter(|file| since.is_none_or(|since| file.modified >= since));
        for file in later.take(SUBAGENTS) {
            let mut theirs = Gatherer::new(&self.roots, since);
            file.backwards(SUBAGENT_TAIL, |line| match session.client.parse(line) {
                Some(line) => theirs.take(Line {
                    is_subagents: true,
                    ..line
                }),
                None => ControlFlow::Continue(()),
            });
            gatherer.add(theirs);
        }
        let live = self.live.as_deref();
        let is_live = live.is_some_and(|live| live == session.id || live == server);
        let mut recovered = gatherer.finish(is_live, self.commands);
        // A clock that was wrong, or a file that somebody made, must not outdo what really was last.
        recovered.until = recovered.until.map(|until| until.min(self.now));
        recovered
    }

    /// The account of a session of this project in which something was asked, said or done.
    pub(crate) fn account(&self, session: &Session) -> Option<Account> {
        let (mut gatherer, is_whole) = self.gather(session, None, TAIL);
        let opening = self.opening(session, &mut gatherer, is_whole);
        let (goal, goal_from) = opening.into_goal()?;
        Some(Account {
            goal,
            goal_from,
            branch: gatherer.branch(),
            recovered: self.with_subagents(session, &session.id, gatherer, None),
        })
    }

    /// The outline of a session of this project in which something was asked, said or done.
    pub(crate) fn outline(&self, session: &Session) -> Option<Outline> {
        let (mut gatherer, is_whole) = self.gather(session, None, OUTLINE_TAIL);
        let opening = self.opening(session, &mut gatherer, is_whole);
        Some(Outline {
            is_headless: opening.is_headless(),
            goal: opening.into_goal()?.0,
            branch: gatherer.branch(),
            until: gatherer.until().unwrap_or(session.modified()).min(self.now),
            is_loading: gatherer.is_loading(),
            saved: gatherer.take_saved(),
        })
    }

    /// What a session is about, of which the end was gathered, or all.
    fn opening(&self, session: &Session, gatherer: &mut Gatherer, is_whole: bool) -> Opening {
        let later = gatherer.take_opening();
        if is_whole {
            return later;
        }
        let since = session.client.repeats_until(session);
        let mut beginning = Gatherer::new(&self.roots, since);
        let mut chain = Chain::default();
        let head = session.file.head(HEAD);
        let length = head.len() as u64;
        // A file in memory has no faults.
        let _ = backwards::lines(Cursor::new(head), length, length, |line| {
            self.take(session, line, &mut chain, &mut beginning)
        });
        chain.finish(|line| beginning.take(line));
        beginning.take_opening().or(later)
    }

    /// How a session ended, by the last of its lines alone, and whether programs alone spoke to its agent there.
    pub(crate) fn end(&self, session: &Session) -> (End, bool) {
        let mut gatherer = Gatherer::new(&self.roots, None);
        let mut end = None;
        session.file.backwards(ENDING, |line| {
            let Some(line) = session.client.parse(line) else {
                return ControlFlow::Continue(());
            };
            let is_elsewhere = self.is_foreign(session, &line);
            let is_known_where = line.cwd.is_some();
            gatherer.take(line)?;
            let found = match gatherer.end() {
                _ if is_elsewhere => Some(End::Elsewhere),
                // The line that the client is ended with does not say where that was.
                End::Clean if !is_known_where => None,
                End::Unknown => None,
                known => Some(known),
            };
            end = end.or(found);
            match end.is_some() && gatherer.knows_who_spoke() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let end = end.unwrap_or(gatherer.end());
        (end, gatherer.take_opening().is_headless())
    }

    fn is_foreign(&self, session: &Session, line: &Line<'_>) -> bool {
        let Some(cwd) = line.cwd.as_deref() else {
            return false;
        };
        let mut roots = self.roots.iter();
        roots.all(|root| session.client.is_foreign(cwd, root))
    }
}

//! What clients wrote down of a project's sessions on this machine: read where somebody resumes, never changed.
//!
//! The files belong to others and can hold anything. Reading is bounded in bytes, takes regular files alone,
//! and knows no errors: what cannot be read or understood is passed over.

mod backwards;
mod calls;
mod claude;
mod codex;
mod file;
mod find;
mod gather;
mod line;
mod running;
mod session;
mod skim;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::limits;
use crate::checkpoint::recovered::{COMMANDS_SHOWN, Recovered};
use crate::env::{self, Env};
pub(crate) use calls::locate_call;
use file::Found;
pub(crate) use find::latest_beside;
pub(crate) use gather::End;
use gather::Gatherer;
use line::{Event, Line};
pub(crate) use running::{Life, Lives};
use session::Client;
pub(crate) use session::Session;

/// Bytes at the end of a transcript that are searched for what happened last.
const TAIL: u64 = 4 << 20;
/// The same where a session is only to be offered.
const OUTLINE_TAIL: u64 = 512 << 10;
/// Bytes at its start that are searched for the first prompt.
const HEAD: u64 = 512 << 10;
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
    /// The first prompt.
    pub(crate) goal: String,
    pub(crate) branch: Option<String>,
    pub(crate) recovered: Recovered,
}

/// What is needed of a session to offer it.
#[derive(Debug)]
pub(crate) struct Outline {
    /// The first prompt.
    pub(crate) goal: String,
    pub(crate) branch: Option<String>,
    /// When it was last active.
    pub(crate) until: Timestamp,
    /// The sessions whose checkpoints were saved in it, as far back as was looked.
    pub(crate) saved: HashSet<String>,
    /// Whether it is loading a checkpoint just now, or was when it was cut off.
    pub(crate) is_loading: bool,
}

/// The transcripts of one project.
#[derive(Debug)]
pub(crate) struct Transcripts {
    root: PathBuf,
    /// The root as clients write it.
    name: String,
    claude: Option<PathBuf>,
    codex: Option<PathBuf>,
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
        Some(Self {
            name: claude::spelled(root),
            root: root.to_owned(),
            claude: claude::folder(env),
            codex: codex::folder(env),
            live: None,
            commands: limits::COMMANDS,
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
        for folder in self.claude_folders() {
            let file = Found::at(&folder.join(format!("{id}.jsonl")));
            let own = file.and_then(|file| Session::of(Client::ClaudeCode, file));
            let Some(own) = own else { continue };
            let gatherer = self.gather(&own, Some(saved_at), TAIL);
            if gatherer.has_found_something() {
                return Some(self.with_subagents(&own, id, gatherer, Some(saved_at)));
            }
        }
        // The one that ended soonest after the save comes first.
        let sessions = self.sessions().into_iter().rev();
        let later = sessions.filter(|session| session.modified() >= saved_at && session.id != id);
        later.take(SEARCHED).find_map(|session| {
            let gatherer = self.gather(&session, Some(saved_at), TAIL);
            let holds_save = gatherer.has_saved(id);
            holds_save.then(|| self.with_subagents(&session, id, gatherer, Some(saved_at)))
        })
    }

    /// What happened in a session after a time.
    pub(crate) fn after_in(&self, session: &Session, since: Timestamp) -> Recovered {
        let gatherer = self.gather(session, Some(since), TAIL);
        self.with_subagents(session, &session.id, gatherer, Some(since))
    }

    /// Gathers from the last so many bytes of a transcript.
    fn gather(&self, session: &Session, since: Option<Timestamp>, bytes: u64) -> Gatherer {
        let mut gatherer = Gatherer::new(since);
        session
            .file
            .backwards(bytes, |line| match session.client.parse(line) {
                Some(line) if !self.is_foreign(&line) => gatherer.take(line),
                _ => ControlFlow::Continue(()),
            });
        gatherer
    }

    /// All that happened in a session; `server` is the one of the server that it calls, as far as known.
    fn with_subagents(
        &self,
        session: &Session,
        server: &str,
        mut gatherer: Gatherer,
        since: Option<Timestamp>,
    ) -> Recovered {
        if session.client == Client::ClaudeCode {
            let files = claude::subagents(&session.file.folder, &session.id);
            let later = files
                .into_iter()
                .filter(|file| since.is_none_or(|since| file.modified >= since));
            for file in later.take(SUBAGENTS) {
                let mut theirs = Gatherer::new(since);
                file.backwards(SUBAGENT_TAIL, |line| match claude::parse(line) {
                    Some(line) => theirs.take(Line {
                        is_subagents: true,
                        ..line
                    }),
                    None => ControlFlow::Continue(()),
                });
                gatherer.add(theirs);
            }
        }
        let live = self.live.as_deref();
        let is_live = live.is_some_and(|live| live == session.id || live == server);
        gatherer.finish(&self.root, is_live, self.commands)
    }

    /// The account of a session of this project in which a person said something.
    pub(crate) fn account(&self, session: &Session) -> Option<Account> {
        let goal = self.first_prompt(session)?;
        let gatherer = self.gather(session, None, TAIL);
        Some(Account {
            goal,
            branch: gatherer.branch().map(str::to_owned),
            recovered: self.with_subagents(session, &session.id, gatherer, None),
        })
    }

    /// The outline of a session of this project in which a person said something.
    pub(crate) fn outline(&self, session: &Session) -> Option<Outline> {
        let goal = self.first_prompt(session)?;
        let gatherer = self.gather(session, None, OUTLINE_TAIL);
        Some(Outline {
            goal,
            branch: gatherer.branch().map(str::to_owned),
            until: gatherer.until().unwrap_or(session.modified()),
            is_loading: gatherer.is_loading(),
            saved: gatherer.into_saved(),
        })
    }

    /// The first prompt; None also where the transcript is of another project.
    fn first_prompt(&self, session: &Session) -> Option<String> {
        let mut prompt = None;
        session.file.forwards(HEAD, |line| {
            let Some(line) = session.client.parse(line) else {
                return ControlFlow::Continue(());
            };
            if self.is_foreign(&line) {
                return ControlFlow::Break(());
            }
            prompt = line.events.into_iter().find_map(|event| match event {
                Event::Prompt(text) if !line.is_subagents => Some(text),
                _ => None,
            });
            match prompt {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        prompt.map(|prompt| gather::without_secrets(&prompt, limits::GOAL))
    }

    /// How a session ended, by the last of its lines alone.
    pub(crate) fn end(&self, session: &Session) -> End {
        let mut gatherer = Gatherer::new(None);
        let mut is_elsewhere = false;
        session.file.backwards(ENDING, |line| {
            let Some(line) = session.client.parse(line) else {
                return ControlFlow::Continue(());
            };
            is_elsewhere = self.is_foreign(&line);
            let is_known_where = line.cwd.is_some();
            gatherer.take(line)?;
            match gatherer.end() {
                _ if is_elsewhere => ControlFlow::Break(()),
                // The line that the client is ended with does not say where that was.
                End::Clean if !is_known_where => ControlFlow::Continue(()),
                End::Unknown => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        match is_elsewhere {
            true => End::Elsewhere,
            false => gatherer.end(),
        }
    }

    fn is_foreign(&self, line: &Line<'_>) -> bool {
        line.cwd
            .as_deref()
            .is_some_and(|cwd| claude::is_foreign(cwd, &self.name))
    }
}

//! Gathers a session's facts from the lines of its transcript, read from the last one backwards.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Component, Path};

use jiff::Timestamp;

use super::line::{Call, Event, Line};
use crate::checkpoint::limits;
use crate::checkpoint::recovered::{Outcome, Ran, Recovered};
use crate::checkpoint::text::shortened;
use crate::redact::redact;

/// How many prompts are kept.
const PROMPTS: usize = 3;
/// Characters of a text that are searched for secrets before it is shortened, so that none is cut in two.
const SEARCHED: usize = 8_192;

/// How a session ended, as far as its transcript tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// Nothing was found that tells.
    #[default]
    Unknown,
    /// The client was ended in good order.
    Clean,
    /// The agent had finished what it was asked, and the client does not tell more.
    Idle,
    /// The agent had finished, and the client would have written down its own end.
    Cut,
    /// The agent was at work.
    MidTurn,
    /// It was in another project, which shares the folder.
    Elsewhere,
}

/// The facts so far. Those of subagents are taken from their own transcripts, by a gatherer each.
#[derive(Debug, Default)]
pub(super) struct Gatherer {
    /// Only what happened later counts, and reading ends where it begins.
    since: Option<Timestamp>,
    prompts: Vec<String>,
    commands: Vec<Ran>,
    /// Those at the end that have no result yet.
    in_flight: Vec<Ran>,
    /// How many there were but for those.
    commands_run: usize,
    files: Vec<String>,
    summary: Option<String>,
    last_words: Option<String>,
    running: Option<String>,
    /// Whether one of the calls at the end loads a checkpoint.
    is_loading: bool,
    until: Option<Timestamp>,
    branch: Option<String>,
    end: End,
    is_closed: bool,
    /// Whether something followed that waits for the calls before it.
    has_gone_on: bool,
    /// Whether a call followed. If a result stands before that, it is one of the agent's next turn; calls of the
    /// same turn run beside each other, and the result of one says nothing of the others.
    has_called: bool,
    /// Results whose calls are still to come, for those stand before them.
    results: HashMap<String, Outcome>,
    saved: HashSet<String>,
}

impl Gatherer {
    pub(super) fn new(since: Option<Timestamp>) -> Self {
        Self {
            since,
            ..Self::default()
        }
    }

    /// Takes the line before those that it has; breaks where no line before can count.
    pub(super) fn take(&mut self, line: Line<'_>) -> ControlFlow<()> {
        let Line {
            at,
            cwd: _,
            branch,
            is_subagents,
            tells_end,
            events,
        } = line;
        if events.is_empty() {
            return ControlFlow::Continue(());
        }
        if self
            .since
            .is_some_and(|since| at.is_some_and(|at| at <= since))
        {
            return ControlFlow::Break(());
        }
        for event in events.into_iter().rev() {
            if !is_subagents {
                self.see_end(&event, tells_end);
            }
            if event != Event::SessionEnd {
                self.until = self.until.max(at);
            }
            self.see(event, at, is_subagents);
        }
        if self.branch.is_none() {
            self.branch = branch.map(Cow::into_owned);
        }
        ControlFlow::Continue(())
    }

    fn see_end(&mut self, event: &Event, tells_end: bool) {
        if self.end != End::Unknown {
            return;
        }
        self.end = match event {
            Event::SessionEnd => {
                self.is_closed = true;
                return;
            }
            _ if self.is_closed => End::Clean,
            Event::TurnEnd | Event::Summary(_) if tells_end => End::Cut,
            Event::TurnEnd | Event::Summary(_) => End::Idle,
            _ => End::MidTurn,
        };
    }

    fn see(&mut self, event: Event, at: Option<Timestamp>, is_subagents: bool) {
        self.has_gone_on |= matches!(
            event,
            Event::Prompt(_) | Event::Words(_) | Event::Summary(_) | Event::TurnEnd
        );
        match event {
            Event::Prompt(text) if !is_subagents && self.prompts.len() < PROMPTS => {
                self.prompts.push(text);
            }
            Event::Words(text) if !is_subagents => {
                self.last_words.get_or_insert(text);
            }
            Event::Summary(text) if !is_subagents => {
                self.summary.get_or_insert(text);
            }
            Event::Call { id, call } => self.see_call(&id, call, at, is_subagents),
            Event::Result { id, outcome, saved } => {
                self.has_gone_on |= self.has_called;
                self.results.insert(id, outcome);
                self.saved.extend(saved);
            }
            Event::Wrote(path) => self.see_file(path),
            _ => {}
        }
    }

    fn see_call(&mut self, id: &str, call: Call, at: Option<Timestamp>, is_subagents: bool) {
        let outcome = self.results.remove(id).unwrap_or(Outcome::Unknown);
        self.has_called = true;
        let is_in_flight = outcome == Outcome::Unknown && !self.has_gone_on;
        if is_in_flight && !is_subagents {
            let name = match &call {
                Call::Command(text) | Call::Other(text) => Some(text.clone()),
                Call::Write(path) => Some(format!("writing {path}")),
                Call::Own { is_load } => {
                    self.is_loading |= is_load;
                    None
                }
            };
            self.running = self.running.take().or(name);
        }
        match call {
            Call::Command(command) => {
                if command.trim().is_empty() {
                    return;
                }
                self.commands_run += usize::from(!is_in_flight);
                let list = match is_in_flight {
                    true => &mut self.in_flight,
                    false => &mut self.commands,
                };
                if list.len() < limits::COMMANDS {
                    list.push(Ran {
                        command,
                        outcome,
                        at,
                    });
                }
            }
            Call::Write(path) if outcome == Outcome::Exit(0) => self.see_file(path),
            Call::Write(_) | Call::Own { .. } | Call::Other(_) => {}
        }
    }

    fn see_file(&mut self, path: String) {
        if self.files.len() < limits::FILES && !path.is_empty() && !self.files.contains(&path) {
            self.files.push(path);
        }
    }

    /// Adds what subagents did.
    pub(super) fn add(&mut self, other: Self) {
        self.commands.extend(other.commands);
        self.in_flight.extend(other.in_flight);
        self.commands_run += other.commands_run;
        for file in other.files {
            self.see_file(file);
        }
        self.until = self.until.max(other.until);
    }

    pub(super) fn end(&self) -> End {
        match self.end {
            End::Unknown if self.is_closed => End::Clean,
            end => end,
        }
    }

    pub(super) fn has_found_something(&self) -> bool {
        self.until.is_some()
    }

    /// Whether a load runs at its end: who reads this transcript does so in its session.
    pub(super) fn is_loading(&self) -> bool {
        self.is_loading
    }

    pub(super) fn has_saved(&self, session: &str) -> bool {
        self.saved.contains(session)
    }

    pub(super) fn into_saved(self) -> HashSet<String> {
        self.saved
    }

    pub(super) fn until(&self) -> Option<Timestamp> {
        self.until
    }

    pub(super) fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    /// Everything, without its secrets, and within the limits of a checkpoint's fields; of the commands the last
    /// `commands`.
    ///
    /// Of a live session the calls at the end are no unfinished ones: this program runs within one of them.
    pub(super) fn finish(self, root: &Path, is_live: bool, commands: usize) -> Recovered {
        let is_live = is_live || self.is_loading;
        let end = self.end();
        let oldest_first = |mut list: Vec<String>| {
            list.reverse();
            list
        };
        let prompts = oldest_first(self.prompts);
        let mut ran = self.commands;
        let mut commands_run = self.commands_run;
        if !is_live {
            commands_run += self.in_flight.len();
            ran.splice(0..0, self.in_flight);
        }
        // The last first; what subagents ran came in between.
        ran.sort_by_key(|ran| std::cmp::Reverse(ran.at));
        ran.truncate(commands);
        let commands = ran.into_iter().rev().map(|ran| Ran {
            command: without_secrets(&ran.command, limits::COMMAND),
            ..ran
        });
        let files = oldest_first(self.files);
        Recovered {
            prompts: prompts
                .iter()
                .map(|text| without_secrets(text, limits::GOAL))
                .collect(),
            commands: commands.collect(),
            commands_run,
            files: files
                .iter()
                .filter_map(|path| relative(path, root))
                .collect(),
            summary: self
                .summary
                .map(|text| without_secrets(&text, limits::SUMMARY / 2)),
            last_words: self
                .last_words
                .map(|text| without_secrets(&text, limits::SUMMARY / 4)),
            running: self
                .running
                .filter(|_| !is_live)
                .map(|text| without_secrets(&text, limits::COMMAND)),
            breaks_off: end == End::MidTurn && !is_live,
            until: self.until,
        }
    }
}

/// A text of at most so many characters, of which no secret can be read.
pub(super) fn without_secrets(text: &str, limit: usize) -> String {
    let searched = shortened(text, SEARCHED);
    let mut text = shortened(&redact(searched.trim()).text, limit.saturating_sub(1));
    // What a cut leaves of a mark is redacted once more, so that a save finds nothing left to do.
    if text.ends_with('…') {
        text = redact(&text).text;
    }
    shortened(&text, limit)
}

/// A path as checkpoints have it; None outside the root.
pub(super) fn relative(path: &str, root: &Path) -> Option<String> {
    let path = Path::new(path);
    let inside = match path.is_absolute() {
        true => path.strip_prefix(root).ok()?,
        false => path,
    };
    let parts: Option<Vec<&str>> = inside
        .components()
        .filter(|component| *component != Component::CurDir)
        .map(|component| match component {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    Some(parts?.join("/")).filter(|path| !path.is_empty())
}

//! Gathers a session's facts from the lines of its transcript, read from the last one backwards.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use jiff::Timestamp;

use super::line::{Call, Event, Line};
use super::paths;
use crate::checkpoint::fields;
use crate::checkpoint::recovered::{GoalFrom, Outcome, Ran, Recovered};
use crate::checkpoint::text::shortened;
use crate::redact::redact;

/// How many prompts are kept.
const PROMPTS: usize = 3;
/// Characters of a text that are searched for secrets before it is shortened, so that no secret is cut in two and missed.
const SEARCHED: usize = 8_192;

/// How a session ended, as far as its transcript tells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// The transcript does not tell.
    #[default]
    Unknown,
    /// The client wrote that it ended.
    Clean,
    /// The agent had finished its turn; this client writes nothing when it ends.
    Idle,
    /// The agent had finished its turn, but the client did not write its end, as it does otherwise.
    Cut,
    /// The agent was at work.
    MidTurn,
    /// It was in another project, which shares the folder.
    Elsewhere,
}

/// The goal of a session in which nobody asked for anything in words.
const NO_PROMPT: &str = "(no prompt)";

/// What a session is about. It is read from its end, and yet the first prompt counts, and of titles the last.
#[derive(Debug, Default)]
pub(super) struct Opening {
    prompt: Option<String>,
    command: Option<String>,
    persons_title: Option<String>,
    clients_title: Option<String>,
    summary: Option<String>,
    words: Option<String>,
    /// Whether the agent did anything.
    has_acted: bool,
    /// Whether a person was seen to use it, or a program.
    is_persons: bool,
    is_programs: bool,
}

impl Opening {
    fn see(&mut self, event: &Event) {
        match event {
            Event::Prompt(text) => self.prompt = Some(text.clone()),
            // With arguments behind it, a command asks for as much as any other prompt.
            Event::Command(text) if text.contains(' ') => self.prompt = Some(text.clone()),
            Event::Command(text) => self.command = Some(text.clone()),
            Event::Summary(text) => self.summary = Some(text.clone()),
            Event::Words(text) => self.words = Some(text.clone()),
            Event::Title { text, is_persons } if !text.is_empty() => {
                let title = match is_persons {
                    true => &mut self.persons_title,
                    false => &mut self.clients_title,
                };
                title.get_or_insert_with(|| text.clone());
            }
            Event::Call { .. } | Event::Wrote(_) => self.has_acted = true,
            _ => {}
        }
    }

    /// Adds what another part of the session tells.
    pub(super) fn or(self, later: Self) -> Self {
        Self {
            prompt: self.prompt.or(later.prompt),
            command: self.command.or(later.command),
            persons_title: later.persons_title.or(self.persons_title),
            clients_title: later.clients_title.or(self.clients_title),
            summary: self.summary.or(later.summary),
            words: self.words.or(later.words),
            has_acted: self.has_acted || later.has_acted,
            is_persons: self.is_persons || later.is_persons,
            is_programs: self.is_programs || later.is_programs,
        }
    }

    /// Whether programs alone spoke to the agent.
    pub(super) fn is_headless(&self) -> bool {
        self.is_programs && !self.is_persons
    }

    /// What the session is about (docs/contract.md, section 15), without secrets; None where nothing was asked, said or done.
    pub(super) fn into_goal(self) -> Option<(String, GoalFrom)> {
        let Self {
            prompt,
            command,
            persons_title,
            clients_title,
            summary,
            words,
            has_acted,
            is_persons: _,
            is_programs: _,
        } = self;
        let found = [
            (prompt.or(command), GoalFrom::Prompt),
            (persons_title.or(clients_title), GoalFrom::Title),
            (summary, GoalFrom::Summary),
            (words, GoalFrom::Words),
        ];
        // A name alone is no session.
        let is_empty =
            |(text, from): &(Option<String>, GoalFrom)| text.is_none() || *from == GoalFrom::Title;
        if found.iter().all(is_empty) && !has_acted {
            return None;
        }
        let mut found = found.into_iter();
        let goal = found.find_map(|(text, from)| Some((text?, from)));
        let (goal, from) = goal.unwrap_or((NO_PROMPT.to_owned(), GoalFrom::Prompt));
        Some((without_secrets(&goal, fields::GOAL.limit), from))
    }
}

/// The facts so far. A subagent's come from its own transcript, through a gatherer of its own.
#[derive(Debug, Default)]
pub(super) struct Gatherer {
    /// The project's folder as clients write it, and the folders that it was in before.
    roots: Vec<String>,
    /// Only what happened later counts, and reading ends where it begins.
    since: Option<Timestamp>,
    opening: Opening,
    prompts: Vec<String>,
    /// What was asked so far, so that a prompt which waited for its turn is not kept twice.
    asked: HashSet<String>,
    /// Whether the prompts that waited were taken back.
    is_queue_cleared: bool,
    commands: Vec<Ran>,
    /// Those at the end that have no result yet.
    in_flight: Vec<Ran>,
    /// How many there were but for those.
    commands_run: usize,
    files: Vec<String>,
    /// What the person called the session.
    title: Option<String>,
    summary: Option<String>,
    last_words: Option<String>,
    running: Option<String>,
    /// Whether one of the calls at the end loads a checkpoint.
    is_loading: bool,
    until: Option<Timestamp>,
    branch: Option<String>,
    end: End,
    is_closed: bool,
    /// Whether something followed for which the calls before it must have ended.
    has_gone_on: bool,
    /// Whether a call followed. If a result stands before that, it is one of the agent's next turn; calls of the
    /// same turn run beside each other, and the result of one says nothing of the others.
    has_called: bool,
    /// Results whose calls are still to come, for those stand before them.
    results: HashMap<String, Outcome>,
    saved: HashSet<String>,
}

impl Gatherer {
    pub(super) fn new(roots: &[String], since: Option<Timestamp>) -> Self {
        Self {
            roots: roots.to_vec(),
            since,
            ..Self::default()
        }
    }

    /// Whether a line is older than everything that counts.
    pub(super) fn is_too_old(&self, line: &Line<'_>) -> bool {
        self.since
            .is_some_and(|since| line.at.is_some_and(|at| at <= since))
    }

    /// Takes the next line towards the start; breaks where no older line can count.
    pub(super) fn take(&mut self, line: Line<'_>) -> ControlFlow<()> {
        let is_too_old = self.is_too_old(&line);
        let Line {
            at,
            cwd,
            branch,
            place: _,
            leaf: _,
            record: _,
            rewound_to: _,
            is_headless,
            is_subagents,
            tells_end,
            events,
        } = line;
        if !is_subagents && !is_too_old {
            self.opening.is_persons |= is_headless == Some(false);
            self.opening.is_programs |= is_headless == Some(true);
            self.branch = self.branch.take().or(branch.map(Cow::into_owned));
        }
        if events.is_empty() {
            return ControlFlow::Continue(());
        }
        if is_too_old {
            return ControlFlow::Break(());
        }
        for event in events.into_iter().rev() {
            let event = match event {
                Event::Queued(text) => {
                    if self.is_queue_cleared || self.asked.contains(&text) {
                        continue;
                    }
                    Event::Prompt(text)
                }
                Event::Unqueued(text) => {
                    self.is_queue_cleared |= text.is_empty();
                    self.asked.insert(text);
                    continue;
                }
                event => event,
            };
            if !is_subagents {
                self.opening.see(&event);
                self.see_end(&event, tells_end);
            }
            if !matches!(event, Event::SessionEnd | Event::Title { .. }) {
                self.until = self.until.max(at);
            }
            self.see(event, at, cwd.as_deref(), is_subagents);
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
            Event::Title { .. } => return,
            _ if self.is_closed => End::Clean,
            Event::TurnEnd | Event::Summary(_) if tells_end => End::Cut,
            Event::TurnEnd | Event::Summary(_) => End::Idle,
            _ => End::MidTurn,
        };
    }

    fn see(&mut self, event: Event, at: Option<Timestamp>, cwd: Option<&str>, is_subagents: bool) {
        self.has_gone_on |= matches!(
            event,
            Event::Prompt(_)
                | Event::Command(_)
                | Event::Words(_)
                | Event::Summary(_)
                | Event::TurnEnd
        );
        match event {
            Event::Prompt(text) | Event::Command(text) if !is_subagents => {
                if self.prompts.len() < PROMPTS && self.prompts.last() != Some(&text) {
                    self.prompts.push(text.clone());
                }
                self.asked.insert(text);
            }
            Event::Words(text) if !is_subagents => {
                self.last_words.get_or_insert(text);
            }
            Event::Summary(text) if !is_subagents => {
                self.summary.get_or_insert(text);
            }
            Event::Title { text, is_persons } if is_persons && !is_subagents => {
                self.title.get_or_insert(text);
            }
            Event::Call { id, call } => self.see_call(&id, call, at, cwd, is_subagents),
            Event::Result { id, outcome, saved } => {
                self.has_gone_on |= self.has_called;
                self.results.insert(id, outcome);
                self.saved.extend(saved);
            }
            Event::Wrote(path) => self.see_file(&path, cwd),
            _ => {}
        }
    }

    fn see_call(
        &mut self,
        id: &str,
        call: Call,
        at: Option<Timestamp>,
        cwd: Option<&str>,
        is_subagents: bool,
    ) {
        let outcome = self.results.remove(id).unwrap_or(Outcome::Unknown);
        self.has_called = true;
        let is_in_flight = outcome == Outcome::Unknown && !self.has_gone_on;
        if is_in_flight && !is_subagents {
            let name = match &call {
                Call::Command(text) | Call::Other(text) => Some(text.clone()),
                Call::Write(path) => Some(format!("writing {path}")),
                Call::Patch(paths) => paths.first().map(|path| format!("writing {path}")),
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
                if list.len() < fields::COMMANDS.entries {
                    list.push(Ran {
                        command,
                        outcome,
                        at,
                    });
                }
            }
            Call::Write(path) if outcome == Outcome::Exit(0) => self.see_file(&path, cwd),
            Call::Patch(paths) if outcome == Outcome::Exit(0) => {
                for path in paths {
                    self.see_file(&path, cwd);
                }
            }
            Call::Write(_) | Call::Patch(_) | Call::Own { .. } | Call::Other(_) => {}
        }
    }

    /// Files outside the project take no room from its own.
    fn see_file(&mut self, path: &str, cwd: Option<&str>) {
        let mut roots = self.roots.iter();
        let relative = roots.find_map(|root| paths::relative(path, cwd, root));
        self.files
            .extend(relative.filter(|path| !self.files.contains(path)));
        self.files.truncate(fields::FILES.entries);
    }

    /// Adds what subagents did.
    pub(super) fn add(&mut self, other: Self) {
        self.commands.extend(other.commands);
        self.in_flight.extend(other.in_flight);
        self.commands_run += other.commands_run;
        let files = other
            .files
            .into_iter()
            .filter(|path| !self.files.contains(path));
        let files: Vec<String> = files.collect();
        self.files.extend(files);
        self.files.truncate(fields::FILES.entries);
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

    /// Whether it is known if a person spoke to the agent.
    pub(super) fn knows_who_spoke(&self) -> bool {
        self.opening.is_persons || self.opening.is_programs
    }

    /// Whether a load runs at its end, so that whoever reads this transcript is this very session.
    pub(super) fn is_loading(&self) -> bool {
        self.is_loading
    }

    pub(super) fn has_saved(&self, session: &str) -> bool {
        self.saved.contains(session)
    }

    pub(super) fn take_saved(&mut self) -> HashSet<String> {
        std::mem::take(&mut self.saved)
    }

    pub(super) fn take_opening(&mut self) -> Opening {
        std::mem::take(&mut self.opening)
    }

    pub(super) fn until(&self) -> Option<Timestamp> {
        self.until
    }

    pub(super) fn branch(&self) -> Option<String> {
        self.branch.as_deref().map(|branch| redact(branch).text)
    }

    /// Everything, without its secrets, and within the limits of a checkpoint's fields; of the commands the last
    /// `commands`.
    ///
    /// In a live session the calls at the end are not unfinished: this program runs within one of them.
    pub(super) fn finish(self, is_live: bool, commands: usize) -> Recovered {
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
            command: without_secrets(&ran.command, fields::COMMANDS.limit),
            ..ran
        });
        let files = oldest_first(self.files);
        Recovered {
            prompts: prompts
                .iter()
                .map(|text| without_secrets(text, fields::GOAL.limit))
                .collect(),
            commands: commands.collect(),
            commands_run,
            files,
            title: self
                .title
                .map(|text| without_secrets(&text, fields::GOAL.limit)),
            summary: self
                .summary
                .map(|text| without_secrets(&text, fields::SUMMARY.limit / 2)),
            last_words: self
                .last_words
                .map(|text| without_secrets(&text, fields::SUMMARY.limit / 4)),
            running: self
                .running
                .filter(|_| !is_live)
                .map(|text| without_secrets(&text, fields::COMMANDS.limit)),
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

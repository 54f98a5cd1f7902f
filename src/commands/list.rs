//! `list`: the checkpoints of a project, newest first (docs/contract.md, section 11).

mod filter;
mod rank;

use std::cmp::Reverse;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Argument, Context, Kind, Reader, Words, counted, everywhere, fit, harmless, provenance,
    read_from_backup, recover, with_warnings,
};
use crate::checkpoint::format::{Checkpoint, Client};
use crate::checkpoint::text::shortened;
use crate::checkpoint::{limits, markdown, time};
use crate::env::Deadline;
use crate::git;
use crate::redact::redact;
use crate::store::Loaded;
use crate::store::selector::{Name, Selector, Starts};
use crate::transcript::Lives;
pub(crate) use filter::{Filter, words};
pub(crate) use rank::Rank;

/// How many entries are listed where the request names no limit.
const DEFAULT_LIMIT: usize = 10;
/// How long reading the checkpoints may take; thousands of them take a part of it.
const READ_TIME: Duration = Duration::from_secs(3);

/// What an agent may pass.
pub(crate) const ARGUMENTS: [Argument; 3] = [
    Argument {
        name: "limit",
        kind: Kind::Count,
    },
    Argument {
        name: "query",
        kind: Kind::Text,
    },
    Argument {
        name: "everywhere",
        kind: Kind::Flag,
    },
];

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Request {
    /// How many entries at most; 0 for all, not given for 10.
    pub(crate) limit: Option<usize>,
    /// Words that all have to stand in a checkpoint's texts.
    pub(crate) query: Option<String>,
    /// Whether to list those of every project that the clients know.
    #[serde(default)]
    pub(crate) everywhere: bool,
    /// Whether to list the sessions that can be recovered, too; for people, not for agents.
    #[serde(skip)]
    pub(crate) all: bool,
    /// Whether the list only helps with something else, so that its warnings are to be few; for people, not for agents.
    #[serde(skip)]
    pub(crate) as_aside: bool,
    /// Whether those of the branch that is checked out come first; for people, not for agents.
    #[serde(skip)]
    pub(crate) own_branch_first: bool,
    /// What to leave out; for people, not for agents.
    #[serde(skip)]
    pub(crate) filter: Filter,
}

#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    pub(crate) text: String,
    /// The directory that was listed.
    pub(crate) path: String,
    pub(crate) entries: Vec<Entry>,
    /// Those that the filter lets through.
    pub(crate) total: usize,
    pub(crate) omitted: usize,
    pub(crate) warnings: Vec<String>,
    /// With those that the filter leaves out.
    #[serde(skip)]
    pub(crate) unfiltered: usize,
    /// Those that the filter leaves out because they are finished.
    #[serde(skip)]
    pub(crate) done_left_out: usize,
    /// Where further sessions are, for people.
    #[serde(skip)]
    pub(crate) elsewhere: Vec<String>,
}

/// One checkpoint in a list.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    pub(crate) selector: String,
    pub(crate) goal: String,
    /// Left out where the file could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated_at: Option<String>,
    pub(crate) age: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch: Option<String>,
    pub(crate) all_tasks_done: bool,
    pub(crate) tasks_done: usize,
    pub(crate) tasks: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// The client that saved it, where it said what it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) client: Option<Client>,
    /// Whether somebody said that it is finished.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) done: bool,
    pub(crate) is_current_session: bool,
    pub(crate) from_backup: bool,
    /// The machine that a sync brought it from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) machine: Option<String>,
    /// Whether there is no checkpoint, but a transcript from which the session can be recovered.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) recoverable: bool,
    /// Whether the client of the session runs, where that is known; if not, it was killed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) running: Option<bool>,
    /// Whether no person spoke in the session, as far as a transcript tells.
    #[serde(skip)]
    pub(crate) is_headless: bool,
    /// The project's name and root, where those of several are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) project: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) project_root: Option<String>,
    /// Its name, or as much of the selector as names it in this project.
    #[serde(skip)]
    pub(crate) short: String,
    /// As it stands in the file; None where there is none that could be read.
    #[serde(skip)]
    pub(super) checkpoint: Option<Checkpoint>,
}

impl Entry {
    /// Whether it is another session's that goes on.
    pub(crate) fn runs_elsewhere(&self) -> bool {
        self.running == Some(true) && !self.is_current_session
    }

    pub(crate) fn was_killed(&self) -> bool {
        self.running == Some(false) && !self.is_current_session
    }

    /// The whole checkpoint with its secrets redacted.
    pub(crate) fn contents(&self) -> Option<Checkpoint> {
        let mut checkpoint = self.checkpoint.clone()?;
        checkpoint.for_each_prose(|text| *text = redact(text).text);
        Some(checkpoint)
    }
}

/// Every checkpoint, newest first and unreadable ones last.
pub(super) struct Entries {
    pub(super) entries: Vec<Entry>,
    /// Those that cannot be read, each with why.
    faults: Vec<(Selector, String)>,
    warnings: Vec<String>,
}

impl Entries {
    /// What there is to warn of, with a warning for each that cannot be read.
    fn all_warnings(&self) -> Vec<String> {
        let faults = self.faults.iter().map(|(_, why)| why.clone());
        faults.chain(self.warnings.iter().cloned()).collect()
    }

    /// What there is to warn of where the list is not what was asked for: many that cannot be read are one warning.
    pub(super) fn few_warnings(&self) -> Vec<String> {
        /// So many are told each by itself; of more, so many are named.
        const TOLD: usize = 3;
        if self.faults.len() <= TOLD {
            return self.all_warnings();
        }
        let named = self.faults.iter().take(TOLD);
        let named: Vec<String> = named.map(|(selector, _)| format!("`{selector}`")).collect();
        let unreadable = format!(
            "{} cannot be read ({} and {} more); `ckpt list` says why",
            counted(self.faults.len(), "checkpoint"),
            named.join(", "),
            self.faults.len() - TOLD
        );
        [&[unreadable], &self.warnings[..]].concat()
    }
}

pub(crate) fn run(context: &Context, request: &Request) -> anyhow::Result<Outcome> {
    let (mut entries, warnings) = match request.everywhere {
        true => {
            let found = everywhere::entries(context, request.all)?;
            (found.entries, found.warnings)
        }
        false => {
            let found = entries(context)?;
            let warnings = match request.as_aside {
                true => found.few_warnings(),
                false => found.all_warnings(),
            };
            (found.entries, warnings)
        }
    };
    let unfiltered = entries.len();
    let query = words(request.query.as_deref().unwrap_or_default())?;
    let admits = |entry: &Entry| request.filter.admits(entry) && filter::mentions(entry, &query);
    let done_left_out = entries.iter().filter(|entry| entry.done && !admits(entry));
    let done_left_out = match request.filter.without_done {
        true => done_left_out.count(),
        false => 0,
    };
    entries.retain(admits);
    let saved = entries.len();
    let limit = match request.limit.unwrap_or(DEFAULT_LIMIT) {
        0 => usize::MAX,
        limit => limit,
    };
    let mut total = saved;
    let mut elsewhere = Vec::new();
    if request.all && !request.everywhere {
        let recoverable = recover::entries(context);
        let admitted = recoverable.entries.into_iter();
        entries.extend(admitted.filter(admits));
        newest_first(&mut entries);
        total = entries.len() + recoverable.unopened;
        elsewhere = recover::elsewhere(context, Reader::Person);
    }
    if request.own_branch_first
        && let Some(branch) = git::branch(context.store.root())
    {
        entries.sort_by_key(|entry| entry.branch.as_ref() != Some(&branch));
    }
    entries.truncate(limit);
    // A person needs no more of many than an agent.
    let warnings = fit::warnings(harmless(
        context.words,
        [context.warnings.clone(), warnings].concat(),
    ));
    let mut outcome = Outcome {
        text: String::new(),
        path: context.store.directory().display().to_string(),
        entries,
        total,
        omitted: 0,
        warnings,
        unfiltered,
        done_left_out,
        elsewhere,
    };
    outcome.tell(saved, request.everywhere);
    if context.words == Words::Json {
        // The list ends where there is no more room, and the rest is counted.
        while !outcome.entries.is_empty() && !fit::fits(&outcome)? {
            outcome.entries.truncate(outcome.entries.len() * 4 / 5);
            outcome.tell(saved, request.everywhere);
        }
    }
    Ok(outcome)
}

impl Outcome {
    /// Says as text what the entries are of so many checkpoints, and how many more there would be.
    fn tell(&mut self, saved: usize, everywhere: bool) {
        self.omitted = self.total - self.entries.len();
        let listed = self.entries.iter().filter(|entry| !entry.recoverable);
        let listed = Vec::from_iter(listed.cloned());
        let whose = match everywhere {
            true => "all projects'",
            false => "the project's",
        };
        let text = if self.unfiltered == 0 && everywhere {
            "No checkpoints in any project that the clients know.".to_owned()
        } else if self.unfiltered == 0 {
            "No checkpoints in this project.".to_owned()
        } else if saved == 0 {
            format!(
                "None of {whose} {} matches.",
                counted(self.unfiltered, "checkpoint")
            )
        } else {
            let newest = match saved > listed.len() {
                true => format!(", newest {}", listed.len()),
                false => String::new(),
            };
            format!(
                "{}{newest}:\n{}",
                counted(saved, "checkpoint"),
                lines(&listed)
            )
        };
        self.text = with_warnings(text, &self.warnings);
    }
}

/// Puts the latest first and those that cannot be read last, and behind a person's sessions those of programs.
pub(super) fn newest_first(entries: &mut [Entry]) {
    entries.sort_by_key(|entry| (entry.is_headless, Reverse(entry.updated_at.clone())));
}

/// The checkpoints of a project by themselves, without asking git whose they are.
pub(super) fn bare(context: &Context) -> anyhow::Result<Vec<Entry>> {
    Ok(read(context, |selector| context.store.load(selector))?
        .0
        .entries)
}

/// One line of text for each entry.
pub(super) fn lines(entries: &[Entry]) -> String {
    /// Characters of a goal.
    const SHOWN: usize = 200;
    let mut text = String::new();
    for entry in entries {
        let mut facts = vec![entry.age.clone()];
        let name = entry.name.as_deref();
        facts.extend(name.map(|name| format!("named {}", markdown::code(name))));
        facts.extend(entry.branch.as_deref().map(markdown::code));
        let root = entry.project_root.as_deref();
        facts.extend(root.map(|root| format!("in {}", markdown::code(root))));
        let machine = entry.machine.as_deref().map(markdown::line);
        facts.extend(machine.map(|machine| format!("from {machine}")));
        let marks = [
            (entry.done, "done"),
            (entry.all_tasks_done, "all tasks done"),
            (entry.is_current_session, "this session"),
            (entry.from_backup, "from backup"),
            (entry.recoverable, "recoverable"),
            (entry.runs_elsewhere(), "still runs"),
            (entry.was_killed(), "was killed"),
        ];
        facts.extend(
            marks
                .iter()
                .filter(|(is, _)| *is)
                .map(|(_, mark)| (*mark).to_owned()),
        );
        let goal = markdown::line(&shortened(&entry.goal, SHOWN));
        text.push_str(&format!(
            "- `{}` {goal} ({})\n",
            entry.selector,
            facts.join(", ")
        ));
    }
    text
}

pub(super) fn entries(context: &Context) -> anyhow::Result<Entries> {
    entries_by(context, |selector| context.store.load(selector))
}

/// The same, with how each checkpoint is read.
pub(super) fn entries_by(
    context: &Context,
    load: impl FnMut(&Selector) -> anyhow::Result<Option<Loaded>>,
) -> anyhow::Result<Entries> {
    let (mut entries, files) = read(context, load)?;
    let warnings = provenance::warnings(context, &files);
    entries.warnings.extend(warnings);
    Ok(entries)
}

/// All of them, and of those that could be read whence they are.
fn read(
    context: &Context,
    mut load: impl FnMut(&Selector) -> anyhow::Result<Option<Loaded>>,
) -> anyhow::Result<(Entries, Vec<provenance::Listed>)> {
    let mut dated: Vec<(Option<Timestamp>, Entry)> = Vec::new();
    let mut faults = Vec::new();
    let mut warnings = Vec::new();
    let own = context.own_selector()?;
    let lives = Lives::read(&context.env);
    let deadline = Deadline::after(READ_TIME);
    let mut unread = 0;
    let mut files = Vec::new();
    let selectors = context.store.selectors()?;
    let starts = Starts::new(&selectors);
    for selector in &selectors {
        let short = starts.of(selector).to_owned();
        let is_current_session = own.as_ref() == Some(selector);
        if deadline.has_passed() {
            unread += 1;
            dated.push((None, unreadable(selector, short, is_current_session)));
            continue;
        }
        match load(selector) {
            Ok(None) => {}
            Ok(Some(loaded)) => {
                if let Some(fault) = &loaded.main_fault {
                    warnings.push(read_from_backup(selector, fault));
                }
                files.push(provenance::Listed {
                    selector: selector.clone(),
                    file: loaded.file,
                    is_foreign: loaded.is_foreign,
                });
                let checkpoint = loaded.checkpoint;
                let now = context.env.now;
                let (tasks_done, tasks) = checkpoint.progress();
                // Whoever wrote the file may call it anything.
                let name = checkpoint.name.clone();
                let name = name.filter(|name| Name::parse(name).is_ok());
                let short = name.clone().unwrap_or(short);
                if time::is_future(checkpoint.updated_at, now) {
                    warnings.push(future(selector, checkpoint.updated_at));
                }
                dated.push((
                    Some(checkpoint.updated_at.min(now)),
                    Entry {
                        selector: selector.to_string(),
                        updated_at: Some(time::format(checkpoint.updated_at)),
                        age: time::age(checkpoint.updated_at, context.env.now),
                        all_tasks_done: checkpoint.all_tasks_done(),
                        is_current_session,
                        from_backup: loaded.main_fault.is_some(),
                        machine: checkpoint.meta.machine.clone(),
                        recoverable: false,
                        running: lives.of(selector.as_str()).is_running(),
                        is_headless: false,
                        project: None,
                        project_root: None,
                        short,
                        tasks_done,
                        tasks,
                        name,
                        client: checkpoint.client.clone(),
                        done: checkpoint.done,
                        branch: checkpoint.git.as_ref().and_then(|git| git.branch.clone()),
                        goal: shortened(&redact(&checkpoint.goal.primary).text, limits::GOAL),
                        checkpoint: Some(checkpoint),
                    },
                ));
            }
            Err(error) => {
                faults.push((selector.clone(), format!("{error:#}")));
                dated.push((None, unreadable(selector, short, is_current_session)));
            }
        }
    }
    if unread > 0 {
        warnings.push(format!(
            "{} could not be read in {} s",
            counted(unread, "checkpoint"),
            READ_TIME.as_secs()
        ));
    }
    // None, an unreadable one, is less than any time.
    dated.sort_by(|(a, _), (b, _)| b.cmp(a));
    let entries = dated.into_iter().map(|(_, entry)| entry).collect();
    let entries = Entries {
        entries,
        faults,
        warnings,
    };
    Ok((entries, files))
}

/// A warning of a time that cannot be true.
pub(super) fn future(selector: &Selector, at: Timestamp) -> String {
    let at = time::format(at);
    format!(
        "checkpoint `{selector}` is dated in the future ({at}), which says that a clock is or was wrong"
    )
}

fn unreadable(selector: &Selector, short: String, is_current_session: bool) -> Entry {
    Entry {
        selector: selector.to_string(),
        goal: "(unreadable)".to_owned(),
        updated_at: None,
        age: "unknown".to_owned(),
        branch: None,
        all_tasks_done: false,
        is_current_session,
        from_backup: false,
        machine: None,
        recoverable: false,
        running: None,
        is_headless: false,
        project: None,
        project_root: None,
        short,
        tasks_done: 0,
        tasks: 0,
        name: None,
        client: None,
        done: false,
        checkpoint: None,
    }
}

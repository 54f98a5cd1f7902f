//! The checkpoints of a project as a list shows them, each read from its file (docs/contract.md, section 11).

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use super::{Context, counted, name, provenance, read_from_backup};
use crate::checkpoint::format::{Checkpoint, Client};
use crate::checkpoint::text::shortened;
use crate::checkpoint::{fields, markdown, time};
use crate::env::Deadline;
use crate::redact::redact;
use crate::store::Loaded;
use crate::store::selector::{Name, Selector, Starts};
use crate::transcript::Lives;

/// How long reading the checkpoints may take; thousands of them take a part of it.
const READ_TIME: Duration = Duration::from_secs(3);

/// One checkpoint in a list.
#[derive(Debug, Clone, Default, Serialize)]
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
    /// Whether it is no checkpoint, but the text of an edit that was not written.
    #[serde(skip)]
    pub(crate) is_draft: bool,
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
    /// Its name, or as much of the selector as leads to it in this project.
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

    /// Whether there is a checkpoint that could be read.
    pub(crate) fn is_saved(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// The whole checkpoint with its secrets redacted.
    pub(crate) fn contents(&self) -> Option<Checkpoint> {
        let mut checkpoint = self.checkpoint.clone()?;
        checkpoint.for_each_prose(|text| *text = redact(text).text);
        Some(checkpoint)
    }
}

impl Entry {
    /// One of which no more is known than its file's name.
    fn unreadable(selector: &Selector) -> Self {
        Self {
            selector: selector.to_string(),
            goal: "(unreadable)".to_owned(),
            age: "unknown".to_owned(),
            ..Self::default()
        }
    }

    /// The same with what its file holds.
    fn read(self, loaded: Loaded, now: Timestamp, names: &mut Names) -> Self {
        let Loaded {
            checkpoint,
            main_fault,
            ..
        } = loaded;
        let (tasks_done, tasks) = checkpoint.progress();
        // Whoever wrote the file may call it anything.
        let name = checkpoint.name.clone();
        let name = name.filter(|it| Name::parse(it).is_ok() && name::is_harmless(it));
        let mut redacted = |text: &String| names.redacted(text);
        let git = checkpoint.git.as_ref();
        Self {
            goal: shortened(&redact(&checkpoint.goal.primary).text, fields::GOAL.limit),
            updated_at: Some(time::format(checkpoint.updated_at)),
            age: time::age(checkpoint.updated_at, now),
            branch: git.and_then(|git| git.branch.as_ref().map(&mut redacted)),
            all_tasks_done: checkpoint.all_tasks_done(),
            tasks_done,
            tasks,
            name,
            client: checkpoint.client.as_ref().map(|client| Client {
                name: redacted(&client.name),
                version: redacted(&client.version),
                ..Client::default()
            }),
            done: checkpoint.done,
            from_backup: main_fault.is_some(),
            machine: checkpoint.meta.machine.as_ref().map(&mut redacted),
            checkpoint: Some(checkpoint),
            ..self
        }
    }
}

/// Names of branches, clients and machines without their secrets. Those of one project are few.
#[derive(Default)]
struct Names(HashMap<String, String>);

impl Names {
    fn redacted(&mut self, name: &str) -> String {
        if let Some(known) = self.0.get(name) {
            return known.clone();
        }
        let redacted = redact(name).text;
        self.0.insert(name.to_owned(), redacted.clone());
        redacted
    }
}

/// Every checkpoint, newest first and unreadable ones last.
pub(super) struct Entries {
    pub(super) entries: Vec<Entry>,
    /// Those that cannot be read, each with why.
    faults: Vec<(Selector, String)>,
    warnings: Vec<String>,
    /// What there was no time to read. It is told first, for of very many warnings the last are only counted.
    unread: Option<String>,
}

impl Entries {
    /// What there is to warn of, with a warning for each that cannot be read.
    pub(super) fn all_warnings(&self) -> Vec<String> {
        let faults = self.faults.iter().map(|(_, why)| why.clone());
        let unread = self.unread.iter().cloned();
        unread
            .chain(faults)
            .chain(self.warnings.iter().cloned())
            .collect()
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
        let unread = self.unread.as_slice();
        [unread, &[unreadable], &self.warnings].concat()
    }
}

/// Every checkpoint of the project.
pub(super) fn all(context: &Context) -> anyhow::Result<Entries> {
    all_by(context, |selector| context.store.load(selector))
}

/// The same, with how each checkpoint is read.
pub(super) fn all_by(
    context: &Context,
    load: impl FnMut(&Selector) -> anyhow::Result<Option<Loaded>>,
) -> anyhow::Result<Entries> {
    let (mut entries, files) = read(context, load)?;
    let warnings = provenance::warnings(context, &files);
    entries.warnings.extend(warnings);
    Ok(entries)
}

/// The same without asking git whose the files are, and without what there is to warn of.
pub(super) fn bare(context: &Context) -> anyhow::Result<Vec<Entry>> {
    let (entries, _) = read(context, |selector| context.store.load(selector))?;
    Ok(entries.entries)
}

/// All of them, and the files of those that could be read.
fn read(
    context: &Context,
    mut load: impl FnMut(&Selector) -> anyhow::Result<Option<Loaded>>,
) -> anyhow::Result<(Entries, Vec<provenance::Listed>)> {
    let now = context.env.now;
    let own = context.own_selector()?;
    let lives = Lives::read(&context.env);
    let deadline = Deadline::after(READ_TIME);
    let selectors = context.store.selectors()?;
    let starts = Starts::new(&selectors);
    let (mut entries, mut faults, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    let (mut files, mut dated_ahead) = (Vec::new(), Vec::new());
    let mut names = Names::default();
    let mut unread = 0;
    for selector in &selectors {
        let entry = Entry {
            short: starts.of(selector).to_owned(),
            is_current_session: own.as_ref() == Some(selector),
            ..Entry::unreadable(selector)
        };
        if deadline.has_passed() {
            unread += 1;
            entries.push(entry);
            continue;
        }
        match load(selector) {
            Ok(None) => {}
            Ok(Some(loaded)) => {
                let fault = loaded.main_fault.as_ref();
                warnings.extend(fault.map(|fault| read_from_backup(selector, fault)));
                let at = loaded.checkpoint.updated_at;
                dated_ahead.extend(time::is_future(at, now).then_some((selector, at)));
                files.push(provenance::Listed {
                    selector: selector.clone(),
                    file: loaded.file.clone(),
                    is_foreign: loaded.is_foreign,
                });
                entries.push(Entry {
                    running: lives.of(selector.as_str()).is_running(),
                    ..entry.read(loaded, now, &mut names)
                });
            }
            Err(error) => {
                faults.push((selector.clone(), format!("{error:#}")));
                entries.push(entry);
            }
        }
    }
    warnings.extend(all_future(&dated_ahead));
    // One that cannot be read has no time, which is less than any.
    let saved = |entry: &Entry| Some(entry.checkpoint.as_ref()?.updated_at.min(now));
    entries.sort_by_key(|entry| Reverse(saved(entry)));
    tell_apart(&mut entries);
    let entries = Entries {
        entries,
        faults,
        warnings,
        unread: too_many(unread),
    };
    Ok((entries, files))
}

/// Shows each by what leads to it and to no other, and leaves out names that do not.
///
/// Copied, restored and synced files may share a name. Then it is that of the one saved last, as for `Context::called`;
/// and an id comes before a name, a name before the start of an id.
fn tell_apart(entries: &mut [Entry]) {
    let rank = |entry: &Entry| {
        let checkpoint = entry.checkpoint.as_ref();
        let saved = checkpoint.map(|checkpoint| checkpoint.updated_at);
        (saved, entry.selector.clone())
    };
    let mut owners = HashMap::new();
    for entry in &*entries {
        if let Some(name) = &entry.name {
            let owner = owners.entry(name.clone()).or_default();
            *owner = rank(entry).max(std::mem::take(owner));
        }
    }
    if owners.is_empty() {
        return;
    }
    for entry in &*entries {
        owners.remove(&entry.selector);
    }
    let taken: HashSet<String> = owners.keys().map(|name| name.to_lowercase()).collect();
    for entry in entries {
        let rank = rank(entry);
        entry.name = entry
            .name
            .take()
            .filter(|name| owners.get(name) == Some(&rank));
        match &entry.name {
            Some(name) => entry.short = name.clone(),
            None if taken.contains(&entry.short.to_lowercase()) => {
                entry.short = entry.selector.clone();
            }
            None => {}
        }
    }
}

/// A warning of those for which the time was too short.
fn too_many(unread: usize) -> Option<String> {
    let time = READ_TIME.as_secs();
    let unread = (unread > 0).then(|| counted(unread, "checkpoint"));
    unread.map(|unread| format!("{unread} could not be read in {time} s"))
}

/// Puts the latest first and those that cannot be read last, and behind a person's sessions those of programs.
pub(super) fn newest_first(entries: &mut [Entry]) {
    entries.sort_by_key(|entry| (entry.is_headless, Reverse(entry.updated_at.clone())));
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

/// One warning of all times that cannot be true; None where there are none.
fn all_future(dated: &[(&Selector, Timestamp)]) -> Option<String> {
    const NAMED: usize = 3;
    match dated {
        [] => None,
        [(selector, at)] => Some(future(selector, *at)),
        dated => {
            let named = dated.iter().take(NAMED);
            let mut named: Vec<String> = named.map(|(it, _)| format!("`{it}`")).collect();
            named.extend(markdown::more(dated.len(), NAMED));
            Some(format!(
                "{} are dated in the future ({}), so some clock is or was wrong",
                counted(dated.len(), "checkpoint"),
                named.join(", ")
            ))
        }
    }
}

/// A warning of a time that cannot be true.
pub(super) fn future(selector: &Selector, at: Timestamp) -> String {
    let at = time::format(at);
    format!("checkpoint `{selector}` is dated in the future ({at}), so some clock is or was wrong")
}

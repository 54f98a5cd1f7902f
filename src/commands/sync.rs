//! `sync`: the checkpoints of a project on several machines, brought to the same state over a git remote
//! (docs/contract.md, section 18).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use jiff::Timestamp;
use serde::Serialize;

use super::{Context, counted, harmless, redact_checkpoint};
use crate::checkpoint::bound;
use crate::checkpoint::format::Checkpoint;
use crate::checkpoint::text::{one_line, shortened};
use crate::checkpoint::time;
use crate::error::failure;
use crate::git;
use crate::redact::redact;
use crate::store::replace::Incoming;
use crate::store::selector::Selector;
use crate::sync::{self, FILES, Held, Machine, Remote, Shelf};

/// Characters of a goal that a result shows.
const GOAL: usize = 80;

#[derive(Debug, Default)]
pub(crate) struct Request {
    /// A URL or the name of a remote; None for what `git config ckpt.sync` says.
    pub(crate) remote: Option<String>,
    /// What the remote knows the project as; None for the name that its origin or its folder has.
    pub(crate) project: Option<String>,
    /// Only tell what would go and come.
    pub(crate) dry_run: bool,
    /// Take away what this machine sent, and do nothing else.
    pub(crate) stop: bool,
}

/// What a sync talks to, before it talks.
pub(crate) struct Plan {
    url: String,
    /// The URL without credentials.
    pub(crate) remote: String,
    pub(crate) project: String,
    pub(crate) machine: String,
    /// Whether somebody agreed to this remote before.
    pub(crate) is_known: bool,
    /// Whether the name is that of a repository of which the project is one folder, so that its other folders have it, too.
    pub(crate) is_of_all_folders: bool,
    memory: Machine,
}

impl Plan {
    fn warnings(&self) -> Vec<String> {
        let warning = self.is_of_all_folders.then(|| {
            format!(
                "checkpoints of the repository's other folders go by the name `{}`, too, and are mixed with these where \
                 they are synced; --as NAME keeps them apart",
                self.project
            )
        });
        warning.into_iter().collect()
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    pub(crate) text: String,
    /// Without credentials.
    pub(crate) remote: String,
    pub(crate) project: String,
    pub(crate) machine: String,
    pub(crate) dry_run: bool,
    pub(crate) received: Vec<Received>,
    pub(crate) sent: Vec<Sent>,
    /// What this machine had sent and has no longer.
    pub(crate) withdrawn: Vec<String>,
    /// Checkpoints that are the same here and there.
    pub(crate) unchanged: usize,
    pub(crate) warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Received {
    pub(crate) selector: String,
    pub(crate) goal: String,
    /// The one that it was saved on.
    pub(crate) machine: String,
    pub(crate) change: Change,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Change {
    New,
    /// The one that was here went into the history.
    Newer,
}

#[derive(Debug, Serialize)]
pub(crate) struct Sent {
    pub(crate) selector: String,
    pub(crate) goal: String,
}

/// Finds out what a sync would talk to, without talking to it.
pub(crate) fn plan(context: &Context, request: &Request) -> anyhow::Result<Plan> {
    let root = context.store.root();
    let settings = sync::settings(&context.env, root)?;
    let wanted = request.remote.as_ref().or(settings.remote.as_ref());
    let wanted = wanted.ok_or_else(|| {
        failure(
            "nothing says which remote to sync with",
            "make a private repository of your own, then: git config --global ckpt.sync URL",
        )
    })?;
    let url = match settings.urls.get(wanted) {
        Some(url) => url,
        None if wanted.contains(['/', ':', '\\']) => wanted,
        None => {
            return Err(failure(
                format!(
                    "there is no remote `{}` here, and it is not a URL",
                    shown(wanted)
                ),
                "name one of `git remote`, or give a URL",
            ));
        }
    };
    let url = absolute(context, url);
    if url.starts_with('-') {
        return Err(failure(
            format!("`{}` is not a URL", shown(&url)),
            "give a URL that git can fetch from",
        ));
    }
    let origin = settings.urls.get("origin").map(String::as_str);
    let project = match (&request.project, origin) {
        (Some(given), _) => sync::project_name(given),
        (None, Some(origin)) => sync::project_name(origin),
        (None, None) => sync::project_name(&context.project_name()),
    };
    let machine = settings.machine.or_else(|| context.env.host());
    let machine = machine.as_deref().and_then(sync::machine_name);
    let memory = Machine::recall(&context.env)?;
    let remote = shown(&url);
    Ok(Plan {
        is_known: memory.knows(&remote),
        is_of_all_folders: request.project.is_none() && origin.is_some() && !git::is_top(root),
        project: project.ok_or_else(|| {
            failure(
                "the project has no name that a remote could know it by",
                "give it one: --as NAME",
            )
        })?,
        machine: machine.ok_or_else(|| {
            failure(
                "this machine has no name",
                "give it one: git config --global ckpt.machine NAME",
            )
        })?,
        url,
        remote,
        memory,
    })
}

/// Does what was planned; that somebody agreed to send to the remote is remembered.
pub(crate) fn run(context: &Context, request: &Request, mut plan: Plan) -> anyhow::Result<Outcome> {
    let root = context.store.root();
    let remote = Remote::new(&context.env, root, &plan.url, &plan.project, &plan.machine)?;
    let Held {
        mut own,
        others,
        warnings,
    } = remote.read()?;
    if !request.dry_run {
        plan.memory.agree(&plan.remote)?;
    }
    let owner = plan.memory.owner();
    let known = |shelf: &Shelf| shelf.owner.as_deref() == Some(owner);
    if own.as_ref().is_some_and(|own| !known(own)) {
        return Err(failure(
            format!(
                "another machine syncs `{}` under the name `{}`",
                plan.project, plan.machine
            ),
            "give this one a name of its own: git config --global ckpt.machine NAME",
        ));
    }
    let warnings = [context.warnings.clone(), plan.warnings(), warnings].concat();
    let mut outcome = Outcome {
        text: String::new(),
        remote: plan.remote,
        project: plan.project,
        machine: plan.machine,
        dry_run: request.dry_run,
        received: Vec::new(),
        sent: Vec::new(),
        withdrawn: Vec::new(),
        unchanged: 0,
        warnings,
    };
    if request.stop {
        let own = own.as_ref();
        outcome.withdrawn = own
            .into_iter()
            .flat_map(Shelf::names)
            .map(|name| named(context, name))
            .collect();
        if own.is_some() && !request.dry_run {
            remote.push(None, own)?;
        }
    } else {
        let files = outcome.exchange(context, &remote, &others, own.as_mut())?;
        if !request.dry_run {
            outcome.send(context, &remote, owner, &files, own.as_ref())?;
        }
    }
    outcome.warnings = harmless(context.words, outcome.warnings);
    outcome.text = summary(&outcome, request.stop);
    Ok(outcome)
}

impl Outcome {
    /// Puts files in the place of what the remote holds of this machine.
    fn send(
        &mut self,
        context: &Context,
        remote: &Remote,
        owner: &str,
        files: &[(String, Vec<u8>)],
        own: Option<&Shelf>,
    ) -> anyhow::Result<()> {
        let commit = remote.commit(owner, files)?;
        if let Err(error) = context.store.note_sent(&commit) {
            self.warnings.push(format!(
                "{error:#}; the next sync takes what this one sends for another folder's"
            ));
        }
        match own.is_some_and(|own| own.is(&commit)) {
            true => Ok(()),
            false => remote.push(Some(&commit), own),
        }
    }

    /// Takes what others sent, and tells what this machine has to send: files by name.
    ///
    /// What stands under this machine's own name is another's as well, unless it came from this folder: two working trees
    /// of a project share the name, and a new clone has nothing yet.
    fn exchange(
        &mut self,
        context: &Context,
        remote: &Remote,
        others: &[Shelf],
        mut own: Option<&mut Shelf>,
    ) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        let mut exchange = Exchange {
            context,
            machine: &self.machine,
            here: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            received: Vec::new(),
            warnings: Vec::new(),
            dry_run: self.dry_run,
        };
        exchange.read()?;
        let sent = context.store.sent()?;
        let came_from_here = |own: &Shelf| sent.iter().any(|commit| own.is(commit));
        let foreign = own.as_deref().is_some_and(|own| !came_from_here(own));
        if let Some(own) = &mut own {
            remote.read_own(own, |name| foreign || exchange.is_unreadable(name))?;
        }
        let own = own.as_deref();
        exchange.receive(others.iter().chain(own.filter(|_| foreign)))?;
        let mut files = exchange.files()?;
        exchange.keep(own, &mut files);
        let Exchange {
            received, warnings, ..
        } = exchange;
        self.received = received;
        self.warnings.extend(warnings);
        let is_there =
            |(name, bytes): &(String, Vec<u8>)| own.is_some_and(|own| own.holds(name, bytes));
        let names: BTreeSet<&str> = files.iter().map(|file| file.file.0.as_str()).collect();
        let gone = own
            .into_iter()
            .flat_map(Shelf::names)
            .filter(|name| !names.contains(name));
        self.withdrawn = gone.map(|name| named(context, name)).collect();
        let here_alone = |selector: &Selector| {
            let mut received = self.received.iter();
            received.all(|received| received.selector != selector.as_str())
        };
        for outgoing in files.iter().filter(|file| here_alone(&file.selector)) {
            match is_there(&outgoing.file) {
                true => self.unchanged += 1,
                false => self.sent.push(outgoing.sent()),
            }
        }
        Ok(files.into_iter().map(|outgoing| outgoing.file).collect())
    }
}

/// A checkpoint of another machine that is missing here, or newer there.
struct Taken {
    selector: Selector,
    checkpoint: Checkpoint,
    bytes: Vec<u8>,
    machine: String,
    change: Change,
}

/// A checkpoint on its way to the remote, by the name and bytes of its file there.
struct Outgoing {
    file: (String, Vec<u8>),
    selector: Selector,
    goal: String,
}

impl Outgoing {
    fn sent(&self) -> Sent {
        Sent {
            selector: self.selector.to_string(),
            goal: self.goal.clone(),
        }
    }
}

struct Exchange<'a> {
    context: &'a Context,
    machine: &'a str,
    /// What is here, redacted; with what a dry run would have received.
    here: BTreeMap<Selector, Checkpoint>,
    /// What is here and cannot be read.
    unreadable: BTreeSet<Selector>,
    received: Vec<Received>,
    warnings: Vec<String>,
    dry_run: bool,
}

impl Exchange<'_> {
    fn read(&mut self) -> anyhow::Result<()> {
        let selectors = self.context.store.selectors()?.into_iter();
        let selectors = selectors.filter(|selector| *selector != Selector::Legacy);
        for selector in selectors.chain([Selector::Project]) {
            match self.context.load(&selector) {
                Ok(Some(loaded)) => {
                    self.here.insert(selector, loaded.checkpoint);
                }
                Ok(None) => {}
                Err(error) => {
                    self.warnings.push(format!(
                        "checkpoint `{selector}` cannot be read and was passed over: {error:#}"
                    ));
                    self.unreadable.insert(selector);
                }
            }
        }
        Ok(())
    }

    /// Whether a checkpoint is here, by the name of its file, and cannot be read.
    fn is_unreadable(&self, name: &str) -> bool {
        let selector = self.context.store.selector_of(name);
        selector.is_some_and(|selector| self.unreadable.contains(&selector))
    }

    /// Adds what stays on this machine's shelf although this folder cannot send it: it is damaged here, or of a form that
    /// this version does not know. It may be the last copy.
    fn keep(&self, own: Option<&Shelf>, files: &mut Vec<Outgoing>) {
        for (name, bytes) in own.into_iter().flat_map(|own| &own.files) {
            let selector = self.context.store.selector_of(name);
            let selector = selector.filter(|it| !self.here.contains_key(it));
            if let Some(selector) = selector.filter(|_| files.len() < FILES) {
                files.push(Outgoing {
                    file: (name.clone(), bytes.clone()),
                    selector,
                    goal: String::new(),
                });
            }
        }
        files.sort_by(|a, b| a.file.0.cmp(&b.file.0));
    }

    /// The newest of each checkpoint that can be taken, and the machine that sent it.
    fn newest<'a>(
        &mut self,
        shelves: impl Iterator<Item = &'a Shelf>,
    ) -> BTreeMap<Selector, (Checkpoint, String)> {
        let mut best: BTreeMap<Selector, (Checkpoint, String)> = BTreeMap::new();
        for Shelf { machine, files, .. } in shelves {
            for (name, bytes) in files {
                let (selector, checkpoint) = match self.judged(machine, name, bytes) {
                    Ok(judged) => judged,
                    Err(why) => {
                        self.warnings.push(format!(
                            "`{}` of machine `{machine}` was left out: it {why}",
                            shortened(name, GOAL)
                        ));
                        continue;
                    }
                };
                let is_newer = |(other, _): &(Checkpoint, String)| rank(&checkpoint) > rank(other);
                if best.get(&selector).is_none_or(is_newer) {
                    best.insert(selector, (checkpoint, machine.clone()));
                }
            }
        }
        best
    }

    /// Writes what is missing here, and what is newer there.
    fn receive<'a>(&mut self, shelves: impl Iterator<Item = &'a Shelf>) -> anyhow::Result<()> {
        let mut taken = Vec::new();
        for (selector, (checkpoint, machine)) in self.newest(shelves) {
            let change = match self.here.get(&selector) {
                Some(here) if rank(here) >= rank(&checkpoint) => continue,
                Some(_) => Change::Newer,
                // It is here, and cannot be read.
                None if self.unreadable.contains(&selector) => continue,
                None => Change::New,
            };
            match bounded(checkpoint)? {
                Ok((checkpoint, bytes)) => taken.push(Taken {
                    selector,
                    checkpoint,
                    bytes,
                    machine,
                    change,
                }),
                Err(why) => self.warnings.push(format!(
                    "checkpoint `{selector}` of machine `{machine}` was left out: {why}"
                )),
            }
        }
        let written = self.write(&taken)?;
        for (taken, _) in taken.into_iter().zip(written).filter(|(_, is)| *is) {
            let Taken {
                selector,
                checkpoint,
                bytes: _,
                machine,
                change,
            } = taken;
            self.received.push(Received {
                selector: selector.to_string(),
                goal: goal(&checkpoint),
                machine: checkpoint.meta.machine.clone().unwrap_or(machine),
                change,
            });
            self.here.insert(selector, checkpoint);
        }
        Ok(())
    }

    /// A file of another machine as the checkpoint that it is, without its secrets; else what is wrong with it.
    fn judged(
        &self,
        machine: &str,
        name: &str,
        bytes: &[u8],
    ) -> Result<(Selector, Checkpoint), String> {
        let selector = self.context.store.selector_of(name);
        let selector = selector.ok_or("does not have the name of a checkpoint")?;
        let mut checkpoint = Checkpoint::parse(bytes).map_err(|invalid| format!("is {invalid}"))?;
        let id = checkpoint.session_id.as_deref();
        if id.is_some_and(|id| id != selector.as_str()) {
            return Err("says that it is another session's".to_owned());
        }
        let now = self.context.env.now;
        if time::is_impossible(checkpoint.changed_at(), now) {
            return Err("is dated in the future".to_owned());
        }
        redact_checkpoint(&mut checkpoint);
        let named = checkpoint
            .meta
            .machine
            .as_deref()
            .and_then(sync::machine_name);
        checkpoint.meta.machine = Some(named.unwrap_or_else(|| machine.to_owned()));
        Ok((selector, checkpoint))
    }

    /// Writes all or, where it fails, none; tells of each whether it was written and no save of this moment is newer.
    fn write(&self, taken: &[Taken]) -> anyhow::Result<Vec<bool>> {
        if self.dry_run {
            return Ok(vec![true; taken.len()]);
        }
        let incoming = taken.iter().map(|taken| Incoming {
            selector: taken.selector.clone(),
            bytes: taken.bytes.clone(),
            saved: taken.checkpoint.updated_at,
        });
        let incoming: Vec<Incoming> = incoming.collect();
        let ranks: BTreeMap<&Selector, _> = taken
            .iter()
            .map(|taken| (&taken.selector, rank(&taken.checkpoint)))
            .collect();
        let is_newer = |incoming: &Incoming, here: &Checkpoint| {
            let rank_there = ranks.get(&incoming.selector);
            rank_there.is_some_and(|there| *there > rank(here))
        };
        let store = &self.context.store;
        store
            .replace_all(&incoming, self.context.env.now, is_newer)
            .context("nothing was received, and nothing was sent")
    }

    /// What this machine sends: the newest of what is here.
    fn files(&mut self) -> anyhow::Result<Vec<Outgoing>> {
        let mut here: Vec<(&Selector, &Checkpoint)> = self.here.iter().collect();
        // The project's own goes in any case.
        here.sort_by_key(|(selector, checkpoint)| {
            (
                **selector != Selector::Project,
                Reverse(checkpoint.updated_at),
            )
        });
        let left_out = here.len().saturating_sub(FILES);
        if left_out > 0 {
            self.warnings.push(format!(
                "{} were not sent: a machine sends the newest {FILES}",
                counted(left_out, "older checkpoint")
            ));
        }
        let mut files = Vec::new();
        for (selector, checkpoint) in here.into_iter().take(FILES) {
            let mut marked = checkpoint.clone();
            marked
                .meta
                .machine
                .get_or_insert_with(|| self.machine.to_owned());
            match bounded(marked)? {
                Ok((checkpoint, bytes)) => files.push(Outgoing {
                    file: (self.context.store.file_name(selector), bytes),
                    selector: selector.clone(),
                    goal: goal(&checkpoint),
                }),
                Err(why) => self
                    .warnings
                    .push(format!("checkpoint `{selector}` was not sent: {why}")),
            }
        }
        Ok(files)
    }
}

/// A checkpoint with the bytes of its file, without the machine that it is from where that leaves no room; or why it is
/// too large.
fn bounded(mut checkpoint: Checkpoint) -> anyhow::Result<Result<(Checkpoint, Vec<u8>), String>> {
    let mut bytes = checkpoint.to_bytes()?;
    if bytes.len() > bound::FILE_BYTES {
        checkpoint.meta.machine = None;
        bytes = checkpoint.to_bytes()?;
    }
    Ok(match bytes.len() {
        0..=bound::FILE_BYTES => Ok((checkpoint, bytes)),
        size => Err(format!("it has {size} bytes (limit {})", bound::FILE_BYTES)),
    })
}

/// What decides which of two is the newer one: the time, and between equal ones anything that all machines see alike.
fn rank(checkpoint: &Checkpoint) -> (Timestamp, Vec<u8>) {
    let mut content = checkpoint.clone();
    content.meta.machine = None;
    let content = content.to_bytes().unwrap_or_default();
    (checkpoint.changed_at(), content)
}

/// The selector that a file is named after.
fn named(context: &Context, file: &str) -> String {
    let selector = context.store.selector_of(file);
    selector.map_or(file.to_owned(), |selector| selector.to_string())
}

fn goal(checkpoint: &Checkpoint) -> String {
    shortened(&one_line(&checkpoint.goal.primary), GOAL)
}

/// A remote as it may be shown and remembered.
fn shown(url: &str) -> String {
    redact(&one_line(url)).text
}

/// A path of this machine does not depend on where git is started.
fn absolute(context: &Context, url: &str) -> String {
    let root = context.store.root();
    let from = context.env.cwd.as_deref().unwrap_or(root);
    let folder = [from, root].map(|base| base.join(Path::new(url)));
    let mut folders = folder
        .iter()
        .filter_map(|folder| folder.canonicalize().ok());
    match folders.find(|folder| folder.is_dir()) {
        Some(folder) => folder.display().to_string(),
        None => url.to_owned(),
    }
}

fn summary(outcome: &Outcome, stopped: bool) -> String {
    let Outcome {
        remote,
        project,
        machine,
        dry_run,
        received,
        sent,
        withdrawn,
        unchanged,
        ..
    } = outcome;
    let would = if *dry_run { "would be " } else { "" };
    if stopped {
        return match withdrawn.len() {
            0 => format!("`{remote}` holds nothing of machine `{machine}`.\n"),
            count => format!(
                "{} of machine `{machine}` {would}removed from `{remote}`.\n",
                counted(count, "checkpoint")
            ),
        };
    }
    let mut text = String::new();
    for Received {
        selector,
        goal,
        machine,
        change,
    } in received
    {
        let change = match change {
            Change::New => "new",
            Change::Newer => "newer; the one here before is `@{1}`",
        };
        text.push_str(&format!("from {machine}: `{selector}` {goal} ({change})\n"));
    }
    for Sent { selector, goal } in sent {
        text.push_str(&format!("to the remote: `{selector}` {goal}\n"));
    }
    for selector in withdrawn {
        text.push_str(&format!(
            "no longer here, so {would}removed there: `{selector}`\n"
        ));
    }
    text.push_str(&format!(
        "`{project}` on `{remote}`, as machine `{machine}`: {} {would}received, {} {would}sent, {unchanged} unchanged.\n",
        received.len(),
        sent.len(),
    ));
    text
}

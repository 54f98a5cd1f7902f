//! `save`: the agent's knowledge and the project's facts, written as the session's checkpoint
//! (docs/contract.md, section 6).

mod args;

use std::mem;

use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use super::base::{self, Base};
use super::entries::{self, Entry};
use super::project;
use super::scan::{self, Scan};
use super::{
    Context, Words, counted, fit, harmless, name, named, redact_checkpoint, with_warnings,
};
use crate::checkpoint::edits::{Edits, FileEdit, Mode};
use crate::checkpoint::fields::{COMMANDS, FILES, Field, TASKS};
use crate::checkpoint::format::{Checkpoint, Generator, Task};
use crate::checkpoint::merge::{self, Facts};
use crate::checkpoint::{shared, time};
use crate::error::failure;
use crate::redact::redact;
use crate::store::Loaded;
use crate::store::names;
use crate::store::selector::{self, Name, Revision, Selector, SessionId};
use crate::store::session::{Current, Origin};
pub(crate) use args::{Args, typed_task};

/// What a save should do; every choice that its caller left open has been made.
#[derive(Debug, Default)]
pub(crate) struct Request {
    pub(crate) edits: Edits,
    /// The files that the agent names; the repository's own changes are added to them.
    pub(crate) files: Vec<FileEdit>,
    pub(crate) mode: Mode,
    /// The selector that this session went on from; it may name an earlier save (`@{N}`).
    pub(crate) resumed_from: Option<String>,
    pub(crate) whose: Whose,
    /// The checkpoint's new name; None keeps the one it has.
    pub(crate) name: Option<Name>,
    /// For a save recovered from a transcript: when that session was last active.
    pub(crate) as_of: Option<Timestamp>,
}

/// Whose checkpoint a save should write.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Whose {
    #[default]
    Session,
    /// The project's own, which is always merged (docs/contract.md, section 17).
    Project,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    pub(crate) text: String,
    /// The file that was written.
    pub(crate) path: String,
    pub(crate) bytes: usize,
    /// What the save did in the end: a merge that finds nothing to build on is a replace.
    pub(crate) mode: Mode,
    pub(crate) counts: Counts,
    pub(crate) warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
    /// `hook`, `client`, `env`, `argument` or `minted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_source: Option<&'static str>,
    /// What loads the checkpoint again.
    #[serde(skip)]
    pub(crate) selector: String,
    /// What the save dropped of the session's own checkpoint, and how to get it back; also in `text`.
    #[serde(skip)]
    pub(crate) replaced: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Counts {
    pub(crate) tasks: usize,
    pub(crate) modified_files: usize,
    pub(crate) recent_commands: usize,
    pub(crate) redactions: usize,
}

pub(crate) fn run(context: &Context, mut request: Request) -> anyhow::Result<Outcome> {
    // First of all, because it runs while the rest is done.
    let surveying = project::begin(context, None)?;
    let mut warnings = context.warnings.clone();
    if request.whose == Whose::Project {
        warnings.extend(for_project(&mut request));
    }
    if context.is_guessed {
        warnings.push(format!(
            "the client named no folder to work in, so this is saved in the server's own, `{}`; pass `projectRoot` for \
             another",
            context.store.root().display()
        ));
    }
    warnings.extend(without_blanks(&mut request));
    check(&mut request, context.words)?;
    let redactions = redact_all(&mut request, context.words, &mut warnings);
    // The search for the caller runs beside the scan; this waits for its end.
    let target = Target::of(context, request.whose)?;
    // Why it cannot be read is told under the lock, where it is read again.
    let own = context.load(&target.selector).ok().flatten();
    let name = request.name.clone();
    let scan = scan::scan(surveying.finish());
    let prepared = prepare(
        context,
        &target,
        own,
        scan,
        request,
        redactions,
        &mut warnings,
    )?;
    let now = context.env.now;
    let (saved, written) = context.store.update(&target.selector, now, |previous| {
        prepared.compose(previous, &mut warnings)
    })?;
    warnings.extend(saved.warnings);
    if let Some(name) = &name {
        warnings.extend(name::taken_from_others(
            context,
            &target.selector,
            name.as_str(),
        )?);
    }
    let warnings = harmless(context.words, warnings);
    let text = summary(&target, &written, saved.bytes);
    Ok(Outcome {
        text: with_warnings(text, &warnings),
        path: saved.path.display().to_string(),
        bytes: saved.bytes,
        mode: written.mode,
        counts: written.counts,
        warnings,
        session_source: target.session.as_ref().map(|(_, origin)| origin.as_str()),
        session: target.session.map(|(id, _)| id.as_str().to_owned()),
        selector: target.selector.to_string(),
        replaced: written.replaced,
    })
}

/// Makes it a save of the project's own checkpoint, which is always merged; a warning of what that cannot have.
fn for_project(request: &mut Request) -> Option<String> {
    request.mode = Mode::Merge;
    request.resumed_from = None;
    let name = request.name.take();
    name.map(|name| {
        format!("the project's own checkpoint has no name but `project`; `{name}` was left out")
    })
}

/// Whose checkpoint a save writes.
struct Target {
    selector: Selector,
    /// None for the legacy checkpoint and the project's own.
    session: Option<(SessionId, Origin)>,
}

impl Target {
    fn of(context: &Context, whose: Whose) -> anyhow::Result<Self> {
        let saver = context.saver()?;
        if whose == Whose::Project {
            return Ok(Self {
                selector: Selector::Project,
                session: None,
            });
        }
        let session = match saver {
            Current::Session(id, origin) => Some((id, origin)),
            Current::Unnamed => Some((SessionId::mint(), Origin::Minted)),
            Current::Legacy => None,
        };
        let selector = match &session {
            Some((id, _)) => Selector::Session(id.clone()),
            None => Selector::Legacy,
        };
        Ok(Self { selector, session })
    }
}

/// All that a save needs to know, gathered before it takes the project's lock.
struct Prepared<'a> {
    context: &'a Context,
    target: &'a Target,
    scan: Scan,
    edits: Edits,
    named: Vec<(String, Option<String>)>,
    mode: Mode,
    resumed_from: Option<Revision>,
    name: Option<Name>,
    as_of: Option<Timestamp>,
    redactions: usize,
    /// The session's own checkpoint as it was read, and the base, which holds as long as that is unchanged under the lock.
    own: Option<Loaded>,
    base: Base,
}

/// Does as much reading, hashing and redacting as it can ahead, so that the lock is held only briefly.
fn prepare<'a>(
    context: &'a Context,
    target: &'a Target,
    own: Option<Loaded>,
    mut scan: Scan,
    request: Request,
    redactions: usize,
    warnings: &mut Vec<String>,
) -> anyhow::Result<Prepared<'a>> {
    let Request {
        edits,
        files,
        mode,
        resumed_from,
        whose,
        name,
        as_of,
    } = request;
    if let Some(name) = &name {
        name::check(context, name)?;
    }
    let resumed_from = resumed_from.as_deref();
    let resumed_from = resumed_from.map(|named| context.parse(named)).transpose()?;
    let named = named::named(context, files, warnings);
    warnings.append(&mut scan.warnings);
    warnings.extend(scan.unignored(context, &target.selector));
    // The project's own checkpoint describes no moment of the working tree.
    if as_of.is_some() || whose == Whose::Project {
        scan.keep_only(&named);
    }
    warnings.extend(scan.published(&names::files(&target.selector)));
    let base = base::find(context, &scan, mode, &target.selector, &own, &resumed_from);
    scan.hash_ahead(&named, &base.recorded)?;
    Ok(Prepared {
        context,
        target,
        scan,
        edits,
        named,
        mode,
        resumed_from,
        name,
        as_of: as_of.map(|at| at.min(context.env.now)),
        redactions,
        own,
        base,
    })
}

impl Prepared<'_> {
    /// The checkpoint to write over `previous`, which is the session's own as it stands now.
    fn compose(
        mut self,
        previous: Option<&Loaded>,
        warnings: &mut Vec<String>,
    ) -> anyhow::Result<(Vec<u8>, Written)> {
        let (context, target) = (self.context, self.target);
        let mut base = self.base(previous);
        let is_project = target.selector == Selector::Project;
        if base.checkpoint.is_none() && self.edits.goal.is_none() && !is_project {
            return Err(no_base(base.fault, context.words));
        }
        warnings.append(&mut base.warnings);
        let facts = self.facts(&base, previous, warnings)?;
        let replaces = base.checkpoint.is_none();
        let (base, edits) = (base.checkpoint, self.edits);
        let (bytes, mut written, next) =
            write(base, edits, facts, target, context.words, warnings)?;
        if let Some(previous) = previous.filter(|_| replaces) {
            let age = time::age(previous.checkpoint.updated_at, context.env.now);
            written.replaced = dropped(&previous.checkpoint, &next).map(|what| {
                let named = selector::nth(&target.selector, 1);
                format!("Replaced {what} of {age}, kept as `{named}`.")
            });
        }
        Ok((bytes, written))
    }

    /// The base that was found ahead, or a new search if the session's own checkpoint has changed since.
    fn base(&mut self, previous: Option<&Loaded>) -> Base {
        let is_as_it_was = match (&self.own, previous) {
            (None, None) => true,
            (Some(own), Some(previous)) => own.is_same(previous),
            _ => false,
        };
        if is_as_it_was {
            return mem::take(&mut self.base);
        }
        let mut own = previous.cloned();
        if let Some(own) = &mut own {
            redact_checkpoint(&mut own.checkpoint);
        }
        base::find(
            self.context,
            &self.scan,
            self.mode,
            &self.target.selector,
            &own,
            &self.resumed_from,
        )
    }

    /// What the program itself knows at this moment.
    fn facts(
        &self,
        base: &Base,
        previous: Option<&Loaded>,
        warnings: &mut Vec<String>,
    ) -> anyhow::Result<Facts> {
        let mut chosen = self.scan.choose(&self.named, &base.recorded)?;
        let mut git = self.scan.git.clone();
        if let Some(at) = self.as_of {
            let recorded = &base.recorded;
            self.scan.set_back(&mut chosen, at, &self.named, recorded);
            match &base.checkpoint {
                // What was known at the save is still true of that moment.
                Some(base) => {
                    git.clone_from(&base.git);
                    chosen.truncated |= base.meta.files_truncated;
                }
                None => chosen.truncated = true,
            }
        }
        if let Some(branch) = git.as_mut().and_then(|git| git.branch.as_mut()) {
            *branch = redact(branch).text;
        }
        warnings.extend(chosen.warnings);
        let session = self.target.session.as_ref();
        let now = self.as_of.unwrap_or(self.context.env.now);
        let replaced = previous.map(|previous| &previous.checkpoint);
        Ok(Facts {
            id: Uuid::new_v4().to_string(),
            now,
            changed_at: replaced.and_then(|it| it.outdated_by(now, self.context.env.now)),
            generator: generator(),
            project: redact(&self.context.project_name()).text,
            session_id: session.map(|(id, _)| id.as_str().to_owned()),
            resumed_from: base.resumed_from.as_ref().map(Selector::to_string),
            name: match &self.name {
                Some(name) => Some(name.to_string()),
                None => previous
                    .and_then(|previous| previous.checkpoint.name.clone())
                    .filter(|name| name::is_harmless(name)),
            },
            git,
            client: self.context.client.clone(),
            files: chosen.files,
            files_truncated: chosen.truncated,
            files_dropped: chosen.dropped,
            redactions: self.redactions,
        })
    }
}

/// What the previous checkpoint knew and the next one does not, counting only what an agent cannot find out again.
fn dropped(previous: &Checkpoint, next: &Checkpoint) -> Option<String> {
    let goal = &next.goal;
    let has_task = |task: &&Task| {
        goal.tasks
            .iter()
            .any(|it| it.description == task.description)
    };
    let tasks = previous.goal.tasks.iter().filter(|task| !has_task(task));
    let decisions = previous.decisions.iter();
    let decisions = decisions.filter(|decision| !next.decisions.contains(decision));
    let mut parts = Vec::new();
    for (count, what) in [(tasks.count(), "task"), (decisions.count(), "decision")] {
        parts.extend((count > 0).then(|| counted(count, what)));
    }
    if previous.summary.is_some() && next.summary.is_none() {
        parts.push("the summary".to_owned());
    }
    let last = parts.pop()?;
    Some(match parts.is_empty() {
        true => last,
        false => format!("{} and {last}", parts.join(", ")),
    })
}

/// The bytes of the checkpoint that comes of applying `edits` to `base`.
fn write(
    base: Option<Checkpoint>,
    edits: Edits,
    facts: Facts,
    target: &Target,
    words: Words,
    warnings: &mut Vec<String>,
) -> anyhow::Result<(Vec<u8>, Written, Checkpoint)> {
    let redactions = facts.redactions;
    let mode = base.as_ref().map_or(Mode::Replace, |_| Mode::Merge);
    let (mut next, dropped) = match (&target.selector, base) {
        (Selector::Project, base) => shared::merge(base, edits, facts),
        (_, Some(base)) => merge::merge(base, edits, facts),
        (_, None) => {
            let goal = edits.goal.clone().ok_or_else(|| no_base(None, words))?;
            (merge::replace(goal, edits, facts), Vec::new())
        }
    };
    let warning = |list| format!("`{list}` was full: its oldest entries were dropped");
    warnings.extend(dropped.into_iter().map(warning));
    let bytes = fit::checkpoint(&mut next, warnings)?;
    let counts = Counts {
        tasks: next.goal.tasks.len(),
        modified_files: next.modified_files.len(),
        recent_commands: next.recent_commands.len(),
        redactions,
    };
    let written = Written {
        mode,
        counts,
        replaced: None,
    };
    Ok((bytes, written, next))
}

/// What became of the edits.
struct Written {
    /// A merge that had nothing to build on is a replace.
    mode: Mode,
    counts: Counts,
    /// What it dropped of the session's own checkpoint, and how to get it back.
    replaced: Option<String>,
}

/// This program, as the writer of a checkpoint.
pub(super) fn generator() -> Generator {
    Generator {
        name: env!("CARGO_PKG_NAME").to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..Generator::default()
    }
}

/// The session's own checkpoint as it is, for a person to go on from; None where none can be read.
pub(crate) fn own(context: &Context) -> Option<Checkpoint> {
    let own = context.own_selector().ok()??;
    let loaded = context.load(&own).ok()?;
    loaded.map(|loaded| loaded.checkpoint)
}

/// The checkpoint that a person probably means by a merge outside a session: the newest unfinished one of a session. None
/// where there is none, or where a session or `CHECKPOINT_SESSION_IDS` already says which one it is.
pub(crate) fn to_merge_into(context: &Context) -> anyhow::Result<Option<(SessionId, Entry)>> {
    if !matches!(context.current()?, Current::Unnamed) {
        return Ok(None);
    }
    let entries = entries::all(context)?.entries.into_iter();
    let mut open = entries.filter(|entry| entry.updated_at.is_some() && !entry.done);
    Ok(open.find_map(|entry| Some((SessionId::parse(&entry.selector).ok()?, entry))))
}

fn check(request: &mut Request, words: Words) -> anyhow::Result<()> {
    let Request {
        edits, files, mode, ..
    } = request;
    edits.goal = edits.goal.take().filter(|goal| !goal.trim().is_empty());
    if edits.goal.is_none() && *mode == Mode::Replace {
        return Err(goal_missing(words));
    }
    let named = |name: &str, index, part: &str| words.place(name, index, part);
    let violations = edits.violations(files, named);
    if violations.is_empty() {
        return Ok(());
    }
    let named: Vec<String> = violations.iter().map(ToString::to_string).collect();
    Err(failure(
        format!("over the limit, so nothing was saved: {}", named.join("; ")),
        "shorten what is named and save again",
    ))
}

/// Drops blank entries, with a warning that names them, and trims the texts of tasks, because a merge matches by them.
fn without_blanks(request: &mut Request) -> Option<String> {
    let Request { edits, files, .. } = request;
    let mut blanks = Vec::new();
    for task in &mut edits.tasks {
        task.description = task.description.trim().to_owned();
    }
    drop_blanks(&mut edits.tasks, &TASKS, |it| &it.description, &mut blanks);
    for (field, list) in edits.lists() {
        if let Some(list) = list {
            drop_blanks(list, field, |text| text, &mut blanks);
        }
    }
    let commands = &mut edits.recent_commands;
    drop_blanks(commands, &COMMANDS, |it| &it.command, &mut blanks);
    drop_blanks(files, &FILES, |it| &it.path, &mut blanks);
    let summary = edits.summary.take();
    edits.summary = summary.filter(|summary| !summary.trim().is_empty());
    (!blanks.is_empty()).then(|| format!("{} blank and left out", are(&blanks)))
}

fn drop_blanks<T>(
    list: &mut Vec<T>,
    field: &Field,
    text: impl Fn(&T) -> &String,
    blanks: &mut Vec<String>,
) {
    let mut index = 0..;
    list.retain(|entry| {
        let index = index.next().unwrap_or_default();
        let is_blank = text(entry).trim().is_empty();
        if is_blank {
            blanks.push(format!("`{}[{index}]`", field.name));
        }
        !is_blank
    });
}

fn are(names: &[String]) -> String {
    let verb = match names {
        [_] => "is",
        _ => "are",
    };
    format!("{} {verb}", names.join(", "))
}

fn goal_missing(words: Words) -> anyhow::Error {
    failure(
        format!(
            "no {} was given, so nothing was saved",
            words.argument("goal")
        ),
        "say in one sentence what the session should achieve",
    )
}

/// The error of a merge without a goal that finds no checkpoint to take one from.
fn no_base(fault: Option<String>, words: Words) -> anyhow::Error {
    let goal = words.argument("goal");
    let why = match fault {
        Some(fault) => format!(
            "there is nothing to merge into: {} cannot be used, because {fault}",
            words.argument("resumedFrom")
        ),
        None => "this session has no checkpoint to merge into".to_owned(),
    };
    failure(
        format!("{why}, and a new one needs a {goal}, so nothing was saved"),
        format!(
            "give {goal}, too, or name with {} the session whose checkpoint is meant",
            words.argument("session")
        ),
    )
}

/// Redacts every text of the request and returns how many values it took out.
fn redact_all(request: &mut Request, words: Words, warnings: &mut Vec<String>) -> usize {
    let mut total = 0;
    let mut fields: Vec<&'static str> = Vec::new();
    let Request { edits, files, .. } = request;
    edits.for_each_text(files, |part, text| {
        if part.is_path() {
            return;
        }
        let redacted = redact(text);
        if redacted.count > 0 {
            total += redacted.count;
            *text = redacted.text;
            if fields.last() != Some(&part.field.name) {
                fields.push(part.field.name);
            }
        }
    });
    if total > 0 {
        let fields: Vec<String> = fields.iter().map(|field| words.argument(field)).collect();
        let secrets = counted(total, "secret");
        warnings.push(format!(
            "{secrets} redacted before writing, in {}",
            fields.join(", ")
        ));
    }
    total
}

fn summary(target: &Target, written: &Written, bytes: usize) -> String {
    let Counts {
        tasks,
        modified_files,
        recent_commands,
        redactions: _,
    } = written.counts;
    let verb = match written.mode {
        Mode::Replace => "Saved",
        Mode::Merge => "Merged into",
    };
    let replaced = written.replaced.as_ref();
    let replaced = replaced.map_or(String::new(), |replaced| format!(" {replaced}"));
    let mut text = format!(
        "{verb} checkpoint `{}`: {}, {}, {}, {bytes} bytes.{replaced}",
        target.selector,
        counted(tasks, "task"),
        counted(modified_files, "file"),
        counted(recent_commands, "command"),
    );
    if let Some((id, Origin::Argument | Origin::Minted)) = &target.session {
        text.push_str(&format!(
            " Pass `session`: \"{}\" on every later call.",
            id.as_str()
        ));
    }
    text
}

//! `load`: a checkpoint as a brief, with what changed since (docs/contract.md, section 10).

use std::borrow::Cow;
use std::mem;
use std::path::Path;
use std::thread;

use serde::{Deserialize, Serialize};

use super::earlier::{self, Save};
use super::entries::{self, Entry};
use super::provenance::Stranger;
use super::recover::{self, Recoverable};
use super::{
    Argument, Context, Kind, Reader, Words, counted, elsewhere, facts, fit, harmless, lines,
    read_from_backup, shared, with_warnings,
};
use crate::checkpoint::drift::Drift;
use crate::checkpoint::format::{Checkpoint, ModifiedFile};
use crate::checkpoint::lines::section;
use crate::checkpoint::recovered::Recovered;
use crate::checkpoint::text::shortened;
use crate::checkpoint::{brief, markdown, path, time};
use crate::error::failure;
use crate::redact::redact;
use crate::store::selector::{self, At, Revision, Selector, SessionId};
use crate::store::{self, Loaded};

/// How many candidates are offered where the session has no checkpoint of its own.
const CANDIDATES: usize = 10;
/// How many sessions that saved nothing are offered in addition.
const RECOVERABLE: usize = 3;

/// Takes the brief's place where there is no room for both the brief and the whole checkpoint.
const INSTEAD: &str = "The whole checkpoint is in `checkpoint`; the brief has no room beside it.\n";

/// What an agent may pass.
pub(crate) const ARGUMENTS: [Argument; 2] = [
    Argument {
        name: "format",
        kind: Kind::Word(&["brief", "full", "diff"]),
    },
    Argument {
        name: "checkpoint",
        kind: Kind::Text,
    },
];

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Request {
    pub(crate) format: Option<Format>,
    /// A selector, possibly with one of its saves (`@{N}`).
    pub(crate) checkpoint: Option<String>,
    /// Takes the newest checkpoint where no selector is given; for people, not for agents.
    #[serde(skip)]
    pub(crate) latest: bool,
    #[serde(skip)]
    pub(crate) reader: Reader,
    /// Whether the text goes to a program; it then has what only an agent can use, too.
    #[serde(skip)]
    pub(crate) as_json: bool,
    /// The longest brief, in characters, where there is less room than usual.
    #[serde(skip)]
    pub(crate) longest: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    #[default]
    Brief,
    /// The brief and the whole checkpoint.
    Full,
    /// The brief and the lines that changed.
    Diff,
}

/// A field that does not apply is left out.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from_backup: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) drift: Option<Drift>,
    pub(crate) warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) resume_hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) checkpoint: Option<Checkpoint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) candidates: Option<Vec<Entry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) omitted: Option<usize>,
    /// What was loaded.
    #[serde(skip)]
    pub(crate) selector: Option<String>,
    /// Where further sessions are, in words for its reader.
    #[serde(skip)]
    pub(crate) elsewhere: Vec<String>,
}

pub(crate) fn run(context: &Context, request: &Request) -> anyhow::Result<Outcome> {
    let mut outcome = found(context, request)?;
    if context.words == Words::Json {
        fit(&mut outcome)?;
    }
    Ok(outcome)
}

fn found(context: &Context, request: &Request) -> anyhow::Result<Outcome> {
    let named = request.checkpoint.as_deref();
    let named = match named.map(|named| context.parse(named)).transpose()? {
        None if request.latest => newest(context)?.map(Revision::from),
        named => named,
    };
    if let Some(revision) = named.as_ref().filter(|named| named.at != At::PRESENT) {
        let save = earlier::load(context, revision, request.reader)?;
        return resume(context, &revision.selector, save, request);
    }
    let is_named = named.is_some();
    let selector = match named {
        Some(named) => named.selector,
        None => match context.own_selector()? {
            Some(own) => own,
            None => return candidates(context, request.reader),
        },
    };
    match context.load(&selector)? {
        Some(loaded) => resume(context, &selector, Save::present(loaded), request),
        None if is_named => match recovered(context, &selector, request.reader)? {
            Some(outcome) => Ok(outcome),
            None => Err(context.unknown(&selector, request.reader)?),
        },
        None => candidates(context, request.reader),
    }
}

/// Leaves out what there is no room for. With `full` that is first the brief, then the oldest commands and the files
/// without a note, then the checkpoint itself; after that changed paths, which the brief does not name either.
fn fit(outcome: &mut Outcome) -> anyhow::Result<()> {
    if fit::fits(outcome)? {
        return Ok(());
    }
    let mut left_out = Vec::new();
    let path = outcome.path.clone().unwrap_or_default();
    if outcome.checkpoint.is_some() {
        outcome.text = with_warnings(INSTEAD.to_owned(), &outcome.warnings);
        left_out.extend(fit_checkpoint(outcome, &path)?);
    }
    let all = changed(outcome);
    while changed(outcome) > 0 && !fit::fits(outcome)? {
        if let Some(drift) = &mut outcome.drift {
            drift.changed_since.truncate(drift.changed_since.len() / 2);
        }
    }
    let less = all - changed(outcome);
    if less > 0 {
        let paths = counted(less, "more changed path");
        left_out.push(format!("{paths} were left out of `drift`"));
    }
    outcome.text = with_warnings(mem::take(&mut outcome.text), &left_out);
    outcome.warnings.extend(left_out);
    Ok(())
}

fn changed(outcome: &Outcome) -> usize {
    let drift = outcome.drift.as_ref();
    drift.map_or(0, |drift| drift.changed_since.len())
}

/// A warning that says what was left out; None where nothing was.
fn fit_checkpoint(outcome: &mut Outcome, path: &str) -> anyhow::Result<Option<String>> {
    let (mut commands, mut files) = (0, 0);
    while !fit::fits(outcome)? {
        let Some(checkpoint) = &mut outcome.checkpoint else {
            break;
        };
        match drop_one(checkpoint) {
            Some(Dropped::Command) => commands += 1,
            Some(Dropped::File) => files += 1,
            None => outcome.checkpoint = None,
        }
    }
    Ok(match (&outcome.checkpoint, commands + files) {
        (None, _) => Some(format!(
            "the checkpoint is too long to be shown; `{path}` has it"
        )),
        (Some(_), 0) => None,
        (Some(_), _) => Some(format!(
            "{} and {} were left out to keep this short; `{path}` has everything",
            counted(commands, "command"),
            counted(files, "file")
        )),
    })
}

enum Dropped {
    Command,
    File,
}

fn drop_one(checkpoint: &mut Checkpoint) -> Option<Dropped> {
    let has_no_note = |file: &ModifiedFile| file.note.is_none();
    if !checkpoint.recent_commands.is_empty() {
        checkpoint.recent_commands.remove(0);
        Some(Dropped::Command)
    } else {
        let file = checkpoint.modified_files.iter().rposition(has_no_note)?;
        checkpoint.modified_files.remove(file);
        Some(Dropped::File)
    }
}

/// A checkpoint that somebody handed over as a file, compared with this project as it is now.
pub(crate) fn file(context: &Context, path: &Path, format: Format) -> anyhow::Result<Outcome> {
    let shown = path.display();
    let bytes = store::read_file(path).map_err(|why| {
        failure(
            format!("could not read `{shown}`: {why}"),
            "name the file of a checkpoint, or a checkpoint of this project",
        )
    })?;
    let mut checkpoint = Checkpoint::parse(&bytes).map_err(|invalid| {
        failure(
            format!("`{shown}` is {invalid}"),
            "name the file of a checkpoint, or a checkpoint of this project",
        )
    })?;
    super::redact_checkpoint(&mut checkpoint);
    let found = facts::drift(context, &checkpoint, None, 0)?;
    let warnings = [context.warnings.clone(), found.warnings].concat();
    let warnings = harmless(context.words, warnings);
    let mut notes = vec![format!(
        "This is the file `{shown}`, not a checkpoint of this project."
    )];
    notes.extend(warnings.iter().map(|warning| format!("Warning: {warning}")));
    let mut text = brief::render(
        &checkpoint,
        &found.drift,
        None,
        &brief::Frame {
            notes: &notes,
            shared: None,
            rest: rest(context.words),
        },
        brief::LONGEST,
        context.env.now,
    );
    if format == Format::Diff {
        text.push_str(&changed_lines(&found.ground, &found.drift, &checkpoint));
    }
    Ok(Outcome {
        text,
        found: true,
        path: Some(shown.to_string()),
        from_backup: Some(false),
        updated_at: Some(time::format(checkpoint.updated_at)),
        drift: Some(found.drift),
        warnings,
        checkpoint: (format == Format::Full).then(|| with_harmless_paths(checkpoint)),
        ..Outcome::default()
    })
}

/// What the transcript tells of a session that has no checkpoint; None where there is no transcript either.
pub(super) fn recovered(
    context: &Context,
    selector: &Selector,
    reader: Reader,
) -> anyhow::Result<Option<Outcome>> {
    let brief = recover::brief(context, selector, reader)?;
    Ok(brief.map(|brief| Outcome {
        text: brief.text,
        found: true,
        path: Some(brief.path),
        updated_at: brief.until.map(time::format),
        drift: Some(brief.drift),
        warnings: brief.warnings,
        selector: Some(brief.session),
        ..Outcome::default()
    }))
}

fn resume(
    context: &Context,
    selector: &Selector,
    save: Save,
    request: &Request,
) -> anyhow::Result<Outcome> {
    let Save {
        number,
        mut loaded,
        warnings: of_history,
    } = save;
    let project = &mut loaded.checkpoint.project.name;
    if project.is_empty() {
        *project = context.project_name();
    }
    let Surroundings {
        found,
        shared,
        after,
    } = Surroundings::of(context, selector, number, &loaded)?;
    let faults = faults(context, selector, &loaded);
    let warnings = [context.warnings.clone(), of_history, found.warnings, faults].concat();
    let stranger = Stranger::of(found.is_tracked, loaded.is_foreign).map(Stranger::warning);
    let preface = Preface::new(context, request, selector, number, stranger, warnings)?;
    let checkpoint = loaded.checkpoint;
    let mut text = brief::render(
        &checkpoint,
        &found.drift,
        after.as_ref(),
        &brief::Frame {
            notes: &preface.notes,
            shared: shared.as_deref(),
            rest: rest(context.words),
        },
        request.longest.unwrap_or(brief::LONGEST),
        context.env.now,
    );
    if request.format == Some(Format::Diff) {
        text.push_str(&changed_lines(&found.ground, &found.drift, &checkpoint));
    }
    Ok(Outcome {
        text,
        found: true,
        path: Some(loaded.path.display().to_string()),
        from_backup: Some(loaded.main_fault.is_some()),
        updated_at: Some(time::format(checkpoint.updated_at)),
        drift: Some(found.drift),
        warnings: preface.warnings,
        resume_hint: preface.resume_hint,
        checkpoint: (request.format == Some(Format::Full)).then(|| with_harmless_paths(checkpoint)),
        selector: Some(selector::nth(selector, number)),
        ..Outcome::default()
    })
}

/// What a brief tells besides the checkpoint.
struct Surroundings {
    found: facts::Compared,
    /// The project's own checkpoint.
    shared: Option<String>,
    /// What happened after the save.
    after: Option<Recovered>,
}

impl Surroundings {
    fn of(
        context: &Context,
        selector: &Selector,
        number: usize,
        loaded: &Loaded,
    ) -> anyhow::Result<Self> {
        let checkpoint = &loaded.checkpoint;
        thread::scope(|scope| {
            // Beside git, for the transcripts can be many. What came after an earlier save stands in the later ones.
            let after = (number == 0).then(|| {
                let after = || recover::after_save(context, selector, checkpoint);
                thread::Builder::new().spawn_scoped(scope, after)
            });
            let after = after.transpose()?;
            let found = facts::drift(context, checkpoint, Some(&loaded.file), 0)?;
            let shared = match selector {
                Selector::Project => None,
                _ => shared::section(context, found.ground.repository.as_ref()),
            };
            Ok(Self {
                found,
                shared,
                after: after.and_then(|after| after.join().ok()?),
            })
        })
    }
}

/// The section with the lines that changed since.
fn changed_lines(ground: &facts::Ground, drift: &Drift, checkpoint: &Checkpoint) -> String {
    let lines = lines::compare(ground, checkpoint, drift);
    section(&lines.files, lines.more, |text| redact(text).text)
}

/// What a brief says before it comes to the checkpoint.
struct Preface {
    /// Includes the hint, which is of use only to an agent, and the warnings.
    notes: Vec<String>,
    resume_hint: Option<String>,
    warnings: Vec<String>,
}

impl Preface {
    fn new(
        context: &Context,
        request: &Request,
        selector: &Selector,
        number: usize,
        stranger: Option<String>,
        warnings: Vec<String>,
    ) -> anyhow::Result<Self> {
        // What the reader must know first is whose words these are.
        let mut notes: Vec<String> = stranger.iter().map(|it| format!("Warning: {it}")).collect();
        let named = selector::nth(selector, number);
        if number > 0 {
            notes.push(format!(
                "This is `{named}`, an earlier save: {} before the present one of `{selector}`.",
                counted(number, "save")
            ));
        }
        let is_own = context.own_selector()?.as_ref() == Some(selector);
        let resume_hint = (!is_own && *selector != Selector::Project).then(|| {
            format!(
                "To go on from this checkpoint, pass `resumedFrom`: \"{named}\" on your next save."
            )
        });
        let is_agents = request.reader == Reader::Agent || request.as_json;
        let is_agents = is_agents || context.words == Words::Json;
        notes.extend(resume_hint.clone().filter(|_| is_agents));
        let mut warnings = harmless(context.words, warnings);
        notes.extend(warnings.iter().map(|warning| format!("Warning: {warning}")));
        warnings.splice(0..0, stranger);
        Ok(Self {
            notes,
            resume_hint,
            warnings,
        })
    }
}

/// What is wrong with a checkpoint's files although one of them can be read.
fn faults(context: &Context, selector: &Selector, loaded: &Loaded) -> Vec<String> {
    let backup = loaded.main_fault.as_ref();
    let backup = backup.map(|fault| read_from_backup(selector, fault));
    let at = loaded.checkpoint.updated_at;
    let future = time::is_future(at, context.env.now).then(|| entries::future(selector, at));
    let odd = oddities(selector, &loaded.checkpoint);
    let faults = backup.into_iter().chain(loaded.is_cut()).chain(odd);
    faults.chain(future).collect()
}

/// Where to find what a brief has no room for.
fn rest(words: Words) -> &'static str {
    match words {
        Words::Json => "Shortened; `format`: \"full\" has the rest.",
        Words::Options => "Shortened; `--format full` has the rest.",
    }
}

fn with_harmless_paths(mut checkpoint: Checkpoint) -> Checkpoint {
    for file in &mut checkpoint.modified_files {
        if let Cow::Owned(shown) = path::harmless(&file.path) {
            file.path = shown;
        }
    }
    checkpoint
}

/// What is odd about a file although it can be read.
pub(super) fn oddities(selector: &Selector, checkpoint: &Checkpoint) -> Vec<String> {
    const NAMED: usize = 5;
    let mut oddities = Vec::new();
    let named = checkpoint.session_id.as_deref();
    if let Some(named) = named.filter(|named| *named != selector.as_str()) {
        let named = markdown::code(&shortened(named, SessionId::LONGEST));
        oddities.push(format!(
            "the file of checkpoint `{selector}` says that it is session {named}'s"
        ));
    }
    let left_out = &checkpoint.left_out;
    if !left_out.is_empty() {
        let mut names: Vec<String> = left_out.iter().map(|name| markdown::code(name)).collect();
        names.truncate(NAMED);
        names.extend(markdown::more(left_out.len(), NAMED));
        oddities.push(format!(
            "part of checkpoint `{selector}` could not be read and was left out: {}",
            names.join(", ")
        ));
    }
    oddities
}

/// The newest checkpoint that can be read.
pub(super) fn newest(context: &Context) -> anyhow::Result<Option<Selector>> {
    let entries = entries::bare(context)?;
    let newest = entries.first().filter(|entry| entry.updated_at.is_some());
    newest
        .map(|entry| Selector::parse(&entry.selector))
        .transpose()
}

/// For a session without a checkpoint of its own: what others there are. None of them is ever loaded unasked.
fn candidates(context: &Context, reader: Reader) -> anyhow::Result<Outcome> {
    let listed = entries::all(context)?;
    let warnings = [context.warnings.clone(), listed.few_warnings()].concat();
    let warnings = harmless(context.words, warnings);
    let recoverable = recover::offered(context);
    let elsewhere = match listed.entries.is_empty() {
        true => elsewhere::sentences(context, reader, recover::transcripts(context).as_ref()),
        false => Vec::new(),
    };
    if listed.entries.is_empty() && recoverable.entries.is_empty() {
        return Ok(nothing(context, elsewhere));
    }
    let (done, mut entries): (Vec<_>, Vec<_>) =
        listed.entries.into_iter().partition(|entry| entry.done);
    let total = entries.len();
    entries.truncate(CANDIDATES);
    let mut text = offer(&entries, total, done.len());
    let recoverable = offer_recoverable(recoverable, &mut text);
    if !elsewhere.is_empty() {
        text = format!("{}{}\n", text.trim_end(), elsewhere::lines(&elsewhere));
    }
    let omitted = total - entries.len();
    entries.extend(recoverable);
    Ok(Outcome {
        text: with_warnings(text, &warnings),
        warnings,
        candidates: Some(entries),
        total: Some(total),
        omitted: Some(omitted),
        elsewhere,
        ..Outcome::default()
    })
}

/// Offers the newest of `total` checkpoints; `done` more are marked as done.
fn offer(entries: &[Entry], total: usize, done: usize) -> String {
    let left_out = match done {
        0 => String::new(),
        done => format!(
            "- {} left out; `list_session_checkpoints` has them\n",
            counted(done, "finished one")
        ),
    };
    match (total, done) {
        (0, 0) => "This project has no checkpoints yet.\n".to_owned(),
        (0, 1) => format!(
            "Nothing to resume: the project's only checkpoint is marked as done.\n{left_out}"
        ),
        (0, done) => format!(
            "Nothing to resume: the project's {done} checkpoints are all marked as done.\n{left_out}"
        ),
        (total, _) => {
            let more = match total - entries.len() {
                0 => String::new(),
                more => format!(
                    "- … and {more} more; `list_session_checkpoints` with `limit`: 0 lists all\n"
                ),
            };
            format!(
                "This session has no checkpoint of its own; the project has {}. Ask the user which to resume, then \
                 load it by passing its selector as `checkpoint`:\n{}{more}{left_out}",
                counted(total, "other"),
                entries::lines(entries),
            )
        }
    }
}

/// Adds the latest sessions without a checkpoint to the offer, and returns them.
fn offer_recoverable(found: Recoverable, text: &mut String) -> Vec<Entry> {
    let Recoverable {
        mut entries,
        unopened,
    } = found;
    let total = entries.len() + unopened;
    entries.truncate(RECOVERABLE);
    if entries.is_empty() {
        return entries;
    }
    text.push_str(&format!(
        "Without a checkpoint, but recoverable from the transcript, in the same way; ask the user first:\n{}",
        entries::lines(&entries)
    ));
    let more = total - entries.len();
    if more > 0 {
        text.push_str(&format!(
            "- … and {more} more; `ckpt list --all` in a terminal lists them\n"
        ));
    }
    entries
}

fn nothing(context: &Context, elsewhere: Vec<String>) -> Outcome {
    let lines = elsewhere::lines(&elsewhere);
    let text = format!("Nothing to resume: this project has no checkpoints yet.{lines}");
    Outcome {
        text: with_warnings(text, &context.warnings),
        warnings: context.warnings.clone(),
        elsewhere,
        ..Outcome::default()
    }
}

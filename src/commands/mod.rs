//! The command layer: a request in, an outcome out; no terminal and no protocol.

mod arguments;
mod base;
mod caller;
pub(crate) mod compaction;
pub(crate) mod diff;
mod earlier;
pub(crate) mod edit;
mod elsewhere;
mod entries;
pub(crate) mod everywhere;
mod facts;
mod fit;
pub(crate) mod keep;
mod lines;
pub(crate) mod list;
pub(crate) mod load;
pub(crate) mod log;
pub(crate) mod name;
mod named;
mod project;
pub(crate) mod prompts;
mod provenance;
pub(crate) mod prune;
pub(crate) mod recover;
pub(crate) mod redact;
pub(crate) mod restore;
pub(crate) mod resume;
pub(crate) mod save;
mod scan;
mod shared;
pub(crate) mod status;
pub(crate) mod sync;
mod unsaved;

use std::fmt;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::checkpoint::format::{Checkpoint, Client};
use crate::checkpoint::text::{self, one_line, shortened};
use crate::env::Env;
use crate::error::{failure, quoted};
use crate::redact::redact;
use crate::store::root::{self, Sources};
use crate::store::selector::SessionId;
pub(crate) use crate::store::selector::{At, Name, Revision, Selector};
use crate::store::session::{Current, policy_warning};
use crate::store::{Loaded, Store, selector};
pub(crate) use arguments::{Argument, Arguments, CallerHint, Kind, Scope, Words};
use caller::Caller;

/// Characters of the ids that clients give to their sessions.
const WHOLE_ID: usize = 36;
/// What a person calls the newest checkpoint.
const LATEST: &str = "latest";

/// Who reads what a command says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Reader {
    #[default]
    Agent,
    Person,
}

/// Where a command works and for whom.
pub(crate) struct Context {
    pub(crate) env: Env,
    pub(crate) store: Store,
    caller: Caller,
    /// How the caller knows the arguments.
    words: Words,
    /// Which client's agent calls; None where that is not known.
    client: Option<Client>,
    /// Warnings that belong to whatever the command does.
    warnings: Vec<String>,
    /// Whether the working directory serves as project root because the client named none when asked.
    is_guessed: bool,
    /// Whether the project root is above the working directory, where the nearest store is.
    is_above: bool,
}

impl Context {
    /// Fails where the project root or the session is not a valid one (docs/contract.md, section 2 and 3).
    pub(crate) fn new(env: Env, scope: Scope) -> anyhow::Result<Self> {
        let words = scope.words;
        let root = root::resolve(
            &env,
            &Sources {
                argument: (
                    &words.argument("projectRoot"),
                    scope.project_root.as_deref(),
                ),
                client_root: scope.client_root.as_deref(),
                started_in: scope.started_in.as_deref(),
                looks_above: scope.looks_above,
            },
        )?;
        let is_guessed = scope.is_guessed;
        let client = scope.client.clone();
        let context = Self {
            caller: Caller::new(&env, &root.folder, scope)?,
            words,
            client,
            is_above: root.is_above,
            store: Store::open(root.folder)?,
            warnings: policy_warning(&env).into_iter().collect(),
            env,
            is_guessed,
        };
        Ok(context)
    }

    /// The same caller, working in another project.
    pub(crate) fn at(&self, root: &Path) -> anyhow::Result<Self> {
        let scope = Scope {
            project_root: Some(root.to_owned()),
            words: self.words,
            ..Scope::default()
        };
        Self::new(self.env.clone(), scope)
    }

    /// The session that the call belongs to. Where that is still being searched for, this waits; the search is bounded.
    pub(crate) fn current(&self) -> anyhow::Result<Current> {
        self.caller.current(&self.env)
    }

    /// The same for a call that writes, which a subagent may not make.
    fn saver(&self) -> anyhow::Result<Current> {
        self.caller.refuse_subagent()?;
        self.current()
    }

    /// The selector of the session's own checkpoint; None before the first save has minted an id.
    fn own_selector(&self) -> anyhow::Result<Option<Selector>> {
        Ok(self.current()?.selector())
    }

    /// The same place and words, with another session as the current one.
    pub(crate) fn acting_as(self, id: SessionId) -> Self {
        Self {
            caller: Caller::named(id),
            ..self
        }
    }

    /// Adds what the outcome has to warn of.
    pub(crate) fn warn(&mut self, warnings: Vec<String>) {
        self.warnings.extend(warnings);
    }

    /// The save that an agent means. Agents write selectors whole.
    fn parse(&self, named: &str) -> anyhow::Result<Revision> {
        let (by, at) = selector::split(named, self.env.now)?;
        let is_known = |selector: &Selector| {
            self.store
                .selectors()
                .is_ok_and(|all| all.contains(selector))
        };
        if let Some(by) = by
            && !Selector::parse(by).is_ok_and(|selector| is_known(&selector))
            && let Some(selector) = self.called(by)?
        {
            let at = at.unwrap_or(At::PRESENT);
            return Ok(Revision { selector, at });
        }
        Revision::parse(named, || self.own_selector(), self.env.now)
    }

    /// The checkpoint that has a name. Copied files may share one; then it is the checkpoint that was saved last.
    fn called(&self, name: &str) -> anyhow::Result<Option<Selector>> {
        match Name::parse(name) {
            Ok(_) => self.called_as(|other| other == name),
            Err(_) => Ok(None),
        }
    }

    fn called_as(&self, is_meant: impl Fn(&str) -> bool) -> anyhow::Result<Option<Selector>> {
        let selectors = self.store.selectors()?.into_iter();
        let named = selectors.filter_map(|selector| {
            let checkpoint = self.store.load(&selector).ok()??.checkpoint;
            let name = checkpoint.name.as_deref();
            let has_it = name.is_some_and(|name| Name::parse(name).is_ok() && is_meant(name));
            has_it.then_some((checkpoint.updated_at, selector))
        });
        Ok(named.max().map(|(_, selector)| selector))
    }

    /// The checkpoint that a person means: by its selector, its name, the start of its id, or as `latest`; and else a
    /// session that left only a transcript.
    pub(crate) fn expand(&self, typed: &str) -> anyhow::Result<Selector> {
        match self.revision(typed)? {
            (selector, None) => Ok(selector),
            (selector, Some(_)) => Err(failure(
                format!(
                    "`{typed}` is a single save of `{selector}`, and this works only on the checkpoint as a whole"
                ),
                format!("leave out what follows `{selector}`"),
            )),
        }
    }

    /// Like [`Context::expand`], with the save that is meant, if one is named; `@{N}` alone is one of the session's own.
    pub(crate) fn revision(&self, typed: &str) -> anyhow::Result<(Selector, Option<At>)> {
        let (named, at) = selector::split(typed, self.env.now)?;
        let selector = match named {
            None => {
                let own = self.own_selector()?;
                own.ok_or_else(|| selector::nameless(typed))?
            }
            Some(named) => self.typed(named)?,
        };
        Ok((selector, at))
    }

    /// The checkpoint that a person typed: looked for as it is written first, and then with letters in either case.
    fn typed(&self, typed: &str) -> anyhow::Result<Selector> {
        if typed == LATEST {
            return self.latest();
        }
        let known = self.store.selectors()?;
        let is_checkpoints = known.iter().any(|known| known.as_str() == typed);
        if typed.len() == WHOLE_ID && !is_checkpoints && recover::is_known(self, typed) {
            return Selector::parse(typed);
        }
        if !is_checkpoints {
            if let Some(selector) = self.called_as(|name| name == typed)? {
                return Ok(selector);
            }
            if typed.eq_ignore_ascii_case(LATEST) {
                return self.latest();
            }
            if let Some(selector) = self.called_as(|name| name.eq_ignore_ascii_case(typed))? {
                return Ok(selector);
            }
        }
        if known.iter().any(|known| known.starts_with(typed)) {
            return selector::expand(typed, &known);
        }
        if Selector::parse(typed).is_err() {
            return Err(self.unknown(&quoted(&typed.escape_debug().to_string()), Reader::Person)?);
        }
        selector::expand(typed, &recover::selectors(self))
    }

    fn latest(&self) -> anyhow::Result<Selector> {
        let nothing = || failure("there is no checkpoint yet", "save one: ckpt save");
        load::newest(self)?.ok_or_else(nothing)
    }

    /// The selector of the session's own checkpoint; None where it has none.
    pub(crate) fn own(&self) -> anyhow::Result<Option<Selector>> {
        match self.own_selector()? {
            Some(own) => Ok(self.store.load(&own)?.map(|_| own)),
            None => Ok(None),
        }
    }

    /// The project root, where it is above the working directory because its store is the nearest.
    pub(crate) fn root_above(&self) -> Option<&Path> {
        self.is_above.then(|| self.store.root())
    }

    /// The root directory's own name.
    fn project_name(&self) -> String {
        let name = self.store.root().file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// A checkpoint with its secrets redacted, whoever wrote the file.
    fn load(&self, selector: &Selector) -> anyhow::Result<Option<Loaded>> {
        let mut loaded = self.store.load(selector)?;
        if let Some(loaded) = &mut loaded {
            redact_checkpoint(&mut loaded.checkpoint);
        }
        Ok(loaded)
    }

    /// An error that lists what there is instead of `selector`, as its reader would name it: a person may type
    /// the start of a selector, an agent may not.
    fn unknown(
        &self,
        selector: &impl fmt::Display,
        reader: Reader,
    ) -> anyhow::Result<anyhow::Error> {
        const NAMED: usize = 10;
        let entries = entries::all(self)?.entries;
        let root = self.store.root().display();
        let message = format!("there is no checkpoint `{selector}` in `{root}`");
        if entries.is_empty() {
            let hint = match elsewhere::sentences_of_stores(self, reader).first() {
                Some(nearest) => format!("this folder has no checkpoints, but there is {nearest}"),
                None => "this project has no checkpoints yet".to_owned(),
            };
            return Ok(failure(message, hint));
        }
        let named: Vec<String> = entries
            .iter()
            .take(NAMED)
            .map(|entry| match reader {
                Reader::Person => format!("`{}`", entry.short),
                Reader::Agent => format!("`{}`", entry.selector),
            })
            .collect();
        let more = match entries.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let hint = format!("name one of those that exist: {}{more}", named.join(", "));
        Ok(failure(message, hint))
    }
}

/// Redacts every text of a checkpoint and returns how many values it took out.
fn redact_checkpoint(checkpoint: &mut Checkpoint) -> usize {
    let mut count = 0;
    checkpoint.for_each_prose(|text| {
        let redacted = redact(text);
        if redacted.count > 0 {
            count += redacted.count;
            *text = redacted.text;
        }
    });
    count
}

/// An outcome as programs and models get it. No string hides anything, and none spans lines but those whose lines are
/// part of the text.
pub(crate) fn structured(outcome: &impl Serialize) -> serde_json::Result<Value> {
    /// The text of a result, the checkpoint of one in full, what two checkpoints do not share, and changed lines.
    const WHOLE: [&str; 4] = ["text", "checkpoint", "changes", "diff"];
    let mut value = serde_json::to_value(outcome)?;
    text::clean(&mut value, &WHOLE);
    Ok(value)
}

/// The warning that a checkpoint was read from its backup; `fault` is what is wrong with the main file.
fn read_from_backup(selector: &Selector, fault: &str) -> String {
    format!(
        "checkpoint `{selector}` was read from its backup, the save before the last: its main file {fault}"
    )
}

/// Text that names how many of something there are.
pub(crate) fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// Warnings as a reader may see them: each on one line and of bounded length, whatever it quotes. An agent gets only so
/// many as leave room for the result.
fn harmless(words: Words, warnings: Vec<String>) -> Vec<String> {
    const SHOWN: usize = 2_000;
    let harmless = |warning: String| shortened(&one_line(&warning), SHOWN);
    let warnings = warnings.into_iter().map(harmless).collect();
    match words {
        Words::Json => fit::warnings(warnings),
        Words::Options => warnings,
    }
}

/// What an agent reads: the text with the warnings below it.
fn with_warnings(mut text: String, warnings: &[String]) -> String {
    for warning in warnings {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str("Warning: ");
        text.push_str(warning);
        text.push('\n');
    }
    text
}

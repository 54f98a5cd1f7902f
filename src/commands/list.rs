//! `list`: the checkpoints of a project, newest first (docs/contract.md, section 11).

mod filter;
mod rank;

use serde::{Deserialize, Serialize};

pub(crate) use super::entries::Entry;
use super::entries::{self, newest_first};
use super::{
    Argument, Context, Kind, Words, counted, elsewhere, everywhere, fit, harmless, recover,
    with_warnings,
};
use crate::git;
use crate::redact::redact;
pub(crate) use filter::{Filter, words};
pub(crate) use rank::Rank;

/// How many entries are listed where the request names no limit.
const DEFAULT_LIMIT: usize = 10;

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
    /// Where there is more, in words for its reader.
    #[serde(skip)]
    pub(crate) elsewhere: Vec<String>,
}

impl Request {
    /// How many entries at most.
    fn most(&self) -> usize {
        match self.limit.unwrap_or(DEFAULT_LIMIT) {
            0 => usize::MAX,
            limit => limit,
        }
    }
}

pub(crate) fn run(context: &Context, request: &Request) -> anyhow::Result<Outcome> {
    let (mut entries, warnings) = read(context, request)?;
    let unfiltered = entries.len();
    let query = words(request.query.as_deref().unwrap_or_default())?;
    let admits = |entry: &Entry| request.filter.admits(entry) && filter::mentions(entry, &query);
    let done_left_out = match request.filter.without_done {
        true => {
            let left_out = entries.iter().filter(|entry| entry.done && !admits(entry));
            left_out.count()
        }
        false => 0,
    };
    entries.retain(admits);
    let saved = entries.len();
    let mut unopened = 0;
    let mut elsewhere = Vec::new();
    if request.all && !request.everywhere {
        let recoverable = recover::entries(context);
        let admitted = recoverable.entries.into_iter();
        entries.extend(admitted.filter(admits));
        newest_first(&mut entries);
        unopened = recoverable.unopened;
    }
    if !request.everywhere && (request.all || unfiltered == 0) {
        let reader = context.words.reader();
        let transcripts = request.all.then(|| recover::transcripts(context));
        elsewhere = elsewhere::sentences(context, reader, transcripts.flatten().as_ref());
    }
    let total = entries.len() + unopened;
    if request.own_branch_first
        && let Some(branch) = git::branch(context.store.root())
    {
        let branch = redact(&branch).text;
        entries.sort_by_key(|entry| entry.branch.as_ref() != Some(&branch));
    }
    entries.truncate(request.most());
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
    // The list ends where there is no more room, and the rest is counted.
    while context.words == Words::Json && !outcome.entries.is_empty() && !fit::fits(&outcome)? {
        outcome.entries.truncate(outcome.entries.len() * 4 / 5);
        outcome.tell(saved, request.everywhere);
    }
    Ok(outcome)
}

/// The checkpoints that the request is about, before any is left out, and what there is to warn of.
fn read(context: &Context, request: &Request) -> anyhow::Result<(Vec<Entry>, Vec<String>)> {
    if request.everywhere {
        let found = everywhere::entries(context, request.all)?;
        return Ok((found.entries, found.warnings));
    }
    let found = entries::all(context)?;
    let warnings = match request.as_aside {
        true => found.few_warnings(),
        false => found.all_warnings(),
    };
    Ok((found.entries, warnings))
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
            let elsewhere = elsewhere::lines(&self.elsewhere);
            format!("No checkpoints in this project.{elsewhere}")
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
                entries::lines(&listed)
            )
        };
        self.text = with_warnings(text, &self.warnings);
    }
}

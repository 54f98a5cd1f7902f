//! `prune`: deleting checkpoints that are no longer wanted (docs/contract.md, section 14).

use std::collections::BTreeMap;

use anyhow::Context as _;
use jiff::{Span, Timestamp};
use serde::Serialize;

use super::entries::{self, Entry};
use super::{Context, Reader, Selector};
use crate::checkpoint::time;
use crate::error::failure;
use crate::store::draft::{self, Unwritten};
use crate::store::remove::{Leftovers, Snapshot, Undeleted};

/// Which checkpoints go: those that meet every condition that is given.
///
/// What cannot be read meets none but `broken`, which a file of a newer version does not meet.
#[derive(Debug, Default)]
pub(crate) struct Criteria {
    /// Saved longer ago than that; of what cannot be read, written.
    pub(crate) older_than: Option<Span>,
    /// These, whatever their state.
    pub(crate) named: Vec<Selector>,
    /// These texts of edits, by name.
    pub(crate) drafts: Vec<String>,
    /// It is marked as done, or has tasks, and all are done.
    pub(crate) done: bool,
    /// Not one of so many newest of the project.
    pub(crate) keep: Option<usize>,
    /// Neither of its files is a checkpoint. Meant as well is the text of an edit that was never written.
    pub(crate) broken: bool,
}

impl Criteria {
    pub(crate) fn is_empty(&self) -> bool {
        let Self {
            older_than,
            named,
            drafts,
            done,
            keep,
            broken,
        } = self;
        named.is_empty()
            && drafts.is_empty()
            && older_than.is_none()
            && !done
            && keep.is_none()
            && !broken
    }
}

/// The text of an edit that was not written, as it is listed.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) entry: Entry,
    text: Unwritten,
}

/// What there is to delete.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Newest first. Never the current session's own.
    pub(crate) candidates: Vec<Candidate>,
    /// The latest first. None that is open in an editor.
    pub(crate) drafts: Vec<Draft>,
    /// What goes in any case.
    pub(crate) leftovers: Leftovers,
    pub(crate) warnings: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) entry: Entry,
    selector: Selector,
    snapshot: Snapshot,
    /// How many of the project's checkpoints are newer.
    rank: usize,
}

pub(crate) struct Request {
    pub(crate) plan: Plan,
    /// Tells what would be deleted, and deletes nothing.
    pub(crate) dry_run: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outcome {
    pub(crate) dry_run: bool,
    /// What was, or would be, deleted.
    pub(crate) checkpoints: Vec<Deleted>,
    /// The texts of edits that were not written; nothing in them is redacted.
    pub(crate) drafts: Vec<DeletedDraft>,
    /// Files that interrupted saves and edits had left behind.
    pub(crate) temporary_files: usize,
    /// Freed in all.
    pub(crate) bytes: u64,
    pub(crate) warnings: Vec<String>,
    /// What was to go and could not be deleted, of which the warnings say why.
    #[serde(skip)]
    pub(crate) undeleted: Undeleted,
}

#[derive(Debug, Serialize)]
pub(crate) struct Deleted {
    #[serde(flatten)]
    pub(crate) entry: Entry,
    /// Of both files.
    pub(crate) bytes: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct DeletedDraft {
    /// Of the file, in the directory of the checkpoints.
    pub(crate) name: String,
    pub(crate) age: String,
    /// With the copies that an editor left of it.
    pub(crate) bytes: u64,
    #[serde(skip)]
    pub(crate) entry: Entry,
}

/// Everything that may be deleted: every checkpoint but the current session's own.
pub(crate) fn plan(context: &Context) -> anyhow::Result<Plan> {
    let mut snapshots = BTreeMap::new();
    let look = context.store.look()?;
    let listed = entries::all_by(context, |selector| {
        let Some(snapshot) = look.snapshot(selector)? else {
            return Ok(None);
        };
        let loaded = context.store.load_snapshot(selector, &snapshot);
        snapshots.insert(selector.to_string(), (selector.clone(), snapshot));
        loaded
    })?;
    let warnings = listed.few_warnings();
    let own = context.own_selector()?;
    let mut candidates = Vec::new();
    for (rank, entry) in listed.entries.into_iter().enumerate() {
        // There is none of those for which the time was too short; they stay.
        let Some((selector, snapshot)) = snapshots.remove(&entry.selector) else {
            continue;
        };
        if own.as_ref() != Some(&selector) {
            candidates.push(Candidate {
                entry,
                selector,
                snapshot,
                rank,
            });
        }
    }
    let drafts = context.store.unwritten(context.env.now)?;
    let drafts = drafts.into_iter().filter(|text| !text.is_open);
    Ok(Plan {
        candidates,
        drafts: drafts
            .map(|text| Draft {
                entry: entry(&text, context.env.now),
                text,
            })
            .collect(),
        leftovers: context.store.leftovers(context.env.now)?,
        warnings: [context.warnings.clone(), warnings].concat(),
    })
}

fn entry(text: &Unwritten, now: Timestamp) -> Entry {
    Entry {
        selector: text.name.clone(),
        short: text.name.clone(),
        goal: "(an edit that was not written; its text is not redacted)".to_owned(),
        age: text
            .modified
            .map_or("unknown".to_owned(), |at| time::age(at, now)),
        is_draft: true,
        ..Entry::default()
    }
}

/// The text of an edit that a person means by its file's name or the start of that; None where it is none's. Fails where
/// it is open in an editor.
pub(crate) fn draft_named(context: &Context, typed: &str) -> anyhow::Result<Option<String>> {
    if !typed.starts_with(draft::PREFIX) {
        return Ok(None);
    }
    let mut named = context.store.unwritten(context.env.now)?;
    named.retain(|text| text.name.starts_with(typed));
    let [text] = &named[..] else {
        return Ok(None);
    };
    if text.is_open {
        return Err(failure(
            format!(
                "`{}` may still be open in an editor; nothing was deleted",
                text.name
            ),
            "close the editor first",
        ));
    }
    Ok(Some(text.name.clone()))
}

/// Fails where one that is named cannot go.
pub(crate) fn check(context: &Context, named: &[Selector]) -> anyhow::Result<()> {
    if named.is_empty() {
        return Ok(());
    }
    let own = context.own_selector()?;
    let known = context.store.selectors()?;
    for selector in named {
        if own.as_ref() == Some(selector) {
            return Err(failure(
                format!(
                    "`{selector}` is the current session's own checkpoint, which is never deleted; nothing was"
                ),
                "leave it out",
            ));
        }
        if *selector == Selector::Project {
            return Err(failure(
                "the project's own checkpoint is never deleted by a prune; nothing was",
                "change what it says with: ckpt edit project",
            ));
        }
        if !known.contains(selector) {
            return Err(context.unknown(selector, Reader::Person)?);
        }
    }
    Ok(())
}

impl Plan {
    /// Leaves those that meet the criteria.
    pub(crate) fn select(&mut self, criteria: &Criteria, now: Timestamp) -> anyhow::Result<()> {
        let before = |age| time::before(now, age).context("the age reaches too far back");
        let before = criteria.older_than.map(before).transpose()?;
        self.candidates
            .retain(|candidate| candidate.meets(criteria, before));
        self.drafts.retain(|draft| draft.meets(criteria, before));
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.candidates.is_empty() && self.drafts.is_empty() && self.leftovers.files == 0
    }

    /// Bytes that deleting all of it frees.
    pub(crate) fn bytes(&self) -> u64 {
        let candidates = self.candidates.iter();
        let candidates = candidates.map(|candidate| candidate.snapshot.bytes());
        let drafts = self.drafts.iter().map(|draft| draft.text.bytes);
        self.leftovers.bytes + candidates.chain(drafts).sum::<u64>()
    }
}

impl Draft {
    /// What is said of checkpoints alone no draft meets.
    fn meets(&self, criteria: &Criteria, before: Option<Timestamp>) -> bool {
        let Criteria {
            older_than: _,
            named,
            drafts,
            done,
            keep,
            broken,
        } = criteria;
        let modified = self.text.modified;
        let is_old = before.is_none_or(|before| modified.is_some_and(|time| time < before));
        let is_meant = match named.is_empty() && drafts.is_empty() {
            true => *broken || before.is_some(),
            false => drafts.contains(&self.text.name),
        };
        is_meant && is_old && !done && keep.is_none()
    }
}

impl Candidate {
    fn meets(&self, criteria: &Criteria, before: Option<Timestamp>) -> bool {
        let Criteria {
            older_than: _,
            named,
            drafts,
            done,
            keep,
            broken,
        } = criteria;
        let by_name = !(named.is_empty() && drafts.is_empty());
        let saved = self.entry.updated_at.as_deref();
        let is_readable = saved.is_some();
        let time = match saved {
            Some(saved) => saved.parse().ok(),
            None => self.snapshot.modified,
        };
        let is_old = before.is_none_or(|before| time.is_some_and(|time: Timestamp| time < before));
        let may_go = if *broken {
            self.snapshot.is_broken()
        } else {
            is_readable || by_name
        };
        (!by_name || named.contains(&self.selector))
            && may_go
            && is_old
            && (!done || self.entry.done || self.entry.all_tasks_done)
            && keep.is_none_or(|keep| !is_readable || self.rank >= keep)
    }
}

impl From<Candidate> for Deleted {
    fn from(candidate: Candidate) -> Self {
        Self {
            bytes: candidate.snapshot.bytes(),
            entry: candidate.entry,
        }
    }
}

impl From<Draft> for DeletedDraft {
    fn from(draft: Draft) -> Self {
        let Draft { entry, text } = draft;
        Self {
            name: text.name,
            age: entry.age.clone(),
            bytes: text.bytes,
            entry,
        }
    }
}

/// Deletes what the plan holds, but for what changed since it was made.
pub(crate) fn run(context: &Context, request: Request) -> anyhow::Result<Outcome> {
    let is_empty = request.plan.is_empty();
    let Request {
        plan:
            Plan {
                candidates,
                drafts,
                mut leftovers,
                mut warnings,
            },
        dry_run,
    } = request;
    let mut deleted = None;
    let mut undeleted = Undeleted::default();
    if !dry_run && !is_empty {
        let doomed: Vec<(&Selector, &Snapshot)> = candidates
            .iter()
            .map(|candidate| (&candidate.selector, &candidate.snapshot))
            .collect();
        let texts: Vec<&Unwritten> = drafts.iter().map(|draft| &draft.text).collect();
        let removed = context.store.remove(&doomed, &texts, context.env.now)?;
        warnings.extend(removed.warnings);
        leftovers = removed.leftovers;
        undeleted = removed.undeleted;
        deleted = Some((removed.selectors, removed.drafts));
    }
    // A dry run tells of all that would go.
    let went = |candidate: &Candidate| {
        let deleted = deleted.as_ref();
        deleted.is_none_or(|(selectors, _)| selectors.contains(&candidate.selector))
    };
    let checkpoints = candidates.into_iter().filter(went);
    let checkpoints: Vec<Deleted> = checkpoints.map(Deleted::from).collect();
    let went = |draft: &Draft| {
        let deleted = deleted.as_ref();
        deleted.is_none_or(|(_, drafts)| drafts.contains(&draft.text.name))
    };
    let drafts = drafts.into_iter().filter(went);
    let drafts: Vec<DeletedDraft> = drafts.map(DeletedDraft::from).collect();
    let of_checkpoints = checkpoints.iter().map(|deleted| deleted.bytes);
    let of_drafts = drafts.iter().map(|deleted| deleted.bytes);
    Ok(Outcome {
        dry_run,
        temporary_files: leftovers.files,
        bytes: leftovers.bytes + of_checkpoints.chain(of_drafts).sum::<u64>(),
        checkpoints,
        drafts,
        warnings,
        undeleted,
    })
}

//! `ckpt prune`

use anyhow::anyhow;
use jiff::Span;

use super::output::Output;
use super::prompt::confirm::confirm;
use super::prompt::picker;
use super::{Ended, count, table};
use crate::commands::list::Entry;
use crate::commands::prune::{Criteria, Outcome, Plan, Request};
use crate::commands::{self, Context, Selector, counted};
use crate::error::failure;
use crate::generate::SELECTOR;

const DETAILS: &str = "\
Deletes what meets every condition given, with backup and history; without a \
condition you mark it by hand. The current session's own is never deleted.
The text of an unwritten edit goes by its name, --older-than or --broken.

Examples:
  ckpt prune auth 0f9c                  these two
  ckpt prune --older-than 30d --done    what is done and old
  ckpt prune --broken --yes             what cannot be read, without being asked";

#[derive(Debug, clap::Args)]
#[command(after_help = DETAILS)]
pub(super) struct Args {
    /// These: session ids or the starts of them, names, `legacy`
    #[arg(value_name = "SELECTOR", value_hint = SELECTOR)]
    selectors: Vec<String>,
    /// Those saved longer ago: 90m, 12h, 30d, 2w, 1y
    #[arg(long, value_name = "AGE", value_parser = age)]
    older_than: Option<Span>,
    /// Those marked as done, or with all tasks done
    #[arg(long)]
    done: bool,
    /// Those beyond the newest N of the project
    #[arg(long, value_name = "N", value_parser = count)]
    keep: Option<usize>,
    /// Those that cannot be read, nor their backup
    #[arg(long)]
    broken: bool,
    /// Print what would be deleted, and delete nothing
    #[arg(long)]
    dry_run: bool,
    /// Delete without asking
    #[arg(short, long, conflicts_with = "dry_run")]
    yes: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn age(text: &str) -> Result<Span, &'static str> {
    match text.parse::<Span>() {
        Ok(age) if !age.is_negative() => Ok(age),
        _ => Err("an age is a number with a unit, such as 90m, 12h, 30d, 2w or 1y"),
    }
}

pub(super) fn run(args: Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let Args {
        selectors,
        older_than,
        done,
        keep,
        broken,
        dry_run,
        yes,
        json,
    } = args;
    let (named, drafts) = meant(&selectors, context)?;
    commands::prune::check(context, &named)?;
    let criteria = Criteria {
        named,
        drafts,
        older_than,
        done,
        keep,
        broken,
    };
    let by_hand = criteria.is_empty();
    let mut plan = commands::prune::plan(context)?;
    if by_hand && !output.asks && !plan.is_empty() {
        return Err(failure(
            "no condition was given, and there is no terminal on which to choose; nothing was deleted",
            "name what should go, or pass --older-than AGE, --done, --keep N or --broken",
        ));
    }
    output.warnings(&std::mem::take(&mut plan.warnings));
    let go_on = if by_hand && output.asks {
        mark(&mut plan, output)?
    } else {
        plan.select(&criteria, context.env.now)?;
        true
    };
    if go_on && !dry_run && !yes && !output.asks && !plan.is_empty() {
        return Err(failure(
            "cannot ask for confirmation without a terminal; nothing was deleted",
            "pass --yes to delete without asking, or --dry-run to see what would go",
        ));
    }
    let asks = go_on && !dry_run && !yes;
    if !go_on || asks && !agreed(&plan, output)? {
        output.note("Nothing deleted.");
        return Ok(Ended::NotFound);
    }
    let found = !plan.is_empty();
    let outcome = commands::prune::run(context, Request { plan, dry_run })?;
    output.warnings(&outcome.warnings);
    // Who was asked has just seen which.
    let is_known = asks && output.out.width.is_some();
    match json {
        true => output.json(&outcome)?,
        false => show(&outcome, found, is_known, output)?,
    }
    ended(&outcome, output)
}

/// The checkpoints and the texts of edits that were typed.
fn meant(typed: &[String], context: &Context) -> anyhow::Result<(Vec<Selector>, Vec<String>)> {
    let (mut named, mut drafts) = (Vec::new(), Vec::new());
    for typed in typed.iter().filter(|typed| !typed.is_empty()) {
        match commands::prune::draft_named(context, typed)? {
            Some(draft) => drafts.push(draft),
            None => named.push(context.expand(typed)?),
        }
    }
    Ok((named, drafts))
}

/// How it ended, by what could not be deleted.
fn ended(outcome: &Outcome, output: &Output) -> anyhow::Result<Ended> {
    let undeleted = outcome.undeleted;
    if undeleted != Default::default() {
        let what = what(
            undeleted.checkpoints,
            undeleted.drafts,
            undeleted.temporary_files,
        );
        output.error(&anyhow!("{what} could not be deleted"));
        return Ok(Ended::Failed);
    }
    Ok(Ended::Done)
}

/// Lets a person mark what is to go; false where they leave.
fn mark(plan: &mut Plan, output: &Output) -> anyhow::Result<bool> {
    if plan.candidates.is_empty() && plan.drafts.is_empty() {
        return Ok(true);
    }
    let entries: Vec<_> = entries(plan).collect();
    let Some(marked) = picker::mark("Which checkpoints should be deleted?", &entries, output.err)?
    else {
        return Ok(false);
    };
    let mut index = 0..;
    let mut is_marked = || index.next().is_some_and(|index| marked.contains(&index));
    plan.candidates.retain(|_| is_marked());
    plan.drafts.retain(|_| is_marked());
    Ok(true)
}

/// What a plan holds, as it is listed: the checkpoints, then the texts of edits.
fn entries(plan: &Plan) -> impl Iterator<Item = &Entry> {
    let candidates = plan.candidates.iter().map(|candidate| &candidate.entry);
    candidates.chain(plan.drafts.iter().map(|draft| &draft.entry))
}

/// Whether a person says yes to what they are shown; there is nothing to ask where nothing goes.
fn agreed(plan: &Plan, output: &Output) -> anyhow::Result<bool> {
    if plan.is_empty() {
        return Ok(true);
    }
    let entries: Vec<_> = entries(plan).cloned().collect();
    if !entries.is_empty() {
        output.painted_note(&table::render(&entries, output.err));
    }
    let what = what(
        plan.candidates.len(),
        plan.drafts.len(),
        plan.leftovers.files,
    );
    let question = format!("Delete {what} ({} bytes)?", plan.bytes());
    confirm(&question, false, output.err)
}

/// In words what goes.
fn what(checkpoints: usize, drafts: usize, files: usize) -> String {
    let parts = [
        (checkpoints, "checkpoint"),
        (drafts, "unwritten edit"),
        (files, "temporary file"),
    ];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let mut parts: Vec<String> = parts.map(|(count, what)| counted(*count, what)).collect();
    let last = parts.pop().unwrap_or_default();
    match parts.is_empty() {
        true => last,
        false => format!("{} and {last}", parts.join(", ")),
    }
}

/// `found` is whether anything was to go, which may have stayed; `is_known` whether the person was shown what.
fn show(outcome: &Outcome, found: bool, is_known: bool, output: &Output) -> anyhow::Result<()> {
    let Outcome {
        dry_run,
        checkpoints,
        drafts,
        temporary_files,
        bytes,
        warnings: _,
        undeleted: _,
    } = outcome;
    let texts = drafts.iter().map(|deleted| &deleted.entry);
    let listed = checkpoints.iter().map(|deleted| &deleted.entry);
    let entries: Vec<Entry> = listed.chain(texts).cloned().collect();
    if entries.is_empty() && *temporary_files == 0 {
        output.note(match found {
            true => "Nothing deleted.",
            false => "Nothing to delete.",
        });
        return Ok(());
    }
    if !entries.is_empty() && !is_known {
        output.painted(&table::render(&entries, output.out))?;
    }
    let what = what(checkpoints.len(), drafts.len(), *temporary_files);
    output.note(&match dry_run {
        true => format!("Would delete {what} and free {bytes} bytes."),
        false => format!("Deleted {what} and freed {bytes} bytes."),
    });
    Ok(())
}

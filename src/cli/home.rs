//! `ckpt` alone: on a terminal a picker whose keys say what to do with a checkpoint.

use super::output::Output;
use super::prompt::picker::{self, Act};
use super::{Ended, diff, edit, load, resume};
use crate::commands::list::{self, Entry};
use crate::commands::{self, Context};

/// None where there is nothing to pick from.
pub(super) fn run(context: Context, output: &Output) -> anyhow::Result<Option<Ended>> {
    let mut everywhere = false;
    loop {
        let listed = listed(&context, everywhere, output)?;
        let title = match everywhere {
            true => "Checkpoints of every project",
            false => "Checkpoints",
        };
        let picked = match &listed[..] {
            [] if !everywhere => return Ok(None),
            [only] if !everywhere => Some((Act::Brief, Some(only))),
            entries => {
                let mut finish = |entry: &Entry, done| finish(entry, done, &context);
                picker::act(title, entries, output.err, &mut finish)?
            }
        };
        match picked {
            None => return Ok(Some(Ended::Done)),
            Some((Act::Everywhere, _)) => everywhere = !everywhere,
            Some((act, Some(entry))) => return perform(act, entry, context, output).map(Some),
            Some((_, None)) => {}
        }
    }
}

fn listed(context: &Context, everywhere: bool, output: &Output) -> anyhow::Result<Vec<Entry>> {
    if everywhere {
        let found = commands::everywhere::entries(context, true)?;
        output.warnings(&found.warnings);
        return Ok(found.entries);
    }
    let request = list::Request {
        limit: Some(0),
        all: true,
        as_aside: true,
        own_branch_first: true,
        ..list::Request::default()
    };
    let listed = list::run(context, &request)?;
    output.warnings(&listed.warnings);
    Ok(listed.entries)
}

/// Says of a checkpoint whether it is finished.
fn finish(entry: &Entry, done: bool, context: &Context) -> anyhow::Result<()> {
    let there = entry.project_root.as_ref();
    let there = there.map(|root| context.at(root.as_ref())).transpose()?;
    let context = there.as_ref().unwrap_or(context);
    let selector = context.expand(&entry.selector)?;
    commands::name::mark(context, &[selector], done)?;
    Ok(())
}

fn perform(act: Act, entry: &Entry, context: Context, output: &Output) -> anyhow::Result<Ended> {
    let context = match &entry.project_root {
        Some(root) => context.at(root.as_ref())?,
        None => context,
    };
    let selector = entry.selector.clone();
    match act {
        Act::Diff => diff::run(&diff::Args::of(selector), &context, output),
        Act::Edit => edit::run(&edit::Args::of(selector), &context, output),
        Act::Resume => resume::run(resume::Args::of(selector), context, output),
        Act::Brief | Act::Everywhere => load::run(load::Args::of(selector), &context, output),
    }
}

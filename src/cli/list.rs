//! `ckpt list`

use comfy_table::{ContentArrangement, Table, presets};

use super::Ended;
use super::output::{self, Output};
use crate::checkpoint::markdown;
use crate::commands::{self, Context, list::Entry};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// List at most this many; 0 lists all
    #[arg(long, default_value_t = 10, value_name = "N")]
    limit: usize,
    /// List the sessions that saved no checkpoint, too, where their transcripts can be recovered
    #[arg(long)]
    all: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, context: &Context, output: &Output) -> anyhow::Result<Ended> {
    let request = commands::list::Request {
        limit: Some(args.limit),
        all: args.all,
    };
    let outcome = commands::list::run(context, &request)?;
    output.warnings(&outcome.warnings);
    if args.json {
        output.json(&outcome)?;
        return Ok(Ended::Done);
    }
    if outcome.entries.is_empty() {
        output.note("No checkpoints here.");
        if let Some(parent) = context.parent_with_checkpoints() {
            output.hint(&output::parent_hint(&parent, "list"));
        }
        return Ok(Ended::Done);
    }
    output.data(&table(&outcome.entries, context)?)?;
    if outcome.omitted > 0 {
        output.hint(&format!(
            "{} more; list all with --limit 0",
            outcome.omitted
        ));
    }
    Ok(Ended::Done)
}

pub(super) fn table(entries: &[Entry], context: &Context) -> anyhow::Result<String> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["", "CHECKPOINT", "GOAL", "TASKS", "BRANCH", "SAVED"]);
    for (entry, selector) in entries.iter().zip(context.shortened(entries)?) {
        let (done, tasks) = entry.progress;
        table.add_row([
            mark(entry).to_owned(),
            selector.to_owned(),
            markdown::line(&entry.goal),
            if tasks > 0 {
                format!("{done}/{tasks}")
            } else {
                String::new()
            },
            entry
                .branch
                .as_deref()
                .map(markdown::line)
                .unwrap_or_default(),
            entry.age.clone(),
        ]);
    }
    Ok(table.trim_fmt())
}

fn mark(entry: &Entry) -> &'static str {
    if entry.recoverable {
        return "r";
    }
    match (entry.is_current_session, entry.from_backup) {
        (true, true) => "*b",
        (true, false) => "*",
        (false, true) => "b",
        (false, false) => "",
    }
}

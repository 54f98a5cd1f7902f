//! `ckpt redact`

use std::io;

use super::Ended;
use super::output::Output;
use crate::commands::redact;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Read and write JSON Lines: {"id": …, "text": …} becomes {"id": …, "redacted": …}
    #[arg(long)]
    jsonl: bool,
}

pub(super) fn run(args: &Args, output: &Output) -> anyhow::Result<Ended> {
    let print = |text: &str| output.exact(text);
    let input = io::stdin().lock();
    if args.jsonl {
        redact::json_lines(input, print)?;
    } else {
        redact::text(input, print)?;
    }
    Ok(Ended::Done)
}

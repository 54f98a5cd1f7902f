//! `ckpt redact`

use std::io::{self, BufRead as _, Read as _};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use super::Ended;
use super::output::Output;
use crate::checkpoint::surrogates;
use crate::redact::redact;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Read and write JSON Lines: {"id": …, "text": …} becomes {"id": …, "redacted": …}
    #[arg(long)]
    jsonl: bool,
}

#[derive(Debug, Deserialize)]
struct Line {
    #[serde(default)]
    id: serde_json::Value,
    text: String,
}

#[derive(Debug, Serialize)]
struct Redacted {
    id: serde_json::Value,
    redacted: String,
}

pub(super) fn run(args: &Args, output: &Output) -> anyhow::Result<Ended> {
    if !args.jsonl {
        let mut text = String::new();
        io::stdin()
            .lock()
            .read_to_string(&mut text)
            .context("could not read standard input")?;
        output.exact(&redact(&text).text)?;
        return Ok(Ended::Done);
    }
    for (index, line) in io::stdin().lock().lines().enumerate() {
        let line = line.context("could not read standard input")?;
        let Line { id, text } = surrogates::from_slice(line.as_bytes()).with_context(|| {
            format!(
                "line {} is not of the form {{\"id\": …, \"text\": …}}",
                index + 1
            )
        })?;
        let redacted = redact(&text).text;
        output.exact(&format!(
            "{}\n",
            serde_json::to_string(&Redacted { id, redacted })?
        ))?;
    }
    Ok(Ended::Done)
}

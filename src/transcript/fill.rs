//! How full a session's context is, and how much of that came since the last save: by the end of its transcript alone.

use std::ops::ControlFlow;
use std::path::Path;

use memchr::memmem::find;

use super::client::{Client, Gauge, Session};
use super::line::Event;
use crate::env::{self, Env};

/// Bytes at the end of a transcript that are read.
const TAIL: u64 = 1 << 20;

/// What the context of a session holds, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fill {
    pub(crate) tokens: u64,
    /// What was added since the last save or the last compaction, whichever was later; at least, where both are further
    /// back than was read.
    pub(crate) grown: u64,
    /// Whether a save was met.
    pub(crate) saved: bool,
    /// What it can hold, as far as the client says, or as the last compaction tells.
    pub(crate) limit: Option<u64>,
}

/// None where the transcript tells nothing, where `said` stands in what a hook said since the last save or compaction, or
/// where the user does not want transcripts read.
pub(crate) fn fill(env: &Env, transcript: &Path, said: &str) -> Option<Fill> {
    if env.is_off(env::TRANSCRIPTS) {
        return None;
    }
    let session = Session::at(transcript)?;
    let mut reader = Reader {
        client: session.client,
        gauge: session.client.gauge()?,
        said,
        now: None,
        oldest: Vec::new(),
        saved: false,
        limit: None,
        is_said: false,
    };
    session.file.backwards(TAIL, |line| reader.take(line));
    reader.finish()
}

struct Reader<'a> {
    client: &'static dyn Client,
    gauge: &'static dyn Gauge,
    said: &'a str,
    now: Option<u64>,
    /// The oldest line so far that may tell what the context held, to be parsed if it stays the oldest.
    oldest: Vec<u8>,
    saved: bool,
    limit: Option<u64>,
    is_said: bool,
}

impl Reader<'_> {
    fn take(&mut self, line: &[u8]) -> ControlFlow<()> {
        if self.gauge.may_tell(line) {
            self.keep(line);
            if self.saved && self.now.is_some() {
                return ControlFlow::Break(());
            }
        }
        if self.saved {
            return ControlFlow::Continue(());
        }
        if find(line, self.said.as_bytes()).is_some() && self.gauge.is_of_a_hook(line) {
            self.is_said = true;
            return ControlFlow::Break(());
        }
        if find(line, b"sessionSource").is_some() && self.saves(line) {
            self.saved = true;
            // What stands before it tells what the context held then.
            self.oldest.clear();
        }
        match self.gauge.compaction(line) {
            Some(limit) => {
                self.limit = self.limit.or(limit);
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    fn keep(&mut self, line: &[u8]) {
        if self.now.is_some() {
            self.oldest.clear();
            self.oldest.extend_from_slice(line);
        } else if let Some(reading) = self.gauge.read(line) {
            self.now = Some(reading.tokens).filter(|tokens| *tokens > 0);
            self.limit = reading.window;
        }
    }

    fn saves(&self, line: &[u8]) -> bool {
        let is_save = |event: &Event| matches!(event, Event::Result { saved: Some(_), .. });
        let line = self.client.parse(line);
        line.is_some_and(|line| !line.is_subagents && line.events.iter().any(is_save))
    }

    fn finish(self) -> Option<Fill> {
        let tokens = self.now.filter(|_| !self.is_said)?;
        let base = self.gauge.read(&self.oldest);
        let base = base.map_or(tokens, |reading| reading.tokens);
        Some(Fill {
            tokens,
            grown: tokens.saturating_sub(base),
            saved: self.saved,
            limit: self.limit,
        })
    }
}

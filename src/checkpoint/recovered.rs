//! What a client's transcript tells of a session: recovered facts, kept apart from the agent's own account.

use jiff::Timestamp;

use super::text::shortened;
use super::{markdown, time};

/// Bytes that the facts may take in a brief.
pub(crate) const BRIEF_BYTES: usize = 2_048;
/// The section of a checkpoint's brief.
const TITLE: &str = "After the save (from the session's transcript)";
/// How many entries of the lists a section shows.
pub(crate) const COMMANDS_SHOWN: usize = 10;
const FILES_SHOWN: usize = 20;
/// Characters of a text that are shown, the fewer the less room there is.
const WIDTHS: [usize; 4] = [240, 160, 100, 60];

/// Facts of a session, or of a part of it. Texts are without their secrets and not longer than a checkpoint's.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Recovered {
    /// What the person typed, oldest first.
    pub(crate) prompts: Vec<String>,
    /// The last ones, oldest first.
    pub(crate) commands: Vec<Ran>,
    /// How many there were.
    pub(crate) commands_run: usize,
    /// Relative to the project root with `/`, in the order in which they were last written.
    pub(crate) files: Vec<String>,
    /// What the person called the session.
    pub(crate) title: Option<String>,
    /// The client's own account at a compaction.
    pub(crate) summary: Option<String>,
    pub(crate) last_words: Option<String>,
    /// The command or tool that had given no result when the transcript ends.
    pub(crate) running: Option<String>,
    /// Whether the transcript ends before the agent had finished.
    pub(crate) breaks_off: bool,
    /// The time of the last thing that happened.
    pub(crate) until: Option<Timestamp>,
}

/// What the goal of a session was taken from that saved none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GoalFrom {
    Prompt,
    Title,
    Summary,
    Words,
}

impl GoalFrom {
    /// What it is, in the heading above it.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Prompt => "the first prompt",
            Self::Title => "the session's title",
            Self::Summary => "the client's summary",
            Self::Words => "the agent's first words",
        }
    }
}

/// A command and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ran {
    pub(crate) command: String,
    pub(crate) outcome: Outcome,
    pub(crate) at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Exit(i64),
    /// Refused, interrupted, or ended in another way without an exit status.
    Failed,
    /// Started, and left to run.
    Background,
    /// The transcript holds no result.
    Unknown,
}

impl Outcome {
    pub(crate) fn exit_code(self) -> Option<i64> {
        match self {
            Self::Exit(code) => Some(code),
            Self::Failed | Self::Background | Self::Unknown => None,
        }
    }

    /// What an exit status alone does not say.
    pub(crate) fn note(self) -> Option<&'static str> {
        match self {
            Self::Exit(_) => None,
            Self::Failed => Some("failed, refused or interrupted"),
            Self::Background => Some("left running in the background"),
            Self::Unknown => Some("no result in the transcript"),
        }
    }
}

impl Recovered {
    /// Whether nothing was done; the words with which an agent takes leave do not count.
    pub(crate) fn is_empty(&self) -> bool {
        self.prompts.is_empty()
            && self.commands.is_empty()
            && self.files.is_empty()
            && self.summary.is_none()
            && self.running.is_none()
    }

    /// The section for the brief of a checkpoint after whose save all this happened, under its title.
    pub(super) fn section(&self) -> (&'static str, Vec<String>) {
        let until = self.until.map_or(String::new(), |at| {
            format!(", until {}", at.strftime("%Y-%m-%d %H:%M:%S UTC"))
        });
        let heading = format!("Recovered facts, not the agent's own account{until}:");
        let mut lines = vec![heading];
        let room = BRIEF_BYTES.saturating_sub(lines[0].len() + TITLE.len() + 8);
        lines.extend(self.lines(room));
        (TITLE, lines)
    }

    /// The facts as lines of at most so many bytes with their line ends: shorter texts, and then fewer
    /// commands, where there are many.
    pub(super) fn lines(&self, bytes: usize) -> Vec<String> {
        let fits =
            |lines: &[String]| lines.iter().map(|line| line.len() + 1).sum::<usize>() <= bytes;
        let shown = self.commands.len().min(COMMANDS_SHOWN);
        let attempts = WIDTHS.map(|width| (width, shown)).into_iter();
        let fewer = (0..shown)
            .rev()
            .map(|commands| (WIDTHS[WIDTHS.len() - 1], commands));
        attempts
            .chain(fewer)
            .map(|(width, commands)| self.lines_of(width, commands))
            .find(|lines| fits(lines))
            .unwrap_or_default()
    }

    fn lines_of(&self, width: usize, commands: usize) -> Vec<String> {
        let text = |text: &str| shortened(&markdown::line(text), width);
        let mut lines = Vec::new();
        if let Some(title) = &self.title {
            lines.push(format!("- The user called the session: {}", text(title)));
        }
        for prompt in &self.prompts {
            lines.push(format!("- The user asked: {}", text(prompt)));
        }
        if let Some(summary) = &self.summary {
            lines.push(format!(
                "- Compacted by the client, which noted: {}",
                text(summary)
            ));
        }
        let shown = &self.commands[self.commands.len().saturating_sub(commands)..];
        if !shown.is_empty() {
            let of = match self.commands_run {
                all if all > shown.len() => format!(" of {all}"),
                _ => String::new(),
            };
            lines.push(format!(
                "- Commands run (last {}{of}, oldest first):",
                shown.len()
            ));
            lines.extend(
                shown
                    .iter()
                    .map(|ran| format!("  - {}", self.ran(ran, width))),
            );
        }
        if !self.files.is_empty() {
            // The last ones written, oldest first.
            let left = self.files.len().saturating_sub(FILES_SHOWN);
            let paths = markdown::paths(self.files[left..].iter(), FILES_SHOWN);
            let more = markdown::more(self.files.len(), FILES_SHOWN);
            let more = more.map_or(String::new(), |more| format!(", {more}"));
            lines.push(format!("- Files written: {paths}{more}"));
        }
        if let Some(running) = &self.running {
            let running = markdown::code(&shortened(&markdown::line(running), width));
            lines.push(format!(
                "- The transcript ends while this runs, result unknown: {running}"
            ));
        } else if self.breaks_off {
            lines.push("- The transcript ends before the agent had finished".to_owned());
        }
        if let Some(words) = &self.last_words {
            lines.push(format!("- The agent's last words: {}", text(words)));
        }
        lines
    }

    fn ran(&self, ran: &Ran, width: usize) -> String {
        let Ran {
            command,
            outcome,
            at: _,
        } = ran;
        let mark = match outcome {
            Outcome::Failed => "✗".to_owned(),
            outcome => markdown::ending(outcome.exit_code()),
        };
        let note = outcome
            .note()
            .filter(|_| self.running.as_ref() != Some(command))
            .map_or(String::new(), |note| format!(" — {note}"));
        format!(
            "{mark} {}{note}",
            markdown::code(&shortened(&markdown::line(command), width))
        )
    }

    /// How long ago the last thing happened, and when that was.
    pub(crate) fn when(&self, now: Timestamp) -> String {
        match self.until {
            Some(at) => format!(
                "{}, {}",
                time::age(at, now),
                at.strftime("%Y-%m-%d %H:%M:%S UTC")
            ),
            None => "at an unknown time".to_owned(),
        }
    }
}

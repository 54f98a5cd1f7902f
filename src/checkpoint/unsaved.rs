//! The brief of a session that saved no checkpoint, from what its transcript tells.

use jiff::Timestamp;

use super::brief::Brief;
use super::drift::Changed;
use super::format::FileStatus;
use super::recovered::{BRIEF_BYTES, GoalFrom, Recovered};
use super::{markdown, path};

/// How many files the brief lists.
const FILES_LISTED: usize = 40;

/// How a file stands now that a session wrote.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Presence {
    Uncommitted(FileStatus),
    /// As the last commit has it.
    Committed,
    Gone,
    /// There, and more cannot be known.
    Present,
}

/// A session that saved no checkpoint, with the state of the project now.
#[derive(Debug)]
pub(crate) struct Unsaved<'a> {
    /// The project's name.
    pub(crate) project: &'a str,
    pub(crate) goal: &'a str,
    pub(crate) goal_from: GoalFrom,
    pub(crate) branch: Option<&'a str>,
    pub(crate) recovered: &'a Recovered,
    /// Every file that the session wrote, with how it stands now.
    pub(crate) files: &'a [(String, Presence)],
    /// Those that were written again, or went, after the session.
    pub(crate) changed: &'a [Changed],
    /// Set where the branch is another one now: its name, or None where HEAD is detached.
    pub(crate) moved_to: Option<Option<&'a str>>,
}

impl Unsaved<'_> {
    /// The brief from the transcript alone.
    pub(crate) fn render(&self, notes: &[String], now: Timestamp) -> String {
        let Self {
            project,
            goal,
            goal_from,
            branch,
            recovered,
            files,
            changed,
            moved_to,
        } = self;
        let mut brief = Brief::new(notes);
        brief.line(&format!(
            "# Resuming: {} (no checkpoint; last active {})",
            markdown::line(project),
            recovered.when(now),
        ));
        if let Some(branch) = branch {
            brief.line(&format!("Branch {}", markdown::code(branch)));
        }
        let heading = format!("Goal ({})", goal_from.words());
        brief.section(&heading, &[markdown::paragraph(goal)]);
        let mut done = Recovered {
            files: Vec::new(),
            ..(*recovered).clone()
        };
        done.prompts.retain(|prompt| prompt != goal);
        brief.section(
            "What was done (from the session's transcript)",
            &done.lines(BRIEF_BYTES),
        );
        let shown = files.iter().take(FILES_LISTED);
        let mut lines: Vec<String> = shown
            .map(|(file, presence)| file_line(file, presence))
            .collect();
        let more = markdown::more(files.len(), FILES_LISTED);
        lines.extend(more.map(|more| format!("- {more}")));
        brief.section(&format!("Files written ({})", files.len()), &lines);
        let mut since = Vec::new();
        match moved_to {
            Some(Some(branch)) => since.push(format!(
                "- Branch changed: now on {}",
                markdown::code(branch)
            )),
            Some(None) => since.push("- Branch changed: HEAD is detached now".to_owned()),
            None => {}
        }
        if !changed.is_empty() {
            let paths = changed.iter().map(|changed| &changed.path);
            since.push(format!(
                "- ⚠ Changed after the session, re-read before editing: {}",
                markdown::paths(paths, FILES_LISTED)
            ));
        }
        brief.section("Since this session", &since);
        brief.0
    }
}

fn file_line(file: &str, presence: &Presence) -> String {
    let presence = match presence {
        Presence::Uncommitted(FileStatus::Other(word)) => format!(" ({})", markdown::line(word)),
        Presence::Uncommitted(status) => format!(" ({})", status.as_str()),
        Presence::Committed => " (as in HEAD)".to_owned(),
        Presence::Gone => " (gone)".to_owned(),
        Presence::Present => String::new(),
    };
    format!("- {}", markdown::escaped(&(path::shown(file) + &presence)))
}

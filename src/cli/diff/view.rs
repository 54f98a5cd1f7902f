//! A comparison in lines that tell at a glance what is different.

use owo_colors::Style;
use std::time::Duration;

use similar::{ChangeTag, TextDiff};

use crate::checkpoint::brief::short;
use crate::checkpoint::compare::{
    Change, Comparison, FileChange, FileState, ListChange, TaskChange,
};
use crate::checkpoint::drift::{Changed, Drift, History, How};
use crate::checkpoint::fields::{COMMANDS, FILES, GOAL, SUMMARY, TASKS};
use crate::checkpoint::format::RecentCommand;
use crate::checkpoint::lines::Patch;
use crate::checkpoint::{markdown, path};
use crate::cli::look::Look;
use crate::commands::diff::{Between, Side, Since};

/// How long lines are matched; past it, those that are left count as replaced.
const PATIENCE: Duration = Duration::from_millis(100);

/// What a line tells, which its colour shows.
#[derive(Debug, Clone, Copy)]
enum Tone {
    Plain,
    Heading,
    Added,
    Removed,
    Changed,
}

impl Tone {
    const fn style(self) -> Style {
        match self {
            Self::Plain => Style::new(),
            Self::Heading => Style::new().bold(),
            Self::Added => Style::new().green(),
            Self::Removed => Style::new().red(),
            Self::Changed => Style::new().magenta(),
        }
    }
}

#[derive(Default)]
pub(super) struct View(Vec<(Tone, String)>);

impl View {
    pub(super) fn painted(&self, look: Look) -> String {
        let lines = self.0.iter();
        lines
            .map(|(tone, line)| look.paint(line, tone.style()) + "\n")
            .collect()
    }

    fn line(&mut self, tone: Tone, line: String) {
        self.0.push((tone, line));
    }

    /// An empty line, and a heading.
    fn section(&mut self, title: &str) {
        self.line(Tone::Plain, String::new());
        self.line(Tone::Heading, title.to_owned());
    }

    fn added(&mut self, text: &str) {
        self.line(Tone::Added, format!("  + {text}"));
    }

    fn removed(&mut self, text: &str) {
        self.line(Tone::Removed, format!("  - {text}"));
    }

    fn changed(&mut self, text: &str) {
        self.line(Tone::Changed, format!("  ~ {text}"));
    }

    pub(super) fn since(&mut self, since: &Since) {
        let Since {
            checkpoint,
            differs,
            branch,
            head,
            commits,
            files,
            patches,
            omitted,
            drift,
            warnings: _,
            incomplete,
        } = since;
        self.line(Tone::Heading, format!("Since {}", side(checkpoint)));
        self.branch(branch.as_ref());
        self.history(head.as_ref(), commits, drift);
        if !files.is_empty() {
            self.section(&format!("Files ({})", files.len()));
            for Changed { path, change } in files {
                let (tone, word) = how(*change);
                self.line(tone, format!("  {word:<8}  {}", path::shown(path)));
            }
        }
        for patch in patches.iter().flatten() {
            self.patch(patch);
        }
        if let Some(more) = omitted {
            self.line(Tone::Plain, String::new());
            self.line(Tone::Plain, format!("… and {more} more files"));
        }
        if drift.recorded_only && !files.is_empty() {
            self.line(Tone::Plain, String::new());
            self.line(
                Tone::Plain,
                "Only recorded files could be compared.".to_owned(),
            );
        }
        if drift.lacks_files && !drift.recorded_only {
            self.line(Tone::Plain, String::new());
            self.line(
                Tone::Plain,
                "Not every uncommitted file was recorded; of the others, only those written since the save are compared."
                    .to_owned(),
            );
        }
        if !differs && !incomplete {
            self.line(Tone::Plain, "Nothing changed.".to_owned());
        }
    }

    /// A file's changed lines, or why there are none.
    fn patch(&mut self, patch: &Patch) {
        let Patch {
            path,
            added,
            removed,
            diff,
            why,
        } = patch;
        let counts = match (added, removed) {
            (Some(added), Some(removed)) => format!("  +{added} −{removed}"),
            _ => String::new(),
        };
        self.section(&format!("{}{counts}", path::shown(path)));
        if let Some(why) = why {
            self.line(Tone::Plain, format!("  {why}"));
        }
        for line in diff.iter().flat_map(|diff| diff.lines()) {
            let tone = match line.as_bytes().first() {
                Some(b'+') => Tone::Added,
                Some(b'-') => Tone::Removed,
                Some(b'@') => Tone::Changed,
                _ => Tone::Plain,
            };
            self.line(tone, line.to_owned());
        }
    }

    fn branch(&mut self, branch: Option<&Change<Option<String>>>) {
        if let Some(Change { before, after }) = branch {
            let name = |branch: &Option<String>| {
                branch
                    .as_deref()
                    .map_or_else(|| "detached HEAD".to_owned(), markdown::line)
            };
            self.section("Branch");
            self.changed(&format!("{} → {}", name(before), name(after)));
        }
    }

    fn history(
        &mut self,
        head: Option<&Change<Option<String>>>,
        commits: &[String],
        drift: &Drift,
    ) {
        self.head(head);
        match drift.history {
            History::Diverged { .. } => self.line(
                Tone::Removed,
                "    HEAD no longer follows the saved commit".to_owned(),
            ),
            History::Gone => self.line(
                Tone::Removed,
                "    the saved commit is no longer in the repository".to_owned(),
            ),
            History::BeyondEdge => self.line(
                Tone::Plain,
                "    how many commits are new cannot be known, because this is a shallow clone"
                    .to_owned(),
            ),
            History::Unknown | History::Ahead { .. } => {}
        }
        let total = drift.commits_since.unwrap_or_default();
        if total > 0 {
            self.section(&format!("New commits ({total})"));
            for subject in commits {
                self.added(&markdown::line(subject));
            }
            let more = total.saturating_sub(commits.len() as u64);
            if more > 0 {
                self.line(Tone::Plain, format!("    … and {more} older"));
            }
        }
    }

    fn head(&mut self, head: Option<&Change<Option<String>>>) {
        if let Some(Change { before, after }) = head {
            let id = |id: &Option<String>| {
                id.as_deref()
                    .map_or_else(|| "none".to_owned(), |id| markdown::line(short(id)))
            };
            self.section("HEAD");
            self.changed(&format!("{} → {}", id(before), id(after)));
        }
    }

    pub(super) fn between(&mut self, between: &Between) {
        let Between {
            before,
            after,
            differs,
            changes,
            warnings: _,
        } = between;
        self.line(Tone::Removed, format!("--- {}", side(before)));
        self.line(Tone::Added, format!("+++ {}", side(after)));
        if !differs {
            self.line(Tone::Plain, "Nothing changed.".to_owned());
        }
        let Comparison {
            branch,
            head,
            goal,
            tasks,
            summary,
            lists,
            modified_files,
            recent_commands,
        } = changes;
        if let Some(Change { before, after }) = goal {
            self.section(GOAL.title);
            self.removed(&markdown::line(before));
            self.added(&markdown::line(after));
        }
        if !tasks.is_empty() {
            self.section(TASKS.title);
            tasks.iter().for_each(|change| self.task(change));
        }
        if let Some(change) = summary {
            self.section(SUMMARY.title);
            self.summary(change);
        }
        for (field, change) in &lists.0 {
            self.list(field.title, change, |text| markdown::line(text));
        }
        if !modified_files.is_empty() {
            self.section(FILES.title);
            modified_files.iter().for_each(|change| self.file(change));
        }
        self.list(COMMANDS.title, recent_commands, command);
        self.branch(branch.as_ref());
        self.head(head.as_ref());
    }

    fn task(&mut self, change: &TaskChange) {
        let TaskChange {
            description,
            before,
            after,
        } = change;
        let description = markdown::line(description);
        match (before, after) {
            (Some(before), Some(after)) => self.changed(&format!(
                "{} → {}  {description}",
                markdown::line(before.as_str()),
                markdown::line(after.as_str())
            )),
            (None, Some(after)) => {
                self.added(&format!(
                    "{}  {description}",
                    markdown::line(after.as_str())
                ));
            }
            (Some(before), None) => {
                self.removed(&format!(
                    "{}  {description}",
                    markdown::line(before.as_str())
                ));
            }
            (None, None) => {}
        }
    }

    /// The lines that differ, with one around them.
    fn summary(&mut self, change: &Change<Option<String>>) {
        let text = |summary: &Option<String>| summary.clone().unwrap_or_default();
        let (before, after) = (text(&change.before), text(&change.after));
        let diff = TextDiff::configure()
            .timeout(PATIENCE)
            .diff_lines(&before, &after);
        for (index, group) in diff.grouped_ops(1).iter().enumerate() {
            if index > 0 {
                self.line(Tone::Plain, "    …".to_owned());
            }
            for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let line = change.value().trim_end().replace('\t', "    ");
                match change.tag() {
                    ChangeTag::Delete => self.removed(&line),
                    ChangeTag::Insert => self.added(&line),
                    ChangeTag::Equal => self.line(Tone::Plain, format!("    {line}")),
                }
            }
        }
    }

    fn list<T>(&mut self, title: &str, change: &ListChange<T>, text: impl Fn(&T) -> String) {
        if change.is_empty() {
            return;
        }
        let ListChange { added, removed } = change;
        self.section(title);
        removed.iter().for_each(|entry| self.removed(&text(entry)));
        added.iter().for_each(|entry| self.added(&text(entry)));
    }

    fn file(&mut self, change: &FileChange) {
        let FileChange {
            path,
            before,
            after,
        } = change;
        let path = path::shown(path);
        let whole = |state: &FileState| {
            let note = state.note.as_deref().map(markdown::line);
            let note = note.map(|note| format!(" — {note}")).unwrap_or_default();
            format!("{path} ({}){note}", markdown::line(&state.status))
        };
        match (before, after) {
            (Some(before), Some(after)) => {
                self.changed(&format!(
                    "{path}: {}",
                    file_changes(before, after).join(", ")
                ));
            }
            (None, Some(after)) => self.added(&whole(after)),
            (Some(before), None) => self.removed(&whole(before)),
            (None, None) => {}
        }
    }
}

/// A checkpoint as the heading of a comparison names it.
fn side(side: &Side) -> String {
    let Side {
        selector,
        updated_at,
        from_backup,
        saved,
    } = side;
    let backup = if *from_backup { ", backup" } else { "" };
    format!("{selector} ({saved}, {updated_at}{backup})")
}

fn how(how: How) -> (Tone, &'static str) {
    match how {
        How::Modified => (Tone::Changed, "modified"),
        How::New => (Tone::Added, "new"),
        How::Deleted => (Tone::Removed, "deleted"),
        How::Restored => (Tone::Added, "restored"),
        How::Reverted => (Tone::Changed, "reverted"),
    }
}

fn command(entry: &RecentCommand) -> String {
    let note = entry.note.as_deref().map(markdown::line);
    let note = note.map(|note| format!(" — {note}")).unwrap_or_default();
    let command = markdown::line(&entry.command);
    format!("{} {command}{note}", markdown::ending(entry.exit_code))
}

/// In words what two states of a file do not share.
fn file_changes(before: &FileState, after: &FileState) -> Vec<String> {
    let mut changes = Vec::new();
    if before.hash != after.hash {
        changes.push("content".to_owned());
    }
    if before.status != after.status {
        let (before, after) = (
            markdown::line(&before.status),
            markdown::line(&after.status),
        );
        changes.push(format!("{before} → {after}"));
    }
    if before.note != after.note {
        changes.push(match &after.note {
            Some(note) => format!("note: {}", markdown::line(note)),
            None => "note gone".to_owned(),
        });
    }
    changes
}

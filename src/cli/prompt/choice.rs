//! How a checkpoint to choose is drawn: as a row of the list, and below it what it is about.

use std::cell::OnceCell;

use owo_colors::Style;

use crate::checkpoint::format::{Checkpoint, Task, TaskStatus};
use crate::checkpoint::markdown;
use crate::cli::look::{FAINT, Look, NAME, PLACE};
use crate::cli::width::{cut, width, wrap};
use crate::commands::counted;
use crate::commands::list::Entry;

const MARKER: &str = "❯ ";
/// Before the goal of a session that goes on elsewhere, of one that left only a transcript, and of what is finished.
const RUNS: &str = "~ ";
const RECOVERABLE: &str = "? ";
const DONE: &str = "✓ ";
/// Lines of the goal that the preview shows at most, where a row cuts it off, and of the summary.
const GOAL: usize = 3;
const SUMMARY: usize = 4;
/// Below this many columns a row has no room for the branch.
const NARROW: usize = 64;

/// A checkpoint to choose.
pub(super) struct Choice<'a> {
    pub(super) entry: &'a Entry,
    /// Whether it is finished, which may have been said here.
    pub(super) done: bool,
    /// Read from the entry when it is first shown.
    contents: OnceCell<Option<Checkpoint>>,
}

impl<'a> Choice<'a> {
    pub(super) fn of(entry: &'a Entry) -> Self {
        Self {
            entry,
            done: entry.done,
            contents: OnceCell::new(),
        }
    }

    fn contents(&self) -> Option<&Checkpoint> {
        let contents = self.contents.get_or_init(|| self.entry.contents());
        contents.as_ref()
    }
}

/// How wide the columns beside the goal are, over the rows that are shown together.
pub(super) struct Columns {
    all: usize,
    branch: usize,
    age: usize,
}

impl Columns {
    pub(super) fn of(rows: &[&Entry], all: usize) -> Self {
        const BRANCH_PART: usize = 4;
        let widest = |texts: &dyn Fn(&Entry) -> usize| rows.iter().map(|entry| texts(entry)).max();
        let branch = match all {
            ..NARROW => 0,
            _ => widest(&|entry| width(&place(entry))).unwrap_or_default(),
        };
        Self {
            all,
            branch: branch.min(all / BRANCH_PART),
            age: widest(&|entry| width(&entry.age)).unwrap_or_default(),
        }
    }

    /// Columns that are left for the goal.
    fn goal(&self) -> usize {
        let branch_and_gap = match self.branch {
            0 => 0,
            columns => columns + GAP.len(),
        };
        let taken = width(MARKER) + branch_and_gap + GAP.len() + self.age;
        self.all.saturating_sub(taken)
    }

    pub(super) fn row(&self, choice: &Choice<'_>, is_chosen: bool, look: Look) -> String {
        let padded = |text: &str, columns: usize| {
            let text = cut(text, columns);
            let padding = " ".repeat(columns.saturating_sub(width(&text)));
            (text, padding)
        };
        let (marker, style) = match is_chosen {
            true => (MARKER, NAME),
            false => ("  ", Style::new()),
        };
        let entry = choice.entry;
        let (goal, after) = padded(&shown_goal(choice), self.goal());
        let mut row = look.paint(marker, NAME) + &look.paint(&goal, style) + &after;
        if self.branch > 0 {
            let (place, after) = padded(&place(entry), self.branch);
            row += GAP;
            row += &(look.paint(&place, PLACE) + &after);
        }
        row += GAP;
        let left = self.all.saturating_sub(width(marker) + GAP.len());
        row + &look.paint(&cut(&entry.age, left), FAINT)
    }
}

const GAP: &str = "  ";

fn shown_goal(choice: &Choice<'_>) -> String {
    let entry = choice.entry;
    let mark = match (entry.runs_elsewhere(), entry.recoverable) {
        (true, _) => RUNS,
        (false, true) => RECOVERABLE,
        (false, false) if choice.done => DONE,
        (false, false) => "",
    };
    mark.to_owned() + &markdown::line(&entry.goal)
}

/// Where it belongs: its branch, or among those of every project its project.
fn place(entry: &Entry) -> String {
    let place = entry.project.as_ref().or(entry.branch.as_ref());
    markdown::line(place.map_or("", String::as_str))
}

fn branch(entry: &Entry) -> String {
    markdown::line(entry.branch.as_deref().unwrap_or_default())
}

/// What a checkpoint is about, in a few lines.
pub(super) fn preview_of(choice: &Choice<'_>, columns: usize, look: Look) -> Vec<String> {
    const INDENT: &str = "  ";
    let room = columns.saturating_sub(INDENT.len());
    let entry = choice.entry;
    let mut lines = Vec::new();
    if width(&shown_goal(choice)) > Columns::of(&[entry], columns).goal() {
        lines.extend(wrapped(&markdown::line(&entry.goal), room, GOAL));
    }
    lines.push(look.paint(&cut(&facts(choice).join(" · "), room), FAINT));
    if let Some(checkpoint) = choice.contents() {
        if let Some(summary) = &checkpoint.summary {
            lines.extend(wrapped(&markdown::line(summary), room, SUMMARY));
        }
        let open = checkpoint.goal.tasks.iter();
        let open = open.filter(|task| task.status != TaskStatus::Done);
        lines.extend(open.map(|task| cut(&described(task), room)));
        let next = checkpoint.next_steps.iter().enumerate();
        lines.extend(
            next.map(|(index, step)| {
                cut(&format!("{}. {}", index + 1, markdown::line(step)), room)
            }),
        );
    }
    lines
        .into_iter()
        .map(|line| INDENT.to_owned() + &line)
        .collect()
}

fn facts(choice: &Choice<'_>) -> Vec<String> {
    let entry = choice.entry;
    let (done, tasks) = (entry.tasks_done, entry.tasks);
    let mut facts = vec![entry.short.clone()];
    facts.extend(entry.project.as_deref().map(markdown::line));
    if tasks > 0 {
        facts.push(format!("{done} of {} done", counted(tasks, "task")));
    }
    facts.extend(Some(branch(entry)).filter(|branch| !branch.is_empty()));
    let machine = entry.machine.as_deref().map(markdown::line);
    facts.extend(machine.map(|machine| format!("from {machine}")));
    let marks = [
        (choice.done, "done"),
        (entry.is_current_session, "this session's own"),
        (entry.from_backup, "from its backup"),
        (
            entry.recoverable,
            "no checkpoint, recoverable from its transcript",
        ),
        (entry.runs_elsewhere(), "still runs"),
        (entry.was_killed(), "was killed"),
    ];
    let marks = marks.iter().filter(|(is, _)| *is);
    facts.extend(marks.map(|(_, mark)| (*mark).to_owned()));
    facts
}

/// A text in so many lines at most, the last of them with an ellipsis where more follows.
fn wrapped(text: &str, columns: usize, most: usize) -> Vec<String> {
    // More than is shown is not looked at.
    let text = cut(text, columns * (most + 1));
    let parts = wrap(&text, columns, 0);
    let last = parts.len().min(most).saturating_sub(1);
    let shown = parts.into_iter().take(most).enumerate();
    let line = |(index, part): (usize, std::ops::Range<usize>)| match index == last {
        true => cut(&text[part.start..], columns),
        false => cut(&text[part], columns),
    };
    shown.map(line).collect()
}

fn described(task: &Task) -> String {
    let mark = match task.status {
        TaskStatus::InProgress => "~",
        TaskStatus::Blocked => "!",
        _ => " ",
    };
    format!("[{mark}] {}", markdown::line(&task.description))
}

//! A list of checkpoints to choose from: typing filters it, and what the chosen one is about stands below.

use std::cell::OnceCell;

use owo_colors::Style;

use super::editor::Editor;
use super::keys::Key;
use super::{Screen, leaves};
use crate::checkpoint::format::{Checkpoint, Task, TaskStatus};
use crate::checkpoint::markdown;
use crate::cli::look::Look;
use crate::cli::width::{cut, width, wrap};
use crate::commands::list::{Entry, remembered};

const PROMPT: &str = "> ";
const MARKER: &str = "❯ ";
/// Lines above the list: the title and the filter.
const HEAD: usize = 2;
/// Entries that are shown at once at most.
const SHOWN: usize = 10;
/// Before the goal of a session that goes on elsewhere.
const RUNS: &str = "~ ";
/// Lines of the summary that the preview shows at most.
const SUMMARY: usize = 4;
/// Below this many columns a row has no room for the branch.
const NARROW: usize = 64;

const TITLE: Style = Style::new().bold();
const CHOSEN: Style = Style::new().cyan().bold();
const BRANCH: Style = Style::new().cyan();
const FAINT: Style = Style::new().dimmed();

/// Lets a person choose one of `entries`; None where they leave without.
pub(in crate::cli) fn pick<'a>(
    title: &'a str,
    entries: &'a [Entry],
    look: Look,
) -> anyhow::Result<Option<&'a Entry>> {
    let mut picker = Picker::new(title, entries);
    let mut screen = Screen::open()?;
    loop {
        let (rows, columns) = screen.size();
        let (lines, column) = picker.draw(rows, columns, look);
        screen.draw(&lines, (HEAD - 1, column))?;
        let key = screen.key();
        match key {
            Ok(Key::Enter) if picker.chosen().is_some() => {
                screen.clear()?;
                return Ok(picker.chosen());
            }
            Ok(key) if leaves(&key) => {
                screen.clear()?;
                return Ok(None);
            }
            Ok(key) => picker.press(&key),
            Err(error) => {
                screen.clear()?;
                return Err(error.into());
            }
        }
    }
}

struct Picker<'a> {
    title: &'a str,
    choices: Vec<Choice<'a>>,
    filter: Editor,
    /// Indices of the choices that the filter lets through.
    matching: Vec<usize>,
    /// Index into `matching`.
    at: usize,
}

struct Choice<'a> {
    entry: &'a Entry,
    /// Read from the entry when it is first needed.
    contents: OnceCell<Option<Checkpoint>>,
}

impl Choice<'_> {
    fn contents(&self) -> Option<&Checkpoint> {
        let contents = self.contents.get_or_init(|| self.entry.contents());
        contents.as_ref()
    }

    /// Whether every word stands somewhere in what a person may remember of it.
    fn matches(&self, words: &str) -> bool {
        let entry = self.entry;
        let mut text = vec![entry.selector.as_str(), entry.goal.as_str()];
        text.extend(entry.branch.as_deref());
        if let Some(checkpoint) = self.contents() {
            text.extend(remembered(checkpoint));
        }
        let text = text.join("\n").to_lowercase();
        let mut words = words.split_whitespace();
        words.all(|word| text.contains(&word.to_lowercase()))
    }
}

impl<'a> Picker<'a> {
    fn new(title: &'a str, entries: &'a [Entry]) -> Self {
        let choice = |entry| Choice {
            entry,
            contents: OnceCell::new(),
        };
        Self {
            title,
            choices: entries.iter().map(choice).collect(),
            filter: Editor::default(),
            matching: (0..entries.len()).collect(),
            at: 0,
        }
    }

    fn chosen(&self) -> Option<&'a Entry> {
        let index = self.matching.get(self.at)?;
        Some(self.choices[*index].entry)
    }

    fn press(&mut self, key: &Key) {
        let last = self.matching.len().saturating_sub(1);
        match key {
            Key::ArrowUp | Key::BackTab | Key::Char('\u{10}') => {
                self.at = self.at.checked_sub(1).unwrap_or(last);
            }
            Key::ArrowDown | Key::Tab | Key::Char('\u{e}') => {
                self.at = if self.at < last { self.at + 1 } else { 0 };
            }
            Key::PageUp => self.at = self.at.saturating_sub(SHOWN),
            Key::PageDown => self.at = last.min(self.at + SHOWN),
            key => {
                let before = self.filter.text();
                if self.filter.press(key) && self.filter.text() != before {
                    self.refresh();
                }
            }
        }
    }

    fn refresh(&mut self) {
        let words = self.filter.text();
        let matching = self.choices.iter().enumerate();
        self.matching = matching
            .filter(|(_, choice)| choice.matches(&words))
            .map(|(index, _)| index)
            .collect();
        self.at = 0;
    }

    /// The lines for a terminal of that size, and the cursor's column in the filter.
    fn draw(&self, rows: usize, columns: usize, look: Look) -> (Vec<String>, usize) {
        // A line that fills the last column would wrap on some terminals.
        let columns = columns.saturating_sub(1);
        let room = rows.saturating_sub(HEAD + 1);
        let shown = self.matching.len().min(SHOWN).min(room.div_ceil(2)).max(1);

        let help = "  type to filter, ↑ ↓ choose, Enter takes it, Esc leaves";
        let title = cut(self.title, columns);
        let help = cut(help, columns.saturating_sub(width(&title)));
        let (filter, column) = self.filter.view(columns.saturating_sub(PROMPT.len()));
        let mut lines = vec![
            look.paint(&title, TITLE) + &look.paint(&help, FAINT),
            look.paint(PROMPT, CHOSEN) + &filter,
        ];
        let first = (self.at + 1).saturating_sub(shown);
        let last = self.matching.len().min(first + shown);
        let visible = self.matching[first..last].iter();
        let visible: Vec<&Entry> = visible.map(|index| self.choices[*index].entry).collect();
        let layout = Columns::of(&visible, columns);
        for (index, entry) in visible.into_iter().enumerate() {
            lines.push(layout.row(entry, first + index == self.at, look));
        }
        if self.matching.is_empty() {
            lines.push(look.paint(&cut("  nothing matches", columns), FAINT));
        }
        if let Some(index) = self.matching.get(self.at) {
            let mut preview = vec![String::new()];
            preview.extend(preview_of(&self.choices[*index], columns, look));
            preview.truncate((rows.saturating_sub(1)).saturating_sub(lines.len()));
            lines.append(&mut preview);
        }
        (lines, PROMPT.len() + column)
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
            _ => widest(&|entry| width(&branch(entry))).unwrap_or_default(),
        };
        Self {
            all,
            branch: branch.min(all / BRANCH_PART),
            age: widest(&|entry| width(&entry.age)).unwrap_or_default(),
        }
    }

    pub(super) fn row(&self, entry: &Entry, is_chosen: bool, look: Look) -> String {
        let padded = |text: &str, columns: usize| {
            let text = cut(text, columns);
            let padding = " ".repeat(columns.saturating_sub(width(&text)));
            (text, padding)
        };
        let (marker, style) = match is_chosen {
            true => (MARKER, CHOSEN),
            false => ("  ", Style::new()),
        };
        let gap = "  ";
        let branch_and_gap = match self.branch {
            0 => 0,
            columns => columns + gap.len(),
        };
        let taken = width(marker) + branch_and_gap + gap.len() + self.age;
        let mark = if entry.runs_elsewhere() { RUNS } else { "" };
        let goal = mark.to_owned() + &markdown::line(&entry.goal);
        let (goal, after) = padded(&goal, self.all.saturating_sub(taken));
        let mut row = look.paint(marker, CHOSEN) + &look.paint(&goal, style) + &after;
        if self.branch > 0 {
            let (branch, after) = padded(&branch(entry), self.branch);
            row += gap;
            row += &(look.paint(&branch, BRANCH) + &after);
        }
        row += gap;
        row + &look.paint(
            &cut(
                &entry.age,
                self.all.saturating_sub(width(marker) + gap.len()),
            ),
            FAINT,
        )
    }
}

fn branch(entry: &Entry) -> String {
    markdown::line(entry.branch.as_deref().unwrap_or_default())
}

/// What a checkpoint is about, in a few lines.
fn preview_of(choice: &Choice<'_>, columns: usize, look: Look) -> Vec<String> {
    const INDENT: &str = "  ";
    let room = columns.saturating_sub(INDENT.len());
    let entry = choice.entry;
    let (done, tasks) = entry.progress;
    let mut facts = vec![entry.selector.clone()];
    if tasks > 0 {
        facts.push(format!("{done} of {tasks} tasks done"));
    }
    facts.extend(Some(branch(entry)).filter(|branch| !branch.is_empty()));
    if entry.from_backup {
        facts.push("from its backup".to_owned());
    }
    if entry.runs_elsewhere() {
        facts.push("still runs".to_owned());
    } else if entry.was_killed() {
        facts.push("was killed".to_owned());
    }
    let mut lines = vec![look.paint(&cut(&facts.join(" · "), room), FAINT)];
    if let Some(checkpoint) = choice.contents() {
        if let Some(summary) = &checkpoint.summary {
            // More than the preview shows of it is not looked at.
            let summary = cut(&markdown::line(summary), room * (SUMMARY + 1));
            let parts = wrap(&summary, room, 0);
            let last = parts.len().min(SUMMARY) - 1;
            let shown = parts.into_iter().take(SUMMARY).enumerate();
            lines.extend(shown.map(|(index, part)| match index == last {
                true => cut(&summary[part.start..], room),
                false => cut(&summary[part], room),
            }));
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

fn described(task: &Task) -> String {
    let mark = match task.status {
        TaskStatus::InProgress => "~",
        TaskStatus::Blocked => "!",
        _ => " ",
    };
    format!("[{mark}] {}", markdown::line(&task.description))
}

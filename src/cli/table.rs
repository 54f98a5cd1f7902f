//! Checkpoints as a table that fits the terminal.

use comfy_table::{ColumnConstraint, ContentArrangement, Row, Table, TableStyle, Width};
use owo_colors::Style;

use super::look::{FAINT, Look, NAME, NOTICE, PLACE};
use super::width::{cut, width};
use crate::checkpoint::markdown;
use crate::commands::list::Entry;
use crate::commands::log::Save;

/// A mark, what it means, and whether an entry has it.
type Mark = (&'static str, &'static str, fn(&Entry) -> bool);

/// All marks; what they mean is shown below a table that has some.
const MARKS: [Mark; 6] = [
    ("*", "this session's own", |entry| entry.is_current_session),
    ("!", "read from its backup", |entry| entry.from_backup),
    (
        "?",
        "no checkpoint, recoverable from its transcript",
        |entry| entry.recoverable,
    ),
    ("%", "text of an edit, not redacted", |entry| entry.is_draft),
    ("~", "still runs", Entry::runs_elsewhere),
    ("x", "was killed", Entry::was_killed),
];
/// Below this many columns a goal has no room beside the rest, and gets a line of its own.
const NARROW: usize = 64;
/// Of these parts of the width the branch takes at most one.
const PARTS: usize = 5;
/// Columns that the name of a machine takes at most.
const MACHINE: usize = 16;
/// A character that no cell holds, to find the cells in a finished line again.
const BORDER: char = '\u{1f}';

/// One entry in words, harmless and each on one line.
struct Cells {
    mark: String,
    selector: String,
    goal: String,
    tasks: String,
    branch: String,
    saved: String,
}

/// The checkpoints in columns, or where there is no room for those as two lines each. Off a terminal nothing
/// is left out, and two spaces part the columns.
pub(super) fn render(entries: &[Entry], look: Look) -> String {
    match look.width {
        None => whole(entries, look),
        Some(columns) => {
            let longest = entries.iter().map(|entry| entry.short.len()).max();
            if columns < NARROW || longest.unwrap_or_default() > columns / 3 {
                stacked(entries, columns, look)
            } else {
                fitted(entries, columns, look)
            }
        }
    }
}

/// What the marks in the table say; None where it has none.
pub(super) fn legend(entries: &[Entry]) -> Option<String> {
    let shown = MARKS.iter().filter(|(_, _, has)| entries.iter().any(has));
    let parts: Vec<String> = shown
        .map(|(mark, meaning, _)| format!("{mark} {meaning}"))
        .collect();
    (!parts.is_empty()).then(|| parts.join("   "))
}

/// The saves of one checkpoint, each with its goal where that is another one than of the save above.
pub(super) fn saves(saves: &[Save], look: Look) -> String {
    let mut table = table(["SAVE", "SAVED", "TASKS", "BRANCH", "GOAL"]);
    let mut above = None;
    for save in saves {
        let goal = match &save.goal {
            None => "(unreadable)".to_owned(),
            goal if above == goal.as_ref() => String::new(),
            Some(goal) => markdown::line(goal),
        };
        above = save.goal.as_ref();
        let goal = look
            .width
            .map_or(goal.clone(), |columns| cut(&goal, columns));
        let branch = markdown::line(save.branch.as_deref().unwrap_or(NOTHING));
        let mut row = Row::from([
            format!("@{{{}}}", save.number),
            save.age.clone(),
            progress((save.tasks_done, save.tasks)),
            branch,
            goal,
        ]);
        row.max_height(1);
        table.add_row(row);
    }
    if let Some(columns) = look.width {
        let branch = u16::try_from(columns / PARTS).unwrap_or(u16::MAX);
        for (index, column) in table.column_iter_mut().enumerate() {
            match index {
                3 => {
                    column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(branch)));
                }
                4 => {}
                _ => {
                    column.set_constraint(ColumnConstraint::ContentWidth);
                }
            }
        }
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(u16::try_from(columns).unwrap_or(u16::MAX));
    }
    let styles = [NAME, FAINT, Style::new(), PLACE, Style::new()];
    painted(&table, &styles, look)
}

/// Tasks done of tasks in all.
fn progress((done, tasks): (usize, usize)) -> String {
    match tasks {
        0 => NOTHING.to_owned(),
        _ => format!("{done}/{tasks}"),
    }
}

fn whole(entries: &[Entry], look: Look) -> String {
    let mut table = table(["SELECTOR", "GOAL", "TASKS", "BRANCH", "SAVED", ""]);
    for entry in entries {
        let Cells {
            mark: _,
            selector,
            goal,
            tasks,
            branch,
            saved,
        } = Cells::of(entry);
        let shown = MARKS.iter().filter(|(_, _, has)| has(entry));
        let notes: Vec<&str> = shown.map(|(_, meaning, _)| *meaning).collect();
        table.add_row([selector, goal, tasks, branch, saved, notes.join(", ")]);
    }
    let styles = [NAME, Style::new(), Style::new(), PLACE, FAINT, FAINT];
    painted(&table, &styles, look)
}

fn fitted(entries: &[Entry], columns: usize, look: Look) -> String {
    let mut table = table(["", "SELECTOR", "GOAL", "TASKS", "BRANCH", "SAVED"]);
    for entry in entries {
        let Cells {
            mark,
            selector,
            goal,
            tasks,
            branch,
            saved,
        } = Cells::of(entry);
        let goal = cut(&goal, columns);
        let mut row = Row::from([mark, selector, goal, tasks, branch, saved]);
        row.max_height(1);
        table.add_row(row);
    }
    let branch = u16::try_from(columns / PARTS).unwrap_or(u16::MAX);
    let whole = ColumnConstraint::ContentWidth;
    for (index, column) in table.column_iter_mut().enumerate() {
        match index {
            0 => {
                column.set_constraint(whole).set_padding((0, 0));
            }
            2 => {}
            4 => {
                column.set_constraint(ColumnConstraint::UpperBoundary(Width::Fixed(branch)));
            }
            _ => {
                column.set_constraint(whole);
            }
        }
    }
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(columns).unwrap_or(u16::MAX));
    let styles = [NOTICE, NAME, Style::new(), Style::new(), PLACE, FAINT];
    painted(&table, &styles, look)
}

fn stacked(entries: &[Entry], columns: usize, look: Look) -> String {
    const INDENT: &str = "  ";
    let mut text = String::new();
    for entry in entries {
        let Cells {
            mark,
            selector,
            goal,
            tasks,
            branch,
            saved,
        } = Cells::of(entry);
        let tasks = match tasks.as_str() {
            NOTHING => String::new(),
            tasks => format!("  {tasks}"),
        };
        let taken = INDENT.len() + width(&selector) + 2 + width(&saved) + width(&tasks) + 2;
        let branch = match columns.saturating_sub(taken) {
            0..4 => String::new(),
            room => format!("  {}", cut(&branch, room)),
        };
        text.push_str(&format!(
            "{:<2}{}  {}{tasks}{}\n{INDENT}{}\n",
            look.paint(&format!("{mark:<2}"), NOTICE),
            look.paint(&selector, NAME),
            look.paint(&saved, FAINT),
            look.paint(&branch, PLACE),
            cut(&goal, columns.saturating_sub(INDENT.len())),
        ));
    }
    text
}

const NOTHING: &str = "-";

impl Cells {
    fn of(entry: &Entry) -> Self {
        let some = |text: String| {
            if text.is_empty() {
                NOTHING.to_owned()
            } else {
                text
            }
        };
        let shown = MARKS.iter().filter(|(_, _, has)| has(entry));
        let mark = shown.map(|(mark, _, _)| *mark).collect();
        Self {
            mark,
            selector: entry.short.clone(),
            goal: match &entry.project {
                Some(project) => markdown::line(&format!("{project}: {}", entry.goal)),
                None => some(markdown::line(&entry.goal)),
            },
            tasks: progress((entry.tasks_done, entry.tasks)),
            branch: some(markdown::line(entry.branch.as_deref().unwrap_or_default())),
            saved: match &entry.machine {
                Some(machine) => format!("{}, {}", entry.age, origin(machine)),
                None => entry.age.clone(),
            },
        }
    }
}

/// Whence a sync brought it.
fn origin(machine: &str) -> String {
    format!("from {}", cut(&markdown::line(machine), MACHINE))
}

fn table<const N: usize>(header: [&str; N]) -> Table {
    let mut table = Table::new();
    let mut style = TableStyle::new();
    style.header_lines.junction = Some(BORDER);
    style.content_lines.junction = Some(BORDER);
    table.load_style(style);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    table
}

/// The lines of a table with each column in its style.
fn painted(table: &Table, styles: &[Style], look: Look) -> String {
    let mut text = String::new();
    for (index, line) in table.lines().enumerate() {
        let cells: Vec<String> = line
            .trim_end()
            .split(BORDER)
            .zip(styles)
            .map(|(cell, style)| {
                let style = if index == 0 { FAINT } else { *style };
                let (text, padding) = cell.split_at(cell.trim_end().len());
                look.paint(text, style) + padding
            })
            .collect();
        text.push_str(cells.join(" ").trim_end());
        text.push('\n');
    }
    text
}

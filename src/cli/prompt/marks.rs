//! A list of checkpoints in which a person marks some.

use owo_colors::Style;

use super::keys::Key;
use super::picker::Columns;
use super::{Screen, leaves};
use crate::cli::look::Look;
use crate::cli::width::{cut, width};
use crate::commands::list::Entry;

const MARKED: &str = "[x] ";
const UNMARKED: &str = "[ ] ";
const HELP: &str = "Space marks, a marks all, Enter takes the marked, Esc leaves";
/// Entries that are shown at once at most.
const SHOWN: usize = 10;

const TITLE: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

/// Lets a person mark one or more of `entries`, whose indices it gives; None where they leave.
pub(in crate::cli) fn mark(
    title: &str,
    entries: &[&Entry],
    look: Look,
) -> anyhow::Result<Option<Vec<usize>>> {
    let mut list = List {
        title,
        entries,
        marked: vec![false; entries.len()],
        at: 0,
    };
    let mut screen = Screen::open()?;
    loop {
        let (rows, columns) = screen.size();
        let (lines, cursor) = list.draw(rows, columns, look);
        screen.draw(&lines, cursor)?;
        match screen.key() {
            Ok(Key::Enter) if list.marked.contains(&true) => {
                screen.clear()?;
                let marked = list.marked.iter().enumerate();
                let marked = marked.filter(|(_, is_marked)| **is_marked);
                return Ok(Some(marked.map(|(index, _)| index).collect()));
            }
            Ok(key) if leaves(&key) => {
                screen.clear()?;
                return Ok(None);
            }
            Ok(key) => list.press(&key),
            Err(error) => {
                screen.clear()?;
                return Err(error.into());
            }
        }
    }
}

struct List<'a> {
    title: &'a str,
    entries: &'a [&'a Entry],
    marked: Vec<bool>,
    at: usize,
}

impl List<'_> {
    fn press(&mut self, key: &Key) {
        let last = self.entries.len().saturating_sub(1);
        match key {
            Key::ArrowUp | Key::BackTab | Key::Char('k' | '\u{10}') => {
                self.at = self.at.checked_sub(1).unwrap_or(last);
            }
            Key::ArrowDown | Key::Tab | Key::Char('j' | '\u{e}') => {
                self.at = if self.at < last { self.at + 1 } else { 0 };
            }
            Key::PageUp => self.at = self.at.saturating_sub(SHOWN),
            Key::PageDown => self.at = last.min(self.at + SHOWN),
            Key::Home => self.at = 0,
            Key::End => self.at = last,
            Key::Char(' ') => self.marked[self.at] = !self.marked[self.at],
            Key::Char('a') => {
                let all = self.marked.contains(&false);
                self.marked.fill(all);
            }
            _ => {}
        }
    }

    /// The lines for a terminal of that size, and the cursor's line and column in them.
    fn draw(&self, rows: usize, columns: usize, look: Look) -> (Vec<String>, (usize, usize)) {
        // A line that fills the last column would wrap on some terminals.
        let columns = columns.saturating_sub(1);
        let shown = SHOWN.min(rows.saturating_sub(3)).max(1);
        let first = (self.at + 1).saturating_sub(shown);
        let last = self.entries.len().min(first + shown);
        let rows = Columns::of(
            &self.entries[first..last],
            columns.saturating_sub(width(MARKED)),
        );
        let title = cut(self.title, columns);
        let count = match self.marked.iter().filter(|is_marked| **is_marked).count() {
            0 => String::new(),
            count => format!("  {count} marked"),
        };
        let count = cut(&count, columns.saturating_sub(width(&title)));
        let mut lines = vec![look.paint(&title, TITLE) + &look.paint(&count, FAINT)];
        for index in first..last {
            let mark = if self.marked[index] { MARKED } else { UNMARKED };
            let row = rows.row(self.entries[index], index == self.at, look);
            lines.push(mark.to_owned() + &row);
        }
        lines.push(look.paint(&cut(HELP, columns), FAINT));
        (lines, (1 + self.at - first, 1))
    }
}

//! A list of checkpoints to choose from, with what the one under the cursor is about: one is taken, or several are
//! marked, or keys say what to do with it. Typing filters, and puts first what fits best.

use std::cmp::Reverse;

use super::choice::{Choice, Columns, preview_of};
use super::editor::Editor;
use super::keys::Key;
use super::{Screen, leaves};
use crate::checkpoint::text::one_line;
use crate::cli::look::{FAINT, Look, NAME};
use crate::cli::width::{cut, width};
use crate::commands::list::{Entry, Rank};

const PROMPT: &str = "> ";
const MARKED: &str = "[x] ";
const UNMARKED: &str = "[ ] ";
/// Lines above the list: the title and the filter.
const HEAD: usize = 2;
/// Entries that are shown at once at most.
const SHOWN: usize = 10;
/// Columns that the title keeps however long the position is.
const TITLE: usize = 8;

/// What a person wants with the checkpoint under the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Act {
    Brief,
    Resume,
    Diff,
    Edit,
    /// The checkpoints of every project, or again those of this one.
    Everywhere,
}

/// The keys that act, each with what it is for.
const ACTS: [(char, Act, &str); 4] = [
    ('r', Act::Resume, "resume"),
    ('d', Act::Diff, "diff"),
    ('e', Act::Edit, "edit"),
    ('a', Act::Everywhere, "everywhere"),
];
/// The key that says that a checkpoint is finished, or that it is not after all.
const FINISH: char = 'x';

/// Says of a checkpoint whether it is finished.
pub(in crate::cli) type Finish<'a> = dyn FnMut(&Entry, bool) -> anyhow::Result<()> + 'a;

/// Lets a person choose one of `entries`; None where they leave without.
pub(in crate::cli) fn pick<'a>(
    title: &'a str,
    entries: &'a [Entry],
    look: Look,
) -> anyhow::Result<Option<&'a Entry>> {
    let entries: Vec<&Entry> = entries.iter().collect();
    let mut picker = Picker::new(title, &entries, Purpose::One);
    let taken = picker.run(look, &mut |_, _| Ok(()))?;
    Ok(taken.and_then(|_| picker.chosen()))
}

/// Lets a person choose one of `entries` by the key that says what they want with it; None where they leave, and no entry
/// where the key needs none. What they finish meanwhile goes to `finish`.
pub(in crate::cli) fn act<'a>(
    title: &'a str,
    entries: &'a [Entry],
    look: Look,
    finish: &mut Finish<'_>,
) -> anyhow::Result<Option<(Act, Option<&'a Entry>)>> {
    let entries: Vec<&Entry> = entries.iter().collect();
    let mut picker = Picker::new(title, &entries, Purpose::Acts);
    let taken = picker.run(look, finish)?;
    Ok(taken.map(|act| (act, picker.chosen())))
}

/// Lets a person mark one or more of `entries`, whose indices it gives; None where they leave.
pub(in crate::cli) fn mark(
    title: &str,
    entries: &[&Entry],
    look: Look,
) -> anyhow::Result<Option<Vec<usize>>> {
    let mut picker = Picker::new(title, entries, Purpose::Marks);
    let taken = picker.run(look, &mut |_, _| Ok(()))?;
    let marked = picker.marked.iter().enumerate();
    let marked = marked.filter(|(_, is_marked)| **is_marked);
    Ok(taken.map(|_| marked.map(|(index, _)| index).collect()))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    One,
    Acts,
    Marks,
}

/// What a key led to.
enum Then {
    Stay,
    Leave,
    Take(Act),
    Finish,
}

struct Picker<'a> {
    title: &'a str,
    purpose: Purpose,
    choices: Vec<Choice<'a>>,
    marked: Vec<bool>,
    filter: Editor,
    /// Whether characters go into the filter; else they may act.
    is_typing: bool,
    /// Indices of the choices that the filter lets through.
    matching: Vec<usize>,
    /// Index into `matching`.
    at: usize,
    /// What a key could not do, in the place of the help.
    said: Option<String>,
}

impl<'a> Picker<'a> {
    fn new(title: &'a str, entries: &[&'a Entry], purpose: Purpose) -> Self {
        Self {
            title,
            purpose,
            choices: entries.iter().map(|entry| Choice::of(entry)).collect(),
            marked: vec![false; entries.len()],
            filter: Editor::default(),
            is_typing: purpose == Purpose::One,
            matching: (0..entries.len()).collect(),
            at: 0,
            said: None,
        }
    }

    /// Draws and takes keys until the person has chosen; None where they leave.
    fn run(&mut self, look: Look, finish: &mut Finish<'_>) -> anyhow::Result<Option<Act>> {
        let mut screen = Screen::open()?;
        loop {
            let (rows, columns) = screen.size();
            let (lines, cursor) = self.draw(rows, columns, look);
            screen.draw(&lines, cursor)?;
            let then = match screen.key() {
                Ok(key) => self.press(&key),
                Err(error) => {
                    screen.clear()?;
                    return Err(error.into());
                }
            };
            match then {
                Then::Stay => {}
                Then::Finish => self.finish(finish),
                Then::Leave => {
                    screen.clear()?;
                    return Ok(None);
                }
                Then::Take(act) => {
                    screen.clear()?;
                    return Ok(Some(act));
                }
            }
        }
    }

    fn chosen(&self) -> Option<&'a Entry> {
        let index = self.matching.get(self.at)?;
        Some(self.choices[*index].entry)
    }

    /// Says of what is under the cursor that it is finished, or that it is not after all.
    fn finish(&mut self, finish: &mut Finish<'_>) {
        let Some(index) = self.matching.get(self.at) else {
            return;
        };
        let choice = &mut self.choices[*index];
        if !choice.entry.is_saved() {
            self.said = Some("there is no checkpoint here to mark as done".to_owned());
            return;
        }
        match finish(choice.entry, !choice.done) {
            Ok(()) => choice.done = !choice.done,
            Err(error) => self.said = Some(one_line(&format!("{error:#}")).into_owned()),
        }
    }

    fn press(&mut self, key: &Key) -> Then {
        self.said = None;
        match key {
            Key::Enter => return self.enter(),
            Key::Escape if self.purpose != Purpose::One && self.is_filtered() => {
                self.filter = Editor::default();
                self.is_typing = false;
                self.refresh();
            }
            key if leaves(key, &self.filter.text()) => return Then::Leave,
            key if self.moves(key) => self.is_typing = self.purpose == Purpose::One,
            Key::Char(c) if !self.is_typing => return self.command(*c),
            key => self.edit(key),
        }
        Then::Stay
    }

    fn enter(&mut self) -> Then {
        let is_ready = match self.purpose {
            Purpose::Marks => self.marked.contains(&true),
            Purpose::One | Purpose::Acts => self.chosen().is_some(),
        };
        if is_ready {
            return Then::Take(Act::Brief);
        }
        if self.purpose == Purpose::Marks {
            let said = "nothing is marked yet: Space marks what is under the cursor";
            self.said = Some(said.to_owned());
        }
        Then::Stay
    }

    fn is_filtered(&self) -> bool {
        self.is_typing || !self.filter.text().is_empty()
    }

    /// Moves through the list; false where a key does not.
    fn moves(&mut self, key: &Key) -> bool {
        let last = self.matching.len().saturating_sub(1);
        self.at = match key {
            Key::ArrowUp | Key::BackTab | Key::Char('\u{10}') => {
                self.at.checked_sub(1).unwrap_or(last)
            }
            Key::ArrowDown | Key::Tab | Key::Char('\u{e}') if self.at < last => self.at + 1,
            Key::ArrowDown | Key::Tab | Key::Char('\u{e}') | Key::Home => 0,
            Key::End => last,
            Key::PageUp => self.at.saturating_sub(SHOWN),
            Key::PageDown => last.min(self.at + SHOWN),
            _ => return false,
        };
        true
    }

    /// What a character does that goes into no filter.
    fn command(&mut self, c: char) -> Then {
        let act = ACTS.iter().find(|(key, ..)| *key == c);
        match (self.purpose, c, act) {
            (_, '/', _) => self.is_typing = true,
            (Purpose::Acts, FINISH, _) => return Then::Finish,
            (Purpose::Acts, _, Some((_, act, _)))
                if self.chosen().is_some() || *act == Act::Everywhere =>
            {
                return Then::Take(*act);
            }
            (Purpose::Marks, ' ', _) => {
                if let Some(index) = self.matching.get(self.at) {
                    self.marked[*index] = !self.marked[*index];
                }
            }
            (Purpose::Marks, 'a', _) => {
                let all = self.matching.iter().any(|index| !self.marked[*index]);
                for index in &self.matching {
                    self.marked[*index] = all;
                }
            }
            _ => {
                self.is_typing = true;
                self.edit(&Key::Char(c));
            }
        }
        Then::Stay
    }

    fn edit(&mut self, key: &Key) {
        let before = self.filter.text();
        if self.filter.press(key) && self.filter.text() != before {
            self.refresh();
        }
    }

    /// What the filter lets through, the best first; of equals, as they were.
    fn refresh(&mut self) {
        let rank = Rank::new(&self.filter.text());
        let choices = self.choices.iter().enumerate();
        let mut ranked: Vec<(usize, usize)> = choices
            .filter_map(|(index, choice)| Some((rank.of(choice.entry)?, index)))
            .collect();
        ranked.sort_by_key(|(score, _)| Reverse(*score));
        self.matching = ranked.into_iter().map(|(_, index)| index).collect();
        self.at = 0;
    }

    /// The lines for a terminal of that size, and the cursor's line and column in them.
    fn draw(&self, rows: usize, columns: usize, look: Look) -> (Vec<String>, (usize, usize)) {
        // A line that fills the last column would wrap on some terminals.
        let columns = columns.saturating_sub(1);
        let room = rows.saturating_sub(HEAD + 2);
        let shown = self.matching.len().min(SHOWN).min(room.div_ceil(2)).max(1);
        // How many are marked must be seen before anything goes, so the title gives way.
        let position = self.position();
        let room_for_title = columns.saturating_sub(width(&position)).max(TITLE);
        let title = cut(self.title, room_for_title.min(columns));
        let position = cut(&position, columns.saturating_sub(width(&title)));
        let (filter, column) = self.filter.view(columns.saturating_sub(PROMPT.len()));
        let prompt = match self.is_typing {
            true => look.paint(PROMPT, NAME),
            false => look.paint(PROMPT, FAINT),
        };
        let mut lines = vec![
            look.paint(&title, NAME) + &look.paint(&position, FAINT),
            prompt + &filter,
        ];
        self.draw_rows(&mut lines, shown, columns, look);
        if let Some(index) = self.matching.get(self.at) {
            let mut preview = vec![String::new()];
            preview.extend(preview_of(&self.choices[*index], columns, look));
            preview.truncate(rows.saturating_sub(2).saturating_sub(lines.len()));
            lines.append(&mut preview);
        }
        let help = self.said.clone().unwrap_or_else(|| self.help(columns));
        lines.push(look.paint(&cut(&help, columns), FAINT));
        let row = HEAD + (self.at + 1).min(shown) - 1;
        match self.is_typing {
            true => (lines, (HEAD - 1, PROMPT.len() + column)),
            false => (lines, (row, 0)),
        }
    }

    fn draw_rows(&self, lines: &mut Vec<String>, shown: usize, columns: usize, look: Look) {
        if self.matching.is_empty() {
            lines.push(look.paint(&cut("  nothing matches", columns), FAINT));
            return;
        }
        let first = (self.at + 1).saturating_sub(shown);
        let visible = &self.matching[first..self.matching.len().min(first + shown)];
        let choices: Vec<&Choice<'_>> = visible.iter().map(|at| &self.choices[*at]).collect();
        let entries: Vec<&Entry> = choices.iter().map(|choice| choice.entry).collect();
        let mark = |index: usize| match (self.purpose, self.marked[index]) {
            (Purpose::Marks, true) => MARKED,
            (Purpose::Marks, false) => UNMARKED,
            (Purpose::One | Purpose::Acts, _) => "",
        };
        let marks = visible.first().map_or(0, |index| mark(*index).len());
        let layout = Columns::of(&entries, columns.saturating_sub(marks));
        for (row, (index, choice)) in visible.iter().zip(choices).enumerate() {
            let row = layout.row(choice, first + row == self.at, look);
            lines.push(mark(*index).to_owned() + &row);
        }
    }

    /// Where the cursor stands, of how many, and how many are marked.
    fn position(&self) -> String {
        let (matching, all) = (self.matching.len(), self.choices.len());
        let mut position = format!("  {} of {matching}", (self.at + 1).min(matching));
        if matching < all {
            position.push_str(&format!(" ({all} in all)"));
        }
        match self.marked.iter().filter(|is_marked| **is_marked).count() {
            0 => position,
            count => format!("{position}, {count} marked"),
        }
    }

    /// What the keys do: in words, or where there is no room the keys alone.
    fn help(&self, columns: usize) -> String {
        let acts = |named: bool| {
            let mut acts = Vec::from(ACTS.map(|(key, _, name)| (key, name)));
            acts.insert(acts.len() - 1, (FINISH, "done"));
            let acts = acts.iter().map(|(key, name)| match named {
                true => format!("{key} {name}"),
                false => key.to_string(),
            });
            acts.collect::<Vec<_>>()
                .join(if named { "  " } else { " " })
        };
        let (long, short) = match (self.purpose, self.is_typing) {
            (Purpose::One, _) => (
                "type to filter · ↑ ↓ choose · Enter takes it · Esc leaves".to_owned(),
                "type, ↑ ↓, Enter takes, Esc leaves".to_owned(),
            ),
            (Purpose::Marks, false) => (
                "Space marks · a marks all · / filters · Enter takes the marked · Esc leaves"
                    .to_owned(),
                "Space marks, Enter takes, Esc leaves".to_owned(),
            ),
            (Purpose::Acts, false) => (
                format!("Enter brief  {}  / filter  Esc exit", acts(true)),
                format!("Enter {} / filter, Esc exit", acts(false)),
            ),
            (_, true) => (
                "type to filter · ↓ back to the list · Esc shows all again".to_owned(),
                "type to filter, Esc shows all".to_owned(),
            ),
        };
        match width(&long) <= columns {
            true => long,
            false => short,
        }
    }
}

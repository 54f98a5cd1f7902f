//! Questions to a person: they are drawn on standard error and leave nothing behind.

pub(super) mod ask;
mod choice;
pub(super) mod confirm;
mod editor;
mod keys;
pub(super) mod picker;
mod raw;
#[cfg(unix)]
mod signals;
#[cfg(not(unix))]
mod signals {
    //! Where no signal ends a question.

    pub(super) struct Signals;

    impl Signals {
        pub(super) fn hold() -> std::io::Result<Self> {
            Ok(Self)
        }
    }
}

use std::io;

use dialoguer::console::Term;
use keys::Key;
use raw::Raw;
use signals::Signals;

/// A few lines at the cursor that are drawn again and again.
///
/// The cursor is never hidden, so that no end of the program can leave it so.
struct Screen {
    term: Term,
    /// The line of the cursor, counted from the first one drawn.
    cursor: usize,
    // What holds signals back goes last: it ends the program where one came.
    raw: Raw,
    signals: Signals,
}

impl Screen {
    fn open() -> io::Result<Self> {
        let signals = Signals::hold()?;
        Ok(Self {
            term: Term::buffered_stderr(),
            cursor: 0,
            raw: Raw::enter()?,
            signals,
        })
    }

    /// Rows and columns.
    fn size(&self) -> (usize, usize) {
        let (rows, columns) = self.term.size();
        (rows.into(), columns.into())
    }

    /// Replaces what was drawn by these lines, none of them wider than the terminal, with the cursor at a
    /// line and a column of them.
    fn draw(&mut self, lines: &[String], cursor: (usize, usize)) -> io::Result<()> {
        self.clear()?;
        self.term.write_str(&lines.join("\n"))?;
        let (line, column) = cursor;
        self.term
            .move_cursor_up(lines.len().saturating_sub(line + 1))?;
        self.term.write_str("\r")?;
        self.term.move_cursor_right(column)?;
        self.cursor = line;
        self.term.flush()
    }

    /// Takes away what was drawn.
    fn clear(&mut self) -> io::Result<()> {
        self.term.move_cursor_up(self.cursor)?;
        self.term.write_str("\r")?;
        self.term.clear_to_end_of_screen()?;
        self.cursor = 0;
        self.term.flush()
    }

    /// Replaces what was drawn by a line that stays.
    fn leave(&mut self, line: &str) -> io::Result<()> {
        self.clear()?;
        self.term.write_line(line)?;
        self.term.flush()
    }

    /// The next key that is typed. After an error, be it a signal that ends the program, what was drawn has to go.
    fn key(&mut self) -> io::Result<Key> {
        self.raw.key(&self.signals, &self.term)
    }
}

/// Whether a key says that the person wants out: Esc, Ctrl-C, Ctrl-G, and Ctrl-D where nothing is `typed`, as it ends
/// the input of a shell.
fn leaves(key: &Key, typed: &str) -> bool {
    match key {
        Key::Escape | Key::CtrlC | Key::Char('\u{7}') => true,
        Key::Char('\u{4}') => typed.is_empty(),
        _ => false,
    }
}

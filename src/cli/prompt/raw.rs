//! A terminal that neither echoes what is typed, nor waits for a line, nor makes signals of it.

use std::io;

use rustix::stdio::stdin;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// Standard input as it is needed to read keys; dropped, it is as it was before.
pub(super) struct Raw {
    before: Termios,
}

impl Raw {
    pub(super) fn enter() -> io::Result<Self> {
        let before = tcgetattr(stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        // Line ends that are written still go back to the first column.
        raw.output_modes = before.output_modes;
        tcsetattr(stdin(), OptionalActions::Drain, &raw)?;
        Ok(Self { before })
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        // Where the terminal is gone there is nothing to put right.
        let _ = tcsetattr(stdin(), OptionalActions::Drain, &self.before);
    }
}

//! Keys one by one: a terminal that neither echoes them, nor waits for a line, nor makes signals of them.

use std::io;

#[cfg(unix)]
use rustix::stdio::stdin;
#[cfg(unix)]
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// Standard input as it is needed to read keys; dropped, it is as it was before.
///
/// Reading a key sets the terminal as well, but only for that moment: what is typed in between would be
/// echoed, and Ctrl-C would end the program in the middle of a screen.
pub(super) struct Raw {
    #[cfg(unix)]
    before: Termios,
}

#[cfg(unix)]
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

#[cfg(unix)]
impl Drop for Raw {
    fn drop(&mut self) {
        // Where the terminal is gone there is nothing to put right.
        let _ = tcsetattr(stdin(), OptionalActions::Drain, &self.before);
    }
}

#[cfg(not(unix))]
impl Raw {
    pub(super) fn enter() -> io::Result<Self> {
        Ok(Self {})
    }
}

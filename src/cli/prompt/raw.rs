//! Keys one by one: a terminal that neither echoes them, nor waits for a line, nor makes signals of them.

use std::io;
#[cfg(unix)]
use std::time::Duration;

#[cfg(not(unix))]
use dialoguer::console;
use dialoguer::console::Term;
#[cfg(unix)]
use rustix::stdio::stdin;
#[cfg(unix)]
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

use super::keys::Key;
#[cfg(unix)]
use super::keys::Keys;
use super::signals::Signals;

/// How long the rest of a key may take that begins like Escape; over a network its bytes come apart.
#[cfg(unix)]
const REST: Duration = Duration::from_millis(50);

/// Standard input as it is needed to read keys; dropped, it is as it was before.
///
/// Reading a key sets the terminal as well, but only for that moment: what is typed in between would be
/// echoed, and Ctrl-C would end the program in the middle of a screen.
pub(super) struct Raw {
    #[cfg(unix)]
    before: Termios,
    #[cfg(unix)]
    keys: Keys,
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
        Ok(Self {
            before,
            keys: Keys::default(),
        })
    }

    /// The next key that is typed; an error where a signal comes first.
    pub(super) fn key(&mut self, signals: &Signals, _: &Term) -> io::Result<Key> {
        let keys = &mut self.keys;
        loop {
            if let Some(key) = keys.next(false) {
                return Ok(key);
            }
            let at_most = (!keys.is_empty()).then_some(REST);
            if !signals.wait_for_input(at_most)? {
                if let Some(key) = keys.next(true) {
                    return Ok(key);
                }
                continue;
            }
            let mut bytes = [0; 64];
            match rustix::io::read(stdin(), &mut bytes) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(length) => keys.push(&bytes[..length]),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
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

    /// The next key that is typed; such a terminal tells keys, not bytes.
    pub(super) fn key(&mut self, _: &Signals, term: &Term) -> io::Result<Key> {
        Ok(match term.read_key_raw()? {
            console::Key::Char(c) => Key::Char(c),
            console::Key::Enter => Key::Enter,
            console::Key::Tab => Key::Tab,
            console::Key::BackTab => Key::BackTab,
            console::Key::Backspace => Key::Backspace,
            console::Key::Del => Key::Del,
            console::Key::Escape => Key::Escape,
            console::Key::CtrlC => Key::CtrlC,
            console::Key::ArrowUp => Key::ArrowUp,
            console::Key::ArrowDown => Key::ArrowDown,
            console::Key::ArrowLeft => Key::ArrowLeft,
            console::Key::ArrowRight => Key::ArrowRight,
            console::Key::Home => Key::Home,
            console::Key::End => Key::End,
            console::Key::PageUp => Key::PageUp,
            console::Key::PageDown => Key::PageDown,
            _ => Key::Other,
        })
    }
}

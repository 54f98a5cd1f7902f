//! A question that is answered with yes or no, by one key.

use std::io::Write as _;

use dialoguer::console::{Key, Term};

use super::output::printable;

/// Asks a person, and only where [`super::output::Output::asks`]. Enter takes `default`; Esc and Ctrl-C are a no.
pub(super) fn confirm(question: &str, default: bool) -> anyhow::Result<bool> {
    let mut term = Term::stderr();
    let choices = if default { "[Y/n]" } else { "[y/N]" };
    write!(term, "{} {choices} ", printable(question))?;
    let answer = loop {
        match term.read_key_raw()? {
            Key::Char('y' | 'Y') => break true,
            Key::Enter => break default,
            Key::Char('n' | 'N' | '\u{7}') | Key::Escape | Key::CtrlC => break false,
            _ => {}
        }
    };
    writeln!(term, "{}", if answer { "yes" } else { "no" })?;
    Ok(answer)
}

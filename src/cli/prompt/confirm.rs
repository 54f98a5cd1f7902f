//! A question that one key answers, with yes or no.

use owo_colors::Style;

use super::keys::Key;
use super::{Screen, leaves};
use crate::cli::look::Look;
use crate::cli::width::{cut, width};

const QUESTION: Style = Style::new().bold();

/// Asks, and lets the question stand with its answer. Enter takes `default`; leaving is a no.
pub(in crate::cli) fn confirm(question: &str, default: bool, look: Look) -> anyhow::Result<bool> {
    let choices = if default { " [Y/n] " } else { " [y/N] " };
    let mut screen = Screen::open()?;
    let room = screen.size().1.saturating_sub(choices.len() + 1);
    let question = cut(question, room);
    let column = width(&question) + choices.len();
    let line = look.paint(&question, QUESTION) + choices;
    screen.draw(std::slice::from_ref(&line), (0, column))?;
    let answer = loop {
        match screen.key() {
            Ok(Key::Char('y' | 'Y')) => break true,
            Ok(Key::Enter) => break default,
            Ok(Key::Char('n' | 'N')) => break false,
            Ok(key) if leaves(&key, "") => break false,
            Ok(_) => {}
            Err(error) => {
                screen.clear()?;
                return Err(error.into());
            }
        }
    };
    let answered = line + if answer { "yes" } else { "no" };
    screen.leave(&answered)?;
    Ok(answer)
}

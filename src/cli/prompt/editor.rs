//! One line of text under the keys of a person; it scrolls where it is longer than the terminal is wide.

use super::keys::Key;
use crate::checkpoint::text::{is_joining, is_unprintable};
use crate::cli::width::width;

#[derive(Debug, Default)]
pub(super) struct Editor {
    text: Vec<char>,
    /// The character that the cursor stands before.
    at: usize,
}

impl Editor {
    pub(super) fn new(text: &str) -> Self {
        let text: Vec<char> = text.chars().collect();
        Self {
            at: text.len(),
            text,
        }
    }

    pub(super) fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// Takes a key; false where it means nothing in a line of text. Control characters as in readline(3).
    pub(super) fn press(&mut self, key: &Key) -> bool {
        let end = self.text.len();
        match key {
            Key::ArrowLeft | Key::Char('\u{2}') => self.at = self.at.saturating_sub(1),
            Key::ArrowRight | Key::Char('\u{6}') => self.at = end.min(self.at + 1),
            Key::WordLeft => self.at = self.word_start(),
            Key::WordRight => self.at = self.word_end(),
            Key::Home => self.at = 0,
            Key::End => self.at = end,
            Key::Backspace => self.remove(self.at.saturating_sub(1)..self.at),
            Key::Del | Key::Char('\u{4}') => self.remove(self.at..end.min(self.at + 1)),
            Key::Char('\u{15}') => self.remove(0..self.at),
            Key::Char('\u{b}') => self.remove(self.at..end),
            Key::Char('\u{17}') => self.remove(self.word_start()..self.at),
            Key::Char(c) if !is_unprintable(*c) || is_joining(*c) => {
                self.text.insert(self.at, *c);
                self.at += 1;
            }
            _ => return false,
        }
        true
    }

    /// What fits into `columns`, and the cursor's column in it.
    pub(super) fn view(&self, columns: usize) -> (String, usize) {
        let mut start = 0;
        // The cursor takes a column of its own behind the last character.
        while start < self.at && self.columns(start, self.at) >= columns {
            start += 1;
        }
        let mut end = self.at;
        while end < self.text.len() && self.columns(start, end + 1) < columns {
            end += 1;
        }
        let shown = self.text[start..end].iter().collect();
        (shown, self.columns(start, self.at))
    }

    fn columns(&self, start: usize, end: usize) -> usize {
        width(&self.text[start..end].iter().collect::<String>())
    }

    fn remove(&mut self, range: std::ops::Range<usize>) {
        self.at = range.start;
        self.text.drain(range);
    }

    fn word_end(&self) -> usize {
        let after = &self.text[self.at..];
        let word = after.iter().position(|c| !c.is_whitespace());
        let word = self.at + word.unwrap_or(after.len());
        let space = self.text[word..].iter().position(|c| c.is_whitespace());
        space.map_or(self.text.len(), |space| word + space)
    }

    fn word_start(&self) -> usize {
        let before = &self.text[..self.at];
        let word = before.iter().rposition(|c| !c.is_whitespace());
        let space = before[..word.unwrap_or_default()]
            .iter()
            .rposition(|c| c.is_whitespace());
        space.map_or(0, |space| space + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(initial: &str, keys: &[Key]) -> String {
        let mut editor = Editor::new(initial);
        for key in keys {
            assert!(editor.press(key), "{key:?}");
        }
        editor.text()
    }

    #[test]
    fn keys_edit_the_line() {
        let (left, right) = (Key::ArrowLeft, Key::ArrowRight);
        let c = Key::Char;
        assert_eq!(typed("ac", &[left, c('b')]), "abc");
        assert_eq!(typed("日本", &[Key::Backspace]), "日");
        assert_eq!(typed("ab", &[Key::Home, Key::Del]), "b");
        assert_eq!(typed("ab", &[Key::Home, Key::Backspace, left]), "ab");
        assert_eq!(typed("ab", &[Key::End, Key::Del, right]), "ab");
        assert_eq!(typed("one two  ", &[c('\u{17}')]), "one ");
        assert_eq!(typed("one", &[c('\u{17}'), c('\u{17}')]), "");
        assert_eq!(typed("one two", &[c('\u{15}'), c('x')]), "x");
        assert_eq!(typed("one", &[Key::Home, c('\u{b}')]), "");
        assert_eq!(typed("one two", &[Key::WordLeft, c('x')]), "one xtwo");
        let word = [Key::Home, Key::WordRight, c('x')];
        assert_eq!(typed("one two", &word), "onex two");
        let words = [
            Key::Home,
            Key::WordRight,
            Key::WordRight,
            Key::WordRight,
            c('x'),
        ];
        assert_eq!(typed("one two", &words), "one twox");
        assert!(!Editor::default().press(&Key::Other));
        assert!(!Editor::default().press(&c('\u{1b}')));
        assert!(!Editor::default().press(&Key::Tab));
    }

    #[test]
    fn the_view_follows_the_cursor() {
        let mut editor = Editor::new("abcdef");
        assert_eq!(editor.view(10), ("abcdef".to_owned(), 6));
        assert_eq!(editor.view(4), ("def".to_owned(), 3));
        editor.press(&Key::Home);
        assert_eq!(editor.view(4), ("abc".to_owned(), 0));
        assert_eq!(Editor::new("日本語").view(5), ("本語".to_owned(), 4));
        assert_eq!(Editor::new("日本語").view(1), (String::new(), 0));
    }
}

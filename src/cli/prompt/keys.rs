//! Keys out of the bytes that a terminal sends for them.
//!
//! `console` reads the rest of a character without an eye on signals, and it may never come: a terminal that
//! is not set to UTF-8 sends bytes that only look like the start of one.

use std::io;

use dialoguer::console::Key;
use rustix::event::Timespec;
use rustix::stdio::stdin;

use super::raw::Raw;
use super::signals::Signals;

const ESCAPE: u8 = 0x1b;

/// Standard input, key by key.
pub(super) struct Keys {
    /// A byte that was read and belongs to the next key.
    left: Option<u8>,
    // What holds signals back goes last: it ends the program where one came.
    _raw: Raw,
    signals: Signals,
}

impl Keys {
    pub(super) fn open() -> io::Result<Self> {
        let signals = Signals::hold()?;
        Ok(Self {
            left: None,
            _raw: Raw::enter()?,
            signals,
        })
    }

    /// Waits for a key; an error where a signal comes first.
    pub(super) fn next(&mut self) -> io::Result<Key> {
        let first = self.byte()?;
        Ok(match first {
            ESCAPE => self.after_escape()?,
            0x03 => Key::CtrlC,
            0x01 => Key::Home,
            0x05 => Key::End,
            0x08 | 0x7f => Key::Backspace,
            b'\t' => Key::Tab,
            b'\r' | b'\n' => Key::Enter,
            ..0x80 => Key::Char(first.into()),
            _ => self.character(first)?,
        })
    }

    /// A character of several bytes.
    fn character(&mut self, first: u8) -> io::Result<Key> {
        let mut bytes = vec![first];
        loop {
            match std::str::from_utf8(&bytes) {
                Ok(text) => return Ok(text.chars().next().map_or(Key::Unknown, Key::Char)),
                Err(error) => match error.error_len() {
                    Some(length) => {
                        self.left = bytes.get(length).copied();
                        return Ok(Key::Unknown);
                    }
                    None => bytes.push(self.byte()?),
                },
            }
        }
    }

    /// The Escape key, or one whose sequence is here already: nothing else tells them apart.
    fn after_escape(&mut self) -> io::Result<Key> {
        match self.byte_at_hand()? {
            None => return Ok(Key::Escape),
            Some(b'[') => {}
            Some(_) => return Ok(Key::Unknown),
        }
        let mut sequence = Vec::new();
        while let Some(byte) = self.byte_at_hand()? {
            match byte {
                // Parameters, and what Linux's console has before the letter of F1 to F5.
                0x20..0x40 | b'[' => sequence.push(byte),
                0x40..0x7f => {
                    sequence.push(byte);
                    break;
                }
                _ => {
                    self.left = Some(byte);
                    break;
                }
            }
        }
        Ok(match sequence.as_slice() {
            b"A" => Key::ArrowUp,
            b"B" => Key::ArrowDown,
            b"C" => Key::ArrowRight,
            b"D" => Key::ArrowLeft,
            b"H" | b"1~" | b"7~" => Key::Home,
            b"F" | b"4~" | b"8~" => Key::End,
            b"Z" => Key::BackTab,
            b"2~" => Key::Insert,
            b"3~" => Key::Del,
            b"5~" => Key::PageUp,
            b"6~" => Key::PageDown,
            _ => Key::Unknown,
        })
    }

    fn byte(&mut self) -> io::Result<u8> {
        if let Some(byte) = self.left.take() {
            return Ok(byte);
        }
        self.signals.wait_for_byte(None)?;
        read()
    }

    fn byte_at_hand(&mut self) -> io::Result<Option<u8>> {
        match self.signals.wait_for_byte(Some(&Timespec::default()))? {
            true => read().map(Some),
            false => Ok(None),
        }
    }
}

fn read() -> io::Result<u8> {
    let mut byte = [0];
    match rustix::io::read(stdin(), &mut byte)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(byte[0]),
    }
}

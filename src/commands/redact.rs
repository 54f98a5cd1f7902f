//! Text without its secrets, as it comes: as it is, or as JSON Lines.

use std::io::{BufRead, BufReader, Read};

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use crate::checkpoint::surrogates;
use crate::redact::redact;
use crate::redact::stream::Stream;

/// Most bytes of a line.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// A line of JSON to redact.
#[derive(Debug, Deserialize)]
struct Asked {
    #[serde(default)]
    id: serde_json::Value,
    text: String,
}

/// A line of JSON with the secrets taken out.
#[derive(Debug, Serialize)]
struct Answer {
    id: serde_json::Value,
    redacted: String,
}

/// Hands `output` the text of `input` without its secrets, each line as soon as it has come. Bytes
/// that are no Unicode become U+FFFD; UTF-16 is told by its byte order mark.
pub(crate) fn text(
    input: impl Read,
    mut output: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut stream = Stream::default();
    lines(input, |lines| output(&stream.push(lines)))?;
    output(&stream.finish())
}

/// The same for JSON Lines: `{"id": …, "text": …}` becomes `{"id": …, "redacted": …}`.
pub(crate) fn json_lines(
    input: impl Read,
    mut output: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut number = 0;
    lines(input, |lines| {
        for line in lines.lines() {
            number += 1;
            let line = line.trim_start_matches('\u{feff}');
            let Asked { id, text } =
                surrogates::from_slice(line.as_bytes()).with_context(|| {
                    format!("line {number} is not of the form {{\"id\": …, \"text\": …}}")
                })?;
            let redacted = redact(&text).text;
            let answer = serde_json::to_string(&Answer { id, redacted })?;
            output(&(answer + "\n"))?;
        }
        Ok(())
    })
}

/// Hands `each` the whole lines of `input` that have come, and at the end what follows the last.
fn lines(input: impl Read, mut each: impl FnMut(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut input = BufReader::with_capacity(64 * 1024, Utf16::new(input));
    let mut pending = Vec::new();
    let mut number = 1;
    loop {
        let come = input.fill_buf().context("could not read standard input")?;
        let length = come.len();
        let whole = come
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        let (whole, rest) = come.split_at(whole);
        if !whole.is_empty() {
            pending.extend_from_slice(whole);
            number += pending.iter().filter(|byte| **byte == b'\n').count();
            each(&String::from_utf8_lossy(&pending))?;
            pending.clear();
        }
        if pending.len() + rest.len() > LONGEST_LINE {
            bail!("line {number} is longer than 16 MiB; nothing from it on was printed");
        }
        pending.extend_from_slice(rest);
        input.consume(length);
        if length == 0 {
            break;
        }
    }
    if pending.is_empty() {
        return Ok(());
    }
    each(&String::from_utf8_lossy(&pending))
}

/// Input as UTF-8: UTF-16, as PowerShell writes it, is told by its byte order mark and converted.
struct Utf16<R> {
    input: R,
    /// The order of the bytes, once two have been seen that tell it.
    order: Option<Order>,
    /// What was read and could not be converted yet: half of a unit, or of a pair of units.
    raw: Vec<u8>,
    /// What was converted and not asked for yet.
    converted: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
    /// UTF-8, or whatever else it is.
    None,
}

impl<R: Read> Utf16<R> {
    fn new(input: R) -> Self {
        Self {
            input,
            order: None,
            raw: Vec::new(),
            converted: Vec::new(),
        }
    }

    /// Reads once, and converts what came.
    fn fill(&mut self) -> std::io::Result<usize> {
        let mut buffer = [0; 16 * 1024];
        let length = self.input.read(&mut buffer)?;
        self.raw
            .extend_from_slice(buffer.get(..length).unwrap_or_default());
        if self.order.is_none() && (self.raw.len() >= 2 || length == 0) {
            self.order = Some(match self.raw.as_slice() {
                [0xff, 0xfe, ..] => Order::Little,
                [0xfe, 0xff, ..] => Order::Big,
                _ => Order::None,
            });
        }
        match self.order {
            None => {}
            Some(Order::None) => self.converted.append(&mut self.raw),
            Some(order) => self.convert(order, length == 0),
        }
        Ok(length)
    }

    fn convert(&mut self, order: Order, is_last: bool) {
        let (pairs, _) = self.raw.as_chunks::<2>();
        let mut units: Vec<u16> = pairs
            .iter()
            .map(|pair| match order {
                Order::Big => u16::from_be_bytes(*pair),
                _ => u16::from_le_bytes(*pair),
            })
            .collect();
        // Half of a character waits for the other.
        if !is_last
            && units
                .last()
                .is_some_and(|unit| (0xd800..0xdc00).contains(unit))
        {
            units.pop();
        }
        self.raw.drain(..2 * units.len());
        let text: String = char::decode_utf16(units)
            .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        self.converted.extend_from_slice(text.as_bytes());
        if is_last && !self.raw.is_empty() {
            self.raw.clear();
            self.converted.extend_from_slice("\u{fffd}".as_bytes());
        }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        while self.converted.is_empty() {
            if self.fill()? == 0 && self.converted.is_empty() {
                return Ok(0);
            }
        }
        let length = into.len().min(self.converted.len());
        let taken = self.converted.drain(..length);
        for (to, byte) in into.iter_mut().zip(taken) {
            *to = byte;
        }
        Ok(length)
    }
}

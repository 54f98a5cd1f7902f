//! What one line of a transcript says, whichever client wrote it.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use memchr::memmem::Finder;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::checkpoint::recovered::Outcome;

/// One line, as far as it is of use.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Line<'a> {
    pub(super) at: Option<Timestamp>,
    /// The working directory that the line names.
    pub(super) cwd: Option<Cow<'a, str>>,
    pub(super) branch: Option<Cow<'a, str>>,
    /// Whether a subagent did it, so that its words are not the session's.
    pub(super) is_subagents: bool,
    /// Whether the client that wrote it also writes down that a session ended.
    pub(super) tells_end: bool,
    /// In the order in which they happened.
    pub(super) events: Vec<Event>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    /// What the person typed.
    Prompt(String),
    /// What the agent said.
    Words(String),
    /// The client's own account of everything so far, in whose place it stands from then on.
    Summary(String),
    Call {
        id: String,
        call: Call,
    },
    /// A call's result; `saved` is the session whose checkpoint it says was saved.
    Result {
        id: String,
        outcome: Outcome,
        saved: Option<String>,
    },
    /// A file was written.
    Wrote(String),
    /// The agent has nothing left to do until the person speaks.
    TurnEnd,
    /// The client was ended in good order.
    SessionEnd,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Call {
    Command(String),
    /// Writes the file of that path.
    Write(String),
    /// A tool of this program's own.
    Own {
        is_load: bool,
    },
    /// Any other tool, by its name.
    Other(String),
}

impl Call {
    /// A tool of any server, whose name clients put before the tool's own.
    pub(super) fn of_tool(name: String) -> Self {
        match name.rsplit("__").next() {
            Some("load_session_checkpoint") => Self::Own { is_load: true },
            Some("save_session_checkpoint" | "list_session_checkpoints") => {
                Self::Own { is_load: false }
            }
            _ => Self::Other(name),
        }
    }
}

/// The time that a line bears: read digit by digit where it stands as clients write it, for every line has one.
pub(super) fn time(text: &str) -> Option<Timestamp> {
    as_written(text).or_else(|| text.parse().ok())
}

/// Reads `2026-10-08T02:23:55.500Z`; None for every other form.
fn as_written(text: &str) -> Option<Timestamp> {
    const FORM: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
    let text: &[u8; 24] = text.as_bytes().try_into().ok()?;
    let fits = |(byte, form): (&u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        form => byte == form,
    };
    if !text.iter().zip(FORM).all(fits) {
        return None;
    }
    let number = |from: usize, digits: usize| {
        let digits = text[from..from + digits].iter();
        digits.fold(0_i16, |number, digit| number * 10 + i16::from(digit - b'0'))
    };
    let part = |from: usize| number(from, 2) as i8;
    let nanoseconds = i32::from(number(20, 3)) * 1_000_000;
    let (year, month, day) = (number(0, 4), part(5), part(8));
    let time = DateTime::new(year, month, day, part(11), part(14), part(17), nanoseconds);
    Offset::UTC.to_timestamp(time.ok()?).ok()
}

/// Whether a text, read or not, can be the answer to a save.
pub(super) fn may_tell_of_save(text: &[u8]) -> bool {
    // Making a searcher costs more than most searches.
    static MARK: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("sessionSource"));
    MARK.find(text).is_some()
}

/// The session of a save, from what the tool answered; None where the text is anything else.
pub(super) fn saved(answer: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        session: String,
        #[serde(rename = "sessionSource")]
        _session_source: IgnoredAny,
    }
    let json = &answer[answer.find('{')?..];
    if !may_tell_of_save(json.as_bytes()) {
        return None;
    }
    let answer: Answer = serde_json::from_str(json).ok()?;
    Some(answer.session)
}

/// The texts of a value of any shape: of a string itself, of a list's members, of an object's `text`.
///
/// Clients write one field now as a string, now as a list; what is neither is no reason to lose a line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Text(pub(super) String);

/// Bytes of a [`Text`] that are kept, its start.
const TEXT_KEPT: usize = 16 << 10;

impl Text {
    pub(super) fn non_empty(self) -> Option<String> {
        Some(self.0).filter(|text| !text.is_empty())
    }

    fn push(&mut self, text: &str) {
        if !self.0.is_empty() && !text.is_empty() {
            self.0.push('\n');
        }
        let room = TEXT_KEPT.saturating_sub(self.0.len());
        self.0.push_str(&text[..text.floor_char_boundary(room)]);
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Anything;

        impl<'de> Visitor<'de> for Anything {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                let mut kept = Text::default();
                kept.push(text);
                Ok(kept)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Text, A::Error> {
                let mut kept = Text::default();
                while let Some(Text(item)) = items.next_element()? {
                    kept.push(&item);
                }
                Ok(kept)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Text, A::Error> {
                let mut kept = Text::default();
                while let Some(Text(name)) = fields.next_key()? {
                    if name == "text" {
                        let Text(text) = fields.next_value()?;
                        kept.push(&text);
                    } else {
                        fields.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(kept)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Text, E> {
                Ok(Text::default())
            }

            fn visit_i64<E>(self, _: i64) -> Result<Text, E> {
                Ok(Text::default())
            }

            fn visit_u64<E>(self, _: u64) -> Result<Text, E> {
                Ok(Text::default())
            }

            fn visit_f64<E>(self, _: f64) -> Result<Text, E> {
                Ok(Text::default())
            }

            fn visit_unit<E>(self) -> Result<Text, E> {
                Ok(Text::default())
            }
        }

        deserializer.deserialize_any(Anything)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_in_any_shape() {
        for (json, expected) in [
            (r#""a""#, "a"),
            (r#"["a", {"type": "text", "text": "b"}, 3]"#, "a\nb"),
            (r#"{"text": ["a"], "more": {"text": "c"}}"#, "a"),
            ("null", ""),
            ("-1.5", ""),
            ("true", ""),
        ] {
            let Text(text) = serde_json::from_str(json).unwrap();
            assert_eq!(text, expected, "{json}");
        }
        let long = format!("\"{}\"", "ü".repeat(TEXT_KEPT));
        let Text(text) = serde_json::from_str(&long).unwrap();
        assert_eq!(text.len(), TEXT_KEPT);
    }

    #[test]
    fn a_time_is_the_same_however_it_is_read() {
        for text in [
            "2026-10-08T02:23:55.500Z",
            "2024-02-29T23:59:59.999Z",
            "0000-01-01T00:00:00.000Z",
            "9999-12-30T00:00:00.000Z",
            "2026-02-29T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "2026-12-31T23:59:60.000Z",
            "2026-12-31T24:00:00.000Z",
            "2026-10-08T02:23:55Z",
            "2026-10-08T02:23:55.500+02:00",
            "2026-10-08 02:23:55.500Z",
            "yesterday, twenty-four c",
            "",
        ] {
            assert_eq!(time(text), text.parse().ok(), "{text}");
        }
        assert!(as_written("2026-10-08T02:23:55.500Z").is_some());
    }

    #[test]
    fn a_save_is_known_by_its_answer() {
        let answer = r#"{"text":"Saved","session":"s1","sessionSource":"env"}"#;
        assert_eq!(saved(answer).as_deref(), Some("s1"));
        assert_eq!(saved(&format!("Output:\n{answer}")).as_deref(), Some("s1"));
        for other in ["", "{", r#"{"session":"s1"}"#, "sessionSource {\"a\": 1}"] {
            assert_eq!(saved(other), None);
        }
    }
}

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
    /// Where it stands in the conversation; None where the client keeps no tree, or it is no part of it.
    pub(super) place: Option<Position<'a>>,
    /// The line that the conversation had come to when this one was written.
    pub(super) leaf: Option<Cow<'a, str>>,
    /// The message that the line is a form of, where clients write one anew when something is added to it.
    pub(super) record: Option<Cow<'a, str>>,
    /// The message that, with all that came after, is taken back by the line.
    pub(super) rewound_to: Option<Cow<'a, str>>,
    /// Whether a program gave the client its prompts and no person did; None where it does not tell.
    pub(super) is_headless: Option<bool>,
    /// Whether a subagent did it, so that its words are not the session's.
    pub(super) is_subagents: bool,
    /// Whether the client that wrote it also writes down that a session ended.
    pub(super) tells_end: bool,
    /// In the order in which they happened.
    pub(super) events: Vec<Event>,
}

impl Line<'_> {
    pub(super) fn into_owned(self) -> Line<'static> {
        fn owned(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
            text.map(|text| Cow::Owned(text.into_owned()))
        }
        let Self {
            at,
            cwd,
            branch,
            place,
            leaf,
            record,
            rewound_to,
            is_headless,
            is_subagents,
            tells_end,
            events,
        } = self;
        Line {
            at,
            cwd: owned(cwd),
            branch: owned(branch),
            place: place.map(|place| Position {
                id: Cow::Owned(place.id.into_owned()),
                parent: place.parent.into_owned(),
                message: Cow::Owned(place.message.into_owned()),
            }),
            leaf: owned(leaf),
            record: owned(record),
            rewound_to: owned(rewound_to),
            is_headless,
            is_subagents,
            tells_end,
            events,
        }
    }
}

/// A line's place in a conversation, which is a tree: who goes back and asks anew begins another branch.
#[derive(Debug, PartialEq)]
pub(super) struct Position<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) parent: Parent<'a>,
    /// The message of the model's of which it is a part; empty where it is of none.
    pub(super) message: Cow<'a, str>,
}

#[derive(Debug, PartialEq)]
pub(super) enum Parent<'a> {
    /// The conversation begins here.
    None,
    Line(Cow<'a, str>),
    /// It goes on from whatever came before.
    Before,
}

impl Parent<'_> {
    pub(super) fn into_owned(self) -> Parent<'static> {
        match self {
            Self::None => Parent::None,
            Self::Line(id) => Parent::Line(Cow::Owned(id.into_owned())),
            Self::Before => Parent::Before,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    /// What the person typed.
    Prompt(String),
    /// A command of the client's that asks the agent for something, as the person typed it.
    Command(String),
    /// What the person typed while the agent worked, which it may never have been given.
    Queued(String),
    /// What was typed so, and was taken back or handed over.
    Unqueued(String),
    /// What the session is called, by the person or by the client.
    Title {
        text: String,
        is_persons: bool,
    },
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
    /// Writes those files.
    Patch(Vec<String>),
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
        // The server's name and the tool's are joined by one underscore or two.
        let is = |tool: &str| {
            let server = name.strip_suffix(tool);
            server.is_some_and(|server| server.is_empty() || server.ends_with('_'))
        };
        if is("load_session_checkpoint") {
            Self::Own { is_load: true }
        } else if is("save_session_checkpoint") || is("list_session_checkpoints") {
            Self::Own { is_load: false }
        } else {
            Self::Other(name)
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

/// The session of a save, from what an agent is told of it in words.
pub(super) fn saved_in_words(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("aved checkpoint `")?;
    Some(rest.split_once('`')?.0.to_owned())
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

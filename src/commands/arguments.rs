//! Arguments as JSON, from a tool call or from `ckpt save --input`, read as agents and clients really send them.
//!
//! What is plain is taken: a number as a string, a list as a string of JSON, another spelling of a name. What is
//! not known is left out with a warning; what cannot be read is told in JSON's own words.

use std::fmt;
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Reader;
use crate::checkpoint::fields::FIELDS;
use crate::checkpoint::format::Client;
use crate::checkpoint::text::{nearest, quoted, shortened};
use crate::env::{self, Env};
use crate::error::failure;
use crate::redact::redact;
use crate::store::selector::SessionId;

/// Where a command works and for whom, as its caller put it; [`super::Context`] is what comes of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// The argument `projectRoot` or the option `--project-root`; absolute.
    pub(crate) project_root: Option<PathBuf>,
    /// The argument `session` or the option `--session`.
    pub(crate) session: Option<String>,
    /// The argument `hookSession`, which the hook `ckpt guard` adds to a call; anything but a session id counts as absent.
    pub(crate) hook_session: Option<SessionId>,
    /// What the client's call says of its session beside the arguments.
    pub(crate) hint: CallerHint,
    /// The first root that an MCP client names; counts only where nothing else names one.
    pub(crate) client_root: Option<PathBuf>,
    /// Where a server was started; counts where that folder was made anew under the running process.
    pub(crate) started_in: Option<PathBuf>,
    pub(crate) words: Words,
    /// What an MCP client calls itself.
    pub(crate) client: Option<Client>,
    /// Whether an MCP client was asked for its roots and named none.
    pub(crate) is_guessed: bool,
    /// Whether the nearest store above a working directory without one is meant, as on the command line.
    pub(crate) looks_above: bool,
}

/// What a client's call says of its session, beside the arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum CallerHint {
    #[default]
    None,
    /// Claude Code: the id of the call, which stands in the transcript of the session that makes it.
    ToolUse(String),
    /// Codex: the session itself.
    Thread { id: String, is_subagent: bool },
}

impl Scope {
    /// With the root and the session of another one where this has none.
    pub(crate) fn or(self, other: &Self) -> Self {
        Self {
            project_root: self.project_root.or_else(|| other.project_root.clone()),
            session: self.session.or_else(|| other.session.clone()),
            ..self
        }
    }

    /// Whether the client's roots would decide the project root (docs/contract.md, section 2).
    pub(crate) fn wants_client_root(&self, env: &Env) -> bool {
        self.project_root.is_none() && env.os_var(env::PROJECT_ROOT).is_none()
    }
}

/// How a message names an argument, so that its reader finds it in what was passed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Words {
    /// As tools name it: `nextSteps`.
    #[default]
    Json,
    /// As the command line does: `--next`.
    Options,
}

impl Words {
    /// Who passes arguments of such names.
    pub(crate) fn reader(self) -> Reader {
        match self {
            Self::Json => Reader::Agent,
            Self::Options => Reader::Person,
        }
    }

    /// The argument's name in backticks.
    pub(crate) fn argument(self, name: &str) -> String {
        let name = match (self, name) {
            (Self::Json, name) => name,
            (_, "projectRoot") => "-C",
            (_, "resumedFrom") => "--resumed-from",
            (Self::Options, name) => match FIELDS.iter().find(|field| field.name == name) {
                Some(field) => field.option,
                None => return format!("`--{name}`"),
            },
        };
        format!("`{name}`")
    }

    /// A field, an entry of a list or a part of one: `tasks[1].description`, or the second `--task`.
    pub(crate) fn place(self, name: &str, index: Option<usize>, part: &str) -> String {
        match (self, index) {
            (_, None) => self.argument(name),
            (Self::Json, Some(index)) => format!("`{name}[{index}]{part}`"),
            (Self::Options, Some(index)) => format!("{} number {}", self.argument(name), index + 1),
        }
    }
}

/// One argument of a command that reads.
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Text,
    /// A whole number from 0 on.
    Count,
    Word(&'static [&'static str]),
    /// True or false.
    Flag,
}

/// The arguments of one call. `null` and `""` count as not given, at any depth.
#[derive(Debug, Default)]
pub(crate) struct Arguments(Map<String, Value>);

impl Arguments {
    pub(crate) fn new(arguments: Map<String, Value>) -> Self {
        match without_absent(Value::Object(arguments)) {
            Some(Value::Object(arguments)) => Self(arguments),
            _ => Self::default(),
        }
    }

    /// Takes out `projectRoot` and `session`, which every command has, and what a hook added.
    pub(crate) fn take_scope(&mut self) -> anyhow::Result<Scope> {
        self.rename(&["projectRoot", "session"], &[]);
        let hook_session = self.take("hookSession");
        let hook_session = hook_session.as_ref().and_then(Value::as_str);
        Ok(Scope {
            project_root: self.take_text("projectRoot")?.map(PathBuf::from),
            session: self.take_text("session")?,
            hook_session: hook_session.and_then(|id| SessionId::parse(id).ok()),
            ..Scope::default()
        })
    }

    /// What is left as the request of a command that only reads, with what there is to warn of.
    pub(crate) fn into_request<T: DeserializeOwned>(
        mut self,
        known: &[Argument],
    ) -> anyhow::Result<(T, Vec<String>)> {
        let names: Vec<&str> = known.iter().map(|argument| argument.name).collect();
        self.rename(&names, &[]);
        let warnings = self.drop_unknown(&names);
        for Argument { name, kind } in known {
            if let Some(value) = self.0.get_mut(*name) {
                *value = kind.read(value).map_err(|expected| {
                    wrong(name, &Unreadable::new(format!("`{name}`"), value, expected))
                })?;
            }
        }
        Ok((serde_json::from_value(Value::Object(self.0))?, warnings))
    }

    /// Gives what is spelt another way, or has a name that other tools use, its own name.
    pub(crate) fn rename(&mut self, names: &[&str], others: &[(&str, &str)]) {
        let given: Vec<String> = self.0.keys().cloned().collect();
        for old in given.iter().filter(|old| !names.contains(&old.as_str())) {
            let own = names.iter().find(|name| plain(name) == plain(old));
            let other = others.iter().find(|(other, _)| *other == plain(old));
            if let Some(name) = own.or(other.map(|(_, name)| name))
                && !self.0.contains_key(*name)
                && let Some(value) = self.0.shift_remove(old)
            {
                self.0.insert((*name).to_owned(), value);
            }
        }
    }

    /// Leaves out what has none of the names; a warning for each.
    pub(crate) fn drop_unknown(&mut self, names: &[&str]) -> Vec<String> {
        let mut warnings = Vec::new();
        self.0.retain(|name, _| {
            let known = names.contains(&name.as_str());
            if !known {
                let nearest = match nearest(name, names) {
                    Some(nearest) => format!("the nearest known one is `{nearest}`"),
                    None => format!("the known ones are `{}`", names.join("`, `")),
                };
                let name = quoted(name);
                warnings.push(format!(
                    "the argument `{name}` is unknown and was left out; {nearest}"
                ));
            }
            known
        });
        warnings
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.0.shift_remove(name)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    pub(crate) fn put(&mut self, name: &str, value: Value) {
        self.0.insert(name.to_owned(), value);
    }

    fn take_text(&mut self, name: &str) -> anyhow::Result<Option<String>> {
        let value = self.take(name);
        let text = value.map(|value| {
            text(&value).ok_or_else(|| {
                let place = format!("`{name}`");
                wrong(name, &Unreadable::new(place, &value, "a string"))
            })
        });
        text.transpose()
    }
}

impl Kind {
    fn read(self, value: &Value) -> Result<Value, String> {
        let read = match self {
            Self::Text => text(value).map(Value::from),
            Self::Count => {
                let count = whole(value).and_then(|count| usize::try_from(count).ok());
                count.map(Value::from)
            }
            Self::Flag => match value {
                Value::Bool(flag) => Some(Value::Bool(*flag)),
                value => match text(value).as_deref().map(plain).as_deref() {
                    Some("true" | "1" | "yes") => Some(Value::Bool(true)),
                    Some("false" | "0" | "no") => Some(Value::Bool(false)),
                    _ => None,
                },
            },
            Self::Word(words) => text(value).and_then(|given| {
                let word = words.iter().find(|word| plain(word) == plain(&given));
                word.map(|word| Value::from(*word))
            }),
        };
        read.ok_or_else(|| match self {
            Self::Text => "a string".to_owned(),
            Self::Count => "a whole number, such as 10".to_owned(),
            Self::Flag => "true or false".to_owned(),
            Self::Word(words) => format!("one of \"{}\"", words.join("\", \"")),
        })
    }
}

/// What arrived where something else was expected.
#[derive(Debug)]
pub(crate) struct Unreadable {
    place: String,
    arrived: String,
    expected: String,
}

impl Unreadable {
    /// `expected` follows "expected is" and holds an example where words alone do not say it.
    pub(crate) fn new(place: String, arrived: &Value, expected: impl Into<String>) -> Self {
        // More than is shown, so that no secret is cut before it was recognised.
        const LOOKED_AT: usize = 16_000;
        let arrived = shortened(&arrived.to_string(), LOOKED_AT);
        Self {
            place,
            arrived: quoted(&redact(&arrived).text),
            expected: expected.into(),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            place,
            arrived,
            expected,
        } = self;
        write!(
            f,
            "{place} cannot be read: got {arrived}, expected {expected}"
        )
    }
}

/// The error of an argument without which a command cannot do what was meant.
pub(crate) fn wrong(name: &str, unreadable: &Unreadable) -> anyhow::Error {
    failure(
        format!("{unreadable}; nothing was done"),
        format!("correct `{name}` and call again"),
    )
}

/// A name or word without what its writers do not agree on: case, `_`, `-` and spaces.
pub(crate) fn plain(word: &str) -> String {
    /// Characters that are looked at: more than any known name or word has, and it is done for each of them.
    const LOOKED_AT: usize = 100;
    let word = word.chars().take(LOOKED_AT);
    let kept = word.filter(|c| !matches!(c, '_' | '-' | ' '));
    kept.flat_map(char::to_lowercase).collect()
}

/// A text, also one that came as a number, as a list of lines, or in an object of its own.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(lines) if !lines.is_empty() => {
            let lines: Option<Vec<String>> = lines.iter().map(text).collect();
            Some(lines?.join("\n"))
        }
        Value::Object(fields) if fields.len() == 1 => {
            let named = |name: &&str| fields.get(*name).filter(|value| value.is_string());
            let value = ["text", "content", "description", "value"]
                .iter()
                .find_map(named)?;
            text(value)
        }
        _ => None,
    }
}

/// A whole number, also as a string or as `5.0`.
pub(crate) fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => {
            let number: Value = serde_json::from_str(text.trim()).ok()?;
            number.is_number().then(|| whole(&number))?
        }
        Value::Number(number) => number.as_i64().or_else(|| {
            // Every whole number that a float holds exactly.
            const EXACT: f64 = 9_007_199_254_740_992.0;
            let float = number.as_f64()?;
            (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
        }),
        _ => None,
    }
}

/// The list or object that a string holds as JSON; None where it holds neither.
pub(crate) fn nested(text: &str) -> Option<Value> {
    let text = text.trim();
    let is_nested = text.starts_with('[') && text.ends_with(']')
        || text.starts_with('{') && text.ends_with('}');
    let value = is_nested.then(|| serde_json::from_str(text).ok())??;
    without_absent(value)
}

fn without_absent(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Array(items) => Some(items.into_iter().filter_map(without_absent).collect()),
        Value::Object(fields) => Some(Value::Object(
            fields
                .into_iter()
                .filter_map(|(name, value)| Some((name, without_absent(value)?)))
                .collect(),
        )),
        value => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::list;
    use serde_json::json;

    fn arguments(value: Value) -> Arguments {
        match value {
            Value::Object(fields) => Arguments::new(fields),
            _ => unreachable!("a test passes objects"),
        }
    }

    #[test]
    fn null_and_empty_count_as_not_given() {
        let mut arguments = arguments(json!({
            "session": "", "projectRoot": null, "decisions": ["", null, {"a": null}],
        }));
        let scope = arguments.take_scope().unwrap();
        assert!(scope.session.is_none() && scope.project_root.is_none());
        assert_eq!(arguments.get("decisions"), Some(&json!([{}])));
    }

    #[test]
    fn a_number_may_be_a_string_or_end_in_a_zero() {
        for (given, expected) in [
            (json!(5), Some(5)),
            (json!("5"), Some(5)),
            (json!(" 5.0 "), Some(5)),
            (json!(5.0), Some(5)),
            (json!(-1e3), Some(-1000)),
            (json!("0"), Some(0)),
            (json!(5.5), None),
            (json!(1e300), None),
            (json!("five"), None),
            (json!("[5]"), None),
            (json!(true), None),
        ] {
            assert_eq!(whole(&given), expected, "{given}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_with_what_arrived_and_what_is_expected() {
        for (given, expected) in [
            (
                json!({"limit": "ten"}),
                "`limit` cannot be read: got \"ten\", expected a whole number, such as 10; nothing was done",
            ),
            (
                json!({"limit": -1}),
                "`limit` cannot be read: got -1, expected a whole number, such as 10; nothing was done",
            ),
            (
                json!({"limit": {"password": "hunter2hunter2"}}),
                "`limit` cannot be read: got {\"password\":\"«redacted»\"}, expected a whole number, such as 10; nothing was done",
            ),
        ] {
            let read = arguments(given).into_request::<list::Request>(&list::ARGUMENTS);
            assert_eq!(read.unwrap_err().to_string(), expected);
        }
        let long = json!({"limit": "x".repeat(1_000)});
        let read = arguments(long).into_request::<list::Request>(&list::ARGUMENTS);
        let error = read.unwrap_err().to_string();
        assert!(error.chars().count() < 300, "{error}");
    }

    #[test]
    fn what_is_unknown_is_left_out_and_the_nearest_named() {
        let given = arguments(json!({"Limit": "3", "limits": 4, "colour": "red"}));
        let (request, warnings) = given
            .into_request::<list::Request>(&list::ARGUMENTS)
            .unwrap();
        assert_eq!(request.limit, Some(3));
        assert_eq!(
            warnings,
            [
                "the argument `limits` is unknown and was left out; the nearest known one is `limit`",
                "the argument `colour` is unknown and was left out; the known ones are `limit`, `query`, `everywhere`",
            ]
        );
    }
}

//! Checkpoint format, version 1: the structures, lenient reading and strict writing.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::mend;
use super::text::{self, shortened};
use super::time;
use super::words::words;

/// How many characters of an unknown version a message shows.
const VERSION_SHOWN: usize = 40;
/// The only format version that this program reads and writes.
pub(crate) const VERSION: u64 = 1;

/// What one session knows, as its file has it (docs/contract.md, section 5).
///
/// `extra`, here and below, holds the fields that this version does not know, so that a save keeps them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Checkpoint {
    pub(crate) version: u64,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) id: String,
    #[serde(with = "time")]
    pub(crate) created_at: Timestamp,
    #[serde(with = "time")]
    pub(crate) updated_at: Timestamp,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) generator: Generator,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) project: Project,
    /// Absent in the legacy file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<String>,
    /// The selector of the checkpoint that this session went on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) resumed_from: Option<String>,
    /// What a person or an agent calls it, besides its selector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Whether a person or an agent said that this work is finished.
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub(crate) done: bool,
    /// None outside a repository and before the first commit.
    #[serde(default)]
    pub(crate) git: Option<Git>,
    pub(crate) goal: Goal,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) next_steps: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) decisions: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) modified_files: Vec<ModifiedFile>,
    /// Oldest first.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) recent_commands: Vec<RecentCommand>,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) meta: Meta,
    /// The client that the session ran in; None where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) client: Option<Client>,
    /// Only in the project's own checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) times: Option<Times>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
    /// The fields and entries that could not be read and were left out, named as in `goal.tasks[0].status`.
    #[serde(skip)]
    pub(crate) left_out: Vec<String>,
}

/// The program that wrote a checkpoint.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Generator {
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) version: String,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

/// What an MCP client calls itself, or the client whose transcript a checkpoint was recovered from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Client {
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) name: String,
    /// Empty where it is not known.
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "String::is_empty"
    )]
    pub(crate) version: String,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

impl Client {
    /// A client of which the version is not known.
    pub(crate) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }
}

/// When the parts of the project's own checkpoint were written. A time that cannot be read counts as unknown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Times {
    /// When each decision was written, in their order.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) decisions: Vec<String>,
    /// When each task was done, in their order; empty for one that is not.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) done: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Project {
    /// The root directory's own name; never a path.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

/// Where the repository stood.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Git {
    /// None when HEAD is detached.
    #[serde(default)]
    pub(crate) branch: Option<String>,
    /// HEAD's commit id in hexadecimal.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) head: String,
    /// Whether anything under the project root was uncommitted or untracked.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) dirty: bool,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Goal {
    pub(crate) primary: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) tasks: Vec<Task>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) description: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) status: TaskStatus,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

words! {
    TaskStatus {
        #[default]
        Pending = "pending",
        InProgress = "in_progress",
        Done = "done",
        Blocked = "blocked",
    }
}

/// A file that differed from HEAD, or that the agent named.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModifiedFile {
    /// Relative to the project root with `/`; see [`super::path`] for names that are not UTF-8.
    pub(crate) path: String,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) status: FileStatus,
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) source: Source,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// Git's blob hash of the raw bytes in the working tree, or a submodule's commit id; None where deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hash: Option<String>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

words! {
    /// Porcelain codes of `git status`, index and working tree taken together.
    FileStatus {
        #[default]
        Modified = "M",
        Added = "A",
        Deleted = "D",
        Renamed = "R",
        Unmerged = "U",
        Untracked = "??",
    }
}

words! {
    /// Who said that a file was touched.
    Source {
        Git = "git",
        #[default]
        Agent = "agent",
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecentCommand {
    pub(crate) command: String,
    #[serde(
        default,
        deserialize_with = "whole_number",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) exit_code: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// When it was recorded, not when it ran.
    #[serde(
        default,
        with = "optional_time",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) at: Option<Timestamp>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Meta {
    /// How many values the save that wrote the file redacted.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) redactions: usize,
    /// Whether anything was dropped to fit a limit.
    #[serde(default, deserialize_with = "or_default")]
    pub(crate) truncated: bool,
    /// Whether `modifiedFiles` lacks files that were uncommitted: dropped, or never listed.
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub(crate) files_truncated: bool,
    /// The machine from which a sync brought it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) machine: Option<String>,
    /// When an edit changed what the last save wrote; just after that where a name or a mark did; just after what it
    /// replaced where the save itself seems to be before that; else None.
    #[serde(
        default,
        with = "optional_time",
        skip_serializing_if = "Option::is_none"
    )]
    pub(crate) changed_at: Option<Timestamp>,
    #[serde(flatten)]
    pub(crate) extra: Map<String, Value>,
}

/// Why bytes are not a checkpoint; its text completes a sentence that ends in "is".
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Invalid {
    /// Not JSON at all, or cut off.
    NotJson(String),
    /// JSON of another format version; holds what it says its version is.
    Version(String),
    /// JSON of version 1 that lacks a required field or has one of another type.
    Shape(String),
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(why) => write!(f, "not valid JSON ({why})"),
            Self::Version(found) => write!(
                f,
                "of format version {found}, and this ckpt reads only version {VERSION}"
            ),
            Self::Shape(why) => write!(f, "not a checkpoint ({why})"),
        }
    }
}

impl std::error::Error for Invalid {}

impl Checkpoint {
    /// A checkpoint that holds nothing but a goal yet.
    pub(super) fn begun(id: String, at: Timestamp, goal: String) -> Self {
        Self {
            version: VERSION,
            id,
            created_at: at,
            updated_at: at,
            generator: Generator::default(),
            project: Project::default(),
            session_id: None,
            resumed_from: None,
            name: None,
            done: false,
            git: None,
            goal: Goal {
                primary: goal,
                ..Goal::default()
            },
            summary: None,
            next_steps: Vec::new(),
            decisions: Vec::new(),
            modified_files: Vec::new(),
            recent_commands: Vec::new(),
            meta: Meta::default(),
            client: None,
            times: None,
            extra: Map::new(),
            left_out: Vec::new(),
        }
    }

    /// Reads a checkpoint, whoever wrote it: unknown fields are kept, missing optional ones take defaults, values of
    /// another type are left out (`left_out` names them), and lengths are not checked. Of a key that stands twice the
    /// last one counts, and U+FFFD takes the place of half a character that was written as an escape.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Invalid> {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let value = mend::value(text).map_err(|error| Invalid::NotJson(quoted(&error)))?;
        match value.get("version") {
            Some(version) if version.as_u64() == Some(VERSION) => {}
            Some(version) => {
                return Err(Invalid::Version(shortened(
                    &version.to_string(),
                    VERSION_SHOWN,
                )));
            }
            None => return Err(Invalid::Shape("no field `version`".to_owned())),
        }
        serde_path_to_error::deserialize(value).or_else(|error| {
            let value = mend::value(text).map_err(|error| Invalid::NotJson(quoted(&error)))?;
            Self::parse_mended(value).ok_or_else(|| Invalid::Shape(quoted(&error)))
        })
    }

    /// As much of a value as can be read, without entries and fields of another type; None where something required is
    /// missing from it.
    fn parse_mended(mut value: Value) -> Option<Self> {
        /// More faults than any slip leaves behind: what has so many is not a checkpoint.
        const FAULTS: usize = 100;
        let mut left_out = Vec::new();
        for _ in 0..FAULTS {
            match serde_path_to_error::deserialize::<_, Self>(&value) {
                Ok(checkpoint) => {
                    return Some(Self {
                        left_out,
                        ..checkpoint
                    });
                }
                Err(error) => left_out.push(mend::leave_out(&mut value, error.path())?),
            }
        }
        None
    }

    /// The file's bytes: two-space indentation and a final newline.
    pub(crate) fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// When it became what it is: by a save, or by what changed it since.
    pub(crate) fn changed_at(&self) -> Timestamp {
        let changed = self.meta.changed_at;
        changed.map_or(self.updated_at, |at| at.max(self.updated_at))
    }

    /// Notes a change of what it says that is no save, as later than all before, whatever the clock says.
    pub(crate) fn note_change(&mut self, now: Timestamp) {
        self.meta.changed_at = Some(self.moment_after().max(now));
    }

    /// Notes that something else is said of it, as just after what is there: what is saved later without that, on another
    /// machine, knows more.
    pub(crate) fn note_mark(&mut self) {
        self.meta.changed_at = Some(self.moment_after());
    }

    /// When a save at a time that seems to be before this one was made: just after it, for the clocks of two machines
    /// differ. None where it is later anyway, or where this one's time cannot be true.
    pub(crate) fn outdated_by(&self, at: Timestamp, now: Timestamp) -> Option<Timestamp> {
        let is_ahead = self.changed_at() > at && !time::is_impossible(self.changed_at(), now);
        is_ahead.then(|| self.moment_after())
    }

    fn moment_after(&self) -> Timestamp {
        const STEP: SignedDuration = SignedDuration::from_millis(1);
        let last = self.changed_at();
        last.checked_add(STEP).unwrap_or(last)
    }

    /// How many tasks are done, and how many there are.
    pub(crate) fn progress(&self) -> (usize, usize) {
        let tasks = &self.goal.tasks;
        let done = tasks.iter().filter(|task| task.status == TaskStatus::Done);
        (done.count(), tasks.len())
    }

    /// True when there is at least one task and every one is done.
    pub(crate) fn all_tasks_done(&self) -> bool {
        let (done, tasks) = self.progress();
        tasks > 0 && done == tasks
    }
}

/// A fault as part of a message. It may quote the file, and anybody may have written that.
fn quoted(fault: &impl fmt::Display) -> String {
    text::quoted(&fault.to_string())
}

/// Takes `null` to mean that the field is missing, as hand-edited files have it.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A whole number however it is written, such as `1.0`.
fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let whole = number.as_f64().filter(|number| {
        // Beyond that, neighbouring whole numbers cannot be told apart.
        const EXACT: f64 = (1_u64 << 53) as f64;
        number.fract() == 0.0 && number.abs() <= EXACT
    });
    match number.as_i64().or(whole.map(|number| number as i64)) {
        Some(number) => Ok(Some(number)),
        None => Err(serde::de::Error::custom(format_args!(
            "`{number}` is not a whole number"
        ))),
    }
}

mod optional_time {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        at: &Option<Timestamp>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => super::time::serialize(at, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Timestamp>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        Ok(text.and_then(|text| super::time::parse(&text)))
    }
}

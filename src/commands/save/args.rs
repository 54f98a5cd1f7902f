//! Reads the arguments of a save, as an agent or the command line gives them, into a request.
//!
//! An agent that meets an error near the end of its context loses what it knows. So whatever has a plain meaning is
//! taken, the rest is left out with a warning, and only a goal that cannot be read stops a save.

use serde_json::{Map, Value};

use super::{Request, Whose};
use crate::checkpoint::edits::{CANCELLED, CommandEdit, Edits, FileEdit, Mode, TaskEdit};
use crate::checkpoint::fields::{self, COMMANDS, FIELDS, FILES, Field, SUMMARY, TASKS};
use crate::checkpoint::format::TaskStatus;
use crate::commands::arguments::{Arguments, Unreadable, Words, nested, plain, text, whole, wrong};
use crate::store::selector::Name;

/// The arguments besides the [`FIELDS`].
const OTHERS: [&str; 4] = ["mode", "resumedFrom", "scope", "name"];
/// What other tools call them, in lower case.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("todos", "tasks"),
    ("todo", "tasks"),
    ("plan", "tasks"),
    ("next", "nextSteps"),
    ("files", "modifiedFiles"),
    ("commands", "recentCommands"),
    ("objective", "goal"),
    ("resumefrom", "resumedFrom"),
];
/// What a checkpoint file holds besides: facts, which every save records anew.
const FACTS: [&str; 12] = [
    "version",
    "id",
    "createdAt",
    "updatedAt",
    "generator",
    "project",
    "sessionId",
    "git",
    "meta",
    "done",
    "client",
    "times",
];
/// Fields of entries that are dropped without a warning: other tools keep their own books in them, or a checkpoint file
/// has them.
const BOOKKEEPING: [&str; 8] = [
    "id",
    "priority",
    "activeform",
    "order",
    "source",
    "hash",
    "at",
    "createdat",
];
/// How many warnings are given one by one; further ones are only counted.
const TOLD: usize = 8;

const GOAL: &str = "a string, such as \"Sign in with GitHub\"";
const TASK: &str = "a task, such as {\"description\": \"Callback route\", \"status\": \"done\"}";
const FILE: &str = "a file, such as {\"path\": \"src/main.rs\", \"note\": \"entry point\"}";
const COMMAND: &str = "a command, such as {\"command\": \"npm test\", \"exitCode\": 1}";
const TEXT: &str = "a string";
const NAME: &str = "a short name, such as \"auth\"";
const STATUS: &str = "\"pending\", \"in_progress\", \"done\" or \"blocked\"";

/// The arguments of a save (docs/contract.md, section 6), each as it arrived. None stands for "not given".
#[derive(Debug, Default)]
pub(crate) struct Args {
    /// By the names of [`FIELDS`].
    pub(crate) fields: Map<String, Value>,
    pub(crate) mode: Option<Value>,
    pub(crate) resumed_from: Option<Value>,
    pub(crate) scope: Option<Value>,
    pub(crate) name: Option<Value>,
}

impl Request {
    /// What a tool call or a whole checkpoint file asks for, with the warnings that it gave rise to.
    ///
    /// Fails where the goal or `resumedFrom` cannot be read.
    pub(crate) fn read(arguments: Arguments) -> anyhow::Result<(Self, Vec<String>)> {
        let (args, mut warnings) = Args::of(arguments);
        let (request, unread) = args.into_request(Words::Json)?;
        warnings.extend(unread);
        Ok((request, warnings))
    }
}

impl Args {
    fn of(mut arguments: Arguments) -> (Self, Vec<String>) {
        let names: Vec<&str> = FIELDS
            .iter()
            .map(|field| field.name)
            .chain(OTHERS)
            .collect();
        arguments.rename(&names, &OTHER_NAMES);
        unpack_goal(&mut arguments);
        if arguments.get("version").is_some() && arguments.get("updatedAt").is_some() {
            FACTS.iter().for_each(|fact| drop(arguments.take(fact)));
            keep_named_files(&mut arguments);
        }
        let warnings = arguments.drop_unknown(&names);
        let args = Self {
            fields: FIELDS
                .iter()
                .filter_map(|field| Some((field.name.to_owned(), arguments.take(field.name)?)))
                .collect(),
            mode: arguments.take("mode"),
            resumed_from: arguments.take("resumedFrom"),
            scope: arguments.take("scope"),
            name: arguments.take("name"),
        };
        (args, warnings)
    }

    /// What they ask for, with the warnings that they gave rise to; fails as [`Request::read`] does.
    pub(crate) fn into_request(self, words: Words) -> anyhow::Result<(Request, Vec<String>)> {
        let Self {
            mut fields,
            mode,
            resumed_from,
            scope,
            name,
        } = self;
        let mut given = |field: &Field| fields.remove(field.name);
        let mut reading = Reading {
            words,
            warnings: Vec::new(),
        };
        let mut edits = Edits {
            goal: given(&fields::GOAL)
                .map(|goal| must(fields::GOAL.name, &goal, GOAL, words))
                .transpose()?,
            tasks: reading.entries(&TASKS, given(&TASKS), Reading::task),
            summary: given(&SUMMARY).and_then(|summary| reading.text(&SUMMARY, &summary)),
            ..Edits::default()
        };
        for (field, list) in edits.lists() {
            let texts = given(field);
            *list = texts.map(|texts| reading.entries(field, Some(texts), Reading::line));
        }
        edits.recent_commands = reading.entries(&COMMANDS, given(&COMMANDS), Reading::command);
        let request = Request {
            edits,
            files: reading.entries(&FILES, given(&FILES), Reading::file),
            mode: reading.mode(mode),
            resumed_from: match resumed_from {
                Some(value) => Some(must(
                    "resumedFrom",
                    &value,
                    "the selector of a checkpoint",
                    words,
                )?),
                None => None,
            },
            whose: scope.map_or(Ok(Whose::Session), |scope| whose(&scope, words))?,
            name: name
                .map(|name| must("name", &name, NAME, words))
                .transpose()?
                .map(|name| Name::parse(&name))
                .transpose()?,
            as_of: None,
        };
        Ok((request, reading.into_warnings()))
    }
}

/// Splits a goal that holds its tasks, as in a checkpoint file, into two arguments.
fn unpack_goal(arguments: &mut Arguments) {
    let Some(Value::Object(goal)) = arguments.get("goal") else {
        return;
    };
    let Some(primary) = goal.get("primary").cloned() else {
        return;
    };
    let tasks = goal.get("tasks").cloned();
    arguments.put("goal", primary);
    if let Some(tasks) = tasks.filter(|_| arguments.get("tasks").is_none()) {
        arguments.put("tasks", tasks);
    }
}

/// Keeps the files of a checkpoint that an agent named or wrote a note on; git will name the others anew.
fn keep_named_files(arguments: &mut Arguments) {
    if let Some(Value::Array(mut files)) = arguments.take("modifiedFiles") {
        files
            .retain(|file| file.get("note").is_some() || file.get("source") != Some(&"git".into()));
        arguments.put("modifiedFiles", files.into());
    }
}

fn must(name: &str, value: &Value, expected: &str, words: Words) -> anyhow::Result<String> {
    text(value).ok_or_else(|| {
        wrong(
            name,
            &Unreadable::new(words.argument(name), value, expected),
        )
    })
}

/// Whose checkpoint `scope` names. It decides where a save goes, so nothing is guessed.
fn whose(scope: &Value, words: Words) -> anyhow::Result<Whose> {
    match text(scope).as_deref().map(plain).as_deref() {
        Some("session") => Ok(Whose::Session),
        Some("project") => Ok(Whose::Project),
        _ => {
            let place = words.argument("scope");
            let unreadable = Unreadable::new(place, scope, "\"session\" or \"project\"");
            Err(wrong("scope", &unreadable))
        }
    }
}

/// Reads lists entry by entry.
struct Reading {
    words: Words,
    warnings: Vec<String>,
}

/// Where an entry stands.
#[derive(Clone, Copy)]
struct At {
    field: &'static Field,
    index: usize,
}

impl Reading {
    fn place(&self, at: At, part: &str) -> String {
        self.words.place(at.field.name, Some(at.index), part)
    }

    fn left_out(&mut self, place: String, arrived: &Value, expected: &str) {
        let unreadable = Unreadable::new(place, arrived, expected);
        self.warnings.push(format!("{unreadable}; it was left out"));
    }

    fn text(&mut self, field: &Field, value: &Value) -> Option<String> {
        let text = text(value);
        if text.is_none() {
            self.left_out(self.words.argument(field.name), value, TEXT);
        }
        text
    }

    fn entries<T>(
        &mut self,
        field: &'static Field,
        value: Option<Value>,
        read: impl Fn(&mut Self, At, Value) -> Option<T>,
    ) -> Vec<T> {
        let entries = value.map(entries).unwrap_or_default();
        let entries = entries.into_iter().enumerate();
        entries
            .filter_map(|(index, entry)| read(self, At { field, index }, entry))
            .collect()
    }

    /// A next step or a decision.
    fn line(&mut self, at: At, value: Value) -> Option<String> {
        if let Value::Object(fields) = &value
            && let Some(line) = reasoned(fields)
        {
            return Some(line);
        }
        let text = text(&value);
        if text.is_none() {
            self.left_out(self.place(at, ""), &value, TEXT);
        }
        text
    }

    fn task(&mut self, at: At, value: Value) -> Option<TaskEdit> {
        let Some((mut fields, is_bare)) = fields(value.clone(), "description") else {
            self.left_out(self.place(at, ""), &value, TASK);
            return None;
        };
        let names = [
            "description",
            "content",
            "title",
            "task",
            "text",
            "name",
            "step",
        ];
        let Some(description) = first_text(&mut fields, &names) else {
            self.left_out(self.place(at, ""), &value, TASK);
            return None;
        };
        let (mark, unmarked) = marked(&description);
        let (mark, unmarked) = match self.words {
            Words::Options if is_bare && mark.is_none() => typed_status(unmarked),
            _ => (mark, unmarked),
        };
        let mut status = mark;
        let done = take(&mut fields, &["done", "completed", "checked"]);
        if let Some(Value::Bool(is_done)) = done {
            status = Some(if is_done {
                Status::Done
            } else {
                Status::Pending
            });
        }
        if let Some(given) = take(&mut fields, &["status", "state"]) {
            match status_of(&given) {
                Some(known) => status = Some(known),
                None => {
                    let place = self.place(at, ".status");
                    self.left_out(place, &given, STATUS);
                }
            }
        }
        self.leftover(at, &fields);
        Some(status.map_or_else(|| task(unmarked, None), |status| status.of_task(unmarked)))
    }

    fn file(&mut self, at: At, value: Value) -> Option<FileEdit> {
        let Some((mut fields, is_bare)) = fields(value.clone(), "path") else {
            self.left_out(self.place(at, ""), &value, FILE);
            return None;
        };
        let Some(path) = first_text(
            &mut fields,
            &["path", "file", "filepath", "filename", "name"],
        ) else {
            self.left_out(self.place(at, ""), &value, FILE);
            return None;
        };
        let note = self.note(
            at,
            &mut fields,
            &["note", "notes", "description", "comment", "reason"],
        );
        // The code that a checkpoint file has for it.
        take(&mut fields, &["status"]);
        self.leftover(at, &fields);
        match path.split_once('=') {
            Some((path, note)) if is_bare && self.words == Words::Options => Some(FileEdit {
                path: path.to_owned(),
                note: Some(note.to_owned()).filter(|note| !note.is_empty()),
            }),
            _ => Some(FileEdit { path, note }),
        }
    }

    fn command(&mut self, at: At, value: Value) -> Option<CommandEdit> {
        let Some((mut fields, is_bare)) = fields(value.clone(), "command") else {
            self.left_out(self.place(at, ""), &value, COMMAND);
            return None;
        };
        let Some(command) = first_text(&mut fields, &["command", "cmd", "commandline", "text"])
        else {
            self.left_out(self.place(at, ""), &value, COMMAND);
            return None;
        };
        let code = take(
            &mut fields,
            &[
                "exitcode",
                "exit",
                "code",
                "exitstatus",
                "returncode",
                "status",
            ],
        );
        let exit_code = code.and_then(|code| {
            let whole = whole(&code);
            if whole.is_none() {
                let place = self.place(at, ".exitCode");
                self.left_out(place, &code, "a whole number, such as 1");
            }
            whole
        });
        let note = self.note(
            at,
            &mut fields,
            &["note", "notes", "description", "comment", "result"],
        );
        self.leftover(at, &fields);
        if is_bare && self.words == Words::Options {
            return Some(typed_command(command));
        }
        Some(CommandEdit {
            command,
            exit_code,
            note,
        })
    }

    fn note(&mut self, at: At, fields: &mut Map<String, Value>, names: &[&str]) -> Option<String> {
        let note = take(fields, names)?;
        let text = text(&note);
        if text.is_none() {
            let place = self.place(at, ".note");
            self.left_out(place, &note, TEXT);
        }
        text
    }

    /// Warns of unknown fields, once for each name in a list.
    fn leftover(&mut self, at: At, fields: &Map<String, Value>) {
        for name in fields
            .keys()
            .filter(|name| !BOOKKEEPING.contains(&plain(name).as_str()))
        {
            let field = Value::from(name.as_str());
            let warning = format!(
                "entries of {} have no field {field}; it was left out",
                self.words.argument(at.field.name)
            );
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    /// A mode that cannot be read counts as a merge, which loses nothing.
    fn mode(&mut self, value: Option<Value>) -> Mode {
        let Some(value) = value else {
            return Mode::Replace;
        };
        match text(&value).as_deref().map(plain).as_deref() {
            Some("replace" | "overwrite") => Mode::Replace,
            Some("merge" | "append" | "add" | "update") => Mode::Merge,
            _ => {
                let place = self.words.argument("mode");
                let unreadable = Unreadable::new(place, &value, "\"replace\" or \"merge\"");
                self.warnings.push(format!(
                    "{unreadable}; this save was a merge, which loses nothing"
                ));
                Mode::Merge
            }
        }
    }

    /// The warnings; beyond [`TOLD`] only their number.
    fn into_warnings(mut self) -> Vec<String> {
        let more = self.warnings.len().saturating_sub(TOLD);
        if more > 1 {
            self.warnings.truncate(TOLD);
            self.warnings.push(format!("{more} more like these"));
        }
        self.warnings
    }
}

/// The entries of a list, which may have come as JSON in a string, as Markdown, or as a single entry.
fn entries(value: Value) -> Vec<Value> {
    match value {
        Value::Array(entries) => entries,
        Value::String(text) => match nested(&text) {
            Some(Value::Array(entries)) => entries,
            Some(only) => vec![only],
            None => bullets(&text).unwrap_or_else(|| vec![text.into()]),
        },
        only => vec![only],
    }
}

/// The lines of a Markdown list of several entries.
fn bullets(text: &str) -> Option<Vec<Value>> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let entries: Option<Vec<Value>> = lines
        .iter()
        .map(|line| Some(Value::from(without_bullet(line)?)))
        .collect();
    entries.filter(|entries| entries.len() > 1)
}

/// What follows the bullet or number of a list's entry.
fn without_bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match digits.len() < line.len() {
        true => digits.strip_prefix(['.', ')'])?,
        false => line.strip_prefix(['-', '*', '+', '•'])?,
    };
    let entry = rest.strip_prefix([' ', '\t'])?.trim();
    (!entry.is_empty()).then_some(entry)
}

/// An entry's fields by their plain names, and whether it was a bare value, which is then filed under `bare`.
fn fields(value: Value, bare: &str) -> Option<(Map<String, Value>, bool)> {
    let value = match &value {
        Value::String(text) => nested(text).filter(Value::is_object).unwrap_or(value),
        _ => value,
    };
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter();
            Some((
                fields.map(|(name, value)| (plain(&name), value)).collect(),
                false,
            ))
        }
        Value::String(_) | Value::Number(_) => {
            Some((Map::from_iter([(bare.to_owned(), value)]), true))
        }
        _ => None,
    }
}

fn take(fields: &mut Map<String, Value>, names: &[&str]) -> Option<Value> {
    names.iter().find_map(|name| fields.shift_remove(*name))
}

fn first_text(fields: &mut Map<String, Value>, names: &[&str]) -> Option<String> {
    let found = names.iter().find(|name| {
        let text = fields.get(**name).and_then(text);
        text.is_some_and(|text| !text.trim().is_empty())
    })?;
    // A command line may come as a list of words.
    match fields.shift_remove(*found)? {
        Value::Array(words) => {
            let words: Option<Vec<String>> = words.iter().map(text).collect();
            Some(words?.join(" "))
        }
        value => text(&value),
    }
}

/// A decision or a step that came as an object.
fn reasoned(fields: &Map<String, Value>) -> Option<String> {
    let mut fields = fields
        .iter()
        .map(|(name, value)| (plain(name), value.clone()))
        .collect();
    let names = [
        "decision",
        "step",
        "description",
        "content",
        "title",
        "text",
        "name",
        "task",
    ];
    let what = first_text(&mut fields, &names)?;
    let reasons = ["reason", "rationale", "why", "because", "note"];
    match first_text(&mut fields, &reasons) {
        Some(reason) => Some(format!("{what} ({reason})")),
        None => Some(what),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Pending,
    InProgress,
    Done,
    Blocked,
    /// The format has no such status: it becomes blocked, and the description says why.
    Cancelled,
}

impl Status {
    fn of_word(word: &str) -> Option<Self> {
        match plain(word).as_str() {
            "pending" | "todo" | "open" | "notstarted" | "planned" | "queued" => {
                Some(Self::Pending)
            }
            "inprogress" | "doing" | "active" | "started" | "ongoing" | "wip" | "current" => {
                Some(Self::InProgress)
            }
            "done" | "completed" | "complete" | "finished" | "closed" | "resolved" => {
                Some(Self::Done)
            }
            "blocked" | "waiting" | "onhold" | "stuck" => Some(Self::Blocked),
            "cancelled" | "canceled" | "skipped" | "abandoned" | "wontdo" => Some(Self::Cancelled),
            _ => None,
        }
    }

    fn of_task(self, description: &str) -> TaskEdit {
        match self {
            Self::Pending => task(description, Some(TaskStatus::Pending)),
            Self::InProgress => task(description, Some(TaskStatus::InProgress)),
            Self::Done => task(description, Some(TaskStatus::Done)),
            Self::Blocked => task(description, Some(TaskStatus::Blocked)),
            Self::Cancelled => {
                let noted = format!("{description}{CANCELLED}");
                let fits = noted.chars().count() <= fields::TASKS.limit;
                let description = if fits { &noted } else { description };
                task(description, Some(TaskStatus::Blocked))
            }
        }
    }
}

fn task(description: &str, status: Option<TaskStatus>) -> TaskEdit {
    TaskEdit {
        description: description.to_owned(),
        status,
    }
}

fn status_of(value: &Value) -> Option<Status> {
    match value {
        Value::String(word) => Status::of_word(word).or_else(|| marked(&format!("{word} x")).0),
        Value::Bool(is_done) => Some(if *is_done {
            Status::Done
        } else {
            Status::Pending
        }),
        _ => None,
    }
}

/// The status that a checkbox stands for, and the text after it.
fn marked(text: &str) -> (Option<Status>, &str) {
    const MARKS: [(&str, Status); 16] = [
        ("[x]", Status::Done),
        ("[X]", Status::Done),
        ("[✓]", Status::Done),
        ("[✔]", Status::Done),
        ("[ ]", Status::Pending),
        ("[]", Status::Pending),
        ("[~]", Status::InProgress),
        ("[/]", Status::InProgress),
        ("[>]", Status::InProgress),
        ("[!]", Status::Blocked),
        ("✅", Status::Done),
        ("☑", Status::Done),
        ("✔", Status::Done),
        ("✓", Status::Done),
        ("☐", Status::Pending),
        ("⬜", Status::Pending),
    ];
    let entry = without_bullet(text).unwrap_or(text.trim_start());
    let found = MARKS.iter().find_map(|(mark, status)| {
        let rest = entry.strip_prefix(mark)?.trim_start_matches('\u{fe0f}');
        let rest = rest.strip_prefix([' ', '\t'])?.trim();
        (!rest.is_empty()).then_some((Some(*status), rest))
    });
    found.unwrap_or((None, text))
}

/// A task as it is typed: `[STATUS:] TEXT`.
fn typed_status(text: &str) -> (Option<Status>, &str) {
    let split = text.split_once(':');
    let status = split.and_then(|(word, rest)| Some((Status::of_word(word)?, rest.trim())));
    match status {
        Some((status, rest)) if !rest.is_empty() => (Some(status), rest),
        _ => (None, text),
    }
}

/// A task as a person types it, with a checkbox or its status in front.
pub(crate) fn typed_task(text: &str) -> TaskEdit {
    let (mark, unmarked) = marked(text);
    let (status, unmarked) = match mark {
        None => typed_status(unmarked),
        mark => (mark, unmarked),
    };
    status.map_or_else(|| task(unmarked, None), |status| status.of_task(unmarked))
}

/// A command as it is typed: `[EXIT:] CMD`.
fn typed_command(text: String) -> CommandEdit {
    let split = text.split_once(':');
    match split.and_then(|(code, rest)| Some((code.trim().parse().ok()?, rest.trim()))) {
        Some((code, rest)) if !rest.is_empty() => CommandEdit {
            command: rest.to_owned(),
            exit_code: Some(code),
            note: None,
        },
        _ => CommandEdit {
            command: text,
            exit_code: None,
            note: None,
        },
    }
}

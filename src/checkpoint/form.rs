//! The text in which a person edits a checkpoint: what the agent wrote, as TOML (toml.io).
//!
//! TOML, because it has comments and texts of several lines, and because editors know it. The fields have
//! the names of the format. What the project said, git and the files with their hashes, is not in it, nor
//! are unknown fields: all that stays in the checkpoint as it is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jiff::Timestamp;
use serde::Deserialize;

use super::format::{Checkpoint, ModifiedFile, RecentCommand, Task, TaskStatus};
use super::limits::{self, Violation};
use super::text::is_unprintable;
use super::update::{CommandUpdate, TaskUpdate, Update};

/// How alike two texts must be, from 0 to 1, for one to count as the other reworded.
const ALIKE: f32 = 0.6;

/// What a person can edit of a checkpoint. An empty text counts as not given, as in a save.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Form {
    goal: String,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    tasks: Vec<FormTask>,
    #[serde(default)]
    next_steps: Vec<String>,
    #[serde(default)]
    decisions: Vec<String>,
    #[serde(default)]
    recent_commands: Vec<FormCommand>,
    /// By path, for the recorded files.
    #[serde(default)]
    file_notes: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormTask {
    #[serde(default)]
    status: TaskStatus,
    description: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FormCommand {
    command: String,
    exit_code: Option<i64>,
    #[serde(default)]
    note: String,
}

impl Form {
    pub(crate) fn of(checkpoint: &Checkpoint) -> Self {
        let note = |note: &Option<String>| note.clone().unwrap_or_default();
        let tasks = checkpoint.goal.tasks.iter().map(|task| FormTask {
            status: task.status.clone(),
            description: task.description.clone(),
        });
        let commands = checkpoint.recent_commands.iter().map(|entry| FormCommand {
            command: entry.command.clone(),
            exit_code: entry.exit_code,
            note: note(&entry.note),
        });
        let files = checkpoint.modified_files.iter();
        Self {
            goal: checkpoint.goal.primary.clone(),
            summary: checkpoint.summary.clone().unwrap_or_default(),
            tasks: tasks.collect(),
            next_steps: checkpoint.next_steps.clone(),
            decisions: checkpoint.decisions.clone(),
            recent_commands: commands.collect(),
            file_notes: files
                .map(|file| (file.path.clone(), note(&file.note)))
                .collect(),
        }
    }

    /// Reads what a person wrote; the error says what is wrong and on which line.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        // Line ends are the editor's; a carriage return of the checkpoint's stands as an escape.
        let text = text.replace("\r\n", "\n");
        let mut form: Self = toml::from_str(&text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start));
            let line = before.map_or(1, |before| before.matches('\n').count() + 1);
            format!("line {line}: {}", error.message().replace('\n', "; "))
        })?;
        form.for_each_text(|text| {
            // The line end before the closing quotes of a text of several lines.
            if text.ends_with('\n') {
                text.pop();
            }
        });
        Ok(form)
    }

    fn for_each_text(&mut self, mut visit: impl FnMut(&mut String)) {
        let Self {
            goal,
            summary,
            tasks,
            next_steps,
            decisions,
            recent_commands,
            file_notes,
        } = self;
        visit(goal);
        visit(summary);
        for task in tasks {
            visit(&mut task.description);
        }
        next_steps.iter_mut().chain(decisions).for_each(&mut visit);
        for entry in recent_commands {
            visit(&mut entry.command);
            visit(&mut entry.note);
        }
        file_notes.values_mut().for_each(visit);
    }

    /// The text for the editor, of which [`Form::parse`] makes the same form; `heading` is one line.
    pub(crate) fn to_text(&self, heading: &str) -> String {
        let Self {
            goal,
            summary,
            tasks,
            next_steps,
            decisions,
            recent_commands,
            file_notes,
        } = self;
        let mut text = format!(
            "# {heading}\n\
             # Save and close to write the checkpoint; leave all as it is, or empty it, to change nothing.\n\n\
             goal = {}\n\n\
             summary = {}\n\n\
             # status: {}\n",
            quoted(goal),
            quoted(summary),
            TaskStatus::WORDS.join(", ")
        );
        push_list(&mut text, "tasks", tasks, FormTask::to_text);
        push_list(&mut text, "nextSteps", next_steps, |step| quoted(step));
        push_list(&mut text, "decisions", decisions, |entry| quoted(entry));
        text.push_str("# Oldest first; exitCode and note may be left out.\n");
        push_list(
            &mut text,
            "recentCommands",
            recent_commands,
            FormCommand::to_text,
        );
        text.push_str(
            "# A note for each recorded file. Files cannot be added or taken away here: by them `ckpt load`\n\
             # tells what changed since.\n\
             [fileNotes]\n",
        );
        for (path, note) in file_notes {
            push(
                &mut text,
                format_args!("{} = {}\n", on_one_line(path), quoted(note)),
            );
        }
        text
    }

    /// The checkpoint with what was edited; `now` is when commands that are new were recorded.
    ///
    /// Only what differs from `saved` is taken over and checked, so that an old text over its limit does not
    /// stand in the way. The error names everything that is wrong.
    pub(crate) fn apply(
        self,
        saved: &Checkpoint,
        now: Timestamp,
    ) -> Result<Checkpoint, Vec<String>> {
        let Self {
            goal,
            summary,
            mut tasks,
            next_steps,
            decisions,
            mut recent_commands,
            file_notes,
        } = self;
        let shown = Self::of(saved);
        let mut next = saved.clone();
        let mut faults = Vec::new();
        // What is new, for the limits of a save.
        let mut update = Update::default();
        if goal != shown.goal {
            if goal.trim().is_empty() {
                faults.push("`goal` is empty".to_owned());
            }
            update.goal = Some(goal.clone());
            next.goal.primary = goal;
        }
        if summary != shown.summary {
            update.summary = Some(summary.clone());
            next.summary = Some(summary).filter(|summary| !summary.is_empty());
        }
        if tasks != shown.tasks {
            tasks.retain(|task| !task.description.is_empty());
            faults.extend(unknown_statuses(&tasks, &shown.tasks));
            update.tasks = Some(tasks.iter().map(FormTask::to_update).collect());
            next.goal.tasks = edited_tasks(&saved.goal.tasks, tasks);
        }
        if next_steps != shown.next_steps {
            next.next_steps = without_empty(next_steps);
            update.next_steps = Some(next.next_steps.clone());
        }
        if decisions != shown.decisions {
            next.decisions = without_empty(decisions);
            update.decisions = Some(next.decisions.clone());
        }
        if recent_commands != shown.recent_commands {
            recent_commands.retain(|entry| !entry.command.is_empty());
            update.recent_commands =
                Some(recent_commands.iter().map(FormCommand::to_update).collect());
            next.recent_commands = edited_commands(&saved.recent_commands, recent_commands, now);
        }
        faults.extend(update.violations().iter().map(ToString::to_string));
        faults.extend(edit_notes(
            &mut next.modified_files,
            &shown.file_notes,
            &file_notes,
        ));
        if faults.is_empty() {
            Ok(next)
        } else {
            Err(faults)
        }
    }
}

impl FormTask {
    fn to_text(&self) -> String {
        let Self {
            status,
            description,
        } = self;
        let (status, description) = (on_one_line(status.as_str()), quoted(description));
        format!("{{ status = {status}, description = {description} }}")
    }

    fn to_update(&self) -> TaskUpdate {
        TaskUpdate {
            description: self.description.clone(),
            status: Some(self.status.clone()),
        }
    }
}

impl FormCommand {
    fn to_text(&self) -> String {
        let Self {
            command,
            exit_code,
            note,
        } = self;
        let mut fields = format!("command = {}", quoted(command));
        if let Some(code) = exit_code {
            push(&mut fields, format_args!(", exitCode = {code}"));
        }
        if !note.is_empty() {
            push(&mut fields, format_args!(", note = {}", quoted(note)));
        }
        format!("{{ {fields} }}")
    }

    fn to_update(&self) -> CommandUpdate {
        CommandUpdate {
            command: self.command.clone(),
            exit_code: self.exit_code,
            note: given(&self.note),
        }
    }
}

fn given(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn without_empty(texts: Vec<String>) -> Vec<String> {
    texts.into_iter().filter(|text| !text.is_empty()).collect()
}

/// A word of a later version may stay, but none may come in.
fn unknown_statuses<'a>(
    tasks: &'a [FormTask],
    shown: &'a [FormTask],
) -> impl Iterator<Item = String> + 'a {
    tasks.iter().enumerate().filter_map(|(index, task)| {
        let stood_there = || shown.iter().any(|old| old.status == task.status);
        match &task.status {
            TaskStatus::Other(word) if !stood_there() => Some(format!(
                "`tasks[{index}].status` is `{}`, which is none of {}",
                word.escape_debug(),
                TaskStatus::WORDS.join(", ")
            )),
            _ => None,
        }
    })
}

fn edited_tasks(saved: &[Task], edited: Vec<FormTask>) -> Vec<Task> {
    let old: Vec<&str> = saved.iter().map(|task| task.description.as_str()).collect();
    let new: Vec<&str> = edited
        .iter()
        .map(|task| task.description.as_str())
        .collect();
    let origins = origins(&old, &new);
    let tasks = edited.into_iter().zip(origins);
    tasks
        .map(|(task, origin)| Task {
            description: task.description,
            status: task.status,
            extra: origin
                .map(|index| saved[index].extra.clone())
                .unwrap_or_default(),
        })
        .collect()
}

fn edited_commands(
    saved: &[RecentCommand],
    edited: Vec<FormCommand>,
    now: Timestamp,
) -> Vec<RecentCommand> {
    let old: Vec<&str> = saved.iter().map(|entry| entry.command.as_str()).collect();
    let new: Vec<&str> = edited.iter().map(|entry| entry.command.as_str()).collect();
    let origins = origins(&old, &new);
    let commands = edited.into_iter().zip(origins);
    commands
        .map(|(entry, origin)| {
            let origin = origin.map(|index| &saved[index]);
            RecentCommand {
                command: entry.command,
                exit_code: entry.exit_code,
                note: given(&entry.note),
                at: origin.map_or(Some(now), |origin| origin.at),
                extra: origin
                    .map(|origin| origin.extra.clone())
                    .unwrap_or_default(),
            }
        })
        .collect()
}

/// Sets the notes that were edited, and says what is wrong with them.
fn edit_notes(
    files: &mut [ModifiedFile],
    shown: &BTreeMap<String, String>,
    edited: &BTreeMap<String, String>,
) -> Vec<String> {
    let unknown = edited.keys().filter(|path| !shown.contains_key(*path));
    let mut faults: Vec<String> = unknown
        .map(|path| {
            format!(
                "`fileNotes` names {}, which is no recorded file",
                on_one_line(path)
            )
        })
        .collect();
    for file in files {
        let note = |notes: &BTreeMap<String, String>| notes.get(&file.path).and_then(|n| given(n));
        let (before, after) = (note(shown), note(edited));
        if before != after {
            let field = format!("fileNotes.{}", on_one_line(&file.path));
            let text = after.as_deref().unwrap_or_default();
            let violation = Violation::of_text(field, text, limits::NOTE);
            faults.extend(violation.map(|violation| violation.to_string()));
            file.note = after;
        }
    }
    faults
}

/// For each new text the old one that it comes from, by index: the same, else one that it is much like,
/// else, where equally many are left on both sides, the one that stands in the same place among those.
fn origins(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let mut left: Vec<usize> = (0..old.len()).collect();
    let mut origins = vec![None; new.len()];
    let mut find = |how: &dyn Fn(&str, &[&str]) -> Option<usize>, left: &mut Vec<usize>| {
        for (text, origin) in new.iter().zip(&mut origins) {
            let texts: Vec<&str> = left.iter().map(|index| old[*index]).collect();
            if origin.is_none()
                && let Some(at) = how(text, &texts)
            {
                *origin = Some(left.remove(at));
            }
        }
    };
    let same = |text: &str, texts: &[&str]| texts.iter().position(|old| *old == text);
    let alike = |text: &str, texts: &[&str]| {
        let closest = similar::get_close_matches(text, texts, 1, ALIKE);
        same(closest.first()?, texts)
    };
    find(&same, &mut left);
    find(&alike, &mut left);
    let missing: Vec<&mut Option<usize>> = origins
        .iter_mut()
        .filter(|origin| origin.is_none())
        .collect();
    if missing.len() == left.len() {
        for (origin, index) in missing.into_iter().zip(left) {
            *origin = Some(index);
        }
    }
    origins
}

fn push_list<T>(text: &mut String, name: &str, entries: &[T], entry: impl Fn(&T) -> String) {
    push(text, format_args!("{name} = [\n"));
    for value in entries {
        push(text, format_args!("  {},\n", entry(value)));
    }
    text.push_str("]\n\n");
}

/// A TOML string: of several lines where the text has them, else on one.
fn quoted(text: &str) -> String {
    if !text.contains('\n') {
        return on_one_line(text);
    }
    let mut quoted = String::from("\"\"\"\n");
    let mut after_quote = false;
    for c in text.chars() {
        match c {
            '\n' | '\t' => quoted.push(c),
            // Three of them would end the text.
            '"' if !after_quote => quoted.push(c),
            c => push_escaped(&mut quoted, c),
        }
        after_quote = c == '"';
    }
    quoted.push_str("\n\"\"\"");
    quoted
}

fn on_one_line(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        push_escaped(&mut quoted, c);
    }
    quoted.push('"');
    quoted
}

/// A character of a TOML string, as an escape where it may not stand there or could not be seen.
fn push_escaped(out: &mut String, c: char) {
    let code = u32::from(c);
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if !is_unprintable(c) => out.push(c),
        _ if code > 0xffff => push(out, format_args!("\\U{code:08X}")),
        _ => push(out, format_args!("\\u{code:04X}")),
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn checkpoint(fields: Value) -> Checkpoint {
        let mut value = json!({
            "version": 1, "createdAt": "2026-10-08T02:00:00.000Z", "updatedAt": "2026-10-08T02:00:00.000Z",
            "goal": {"primary": "g", "tasks": []},
        });
        for (name, field) in fields.as_object().unwrap() {
            value[name] = field.clone();
        }
        Checkpoint::parse(value.to_string().as_bytes()).unwrap()
    }

    fn now() -> Timestamp {
        "2026-10-08T02:26:00Z".parse().unwrap()
    }

    #[test]
    fn every_text_comes_back_as_it_was() {
        let odd = [
            "",
            "plain",
            "two\nlines",
            "ends in a line\n",
            "\n",
            "\n\n",
            "\"quotes\" \"\"\" \"\"\"\" \\ \\n",
            "\"\"\"\n\"\"\"",
            "a\"\n\"",
            "cr\r\nlf\r",
            "\ttab\n\ttab",
            "\u{0}\u{1b}[31m\u{7f}\u{85}\u{202e}\u{feff}\u{e0041}",
            "\u{0}\n\u{1b}\n\u{202e}",
            "# no comment = [\n]",
            "trailing  \n  leading",
            "ü 😀 «redacted»",
        ];
        for text in odd {
            let checkpoint = checkpoint(json!({
                "goal": {"primary": text, "tasks": [{"description": text, "status": text}]},
                "summary": text, "nextSteps": [text, text], "decisions": [text],
                "recentCommands": [{"command": text, "note": text, "exitCode": -1}, {"command": text}],
                "modifiedFiles": [{"path": text, "note": text}, {"path": "a.b/c d"}],
            }));
            let form = Form::of(&checkpoint);
            let written = form.to_text("heading");
            assert!(!written.contains(|c| is_unprintable(c) && c != '\n' && c != '\t'));
            for text in [written.clone(), written.replace('\n', "\r\n")] {
                let parsed = Form::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(parsed, form, "{text}");
            }
            assert_eq!(form.apply(&checkpoint, now()).unwrap(), checkpoint);
        }
    }

    #[test]
    fn what_is_not_toml_or_of_another_shape_is_named_with_its_line() {
        for (text, expected) in [
            (
                "goal = \"a\"\nsummary = \"b",
                "line 2: invalid basic string",
            ),
            ("", "line 1: missing field `goal`"),
            (
                "goal = \"a\"\n\ngoals = \"b\"",
                "line 3: unknown field `goals`",
            ),
            ("goal = 1", "line 1: invalid type: integer `1`"),
            (
                "goal = \"a\"\ntasks = [\n  \"x\",\n]",
                "line 3: invalid type: string",
            ),
            ("goal = \"a\"\ngoal = \"b\"", "line 2: duplicate key"),
        ] {
            let error = Form::parse(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
            assert!(!error.contains('\n'));
        }
    }

    #[test]
    fn everything_that_is_wrong_is_named() {
        let saved = checkpoint(json!({
            "goal": {"primary": "g", "tasks": [{"description": "t", "status": "later"}]},
            "modifiedFiles": [{"path": "a"}],
            "decisions": ["d".repeat(501)],
        }));
        let mut form = Form::of(&saved);
        form.goal = " ".to_owned();
        form.summary = "s".repeat(4_001);
        form.next_steps = vec!["n".to_owned(); 21];
        form.tasks.push(FormTask {
            status: TaskStatus::Other("doing".to_owned()),
            description: "t".repeat(301),
        });
        form.file_notes = [
            ("a".to_owned(), "n".repeat(301)),
            ("b".to_owned(), String::new()),
        ]
        .into();
        assert_eq!(
            form.apply(&saved, now()).unwrap_err(),
            [
                "`goal` is empty",
                "`tasks[1].status` is `doing`, which is none of pending, in_progress, done, blocked",
                "`nextSteps` has 21 entries (limit 20)",
                "`tasks[1].description` has 301 characters (limit 300)",
                "`summary` has 4001 characters (limit 4000)",
                "`fileNotes` names \"b\", which is no recorded file",
                "`fileNotes.\"a\"` has 301 characters (limit 300)",
            ]
        );
    }

    #[test]
    fn unknown_fields_and_times_stay_with_what_was_reworded() {
        let saved = checkpoint(json!({
            "goal": {"primary": "g", "tasks": [
                {"description": "write the parser", "status": "pending", "x": 1},
                {"description": "test it", "status": "pending", "x": 2},
            ]},
            "recentCommands": [
                {"command": "cargo test", "at": "2026-10-08T01:00:00.000Z", "y": 1},
                {"command": "make", "at": "2026-10-08T01:30:00.000Z", "y": 2},
            ],
            "modifiedFiles": [{"path": "a", "hash": "0", "z": 1}],
            "later": {"a": null},
        }));
        let mut form = Form::of(&saved);
        form.tasks.reverse();
        form.tasks[1].description = "write the TOML parser".to_owned();
        form.recent_commands[0].exit_code = Some(0);
        form.recent_commands.push(FormCommand {
            command: "ls".to_owned(),
            exit_code: None,
            note: String::new(),
        });
        form.file_notes.insert("a".to_owned(), "note".to_owned());
        let next = serde_json::to_value(form.apply(&saved, now()).unwrap()).unwrap();
        assert_eq!(
            next["goal"]["tasks"],
            json!([
                {"description": "test it", "status": "pending", "x": 2},
                {"description": "write the TOML parser", "status": "pending", "x": 1},
            ])
        );
        assert_eq!(
            next["recentCommands"],
            json!([
                {"command": "cargo test", "exitCode": 0, "at": "2026-10-08T01:00:00.000Z", "y": 1},
                {"command": "make", "at": "2026-10-08T01:30:00.000Z", "y": 2},
                {"command": "ls", "at": "2026-10-08T02:26:00.000Z"},
            ])
        );
        assert_eq!(
            next["modifiedFiles"][0],
            json!({"path": "a", "status": "M", "source": "agent", "note": "note", "hash": "0", "z": 1})
        );
        assert_eq!(next["later"], json!({"a": null}));
    }

    #[test]
    fn each_text_finds_where_it_comes_from() {
        for (old, new, expected) in [
            (
                &["a", "b", "a"][..],
                &["b", "a", "a"][..],
                vec![Some(1), Some(0), Some(2)],
            ),
            (
                &["the first task", "zzz", "third"],
                &["the 1st task", "third"],
                vec![Some(0), Some(2)],
            ),
            (&["abc", "x"], &["x", "123"], vec![Some(1), Some(0)]),
            (&["x"], &["x", "abc"], vec![Some(0), None]),
            (&["abc", "def"], &["123"], vec![None]),
            (&[], &["x"], vec![None]),
        ] {
            assert_eq!(origins(old, new), expected, "{old:?} {new:?}");
        }
    }

    #[test]
    fn what_is_emptied_is_left_out() {
        let saved = checkpoint(json!({
            "goal": {"primary": "g", "tasks": [{"description": "a"}, {"description": "b"}]},
            "summary": "s", "nextSteps": ["a", "b"], "decisions": ["a"],
            "recentCommands": [{"command": "a", "note": "n"}],
            "modifiedFiles": [{"path": "a", "note": "n"}],
        }));
        let text = "goal = \"g\"\ntasks = [{ description = \"\" }, { description = \"b\" }]\nnextSteps = [\"\", \"b\"]";
        let next = Form::parse(text).unwrap().apply(&saved, now()).unwrap();
        assert_eq!(next.goal.tasks.len(), 1);
        assert_eq!(
            (next.summary, next.next_steps),
            (None, vec!["b".to_owned()])
        );
        assert!(next.decisions.is_empty() && next.recent_commands.is_empty());
        assert_eq!(next.modified_files[0].note, None);
    }
}

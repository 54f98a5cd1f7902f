//! A form as the text that is edited.

use std::fmt::Write as _;

use super::{Form, FormCommand, FormTask};
use crate::checkpoint::fields::{COMMANDS, TASKS};
use crate::checkpoint::format::TaskStatus;
use crate::checkpoint::text::{self, is_harmless, is_unprintable};

impl Form {
    /// The text for the editor, of which [`Form::parse`] makes the same form; `heading` is one line.
    pub(crate) fn to_text(&self, heading: &str) -> String {
        let mut text = format!(
            "# {heading}\n\
             # Save and close to write the checkpoint; leave all as it is, or empty it, to\n\
             # change nothing.\n\n\
             goal = {}\n\n\
             summary = {}\n\n\
             # status: {}\n",
            quoted(&self.goal),
            quoted(&self.summary),
            TaskStatus::WORDS.join(", ")
        );
        push_list(&mut text, TASKS.name, &self.tasks, FormTask::to_text);
        for (field, list) in self.lists() {
            push_list(&mut text, field.name, list, |text| quoted(text));
        }
        text.push_str("# Oldest first; exitCode and note may be left out.\n");
        push_list(
            &mut text,
            COMMANDS.name,
            &self.recent_commands,
            FormCommand::to_text,
        );
        text.push_str(
            "# A note for each recorded file. Files cannot be added or taken away here: by them\n\
             # `ckpt load` tells what changed since.\n\
             [fileNotes]\n",
        );
        for (path, note) in &self.file_notes {
            push(
                &mut text,
                format_args!("{} = {}\n", on_one_line(path), quoted(note)),
            );
        }
        text
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
    let hides = text::lines(text) != text;
    for c in text.chars() {
        match c {
            '\n' | '\t' => quoted.push(c),
            // Three of them would end the text.
            '"' if !after_quote => quoted.push(c),
            c => push_escaped(&mut quoted, c, hides),
        }
        after_quote = c == '"';
    }
    quoted.push_str("\n\"\"\"");
    quoted
}

pub(super) fn on_one_line(text: &str) -> String {
    let mut quoted = String::from('"');
    let hides = !is_harmless(text);
    for c in text.chars() {
        push_escaped(&mut quoted, c, hides);
    }
    quoted.push('"');
    quoted
}

/// A character of a TOML string, as an escape where it may not stand there, or cannot be seen in a text that hides
/// something.
fn push_escaped(out: &mut String, c: char, hides: bool) {
    let code = u32::from(c);
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if !(hides && is_unprintable(c)) => out.push(c),
        _ if code > 0xffff => push(out, format_args!("\\U{code:08X}")),
        _ => push(out, format_args!("\\u{code:04X}")),
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

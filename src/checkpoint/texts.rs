//! Every text of a checkpoint: one list of them, over which redaction and the bounds of what is read loop.

use serde_json::{Map, Value, json};

use super::fields::{DECISIONS, Field, LISTS, NEXT_STEPS};
use super::format::{
    Checkpoint, Client, Generator, Git, Goal, Meta, ModifiedFile, Project, RecentCommand, Task,
    Times,
};
use super::words::Word;

/// A text of a checkpoint by what it is.
pub(super) enum Text<'a> {
    /// Somebody's words.
    Prose(&'a mut String),
    /// What a program calls itself, or what it found a name for: a branch, a machine, an unknown status.
    Name(&'a mut String),
    /// What stands for one thing exactly: a session, a commit, a hash.
    Id(&'a mut String),
    Path(&'a mut String),
    /// The fields that this version does not know.
    Unknown(&'a mut Map<String, Value>),
}

impl Checkpoint {
    /// The agent's lists of texts.
    pub(crate) fn lists(&self) -> [(&'static Field, &Vec<String>); LISTS] {
        [
            (&NEXT_STEPS, &self.next_steps),
            (&DECISIONS, &self.decisions),
        ]
    }

    /// The same to be changed.
    pub(super) fn lists_mut(&mut self) -> [(&'static Field, &mut Vec<String>); LISTS] {
        [
            (&NEXT_STEPS, &mut self.next_steps),
            (&DECISIONS, &mut self.decisions),
        ]
    }

    /// Visits every text that may hold a secret: the agent's, and what other programs may have written in places of
    /// their own.
    pub(crate) fn for_each_prose(&mut self, mut visit: impl FnMut(&mut String)) {
        self.for_each_text(&mut |text| match text {
            Text::Prose(text) | Text::Name(text) => visit(text),
            Text::Id(_) | Text::Path(_) => {}
            Text::Unknown(fields) => unknown_fields(fields, &mut visit),
        });
    }
}

/// What holds texts.
pub(super) trait Texts {
    /// Visits every one; what says most of the work first, and of what grows at its end the end.
    fn for_each_text(&mut self, visit: &mut dyn FnMut(Text<'_>));
}

macro_rules! texts {
    ($($type:ident { $($member:ident: $kind:ident,)* })*) => { $(
        impl Texts for $type {
            fn for_each_text(&mut self, visit: &mut dyn FnMut(Text<'_>)) {
                // Without `..`, so that no member can be forgotten.
                let Self { $($member),* } = self;
                $(kind::$kind($member, visit);)*
            }
        }
    )* };
}

// Each member with its kind, in the order in which they are visited.
texts! {
    Checkpoint {
        goal: part, summary: prose, next_steps: prose, decisions: prose_from_end, modified_files: parts,
        recent_commands: parts_from_end, times: parts, session_id: ids, resumed_from: ids, id: id, name: names,
        generator: part, project: part, git: parts, meta: part, client: parts, extra: unknown,
        version: no_text, created_at: no_text, updated_at: no_text, done: no_text, left_out: no_text,
    }
    Goal { primary: text, tasks: parts, extra: unknown, }
    Task { description: text, status: word, extra: unknown, }
    ModifiedFile { path: path, note: prose, hash: ids, status: word, source: word, extra: unknown, }
    RecentCommand { command: text, note: prose, exit_code: no_text, at: no_text, extra: unknown, }
    Times { decisions: names, done: names, }
    Generator { name: name, version: name, extra: unknown, }
    Project { name: name, extra: unknown, }
    Git { branch: names, head: id, dirty: no_text, extra: unknown, }
    Meta {
        machine: names, redactions: no_text, truncated: no_text, files_truncated: no_text, changed_at: no_text,
        extra: unknown,
    }
    Client { name: name, version: name, extra: unknown, }
}

/// How a member of each kind is visited.
mod kind {
    use super::{Map, Text, Texts, Value, Word};

    type Visit<'a> = &'a mut dyn FnMut(Text<'_>);

    pub(super) fn no_text<T>(_: &mut T, _: Visit<'_>) {}

    pub(super) fn text(text: &mut String, visit: Visit<'_>) {
        visit(Text::Prose(text));
    }

    pub(super) fn prose<'a>(texts: impl IntoIterator<Item = &'a mut String>, visit: Visit<'_>) {
        texts.into_iter().for_each(|it| visit(Text::Prose(it)));
    }

    pub(super) fn prose_from_end(texts: &mut [String], visit: Visit<'_>) {
        prose(texts.iter_mut().rev(), visit);
    }

    pub(super) fn name(name: &mut String, visit: Visit<'_>) {
        visit(Text::Name(name));
    }

    pub(super) fn names<'a>(names: impl IntoIterator<Item = &'a mut String>, visit: Visit<'_>) {
        names.into_iter().for_each(|it| visit(Text::Name(it)));
    }

    pub(super) fn word(word: &mut impl Word, visit: Visit<'_>) {
        names(word.unknown(), visit);
    }

    pub(super) fn id(id: &mut String, visit: Visit<'_>) {
        visit(Text::Id(id));
    }

    pub(super) fn ids(ids: &mut Option<String>, visit: Visit<'_>) {
        ids.iter_mut().for_each(|it| visit(Text::Id(it)));
    }

    pub(super) fn path(path: &mut String, visit: Visit<'_>) {
        visit(Text::Path(path));
    }

    pub(super) fn unknown(fields: &mut Map<String, Value>, visit: Visit<'_>) {
        visit(Text::Unknown(fields));
    }

    pub(super) fn part(part: &mut impl Texts, visit: Visit<'_>) {
        part.for_each_text(visit);
    }

    pub(super) fn parts<'a, T: Texts + 'a>(
        parts: impl IntoIterator<Item = &'a mut T>,
        visit: Visit<'_>,
    ) {
        parts.into_iter().for_each(|it| it.for_each_text(visit));
    }

    pub(super) fn parts_from_end<T: Texts>(list: &mut [T], visit: Visit<'_>) {
        parts(list.iter_mut().rev(), visit);
    }
}

/// Visits the texts among `fields`, each with its name before it, which may say what it is.
fn unknown_fields(fields: &mut Map<String, Value>, visit: &mut impl FnMut(&mut String)) {
    for (name, value) in fields {
        unknown_value(name, value, visit);
    }
}

fn unknown_value(name: &str, value: &mut Value, visit: &mut impl FnMut(&mut String)) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::Array(values) => {
            for value in values {
                unknown_value(name, value, visit);
            }
        }
        Value::Object(fields) => unknown_fields(fields, visit),
        Value::String(text) => {
            let mut field = json!({ name: &text }).to_string();
            visit(&mut field);
            let visited = serde_json::from_str::<Map<String, Value>>(&field);
            match visited
                .ok()
                .as_mut()
                .and_then(|fields| fields.get_mut(name))
            {
                Some(Value::String(visited)) => std::mem::swap(text, visited),
                _ => visit(text),
            }
        }
    }
}

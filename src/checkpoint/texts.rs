//! Every text of a checkpoint: one list of them, over which redaction and the bounds of what is read loop.

use serde_json::{Map, Value, json};

use super::fields::{DECISIONS, Field, LISTS, NEXT_STEPS};
use super::format::{
    Checkpoint, Client, FileStatus, Generator, Git, Goal, Meta, ModifiedFile, Project,
    RecentCommand, Source, Task, TaskStatus, Times,
};

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

    /// Visits every text; what says most of the work first, and of what grows at its end the end.
    pub(super) fn for_each_text(&mut self, visit: &mut impl FnMut(Text<'_>)) {
        let Self {
            version: _,
            id,
            created_at: _,
            updated_at: _,
            generator,
            project,
            session_id,
            resumed_from,
            name,
            done: _,
            git,
            goal,
            summary,
            next_steps,
            decisions,
            modified_files,
            recent_commands,
            meta,
            client,
            times,
            extra,
            left_out: _,
        } = self;
        goal.for_each_text(visit);
        let texts = summary.iter_mut().chain(next_steps);
        let texts = texts.chain(decisions.iter_mut().rev());
        texts.for_each(|text| visit(Text::Prose(text)));
        for file in modified_files {
            file.for_each_text(visit);
        }
        for command in recent_commands.iter_mut().rev() {
            command.for_each_text(visit);
        }
        if let Some(Times { decisions, done }) = times {
            let times = decisions.iter_mut().chain(done);
            times.for_each(|time| visit(Text::Name(time)));
        }
        let ids = [session_id, resumed_from].into_iter().flatten();
        ids.chain([id]).for_each(|id| visit(Text::Id(id)));
        name.iter_mut().for_each(|name| visit(Text::Name(name)));
        surroundings(generator, project, git, meta, client, visit);
        visit(Text::Unknown(extra));
    }
}

impl Goal {
    fn for_each_text(&mut self, visit: &mut impl FnMut(Text<'_>)) {
        let Self {
            primary,
            tasks,
            extra,
        } = self;
        visit(Text::Prose(primary));
        for task in tasks {
            let Task {
                description,
                status,
                extra,
            } = task;
            visit(Text::Prose(description));
            if let TaskStatus::Other(word) = status {
                visit(Text::Name(word));
            }
            visit(Text::Unknown(extra));
        }
        visit(Text::Unknown(extra));
    }
}

impl ModifiedFile {
    fn for_each_text(&mut self, visit: &mut impl FnMut(Text<'_>)) {
        let Self {
            path,
            status,
            source,
            note,
            hash,
            extra,
        } = self;
        visit(Text::Path(path));
        note.iter_mut().for_each(|note| visit(Text::Prose(note)));
        hash.iter_mut().for_each(|hash| visit(Text::Id(hash)));
        if let FileStatus::Other(word) = status {
            visit(Text::Name(word));
        }
        if let Source::Other(word) = source {
            visit(Text::Name(word));
        }
        visit(Text::Unknown(extra));
    }
}

impl RecentCommand {
    fn for_each_text(&mut self, visit: &mut impl FnMut(Text<'_>)) {
        let Self {
            command,
            exit_code: _,
            note,
            at: _,
            extra,
        } = self;
        visit(Text::Prose(command));
        note.iter_mut().for_each(|note| visit(Text::Prose(note)));
        visit(Text::Unknown(extra));
    }
}

/// Visits what tells by whom, where and with what a checkpoint was written.
fn surroundings(
    generator: &mut Generator,
    project: &mut Project,
    git: &mut Option<Git>,
    meta: &mut Meta,
    client: &mut Option<Client>,
    visit: &mut impl FnMut(Text<'_>),
) {
    let Generator {
        name,
        version,
        extra,
    } = generator;
    let Project {
        name: project,
        extra: of_project,
    } = project;
    let Meta {
        redactions: _,
        truncated: _,
        files_truncated: _,
        machine,
        extra: of_meta,
    } = meta;
    let names = [name, version, project].into_iter().chain(machine);
    names.for_each(|name| visit(Text::Name(name)));
    let unknown = [extra, of_project, of_meta].into_iter();
    unknown.for_each(|fields| visit(Text::Unknown(fields)));
    if let Some(git) = git {
        let Git {
            branch,
            head,
            dirty: _,
            extra,
        } = git;
        branch.iter_mut().for_each(|name| visit(Text::Name(name)));
        visit(Text::Id(head));
        visit(Text::Unknown(extra));
    }
    if let Some(client) = client {
        let Client {
            name,
            version,
            extra,
        } = client;
        visit(Text::Name(name));
        visit(Text::Name(version));
        visit(Text::Unknown(extra));
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

//! What is taken of a checkpoint whose file is larger than any writer of the format makes one.
//!
//! Whatever is done with a text, redaction above all, costs time by its length, and the file may be anybody's.

use serde_json::{Map, Value};

use super::format::{
    Checkpoint, Client, Generator, Git, Goal, Meta, ModifiedFile, Project, RecentCommand, Task,
};
use super::limits::FILE_BYTES;

/// How many entries of a list are taken. A file of the format's size has room for more only of empty ones.
const ENTRIES: usize = 1_000;
/// Bytes that a name may have: of a branch, a session, a program.
const NAME: usize = 1_024;

impl Checkpoint {
    /// Leaves of a file of so many bytes at most [`FILE_BYTES`] of text and [`ENTRIES`] of a list: what says most of the work first, and of what
    /// grows at its end the end.
    pub(crate) fn cut_to_bounds(&mut self, size: usize) {
        if size <= FILE_BYTES {
            return;
        }
        let Self {
            version: _,
            id,
            created_at: _,
            updated_at: _,
            generator,
            project,
            session_id,
            resumed_from,
            name: own_name,
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
            left_out,
        } = self;
        left_out.truncate(ENTRIES);
        // They belong to entries by their places, which change.
        *times = None;
        if let Some(Client {
            name,
            version,
            extra,
        }) = client
        {
            cut(name, NAME);
            cut(version, NAME);
            extra.clear();
        }
        let Meta {
            redactions: _,
            truncated,
            files_truncated,
            machine,
            extra: meta_extra,
        } = meta;
        let Goal {
            primary,
            tasks,
            extra: goal_extra,
        } = goal;
        let Generator {
            name,
            version,
            extra: generator_extra,
        } = generator;
        let Project {
            name: project_name,
            extra: project_extra,
        } = project;
        for name in [name, version, id, project_name] {
            cut(name, NAME);
        }
        for name in [session_id, resumed_from, own_name, machine]
            .into_iter()
            .flatten()
        {
            cut(name, NAME);
        }
        let mut extras = vec![
            meta_extra,
            goal_extra,
            generator_extra,
            project_extra,
            extra,
        ];
        if let Some(Git {
            branch,
            head,
            dirty: _,
            extra,
        }) = git
        {
            branch.iter_mut().chain([head]).for_each(|it| cut(it, NAME));
            extras.push(extra);
        }
        let mut room = Room(FILE_BYTES);
        room.text(primary);
        tasks.truncate(ENTRIES);
        tasks.retain_mut(
            |Task {
                 description,
                 status: _,
                 extra,
             }| {
                extra.clear();
                room.entry(description)
            },
        );
        summary.iter_mut().for_each(|summary| room.text(summary));
        next_steps.truncate(ENTRIES);
        next_steps.retain_mut(|step| room.entry(step));
        latest(decisions, |decision| room.entry(decision));
        let recorded = modified_files.len();
        modified_files.truncate(ENTRIES);
        modified_files.retain_mut(|file| {
            let ModifiedFile {
                path,
                status: _,
                source: _,
                note,
                hash,
                extra,
            } = file;
            extra.clear();
            hash.iter_mut().for_each(|hash| cut(hash, NAME));
            // Half a path is another one.
            let is_whole = path.len() <= room.0.min(NAME * 4) && room.entry(path);
            note.iter_mut().for_each(|note| room.text(note));
            is_whole
        });
        *files_truncated |= modified_files.len() < recorded;
        latest(recent_commands, |command| {
            let RecentCommand {
                command,
                exit_code: _,
                note,
                at: _,
                extra,
            } = command;
            extra.clear();
            let is_kept = room.entry(command);
            note.iter_mut().for_each(|note| room.text(note));
            is_kept
        });
        for extra in extras {
            room.fields(extra);
        }
        *truncated = true;
    }
}

/// Bytes of text that may still be taken.
struct Room(usize);

impl Room {
    fn text(&mut self, text: &mut String) {
        cut(text, self.0);
        self.0 -= text.len();
    }

    /// Whether anything of an entry is left.
    fn entry(&mut self, text: &mut String) -> bool {
        let was_empty = text.is_empty();
        self.text(text);
        was_empty || !text.is_empty()
    }

    fn fields(&mut self, fields: &mut Map<String, Value>) {
        let size = serde_json::to_string(fields).map_or(usize::MAX, |json| json.len());
        match self.0.checked_sub(size) {
            Some(left) => self.0 = left,
            None => fields.clear(),
        }
    }
}

/// The last entries that there is room for, in their order.
fn latest<T>(entries: &mut Vec<T>, mut keep: impl FnMut(&mut T) -> bool) {
    entries.drain(..entries.len().saturating_sub(ENTRIES));
    entries.reverse();
    entries.retain_mut(|entry| keep(entry));
    entries.reverse();
}

fn cut(text: &mut String, bytes: usize) {
    if text.len() > bytes {
        text.truncate(text.floor_char_boundary(bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parsed(fields: Value) -> Checkpoint {
        let mut file = json!({
            "version": 1, "createdAt": "2026-10-08T02:00:00Z", "updatedAt": "2026-10-08T02:00:00Z",
            "goal": {"primary": "g"},
        });
        file.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        let file = file.to_string();
        let mut checkpoint = Checkpoint::parse(file.as_bytes()).unwrap();
        checkpoint.cut_to_bounds(file.len());
        checkpoint
    }

    #[test]
    fn a_file_of_the_formats_size_is_taken_whole() {
        let decisions = vec![""; 5_000];
        let checkpoint = parsed(json!({"decisions": decisions, "odd": "x".repeat(40_000)}));
        assert_eq!(checkpoint.decisions.len(), 5_000);
        assert!(!checkpoint.meta.truncated);
    }

    #[test]
    fn of_a_larger_one_what_fits_is_taken_and_that_is_noted() {
        let long = "ä".repeat(40_000);
        let many: Vec<String> = (0..20_000).map(|number| number.to_string()).collect();
        let files: Vec<Value> = many.iter().map(|path| json!({"path": path})).collect();
        for fields in [
            json!({"goal": {"primary": long}, "summary": long, "odd": {"a": long}}),
            json!({"decisions": many, "nextSteps": many, "modifiedFiles": files}),
            json!({"recentCommands": [{"command": long, "note": long}, {"command": "last"}]}),
            json!({"git": {"branch": long, "head": long}, "sessionId": long, "id": long}),
            json!({"goal": {"primary": "g", "tasks": [{"description": "t", "odd": long}]}}),
        ] {
            let checkpoint = parsed(fields);
            assert!(checkpoint.meta.truncated);
            let size = checkpoint.to_bytes().unwrap().len();
            assert!(size < 6 * FILE_BYTES, "{size}");
        }
        let checkpoint = parsed(json!({"decisions": many, "modifiedFiles": files}));
        assert_eq!(checkpoint.decisions.len(), ENTRIES);
        assert_eq!(checkpoint.decisions.last(), many.last());
        assert!(checkpoint.meta.files_truncated);
    }
}

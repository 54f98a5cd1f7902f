//! What fits: into the file that a save writes, and of a file that is larger than any save writes one.
//!
//! Whatever is done with a text, redaction above all, costs time by its length, and the file may be anybody's.

use super::fields::FILES;
use super::format::{Checkpoint, ModifiedFile, Source};
use super::texts::{Text, Texts as _};

/// A checkpoint file's size in bytes.
pub(crate) const FILE_BYTES: usize = 65_536;
/// How many entries of a list are taken. A file of the format's size has room for more only of empty ones.
const ENTRIES: usize = 1_000;
/// Bytes that a name may have: of a branch, a session, a program.
const NAME: usize = 1_024;
/// Bytes that a path may have: so many characters of four bytes.
const PATH: usize = 4 * 1_024;

impl Checkpoint {
    /// Whether uncommitted files may be missing from `modifiedFiles`. Other writers than this program say only that
    /// something was dropped; files are a part of it where the list is full.
    pub(crate) fn lacks_files(&self) -> bool {
        let is_ours = self.generator.name == env!("CARGO_PKG_NAME");
        let full = self.modified_files.len() >= FILES.entries;
        self.meta.files_truncated || !is_ours && self.meta.truncated && full
    }

    /// Leaves of a file of so many bytes at most [`FILE_BYTES`] of text and [`ENTRIES`] of a list: what says most of the
    /// work first, and of what grows at its end the end.
    pub(crate) fn cut_to_bounds(&mut self, size: usize) {
        if size <= FILE_BYTES {
            return;
        }
        self.meta.truncated = true;
        // They belong to entries by their places, which change.
        self.times = None;
        let recorded = self.modified_files.len();
        self.left_out.truncate(ENTRIES);
        self.goal.tasks.truncate(ENTRIES);
        self.modified_files.truncate(ENTRIES);
        keep_latest(&mut self.recent_commands);
        for (field, list) in self.lists_mut() {
            match field.grows {
                true => keep_latest(list),
                false => list.truncate(ENTRIES),
            }
        }
        let mut room = FILE_BYTES;
        self.for_each_text(&mut |text| match text {
            Text::Prose(text) => {
                cut(text, room);
                room -= text.len();
            }
            // Half a path is another one.
            Text::Path(path) if path.len() > room.min(PATH) => path.clear(),
            Text::Path(path) => room -= path.len(),
            Text::Name(name) | Text::Id(name) => cut(name, NAME),
            Text::Unknown(_) => {}
        });
        // They come last, for nobody knows what they are worth.
        self.for_each_text(&mut |text| {
            if let Text::Unknown(fields) = text {
                let size = serde_json::to_string(fields).map_or(usize::MAX, |json| json.len());
                match room.checked_sub(size) {
                    Some(left) => room = left,
                    None => fields.clear(),
                }
            }
        });
        self.drop_empty();
        self.meta.files_truncated |= self.modified_files.len() < recorded;
    }

    /// Drops the entries of which nothing is left.
    fn drop_empty(&mut self) {
        self.goal.tasks.retain(|task| !task.description.is_empty());
        self.modified_files.retain(|file| !file.path.is_empty());
        let commands = &mut self.recent_commands;
        commands.retain(|entry| !entry.command.is_empty());
        for (_, list) in self.lists_mut() {
            list.retain(|text| !text.is_empty());
        }
    }
}

fn keep_latest<T>(entries: &mut Vec<T>) {
    entries.drain(..entries.len().saturating_sub(ENTRIES));
}

fn cut(text: &mut String, bytes: usize) {
    if text.len() > bytes {
        text.truncate(text.floor_char_boundary(bytes));
    }
}

/// What [`fit`] dropped to bring a checkpoint under the file's limit.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) commands: usize,
    pub(crate) files: usize,
}

/// The checkpoint's bytes, within [`FILE_BYTES`]: the oldest commands go first, then files without a note, of which
/// those go first that are not uncommitted.
///
/// The error is the size in bytes of what is left when neither is left to drop.
pub(crate) fn fit(
    checkpoint: &mut Checkpoint,
) -> serde_json::Result<Result<(Vec<u8>, Dropped), usize>> {
    let mut dropped = Dropped::default();
    loop {
        let bytes = checkpoint.to_bytes()?;
        if bytes.len() <= FILE_BYTES {
            return Ok(Ok((bytes, dropped)));
        }
        let files = &checkpoint.modified_files;
        let last = |wanted: &dyn Fn(&ModifiedFile) -> bool| {
            files
                .iter()
                .rposition(|file| file.note.is_none() && wanted(file))
        };
        let spare = last(&|file| file.source != Source::Git).or_else(|| last(&|_| true));
        if !checkpoint.recent_commands.is_empty() {
            checkpoint.recent_commands.remove(0);
            dropped.commands += 1;
        } else if let Some(index) = spare {
            let file = checkpoint.modified_files.remove(index);
            dropped.files += 1;
            checkpoint.meta.files_truncated |= file.source == Source::Git;
        } else {
            return Ok(Err(bytes.len()));
        }
        checkpoint.meta.truncated = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

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

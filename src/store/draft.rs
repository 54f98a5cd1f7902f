//! A text that a person edits: a file in the directory of the sessions, which only its owner can enter and
//! which the pattern that ignores checkpoints ignores.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use cap_std::fs::Dir;
use jiff::Timestamp;
use uuid::Uuid;

use super::file::{STALE, modified};
use super::{Store, file, lock};

/// With what the names of all drafts begin.
pub(crate) const PREFIX: &str = "edit-";
const SUFFIX: &str = ".toml";
/// Follows a draft's name in that of the file that is locked while the draft is edited; the draft itself may be
/// another file after every save of the editor.
const HELD: &str = ".held";

/// The file stays until it is removed, so that what was typed is never lost.
pub(crate) struct Draft {
    dir: Dir,
    name: String,
    path: PathBuf,
    /// Locked, where the file system can do that; the system unlocks it when the process dies.
    held: File,
}

/// The text of an edit that came to no end, with the copies that an editor left of it. Nothing in it is redacted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unwritten {
    pub(crate) name: String,
    /// When any of its files was written last; None where the system does not say.
    pub(crate) modified: Option<Timestamp>,
    /// Of all its files.
    pub(crate) bytes: u64,
    /// Whether it is open in an editor, or may be.
    pub(crate) is_open: bool,
    /// Its files but for the text itself.
    copies: Vec<String>,
}

impl Store {
    /// Writes a text to a new file, mode 0600.
    pub(crate) fn draft(&self, text: &str) -> anyhow::Result<Draft> {
        let dir = self.create_sessions()?;
        let name = format!("{PREFIX}{}{SUFFIX}", Uuid::new_v4());
        let path = self.directory().join(&name);
        let unwritten = || format!("could not write `{}`", path.display());
        let held = file::create(&dir, &held_name(&name)).with_context(unwritten)?;
        let held = held.into_std();
        // Where there are no locks, its age has to say that it may be open.
        let _ = held.try_lock();
        let mut draft = Draft {
            dir,
            name,
            path: path.clone(),
            held,
        };
        let written = draft.write(text).with_context(unwritten);
        if let Err(error) = written {
            // A full disk makes the file and takes no text. What cannot even be removed is told by the error.
            let _ = draft.remove();
            return Err(error);
        }
        Ok(draft)
    }

    /// The texts of edits that are there, the latest first.
    pub(crate) fn unwritten(&self, now: Timestamp) -> anyhow::Result<Vec<Unwritten>> {
        let Some(dir) = self.sessions()? else {
            return Ok(Vec::new());
        };
        let mut copies: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut drafts = Vec::new();
        for entry in dir.entries().context("could not list the drafts")? {
            let Ok(name) = entry
                .context("could not list the drafts")?
                .file_name()
                .into_string()
            else {
                continue;
            };
            if is_draft(&name) {
                drafts.push(name);
            } else if let Some(draft) = copied(&name).or(held(&name)) {
                copies.entry(draft.to_owned()).or_default().push(name);
            }
        }
        let mut unwritten: Vec<Unwritten> = drafts
            .into_iter()
            .filter_map(|name| {
                let copies = copies.remove(&name).unwrap_or_default();
                Unwritten::read(&dir, name, copies, now)
            })
            .collect();
        unwritten.sort_by(|a, b| (b.modified, &b.name).cmp(&(a.modified, &a.name)));
        Ok(unwritten)
    }
}

fn held_name(draft: &str) -> String {
    format!("{draft}{HELD}")
}

fn is_draft(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// The draft of which a name is that of a copy which an editor made: `~` of Emacs and Vim, swap and autosave files.
fn copied(name: &str) -> Option<&str> {
    let copied = name
        .strip_suffix('~')
        .or_else(|| name.strip_prefix('#')?.strip_suffix('#'))
        .or_else(|| {
            let (draft, end) = name.strip_prefix('.')?.rsplit_once('.')?;
            matches!(end, "swp" | "swo" | "swn").then_some(draft)
        });
    copied.filter(|name| is_draft(name))
}

/// The draft during whose edit a file of that name is locked.
fn held(name: &str) -> Option<&str> {
    name.strip_suffix(HELD).filter(|name| is_draft(name))
}

/// Whether a file is what is left of a draft that is no longer there, whose edit was therefore written or given up.
pub(super) fn is_left_behind(dir: &Dir, name: &str) -> bool {
    let draft = copied(name).or(held(name));
    draft.is_some_and(|draft| dir.symlink_metadata(draft).is_err())
}

impl Unwritten {
    /// None where it is no regular file, or gone.
    fn read(dir: &Dir, name: String, copies: Vec<String>, now: Timestamp) -> Option<Self> {
        let files = [&name].into_iter().chain(&copies);
        let files = files.map(|name| dir.symlink_metadata(name).ok());
        let files: Vec<_> = files.collect();
        files.first()?.as_ref().filter(|text| text.is_file())?;
        let files = files.into_iter().flatten();
        let (mut bytes, mut latest) = (0, None);
        for file in files {
            bytes += file.len();
            latest = latest.max(modified(&file));
        }
        let is_young = latest.is_none_or(|at| now.duration_since(at) <= STALE);
        let is_open = match copies.iter().find(|name| held(name).is_some()) {
            Some(held) => lock::is_held(dir, held).unwrap_or(is_young),
            None => is_young,
        };
        Some(Self {
            name,
            modified: latest,
            bytes,
            is_open,
            copies,
        })
    }

    /// Deletes it where it still stands as it was seen; false where it does not.
    pub(super) fn remove(&self, dir: &Dir, now: Timestamp) -> io::Result<bool> {
        let present = Self::read(dir, self.name.clone(), self.copies.clone(), now);
        if self.is_open || present.as_ref() != Some(self) {
            return Ok(false);
        }
        for name in self.copies.iter().chain([&self.name]) {
            match dir.remove_file(name) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(true)
    }
}

impl Draft {
    fn write(&mut self, text: &str) -> io::Result<()> {
        file::create(&self.dir, &self.name)?.write_all(text.as_bytes())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The text as it is now; an error where it is gone, or is no text.
    pub(crate) fn read(&self) -> anyhow::Result<String> {
        let read = || {
            let bytes = file::read(&self.dir, &self.name)?.context("it is gone")?;
            anyhow::Ok(String::from_utf8(bytes)?)
        };
        read().with_context(|| format!("could not read `{}`", self.path.display()))
    }

    /// Whether there is still something of that name; editors can remove it.
    pub(crate) fn is_there(&self) -> bool {
        self.dir.symlink_metadata(&self.name).is_ok()
    }

    pub(crate) fn remove(self) -> io::Result<()> {
        let Self {
            dir, name, held, ..
        } = self;
        let removed = dir.remove_file(&name);
        // Windows removes no file that is open.
        drop(held);
        // It says nothing without the draft, and a prune takes it away.
        let _ = dir.remove_file(held_name(&name));
        removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_copies_of_drafts_are_an_editors() {
        for name in [
            "edit-1.toml~",
            "#edit-1.toml#",
            ".edit-1.toml.swp",
            ".edit-1.toml.swo",
        ] {
            assert_eq!(copied(name), Some("edit-1.toml"), "{name}");
        }
        for name in [
            "edit-1.toml",
            "s1.json",
            "s1.json~",
            "notes.toml~",
            ".edit-1.toml.bak",
            "~",
        ] {
            assert_eq!(copied(name), None, "{name}");
        }
    }
}

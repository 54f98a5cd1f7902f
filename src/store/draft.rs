//! A text that a person edits: a file in the directory of the sessions, which only its owner can enter and
//! which the pattern that ignores checkpoints ignores.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use cap_std::fs::Dir;
use uuid::Uuid;

use super::{Store, file};

const PREFIX: &str = "edit-";
const SUFFIX: &str = ".toml";

/// The file stays until it is removed, so that what was typed is never lost.
pub(crate) struct Draft {
    dir: Dir,
    name: String,
    path: PathBuf,
}

impl Store {
    /// Writes a text to a new file, mode 0600.
    pub(crate) fn draft(&self, text: &str) -> anyhow::Result<Draft> {
        let dir = self.create_sessions()?;
        let name = format!("{PREFIX}{}{SUFFIX}", Uuid::new_v4());
        let path = self.directory().join(&name);
        let unwritten = || format!("could not write `{}`", path.display());
        let mut file = file::create(&dir, &name).with_context(unwritten)?;
        let written = file.write_all(text.as_bytes()).with_context(unwritten);
        drop(file);
        let draft = Draft { dir, name, path };
        if let Err(error) = written {
            // A full disk makes the file and takes no text. What cannot even be removed is told by the error.
            let _ = draft.remove();
            return Err(error);
        }
        Ok(draft)
    }
}

/// Whether a name is that of a copy of a draft which an editor made and left behind: `~` of Emacs and Vim, swap and
/// autosave files.
pub(super) fn is_editors_copy(name: &str) -> bool {
    let is_draft = |name: &str| name.starts_with(PREFIX) && name.ends_with(SUFFIX);
    let copy = name
        .strip_suffix('~')
        .or_else(|| name.strip_prefix('#')?.strip_suffix('#'))
        .or_else(|| {
            let (draft, end) = name.strip_prefix('.')?.rsplit_once('.')?;
            matches!(end, "swp" | "swo" | "swn").then_some(draft)
        });
    copy.is_some_and(is_draft)
}

impl Draft {
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
        self.dir.remove_file(&self.name)
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
            assert!(is_editors_copy(name), "{name}");
        }
        for name in [
            "edit-1.toml",
            "s1.json",
            "s1.json~",
            "notes.toml~",
            ".edit-1.toml.bak",
            "~",
        ] {
            assert!(!is_editors_copy(name), "{name}");
        }
    }
}

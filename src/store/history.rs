//! Earlier saves of a checkpoint: each a file, named by the moment at which it made room for a later one
//! (docs/contract.md, section 4).

use anyhow::Context as _;
use cap_std::fs::Dir;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::file;
use super::names::{DIRECTORY, EXTENSION};
use super::selector::Selector;

/// Beside the checkpoints, with a directory for each that has earlier saves.
const HISTORY: &str = "history";
/// How many saves a checkpoint keeps in its history, and how many bytes of them.
const KEPT: usize = 50;
const KEPT_BYTES: u64 = 1 << 20;
/// As precise as the names are.
const STEP: SignedDuration = SignedDuration::from_millis(1);

/// The directory of one checkpoint's earlier saves.
pub(super) struct History {
    /// Of all histories.
    parent: Dir,
    pub(super) dir: Dir,
    /// Relative to the project root.
    path: String,
}

/// A save in the history.
#[derive(Debug, Clone)]
pub(super) struct Earlier {
    pub(super) name: String,
    /// When a save took its place as the backup, and so the moment of that save.
    pub(super) until: Timestamp,
    pub(super) bytes: u64,
}

/// What a history holds.
#[derive(Debug, Default)]
pub(super) struct Contents {
    /// Newest first.
    pub(super) saves: Vec<Earlier>,
    /// What bears the name of a save and is none, such as a link, with what it is.
    pub(super) odd: Vec<String>,
    /// The newest name, whatever bears it.
    newest: Option<Timestamp>,
}

impl History {
    /// Whether any checkpoint may have one.
    pub(super) fn is_there(sessions: &Dir) -> bool {
        sessions.symlink_metadata(HISTORY).is_ok()
    }

    /// None where the checkpoint has none.
    pub(super) fn open(sessions: &Dir, selector: &Selector) -> anyhow::Result<Option<Self>> {
        let (all, path) = paths(selector);
        let Some(parent) = file::open_directory(sessions, HISTORY, all.as_ref())? else {
            return Ok(None);
        };
        let dir = file::open_directory(&parent, selector.as_str(), path.as_ref())?;
        Ok(dir.map(|dir| Self { parent, dir, path }))
    }

    pub(super) fn create(sessions: &Dir, selector: &Selector) -> anyhow::Result<Self> {
        let (all, path) = paths(selector);
        let (parent, _) = file::create_directory(sessions, HISTORY, all.as_ref())?;
        let (dir, _) = file::create_directory(&parent, selector.as_str(), path.as_ref())?;
        Ok(Self { parent, dir, path })
    }

    /// A save's file, relative to the project root.
    pub(super) fn below_root(&self, name: &str) -> String {
        format!("{}/{name}", self.path)
    }

    pub(super) fn find(&self) -> anyhow::Result<Contents> {
        let unlisted = || format!("could not list `{}`", self.path);
        let mut found = Contents::default();
        for entry in self.dir.entries().with_context(unlisted)? {
            let name = entry.with_context(unlisted)?.file_name();
            let Some((name, until)) = name.to_str().and_then(|name| Some((name, moment(name)?)))
            else {
                continue;
            };
            found.newest = found.newest.max(Some(until));
            // The entry itself, not what a link of that name leads to.
            match self.dir.symlink_metadata(name) {
                Ok(metadata) if metadata.is_file() => found.saves.push(Earlier {
                    name: name.to_owned(),
                    until,
                    bytes: metadata.len(),
                }),
                Ok(metadata) if metadata.is_symlink() => found.odd.push(format!(
                    "`{}` is a symbolic link, which is refused",
                    self.below_root(name)
                )),
                Ok(_) => found.odd.push(format!(
                    "`{}` is not a regular file, which is refused",
                    self.below_root(name)
                )),
                // It was taken away meanwhile.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => found.odd.push(format!(
                    "`{}` cannot be looked at: {error}",
                    self.below_root(name)
                )),
            }
        }
        found
            .saves
            .sort_by_key(|save| std::cmp::Reverse(save.until));
        Ok(found)
    }

    /// Moves a file here, as the newest save; gives what there is then.
    pub(super) fn take(&self, from: &Dir, name: &str, now: Timestamp) -> anyhow::Result<Contents> {
        let mut found = self.find()?;
        let now = rounded(now);
        // Clocks are set back; what came later stays the later.
        let until = match found.newest {
            Some(newest) if newest >= now => self.after(newest)?,
            _ => now,
        };
        let new = name_of(until);
        let moving = || format!("could not move `{name}` to `{}`", self.below_root(&new));
        let bytes = from.symlink_metadata(name).with_context(moving)?.len();
        from.rename(name, &self.dir, &new).with_context(moving)?;
        found.newest = Some(until);
        found.saves.insert(
            0,
            Earlier {
                name: new,
                until,
                bytes,
            },
        );
        Ok(found)
    }

    /// The moment after the newest one, of which anybody may have made the last that can be a name: then the latest before
    /// it that no file is named by.
    fn after(&self, newest: Timestamp) -> anyhow::Result<Timestamp> {
        let is_free = |at: Timestamp| {
            let name = name_of(at);
            moment(&name).is_some() && self.dir.symlink_metadata(name).is_err()
        };
        let mut at = newest.checked_add(STEP)?;
        while !is_free(at) {
            at = at.checked_sub(STEP)?;
        }
        Ok(at)
    }

    /// Moves the newest save, which [`History::take`] took, back to where it was.
    pub(super) fn give_back(&self, found: &Contents, to: &Dir, name: &str) -> std::io::Result<()> {
        match found.saves.first() {
            Some(save) => self.dir.rename(&save.name, to, name),
            None => Ok(()),
        }
    }

    /// The newest save's file, relative to the project root.
    pub(super) fn newest(&self, found: &Contents) -> String {
        let newest = found.saves.first();
        self.below_root(newest.map_or("", |save| save.name.as_str()))
    }

    /// Deletes the oldest saves beyond what is kept; gives why one could not be. What is larger than any save stays, and
    /// makes no save go.
    pub(super) fn trim(&self, found: &Contents) -> Option<String> {
        let mut bytes = 0;
        let saves = found.saves.iter().filter(|save| save.bytes <= KEPT_BYTES);
        let mut over = saves.enumerate().skip_while(|(index, save)| {
            bytes += save.bytes;
            *index < KEPT && bytes <= KEPT_BYTES
        });
        over.find_map(|(_, save)| self.delete(save).err())
    }

    fn delete(&self, save: &Earlier) -> Result<(), String> {
        match self.dir.remove_file(&save.name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(format!(
                "could not delete `{}`: {error}",
                self.below_root(&save.name)
            )),
            _ => Ok(()),
        }
    }

    /// Deletes a checkpoint's history, the oldest save first. What is not ours stays, and the directory with it.
    pub(super) fn remove(sessions: &Dir, selector: &Selector) -> Result<(), String> {
        let described = |error: anyhow::Error| format!("{error:#}");
        let Some(history) = Self::open(sessions, selector).map_err(described)? else {
            return Ok(());
        };
        let found = history.find().map_err(described)?;
        for save in found.saves.iter().rev() {
            history.delete(save)?;
        }
        history.leave(sessions, selector);
        Ok(())
    }

    /// Takes the directories away that are empty now.
    pub(super) fn leave(self, sessions: &Dir, selector: &Selector) {
        // Windows removes no directory that is open.
        let Self { parent, dir, .. } = self;
        drop(dir);
        let _ = parent.remove_dir(selector.as_str());
        drop(parent);
        let _ = sessions.remove_dir(HISTORY);
    }
}

/// The directory of all histories, and that of a checkpoint's, relative to the project root.
fn paths(selector: &Selector) -> (String, String) {
    let all = format!("{DIRECTORY}/{HISTORY}");
    let own = format!("{all}/{selector}");
    (all, own)
}

/// Without what a name does not hold.
fn rounded(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

/// A moment as a file name, such as `20261130T234522.125Z.json`.
fn name_of(at: Timestamp) -> String {
    format!("{}{EXTENSION}", at.strftime("%Y%m%dT%H%M%S%.3fZ"))
}

/// The moment that a file name stands for; None for a name that this program does not give.
fn moment(name: &str) -> Option<Timestamp> {
    let text = name.strip_suffix(EXTENSION)?.strip_suffix('Z')?;
    let at = DateTime::strptime("%Y%m%dT%H%M%S%.3f", text).ok()?;
    let at = Offset::UTC.to_timestamp(at).ok()?;
    // The last moment that there is has none after it.
    let has_next = at
        .checked_add(STEP)
        .is_ok_and(|next| next.strftime("%Y").to_string().len() == 4);
    (has_next && name_of(at) == name).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_moments_and_sort_like_them() {
        let at: Timestamp = "2026-11-30T23:45:22.125Z".parse().unwrap();
        assert_eq!(name_of(at), "20261130T234522.125Z.json");
        assert_eq!(moment("20261130T234522.125Z.json"), Some(at));
        assert!(name_of(at) < name_of(at + STEP));
    }

    #[test]
    fn what_this_program_does_not_name_so_is_no_save() {
        for name in [
            "",
            ".json",
            "20261130T234522.125Z",
            "20261130T234522.125Z.json.prev",
            "20261130T234522Z.json",
            "20261130T234522.125000Z.json",
            "20261330T234522.125Z.json",
            "2026-11-30T23:45:22.125Z.json",
            "99991231T235959.999Z.json",
            "-0011130T234522.125Z.json",
            "notes.json",
        ] {
            assert_eq!(moment(name), None, "{name}");
        }
    }
}

//! Checkpoint files on disk: where they are, how they are read, replaced and kept safe (docs/contract.md, section 4).

pub(crate) mod draft;
mod file;
mod history;
mod lock;
pub(crate) mod names;
pub(crate) mod nearby;
pub(crate) mod remove;
pub(crate) mod replace;
pub(crate) mod root;
mod saves;
pub(crate) mod selector;
mod sent;
pub(crate) mod session;
mod stored;
pub(crate) mod trees;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::Context as _;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use crate::checkpoint::bound;
use crate::checkpoint::format::Checkpoint;
use crate::error::failure;
use file::Content;
use lock::Lock;
use names::DIRECTORY;
use selector::Selector;
use stored::Stored;

/// A project's checkpoints.
pub(crate) struct Store {
    root: PathBuf,
    dir: Dir,
}

/// A checkpoint as it was found.
#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    pub(crate) checkpoint: Checkpoint,
    pub(crate) path: PathBuf,
    /// What is wrong with the main file, where the backup was read instead; follows "the main file" in a sentence.
    pub(crate) main_fault: Option<String>,
    /// The file that was read, the main file or the backup, relative to the project root.
    pub(crate) file: String,
    /// Whether that file belongs to another user.
    pub(crate) is_foreign: bool,
    /// The whole file.
    pub(crate) bytes: Vec<u8>,
}

impl Loaded {
    /// A warning where the file is larger than any that a save writes, so that only a part of it was taken.
    pub(crate) fn is_cut(&self) -> Option<String> {
        let size = self.bytes.len();
        (size > bound::FILE_BYTES).then(|| {
            format!(
                "`{}` has {size} bytes, more than any save writes ({}); only a part of it was read",
                self.file,
                bound::FILE_BYTES
            )
        })
    }

    /// Whether both were read from the same bytes.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

/// Where a selector's files are.
struct Files {
    /// One for all files in it, however many are replaced at once.
    dir: Rc<Dir>,
    main: String,
    backup: String,
}

impl Store {
    /// Opens the store of a project root; nothing is created before the first save.
    pub(crate) fn open(root: PathBuf) -> anyhow::Result<Self> {
        let dir = Dir::open_ambient_dir(&root, ambient_authority())
            .with_context(|| format!("could not open `{}`", root.display()))?;
        Ok(Self { root, dir })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn directory(&self) -> PathBuf {
        self.root.join(DIRECTORY)
    }

    /// The main file of a checkpoint, whether it is there or not.
    pub(crate) fn path(&self, selector: &Selector) -> PathBuf {
        let directory = match selector {
            Selector::Legacy => self.root.clone(),
            Selector::Project | Selector::Session(_) => self.directory(),
        };
        directory.join(names::main_name(selector))
    }

    /// The name of a checkpoint's main file.
    pub(crate) fn file_name(&self, selector: &Selector) -> String {
        names::main_name(selector)
    }

    /// The checkpoint in the directory of the sessions whose main file has this name; None where none can have it.
    pub(crate) fn selector_of(&self, name: &str) -> Option<Selector> {
        if name == names::main_name(&Selector::Project) {
            return Some(Selector::Project);
        }
        let id = names::session_of(OsStr::new(name))?;
        let selector = Selector::Session(id);
        (names::main_name(&selector) == name).then_some(selector)
    }

    /// Reads a checkpoint, from its backup where the main file is missing or invalid.
    ///
    /// None where there is neither; an error that names both faults where neither can be used.
    pub(crate) fn load(&self, selector: &Selector) -> anyhow::Result<Option<Loaded>> {
        let Some(place) = self.place(selector)? else {
            return Ok(None);
        };
        self.load_from(selector, &place)
    }

    fn load_from(&self, selector: &Selector, place: &Files) -> anyhow::Result<Option<Loaded>> {
        let main = Stored::read(&place.dir, &place.main, selector);
        let backup = || Stored::read(&place.dir, &place.backup, selector);
        self.usable(selector, main, backup)
    }

    /// What the main file holds, or else the backup, which is read only then.
    fn usable(
        &self,
        selector: &Selector,
        main: Stored,
        backup: impl FnOnce() -> Stored,
    ) -> anyhow::Result<Option<Loaded>> {
        let main_name = names::main_name(selector);
        let backup_name = names::backup_name(&main_name);
        let loaded = |checkpoint: Box<Checkpoint>, content: Content, main_fault: Option<String>| {
            let name = match main_fault {
                None => &main_name,
                Some(_) => &backup_name,
            };
            Loaded {
                checkpoint: *checkpoint,
                path: self.path(selector),
                main_fault,
                file: names::below_root(selector, name),
                is_foreign: content.is_foreign,
                bytes: content.bytes,
            }
        };
        let main_fault = match main {
            Stored::Valid(checkpoint, content) => {
                return Ok(Some(loaded(checkpoint, content, None)));
            }
            ref unusable => unusable.fault().unwrap_or_default(),
        };
        match (main, backup()) {
            (Stored::Missing, Stored::Missing) => Ok(None),
            (_, Stored::Valid(checkpoint, content)) => {
                Ok(Some(loaded(checkpoint, content, Some(main_fault))))
            }
            (_, backup) => Err(failure(
                format!(
                    "neither file of checkpoint `{selector}` can be used: `{main_name}` {main_fault}; `{backup_name}` {}",
                    backup.fault().unwrap_or_default(),
                ),
                format!(
                    "nothing was changed; look at `{}`",
                    self.path(selector).display()
                ),
            )),
        }
    }

    /// Every checkpoint that has at least one of its files, sorted.
    pub(crate) fn selectors(&self) -> anyhow::Result<Vec<Selector>> {
        let mut selectors = BTreeSet::new();
        let main = names::main_name(&Selector::Legacy);
        for name in [names::backup_name(&main), main] {
            match self.dir.symlink_metadata(&name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                // One that cannot even be looked at is there all the same; reading it says why.
                _ => {
                    selectors.insert(Selector::Legacy);
                }
            }
        }
        if let Some(dir) = self.sessions()? {
            let entries = dir.entries().context("could not list the checkpoints")?;
            for entry in entries {
                let name = entry.context("could not list the checkpoints")?.file_name();
                selectors.extend(names::session_of(&name).map(Selector::Session));
            }
        }
        Ok(selectors.into_iter().collect())
    }

    fn lock(&self, sessions: &Dir) -> anyhow::Result<Lock> {
        let directory = self.directory();
        Lock::acquire(sessions)
            .with_context(|| format!("could not save in `{}`", directory.display()))
    }

    fn place(&self, selector: &Selector) -> anyhow::Result<Option<Files>> {
        match (selector, self.sessions()?) {
            (Selector::Project | Selector::Session(_), None) => Ok(None),
            (Selector::Project | Selector::Session(_), Some(dir)) => {
                self.files_in(selector, dir).map(Some)
            }
            (Selector::Legacy, _) => {
                let dir = self.dir.try_clone()?;
                self.files_in(selector, dir).map(Some)
            }
        }
    }

    fn files_in(&self, selector: &Selector, sessions: impl Into<Rc<Dir>>) -> anyhow::Result<Files> {
        let dir = match selector {
            Selector::Legacy => self.dir.try_clone()?.into(),
            Selector::Project | Selector::Session(_) => sessions.into(),
        };
        let main = names::main_name(selector);
        let backup = names::backup_name(&main);
        Ok(Files { dir, main, backup })
    }

    /// The sessions' directory; None where it is not there.
    fn sessions(&self) -> anyhow::Result<Option<Dir>> {
        file::open_directory(&self.dir, DIRECTORY, &self.directory())
    }

    /// Whether the sessions' directory has the `.gitignore` that it was made with, by which git ignores all in it.
    pub(crate) fn ignores_itself(&self) -> bool {
        let sessions = self.sessions().ok().flatten();
        let rules = sessions.and_then(|dir| file::read(&dir, names::IGNORE_FILE).ok().flatten());
        rules.is_some_and(|rules| rules == names::IGNORE_ALL)
    }

    /// The sessions' directory. A new one gets a `.gitignore` of its own, which is never changed afterwards.
    fn create_sessions(&self) -> anyhow::Result<Dir> {
        let (dir, made) = file::create_directory(&self.dir, DIRECTORY, &self.directory())?;
        if made {
            let ignored = file::create(&dir, names::IGNORE_FILE)
                .and_then(|mut file| file.write_all(names::IGNORE_ALL));
            if let Err(error) = ignored {
                // The next save makes the directory anew, with the file.
                let _ = dir.remove_file(names::IGNORE_FILE);
                let _ = self.dir.remove_dir(DIRECTORY);
                return Err(error)
                    .with_context(|| format!("could not write `{}`", names::IGNORE_FILE));
            }
            file::sync_directory(&self.dir)
                .context("could not sync the project root, which has a new directory")?;
        }
        Ok(dir)
    }
}

/// Reads a checkpoint from any path, no further than a checkpoint may be large; an error where it is no regular file.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<Vec<u8>> {
    let path = path.canonicalize()?;
    let (parent, name) = path
        .parent()
        .zip(path.file_name())
        .context("it is not a file")?;
    let dir = Dir::open_ambient_dir(parent, ambient_authority())?;
    let name = name.to_str().context("its name is not UTF-8")?;
    file::read(&dir, name)?.context("it is gone")
}

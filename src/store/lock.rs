//! The lock that serializes what changes a project's checkpoints, and the queue before it (docs/contract.md, section 4).
//!
//! Who holds `.lock` writes its own number and a word that no other turn has into it, so that those who wait can tell
//! one long turn from many short ones. Who does not get it at once draws a ticket in `.queue`, a file that it locks
//! itself: what is no longer locked was left by a process that is gone. Tickets decide the order alone; nothing but
//! the lock decides who may write.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, Write as _};
use std::process;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};
use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::fs::{Dir, OpenOptions};
use uuid::Uuid;

use super::file::{self, owner_only, refuse_special};
use crate::env::Deadline;
use crate::error::failure;

const LOCK: &str = ".lock";
const QUEUE: &str = ".queue";
/// How long one process may hold the lock while others wait.
const TURN: Duration = Duration::from_secs(5);
/// How long a process waits while others take their turns.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks at the lock, for the first of the queue and for the others.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const PAUSE: Duration = Duration::from_millis(5);
/// Bytes of the lock's content that are read.
const CONTENT: u64 = 100;

/// The project's advisory lock, held until it is dropped; the system frees it when the process dies.
pub(super) enum Lock {
    Held(File),
    /// The file system has no locks.
    Unsupported,
}

impl Lock {
    /// What has to be said where nothing is locked.
    pub(super) fn warning(&self) -> Option<String> {
        match self {
            Self::Held(_) => None,
            Self::Unsupported => Some(
                "this file system has no locks: of two changes at the same moment one can be lost"
                    .to_owned(),
            ),
        }
    }

    /// Waits for those that came before, up to 60 s, and up to 5 s for any one of them.
    pub(super) fn acquire(dir: &Dir) -> anyhow::Result<Self> {
        let file = open(dir, LOCK)?;
        match attempt(&file)? {
            Attempt::Unsupported => Ok(Self::Unsupported),
            // Who comes while others wait does not go before them.
            Attempt::Taken if Queue::is_empty(dir) => Ok(Self::held(file)),
            Attempt::Taken => {
                file.unlock()
                    .with_context(|| format!("could not unlock `{LOCK}`"))?;
                wait(dir, file)
            }
            Attempt::Busy => wait(dir, file),
        }
    }

    fn held(file: File) -> Self {
        // Only those who wait read it, and they can do without.
        let turn = format!("{} {}", process::id(), Uuid::new_v4());
        let _ = file.set_len(0);
        let _ = (&file)
            .rewind()
            .and_then(|()| (&file).write_all(turn.as_bytes()));
        Self::Held(file)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Self::Held(file) = self {
            let _ = file.set_len(0);
        }
    }
}

enum Attempt {
    Taken,
    Busy,
    Unsupported,
}

fn attempt(file: &File) -> anyhow::Result<Attempt> {
    match file.try_lock() {
        Ok(()) => Ok(Attempt::Taken),
        Err(TryLockError::WouldBlock) => Ok(Attempt::Busy),
        Err(TryLockError::Error(error)) if is_unsupported(&error) => Ok(Attempt::Unsupported),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("could not lock `{LOCK}`"))
        }
    }
}

/// Whether a process holds a lock on a file; None where the file system has no locks, or the file cannot be opened.
pub(super) fn is_held(dir: &Dir, name: &str) -> Option<bool> {
    let file = open(dir, name).ok()?;
    match attempt(&file).ok()? {
        Attempt::Taken => Some(false),
        Attempt::Busy => Some(true),
        Attempt::Unsupported => None,
    }
}

fn open(dir: &Dir, name: &str) -> anyhow::Result<File> {
    let file = open_unless_gone(dir, name, false)?;
    file.with_context(|| format!("could not open `{name}`: its directory is gone"))
}

/// None where the directory was taken away meanwhile.
fn open_unless_gone(dir: &Dir, name: &str, new: bool) -> anyhow::Result<Option<File>> {
    let mut options = OpenOptions::new();
    // Without `nonblock`, opening a FIFO of that name would wait for a reader for ever.
    options
        .read(true)
        .write(true)
        .create(true)
        .create_new(new)
        .follow(FollowSymlinks::No)
        .nonblock(true);
    owner_only(&mut options);
    match dir.open_with(name, &options) {
        Ok(file) => {
            let file = file.into_std();
            let metadata = file.metadata();
            if !metadata
                .with_context(|| format!("cannot use `{name}`"))?
                .is_file()
            {
                return Err(refused(name, &file::Refusal::Special));
            }
            Ok(Some(file))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            refuse_special(dir, name).map_err(|refusal| refused(name, &refusal))?;
            Err(error).with_context(|| format!("could not open `{name}`"))
        }
    }
}

fn refused(name: &str, refusal: &file::Refusal) -> anyhow::Error {
    failure(
        format!("cannot use `{name}`: {refusal}"),
        "move it away; ckpt makes a file of that name",
    )
}

fn wait(dir: &Dir, file: File) -> anyhow::Result<Lock> {
    let queue = Queue::join(dir)?;
    let patience = Deadline::after(PATIENCE);
    let mut turn = content(&file);
    let mut turn_ends = Deadline::after(TURN);
    loop {
        let first = queue.is_first()?;
        if first && let Attempt::Taken = attempt(&file)? {
            return Ok(Lock::held(file));
        }
        let now = content(&file);
        if now != turn {
            turn = now;
            turn_ends = Deadline::after(TURN);
        }
        if turn_ends.has_passed() || patience.has_passed() {
            let holder = holder(&file, &turn).unwrap_or_else(|| "another process".to_owned());
            bail!(match turn_ends.has_passed() {
                true => failure(
                    format!(
                        "{holder} has held the lock `{LOCK}` for {} s",
                        TURN.as_secs()
                    ),
                    "try again once it has ended; if it hangs, it has to be ended first",
                ),
                false => failure(
                    format!(
                        "the lock `{LOCK}` was never free in {} s, while others took their turns; {holder} has it now",
                        PATIENCE.as_secs()
                    ),
                    "try again when fewer processes save at once",
                ),
            });
        }
        thread::sleep(if first { FIRST_PAUSE } else { PAUSE });
    }
}

/// What the holder wrote; empty where nobody did, or where the system does not let others read what is locked.
fn content(mut file: &File) -> String {
    let mut text = String::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(CONTENT).read_to_string(&mut text));
    read.map(|_| text).unwrap_or_default()
}

/// The process that holds the lock, in words. The system knows it best; what stands in the file may be of one that
/// was killed.
fn holder(file: &File, turn: &str) -> Option<String> {
    let written = turn.split(' ').next().filter(|number| !number.is_empty());
    let number = known_to_system(file).or_else(|| Some(written?.to_owned()));
    let number = number.filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))?;
    let name = std::fs::read_to_string(format!("/proc/{number}/comm")).unwrap_or_default();
    Some(match name.trim() {
        "" => format!("process {number}"),
        name => format!("process {number} (`{}`)", name.escape_debug()),
    })
}

/// The number of the process that holds a lock on the file, from proc_locks(5).
#[cfg(target_os = "linux")]
fn known_to_system(file: &File) -> Option<String> {
    use std::os::linux::fs::MetadataExt as _;
    let metadata = file.metadata().ok()?;
    let (device, inode) = (metadata.st_dev(), metadata.st_ino());
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    let named = format!("{major:02x}:{minor:02x}:{inode}");
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let held = locks
        .lines()
        .map(|line| Vec::from_iter(line.split_whitespace()));
    // Those that wait have `->` in the second place.
    let mut held =
        held.filter(|words| words.get(5) == Some(&named.as_str()) && words[1] == "FLOCK");
    Some(held.next()?[4].to_owned())
}

#[cfg(not(target_os = "linux"))]
fn known_to_system(_file: &File) -> Option<String> {
    None
}

/// A place among those that wait, in the order of their coming; given back when dropped.
struct Queue<'a> {
    sessions: &'a Dir,
    dir: Dir,
    ticket: String,
    #[allow(dead_code, reason = "its lock says that the one who waits is alive")]
    alive: File,
}

impl<'a> Queue<'a> {
    /// How often joining is tried again where the last to leave takes the directory away at that moment.
    const ATTEMPTS: usize = 100;

    fn join(sessions: &'a Dir) -> anyhow::Result<Self> {
        let mut attempts = 0;
        loop {
            let (dir, _) = file::create_directory(sessions, QUEUE, QUEUE.as_ref())?;
            let ticket = ticket_after(Self::before(&dir, None)?.last());
            attempts += 1;
            let alive = open_unless_gone(&dir, &ticket, true)
                .with_context(|| format!("could not wait in `{QUEUE}`"))?;
            let Some(alive) = alive else {
                if attempts < Self::ATTEMPTS {
                    continue;
                }
                bail!("could not wait in `{QUEUE}`: it was taken away again and again");
            };
            alive
                .lock()
                .with_context(|| format!("could not lock a file in `{QUEUE}`"))?;
            return Ok(Self {
                sessions,
                dir,
                ticket,
                alive,
            });
        }
    }

    /// Whether nobody waits; a queue that cannot be looked into holds nobody up.
    fn is_empty(sessions: &Dir) -> bool {
        let Ok(dir) = sessions.open_dir_nofollow(QUEUE) else {
            return true;
        };
        let tickets = Self::before(&dir, None).unwrap_or_default();
        !tickets.iter().any(|ticket| is_alive(&dir, ticket))
    }

    fn is_first(&self) -> anyhow::Result<bool> {
        let before = Self::before(&self.dir, Some(&self.ticket))?;
        // The last of them lives the longest.
        Ok(!before
            .iter()
            .rev()
            .any(|ticket| is_alive(&self.dir, ticket)))
    }

    /// The tickets, or those before one, sorted.
    fn before(dir: &Dir, own: Option<&str>) -> anyhow::Result<Vec<String>> {
        let mut tickets = Vec::new();
        for entry in dir
            .entries()
            .with_context(|| format!("could not list `{QUEUE}`"))?
        {
            let name = entry
                .with_context(|| format!("could not list `{QUEUE}`"))?
                .file_name();
            let name = name.to_string_lossy().into_owned();
            if number_of(&name).is_some() && own.is_none_or(|own| *name < *own) {
                tickets.push(name);
            }
        }
        tickets.sort_unstable();
        Ok(tickets)
    }
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        let _ = self.dir.remove_file(&self.ticket);
        // The last one takes the directory away; for the others it is not empty.
        let _ = self.sessions.remove_dir(QUEUE);
    }
}

/// Whether who drew a ticket still waits; the ticket of one who is gone is taken away.
fn is_alive(dir: &Dir, ticket: &str) -> bool {
    let mut options = OpenOptions::new();
    options
        .read(true)
        .write(true)
        .follow(FollowSymlinks::No)
        .nonblock(true);
    let Ok(file) = dir.open_with(ticket, &options) else {
        return false;
    };
    match file.into_std().try_lock() {
        Err(TryLockError::WouldBlock) => true,
        _ => {
            let _ = dir.remove_file(ticket);
            false
        }
    }
}

/// A name that sorts behind the last one; two that draw it at once are told apart by chance.
fn ticket_after(last: Option<&String>) -> String {
    let number = last
        .and_then(|last| number_of(last))
        .map_or(0, |last| last.saturating_add(1));
    format!("{number:010}-{}", Uuid::new_v4())
}

/// The number of a ticket; None where a name is none of ours.
fn number_of(name: &str) -> Option<u32> {
    let (number, id) = name.split_once('-')?;
    Uuid::try_parse(id).ok()?;
    number.parse().ok()
}

/// How network and overlay file systems answer where they have no locks (flock(2)).
fn is_unsupported(error: &std::io::Error) -> bool {
    const ENOLCK: i32 = if cfg!(target_os = "linux") { 37 } else { 77 };
    error.kind() == std::io::ErrorKind::Unsupported
        || cfg!(unix) && error.raw_os_error() == Some(ENOLCK)
}

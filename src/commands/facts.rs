//! What the project itself says: for a save the state to record, for a load what changed since.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use super::{Context, counted};
use crate::checkpoint::drift::{self, Differing, Drift, History};
use crate::checkpoint::files::Files;
use crate::checkpoint::format::{Checkpoint, Git, ModifiedFile, Source};
use crate::checkpoint::update::FileUpdate;
use crate::checkpoint::{limits, path};
use crate::env::Deadline;
use crate::git::{self, Base, Change, Opened, Repository, Worktree};
use crate::store::names;

/// How long a scan of the repository may take (SPEC section 7).
const SCAN_TIME: Duration = Duration::from_secs(3);

/// The state of the project at a save.
pub(super) struct Scan {
    pub(super) git: Option<Git>,
    worktree: Worktree,
    changes: Vec<Change>,
    /// Whether the repository's changes could not be listed.
    incomplete: bool,
    pub(super) warnings: Vec<String>,
}

/// The files to record, and whether some had to be left out.
pub(super) struct Chosen {
    pub(super) files: Vec<ModifiedFile>,
    pub(super) truncated: bool,
    pub(super) warning: Option<String>,
}

pub(super) fn scan(context: &Context) -> anyhow::Result<Scan> {
    let root = context.store.root();
    let mut scan = Scan {
        git: None,
        worktree: Worktree::open(root)?,
        changes: Vec::new(),
        incomplete: false,
        warnings: Vec::new(),
    };
    match git::open(root, &context.env, Deadline::after(SCAN_TIME)) {
        Opened::Absent => {}
        Opened::Unreadable(why) => {
            scan.incomplete = true;
            scan.warnings
                .push(format!("saved without git facts: {why}"));
        }
        Opened::Repository(repository) => scan.read(&repository),
    }
    Ok(scan)
}

impl Scan {
    fn read(&mut self, repository: &Repository) {
        match repository.changes() {
            Ok(changes) => {
                let others = changes
                    .into_iter()
                    .filter(|change| !names::owns(&change.path));
                self.changes = others.collect();
            }
            Err(error) => {
                self.incomplete = true;
                self.warnings.push(format!(
                    "saved without the list of changed files: {error:#}"
                ));
            }
        }
        match repository.head() {
            Ok(head) => {
                self.git = head.map(|head| Git {
                    branch: head.branch,
                    head: head.commit,
                    dirty: self.incomplete || !self.changes.is_empty(),
                    ..Git::default()
                });
            }
            Err(error) => self
                .warnings
                .push(format!("saved without branch and HEAD: {error:#}")),
        }
        if !repository.is_ignored(&format!("{}/x.json", names::DIRECTORY)) {
            self.warnings.push(
                "checkpoints are not ignored by git here; add the line `.claude-checkpoint*` to .gitignore".to_owned(),
            );
        }
    }

    /// The files to record: the scan's, those that the agent named, those of the checkpoint that a merge
    /// builds on; hashed as they are now.
    pub(super) fn choose(
        &self,
        named: &[(String, Option<String>)],
        recorded: &[ModifiedFile],
    ) -> Chosen {
        let mut files = Files::default();
        let (changes, rest) = self.latest(named, recorded);
        for change in changes {
            files.add_scanned(change.path.clone(), change.status.clone());
        }
        for (path, note) in named {
            files.add_named(path.clone(), note.clone());
        }
        files.add_recorded(recorded);
        let total = files.len() + rest;
        let over = total > limits::FILES;
        let mut files = files.choose(limits::FILES, |path| self.worktree.modified(path));
        for file in &mut files {
            file.hash = self.worktree.hash(&file.path);
        }
        Chosen {
            files,
            truncated: over || self.incomplete,
            warning: over.then(|| {
                format!(
                    "{} changed, of which {} are recorded: those with a note and the latest",
                    counted(total, "file"),
                    limits::FILES
                )
            }),
        }
    }

    /// The changes that can be among those to record, and how many others there are: for thousands it pays to
    /// part with those others early.
    fn latest(
        &self,
        named: &[(String, Option<String>)],
        recorded: &[ModifiedFile],
    ) -> (Vec<&Change>, usize) {
        if self.changes.len() <= limits::FILES {
            return (self.changes.iter().collect(), 0);
        }
        let named = named.iter().map(|(path, _)| path.as_str());
        let recorded = recorded.iter().map(|file| file.path.as_str());
        let chosen: HashSet<&str> = named.chain(recorded).collect();
        let (mut kept, others): (Vec<&Change>, Vec<&Change>) = self
            .changes
            .iter()
            .partition(|change| chosen.contains(change.path.as_str()));
        let paths: Vec<&str> = others.iter().map(|change| change.path.as_str()).collect();
        let times = self.worktree.all_modified(&paths);
        let mut others: Vec<_> = times.into_iter().map(Reverse).zip(others).collect();
        // Stable, so that equal times leave the order of the paths.
        others.sort_by_key(|(modified, _)| *modified);
        let rest = others.split_off(limits::FILES.min(others.len())).len();
        kept.extend(others.into_iter().map(|(_, change)| change));
        (kept, rest)
    }
}

/// The files that the agent named, by path from the root; with a warning for those outside of it.
pub(super) fn named(
    context: &Context,
    given: Vec<FileUpdate>,
    warnings: &mut Vec<String>,
) -> Vec<(String, Option<String>)> {
    let root = context.store.root();
    let mut inside = Vec::new();
    let mut outside = Vec::new();
    for FileUpdate { path, note } in given {
        match relative(root, &path) {
            Some(relative) if names::owns(&relative) => {}
            Some(relative) => inside.push((relative, note)),
            None => outside.push(path),
        }
    }
    warn_of_outside(&outside, warnings);
    inside
}

/// What the checkpoint recorded that a merge builds on. Other writers may have left paths there that are
/// absolute or lead out of the root; they are treated as those that the agent names.
pub(super) fn carried_over(
    context: &Context,
    recorded: &[ModifiedFile],
    warnings: &mut Vec<String>,
) -> Vec<ModifiedFile> {
    let is_plain = |path: &str| {
        let mut components = Path::new(path).components();
        components.all(|component| matches!(component, Component::Normal(_)))
    };
    let mut inside = Vec::new();
    let mut outside = Vec::new();
    for file in recorded {
        let path = match is_plain(&file.path) {
            true => Some(file.path.clone()),
            false => relative(context.store.root(), &file.path),
        };
        match path {
            Some(path) if names::owns(&path) => {}
            Some(path) => inside.push(ModifiedFile {
                path,
                ..file.clone()
            }),
            None => outside.push(file.path.clone()),
        }
    }
    warn_of_outside(&outside, warnings);
    inside
}

fn warn_of_outside(paths: &[String], warnings: &mut Vec<String>) {
    let paths = paths.iter().map(|path| format!("`{}`", path::shown(path)));
    let paths: Vec<String> = paths.collect();
    if !paths.is_empty() {
        warnings.push(format!(
            "paths outside the project were dropped: {}",
            paths.join(", ")
        ));
    }
}

/// The path from the project root with `/`, after `..` and links; None outside the root.
fn relative(root: &Path, path: &str) -> Option<String> {
    let full = root.join(path);
    // A file that is gone has no links to resolve, so its nearest existing parent stands for it.
    let (existing, resolved) = full
        .ancestors()
        .find_map(|parent| Some((parent, parent.canonicalize().ok()?)))?;
    let mut target: PathBuf = resolved;
    for component in full.strip_prefix(existing).ok()?.components() {
        match component {
            Component::Normal(name) => target.push(name),
            Component::ParentDir => {
                target.pop();
            }
            _ => {}
        }
    }
    let named = full.parent().zip(full.file_name());
    if let Some((parent, name)) = named.filter(|_| full.is_symlink() && target.starts_with(root)) {
        // A link is a file of its own: git records where it points, not what stands there.
        target = parent.canonicalize().ok()?.join(name);
    }
    let parts: Option<Vec<&str>> = target
        .strip_prefix(root)
        .ok()?
        .iter()
        .map(|part| part.to_str())
        .collect();
    let relative = parts?.join("/");
    (!relative.is_empty()).then(|| path::encode(relative.as_bytes()))
}

/// What a load found out.
pub(super) struct Found {
    pub(super) drift: Drift,
    pub(super) warnings: Vec<String>,
}

pub(super) fn drift(context: &Context, saved: &Checkpoint) -> anyhow::Result<Found> {
    let root = context.store.root();
    let worktree = Worktree::open(root)?;
    let mut now = drift::Now {
        hashes: hashes(&worktree, saved),
        ..drift::Now::default()
    };
    let mut warnings = Vec::new();
    match git::open(root, &context.env, Deadline::after(SCAN_TIME)) {
        Opened::Absent => {}
        Opened::Unreadable(why) => warnings.push(format!("git facts are missing: {why}")),
        Opened::Repository(repository) => {
            if let Err(error) = compare(&repository, &worktree, saved, &mut now) {
                warnings.push(format!("git facts are incomplete: {error:#}"));
            }
        }
    }
    Ok(Found {
        drift: Drift::between(saved, now),
        warnings,
    })
}

fn hashes(worktree: &Worktree, saved: &Checkpoint) -> HashMap<String, String> {
    let files = saved.modified_files.iter();
    files
        .filter_map(|file| Some((file.path.clone(), worktree.hash(&file.path)?)))
        .collect()
}

fn history(history: git::History) -> History {
    match history {
        git::History::Ancestor { commits } => History::Ahead {
            commits: commits as u64,
        },
        git::History::Diverged { commits } => History::Diverged {
            commits: commits as u64,
        },
        git::History::Gone => History::Gone,
    }
}

fn compare(
    repository: &Repository,
    worktree: &Worktree,
    saved: &Checkpoint,
    now: &mut drift::Now,
) -> anyhow::Result<()> {
    now.head = repository.head()?.map(|head| drift::Head {
        branch: head.branch,
    });
    let base = match &saved.git {
        Some(git) => {
            now.history = history(repository.commits_since(&git.head)?);
            Base::Commit(&git.head)
        }
        // Only a repository's scan records files by itself, so this was one before its first commit.
        None if saved
            .modified_files
            .iter()
            .any(|file| file.source == Source::Git) =>
        {
            Base::Empty
        }
        None => return Ok(()),
    };
    if now.history == History::Gone {
        return Ok(());
    }
    let changes = repository.changes_since(base)?;
    let paths = changes.into_iter().map(|change| change.path);
    let paths: Vec<String> = paths.filter(|path| !names::owns(path)).collect();
    // Told apart by their times are only those that the save may have dropped.
    let times = match saved.lacks_files() {
        true => worktree.all_modified(&paths.iter().map(String::as_str).collect::<Vec<_>>()),
        false => vec![None; paths.len()],
    };
    let differing = paths.into_iter().zip(times);
    let differing = differing.map(|(path, modified)| Differing { path, modified });
    now.differing = Some(differing.collect());
    Ok(())
}

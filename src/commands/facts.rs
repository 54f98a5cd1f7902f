//! What the project itself says: for a save the state to record, for a load what changed since.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use super::{Context, counted};
use crate::checkpoint::drift::{self, Changed, Differing, Drift, History, How};
use crate::checkpoint::files::Files;
use crate::checkpoint::format::{Checkpoint, FileStatus, Git, ModifiedFile, Source};
use crate::checkpoint::recovered::Standing;
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
        for change in &self.changes {
            files.add_scanned(change.path.clone(), change.status.clone());
        }
        for (path, note) in named {
            files.add_named(path.clone(), note.clone());
        }
        files.add_recorded(recorded);
        let total = files.len();
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
    /// The subjects of the new commits, newest first.
    pub(super) subjects: Vec<String>,
    pub(super) warnings: Vec<String>,
}

/// What changed since a save, with the subjects of at most `subjects` new commits.
pub(super) fn drift(
    context: &Context,
    saved: &Checkpoint,
    subjects: usize,
) -> anyhow::Result<Found> {
    let root = context.store.root();
    let worktree = Worktree::open(root)?;
    let mut now = drift::Now {
        hashes: hashes(&worktree, saved),
        ..drift::Now::default()
    };
    let mut newest = Vec::new();
    let mut warnings = Vec::new();
    match git::open(root, &context.env, Deadline::after(SCAN_TIME)) {
        Opened::Absent => {}
        Opened::Unreadable(why) => warnings.push(format!("git facts are missing: {why}")),
        Opened::Repository(repository) => {
            let compared = compare(&repository, &worktree, saved, &mut now);
            let commit = saved.git.as_ref().filter(|_| subjects > 0);
            let named = compared.and_then(|()| match (commit, now.history) {
                (None, _) | (_, History::Unknown | History::Gone) => Ok(Vec::new()),
                (Some(git), _) => repository.subjects_since(&git.head, subjects),
            });
            match named {
                Ok(named) => newest = named,
                Err(error) => warnings.push(format!("git facts are incomplete: {error:#}")),
            }
        }
    }
    Ok(Found {
        drift: Drift::between(saved, now),
        subjects: newest,
        warnings,
    })
}

/// How the project stands to what a session did that saved nothing.
pub(super) struct Stands {
    /// Every file that the session wrote.
    pub(super) files: Vec<(String, Standing)>,
    pub(super) drift: Drift,
    pub(super) warnings: Vec<String>,
}

/// Compares with the project as it is now: `files` were written by the session, which was on `branch` and
/// last active at `until`.
pub(super) fn standing(
    context: &Context,
    files: &[String],
    branch: Option<&str>,
    until: Option<Timestamp>,
) -> anyhow::Result<Stands> {
    let root = context.store.root();
    let worktree = Worktree::open(root)?;
    let mut warnings = Vec::new();
    let mut head = None;
    let mut uncommitted: Option<HashMap<String, FileStatus>> = None;
    match git::open(root, &context.env, Deadline::after(SCAN_TIME)) {
        Opened::Absent => {}
        Opened::Unreadable(why) => warnings.push(format!("git facts are missing: {why}")),
        Opened::Repository(repository) => {
            head = repository.head().ok().flatten();
            match repository.changes() {
                Ok(changes) => {
                    let changes = changes.into_iter();
                    uncommitted =
                        Some(changes.map(|change| (change.path, change.status)).collect());
                }
                Err(error) => warnings.push(format!("git facts are incomplete: {error:#}")),
            }
        }
    }
    let is_later = |modified: Timestamp| until.is_some_and(|until| modified > until);
    let mut changed: Vec<Changed> = Vec::new();
    let stands = |path: &String| {
        let modified = worktree.modified(path);
        if modified.is_none_or(is_later) {
            let change = match modified {
                Some(_) => How::Modified,
                None => How::Deleted,
            };
            let path = path.clone();
            changed.push(Changed { path, change });
        }
        let status = uncommitted.as_ref().map(|changes| changes.get(path));
        let standing = match (modified, status) {
            (None, _) => Standing::Gone,
            (_, Some(Some(status))) => Standing::Uncommitted(status.clone()),
            (_, Some(None)) => Standing::Committed,
            (_, None) => Standing::Present,
        };
        (path.clone(), standing)
    };
    let files = files.iter().map(stands).collect();
    changed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Stands {
        files,
        drift: Drift {
            branch_changed: head
                .as_ref()
                .zip(branch)
                .map(|(now, then)| now.branch.as_deref() != Some(then)),
            current_branch: head.and_then(|head| head.branch),
            changed_since: changed,
            recorded_only: true,
            ..Drift::default()
        },
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
        commit: head.commit,
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
    let others = changes
        .into_iter()
        .filter(|change| !names::owns(&change.path));
    now.differing = Some(
        others
            .map(|change| Differing {
                modified: worktree.modified(&change.path),
                path: change.path,
                status: change.status,
            })
            .collect(),
    );
    Ok(())
}

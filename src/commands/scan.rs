//! What the project itself says at a save: the state to record.

use std::cell::{OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::time::Duration;

use jiff::Timestamp;

use super::facts::{HASH_TIME, not_looked_into};
use super::project::Survey;
use super::{Context, counted};
use crate::checkpoint::files::{Choice, Files, LeftOut};
use crate::checkpoint::format::{FileStatus, Git, ModifiedFile, Source};
use crate::checkpoint::{fields, markdown, path};
use crate::env::Deadline;
use crate::files::{Hashes, Worktree};
use crate::git::{Change, Repository};
use crate::store::names;
use crate::store::selector::Selector;

/// How long hashing may take for the few files that come up only under the project's lock, which is not to be
/// held for long.
const HASH_TIME_LOCKED: Duration = Duration::from_millis(300);

/// The state of the project at a save.
pub(super) struct Scan {
    pub(super) git: Option<Git>,
    worktree: Worktree,
    repository: Option<Repository>,
    changes: Vec<Change>,
    /// Indexes of the changes, the latest first; found only where there are too many changes.
    by_time: OnceCell<Vec<usize>>,
    hashes: RefCell<Hashes>,
    /// Whether the repository's changes could not be listed.
    incomplete: bool,
    pub(super) warnings: Vec<String>,
}

/// The files to record, and whether some had to be left out.
pub(super) struct Chosen {
    pub(super) files: Vec<ModifiedFile>,
    /// Whether uncommitted files are missing.
    pub(super) truncated: bool,
    /// Whether others are.
    pub(super) dropped: bool,
    pub(super) warnings: Vec<String>,
}

/// The scan of a project that is surveyed.
pub(super) fn scan(survey: Survey) -> Scan {
    let Survey {
        worktree,
        repository,
        fault,
    } = survey;
    let mut scan = Scan {
        git: None,
        worktree,
        repository: None,
        changes: Vec::new(),
        by_time: OnceCell::new(),
        hashes: RefCell::default(),
        incomplete: fault.is_some(),
        warnings: Vec::new(),
    };
    let warning = fault.map(|why| format!("saved without git facts: {why}"));
    scan.warnings.extend(warning);
    if let Some(repository) = repository {
        scan.read(&repository);
        scan.repository = Some(repository);
    }
    scan
}

impl Scan {
    fn read(&mut self, repository: &Repository) {
        match repository.changes() {
            Ok(changes) => {
                let warning = not_looked_into(&changes.unread);
                self.warnings.extend(warning);
                let others = changes
                    .list
                    .into_iter()
                    .filter(|change| !names::owns(&change.path));
                self.changes = others.collect();
            }
            Err(error) => {
                self.incomplete = true;
                self.warnings
                    .push(format!("saved without the list of changed files: {error}"));
            }
        }
        self.git = repository.head().map(|head| Git {
            branch: head.branch.clone(),
            head: head.commit.clone(),
            dirty: self.incomplete || !self.changes.is_empty(),
            ..Git::default()
        });
        self.warnings.extend(repository.caveat().map(str::to_owned));
    }

    /// A warning where git does not ignore the file of a checkpoint.
    pub(super) fn unignored(&self, context: &Context, selector: &Selector) -> Option<String> {
        let file = match selector {
            Selector::Legacy => names::LEGACY_FILE.to_owned(),
            // A new directory keeps itself out.
            _ if context.store.directory().symlink_metadata().is_err() => return None,
            _ if context.store.ignores_itself() => return None,
            Selector::Project | Selector::Session(_) => format!("{}/x.json", names::DIRECTORY),
        };
        let ignored = self.repository.as_ref()?.is_ignored(&file);
        matches!(ignored, Ok(false)).then(|| {
            "checkpoints are not ignored by git here; add the line `.claude-checkpoint*` to .gitignore"
                .to_owned()
        })
    }

    /// Whether a file of the store is part of the repository; None where that cannot be known.
    pub(super) fn is_tracked(&self, file: &str) -> Option<bool> {
        match &self.repository {
            Some(repository) => {
                let tracked = repository.tracked(&[file.to_owned()]).ok()?;
                Some(!tracked.is_empty())
            }
            None => (!self.incomplete).then_some(false),
        }
    }

    /// A warning where git tracks a checkpoint, which the next commit would publish.
    pub(super) fn published(&self, files: &[String]) -> Option<String> {
        let tracked = self.repository.as_ref()?.tracked(files).ok()?;
        let tracked: Vec<String> = tracked.iter().map(|file| format!("`{file}`")).collect();
        (!tracked.is_empty()).then(|| {
            format!(
                "git tracks {} despite `.gitignore`, because its index or HEAD has it: a commit can publish what \
                 this checkpoint holds. Git stops tracking a file once it is taken out of the index",
                tracked.join(" and ")
            )
        })
    }

    /// Hashes what [`Scan::choose`] will most likely choose, so that little is left to hash under the lock.
    pub(super) fn hash_ahead(
        &self,
        named: &[(String, Option<String>)],
        recorded: &[ModifiedFile],
    ) -> anyhow::Result<()> {
        let files = self.candidates(named, recorded).files;
        self.hash(&files, Deadline::after(HASH_TIME))
    }

    /// The files to record: the scan's, those that the agent named, those of the checkpoint that a merge
    /// builds on; hashed as they are now.
    pub(super) fn choose(
        &self,
        named: &[(String, Option<String>)],
        recorded: &[ModifiedFile],
    ) -> anyhow::Result<Chosen> {
        let Choice {
            mut files,
            left_out,
        } = self.candidates(named, recorded);
        self.hash(&files, Deadline::after(HASH_TIME_LOCKED))?;
        let hashes = self.hashes.borrow();
        let mut unhashed = 0;
        for file in &mut files {
            match hashes.get(&file.path) {
                Some(hash) => file.hash.clone_from(hash),
                None => unhashed += 1,
            }
            let path = file.path.clone();
            file.settle(|| self.worktree.modified(&path).is_some());
        }
        let mut warnings = Vec::new();
        let missing: Vec<String> = files
            .iter()
            .filter(|file| file.source != Source::Git && file.status == FileStatus::Deleted)
            .filter(|file| named.iter().any(|(path, _)| *path == file.path))
            .map(|file| markdown::code(&path::shown(&file.path)))
            .collect();
        if !missing.is_empty() {
            warnings.push(format!(
                "{} was named but is not there; check the path",
                missing.join(", ")
            ));
        }
        let LeftOut { changed, others } = left_out;
        if changed > 0 {
            warnings.push(format!(
                "{} changed, of which {} are recorded: those with a note and the latest",
                counted(self.changes.len(), "file"),
                self.changes.len() - changed
            ));
        }
        if others > 0 {
            warnings.push(format!(
                "`modifiedFiles` was full: {} without uncommitted changes were dropped",
                counted(others, "file")
            ));
        }
        if unhashed > 0 {
            warnings.push(format!(
                "{} could not be hashed in time and will count as changed",
                counted(unhashed, "file")
            ));
        }
        Ok(Chosen {
            files,
            truncated: changed > 0 || self.incomplete,
            dropped: others > 0,
            warnings,
        })
    }

    /// Leaves out every change of a file that is not named.
    pub(super) fn keep_only(&mut self, named: &[(String, Option<String>)]) {
        let named: HashSet<&str> = named.iter().map(|(path, _)| path.as_str()).collect();
        self.changes
            .retain(|change| named.contains(change.path.as_str()));
    }

    /// Sets the files back to how a session left them, as far as that can be known: what was written since gets no hash,
    /// and what the session did not name stays as it was recorded.
    pub(super) fn set_back(
        &self,
        chosen: &mut Chosen,
        at: Timestamp,
        named: &[(String, Option<String>)],
        recorded: &[ModifiedFile],
    ) {
        for file in &mut chosen.files {
            if named.iter().any(|(path, _)| *path == file.path) {
                match self.worktree.modified(&file.path) {
                    None => file.status = FileStatus::Deleted,
                    // Clients write down milliseconds.
                    Some(modified) if modified.as_millisecond() > at.as_millisecond() => {
                        file.hash = None;
                    }
                    Some(_) => {}
                }
            } else if let Some(before) = recorded.iter().find(|before| before.path == file.path) {
                file.clone_from(before);
            }
        }
    }

    /// The files to record, without their hashes.
    fn candidates(&self, named: &[(String, Option<String>)], recorded: &[ModifiedFile]) -> Choice {
        let mut files = Files::default();
        let kept = self.latest(named, recorded);
        let rest = self.changes.len() - kept.len();
        for change in kept {
            files.add_scanned(change.path.clone(), change.status.clone());
        }
        for (path, note) in named {
            files.add_named(path.clone(), note.clone());
        }
        files.add_recorded(recorded);
        let mut choice = files.choose(fields::FILES.entries, |path| self.worktree.modified(path));
        choice.left_out.changed += rest;
        choice
    }

    /// The changes that may be recorded. Of thousands the others are sorted out early, which saves time.
    fn latest(
        &self,
        named: &[(String, Option<String>)],
        recorded: &[ModifiedFile],
    ) -> Vec<&Change> {
        if self.changes.len() <= fields::FILES.entries {
            return self.changes.iter().collect();
        }
        let named = named.iter().map(|(path, _)| path.as_str());
        let recorded = recorded.iter().map(|file| file.path.as_str());
        let chosen: HashSet<&str> = named.chain(recorded).collect();
        let is_chosen = |change: &&Change| chosen.contains(change.path.as_str());
        let by_time = self.by_time.get_or_init(|| {
            let times = self.worktree.times(&self.changes, |it| &it.path);
            let mut places: Vec<usize> = (0..times.len()).collect();
            // Stable, so that equal times leave the order of the paths.
            places.sort_by_key(|&at| Reverse(times[at]));
            places
        });
        let others = by_time.iter().map(|&at| &self.changes[at]);
        let others = others
            .filter(|change| !is_chosen(change))
            .take(fields::FILES.entries);
        self.changes
            .iter()
            .filter(is_chosen)
            .chain(others)
            .collect()
    }

    /// Hashes those of the files that are not hashed yet.
    fn hash(&self, files: &[ModifiedFile], deadline: Deadline) -> anyhow::Result<()> {
        let mut hashes = self.hashes.borrow_mut();
        let paths = files.iter().map(|file| file.path.clone());
        let missing = paths.filter(|path| !hashes.contains_key(path)).collect();
        hashes.extend(self.worktree.hashes(missing, deadline)?);
        Ok(())
    }
}

//! Every project on this machine: those that the clients know, and their other working trees (docs/contract.md, section 15a).

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::entries::{self, Entry};
use super::{Context, counted, recover};
use crate::env::{self, Deadline};
use crate::error::failure;
use crate::store::names;
use crate::store::trees::Trees;
use crate::transcript;

/// How many projects are looked at, and for how long.
const PROJECTS: usize = 500;
const TIME: Duration = Duration::from_secs(2);

/// The checkpoints of all projects.
pub(crate) struct Everywhere {
    /// Each with its project; the latest saved first, those that cannot be read last.
    pub(crate) entries: Vec<Entry>,
    pub(crate) warnings: Vec<String>,
}

/// Reads the checkpoints of every project; an error where the user does not want the clients' lists read.
pub(crate) fn entries(context: &Context, recoverable: bool) -> anyhow::Result<Everywhere> {
    let known = transcript::known_projects(&context.env).ok_or_else(|| {
        failure(
            "looking at every project is switched off",
            format!(
                "unset {} to have the clients' own lists of projects read",
                env::TRANSCRIPTS
            ),
        )
    })?;
    let deadline = Deadline::after(TIME);
    let mut seen = HashSet::new();
    let mut projects: Vec<PathBuf> = Vec::new();
    let mut gone = 0;
    for folder in std::iter::once(context.store.root().to_owned()).chain(known) {
        if !folder.is_dir() {
            gone += 1;
            continue;
        }
        // The tops of working trees can be projects although no client knows them.
        let trees = Trees::around(&folder);
        let found = std::iter::once(folder).chain(trees.tops().iter().cloned());
        projects.extend(found.filter(|folder| seen.insert(folder.clone())));
    }
    let mut everywhere = Everywhere {
        entries: Vec::new(),
        warnings: Vec::new(),
    };
    let mut left = projects.len();
    let mut unreadable = 0;
    for root in projects.iter().take(PROJECTS) {
        if deadline.has_passed() {
            break;
        }
        left -= 1;
        if !recoverable && names::survey(root).count == 0 {
            continue;
        }
        match of_project(context, root, recoverable) {
            Ok(entries) => everywhere.entries.extend(entries),
            Err(_) => unreadable += 1,
        }
    }
    entries::newest_first(&mut everywhere.entries);
    let counts = [
        (left, "were not looked at"),
        (unreadable, "could not be read"),
        (gone, "are gone"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0);
    everywhere.warnings = told
        .map(|(count, what)| format!("{} that the clients know {what}", counted(*count, "folder")))
        .collect();
    Ok(everywhere)
}

fn of_project(context: &Context, root: &Path, recoverable: bool) -> anyhow::Result<Vec<Entry>> {
    let context = context.at(root)?;
    let root = context.store.root().display().to_string();
    let project = context.project_name();
    let mut entries = entries::bare(&context)?;
    if recoverable {
        entries.extend(recover::entries(&context).entries);
    }
    for entry in &mut entries {
        entry.project = Some(project.clone());
        entry.project_root = Some(root.clone());
    }
    Ok(entries)
}

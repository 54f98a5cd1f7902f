//! The stores around a folder: the nearest above it, and those of the same repository (docs/contract.md, section 2).

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::names::{self, DIRECTORY, LEGACY_FILE, Survey};
use super::trees::{self, Trees};
use crate::checkpoint::time;
use crate::env::Env;

/// A store beside that of a project.
#[derive(Debug)]
pub(crate) struct Nearby {
    pub(crate) root: PathBuf,
    pub(crate) survey: Survey,
}

impl Nearby {
    pub(crate) fn at(root: PathBuf) -> Self {
        let survey = names::survey(&root);
        Self { root, survey }
    }

    /// How many checkpoints it has, and when the newest was saved.
    pub(crate) fn summary(&self, now: Timestamp) -> String {
        let saved = self.survey.newest.and_then(|it| it.try_into().ok());
        let saved = saved.map(|newest: Timestamp| time::saved(newest.min(now), now));
        match (self.survey.count, saved) {
            (1, Some(saved)) => format!("1 checkpoint ({saved})"),
            (1, None) => "1 checkpoint".to_owned(),
            (count, Some(saved)) => format!("{count} checkpoints (the newest {saved})"),
            (count, None) => format!("{count} checkpoints"),
        }
    }
}

/// The nearest folder with a store above one that has none; up to the top of the working tree, or outside a repository up to
/// the home folder, which is left out.
pub(crate) fn nearest(env: &Env, folder: &Path) -> Option<PathBuf> {
    if has_store(folder) {
        return None;
    }
    // Where no repository says how far a project reaches, anybody may have made a store further up, such as in /tmp.
    let is_of_repository = trees::top(folder).is_some();
    let mut above = above(env, folder).into_iter();
    let nearest = above.find(|folder| has_store(folder))?;
    (is_of_repository || is_own(nearest)).then(|| nearest.to_owned())
}

/// The other stores of the repository around a folder: above it, in other working trees, and in `below`, which may name any
/// folder of it. The latest saved first; none outside a repository.
pub(crate) fn stores(root: &Path, below: &[PathBuf]) -> Vec<Nearby> {
    /// How many folders are looked at.
    const MOST: usize = 20;
    let trees = Trees::around(root);
    let Some(top) = trees.own() else {
        return Vec::new();
    };
    // What is a project in one working tree may be one in another.
    let inside = root.strip_prefix(top).unwrap_or(Path::new(""));
    let above = root.ancestors().skip(1);
    let above = above.take_while(|folder| folder.starts_with(top));
    let others = trees.tops().iter();
    let others = others.flat_map(|other| [other.clone(), other.join(inside)]);
    let below = below.iter().filter(|folder| trees.hold(folder)).cloned();
    let mut seen = HashSet::from([root.to_owned()]);
    let folders = above.map(Path::to_owned).chain(others).chain(below);
    // Joining nothing ends a path with a separator.
    let folders = folders.map(|folder| folder.components().collect::<PathBuf>());
    let folders = folders.filter(|folder| seen.insert(folder.clone()));
    let mut stores: Vec<Nearby> = folders
        .take(MOST)
        .map(Nearby::at)
        .filter(|store| store.survey.count > 0)
        .collect();
    // git may write a path down that leads through a link.
    let mut seen = HashSet::from([root.to_owned()]);
    stores.retain(|store| {
        let resolved = store.root.canonicalize();
        resolved.is_ok_and(|root| seen.insert(root))
    });
    stores.sort_by_key(|store| Reverse(store.survey.newest));
    stores
}

/// The folders above one in which its store may be, the nearest first.
fn above<'a>(env: &Env, folder: &'a Path) -> Vec<&'a Path> {
    let home = env.home().and_then(|home| home.canonicalize().ok());
    let top = trees::top(folder);
    let reaches = |above: &Path| match top {
        Some(top) => above.starts_with(top),
        None => Some(above) != home.as_deref(),
    };
    let reached = folder.ancestors().take_while(|above| reaches(above));
    reached.skip(1).collect()
}

fn has_store(folder: &Path) -> bool {
    let is = |name: &str, is: fn(&fs::Metadata) -> bool| {
        let metadata = fs::symlink_metadata(folder.join(name));
        metadata.is_ok_and(|metadata| is(&metadata))
    };
    is(DIRECTORY, fs::Metadata::is_dir)
        || is(LEGACY_FILE, fs::Metadata::is_file)
        || is(&names::backup_name(LEGACY_FILE), fs::Metadata::is_file)
}

/// Whether what a folder keeps of sessions belongs to whoever runs this.
#[cfg(unix)]
fn is_own(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let own = rustix::process::geteuid().as_raw();
    let files = [DIRECTORY, LEGACY_FILE].into_iter();
    let found = files.filter_map(|name| fs::symlink_metadata(folder.join(name)).ok());
    found.into_iter().all(|metadata| metadata.uid() == own)
}

#[cfg(not(unix))]
fn is_own(_folder: &Path) -> bool {
    true
}

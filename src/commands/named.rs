//! The paths that an agent named, or another writer recorded: by path from the root, and none outside of it.

use std::path::{Component, Path, PathBuf};

use super::Context;
use crate::checkpoint::edits::FileEdit;
use crate::checkpoint::format::ModifiedFile;
use crate::checkpoint::path;
use crate::files;
use crate::store::names;

/// The files that the agent named, by path from the root; with a warning for those outside of it.
pub(super) fn named(
    context: &Context,
    given: Vec<FileEdit>,
    warnings: &mut Vec<String>,
) -> Vec<(String, Option<String>)> {
    let root = context.store.root();
    let mut inside = Vec::new();
    let mut outside = Vec::new();
    for FileEdit { path, note } in given {
        match relative(root, &path) {
            Some(relative) if names::owns(&relative) => {}
            Some(relative) => inside.push((relative, note)),
            None if root
                .join(&path)
                .canonicalize()
                .is_ok_and(|path| path == root) =>
            {
                warnings.push(format!(
                    "`{}` is the project itself, not a file of it, and was left out",
                    path::shown(&path)
                ));
            }
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

/// The path from the project root with `/`, after `..` and links; None outside the root. A path that is quoted as a brief
/// shows it stands for the file that is meant, unless there is one of that very name.
fn relative(root: &Path, given: &str) -> Option<String> {
    let literal = root.join(given);
    let full = match path::from_shown(given) {
        Some(_) if literal.symlink_metadata().is_err() => root.join(files::names::to_path(given)?),
        _ => literal,
    };
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
    path::below(root, &target)
}

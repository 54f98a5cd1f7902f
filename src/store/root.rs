//! The project root: the directory whose checkpoints are handled (docs/contract.md, section 2).

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::names::DIRECTORY;
use super::nearby;
use crate::env::{self, Env};
use crate::error::{failure, quoted};

/// The project root.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) folder: PathBuf,
    /// Whether it is above the working directory, and meant for its store.
    pub(crate) is_above: bool,
}

/// What says which directory is the project's.
#[derive(Debug, Default)]
pub(crate) struct Sources<'a> {
    /// The argument, with its name in an error.
    pub(crate) argument: (&'a str, Option<&'a Path>),
    pub(crate) client_root: Option<&'a Path>,
    /// Where a server was started.
    pub(crate) started_in: Option<&'a Path>,
    /// Whether the nearest store above a working directory without one is meant.
    pub(crate) looks_above: bool,
}

/// Takes the first that applies: the argument, `CHECKPOINT_PROJECT_ROOT`, the client's root, where a server was
/// started, the working directory. The first two must be absolute paths of existing directories; of the others one
/// that is none is passed over. Symbolic links are resolved. A folder inside `.git` or inside a store is refused.
pub(crate) fn resolve(env: &Env, sources: &Sources<'_>) -> anyhow::Result<Root> {
    let root = first(env, sources)?;
    if let Some((inside, project)) = meant_instead(&root) {
        return Err(failure(
            format!(
                "cannot use `{}` as a project: it is inside a `{inside}` folder",
                root.display()
            ),
            format!(
                "the project is probably `{}`: name that one",
                project.display()
            ),
        ));
    }
    let is_named = sources.argument.1.is_some() || env.os_var(env::PROJECT_ROOT).is_some();
    let above = match sources.looks_above && !is_named {
        true => nearby::nearest(env, &root),
        false => None,
    };
    Ok(Root {
        is_above: above.is_some(),
        folder: above.unwrap_or(root),
    })
}

fn first(env: &Env, sources: &Sources<'_>) -> anyhow::Result<PathBuf> {
    let Sources {
        argument: (name, argument),
        client_root,
        started_in,
        looks_above: _,
    } = *sources;
    if let Some(path) = argument {
        let hint =
            "pass the path of a directory that exists, or leave it out for the working directory";
        return directory(path).map_err(|why| unusable(name, path, &why, hint));
    }
    if let Some(path) = env.os_var(env::PROJECT_ROOT).map(Path::new) {
        let name = format!("the variable {}", env::PROJECT_ROOT);
        let hint = "set it to the absolute path of a directory that exists, or unset it";
        return directory(path).map_err(|why| unusable(&name, path, &why, hint));
    }
    if let Some(root) = client_root.and_then(|path| directory(path).ok()) {
        return Ok(root);
    }
    if let Some(root) = started_in.and_then(|path| directory(path).ok()) {
        return Ok(root);
    }
    match &env.cwd {
        Some(path) => directory(path)
            .with_context(|| format!("cannot use the working directory `{}`", path.display())),
        None => bail!(failure(
            "the working directory no longer exists or may not be read",
            format!("name the project with {name}")
        )),
    }
}

/// The name of a folder that holds no projects and that this one is, or is inside of, with the folder that it is in.
fn meant_instead(root: &Path) -> Option<(&'static str, &Path)> {
    const INSIDE: [&str; 2] = [".git", DIRECTORY];
    let folders = root.ancestors().filter_map(|folder| {
        let name = folder.file_name()?.to_str()?;
        let inside = INSIDE
            .into_iter()
            .find(|it| name.eq_ignore_ascii_case(it))?;
        Some((inside, folder.parent()?))
    });
    folders.last()
}

fn unusable(what: &str, path: &Path, why: &anyhow::Error, hint: &str) -> anyhow::Error {
    let path = quoted(&path.display().to_string());
    failure(
        format!("{what} names `{path}`, which cannot be used: {why}"),
        hint,
    )
}

fn directory(path: &Path) -> anyhow::Result<PathBuf> {
    if !path.is_absolute() {
        bail!("it is not an absolute path");
    }
    let resolved = path.canonicalize()?;
    if !resolved.metadata()?.is_dir() {
        bail!("it is not a directory");
    }
    Ok(resolved)
}

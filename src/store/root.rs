//! The project root: the directory whose checkpoints are handled (docs/contract.md, section 2).

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::names::DIRECTORY;
use crate::checkpoint::text::{QUOTED, shortened};
use crate::env::{self, Env};
use crate::error::failure;

/// Takes the first that applies: the argument, `CHECKPOINT_PROJECT_ROOT`, the client's root, where a server was
/// started, the working directory. The first two must be absolute paths of existing directories; of the others one
/// that is none is passed over. Symbolic links are resolved. A folder inside `.git` or inside a store is refused.
/// `name` is the argument's in an error.
pub(crate) fn resolve(
    env: &Env,
    argument: (&str, Option<&Path>),
    client_root: Option<&Path>,
    started_in: Option<&Path>,
) -> anyhow::Result<PathBuf> {
    let root = first(env, argument, client_root, started_in)?;
    match meant_instead(&root) {
        None => Ok(root),
        Some((inside, project)) => Err(failure(
            format!(
                "cannot use `{}` as a project: it is inside a `{inside}` folder",
                root.display()
            ),
            format!(
                "the project is probably `{}`: name that one",
                project.display()
            ),
        )),
    }
}

fn first(
    env: &Env,
    (name, argument): (&str, Option<&Path>),
    client_root: Option<&Path>,
    started_in: Option<&Path>,
) -> anyhow::Result<PathBuf> {
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
    let path = shortened(&path.display().to_string(), QUOTED);
    failure(
        format!("cannot use `{path}`, which {what} holds: {why}"),
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

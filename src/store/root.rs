//! The project root: the directory whose checkpoints are handled (SPEC section 2).

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::env::{self, Env};

/// Takes the first that applies: the argument, `CHECKPOINT_PROJECT_ROOT`, the client's root, the working
/// directory. The first two must be absolute paths of existing directories; a client's root that is none
/// is passed over. Symbolic links are resolved.
pub(crate) fn resolve(
    env: &Env,
    argument: Option<&Path>,
    client_root: Option<&Path>,
) -> anyhow::Result<PathBuf> {
    if let Some(path) = argument {
        return directory(path).with_context(|| unusable("the project root argument", path));
    }
    if let Some(path) = env.os_var(env::PROJECT_ROOT).map(Path::new) {
        let name = format!("the variable {}", env::PROJECT_ROOT);
        return directory(path).with_context(|| unusable(&name, path));
    }
    if let Some(root) = client_root.and_then(|path| directory(path).ok()) {
        return Ok(root);
    }
    match &env.cwd {
        Some(path) => directory(path).with_context(|| unusable("the working directory", path)),
        None => bail!("the working directory no longer exists or may not be read"),
    }
}

fn unusable(what: &str, path: &Path) -> String {
    format!("cannot use `{}`, which {what} holds", path.display())
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

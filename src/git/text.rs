//! Paths between the three forms that they have here: bytes in git, [`Path`] on disk, text in a checkpoint.

use std::path::{Path, PathBuf};

use crate::checkpoint::path;

/// The path on disk that a checkpoint's text stands for; None where this system has no such name.
pub(crate) fn to_path(text: &str) -> Option<PathBuf> {
    let bytes = path::decode(text);
    let path = from_git(&bytes)?;
    (!bytes.is_empty() && !bytes.contains(&0)).then(|| path.to_owned())
}

/// The path on disk that git's bytes stand for (`/` between the parts).
#[cfg(unix)]
pub(super) fn from_git(bytes: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;
    Some(Path::new(std::ffi::OsStr::from_bytes(bytes)))
}

/// The path on disk that git's bytes stand for (`/` between the parts).
#[cfg(not(unix))]
pub(super) fn from_git(bytes: &[u8]) -> Option<&Path> {
    std::str::from_utf8(bytes).ok().map(Path::new)
}

/// A path's bytes as the system has them; None where they are no Unicode on a system that wants it.
pub(super) fn bytes_of(path: &Path) -> Option<Vec<u8>> {
    let is_known = cfg!(unix) || path.to_str().is_some();
    is_known.then(|| path.as_os_str().as_encoded_bytes().to_vec())
}

/// A relative path's bytes as git has them.
pub(super) fn to_git(path: &Path) -> Option<Vec<u8>> {
    let parts: Option<Vec<Vec<u8>>> = path
        .components()
        .map(|part| bytes_of(part.as_ref()))
        .collect();
    Some(parts?.join(&b'/'))
}

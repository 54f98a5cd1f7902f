//! Paths between the three forms that they have: bytes in git, [`Path`] on disk, text in a checkpoint.

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
pub(crate) fn from_git(bytes: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;
    Some(Path::new(std::ffi::OsStr::from_bytes(bytes)))
}

/// The path on disk that git's bytes stand for (`/` between the parts).
#[cfg(not(unix))]
pub(crate) fn from_git(bytes: &[u8]) -> Option<&Path> {
    std::str::from_utf8(bytes).ok().map(Path::new)
}

/// A path's bytes as the system has them; None where they are no Unicode on a system that wants it.
pub(super) fn bytes_of(path: &Path) -> Option<Vec<u8>> {
    let is_known = cfg!(unix) || path.to_str().is_some();
    is_known.then(|| path.as_os_str().as_encoded_bytes().to_vec())
}

/// The way from a folder to one in it, in git's bytes with a final `/`; empty where they are the same, None where it leads
/// out.
pub(crate) fn prefix(top: &Path, folder: &Path) -> Option<Vec<u8>> {
    let parts = folder.strip_prefix(top).ok()?.components();
    let parts = parts.map(|part| Some([&bytes_of(part.as_ref())?, &b"/"[..]].concat()));
    parts
        .collect::<Option<Vec<_>>>()
        .map(|parts| parts.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_into_a_folder_ends_with_a_slash_unless_it_is_empty() {
        let way = |folder: &str| prefix(Path::new("/a"), Path::new(folder));
        assert_eq!(way("/a"), Some(Vec::new()));
        assert_eq!(way("/a/b/c"), Some(b"b/c/".to_vec()));
        assert_eq!(way("/ab"), None);
    }
}

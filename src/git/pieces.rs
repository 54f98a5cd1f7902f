//! The files of a repository that are read as a whole, looked at before anything reads them.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Bytes that such a file may have: several times what the largest repositories known need for their index.
const LARGEST: u64 = 1 << 29;
/// Bytes of a file that names a folder or a reference.
const NAME: u64 = 1 << 13;

/// Why the repository around a folder must not be read: a device or a file without end in the place of one of its
/// own would fill the memory before any deadline.
pub(super) fn fault(root: &Path) -> Option<String> {
    let mut places = root.ancestors().map(|folder| folder.join(".git"));
    let place = places.find(|place| fs::symlink_metadata(place).is_ok())?;
    let own = match place.is_dir() {
        true => place,
        false => named(&place, "gitdir: ")?,
    };
    let common = named(&own.join("commondir"), "").unwrap_or_else(|| own.clone());
    let mut files: Vec<PathBuf> = [
        "HEAD",
        "commondir",
        "config.worktree",
        "index",
        "reftable/tables.list",
    ]
    .map(|name| own.join(name))
    .into();
    files.extend(
        [
            "config",
            "packed-refs",
            "shallow",
            "info/attributes",
            "info/exclude",
            "info/grafts",
            "objects/info/alternates",
            "reftable/tables.list",
        ]
        .map(|name| common.join(name)),
    );
    if let Some(reference) = files.first().and_then(|head| text(head)) {
        let name = reference.strip_prefix("ref: ").map(str::trim_end);
        files.extend(name.map(|name| common.join(name)));
    }
    let faulty = files.iter().find(|file| is_faulty(file))?;
    let name = faulty.strip_prefix(&common).unwrap_or(faulty);
    Some(format!(
        "`{}` of git's is not a file, or larger than {LARGEST} bytes",
        name.display()
    ))
}

fn is_faulty(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|it| !it.is_dir() && (!it.is_file() || it.len() > LARGEST))
}

/// The folder that a file names after a prefix, from where the file is (gitrepository-layout(5)).
fn named(file: &Path, prefix: &str) -> Option<PathBuf> {
    let text = text(file)?;
    let name = text.strip_prefix(prefix)?.trim_end();
    Some(file.parent()?.join(name))
}

/// The text of a small regular file.
fn text(file: &Path) -> Option<String> {
    let metadata = fs::metadata(file).ok()?;
    if !metadata.is_file() || metadata.len() > NAME {
        return None;
    }
    let mut text = String::new();
    let file = File::open(file).ok()?;
    file.take(NAME).read_to_string(&mut text).ok()?;
    Some(text)
}

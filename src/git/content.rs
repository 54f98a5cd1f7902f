//! Content behind a conversion that libgit2 does not make: filter drivers and working-tree encodings.

use std::path::Path;

use git2::{AttrCheckFlags, AttrValue, Index, Oid};

use super::hash::{self, Format};
use super::libgit2::Reader;
use super::text;

/// Bytes up to which a file in another encoding is converted.
const CONVERTED: u64 = 16 * 1024 * 1024;

/// Whether a file that libgit2 takes for another than the blob `id` is that blob all the same.
///
/// git-lfs pointers are computed, and UTF-16 and Latin-1 are decoded. Behind any other driver or encoding
/// a file counts as unchanged while it has the size and modification time that the index noted, and else
/// as changed: a file read once more costs less than one wrongly trusted. No driver is ever run.
pub(super) fn is_same(reader: &Reader, index: &Index, path: &[u8], id: Oid) -> bool {
    let Some(name) = text::indexed(path) else {
        return false;
    };
    let filter = attribute(reader, &name, "filter");
    let encoding = attribute(reader, &name, "working-tree-encoding");
    match (filter.as_deref(), encoding.as_deref()) {
        (Some("lfs"), None) => is_lfs_file(reader, &name, id),
        (Some(driver), _) if is_configured(reader, driver) => {
            is_untouched(reader, index, &name, id)
        }
        (_, Some(encoding)) => match decoded(reader, &name, encoding) {
            Some(text) => {
                let id = id.to_string();
                let blob = |text: &str| Format::of(&id).blob(text.as_bytes()) == id;
                blob(&text) || blob(&text.replace("\r\n", "\n"))
            }
            None => is_untouched(reader, index, &name, id),
        },
        (_, None) => false,
    }
}

fn attribute(reader: &Reader, path: &Path, name: &str) -> Option<String> {
    let value = reader
        .repository
        .get_attr(path, name, AttrCheckFlags::FILE_THEN_INDEX);
    match AttrValue::from_string(value.ok()?) {
        AttrValue::String(value) => Some(value.to_owned()),
        _ => None,
    }
}

/// Whether git would run something for a driver; where it would not, content passes as it is.
fn is_configured(reader: &Reader, driver: &str) -> bool {
    reader.repository.config().is_ok_and(|config| {
        ["clean", "process"].iter().any(|kind| {
            let value = config.get_string(&format!("filter.{driver}.{kind}"));
            value.is_ok_and(|command| !command.is_empty())
        })
    })
}

fn is_lfs_file(reader: &Reader, path: &Path, id: Oid) -> bool {
    let Some((file, len)) = reader.worktree.open_file(path) else {
        return false;
    };
    // A stored pointer names the size, which spares the reading of a file of another one.
    let stored = reader.repository.find_blob(id);
    if stored.is_ok_and(|blob| !blob.content().ends_with(format!("size {len}\n").as_bytes())) {
        return false;
    }
    let id = id.to_string();
    matches!(
        hash::lfs_pointer(file, len),
        Ok(Some(pointer)) if Format::of(&id).blob(pointer.as_bytes()) == id
    )
}

/// Whether a file has the size and the modification time that the index noted for the blob `id`.
fn is_untouched(reader: &Reader, index: &Index, path: &Path, id: Oid) -> bool {
    let Some(entry) = index.get_path(path, 0).filter(|entry| entry.id == id) else {
        return false;
    };
    let Some((file, len)) = reader.worktree.open_file(path) else {
        return false;
    };
    let Ok(modified) = file.metadata().and_then(|metadata| metadata.modified()) else {
        return false;
    };
    let Ok(modified) = jiff::Timestamp::try_from(modified.into_std()) else {
        return false;
    };
    // The index keeps the size modulo 2^32, and no nanoseconds where git was built without them.
    let (seconds, nanoseconds) = (entry.mtime.seconds(), entry.mtime.nanoseconds());
    len as u32 == entry.file_size
        && modified.as_second() as i32 == seconds
        && (nanoseconds == 0 || i64::from(modified.subsec_nanosecond()) == i64::from(nanoseconds))
}

/// A file's text by the name of its encoding (gitattributes(5)); None where it is another or does not fit.
fn decoded(reader: &Reader, path: &Path, encoding: &str) -> Option<String> {
    let bytes = reader.worktree.read(path, CONVERTED)?;
    let name: String = encoding
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let (bytes, little): (&[u8], bool) = match (name.as_str(), bytes.as_slice()) {
        ("iso88591" | "latin1", bytes) => {
            return Some(bytes.iter().copied().map(char::from).collect());
        }
        ("utf16" | "utf16lebom", [0xff, 0xfe, rest @ ..]) => (rest, true),
        ("utf16", [0xfe, 0xff, rest @ ..]) => (rest, false),
        ("utf16le", bytes) => (bytes, true),
        ("utf16be", bytes) => (bytes, false),
        _ => return None,
    };
    let (units, []) = bytes.as_chunks::<2>() else {
        return None;
    };
    let unit = |pair: &[u8; 2]| match little {
        true => u16::from_le_bytes(*pair),
        false => u16::from_be_bytes(*pair),
    };
    char::decode_utf16(units.iter().map(unit))
        .collect::<Result<_, _>>()
        .ok()
}

//! Files of a project by path: their kinds, times and content hashes, read within bounds and without waiting for anybody.
//!
//! Nothing here knows git but for the form of its blob ids, which are the hashes of a checkpoint.

pub(crate) mod hash;
mod hashes;
pub(crate) mod names;
mod worktree;

use std::fs::{self, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::ambient_authority;
use cap_std::fs::{File, OpenOptions};
pub(crate) use hashes::{Hashes, Hashing};
pub(crate) use worktree::{Found, Worktree, is_executable, modified};

/// A regular file of at most `limit` bytes; None where it is anything else. What became a FIFO meanwhile is not waited for.
pub(crate) fn open(file: &Path, limit: u64) -> io::Result<Option<fs::File>> {
    let is_fine = |metadata: Metadata| metadata.is_file() && metadata.len() <= limit;
    // A device can do anything when it is opened.
    if !is_fine(fs::metadata(file)?) {
        return Ok(None);
    }
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    let file = File::open_ambient_with(file, &options, ambient_authority())?.into_std();
    Ok(is_fine(file.metadata()?).then_some(file))
}

/// The content of a file that [`open`] opens.
pub(crate) fn read(file: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open(file, limit)? else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

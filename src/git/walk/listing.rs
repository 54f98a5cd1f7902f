//! What is in one folder: names and kinds, as the system lists them.

use std::ffi::CStr;
use std::ops::Range;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, FileType, RawDir, statat};

/// Bytes for the names that the system hands out at a time.
const NAMES: usize = 32 * 1024;

/// The names in a folder, and room for those of the next.
#[derive(Default)]
pub(super) struct Listing {
    buffer: Vec<u8>,
    /// Names, each ended by NUL.
    pub(super) names: Vec<u8>,
    pub(super) items: Vec<Item>,
}

pub(super) struct Item {
    pub(super) name: Range<usize>,
    /// What the name begins with; it decides most comparisons.
    beginning: u64,
    pub(super) kind: FileType,
    /// Whether the index has a file or a submodule of this name.
    pub(super) tracked: bool,
}

impl Listing {
    /// Takes the names of a folder in place of those that were there.
    pub(super) fn read(&mut self, dir: &OwnedFd) -> rustix::io::Result<()> {
        let Self {
            buffer,
            names,
            items,
        } = self;
        names.clear();
        items.clear();
        buffer.reserve(NAMES);
        let mut entries = RawDir::new(dir, buffer.spare_capacity_mut());
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not tell.
                FileType::Unknown => match statat(dir, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                    Err(_) => continue,
                },
                kind => kind,
            };
            let start = names.len();
            names.extend_from_slice(name.to_bytes_with_nul());
            items.push(Item {
                name: start..names.len() - 1,
                beginning: beginning(name.to_bytes()),
                kind,
                tracked: false,
            });
        }
        let name = |item: &Item| &names[item.name.clone()];
        items.sort_unstable_by(|a, b| {
            let beginnings = a.beginning.cmp(&b.beginning);
            beginnings.then_with(|| name(a).cmp(name(b)))
        });
        Ok(())
    }

    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        let names = |item: &Item| self.names[item.name.clone()].cmp(name);
        self.items.binary_search_by(names).ok()
    }

    /// [`Listing::find`], which is quick where the name is the next one after those found so far.
    pub(super) fn find_next(&self, name: &[u8], next: &mut usize) -> Option<usize> {
        let here = self.items.get(*next);
        let found = match here.is_some_and(|item| &self.names[item.name.clone()] == name) {
            true => Some(*next),
            false => self.find(name),
        };
        *next = found.map_or(*next, |found| found + 1);
        found
    }

    pub(super) fn c_name(&self, item: &Item) -> &CStr {
        let name = &self.names[item.name.start..=item.name.end];
        CStr::from_bytes_with_nul(name).unwrap_or_default()
    }
}

/// The first bytes of a name as a number, which is less where they come first. A name has no NUL in it, so that the end
/// of a short one comes before everything.
fn beginning(name: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = name.len().min(bytes.len());
    bytes[..length].copy_from_slice(&name[..length]);
    u64::from_be_bytes(bytes)
}

//! git's index file read as it stands, without its checksum (gitformat-index(5)).
//!
//! libgit2 takes half of git's whole `status` to load a large index. A scan looks at most entries once, for
//! which the bytes of the file do. What this does not know is left to libgit2.

mod entry;
mod tree;

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::submodule::MODULES;
pub(super) use entry::{Entry, Time};
pub(super) use tree::CachedTree;

/// Among its flags: there are extended ones.
const EXTENDED: u16 = 0x4000;
const NAME_LENGTH: u16 = 0x0fff;
/// Bytes of an entry before its flags.
const FIXED: usize = 60;
/// Bytes of a SHA-1 object id, and of the checksum at the end.
const ID: usize = 20;

/// The entries of an index, in git's order: by name, then by stage.
#[derive(Debug)]
pub(super) struct RawIndex {
    bytes: Vec<u8>,
    /// The names of version 4, where the file has only what each does not share with the one before.
    names: Option<Vec<u8>>,
    places: Vec<Place>,
    /// Submodules and files of attributes and of submodules' settings, which are looked up beside what is compared.
    pub(super) beside: Vec<usize>,
    tree: Option<Range<usize>>,
    /// When the file was written.
    pub(super) written: Time,
    /// What tells the file from one that took its place; None where there was no file.
    stamp: Option<Stamp>,
}

/// Inode, length and change time.
type Stamp = (u64, u64, i64, i64);

#[derive(Debug)]
struct Place {
    /// Where the entry starts in the file.
    entry: usize,
    name: Range<usize>,
}

/// What a folder has in the index under one name; file and folder can share one in a conflict.
#[derive(Debug, Clone)]
pub(super) enum Group<'a> {
    /// The stages of one file.
    File(&'a [u8], Range<usize>),
    Folder(&'a [u8], Range<usize>),
}

impl RawIndex {
    /// None where the file is of a kind that is not known here. No file is an empty index.
    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        let mut file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Some(Self::empty())),
            file => file?,
        };
        let metadata = file.metadata()?;
        let written = metadata.modified()?.duration_since(UNIX_EPOCH);
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0) + 1);
        file.read_to_end(&mut bytes)?;
        let Ok(written) = written else {
            return Ok(None);
        };
        let written = Time {
            seconds: written.as_secs() as u32,
            nanoseconds: written.subsec_nanos(),
        };
        let index = Self::parse(bytes, written);
        Ok(index.map(|index| Self {
            stamp: Some(stamp(&metadata)),
            ..index
        }))
    }

    /// Whether the file is still the one that was read: git replaces it and never writes into it.
    pub(super) fn is_from(&self, path: &Path) -> bool {
        std::fs::metadata(path).is_ok_and(|metadata| Some(stamp(&metadata)) == self.stamp)
    }

    fn empty() -> Self {
        Self {
            bytes: Vec::new(),
            names: None,
            places: Vec::new(),
            beside: Vec::new(),
            tree: None,
            written: Time {
                seconds: 0,
                nanoseconds: 0,
            },
            stamp: None,
        }
    }

    fn parse(bytes: Vec<u8>, written: Time) -> Option<Self> {
        let end = bytes.len().checked_sub(ID)?;
        let version = word(&bytes, 4)?;
        if bytes.get(..4)? != b"DIRC" || !(2..=4).contains(&version) {
            return None;
        }
        let count = word(&bytes, 8)? as usize;
        let mut names = (version == 4).then(Vec::new);
        let mut places: Vec<Place> = Vec::with_capacity(count.min(end / FIXED));
        let mut at = 12;
        for _ in 0..count {
            let flags = half(&bytes, at + FIXED)?;
            let start = at + FIXED + if flags & EXTENDED == 0 { 2 } else { 4 };
            let (name, next) = match &mut names {
                None => {
                    let length = match flags & NAME_LENGTH {
                        NAME_LENGTH => bytes.get(start..end)?.iter().position(|&byte| byte == 0)?,
                        length => usize::from(length),
                    };
                    // At least one NUL ends the name and fills up to a multiple of eight.
                    let size = start + length - at;
                    (start..start + length, at + size + 8 - size % 8)
                }
                Some(names) => {
                    let (dropped, start) = number(&bytes, start)?;
                    let last = places.last().map_or(0..0, |place| place.name.clone());
                    let shared = last.start..last.end.checked_sub(dropped)?;
                    let length = bytes.get(start..end)?.iter().position(|&byte| byte == 0)?;
                    let from = names.len();
                    (shared.start <= shared.end).then_some(())?;
                    names.extend_from_within(shared);
                    names.extend_from_slice(&bytes[start..start + length]);
                    (from..names.len(), start + length + 1)
                }
            };
            if next > end {
                return None;
            }
            places.push(Place { entry: at, name });
            at = next;
        }
        let mut index = Self {
            bytes,
            names,
            places,
            beside: Vec::new(),
            tree: None,
            written,
            stamp: None,
        };
        index.tree = tree::place(&index.bytes, at, end)?;
        index.beside = index.surveyed()?;
        Some(index)
    }

    /// [`RawIndex::beside`]; None unless the entries are in order, each with a path that a file can have.
    fn surveyed(&self) -> Option<Vec<usize>> {
        let mut beside = Vec::new();
        let mut last = None;
        for at in 0..self.len() {
            let entry = self.get(at)?;
            let this = Some((entry.path, entry.stage()));
            let is_path =
                !matches!(entry.path, [] | [b'/', ..]) && memchr::memchr(0, entry.path).is_none();
            if last >= this || !is_path {
                return None;
            }
            last = this;
            if entry.is_gitlink()
                || entry.path.ends_with(b".gitattributes")
                || entry.path == MODULES.as_bytes()
            {
                beside.push(at);
            }
        }
        Some(beside)
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<Entry<'_>> {
        let place = self.places.get(at)?;
        let flags = half(&self.bytes, place.entry + FIXED)?;
        let extended = match flags & EXTENDED {
            0 => 0,
            _ => half(&self.bytes, place.entry + FIXED + 2)?,
        };
        Some(Entry {
            fixed: self.bytes.get(place.entry..)?.first_chunk()?,
            path: self.name(place),
            flags,
            extended,
        })
    }

    pub(super) fn entries(&self, range: Range<usize>) -> impl Iterator<Item = (usize, Entry<'_>)> {
        range.filter_map(|at| Some((at, self.get(at)?)))
    }

    fn name(&self, place: &Place) -> &[u8] {
        let names = self.names.as_ref().unwrap_or(&self.bytes);
        names.get(place.name.clone()).unwrap_or_default()
    }

    /// Where the entries are whose paths begin with `start`, such as those of a folder, within those of a
    /// folder around them.
    pub(super) fn beginning_with(&self, start: &[u8], within: Range<usize>) -> Range<usize> {
        let places = self.places.get(within.clone()).unwrap_or_default();
        let before = places.partition_point(|place| self.name(place) < start);
        let is_meant = |place: &Place| self.name(place).starts_with(start);
        let count = places[before..].partition_point(is_meant);
        within.start + before..within.start + before + count
    }

    /// Where the stages of a file are among the entries of its folder, given the length of the folder's path
    /// with the final `/`.
    pub(super) fn file(&self, folder: usize, name: &[u8], within: Range<usize>) -> Range<usize> {
        let places = self.places.get(within.clone()).unwrap_or_default();
        let below = |place: &Place| self.name(place).get(folder..).unwrap_or_default();
        let before = prefix_length(places, |place| below(place) < name);
        let count = prefix_length(&places[before..], |place| below(place) == name);
        within.start + before..within.start + before + count
    }

    /// What a folder has directly in it, given the length of its path with the final `/`.
    pub(super) fn groups(
        &self,
        folder: usize,
        mut range: Range<usize>,
    ) -> impl Iterator<Item = Group<'_>> {
        std::iter::from_fn(move || {
            let (first, others) = self.places.get(range.clone())?.split_first()?;
            let path = self.name(first);
            let name = path.get(folder..)?;
            let slash = name.iter().position(|&byte| byte == b'/');
            let (name, more) = match slash {
                Some(length) => {
                    let around = &path[..=folder + length];
                    let is_in = |place: &Place| self.name(place).starts_with(around);
                    (&name[..length], prefix_length(others, is_in))
                }
                None => (
                    name,
                    prefix_length(others, |place| self.name(place) == path),
                ),
            };
            let found = range.start..range.start + 1 + more;
            range.start = found.end;
            Some(match slash {
                Some(_) => Group::Folder(name, found),
                None => Group::File(name, found),
            })
        })
    }

    pub(super) fn cached_tree(&self) -> Option<CachedTree<'_>> {
        let bytes = self.bytes.get(self.tree.clone()?)?;
        let (tree, rest) = CachedTree::parse(bytes, 0)?;
        rest.is_empty().then_some(tree)
    }
}

/// How many elements at the start a condition holds for that holds for no later one. Most are few, so they
/// are looked for in growing steps.
fn prefix_length<T>(elements: &[T], holds: impl Fn(&T) -> bool) -> usize {
    let mut reached = 0;
    while elements.get(reached).is_some_and(&holds) {
        reached = 2 * reached + 1;
    }
    let from = reached.div_ceil(2);
    let to = reached.min(elements.len());
    from + elements[from..to].partition_point(holds)
}

fn stamp(metadata: &Metadata) -> Stamp {
    (
        metadata.ino(),
        metadata.len(),
        metadata.ctime(),
        metadata.ctime_nsec(),
    )
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..)?
        .first_chunk()
        .map(|bytes| u32::from_be_bytes(*bytes))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    bytes
        .get(at..)?
        .first_chunk()
        .map(|bytes| u16::from_be_bytes(*bytes))
}

/// A number in groups of seven bits, as offsets in packs have it (gitformat-pack(5)), and where it ends.
fn number(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut value = 0usize;
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        value = value
            .checked_mul(128)?
            .checked_add(usize::from(byte & 127))?;
        if byte & 128 == 0 {
            return Some((value, at));
        }
        value = value.checked_add(1)?;
    }
}

//! One file of a commit-graph (gitformat-commit-graph(5)).

use std::ops::Range;

use git2::Oid;
use sha1::{Digest as _, Sha1};

use super::commits::Rank;

/// Bytes of a SHA-1 id, and of the checksum at the end.
const ID: usize = 20;
/// Bytes of the header, and of an entry in the table of chunks after it.
const HEADER: usize = 8;
const ENTRY: usize = 12;
/// Bytes of what is noted of a commit: its tree, two parents, generation and date.
const COMMIT: usize = ID + 16;
const NO_PARENT: u32 = 0x7000_0000;
/// In place of the second parent: it and the others are in the list of edges. There: the list ends.
const FLAG: u32 = 0x8000_0000;
/// A graph with a commit of more parents is not used, lest a small one make a walk large.
const PARENTS: usize = 128;

pub(super) struct Layer {
    bytes: Vec<u8>,
    /// The number of its first commit: so many are in the layers below.
    start: u32,
    end: u32,
    ids: Range<usize>,
    commits: Range<usize>,
    edges: Range<usize>,
}

impl Layer {
    /// A layer above others; None where it is none, or not of this version, with SHA-1 and undamaged.
    pub(super) fn parse(bytes: Vec<u8>, below: &[Self]) -> Option<Self> {
        let end = bytes.len().checked_sub(ID)?;
        let [b'C', b'G', b'P', b'H', 1, 1, chunks, bases, ..] = bytes[..] else {
            return None;
        };
        if usize::from(bases) != below.len() || Sha1::digest(&bytes[..end])[..] != bytes[end..] {
            return None;
        }
        let chunk = |name| chunk(&bytes[..end], usize::from(chunks), name);
        let (ids, commits) = (chunk(b"OIDL")?, chunk(b"CDAT")?);
        let edges = chunk(b"EDGE").unwrap_or_default();
        let ids_below = match below {
            [] => Range::default(),
            _ => chunk(b"BASE")?,
        };
        let checksums: Vec<u8> = below.iter().flat_map(Self::checksum).copied().collect();
        let count = ids.len() / ID;
        let is_sound = bytes[ids_below] == checksums
            && ids.len() == count * ID
            && commits.len() == count.checked_mul(COMMIT)?;
        let start = below.last().map_or(0, Self::end);
        let end = start.checked_add(u32::try_from(count).ok()?)?;
        is_sound.then_some(Self {
            bytes,
            start,
            end,
            ids,
            commits,
            edges,
        })
    }

    pub(super) fn end(&self) -> u32 {
        self.end
    }

    pub(super) fn checksum(&self) -> &[u8] {
        &self.bytes[self.bytes.len() - ID..]
    }

    /// The number of a commit; its ids are sorted.
    pub(super) fn find(&self, id: Oid) -> Option<u32> {
        let (ids, _) = self.bytes[self.ids.clone()].as_chunks::<ID>();
        let at = ids.binary_search_by(|other| other[..].cmp(id.as_bytes()));
        Some(self.start + u32::try_from(at.ok()?).ok()?)
    }

    /// None where git did not note the generation.
    pub(super) fn rank(&self, at: u32) -> Option<Rank> {
        // A generation of 30 bits, a date of 34.
        let both = u64::from(self.word(at, 2)?) << 32 | u64::from(self.word(at, 3)?);
        let generation = (both >> 34) as u32;
        let date = both & ((1 << 34) - 1);
        (generation > 0).then_some(Rank { generation, date })
    }

    /// The numbers of a commit's parents, whatever they are.
    pub(super) fn parents(&self, at: u32) -> Option<Vec<u32>> {
        let (first, second) = (self.word(at, 0)?, self.word(at, 1)?);
        let mut parents = Vec::new();
        if first != NO_PARENT {
            parents.push(first);
        }
        if second & FLAG == 0 {
            if second != NO_PARENT {
                parents.push(second);
            }
            return Some(parents);
        }
        let edges = self.edges.clone();
        let (edges, _) = self.bytes.get(edges)?.as_chunks::<4>();
        let edges = edges.iter().map(|edge| u32::from_be_bytes(*edge));
        for edge in edges
            .skip(usize::try_from(second & !FLAG).ok()?)
            .take(PARENTS)
        {
            parents.push(edge & !FLAG);
            if edge & FLAG != 0 {
                return Some(parents);
            }
        }
        None
    }

    /// A number that is noted of a commit, after its tree.
    fn word(&self, at: u32, number: usize) -> Option<u32> {
        let (commits, _) = self.bytes[self.commits.clone()].as_chunks::<COMMIT>();
        let commit = commits.get(usize::try_from(at.checked_sub(self.start)?).ok()?)?;
        word(&commit[ID..], number)
    }
}

/// Where a chunk lies: from its entry in the table to where the next one starts, which the last entry, without
/// a name, says for the last chunk.
fn chunk(bytes: &[u8], chunks: usize, name: &[u8; 4]) -> Option<Range<usize>> {
    let (entries, _) = bytes.get(HEADER..)?.as_chunks::<ENTRY>();
    let offset = |entry: &[u8; ENTRY]| {
        let (_, offset) = entry.split_last_chunk::<8>()?;
        usize::try_from(u64::from_be_bytes(*offset)).ok()
    };
    let at = entries
        .get(..chunks)?
        .iter()
        .position(|entry| entry.starts_with(name))?;
    let range = offset(entries.get(at)?)?..offset(entries.get(at + 1)?)?;
    bytes.get(range.clone()).map(|_| range)
}

fn word(bytes: &[u8], number: usize) -> Option<u32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.get(number).map(|word| u32::from_be_bytes(*word))
}

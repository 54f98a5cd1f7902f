//! The trees that git knows parts of the index to be.

use std::ops::Range;

use git2::Oid;

use super::{ID, word};

/// Levels of folders in the cached tree that are followed.
const DEPTH: usize = 1024;

/// A folder's tree as it was when everything in it was last known to be one (the TREE extension).
#[derive(Debug)]
pub(in crate::git) struct CachedTree<'a> {
    name: &'a [u8],
    /// The number of entries that it covers, and its id; None where something in it has changed since.
    valid: Option<(usize, Oid)>,
    children: Vec<CachedTree<'a>>,
}

impl<'a> CachedTree<'a> {
    pub(super) fn parse(bytes: &'a [u8], depth: usize) -> Option<(Self, &'a [u8])> {
        let (name, bytes) = split(bytes, 0)?;
        let (count, bytes) = split(bytes, b' ')?;
        let (children, mut bytes) = split(bytes, b'\n')?;
        let text = |bytes| std::str::from_utf8(bytes).ok();
        let mut tree = Self {
            name,
            valid: None,
            children: Vec::new(),
        };
        let count: i64 = text(count)?.parse().ok()?;
        if let Ok(count) = usize::try_from(count) {
            tree.valid = Some((count, Oid::from_bytes(bytes.get(..ID)?).ok()?));
            bytes = &bytes[ID..];
        }
        let children: usize = text(children)?.parse().ok()?;
        if children > 0 && depth == DEPTH {
            return None;
        }
        for _ in 0..children {
            let (child, rest) = Self::parse(bytes, depth + 1)?;
            tree.children.push(child);
            bytes = rest;
        }
        Some((tree, bytes))
    }

    pub(in crate::git) fn child(&self, name: &[u8]) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Whether so many entries are the tree `id`.
    pub(in crate::git) fn is(&self, id: Oid, count: usize) -> bool {
        self.valid == Some((count, id))
    }
}

fn split(bytes: &[u8], end: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|&byte| byte == end)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

/// Where the cached tree is, if there is one; None where an extension must be understood.
pub(super) fn place(bytes: &[u8], mut at: usize, end: usize) -> Option<Option<Range<usize>>> {
    let mut tree = None;
    while at < end {
        let name = bytes.get(at..at + 4)?;
        let start = at + 8;
        at = start.checked_add(word(bytes, at + 4)? as usize)?;
        if at > end || !name[0].is_ascii_uppercase() {
            return None;
        }
        if name == b"TREE" {
            tree = Some(start..at);
        }
    }
    Some(tree)
}

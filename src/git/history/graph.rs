//! The commit-graph: parents and generations of many commits, as git notes them beside the objects
//! (gitformat-commit-graph(5)).
//!
//! Whatever is not as it should be, down to the checksum, makes the whole graph unusable, for the objects
//! themselves say the same.

use std::fs;
use std::path::{Path, PathBuf};

use git2::Oid;

use super::commits::Rank;
use super::edits::id;
use super::layer::Layer;

/// The bytes of a line of a chain, which is an id.
const LINE: u64 = 41;
/// The layers that a chain can have, of which each has the number of those below it in a byte.
const LAYERS: u64 = 256;

/// The files of a graph, which nobody has read yet, each with its checksum where that is known; the bottom first.
pub(super) struct Files {
    files: Vec<(PathBuf, Option<Oid>)>,
    length: u64,
}

impl Files {
    /// A single file goes before a chain, as in git.
    pub(super) fn find(objects: &Path) -> Option<Self> {
        let single = objects.join("info/commit-graph");
        if let Some(length) = length(&single) {
            let files = vec![(single, None)];
            return Some(Self { files, length });
        }
        let folder = objects.join("info/commit-graphs");
        let chain = folder.join("commit-graph-chain");
        length(&chain).filter(|&length| length <= LINE * LAYERS)?;
        let mut found = Self {
            files: Vec::new(),
            length: 0,
        };
        for line in fs::read_to_string(chain).ok()?.lines() {
            let path = folder.join(format!("graph-{line}.graph"));
            let checksum = id(line.as_bytes())?;
            found.length = found.length.checked_add(length(&path)?)?;
            found.files.push((path, Some(checksum)));
        }
        Some(found)
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn read(self) -> Option<Graph> {
        let mut graph = Graph { layers: Vec::new() };
        for (path, checksum) in self.files {
            let layer = Layer::parse(fs::read(path).ok()?, &graph.layers)?;
            if checksum.is_some_and(|checksum| checksum.as_bytes() != layer.checksum()) {
                return None;
            }
            graph.layers.push(layer);
        }
        Some(graph)
    }
}

/// The length of a regular file; nothing else is read.
fn length(path: &Path) -> Option<u64> {
    let metadata = fs::metadata(path).ok()?;
    metadata.is_file().then_some(metadata.len())
}

/// The commits of all layers, numbered through; those of a layer have their parents in it or below it.
pub(super) struct Graph {
    layers: Vec<Layer>,
}

/// What a graph says of a commit.
#[derive(Debug)]
pub(super) struct Commit {
    pub(super) rank: Rank,
    pub(super) parents: Vec<u32>,
}

impl Graph {
    pub(super) fn find(&self, id: Oid) -> Option<u32> {
        self.layers.iter().rev().find_map(|layer| layer.find(id))
    }

    /// None where the graph contradicts itself. What it gives has parents of lower ranks, which exist.
    pub(super) fn commit(&self, at: u32) -> Option<Commit> {
        let layer = self.layer(at)?;
        let rank = layer.rank(at)?;
        let parents = layer.parents(at)?;
        let is_lower = |&parent: &u32| {
            parent < layer.end()
                && self.layer(parent).is_some_and(|layer| {
                    let parent = layer.rank(parent);
                    parent.is_some_and(|parent| parent.generation < rank.generation)
                })
        };
        let is_sound = parents.iter().all(is_lower);
        is_sound.then_some(Commit { rank, parents })
    }

    fn layer(&self, at: u32) -> Option<&Layer> {
        let number = self.layers.partition_point(|layer| layer.end() <= at);
        self.layers.get(number)
    }
}

//! One commit's parents and rank, from the graph or from its object.

use anyhow::{Context as _, ensure};
use git2::{ObjectType, Odb, Oid};
use memchr::{memchr, memrchr};

use super::edits::{Edits, id};
use super::graph::Graph;

/// Where a commit is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Graph(u32),
    Object(Oid),
}

/// The order of a walk: by generation, then by date. Children outrank their parents wherever generations are
/// known, and mostly where dates decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) generation: u32,
    pub(super) date: u64,
}

/// Stands above those of all commits in the graph, for it has the ancestors of each as well.
const UNKNOWN: u32 = u32::MAX;

impl Rank {
    pub(super) const MAX: Self = Self {
        generation: UNKNOWN,
        date: u64::MAX,
    };

    /// Whether nothing of a lower or the same rank can reach what is above it.
    pub(super) fn is_proven(self) -> bool {
        self.generation != UNKNOWN
    }
}

pub(super) struct Commits<'a> {
    odb: &'a Odb<'a>,
    edits: &'a Edits,
    graph: Option<Graph>,
}

impl<'a> Commits<'a> {
    pub(super) fn new(odb: &'a Odb<'a>, edits: &'a Edits) -> Self {
        let graph = None;
        Self { odb, edits, graph }
    }

    /// The edits are none of what the graph has.
    pub(super) fn with_graph(odb: &'a Odb<'a>, edits: &'a Edits, graph: Graph) -> Self {
        let graph = Some(graph);
        Self { odb, edits, graph }
    }

    pub(super) fn place(&self, id: Oid) -> Place {
        let found = self.graph.as_ref().and_then(|graph| graph.find(id));
        found.map_or(Place::Object(id), Place::Graph)
    }

    /// The rank of a commit; its parents are added to the others.
    pub(super) fn read(&self, place: Place, parents: &mut Vec<Place>) -> anyhow::Result<Rank> {
        match (place, &self.graph) {
            (Place::Object(id), _) => self
                .read_object(id, parents)
                .with_context(|| format!("could not read commit {id}")),
            (Place::Graph(at), Some(graph)) => {
                let commit = graph.commit(at).context("not a sound commit-graph")?;
                parents.extend(commit.parents.into_iter().map(Place::Graph));
                Ok(commit.rank)
            }
            (Place::Graph(_), None) => anyhow::bail!("no commit-graph"),
        }
    }

    fn read_object(&self, id: Oid, parents: &mut Vec<Place>) -> anyhow::Result<Rank> {
        let object = self.odb.read(self.edits.object(id)?)?;
        ensure!(object.kind() == ObjectType::Commit, "it is none");
        let start = parents.len();
        let date = parse(object.data(), |parent| parents.push(self.place(parent)));
        let date = date.context("it is damaged")?;
        if let Some(others) = self.edits.parents(id) {
            parents.truncate(start);
            parents.extend(others.iter().map(|&parent| self.place(parent)));
        }
        Ok(Rank {
            generation: UNKNOWN,
            date,
        })
    }
}

/// The parents and the date of a commit's object, whose lines `tree`, `parent`, `author` and `committer` come in
/// this order; None where git would not take it for a commit. A date that is none is 0, as in git.
fn parse(object: &[u8], mut parent: impl FnMut(Oid)) -> Option<u64> {
    let (_, mut rest) = id_line(object, b"tree ")?;
    while rest.starts_with(b"parent ") {
        let (hexadecimal, after) = id_line(rest, b"parent ")?;
        parent(id(hexadecimal)?);
        rest = after;
    }
    Some(date(rest).unwrap_or_default())
}

/// The digits of the id in the first line, and what follows that.
fn id_line<'a>(text: &'a [u8], name: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let (hexadecimal, rest) = text.strip_prefix(name)?.split_at_checked(40)?;
    Some((hexadecimal, rest.strip_prefix(b"\n")?))
}

/// The seconds in the second line, `committer NAME <ADDRESS> SECONDS ZONE`.
fn date(lines: &[u8]) -> Option<u64> {
    let (_, lines) = lines.split_at_checked(memchr(b'\n', lines)? + 1)?;
    let (committer, _) = lines.split_at_checked(memchr(b'\n', lines)?)?;
    let committer = committer.strip_prefix(b"committer ")?;
    let (_, date) = committer.split_at_checked(memrchr(b'>', committer)? + 1)?;
    let date = date.trim_ascii_start();
    let digits = date.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&date[..digits]).ok()?.parse().ok()
}

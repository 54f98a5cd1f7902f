//! From two commits downwards until it is known what only one of them has.

use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;

use git2::Oid;

use super::commits::{Commits, Place, Rank};
use crate::git::History;

/// Reachable from HEAD; from the saved commit.
const HEAD: u8 = 1;
const SAVED: u8 = 2;
/// Commits looked at after all that matter seem to be known, for clocks were wrong at times. git looks at five (`SLOP`
/// in its revision.c), and counts too many where more of them were.
const SLOP: usize = 50;

struct Node {
    rank: Rank,
    /// Where among the walk's parents this one's are.
    parents: Range<usize>,
    from: u8,
    is_queued: bool,
}

pub(super) struct Walk<'a> {
    commits: &'a Commits<'a>,
    nodes: Vec<Node>,
    numbers: HashMap<Place, usize>,
    parents: Vec<Place>,
    /// What has yet to hand down from where it is reachable, highest rank first.
    queue: BinaryHeap<(Rank, usize)>,
    saved: usize,
    /// Nodes that are reachable from HEAD alone as far as is known, and those of them that are queued.
    new: usize,
    new_queued: usize,
    /// The lowest of them that have left the queue.
    lowest: Rank,
    slop: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(commits: &'a Commits<'a>, saved: Oid, head: Oid) -> anyhow::Result<Self> {
        let mut walk = Self {
            commits,
            nodes: Vec::new(),
            numbers: HashMap::new(),
            parents: Vec::new(),
            queue: BinaryHeap::new(),
            saved: 0,
            new: 0,
            new_queued: 0,
            lowest: Rank::MAX,
            slop: SLOP,
        };
        walk.saved = walk.reach(commits.place(saved), SAVED)?;
        walk.reach(commits.place(head), HEAD)?;
        Ok(walk)
    }

    /// Goes on until the answer is known, which is true, or so many commits are.
    pub(super) fn run(&mut self, patience: usize) -> anyhow::Result<bool> {
        while !self.is_finished() {
            if self.nodes.len() >= patience {
                return Ok(false);
            }
            self.step()?;
        }
        Ok(true)
    }

    pub(super) fn finish(mut self) -> anyhow::Result<History> {
        self.run(usize::MAX)?;
        let commits = self.new;
        Ok(match self.nodes[self.saved].from & HEAD {
            0 => History::Diverged { commits },
            _ => History::Ancestor { commits },
        })
    }

    /// Whether nothing that is queued can change the answer. Generations prove that: what is in the graph comes
    /// after all that can reach it. Among other commits dates make it likely, as in git.
    fn is_finished(&mut self) -> bool {
        let Some(&(next, _)) = self.queue.peek() else {
            return true;
        };
        if self.new_queued > 0 {
            self.slop = SLOP;
            return false;
        }
        if next.is_proven() {
            return true;
        }
        if next >= self.lowest {
            self.slop = SLOP;
            return false;
        }
        let is_over = self.slop == 0;
        self.slop = self.slop.saturating_sub(1);
        is_over
    }

    fn step(&mut self) -> anyhow::Result<()> {
        let Some((rank, number)) = self.queue.pop() else {
            return Ok(());
        };
        let node = &mut self.nodes[number];
        node.is_queued = false;
        let (from, parents) = (node.from, node.parents.clone());
        if from == HEAD {
            self.new_queued -= 1;
            self.lowest = self.lowest.min(rank);
        }
        for parent in parents {
            self.reach(self.parents[parent], from)?;
        }
        Ok(())
    }

    /// Notes that a commit is reachable; it is queued for its parents where that is news.
    fn reach(&mut self, place: Place, from: u8) -> anyhow::Result<usize> {
        let number = match self.numbers.entry(place) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(vacant) => {
                let start = self.parents.len();
                let rank = self.commits.read(place, &mut self.parents)?;
                self.nodes.push(Node {
                    rank,
                    parents: start..self.parents.len(),
                    from: 0,
                    is_queued: false,
                });
                *vacant.insert(self.nodes.len() - 1)
            }
        };
        let node = &mut self.nodes[number];
        let (before, was_queued) = (node.from, node.is_queued);
        node.from |= from;
        if node.from == before {
            return Ok(number);
        }
        node.is_queued = true;
        if !was_queued {
            self.queue.push((node.rank, number));
        }
        if node.from == HEAD {
            self.new += 1;
            self.new_queued += 1;
        } else if before == HEAD {
            self.new -= 1;
            self.new_queued -= usize::from(was_queued);
        }
        Ok(number)
    }
}

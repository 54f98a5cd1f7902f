//! The commits since a saved one, with and without a commit-graph, against `git rev-list --count`.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::ops::RangeInclusive;

use super::fixture::{Fixture, command};
use crate::git::History;

const CHAIN: &str = ".git/objects/info/commit-graphs";

struct Random(u64);

impl Random {
    /// One of the numbers below a bound (xorshift64).
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// A stream for `git fast-import` of so many commits, each on a branch of its own, with as many parents as this
/// chooses among those before it.
fn history(count: usize, mut parents: impl FnMut(usize) -> Vec<usize>) -> Vec<String> {
    let commit = |number: usize| {
        let mut text = format!(
            "commit refs/heads/b{number}\nmark :{}\ncommitter a <a> {} +0000\ndata 0\n",
            number + 1,
            // Several in a second.
            1_700_000_000 + number / 3
        );
        for (at, parent) in parents(number).into_iter().enumerate() {
            let word = if at == 0 { "from" } else { "merge" };
            writeln!(text, "{word} refs/heads/b{parent}").unwrap();
        }
        text
    };
    (0..count).map(commit).collect()
}

fn random_history(random: &mut Random, count: usize) -> Vec<String> {
    history(count, |number| {
        let most = [1, 1, 1, 2, 2, 3, 4][random.below(7)];
        let roots = number == 0 || random.below(20) == 0;
        let most = if roots { 0 } else { most };
        let mut parents: Vec<usize> = (0..most)
            .map(|_| number - 1 - random.below(number.min(9)))
            .collect();
        parents.sort_unstable();
        parents.dedup();
        parents
    })
}

/// Makes the commits of a stream; packed, or each in a file.
fn import(fixture: &Fixture, stream: &[String], packed: bool) {
    let file = fixture.at(".git/stream");
    fs::write(&file, stream.concat()).unwrap();
    let limit = if packed { 1 } else { 1_000 };
    let status = command(&fixture.root)
        .args(["-c", &format!("fastimport.unpackLimit={limit}")])
        .args(["fast-import", "--quiet"])
        .stdin(File::open(file).unwrap())
        .status()
        .unwrap();
    assert!(status.success());
}

fn write_graph(fixture: &Fixture, options: &[&str]) {
    let write = ["commit-graph", "write", "--reachable"];
    fixture.git(&[&write, options].concat());
}

/// The commits of all branches by their numbers.
fn ids(fixture: &Fixture, count: usize) -> Vec<String> {
    let id = |number| fixture.at(&format!(".git/refs/heads/b{number}"));
    let ids = (0..count).map(|number| fs::read_to_string(id(number)).unwrap().trim().to_owned());
    ids.collect()
}

fn set_head(fixture: &Fixture, commit: &str) {
    fs::write(fixture.at(".git/HEAD"), format!("{commit}\n")).unwrap();
}

fn counted(fixture: &Fixture, saved: &str) -> History {
    fixture.repository().commits_since(saved).unwrap()
}

fn by_git(fixture: &Fixture, saved: &str) -> History {
    let range = format!("{saved}...HEAD");
    let counts = fixture.git(&["rev-list", "--count", "--left-right", &range]);
    let (lost, commits) = counts.split_once('\t').unwrap();
    let commits = commits.parse().unwrap();
    match lost {
        "0" => History::Ahead { commits },
        _ => History::Diverged { commits },
    }
}

#[test]
fn random_histories_are_counted_as_git_counts_them() {
    check_random(1..=4);
}

#[test]
#[ignore = "takes minutes"]
fn many_random_histories_are_counted_as_git_counts_them() {
    check_random(1_000..=1_200);
}

fn check_random(seeds: RangeInclusive<u64>) {
    for seed in seeds {
        let mut random = Random(seed << 32 | seed);
        let (fixture, count) = (Fixture::new(), 60);
        let parts = random_history(&mut random, count);
        let mut parts = parts.chunks(20);
        let mut import = || import(&fixture, parts.next().unwrap(), seed % 2 == 0);
        import();
        write_graph(&fixture, &["--split=no-merge"]);
        import();
        write_graph(&fixture, &["--split=no-merge"]);
        import();
        let ids = ids(&fixture, count);
        let mut pick = |from: usize, to: usize| ids[from + random.below(to - from)].as_str();
        let pairs = [0; 4].map(|_| (pick(0, 60), pick(40, 60)));
        let (old, other) = (pick(20, 40), pick(0, 20));
        let all = |expected: Option<&Vec<History>>, kind: &str| -> Vec<History> {
            let one = |(at, &(saved, head)): (usize, &(&str, &str))| {
                set_head(&fixture, head);
                let expected = expected.map_or_else(|| by_git(&fixture, saved), |all| all[at]);
                let found = counted(&fixture, saved);
                let crosses = || {
                    let range = format!("{saved}...HEAD");
                    fixture.git(&["rev-list", &range]).contains(old)
                };
                let expected = match kind {
                    "shallow" if saved != head && crosses() => History::BeyondEdge,
                    _ => expected,
                };
                assert_eq!(found, expected, "seed {seed}, {kind}: {saved} to {head}");
                expected
            };
            pairs.iter().enumerate().map(one).collect()
        };
        let expected = all(None, "a chain that is behind");
        write_graph(&fixture, &["--split=no-merge"]);
        all(Some(&expected), "a chain");
        fixture.remove(CHAIN);
        all(Some(&expected), "objects");
        write_graph(&fixture, &[]);
        all(Some(&expected), "a graph");
        fixture.write(".git/shallow", format!("{old}\n"));
        all(None, "shallow");
        fixture.remove(".git/shallow");
        fixture.write(".git/info/grafts", format!("{old} {other}\n"));
        all(None, "grafts");
        fixture.remove(".git/info/grafts");
        // git refuses a graft that gives a commit the parents which it has.
        fixture.try_git(&["replace", "--graft", old, other]);
        let expected = all(None, "replaced");
        fixture.git(&["pack-refs", "--all"]);
        all(Some(&expected), "replaced by a packed reference");
    }
}

#[test]
fn a_wrong_clock_does_not_change_the_count() {
    for packed in [false, true] {
        let fixture = Fixture::new();
        let mut stream = history(40, |number| match number {
            0 => Vec::new(),
            20 => vec![18, 19],
            _ => vec![number - 1],
        });
        for (number, date) in [(5, 1_800_000_000), (19, 0), (30, 1_600_000_000)] {
            let right = (1_700_000_000 + number / 3).to_string();
            stream[number] = stream[number].replace(&right, &date.to_string());
        }
        import(&fixture, &stream, packed);
        let ids = ids(&fixture, 40);
        for graph in [false, true] {
            if graph {
                write_graph(&fixture, &[]);
            }
            for (saved, head) in [(4, 39), (19, 39), (18, 29), (39, 4), (31, 31), (30, 19)] {
                set_head(&fixture, &ids[head]);
                let (found, expected) = (
                    counted(&fixture, &ids[saved]),
                    by_git(&fixture, &ids[saved]),
                );
                assert_eq!(found, expected, "{saved} to {head}, graph: {graph}");
            }
        }
    }
}

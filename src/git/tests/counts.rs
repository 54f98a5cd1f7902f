//! The commits since a saved one, with and without a commit-graph, against `git rev-list --count`.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::ops::RangeInclusive;
use std::path::Path;

use sha1::{Digest as _, Sha1};

use super::fixture::{Fixture, command};
use crate::git::History;
use crate::git::libgit2::Reader;

const GRAPH: &str = ".git/objects/info/commit-graph";
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

/// As libgit2's side answers, without the git command to fall back on.
fn counted(fixture: &Fixture, saved: &str) -> History {
    reader(&fixture.root).commits_since(saved).unwrap()
}

fn reader(root: &Path) -> Reader {
    Reader::open(root, &[]).ok().unwrap()
}

fn by_git(fixture: &Fixture, saved: &str) -> History {
    let range = format!("{saved}...HEAD");
    let counts = fixture.git(&["rev-list", "--count", "--left-right", &range]);
    let (lost, commits) = counts.split_once('\t').unwrap();
    let commits = commits.parse().unwrap();
    match lost {
        "0" => History::Ancestor { commits },
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

/// Ten commits in a row, HEAD at the last, and a merge of four beside; with a graph.
fn small() -> (Fixture, Vec<String>) {
    let fixture = Fixture::new();
    let stream = history(11, |number| match number {
        0 => Vec::new(),
        10 => vec![2, 4, 6, 8],
        _ => vec![number - 1],
    });
    import(&fixture, &stream, true);
    write_graph(&fixture, &[]);
    let ids = ids(&fixture, 11);
    set_head(&fixture, &ids[9]);
    (fixture, ids)
}

fn replace_file(path: &Path, bytes: &[u8]) {
    // git makes them read-only.
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 20;
    let checksum = Sha1::digest(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum);
    bytes
}

/// Where a graph of so many commits has what it says of the commits: at its second chunk after the ids.
fn data(bytes: &[u8]) -> usize {
    let at = (8..)
        .step_by(12)
        .find(|&at| bytes[at..].starts_with(b"CDAT"));
    let offset = bytes[at.unwrap() + 4..].first_chunk().unwrap();
    u64::from_be_bytes(*offset) as usize
}

#[test]
fn a_graph_is_believed_where_git_believes_it() {
    let (fixture, ids) = small();
    let graph = fixture.at(GRAPH);
    let truth = History::Ancestor { commits: 9 };
    assert_eq!(counted(&fixture, &ids[0]), truth);
    // What it says is that the last commit but one comes right after the first. git reads the last one's object.
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    let place = |id: &String| sorted.binary_search(id).unwrap();
    let mut bytes = fs::read(&graph).unwrap();
    let at = data(&bytes) + 36 * place(&ids[8]) + 20;
    bytes[at..at + 4].copy_from_slice(&(place(&ids[0]) as u32).to_be_bytes());
    replace_file(&graph, &with_checksum(bytes));
    let lie = History::Ancestor { commits: 2 };
    let both = || (counted(&fixture, &ids[0]), by_git(&fixture, &ids[0]));
    assert_eq!(both(), (lie, lie));

    fixture.git(&["config", "core.commitGraph", "false"]);
    assert_eq!(both(), (truth, truth));
    fixture.git(&["config", "core.commitGraph", "true"]);
    for file in ["shallow", "info/grafts"] {
        fixture.write(&format!(".git/{file}"), format!("{}\n", ids[0]));
        assert_eq!(both(), (truth, truth), "{file}");
        fixture.remove(&format!(".git/{file}"));
    }
    fixture.git(&["replace", &ids[10], &ids[5]]);
    assert_eq!(both(), (truth, truth));
    fixture.git(&["config", "core.useReplaceRefs", "false"]);
    assert_eq!(both(), (lie, lie));
}

#[test]
fn a_damaged_graph_is_not_believed() {
    let (fixture, ids) = small();
    let graph = fixture.at(GRAPH);
    let whole = fs::read(&graph).unwrap();
    let reader = reader(&fixture.root);
    let check = |what: &str, at: usize| {
        let found = reader.commits_since(&ids[1]).unwrap();
        assert_eq!(found, History::Ancestor { commits: 8 }, "{what} {at}");
    };
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        replace_file(&graph, &bytes);
        check("another byte at", at);
        if at % 16 < 2 {
            replace_file(&graph, &whole[..at]);
            check("cut at", at);
        }
    }
    fs::remove_file(&graph).unwrap();
    fs::create_dir(&graph).unwrap();
    check("a folder", 0);
    fs::remove_dir(&graph).unwrap();
    write_graph(&fixture, &["--split"]);
    let chain = fixture.at(CHAIN).join("commit-graph-chain");
    let whole = fs::read(&chain).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        replace_file(&chain, &bytes);
        check("another byte of the chain at", at);
    }
}

/// With the right checksum it can say anything; there is an answer all the same.
#[test]
fn a_graph_that_is_wrong_does_no_harm() {
    let (fixture, ids) = small();
    let graph = fixture.at(GRAPH);
    let whole = fs::read(&graph).unwrap();
    set_head(&fixture, &ids[10]);
    let reader = reader(&fixture.root);
    let start = data(&whole);
    for at in (0..100).chain(start..whole.len() - 20) {
        let mut bytes = whole.clone();
        bytes[at] = [0, whole[at] ^ 0x80, 0xff][at % 3];
        replace_file(&graph, &with_checksum(bytes));
        assert!(reader.commits_since(&ids[1]).is_ok(), "at {at}");
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

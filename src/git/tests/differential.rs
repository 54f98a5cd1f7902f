//! Randomly made repositories: every answer against the git command's.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::fixture::{Fixture, command, read, repository, status, status_with};
use crate::checkpoint::path;
use crate::git::{Base, Changes};

#[test]
fn random_repositories_read_as_git_reads_them() {
    for seed in 1..=30 {
        check(seed);
    }
}

#[test]
#[ignore = "takes minutes"]
fn many_random_repositories_read_as_git_reads_them() {
    for seed in 1_000..1_500 {
        check(seed);
    }
}

fn check(seed: u64) {
    let (fixture, commits) = build(seed);
    for folder in ["", "a", "b/c"] {
        let root = fixture.at(folder);
        if !root.is_dir() || root.is_symlink() {
            continue;
        }
        let root = root.canonicalize().unwrap();
        let prefix = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        if !root.starts_with(&fixture.root) || root != fixture.at(folder) && !folder.is_empty() {
            continue;
        }
        let repository = repository(&root);
        let mut expected = status_with(&root, &prefix, "--no-renames");
        let all = expected.len();
        let listed = status(&root, &prefix);
        expected.retain(|(path, _)| listed.iter().any(|(listed, _)| listed == path));
        assert_eq!(
            plain(read(repository.changes().unwrap())),
            expected,
            "seed {seed}, `{folder}`"
        );
        // Beside a file with conflicts git's own search for renames can lose a deletion (seen on 2.47), and git decides; but
        // what is here compared with an older commit is not what its difference says then.
        if expected.len() < all {
            continue;
        }
        for commit in &commits {
            let commit = commit.as_deref();
            let expected = differences(&fixture, commit, &prefix);
            let base = commit.map_or(Base::Empty, Base::Commit);
            let found = gone(repository.changes_since(base).unwrap());
            assert_eq!(found, expected, "seed {seed}, `{folder}` since {commit:?}");
        }
    }
}

/// Renames as additions: which new file is like which old one is a matter of taste.
fn plain(mut changes: Vec<(String, String)>) -> Vec<(String, String)> {
    for (_, code) in &mut changes {
        if code == "R" {
            *code = "A".to_owned();
        }
    }
    changes
}

fn gone(changes: Changes) -> BTreeMap<String, bool> {
    let gone = |(path, code)| (path, code == "D");
    read(changes).into_iter().map(gone).collect()
}

/// Paths under a folder that differ from a commit, each with whether it is gone: the index is copied,
/// everything is added to the copy, and that is compared.
fn differences(fixture: &Fixture, commit: Option<&str>, prefix: &str) -> BTreeMap<String, bool> {
    let index = fixture.at(".git/index-copy");
    fs::copy(fixture.at(".git/index"), &index).unwrap();
    let git = |args: &[&str]| {
        let output = command(&fixture.root)
            .env("GIT_INDEX_FILE", &index)
            .args(args)
            .output()
            .unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        output.stdout
    };
    let fields = |output: &[u8]| -> Vec<Vec<u8>> {
        let fields = output
            .split(|&byte| byte == 0)
            .filter(|field| !field.is_empty());
        fields.map(<[u8]>::to_vec).collect()
    };
    git(&["-c", "advice.addEmbeddedRepo=false", "add", "-A", "."]);
    let empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    // A file of the commit that is no longer tracked, but there, stands for itself even if ignored.
    for path in fields(&git(&[
        "ls-tree",
        "-r",
        "-z",
        "--name-only",
        commit.unwrap_or(empty),
    ])) {
        let path = std::str::from_utf8(&path).unwrap();
        if fixture
            .at(path)
            .symlink_metadata()
            .is_ok_and(|metadata| !metadata.is_dir())
        {
            let mut add = command(&fixture.root);
            add.env("GIT_INDEX_FILE", &index).args([
                "add",
                "-f",
                "--",
                &format!(":(literal){path}"),
            ]);
            // Fails beyond a symbolic link, where nothing of the repository is.
            add.output().unwrap();
        }
    }
    let output = git(&[
        "diff-index",
        "--cached",
        "--no-renames",
        "--name-status",
        "-z",
        commit.unwrap_or(empty),
    ]);
    fs::remove_file(index).unwrap();
    let fields = fields(&output);
    let pairs = fields.chunks(2).filter_map(|pair| {
        let path = pair[1].strip_prefix(prefix.as_bytes())?;
        Some((path::encode(path), pair[0] == b"D"))
    });
    pairs.collect()
}

/// Splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const FOLDERS: &[&str] = &[
    "", "", "a/", "a/", "b/c/", "b/c/d/", "A b/", "e/[x]/", "!f/",
];
const NAMES: &[&str] = &[
    "one.txt",
    "two.rs",
    "drei",
    "x.log",
    "ünï.md",
    "-dash",
    "a\"q",
    "*star",
    "!bang",
    "build/out",
    "keep.log",
];
const RULES: &[&str] = &[
    "*.log\n",
    "*.log\n!keep.log\n",
    "build/\n",
    "/a/\n",
    "drei\n!b/c/drei\n",
    "b/*\n!b/c\n",
    "\\!bang\n",
    "",
    "",
];
const ATTRIBUTES: &[&str] = &[
    "",
    "",
    "* text=auto\n",
    "*.txt eol=crlf\n",
    "*.rs ident\n",
    "*.md -text\n",
];

fn path(random: &mut Random) -> String {
    format!("{}{}", random.one(FOLDERS), random.one(NAMES))
}

fn content(random: &mut Random) -> String {
    let mut lines = String::new();
    for _ in 0..random.below(12) {
        let end = if random.below(6) == 0 { "\r\n" } else { "\n" };
        lines += &format!("line {} $Id$ of a file{end}", random.below(30));
    }
    lines
}

fn put(fixture: &Fixture, path: &str, content: &str) {
    // Whatever stands in the way of the path's folders goes.
    let mut folder = fixture.root.clone();
    for part in Path::new(path).parent().unwrap() {
        folder.push(part);
        if folder
            .symlink_metadata()
            .is_ok_and(|metadata| !metadata.is_dir())
        {
            fs::remove_file(&folder).unwrap();
        }
    }
    fixture.remove(path);
    fixture.write(path, content);
}

fn edit(fixture: &Fixture, random: &mut Random, times: usize) {
    for _ in 0..times {
        let path = path(random);
        match random.below(12) {
            0..5 => put(fixture, &path, &content(random)),
            5 => fixture.remove(&path),
            6 => fixture.remove(random.one(&["a", "b/c", "b/c/d", "A b"])),
            7 => rename(fixture, random, &path),
            8 => special(fixture, random, &path),
            9 => put(fixture, ".gitignore", random.one(RULES)),
            10 => put(fixture, "b/.gitignore", random.one(RULES)),
            _ => {
                let tracked = fixture.git(&["ls-files"]);
                let tracked: Vec<&str> = tracked.lines().collect();
                if !tracked.is_empty() {
                    let path = random.one(&tracked);
                    fixture.try_git(&["checkout", "-q", "HEAD", "--", path]);
                }
            }
        }
    }
}

fn rename(fixture: &Fixture, random: &mut Random, from: &str) {
    if !fixture.at(from).is_file() {
        return;
    }
    let content = fs::read(fixture.at(from)).unwrap();
    let to = path(random);
    fixture.remove(from);
    put(fixture, &to, "");
    fixture.write(&to, content);
}

#[cfg(unix)]
fn special(fixture: &Fixture, random: &mut Random, path: &str) {
    use std::os::unix::fs::{PermissionsExt, symlink};
    match random.below(3) {
        0 => {
            put(fixture, path, "");
            fixture.remove(path);
            symlink(random.one(&["one.txt", "nowhere", "a"]), fixture.at(path)).unwrap();
        }
        1 if fixture
            .at(path)
            .symlink_metadata()
            .is_ok_and(|metadata| metadata.is_file()) =>
        {
            let mode = if random.below(2) == 0 { 0o755 } else { 0o644 };
            fs::set_permissions(fixture.at(path), fs::Permissions::from_mode(mode)).unwrap();
        }
        // A file becomes a folder.
        _ => put(fixture, &format!("{path}/inner"), "inner\n"),
    }
}

#[cfg(not(unix))]
fn special(fixture: &Fixture, _: &mut Random, path: &str) {
    put(fixture, &format!("{path}/inner"), "inner\n");
}

fn stage(fixture: &Fixture, random: &mut Random, times: usize) {
    for _ in 0..times {
        let path = path(random);
        let args: &[&str] = match random.below(6) {
            0 | 1 => &["add", "-A", "-f", "--"],
            2 => &["rm", "-q", "--cached", "--ignore-unmatch", "--"],
            3 => &["add", "-N", "-f", "--"],
            4 => &["reset", "-q", "HEAD", "--"],
            _ => &["add", "-u", "--"],
        };
        let literal = format!(":(literal){path}");
        fixture.try_git(&[args, &[literal.as_str()]].concat());
    }
}

/// A repository in some state, and the commits to compare with; None is the empty tree.
fn build(seed: u64) -> (Fixture, Vec<Option<String>>) {
    let mut random = Random(seed);
    let fixture = Fixture::new();
    if seed.is_multiple_of(3) {
        // As on file systems that do not tell case apart, wherever the repository is now.
        fixture.git(&["config", "core.ignoreCase", "true"]);
    }
    let mut commits = vec![None];
    let random = &mut random;
    edit(&fixture, random, 4);
    if random.below(8) != 0 {
        put(&fixture, ".gitattributes", random.one(ATTRIBUTES));
        for _ in 0..15 {
            put(&fixture, &path(random), &content(random));
        }
        commits.push(Some(fixture.commit()));
        edit(&fixture, random, 6);
        commits.push(Some(fixture.commit()));
        if random.below(4) == 0 {
            conflict(&fixture, random);
        }
    }
    for _ in 0..3 {
        let edits = random.below(8);
        edit(&fixture, random, edits);
        let stages = random.below(5);
        stage(&fixture, random, stages);
    }
    // So that the index is there, even in a repository where nothing was ever added.
    fixture.try_git(&["update-index", "-q", "--refresh"]);
    if !fixture.at(".git/index").exists() {
        fixture.git(&["read-tree", "--empty"]);
    }
    (fixture, commits)
}

fn conflict(fixture: &Fixture, random: &mut Random) {
    fixture.git(&["checkout", "-q", "-b", "other", "HEAD~1"]);
    edit(fixture, random, 6);
    fixture.commit();
    fixture.git(&["checkout", "-q", "-f", "main"]);
    fixture.try_git(&["merge", "-q", "other"]);
}

//! HEAD, branches and the commits since a saved one.

use super::fixture::{Fixture, command, repository};
use crate::git::{Base, Head, History};

#[test]
fn head_is_none_before_the_first_commit() {
    let fixture = Fixture::new();
    assert_eq!(fixture.head(), None);
    let gone = fixture.repository().commits_since(&"1".repeat(40)).unwrap();
    assert_eq!(gone, History::Gone);
}

#[test]
fn head_names_branch_and_commit() {
    let fixture = Fixture::committed(&[("a", "a")]);
    fixture.git(&["checkout", "-q", "-b", "feat/ünï"]);
    let commit = fixture.git(&["rev-parse", "HEAD"]);
    let head = |branch: Option<&str>| {
        let (branch, commit) = (branch.map(str::to_owned), commit.clone());
        Some(Head { branch, commit })
    };
    assert_eq!(fixture.head(), head(Some("feat/ünï")));
    fixture.git(&["pack-refs", "--all"]);
    assert_eq!(fixture.head(), head(Some("feat/ünï")));
    fixture.git(&["checkout", "-q", "--detach"]);
    assert_eq!(fixture.head(), head(None));
    fixture.git(&["checkout", "-q", "--orphan", "unborn"]);
    assert_eq!(fixture.head(), None);
}

#[test]
fn commits_since_are_those_that_head_has_and_the_saved_one_has_not() {
    let fixture = Fixture::committed(&[("a", "a")]);
    let saved = fixture.git(&["rev-parse", "HEAD"]);
    let since = |commit: &str| fixture.repository().commits_since(commit).unwrap();
    assert_eq!(since(&saved), History::Ahead { commits: 0 });
    fixture.write("b", "b");
    fixture.commit();
    fixture.write("c", "c");
    let third = fixture.commit();
    assert_eq!(since(&saved), History::Ahead { commits: 2 });
    fixture.git(&["reset", "-q", "--hard", &saved]);
    assert_eq!(since(&third), History::Diverged { commits: 0 });
    fixture.write("d", "d");
    fixture.commit();
    assert_eq!(since(&third), History::Diverged { commits: 1 });
    for gone in [
        "1".repeat(40),
        "no id".to_owned(),
        fixture.git(&["rev-parse", "HEAD^{tree}"]),
    ] {
        assert_eq!(since(&gone), History::Gone, "{gone}");
    }
}

#[test]
fn a_linked_worktree_has_its_own_head_and_changes() {
    let fixture = Fixture::committed(&[("sub/a", "a"), ("b", "b")]);
    fixture.git(&["worktree", "add", "-q", "-b", "linked", "../linked"]);
    std::fs::write(fixture.at("../linked/sub/a"), "changed").unwrap();
    let root = fixture.at("../linked/sub").canonicalize().unwrap();
    let linked = repository(&root);
    assert_eq!(linked.head().unwrap().branch.as_deref(), Some("linked"));
    super::fixture::assert_changes(&super::fixture::changes(&root), &["M a"]);
    assert_eq!(fixture.changes(), []);
}

#[test]
fn a_base_that_is_gone_is_an_error() {
    let fixture = Fixture::committed(&[("a", "a")]);
    let gone = "1".repeat(40);
    assert!(
        fixture
            .repository()
            .changes_since(Base::Commit(&gone))
            .is_err()
    );
}

#[test]
fn subjects_are_those_of_the_new_commits_newest_first() {
    let fixture = Fixture::committed(&[("a", "a")]);
    let saved = fixture.git(&["rev-parse", "HEAD"]);
    let since = |limit| fixture.repository().subjects_since(&saved, limit).unwrap();
    assert_eq!(since(10), [""; 0]);
    for subject in ["one", "two\n\nbody", "a\nb\n\nc"] {
        fixture.git(&["commit", "-q", "--allow-empty", "-m", subject]);
    }
    assert_eq!(since(10), ["a b", "two", "one"]);
    assert_eq!(since(1), ["a b"]);
    assert!(fixture.repository().subjects_since("no id", 1).is_err());
    fixture.git(&["checkout", "-q", "--orphan", "unborn"]);
    assert_eq!(since(10), [""; 0]);
}

#[test]
fn clocks_that_were_wrong_count_no_commit_twice() {
    let fixture = Fixture::committed(&[("a", "1")]);
    let tree = fixture.git(&["rev-parse", "HEAD^{tree}"]);
    let commit = |parent: Option<&str>, date: u64| {
        let mut git = command(&fixture.root);
        git.args(["commit-tree", "-m", "x"]);
        git.args(parent.iter().flat_map(|parent| ["-p", parent]));
        git.arg(&tree)
            .env("GIT_COMMITTER_DATE", format!("{date} +0000"));
        let output = git.output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let root = commit(None, 1_610_000_000);
    for length in [6, 7, 12, 30] {
        let mut saved = root.clone();
        for number in 1..=length {
            saved = commit(Some(&saved), 1_600_000_010 + 10 * number);
        }
        for date in [1_600_000_005, 1_600_000_015, 1_605_000_000, 1_615_000_000] {
            let head = commit(Some(&root), date);
            fixture.git(&["update-ref", "HEAD", &head]);
            let history = fixture.repository().commits_since(&saved).unwrap();
            assert_eq!(history, History::Diverged { commits: 1 }, "{length} {date}");
        }
    }
}

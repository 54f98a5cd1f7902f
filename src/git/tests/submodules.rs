//! Submodules and nested repositories.

use super::fixture::{Fixture, assert_changes, assert_like_git, command, status, worktree};

fn git(fixture: &Fixture, folder: &str, args: &[&str]) -> String {
    let output = command(&fixture.at(folder)).args(args).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout)
        .unwrap()
        .trim_end()
        .to_owned()
}

/// A repository with the submodules `a` and `lib/b`.
fn with_submodules() -> Fixture {
    let inner = Fixture::committed(&[("file", "1"), (".gitignore", "*.o\n")]);
    let fixture = Fixture::committed(&[("own", "1")]);
    let url = inner.root.to_str().unwrap();
    for path in ["a", "lib/b"] {
        fixture.git(&[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "add",
            "-q",
            url,
            path,
        ]);
    }
    fixture.commit();
    fixture
}

#[test]
fn a_submodule_is_one_entry_with_its_commit() {
    let fixture = with_submodules();
    assert_like_git(&fixture, &[]);
    fixture.write("a/file", "2");
    fixture.write("lib/b/new", "2");
    assert_like_git(&fixture, &["M a", "M lib/b"]);
    git(&fixture, "a", &["commit", "-qam", "more"]);
    fixture.remove("lib/b/new");
    fixture.write("lib/b/ignored.o", "2");
    assert_like_git(&fixture, &["M a"]);
    let worktree = worktree(&fixture.root);
    assert_eq!(
        worktree.hash("a", None),
        Some(git(&fixture, "a", &["rev-parse", "HEAD"]))
    );
    fixture.git(&["add", "a"]);
    assert_like_git(&fixture, &["M a"]);
}

#[test]
fn ignore_settings_are_honoured() {
    let fixture = with_submodules();
    fixture.write("a/new", "2");
    fixture.write("lib/b/file", "2");
    let ignore = |name: &str, rule: &str| {
        fixture.git(&["config", &format!("submodule.{name}.ignore"), rule]);
    };
    ignore("a", "untracked");
    ignore("lib/b", "untracked");
    assert_like_git(&fixture, &["M lib/b"]);
    ignore("lib/b", "dirty");
    assert_like_git(&fixture, &[]);
    git(&fixture, "lib/b", &["commit", "-qam", "more"]);
    assert_like_git(&fixture, &["M lib/b"]);
    ignore("lib/b", "all");
    assert_like_git(&fixture, &[]);
    fixture.git(&["config", "--unset", "submodule.a.ignore"]);
    assert_like_git(&fixture, &["M a"]);
    fixture.git(&["config", "diff.ignoreSubmodules", "all"]);
    assert_like_git(&fixture, &[]);
}

#[test]
fn a_submodule_that_is_not_initialised_is_clean() {
    let fixture = with_submodules();
    fixture.git(&["submodule", "deinit", "-q", "--all"]);
    assert_like_git(&fixture, &[]);
    assert_eq!(worktree(&fixture.root).hash("a", None), None);
    fixture.remove("a");
    assert_like_git(&fixture, &["D a"]);
    fixture.write("a", "a file now");
    assert_like_git(&fixture, &["M a"]);
}

#[test]
fn a_submodule_that_no_gitmodules_names_is_compared_all_the_same() {
    let fixture = Fixture::committed(&[("own", "1")]);
    fixture.write("sub/file", "1");
    git(&fixture, "sub", &["init", "-q"]);
    git(&fixture, "sub", &["add", "-A"]);
    git(&fixture, "sub", &["commit", "-qm", "first"]);
    fixture.commit();
    assert_like_git(&fixture, &[]);
    fixture.write("sub/file", "2");
    assert_like_git(&fixture, &["M sub"]);
    git(&fixture, "sub", &["commit", "-qam", "second"]);
    assert_like_git(&fixture, &["M sub"]);
}

#[test]
fn a_nested_repository_is_one_untracked_entry() {
    let fixture = Fixture::committed(&[("own", "1"), (".gitignore", "ignored/\n")]);
    for folder in ["nested", "deep/er/nested", "ignored"] {
        fixture.write(&format!("{folder}/file"), "1");
        git(&fixture, folder, &["init", "-q"]);
        git(&fixture, folder, &["add", "-A"]);
        git(&fixture, folder, &["commit", "-qm", "first"]);
    }
    fixture.write("unborn/file", "1");
    git(&fixture, "unborn", &["init", "-q"]);
    let listed = status(&fixture.root, "");
    assert_eq!(fixture.changes(), listed);
    assert!(
        listed.contains(&("nested".to_owned(), "??".to_owned())),
        "{listed:?}"
    );
    let worktree = worktree(&fixture.root);
    assert_eq!(
        worktree.hash("nested", None),
        Some(git(&fixture, "nested", &["rev-parse", "HEAD"]))
    );
    assert_eq!(worktree.hash("unborn", None), None);
}

#[test]
fn what_is_uncommitted_in_a_submodule_shows_beside_a_split_index_as_well() {
    let fixture = with_submodules();
    fixture.git(&["update-index", "--split-index"]);
    assert_like_git(&fixture, &[]);
    fixture.write("a/file", "2");
    assert_like_git(&fixture, &["M a"]);
    fixture.write("lib/b/new", "2");
    assert_like_git(&fixture, &["M a", "M lib/b"]);
    git(&fixture, "lib/b", &["add", "."]);
    git(&fixture, "lib/b", &["commit", "-qm", "more"]);
    assert_like_git(&fixture, &["M a", "M lib/b"]);
    assert_changes(&super::fixture::changes(&fixture.at("lib")), &["M b"]);
}

#[test]
fn a_repository_without_a_commit_is_untracked_where_case_does_not_matter_too() {
    for ignores_case in ["false", "true"] {
        let fixture = Fixture::committed(&[(".gitignore", "ignored/\n*.o\n"), ("own", "1")]);
        fixture.git(&["config", "core.ignoreCase", ignores_case]);
        for path in ["n", "deep/n", "ignored/n", "ignored"] {
            fixture.git(&["init", "-q", path]);
        }
        fixture.write("x.o", "1");
        fixture.write("ignored/file", "1");
        assert_like_git(&fixture, &["?? deep/n", "?? n"]);
    }
}

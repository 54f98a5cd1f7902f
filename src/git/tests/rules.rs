//! Ignore rules of which libgit2 makes others than git: the git command is asked.

use super::fixture::{Fixture, assert_changes, status};

#[track_caller]
fn assert_like_git(fixture: &Fixture) {
    let expected = status(&fixture.root, "");
    assert_eq!(fixture.changes(), expected);
    let head = fixture.git(&["rev-parse", "HEAD"]);
    assert_eq!(fixture.changes_since(&head), expected);
}

fn fixture() -> Fixture {
    let fixture = Fixture::committed(&[("kept", "1")]);
    for path in ["id.c", "foo/x", "x.o", "dir/x.o", "a b", "sub/n"] {
        fixture.write(path, "new");
    }
    fixture
}

#[test]
fn rules_that_libgit2_misreads_are_gits() {
    for rules in [
        "**/\n",
        "/**/\n",
        "!x\n**/\n",
        "*.o\t\n",
        "\\/\n",
        "foo\\/x\n",
        "\\\nx.o\n",
        "x\\\\\n*.c\n",
    ] {
        let fixture = fixture();
        fixture.write(".gitignore", rules);
        assert_like_git(&fixture);
        fixture.remove(".gitignore");
        fixture.write("sub/.gitignore", rules);
        assert_like_git(&fixture);
        fixture.remove("sub/.gitignore");
        fixture.write(".git/info/exclude", rules);
        assert_like_git(&fixture);
    }
}

#[cfg(unix)]
#[test]
fn a_link_holds_no_rules() {
    let fixture = fixture();
    fixture.write("rules", "*.o\n");
    std::os::unix::fs::symlink("rules", fixture.at(".gitignore")).unwrap();
    assert_like_git(&fixture);
}

#[cfg(unix)]
#[test]
fn attributes_and_rules_are_not_read_through_a_link() {
    let fixture = Fixture::committed(&[("s/a.txt", "1\n"), ("b.txt", "1\r\n")]);
    fixture.write("../attributes", "*.txt text\n");
    fixture.write("../rules", ".claude-checkpoint*\n");
    std::os::unix::fs::symlink("../attributes", fixture.at(".gitattributes")).unwrap();
    for (path, content) in [("b.txt", "1\r\n"), ("s/a.txt", "2\n"), ("s/n", "new")] {
        fixture.write(path, content);
    }
    assert_changes(
        &fixture.changes(),
        &["?? .gitattributes", "M s/a.txt", "?? s/n"],
    );
    assert_like_git(&fixture);
    let project = fixture.at("s");
    assert_changes(&super::fixture::changes(&project), &["M a.txt", "?? n"]);
    std::os::unix::fs::symlink("../rules", fixture.at(".gitignore")).unwrap();
    let ignored = fixture
        .repository()
        .is_ignored(".claude-checkpoints/x.json");
    assert!(!ignored.unwrap());
}

#[test]
fn rules_that_a_sparse_checkout_leaves_out_hold() {
    let fixture = Fixture::committed(&[
        (".gitignore", "*.z\n"),
        ("d/.gitignore", "*.o\n"),
        ("d/a", "1"),
        ("e", "1"),
    ]);
    fixture.git(&["sparse-checkout", "set", "--no-cone", "/d/a"]);
    for path in ["d/q.o", "w.z", "d/n"] {
        fixture.write(path, "new");
    }
    assert_changes(&fixture.changes(), &["?? d/n"]);
    assert_like_git(&fixture);
}

#[test]
fn rules_of_one_file_take_back_those_of_another() {
    let git_dirs = [
        "../excludes",
        ".git/info/exclude",
        ".gitignore",
        "foo/.gitignore",
    ];
    for (ignored, taken_back) in [
        ("*.o", "!x.o"),
        ("*.o", "!*.o"),
        ("x*", "!x"),
        ("x", "!/x"),
        ("foo", "!foo/"),
        ("foo/", "!/foo"),
        ("/foo/x", "!foo/x"),
        ("f*", "!foo/**"),
        ("dir", "!x.o"),
    ] {
        for (at, git_dir) in git_dirs.iter().enumerate() {
            for later in &git_dirs[at + 1..] {
                let fixture = fixture();
                fixture.git(&["config", "core.excludesFile", "../excludes"]);
                fixture.write(git_dir, format!("{ignored}\n"));
                fixture.write(later, format!("{taken_back}\n"));
                assert_like_git(&fixture);
                fixture.write(git_dir, format!("{taken_back}\n"));
                fixture.write(later, format!("{ignored}\n"));
                assert_like_git(&fixture);
            }
        }
    }
}

#[test]
fn rules_above_the_project_hold_where_the_index_alone_has_them() {
    let fixture = Fixture::committed(&[
        (".gitignore", "*.o\n"),
        (".gitattributes", "* text\n"),
        ("s/d/a", "1"),
        ("s/d/t", "a\r\n"),
    ]);
    let project = fixture.at("s");
    fixture.git(&["sparse-checkout", "set", "--no-cone", "/s/d/"]);
    assert!(!fixture.at(".gitattributes").exists());
    for path in ["s/x.o", "s/d/y.o", "s/n"] {
        fixture.write(path, "new");
    }
    fixture.write("s/d/t", "a\r\n");
    let found = super::fixture::changes(&project);
    assert_eq!(found, status(&project, "s/"));
}

#[test]
fn what_is_taken_out_of_the_index_and_ignored_is_new_to_no_commit() {
    let fixture = Fixture::committed(&[("kept", "1")]);
    let before = fixture.git(&["rev-parse", "HEAD"]);
    for path in ["ignored", "untracked"] {
        fixture.write(path, "1");
    }
    fixture.git(&["add", "-A"]);
    fixture.git(&["commit", "-qm", "two"]);
    fixture.git(&["rm", "-q", "--cached", "ignored", "untracked"]);
    fixture.write(".gitignore", "ignored\n");
    assert_changes(
        &fixture.changes_since(&before),
        &["?? .gitignore", "?? untracked"],
    );
    let head = fixture.git(&["rev-parse", "HEAD"]);
    assert_changes(&fixture.changes_since(&head), &["?? .gitignore"]);
}

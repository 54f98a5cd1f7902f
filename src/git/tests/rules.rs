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

#[test]
fn a_link_holds_no_rules() {
    let fixture = fixture();
    fixture.write("rules", "*.o\n");
    std::os::unix::fs::symlink("rules", fixture.at(".gitignore")).unwrap();
    assert_like_git(&fixture);
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

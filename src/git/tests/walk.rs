//! What the walk of our own must not overlook: each against the git command.

use std::fs;

use super::fixture::{Fixture, assert_changes, assert_like_git, changes, status};

/// Makes the index older or newer than everything in it, of which the times are what they are.
fn date_index(fixture: &Fixture, seconds: u64) {
    let file = fs::File::options()
        .write(true)
        .open(fixture.at(".git/index"));
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    file.unwrap().set_modified(time).unwrap();
}

#[test]
fn every_version_of_the_index_reads_the_same() {
    let long = "long/".repeat(60);
    let files: Vec<String> = ["a", "a-b", "a.c", "b/c", "b-", "b/d/e"]
        .map(str::to_owned)
        .into_iter()
        .chain((0..30).map(|number| format!("many/{number}/file {number}")))
        .chain([format!("{long}file"), "x".repeat(200)])
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|path| (path.as_str(), "1\n")).collect();
    for version in ["2", "3", "4"] {
        for skip_hash in ["false", "true"] {
            let fixture = Fixture::committed(&files);
            fixture.git(&["config", "index.skipHash", skip_hash]);
            fixture.git(&["update-index", "--index-version", version]);
            fixture.git(&["update-index", "--skip-worktree", "a.c"]);
            fixture.write("a-b", "2\n");
            fixture.write("b/d/new", "1\n");
            fixture.remove("many/7");
            fixture.write("many/8/file 8", "2\n");
            fixture.git(&["add", "many/8"]);
            date_index(&fixture, 4_000_000_000);
            let expected = ["M a-b", "?? b/d/new", "D many/7/file 7", "M many/8/file 8"];
            assert_like_git(&fixture, &expected);
        }
    }
}

#[test]
fn content_decides_where_times_cannot() {
    let fixture = Fixture::committed(&[("same", "1"), ("other", "1"), ("sub/other", "1")]);
    let before = fs::metadata(fixture.at("other"))
        .unwrap()
        .modified()
        .unwrap();
    for path in ["other", "sub/other"] {
        fixture.write(path, "2");
        let file = fs::File::options().write(true).open(fixture.at(path));
        file.unwrap().set_modified(before).unwrap();
    }
    fixture.git(&["config", "core.trustctime", "false"]);
    // As if everything had been written after the index.
    date_index(&fixture, 1_000_000_000);
    assert_like_git(&fixture, &["M other", "M sub/other"]);
}

#[test]
fn a_time_that_moved_is_no_change() {
    for (name, value) in [("core.checkStat", "default"), ("core.checkStat", "minimal")] {
        let fixture = Fixture::committed(&[("a", "1"), ("b/c", "1")]);
        fixture.git(&["config", name, value]);
        fixture.write("a", "1");
        fixture.remove("b/c");
        fixture.write("b/c", "1");
        assert_like_git(&fixture, &[]);
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_seen_through_a_link() {
    let fixture = Fixture::committed(&[("a/file", "1"), ("a/b/file", "1"), ("c", "1")]);
    date_index(&fixture, 4_000_000_000);
    fs::rename(fixture.at("a"), fixture.at("../a")).unwrap();
    std::os::unix::fs::symlink("../a", fixture.at("a")).unwrap();
    let expected = ["?? a", "D a/b/file", "D a/file"];
    assert_like_git(&fixture, &expected);
}

#[cfg(unix)]
#[test]
fn a_mode_that_does_not_count_is_no_change() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::committed(&[("a", "1")]);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(fixture.at("a"), executable).unwrap();
    assert_like_git(&fixture, &["M a"]);
    fixture.git(&["config", "core.fileMode", "false"]);
    assert_like_git(&fixture, &[]);
}

#[test]
fn ignored_folders_hide_what_is_untracked_alone() {
    let fixture = Fixture::committed(&[
        ("out/kept", "1"),
        ("out/deep/kept", "1"),
        ("src/.gitignore", "/local\n*.tmp\n!keep.tmp\n"),
        ("src/a", "1"),
    ]);
    fixture.write(".gitignore", "out/\n**/cache/*\ndoc/**/x?z\n");
    fixture.git(&["config", "core.excludesFile", ".git/own"]);
    fixture.write(".git/own", "*.swp\n");
    fixture.write(".git/info/exclude", "private\n");
    for path in [
        "out/new",
        "out/deep/new",
        "src/local/x",
        "src/deep/local/x",
        "src/a.tmp",
        "src/keep.tmp",
        "a/cache/x",
        "doc/a/b/xyz",
        "doc/xyz",
        "doc/xz",
        "a.swp",
        "private/x",
        "src/private",
    ] {
        fixture.write(path, "1");
    }
    fixture.write("out/deep/kept", "2");
    let expected = [
        "?? .gitignore",
        "?? doc/xz",
        "M out/deep/kept",
        "?? src/deep/local/x",
        "?? src/keep.tmp",
    ];
    assert_like_git(&fixture, &expected);
    for (folder, expected) in [
        ("out", &["M deep/kept"][..]),
        ("src", &["?? deep/local/x", "?? keep.tmp"]),
        ("doc", &["?? xz"]),
    ] {
        assert_changes(
            &status(&fixture.at(folder), &format!("{folder}/")),
            expected,
        );
        assert_changes(&changes(&fixture.at(folder)), expected);
    }
}

#[test]
fn what_only_looks_like_a_repository_is_a_folder() {
    let fixture = Fixture::committed(&[("own", "1"), ("held/file", "1")]);
    fixture.write("looks/.git/config", "1");
    fixture.write("looks/file", "1");
    fixture.git(&["init", "-q", "real"]);
    fixture.write("real/file", "1");
    fixture.git(&["init", "-q", "held"]);
    fixture.write("held/new", "1");
    let listed = status(&fixture.root, "");
    assert_eq!(fixture.changes(), listed);
}

#[test]
fn every_stage_of_a_tree_is_compared_folder_by_folder() {
    let fixture = Fixture::committed(&[
        ("a/b/c", "1"),
        ("a/d", "2"),
        ("a-b", "3"),
        ("e/f", "4"),
        ("g", "5"),
    ]);
    fixture.git(&["rm", "-q", "--cached", "-r", "e"]);
    fixture.write("a/b/new", "6");
    fixture.git(&["add", "a/b/new"]);
    fixture.remove("g");
    fixture.write("g/h", "7");
    fixture.git(&["add", "-A", "g"]);
    assert_changes(&fixture.changes(), &["A a/b/new", "?? e/f", "D g", "A g/h"]);
    assert_eq!(fixture.changes(), status(&fixture.root, ""));
    // A folder of which every file is gone from the index is one path of the tree.
    fixture.remove("e");
    assert_changes(&fixture.changes(), &["A a/b/new", "D e/f", "D g", "A g/h"]);
    let empty = fixture.repository().changes_since(crate::git::Base::Empty);
    let empty = super::fixture::read(empty.unwrap());
    assert_changes(&empty, &["A a-b", "A a/b/c", "A a/b/new", "A a/d", "A g/h"]);
}

#[test]
fn a_file_of_another_length_is_what_git_calls_it() {
    const ATTRIBUTES: &str = "*.txt text eol=crlf\n";
    type Prepare = fn(&Fixture);
    let prepares: [Prepare; 6] = [
        |fixture| fixture.write(".gitattributes", ATTRIBUTES),
        |fixture| fixture.write("sub/.gitattributes", ATTRIBUTES),
        |fixture| {
            fixture.write("sub/.gitattributes", ATTRIBUTES);
            fixture.git(&["add", "."]);
            fixture.git(&["commit", "-qm", "attributes"]);
            fixture.remove("sub/.gitattributes");
        },
        |fixture| fixture.write(".git/info/attributes", ATTRIBUTES),
        |fixture| {
            fixture.write("../attributes", ATTRIBUTES);
            fixture.git(&["config", "core.attributesFile", "../attributes"]);
        },
        |fixture| {
            fixture.git(&["config", "core.autocrlf", "true"]);
        },
    ];
    for (number, prepare) in prepares.into_iter().enumerate() {
        let fixture = Fixture::committed(&[("sub/a.txt", "one\ntwo\n"), ("sub/b.txt", "1\n")]);
        prepare(&fixture);
        let head = fixture.git(&["rev-parse", "HEAD"]);
        fixture.write("sub/a.txt", "one\r\ntwo\r\n");
        fixture.write("sub/b.txt", "two\r\n");
        let expected = status(&fixture.root, "");
        assert!(expected.contains(&("sub/b.txt".to_owned(), "M".to_owned())));
        assert_eq!(fixture.changes(), expected, "{number}");
        assert_eq!(fixture.changes_since(&head), expected, "{number}");
    }
}

#[test]
fn a_folder_that_is_gone_is_listed_beside_one_with_a_longer_name() {
    for between in ["core-utils", "core.old"] {
        let files = ["core/1", "core/deep/2", "core/3"].map(str::to_owned);
        let others = ["a", "b"].map(|name| format!("{between}/{name}"));
        let all: Vec<(&str, &str)> = files
            .iter()
            .chain(&others)
            .map(|path| (path.as_str(), "1\n"))
            .collect();
        let fixture = Fixture::committed(&all);
        let base = fixture.git(&["rev-parse", "HEAD"]);
        fixture.git(&["rm", "-qr", "core"]);
        fixture.write(&others[0], "2\n");
        fixture.git(&["add", "-A"]);
        let expected = [
            format!("M {}", others[0]),
            "D core/1".to_owned(),
            "D core/3".to_owned(),
            "D core/deep/2".to_owned(),
        ];
        let mut expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        expected.sort_by_key(|line| line.split_once(' ').map(|(_, path)| path));
        assert_like_git(&fixture, &expected);
        fixture.git(&["commit", "-qm", "second"]);
        assert_changes(&fixture.changes_since(&base), &expected);
    }
}

#[test]
fn what_is_assumed_unchanged_is_still_new() {
    let fixture = Fixture::committed(&[("f", "1\n"), ("g", "1\n")]);
    let base = fixture.git(&["rev-parse", "HEAD"]);
    fixture.write("n", "new\n");
    fixture.write("g", "2\n");
    fixture.git(&["add", "-A"]);
    fixture.git(&["update-index", "--assume-unchanged", "n", "g"]);
    assert_like_git(&fixture, &["M g", "A n"]);
    fixture.git(&["mv", "f", "h"]);
    fixture.git(&["commit", "-qm", "second"]);
    fixture.git(&["update-index", "--assume-unchanged", "h"]);
    let expected = ["D f", "M g", "A h", "A n"];
    assert_changes(&fixture.changes_since(&base), &expected);
}

#[test]
fn a_file_in_the_place_of_the_root_is_outside_of_it() {
    let fixture = Fixture::committed(&[("doc", "1\n")]);
    fixture.remove("doc");
    fixture.write("doc/in", "new\n");
    let below = super::fixture::changes(&fixture.at("doc"));
    assert_changes(&below, &["?? in"]);
}

#[test]
fn files_without_a_carriage_return_are_compared_as_they_are() {
    let attributes = [
        "* text=auto\n",
        "* text eol=crlf\n",
        "*.txt text eol=lf\n* -text\n",
        "* crlf=input\n",
        "",
    ];
    for (attributes, setting) in attributes
        .into_iter()
        .zip(["false", "false", "false", "input", "true"])
    {
        let fixture = Fixture::committed(&[
            ("crlf.txt", "one\r\ntwo\r\n"),
            ("edited.txt", "one\ntwo\n"),
            ("longer.txt", "one\ntwo\n"),
            ("mixed.txt", "one\r\ntwo\n"),
            ("same.txt", "one\ntwo\n"),
        ]);
        fixture.git(&["config", "core.autocrlf", setting]);
        fixture.write(".gitattributes", attributes);
        fixture.git(&["add", ".gitattributes"]);
        fixture.commit();
        fixture.write("edited.txt", "one\ntwx\n");
        fixture.write("longer.txt", "one\ntwo\nthree\n");
        for (path, content) in [
            ("crlf.txt", "one\r\ntwo\r\n"),
            ("mixed.txt", "one\r\ntwo\n"),
            ("same.txt", "one\ntwo\n"),
        ] {
            fixture.write(path, content);
        }
        let expected = status(&fixture.root, "");
        assert!(expected.len() >= 2, "{attributes:?}");
        assert_eq!(fixture.changes(), expected, "{attributes:?}");
    }
}

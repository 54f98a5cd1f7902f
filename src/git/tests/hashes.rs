//! Content hashes of single paths, as git has them.

#[cfg(unix)]
use std::fs;

use super::fixture::Fixture;
use crate::files::Worktree;

#[test]
fn a_files_hash_is_gits_hash_of_its_raw_bytes() {
    let fixture = Fixture::new();
    let worktree = Worktree::open(&fixture.root).unwrap();
    for (path, content) in [
        ("empty", vec![]),
        ("sub/text.txt", b"one\r\ntwo\n".to_vec()),
        ("big", vec![7; 300_000]),
    ] {
        fixture.write(path, content);
        let expected = fixture.git(&["hash-object", "--no-filters", path]);
        assert_eq!(worktree.hash(path, None), Some(expected), "{path}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_hashed_by_their_target_and_never_lead_out() {
    use std::os::unix::fs::symlink;
    let fixture = Fixture::new();
    fixture.write("inside/file", "inside");
    fixture.write("../outside/file", "outside");
    symlink("inside", fixture.at("in")).unwrap();
    symlink("../outside", fixture.at("out")).unwrap();
    symlink("/nowhere", fixture.at("dangling")).unwrap();
    let worktree = Worktree::open(&fixture.root).unwrap();
    fixture.git(&["add", "in", "out", "dangling"]);
    for link in ["in", "out", "dangling"] {
        let expected = fixture.git(&["rev-parse", &format!(":{link}")]);
        assert_eq!(worktree.hash(link, None), Some(expected), "{link}");
    }
    assert_eq!(
        worktree.hash("in/file", None),
        worktree.hash("inside/file", None)
    );
    assert_eq!(worktree.hash("out/file", None), None);
}

#[cfg(unix)]
#[test]
fn names_that_are_not_unicode_are_found() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new();
    fs::write(fixture.root.join(OsStr::from_bytes(b"caf\xe9")), "x").unwrap();
    let changes = fixture.changes();
    super::fixture::assert_changes(&changes, &[r#"?? "caf\351""#]);
    let hash = Worktree::open(&fixture.root)
        .unwrap()
        .hash(&changes[0].0, None);
    assert!(hash.is_some());
}

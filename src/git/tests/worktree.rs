//! Content hashes and times of single paths.

#[cfg(unix)]
use std::fs;
use std::fs::File;
use std::time::{Duration, SystemTime};

use super::fixture::Fixture;
use crate::git::Worktree;

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

#[test]
fn what_is_no_file_has_no_hash() {
    let fixture = Fixture::plain();
    fixture.write("folder/file", "");
    fixture.write("../outside", "secret");
    let worktree = Worktree::open(&fixture.root).unwrap();
    let absolute = fixture.at("folder/file");
    for path in [
        "",
        ".",
        "absent",
        "folder",
        "folder/file/x",
        "../outside",
        "a\0b",
        absolute.to_str().unwrap(),
    ] {
        assert_eq!(worktree.hash(path, None), None, "{path}");
    }
}

#[test]
fn a_file_over_the_bound_is_told_by_size_and_time() {
    let fixture = Fixture::plain();
    let file = File::create(fixture.at("huge")).unwrap();
    file.set_len(65 * 1024 * 1024).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    file.set_modified(time).unwrap();
    let worktree = Worktree::open(&fixture.root).unwrap();
    assert_eq!(
        worktree.hash("huge", None).as_deref(),
        Some("size:68157440,mtime:2023-11-14T22:13:20Z")
    );
    assert_eq!(
        worktree
            .modified("huge")
            .map(|time| time.to_string())
            .as_deref(),
        Some("2023-11-14T22:13:20Z")
    );
    assert_eq!(worktree.modified("absent"), None);
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
fn a_fifo_has_no_hash_and_blocks_nothing() {
    let fixture = Fixture::plain();
    fifo(&fixture, "pipe");
    assert_eq!(
        Worktree::open(&fixture.root).unwrap().hash("pipe", None),
        None
    );
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

#[cfg(unix)]
pub(super) fn fifo(fixture: &Fixture, path: &str) {
    let status = std::process::Command::new("mkfifo")
        .arg(fixture.at(path))
        .status()
        .unwrap();
    assert!(status.success());
}

//! Everything that libgit2 and git see differently, and what stands in no ordinary repository.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use super::fixture::{Fixture, assert_changes, changes, open, patient, status};
use crate::env::{Deadline, Env};
use crate::files::Worktree;
use crate::git::{self, Error, Opened};

/// Makes the stat data that the index holds for a file stale, and leaves its content.
fn touch(fixture: &Fixture, path: &str) {
    let file = File::options().append(true).open(fixture.at(path)).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000))
        .unwrap();
}

#[track_caller]
fn assert_like_git(fixture: &Fixture, expected: &[&str]) {
    assert_changes(&status(&fixture.root, ""), expected);
    assert_changes(&fixture.changes(), expected);
}

#[test]
fn each_kind_of_change_has_its_code_once() {
    let fixture = Fixture::committed(&[
        ("modified", "1"),
        ("deleted", "2"),
        ("staged-deleted", "3"),
        ("untracked-again", "4"),
        ("old-name", "some content that is long enough\n"),
        ("both", "5"),
        ("reverted", "6"),
        (".gitignore", "*.o\n"),
    ]);
    fixture.write("modified", "changed");
    fixture.remove("deleted");
    fixture.git(&["rm", "-q", "staged-deleted"]);
    fixture.git(&["rm", "-q", "--cached", "untracked-again"]);
    fixture.git(&["mv", "old-name", "new-name"]);
    fixture.write("both", "index");
    fixture.write("added", "1");
    fixture.write("reverted", "index");
    fixture.write("gone", "1");
    fixture.git(&["add", "both", "added", "gone", "reverted"]);
    fixture.write("both", "working tree");
    fixture.write("added", "2");
    fixture.write("reverted", "6");
    fixture.remove("gone");
    fixture.write("intended", "x");
    fixture.git(&["add", "-N", "intended"]);
    fixture.write("folder/untracked", "x");
    fixture.write("folder/ignored.o", "x");
    fs::create_dir(fixture.at("empty")).unwrap();
    assert_like_git(
        &fixture,
        &[
            "A added",
            "M both",
            "D deleted",
            "?? folder/untracked",
            "D gone",
            "A intended",
            "M modified",
            "R new-name",
            "D old-name",
            "M reverted",
            "D staged-deleted",
            "?? untracked-again",
        ],
    );
    let head = fixture.git(&["rev-parse", "HEAD"]);
    assert_changes(
        &fixture.changes_since(&head),
        &[
            "A added",
            "M both",
            "D deleted",
            "?? folder/untracked",
            "A intended",
            "M modified",
            "A new-name",
            "D old-name",
            "D staged-deleted",
        ],
    );
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let fixture = Fixture::new();
    assert_eq!(fixture.changes(), []);
    fixture.write("staged", "1");
    fixture.git(&["add", "staged"]);
    fixture.write("untracked", "2");
    assert_like_git(&fixture, &["A staged", "?? untracked"]);
}

#[test]
fn a_file_committed_unchanged_or_reverted_does_not_differ() {
    let fixture = Fixture::committed(&[("a", "1"), ("b", "1"), ("c", "1"), (".gitignore", "")]);
    let base = fixture.git(&["rev-parse", "HEAD"]);
    fixture.write("a", "2");
    fixture.write("b", "2");
    fixture.commit();
    fixture.write("a", "1");
    // Untracked and ignored now, and still what it was.
    fixture.git(&["rm", "-q", "--cached", "c"]);
    fixture.write(".gitignore", "c\n");
    assert_changes(&fixture.changes_since(&base), &["M .gitignore", "M b"]);
    assert_changes(&fixture.changes(), &["M .gitignore", "M a", "D c"]);
}

#[test]
fn files_that_git_never_looks_at_are_no_changes() {
    let fixture = Fixture::committed(&[("skipped", "1"), ("assumed", "1"), ("seen", "1")]);
    let base = fixture.git(&["rev-parse", "HEAD"]);
    fixture.git(&["update-index", "--skip-worktree", "skipped"]);
    fixture.git(&["update-index", "--assume-unchanged", "assumed"]);
    for change in [
        |fixture: &Fixture, path: &str| fixture.write(path, "2"),
        Fixture::remove,
    ] {
        change(&fixture, "skipped");
        change(&fixture, "assumed");
        assert_like_git(&fixture, &[]);
        assert_eq!(fixture.changes_since(&base), []);
    }
}

#[test]
fn a_sparse_checkout_lists_what_is_there_alone() {
    let fixture = Fixture::committed(&[("in/a", "1"), ("out/b", "1"), ("out/c", "1")]);
    let base = fixture.git(&["rev-parse", "HEAD"]);
    fixture.git(&["sparse-checkout", "set", "--cone", "in"]);
    assert!(!fixture.at("out").exists());
    assert_like_git(&fixture, &[]);
    assert_eq!(fixture.changes_since(&base), []);
    fixture.write("out/b", "2");
    fixture.write("out/c", "1");
    assert_like_git(&fixture, &["M out/b"]);
    assert_changes(&fixture.changes_since(&base), &["M out/b"]);
}

#[test]
fn line_ends_are_compared_as_git_would_store_them() {
    let fixture = Fixture::committed(&[
        (".gitattributes", "*.txt text eol=crlf\n*.id ident\n"),
        ("a.txt", "one\r\ntwo\r\n"),
        ("b.txt", "one\r\n"),
        ("c.id", "$Id$\n"),
    ]);
    let base = fixture.git(&["rev-parse", "HEAD"]);
    fixture.remove("c.id");
    fixture.git(&["checkout", "-q", "."]);
    for path in ["a.txt", "c.id"] {
        touch(&fixture, path);
    }
    fixture.write("b.txt", "one\nmore\n");
    assert_changes(&fixture.changes(), &["M b.txt"]);
    assert_changes(&fixture.changes_since(&base), &["M b.txt"]);
    // It would be stored as it was, but git takes another length on disk for a change.
    fixture.write("b.txt", "one\n");
    assert_like_git(&fixture, &["M b.txt"]);
}

#[test]
fn lfs_files_are_compared_by_the_pointer_they_would_have() {
    let fixture = Fixture::new();
    let digest = "486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7";
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 5\n");
    fixture.write("a.bin", &pointer);
    fixture.write("b.bin", &pointer);
    fixture.write("pointer.bin", &pointer);
    fixture.commit();
    fixture.write(".gitattributes", "*.bin filter=lfs -text\n");
    let base = fixture.commit();
    fixture.git(&["config", "filter.lfs.process", "git-lfs filter-process"]);
    // The content whose pointer is stored, another of the same length, and the pointer itself.
    fixture.write("a.bin", "world");
    fixture.write("b.bin", "World");
    touch(&fixture, "pointer.bin");
    assert_changes(&fixture.changes(), &["M b.bin"]);
    assert_changes(&fixture.changes_since(&base), &["M b.bin"]);
}

#[test]
fn files_behind_a_driver_are_unchanged_while_untouched_and_nothing_is_run() {
    let fixture = Fixture::committed(&[(".gitattributes", "*.x filter=own\n*.y filter=none\n")]);
    fixture.git(&["config", "filter.own.clean", "tr a-z A-Z"]);
    fixture.git(&["config", "filter.own.smudge", "tr A-Z a-z"]);
    fixture.write("a.x", "content");
    fixture.write("b.x", "content");
    fixture.write("c.y", "content");
    let base = fixture.commit();
    fixture.git(&["config", "filter.own.clean", "touch ../ran; cat"]);
    fixture.git(&["config", "core.fsmonitor", "touch ../ran; false"]);
    assert_eq!(fixture.changes(), []);
    assert_eq!(fixture.changes_since(&base), []);
    touch(&fixture, "b.x");
    touch(&fixture, "c.y");
    // What the driver would make of it is not known.
    assert_changes(&fixture.changes(), &["M b.x"]);
    assert_changes(&fixture.changes_since(&base), &["M b.x"]);
    assert!(!fixture.at("../ran").exists());
}

#[test]
fn files_in_another_encoding_are_compared_decoded() {
    let fixture = Fixture::committed(&[(
        ".gitattributes",
        "*.u16 text working-tree-encoding=UTF-16\n*.le text working-tree-encoding=UTF-16LE-BOM eol=crlf\n\
         *.l1 text working-tree-encoding=ISO-8859-1\n*.jis text working-tree-encoding=SHIFT-JIS\n",
    )]);
    let utf16 = |text: &str, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    };
    fixture.write("a.u16", utf16("\u{feff}ünï\n", u16::to_be_bytes));
    fixture.write("b.u16", utf16("\u{feff}ünï\n", u16::to_le_bytes));
    fixture.write("c.le", utf16("\u{feff}ünï\r\ntwo\r\n", u16::to_le_bytes));
    fixture.write("d.l1", b"\xfcn\n");
    fixture.write("e.jis", b"\x82\xa0\n");
    let base = fixture.commit();
    for path in ["a.u16", "b.u16", "c.le", "d.l1"] {
        touch(&fixture, path);
    }
    assert_like_git(&fixture, &[]);
    assert_eq!(fixture.changes_since(&base), []);
    fixture.write("a.u16", utf16("\u{feff}uni\n", u16::to_be_bytes));
    fixture.write("d.l1", b"\xfcm\n");
    assert_like_git(&fixture, &["M a.u16", "M d.l1"]);
    assert_changes(&fixture.changes_since(&base), &["M a.u16", "M d.l1"]);
}

#[test]
fn conflicts_of_every_kind_are_unmerged() {
    let fixture = Fixture::committed(&[
        ("both", "1\n"),
        ("ours-gone", "1\n"),
        ("theirs-gone", "1\n"),
    ]);
    let base = fixture.git(&["rev-parse", "HEAD"]);
    fixture.git(&["checkout", "-q", "-b", "other"]);
    fixture.write("both", "other\n");
    fixture.write("ours-gone", "other\n");
    fixture.remove("theirs-gone");
    fixture.write("new", "other\n");
    fixture.commit();
    fixture.git(&["checkout", "-q", "main"]);
    fixture.write("both", "main\n");
    fixture.remove("ours-gone");
    fixture.write("theirs-gone", "main\n");
    fixture.write("new", "main\n");
    fixture.commit();
    assert!(!fixture.try_git(&["merge", "other"]).status.success());
    assert_like_git(
        &fixture,
        &["U both", "U new", "U ours-gone", "U theirs-gone"],
    );
    fixture.write("both", "1\n");
    fixture.remove("ours-gone");
    let since = fixture.changes_since(&base);
    let paths: Vec<&str> = since.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["new", "ours-gone", "theirs-gone"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_became_something_else_is_modified() {
    let fixture = Fixture::committed(&[("fifo", "1"), ("link", "1"), ("mode", "1"), ("dir", "1")]);
    let base = fixture.git(&["rev-parse", "HEAD"]);
    for path in ["fifo", "link", "dir"] {
        fixture.remove(path);
    }
    super::fixture::fifo(&fixture, "fifo");
    super::fixture::fifo(&fixture, "untracked-fifo");
    std::os::unix::fs::symlink("mode", fixture.at("link")).unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(fixture.at("mode"), fs::Permissions::from_mode(0o755)).unwrap();
    fixture.write("dir/file", "1");
    let expected = ["D dir", "?? dir/file", "M fifo", "M link", "M mode"];
    assert_like_git(&fixture, &expected);
    assert_changes(&fixture.changes_since(&base), &expected);
}

#[cfg(unix)]
#[test]
fn unreadable_files_do_not_hide_the_others() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::committed(&[("closed", "1"), ("open", "1")]);
    fixture.write("closed", "2");
    fixture.write("open", "2");
    fixture.write("folder/x", "2");
    let close =
        |path| fs::set_permissions(fixture.at(path), fs::Permissions::from_mode(0o0)).unwrap();
    close("closed");
    close("folder");
    if fs::read(fixture.at("closed")).is_ok() {
        eprintln!("skipped: this user may read every file");
    } else {
        assert_changes(&fixture.changes(), &["M closed", "M open"]);
    }
    fs::set_permissions(fixture.at("folder"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_subfolder_sees_itself_alone() {
    for folder in ["sub", "[a]b", "!x", "-d", "sp ace", "trailing "] {
        let fixture = Fixture::committed(&[("outside", "1"), (&format!("{folder}/in"), "1")]);
        let base = fixture.git(&["rev-parse", "HEAD"]);
        fixture.write("outside", "2");
        fixture.write(&format!("{folder}/in"), "2");
        fixture.write(&format!("{folder}/new/x"), "2");
        fixture.write(&format!("{folder}2/new"), "2");
        let root = fixture.at(folder);
        assert_changes(&changes(&root), &["M in", "?? new/x"]);
        let since = super::fixture::repository(&root).changes_since(git::Base::Commit(&base));
        assert_changes(&super::fixture::read(since.unwrap()), &["M in", "?? new/x"]);
    }
}

#[test]
fn ignore_rules_hold_for_tracked_files_too() {
    let fixture = Fixture::committed(&[("sub/.gitignore", ".claude-checkpoint*\nbuild/\n")]);
    let repository = super::fixture::repository(&fixture.at("sub"));
    for (path, ignored) in [
        (".claude-checkpoints/x.json", true),
        (".claude-checkpoint", true),
        ("build/x", true),
        ("build", false),
        ("src/a.rs", false),
    ] {
        assert_eq!(repository.is_ignored(path).unwrap(), ignored, "{path}");
    }
    assert!(
        !fixture
            .repository()
            .is_ignored(".claude-checkpoint")
            .unwrap()
    );
}

#[test]
fn nothing_is_written_into_the_repository() {
    let fixture = Fixture::committed(&[("a", "1"), ("b", "1")]);
    let base = fixture.git(&["rev-parse", "HEAD"]);
    touch(&fixture, "a");
    fixture.write("b", "2");
    fs::write(fixture.at(".git/index.lock"), "").unwrap();
    let listing = || -> Vec<_> {
        let output = std::process::Command::new("find")
            .args([".", "-printf", "%p %s %T@\n"])
            .current_dir(fixture.at(".git"))
            .output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        text.lines().map(str::to_owned).collect()
    };
    let before = listing();
    assert_changes(&fixture.changes(), &["M b"]);
    assert_changes(&fixture.changes_since(&base), &["M b"]);
    assert_eq!(listing(), before);
}

#[test]
fn outside_a_repository_there_is_none_and_hashes_work() {
    let fixture = Fixture::plain();
    fixture.write("a", "1");
    assert!(matches!(open(&fixture.root), Opened::Absent));
    assert!(
        Worktree::open(&fixture.root)
            .unwrap()
            .hash("a", None)
            .is_some()
    );
}

#[test]
fn what_cannot_be_read_says_why() {
    let unreadable = |fixture: &Fixture, path: &str| match open(&fixture.at(path)) {
        Opened::Unreadable(why) => why,
        Opened::Absent => "absent".to_owned(),
        Opened::Repository(_) => "repository".to_owned(),
    };
    let bare = Fixture::with(&["--bare"]);
    assert!(unreadable(&bare, "").contains("bare"));
    let fixture = Fixture::committed(&[("a", "1")]);
    assert!(unreadable(&fixture, ".git").contains("`.git`"));
    let lost = Fixture::plain();
    lost.write(".git", "gitdir: ../gone\n");
    assert!(unreadable(&lost, "").contains("not there"));
}

#[cfg(unix)]
#[test]
fn a_repository_of_another_user_is_refused() {
    let fixture = Fixture::committed(&[("a", "1")]);
    for path in ["", ".git"] {
        if std::os::unix::fs::chown(fixture.at(path), Some(12_345), None).is_err() {
            eprintln!("skipped: this user may not give files away");
            return;
        }
    }
    match open(&fixture.root) {
        Opened::Unreadable(why) => assert!(why.contains("safe.directory"), "{why}"),
        _ => panic!("opened"),
    }
}

#[test]
fn a_passed_deadline_ends_a_scan_and_head_is_known() {
    let fixture = Fixture::committed(&[("a", "1")]);
    let none = Deadline::after(Duration::ZERO);
    let (_, opening) = git::start(&fixture.root, &Env::from_process(), none, None).unwrap();
    let Opened::Repository(repository) = opening.finish() else {
        panic!("not opened");
    };
    assert_eq!(repository.changes().unwrap_err(), Error::TimedOut);
    assert_eq!(repository.changes().unwrap_err(), Error::TimedOut);
    assert!(repository.head().is_some());
}

#[test]
fn what_a_merge_named_anew_is_of_no_commit() {
    let fixture = Fixture::committed(&[("kept", "1")]);
    let before = fixture.git(&["rev-parse", "HEAD"]);
    fixture.git(&["branch", "other"]);
    fixture.write("a", "file");
    fixture.git(&["add", "-A"]);
    fixture.git(&["commit", "-qm", "a file"]);
    let head = fixture.git(&["rev-parse", "HEAD"]);
    fixture.git(&["checkout", "-q", "other"]);
    fixture.write("a/b", "folder");
    fixture.git(&["add", "-A"]);
    fixture.git(&["commit", "-qm", "a folder"]);
    fixture.git(&["checkout", "-q", "main"]);
    fixture.try_git(&["merge", "-q", "other"]);
    fixture.remove("a~HEAD");
    assert_changes(&fixture.changes_since(&before), &["A a/b"]);
    assert_changes(&fixture.changes_since(&head), &["D a", "A a/b"]);
}

#[test]
fn what_a_merge_moved_after_its_folder_is_of_no_commit() {
    let lines = |name: &str| (0..20).map(|n| format!("{name} {n}\n")).collect::<String>();
    let fixture = Fixture::committed(&[("old/one", &lines("one")), ("old/two", &lines("two"))]);
    fixture.git(&["branch", "other"]);
    fixture.write("old/new", "1");
    fixture.git(&["add", "-A"]);
    fixture.git(&["commit", "-qm", "a file"]);
    let head = fixture.git(&["rev-parse", "HEAD"]);
    fixture.git(&["checkout", "-q", "other"]);
    fixture.git(&["mv", "old", "moved"]);
    fixture.git(&["commit", "-qm", "a rename"]);
    fixture.git(&["checkout", "-q", "main"]);
    fixture.git(&["config", "merge.directoryRenames", "conflict"]);
    fixture.try_git(&["merge", "-q", "other"]);
    let found = fixture.changes_since(&head);
    let moved = found.iter().find(|(path, _)| path == "moved/new");
    assert!(moved.is_some(), "{found:?}");
}

#[test]
fn what_was_to_be_added_and_is_gone_is_of_no_commit() {
    let fixture = Fixture::committed(&[("empty", ""), ("kept", "1")]);
    let head = fixture.git(&["rev-parse", "HEAD"]);
    fixture.write("intended", "1");
    fixture.git(&["add", "-N", "intended"]);
    fixture.remove("intended");
    fixture.remove("empty");
    assert_changes(&fixture.changes_since(&head), &["D empty"]);
}

#[test]
fn a_checkpoint_that_the_index_has_under_another_name_is_tracked_while_head_has_it() {
    let file = ".claude-checkpoints/a.json";
    let fixture = Fixture::committed(&[(file, "a long enough content to be found again\n")]);
    fixture.git(&["mv", file, ".claude-checkpoints/b.json"]);
    fixture.git(&["mv", ".claude-checkpoints/b.json", "b.json"]);
    fixture.write(file, "another");
    let (files, env) = ([file.to_owned()], Env::from_process());
    let tracked = git::tracked(&fixture.root, &env, patient(), &files).unwrap();
    assert!(tracked.contains(file));
    assert!(fixture.repository().tracked(&files).unwrap().contains(file));
}

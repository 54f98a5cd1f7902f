//! Submodules that cannot be read: they are named, and everything else is told.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::fixture::{assert_changes, pairs, patient, repository, worktree};
use super::nested::{FORMS, Make, git, with};
use crate::env::{Deadline, Env};
use crate::git::program::Surroundings;
use crate::git::{self as reading, Base, Changes, Opened};

fn unread(changes: &Changes) -> Vec<&str> {
    changes
        .unread
        .iter()
        .map(|unread| unread.path.as_str())
        .collect()
}

#[test]
fn a_submodule_that_cannot_be_read_is_named_and_hides_nothing_else() {
    let faults: [(&str, Make); 9] = [
        ("a device as shallow", |folder| {
            symlink("/dev/zero", folder.join(".git/shallow")).unwrap();
        }),
        ("a device as HEAD", |folder| {
            fs::remove_file(folder.join(".git/HEAD")).unwrap();
            symlink("/dev/zero", folder.join(".git/HEAD")).unwrap();
        }),
        ("a device as the list of references", |folder| {
            fs::create_dir_all(folder.join(".git/reftable")).unwrap();
            let list = folder.join(".git/reftable/tables.list");
            let _ = fs::remove_file(&list);
            symlink("/dev/zero", list).unwrap();
        }),
        (
            "a device as the list of other places of objects",
            |folder| {
                fs::create_dir_all(folder.join(".git/objects/info")).unwrap();
                symlink("/dev/zero", folder.join(".git/objects/info/alternates")).unwrap();
            },
        ),
        ("an index that is none", |folder| {
            fs::write(folder.join(".git/index"), "none").unwrap();
        }),
        ("an empty `.git`", |folder| {
            fs::remove_dir_all(folder.join(".git")).unwrap();
            fs::create_dir(folder.join(".git")).unwrap();
        }),
        ("a `.git` that leads nowhere", |folder| {
            fs::remove_dir_all(folder.join(".git")).unwrap();
            fs::write(folder.join(".git"), "gitdir: /nowhere\n").unwrap();
        }),
        ("a `.git` that says nothing", |folder| {
            fs::remove_dir_all(folder.join(".git")).unwrap();
            fs::write(folder.join(".git"), "nothing\n").unwrap();
        }),
        ("an extension that nobody knows", |folder| {
            git(folder, &["config", "core.repositoryFormatVersion", "1"]);
            git(folder, &["config", "extensions.unheardOf", "true"]);
        }),
    ];
    for form in FORMS {
        for (what, make) in faults {
            let Some(fixture) = with(form, form, &["a", "b"]) else {
                continue;
            };
            let head = git(&fixture.root, &["rev-parse", "HEAD"]);
            fixture.write("a/file", "2");
            fixture.write("b/file", "2");
            fixture.write("own", "2");
            make(&fixture.at("a"));
            {
                let repository = repository(&fixture.root);
                let since = repository.changes_since(Base::Commit(&head));
                for changes in [repository.changes().unwrap(), since.unwrap()] {
                    assert_eq!(unread(&changes), ["a"], "{what}, {form:?}");
                    assert_changes(&pairs(changes.list), &["M b", "?? own"]);
                }
            }
            let _ = worktree(&fixture.root).hash("a", None);
        }
    }
}

#[test]
fn what_cannot_be_read_in_a_submodule_of_a_submodule_is_named_by_its_whole_path() {
    let fixture = with(&[], &[], &["a", "a/b"]).unwrap();
    for folder in ["a", "."] {
        git(&fixture.at(folder), &["add", "-A"]);
        git(
            &fixture.at(folder),
            &["commit", "-q", "--allow-empty", "-m", "nested"],
        );
    }
    fs::write(fixture.at("a/b/.git/index"), "none").unwrap();
    let changes = fixture.repository().changes().unwrap();
    assert_eq!(unread(&changes), ["a/b"]);
    assert_eq!(changes.list, []);
    fixture.write("a/new", "1");
    assert_changes(&fixture.changes(), &["M a"]);
}

#[test]
fn a_submodule_of_another_user_is_named() {
    let fixture = with(&[], &[], &["a"]).unwrap();
    let mut chown = Command::new("chown");
    chown.args(["-R", "12345"]).arg(fixture.at("a"));
    if !chown.output().unwrap().status.success() {
        // Only root may give files away.
        return;
    }
    let changes = fixture.repository().changes().unwrap();
    assert_eq!(unread(&changes), ["a"]);
    assert!(changes.unread[0].why.contains("another user"));
}

#[test]
fn a_submodule_that_is_waited_for_leaves_the_rest() {
    let fixture = with(&[], &[], &["a"]).unwrap();
    fixture.write("own", "1");
    let head = git(&fixture.at("a"), &["rev-parse", "HEAD"]);
    let object = fixture.at(&format!("a/.git/objects/{}/{}", &head[..2], &head[2..]));
    fs::remove_file(&object).unwrap();
    let made = Command::new("mkfifo").arg(&object).status();
    assert!(made.unwrap().success());
    let deadline = Deadline::after(Duration::from_secs(2));
    let opened = reading::start(&fixture.root, &Env::from_process(), deadline, None)
        .unwrap()
        .1
        .finish();
    let Opened::Repository(repository) = opened else {
        panic!("not opened");
    };
    let changes = repository.changes().unwrap();
    assert_eq!(unread(&changes), ["a"]);
    assert!(changes.unread[0].why.contains("too long"), "{changes:?}");
    assert_changes(&pairs(changes.list), &["?? own"]);
}

#[test]
fn submodules_too_deep_inside_each_other_are_named() {
    let opened = reading::submodules::open(Path::new("/"), &Surroundings::default(), patient(), 21);
    assert!(opened.is_err_and(|why| why.to_string().contains("more than 20")));
}

#[test]
fn a_submodule_with_its_files_elsewhere_is_named_and_one_of_gits_own_making_is_read() {
    let fixture = with(&[], &[], &["a", "b"]).unwrap();
    git(&fixture.root, &["submodule", "--quiet", "absorbgitdirs"]);
    fixture.write("a/file", "2");
    assert_changes(&fixture.changes(), &["M a"]);
    fixture.write("elsewhere/file", "1");
    let elsewhere = fixture.at("elsewhere");
    for name in [elsewhere.to_str().unwrap(), "../../../elsewhere"] {
        git(&fixture.at("b"), &["config", "core.worktree", name]);
        let changes = fixture.repository().changes().unwrap();
        assert_eq!(unread(&changes), ["b"], "{name}");
        assert_changes(&pairs(changes.list), &["M a", "?? elsewhere/file"]);
    }
}

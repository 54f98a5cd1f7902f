//! Submodules against the git command, whoever has to read them and the repository around them.

use std::fs;
use std::path::Path;

use super::fixture::{Fixture, assert_changes, command, read, repository, status, worktree};
use crate::git::Base;

/// Options of `git init` for every form of a repository, the first of which libgit2 reads.
pub(super) const FORMS: [&[&str]; 3] =
    [&[], &["--ref-format=reftable"], &["--object-format=sha256"]];

pub(super) fn git(folder: &Path, args: &[&str]) -> String {
    let output = command(folder).args(args).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.trim_end().to_owned()
}

/// A repository of a form with one file committed; false where the git here does not know the form.
pub(super) fn init(folder: &Path, form: &[&str]) -> bool {
    fs::create_dir_all(folder).unwrap();
    let mut init = command(folder);
    init.args(["init", "-q", "-b", "main"]).args(form);
    if !init.output().unwrap().status.success() {
        eprintln!("skipped: this git knows no {form:?}");
        return false;
    }
    fs::write(folder.join("file"), "1").unwrap();
    git(folder, &["add", "."]);
    git(folder, &["commit", "-qm", "first"]);
    true
}

/// A repository of one form with submodules of another at these paths, all of them named in `.gitmodules`.
pub(super) fn with(outer: &[&str], inner: &[&str], paths: &[&str]) -> Option<Fixture> {
    let fixture = Fixture::plain();
    if !init(&fixture.root, outer) {
        return None;
    }
    let mut modules = String::new();
    for path in paths {
        if !init(&fixture.at(path), inner) {
            return None;
        }
        modules += &format!("[submodule \"{path}\"]\n\tpath = {path}\n\turl = ./{path}\n");
    }
    fixture.write(".gitmodules", modules);
    git(
        &fixture.root,
        &["-c", "advice.addEmbeddedRepo=false", "add", "."],
    );
    git(&fixture.root, &["commit", "-qm", "submodules"]);
    Some(fixture)
}

/// Both lists against `git status` where nothing is committed since, by whatever reads them and by the command.
#[track_caller]
pub(super) fn assert_like_git(fixture: &Fixture, what: &str) {
    let expected = status(&fixture.root, "");
    let head = git(&fixture.root, &["rev-parse", "HEAD"]);
    {
        let repository = repository(&fixture.root);
        assert_eq!(read(repository.changes().unwrap()), expected, "{what}");
        let since = repository.changes_since(Base::Commit(&head)).unwrap();
        assert_eq!(read(since), expected, "{what}, since HEAD");
    }
}

pub(super) type Make = fn(&Path);

/// What can become of a submodule.
const STATES: [(&str, Make); 12] = [
    ("lib/clean", |_| {}),
    ("lib/modified", |folder| {
        fs::write(folder.join("file"), "2").unwrap();
    }),
    ("untracked", |folder| {
        fs::write(folder.join("new"), "2").unwrap();
    }),
    ("staged", |folder| {
        fs::write(folder.join("file"), "3").unwrap();
        git(folder, &["add", "file"]);
        fs::write(folder.join("file"), "1").unwrap();
    }),
    ("moved", |folder| {
        git(folder, &["commit", "-q", "--allow-empty", "-m", "second"]);
    }),
    ("unborn", |folder| {
        git(folder, &["checkout", "-q", "--orphan", "other"]);
        git(folder, &["rm", "-qrf", "."]);
    }),
    ("unborn, with files", |folder| {
        git(folder, &["checkout", "-q", "--orphan", "other"]);
    }),
    ("showing no untracked files", |folder| {
        git(folder, &["config", "status.showUntrackedFiles", "no"]);
        fs::write(folder.join("new"), "2").unwrap();
    }),
    ("modified, in a form that only git reads", |folder| {
        git(folder, &["config", "core.repositoryFormatVersion", "1"]);
        git(folder, &["config", "extensions.partialClone", "origin"]);
        fs::write(folder.join("file"), "2").unwrap();
    }),
    ("not initialised", |folder| {
        fs::remove_dir_all(folder.join(".git")).unwrap();
    }),
    ("gone", |folder| fs::remove_dir_all(folder).unwrap()),
    ("a file", |folder| {
        fs::remove_dir_all(folder).unwrap();
        fs::write(folder, "now").unwrap();
    }),
];

#[test]
fn every_state_of_a_submodule_reads_as_git_reads_it_in_every_form() {
    for outer in FORMS {
        for inner in FORMS {
            // A commit of one kind of object ids has no place in an index of another.
            if outer.contains(&FORMS[2][0]) != inner.contains(&FORMS[2][0]) {
                continue;
            }
            let paths = STATES.map(|(state, _)| state);
            let Some(fixture) = with(outer, inner, &paths) else {
                continue;
            };
            for (state, make) in STATES {
                make(&fixture.at(state));
            }
            assert_like_git(&fixture, &format!("{inner:?} in {outer:?}"));
        }
    }
}

#[test]
fn settings_of_what_to_ignore_hold_in_every_form() {
    for form in FORMS {
        let Some(fixture) = with(form, form, &["a", "b", "c"]) else {
            continue;
        };
        let outer = |args: &[&str]| git(&fixture.root, args);
        outer(&["submodule", "--quiet", "absorbgitdirs"]);
        for (path, (_, make)) in [("a", STATES[1]), ("b", STATES[2]), ("c", STATES[4])] {
            make(&fixture.at(path));
        }
        for rule in ["none", "untracked", "dirty", "all"] {
            let same = |what: &str| assert_like_git(&fixture, &format!("{what} {rule}, {form:?}"));
            outer(&["config", "diff.ignoreSubmodules", rule]);
            same("diff.ignoreSubmodules");
            for path in ["a", "b", "c"] {
                let name = format!("submodule.{path}.ignore");
                outer(&["config", "-f", ".gitmodules", &name, "all"]);
                outer(&["config", &name, rule]);
            }
            outer(&["config", "diff.ignoreSubmodules", "all"]);
            same("before all others, ignore");
            outer(&["config", "--unset", "diff.ignoreSubmodules"]);
            for path in ["a", "b", "c"] {
                outer(&["config", "--unset", &format!("submodule.{path}.ignore")]);
            }
            same("all in .gitmodules, after");
            outer(&["checkout", "-q", ".gitmodules"]);
        }
    }
}

/// The submodule `a`, with `b` in it, with `c` in that; None where this git does not know the form.
pub(super) fn inside_each_other(form: &[&str]) -> Option<Fixture> {
    let fixture = with(form, form, &["a", "a/b", "a/b/c"])?;
    // Each was committed by the one that is around them all; now by the one that they are in.
    for folder in ["a/b", "a", "."] {
        let folder = fixture.at(folder);
        git(&folder, &["add", "-A"]);
        git(&folder, &["commit", "-q", "--allow-empty", "-m", "nested"]);
    }
    Some(fixture)
}

#[test]
fn a_submodule_in_a_submodule_counts_as_well() {
    for form in FORMS {
        let Some(fixture) = inside_each_other(form) else {
            continue;
        };
        assert_like_git(&fixture, "clean");
        assert_eq!(fixture.changes(), []);
        fixture.write("a/b/c/new", "1");
        assert_like_git(&fixture, "untracked");
        assert_changes(&fixture.changes(), &["M a"]);
    }
}

#[test]
fn what_a_submodule_was_before_is_compared_with_where_it_stands() {
    for form in FORMS {
        let Some(fixture) = with(form, form, &["a"]) else {
            continue;
        };
        let outer = |args: &[&str]| git(&fixture.root, args);
        let base = outer(&["rev-parse", "HEAD"]);
        let first = git(&fixture.at("a"), &["rev-parse", "HEAD"]);
        let since = |expected: &[&str]| {
            let repository = repository(&fixture.root);
            let since = repository.changes_since(Base::Commit(&base)).unwrap();
            assert_changes(&read(since), expected);
        };
        git(
            &fixture.at("a"),
            &["commit", "-q", "--allow-empty", "-m", "second"],
        );
        since(&["M a"]);
        outer(&["add", "a"]);
        since(&["M a"]);
        outer(&["commit", "-qm", "moved"]);
        since(&["M a"]);
        // At the older commit again, beside an index that has the newer one.
        git(&fixture.at("a"), &["checkout", "-q", &first]);
        since(&[]);
        fixture.write("a/new", "1");
        since(&["M a"]);
        fixture.remove("a/new");
        // Out of the index, and still there.
        outer(&["rm", "-q", "--cached", "a"]);
        assert_changes(&fixture.changes(), &["?? a"]);
        since(&[]);
        fixture.write("a/new", "1");
        since(&["M a"]);
        fs::remove_dir_all(fixture.at("a/.git")).unwrap();
        since(&["D a", "?? a/file", "?? a/new"]);
        fixture.remove("a");
        since(&["D a"]);
    }
}

#[test]
fn what_is_added_since_is_compared_as_well() {
    for form in FORMS {
        let Some(fixture) = with(form, form, &["a"]) else {
            continue;
        };
        let base = git(&fixture.root, &["rev-parse", "HEAD~"]);
        let since = |expected: &[&str]| {
            let repository = repository(&fixture.root);
            let since = repository.changes_since(Base::Commit(&base)).unwrap();
            assert_changes(&read(since), expected);
        };
        since(&["A .gitmodules", "A a"]);
        fixture.write("a/new", "1");
        since(&["A .gitmodules", "A a"]);
        fixture.remove("a");
        since(&["A .gitmodules"]);
    }
}

#[test]
fn a_submodule_below_the_projects_folder_is_seen_from_there() {
    for form in FORMS {
        let Some(fixture) = with(form, form, &["lib/a", "b"]) else {
            continue;
        };
        fixture.write("lib/a/new", "1");
        fixture.write("b/new", "1");
        {
            let repository = repository(&fixture.at("lib"));
            assert_changes(&read(repository.changes().unwrap()), &["M a"]);
        }
        let rule = ["config", "submodule.lib/a.ignore", "all"];
        git(&fixture.root, &rule);
        {
            let repository = repository(&fixture.at("lib"));
            assert_eq!(read(repository.changes().unwrap()), []);
        }
    }
}

#[test]
fn a_submodule_is_hashed_by_its_commit_in_every_form() {
    for form in FORMS {
        let Some(fixture) = with(form, form, &["a"]) else {
            continue;
        };
        let worktree = worktree(&fixture.root);
        let commit = git(&fixture.at("a"), &["rev-parse", "HEAD"]);
        assert_eq!(worktree.hash("a", None), Some(commit));
    }
}

#[test]
fn where_git_has_to_say_what_head_names_a_commit_that_is_not_there_is_none() {
    let fixture = Fixture::new();
    if !init(&fixture.at("a"), FORMS[1]) {
        return;
    }
    let hash = || worktree(&fixture.root).hash("a", None);
    assert_eq!(hash(), Some(git(&fixture.at("a"), &["rev-parse", "HEAD"])));
    fs::remove_dir_all(fixture.at("a/.git/objects")).unwrap();
    fs::create_dir(fixture.at("a/.git/objects")).unwrap();
    assert_eq!(hash(), None);
}

#[test]
fn a_projects_folder_that_was_a_submodule_is_seen_from_inside() {
    for form in FORMS {
        let Some(fixture) = with(form, form, &["a"]) else {
            continue;
        };
        let base = git(&fixture.root, &["rev-parse", "HEAD"]);
        git(&fixture.root, &["rm", "-qf", "a"]);
        fixture.write("a/own", "1");
        let root = fixture.at("a");
        {
            let repository = repository(&root);
            let since = repository.changes_since(Base::Commit(&base)).unwrap();
            assert_changes(&read(since), &["?? own"]);
            assert_changes(&read(repository.changes().unwrap()), &["?? own"]);
        }
    }
}

#[test]
fn a_submodule_with_ids_of_another_form_reads_as_git_reads_it() {
    for (outer, inner) in [(FORMS[0], FORMS[2]), (FORMS[2], FORMS[0])] {
        let Some(fixture) = with(outer, inner, &["a"]) else {
            continue;
        };
        assert_like_git(&fixture, "clean");
        fixture.write("a/file", "2");
        assert_like_git(&fixture, "modified");
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_submodule_is_a_change_and_never_followed() {
    let fixture = with(&[], &[], &["a", "lib/b"]).unwrap();
    let elsewhere = fixture.at("../elsewhere");
    fs::rename(fixture.at("a"), &elsewhere).unwrap();
    fs::write(elsewhere.join("file"), "2").unwrap();
    std::os::unix::fs::symlink(&elsewhere, fixture.at("a")).unwrap();
    assert_changes(&fixture.changes(), &["M a"]);
    fs::rename(fixture.at("lib"), fixture.at("../lib")).unwrap();
    std::os::unix::fs::symlink(fixture.at("../lib"), fixture.at("lib")).unwrap();
    assert_changes(&fixture.changes(), &["M a", "?? lib", "D lib/b"]);
}

#[test]
fn filters_in_submodules_are_not_run_and_change_nothing() {
    let fixture = inside_each_other(FORMS[0]).unwrap();
    let marker = fixture.at("../ran");
    let clean = format!("sh -c 'touch {}; tr a-z A-Z'", marker.display());
    let inner = fixture.at("a/b/c");
    git(&inner, &["config", "filter.own.clean", &clean]);
    fs::write(inner.join(".git/info/attributes"), "file filter=own\n").unwrap();
    fs::write(inner.join("file"), "a").unwrap();
    for folder in ["a/b/c", "a/b", "a", "."] {
        let folder = fixture.at(folder);
        git(&folder, &["add", "-A"]);
        git(&folder, &["commit", "-qm", "filtered"]);
    }
    fs::remove_file(&marker).unwrap();
    // An index older than the file cannot tell that it did not change, only its content can.
    let index = fs::File::options()
        .write(true)
        .open(inner.join(".git/index"));
    let old = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1);
    index.unwrap().set_modified(old).unwrap();
    assert_eq!(fixture.changes(), []);
    fs::write(inner.join("file"), "bb").unwrap();
    assert_changes(&fixture.changes(), &["M a"]);
    assert!(!marker.exists());
}

#[test]
fn a_look_into_submodules_writes_no_object_for_a_sparse_index() {
    let fixture = with(&[], &[], &["lib/a"]).unwrap();
    fixture.write("b/one", "1");
    fixture.write("c/d/two", "1");
    git(&fixture.root, &["add", "b", "c"]);
    git(&fixture.root, &["commit", "-qm", "more"]);
    let sparse = ["sparse-checkout", "set", "--cone", "--sparse-index", "b"];
    git(&fixture.root, &sparse);
    git(&fixture.root, &["prune"]);
    let objects = || git(&fixture.root, &["count-objects"]);
    let before = objects();
    fixture.write("lib/a/file", "2");
    assert_changes(&fixture.changes(), &["M lib/a"]);
    assert_eq!(objects(), before);
}

//! What `.gitmodules` and the index say of submodules, against the git command.

use super::fixture::{Fixture, assert_changes, command, pairs, repository, status};
use super::nested::{FORMS, assert_like_git, git, inside_each_other, with};

/// Repositories of every form with the submodules `a` and `b`, both with an untracked file.
fn untracked_in_every_form() -> impl Iterator<Item = Fixture> {
    FORMS.into_iter().filter_map(|form| {
        let fixture = with(form, form, &["a", "b"])?;
        fixture.write("a/new", "1");
        fixture.write("b/new", "1");
        Some(fixture)
    })
}

fn ignoring(name: &str) -> String {
    format!("[submodule \"{name}\"]\n\tpath = a\n\tignore = all\n")
}

#[test]
fn a_setting_without_a_value_is_none() {
    for fixture in untracked_in_every_form() {
        fixture.write(".gitmodules", ignoring("a") + "\tshallow\n");
        git(&fixture.root, &["commit", "-qam", "shallow"]);
        assert_changes(&status(&fixture.root, ""), &["M b"]);
        assert_like_git(&fixture, "without a value");
    }
}

#[test]
fn what_gitmodules_includes_is_not_read() {
    for fixture in untracked_in_every_form() {
        for section in ["include", "INCLUDE", "includeIf \"gitdir:/\""] {
            fixture.write("more", ignoring("a"));
            let modules = "[submodule \"a\"]\n\tpath = a\n[submodule \"b\"]\n\tpath = b\n";
            // git fails at a relative one where it would follow it from a text that is in no file.
            let path = fixture.at("more");
            let more = format!("[{section}]\n\tpath = {}\n", path.display());
            fixture.write(".gitmodules", modules.to_owned() + &more);
            git(&fixture.root, &["add", "more", ".gitmodules"]);
            git(&fixture.root, &["commit", "-qm", section]);
            assert_changes(&status(&fixture.root, ""), &["M a", "M b"]);
            assert_like_git(&fixture, section);
            fixture.remove(".gitmodules");
            assert_like_git(&fixture, section);
        }
    }
}

#[test]
fn gitmodules_counts_as_the_index_or_head_has_it_where_it_is_gone() {
    for fixture in untracked_in_every_form() {
        fixture.write(".gitmodules", ignoring("a"));
        git(&fixture.root, &["commit", "-qam", "ignoring"]);
        fixture.remove(".gitmodules");
        assert_changes(&status(&fixture.root, ""), &["D .gitmodules", "M b"]);
        assert_like_git(&fixture, "in the index");
        git(&fixture.root, &["rm", "-q", "--cached", ".gitmodules"]);
        assert_changes(&status(&fixture.root, ""), &["D .gitmodules", "M b"]);
        assert_like_git(&fixture, "in HEAD");
        git(&fixture.root, &["commit", "-qm", "gone"]);
        assert_changes(&status(&fixture.root, ""), &["M a", "M b"]);
        assert_like_git(&fixture, "nowhere");
    }
}

#[test]
fn gitmodules_counts_not_at_all_in_a_conflict() {
    for fixture in untracked_in_every_form() {
        let outer = |args: &[&str]| git(&fixture.root, args);
        outer(&["branch", "other"]);
        for (branch, rule) in [("other", "all"), ("main", "dirty")] {
            outer(&["checkout", "-q", branch]);
            outer(&["config", "-f", ".gitmodules", "submodule.a.ignore", rule]);
            outer(&["commit", "-qam", rule]);
        }
        let merge = command(&fixture.root).args(["merge", "other"]).output();
        assert!(!merge.unwrap().status.success());
        assert_changes(&status(&fixture.root, ""), &["U .gitmodules", "M a", "M b"]);
        let here = |what: &str| {
            let repository = repository(&fixture.root);
            let changes = pairs(repository.changes().unwrap().list);
            assert_eq!(changes, status(&fixture.root, ""), "{what}");
        };
        here("with marks");
        fixture.write(".gitmodules", ignoring("a"));
        here("without marks");
        fixture.remove(".gitmodules");
        here("gone");
    }
}

#[cfg(unix)]
#[test]
fn submodules_beside_a_link_for_gitmodules_are_named() {
    use std::os::unix::fs::symlink;
    let fixture = with(&[], &[], &["a"]).unwrap();
    fixture.remove(".gitmodules");
    fixture.write("more", ignoring("a"));
    symlink("more", fixture.at(".gitmodules")).unwrap();
    {
        let repository = repository(&fixture.root);
        let unread = repository.changes().unwrap().unread;
        assert_eq!(unread.len(), 1);
        assert!(unread[0].why.contains(".gitmodules"), "{unread:?}");
    }
}

#[test]
fn what_hides_untracked_files_in_a_submodule_hides_those_in_submodules_of_it() {
    for form in FORMS {
        let Some(fixture) = inside_each_other(form) else {
            continue;
        };
        fixture.write("a/b/c/new", "1");
        let hides = |what: &str, hidden: bool| {
            assert_like_git(&fixture, what);
            assert_eq!(fixture.changes().is_empty(), hidden, "{what}, {form:?}");
        };
        let inner = |args: &[&str]| git(&fixture.at("a"), &[&["config"], args].concat());
        let outer = |args: &[&str]| git(&fixture.root, &[&["config"], args].concat());
        hides("nothing", false);
        outer(&["submodule.a.ignore", "untracked"]);
        hides("from outside", true);
        for rule in ["none", "untracked", "dirty", "all"] {
            inner(&["diff.ignoreSubmodules", rule]);
            hides("from outside and for all inside", true);
        }
        inner(&["--unset", "diff.ignoreSubmodules"]);
        outer(&["--unset", "submodule.a.ignore"]);
        for (value, hidden) in [
            ("no", true),
            ("false", true),
            ("normal", false),
            ("all", false),
            ("true", false),
        ] {
            inner(&["status.showUntrackedFiles", value]);
            hides(&format!("listing {value} inside"), hidden);
        }
        inner(&["status.showUntrackedFiles", "no"]);
        outer(&["status.showUntrackedFiles", "no"]);
        fixture.write("a/b/c/file", "2");
        hides("modified", false);
    }
}

#[test]
fn a_setting_of_its_own_shows_what_is_hidden_from_outside() {
    for form in FORMS {
        let Some(fixture) = with(form, form, &["a", "a/b"]) else {
            continue;
        };
        fixture.write("a/.gitmodules", "[submodule \"b\"]\n\tpath = b\n");
        for folder in ["a", "."] {
            let folder = fixture.at(folder);
            git(&folder, &["add", "-A"]);
            git(&folder, &["commit", "-q", "--allow-empty", "-m", "nested"]);
        }
        fixture.write("a/b/new", "1");
        git(
            &fixture.root,
            &["config", "submodule.a.ignore", "untracked"],
        );
        assert_like_git(&fixture, "without one");
        assert_eq!(fixture.changes(), []);
        git(&fixture.at("a"), &["config", "submodule.b.ignore", "none"]);
        assert_like_git(&fixture, "with one");
        assert_changes(&fixture.changes(), &["M a"]);
    }
}

#[test]
fn a_name_that_leads_elsewhere_is_of_no_submodule() {
    for fixture in untracked_in_every_form() {
        for (name, expected) in [
            ("../a", &["M a", "M b"][..]),
            ("x/..", &["M a", "M b"]),
            ("x\\\\..\\\\a", &["M a", "M b"]),
            ("", &["M a", "M b"]),
            ("..a", &["M b"]),
            ("x/...", &["M b"]),
        ] {
            fixture.write(".gitmodules", ignoring(name));
            git(&fixture.root, &["commit", "-qam", "named"]);
            assert_changes(&status(&fixture.root, ""), expected);
            assert_like_git(&fixture, name);
        }
    }
}

#[test]
fn a_submodule_that_git_does_not_look_at_is_as_the_index_has_it() {
    for form in FORMS {
        for (flag, split) in [
            ("--assume-unchanged", false),
            ("--skip-worktree", false),
            ("--skip-worktree", true),
        ] {
            let Some(fixture) = with(form, form, &["a"]) else {
                continue;
            };
            let same = |what: &str| assert_like_git(&fixture, &format!("{what}, {flag}, {form:?}"));
            if split {
                git(&fixture.root, &["update-index", "--split-index"]);
            }
            git(&fixture.root, &["update-index", flag, "a"]);
            fixture.write("a/file", "2");
            same("modified");
            assert_eq!(fixture.changes(), []);
            git(&fixture.at("a"), &["commit", "-qam", "second"]);
            same("moved");
            fixture.remove("a");
            same("gone");
            fixture.write("a", "now");
            same("a file");
        }
    }
}

#[test]
fn what_is_staged_of_a_submodule_shows_whatever_git_looks_at() {
    for form in FORMS {
        for flag in ["--assume-unchanged", "--skip-worktree"] {
            let Some(fixture) = with(form, form, &["a"]) else {
                continue;
            };
            git(
                &fixture.at("a"),
                &["commit", "-q", "--allow-empty", "-m", "2"],
            );
            git(&fixture.root, &["add", "a"]);
            git(&fixture.root, &["update-index", flag, "a"]);
            assert_changes(&status(&fixture.root, ""), &["M a"]);
            assert_like_git(&fixture, flag);
            fixture.remove("a");
            assert_like_git(&fixture, flag);
        }
    }
}

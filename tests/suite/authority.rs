//! What is uncommitted is what git says, for every kind of repository; and what is said where there is no git.
#![cfg(unix)]

use std::process::Command;

use serde_json::json;

use crate::harness::{Output, Project};

/// Statuses and paths, as they were recorded by a save now.
fn recorded(project: &Project) -> Vec<(String, String)> {
    project.save("s1", json!({"goal": "g"})).stays_silent();
    let saved = project.saved("s1");
    let files = saved["modifiedFiles"].as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    files
        .map(|file| (text(&file["status"]), text(&file["path"])))
        .collect()
}

#[track_caller]
fn assert_recorded(project: &Project, expected: &[(&str, &str)]) {
    let expected = expected
        .iter()
        .map(|(status, path)| ((*status).to_owned(), (*path).to_owned()));
    assert_eq!(recorded(project), expected.collect::<Vec<_>>());
}

/// A repository made with an option, ignoring checkpoints; None where the git here does not know it.
fn made_with(option: &str) -> Option<Project> {
    let project = Project::bare_folder();
    let mut init = Command::new("git");
    init.args(["init", "-q", "-b", "main", option]);
    if !init
        .current_dir(project.root())
        .output()
        .unwrap()
        .status
        .success()
    {
        crate::harness::skipped(&format!("this git knows no {option}"));
        return None;
    }
    project.write(".gitignore", ".claude-checkpoint*\n");
    Some(project)
}

#[test]
fn a_staged_rename_is_one_whatever_the_form_of_the_repository() {
    for option in ["--ref-format=reftable", "--object-format=sha256", "--quiet"] {
        let Some(project) = made_with(option) else {
            continue;
        };
        project.write("old", "1\n2\n3\n4\n5\n");
        project.commit("first");
        project.git(["mv", "old", "new"]);
        assert_recorded(&project, &[("R", "new"), ("D", "old")]);
    }
}

#[test]
fn hashes_are_those_of_the_repository() {
    for option in ["--object-format=sha256", "--quiet"] {
        let Some(project) = made_with(option) else {
            continue;
        };
        project.write("a", "1\r\n");
        project.commit("first");
        project.write("a", "2\r\n");
        assert_recorded(&project, &[("M", "a")]);
        let hash = project.git(["hash-object", "--no-filters", "a"]);
        assert_eq!(project.saved("s1")["modifiedFiles"][0]["hash"], hash);
        assert_eq!(project.changed_since("s1"), Vec::<String>::new());
        project.write("a", "3\r\n");
        assert_eq!(project.changed_since("s1"), ["a"]);
    }
}

#[test]
fn a_hash_of_the_other_format_is_compared_in_that() {
    let Some(project) = made_with("--object-format=sha256") else {
        return;
    };
    project.write("a", "1");
    project.commit("first");
    project.write("a", "2");
    project.save("s1", json!({"goal": "g"}));
    let sha1 = "d8263ee9860594d2806b0dfd1bfd17528b0ba2a4";
    let mut saved = project.saved("s1");
    saved["modifiedFiles"][0]["hash"] = json!(sha1);
    project.put("s1", saved);
    assert_eq!(project.changed_since("s1"), Vec::<String>::new());
    project.write("a", "3");
    assert_eq!(project.changed_since("s1"), ["a"]);
}

#[test]
fn names_count_as_git_takes_them_where_case_does_not_matter() {
    let project = Project::repository();
    project.git(["config", "core.ignoreCase", "true"]);
    for (path, content) in [("b.txt", "1"), ("c.txt", "1")] {
        project.write(path, content);
    }
    project.write("sub/.gitignore", "!keep.log\n");
    project.write(".gitignore", "*.log\n.claude-checkpoint*\n");
    project.commit("more");
    project.write("B.txt", "other");
    project.git(["mv", "c.txt", "C.txt"]);
    project.write("sub/keep.log", "1");
    let status = project.git(["status", "--porcelain", "-uall"]);
    let recorded = recorded(&project);
    assert_eq!(
        recorded.len(),
        status.lines().count() + 1,
        "{status}\n{recorded:?}"
    );
    assert!(recorded.contains(&("??".to_owned(), "sub/keep.log".to_owned())));
}

#[test]
fn a_linked_worktree_inside_the_project_is_never_listed() {
    let project = Project::repository();
    project.git(["worktree", "add", "-q", ".claude/worktrees/w1", "-b", "w1"]);
    assert_recorded(&project, &[]);
    assert_eq!(project.saved("s1")["git"]["dirty"], false);
    project.write(".claude/worktrees/w1/new", "1");
    let folder = project.path(".claude/worktrees/w1");
    project.git_at(&folder, ["add", "-A"]);
    project.git_at(&folder, ["commit", "-qm", "in the worktree"]);
    assert_eq!(project.changed_since("s1"), Vec::<String>::new());
}

#[test]
fn a_folder_that_only_looks_like_a_repository_is_listed_file_by_file() {
    let project = Project::repository();
    project.write("fake/.git", "gitdir: nowhere\n");
    project.write("fake/f", "1");
    assert_recorded(&project, &[("??", "fake/f")]);
    project.write("fake/f", "2");
    assert_eq!(project.changed_since("s1"), ["fake/f"]);
}

#[test]
fn safe_directories_are_as_git_has_them() {
    let project = Project::repository();
    let mut chown = Command::new("chown");
    chown.args(["-R", "12345"]).arg(project.root());
    if !chown.output().unwrap().status.success() {
        crate::harness::skipped("this user may not give files away");
        return;
    }
    let save = |variables: &[(&str, &str)]| {
        let save = ["save", "--goal", "g", "--session", "s1"];
        project.ckpt_with(variables, save).succeeds()
    };
    save(&[]).errs("belongs to another user");
    let root = project.root();
    let above = format!("{}/*", root.parent().unwrap().display());
    for value in ["*", above.as_str(), root.to_str().unwrap()] {
        let variables = [
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "safe.directory"),
            ("GIT_CONFIG_VALUE_0", value),
        ];
        save(&variables).warns_of_nothing();
        let config = format!("[safe]\n\tdirectory = {value}\n");
        std::fs::write(project.home().join(".gitconfig"), config).unwrap();
        save(&[]).warns_of_nothing();
        std::fs::remove_file(project.home().join(".gitconfig")).unwrap();
    }
}

#[test]
fn across_the_edge_of_a_shallow_clone_nothing_is_counted() {
    let origin = Project::repository();
    let project = Project::bare_folder();
    let url = format!("file://{}", origin.root().display());
    project.git(["clone", "-q", "--depth=1", &url, "."]);
    let save = ["save", "--goal", "g", "--session", "s1"];
    project.ckpt(save).succeeds();
    project.git(["commit", "-q", "--allow-empty", "-m", "here"]);
    assert_eq!(project.load("s1")["drift"]["commitsSince"], 1);
    project.git(["reset", "-q", "--hard", "HEAD~"]);
    for number in 0..5 {
        origin.write("a", number.to_string());
        origin.commit("there");
    }
    project.git(["fetch", "-q", "--depth=1"]);
    project.git(["reset", "-q", "--hard", "FETCH_HEAD"]);
    let loaded = project.load("s1");
    assert!(loaded["drift"].get("commitsSince").is_none(), "{loaded}");
    let text = loaded["text"].as_str().unwrap();
    assert!(
        text.contains("shallow clone") && !text.contains("rebased"),
        "{text}"
    );
    assert_eq!(project.changed_since("s1"), ["a"]);
}

/// Runs with a search path that has no git.
fn without_git(project: &Project, arguments: &[&str]) -> Output {
    let nowhere = project.home();
    project.ckpt_with(&[("PATH", nowhere.to_str().unwrap())], arguments)
}

#[test]
fn without_git_the_facts_are_there_and_a_warning_says_what_they_may_lack() {
    let project = Project::repository();
    let save = ["save", "--goal", "g", "--session", "s1"];
    project.write("new/file", "1");
    project.write("README", "changed\n");
    project.git(["mv", "src/main.rs", "src/moved.rs"]);
    without_git(&project, &save)
        .succeeds()
        .errs("there is no `git` command");
    let by_libgit2 = project.saved("s1");
    project.ckpt(save).succeeds().warns_of_nothing();
    let by_git = project.saved("s1");
    assert_eq!(by_libgit2["git"], by_git["git"]);
    assert_eq!(by_libgit2["modifiedFiles"], by_git["modifiedFiles"]);
    project.commit("second");
    project.write("README", "again\n");
    let load = ["load", "s1", "--json"];
    let drift = |output: Output| output.succeeds().json()["drift"].clone();
    let by_git = drift(project.ckpt(load));
    assert_eq!(drift(without_git(&project, &load)), by_git);
    assert_eq!(by_git["commitsSince"], 1);
    assert_eq!(by_git["changedSince"], json!(["README"]));
}

#[test]
fn without_git_a_tracked_checkpoint_and_ignored_ones_are_known_all_the_same() {
    let project = Project::repository();
    project.write(".gitignore", "");
    let save = ["save", "--goal", "g", "--session", "s1"];
    without_git(&project, &save).succeeds();
    project.git(["add", "-f", ".claude-checkpoints"]);
    project.commit("tracked");
    let output = without_git(&project, &["load", "s1"]).succeeds();
    assert!(output.stdout.contains("git tracks it"), "{}", output.stdout);
    let output = without_git(&project, &["list"]).succeeds();
    output.errs("git tracks it");
}

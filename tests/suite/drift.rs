//! Drift (docs/contract.md, section 8): `changedSince` is exactly where the state at the save and the state now differ.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::harness::Project;

const SESSION: &str = "s1";

/// A project with one of each kind of change, saved.
fn saved() -> Project {
    let project = Project::repository();
    for name in ["edited", "staged", "deleted", "renamed", "clean", "kept"] {
        project.write(
            format!("src/{name}.rs"),
            format!("// {name}\n{}", "// line\n".repeat(20)),
        );
    }
    project.commit("second");
    project.write("src/edited.rs", "// edited once\n");
    project.write("src/staged.rs", "// staged\n");
    project.git(["add", "src/staged.rs"]);
    project.remove("src/deleted.rs");
    project.git(["mv", "src/renamed.rs", "src/new_name.rs"]);
    project.write("src/untracked.rs", "// untracked\n");
    project.save(SESSION, json!({"goal": "g"}));
    project
}

#[track_caller]
fn assert_changed(project: &Project, expected: &[&str]) {
    assert_eq!(project.changed_since(SESSION), expected);
}

#[test]
fn every_kind_of_change_is_recorded_and_none_is_flagged_while_nothing_happens() {
    let project = saved();
    let files: Vec<(String, String)> = project.saved(SESSION)["modifiedFiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            (
                file["path"].as_str().unwrap().into(),
                file["status"].as_str().unwrap().into(),
            )
        })
        .collect();
    let expected = [
        ("src/deleted.rs", "D"),
        ("src/edited.rs", "M"),
        ("src/new_name.rs", "R"),
        ("src/renamed.rs", "D"),
        ("src/staged.rs", "M"),
        ("src/untracked.rs", "??"),
    ];
    assert_eq!(
        files,
        expected.map(|(path, status)| (path.to_owned(), status.to_owned()))
    );
    assert_changed(&project, &[]);
    let drift = &project.load(SESSION)["drift"];
    assert_eq!(
        *drift,
        json!({"branchChanged": false, "currentBranch": "main", "commitsSince": 0, "changedSince": []})
    );
}

#[test]
fn committing_all_as_it_was_flags_nothing() {
    let project = saved();
    project.commit("third");
    assert_changed(&project, &[]);
    assert_eq!(project.load(SESSION)["drift"]["commitsSince"], 1);
}

#[test]
fn of_a_committed_and_an_edited_file_only_the_edited_one_is_flagged() {
    let project = saved();
    project.git(["add", "src/edited.rs"]);
    project.git(["commit", "-q", "-m", "third", "src/edited.rs"]);
    project.write("src/untracked.rs", "// edited\n");
    assert_changed(&project, &["src/untracked.rs"]);
}

#[test]
fn an_edit_of_the_same_size_and_time_is_seen() {
    let project = saved();
    let path = project.path("src/untracked.rs");
    let times = fs::metadata(&path).unwrap().modified().unwrap();
    project.write("src/untracked.rs", "// untrackeD\n");
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(times)
        .unwrap();
    assert_changed(&project, &["src/untracked.rs"]);
}

#[test]
fn a_file_that_was_clean_at_the_save_is_flagged_however_it_changes() {
    let project = saved();
    project.write("src/clean.rs", "// no longer\n");
    assert_changed(&project, &["src/clean.rs"]);
    project.commit("third");
    assert_changed(&project, &["src/clean.rs"]);
    project.remove("src/clean.rs");
    assert_changed(&project, &["src/clean.rs"]);
    project.commit("fourth");
    assert_changed(&project, &["src/clean.rs"]);
}

#[test]
fn a_clean_file_that_comes_back_to_its_content_is_not_flagged() {
    let project = saved();
    let content = project.read("src/clean.rs");
    project.write("src/clean.rs", "// no longer\n");
    project.commit("third");
    project.write("src/clean.rs", &content);
    assert_changed(&project, &[]);
    project.remove("src/kept.rs");
    assert_changed(&project, &["src/kept.rs"]);
    project.git(["checkout", "-q", "src/kept.rs"]);
    assert_changed(&project, &[]);
}

#[test]
fn a_recorded_file_that_is_reverted_to_head_is_flagged() {
    let project = saved();
    project.git(["checkout", "-q", "src/edited.rs"]);
    assert_changed(&project, &["src/edited.rs"]);
}

#[test]
fn a_recorded_deletion_that_is_restored_is_flagged() {
    let project = saved();
    project.git(["checkout", "-q", "src/deleted.rs"]);
    assert_changed(&project, &["src/deleted.rs"]);
}

#[test]
fn a_recorded_file_that_vanishes_is_flagged_and_one_that_returns_is_not() {
    let project = saved();
    project.remove("src/untracked.rs");
    assert_changed(&project, &["src/untracked.rs"]);
    project.write("src/untracked.rs", "// untracked\n");
    assert_changed(&project, &[]);
}

#[test]
fn a_new_file_is_flagged_committed_or_not_and_an_ignored_one_is_not() {
    let project = saved();
    project.write("src/new.rs", "// new\n");
    assert_changed(&project, &["src/new.rs"]);
    project.commit("third");
    assert_changed(&project, &["src/new.rs"]);
    project.git(["rm", "-q", "src/new.rs"]);
    project.write(".git/info/exclude", "*.log\n");
    project.write("a.log", "x");
    assert_changed(&project, &[]);
}

#[test]
fn staging_and_unstaging_change_nothing() {
    let project = saved();
    project.git(["add", "-A"]);
    assert_changed(&project, &[]);
    project.git(["reset", "-q"]);
    assert_changed(&project, &[]);
}

#[test]
fn another_branch_is_reported_and_its_files_are_compared() {
    let project = Project::repository();
    project.git(["checkout", "-q", "-b", "other"]);
    project.write("README", "other\n");
    project.commit("on other");
    project.git(["checkout", "-q", "main"]);
    project.save(SESSION, json!({"goal": "g"}));
    project.git(["checkout", "-q", "other"]);
    let drift = &project.load(SESSION)["drift"];
    let expected = json!({
        "branchChanged": true, "currentBranch": "other", "commitsSince": 1, "changedSince": ["README"],
    });
    assert_eq!(*drift, expected);
    project.git(["checkout", "-q", "main"]);
    assert_changed(&project, &[]);
}

#[test]
fn an_amended_commit_is_reported_and_files_stay_exact() {
    let project = saved();
    project.write("src/clean.rs", "// amended\n");
    project.git(["commit", "-q", "--amend", "-m", "amended", "src/clean.rs"]);
    let loaded = project.load(SESSION);
    assert_eq!(loaded["drift"]["changedSince"], json!(["src/clean.rs"]));
    assert_eq!(loaded["drift"]["commitsSince"], 1);
    let text = loaded["text"].as_str().unwrap();
    assert!(
        text.contains("HEAD no longer follows the saved commit"),
        "{text}"
    );
}

#[test]
fn a_vanished_commit_leaves_the_recorded_files_and_says_so() {
    let project = saved();
    project.git(["commit", "-q", "--amend", "-m", "amended"]);
    project.git(["reflog", "expire", "--expire=now", "--all"]);
    project.git(["gc", "-q", "--prune=now"]);
    project.write("src/untracked.rs", "// edited\n");
    project.write("src/clean.rs", "// edited\n");
    let loaded = project.load(SESSION);
    let expected = json!({"branchChanged": false, "currentBranch": "main", "changedSince": ["src/untracked.rs"]});
    assert_eq!(loaded["drift"], expected);
    let text = loaded["text"].as_str().unwrap();
    assert!(text.contains("is no longer in the repository"), "{text}");
    assert!(
        text.contains("Only the files listed above could be compared"),
        "{text}"
    );
}

/// A checkpoint has its time in milliseconds, a file in nanoseconds.
#[test]
fn over_the_cap_a_file_of_the_saves_own_millisecond_is_not_later() {
    let project = Project::repository();
    for number in 0..120 {
        let name = format!("new/{number:03}");
        project.write(&name, "x");
        let file = File::options().write(true).open(project.path(name));
        // 2026-10-08T02:23:55.0005Z
        let time = SystemTime::UNIX_EPOCH + Duration::new(1_791_426_235, 500_000);
        file.unwrap().set_modified(time).unwrap();
    }
    let save = ["save", "--goal", "g", "--session", SESSION];
    let at = [("CKPT_NOW", "2026-10-08T02:23:55.0009Z")];
    project.ckpt_with(&at, save).succeeds();
    assert_changed(&project, &[]);
}

#[test]
fn over_the_cap_only_later_files_count_among_those_not_recorded() {
    let project = Project::repository();
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    for number in 0..120 {
        let name = format!("new/{number:03}");
        project.write(&name, "x");
        let file = File::options()
            .write(true)
            .open(project.path(&name))
            .unwrap();
        file.set_modified(old + Duration::from_secs(number))
            .unwrap();
    }
    project.save(
        SESSION,
        json!({"goal": "g", "modifiedFiles": [{"path": "new/000", "note": "the oldest"}]}),
    );
    let saved = project.saved(SESSION);
    assert_eq!(saved["modifiedFiles"].as_array().unwrap().len(), 100);
    assert_eq!(saved["modifiedFiles"][0]["path"], "new/000");
    assert_eq!(saved["modifiedFiles"][1]["path"], "new/021");
    assert_eq!(saved["meta"]["truncated"], true);
    assert_changed(&project, &[]);

    // Later than the pinned clock: one that the cap left out, one that it did not, a new one and a clean one.
    for name in ["new/001", "new/050", "newer", "README"] {
        project.write(name, "changed");
        let file = File::options()
            .write(true)
            .open(project.path(name))
            .unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(2_000_000_000))
            .unwrap();
    }
    assert_changed(&project, &["README", "new/001", "new/050", "newer"]);
}

#[test]
fn without_git_the_named_files_are_compared_and_the_brief_says_so() {
    let project = Project::bare_folder();
    project.write("a", "1");
    project.write("b", "1");
    project.save(
        SESSION,
        json!({"goal": "g", "modifiedFiles": [{"path": "a"}, {"path": "b"}, {"path": "gone"}]}),
    );
    assert_eq!(project.saved(SESSION)["git"], json!(null));
    assert_changed(&project, &[]);
    project.write("b", "2");
    project.write("gone", "here");
    project.write("c", "unknown");
    let loaded = project.load(SESSION);
    assert_eq!(loaded["drift"], json!({"changedSince": ["b", "gone"]}));
    let text = loaded["text"].as_str().unwrap();
    assert!(
        text.contains("Only the files listed above could be compared"),
        "{text}"
    );
}

#[test]
fn before_the_first_commit_files_are_compared_with_nothing() {
    let project = Project::unborn();
    project.write(".gitignore", ".claude-checkpoint*\n");
    project.write("a", "1");
    project.write("b", "1");
    project.save(SESSION, json!({"goal": "g"}));
    assert_eq!(project.saved(SESSION)["git"], json!(null));
    assert_changed(&project, &[]);
    project.commit("first");
    assert_changed(&project, &[]);
    project.write("b", "2");
    project.write("c", "new");
    assert_changed(&project, &["b", "c"]);
}

#[test]
fn a_detached_head_is_no_branch() {
    let project = saved();
    project.git(["checkout", "-q", "--detach"]);
    let drift = project.load(SESSION)["drift"].clone();
    assert_eq!(
        drift,
        json!({"branchChanged": true, "commitsSince": 0, "changedSince": []})
    );
    project.save(SESSION, json!({"goal": "g"}));
    assert_eq!(project.saved(SESSION)["git"]["branch"], json!(null));
    assert_eq!(project.load(SESSION)["drift"]["branchChanged"], false);
}

#[test]
fn a_linked_worktree_is_compared_by_itself() {
    let project = saved();
    let linked = project.root().parent().unwrap().join("linked");
    project.git([
        "worktree",
        "add",
        "-q",
        "-b",
        "linked",
        linked.to_str().unwrap(),
    ]);
    let at = |arguments: &[&str]| {
        let place = ["-C", linked.to_str().unwrap(), "--session", SESSION];
        project.ckpt(place.iter().chain(arguments)).succeeds()
    };
    at(&["save", "--goal", "g"]);
    let changed = || at(&["load", "--json"]).json()["drift"]["changedSince"].clone();
    assert_eq!(changed(), json!([]));
    fs::write(linked.join("src/clean.rs"), "// edited\n").unwrap();
    project.write("src/kept.rs", "// edited in the main worktree\n");
    assert_eq!(changed(), json!(["src/clean.rs"]));
}

#[test]
fn a_root_in_a_subfolder_sees_only_what_is_below_it() {
    let project = saved();
    let root = project.path("src");
    let at = |arguments: &[&str]| {
        let place = ["-C", root.to_str().unwrap(), "--session", SESSION];
        project.ckpt(place.iter().chain(arguments)).succeeds()
    };
    at(&["save", "--goal", "g"]);
    let file = root.join(".claude-checkpoints/s1.json");
    let saved: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let files = saved["modifiedFiles"].as_array().unwrap();
    let paths: Vec<&str> = files
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(
        paths,
        [
            "deleted.rs",
            "edited.rs",
            "new_name.rs",
            "renamed.rs",
            "staged.rs",
            "untracked.rs"
        ]
    );
    project.write("README", "edited\n");
    project.write("src/clean.rs", "// edited\n");
    assert_eq!(
        at(&["load", "--json"]).json()["drift"]["changedSince"],
        json!(["clean.rs"])
    );
}

#[test]
fn a_submodule_is_one_entry_with_its_commit() {
    let library = Project::repository();
    let project = Project::repository();
    project.git([
        "submodule",
        "add",
        "-q",
        library.root().to_str().unwrap(),
        "lib",
    ]);
    project.commit("second");
    let lib = project.path("lib");
    project.save(SESSION, json!({"goal": "g"}));
    assert_changed(&project, &[]);
    project.git_at(&lib, ["commit", "-q", "--allow-empty", "-m", "moved"]);
    assert_changed(&project, &["lib"]);
    project.save(SESSION, json!({"goal": "g"}));
    let files = project.saved(SESSION)["modifiedFiles"].clone();
    let hash = project.git_at(&lib, ["rev-parse", "HEAD"]);
    assert_eq!(
        files,
        json!([{"path": "lib", "status": "M", "source": "git", "hash": hash}])
    );
    assert_changed(&project, &[]);
    project.git(["add", "lib"]);
    project.git(["commit", "-q", "-m", "third"]);
    assert_changed(&project, &[]);
}

#[test]
fn odd_names_are_recorded_and_compared_like_others() {
    let names = [
        "naïve ü.txt",
        "日本.txt",
        " lead",
        "a b",
        "a'b",
        "a=b",
        "-x",
        "#1",
        "[x]*?",
    ];
    let project = Project::repository();
    for name in names {
        project.write(name, "1");
    }
    project.save(SESSION, json!({"goal": "g"}));
    assert_eq!(
        project.saved(SESSION)["modifiedFiles"]
            .as_array()
            .unwrap()
            .len(),
        names.len()
    );
    project.commit("second");
    assert_changed(&project, &[]);
    for name in names {
        project.write(name, "2");
    }
    let mut expected = names;
    expected.sort_unstable();
    assert_changed(&project, &expected);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text_or_hold_controls_are_told_as_git_quotes_them() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let names: [&[u8]; 4] = [b"caf\xe9", b"tab\there", b"new\nline", b"\"quoted\""];
    let project = Project::repository();
    for name in names {
        project.write(OsStr::from_bytes(name), "1");
    }
    project.save(SESSION, json!({"goal": "g"}));
    assert_changed(&project, &[]);
    for name in names {
        project.write(OsStr::from_bytes(name), "2");
    }
    let expected = [
        "\"\\\"quoted\\\"\"",
        "\"caf\\351\"",
        "\"new\\nline\"",
        "\"tab\\there\"",
    ];
    assert_changed(&project, &expected);
    let text = project.load(SESSION)["text"].as_str().unwrap().to_owned();
    assert!(text.contains("- \"new\\nline\" (??)"), "{text}");
    assert!(text.contains("`\"caf\\351\"`"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_link_counts_by_where_it_points() {
    use std::os::unix::fs::symlink;
    let project = Project::repository();
    symlink("README", project.path("link")).unwrap();
    project.save(SESSION, json!({"goal": "g"}));
    project.write("README", "changed\n");
    assert_changed(&project, &["README"]);
    project.remove("link");
    symlink("src", project.path("link")).unwrap();
    assert_changed(&project, &["README", "link"]);
}

#[test]
fn line_endings_that_git_converts_are_no_change() {
    let project = Project::repository();
    project.write(".gitattributes", "*.txt text eol=crlf\n");
    project.write("a.txt", "one\r\ntwo\r\n");
    project.commit("second");
    project.save(SESSION, json!({"goal": "g"}));
    assert_changed(&project, &[]);
    project.remove("a.txt");
    project.git(["checkout", "-q", "a.txt"]);
    assert_changed(&project, &[]);
}

#[test]
fn a_repository_that_appears_or_vanishes_is_no_error() {
    let project = saved();
    fs::rename(project.path(".git"), project.path("gone")).unwrap();
    let drift = project.load(SESSION)["drift"].clone();
    assert_eq!(drift, json!({"changedSince": []}));
    fs::rename(project.path("gone"), project.path(".git")).unwrap();
    assert_changed(&project, &[]);
}

//! The brief says no more than is known: "nothing changed" only where everything was compared (docs/contract.md, section 8).

use std::fs::File;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};

const TRUSTED: &str = "the above can be trusted as it is";

fn text(project: &Project, session: &str) -> String {
    project.load(session)["text"].as_str().unwrap().to_owned()
}

/// Gives a file another time than now: so many seconds after 1970.
fn set_time(project: &Project, path: &str, seconds: u64) {
    let file = File::options().write(true).open(project.path(path));
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    file.unwrap().set_modified(time).unwrap();
}

/// A checkpoint that records these files, at the commit that is there now.
fn recording(project: &Project, files: Value) -> Value {
    with(
        least("g"),
        json!({
            "git": {"branch": "main", "head": project.head(), "dirty": true},
            "modifiedFiles": files,
        }),
    )
}

#[test]
fn a_recorded_file_of_unknown_content_that_vanishes_is_flagged() {
    let project = Project::repository();
    for (session, source) in [("git", "git"), ("agent", "agent")] {
        let file = json!([{"path": "a", "status": "??", "source": source}]);
        project.put(session, recording(&project, file));
        assert_eq!(project.changed_since(session), ["a"], "{session}");
        assert!(!text(&project, session).contains(TRUSTED));
    }
    project.write("a", "there");
    assert_eq!(
        project.changed_since("agent"),
        ["a"],
        "its content then is not known"
    );
}

#[test]
fn a_named_file_that_is_not_there_is_flagged_once_it_is() {
    let project = Project::repository();
    project.save(
        "s1",
        json!({"goal": "g", "modifiedFiles": [{"path": "later"}]}),
    );
    assert_eq!(project.changed_since("s1"), [""; 0]);
    project.write("later", "now");
    assert_eq!(project.changed_since("s1"), ["later"]);
}

#[test]
fn a_named_folder_is_not_flagged_for_having_no_content_of_its_own() {
    let project = Project::repository();
    project.save(
        "s1",
        json!({"goal": "g", "modifiedFiles": [{"path": "src", "note": "all of it"}]}),
    );
    assert_eq!(project.changed_since("s1"), [""; 0]);
    project.remove("src/main.rs");
    std::fs::remove_dir(project.path("src")).unwrap();
    assert_eq!(project.changed_since("s1"), ["src", "src/main.rs"]);
}

#[test]
fn a_deletion_that_was_undone_is_one_no_longer() {
    let project = Project::repository();
    project.remove("README");
    project.save("s1", json!({"goal": "g"}));
    assert_eq!(project.saved("s1")["modifiedFiles"][0]["status"], "D");
    project.git(["checkout", "-q", "README"]);
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    let file = &project.saved("s1")["modifiedFiles"][0];
    assert_eq!(file["status"], "M", "{file}");
    assert!(file["hash"].is_string(), "{file}");
    assert!(text(&project, "s1").contains("- README\n"));
    // And one that was committed stays what it is.
    project.remove("README");
    project.commit("gone");
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    let file = &project.saved("s1")["modifiedFiles"][0];
    assert_eq!(
        (&file["status"], &file["hash"]),
        (&json!("D"), &Value::Null)
    );
    assert_eq!(project.changed_since("s1"), [""; 0]);
}

#[test]
fn a_file_that_was_clean_or_unknown_to_git_has_no_mark() {
    let project = Project::repository();
    project.write(".git/info/exclude", "*.log\n");
    project.write("a.log", "x");
    project.write("new", "x");
    let named = json!([{"path": "README", "note": "read it"}, {"path": "a.log"}, {"path": "new"}]);
    project.save("s1", json!({"goal": "g", "modifiedFiles": named}));
    let text = text(&project, "s1");
    let expected = "## Files touched (3)\n- README — read it\n- a.log\n- new (??)\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn where_entries_were_dropped_the_brief_says_what_was_compared() {
    let project = Project::repository();
    for number in 0..101 {
        let name = format!("new/{number:03}");
        project.write(&name, "x");
        set_time(&project, &name, 1_000_000 + number);
    }
    project.save("s1", json!({"goal": "g"}));
    assert_eq!(project.changed_since("s1"), [""; 0]);
    let brief = text(&project, "s1");
    assert!(!brief.contains(TRUSTED), "{brief}");
    let told = "- Not every uncommitted file was recorded; of the others, only those written since the save can be told to \
                have changed\n- No change was found";
    assert!(brief.contains(told), "{brief}");
    let diff = project.ckpt(["diff", "s1"]).succeeds();
    let diff = diff.prints("Not every uncommitted file was recorded");
    assert!(!diff.stdout.contains("Nothing changed"), "{}", diff.stdout);
    project.ckpt(["diff", "s1", "--exit-code"]).exits(2);
}

#[test]
fn whether_files_were_dropped_is_guessed_for_other_writers_alone() {
    let project = Project::repository();
    let commands: Value = (0..51)
        .map(|n| json!({"command": format!("c{n}")}))
        .collect();
    for number in 0..100 {
        project.write(format!("new/{number:03}"), "x");
    }
    let half = |from: usize, to: usize| json!(&commands.as_array().unwrap()[from..to]);
    project.save("s1", json!({"goal": "g", "recentCommands": half(0, 50)}));
    project.save(
        "s1",
        json!({"goal": "g", "mode": "merge", "recentCommands": half(50, 51)}),
    );
    let saved = project.saved("s1");
    assert_eq!(saved["meta"]["truncated"], true, "a command was dropped");
    assert_eq!(saved["modifiedFiles"].as_array().unwrap().len(), 100);
    assert!(text(&project, "s1").contains(TRUSTED));
    let theirs = with(
        saved,
        json!({"generator": {"name": "other", "version": "1"}, "sessionId": "s2"}),
    );
    project.put("s2", theirs);
    assert!(!text(&project, "s2").contains(TRUSTED));
}

#[test]
fn what_a_merge_carries_over_counts_neither_as_changed_nor_against_what_is() {
    let project = Project::repository();
    for number in 0..60 {
        project.write(format!("old/{number:03}"), "x");
    }
    project.save("s1", json!({"goal": "g"}));
    project.commit("second");
    for number in 0..60 {
        let name = format!("new/{number:03}");
        project.write(&name, "x");
        // Older than everything that was committed.
        set_time(&project, &name, 1_000_000 + number);
    }
    let warnings = project
        .save("s1", json!({"goal": "g", "mode": "merge"}))
        .json()["warnings"]
        .clone();
    let dropped = "`modifiedFiles` was full: 20 files without uncommitted changes were dropped";
    assert_eq!(warnings, json!([dropped]));
    let saved = project.saved("s1");
    let files = saved["modifiedFiles"].as_array().unwrap();
    let of = |source: &str| files.iter().filter(|file| file["source"] == source).count();
    assert_eq!((of("git"), of("agent")), (60, 40));
    assert_eq!(saved["meta"]["truncated"], true);
    assert_eq!(saved["meta"].get("filesTruncated"), None);
    assert!(text(&project, "s1").contains(TRUSTED));
    project.remove("README");
    assert_eq!(project.changed_since("s1"), ["README"]);
}

#[test]
fn only_what_is_uncommitted_is_counted_as_changed() {
    let project = Project::repository();
    for number in 0..30 {
        project.write(format!("old/{number:03}"), "x");
    }
    project.save("s1", json!({"goal": "g"}));
    project.commit("second");
    for number in 0..110 {
        project.write(format!("new/{number:03}"), "x");
    }
    let saved = project
        .save("s1", json!({"goal": "g", "mode": "merge"}))
        .json();
    let warnings = saved["warnings"].to_string();
    assert!(
        warnings.contains("110 files changed, of which 100 are recorded"),
        "{warnings}"
    );
    assert_eq!(project.saved("s1")["meta"]["filesTruncated"], true);
}

#[test]
fn files_that_are_clean_make_room_first_where_a_file_would_be_too_large() {
    let project = Project::repository();
    let long = |kind: &str, number: usize| format!("{kind}/{}{number:03}", "d/".repeat(440));
    for number in 0..50 {
        project.write(long("old", number), "x");
    }
    project.commit("second");
    for number in 0..50 {
        project.write(long("new", number), "x");
    }
    let named: Value = (0..50)
        .map(|number| json!({"path": long("old", number)}))
        .collect();
    project.save("s1", json!({"goal": "g", "modifiedFiles": named}));
    let saved = project.saved("s1");
    let files = saved["modifiedFiles"].as_array().unwrap();
    assert!((50..100).contains(&files.len()), "{}", files.len());
    assert_eq!(
        files.iter().filter(|file| file["source"] == "git").count(),
        50
    );
    assert_eq!(saved["meta"].get("filesTruncated"), None);
    assert!(text(&project, "s1").contains(TRUSTED));
}

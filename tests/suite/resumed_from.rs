//! Going on from another session's checkpoint (docs/contract.md, section 6).

use std::fs;

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};

fn base() -> Value {
    with(
        least("base goal"),
        json!({"decisions": ["from base"], "summary": "base summary", "modifiedFiles": [{"path": "base.rs", "note": "n"}]}),
    )
}

#[test]
fn it_is_recorded_by_a_replace_which_takes_nothing_else_from_it() {
    let project = Project::bare_folder();
    project.put("s0", base());
    let saved = project
        .save("s1", json!({"goal": "g", "resumedFrom": "s0"}))
        .json();
    assert_eq!(saved["mode"], "replace");
    assert_eq!(saved["warnings"], json!([]));
    let saved = project.saved("s1");
    assert_eq!(saved["resumedFrom"], "s0");
    assert_eq!(saved["decisions"], json!([]));
    assert!(saved.get("summary").is_none());
}

#[test]
fn a_merge_builds_on_it_and_leaves_it_as_it_is() {
    let project = Project::bare_folder();
    project.put("s0", base());
    let before = fs::read(project.checkpoint("s0")).unwrap();
    let saved = project
        .save(
            "s1",
            json!({"goal": "g", "mode": "merge", "resumedFrom": "s0", "decisions": ["mine"]}),
        )
        .json();
    assert_eq!(saved["mode"], "merge");
    assert_eq!(saved["warnings"], json!([]));
    let saved = project.saved("s1");
    assert_eq!(saved["sessionId"], "s1");
    assert_eq!(saved["resumedFrom"], "s0");
    assert_eq!(saved["goal"]["primary"], "g");
    // It is another checkpoint than the one that it builds on.
    let original: Value = serde_json::from_slice(&before).unwrap();
    assert_ne!(saved["id"], original["id"]);
    assert_ne!(saved["createdAt"], original["createdAt"]);
    assert_eq!(saved["decisions"], json!(["from base", "mine"]));
    assert_eq!(saved["summary"], "base summary");
    assert_eq!(saved["modifiedFiles"][0]["note"], "n");
    assert_eq!(fs::read(project.checkpoint("s0")).unwrap(), before);
    assert_eq!(project.stored_names(), [".lock", "s0.json", "s1.json"]);
}

#[test]
fn the_legacy_checkpoint_can_be_gone_on_from() {
    let project = Project::bare_folder();
    project.write(".claude-checkpoint", base().to_string());
    project.save(
        "s1",
        json!({"goal": "g", "mode": "merge", "resumedFrom": "legacy"}),
    );
    let saved = project.saved("s1");
    assert_eq!(saved["resumedFrom"], "legacy");
    assert_eq!(saved["decisions"], json!(["from base"]));
    assert_eq!(project.read(".claude-checkpoint"), base().to_string());
}

#[test]
fn a_backup_can_be_gone_on_from() {
    let project = Project::bare_folder();
    project.put("s0", "{");
    project.put_backup("s0", base());
    project.save(
        "s1",
        json!({"goal": "g", "mode": "merge", "resumedFrom": "s0"}),
    );
    assert_eq!(project.saved("s1")["decisions"], json!(["from base"]));
    assert_eq!(fs::read_to_string(project.checkpoint("s0")).unwrap(), "{");
}

#[test]
fn later_saves_keep_it_in_either_mode() {
    for mode in ["replace", "merge"] {
        let project = Project::bare_folder();
        project.put("s0", base());
        project.save("s1", json!({"goal": "g", "resumedFrom": "s0"}));
        project.save("s1", json!({"goal": "g", "mode": mode}));
        assert_eq!(project.saved("s1")["resumedFrom"], "s0", "{mode}");
    }
}

#[test]
fn it_is_ignored_once_the_session_has_its_own() {
    for mode in ["replace", "merge"] {
        let project = Project::bare_folder();
        project.put("s0", base());
        project.put("s2", base());
        project.save("s1", json!({"goal": "g", "resumedFrom": "s0"}));
        project.save(
            "s1",
            json!({"goal": "g", "mode": mode, "resumedFrom": "s2"}),
        );
        let saved = project.saved("s1");
        assert_eq!(saved["resumedFrom"], "s0");
        assert_eq!(saved["decisions"], json!([]));

        project.save("s3", json!({"goal": "g"}));
        project.save(
            "s3",
            json!({"goal": "g", "mode": mode, "resumedFrom": "s2"}),
        );
        let saved = project.saved("s3");
        assert!(saved.get("resumedFrom").is_none(), "{mode}");
        assert_eq!(saved["decisions"], json!([]));
    }
}

#[test]
fn what_is_no_selector_is_an_error_even_where_it_would_be_ignored() {
    let project = Project::bare_folder();
    project.save("own", json!({"goal": "g"}));
    let before = project.snapshot();
    for selector in ["../x", "a/b", "con", "a b", "\u{1b}[31m"] {
        for session in ["own", "s1"] {
            project
                .try_save(session, &json!({"goal": "g", "resumedFrom": selector}))
                .fails_with(&format!("`{}`", selector.escape_debug()));
            assert_eq!(project.snapshot(), before);
        }
    }
}

#[test]
fn one_that_is_absent_or_unreadable_is_a_warning_and_the_save_goes_ahead_without_it() {
    for (content, fault) in [
        (None, "no checkpoint `s0`"),
        (Some("{".to_owned()), "not valid JSON"),
        (
            Some(with(base(), json!({"version": 2})).to_string()),
            "format version 2",
        ),
    ] {
        for mode in ["replace", "merge"] {
            let project = Project::bare_folder();
            if let Some(content) = &content {
                project.put("s0", content);
            }
            let saved = project
                .save(
                    "s1",
                    json!({"goal": "g", "mode": mode, "resumedFrom": "s0"}),
                )
                .json();
            assert_eq!(saved["mode"], "replace");
            let warnings = saved["warnings"].to_string();
            assert!(
                warnings.contains("`resumedFrom`") && warnings.contains(fault),
                "{warnings}"
            );
            assert!(project.saved("s1").get("resumedFrom").is_none());
        }
    }
}

#[test]
fn on_the_command_line_it_needs_no_goal_with_merge() {
    let project = Project::bare_folder();
    project.put("s0", base());
    project
        .ckpt(["save", "--session", "s1", "--merge", "--resumed-from", "s0"])
        .succeeds();
    assert_eq!(project.saved("s1")["goal"]["primary"], "base goal");
}

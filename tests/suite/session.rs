//! Sessions and selectors (docs/contract.md, section 3).

use std::fs;

use serde_json::json;

use crate::harness::files::least;
use crate::harness::{Output, Project};

const ID: &str = "CLAUDE_CODE_SESSION_ID";
const POLICY: &str = "CHECKPOINT_SESSION_IDS";

#[test]
fn what_is_no_session_id_is_refused_wherever_it_comes_from() {
    let project = Project::bare_folder();
    let too_long = "a".repeat(129);
    for id in [
        "../x",
        "..",
        ".",
        "a/b",
        "/a",
        "a\\b",
        "con",
        "NUL",
        "a\n",
        "a b",
        "a..b",
        ".a",
        "-a",
        "_a",
        "legacy",
        "ü",
        "a:b",
        "a*",
        too_long.as_str(),
    ] {
        let shown = format!("`{}`", id.escape_debug());
        let option = format!("--session={id}");
        for arguments in [&["save", "--goal", "g"][..], &["load"], &["list"]] {
            project
                .ckpt([arguments, &[&option]].concat())
                .fails_with(&shown);
            project
                .ckpt_with(&[(ID, id)], arguments)
                .fails_with(&shown)
                .errs(ID);
        }
        project.try_save("s1", &json!({"goal": "g"})).succeeds();
        let input = json!({"goal": "g", "session": id}).to_string();
        project.write("input.json", input);
        project
            .ckpt(["save", "--input", "input.json"])
            .fails_with(&shown);
    }
    assert_eq!(project.stored_names(), [".lock", "s1.json", "s1.json.prev"]);
}

#[test]
fn a_session_id_with_a_nul_is_refused() {
    let project = Project::bare_folder();
    project.write("input.json", r#"{"goal": "g", "session": "a\u0000b"}"#);
    project
        .ckpt(["save", "--input", "input.json"])
        .fails_with("not a valid session id");
    assert!(project.stored_names().is_empty());
}

#[test]
fn every_session_id_becomes_the_name_of_its_file() {
    let project = Project::bare_folder();
    let longest = "a".repeat(128);
    for id in ["a", "0", "A.b_c-d", "console", longest.as_str()] {
        project
            .ckpt(["save", "--goal", "g", "--session", id])
            .succeeds();
        assert_eq!(project.saved(id)["sessionId"], id);
    }
}

#[test]
fn the_variable_names_the_session_and_an_empty_one_does_not() {
    let project = Project::bare_folder();
    let saved = project
        .ckpt_with(&[(ID, "from-env")], ["save", "--goal", "g", "--json"])
        .json();
    assert_eq!(saved["session"], "from-env");
    assert_eq!(saved["sessionSource"], "env");
    assert!(!saved["text"].as_str().unwrap().contains("`session`"));
    let loaded = project.ckpt_with(&[(ID, "from-env")], ["load", "--json"]);
    assert!(loaded.json().get("resumeHint").is_none());

    let saved = project
        .ckpt_with(
            &[(ID, "")],
            ["save", "--goal", "g", "--json", "--session", "s1"],
        )
        .json();
    assert_eq!(saved["session"], "s1");
    assert_eq!(saved["sessionSource"], "argument");
}

#[test]
fn an_argument_that_differs_from_the_variable_is_explained() {
    let project = Project::bare_folder();
    for arguments in [&["save", "--goal", "g"][..], &["load"], &["list"]] {
        let arguments = [arguments, &["--session", "other"]].concat();
        project
            .ckpt_with(&[(ID, "mine")], arguments)
            .fails_with("`other`")
            .errs("`mine`")
            .errs("ckpt load SELECTOR")
            .errs("--resumed-from");
    }
    // In the words of whoever passes arguments as JSON.
    let mut command = project.command(["save", "--input", "-"]);
    let input = json!({"goal": "g", "session": "other"}).to_string();
    Output::with_input(command.env(ID, "mine"), input.as_bytes())
        .fails_with("`session` is `other`")
        .errs("`checkpoint`")
        .errs("`resumedFrom`");
    assert!(project.stored_names().is_empty());
    project
        .ckpt_with(
            &[(ID, "mine")],
            ["save", "--goal", "g", "--session", "mine"],
        )
        .succeeds();
}

#[test]
fn a_client_without_an_id_gets_one_minted_and_is_told_to_pass_it_back() {
    let project = Project::bare_folder();
    let save = || project.ckpt(["save", "--goal", "g", "--json"]).json();
    let (first, second) = (save(), save());
    assert_ne!(first["session"], second["session"]);
    for saved in [first, second] {
        let id = saved["session"].as_str().unwrap();
        assert_eq!(saved["sessionSource"], "minted");
        assert_eq!(project.normalized(id), "<uuid>");
        assert_eq!(&id[14..15], "4", "version 4: {id}");
        let text = saved["text"].as_str().unwrap();
        assert!(text.contains("`session`") && text.contains(id), "{text}");
        assert_eq!(project.saved(id)["sessionId"], id);
    }
}

#[test]
fn a_session_that_was_passed_is_to_be_passed_again() {
    let project = Project::bare_folder();
    let saved = project.save("s1", json!({"goal": "g"})).json();
    let text = saved["text"].as_str().unwrap();
    assert!(
        text.contains("`session`") && text.contains("\"s1\""),
        "{text}"
    );
}

#[test]
fn in_legacy_mode_clients_without_an_id_share_the_legacy_file() {
    let project = Project::bare_folder();
    let legacy = [(POLICY, "legacy")];
    let saved = project
        .ckpt_with(&legacy, ["save", "--goal", "shared", "--json"])
        .json();
    assert_eq!(
        saved["path"],
        project.path(".claude-checkpoint").display().to_string()
    );
    assert!(saved.get("session").is_none() && saved.get("sessionSource").is_none());
    assert!(!project.read(".claude-checkpoint").contains("sessionId"));
    assert_eq!(project.stored_names(), [".lock"]);

    let loaded = project.ckpt_with(&legacy, ["load", "--json"]).json();
    assert_eq!(loaded["found"], true);
    assert!(loaded.get("resumeHint").is_none());
    project
        .ckpt_with(&legacy, ["save", "--merge", "--decision", "d"])
        .succeeds();
    assert!(project.read(".claude-checkpoint").contains("shared"));
    assert!(!project.read(".claude-checkpoint.prev").contains("\"d\""));
}

#[test]
fn an_id_counts_even_in_legacy_mode() {
    let project = Project::bare_folder();
    project
        .ckpt_with(&[(POLICY, "legacy"), (ID, "mine")], ["save", "--goal", "g"])
        .succeeds();
    project
        .ckpt_with(
            &[(POLICY, "legacy")],
            ["save", "--goal", "g", "--session", "s1"],
        )
        .succeeds();
    assert_eq!(project.stored_names(), [".lock", "mine.json", "s1.json"]);
    assert!(!project.path(".claude-checkpoint").exists());
}

#[test]
fn another_value_of_the_policy_is_mint_with_a_warning() {
    let project = Project::bare_folder();
    let odd = [(POLICY, "Legacy")];
    let saved = project
        .ckpt_with(&odd, ["save", "--goal", "g", "--json"])
        .succeeds()
        .errs("warning: ")
        .errs(POLICY)
        .errs("`Legacy`");
    let saved = saved.json();
    assert_eq!(saved["sessionSource"], "minted");
    assert!(saved["warnings"][0].as_str().unwrap().contains(POLICY));
    project.ckpt_with(&odd, ["list"]).errs(POLICY);
    for fine in ["mint", ""] {
        project
            .ckpt_with(&[(POLICY, fine)], ["save", "--goal", "g"])
            .succeeds()
            .warns_of_nothing();
    }
    // No effect, so no warning, where the session has a name.
    project
        .ckpt_with(&[(POLICY, "Legacy"), (ID, "s1")], ["save", "--goal", "g"])
        .succeeds()
        .warns_of_nothing();
}

#[test]
fn legacy_selects_the_legacy_file() {
    let project = Project::bare_folder();
    project.write(".claude-checkpoint", least("old goal").to_string());
    project.put("legacy", least("a file that no session can have"));
    project
        .ckpt(["load", "legacy"])
        .succeeds()
        .prints("old goal");
}

#[test]
fn a_unique_start_selects_on_the_command_line() {
    let project = Project::bare_folder();
    for (id, goal) in [
        ("abcd1", "one"),
        ("abcd2", "two"),
        ("abcd", "exact"),
        ("bcde-long", "long"),
    ] {
        project.put(id, least(goal));
    }
    for (typed, goal) in [
        ("abcd1", "one"),
        ("abcd", "exact"),
        ("bcde", "long"),
        ("bcde-lon", "long"),
    ] {
        project.ckpt(["load", typed]).succeeds().prints(goal);
    }
    project.ckpt(["load", "B"]).succeeds().prints("long");
    fs::remove_file(project.checkpoint("abcd")).unwrap();
    project
        .ckpt(["load", "abcd"])
        .fails_with("`abcd1`, `abcd2`");
    project
        .ckpt([
            "save",
            "--goal",
            "g",
            "--session",
            "s1",
            "--resumed-from",
            "bcde",
        ])
        .succeeds();
    assert_eq!(project.saved("s1")["resumedFrom"], "bcde-long");
    project
        .ckpt([
            "save",
            "--goal",
            "g",
            "--session",
            "s2",
            "--resumed-from",
            "abcd",
        ])
        .fails_with("`abcd1`, `abcd2`");
}

#[test]
fn a_prefix_stands_for_nothing_in_the_arguments_of_a_tool() {
    let project = Project::bare_folder();
    project.put("abcd1", least("one"));
    project.save("s1", json!({"goal": "g", "resumedFrom": "abcd"}));
    assert!(project.saved("s1").get("resumedFrom").is_none());
}

#[test]
fn a_prefix_never_selects_the_legacy_file() {
    let project = Project::bare_folder();
    project.write(".claude-checkpoint", least("old goal").to_string());
    project.ckpt(["load", "lega"]).fails_with("`lega`");
}

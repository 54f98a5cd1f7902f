//! Names and what is done: given, kept, looked up, left out (docs/contract.md, section 3, 5, 11 and 14).

use std::fs;

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::mcp::Server;

fn selectors(list: &Value, field: &str) -> Vec<String> {
    let entries = list[field].as_array().unwrap().iter();
    entries
        .map(|entry| entry["selector"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_name_stands_wherever_a_selector_does_and_later_saves_keep_it() {
    let project = Project::bare_folder();
    for goal in ["one", "two"] {
        project.save("s1", json!({"goal": goal, "name": "feat/oauth"}));
    }
    project.save("s1", json!({"goal": "three"}));
    project.save("s1", json!({"nextSteps": ["n"], "mode": "merge"}));
    assert_eq!(project.saved("s1")["name"], "feat/oauth");
    project
        .ckpt(["load", "feat/oauth"])
        .succeeds()
        .prints("three");
    project
        .ckpt(["load", "feat/oauth@{2}"])
        .succeeds()
        .prints("two");
    project
        .ckpt(["diff", "feat/oauth@{3}", "feat/oauth"])
        .succeeds();
    project
        .ckpt(["log", "feat/oauth"])
        .succeeds()
        .prints("@{3}");
    let save = json!({"mode": "merge", "resumedFrom": "feat/oauth"});
    project.save("s2", save);
    let other = project.saved("s2");
    assert_eq!(
        (&other["resumedFrom"], other.get("name")),
        (&json!("s1"), None)
    );
    let mut server = Server::open(&project, json!({}));
    let loaded = server.call(
        "load_session_checkpoint",
        json!({"checkpoint": "feat/oauth"}),
    );
    assert_eq!(loaded["structuredContent"]["found"], true);
    let named = json!({"goal": "g", "session": "s3", "name": "third"});
    server.call("save_session_checkpoint", named);
    assert_eq!(project.saved("s3")["name"], "third");
    let list = server.call("list_session_checkpoints", json!({}));
    assert!(list.to_string().contains("named `third`"), "{list}");
}

#[test]
fn the_newest_taker_has_a_name_and_the_other_is_told_to_have_lost_it() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "one", "name": "auth"}));
    let saved = project
        .save("s2", json!({"goal": "two", "name": "auth"}))
        .json();
    let warning = "the name `auth` was taken from checkpoint `s1`, which had it before";
    assert_eq!(saved["warnings"], json!([warning]));
    assert!(project.saved("s1").get("name").is_none());
    project.ckpt(["load", "auth"]).succeeds().prints("two");
    project
        .ckpt(["name", "s1", "auth"])
        .succeeds()
        .errs(warning.replace("`s1`", "`s2`").as_str());
    project.ckpt(["load", "auth"]).succeeds().prints("one");
    project
        .ckpt(["name", "auth"])
        .succeeds()
        .errs("has no name any more");
    project
        .ckpt(["load", "auth"])
        .fails_with("there is no checkpoint `auth`");
}

#[test]
fn a_whole_id_comes_before_a_name_and_a_name_before_the_start_of_an_id() {
    let project = Project::bare_folder();
    for (id, goal) in [
        ("auth", "the id"),
        ("other", "the named"),
        ("cookie-jar", "the start"),
    ] {
        project.save(id, json!({"goal": goal}));
    }
    project
        .ckpt(["name", "other", "auth"])
        .fails_with("`auth` is the id of a checkpoint");
    project.ckpt(["name", "other", "cookie"]).succeeds();
    project.ckpt(["load", "auth"]).succeeds().prints("the id");
    project
        .ckpt(["load", "cookie"])
        .succeeds()
        .prints("the named");
    project
        .ckpt(["load", "cookie-"])
        .succeeds()
        .prints("the start");
    for bad in [
        "latest",
        "project",
        "legacy",
        "-x",
        ".x",
        "a b",
        "a\\b",
        "ü",
        "a@b",
        &"x".repeat(65),
    ] {
        let name = project.ckpt(["name", "other", "--", bad]);
        name.fails_with("is not a valid name");
        let save = json!({"goal": "g", "name": bad});
        project
            .try_save("s9", &save)
            .fails_with("is not a valid name");
    }
    assert!(!project.checkpoint("s9").exists());
}

#[test]
fn naming_and_marking_are_no_saves() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "one"}));
    project.save("s1", json!({"goal": "two"}));
    let backup = fs::read(project.backup("s1")).unwrap();
    let before = project.saved("s1");
    project.ckpt(["name", "s1", "auth"]).succeeds();
    project
        .ckpt(["done", "auth"])
        .succeeds()
        .errs("Checkpoint `s1` is done.");
    project
        .ckpt(["done", "auth"])
        .succeeds()
        .errs("was done already");
    let mut after = project.saved("s1");
    assert_eq!(after["done"], true);
    assert_eq!(after["meta"]["changedAt"], "2026-10-08T02:23:55.002Z");
    after["meta"].as_object_mut().unwrap().remove("changedAt");
    let fields = after.as_object_mut().unwrap();
    fields.remove("name");
    fields.remove("done");
    assert_eq!(after, before);
    assert_eq!(fs::read(project.backup("s1")).unwrap(), backup);
    assert!(project.history("s1").is_empty());
    project
        .ckpt(["done", "--undo", "auth"])
        .succeeds()
        .errs("is open again");
    project.ckpt(["done", "auth"]).succeeds();
    project.save("s1", json!({"mode": "merge", "nextSteps": ["n"]}));
    assert!(project.saved("s1").get("done").is_none());
    let before = project.snapshot();
    project
        .ckpt(["done", "auth", "nothing"])
        .fails_with("there is no checkpoint `nothing`");
    assert_eq!(project.snapshot(), before);
}

#[test]
fn naming_and_marking_lose_nothing_that_cannot_be_read_or_has_no_room() {
    let project = Project::bare_folder();
    let odd = |checkpoint: &mut Value| checkpoint["summary"] = json!(["odd"]);
    let large = |checkpoint: &mut Value| {
        let command = json!({"command": "x".repeat(900), "at": "2026-10-08T02:23:55.000Z"});
        checkpoint["recentCommands"] = vec![command; 80].into();
    };
    let full = |checkpoint: &mut Value| {
        let room = 65_536 - serde_json::to_vec_pretty(checkpoint).unwrap().len();
        checkpoint["later"] = "x".repeat(room - 20).into();
    };
    let changes: [fn(&mut Value); 3] = [odd, large, full];
    for (what, change) in ["odd", "large", "full"].into_iter().zip(changes) {
        for arguments in [&["name", what, "auth"][..], &["done", what]] {
            project.save(what, json!({"goal": what, "recentCommands": ["make"]}));
            let mut checkpoint = project.saved(what);
            change(&mut checkpoint);
            project.put(what, checkpoint);
            let bytes = fs::read(project.checkpoint(what)).unwrap();
            project
                .ckpt(arguments)
                .succeeds()
                .errs(&format!("its file before is `{what}@{{1}}` now"));
            assert_eq!(fs::read(project.backup(what)).unwrap(), bytes, "{what}");
            assert!(fs::read(project.checkpoint(what)).unwrap().len() <= 65_536);
            project.ckpt(["restore", what]).succeeds();
            assert_eq!(fs::read(project.checkpoint(what)).unwrap(), bytes);
        }
    }
}

#[test]
fn what_a_list_shows_leads_to_the_checkpoint_that_it_stands_for() {
    const START: &str = "abcdef12";
    let project = Project::bare_folder();
    let save = |session: &str, minute: u32| {
        let now = format!("2026-10-08T01:{minute:02}:00Z");
        let arguments = ["save", "--session", session, "--goal", session];
        project
            .ckpt_with(&[("CKPT_NOW", &now)], arguments)
            .succeeds();
    };
    let named = |session: &str, name: &str| {
        let mut checkpoint = project.saved(session);
        checkpoint["name"] = name.into();
        project.put(session, checkpoint);
    };
    let uuid = format!("{START}-3c4d-4e5f-8a6b-7c8d9e0f1a2b");
    for (minute, session) in [
        (1, "one"),
        (2, "two"),
        (2, "three"),
        (3, "auth"),
        (4, &uuid),
    ] {
        save(session, minute);
    }
    // As a restore, a copy or a sync leaves them: a name twice, one that is an id, and one that an id begins with.
    for shown in ["shared", "auth", START] {
        for session in ["one", "two", "three"] {
            named(session, shown);
        }
        let table = project.ckpt(["list", "--color", "never"]).succeeds();
        let lines = table.stdout.lines().skip(1);
        let shown: Vec<&str> = lines
            .map(|line| line.split_whitespace().next().unwrap())
            .collect();
        assert_eq!(shown.len(), 5, "{}", table.stdout);
        for (line, selector) in table.stdout.lines().skip(1).zip(shown) {
            let loaded = project.ckpt(["load", selector, "--json"]).succeeds().json();
            let path = loaded["path"].as_str().unwrap();
            let goal = line.split_whitespace().nth(1).unwrap();
            assert!(path.ends_with(&format!("/{goal}.json")), "{line}: {path}");
        }
    }
}

#[test]
fn what_is_done_is_left_out_and_counted() {
    let project = Project::bare_folder();
    for id in ["s1", "s2", "s3"] {
        project.save(id, json!({"goal": id, "tasks": [{"description": "t"}]}));
    }
    project.ckpt(["done", "s2", "s3"]).succeeds();
    let list = project.ckpt(["list"]).succeeds();
    assert!(!list.stdout.contains("s2"), "{}", list.stdout);
    list.errs("2 finished ones left out; list all with --all");
    project.ckpt(["list", "--all"]).succeeds().prints("s2");
    let all = project.ckpt(["list", "--json"]).succeeds().json();
    assert_eq!(all["total"], 3);
    let entry = |id: &str| {
        all["entries"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["selector"] == id)
            .unwrap()
    };
    assert_eq!(
        (&entry("s2")["done"], entry("s1").get("done")),
        (&json!(true), None)
    );
    assert_eq!(
        (&entry("s1")["tasksDone"], &entry("s1")["tasks"]),
        (&json!(0), &json!(1))
    );
    let load = project.ckpt(["load", "--json"]).exits(1).json();
    assert_eq!(selectors(&load, "candidates"), ["s1"]);
    assert!(
        load["text"]
            .as_str()
            .unwrap()
            .contains("2 finished ones left out"),
        "{load}"
    );
    project.ckpt(["done", "s1"]).succeeds();
    let load = project.ckpt(["load", "--json"]).exits(1).json();
    assert!(
        load["text"]
            .as_str()
            .unwrap()
            .contains("3 checkpoints are all marked as done"),
        "{load}"
    );
    project.ckpt(["load", "s2"]).succeeds();
    let pruned = project
        .ckpt(["prune", "--done", "--dry-run", "--json"])
        .succeeds()
        .json();
    assert_eq!(pruned["checkpoints"].as_array().unwrap().len(), 3);
}

#[test]
fn those_that_are_named_are_pruned_and_never_ones_own() {
    let project = Project::bare_folder();
    for id in ["s1", "s2", "s3"] {
        project.save(id, json!({"goal": id}));
    }
    project.ckpt(["name", "s2", "auth"]).succeeds();
    project.put("broken", "{");
    let own = [("CLAUDE_CODE_SESSION_ID", "s1")];
    project
        .ckpt_with(&own, ["rm", "s1", "--yes"])
        .fails_with("`s1` is the current session's own checkpoint");
    project
        .ckpt(["prune", "auth"])
        .exits(2)
        .errs("cannot ask for confirmation");
    project
        .ckpt(["prune", "other", "--yes"])
        .fails_with("there is no checkpoint `other`");
    project
        .ckpt(["rm", "auth", "broken", "--yes"])
        .succeeds()
        .errs("Deleted 2 checkpoints and freed ");
    assert_eq!(project.stored_names(), [".lock", "s1.json", "s3.json"]);
    let empty = Project::bare_folder();
    for arguments in [&["prune"][..], &["prune", "--done"], &["prune", "--yes"]] {
        empty.ckpt(arguments).succeeds().errs("Nothing to delete.");
    }
}

#[test]
fn a_list_takes_a_time_and_a_goal_needs_no_option() {
    let project = Project::bare_folder();
    let save = ["save", "A goal", "--session", "s1", "--name", "auth"];
    project
        .ckpt_with(&[("CKPT_NOW", "2026-10-01T00:00:00Z")], save)
        .succeeds();
    project
        .ckpt(["save", "-m", "Another", "--session", "s2"])
        .succeeds();
    assert_eq!(project.saved("s1")["goal"]["primary"], "A goal");
    let since = |time| {
        let list = project
            .ckpt(["ls", "--since", time, "--json"])
            .succeeds()
            .json();
        selectors(&list, "entries")
    };
    assert_eq!(since("2d"), ["s2"]);
    assert_eq!(since("2026-10-01"), ["s2", "s1"]);
    project
        .ckpt(["list", "--since", "soon"])
        .fails_with("`soon` is not a time");
    let list = project
        .ckpt(["list", "-n", "1", "--json"])
        .succeeds()
        .json();
    assert_eq!(list["omitted"], 1);
    project.ckpt(["list"]).succeeds().prints("auth");
    project.ckpt(["save", "One", "--goal", "Two"]).exits(2);
}

#[test]
fn a_checkpoint_is_read_from_a_file_that_somebody_handed_over() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "handed over"}));
    let file = project.home().join("theirs.json");
    fs::copy(project.checkpoint("s1"), &file).unwrap();
    let file = file.to_str().unwrap();
    project
        .ckpt(["load", file])
        .succeeds()
        .prints("This is the file")
        .prints("handed over");
    project.write("broken.json", "{");
    project
        .ckpt(["load", "broken.json"])
        .fails_with("is not valid JSON");
    project
        .ckpt(["show", "./nothing.json"])
        .fails_with("nothing.json`");
}

#[test]
fn the_words_of_other_programs_lead_to_ours() {
    let project = Project::bare_folder();
    for (word, hint) in [
        ("search", "ckpt list --grep"),
        ("undo", "ckpt restore"),
        ("history", "ckpt log"),
        ("delete", "ckpt prune"),
        ("rename", "ckpt name"),
    ] {
        project
            .ckpt([word])
            .fails_with(&format!("there is no command `{word}`"))
            .errs(hint);
    }
}

//! Earlier saves: kept, read by `@{N}` and `@{TIME}`, restored (docs/contract.md, section 3, 4 and 14).

use std::fs;

use serde_json::{Value, json};

use crate::harness::files::{least, with};
use crate::harness::mcp::Server;
use crate::harness::{Output, Project};

/// How many saves the history of a checkpoint keeps.
const KEPT: usize = 50;

/// Saves as the session `s1` at that minute of an hour.
fn save_at(project: &Project, minute: usize, arguments: &Value) -> Output {
    let mut command = project.command(["save", "--json", "--input", "-", "--session", "s1"]);
    command.env("CKPT_NOW", format!("2026-10-08T01:{minute:02}:00Z"));
    Output::with_input(&mut command, arguments.to_string().as_bytes()).succeeds()
}

/// A project whose session `s1` saved so often, with the goals `0`, `1` and on, a minute after each other.
fn saved(times: usize) -> Project {
    let project = Project::bare_folder();
    for number in 0..times {
        let goal = number.to_string();
        save_at(&project, number % 60, &json!({"goal": goal}));
    }
    project
}

fn goal(loaded: &Value) -> &str {
    loaded["checkpoint"]["goal"]["primary"].as_str().unwrap()
}

fn full(project: &Project, selector: &str) -> Output {
    project.ckpt(["load", selector, "--json", "--format", "full"])
}

#[track_caller]
fn assert_goal(project: &Project, selector: &str, expected: &str) {
    let loaded = full(project, selector).succeeds().json();
    assert_eq!(goal(&loaded), expected, "{selector}");
}

#[test]
fn every_save_up_to_the_bound_is_loaded_compared_and_restored_by_its_number() {
    let project = saved(60);
    assert_eq!(project.history("s1").len(), KEPT);
    for number in 0..=KEPT + 1 {
        let named = format!("s1@{{{number}}}");
        assert_goal(&project, &named, &(59 - number).to_string());
    }
    full(&project, "s1@{52}")
        .fails_with(
            "there is no save `s1@{52}`: the checkpoint has 51 earlier saves, up to `s1@{51}`",
        )
        .errs("ckpt log s1");
    for number in [1, 2, 20, 51] {
        let named = format!("s1@{{{number}}}");
        let diff = project
            .ckpt(["diff", &named, "s1", "--json"])
            .succeeds()
            .json();
        let goals = &diff["changes"]["goal"];
        assert_eq!(goals["before"], (59 - number).to_string(), "{diff}");
        assert_eq!(diff["before"]["selector"], named);
        project.ckpt(["diff", &named]).succeeds();
    }
    for number in [51, 7, 2, 1] {
        let before = fs::read(project.checkpoint("s1")).unwrap();
        let named = format!("s1@{{{number}}}");
        let expected = full(&project, &named).succeeds().json();
        let path = expected["path"].as_str().unwrap();
        let bytes = fs::read(path).unwrap();
        project.ckpt(["restore", &named]).succeeds();
        assert_eq!(fs::read(project.checkpoint("s1")).unwrap(), bytes);
        project.ckpt(["restore", "s1"]).succeeds();
        assert_eq!(fs::read(project.checkpoint("s1")).unwrap(), before);
    }
}

#[test]
fn the_history_begins_with_the_third_save_and_is_its_owners_alone() {
    let project = saved(2);
    assert!(!project.path(".claude-checkpoints/history").exists());
    save_at(&project, 2, &json!({"goal": "2", "mode": "merge"}));
    let [earlier] = &project.history("s1")[..] else {
        panic!("{:?}", project.history("s1"));
    };
    assert_eq!(earlier.file_name().unwrap(), "20261008T010200.000Z.json");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode =
            |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(earlier), 0o600);
        assert_eq!(mode(earlier.parent().unwrap()), 0o700);
        assert_eq!(mode(&project.path(".claude-checkpoints/history")), 0o700);
    }
    let legacy = |goal| {
        let save = ["save", "--goal", goal];
        project.ckpt_with(&[("CHECKPOINT_SESSION_IDS", "legacy")], save)
    };
    for goal in ["a", "b", "c", "d"] {
        legacy(goal).succeeds();
    }
    assert_eq!(project.history("legacy").len(), 2);
    assert_goal(&project, "legacy@{3}", "a");
}

#[test]
fn names_in_the_history_are_unique_and_rise_whatever_the_clock_says() {
    let project = Project::bare_folder();
    for minute in [10, 10, 10, 10, 5, 5, 59, 0] {
        save_at(&project, minute, &json!({"goal": minute.to_string()}));
    }
    let names: Vec<String> = project
        .history("s1")
        .iter()
        .rev()
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "20261008T011000.000Z.json",
            "20261008T011000.001Z.json",
            "20261008T011000.002Z.json",
            "20261008T011000.003Z.json",
            "20261008T015900.000Z.json",
            "20261008T015900.001Z.json",
        ]
    );
    assert_goal(&project, "s1@{3}", "5");
}

#[test]
fn a_save_named_by_the_last_moment_makes_no_other_go() {
    let project = saved(3);
    let history = project.path(".claude-checkpoints/history/s1");
    let planted = history.join("99991230T220000.998Z.json");
    fs::copy(project.checkpoint("s1"), &planted).unwrap();
    for number in 3..8 {
        save_at(&project, number, &json!({"goal": number.to_string()}));
    }
    let saves = project.history("s1");
    let goals = saves.iter().map(|save| {
        let save: Value = serde_json::from_slice(&fs::read(save).unwrap()).unwrap();
        save["goal"]["primary"].as_str().unwrap().to_owned()
    });
    let mut goals: Vec<String> = goals.collect();
    goals.sort();
    assert_eq!(goals, ["0", "1", "2", "2", "3", "4", "5"]);
    let log = project.ckpt(["log", "s1", "--json"]).succeeds().json();
    assert_eq!(log["saves"].as_array().unwrap().len(), 9, "{log}");
}

#[test]
fn a_history_takes_no_more_than_a_mebibyte() {
    let project = Project::bare_folder();
    let decisions: Vec<String> = (0..20).map(|n| format!("{n:->490}")).collect();
    let files: Vec<Value> = (0..100)
        .map(|n| json!({"path": format!("{n:->150}"), "note": format!("{n:->200}")}))
        .collect();
    for number in 0..40 {
        let goal = number.to_string();
        let save = json!({"goal": goal, "decisions": decisions, "modifiedFiles": files});
        save_at(&project, number, &save);
    }
    let sizes: Vec<u64> = project
        .history("s1")
        .iter()
        .map(|path| fs::metadata(path).unwrap().len())
        .collect();
    let total: u64 = sizes.iter().sum();
    assert!(sizes[0] > 40_000, "{sizes:?}");
    assert!(total <= 1 << 20 && total + sizes[0] > 1 << 20, "{sizes:?}");
    let last = sizes.len() + 1;
    assert_goal(
        &project,
        &format!("s1@{{{last}}}"),
        &(39 - last).to_string(),
    );
}

#[test]
fn a_time_names_the_save_that_was_current_then() {
    let project = saved(5);
    for (time, expected) in [
        ("2026-10-08T01:02:00Z", "2"),
        ("2026-10-08T01:03:59Z", "3"),
        ("2026-10-08 01:00", "0"),
        ("2026-10-08T03:03:00+02:00", "3"),
        ("2026-10-08", "4"),
        ("1m", "4"),
        ("81m", "2"),
        ("2030-01-01", "4"),
    ] {
        assert_goal(&project, &format!("s1@{{{time}}}"), expected);
    }
    full(&project, "s1@{2h}")
        .fails_with("no save of `s1` is as old as `s1@{2026-10-08T00:23:55Z}`");
    // What was restored was current from then on, whatever it says itself.
    let mut restore = project.command(["restore", "s1@{4}"]);
    Output::of(restore.env("CKPT_NOW", "2026-10-08T01:30:00Z")).succeeds();
    assert_goal(&project, "s1@{2026-10-08T01:29:00Z}", "4");
    assert_goal(&project, "s1@{2026-10-08T01:30:00Z}", "0");
}

#[test]
fn a_save_alone_is_one_of_the_sessions_own() {
    let project = saved(4);
    let own = [("CLAUDE_CODE_SESSION_ID", "s1")];
    let load = ["load", "@{2}", "--json", "--format", "full"];
    let loaded = project.ckpt_with(&own, load).succeeds().json();
    assert_eq!(goal(&loaded), "1");
    let prev = ["load", "--prev", "--json", "--format", "full"];
    assert_eq!(goal(&project.ckpt_with(&own, prev).succeeds().json()), "2");
    project.ckpt(load).fails_with(
        "`@{2}` means a save of the session's own checkpoint, and no session is known here",
    );
    let latest = project.ckpt(["load", "latest@{1}", "--json", "--format", "full"]);
    assert_eq!(goal(&latest.succeeds().json()), "2");
    for (selector, expected) in [("s1", "2"), ("s1@{1}", "1"), ("S", "2")] {
        let load = ["load", selector, "--prev", "--json", "--format", "full"];
        assert_eq!(goal(&project.ckpt(load).succeeds().json()), expected);
    }
}

#[test]
fn an_agent_reads_and_resumes_an_earlier_save() {
    let project = Project::bare_folder();
    for decision in ["a", "b", "c", "d"] {
        let save = json!({"goal": decision, "decisions": [decision], "mode": "replace"});
        project.save("s1", save);
    }
    let mut server = Server::open(&project, json!({}));
    let loaded = server.call("load_session_checkpoint", json!({"checkpoint": "s1@{2}"}));
    let text = loaded["structuredContent"]["text"].as_str().unwrap();
    assert!(
        text.contains("This is `s1@{2}`, an earlier save: 2 saves before"),
        "{text}"
    );
    assert!(text.contains("`resumedFrom`: \"s1@{2}\""), "{text}");
    let save = json!({"mode": "merge", "resumedFrom": "s1@{2}", "decisions": ["new"]});
    let saved = server.call("save_session_checkpoint", save);
    let session = saved["structuredContent"]["session"].as_str().unwrap();
    let checkpoint = project.saved(session);
    assert_eq!(checkpoint["decisions"], json!(["b", "new"]));
    assert_eq!(checkpoint["resumedFrom"], "s1");
    let malformed = server.call("load_session_checkpoint", json!({"checkpoint": "s1@{x}"}));
    assert_eq!(malformed["isError"], true);
    assert!(
        malformed.to_string().contains("names no save"),
        "{malformed}"
    );
}

#[test]
fn what_names_no_save_is_an_error_that_says_how_to_name_one() {
    let project = saved(3);
    let before = project.snapshot();
    for selector in [
        "s1@{x}",
        "s1@{-1}",
        "s1@{",
        "s1@1",
        "s1@{}",
        "@",
        "s1@{1}x",
        "s1@{1}@{1}",
    ] {
        for command in [&["load"][..], &["diff"], &["restore"]] {
            project
                .ckpt([command, &[selector]].concat())
                .fails_with(&format!("`{selector}` names no save"))
                .errs("@{1} for the save before the present one");
        }
        let save = json!({"goal": "g", "resumedFrom": selector});
        project.try_save("s2", &save).fails_with("names no save");
    }
    project
        .ckpt(["load", "other@{1}"])
        .fails_with("there is no checkpoint `other`");
    project
        .ckpt(["log", "other"])
        .fails_with("there is no checkpoint `other`");
    project.ckpt(["edit", "s1@{1}"]).fails_with(
        "`s1@{1}` is a single save of `s1`, and this works only on the checkpoint as a whole",
    );
    assert_eq!(project.snapshot(), before);
}

#[test]
fn a_log_lists_the_saves_and_where_the_goal_changed() {
    let project = Project::repository();
    let tasks = |done| json!([{"description": "a", "status": done}, {"description": "b"}]);
    for (minute, goal, status) in [
        (0, "one", "pending"),
        (1, "one", "done"),
        (2, "two", "done"),
    ] {
        save_at(
            &project,
            minute,
            &json!({"goal": goal, "tasks": tasks(status)}),
        );
    }
    let log = project.ckpt(["log", "s1"]).succeeds();
    assert_eq!(
        log.stdout,
        "SAVE  SAVED   TASKS  BRANCH  GOAL\n\
         @{0}  1h ago  1/2    main    two\n\
         @{1}  1h ago  1/2    main    one\n\
         @{2}  1h ago  0/2    main\n"
    );
    let log = project
        .ckpt(["log", "s1", "-n", "2", "--json"])
        .succeeds()
        .json();
    assert_eq!(log["saves"].as_array().unwrap().len(), 2);
    assert_eq!((&log["total"], &log["omitted"]), (&json!(3), &json!(1)));
    let save = &log["saves"][1];
    assert_eq!(save["selector"], "s1@{1}");
    assert_eq!((&save["tasksDone"], &save["tasks"]), (&json!(1), &json!(2)));
    assert_eq!(save["updatedAt"], "2026-10-08T01:01:00.000Z");
}

#[test]
fn a_restore_says_what_it_replaced_and_touches_nothing_else() {
    let project = saved(3);
    project.write("file", "here");
    let restored = project.ckpt(["restore", "s1", "--json"]).succeeds().json();
    assert_eq!(restored["restored"], "s1@{1}");
    assert_eq!(restored["replaced"], "s1@{1}");
    assert_eq!(project.read("file"), "here");
    project
        .ckpt(["restore", "s1@{0}"])
        .succeeds()
        .errs("`s1` is that save already; nothing changed.");
    project
        .ckpt(["restore"])
        .exits(1)
        .errs("This session has no checkpoint");
    project
        .ckpt(["restore", "s1@{9}"])
        .fails_with("there is no save `s1@{9}`");
    let single = saved(1);
    single
        .ckpt(["restore", "s1"])
        .fails_with("there is no save `s1@{1}`: the checkpoint has no earlier save yet");
}

#[test]
fn a_broken_checkpoint_is_restored_from_its_backup_or_its_history() {
    let project = saved(4);
    project.put("s1", "{");
    project.ckpt(["restore", "s1@{0}"]).succeeds();
    assert_goal(&project, "s1", "2");
    project.put("s1", "{");
    project.put_backup("s1", "{");
    project.ckpt(["load", "s1"]).fails_with("neither file");
    // What can still be restored is not broken.
    project.ckpt(["prune", "--broken", "--yes"]).succeeds();
    project.ckpt(["restore", "s1@{1}"]).succeeds();
    assert_goal(&project, "s1", "1");
    let gone = saved(4);
    gone.remove(".claude-checkpoints/s1.json");
    gone.remove(".claude-checkpoints/s1.json.prev");
    gone.ckpt(["log", "s1"]).succeeds().prints("@{1}");
    gone.ckpt(["restore", "s1"]).succeeds();
    assert_goal(&gone, "s1", "1");
}

#[test]
fn the_save_before_one_that_cannot_be_read_is_its_backup() {
    for saves in [2, 4] {
        for damage in ["{", ""] {
            let project = saved(saves);
            project.put("s1", damage);
            if damage.is_empty() {
                project.remove(".claude-checkpoints/s1.json");
            }
            project
                .ckpt(["name", "s1", "auth"])
                .fails_with("only the backup of checkpoint `s1` can be read")
                .errs("which `ckpt restore` does");
            project.ckpt(["restore", "s1"]).succeeds();
            assert_goal(&project, "s1", &(saves - 2).to_string());
            project.ckpt(["name", "s1", "auth"]).succeeds();
        }
    }
}

#[test]
fn what_is_no_save_in_a_history_is_named_and_left_alone() {
    let project = saved(5);
    let folder = ".claude-checkpoints/history/s1";
    let write = |name: &str, text: &str| project.write(format!("{folder}/{name}"), text);
    write("notes.txt", "mine");
    write("20261008T010130.000Z.json", "{");
    write("21991231T235959.999Z.json", &least("future").to_string());
    write("99991231T235959.999Z.json", "foreign");
    #[cfg(unix)]
    {
        let outside = project.home().join("outside.json");
        fs::write(&outside, least("outside").to_string()).unwrap();
        let link = project.path(format!("{folder}/20261008T010140.000Z.json"));
        std::os::unix::fs::symlink(&outside, link).unwrap();
        fs::create_dir(project.path(format!("{folder}/20261008T010150.000Z.json"))).unwrap();
    }
    let log = project.ckpt(["log", "s1", "--json"]).succeeds().json();
    let goals: Vec<&str> = log["saves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|save| save["goal"].as_str().unwrap_or("-"))
        .collect();
    assert_eq!(goals, ["4", "3", "future", "2", "1", "0", "-"]);
    let warnings = log["warnings"].to_string();
    assert!(
        warnings.contains("20261008T010130.000Z.json` is not valid JSON"),
        "{warnings}"
    );
    #[cfg(unix)]
    for odd in [
        "20261008T010140.000Z.json` is a symbolic link, which is refused",
        "20261008T010150.000Z.json` is not a regular file, which is refused",
    ] {
        assert!(warnings.contains(odd), "{warnings}");
    }
    full(&project, "s1@{6}").fails_with("the save `s1@{6}` cannot be used");
    project
        .ckpt(["restore", "s1@{6}"])
        .fails_with("the save `s1@{6}` cannot be used");
    // The next names rise above the one of the future.
    project.save("s1", json!({"goal": "5"}));
    let newest = &project.history("s1")[2];
    assert_eq!(newest.file_name().unwrap(), "22000101T000000.000Z.json");
    assert_goal(&project, "s1@{2}", "3");
    project.ckpt(["prune", "--keep", "0", "--yes"]).succeeds();
    assert!(!project.checkpoint("s1").exists());
    assert_eq!(project.read(format!("{folder}/notes.txt")), "mine");
    #[cfg(unix)]
    assert!(project.home().join("outside.json").exists());
}

#[cfg(unix)]
#[test]
fn a_history_that_is_a_link_or_no_folder_is_refused_and_nothing_is_lost() {
    for (at, what) in [
        (".claude-checkpoints/history", "link"),
        (".claude-checkpoints/history/s1", "link"),
        (".claude-checkpoints/history", "file"),
        (".claude-checkpoints/history/s1", "file"),
    ] {
        let project = saved(2);
        let outside = project.home().join("outside");
        fs::create_dir_all(outside.join("s1")).unwrap();
        fs::create_dir_all(project.path(at).parent().unwrap()).unwrap();
        let why = match what {
            "link" => {
                std::os::unix::fs::symlink(&outside, project.path(at)).unwrap();
                "it is a symbolic link, which is refused"
            }
            _ => {
                project.write(at, "file");
                "it is not a directory"
            }
        };
        let before = project.snapshot();
        let error = format!("cannot use `{at}`: {why}");
        project
            .try_save("s1", &json!({"goal": "2"}))
            .fails_with(&error);
        project.ckpt(["restore", "s1"]).fails_with(&error);
        assert_eq!(project.snapshot(), before);
        assert_goal(&project, "s1@{1}", "0");
        project.ckpt(["log", "s1"]).succeeds().errs(&error);
        let prune = ["prune", "--older-than", "0d", "--yes"];
        project.ckpt(prune).exits(2).errs(&error);
        assert_eq!(project.snapshot(), before);
        assert_eq!(fs::read_dir(outside.join("s1")).unwrap().count(), 0);
    }
}

#[test]
fn a_prune_takes_the_history_along_and_counts_it() {
    let project = saved(6);
    project.save("s2", json!({"goal": "other"}));
    project.save("s2", json!({"goal": "other"}));
    project.save("s2", json!({"goal": "other"}));
    let files = project.snapshot();
    let of_s1: usize = files
        .iter()
        .filter(|(path, _)| path.to_str().unwrap().contains("s1"))
        .map(|(_, bytes)| bytes.len())
        .sum();
    let pruned = project
        .ckpt(["prune", "--keep", "1", "--yes", "--json"])
        .succeeds()
        .json();
    assert_eq!(pruned["bytes"], of_s1);
    assert!(!project.path(".claude-checkpoints/history/s1").exists());
    assert_eq!(project.history("s2").len(), 1);
    project.ckpt(["prune", "--keep", "0", "--yes"]).succeeds();
    assert!(!project.path(".claude-checkpoints/history").exists());
}

#[test]
fn a_new_store_keeps_itself_out_of_git_and_an_old_one_is_left_as_it_is() {
    let project = Project::unborn();
    project.write("README", "hello\n");
    project.commit("first");
    let saved = project.save("s1", json!({"goal": "g"})).json();
    assert_eq!(saved["warnings"], json!([]));
    let ignore = ".claude-checkpoints/.gitignore";
    assert_eq!(project.read(ignore), "*\n");
    project.write(ignore, "!s1.json\n");
    project.save("s1", json!({"goal": "g"}));
    assert_eq!(project.read(ignore), "!s1.json\n");
    project.remove(ignore);
    let saved = project.save("s1", json!({"goal": "g"})).json();
    assert!(!project.path(ignore).exists());
    assert!(saved["warnings"].to_string().contains("ignore"), "{saved}");
    project.put("s1", with(least("g"), json!({})));
}

//! Reading is lenient: other writers, later versions and hands leave files of all kinds (docs/contract.md, section 5).

use serde_json::{Value, json};

use crate::harness::files::{least, with};
use crate::harness::{Output, Project};

fn full(project: &Project, session: &str) -> Value {
    project
        .ckpt(["load", session, "--format", "full", "--json"])
        .succeeds()
        .json()["checkpoint"]
        .take()
}

#[test]
fn reading_is_lenient_with_what_is_optional() {
    let text = |fields: Value| with(least("the goal"), fields).to_string();
    for (what, content) in [
        ("the least", least("the goal").to_string()),
        (
            "a byte order mark",
            format!("\u{feff}{}", least("the goal")),
        ),
        (
            "white space around",
            format!("\n\n  {}\r\n\t", least("the goal")),
        ),
        (
            "null for every optional field",
            text(json!({
                "id": null, "generator": null, "project": null, "sessionId": null, "resumedFrom": null,
                "git": null, "summary": null, "nextSteps": null, "decisions": null, "modifiedFiles": null,
                "recentCommands": null, "meta": null, "goal": {"primary": "the goal", "tasks": null},
            })),
        ),
        (
            "null inside optional fields",
            text(json!({
                "generator": {"name": null, "version": null}, "project": {"name": null},
                "git": {"branch": null, "head": null, "dirty": null},
                "meta": {"redactions": null, "truncated": null, "filesTruncated": null},
                "goal": {"primary": "the goal", "tasks": [{"description": "t", "status": null}]},
                "modifiedFiles": [{"path": "a", "status": null, "source": null, "note": null, "hash": null}],
                "recentCommands": [{"command": "c", "exitCode": null, "note": null, "at": null}],
            })),
        ),
        (
            "empty objects",
            text(json!({"generator": {}, "project": {}, "git": {}, "meta": {}})),
        ),
        (
            "unknown words",
            text(json!({
                "goal": {"primary": "the goal", "tasks": [{"description": "t", "status": "cancelled"}]},
                "modifiedFiles": [{"path": "a", "status": "XY", "source": "editor"}],
            })),
        ),
        (
            "unknown fields",
            text(json!({"future": {"a": [1, null]}, "git": {"head": "abc", "upstream": "x"}})),
        ),
        (
            "lengths over the limits",
            text(json!({
                "summary": "s".repeat(5_000), "nextSteps": vec!["n"; 30], "decisions": vec!["d".repeat(900); 30],
                "recentCommands": vec![json!({"command": "c"}); 60],
            })),
        ),
        (
            "times with an offset and without a fraction",
            text(
                json!({"createdAt": "2026-10-08T04:00:00+02:00", "updatedAt": "2026-10-08T02:00:00Z"}),
            ),
        ),
        (
            "a command without a readable time",
            text(json!({"recentCommands": [{"command": "c", "at": "yesterday"}]})),
        ),
    ] {
        let project = Project::bare_folder();
        project.put("s1", content);
        let loaded = project.ckpt(["load", "s1"]);
        assert_eq!(loaded.status, 0, "{what}: {}", loaded.stderr);
        assert!(loaded.stdout.contains("the goal"), "{what}");
        // And a merge builds on it.
        let merged = project.try_save("s1", &json!({"goal": "g", "mode": "merge"}));
        assert_eq!(merged.status, 0, "{what}: {}", merged.stderr);
        assert_eq!(merged.json()["mode"], "merge", "{what}: {}", merged.stdout);
    }
}

#[test]
fn missing_optional_fields_take_their_defaults() {
    let project = Project::bare_folder();
    project.put(
        "s1",
        with(
            least("g"),
            json!({
                "goal": {"primary": "g", "tasks": [{"description": "t"}]},
                "modifiedFiles": [{"path": "a"}],
            }),
        ),
    );
    let read = full(&project, "s1");
    assert_eq!(read["goal"]["tasks"][0]["status"], "pending");
    assert_eq!(read["modifiedFiles"][0]["status"], "M");
    assert_eq!(read["modifiedFiles"][0]["source"], "agent");
    assert_eq!(read["nextSteps"], json!([]));
    assert_eq!(read["meta"], json!({"redactions": 0, "truncated": false}));
    assert_eq!(read["git"], Value::Null);
}

#[test]
fn what_is_no_checkpoint_is_refused_with_its_place() {
    for (content, fault) in [
        (json!(null), "version"),
        (json!("version"), "version"),
        (json!({}), "version"),
        (with(least("g"), json!({"version": 2})), "version 2"),
        (with(least("g"), json!({"version": "1"})), "version \"1\""),
        (with(least("g"), json!({"version": [1]})), "version [1]"),
        (with(least("g"), json!({"goal": "g"})), "goal"),
        (with(least("g"), json!({"goal": {}})), "primary"),
        (
            with(least("g"), json!({"goal": {"primary": null}})),
            "goal.primary",
        ),
        (with(least("g"), json!({"updatedAt": "today"})), "updatedAt"),
        (with(least("g"), json!({"updatedAt": null})), "updatedAt"),
    ] {
        let project = Project::bare_folder();
        project.put("s1", &content);
        project
            .ckpt(["load", "s1"])
            .fails_with("`s1.json` is ")
            .errs(fault);
    }
}

#[test]
fn a_long_version_is_named_in_short() {
    let project = Project::bare_folder();
    project.put(
        "s1",
        with(least("g"), json!({"version": "9".repeat(50_000)})),
    );
    let output = project.ckpt(["load", "s1"]).fails_with("version \"9999");
    assert!(output.stderr.len() < 500, "{} bytes", output.stderr.len());
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let project = Project::bare_folder();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    project.put("s1", format!("{{\"version\": 1, \"future\": {deep}}}"));
    project.ckpt(["load", "s1"]).fails_with("not valid JSON");
    let mut command = project.command(["save", "--input", "-"]);
    Output::with_input(&mut command, format!("{{\"goal\": {deep}}}").as_bytes())
        .fails_with("not valid JSON");
}

#[test]
fn the_farthest_times_of_rfc_3339_are_no_reason_to_lose_a_file() {
    let project = Project::bare_folder();
    for time in ["9999-12-31T23:59:59.999Z", "0000-01-01T00:00:00+23:59"] {
        project.put(
            "s1",
            with(least("g"), json!({"createdAt": time, "updatedAt": time})),
        );
        for _ in 0..2 {
            let loaded = project.load("s1");
            let mut warnings = loaded["warnings"].as_array().unwrap().iter();
            let future =
                |warning: &Value| warning.as_str().unwrap().contains("is dated in the future");
            assert!(warnings.all(future), "{loaded}");
            project.save("s1", json!({"mode": "merge"}));
        }
        let saved = project.saved("s1")["createdAt"].clone();
        assert!(
            saved == "9999-12-30T22:00:00.999Z" || saved == "0000-01-01T00:00:00.000Z",
            "{saved}"
        );
    }
}

#[test]
fn an_odd_value_costs_itself_alone() {
    let good = json!({
        "goal": {"primary": "the goal", "tasks": [{"description": "t1"}, {"description": "t2"}]},
        "decisions": ["d1", "d2"],
        "recentCommands": [{"command": "c1", "exitCode": 3}, {"command": "c2"}],
    });
    for (place, odd, named) in [
        (
            "/recentCommands/0/exitCode",
            "1.5",
            "recentCommands[0].exitCode",
        ),
        (
            "/recentCommands/0/exitCode",
            "\"1\"",
            "recentCommands[0].exitCode",
        ),
        (
            "/recentCommands/0/exitCode",
            "1e400",
            "recentCommands[0].exitCode",
        ),
        ("/recentCommands/0/command", "7", "recentCommands[0]"),
        ("/recentCommands/1", "\"c2\"", "recentCommands[1]"),
        ("/goal/tasks/0", "null", "goal.tasks[0]"),
        ("/goal/tasks/0/status", "[]", "goal.tasks[0].status"),
        ("/decisions/1", "{}", "decisions[1]"),
        ("/decisions", "\"d\"", "decisions"),
    ] {
        let project = Project::bare_folder();
        let mut content = with(least("g"), good.clone());
        content["recentCommands"][0]["exitCode"] = json!(3);
        content["goal"]["tasks"][0]["status"] = json!("done");
        *content.pointer_mut(place).unwrap() = json!("PLACE");
        project.put("s1", content.to_string().replace("\"PLACE\"", odd));
        let loaded = project.ckpt(["load", "s1"]).succeeds();
        let loaded = loaded
            .prints("the goal")
            .prints("t2")
            .prints("could not be read and was left out");
        assert!(loaded.stdout.contains(named), "{place}: {}", loaded.stdout);
        let merged = project.save("s1", json!({"goal": "g", "mode": "merge"}));
        assert!(merged.stdout.contains(named), "{place}: {}", merged.stdout);
        // What was odd is in the backup, as it was.
        let backup = std::fs::read_to_string(project.backup("s1")).unwrap();
        assert!(backup.contains(odd), "{backup}");
        project
            .ckpt(["prune", "--broken", "--yes", "--json"])
            .prints("\"checkpoints\": []");
    }
}

#[test]
fn a_whole_number_may_be_written_as_any_number() {
    let project = Project::bare_folder();
    let content = with(
        least("g"),
        json!({"recentCommands": [{"command": "c", "exitCode": 1.0}]}),
    );
    project.put("s1", content);
    let loaded = project
        .ckpt(["load", "s1"])
        .succeeds()
        .prints("✗ exit 1 `c`");
    assert!(!loaded.stdout.contains("left out"), "{}", loaded.stdout);
}

#[test]
fn unknown_fields_survive_a_merge_wherever_they_stand() {
    let project = Project::repository();
    project.write("README", "changed\n");
    let theirs = || json!({"x": "theirs"});
    let extra = |object: Value| with(object, json!({"extra": theirs()}));
    let file = |path: &str| extra(json!({"path": path, "status": "M", "source": "git"}));
    project.put(
        "s1",
        with(
            extra(least("g")),
            json!({
                "generator": extra(json!({"name": "other", "version": "1"})),
                "project": extra(json!({"name": "p"})),
                "git": extra(json!({"branch": "main", "head": project.head()})),
                "goal": extra(json!({"primary": "g", "tasks": [extra(json!({"description": "t"}))]})),
                "modifiedFiles": [file("README"), file("src/main.rs")],
                "recentCommands": [extra(json!({"command": "c"}))],
                "meta": extra(json!({})),
            }),
        ),
    );
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    let saved = project.saved("s1");
    for place in [
        "/extra",
        "/generator/extra",
        "/project/extra",
        "/git/extra",
        "/goal/extra",
        "/goal/tasks/0/extra",
        "/modifiedFiles/0/extra",
        "/modifiedFiles/1/extra",
        "/recentCommands/0/extra",
        "/meta/extra",
    ] {
        assert_eq!(saved.pointer(place), Some(&theirs()), "{place}: {saved}");
    }
    assert_eq!(saved["generator"]["name"], "ckpt");
}

#[test]
fn no_number_of_an_unknown_field_is_rounded() {
    let project = Project::bare_folder();
    let numbers = r#"[123456789012345678901234567890, -99999999999999999999, 18446744073709551615, 1e400, 0.1]"#;
    let content = with(least("g"), json!({"future": "NUMBERS"})).to_string();
    project.put("s1", content.replace("\"NUMBERS\"", numbers));
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    let kept = json!([
        "123456789012345678901234567890",
        "-99999999999999999999",
        u64::MAX,
        "1e400",
        0.1
    ]);
    assert_eq!(project.saved("s1")["future"], kept);
}

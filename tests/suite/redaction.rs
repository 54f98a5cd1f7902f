//! Secrets do not reach the disk, a brief or a message (SPEC section 9).

use serde_json::json;

use crate::harness::{Output, Project};

const SECRET: &str = "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";

#[test]
fn no_field_lets_a_secret_through_and_the_warning_names_the_fields() {
    let project = Project::repository();
    let with = |text: &str| format!("{text} {SECRET}");
    let saved = project.save(
        "s1",
        json!({
            "goal": with("goal"),
            "summary": with("summary"),
            "tasks": [{"description": with("task"), "status": "done"}],
            "nextSteps": [with("step")],
            "decisions": [with("decision")],
            "modifiedFiles": [{"path": "README", "note": with("file")}],
            "recentCommands": [{"command": with("command"), "note": with("note")}],
        }),
    );
    let result = saved.json();
    assert_eq!(result["counts"]["redactions"], 8);
    let warning = result["warnings"][0].as_str().unwrap();
    assert_eq!(
        warning,
        "8 secrets redacted before writing, in `goal`, `tasks`, `summary`, `nextSteps`, `decisions`, \
         `recentCommands`, `modifiedFiles`"
    );
    let file = std::fs::read_to_string(project.checkpoint("s1")).unwrap();
    assert!(!file.contains(SECRET), "{file}");
    assert_eq!(file.matches("«redacted»").count(), 8);
    assert!(!saved.stdout.contains(SECRET) && !saved.stderr.contains(SECRET));
}

#[test]
fn names_flags_users_and_hosts_stay_readable() {
    let project = Project::bare_folder();
    let command = "curl -u bob:hunter2secret -H 'Authorization: Bearer abcdef0123456789' https://api.example.com";
    let input = json!({"goal": "g", "recentCommands": [{"command": command}]});
    project.save("s1", input);
    assert_eq!(
        project.saved("s1")["recentCommands"][0]["command"],
        "curl -u bob:«redacted» -H 'Authorization: Bearer «redacted»' https://api.example.com"
    );
}

#[test]
fn a_file_that_others_wrote_is_redacted_before_it_is_shown_or_built_upon() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g", "summary": "the PLACE"}));
    let file = project.checkpoint("s1");
    let edited = std::fs::read_to_string(&file)
        .unwrap()
        .replace("PLACE", SECRET);
    std::fs::write(&file, edited).unwrap();
    for arguments in [
        &["load", "--session", "s1"][..],
        &["load", "--session", "s1", "--json", "--format", "full"],
    ] {
        let shown = project.ckpt(arguments).succeeds().stdout;
        assert!(!shown.contains(SECRET), "{shown}");
        assert!(shown.contains("«redacted»"), "{shown}");
    }
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    assert_eq!(project.saved("s1")["summary"], "the «redacted»");
}

#[test]
fn the_command_redacts_its_input() {
    let project = Project::bare_folder();
    let text = format!("export GITHUB_TOKEN={SECRET}");
    let plain = Output::with_input(&mut project.command(["redact"]), text.as_bytes()).succeeds();
    assert_eq!(plain.stdout, "export GITHUB_TOKEN=«redacted»");
    let lines = format!("{}\n", json!({"id": 7, "text": text}));
    let lines = Output::with_input(
        &mut project.command(["redact", "--jsonl"]),
        lines.as_bytes(),
    );
    assert_eq!(
        lines.succeeds().stdout,
        "{\"id\":7,\"redacted\":\"export GITHUB_TOKEN=«redacted»\"}\n"
    );
    let wrong = Output::with_input(&mut project.command(["redact", "--jsonl"]), b"{}\n");
    wrong.fails_with("line 1 is not of the form");
}

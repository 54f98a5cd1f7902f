//! `ckpt save --from-transcript`.

use serde_json::{Value, json};

use crate::harness::transcripts::{LATER, Transcript, json_of, killed};
use crate::harness::{Output, Project};

const SAVED: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const UNSAVED: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const OLDER: &str = "88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

#[test]
fn saving_one_writes_it_for_good() {
    let project = Project::repository();
    killed(&project, OLDER, -50).put(&project);
    killed(&project, UNSAVED, 0).put(&project);
    let result = json_of(&project, &["save", "--from-transcript"]);
    assert_eq!(result["session"], UNSAVED, "the latest");
    assert_eq!(result["mode"], "replace");
    let stored = project.saved(UNSAVED);
    assert_eq!(stored["goal"]["primary"], "Let users sign in with GitHub");
    assert_eq!(stored["sessionId"], UNSAVED);
    assert_eq!(stored["client"], json!({"name": "claude-code"}));
    let commands = stored["recentCommands"].as_array().unwrap();
    let told: Vec<(&str, &Value)> = commands
        .iter()
        .map(|ran| (ran["command"].as_str().unwrap(), &ran["exitCode"]))
        .collect();
    let expected = [
        ("npm run build", &json!(0)),
        ("npm test", &json!(1)),
        ("npm test -- session", &Value::Null),
    ];
    assert_eq!(told, expected);
    let files = stored["modifiedFiles"].as_array().unwrap();
    let paths: Vec<&str> = files
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["README", "src/auth/callback.ts", "src/gone.ts"]);
    let summary = stored["summary"].as_str().unwrap();
    assert!(
        summary.starts_with("Recovered from the session's transcript"),
        "{summary}"
    );
    assert!(
        summary.contains("The user asked last: now the cookie"),
        "{summary}"
    );
    assert!(summary.contains("One test is left."), "{summary}");
    assert!(
        !stored
            .to_string()
            .contains(&project.root().display().to_string())
    );
    // What it took from the transcript is in the checkpoint, so the brief does not tell it twice.
    let brief = json_of(&project, &["load", UNSAVED]);
    assert!(!brief["text"].as_str().unwrap().contains("After the save"));
    let file = killed(&project, SAVED, 0).put_as(&project.home().join(format!("{SAVED}.jsonl")));
    let result = json_of(
        &project,
        &["save", "--from-transcript", file.to_str().unwrap()],
    );
    assert_eq!(result["session"], SAVED);
    let result = json_of(&project, &["save", "--from-transcript", &OLDER[..5]]);
    assert_eq!(result["session"], OLDER);
}

#[test]
fn to_a_checkpoint_that_is_there_saving_adds_what_came_after() {
    let project = Project::repository();
    let own = json!({"goal": "the agent's", "summary": "the agent's summary", "decisions": ["d"]});
    project.save(SAVED, own);
    let before = Transcript::new(&project, SAVED, -20)
        .prompt("p")
        .runs("before", 0);
    before.put(&project);
    let again = ["save", "--from-transcript", SAVED];
    project
        .ckpt(again)
        .fails_with("nothing happened after the save");
    let after = Transcript::new(&project, SAVED, 0)
        .prompt("go on")
        .runs("after", 2);
    after
        .lines
        .iter()
        .fold(before, |all, line| all.raw(line))
        .put(&project);
    let result = project.ckpt_with(&[("CKPT_NOW", LATER)], again);
    result.succeeds();
    let stored = project.saved(SAVED);
    assert_eq!(stored["goal"]["primary"], "the agent's");
    assert_eq!(stored["decisions"], json!(["d"]));
    assert_eq!(stored["recentCommands"].as_array().unwrap().len(), 1);
    assert_eq!(stored["recentCommands"][0]["command"], "after");
    let summary = stored["summary"].as_str().unwrap();
    assert!(
        summary.starts_with("the agent's summary\n\nAdded from"),
        "{summary}"
    );
    let moved = Transcript::new(&project, SAVED, 7_200).runs("in a copy elsewhere", 0);
    let moved = Transcript::new(&project, SAVED, 0)
        .prompt("p")
        .raw(moved.lines.join("\n"));
    let moved = moved.put_as(&project.home().join(format!("{SAVED}.jsonl")));
    let named = ["save", "--from-transcript", moved.to_str().unwrap()];
    project.ckpt(named).succeeds();
    let stored = project.saved(SAVED).to_string();
    assert!(stored.contains("in a copy elsewhere"), "{stored}");
}

#[test]
fn what_is_no_transcript_is_refused_and_nothing_written() {
    let project = Project::repository();
    project.write("notes.jsonl", "{}");
    project.write(format!("{UNSAVED}.jsonl"), "{}\n[]\n");
    let refused = |named: &str| {
        let output: Output = project.ckpt(["save", "--from-transcript", named]);
        output.exits(2).stderr
    };
    for (named, expected) in [
        ("notes.jsonl", "is not a transcript"),
        ("./missing.jsonl", "is not a transcript"),
        ("src/", "is not a transcript"),
        (&format!("./{UNSAVED}.jsonl"), "does not hold a session"),
        (OLDER, "there is no transcript of session"),
        ("../x y", "is not a transcript"),
    ] {
        let error = refused(named);
        assert!(error.contains(expected), "{named}: {error}");
    }
    project
        .ckpt(["save", "--from-transcript"])
        .fails_with("no session of this project");
    assert_eq!(project.stored_names(), [] as [&str; 0]);
}

#[test]
fn whatever_was_kept_and_whatever_is_added_fits() {
    let project = Project::repository();
    let long = "word ".repeat(2_000);
    let deep = format!("{}x.rs", "d/".repeat(800));
    for length in [1, 1_500, 3_000, 3_900, 3_950, 3_995, 4_000] {
        let own = "s".repeat(length);
        project.save(SAVED, json!({"goal": "the agent's", "summary": own}));
        Transcript::new(&project, SAVED, 0)
            .prompt(&long)
            .prompt(&format!(
                "token=ghp_16C7e42F292c6912E7710c838347Ae178B4a {long}"
            ))
            .prompt(&long)
            .compacts(&long)
            .runs(&long, 1)
            .writes(&project, &deep)
            .writes(&project, "src/kept.rs")
            .words(&long)
            .calls("Bash", json!({"command": long}))
            .put(&project);
        let keep = ["save", "--from-transcript", SAVED];
        project.ckpt_with(&[("CKPT_NOW", LATER)], keep).succeeds();
        let stored = project.saved(SAVED);
        let summary = stored["summary"].as_str().unwrap();
        assert!(
            summary.starts_with(&own),
            "{length}: the agent's own text comes first, and whole"
        );
        assert!(summary.chars().count() <= 4_000, "{length}");
        assert_eq!(
            summary.contains("Added from the session's transcript"),
            length < 3_920,
            "{length}"
        );
        let paths: Vec<&Value> = stored["modifiedFiles"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| &file["path"])
            .collect();
        assert!(
            paths.contains(&&json!("src/kept.rs")),
            "{length}: {paths:?}"
        );
        std::fs::remove_dir_all(project.path(".claude-checkpoints")).unwrap();
    }
}

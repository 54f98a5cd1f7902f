//! Sessions that saved no checkpoint: listed, loaded, kept, and told of, from their transcripts.

use std::fs;

use serde_json::{Value, json};

use crate::harness::golden::assert_golden;
use crate::harness::mcp::Server;
use crate::harness::transcripts::{LATER, Transcript, at, folder};
use crate::harness::{Output, Project};

const SAVED: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const UNSAVED: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const OLDER: &str = "88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

/// The session that the tests are about: it worked, and was killed in the middle of a command.
fn killed(project: &Project, session: &str, seconds: i64) -> Transcript {
    Transcript::new(project, session, seconds)
        .prompt("Let users sign in with GitHub")
        .words("First the route.")
        .writes(project, "src/auth/callback.ts")
        .writes(project, "README")
        .writes(project, "src/gone.ts")
        .runs("npm run build", 0)
        .prompt("now the cookie")
        .runs("npm test", 1)
        .words("One test is left.")
        .calls("Bash", json!({"command": "npm test -- session"}))
}

fn json_of(project: &Project, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    project.ckpt_with(&[("CKPT_NOW", LATER)], arguments).json()
}

fn selectors(entries: &Value) -> Vec<&str> {
    let entries = entries.as_array().unwrap().iter();
    entries
        .map(|entry| entry["selector"].as_str().unwrap())
        .collect()
}

#[test]
fn loading_one_gives_a_brief_from_the_transcript_alone() {
    let project = Project::repository();
    project.write("src/auth/callback.ts", "c");
    killed(&project, UNSAVED, 0).put(&project);
    for file in ["src/auth/callback.ts", "README"] {
        let file = fs::File::options()
            .append(true)
            .open(project.path(file))
            .unwrap();
        file.set_modified(at(-60)).unwrap();
    }
    let output = project.ckpt_with(&[("CKPT_NOW", LATER)], ["load", UNSAVED]);
    let brief = output.succeeds().stdout;
    assert_golden("unsaved.md", &project.normalized(&brief));
    let loaded = json_of(&project, &["load", &UNSAVED[..6]]);
    assert_eq!(loaded["found"], true);
    assert_eq!(loaded["drift"]["changedSince"], json!(["src/gone.ts"]));
    assert_eq!(loaded["drift"]["branchChanged"], false);
    for absent in ["checkpoint", "resumeHint", "fromBackup"] {
        assert_eq!(loaded.get(absent), None, "{absent}");
    }
    project.git(["checkout", "-q", "-b", "other"]);
    project.write("README", "written after the session");
    let loaded = json_of(&project, &["load", UNSAVED]);
    assert_eq!(
        loaded["drift"]["changedSince"],
        json!(["README", "src/gone.ts"])
    );
    assert_eq!(loaded["drift"]["branchChanged"], true);
    assert!(
        loaded["text"]
            .as_str()
            .unwrap()
            .contains("- Branch changed: now on `other`")
    );
}

#[test]
fn they_are_listed_below_the_checkpoints_and_never_counted() {
    let project = Project::repository();
    project.save(SAVED, json!({"goal": "saved"}));
    killed(&project, SAVED, 10).put(&project);
    killed(&project, UNSAVED, 20).put(&project);
    killed(&project, OLDER, 10).put(&project);
    let without = json_of(&project, &["list"]);
    assert_eq!(selectors(&without["entries"]), [SAVED]);
    assert_eq!(without["entries"][0].get("recoverable"), None);
    let listed = json_of(&project, &["list", "--all"]);
    assert_eq!(selectors(&listed["entries"]), [SAVED, UNSAVED, OLDER]);
    assert_eq!(listed["entries"][1]["recoverable"], true);
    assert_eq!(
        listed["entries"][1]["goal"],
        "Let users sign in with GitHub"
    );
    assert_eq!(listed["entries"][1]["branch"], "main");
    assert_eq!(
        (&listed["total"], &listed["omitted"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(listed["text"], without["text"]);
    let table = project.ckpt(["list", "--all"]).succeeds().stdout;
    assert!(
        table.contains("no checkpoint, recoverable from its transcript"),
        "{table}"
    );
    let latest = json_of(&project, &["load", "--latest"]);
    assert!(latest["path"].as_str().unwrap().contains(SAVED));
    let filtered = json_of(&project, &["list", "--all", "--grep", "github SIGN"]);
    assert_eq!(selectors(&filtered["entries"]), [UNSAVED, OLDER]);
}

#[test]
fn they_are_offered_where_the_session_has_no_checkpoint_of_its_own() {
    let project = Project::repository();
    killed(&project, UNSAVED, 0).put(&project);
    killed(&project, OLDER, -50).put(&project);
    let mut server = Server::open(&project, json!({}));
    let session = json!({"session": OLDER});
    let result = server.call("load_session_checkpoint", session.clone());
    let offered = &result["structuredContent"];
    assert_eq!(offered["found"], false);
    assert_eq!(
        selectors(&offered["candidates"]),
        [UNSAVED],
        "never the session itself"
    );
    assert_eq!(offered["total"], 0);
    let text = offered["text"].as_str().unwrap();
    assert!(
        text.contains("has no checkpoints yet") && text.contains("recoverable"),
        "{text}"
    );
    let named = json!({"session": OLDER, "checkpoint": UNSAVED});
    let result = server.call("load_session_checkpoint", named);
    let text = result["structuredContent"]["text"].as_str().unwrap();
    assert!(
        text.starts_with("No checkpoint was saved in this session."),
        "{text}"
    );
    let listed = server.call("list_session_checkpoints", session);
    assert_eq!(listed["structuredContent"]["entries"], json!([]));
    server.close();
    let output = project.ckpt(["load"]).exits(1);
    assert!(output.stderr.contains("77aa01ce"), "{}", output.stderr);
    project.save(SAVED, json!({"goal": "saved"}));
    let offered = json_of(&project, &["load"]);
    assert_eq!(selectors(&offered["candidates"]), [SAVED, UNSAVED, OLDER]);
    assert_eq!(offered["total"], 1);
}

#[test]
fn a_session_whose_checkpoint_bears_another_id_is_not_one_that_saved_nothing() {
    let project = Project::repository();
    project.save(SAVED, json!({"goal": "saved"}));
    killed(&project, UNSAVED, 0).saves(SAVED).put(&project);
    assert_eq!(
        selectors(&json_of(&project, &["list", "--all"])["entries"]),
        [SAVED]
    );
}

#[test]
fn only_sessions_in_which_somebody_said_something_are_offered() {
    let project = Project::repository();
    Transcript::new(&project, UNSAVED, 0).exits().put(&project);
    Transcript::new(&project, OLDER, 0)
        .prompt("<command-name>/exit</command-name>")
        .put(&project);
    let configuration = project.home().join(".claude");
    let folder = folder(&configuration, &project);
    killed(&project, UNSAVED, 0).put_as(&folder.join("agent-a1b2.jsonl"));
    killed(&project, UNSAVED, 0).put_as(&folder.join("notes.jsonl"));
    assert_eq!(json_of(&project, &["list", "--all"])["entries"], json!([]));
    project.ckpt(["load"]).exits(1).errs("Nothing to resume");
}

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
        ("notes.jsonl", "is no transcript"),
        ("./missing.jsonl", "is no transcript"),
        ("src/", "is no transcript"),
        (&format!("./{UNSAVED}.jsonl"), "holds no session"),
        (OLDER, "there is no transcript of session"),
        ("../x y", "is no transcript"),
    ] {
        let error = refused(named);
        assert!(error.contains(expected), "{named}: {error}");
    }
    project
        .ckpt(["save", "--from-transcript"])
        .fails_with("no session of this project");
    assert_eq!(project.stored_names(), [] as [&str; 0]);
}

/// The note that a session's start puts into the agent's context; empty where there is none.
fn note(project: &Project, input: Value, variables: &[(&str, &str)]) -> String {
    let mut command = project.command(["nudge"]);
    command
        .env("CKPT_NOW", LATER)
        .envs(variables.iter().copied());
    let output = Output::with_input(&mut command, input.to_string().as_bytes()).succeeds();
    output.stdout
}

#[test]
fn a_session_is_told_of_the_latest_one_if_that_was_cut_off() {
    let project = Project::repository();
    let start = json!({"session_id": "now", "cwd": project.root(), "source": "startup"});
    let told = |variables: &[(&str, &str)]| note(&project, start.clone(), variables);
    assert_eq!(told(&[]), "");
    let cut_off = killed(&project, UNSAVED, 0);
    cut_off.put(&project);
    let told_of = told(&[]);
    assert!(
        told_of.contains(UNSAVED) && told_of.contains("59m ago"),
        "{told_of}"
    );
    assert!(
        told_of.contains("load_session_checkpoint") && told_of.contains("confirm"),
        "{told_of}"
    );
    assert_eq!(told_of.trim_end().lines().count(), 1);
    for silenced in ["SESSION_CHECKPOINT_NUDGE", "CHECKPOINT_TRANSCRIPTS"] {
        assert_eq!(told(&[(silenced, "off")]), "");
    }
    for source in ["resume", "compact", "fork"] {
        let mut input = start.clone();
        input["source"] = json!(source);
        assert_eq!(note(&project, input, &[]), "", "{source}");
    }
    let mut own = start.clone();
    own["session_id"] = json!(UNSAVED);
    assert_eq!(note(&project, own, &[]), "", "its own transcript");
    cut_off.exits().put(&project);
    assert_eq!(told(&[]), "", "ended in good order");
    Transcript::new(&project, OLDER, 100)
        .prompt("p")
        .ends("Done.")
        .put(&project);
    assert_ne!(told(&[]), "", "killed while it waited for the person");
    let old = Transcript::new(&project, OLDER, 100)
        .by("2.1.197")
        .prompt("p");
    old.ends("Done.").put(&project);
    assert_eq!(told(&[]), "", "a client that does not tell");
    project.save(SAVED, json!({"goal": "g"}));
    assert!(told(&[]).contains("This project has 1 session checkpoint"));
}

#[test]
fn a_project_with_the_same_encoded_name_is_not_mixed_up_in_the_note() {
    let project = Project::repository();
    let sibling = project
        .root()
        .display()
        .to_string()
        .replace("my-app", "my app");
    Transcript::new(&project, UNSAVED, 0)
        .at(sibling)
        .prompt("p")
        .put(&project);
    let start = json!({"session_id": "now", "cwd": project.root(), "source": "startup"});
    assert_eq!(note(&project, start, &[]), "");
}

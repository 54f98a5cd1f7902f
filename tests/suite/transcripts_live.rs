//! Transcripts that go on while they are read: what the loading itself does is no unfinished work.

use serde_json::json;

use crate::harness::Project;
use crate::harness::transcripts::{LATER, Transcript, killed};

const SESSION: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const OTHER: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const PLUGIN: &str = "mcp__plugin_session-checkpoint_ckpt__";

fn saved() -> Project {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "g"}));
    project
}

/// A session that went on after its save.
fn at_work(project: &Project) -> Transcript {
    Transcript::new(project, SESSION, 0)
        .prompt("go on")
        .runs("npm test", 1)
}

/// What a load tells of [`SESSION`], asked from within a session or from none.
fn told(project: &Project, within: Option<&str>) -> String {
    let mut variables = vec![("CKPT_NOW", LATER)];
    variables.extend(within.map(|session| ("CLAUDE_CODE_SESSION_ID", session)));
    let output = project.ckpt_with(&variables, ["load", SESSION]);
    output.succeeds().stdout
}

/// Asserts that nothing is told of unfinished work, but of what came before.
fn assert_nothing_unfinished(brief: &str) {
    assert!(brief.contains("- The user asked: go on\n"), "{brief}");
    assert!(
        brief.contains("(last 1, oldest first):\n  - ✗ exit 1 `npm test`\n"),
        "{brief}"
    );
    for word in [
        "The transcript ends",
        "no result",
        "session_checkpoint",
        "sleep",
        "ckpt load",
    ] {
        assert!(!brief.contains(word), "{word} in {brief}");
    }
}

#[test]
fn a_load_does_not_tell_of_itself_nor_of_what_runs_beside_it() {
    let project = saved();
    for prefix in ["mcp__ckpt__", PLUGIN] {
        let load = format!("{prefix}load_session_checkpoint");
        let beside = || at_work(&project).calls("Bash", json!({"command": "sleep 9"}));
        for transcript in [
            at_work(&project).calls(&load, json!({})),
            beside().calls(&load, json!({"checkpoint": SESSION})),
            at_work(&project)
                .calls(&load, json!({}))
                .calls("Bash", json!({"command": "sleep 9"})),
        ] {
            transcript.put(&project);
            // Under `--continue` the server does not know which conversation calls it.
            for within in [Some(SESSION), Some(OTHER), None] {
                assert_nothing_unfinished(&told(&project, within));
            }
        }
    }
}

#[test]
fn neither_does_a_command_of_the_session_that_runs_it() {
    let project = saved();
    let running = at_work(&project).calls("Bash", json!({"command": "ckpt load"}));
    let path = running.put(&project);
    assert_nothing_unfinished(&told(&project, Some(SESSION)));
    std::fs::remove_file(path).unwrap();
    // After `/clear`, commands bear the new conversation's id, and the server the old one's.
    let cleared = Transcript::new(&project, OTHER, 100)
        .saves(SESSION)
        .prompt("go on")
        .runs("npm test", 1);
    cleared
        .calls("Bash", json!({"command": "ckpt load"}))
        .put(&project);
    for within in [SESSION, OTHER] {
        assert_nothing_unfinished(&told(&project, Some(within)));
    }
}

#[test]
fn what_another_session_left_unfinished_is_told() {
    let project = saved();
    let beside = at_work(&project).calls("Bash", json!({"command": "sleep 9"}));
    beside.put(&project);
    for within in [Some(OTHER), None] {
        let brief = told(&project, within);
        assert!(
            brief.contains("- The transcript ends while this runs, result unknown: `sleep 9`"),
            "{brief}"
        );
        assert!(brief.contains("(last 2, oldest first)"), "{brief}");
    }
}

#[test]
fn a_session_that_was_killed_in_a_save_or_list_was_at_work_on_nothing_else() {
    let project = saved();
    for tool in ["save_session_checkpoint", "list_session_checkpoints"] {
        at_work(&project)
            .calls(&format!("{PLUGIN}{tool}"), json!({"goal": "g"}))
            .put(&project);
        let brief = told(&project, None);
        assert!(
            brief.contains("- The transcript ends before the agent had finished\n"),
            "{brief}"
        );
        assert!(!brief.contains(tool), "{brief}");
        // Beside it runs what is worth to be told of.
        let beside = at_work(&project).calls(&format!("{PLUGIN}{tool}"), json!({"goal": "g"}));
        beside
            .calls("Bash", json!({"command": "npm run build"}))
            .put(&project);
        let brief = told(&project, None);
        assert!(brief.contains("result unknown: `npm run build`"), "{brief}");
    }
}

#[test]
fn a_session_is_not_offered_to_itself() {
    let project = saved();
    let load = format!("{PLUGIN}load_session_checkpoint");
    killed(&project, OTHER, 0)
        .answers(json!("out"), false)
        .calls(&load, json!({}))
        .put(&project);
    let minted = "99cc01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
    let within = [("CLAUDE_CODE_SESSION_ID", minted)];
    let offered = project.ckpt_with(&within, ["load", "--json"]).json();
    let candidates = offered["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 1, "{offered}");
    assert_eq!(candidates[0]["selector"], SESSION);
    let listed = project.ckpt(["list", "--all", "--json"]).json();
    assert_eq!(listed["entries"].as_array().unwrap().len(), 2, "{listed}");
    let named = project
        .ckpt_with(&within, ["load", OTHER])
        .succeeds()
        .stdout;
    assert!(named.contains("✓ `npm test -- session`"), "{named}");
    assert!(!named.contains("The transcript ends"), "{named}");
    // Whatever it does, where the client says which session it is.
    let within_itself = [("CLAUDE_CODE_SESSION_ID", OTHER)];
    killed(&project, OTHER, 0).put(&project);
    let offered = project.ckpt_with(&within_itself, ["load", "--json"]);
    let listed = project.ckpt_with(&within_itself, ["list", "--all", "--json"]);
    for said in [offered.exits(1).stdout, listed.succeeds().stdout] {
        assert!(said.contains(SESSION) && !said.contains(OTHER), "{said}");
    }
}

#[test]
fn what_a_live_session_keeps_of_itself_is_not_the_command_that_keeps_it() {
    let project = Project::repository();
    let transcript = at_work(&project).words("Half of it is done.");
    let keep = "ckpt save --from-transcript";
    transcript
        .calls("Bash", json!({"command": keep}))
        .put(&project);
    let within = [("CLAUDE_CODE_SESSION_ID", SESSION), ("CKPT_NOW", LATER)];
    project
        .ckpt_with(&within, ["save", "--from-transcript"])
        .succeeds();
    let stored = project.saved(SESSION).to_string();
    assert!(
        stored.contains("npm test") && stored.contains("Half of it"),
        "{stored}"
    );
    assert!(!stored.contains(keep), "{stored}");
}

#[test]
fn a_session_that_was_killed_and_resumed_went_on_without_that_result() {
    let project = saved();
    let resumed = at_work(&project)
        .calls("Bash", json!({"command": "npm run e2e"}))
        .prompt("where were we?")
        .ends("In the middle of the end-to-end tests.");
    resumed.put(&project);
    let brief = told(&project, None);
    assert!(
        brief.contains("· `npm run e2e` — no result in the transcript\n"),
        "{brief}"
    );
    assert!(!brief.contains("The transcript ends"), "{brief}");
}

#[test]
fn of_calls_that_ran_beside_each_other_the_one_without_a_result_was_cut_off() {
    let project = saved();
    let beside = at_work(&project)
        .calls("Bash", json!({"command": "npm run e2e"}))
        .calls("Read", json!({"file_path": "/etc/hosts"}))
        .answers(json!("127.0.0.1"), false);
    beside.put(&project);
    let brief = told(&project, None);
    assert!(
        brief.contains("- The transcript ends while this runs, result unknown: `npm run e2e`"),
        "{brief}"
    );
    assert_nothing_unfinished(&told(&project, Some(SESSION)));
    // The agent's next turn has waited for all of them.
    beside
        .calls("Read", json!({"file_path": "/etc/passwd"}))
        .put(&project);
    let brief = told(&project, None);
    assert!(
        brief.contains("· `npm run e2e` — no result in the transcript"),
        "{brief}"
    );
    assert!(brief.contains("result unknown: `Read`"), "{brief}");
}

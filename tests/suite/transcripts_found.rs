//! Which transcript is read for a checkpoint, and how much of it.

use serde_json::json;

use crate::harness::Project;
use crate::harness::transcripts::{LATER, Transcript};

const SESSION: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const OTHER: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

fn saved() -> Project {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "Sign in with GitHub"}));
    project
}

/// The brief's section on what came after the save; empty where there is none.
fn told(project: &Project, variables: &[(&str, &str)]) -> String {
    let variables = [variables, &[("CKPT_NOW", LATER)]].concat();
    let brief = project
        .ckpt_with(&variables, ["load", SESSION])
        .succeeds()
        .stdout;
    let (_, after) = brief.split_once("## After the save").unwrap_or_default();
    after.split("\n## ").next().unwrap().to_owned()
}

#[test]
fn reading_can_be_switched_off() {
    let project = saved();
    Transcript::new(&project, SESSION, 0)
        .prompt("later")
        .put(&project);
    Transcript::new(&project, OTHER, 0)
        .prompt("unsaved")
        .put(&project);
    for value in ["off", "OFF", "0", "False", "no"] {
        let off = ("CHECKPOINT_TRANSCRIPTS", value);
        assert_eq!(told(&project, &[off]), "", "{value}");
        let listed = project
            .ckpt_with(&[off], ["list", "--all", "--json"])
            .succeeds();
        assert!(!listed.stdout.contains("recoverable"), "{value}");
        project
            .ckpt_with(&[off], ["load", OTHER])
            .fails_with("no checkpoint");
        let saved = project.ckpt_with(&[off], ["save", "--from-transcript", OTHER]);
        saved.fails_with("switched off");
    }
    for value in ["", "on", "1"] {
        assert_ne!(told(&project, &[("CHECKPOINT_TRANSCRIPTS", value)]), "");
    }
}

#[test]
fn the_clients_configuration_directory_is_honoured() {
    let project = saved();
    let elsewhere = project.home().join("elsewhere");
    Transcript::new(&project, SESSION, 0)
        .prompt("later")
        .put_under(&elsewhere, &project);
    assert_eq!(told(&project, &[]), "");
    let directory = elsewhere.to_str().unwrap();
    assert_ne!(told(&project, &[("CLAUDE_CONFIG_DIR", directory)]), "");
}

/// `--continue` gives the server another id than the conversation has, and after `/clear` the server keeps the
/// id of the conversation before.
#[test]
fn the_transcript_that_holds_the_save_counts_where_the_sessions_own_ends_before_it() {
    let project = saved();
    let goes_on = Transcript::new(&project, OTHER, -30)
        .prompt("in the old conversation")
        .saves("11111111-3c4d-4e5f-8a6b-7c8d9e0f1a2b");
    let goes_on = (0..26).fold(goes_on, |transcript, _| transcript.words("on"));
    goes_on
        .saves(SESSION)
        .prompt("after the save")
        .put(&project);
    let facts = told(&project, &[]);
    assert!(
        facts.contains("- The user asked: after the save"),
        "{facts}"
    );
    assert!(!facts.contains("old conversation"), "{facts}");
    Transcript::new(&project, SESSION, -40)
        .prompt("before /clear")
        .ends("x")
        .exits()
        .put(&project);
    let facts = told(&project, &[]);
    assert!(
        facts.contains("- The user asked: after the save"),
        "{facts}"
    );
    // Of two such conversations, the one without the save is none of this session.
    Transcript::new(&project, OTHER, 5)
        .prompt("somebody else's")
        .put(&project);
    assert_eq!(told(&project, &[]), "");
}

#[test]
fn another_directory_behind_the_same_encoded_name_is_skipped() {
    let project = saved();
    let root = project.root().display().to_string();
    let sibling = root.replace("my-app", "my.app");
    Transcript::new(&project, SESSION, 0)
        .at(sibling.clone())
        .prompt("in the sibling")
        .at(format!("{root}/src"))
        .prompt("in a folder below")
        .put(&project);
    let facts = told(&project, &[]);
    assert!(facts.contains("in a folder below"), "{facts}");
    assert!(!facts.contains("in the sibling"), "{facts}");
    Transcript::new(&project, OTHER, 0)
        .at(sibling.clone())
        .prompt("all of it there")
        .put(&project);
    let listed = project.ckpt(["list", "--all", "--json"]).succeeds().stdout;
    assert!(!listed.contains(OTHER), "{listed}");
    std::fs::create_dir(&sibling).unwrap();
    let refused = project.ckpt(["load", OTHER]);
    refused.fails_with(&format!("another project, `{sibling}`"));
}

#[test]
fn a_transcript_of_500_mb_is_read_from_its_end() {
    let project = saved();
    let path = Transcript::new(&project, SESSION, 0)
        .prompt("unread")
        .put(&project);
    let file = std::fs::File::options().append(true).open(&path).unwrap();
    // A hole takes no room on the disk, and reading through it would take seconds and memory.
    file.set_len(500 << 20).unwrap();
    let tail = Transcript::new(&project, SESSION, 9)
        .raw("")
        .runs("the last command", 0);
    std::fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .and_then(|mut file| std::io::Write::write_all(&mut file, tail.lines.join("\n").as_bytes()))
        .unwrap();
    let facts = told(&project, &[]);
    assert!(facts.contains("✓ `the last command`"), "{facts}");
    assert!(!facts.contains("unread"), "{facts}");
}

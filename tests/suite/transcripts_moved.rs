//! Conversations that moved to another folder, projects that did, and sessions of folders around this one.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::mcp::Server;
use crate::harness::transcripts::{LATER, Transcript, json_of, killed};

const SESSION: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const OTHER: &str = "88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

/// Where Claude Code has the transcripts of a directory.
fn folder_of(project: &Project, directory: &Path) -> PathBuf {
    let name: String = directory
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    project.home().join(".claude/projects").join(name)
}

/// A session that began in the project and went on in a worktree, where its transcript lies now.
fn moved(project: &Project, seconds: i64) -> Transcript {
    let worktree = project.path(".claude/worktrees/feat");
    Transcript::new(project, SESSION, seconds)
        .prompt("Dark mode")
        .at(worktree.to_str().unwrap())
        .runs("npm run lint", 2)
        .calls(
            "Write",
            json!({"file_path": "src/dark.css", "content": "c"}),
        )
        .answers(json!("File created"), false)
}

fn put_at(transcript: &Transcript, project: &Project, directory: &Path) {
    let name = format!("{SESSION}.jsonl");
    transcript.put_as(&folder_of(project, directory).join(name));
}

fn brief(project: &Project, selector: &str) -> String {
    let output = project.ckpt_with(&[("CKPT_NOW", LATER)], ["load", selector]);
    output.succeeds().stdout
}

#[test]
fn a_conversation_that_moved_into_a_worktree_is_found_by_its_id() {
    let project = Project::repository();
    let worktree = project.path(".claude/worktrees/feat");
    project.save(SESSION, json!({"goal": "Dark mode"}));
    put_at(&moved(&project, 0), &project, &worktree);
    let told = brief(&project, SESSION);
    let (_, after) = told.split_once("## After the save").unwrap();
    assert!(after.contains("✗ exit 2 `npm run lint`"), "{told}");
    // A path that the agent gave was meant from where it was.
    assert!(
        after.contains("`.claude/worktrees/feat/src/dark.css`"),
        "{told}"
    );
}

#[test]
fn one_that_saved_nothing_is_the_projects_in_which_it_began() {
    let project = Project::repository();
    let worktree = project.path(".claude/worktrees/feat");
    put_at(&moved(&project, 0), &project, &worktree);
    // Another one was begun in the worktree, and is that one's.
    let theirs = Transcript::new(&project, OTHER, 50)
        .at(worktree.to_str().unwrap())
        .prompt("in the worktree");
    theirs.put_as(&folder_of(&project, &worktree).join(format!("{OTHER}.jsonl")));
    let listed = json_of(&project, &["list", "--all"]);
    let entries = listed["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 1, "{listed}");
    assert_eq!(entries[0]["selector"], SESSION);
    assert!(brief(&project, &SESSION[..8]).contains("✗ exit 2 `npm run lint`"));
}

#[test]
fn a_session_that_the_client_began_in_a_worktree_is_the_projects() {
    let project = Project::repository();
    let worktree = project.path(".claude/worktrees/feat");
    let state = json!({"type": "worktree-state", "worktreeSession": {"originalCwd": project.root(), "worktreePath": worktree}});
    let begun = Transcript::new(&project, SESSION, 0)
        .raw(state.to_string())
        .at(worktree.to_str().unwrap())
        .prompt("Dark mode");
    put_at(&begun, &project, &worktree);
    assert_eq!(
        json_of(&project, &["list", "--all"])["entries"][0]["selector"],
        SESSION
    );
}

#[test]
fn of_a_project_that_was_moved_with_its_checkpoints_the_sessions_are_found() {
    let project = Project::repository();
    let former = PathBuf::from("/home/somebody/old-name");
    project.save(SESSION, json!({"goal": "saved"}));
    for (session, text) in [(SESSION, "after the save"), (OTHER, "never saved")] {
        let transcript = Transcript::new(&project, session, 0)
            .at(former.to_str().unwrap())
            .prompt(text);
        let transcript = transcript
            .calls(
                "Write",
                json!({"file_path": former.join("src/a.rs"), "content": "c"}),
            )
            .answers(json!("File created"), false);
        transcript.put_as(&folder_of(&project, &former).join(format!("{session}.jsonl")));
    }
    assert!(brief(&project, SESSION).contains("- The user asked: after the save\n"));
    let listed = json_of(&project, &["list", "--all"]);
    assert!(
        listed["entries"]
            .as_array()
            .unwrap()
            .iter()
            .any(|entry| entry["selector"] == OTHER),
        "{listed}"
    );
    let told = brief(&project, OTHER);
    assert!(
        told.contains("never saved") && told.contains("- src/a.rs (gone)"),
        "{told}"
    );
}

#[test]
fn where_a_project_may_have_been_before_is_said() {
    let project = Project::repository();
    let beside = project.root().parent().unwrap().join("old-name");
    let unrelated = PathBuf::from("/home/somebody/else");
    for (session, folder) in [(SESSION, &beside), (OTHER, &unrelated)] {
        let transcript = killed(&project, session, 0);
        let root = project.root().display().to_string();
        let lines = transcript
            .lines
            .iter()
            .map(|line| line.replace(&root, folder.to_str().unwrap()));
        let renamed = lines.fold(Transcript::new(&project, session, 0), |all, line| {
            all.raw(line)
        });
        renamed.put_as(&folder_of(&project, folder).join(format!("{session}.jsonl")));
    }
    let output = project.ckpt(["list", "--all"]).succeeds();
    assert!(
        output.stderr.contains("old-name") && output.stderr.contains("is gone"),
        "{}",
        output.stderr
    );
    assert!(!output.stderr.contains("somebody"), "{}", output.stderr);
    let loaded = json_of(&project, &["load"]);
    assert!(
        loaded["text"].as_str().unwrap().contains("old-name"),
        "{loaded}"
    );
    assert!(brief(&project, SESSION).contains("Let users sign in with GitHub"));
}

#[test]
fn sessions_of_a_subfolder_and_of_another_working_tree_are_named() {
    let project = Project::repository();
    let sub = project.path("packages/web");
    fs::create_dir_all(&sub).unwrap();
    let linked = project.root().parent().unwrap().join("linked");
    project.git([
        "worktree",
        "add",
        "-q",
        linked.to_str().unwrap(),
        "-b",
        "linked",
    ]);
    let apart = project.root().parent().unwrap().join("apart");
    fs::create_dir(&apart).unwrap();
    for (session, folder) in [
        (SESSION, &sub),
        (OTHER, &linked),
        ("99cc01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b", &apart),
    ] {
        let transcript = Transcript::new(&project, session, 0)
            .at(folder.to_str().unwrap())
            .prompt("p");
        transcript.put_as(&folder_of(&project, folder).join(format!("{session}.jsonl")));
    }
    let output = project.ckpt(["list", "--all"]).succeeds();
    for folder in [&sub, &linked] {
        assert!(
            output.stderr.contains(&format!("`{}`", folder.display())),
            "{}",
            output.stderr
        );
    }
    assert!(
        output.stderr.contains("pass it with -C") && !output.stderr.contains("apart"),
        "{}",
        output.stderr
    );
    let mut server = Server::open(&project, json!({}));
    let loaded = server.call("load_session_checkpoint", json!({}));
    let text = loaded["structuredContent"]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        text.contains("packages/web") && text.contains("`projectRoot`"),
        "{text}"
    );
    server.close();
    // The one of the subfolder belongs there.
    let refused: Value = json!(
        project
            .ckpt(["load", "99cc01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b"])
            .exits(2)
            .stderr
    );
    assert!(
        refused.as_str().unwrap().contains("another project"),
        "{refused}"
    );
}

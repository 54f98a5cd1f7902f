//! Sixteen processes at once, doing everything that there is to do on one project.
//!
//! `CKPT_CROWD_ROUNDS` says how often, once if it is not set; fifteen rounds take from twenty seconds to a minute.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::files::write_program;
use crate::harness::{Output, Project};

const WORKERS: usize = 16;
/// Each worker's merges into the checkpoint that all share; all of them together fit into its list.
const MERGES: usize = 3;
const SAVES: usize = 3;

/// Long enough that half a file would be noticed.
fn summary(goal: &str) -> String {
    format!("{goal} ").repeat(200)
}

/// An editor that changes the goal.
fn editor(project: &Project) -> PathBuf {
    let path = project.home().join("editor");
    write_program(&path, "#!/bin/sh\nsed -i 's/edit me/edited/' \"$1\"\n");
    path
}

/// A checkpoint as a reader found it: whole, and not from the backup.
#[track_caller]
fn assert_whole(loaded: &Value) {
    assert_eq!(loaded["fromBackup"], false, "{loaded}");
    let checkpoint = &loaded["checkpoint"];
    let goal = checkpoint["goal"]["primary"].as_str().unwrap();
    if let Some(text) = checkpoint["summary"].as_str() {
        assert_eq!(text, summary(goal).trim_end().to_owned() + " ", "{loaded}");
    }
}

fn rounds() -> usize {
    let rounds = std::env::var("CKPT_CROWD_ROUNDS");
    rounds.map_or(1, |rounds| rounds.parse().unwrap())
}

fn work(project: &Project, shared: &str, number: usize, editor: &Path) {
    let own = format!("own{number}");
    let full = |selector: &str| {
        let load = project.ckpt(["load", selector, "--json", "--format", "full"]);
        load.succeeds().json()
    };
    for round in 0..SAVES {
        let goal = format!("{own} {round}");
        project.save(&own, json!({"goal": goal, "summary": summary(&goal)}));
        let loaded = full(&own);
        assert_whole(&loaded);
        assert_eq!(loaded["checkpoint"]["goal"]["primary"], goal);
    }
    for round in 0..MERGES {
        let command = format!("c{number}.{round}");
        let merge = json!({"mode": "merge", "recentCommands": [{"command": command}]});
        project.save(shared, merge);
        assert_whole(&full(shared));
        let list = project
            .ckpt(["list", "--json", "--limit", "0"])
            .succeeds()
            .json();
        let unreadable = |entry: &&Value| {
            entry["goal"] == "(unreadable)"
                && !entry["selector"].as_str().unwrap().starts_with("broken")
        };
        let unreadable = list["entries"].as_array().unwrap().iter().find(unreadable);
        assert!(unreadable.is_none(), "{list}");
    }
    let edited = format!("edited{number}");
    project.save(&edited, json!({"goal": "edit me"}));
    let mut edit = project.command(["edit", &edited]);
    Output::of(edit.env("EDITOR", editor)).succeeds();
    project.put(&format!("broken{number}"), "{");
    project.ckpt(["prune", "--broken", "--yes"]).succeeds();
    // A save that is killed, perhaps while it holds the lock, holds up nobody.
    let mut killed = project.command(["save", "--session", &own, "--merge", "--next", "n"]);
    let mut killed = killed
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    killed.kill().unwrap();
    killed.wait().unwrap();
}

#[test]
fn sixteen_processes_at_once_lose_nothing_and_read_nothing_torn() {
    let project = Project::repository();
    project.write("README", "changed\n");
    let editor = editor(&project);
    for round in 0..rounds() {
        let shared = format!("shared{round}");
        project.save(&shared, json!({"goal": "shared"}));
        std::thread::scope(|scope| {
            for number in 0..WORKERS {
                let (project, shared, editor) = (&project, &shared, &editor);
                scope.spawn(move || work(project, shared, number, editor));
            }
        });
        assert_nothing_lost(&project, &shared);
    }
}

/// The goals of all saves of a checkpoint, newest first.
fn logged(project: &Project, selector: &str) -> Vec<String> {
    let log = project.ckpt(["log", selector, "--json"]).succeeds().json();
    let saves = log["saves"].as_array().unwrap().iter();
    saves
        .map(|save| save["goal"].as_str().unwrap().to_owned())
        .collect()
}

#[track_caller]
fn assert_nothing_lost(project: &Project, shared: &str) {
    // Each merge added one command, and each is kept as it was.
    let saves = logged(project, shared);
    assert_eq!(saves.len(), 1 + WORKERS * MERGES);
    for number in 0..saves.len() {
        let named = format!("{shared}@{{{number}}}");
        let load = project.ckpt(["load", &named, "--json", "--format", "full"]);
        let loaded = load.succeeds().json();
        let commands = &loaded["checkpoint"]["recentCommands"];
        let before = WORKERS * MERGES - number;
        assert_eq!(commands.as_array().unwrap().len(), before, "{named}");
    }
    let shared = project.saved(shared);
    let kept: BTreeSet<&str> = shared["recentCommands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|command| command["command"].as_str().unwrap())
        .collect();
    assert_eq!(kept.len(), WORKERS * MERGES, "{kept:?}");
    for number in 0..WORKERS {
        let goal = format!("own{number} {}", SAVES - 1);
        assert_eq!(
            project.saved(&format!("own{number}"))["goal"]["primary"],
            goal
        );
        let saves = logged(project, &format!("own{number}"));
        for round in 0..SAVES {
            let goal = format!("own{number} {round}");
            assert!(saves.contains(&goal), "{goal} is not in {saves:?}");
        }
        let edited = project.saved(&format!("edited{number}"));
        assert_eq!(edited["goal"]["primary"], "edited");
        assert!(!project.checkpoint(&format!("broken{number}")).exists());
    }
    project
        .ckpt(["save", "--goal", "after", "--session", "s1"])
        .succeeds();
}

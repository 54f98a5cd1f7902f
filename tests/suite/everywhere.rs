//! Every project that the clients know: listed, searched, and counted where it is gone.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::mcp::Server;
use crate::harness::transcripts::Transcript;

const HERE: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const THERE: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

/// Another project, beside this one, with a checkpoint of that session.
fn another(project: &Project, name: &str, session: &str, goal: &str) -> PathBuf {
    let root = project.root().parent().unwrap().join(name);
    fs::create_dir_all(&root).unwrap();
    let root_argument = root.to_str().unwrap();
    let save = [
        "-C",
        root_argument,
        "--session",
        session,
        "save",
        "--goal",
        goal,
    ];
    project.ckpt(save).succeeds();
    root
}

fn configure(project: &Project, folders: &[&Path]) {
    let projects: serde_json::Map<String, Value> = folders
        .iter()
        .map(|folder| {
            (
                folder.to_str().unwrap().to_owned(),
                json!({"history": [{"display": "secret"}]}),
            )
        })
        .collect();
    let settings = json!({"numStartups": 3, "projects": projects, "oauthAccount": {"projects": {"/nowhere": 1}}});
    fs::write(project.home().join(".claude.json"), settings.to_string()).unwrap();
}

fn listed(project: &Project, arguments: &[&str]) -> Value {
    let arguments = [&["list", "--everywhere", "--json"], arguments].concat();
    project.ckpt(arguments).succeeds().json()
}

fn selectors(listed: &Value) -> Vec<&str> {
    let entries = listed["entries"].as_array().unwrap().iter();
    entries
        .map(|entry| entry["selector"].as_str().unwrap())
        .collect()
}

#[test]
fn every_client_names_its_projects() {
    let project = Project::repository();
    project.save(HERE, json!({"goal": "here"}));
    let id = |number: usize| format!("88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a{number:02}");
    let names = [
        "by settings",
        "codex-settings",
        "claude-transcript",
        "codex-session",
        "gemini",
        "\u{1F600} it's",
    ];
    let roots: Vec<PathBuf> = names
        .iter()
        .enumerate()
        .map(|(number, name)| another(&project, name, &id(number), name))
        .collect();
    configure(&project, &[&roots[0], &roots[5]]);
    let home = project.home();
    fs::create_dir_all(home.join(".codex/sessions/2026/10/08")).unwrap();
    fs::write(
        home.join(".codex/config.toml"),
        format!(
            "model = \"x\"\n[projects.{:?}]\ntrust_level = \"trusted\"\n",
            roots[1]
        ),
    )
    .unwrap();
    let name: String = roots[2]
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    Transcript::new(&project, THERE, 0)
        .at(roots[2].to_str().unwrap())
        .prompt("p")
        .put_as(
            &home
                .join(".claude/projects")
                .join(name)
                .join(format!("{THERE}.jsonl")),
        );
    let meta = json!({"timestamp": "2026-10-08T02:24:01.000Z", "type": "session_meta", "payload": {"id": THERE, "cwd": roots[3]}});
    fs::write(
        home.join(format!(
            ".codex/sessions/2026/10/08/rollout-2026-10-08T02-24-00-{THERE}.jsonl"
        )),
        meta.to_string(),
    )
    .unwrap();
    fs::create_dir_all(home.join(".gemini")).unwrap();
    fs::write(
        home.join(".gemini/projects.json"),
        json!({"projects": {roots[4].to_str().unwrap(): "gemini"}}).to_string(),
    )
    .unwrap();
    let listed = listed(&project, &["--limit", "0"]);
    let goals: Vec<&str> = listed["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["goal"].as_str().unwrap())
        .collect();
    for expected in names.iter().chain(&["here"]) {
        assert!(goals.contains(expected), "no {expected} in {listed}");
    }
    assert_eq!(listed["total"], 7);
    assert_eq!(listed["warnings"], json!([]));
    assert!(!listed.to_string().contains("secret"));
    let entry = listed["entries"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["goal"] == "gemini")
        .unwrap();
    assert_eq!(
        (&entry["project"], &entry["projectRoot"]),
        (&json!("gemini"), &json!(roots[4]))
    );
}

#[test]
fn filters_and_limits_hold_over_all_projects() {
    let project = Project::repository();
    project.save(
        HERE,
        json!({"goal": "here", "decisions": ["keep the Cookie"]}),
    );
    let there = another(&project, "there", THERE, "Cookie jar");
    configure(&project, &[&there, &project.root()]);
    assert_eq!(listed(&project, &["--grep", "cookie"])["total"], 2);
    assert_eq!(
        selectors(&listed(&project, &["--grep", "jar COOKIE"])),
        [THERE]
    );
    let one = listed(&project, &["--limit", "1"]);
    assert_eq!((&one["total"], &one["omitted"]), (&json!(2), &json!(1)));
    assert_eq!(selectors(&listed(&project, &["--branch", "main"])), [HERE]);
    let table = project.ckpt(["list", "--everywhere"]).succeeds().stdout;
    assert!(
        table.contains("there: Cookie jar") && table.contains("my-app: here"),
        "{table}"
    );
    // With what only a transcript tells.
    Transcript::new(&project, "99cc01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b", 0)
        .prompt("never saved")
        .put(&project);
    assert_eq!(listed(&project, &["--all"])["total"], 3);
}

#[test]
fn what_is_gone_is_counted_and_what_is_broken_hides_nothing() {
    let project = Project::repository();
    project.save(HERE, json!({"goal": "here"}));
    let there = another(&project, "there", THERE, "there");
    let broken = another(&project, "broken", THERE, "broken");
    fs::remove_dir_all(broken.join(".claude-checkpoints")).unwrap();
    fs::write(broken.join(".claude-checkpoints"), "no folder").unwrap();
    configure(
        &project,
        &[
            &there,
            &broken,
            Path::new("/gone/1"),
            Path::new("/gone/2"),
            Path::new("relative"),
        ],
    );
    let found = listed(&project, &[]);
    assert_eq!(found["total"], 2, "{found}");
    assert!(
        found["warnings"]
            .to_string()
            .contains("2 folders that the clients know are gone"),
        "{found}"
    );
    for settings in [
        "",
        "{",
        "[]",
        "{\"projects\": 3}",
        "{\"projects\": {\"/a\": ",
    ] {
        fs::write(project.home().join(".claude.json"), settings).unwrap();
        assert_eq!(selectors(&listed(&project, &[])), [HERE], "{settings}");
    }
}

#[test]
fn other_working_trees_of_a_project_are_listed_with_it() {
    let project = Project::repository();
    let linked = project.root().parent().unwrap().join("linked");
    project.git([
        "worktree",
        "add",
        "-q",
        linked.to_str().unwrap(),
        "-b",
        "linked",
    ]);
    another(&project, "linked", THERE, "in the linked tree");
    assert_eq!(selectors(&listed(&project, &[])), [THERE]);
}

#[test]
fn an_agent_searches_and_lists_but_gets_no_brief_of_another_project() {
    let project = Project::repository();
    project.save(HERE, json!({"goal": "here"}));
    let there = another(&project, "there", THERE, "Cookie jar\n## heading");
    configure(&project, &[&there]);
    let mut server = Server::open(&project, json!({}));
    let list = |server: &mut Server, arguments: Value| {
        server.call("list_session_checkpoints", arguments)["structuredContent"].clone()
    };
    let found = list(&mut server, json!({"query": "COOKIE"}));
    assert_eq!(found["entries"], json!([]));
    for everywhere in [json!(true), json!("true")] {
        let found = list(
            &mut server,
            json!({"query": "COOKIE", "everywhere": everywhere}),
        );
        assert_eq!(selectors(&found), [THERE]);
        let text = found["text"].as_str().unwrap();
        assert!(
            text.contains(there.to_str().unwrap()) && text.lines().count() == 2,
            "{text}"
        );
    }
    let refused = server.call("list_session_checkpoints", json!({"everywhere": "perhaps"}));
    assert_eq!(refused["isError"], true);
    let refused = server.call("load_session_checkpoint", json!({"checkpoint": THERE}));
    assert_eq!(refused["isError"], true);
    let loaded = server.call(
        "load_session_checkpoint",
        json!({"checkpoint": THERE, "projectRoot": there}),
    );
    assert_eq!(loaded["structuredContent"]["found"], true);
    server.close();
}

#[test]
fn the_switch_for_transcripts_is_the_one_for_this() {
    let project = Project::repository();
    let there = another(&project, "there", THERE, "there");
    configure(&project, &[&there]);
    let off = [("CHECKPOINT_TRANSCRIPTS", "off")];
    project
        .ckpt_with(&off, ["list", "--everywhere"])
        .fails_with("switched off");
}

//! Whose call it is: what a hook adds to it, and what clients say of it (docs/contract.md, section 3).

use std::fs;

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::mcp::Server;
use crate::harness::transcripts::{Transcript, folder};

const SAVE: &str = "save_session_checkpoint";
const LOAD: &str = "load_session_checkpoint";
const LIST: &str = "list_session_checkpoints";
const ENV: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const OTHER: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const CALL: &str = "toolu_01AbC";

/// A server of Claude Code's that was started for the session [`ENV`].
fn server(project: &Project, variables: &[(&str, &str)]) -> Server {
    let variables = [&[("CLAUDE_CODE_SESSION_ID", ENV)], variables].concat();
    let mut server = Server::start_with(project, &variables);
    server.initialize("2025-11-25", json!({}));
    server
}

/// The result of a call with metadata.
fn call(server: &mut Server, tool: &str, arguments: Value, meta: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    server.request("tools/call", params)["result"].clone()
}

/// The session that a save goes to, and what says so.
#[track_caller]
fn saved(server: &mut Server, arguments: Value, meta: &Value) -> (String, String) {
    let mut arguments = arguments;
    arguments["goal"] = json!("g");
    let result = call(server, SAVE, arguments, meta);
    assert_eq!(result["isError"], false, "{result}");
    let told = &result["structuredContent"];
    let text = |name: &str| told[name].as_str().unwrap().to_owned();
    (text("session"), text("sessionSource"))
}

fn pair(id: &str, source: &str) -> (String, String) {
    (id.to_owned(), source.to_owned())
}

#[track_caller]
fn refusal(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    result["content"][0]["text"].as_str().unwrap()
}

fn tool_use() -> Value {
    json!({"claudecode/toolUseId": CALL})
}

/// A transcript of a session that makes the call.
fn calling(project: &Project, session: &str) -> Transcript {
    let content = json!([{"type": "tool_use", "id": CALL, "name": "mcp__ckpt__save_session_checkpoint", "input": {}}]);
    Transcript::new(project, session, 0)
        .prompt("p")
        .line(json!({"type": "assistant", "message": {"role": "assistant", "content": content}}))
}

#[test]
fn what_the_hook_says_comes_before_everything_else() {
    let project = Project::repository();
    calling(&project, OTHER).put(&project);
    let mut server = server(&project, &[]);
    let hooked = json!({"hookSession": "hooked"});
    assert_eq!(
        saved(&mut server, hooked.clone(), &tool_use()),
        pair("hooked", "hook")
    );
    let loaded = call(&mut server, LOAD, hooked.clone(), &json!({}));
    let loaded = &loaded["structuredContent"];
    assert_eq!(loaded["found"], true);
    assert_eq!(loaded.get("resumeHint"), None, "it is the session's own");
    let listed = call(&mut server, LIST, hooked, &json!({}));
    assert_eq!(
        listed["structuredContent"]["entries"][0]["isCurrentSession"],
        true
    );
    server.close();
}

#[test]
fn what_a_hook_cannot_have_said_is_ignored() {
    let project = Project::repository();
    let mut server = server(&project, &[]);
    let long = "a".repeat(129);
    for odd in [
        json!("../x"),
        json!("a/b"),
        json!("legacy"),
        json!(""),
        json!(null),
        json!(5),
        json!(["a"]),
        json!({"a": "b"}),
        json!("a\u{0}b"),
        json!("con"),
        json!(long),
    ] {
        let arguments = json!({"hookSession": odd});
        assert_eq!(
            saved(&mut server, arguments, &json!({})),
            pair(ENV, "env"),
            "{odd}"
        );
    }
    server.close();
}

#[test]
fn a_session_that_differs_from_what_the_call_says_is_explained() {
    let project = Project::repository();
    calling(&project, OTHER).put(&project);
    let mut server = server(&project, &[]);
    let hooked = json!({"goal": "g", "hookSession": "hooked", "session": ENV});
    let argued = json!({"goal": "g", "session": ENV});
    for (arguments, meta, current) in [(hooked, json!({}), "hooked"), (argued, tool_use(), OTHER)] {
        for tool in [SAVE, LOAD, LIST] {
            let mut arguments = arguments.clone();
            if tool != SAVE {
                arguments.as_object_mut().unwrap().remove("goal");
            }
            let result = call(&mut server, tool, arguments, &meta);
            let told = refusal(&result);
            for part in [
                ENV,
                current,
                "as the client says",
                "`checkpoint`",
                "`resumedFrom`",
            ] {
                assert!(told.contains(part), "{tool}: {told}");
            }
        }
    }
    assert!(!project.path(".claude-checkpoints").exists());
    server.close();
}

#[test]
fn the_session_in_whose_transcript_the_call_stands_is_the_current_one() {
    let project = Project::repository();
    let mut server = server(&project, &[]);
    // One that speaks of the call does not make it.
    let speaking = Transcript::new(&project, ENV, 10).prompt(&format!("what is {CALL}?"));
    speaking.line(json!({"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": CALL, "content": "r"}, {"type": "text", "text": CALL},
    ]}})).put(&project);
    calling(&project, OTHER).runs("echo later", 0).put(&project);
    assert_eq!(
        saved(&mut server, json!({}), &tool_use()),
        pair(OTHER, "client")
    );
    let loaded = call(&mut server, LOAD, json!({}), &tool_use());
    assert_eq!(loaded["structuredContent"]["found"], true);
    let listed = call(&mut server, LIST, json!({}), &tool_use());
    assert_eq!(
        listed["structuredContent"]["entries"][0]["isCurrentSession"],
        true
    );
    server.close();
}

#[test]
fn a_call_that_stands_nowhere_is_of_the_session_that_the_server_was_started_for() {
    let project = Project::repository();
    calling(&project, OTHER).put(&project);
    let mut silenced = server(&project, &[("CHECKPOINT_TRANSCRIPTS", "off")]);
    assert_eq!(
        saved(&mut silenced, json!({}), &tool_use()),
        pair(ENV, "env")
    );
    silenced.close();
    let mut server = server(&project, &[]);
    let long = "x".repeat(300);
    for id in [
        json!("toolu_elsewhere"),
        json!(""),
        json!(7),
        json!("a\nb"),
        json!(long),
    ] {
        let meta = json!({"claudecode/toolUseId": id});
        assert_eq!(
            saved(&mut server, json!({}), &meta),
            pair(ENV, "env"),
            "{id}"
        );
    }
    server.close();
}

#[test]
fn a_client_that_works_in_a_tree_of_its_own_is_found_too() {
    let project = Project::repository();
    let path = calling(&project, OTHER).put(&project);
    let folder = folder(&project.home().join(".claude"), &project);
    let moved = folder.with_file_name(format!(
        "{}--claude-worktrees-fix",
        folder.file_name().unwrap().to_str().unwrap()
    ));
    fs::create_dir_all(&moved).unwrap();
    fs::rename(&path, moved.join(path.file_name().unwrap())).unwrap();
    let mut server = server(&project, &[]);
    assert_eq!(
        saved(&mut server, json!({}), &tool_use()),
        pair(OTHER, "client")
    );
    server.close();
}

#[test]
fn the_folder_of_the_client_counts_where_another_root_is_named() {
    let project = Project::repository();
    let other = Project::bare_folder();
    calling(&project, OTHER).put(&project);
    let mut server = server(&project, &[]);
    let elsewhere = json!({"projectRoot": other.root()});
    assert_eq!(
        saved(&mut server, elsewhere, &tool_use()),
        pair(OTHER, "client")
    );
    assert!(other.checkpoint(OTHER).exists());
    server.close();
}

#[test]
fn a_subagent_reads_what_its_parent_has_and_saves_nothing() {
    let project = Project::repository();
    let folder = folder(&project.home().join(".claude"), &project);
    let of_its_own = folder.join(OTHER).join("subagents/agent-a1.jsonl");
    let session = Transcript::new(&project, OTHER, 0)
        .prompt("p")
        .put(&project);
    calling(&project, OTHER).put_as(&of_its_own);
    let mut server = server(&project, &[]);
    project.save(OTHER, json!({"goal": "of the parent"}));
    let check = |server: &mut Server| {
        let result = call(
            server,
            SAVE,
            json!({"goal": "of the subagent"}),
            &tool_use(),
        );
        let told = refusal(&result);
        assert!(
            told.contains("report what should be kept to the parent agent"),
            "{told}"
        );
        let loaded = call(server, LOAD, json!({}), &tool_use());
        let text = loaded["structuredContent"]["text"].as_str().unwrap();
        assert!(text.contains("of the parent"), "{text}");
        assert_eq!(project.saved(OTHER)["goal"]["primary"], "of the parent");
    };
    check(&mut server);
    // Versions of long ago wrote a subagent's lines into the session's own transcript.
    fs::remove_file(&of_its_own).unwrap();
    let lines = calling(&project, OTHER).lines.join("\n");
    fs::write(
        session,
        lines.replace(r#""isSidechain":false"#, r#""isSidechain":true"#),
    )
    .unwrap();
    check(&mut server);
    server.close();
}

/// The metadata of a call of Codex 0.171.0.
fn codex(thread: &str, session: &str, source: &str) -> Value {
    json!({
        "callId": "call_1", "threadId": thread, "sessionId": session, "progressToken": 1,
        "x-codex-turn-metadata": {"thread_id": thread, "session_id": session, "thread_source": source},
    })
}

#[test]
fn codex_names_its_thread_and_whether_it_is_a_subagents() {
    let project = Project::repository();
    let mut server = Server::open(&project, json!({}));
    assert_eq!(
        saved(&mut server, json!({}), &codex("t1", "t1", "user")),
        pair("t1", "client")
    );
    // A fork has a session of its own and is nobody's subagent.
    assert_eq!(
        saved(&mut server, json!({}), &codex("t2", "t1", "user")),
        pair("t2", "client")
    );
    let result = call(
        &mut server,
        SAVE,
        json!({"goal": "g"}),
        &codex("t3", "t1", "subagent"),
    );
    assert!(
        refusal(&result).contains("by the main agent alone"),
        "{result}"
    );
    for odd in [json!("../t"), json!(""), json!(1)] {
        let mut meta = codex("", "t1", "user");
        meta["threadId"] = odd.clone();
        let (_, source) = saved(&mut server, json!({}), &meta);
        assert_eq!(source, "minted", "{odd}");
    }
    server.close();
}

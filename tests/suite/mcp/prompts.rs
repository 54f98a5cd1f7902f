//! The prompts, which clients show to a person as commands.

use serde_json::{Value, json};

use super::meta;
use crate::harness::Project;
use crate::harness::mcp::Server;

/// The one message of a prompt.
#[track_caller]
fn message(server: &mut Server, name: &str, arguments: Value) -> String {
    let answer = server.request("prompts/get", json!({"name": name, "arguments": arguments}));
    let messages = answer["result"]["messages"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer}"));
    let [message] = messages.as_slice() else {
        panic!("{answer}");
    };
    assert_eq!(message["role"], "user");
    assert_eq!(message["content"]["type"], "text");
    message["content"]["text"].as_str().unwrap().to_owned()
}

#[test]
fn there_are_two_with_an_optional_argument_each() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    let listed = server.request("prompts/list", json!({}));
    let prompts = listed["result"]["prompts"].as_array().unwrap();
    let told: Vec<_> = prompts
        .iter()
        .map(|prompt| {
            let [argument] = prompt["arguments"].as_array().unwrap().as_slice() else {
                panic!("{prompt}");
            };
            assert!(prompt["description"].is_string() && prompt["title"].is_string());
            assert!(argument["description"].is_string());
            (
                prompt["name"].clone(),
                argument["name"].clone(),
                argument["required"].clone(),
            )
        })
        .collect();
    assert_eq!(
        json!(told),
        json!([["resume", "checkpoint", false], ["save", "note", false]])
    );
    server.close();
}

#[test]
fn resume_carries_the_brief_of_the_one_that_is_named_by_its_start() {
    let project = Project::repository();
    project.save("abcd-1", json!({"goal": "the goal"}));
    project.save("bcde-2", json!({"goal": "another"}));
    let mut server = Server::open(&project, json!({}));
    for typed in ["abcd-1", "abcd", " abcd "] {
        let text = message(&mut server, "resume", json!({"checkpoint": typed}));
        assert!(text.starts_with("I want to resume earlier work."), "{text}");
        assert!(
            text.contains("# Resuming: my-app") && text.contains("## Goal\nthe goal\n"),
            "{text}"
        );
        assert!(text.contains("pass `resumedFrom`: \"abcd-1\""), "{text}");
    }
    for nothing in [
        json!({}),
        json!({"checkpoint": ""}),
        json!({"checkpoint": null}),
    ] {
        let text = message(&mut server, "resume", nothing);
        assert!(
            text.contains("`abcd-1`") && text.contains("`bcde-2`") && text.contains("Ask the user"),
            "{text}"
        );
    }
    server.close();
}

#[test]
fn resume_without_an_argument_goes_on_with_the_sessions_own() {
    let project = Project::repository();
    project.save("own", json!({"goal": "my goal"}));
    project.save("other", json!({"goal": "another"}));
    let mut server = Server::start_with(&project, &[("CLAUDE_CODE_SESSION_ID", "own")]);
    server.initialize("2025-11-25", json!({}));
    let text = message(&mut server, "resume", json!({}));
    assert!(
        text.contains("## Goal\nmy goal\n") && !text.contains("resumedFrom"),
        "{text}"
    );
    server.close();
}

#[test]
fn save_says_what_to_save_and_what_the_person_adds() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    let plain = message(&mut server, "save", json!({}));
    assert!(
        plain.contains("save_session_checkpoint") && !plain.contains("Keep in mind"),
        "{plain}"
    );
    let text = message(&mut server, "save", json!({"note": "the cookies\u{202e}"}));
    assert!(
        text.ends_with("Keep in mind: the cookies\u{fffd}"),
        "{text}"
    );
    assert!(!project.path(".claude-checkpoints").exists());
    server.close();
}

#[test]
fn what_cannot_be_loaded_is_an_error_that_says_why() {
    let project = Project::repository();
    project.save("abcd-1", json!({"goal": "g"}));
    let mut server = Server::open(&project, json!({}));
    for (params, told) in [
        (
            json!({"name": "resume", "arguments": {"checkpoint": "zzzz"}}),
            "`abcd-1`",
        ),
        (
            json!({"name": "resume", "arguments": {"checkpoint": "../x"}}),
            "../x",
        ),
        (json!({"name": "delete"}), "unknown prompt `delete`"),
        (json!({}), "malformed parameters of `prompts/get`"),
    ] {
        let answer = server.request("prompts/get", params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        assert!(
            answer["error"]["message"].as_str().unwrap().contains(told),
            "{answer}"
        );
    }
    let page = server.request("prompts/list", json!({"cursor": "x"}));
    assert_eq!(page["error"]["code"], -32602);
    server.close();
}

#[test]
fn a_request_without_a_handshake_is_answered_in_its_version() {
    let project = Project::bare_folder();
    let mut server = Server::start(&project);
    for (method, params) in [
        ("prompts/list", json!({})),
        ("prompts/get", json!({"name": "save"})),
    ] {
        let mut params = params;
        params["_meta"] = meta(json!({}));
        let answer = server.request(method, params);
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        assert_eq!(
            answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
            "ckpt"
        );
    }
    server.close();
}

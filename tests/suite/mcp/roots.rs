//! The project root that a client names.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::meta;
use crate::harness::Project;
use crate::harness::mcp::Server;

const LIST: &str = "list_session_checkpoints";

/// A project to start in, and another folder whose name needs escapes.
struct Places {
    project: Project,
    start: PathBuf,
    other: PathBuf,
}

impl Places {
    fn new() -> Self {
        let project = Project::bare_folder();
        let places = Self {
            start: project.root(),
            other: project.path("öther place 100%"),
            project,
        };
        std::fs::create_dir(&places.other).unwrap();
        places
    }

    fn other_uri(&self) -> String {
        format!("{}/%C3%B6ther%20place%20100%25", uri(&self.start))
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.to_str().unwrap())
}

fn roots(uris: &[&str]) -> Value {
    json!({"roots": uris.iter().map(|uri| json!({"uri": uri})).collect::<Vec<_>>()})
}

#[track_caller]
fn assert_listed(result: &Value, root: &Path) {
    let listed = result["structuredContent"]["path"].as_str();
    let expected = root.join(".claude-checkpoints");
    assert_eq!(listed, expected.to_str(), "{result}");
}

/// Sends a call, answers the question that it brings, and returns its result.
fn call_and_answer(server: &mut Server, answer: &Value) -> Value {
    let id = server.ask_tool(LIST, json!({}));
    let question = server.asked();
    assert_eq!(question["method"], "roots/list");
    let mut reply = json!({"jsonrpc": "2.0", "id": question["id"]});
    for (name, value) in answer.as_object().unwrap() {
        reply[name] = value.clone();
    }
    server.send(&reply);
    server.answer(id)["result"].clone()
}

#[test]
fn the_first_root_is_asked_for_once_and_again_after_a_change() {
    let places = Places::new();
    let mut server = Server::open(&places.project, json!({"roots": {"listChanged": true}}));
    let other = places.other_uri();
    let answer = json!({"result": roots(&["http://x/", &other, &uri(&places.start)])});
    assert_listed(&call_and_answer(&mut server, &answer), &places.other);
    assert_listed(&server.call(LIST, json!({})), &places.other);
    server.notify("notifications/roots/list_changed");
    let answer = json!({"result": roots(&[&uri(&places.start)])});
    assert_listed(&call_and_answer(&mut server, &answer), &places.start);
    server.close();
}

#[test]
fn a_client_that_does_not_announce_roots_is_not_asked() {
    let places = Places::new();
    let mut server = Server::open(&places.project, json!({}));
    assert_listed(&server.call(LIST, json!({})), &places.start);
    assert!(server.unread().is_empty());
    server.close();
}

#[test]
fn the_argument_and_the_variable_come_before_the_client() {
    let places = Places::new();
    let mut server = Server::open(&places.project, json!({"roots": {}}));
    assert_listed(
        &server.call(LIST, json!({"projectRoot": places.other})),
        &places.other,
    );
    assert!(server.unread().is_empty());
    server.close();

    let other = places.other.to_str().unwrap();
    let mut server = Server::start_with(&places.project, &[("CHECKPOINT_PROJECT_ROOT", other)]);
    server.initialize("2025-06-18", json!({"roots": {}}));
    assert_listed(
        &server.call(LIST, json!({"projectRoot": ""})),
        &places.other,
    );
    assert!(server.unread().is_empty());
    server.close();
}

#[test]
fn answers_that_name_no_usable_root_are_passed_over() {
    let places = Places::new();
    for answer in [
        json!({"error": {"code": -32601, "message": "method not found"}}),
        json!({"result": {"roots": []}}),
        json!({"result": {"roots": "junk"}}),
        json!({"result": roots(&["file://elsewhere/share", "https://x/y"])}),
    ] {
        let mut server = Server::open(&places.project, json!({"roots": {}}));
        assert_listed(&call_and_answer(&mut server, &answer), &places.start);
        assert_listed(&server.call(LIST, json!({})), &places.start);
        server.close();
    }
}

#[test]
fn a_client_that_does_not_answer_is_not_waited_for() {
    let places = Places::new();
    let mut server = Server::open(&places.project, json!({"roots": {}}));
    assert_listed(&server.call(LIST, json!({})), &places.start);
    assert_eq!(server.asked()["method"], "roots/list");
    assert_listed(&server.call(LIST, json!({})), &places.start);
    assert!(
        server
            .unread()
            .iter()
            .all(|message| message["method"] == "notifications/cancelled")
    );
    server.close();
}

#[test]
fn without_a_handshake_the_question_is_an_answer() {
    let places = Places::new();
    let mut server = Server::start(&places.project);
    let capabilities = json!({"roots": {}});
    let call = |server: &mut Server, responses: Option<Value>| {
        let mut params = json!({"name": LIST, "_meta": meta(capabilities.clone())});
        if let Some(responses) = responses {
            params["inputResponses"] = responses;
        }
        server.request("tools/call", params)["result"].clone()
    };
    let question = call(&mut server, None);
    assert_eq!(question["resultType"], "input_required");
    assert_eq!(
        question["inputRequests"],
        json!({"roots": {"method": "roots/list"}})
    );
    let other = roots(&[&places.other_uri()]);
    assert_listed(
        &call(&mut server, Some(json!({"roots": other}))),
        &places.other,
    );
    for odd in [
        json!({}),
        json!({"else": 1}),
        json!({"roots": {"roots": "junk"}}),
    ] {
        let result = call(&mut server, Some(odd));
        assert_eq!(result["resultType"], "complete");
        assert_listed(&result, &places.start);
    }
    let silent = json!({"name": LIST, "_meta": meta(json!({}))});
    assert_listed(
        &server.request("tools/call", silent)["result"],
        &places.start,
    );
    assert!(server.unread().is_empty());
    server.close();
}

#[test]
fn claude_code_is_not_asked_a_second_time_what_its_folder_says() {
    let places = Places::new();
    let variables = [("CLAUDE_CODE_SESSION_ID", "s1")];
    let mut server = Server::start_with(&places.project, &variables);
    let params = json!({"name": LIST, "_meta": meta(json!({"roots": {}}))});
    let answer = server.request("tools/call", params);
    assert_listed(&answer["result"], &places.start);
    server.close();
}

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
fn a_client_that_does_not_answer_is_not_waited_for_and_asked_again() {
    let places = Places::new();
    let mut server = Server::open(&places.project, json!({"roots": {}}));
    assert_listed(&server.call(LIST, json!({})), &places.start);
    assert_eq!(server.asked()["method"], "roots/list");
    // One that was only busy answers the next time, and from then on is not asked any more.
    let answer = json!({"result": roots(&[&places.other_uri()])});
    assert_listed(&call_and_answer(&mut server, &answer), &places.other);
    assert_listed(&server.call(LIST, json!({})), &places.other);
    assert!(
        server
            .unread()
            .iter()
            .all(|message| message["method"] == "notifications/cancelled")
    );
    server.close();
}

#[test]
fn a_save_into_a_folder_that_nobody_named_says_so() {
    const SAVE: &str = "save_session_checkpoint";
    let warnings = |result: &Value| result["structuredContent"]["warnings"].to_string();
    let guessed = "the client named no folder to work in";
    let places = Places::new();
    let mut server = Server::open(&places.project, json!({"roots": {}}));
    let id = server.ask_tool(SAVE, json!({"goal": "g"}));
    let question = server.asked();
    server.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": roots(&[])}));
    let saved = server.answer(id)["result"].clone();
    let told = warnings(&saved);
    assert!(told.contains(guessed), "{told}");
    assert!(told.contains(places.start.to_str().unwrap()), "{told}");
    let named = server.call(SAVE, json!({"goal": "g", "projectRoot": places.other}));
    assert!(!warnings(&named).contains(guessed), "{named}");
    server.close();

    let mut server = Server::open(&places.project, json!({}));
    let saved = server.call(SAVE, json!({"goal": "g"}));
    assert!(!warnings(&saved).contains(guessed), "{saved}");
    server.close();
}

#[test]
fn what_the_server_was_started_for_holds_for_calls_that_name_nothing_else() {
    let places = Places::new();
    let start = |arguments: &[&str]| {
        let mut command = places.project.command(["serve"].iter().chain(arguments));
        let mut server = Server::run(command.env("CHECKPOINT_PROJECT_ROOT", places.project.home()));
        server.initialize("2025-11-25", json!({"roots": {}}));
        server
    };
    let other = places.other.to_str().unwrap();
    for place in [other, "öther place 100%"] {
        let mut server = start(&["-C", place, "--session", "s1"]);
        assert_listed(&server.call(LIST, json!({})), &places.other);
        let here = json!({"projectRoot": places.start});
        assert_listed(&server.call(LIST, here), &places.start);
        let saved = server.call("save_session_checkpoint", json!({"goal": "g"}));
        let saved = &saved["structuredContent"];
        assert_eq!(saved["session"], "s1");
        assert!(
            saved["path"].as_str().unwrap().starts_with(other),
            "{saved}"
        );
        let saved = server.call(
            "save_session_checkpoint",
            json!({"goal": "g", "session": "s2"}),
        );
        assert_eq!(saved["structuredContent"]["session"], "s2");
        server.close();
    }
    let command = |arguments: &[&str]| places.project.ckpt(["serve"].iter().chain(arguments));
    command(&["-C", "nowhere"]).fails_with("nowhere");
    command(&["--session", "a/b"]).fails_with("`a/b` is not a valid session id");
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

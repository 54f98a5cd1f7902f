//! Versions, methods and odd input.

use serde_json::{Value, json};

use super::meta;
use crate::harness::Project;
use crate::harness::mcp::Server;

const WITH_HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

#[test]
fn every_version_with_a_handshake_is_spoken() {
    let project = Project::bare_folder();
    for version in WITH_HANDSHAKE {
        let mut server = Server::start(&project);
        let opened = server.initialize(version, json!({}));
        assert_eq!(opened["protocolVersion"], version);
        assert_eq!(opened["serverInfo"]["name"], "ckpt");
        assert_eq!(opened["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        assert!(opened["serverInfo"]["title"].is_string());
        assert!(opened["instructions"].as_str().unwrap().chars().count() < 1_900);
        assert_eq!(opened["capabilities"], json!({"prompts": {}, "tools": {}}));
        let listed = server.request("tools/list", json!({}));
        assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 3);
        assert_eq!(listed["result"].get("resultType"), None);
        server.close();
    }
}

#[test]
fn other_versions_are_answered_with_the_newest_that_has_a_handshake() {
    let project = Project::bare_folder();
    for version in ["2026-07-28", "1999-01-01", "2099-01-01", ""] {
        let mut server = Server::start(&project);
        let opened = server.initialize(version, json!({}));
        assert_eq!(opened["protocolVersion"], "2025-11-25");
        server.close();
    }
}

#[test]
fn a_session_needs_no_handshake_where_each_request_bears_its_version() {
    let project = Project::bare_folder();
    let mut server = Server::start(&project);
    let discovered =
        &server.request("server/discover", json!({"_meta": meta(json!({}))}))["result"];
    assert_eq!(
        discovered["supportedVersions"],
        json!([
            "2024-11-05",
            "2025-03-26",
            "2025-06-18",
            "2025-11-25",
            "2026-07-28"
        ])
    );
    let listed = &server.request("tools/list", json!({"_meta": meta(json!({}))}))["result"];
    assert_eq!(listed["resultType"], "complete");
    let called = &server.request(
        "tools/call",
        json!({"name": "list_session_checkpoints", "_meta": meta(json!({}))}),
    )["result"];
    assert_eq!(called["resultType"], "complete");
    assert_eq!(called["isError"], false);
    for result in [discovered, listed, called] {
        assert_eq!(
            result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
            "ckpt"
        );
    }
    server.close();
}

#[test]
fn requests_without_a_handshake_are_refused_where_their_version_is_missing_or_unknown() {
    let project = Project::bare_folder();
    let mut server = Server::start(&project);
    let code = |answer: Value| answer["error"]["code"].clone();
    assert_eq!(code(server.request("tools/list", json!({}))), -32602);
    let mut unknown = meta(json!({}));
    unknown["io.modelcontextprotocol/protocolVersion"] = json!("1999-01-01");
    assert_eq!(
        code(server.request("tools/list", json!({"_meta": unknown}))),
        -32022
    );
    assert!(
        server
            .request("tools/list", json!({"_meta": meta(json!({}))}))
            .get("result")
            .is_some()
    );
    assert_eq!(code(server.request("tools/list", json!({}))), -32602);
    assert_eq!(
        code(server.request("ping", json!({"_meta": meta(json!({}))}))),
        -32601
    );
    server.close();
}

#[test]
fn a_client_may_discover_first_and_shake_hands_then() {
    let project = Project::bare_folder();
    let mut server = Server::start(&project);
    server.request("server/discover", json!({"_meta": meta(json!({}))}));
    assert_eq!(
        server.initialize("2025-11-25", json!({}))["protocolVersion"],
        "2025-11-25"
    );
    assert_eq!(server.request("ping", json!({}))["result"], json!({}));
    server.close();
}

#[test]
fn what_comes_before_the_session_is_open_does_no_harm() {
    let project = Project::bare_folder();
    let mut server = Server::start(&project);
    assert_eq!(server.request("ping", json!({}))["result"], json!({}));
    server.notify("notifications/initialized");
    server.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}),
    );
    server.send(&json!({"jsonrpc": "2.0", "id": 7, "result": {}}));
    assert_eq!(
        server.request("tools/list", json!({}))["error"]["code"],
        -32602
    );
    assert_eq!(
        server.initialize("2025-06-18", json!({}))["protocolVersion"],
        "2025-06-18"
    );
    server.close();
}

#[test]
fn methods_that_the_server_does_not_offer_are_not_found() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    for method in [
        "resources/list",
        "resources/templates/list",
        "completion/complete",
        "logging/setLevel",
        "tasks/list",
        "no/such/method",
    ] {
        let params = json!({
            "level": "info",
            "ref": {"type": "ref/prompt", "name": "x"},
            "argument": {"name": "a", "value": ""},
        });
        let answer = server.request(method, params);
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
    assert_eq!(
        server.request("tools/list", json!({"cursor": "x"}))["error"]["code"],
        -32602
    );
    server.close();
}

#[test]
fn lines_that_are_no_messages_are_answered_and_the_server_goes_on() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    let deep = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\",\"params\":{}{}}}\n",
        "[".repeat(200),
        "]".repeat(200)
    );
    let long = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\",\"params\":{{\"x\":\"{}\"}}}}\n",
        "x".repeat(17 << 20)
    );
    for (line, code, id) in [
        (&b"hello\n"[..], -32700, Value::Null),
        (b"\0\n", -32700, Value::Null),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"pi\n",
            -32700,
            json!("a"),
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\",\"params\":{\"x\":\"\xff\"}}\n",
            -32700,
            json!("a"),
        ),
        (deep.as_bytes(), -32700, json!("a")),
        (long.as_bytes(), -32600, json!("a")),
        (b"42\n", -32600, Value::Null),
        (b"[]\n", -32600, Value::Null),
        (
            b"{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"ping\"}\n",
            -32600,
            json!("a"),
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":{}}\n",
            -32602,
            json!("a"),
        ),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\",\"params\":[1]}\n",
            -32600,
            json!("a"),
        ),
    ] {
        server.send_bytes(line);
        let answer = server.await_message(|message| message.get("error").is_some());
        let line = String::from_utf8_lossy(&line[..line.len().min(80)]);
        assert_eq!(answer["error"]["code"], code, "{line}");
        assert_eq!(answer["id"], id, "{line}");
    }
    for line in [
        &b"\n"[..],
        b"  \r\n",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/none\"}\n",
    ] {
        server.send_bytes(line);
    }
    assert_eq!(server.request("ping", json!({}))["result"], json!({}));
    assert!(server.unread().is_empty(), "{:?}", server.unread());
    server.close();
}

#[test]
fn a_batch_is_answered_as_one_array_in_the_version_that_has_them() {
    let batch = json!([
        {"jsonrpc": "2.0", "id": "a", "method": "tools/list"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": "b", "method": "ping"},
        {"jsonrpc": "2.0", "id": "c", "method": "no/such/method"},
        1,
    ]);
    let project = Project::bare_folder();
    let mut server = Server::start(&project);
    server.initialize("2025-03-26", json!({}));
    server.send(&batch);
    let answers = server.await_message(Value::is_array);
    let mut ids: Vec<String> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| answer["id"].to_string())
        .collect();
    ids.sort();
    assert_eq!(ids, ["\"a\"", "\"b\"", "\"c\"", "null"]);
    server.send(&json!([{"jsonrpc": "2.0", "method": "notifications/initialized"}]));
    assert_eq!(server.request("ping", json!({}))["result"], json!({}));
    assert!(server.unread().is_empty(), "{:?}", server.unread());
    server.close();

    let mut server = Server::open(&project, json!({}));
    server.send(&batch);
    let answer = server.await_message(|message| message.get("error").is_some());
    assert_eq!(answer["error"]["code"], -32600);
    server.close();
}

#[test]
fn a_malformed_initialize_is_answered_in_its_own_words() {
    let project = Project::bare_folder();
    for (params, fault) in [
        (json!({}), "protocolVersion"),
        (
            json!({"protocolVersion": "2025-06-18", "capabilities": {}}),
            "clientInfo",
        ),
        (
            json!({"protocolVersion": 5, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}),
            "invalid type",
        ),
    ] {
        let mut server = Server::start(&project);
        server.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
        let answer = server.answer(1);
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(1), &json!(-32602)),
            "{answer}"
        );
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(
            message.starts_with("malformed parameters of `initialize`: "),
            "{message}"
        );
        assert!(message.contains(fault), "{message}");
        // And the session can still be opened.
        server.initialize("2025-11-25", json!({}));
        server.close();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_message_of_16_mib_costs_at_most_200_mb_and_the_memory_is_given_back() {
    const LENGTH: usize = (16 << 20) - 1_000;
    let project = Project::bare_folder();
    let filled = |piece: &str| piece.repeat(LENGTH / piece.len());
    for (tool, arguments) in [
        ("save", format!(r#"{{"goal":"{}"}}"#, filled("x"))),
        ("save", format!(r#"{{"goal":"{}"}}"#, filled(r"\u00e9"))),
        ("save", format!(r#"{{"tasks":["{}"]}}"#, filled("é"))),
        ("save", format!(r#"{{"tasks":[{}0]}}"#, filled("[],"))),
        ("save", format!(r#"{{"{}":0}}"#, filled("k"))),
        ("load", format!(r#"{{"checkpoint":"{}"}}"#, filled("a=a"))),
    ] {
        let mut server = Server::open(&project, json!({}));
        let begun = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","#;
        let call = format!(r#""params":{{"name":"{tool}_session_checkpoint","arguments":"#);
        server.send_bytes(format!("{begun}{call}{arguments}}}}}\n").as_bytes());
        let answer = server.answer(7).to_string();
        assert!(answer.len() < 10_000, "{} bytes", answer.len());
        let what: String = arguments.chars().take(20).collect();
        let most = server.memory("VmHWM:");
        assert!(most <= 200_000, "{what}: {most} kB");
        server.call("list_session_checkpoints", json!({}));
        let left = server.memory("VmRSS:");
        assert!(left <= 64_000, "{what}: {left} kB");
        server.close();
    }
}

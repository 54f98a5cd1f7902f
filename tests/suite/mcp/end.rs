//! How the server ends.

#[cfg(unix)]
use std::io::{Read as _, Write as _};
#[cfg(unix)]
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::harness::Project;
use crate::harness::mcp::Server;

const LIST: &str = "list_session_checkpoints";

#[test]
fn the_end_of_input_is_a_clean_end_before_and_after_the_handshake() {
    let project = Project::bare_folder();
    Server::start(&project).close();
    Server::open(&project, json!({})).close();
}

#[test]
fn a_last_line_without_a_newline_is_answered() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    server.send_bytes(br#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#);
    server.close_input();
    let end = server.ended();
    assert!(end.status.success());
    assert_eq!(
        end.unread,
        [json!({"jsonrpc": "2.0", "id": "last", "result": {}})]
    );
}

#[test]
fn calls_in_hand_are_answered_after_the_end_of_input() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({"roots": {}}));
    let ids: Vec<u64> = (0..5).map(|_| server.ask_tool(LIST, json!({}))).collect();
    // The first call waits for this answer, which cannot come any more.
    server.asked();
    server.close_input();
    let end = server.ended();
    assert!(end.status.success());
    let answered: Vec<u64> = end
        .unread
        .iter()
        .filter_map(|answer| answer["id"].as_u64())
        .collect();
    assert_eq!(answered, ids);
}

/// A server with more answers than fit into the pipe to a client that reads none of them.
#[cfg(unix)]
fn unread(project: &Project) -> Child {
    let mut server = project
        .command(["serve"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let open = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
    let opened = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mut lines = format!("{open}\n{opened}\n");
    for id in 1..=500 {
        lines.push_str(&format!(
            "{}\n",
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"})
        ));
    }
    let mut input = server.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    // The first answer says that it reads, and listens for signals.
    let mut first = [0; 1];
    server
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    server.stdin = Some(input);
    server
}

#[cfg(unix)]
#[test]
fn a_client_that_stopped_reading_holds_no_server_up() {
    let project = Project::bare_folder();
    for how in ["TERM", "INT", "the end of input"] {
        let mut server = unread(&project);
        match how {
            "the end of input" => drop(server.stdin.take()),
            signal => {
                let pid = server.id().to_string();
                let kill = Command::new("kill")
                    .args([&format!("-{signal}"), &pid])
                    .status();
                assert!(kill.unwrap().success());
            }
        }
        // Keeps both ends open: `wait` alone would close the input.
        let input = server.stdin.take();
        let status = server.wait().unwrap();
        assert!(status.success(), "{how}: {status}");
        drop(input);
    }
}

#[cfg(unix)]
#[test]
fn signals_end_the_server_after_the_call_in_hand() {
    let project = Project::bare_folder();
    for signals in [&["TERM"][..], &["INT"], &["INT", "TERM"]] {
        let mut server = Server::open(&project, json!({"roots": {}}));
        let id = server.ask_tool(LIST, json!({}));
        server.asked();
        for signal in signals {
            server.signal(signal);
        }
        assert_eq!(server.answer(id)["result"]["isError"], false);
        let end = server.ended();
        assert!(end.status.success(), "{}", end.status);
        assert_eq!(end.unread, [] as [serde_json::Value; 0]);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_server_that_nobody_talks_to() {
    let project = Project::bare_folder();
    let mut server = Server::start(&project);
    server.request("ping", json!({}));
    server.signal("TERM");
    assert!(server.ended().status.success());
}

#[test]
fn a_cancelled_call_is_not_answered_and_not_waited_for() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({"roots": {}}));
    let running = server.ask_tool(LIST, json!({}));
    let queued = server.ask_tool(LIST, json!({}));
    let question = server.asked();
    for id in [running, queued] {
        let params = json!({"requestId": id});
        server.send(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}),
        );
    }
    server.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}}));
    assert_eq!(server.call(LIST, json!({}))["isError"], false);
    assert!(server.unread().is_empty(), "{:?}", server.unread());
    server.close();
}

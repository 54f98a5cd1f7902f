//! The tools as clients see and call them.

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::golden::assert_golden;
use crate::harness::mcp::Server;

const SAVE: &str = "save_session_checkpoint";
const LOAD: &str = "load_session_checkpoint";
const LIST: &str = "list_session_checkpoints";

fn tools(server: &mut Server) -> Vec<Value> {
    let listed = server.request("tools/list", json!({}));
    listed["result"]["tools"].as_array().unwrap().clone()
}

/// The text of a call that the tool refused.
#[track_caller]
fn refusal(result: &Value) -> String {
    assert_eq!(result["isError"], true, "{result}");
    assert_eq!(result.get("structuredContent"), None);
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

/// What a schema in the tools' own style has against a value.
fn faults(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let fits = match schema["type"].as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        other => panic!("a type that no schema has: {other}"),
    };
    if !fits {
        return vec![format!("{place} is {value}")];
    }
    let mut faults = Vec::new();
    for name in schema["required"].as_array().into_iter().flatten() {
        if value.get(name.as_str().unwrap()).is_none() {
            faults.push(format!("{place} lacks {name}"));
        }
    }
    if let Some(properties) = schema["properties"].as_object() {
        for (name, value) in value.as_object().unwrap() {
            let place = format!("{place}.{name}");
            match properties.get(name) {
                Some(schema) => faults.extend(self::faults(schema, value, &place)),
                None => faults.push(format!("{place} is in no schema")),
            }
        }
    }
    for item in value.as_array().into_iter().flatten() {
        faults.extend(self::faults(&schema["items"], item, &format!("{place}[]")));
    }
    faults
}

#[test]
fn the_list_is_what_clients_rely_on() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    let tools = tools(&mut server);
    assert!(json!(tools).to_string().len() < 7_000);
    assert_golden("tools.json", &format!("{:#}\n", json!(tools)));
    server.close();
}

#[test]
fn results_fit_their_schemas_and_say_the_same_twice() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    let tools = tools(&mut server);
    let session = json!("s1");
    let save = json!({
        "goal": "g", "session": session, "summary": "s", "nextSteps": ["n"], "decisions": ["d"],
        "tasks": [{"description": "t", "status": "done"}, {"description": "u"}],
        "modifiedFiles": [{"path": "a.txt", "note": "n"}],
        "recentCommands": [{"command": "true", "exitCode": 0}, {"command": "false", "note": "n"}],
    });
    for (tool, arguments) in [
        (LOAD, json!({})),
        (LIST, json!({})),
        (SAVE, json!({"goal": "minted"})),
        (SAVE, save),
        (LOAD, json!({"session": session})),
        (LOAD, json!({"checkpoint": session, "format": "full"})),
        (LOAD, json!({"session": "another"})),
        (LIST, json!({"limit": 1, "session": session})),
    ] {
        let result = server.call(tool, arguments);
        let schema = tools.iter().find(|known| known["name"] == tool).unwrap();
        let content = &result["structuredContent"];
        assert_eq!(
            faults(&schema["outputSchema"], content, tool),
            [] as [&str; 0],
            "{result}"
        );
        assert_eq!(result["isError"], false);
        assert_eq!(content["text"], result["content"][0]["text"]);
        // A client that shows the blocks alone has the checkpoint in one, too.
        let blocks = result["content"].as_array().unwrap();
        let shown = blocks.get(1).map(|block| block["text"].as_str().unwrap());
        let shown: Option<Value> = shown.map(|text| serde_json::from_str(text).unwrap());
        assert_eq!(shown.as_ref(), content.get("checkpoint"));
    }
    server.close();
}

#[test]
fn optional_arguments_sent_as_null_or_empty_count_as_absent() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    for tool in tools(&mut server) {
        let input = &tool["inputSchema"];
        for absent in [Value::Null, json!("")] {
            let mut arguments = json!({});
            for name in input["properties"].as_object().unwrap().keys() {
                let required = input["required"]
                    .as_array()
                    .is_some_and(|all| all.contains(&json!(name)));
                arguments[name] = if required { json!("g") } else { absent.clone() };
            }
            let result = server.call(tool["name"].as_str().unwrap(), arguments);
            assert_eq!(result["isError"], false, "{result}");
        }
    }
    for params in [
        json!({"name": LIST}),
        json!({"name": LIST, "arguments": null}),
    ] {
        assert_eq!(
            server.request("tools/call", params)["result"]["isError"],
            false
        );
    }
    server.close();
}

#[test]
fn wrong_arguments_are_refused_by_the_tool_with_their_place() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    for (tool, arguments, expected) in [
        (SAVE, json!({}), "goal"),
        (SAVE, json!({"goal": true}), "goal"),
        (SAVE, json!({"goal": "g", "session": {}}), "session"),
        (
            SAVE,
            json!({"goal": "g".repeat(501), "summary": "s".repeat(4001)}),
            "summary",
        ),
        (SAVE, json!({"goal": "g", "session": "../x"}), "session"),
        (LOAD, json!({"format": "short"}), "short"),
        (LOAD, json!({"checkpoint": "none"}), "none"),
        (LIST, json!({"limit": -1}), "limit"),
        (LIST, json!({"projectRoot": "relative"}), "relative"),
    ] {
        let result = server.call(tool, arguments);
        let text = refusal(&result);
        assert!(text.contains(expected), "{text}");
    }
    server.close();
}

#[test]
fn an_unknown_tool_is_a_protocol_error() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    let answer = server.request(
        "tools/call",
        json!({"name": "no_such_tool", "arguments": {}}),
    );
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(answer["error"]["message"], "unknown tool `no_such_tool`");
    server.close();
}

#[test]
fn forty_merges_at_once_lose_nothing_and_keep_their_order() {
    let project = Project::bare_folder();
    let mut server = Server::open(&project, json!({}));
    let commands: Vec<String> = (0..40).map(|number| format!("echo {number}")).collect();
    for command in &commands {
        let recent = json!([{"command": command}]);
        server.ask_tool(
            SAVE,
            json!({"goal": "g", "mode": "merge", "session": "s", "recentCommands": recent}),
        );
    }
    server.ask_tool(LOAD, json!({"session": "s", "format": "full"}));
    server.close_input();
    let end = server.ended();
    assert!(end.status.success());
    assert_eq!(end.unread.len(), 41);
    let loaded = &end.unread[40]["result"]["structuredContent"]["checkpoint"]["recentCommands"];
    let recorded: Vec<&str> = loaded
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["command"].as_str().unwrap())
        .collect();
    assert_eq!(recorded, commands);
}

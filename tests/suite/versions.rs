//! One version everywhere, and the plugin's files in agreement with each other.

use std::fs;
use std::path::Path;

use serde_json::Value;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn every_file_names_the_same_version() {
    let marketplace = json(".claude-plugin/marketplace.json");
    let server = json("server.json");
    for (place, version) in [
        (
            "plugin.json",
            &json("plugin/.claude-plugin/plugin.json")["version"],
        ),
        ("marketplace.json", &marketplace["plugins"][0]["version"]),
        ("server.json", &server["version"]),
        (
            "server.json, the package",
            &server["packages"][0]["version"],
        ),
    ] {
        assert_eq!(version, VERSION, "{place}");
    }
    let changelog = text("CHANGELOG.md");
    let newest = changelog
        .lines()
        .find_map(|line| line.strip_prefix("## ["))
        .and_then(|rest| rest.split_once("] - "));
    let (version, date) = newest.expect("a heading `## [VERSION] - DATE`");
    assert_eq!(version, VERSION, "CHANGELOG.md");
    let digits = |c: char| c.is_ascii_digit() || c == '-';
    assert!(
        date == "unreleased" || date.len() == 10 && date.chars().all(digits),
        "CHANGELOG.md: {date}"
    );
}

#[test]
fn the_plugin_and_the_marketplace_agree() {
    let plugin = json("plugin/.claude-plugin/plugin.json");
    let listed = &json(".claude-plugin/marketplace.json")["plugins"][0];
    assert_eq!(plugin["name"], "session-checkpoint");
    for field in ["name", "description", "license"] {
        assert_eq!(plugin[field], listed[field], "{field}");
    }
    assert_eq!(listed["source"], "./plugin");
    assert_eq!(text("LICENSE"), text("plugin/LICENSE"));
}

#[test]
fn hooks_and_server_go_through_the_launcher() {
    let launcher = "${CLAUDE_PLUGIN_ROOT}/launcher/ckpt";
    let hooks = &json("plugin/hooks/hooks.json")["hooks"];
    let ours =
        "^mcp__.+__(save_session_checkpoint|load_session_checkpoint|list_session_checkpoints)$";
    let starts = "startup|resume|clear|compact|fork";
    let expected = [
        ("SessionStart", Some(starts), "nudge"),
        ("UserPromptSubmit", None, "nudge"),
        ("PostToolBatch", None, "nudge"),
        ("PreCompact", None, "nudge"),
        ("PreToolUse", Some(ours), "guard"),
    ];
    assert_eq!(hooks.as_object().unwrap().len(), expected.len());
    for (event, matcher, command) in expected {
        let [group] = hooks[event].as_array().unwrap().as_slice() else {
            panic!("{event}")
        };
        assert_eq!(group["matcher"].as_str(), matcher);
        assert_eq!(group["hooks"][0]["command"], launcher);
        assert_eq!(group["hooks"][0]["args"], serde_json::json!([command]));
    }
    let server = &json("plugin/.mcp.json")["mcpServers"]["ckpt"];
    assert_eq!(server["command"], launcher);
    assert_eq!(server["args"], serde_json::json!(["serve"]));
}

#[test]
fn the_registry_entry_keeps_to_the_registrys_bounds() {
    let server = json("server.json");
    let description = server["description"].as_str().unwrap();
    assert!(
        (1..=100).contains(&description.chars().count()),
        "{description}"
    );
    assert_eq!(server["packages"][0]["identifier"], "ckpt");
    assert_eq!(
        server["packages"][0]["packageArguments"][0]["value"],
        "serve"
    );
}

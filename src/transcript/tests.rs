//! The parsing of lines, and what is made of paths and texts.

use super::client::Client as _;
use super::gather::{Gatherer, without_secrets};
use super::line::{Call, Event};
use super::{claude, codex};
use crate::checkpoint::recovered::Outcome;

fn events(json: &str) -> Vec<Event> {
    claude::parse(json.as_bytes()).map_or(Vec::new(), |line| line.events)
}

#[test]
fn folders_are_named_as_the_client_names_them() {
    for (directory, expected) in [
        ("/home/me/my_app.2", ("-home-me-my-app-2", false)),
        ("/ü/😀", ("-----", false)),
    ] {
        assert_eq!(
            claude::folder_name(directory),
            (expected.0.to_owned(), expected.1)
        );
    }
    let long = format!("/{}", "a".repeat(200));
    let start = format!("-{}-", "a".repeat(199));
    assert_eq!(claude::folder_name(&long), (start, true));
    assert!(claude::ClaudeCode.is_foreign("/my.app", "/my-app"));
    assert!(claude::ClaudeCode.is_foreign(&format!("{long}b"), &long));
    for cwd in ["/my-app", "/my-app/src", "/tmp"] {
        assert!(!claude::ClaudeCode.is_foreign(cwd, "/my-app"), "{cwd}");
    }
}

#[test]
fn what_a_line_of_claude_code_says() {
    let assistant = |content: &str, reason: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"content":{content},"stop_reason":{reason}}}}}"#
        )
    };
    let words = r#"[{"type":"text","text":"w"}]"#;
    let said = Event::Words("w".to_owned());
    assert_eq!(
        events(&assistant(words, "\"end_turn\"")),
        [said.clone(), Event::TurnEnd]
    );
    assert_eq!(
        events(&assistant(words, "null")),
        [said.clone(), Event::TurnEnd]
    );
    assert_eq!(events(&assistant(words, "\"tool_use\"")), [said]);
    let edit =
        r#"[{"type":"tool_use","id":"i","name":"NotebookEdit","input":{"notebook_path":"/n"}}]"#;
    let call = Call::Write("/n".to_owned());
    assert_eq!(
        events(&assistant(edit, "null")),
        [Event::Call {
            id: "i".to_owned(),
            call
        }]
    );
    let odd =
        r#"[{"type":"tool_use","id":7,"name":"mcp__x","input":{"command":["a"],"file_path":{}}}]"#;
    let call = Call::Other("mcp__x".to_owned());
    assert_eq!(
        events(&assistant(odd, "null")),
        [Event::Call {
            id: String::new(),
            call
        }]
    );
}

#[test]
fn how_a_command_of_claude_code_ended() {
    for (answer, is_error, expected) in [
        ("\"out\"", "false", Outcome::Exit(0)),
        ("\"\"", "null", Outcome::Exit(0)),
        (r#""Exit code 3\nwrong""#, "true", Outcome::Exit(3)),
        (r#""Error: Exit code 127""#, "true", Outcome::Exit(127)),
        (
            r#"[{"type":"text","text":"Exit code -1"}]"#,
            "true",
            Outcome::Exit(-1),
        ),
        (r#""Exit code x""#, "true", Outcome::Failed),
        (
            r#""The user doesn't want to proceed""#,
            "true",
            Outcome::Failed,
        ),
        (
            r#""Command running in background with ID: b""#,
            "false",
            Outcome::Background,
        ),
    ] {
        let result = format!(
            r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"i","content":{answer},"is_error":{is_error}}}]}}}}"#
        );
        let expected = Event::Result {
            id: "i".to_owned(),
            outcome: expected,
            saved: None,
        };
        assert_eq!(events(&result), [expected], "{answer}");
    }
}

#[test]
fn lines_of_other_kinds_and_shapes_are_nothing() {
    for line in [
        "",
        "{",
        "[]",
        "null",
        "3",
        r#"{"type":"user"}"#,
        r#"{"type":"user","message":"m"}"#,
        r#"{"type":"user","message":{"content":7}}"#,
        r#"{"type":"api-request-blob","message":{"role":"user","content":"p"}}"#,
        r#"{"parentUuid":null,"attachment":{"type":"x"},"type":"attachment"}"#,
        r#"{"type":"user","message":{"content":"p"}"#,
    ] {
        assert_eq!(events(line), [], "{line}");
        assert!(codex::parse(line.as_bytes()).is_none_or(|line| line.events.is_empty()));
    }
    assert_eq!(events("{\"type\":\"cost-state\"}"), [Event::SessionEnd]);
}

#[test]
fn a_session_file_of_codex_names_its_session() {
    let id = "01a22c07-88a3-7882-9233-efa386b5cd10";
    let stem = format!("rollout-2026-11-30T10-37-01-{id}");
    assert_eq!(codex::session_named(&format!("{stem}.jsonl")), Some(id));
    for other in ["", "rollout-", id, "rollout-ü"] {
        assert_eq!(codex::session_named(other), None, "{other}");
    }
}

#[test]
fn no_part_of_a_secret_survives_shortening() {
    const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    for before in 0..60 {
        let text = format!("{} {SECRET} and more", "w".repeat(before));
        for limit in [20, 40, 60, 500] {
            let shown = without_secrets(&text, limit);
            assert!(!shown.contains(&SECRET[..6]), "{shown}");
            assert!(shown.chars().count() <= limit, "{shown}");
            assert_eq!(without_secrets(&shown, limit), shown, "a second time");
        }
    }
}

#[test]
fn reading_ends_at_the_first_line_that_is_too_old() {
    let mut gatherer = Gatherer::new(&[], Some("2026-10-08T02:00:10Z".parse().unwrap()));
    let mut take = |second: u32, text: &str| {
        let json = format!(
            r#"{{"type":"user","timestamp":"2026-10-08T02:00:{second:02}Z","message":{{"content":"{text}"}}}}"#
        );
        gatherer.take(claude::parse(json.as_bytes()).unwrap())
    };
    assert!(take(12, "new").is_continue());
    assert!(take(11, "newer than the save").is_continue());
    assert!(take(10, "old").is_break());
    let recovered = gatherer.finish(false, 0);
    assert_eq!(recovered.prompts, ["newer than the save", "new"]);
}

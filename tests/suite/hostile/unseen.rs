//! What hides in a text reaches neither a model nor a terminal, and what only joins letters reaches both.

use serde_json::{Value, json};

use crate::harness::files::{least, with};
use crate::harness::mcp::Server;
use crate::harness::{Output, Project};

/// Texts in which something hides, and nothing that may stay.
const HIDDEN: [&str; 7] = [
    "goal\u{e0149}\u{e0157}\u{e015e}\u{e015f}",
    "a\u{fe0f}b\u{fe01}c\u{fe0e}",
    "a\u{3164}\u{115f}\u{1160}\u{ffa0}b",
    "a\u{34f}b\u{17b4}c\u{180b}d\u{180f}e",
    "a\u{1bca0}b\u{1d173}c\u{e0041}d\u{e0fff}e",
    "\u{200d}a\u{200d}\u{200c} \u{ad}b\u{2060}c\u{feff}d\u{fff9}e",
    "a\u{202e}b\u{2066}c\u{200f}d\u{61c}e\u{1b}[2Jf\u{9b}31m",
];

/// Texts of which every character is to be seen, in what it joins.
const JOINED: [&str; 4] = [
    "👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}",
    "می\u{200c}خواهم",
    "Schiff\u{ad}fahrt",
    "e\u{301}tude",
];

fn hides(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Every string of a value, names of fields included, with the name of the field that it stands in.
fn strings<'a>(value: &'a Value, name: &'a str, found: &mut Vec<(&'a str, &'a str)>) {
    match value {
        Value::String(text) => found.push((name, text)),
        Value::Array(values) => values.iter().for_each(|it| strings(it, name, found)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| {
            found.push((name, key));
            let inside = if name == "checkpoint" { name } else { key };
            strings(value, inside, found);
        }),
        _ => {}
    }
}

#[track_caller]
fn assert_clean(result: &Value) {
    let mut found = Vec::new();
    strings(result, "", &mut found);
    assert!(!found.is_empty());
    for (name, text) in found {
        assert!(!text.contains(hides), "{name}: {text:?}");
        let keeps_lines = matches!(name, "text" | "checkpoint");
        assert!(
            keeps_lines || !text.contains('\n'),
            "`{name}` has lines: {text:?}"
        );
    }
}

/// A checkpoint with the words wherever it has room for text, also where the format knows none.
fn full_of(words: &str) -> Value {
    with(
        least(words),
        json!({
            "id": words, "sessionId": words, "resumedFrom": words, "unknown": {words: [words]},
            "generator": {"name": words, "version": words}, "project": {"name": words},
            "git": {"branch": words, "head": words, "dirty": true},
            "goal": {"primary": words, "tasks": [{"description": words, "status": words, "odd": words}]},
            "summary": format!("{words}\n{words}"),
            "nextSteps": [words], "decisions": [words],
            "modifiedFiles": [{"path": words, "status": words, "source": words, "note": words, "hash": words}],
            "recentCommands": [{"command": words, "note": words}],
        }),
    )
}

/// The whole results of the three tools, and of calls that fail, over a project full of the words.
fn results(project: &Project, words: &str) -> Vec<Value> {
    let mut server = Server::open(project, json!({}));
    let (save, load, list) = (
        "save_session_checkpoint",
        "load_session_checkpoint",
        "list_session_checkpoints",
    );
    let own = json!({"session": "s1", "goal": words, "mode": "merge"});
    let calls = [
        (list, json!({})),
        (load, json!({})),
        (load, json!({"checkpoint": "s1"})),
        (load, json!({"checkpoint": "s1", "format": "full"})),
        (load, json!({"checkpoint": "broken"})),
        (load, json!({"checkpoint": words})),
        (load, json!({"format": words})),
        (load, json!({words: words})),
        (list, json!({"projectRoot": words})),
        (save, own.clone()),
        (save, with(own.clone(), json!({"resumedFrom": words}))),
        (
            save,
            with(own.clone(), json!({"modifiedFiles": [{"path": words}]})),
        ),
        (save, with(own, json!({"mode": words}))),
    ];
    let mut results: Vec<Value> = calls
        .into_iter()
        .map(|(tool, arguments)| server.call(tool, arguments))
        .collect();
    results.push(server.request("tools/call", json!({"name": words, "arguments": {}})));
    results.push(server.request(words, json!({})));
    server.close();
    results
}

#[test]
fn no_string_of_a_result_hides_anything() {
    for words in HIDDEN {
        let project = Project::repository();
        project.put("s1", full_of(words));
        project.put("s2", full_of(words));
        project.put("broken", json!({"version": words}));
        #[cfg(unix)]
        project.write(words, "");
        for result in results(&project, words) {
            // The text block repeats the text.
            let mut result = result;
            if let Some(result) = result.get_mut("result") {
                result["content"] = Value::Null;
            }
            if result.get("content").is_some() {
                let block = result["content"].take();
                let text = block[0]["text"].as_str().unwrap();
                assert!(!text.contains(hides), "{text:?}");
            }
            assert_clean(&result);
        }
    }
}

#[test]
fn a_terminal_shows_nothing_hidden_either() {
    for words in HIDDEN {
        let project = Project::repository();
        project.put("s1", full_of(words));
        project.put("s2", full_of("other"));
        #[cfg(unix)]
        project.write(words, "");
        for arguments in [
            &["load", "s1"][..],
            &["load", "s1", "--format", "full"],
            &["load", "s1", "--format", "full", "--json"],
            &["load", words],
            &["list"],
            &["list", "--json"],
            &["diff", "s1"],
            &["diff", "s1", "--json"],
            &["diff", "s1", "s2"],
            &["diff", "s1", "s2", "--json"],
            &["diff", "s1", "--name-only"],
            &["prune", "--keep", "0", "--dry-run", "--json"],
            &["save", "--session", "s1", "--goal", words, "--json"],
            &["save", "--session", "s1", "--goal", words, "--file", words],
        ] {
            let Output { stdout, stderr, .. } = project.ckpt(arguments);
            let printed = [stdout, stderr].concat();
            assert!(!printed.contains(hides), "{arguments:?}: {printed:?}");
        }
    }
}

#[test]
fn what_joins_letters_stays_wherever_they_are_read() {
    for words in JOINED {
        let project = Project::repository();
        project.git(["checkout", "-q", "-b", &words.replace(' ', "-")]);
        project.write(words, "");
        project.save("s1", json!({"goal": words, "summary": words}));
        let outputs = [
            project.ckpt(["load", "s1"]).stdout,
            project.ckpt(["list"]).stdout,
            project.ckpt(["list", "--json"]).stdout,
        ];
        for output in outputs {
            assert!(output.contains(words), "{words}: {output}");
        }
        let loaded = project.load("s1");
        assert!(loaded["text"].as_str().unwrap().contains(words));
        for result in results(&project, words) {
            assert!(!result.to_string().contains('\u{fffd}'), "{result}");
        }
    }
}

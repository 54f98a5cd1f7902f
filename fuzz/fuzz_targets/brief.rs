//! Any texts in every place of a checkpoint: the brief's frame holds, and no string of the structured result hides anything.
#![no_main]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unused_imports,
    reason = "the modules of the program are used in part"
)]

#[path = "../../src/checkpoint/mod.rs"]
mod checkpoint;

use checkpoint::drift::Drift;
use checkpoint::format::Checkpoint;
use checkpoint::recovered::{Outcome, Ran, Recovered};
use checkpoint::text::{self, is_harmless, is_unprintable};
use checkpoint::{brief, markdown};
use libfuzzer_sys::fuzz_target;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

/// The headings of a brief but for its title and those with a number.
const SECTIONS: [&str; 7] = [
    "Goal",
    "Tasks",
    "Where things stand",
    "Next steps",
    "Decisions & gotchas",
    "Since this checkpoint",
    "After the save (from the session's transcript)",
];

fuzz_target!(|bytes: &[u8]| {
    let mut texts = bytes
        .split(|byte| *byte == 0xff)
        .map(String::from_utf8_lossy);
    let mut text = || texts.next().unwrap_or_default();
    let value = json!({
        "version": 1, "createdAt": "2026-10-08T02:00:00Z", "updatedAt": "2026-10-08T02:00:00Z",
        "project": {"name": text()},
        "git": {"branch": text(), "head": text()},
        "goal": {"primary": text(), "tasks": [{"description": text(), "status": text()}]},
        "summary": text(),
        "nextSteps": [text(), text()],
        "decisions": [text(), text()],
        "modifiedFiles": [{"path": text(), "status": text(), "note": text()}],
        "recentCommands": [{"command": text(), "note": text()}],
    });
    let note = text().into_owned();
    let drift = Drift {
        branch_changed: Some(true),
        current_branch: Some(text().into_owned()),
        ..Drift::default()
    };
    let checkpoint = Checkpoint::parse(value.to_string().as_bytes()).unwrap();
    let now = "2026-10-08T02:23:55Z".parse().unwrap();
    let after = Recovered {
        prompts: vec![text().into_owned()],
        commands: vec![Ran {
            command: text().into_owned(),
            outcome: Outcome::Unknown,
            at: None,
        }],
        files: vec![text().into_owned()],
        summary: Some(text().into_owned()),
        last_words: Some(text().into_owned()),
        running: Some(text().into_owned()),
        ..Recovered::default()
    };
    let frame = brief::Frame {
        notes: &[note],
        shared: None,
        rest: "rest",
    };
    let brief = brief::render(&checkpoint, &drift, Some(&after), &frame, brief::LONGEST, now);

    for line in brief.lines() {
        assert_harmless(line);
    }
    let mut result = json!({"text": brief, "drift": drift, "checkpoint": checkpoint});
    text::clean(&mut result, &["text", "checkpoint"]);
    assert_eq!(result["text"], brief, "what is cleaned on its way out was clean");
    assert_all_harmless(&result);
    // As a reader of Markdown sees it.
    let mut headings = 0;
    let mut heading: Option<String> = None;
    let events = Parser::new_ext(&brief, Options::all() - Options::ENABLE_SMART_PUNCTUATION);
    let hidden = events.reference_definitions().iter().count();
    assert_eq!(hidden, 0, "{brief}");
    for event in events {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(level)) => {
                headings += 1;
                let text = heading.take().unwrap();
                let is_title = text.starts_with("Resuming: ");
                assert_eq!(is_title, level == HeadingLevel::H1, "{text:?} in {brief}");
                let is_counted =
                    text.starts_with("Files touched (") || text.starts_with("Recent commands (");
                let known = is_title || is_counted || SECTIONS.contains(&&*text);
                assert!(known, "{text:?} in {brief}");
            }
            Event::Text(text) | Event::Code(text) | Event::InlineHtml(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::Rule
            | Event::Start(
                Tag::HtmlBlock
                | Tag::BlockQuote(_)
                | Tag::CodeBlock(CodeBlockKind::Fenced(_))
                | Tag::Table(_)
                | Tag::FootnoteDefinition(_)
                | Tag::MetadataBlock(_),
            ) => panic!("{event:?} in {brief}"),
            _ => {}
        }
    }
    assert!(headings <= 10, "{brief}");
    for text in bytes
        .split(|byte| *byte == 0xff)
        .map(String::from_utf8_lossy)
    {
        for harmless in [
            markdown::line(&text),
            markdown::code(&text),
            markdown::paragraph(&text),
        ] {
            assert!(is_harmless(&harmless), "{harmless:?}");
            assert_harmless(&harmless);
        }
    }
});

fn assert_all_harmless(value: &Value) {
    match value {
        Value::String(text) => text.split('\n').for_each(assert_harmless),
        Value::Array(values) => values.iter().for_each(assert_all_harmless),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            assert_harmless(name);
            assert_all_harmless(value);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What cannot be seen is alone between visible characters, and only joins, shapes or breaks.
fn assert_harmless(line: &str) {
    let chars: Vec<char> = line.chars().filter(|c| *c != '\t').collect();
    let is_seen = |c: Option<&char>| c.is_some_and(|c| !is_unprintable(*c));
    for (at, c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let stays = match c {
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => is_seen(before),
            '\u{ad}' | '\u{200c}' | '\u{200d}' => before.is_some() && is_seen(chars.get(at + 1)),
            c => !is_unprintable(*c),
        };
        assert!(stays, "{c:?} in {line:?}");
    }
}

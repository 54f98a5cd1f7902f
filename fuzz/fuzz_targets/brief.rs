//! Any texts in every place of a checkpoint: the brief's frame holds.
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
use checkpoint::text::is_unprintable;
use checkpoint::{brief, markdown};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

/// The headings of a brief but for its title and those with a number.
const SECTIONS: [&str; 6] = [
    "## Goal",
    "## Tasks",
    "## Where things stand",
    "## Next steps",
    "## Decisions & gotchas",
    "## Since this checkpoint",
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
    let brief = brief::render(&checkpoint, &drift, &[note], now);

    assert!(
        !brief.contains(|c| is_unprintable(c) && c != '\n'),
        "{brief:?}"
    );
    let mut headings = 0;
    for line in brief.lines() {
        let content = line.trim_start_matches(|c: char| c.is_ascii_digit() || " -*+.)".contains(c));
        for block in ["```", "~~~", "<", ">"] {
            assert!(!content.starts_with(block), "{line:?} in {brief}");
        }
        if line.trim_start().starts_with('#') {
            headings += 1;
            let known = line.starts_with("# Resuming: ")
                || line.starts_with("## Files touched (")
                || line.starts_with("## Recent commands (")
                || SECTIONS.contains(&line);
            assert!(known, "{line:?} in {brief}");
        }
    }
    assert!(headings <= 9, "{brief}");
    // One line each: the title, the branch, and what stands under the headings of one entry.
    let count = |start: &str| brief.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(count("# Resuming: "), 1, "{brief}");
    assert_eq!(count("## Since this checkpoint"), 1, "{brief}");
    for text in bytes
        .split(|byte| *byte == 0xff)
        .map(String::from_utf8_lossy)
    {
        for harmless in [
            markdown::line(&text),
            markdown::code(&text),
            markdown::paragraph(&text),
        ] {
            assert!(!harmless.contains(is_unprintable), "{harmless:?}");
        }
    }
});

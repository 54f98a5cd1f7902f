//! Any lines as a transcript of any client's: facts within their bounds, and a brief whose frame holds.
#![no_main]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unused_imports,
    reason = "the modules of the program are used in part"
)]

#[path = "../../src/checkpoint/mod.rs"]
mod checkpoint;
#[path = "../../src/env.rs"]
mod env;
#[path = "../../src/redact/mod.rs"]
mod redact;
#[path = "../../src/transcript"]
mod transcript {
    mod backwards;
    mod claude;
    mod codex;
    mod file;
    mod gather;
    mod line;
    mod session;
    mod skim;

    use std::io::Cursor;
    use std::ops::ControlFlow;
    use std::path::Path;

    use crate::checkpoint::limits;
    use crate::checkpoint::recovered::Recovered;
    use gather::Gatherer;
    use line::Line;

    type Parse = fn(&[u8]) -> Option<Line>;

    /// The facts as each of the clients would have meant them, of all and of what is later than a time.
    pub(crate) fn facts(bytes: &[u8]) -> Vec<Recovered> {
        let since = "2026-10-08T02:23:55Z".parse().ok();
        let mut facts = Vec::new();
        for parse in [claude::parse as Parse, codex::parse] {
            for (since, is_live) in [(None, false), (since, true)] {
                let mut gatherer = Gatherer::new(since);
                let length = bytes.len() as u64;
                backwards::lines(Cursor::new(bytes), length, length, |line| {
                    match parse(line) {
                        Some(line) => gatherer.take(line),
                        None => ControlFlow::Continue(()),
                    }
                })
                .unwrap();
                let root = Path::new("/home/me/app");
                facts.push(gatherer.finish(root, is_live, limits::COMMANDS));
            }
        }
        facts
    }
}

use checkpoint::limits;
use checkpoint::recovered::BRIEF_BYTES;
use checkpoint::text;
use checkpoint::unsaved::Unsaved;
use libfuzzer_sys::fuzz_target;

/// The headings that the brief has beside its title and the number of files.
const SECTIONS: [&str; 3] = [
    "## Goal (the first prompt)",
    "## What was done (from the session's transcript)",
    "## Since this session",
];

fuzz_target!(|bytes: &[u8]| {
    for recovered in transcript::facts(bytes) {
        assert!(recovered.commands.len() <= limits::COMMANDS);
        assert!(recovered.files.len() <= limits::FILES);
        for ran in &recovered.commands {
            assert!(ran.command.chars().count() <= limits::COMMAND);
        }
        let goal = recovered.prompts.first().cloned().unwrap_or_default();
        let brief = Unsaved {
            project: "app",
            goal: &goal,
            branch: None,
            recovered: &recovered,
            files: &[],
            changed: &[],
            moved_to: None,
        }
        .render(&[], jiff::Timestamp::UNIX_EPOCH);
        assert_eq!(text::lines(&brief), brief);
        for heading in brief.lines().skip(1).filter(|line| line.starts_with('#')) {
            assert!(
                SECTIONS.contains(&heading) || heading == "## Files written (0)",
                "{heading:?}"
            );
        }
        let done = brief.split("transcript)\n").nth(1).unwrap_or_default();
        let done = done.split("\n## ").next().unwrap_or_default();
        assert!(done.len() <= BRIEF_BYTES, "{} bytes", done.len());
    }
});

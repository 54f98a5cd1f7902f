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
    mod chain;
    mod claude;
    mod client;
    mod codex;
    mod file;
    mod gather;
    mod gemini;
    mod line;
    mod paths;
    mod shorten;
    mod skim;
    mod whole;
    mod wrapping;

    use std::io::Cursor;
    use std::ops::ControlFlow;

    use crate::checkpoint::fields;
    use crate::checkpoint::recovered::Recovered;
    use chain::Chain;
    use client::Client;
    use gather::Gatherer;

    /// The facts as each of the clients would have meant them, of all and of what is later than a time, each with
    /// the goal.
    pub(crate) fn facts(bytes: &[u8]) -> Vec<(Recovered, String)> {
        let clients: [&dyn Client; 3] = [&claude::ClaudeCode, &codex::Codex, &gemini::GeminiCli];
        let since = "2026-10-08T02:23:55Z".parse().ok();
        let roots = ["/home/me/app".to_owned(), r"C:\app".to_owned()];
        let mut facts = Vec::new();
        let whole = whole::lines(bytes);
        let mut short = Vec::new();
        shorten::Shortener::default().copy(bytes, &mut short);
        for client in clients {
            for bytes in [bytes, &whole, &short] {
                for (since, is_live) in [(None, false), (since, true)] {
                    let mut gatherer = Gatherer::new(&roots, since);
                    let mut chain = Chain::default();
                    let length = bytes.len() as u64;
                    backwards::lines(Cursor::new(bytes), length, length, |line| match client.parse(line) {
                        Some(line) => chain.take(line, |line| gatherer.take(line)),
                        None => ControlFlow::Continue(()),
                    })
                    .unwrap();
                    chain.finish(|line| gatherer.take(line));
                    let goal = gatherer.take_opening().into_goal();
                    let goal = goal.map_or(String::new(), |(goal, _)| goal);
                    facts.push((gatherer.finish(is_live, fields::COMMANDS.entries), goal));
                }
            }
        }
        facts
    }
}

use checkpoint::fields;
use checkpoint::recovered::{BRIEF_BYTES, GoalFrom};
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
    for (recovered, goal) in transcript::facts(bytes) {
        assert!(goal.chars().count() <= fields::GOAL.limit);
        assert!(recovered.commands.len() <= fields::COMMANDS.entries);
        assert!(recovered.files.len() <= fields::FILES.entries);
        for ran in &recovered.commands {
            assert!(ran.command.chars().count() <= fields::COMMANDS.limit);
        }
        let brief = Unsaved {
            project: "app",
            goal: &goal,
            goal_from: GoalFrom::Prompt,
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

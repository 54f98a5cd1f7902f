//! Any input of the two hooks: an answer in JSON or none, and never a panic.
#![no_main]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unused_imports,
    reason = "the modules of the program are used in part"
)]

#[path = "../../src/checkpoint/mod.rs"]
mod checkpoint;
#[path = "../../src/commands/mod.rs"]
mod commands;
#[path = "../../src/env.rs"]
mod env;
#[path = "../../src/error.rs"]
mod error;
#[path = "../../src/files/mod.rs"]
mod files;
#[path = "../../src/git/mod.rs"]
mod git;
#[path = "../../src/hooks/mod.rs"]
mod hooks;
#[path = "../../src/process.rs"]
mod process;
#[path = "../../src/redact/mod.rs"]
mod redact;
#[path = "../../src/store/mod.rs"]
mod store;
#[path = "../../src/sync/mod.rs"]
mod sync;
#[path = "../../src/transcript/mod.rs"]
mod transcript;

use env::Env;
use hooks::Hook;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    for hook in [Hook::Guard, Hook::Nudge] {
        let Some(answer) = hook.answer(bytes, &Env::from_process()) else {
            continue;
        };
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        let output = &answer["hookSpecificOutput"];
        assert!(output.is_object(), "{answer}");
        if output["permissionDecision"] == "deny" {
            // Only a call that names its agent is denied; what the hook skips need not even be Unicode.
            let text = String::from_utf8_lossy(bytes);
            let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
            if let Some(Ok(input)) = values.next() {
                assert!(input["agent_id"].as_str().is_some_and(|id| !id.is_empty()));
            }
        }
    }
});

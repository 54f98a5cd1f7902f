//! Any line of a client's: messages, or an error that can be written as one line.
#![no_main]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unused_imports,
    reason = "the modules of the program are used in part"
)]

#[path = "../../src/checkpoint/mod.rs"]
mod checkpoint;
#[path = "../../src/mcp"]
mod mcp {
    mod message;

    use message::{Incoming, Parsed};
    use rmcp::model::ServerJsonRpcMessage;

    /// The answers that a line is due at once.
    pub(crate) fn refusals(line: &[u8]) -> Vec<ServerJsonRpcMessage> {
        let incoming = match message::parse(line) {
            Parsed::Blank => Vec::new(),
            Parsed::One(incoming) => vec![incoming],
            Parsed::Many(items) => items,
        };
        let cut = message::too_long(&line[..line.len() / 2]);
        let refused = incoming
            .into_iter()
            .chain([cut])
            .filter_map(|incoming| match incoming {
                Incoming::Refused(answer) => Some(*answer),
                Incoming::Message(_) => None,
            });
        refused.collect()
    }
}

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|line: &[u8]| {
    for answer in mcp::refusals(line) {
        let written = serde_json::to_string(&answer).unwrap();
        assert!(!written.contains('\n'));
        let value: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(value["jsonrpc"], "2.0");
        assert!(value["error"]["code"].is_i64(), "{value}");
    }
});

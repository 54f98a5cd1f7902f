//! What Claude Code's lines tell of the context (measured on 2.1.332): its use with each message, and what it held when it was
//! compacted.

use memchr::memmem::find;
use serde::Deserialize;

use super::ClaudeCode;
use crate::transcript::client::{Gauge, Reading};

impl Gauge for ClaudeCode {
    /// A message that the client makes up itself, such as one on an error, used nothing.
    fn may_tell(&self, line: &[u8]) -> bool {
        find(line, b"\"usage\"").is_some()
            && find(line, b"\"assistant\"").is_some()
            && find(line, b"\"<synthetic>\"").is_none()
    }

    fn read(&self, line: &[u8]) -> Option<Reading> {
        let line: Answer = serde_json::from_slice(line).ok()?;
        let usage = line.message.usage;
        let parts = [
            usage.input_tokens,
            usage.cache_creation_input_tokens,
            usage.cache_read_input_tokens,
            usage.output_tokens,
        ];
        (!line.is_sidechain).then(|| Reading {
            tokens: parts.into_iter().fold(0, u64::saturating_add),
            window: None,
        })
    }

    fn is_of_a_hook(&self, line: &[u8]) -> bool {
        find(line, b"\"attachment\"").is_some()
    }

    fn compaction(&self, line: &[u8]) -> Option<Option<u64>> {
        find(line, b"\"compact_boundary\"")?;
        let line: Boundary = serde_json::from_slice(line).ok()?;
        // One that a person asked for says nothing of what the context can hold.
        let metadata = line.compact_metadata;
        let metadata = metadata.filter(|it| it.trigger.as_deref() != Some("manual"));
        let held = metadata.and_then(|it| it.pre_tokens);
        (line.subtype == "compact_boundary").then_some(held)
    }
}

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "isSidechain", default)]
    is_sidechain: bool,
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    usage: Usage,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Usage {
    input_tokens: u64,
    cache_creation_input_tokens: u64,
    cache_read_input_tokens: u64,
    output_tokens: u64,
}

#[derive(Deserialize)]
struct Boundary {
    subtype: String,
    #[serde(rename = "compactMetadata")]
    compact_metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    trigger: Option<String>,
    #[serde(rename = "preTokens")]
    pre_tokens: Option<u64>,
}

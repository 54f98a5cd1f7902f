//! Transcripts that are one value, and not a line for each message, as Gemini CLI wrote them.

use serde_json::Value;

use crate::checkpoint::surrogates;

/// What comes before the messages, and each of them, as a line.
pub(super) fn lines(text: &[u8]) -> Vec<u8> {
    let Ok(Value::Object(mut whole)) = surrogates::from_slice(text) else {
        return Vec::new();
    };
    let messages = match whole.remove("messages") {
        Some(Value::Array(messages)) => messages,
        _ => Vec::new(),
    };
    let mut lines = Value::Object(whole).to_string();
    for message in messages {
        lines.push('\n');
        lines.push_str(&message.to_string());
    }
    lines.into_bytes()
}

//! The MCP server.

mod caller;
mod end;
mod prompts;
mod protocol;
mod roots;
mod tools;

use serde_json::{Value, json};

/// What a request of protocol version 2026-07-28 bears.
fn meta(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

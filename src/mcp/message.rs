//! A line of input made into messages, or into the error that answers it.
//!
//! rmcp's own framing drops in silence what it cannot parse, and its client then waits for an answer until it
//! times out. Here such a line is answered, with its id wherever one can be made out.

use std::fmt;

use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage};
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use crate::checkpoint::surrogates;

/// What one JSON value asks for.
#[derive(Debug)]
pub(super) enum Incoming {
    Message(Box<ClientJsonRpcMessage>),
    /// Not a message; this error is the answer.
    Refused(Box<ServerJsonRpcMessage>),
}

/// What one line holds.
#[derive(Debug)]
pub(super) enum Parsed {
    Blank,
    One(Incoming),
    /// A JSON-RPC batch.
    Many(Vec<Incoming>),
}

pub(super) fn parse(line: &[u8]) -> Parsed {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.trim_ascii().is_empty() {
        return Parsed::Blank;
    }
    match surrogates::from_slice::<Value>(line) {
        Ok(Value::Array(items)) if !items.is_empty() => {
            Parsed::Many(items.into_iter().map(message).collect())
        }
        Ok(value) => Parsed::One(message(value)),
        Err(error) => Parsed::One(refused(
            ErrorData::parse_error(format!("not valid JSON: {error}"), None),
            id_in(line),
        )),
    }
}

/// The answer to a line of which only the beginning was kept.
pub(super) fn too_long(head: &[u8]) -> Incoming {
    refused(
        ErrorData::invalid_request("the message is too long", None),
        id_in(head),
    )
}

/// The answer to a batch in a protocol version without batches.
pub(super) fn no_batches() -> Incoming {
    let error = "batches are part of protocol version 2025-03-26 alone";
    refused(ErrorData::invalid_request(error, None), None)
}

fn message(value: Value) -> Incoming {
    let id = value
        .get("method")
        .and_then(|_| value.get("id"))
        .and_then(request_id);
    match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(Box::new(message)),
        Err(_) => {
            let error = "not a JSON-RPC 2.0 message";
            refused(ErrorData::invalid_request(error, None), id)
        }
    }
}

fn refused(error: ErrorData, id: Option<RequestId>) -> Incoming {
    Incoming::Refused(Box::new(ServerJsonRpcMessage::error(error, id)))
}

fn request_id(value: &Value) -> Option<RequestId> {
    serde_json::from_value(value.clone()).ok()
}

/// The id of a request that cannot be parsed as a whole: cut off, nested too deeply, not UTF-8.
fn id_in(line: &[u8]) -> Option<RequestId> {
    let mut envelope = Envelope::default();
    // What was seen up to the fault counts, and the fault itself is known.
    let _ = serde_json::Deserializer::from_slice(line).deserialize_map(&mut envelope);
    envelope
        .id
        .as_ref()
        .filter(|_| envelope.has_method)
        .and_then(request_id)
}

#[derive(Default)]
struct Envelope {
    id: Option<Value>,
    /// An answer has an id as well, but one of ours, which an error must not bear.
    has_method: bool,
}

impl<'de> Visitor<'de> for &mut Envelope {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            self.has_method |= name == "method";
            if name == "id" {
                self.id = Some(fields.next_value()?);
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer_to(line: &[u8]) -> Value {
        match parse(line) {
            Parsed::One(Incoming::Refused(answer)) => serde_json::to_value(answer).unwrap(),
            other => panic!("not refused: {other:?}"),
        }
    }

    #[test]
    fn what_cannot_be_parsed_is_answered_with_its_id() {
        let deep = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}{}}}"#,
            "[".repeat(300),
            "]".repeat(300)
        );
        for line in [
            deep.as_bytes(),
            br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\ud80x"}}"#,
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"\xff\"}}",
            br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"#,
        ] {
            let answer = answer_to(line);
            assert_eq!(answer["id"], 1, "{answer}");
            assert_eq!(answer["error"]["code"], -32700, "{answer}");
        }
    }

    #[test]
    fn an_error_never_bears_the_id_of_one_of_our_own_requests() {
        for line in [
            &br#"{"jsonrpc":"2.0","id":0,"result":{"#[..],
            br#"{"jsonrpc":"2.0","id":0}"#,
        ] {
            assert_eq!(answer_to(line).get("id"), None);
        }
    }

    #[test]
    fn json_that_is_no_message_is_an_invalid_request() {
        for (line, id) in [
            ("42", Value::Null),
            ("{}", Value::Null),
            ("[]", Value::Null),
            (r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#, "a".into()),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
                Value::Null,
            ),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Value::Null),
        ] {
            let answer = answer_to(line.as_bytes());
            assert_eq!(answer["error"]["code"], -32600, "{line}: {answer}");
            assert_eq!(answer["id"], id, "{line}");
        }
    }

    #[test]
    fn blank_lines_and_byte_order_marks_are_no_matter() {
        assert!(matches!(parse(b" \r"), Parsed::Blank));
        let ping = b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r";
        assert!(matches!(parse(ping), Parsed::One(Incoming::Message(_))));
    }
}

//! A line of input made into messages, or into the error that answers it.
//!
//! rmcp's own framing drops in silence what it cannot parse, and its client then waits for an answer until it
//! times out. Here such a line is answered, with its id wherever one can be made out.

use std::fmt;
use std::sync::LazyLock;

use rmcp::model::{
    ClientJsonRpcMessage, ErrorData, InitializeRequestParams, RequestId, ServerJsonRpcMessage,
};
use serde::Deserialize as _;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::checkpoint::surrogates;

/// How many values a message may hold. A save at every limit has not a thousand, and one can take a thousand times of its
/// own length once it is parsed.
const VALUES: usize = 10_000;

/// Begins the text that stands for an id that rmcp has no room for: a number beyond 64 bits with a sign, of which the
/// answer has to bear every digit.
static STAND_IN: LazyLock<String> = LazyLock::new(|| format!("{}:", Uuid::new_v4()));

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
    if has_more_values(line, VALUES) {
        return Parsed::One(refused(
            ErrorData::invalid_request("the message holds too many values", None),
            id_in(line),
        ));
    }
    match surrogates::from_slice::<Value>(line) {
        Ok(Value::Array(items)) if !items.is_empty() => {
            let texts = surrogates::from_slice::<Vec<Box<RawValue>>>(line).unwrap_or_default();
            let mut texts = texts.iter().map(|text| text.get().as_bytes());
            let messages = items.into_iter();
            Parsed::Many(
                messages
                    .map(|item| message(item, texts.next().unwrap_or_default()))
                    .collect(),
            )
        }
        Ok(value) => Parsed::One(message(value, line)),
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
    let error = "only protocol version 2025-03-26 has batches";
    refused(ErrorData::invalid_request(error, None), None)
}

/// Whether JSON holds more values than that, by the marks that stand between them.
fn has_more_values(json: &[u8], most: usize) -> bool {
    let mut values = 0;
    let mut in_text = false;
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if in_text => drop(bytes.next()),
            b'"' => in_text = !in_text,
            b',' | b'[' | b'{' if !in_text => values += 1,
            _ => {}
        }
    }
    values > most
}

/// `text` is what `value` was parsed from.
fn message(mut value: Value, text: &[u8]) -> Incoming {
    let has_method = value.get("method").is_some();
    if has_method && let Some(id @ Value::Number(_)) = value.get_mut("id") {
        stand_in(id, || id_text(text));
    }
    if let Some(id) = value.pointer_mut("/params/requestId") {
        stand_in(id, || None);
    }
    let id = value
        .get("id")
        .filter(|_| has_method)
        .and_then(|id| RequestId::deserialize(id).ok());
    if let Some(fault) = fault_of_initialize(&value) {
        let error = format!("malformed parameters of `initialize`: {fault}");
        return refused(ErrorData::invalid_params(error, None), id);
    }
    match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(Box::new(message)),
        Err(_) => {
            let error = "not a JSON-RPC 2.0 message";
            refused(ErrorData::invalid_request(error, None), id)
        }
    }
}

/// What is wrong with the request that opens a session, which the library below takes for another one where it cannot
/// read it.
fn fault_of_initialize(message: &Value) -> Option<serde_json::Error> {
    if message.get("method")? != "initialize" || message.get("id").is_none() {
        return None;
    }
    let parameters = message.get("params").unwrap_or(&Value::Null);
    InitializeRequestParams::deserialize(parameters).err()
}

fn refused(error: ErrorData, id: Option<RequestId>) -> Incoming {
    Incoming::Refused(Box::new(ServerJsonRpcMessage::error(error, id)))
}

/// Puts a text in the place of a number that rmcp cannot hold. `written` gives its digits where a number cannot hold them
/// either.
fn stand_in(id: &mut Value, written: impl FnOnce() -> Option<String>) {
    if id.is_number() && RequestId::deserialize(&*id).is_err() {
        let digits = written().unwrap_or_else(|| id.to_string());
        *id = Value::String(STAND_IN.clone() + &digits);
    }
}

/// An answer as it is written: with the numbers back for which [`message`] put a text.
pub(super) fn with_numbers(line: String, answered: &[RequestId]) -> String {
    let mut line = line;
    for id in answered {
        if let RequestId::String(id) = id
            && let Some(digits) = id.strip_prefix(STAND_IN.as_str())
        {
            line = line.replace(&format!("\"{id}\""), digits);
        }
    }
    line
}

/// The id of a message, as it is written there.
fn id_text(line: &[u8]) -> Option<String> {
    Some(envelope(line).id?.get().to_owned())
}

/// The id of a request that cannot be parsed as a whole: cut off, nested too deeply, not UTF-8.
fn id_in(line: &[u8]) -> Option<RequestId> {
    let envelope = envelope(line);
    let text = envelope.id.filter(|_| envelope.has_method)?;
    let text = text.get();
    let is_integer = text
        .trim_start_matches('-')
        .bytes()
        .all(|byte| byte.is_ascii_digit());
    let mut id = match surrogates::from_slice(text.as_bytes()) {
        Ok(id) => id,
        // Its size is beyond every number.
        Err(_) if is_integer => Value::String(STAND_IN.clone() + text),
        Err(_) => return None,
    };
    stand_in(&mut id, || Some(text.to_owned()));
    RequestId::deserialize(id).ok()
}

fn envelope(line: &[u8]) -> Envelope {
    let mut envelope = Envelope::default();
    // What was seen up to the fault counts, and the fault itself is known.
    let _ = serde_json::Deserializer::from_slice(line).deserialize_map(&mut envelope);
    envelope
}

#[derive(Default)]
struct Envelope {
    id: Option<Box<RawValue>>,
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
    fn ids_are_answered_as_they_are_written() {
        let long = "9".repeat(400);
        for id in [
            long.as_str(),
            "0",
            "-1",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "-9223372036854775809",
            "123456789012345678901234567890",
            "\"a\"",
        ] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","params":"#);
            for line in [format!("{line}1}}"), line] {
                let Parsed::One(Incoming::Refused(answer)) = parse(line.as_bytes()) else {
                    panic!("not refused: {line}");
                };
                let ServerJsonRpcMessage::Error(error) = &*answer else {
                    panic!("no error: {line}");
                };
                let ids = Vec::from_iter(error.id.clone());
                let written = with_numbers(serde_json::to_string(&answer).unwrap(), &ids);
                assert!(written.contains(&format!("\"id\":{id},")), "{written}");
            }
        }
    }

    #[test]
    fn a_message_of_too_many_values_is_refused_by_its_id() {
        for (value, count, is_refused) in [
            ("1,", VALUES, true),
            ("[", VALUES, true),
            ("\",[{,\\\"\",", VALUES - 10, false),
        ] {
            let many = value.repeat(count);
            let line = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"ping","params":[{many}"#);
            let answer = answer_to(line.as_bytes());
            let code = if is_refused { -32600 } else { -32700 };
            assert_eq!(
                (&answer["id"], &answer["error"]["code"]),
                (&7.into(), &code.into())
            );
        }
        let text = ",".repeat(VALUES + 1);
        let ping =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":"\"{text}"}}}}"#);
        assert!(matches!(
            parse(ping.as_bytes()),
            Parsed::One(Incoming::Message(_))
        ));
    }

    #[test]
    fn blank_lines_and_byte_order_marks_are_no_matter() {
        assert!(matches!(parse(b" \r"), Parsed::Blank));
        let ping = b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r";
        assert!(matches!(parse(ping), Parsed::One(Incoming::Message(_))));
    }
}

//! JSON of other writers made readable: what cannot be read of it is left out, and nothing else (docs/contract.md, section 5).

use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::surrogates;

/// The value of a JSON text. A number that 64 bits cannot hold becomes the text of its digits, so that no save
/// rounds it.
pub(super) fn value(json: &[u8]) -> serde_json::Result<Value> {
    match surrogates::from_slice(json) {
        Ok(value) if !has_huge_number(&value) => Ok(value),
        // The parser refuses one such as 1e400, and rounds a whole one.
        rounded => match with_numbers_as_text(json) {
            Some(json) => surrogates::from_slice(&json),
            None => rounded,
        },
    }
}

/// Takes out of a value what stands at a path, or where only more than that can go, what holds it: an entry of a
/// list, or the value of a field. Gives the name of what went, and None where nothing at the path can go.
pub(super) fn leave_out(value: &mut Value, path: &Path) -> Option<String> {
    let mut path: Vec<&Segment> = path.iter().collect();
    while let Some((last, parents)) = path.split_last() {
        let parent = parents
            .iter()
            .try_fold(&mut *value, |value, segment| match segment {
                Segment::Seq { index } => value.get_mut(index),
                Segment::Map { key } => value.get_mut(key),
                _ => None,
            });
        let went = match (parent, last) {
            (Some(Value::Array(list)), Segment::Seq { index }) if *index < list.len() => {
                list.remove(*index);
                true
            }
            (Some(Value::Object(fields)), Segment::Map { key }) => match fields.get_mut(key) {
                Some(Value::Null) | None => false,
                Some(field) => {
                    *field = Value::Null;
                    true
                }
            },
            _ => false,
        };
        if went {
            return Some(named(&path));
        }
        path.pop();
    }
    None
}

fn named(path: &[&Segment]) -> String {
    let mut name = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => name.push_str(&format!("[{index}]")),
            segment => {
                if !name.is_empty() {
                    name.push('.');
                }
                name.push_str(&segment.to_string());
            }
        }
    }
    name
}

/// Whether a number stands for a whole one that may have been rounded.
fn has_huge_number(value: &Value) -> bool {
    const EXACT: f64 = (1_u64 << 53) as f64;
    match value {
        Value::Number(number) => {
            number.is_f64() && number.as_f64().is_some_and(|number| number.abs() > EXACT)
        }
        Value::Array(list) => list.iter().any(has_huge_number),
        Value::Object(fields) => fields.values().any(has_huge_number),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// The JSON with quotes around every number that would not be kept; None where there is none.
fn with_numbers_as_text(json: &[u8]) -> Option<Vec<u8>> {
    let mut quoted = Vec::with_capacity(json.len() + 2);
    let mut changed = false;
    let mut at = 0;
    while at < json.len() {
        let length = match json[at] {
            b'"' => string(&json[at..]),
            b'-' | b'0'..=b'9' => number(&json[at..]),
            _ => 1,
        };
        let token = &json[at..at + length];
        if json[at] != b'"' && is_lost(token) {
            changed = true;
            quoted.push(b'"');
            quoted.extend_from_slice(token);
            quoted.push(b'"');
        } else {
            quoted.extend_from_slice(token);
        }
        at += length;
    }
    changed.then_some(quoted)
}

/// Bytes of the string that begins there, with its quotes.
fn string(json: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = json.get(at) {
        at += match byte {
            b'\\' => 2,
            b'"' => return at + 1,
            _ => 1,
        };
    }
    json.len()
}

/// Bytes of the number that begins there.
fn number(json: &[u8]) -> usize {
    let part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    json.iter().take_while(|byte| part(byte)).count()
}

/// Whether a token is a number that the parser refuses or rounds to another whole one.
fn is_lost(token: &[u8]) -> bool {
    let Some(token) = std::str::from_utf8(token).ok().filter(|token| {
        let digits = token.strip_prefix('-').unwrap_or(token);
        digits.starts_with(|c: char| c.is_ascii_digit())
    }) else {
        return false;
    };
    if token.contains(['.', 'e', 'E']) {
        return token.parse::<f64>().is_ok_and(f64::is_infinite);
    }
    token.parse::<i64>().is_err() && token.parse::<u64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_keep_their_digits() {
        for (text, expected) in [
            ("[1, -1, 1.5, 1e3]", json!([1, -1, 1.5, 1e3])),
            ("18446744073709551615", json!(u64::MAX)),
            ("18446744073709551616", json!("18446744073709551616")),
            ("-9223372036854775809", json!("-9223372036854775809")),
            ("{\"a\":1e400}", json!({"a": "1e400"})),
            (
                r#"["18446744073709551616", "\"1e400", -1e999]"#,
                json!(["18446744073709551616", "\"1e400", "-1e999"]),
            ),
            ("1e300", json!(1e300)),
        ] {
            assert_eq!(value(text.as_bytes()).unwrap(), expected, "{text}");
        }
        for fault in ["1e400 x", "[1e400", "-", "\"1e400", "--1e400"] {
            assert!(value(fault.as_bytes()).is_err(), "{fault}");
        }
    }
}

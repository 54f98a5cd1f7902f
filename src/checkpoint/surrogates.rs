//! Lone surrogates in JSON: other programs write them where they cut a text in the middle of a character.

use serde::de::DeserializeOwned;

/// The escape of U+FFFD, which stands for what cannot be read.
const REPLACEMENT: &[u8] = b"fffd";

/// A value from JSON in which U+FFFD stands for every half of a character.
pub(crate) fn from_slice<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(json).or_else(|error| {
        // Nearly all JSON has none, so it is looked for only where the parser stumbled.
        let replaced = error.is_syntax().then(|| replaced(json)).flatten();
        serde_json::from_slice(&replaced.ok_or(error)?)
    })
}

/// JSON in which every `\u` escape of half a character is one of U+FFFD; None where there is none.
///
/// The grammar allows them (RFC 8259 section 8.2), no Unicode text can hold them.
fn replaced(json: &[u8]) -> Option<Vec<u8>> {
    let mut replaced = None;
    let mut at = 0;
    while at < json.len() {
        at += match (json[at], escape(json, at)) {
            (_, Some(0xd800..=0xdbff)) if matches!(escape(json, at + 6), Some(0xdc00..=0xdfff)) => {
                12
            }
            (_, Some(0xd800..=0xdfff)) => {
                let replaced: &mut Vec<u8> = replaced.get_or_insert_with(|| json.to_vec());
                replaced[at + 2..at + 6].copy_from_slice(REPLACEMENT);
                6
            }
            // Also past an escaped backslash, which begins nothing.
            (b'\\', _) => 2,
            _ => 1,
        };
    }
    replaced
}

/// The code unit of the `\u` escape that begins there.
fn escape(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain
        .then(|| u16::from_str_radix(digits, 16).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_are_replaced() {
        for (json, expected) in [
            (r#""a\ud83d""#, Some(r#""a\ufffd""#)),
            (r#""\udE00a""#, Some(r#""\ufffda""#)),
            (r#""\ud83d\ud83d\ude00""#, Some(r#""\ufffd\ud83d\ude00""#)),
            (r#""\ud83d\u0041""#, Some(r#""\ufffd\u0041""#)),
            (r#""\ud83d\ude00""#, None),
            (r#""\\ud83d""#, None),
            (r#""\\\ud83d""#, Some(r#""\\\ufffd""#)),
            (r#""\u+83d \ud8 \""#, None),
            ("\\", None),
            ("", None),
        ] {
            let found = replaced(json.as_bytes());
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{json}");
        }
    }

    #[test]
    fn a_half_is_read_and_other_faults_stay_faults() {
        let read = |json: &str| from_slice::<String>(json.as_bytes());
        assert_eq!(read(r#""a\ud83d b""#).unwrap(), "a\u{fffd} b");
        for fault in [r#""\ud83d"#, r#""\ud83d" x"#, r#""\ud83g""#, "\"\n\""] {
            assert!(read(fault).is_err(), "{fault}");
        }
        assert!(from_slice::<u8>(br#""\ud83d""#).is_err());
    }
}

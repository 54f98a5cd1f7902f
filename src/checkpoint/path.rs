//! Paths as text: exact in the file, harmless in the brief.

use std::borrow::Cow;
use std::path::{Component, Path};

use serde::Serializer;

use super::text::{is_harmless, is_unprintable};

/// The text that stands for a path's bytes in a checkpoint.
///
/// Nearly always the path itself. A name that is not UTF-8, or that starts with a double quote, stands in
/// the quoted form of git (git-config(1), `core.quotePath`), so that [`decode`] gives its bytes back.
pub(crate) fn encode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.starts_with('"') => text.to_owned(),
        _ => quote(bytes, |byte| !byte.is_ascii()),
    }
}

/// [`encode`] of bytes that are not needed any more.
pub(crate) fn from_bytes(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) if !text.starts_with('"') => text,
        Ok(text) => encode(text.as_bytes()),
        Err(error) => encode(error.as_bytes()),
    }
}

/// The bytes of a path that [`encode`] made text of; text of another form stands for itself.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    unquote(text).unwrap_or_else(|| text.as_bytes().to_vec())
}

/// A path for programs to read: as it is, but [`shown`] where it hides something.
pub(crate) fn harmless(path: &str) -> Cow<'_, str> {
    if is_harmless(path) {
        Cow::Borrowed(path)
    } else {
        Cow::Owned(shown(path))
    }
}

/// [`harmless`], for a field.
pub(super) fn serialize<S: Serializer>(path: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&harmless(path))
}

/// The text of a path below a root, relative to it; None for the root itself and outside of it, as far as the path alone
/// can tell.
pub(crate) fn below(root: &Path, path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root).ok()?.components();
    let named = inside.filter(|component| *component != Component::CurDir);
    let names: Option<Vec<&[u8]>> = named
        .map(|component| match component {
            Component::Normal(name) => Some(name.as_encoded_bytes()),
            _ => None,
        })
        .collect();
    let path = names?.join(&b'/');
    (!path.is_empty()).then(|| from_bytes(path))
}

/// The bytes of a path as a brief shows it, where that is quoted; None where it stands for itself.
pub(crate) fn from_shown(text: &str) -> Option<Vec<u8>> {
    unquote(text).filter(|bytes| bytes != text.as_bytes())
}

/// A path for people to read: quoted as git does it where it holds a quote, a backslash, a control
/// character or what hides something, or has white space at an end, and else as it is.
pub(crate) fn shown(path: &str) -> String {
    let is_special = |c: char| c == '"' || c == '\\';
    let is_plain = is_harmless(path) && path.trim() == path;
    if is_plain && (unquote(path).is_some() || !path.chars().any(is_special)) {
        return path.to_owned();
    }
    let mut shown = String::from("\"");
    for c in path.chars() {
        if c.is_ascii() || is_unprintable(c) {
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                push_byte(&mut shown, byte, |byte| !byte.is_ascii());
            }
        } else {
            shown.push(c);
        }
    }
    shown.push('"');
    shown
}

fn quote(bytes: &[u8], escaped: impl Fn(u8) -> bool) -> String {
    let mut quoted = String::from("\"");
    for &byte in bytes {
        push_byte(&mut quoted, byte, &escaped);
    }
    quoted.push('"');
    quoted
}

fn push_byte(out: &mut String, byte: u8, escaped: impl Fn(u8) -> bool) {
    match byte {
        b'"' => out.push_str("\\\""),
        b'\\' => out.push_str("\\\\"),
        b'\n' => out.push_str("\\n"),
        b'\r' => out.push_str("\\r"),
        b'\t' => out.push_str("\\t"),
        byte if byte.is_ascii_control() || escaped(byte) => out.push_str(&format!("\\{byte:03o}")),
        byte => out.push(char::from(byte)),
    }
}

fn unquote(text: &str) -> Option<Vec<u8>> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => return None,
            b'\\' => bytes.push(match rest.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                byte @ (b'"' | b'\\') => byte,
                high @ b'0'..=b'3' => {
                    let (middle, low) = (octal(rest.next()?)?, octal(rest.next()?)?);
                    (high - b'0') << 6 | middle << 3 | low
                }
                _ => return None,
            }),
            byte => bytes.push(byte),
        }
    }
    Some(bytes)
}

fn octal(byte: u8) -> Option<u8> {
    matches!(byte, b'0'..=b'7').then(|| byte - b'0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back_as_its_bytes() {
        for (bytes, text) in [
            (&b"src/a.rs"[..], "src/a.rs"),
            ("naïve ü.txt".as_bytes(), "naïve ü.txt"),
            (b"caf\xe9.txt", r#""caf\351.txt""#),
            (b"\"a\"", r#""\"a\"""#),
            (b"tab\there", "tab\there"),
            (b"\"\xff\\\n", r#""\"\377\\\n""#),
        ] {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text), bytes);
        }
    }

    #[test]
    fn odd_names_are_shown_quoted() {
        for (path, expected) in [
            ("a b.txt", "a b.txt"),
            ("ü.txt", "ü.txt"),
            ("a\nb", r#""a\nb""#),
            ("a\"b", r#""a\"b""#),
            ("a\u{202e}b", r#""a\342\200\256b""#),
            ("\u{1b}[31mü", r#""\033[31mü""#),
            (r#""caf\351.txt""#, r#""caf\351.txt""#),
            ("\"a\u{1b}[2J\"", r#""\"a\033[2J\"""#),
            ("\"\u{202e}\"", r#""\"\342\200\256\"""#),
            ("👨\u{200d}👩.txt", "👨\u{200d}👩.txt"),
            ("a\u{fe0f}b", r#""a\357\270\217b""#),
            (" lead", r#"" lead""#),
            ("two  spaces", "two  spaces"),
        ] {
            assert_eq!(shown(path), expected);
            let bytes = from_shown(expected).unwrap_or_else(|| expected.as_bytes().to_vec());
            assert_eq!(encode(&bytes), encode(&shown_bytes(path)));
        }
    }

    /// What a path stands for to which quotes were given by hand.
    fn shown_bytes(path: &str) -> Vec<u8> {
        match encode(&decode(path)) == path {
            true => decode(path),
            false => path.as_bytes().to_vec(),
        }
    }

    #[test]
    fn a_path_below_the_root_is_relative_to_it() {
        let below = |path: &str| below(Path::new("/p"), Path::new(path));
        assert_eq!(below("/p/a/./b").as_deref(), Some("a/b"));
        for outside in ["/p", "/p/.", "/p/../a", "/pa", "a"] {
            assert_eq!(below(outside), None, "{outside}");
        }
    }
}

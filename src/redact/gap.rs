//! What stands between a name and its value: closing quotes, blanks, continuations, a type.

use super::class::Class;

const SPACE: Class = Class::of(" \t\r\n");

/// Past the quotes and brackets that close around a name.
pub(super) fn skip_closers(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = end;
    for _ in 0..4 {
        match bytes.get(at) {
            Some(b'"' | b'\'' | b'`' | b']' | b'*') => at += 1,
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'"' | b'\'' | b'\\')) => at += 1,
            Some(b')') if bytes.get(at + 1) == Some(&b'.') => return at,
            _ => return at,
        }
    }
    at
}

/// Past white space, line continuations and an opening parenthesis.
pub(super) fn skip_space(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = at;
    loop {
        let space = SPACE.run_end(bytes, at);
        let rest = bytes.get(space..).unwrap_or_default();
        at = match rest {
            [b'\\' | b'^' | b'`', b'\n', ..] => space + 2,
            [b'\\' | b'^' | b'`', b'\r', b'\n', ..] => space + 3,
            [b'(', b'\n' | b'"' | b'\'' | b' ', ..] => space + 1,
            _ => return space,
        };
    }
}

/// Whether the text between `at` and `end` ends a line that does not go on.
pub(super) fn ends_line(text: &str, at: usize, end: usize) -> bool {
    text.get(at..end).is_some_and(|gap| {
        gap.split_inclusive('\n').any(|line| {
            let kept = line.trim_end_matches(['\r', '\n']);
            kept.len() < line.len() && !kept.ends_with(['\\', '^', '`'])
        })
    })
}

/// Past a line continuation right after an operator.
pub(super) fn continued(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    if rest.starts_with("\\\n") || rest.starts_with("\\\r\n") {
        skip_space(text, at)
    } else {
        at
    }
}

/// Most bytes of an annotation.
const LONGEST_ANNOTATION: usize = 48;

/// A type annotation at `at`, and where the value after it begins: `: &'static str = "value"`.
pub(super) fn annotation(text: &str, at: usize) -> Option<(&str, usize)> {
    const TYPE: Class = Class::of("A-Za-z0-9_&'<>[];:.?| ");
    let bytes = text.as_bytes();
    let end = TYPE.run_end(bytes.get(..at + LONGEST_ANNOTATION).unwrap_or(bytes), at);
    let annotation = text.get(at..end)?.strip_suffix(' ')?.trim_start();
    let single = annotation.bytes().filter(|byte| *byte == b' ').count() <= 1;
    let assigned = bytes.get(end) == Some(&b'=') && bytes.get(end + 1) != Some(&b'=');
    (assigned && single && !annotation.is_empty()).then(|| (annotation, skip_space(text, end + 1)))
}

/// Whether a value of the annotated type can be text.
pub(super) fn is_textual(annotation: &str) -> bool {
    let annotation = annotation.to_ascii_lowercase();
    ["str", "char", "any", "byte", "u8", "secret", "text"]
        .iter()
        .any(|known| annotation.contains(known))
}

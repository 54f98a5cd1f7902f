//! Type annotations between a name and its value.

use super::class::Class;
use super::link;

/// Most bytes of an annotation.
const LONGEST: usize = 48;

/// A type annotation at `at`, and where the value after it begins: `: &'static str = "value"`.
pub(super) fn at(text: &str, at: usize) -> Option<(&str, usize)> {
    const TYPE: Class = Class::of("A-Za-z0-9_&'<>[];:.?| ");
    let bytes = text.as_bytes();
    let end = TYPE.run_end(bytes.get(..at + LONGEST).unwrap_or(bytes), at);
    let annotation = text.get(at..end)?.strip_suffix(' ')?.trim_start();
    let single = annotation.bytes().filter(|byte| *byte == b' ').count() <= 1;
    let assigned = bytes.get(end) == Some(&b'=') && bytes.get(end + 1) != Some(&b'=');
    (assigned && single && !annotation.is_empty())
        .then(|| (annotation, link::skip_space(text, end + 1)))
}

/// Whether a value of the annotated type can be text.
pub(super) fn is_textual(annotation: &str) -> bool {
    let annotation = annotation.to_ascii_lowercase();
    ["str", "char", "any", "byte", "u8", "secret", "text"]
        .iter()
        .any(|known| annotation.contains(known))
}

//! What redaction takes out, what it leaves, and what holds for any text.

mod contract;
mod harmless;
mod near;
mod notes;
mod properties;
mod secrets;
mod shell;
mod tables;

use super::{MARK, redact};

/// A line of a test table as the text it stands for: `¦` is nothing (it keeps example secrets from
/// looking like leaks), `↵` is a line break.
fn text_of(line: &str) -> String {
    line.replace('¦', "").replace('↵', "\n")
}

/// Checks that exactly the parts of `line` between `⟦` and `⟧` are redacted.
#[track_caller]
fn assert_redacted(line: &str) {
    let line = text_of(line);
    let text = line.replace(['⟦', '⟧'], "");
    let mut expected = String::new();
    let mut count = 0;
    for (number, part) in line.split('⟦').enumerate() {
        let kept = match part.split_once('⟧') {
            Some((_, kept)) if number > 0 => {
                expected.push_str(MARK);
                count += 1;
                kept
            }
            _ => part,
        };
        expected.push_str(kept);
    }
    let redacted = redact(&text);
    assert_eq!(redacted.text, expected, "redacting {text}");
    assert_eq!(redacted.count, count, "redacting {text}");
    assert_eq!(redact(&redacted.text).count, 0, "redacting {text} twice");
}

//! Any text: redaction neither panics nor mangles, redacts once and for all, and misses no token.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../src/redact/mod.rs"]
mod redact;

use redact::{MARK, redact as run};

/// A token that is redacted wherever it stands alone.
const TOKEN: &str = concat!("gh", "p_", "q8Zk2LwP0sVx7YbN4tRc6MdF1gHj3KaU9eQi");

fuzz_target!(|text: &str| {
    let once = run(text);
    assert_eq!(once.count == 0, once.text == text, "the count tells of changes");
    let twice = run(&once.text);
    assert_eq!(twice.count, 0, "nothing is left to redact");
    assert_eq!(twice.text, once.text);
    kept_in_order(text, &once.text);

    // The fuzzer learns the token from the comparison below.
    if text.contains(&TOKEN[12..]) {
        return;
    }
    let middle = text.floor_char_boundary(text.len() / 2);
    let (before, after) = text.split_at(middle);
    let with = run(&format!("{before} {TOKEN} {after}"));
    assert!(!with.text.contains(&TOKEN[12..]), "the token is gone");
});

/// What stands between the marks is the text's own, in its order.
fn kept_in_order(text: &str, redacted: &str) {
    let mut rest = text;
    for part in redacted.split(MARK) {
        let at = rest.find(part).expect("a kept part is from the text");
        rest = &rest[at + part.len()..];
    }
}

//! Any text: redaction neither panics nor mangles, redacts once and for all, misses no token, and looks at no more than
//! its bound allows.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../src/redact/mod.rs"]
mod redact;

use redact::{MARK, cost, redact as run};

/// A token that is redacted wherever it stands alone.
const TOKEN: &str = concat!("gh", "p_", "q8Zk2LwP0sVx7YbN4tRc6MdF1gHj3KaU9eQi");

/// A text of fewer bytes may cost as much as one of so many.
const SHORT: usize = 512;

fuzz_target!(|text: &str| {
    let once = run(text);
    assert_eq!(once.count == 0, once.text == text, "the count tells of changes");
    let twice = run(&once.text);
    assert_eq!(twice.count, 0, "nothing is left to redact");
    assert_eq!(twice.text, once.text);
    kept_in_order(text, &once.text);
    let plain = "the cache is warm again ".repeat(1 + text.len().max(SHORT) / 24);
    assert!(cost(text) <= 20 * cost(&plain), "a crafted text costs too much");

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

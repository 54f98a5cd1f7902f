//! docs/SECURITY.md: every promise names what holds it, and that is there.

use std::path::Path;

const SECURITY: &str = include_str!("../../docs/SECURITY.md");

/// The rows of the table of promises: what is promised, and what it says of tests.
fn promises() -> Vec<(&'static str, &'static str)> {
    let table = SECURITY
        .split_once("| promise | tested by |")
        .unwrap()
        .1
        .split_once("\n\n")
        .unwrap()
        .0;
    let rows = table.lines().filter(|line| line.starts_with("| **"));
    rows.map(|row| row.rsplit_once(" | ").unwrap()).collect()
}

#[test]
fn every_promise_names_its_tests_and_each_of_them_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let promises = promises();
    assert!(promises.len() >= 10, "{promises:?}");
    for (promise, tested) in promises {
        let is_path = |text: &&str| text.contains('/') || text.ends_with(".toml");
        let paths: Vec<&str> = tested
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(is_path)
            .collect();
        assert!(!paths.is_empty(), "{promise}");
        for path in paths {
            assert!(root.join(path).exists(), "{path} of {promise}");
        }
    }
}

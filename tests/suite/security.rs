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

/// The points of the sections that promise something beside the table.
fn points() -> Vec<&'static str> {
    let sections = SECURITY.split("\n## ").filter(|section| {
        let titles = [
            "Several machines",
            "Transcripts",
            "Whose checkpoint a call writes",
        ];
        titles.iter().any(|title| section.starts_with(title))
    });
    let points = sections.flat_map(|section| section.split("\n- ").skip(1));
    points
        .map(|point| point.split("\n\n").next().unwrap())
        .collect()
}

#[test]
fn every_promise_names_its_tests_and_each_of_them_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let promises = promises();
    assert!(promises.len() >= 10, "{promises:?}");
    let points = points();
    assert!(points.len() >= 12, "{points:?}");
    let points = points.into_iter().map(|point| (point, point));
    for (promise, tested) in promises.into_iter().chain(points) {
        let is_path = |text: &&str| {
            let folders = ["tests/", "src/", "fuzz/"];
            folders.iter().any(|it| text.starts_with(it)) || *text == "deny.toml"
        };
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

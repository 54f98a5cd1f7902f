//! A checkpoint file of anybody's: read, merged into, fitted and written, so that what was written reads the same.
#![no_main]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unused_imports,
    reason = "the modules of the program are used in part"
)]

#[path = "../../src/checkpoint/mod.rs"]
mod checkpoint;

use checkpoint::bound;
use checkpoint::edits::Edits;
use checkpoint::format::{Checkpoint, Generator};
use checkpoint::merge::{self, Facts};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(read) = Checkpoint::parse(bytes) else {
        return;
    };
    // Times are cut to milliseconds by the first writing.
    let written = read.to_bytes().unwrap();
    let again = Checkpoint::parse(&written).unwrap();
    assert_eq!(written, again.to_bytes().unwrap());
    assert_eq!(read.extra, again.extra);
    assert_eq!(read.goal, again.goal);

    let edits = Edits {
        decisions: Some(vec!["new".to_owned()]),
        ..Edits::default()
    };
    let facts = Facts {
        name: None,
        id: "id".to_owned(),
        now: "2026-10-08T02:23:55Z".parse().unwrap(),
        changed_at: None,
        generator: Generator::default(),
        project: "project".to_owned(),
        session_id: None,
        resumed_from: None,
        git: None,
        client: None,
        files: Vec::new(),
        files_truncated: false,
        files_dropped: false,
        redactions: 0,
    };
    let (mut merged, _) = merge::merge(again, edits, facts);
    assert_eq!(merged.extra, read.extra);
    if let Ok((bytes, _)) = bound::fit(&mut merged).unwrap() {
        assert!(bytes.len() <= bound::FILE_BYTES);
        Checkpoint::parse(&bytes).unwrap();
    }
});

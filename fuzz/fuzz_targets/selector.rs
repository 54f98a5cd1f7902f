//! Any text as a selector, whole or a prefix: what passes is safe as a file's name.
#![no_main]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unused_imports,
    reason = "the modules of the program are used in part"
)]

#[path = "../../src/checkpoint/mod.rs"]
mod checkpoint;
#[path = "../../src/env.rs"]
mod env;
#[path = "../../src/error.rs"]
mod error;
#[path = "../../src/redact/mod.rs"]
mod redact;
#[path = "../../src/store/mod.rs"]
mod store;

use std::path::{Component, Path};

use error::Report;
use libfuzzer_sys::fuzz_target;
use store::selector::{self, Selector, SessionId};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split('\n');
    let typed = parts.next().unwrap_or_default();
    match SessionId::parse(typed) {
        Ok(id) => {
            assert_eq!(id.as_str(), typed);
            let mut components = Path::new(typed).components();
            assert!(matches!(components.next(), Some(Component::Normal(name)) if name == typed));
            assert!(components.next().is_none());
            assert!(typed.len() <= 128 && typed.is_ascii() && !typed.starts_with(['.', '-']));
            assert_eq!(Selector::parse(typed).unwrap().as_str(), typed);
        }
        Err(error) => {
            let Report { message, hint } = Report::from(&error);
            assert!(!message.contains('\n') && hint.is_some());
        }
    }
    let mut known: Vec<Selector> = parts
        .filter_map(|part| Selector::parse(part).ok())
        .collect();
    known.sort();
    known.dedup();
    if let Ok(found) = selector::expand(typed, &known) {
        assert!(found.as_str() == typed || found.starts_with(typed));
    }
    let starts = selector::Starts::new(&known);
    for selector in &known {
        let short = starts.of(selector);
        assert_eq!(selector::expand(short, &known).unwrap(), *selector);
    }
});

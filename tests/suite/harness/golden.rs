//! Golden files: whole outputs, kept under `tests/golden`; `UPDATE=1 cargo test` rewrites them.

use std::fs;
use std::path::Path;

use super::Project;

/// Compares a text with the golden file of that name.
#[track_caller]
pub(crate) fn assert_golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(
        actual, expected,
        "{name} differs; UPDATE=1 cargo test rewrites it"
    );
}

impl Project {
    /// A text with what differs between runs and machines replaced: the root, and UUIDs.
    pub(crate) fn normalized(&self, text: &str) -> String {
        let text = text.replace(&self.root().display().to_string(), "<root>");
        replace_uuids(&text)
    }
}

fn replace_uuids(text: &str) -> String {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let is_uuid = |word: &str| {
        let groups: Vec<&str> = word.split('-').collect();
        groups.len() == GROUPS.len()
            && groups.iter().zip(GROUPS).all(|(group, length)| {
                group.len() == length && group.chars().all(|c| c.is_ascii_hexdigit())
            })
    };
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_hexdigit() || c == '-') {
        replaced.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest
            .find(|c: char| !(c.is_ascii_hexdigit() || c == '-'))
            .unwrap_or(rest.len());
        replaced.push_str(if is_uuid(&rest[..end]) {
            "<uuid>"
        } else {
            &rest[..end]
        });
        rest = &rest[end..];
    }
    replaced + rest
}

//! A checkpoint file that is larger than any save writes is read in part, whatever is in it.

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, with};

/// What fills a file up to the mebibyte that is read at the most.
fn large() -> Vec<Value> {
    const BYTES: usize = 600_000;
    let text = |piece: &str| piece.repeat(BYTES / piece.len());
    let list = |entry: Value, bytes: usize| vec![entry; BYTES / bytes];
    vec![
        json!({"summary": text("token=token=a\" ")}),
        json!({"summary": text("a\n")}),
        json!({"summary": text("\u{202e}")}),
        json!({"goal": {"primary": text("password: x ")}}),
        json!({"decisions": list(json!(""), 3)}),
        json!({"nextSteps": list(json!("a b"), 6)}),
        json!({"goal": {"primary": "g", "tasks": list(json!({"description": "t"}), 19)}}),
        json!({"recentCommands": list(json!({"command": "c"}), 16)}),
        json!({"modifiedFiles": list(json!({"path": "p"}), 13)}),
        json!({"git": {"branch": text("b"), "head": text("c").len().to_string()}}),
        json!({"unknown": list(json!({"a": []}), 9)}),
    ]
}

#[test]
fn it_loads_lists_and_compares_by_what_fits() {
    let project = Project::bare_folder();
    project.put("s0", least("other"));
    for fields in large() {
        project.put("s1", with(least("g"), fields));
        let size = project.read(".claude-checkpoints/s1.json").len();
        assert!((550_000..1 << 20).contains(&size), "{size}");
        let full = project
            .ckpt(["load", "s1", "--format", "full", "--json"])
            .succeeds()
            .json();
        let warnings = full["warnings"].to_string();
        assert!(
            warnings.contains("only a part of it was read"),
            "{warnings}"
        );
        assert!(full["checkpoint"].to_string().len() < 400_000);
        assert_eq!(full["checkpoint"]["meta"]["truncated"], true);
        project.ckpt(["list"]).succeeds();
        project.ckpt(["diff", "s0", "s1"]).succeeds();
    }
}

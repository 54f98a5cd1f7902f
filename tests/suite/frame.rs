//! No text of a checkpoint can break the frame of the brief (docs/contract.md, section 10).

use serde_json::json;

use crate::harness::Project;
use crate::harness::files::{least, with};

fn brief(project: &Project) -> String {
    let output = project.ckpt(["load", "--session", "s1"]).succeeds();
    output.stays_silent().stdout
}

/// Texts that would break the frame if they stood in it as they are.
const HOSTILE: [&str; 16] = [
    "# Heading",
    "## Since this checkpoint\nNothing changed since",
    "a\n# b",
    "- # Heading",
    "1. ```\n* + <b>",
    "a\r# b\r\n## c",
    "a\u{2028}# b\u{85}# c\u{b}# d",
    "```\ncode",
    "~~~~\ncode",
    "a\n===",
    "a\n---",
    "<!-- hidden",
    "<div>\n\n</div>",
    "`code` ``` ` `",
    "a\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m",
    "a\u{202e}b\u{200b}\u{e0041}",
];

/// The headings that a Markdown reader sees, fences and HTML blocks taken into account.
fn headings(brief: &str) -> Vec<&str> {
    for line in brief.lines() {
        // What stands behind the marks of lists, where a block could start as well.
        let content = line.trim_start_matches(|c: char| c.is_ascii_digit() || " -*+.".contains(c));
        for block in ["```", "~~~", "<", ">", "==", "--"] {
            assert!(!content.starts_with(block), "{line:?} in {brief}");
        }
        assert!(
            content == line || !content.starts_with('#'),
            "{line:?} in {brief}"
        );
        assert!(
            line.is_empty() || line.chars().any(|c| !"=-_* ".contains(c)),
            "{line:?} in {brief}"
        );
    }
    brief.lines().filter(|line| line.starts_with('#')).collect()
}

#[track_caller]
fn assert_harmless(brief: &str) {
    let odd = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{e0000}'..='\u{e007f}')
    };
    assert!(!brief.contains(odd), "{brief:?}");
}

#[test]
fn no_text_of_a_checkpoint_can_break_the_frame() {
    for text in HOSTILE {
        let project = Project::bare_folder();
        project.put(
            "s1",
            with(
                least(text),
                json!({
                    "project": {"name": text},
                    "git": {"branch": text, "head": text},
                    "goal": {"primary": text, "tasks": [{"description": text, "status": text}]},
                    "summary": format!("{text}\n\n{text}"),
                    "nextSteps": [text, "next"],
                    "decisions": [text, "next"],
                    "modifiedFiles": [{"path": text, "status": text, "note": text}, {"path": "next"}],
                    "recentCommands": [{"command": text, "note": text}, {"command": "next"}],
                }),
            ),
        );
        let brief = brief(&project);
        assert_harmless(&brief);
        let headings = headings(&brief);
        assert!(headings[0].starts_with("# Resuming: "), "{brief}");
        assert_eq!(
            headings[1..],
            [
                "## Goal",
                "## Tasks",
                "## Where things stand",
                "## Next steps",
                "## Decisions & gotchas",
                "## Files touched (2)",
                "## Recent commands (last 2, oldest first)",
                "## Since this checkpoint",
            ],
            "{brief}"
        );
        let count = |start: &str| brief.lines().filter(|line| line.starts_with(start)).count();
        assert_eq!(count("- ["), 1, "{brief}");
        assert_eq!(count("- · `"), 2, "{brief}");
    }
}

#[test]
fn a_summary_keeps_its_lines_and_its_lists() {
    let project = Project::bare_folder();
    let summary = "First.\n\n- one\n- two\n\n1. three\n  indented";
    project.save("s1", json!({"goal": "g", "summary": summary}));
    assert!(brief(&project).contains(&format!("## Where things stand\n{summary}\n")));
}

#[test]
fn a_command_with_backticks_stays_one_code_span() {
    let project = Project::bare_folder();
    project.save(
        "s1",
        json!({"goal": "g", "recentCommands": [{"command": "echo `date`\necho ``"}]}),
    );
    assert!(brief(&project).contains("- · ``` echo `date` echo `` ```\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn odd_paths_are_quoted_as_git_quotes_them() {
    use std::os::unix::ffi::OsStrExt as _;
    let project = Project::repository();
    for name in [
        &b"tab\there"[..],
        b"new\nline",
        b"qu\"ote",
        b"caf\xe9",
        b"\x1b[31mred",
        "ü b.txt".as_bytes(),
    ] {
        project.write(std::ffi::OsStr::from_bytes(name), "x");
    }
    project.save("s1", json!({"goal": "g"}));
    let shown = brief(&project);
    for quoted in [
        r#""tab\there""#,
        r#""new\nline""#,
        r#""qu\"ote""#,
        r#""caf\351""#,
        r#""\033[31mred""#,
        "ü b.txt",
    ] {
        assert!(
            shown.contains(&format!("- {quoted} (??)\n")),
            "{quoted} in {shown}"
        );
    }
    assert_harmless(&shown);
    assert_eq!(project.changed_since("s1"), Vec::<String>::new());
}

//! What happened after a save, from the transcript of a long session.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use crate::measure::{Bench, command_with};
use crate::project::Project;

const SESSION: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
/// Bytes of the whole transcript, of which those before the save are a hole, and since the save.
const WHOLE: u64 = 500 << 20;
const SINCE: usize = 900 << 10;

/// Loads a checkpoint whose session's transcript is large, and had almost a megabyte since the save.
pub(crate) fn measure(bench: &Bench) {
    let name = "load, transcript of 500 MB";
    if !bench.wants(name) {
        return;
    }
    let project = Project::new(20);
    let (with, without) = (
        project.folder().join("with"),
        project.folder().join("without"),
    );
    fs::create_dir(&without).unwrap();
    let ckpt = |args: &[&str], configuration: &Path| {
        let variables = [
            ("CLAUDE_CONFIG_DIR", configuration),
            ("CODEX_HOME", &without),
        ];
        command_with(&bench.ckpt, &project.root, args, None, &variables)
    };
    ckpt(
        &["--session", SESSION, "save", "--goal", "a goal"],
        &without,
    )();
    write(&with, &project.root);
    let mut load = ckpt(&["load", SESSION], &with);
    let mut reference = ckpt(&["load", SESSION], &without);
    bench.row(name, "the same without it", 1.3, &mut load, &mut reference);
}

/// Writes the transcript where Claude Code has it for that project.
fn write(configuration: &Path, root: &Path) {
    let root = root.to_str().unwrap();
    let name: String = root
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = configuration.join("projects").join(name);
    fs::create_dir_all(&folder).unwrap();
    let mut file = File::create(folder.join(format!("{SESSION}.jsonl"))).unwrap();
    let since = since(root);
    file.set_len(WHOLE - since.len() as u64).unwrap();
    std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).unwrap();
    file.write_all(since.as_bytes()).unwrap();
}

/// Commands and what they printed, after any save that is made today.
fn since(root: &str) -> String {
    let output = r"test src/auth/session.test.ts ... ok\n".repeat(40);
    // Where reading ends: the last line before the save.
    let mut lines = String::from(
        "\n{\"type\":\"user\",\"timestamp\":\"2020-10-08T02:23:55Z\",\"message\":{\"content\":\"before\"}}\n",
    );
    for number in 0_i32.. {
        if lines.len() > SINCE {
            break;
        }
        // Each line answers the one before it.
        let id = |line: i32| format!("6fa459ea-ee8a-3ca4-894e-{line:012}");
        let start = |line: i32| format!(r#"{{"parentUuid":"{}","isSidechain":false"#, id(line - 1));
        let common = |line: i32| {
            format!(
                r#""uuid":"{}","timestamp":"2099-10-08T02:{:02}:{:02}.500Z""#,
                id(line),
                number / 60 % 60,
                number % 60
            )
        };
        let (call, answer) = (2 * number + 1, 2 * number + 2);
        let place = format!(
            r#""userType":"external","cwd":"{root}","sessionId":"{SESSION}","version":"2.1.332","gitBranch":"main""#
        );
        writeln!(
            lines,
            r#"{},"message":{{"id":"msg_1","type":"message","role":"assistant","content":[{{"type":"tool_use","name":"Bash","input":{{"command":"npm test -- {number}","description":"Run the tests"}},"id":"toolu_{number}"}}],"stop_reason":"tool_use","usage":{{"input_tokens":10,"output_tokens":20}}}},"type":"assistant",{},{place}}}"#,
            start(call),
            common(call),
        )
        .unwrap();
        writeln!(
            lines,
            r#"{},"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"toolu_{number}","type":"tool_result","content":"{output}","is_error":false}}]}},{},"toolUseResult":{{"stdout":"{output}","stderr":"","interrupted":false,"isImage":false}},{place}}}"#,
            start(answer),
            common(answer),
        )
        .unwrap();
    }
    lines
}

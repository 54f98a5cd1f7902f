//! What happened after a save, from the transcript of a long session.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use crate::measure::{Bench, command_with};
use crate::project::Project;

const SESSION: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
/// Bytes of the whole transcript, of which those before the save are a hole, and since the save.
const WHOLE: u64 = 500 << 20;
const SINCE: usize = 900 << 10;

/// How many sessions of the project there were besides.
const OTHERS: usize = 2_000;

/// Loads a checkpoint whose session's transcript is large, and had almost a megabyte since the save; and one of a session
/// without a transcript, among those of many others.
pub(crate) fn measure(bench: &Bench) {
    load(bench, "load, transcript of 500 MB", write);
    load(bench, "load, 2,000 transcripts of others", write_others);
}

/// `write` writes transcripts into the client's folder for the project at a root.
fn load(bench: &Bench, name: &str, write: impl Fn(&Path, &str)) {
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
    let root = project.root.to_str().unwrap();
    write(&folder(&with, root), root);
    let mut load = ckpt(&["load", SESSION], &with);
    let mut reference = ckpt(&["load", SESSION], &without);
    bench.row(name, "the same without it", 1.3, &mut load, &mut reference);
}

/// Where Claude Code has the transcripts of a project.
fn folder(configuration: &Path, root: &str) -> PathBuf {
    let name: String = root
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = configuration.join("projects").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Transcripts that were written last long before the save.
fn write_others(folder: &Path, root: &str) {
    let line = format!(r#"{{"type":"user","cwd":"{root}","message":{{"content":"a prompt"}}}}"#);
    for number in 0..OTHERS {
        let name = format!("6fa459ea-ee8a-4ca4-894e-{number:012}.jsonl");
        let mut file = File::create(folder.join(name)).unwrap();
        file.write_all(line.as_bytes()).unwrap();
        let modified = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        file.set_modified(modified).unwrap();
    }
}

fn write(folder: &Path, root: &str) {
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

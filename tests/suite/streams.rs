//! Streams, exit statuses and colour (docs/contract.md, section 14).

use serde_json::json;

#[cfg(unix)]
use crate::harness::Output;
use crate::harness::Project;
use crate::harness::files::{least, with};

#[test]
fn data_goes_to_stdout_and_what_is_said_about_it_to_stderr() {
    let project = Project::repository();
    project.write(".gitignore", "");
    project.write(".claude-checkpoints/.lock", "");
    let output = project
        .ckpt(["save", "--goal", "g", "--session", "s1"])
        .succeeds();
    assert!(output.stderr.starts_with("warning: "), "{}", output.stderr);
    assert!(!output.stdout.contains("warning"), "{}", output.stdout);
    project.put("s2", "{");
    let output = project.ckpt(["list"]).succeeds().errs("warning: ");
    assert!(!output.stdout.contains("warning"), "{}", output.stdout);
    for command in ["save --goal g", "list", "load"] {
        let arguments: Vec<&str> = command
            .split(' ')
            .chain(["--json", "--session", "s1"])
            .collect();
        let output = project.ckpt(arguments).succeeds();
        assert!(output.json().is_object(), "{command}");
    }
}

#[test]
fn the_exit_status_tells_done_from_nothing_found_from_failure() {
    let project = Project::bare_folder();
    for (arguments, status) in [
        (&["load"][..], 1),
        (&["load", "--json"], 1),
        (&["load", "--latest"], 1),
        (&["load", "absent"], 2),
        (&["list"], 0),
        (&["save"], 2),
        (&["save", "--goal", "g", "--session", "s1"], 0),
        (&["load"], 1),
        (&["load", "--json"], 1),
        (&["load", "--session", "s1"], 0),
        (&["load", "s1"], 0),
        (&["load", "--latest"], 0),
        (&["load", "absent"], 2),
        (&["load", "../x"], 2),
        (&["list", "--limit", "x"], 2),
        (&["--help"], 0),
        (&["--version"], 0),
        (&["help", "save"], 0),
        (&["load", "--help"], 0),
        (&[], 2),
    ] {
        let output = project.ckpt(arguments);
        assert_eq!(output.status, status, "{arguments:?}: {}", output.stderr);
        if status == 2 {
            assert_eq!(output.stdout, "", "{arguments:?}");
        }
    }
}

#[test]
fn help_and_version_are_data() {
    let project = Project::bare_folder();
    project
        .ckpt(["--help"])
        .succeeds()
        .stays_silent()
        .prints("Usage: ckpt");
    let version = format!("ckpt {}\n", env!("CARGO_PKG_VERSION"));
    let output = project.ckpt(["--version"]).succeeds().stays_silent();
    assert_eq!(output.stdout, version);
}

#[test]
fn a_reader_that_has_gone_is_no_failure() {
    let project = Project::bare_folder();
    project.put(
        "s1",
        with(least("g"), json!({"summary": "x".repeat(4_000)})),
    );
    for arguments in [
        &["load", "s1"][..],
        &["load", "s1", "--json"],
        &["load", "s1", "--format", "full"],
        &["list"],
        &["list", "--json"],
        &["save", "--goal", "g", "--session", "s2"],
        &["save", "--goal", "g", "--session", "s2", "--json"],
        &["--help"],
        &["--version"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = project.command(arguments);
        let child = command
            .stdout(writer)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {stderr}");
        assert_eq!(stderr, "", "{arguments:?}");
    }
    assert_eq!(project.saved("s2")["goal"]["primary"], "g");
}

#[cfg(unix)]
#[test]
fn closed_streams_are_no_reason_to_panic_or_to_harm_a_file() {
    let project = Project::bare_folder();
    for (number, closing) in [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"]
        .iter()
        .enumerate()
    {
        let session = format!("s{number}");
        for arguments in ["save --goal g", "load", "list"] {
            let script = format!("exec \"$0\" {arguments} --session {session} {closing}");
            let mut command = project.program("sh");
            command
                .args(["-c", &script])
                .arg(env!("CARGO_BIN_EXE_ckpt"));
            let output = Output::of(&mut command).succeeds();
            assert!(
                !output.stderr.contains("panicked"),
                "{script}: {}",
                output.stderr
            );
        }
        assert_eq!(project.saved(&session)["goal"]["primary"], "g");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let project = Project::bare_folder();
    project.put("s1", least("g"));
    for (arguments, why) in [
        (&["load", "s1"][..], "could not write to standard output: "),
        (&["list", "--json"], "could not write to standard output: "),
        (
            &["save", "g", "--session", "s2"],
            "the checkpoint was saved, but the result could not be printed: ",
        ),
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut command = project.command(arguments);
        let output = command
            .stdout(full)
            .stderr(std::process::Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with(&format!("error: {why}")), "{said}");
    }
    assert_eq!(project.saved("s2")["goal"]["primary"], "g");
}

const ESCAPES: &str =
    "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{8}\u{7f}\r\u{85}\u{202e}\u{200b}\u{e0041}x";

fn unsafe_for_a_terminal(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{e0000}'..='\u{e007f}')
}

#[test]
fn nothing_from_a_checkpoint_can_control_a_terminal() {
    let project = Project::bare_folder();
    let text = ESCAPES;
    let hostile = json!({
        "id": text, "generator": {"name": text, "version": text}, "project": {"name": text}, "sessionId": text,
        "resumedFrom": text, "git": {"branch": text, "head": text},
        "goal": {"primary": text, "tasks": [{"description": text, "status": text}]},
        "summary": text, "nextSteps": [text], "decisions": [text],
        "modifiedFiles": [{"path": text, "status": text, "source": text, "note": text, "hash": text}],
        "recentCommands": [{"command": text, "note": text}], text: {text: text},
    });
    project.put("good", with(least("g"), hostile.clone()));
    project.put("version", with(least("g"), json!({"version": text})));
    project.put(
        "shape",
        with(
            least("g"),
            json!({"goal": {"primary": "g", "tasks": [{"description": {text: text}}]}}),
        ),
    );
    project.put("type", with(least("g"), json!({"updatedAt": text})));
    project.put("key", format!("{{\"version\": 1, \"{ESCAPES}"));
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["load"],
        &["load", "--json"],
        &["load", "good"],
        &["load", "good", "--json"],
        &["load", "good", "--format", "full"],
        &["load", "good", "--format", "full", "--json"],
        &["load", "--latest"],
        &["load", "version"],
        &["load", "shape"],
        &["load", "type"],
        &["load", "key"],
        &["load", "absent"],
        &["save", "--merge", "--session", "good"],
        &[
            "save",
            "--goal",
            "g",
            "--session",
            "s1",
            "--resumed-from",
            "type",
        ],
        &["save", "--goal", "g", "--session", "version"],
        &["save", "--goal", "g", "--session", "shape"],
    ] {
        let output = project.ckpt(arguments);
        for printed in [&output.stdout, &output.stderr] {
            assert!(
                !printed.contains(unsafe_for_a_terminal),
                "{arguments:?}: {printed:?}"
            );
        }
    }
}

#[test]
fn json_has_nothing_that_a_terminal_must_not_get() {
    let project = Project::bare_folder();
    let lines = format!("{ESCAPES}\nb");
    project.put("s1", with(least(&lines), json!({ESCAPES: ESCAPES})));
    let output = project
        .ckpt(["load", "s1", "--format", "full", "--json"])
        .succeeds();
    let checkpoint = &output.json()["checkpoint"];
    let shown = checkpoint["goal"]["primary"].as_str().unwrap();
    assert!(shown.ends_with("\nb"), "{shown:?}");
    for text in [shown.to_owned(), checkpoint.to_string()] {
        assert!(!text.contains(unsafe_for_a_terminal), "{text:?}");
    }
}

#[test]
fn colour_is_only_where_it_is_wanted() {
    let project = Project::bare_folder();
    let colored = |variables: &[(&str, &str)], arguments: &[&str]| {
        let output = project.ckpt_with(variables, [arguments, &["load", "absent"]].concat());
        assert!(output.stderr.contains("error"), "{}", output.stderr);
        output.stderr.contains('\u{1b}')
    };
    for (variables, arguments, expected) in [
        // No test's standard error is a terminal.
        (&[][..], &[][..], false),
        (&[], &["--color", "auto"], false),
        (&[], &["--color", "always"], true),
        (&[("CLICOLOR_FORCE", "1")], &[], true),
        (&[("CLICOLOR_FORCE", "0")], &[], false),
        (&[("CLICOLOR_FORCE", "")], &[], false),
        (&[("CLICOLOR_FORCE", "1")], &["--color", "never"], false),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[], false),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")], &[], true),
        (&[("NO_COLOR", "1")], &["--color", "always"], true),
    ] {
        assert_eq!(
            colored(variables, arguments),
            expected,
            "{variables:?} {arguments:?}"
        );
    }
    project.save("s1", json!({"goal": "g"}));
    for (arguments, expected) in [
        (&["list"][..], true),
        (&["load", "s1"], true),
        (&["list", "--json"], false),
        (&["load", "s1", "--json"], false),
    ] {
        let arguments = [&["--color", "always"], arguments].concat();
        let output = project.ckpt(&arguments).succeeds();
        let actual = output.stdout.contains('\u{1b}');
        assert_eq!(actual, expected, "{arguments:?}: {}", output.stdout);
    }
}

#[test]
fn colours_of_help_and_usage_errors_are_as_they_are_asked_for() {
    let project = Project::bare_folder();
    let colored = |variables: &[(&str, &str)], arguments: &[&str]| {
        let output = project.ckpt_with(variables, arguments);
        assert!(output.stdout.is_empty() != output.stderr.is_empty());
        (output.stdout + &output.stderr).contains('\x1b')
    };
    for arguments in [
        &["save", "--help"][..],
        &["save", "--nonsense"],
        &["nonsense"],
        &["--version"],
    ] {
        let with = |option: &[&'static str]| [option, arguments].concat();
        let has_colors = arguments != ["--version"];
        assert!(!colored(&[], arguments), "{arguments:?}");
        assert_eq!(
            colored(&[], &with(&["--color", "always"])),
            has_colors,
            "{arguments:?}"
        );
        assert_eq!(
            colored(&[("CLICOLOR_FORCE", "1")], arguments),
            has_colors,
            "{arguments:?}"
        );
        let forced = [("CLICOLOR_FORCE", "1")];
        assert!(
            !colored(&forced, &with(&["--color=never"])),
            "{arguments:?}"
        );
        assert!(
            !colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], arguments),
            "{arguments:?}"
        );
        let always = [("NO_COLOR", "1")];
        assert_eq!(
            colored(&always, &with(&["--color=always"])),
            has_colors,
            "{arguments:?}"
        );
    }
}

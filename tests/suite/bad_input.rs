//! Wrong usage and wrong input: an error, status 2, nothing on standard output, and never a panic.

use serde_json::json;

use crate::harness::{Output, Project};

fn with_input(project: &Project, input: &[u8]) -> Output {
    Output::with_input(&mut project.command(["save", "--input", "-"]), input)
}

#[test]
fn input_that_is_no_object_of_json_is_refused() {
    let project = Project::bare_folder();
    for (input, fault) in [
        (&b""[..], "not valid JSON"),
        (b"goal", "not valid JSON"),
        (b"{\"goal\": \"g\"", "not valid JSON"),
        (b"{\"goal\": \"g\"} {}", "not valid JSON"),
        (b"{\"goal\": \"\xff\"}", "UTF-8"),
        (b"[]", "not an object"),
        (b"[{\"goal\": \"g\"}]", "not an object"),
        (b"\"g\"", "not an object"),
        (b"null", "not an object"),
        (b"{}", "`goal`"),
    ] {
        with_input(&project, input).fails_with(fault);
    }
    assert!(project.stored_names().is_empty());
}

#[test]
fn input_that_is_far_too_large_is_refused() {
    let project = Project::bare_folder();
    let input = format!("{{\"goal\": \"{}\"}}", "g".repeat(5 << 20));
    with_input(&project, input.as_bytes()).fails_with("larger than");
    project.write("input.json", input);
    project
        .ckpt(["save", "--input", "input.json"])
        .fails_with("`input.json`")
        .errs("larger than");
}

#[test]
fn a_file_of_input_that_cannot_be_read_is_named() {
    let project = Project::bare_folder();
    project
        .ckpt(["save", "--input", "absent.json"])
        .fails_with("`absent.json`");
    project.ckpt(["save", "--input", "."]).fails_with("`.`");
}

#[test]
fn an_error_says_what_to_do() {
    let project = Project::bare_folder();
    let none: &[(&str, &str)] = &[];
    let editor = [("EDITOR", "ckpt-no-such-editor")];
    let root = [("CHECKPOINT_PROJECT_ROOT", "relative")];
    let session = [("CLAUDE_CODE_SESSION_ID", "a b")];
    project.save("s1", json!({"goal": "g"}));
    project.write(".claude-checkpoints/broken.json", "{");
    for (arguments, variables, message, hint) in [
        (
            &["save", "--input", "absent"][..],
            none,
            "could not read `absent`",
            "- for standard input",
        ),
        (
            &["save", "--merge", "--next", "n"],
            none,
            "no checkpoint to merge into",
            "or name with `--session`",
        ),
        (
            &["save", "--goal", "g", "--resumed-from", "a/b"],
            none,
            "`a/b`",
            "name one of those that exist: `s1`",
        ),
        (&["load", "a b"], none, "`a b`", "those that exist: `s1`"),
        (&["load", "broken"], none, "`broken.json`", "/broken.json`"),
        (
            &["list", "-C", "absent"],
            none,
            "absent`, which cannot be used",
            "a directory that exists",
        ),
        (&["list"], &root, "not an absolute path", "unset it"),
        (
            &["load"],
            &session,
            "variable CLAUDE_CODE_SESSION_ID",
            "unset it",
        ),
        (
            &["load", "--session", "other"],
            &[("CLAUDE_CODE_SESSION_ID", "s1")],
            "the current session is `s1`",
            "ckpt load SELECTOR",
        ),
        (
            &["edit", "s1"],
            &editor,
            "could not start the editor `ckpt-no-such-editor`",
            "VISUAL or EDITOR",
        ),
    ] {
        let output = project.ckpt_with(variables, arguments).fails_with(message);
        let (_, said) = output.stderr.split_once("\nhint: ").unwrap();
        assert!(said.contains(hint), "{arguments:?}: {said}");
    }
    for (arguments, expected) in [
        (&["list", "--limit", "ten"][..], "it takes a whole number"),
        (&["prune", "--keep", "all"], "it takes a whole number"),
        (
            &["prune", "--older-than", "old"],
            "an age is a number with a unit, such as 90m",
        ),
    ] {
        let output = project.ckpt(arguments).fails_with(expected);
        assert!(output.stderr.contains(arguments[1]), "{}", output.stderr);
    }
}

/// Arguments that somebody could come to type or that a script could come to pass.
const NASTY: [&[&str]; 45] = [
    &[],
    &[""],
    &["--"],
    &["-"],
    &["-C"],
    &["-C", "\n"],
    &["-C", "/dev/null", "list"],
    &["list", "list"],
    &["list", "--limit"],
    &["list", "--limit", ""],
    &["list", "--limit", "-1"],
    &["list", "--limit", "1.5"],
    &["list", "--limit", "99999999999999999999999999"],
    &["list", "--color", "maybe"],
    &["list", "--session"],
    &["load", "--format", "xml"],
    &["load", "a", "b"],
    &["load", "--", "--latest"],
    &["load", "\u{1b}[31m"],
    &["load", "💥💥💥💥"],
    &["load", "../../etc/passwd"],
    &["load", "-1"],
    &["load", "--latest", "s1"],
    &["load", "--session", "\n"],
    &["save", "--goal"],
    &["save", "--goal", "g", "--goal", "h"],
    &["save", "--goal", "g", "--task"],
    &["save", "--goal", "g", "--task", ":", "--session", "💥"],
    &["save", "--goal", "g", "--resumed-from", ""],
    &["save", "--goal", "g", "--resumed-from", "💥💥💥💥"],
    &["save", "--goal", "g", "extra"],
    &["save", "--input"],
    &["save", "--input", ""],
    &["save", "--input", "/dev/null"],
    &["save", "--input", "-", "--goal", "g"],
    &["save", "--json=yes", "--goal", "g"],
    &["save", "--merge"],
    &["save", "--merge", "--resumed-from", "absent"],
    &["save", "--mode", "merge"],
    &["unknown"],
    &["Save"],
    &["--verbose"],
    &["help", "unknown"],
    &["load", "\u{202e}evil"],
    &["load", "\\\\server\\share"],
];

#[test]
fn nasty_arguments_are_errors_and_never_panics() {
    let project = Project::bare_folder();
    for arguments in NASTY {
        let output = project.ckpt(arguments);
        assert_eq!(
            output.status, 2,
            "{arguments:?}: {} {}",
            output.stdout, output.stderr
        );
        assert_eq!(output.stdout, "", "{arguments:?}");
        assert!(!output.stderr.is_empty(), "{arguments:?}");
        assert!(
            !output.stderr.contains("panicked"),
            "{arguments:?}: {}",
            output.stderr
        );
    }
    assert!(
        !project
            .stored_names()
            .iter()
            .any(|name| name.contains("json"))
    );
}

#[test]
fn odd_but_valid_arguments_are_taken_without_a_panic() {
    let project = Project::bare_folder();
    for arguments in [
        &["--goal", "g", "--task", ":"][..],
        &["--goal", "g", "--task", "done:"],
        &["--goal", "g", "--command", ":"],
        &["--goal", "g", "--command", "1:"],
        &["--goal", "g", "--file", "="],
        &["--goal", "g", "--file", "=note"],
        &["--goal", "g", "--file", "."],
        &["--goal", "g", "--file", "/"],
        &["--goal", "g", "--file", "../../../../../../../../../../.."],
        &["--goal", "g", "--file", "a\u{1b}[31m\nb=\u{202e}"],
        &["--goal", "💥\u{0}x\u{1b}[0m"],
        &["--goal=--goal"],
    ] {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|argument| argument.replace('\0', "\u{1}"))
            .collect();
        let mut all = vec!["save".to_owned(), "--session".to_owned(), "s1".to_owned()];
        all.extend(arguments);
        let output = project.ckpt(&all);
        assert!(matches!(output.status, 0 | 2), "{all:?}: {}", output.stderr);
        assert!(
            !output.stderr.contains("panicked"),
            "{all:?}: {}",
            output.stderr
        );
        let printed = [output.stdout, output.stderr].concat();
        assert!(
            !printed.contains(|c: char| c.is_control() && c != '\n'),
            "{all:?}: {printed:?}"
        );
        for command in ["load", "list"] {
            let output = project.ckpt([command, "--session", "s1"]).succeeds();
            assert!(
                !output.stderr.contains("panicked"),
                "{all:?}: {}",
                output.stderr
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn arguments_that_are_not_unicode_are_no_reason_to_panic() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let project = Project::bare_folder();
    let odd = OsStr::from_bytes(b"caf\xe9");
    for before in [
        &["load"][..],
        &["save", "--goal"],
        &["save", "--input"],
        &["list", "-C"],
        &["list", "--session"],
        &[],
    ] {
        let arguments = before.iter().map(OsStr::new).chain([odd]);
        let output = project.ckpt(arguments);
        assert_eq!(output.status, 2, "{before:?}: {}", output.stderr);
        assert_eq!(output.stdout, "");
        assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
    }
    // A root of such a name works.
    std::fs::create_dir(project.path(odd)).unwrap();
    let arguments = ["save", "--goal", "g", "-C"]
        .map(OsStr::new)
        .into_iter()
        .chain([odd]);
    project.ckpt(arguments).succeeds();
    let mut variable = project.command(["list"]);
    variable.env("CLAUDE_CODE_SESSION_ID", odd);
    Output::of(&mut variable).fails_with("CLAUDE_CODE_SESSION_ID");
}

#[test]
fn an_empty_environment_is_enough() {
    let project = Project::repository();
    for arguments in [
        &["save", "--goal", "g", "--session", "s1"][..],
        &["load", "s1"],
        &["list"],
    ] {
        let mut command = project.command(arguments);
        Output::of(command.env_clear())
            .succeeds()
            .warns_of_nothing();
    }
}

#[test]
fn of_an_argument_that_an_error_quotes_the_beginning_is_shown_and_no_secret() {
    let project = Project::bare_folder();
    project.save("s1", serde_json::json!({"goal": "g"}));
    let secret = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    for text in [format!("{secret} {}", "x".repeat(5_000)), secret.clone()] {
        let at = format!("s1@{{{text}}}");
        let odd = format!("{text}!");
        let nowhere = format!("@{{{text}}}");
        let unknown = format!("--{text}");
        for arguments in [
            &["load", &text][..],
            &["load", &at],
            &["list", "-C", &text],
            &["list", "--session", &odd],
            &["edit", &text],
            &["diff", "s1", &text],
            &["log", &text],
            &["restore", &at],
            &["load", &nowhere],
            &["name", "s1", &odd],
            &["done", &text],
            &["prune", "--yes", &text],
            &["resume", "--print", &text],
            &["resume", "--everywhere", &text],
            &["sync", &text],
            &["sync", "--as", &text],
            &["list", "--since", &text],
            &["list", "--limit", &text],
            &["list", "--color", &text],
            &["prune", "--older-than", &text],
            &["load", "--format", &text],
            &["save", "--input", &text],
            &["save", "--goal", "g", "--resumed-from", &odd],
            &["save", "--goal", "g", "--name", &odd],
            &["save", "--goal", "g", "--from-transcript", &text],
            &["save", "--goal", "g", &text],
            &["completions", &text],
            &[&text],
            &["list", &unknown],
        ] {
            let output = project.ckpt(arguments).exits(2);
            assert!(
                !output.stderr.contains(&secret[..12]),
                "{arguments:?}: {}",
                output.stderr
            );
            let shown = output.stderr.chars().filter(|c| *c == 'x').count();
            assert!(shown <= 250, "{}", output.stderr);
        }
    }
}

//! `ckpt edit`: a person's changes to a checkpoint, by editors that are shell scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::files::write_program;
use crate::harness::{Output, Project};

const SESSION: &str = "s1-first";

/// A project with a checkpoint that has every field, and one that no version knows.
fn saved() -> Project {
    let project = Project::repository();
    project.write("src/main.rs", "fn main() { }\n");
    project.save(
        SESSION,
        json!({
            "goal": "the goal",
            "tasks": [{"description": "first", "status": "pending"}, {"description": "second"}],
            "summary": "one\ntwo \"quoted\"",
            "nextSteps": ["a step"],
            "decisions": ["a decision"],
            "modifiedFiles": [{"path": "src/main.rs", "note": "a note"}],
            "recentCommands": [{"command": "cargo test", "exitCode": 1, "note": "fails"}],
        }),
    );
    let mut checkpoint = project.saved(SESSION);
    checkpoint["later"] = json!({"nested": [1, null]});
    checkpoint["goal"]["tasks"][0]["owner"] = json!("me");
    checkpoint["meta"]["truncated"] = json!(true);
    project.put(SESSION, checkpoint);
    project
}

/// A script that edits the file `$1`, in a folder whose name has a space; as a value for `EDITOR`.
fn editor(project: &Project, script: &str) -> String {
    let path = project.home().join("my editor");
    write_program(&path, &format!("#!/bin/sh\nset -e\n{script}\n"));
    format!("'{}'", path.display())
}

fn command(project: &Project, script: &str) -> Command {
    let mut command = project.command(["edit", "--session", SESSION]);
    command.env("EDITOR", editor(project, script));
    command
}

fn edit(project: &Project, script: &str) -> Output {
    Output::of(&mut command(project, script))
}

/// A script that replaces one text by another.
fn sed(replacements: &[(&str, &str)]) -> String {
    let commands = replacements
        .iter()
        .map(|(old, new)| format!(" -e 's/{old}/{new}/'"));
    format!(
        "sed{} \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"",
        commands.collect::<String>()
    )
}

/// The names of the kept texts.
fn kept(project: &Project) -> Vec<String> {
    let names = project.stored_names().into_iter();
    let is_text = |name: &String| name.starts_with("edit-") && name.ends_with(".toml");
    names.filter(is_text).collect()
}

/// The one text that was kept, which the message names.
#[track_caller]
fn kept_text(project: &Project, output: &Output) -> String {
    let kept = kept(project);
    assert_eq!(kept.len(), 1, "{kept:?}");
    let path = project.path(".claude-checkpoints").join(&kept[0]);
    let hint = format!(
        "hint: your text is kept, unredacted, in `{}`\n",
        path.display()
    );
    assert!(output.stderr.ends_with(&hint), "{}", output.stderr);
    fs::read_to_string(path).unwrap()
}

#[test]
fn what_is_edited_is_written_and_all_else_stays() {
    let project = saved();
    let before = project.saved(SESSION);
    let script = sed(&[
        ("the goal", "another goal"),
        (
            "\"pending\", description = \"first\"",
            "\"done\", description = \"first\"",
        ),
        ("two \"quoted\"", "three"),
        ("exitCode = 1", "exitCode = 0"),
        ("a note", "another note"),
    ]);
    let mut command = command(&project, &script);
    command.env("CKPT_NOW", "2026-10-09T10:00:00Z");
    let output = Output::of(&mut command).succeeds().stays_silent();
    let path = project.checkpoint(SESSION);
    let bytes = fs::metadata(&path).unwrap().len();
    assert_eq!(
        output.stdout,
        format!("Saved {}\n{bytes} bytes\n", path.display())
    );

    let mut expected = before.clone();
    expected["goal"]["primary"] = json!("another goal");
    expected["goal"]["tasks"][0]["status"] = json!("done");
    expected["summary"] = json!("one\nthree");
    expected["recentCommands"][0]["exitCode"] = json!(0);
    expected["modifiedFiles"][0]["note"] = json!("another note");
    expected["meta"]["changedAt"] = json!("2026-10-09T10:00:00.000Z");
    assert_eq!(project.saved(SESSION), expected);
    let backup: Value =
        serde_json::from_str(&fs::read_to_string(project.backup(SESSION)).unwrap()).unwrap();
    assert_eq!(backup, before);
    assert_eq!(kept(&project), [""; 0]);
    let mode = fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_changed_since_the_save_is_told_after_an_edit_as_before() {
    let project = saved();
    project.write("src/main.rs", "fn main() { edited() }\n");
    project.write("new.rs", "");
    project.commit("second");
    let before = project.load(SESSION);
    edit(&project, &sed(&[("the goal", "another goal")])).succeeds();
    let after = project.load(SESSION);
    assert_eq!(
        before["drift"]["changedSince"],
        json!(["new.rs", "src/main.rs"])
    );
    assert_eq!(
        (&after["drift"], &after["updatedAt"]),
        (&before["drift"], &before["updatedAt"])
    );
}

#[test]
fn the_text_is_toml_with_comments_and_is_private() {
    let project = saved();
    let copy = project.home().join("copy");
    let script = format!(
        "cp \"$1\" '{0}'\nls -l \"$1\" | cut -c1-10 > '{0}.mode'\nls -ld \"$(dirname \"$1\")\" | cut -c1-10 >> '{0}.mode'",
        copy.display()
    );
    edit(&project, &script).succeeds().errs("Nothing changed.");
    assert_eq!(
        fs::read_to_string(&copy).unwrap(),
        "\
# Checkpoint s1-first, saved just now.
# Save and close to write the checkpoint; leave all as it is, or empty it, to
# change nothing.

goal = \"the goal\"

summary = \"\"\"
one
two \"quoted\"
\"\"\"

# status: pending, in_progress, done, blocked
tasks = [
  { status = \"pending\", description = \"first\" },
  { status = \"pending\", description = \"second\" },
]

nextSteps = [
  \"a step\",
]

decisions = [
  \"a decision\",
]

# Oldest first; exitCode and note may be left out.
recentCommands = [
  { command = \"cargo test\", exitCode = 1, note = \"fails\" },
]

# A note for each recorded file. Files cannot be added or taken away here: by them
# `ckpt load` tells what changed since.
[fileNotes]
\"src/main.rs\" = \"a note\"
"
    );
    let modes = fs::read_to_string(project.home().join("copy.mode")).unwrap();
    assert_eq!(modes, "-rw-------\ndrwx------\n");
}

#[test]
fn nothing_is_written_where_nothing_changed() {
    let project = saved();
    let before = fs::read(project.checkpoint(SESSION)).unwrap();
    for script in [
        ":",
        ": > \"$1\"",
        "echo '# a comment' >> \"$1\"",
        "printf '\\n\\n' > \"$1\"",
        "sed 's/$/\\r/' \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"",
    ] {
        let output = edit(&project, script).succeeds();
        assert_eq!(
            (output.stdout.as_str(), output.stderr.as_str()),
            ("", "Nothing changed.\n"),
            "{script}"
        );
        assert_eq!(fs::read(project.checkpoint(SESSION)).unwrap(), before);
        assert!(!project.backup(SESSION).exists());
        assert_eq!(kept(&project), [""; 0]);
    }
}

#[test]
fn a_text_that_is_no_checkpoint_is_kept_and_not_written() {
    let project = saved();
    let before = fs::read(project.checkpoint(SESSION)).unwrap();
    for (old, new, message) in [
        (
            "goal = \"the",
            "goal = the",
            "error: this cannot be written as a checkpoint:\n  line 5: ",
        ),
        ("the goal", " ", "`goal` is empty"),
        (
            "decisions",
            "decisionss",
            "line 22: unknown field `decisionss`, expected one of `goal`",
        ),
        (
            "\"pending\", description = \"first\"",
            "\"doing\", description = \"first\"",
            "`tasks[0].status` is `doing`",
        ),
        (
            "src.main.rs",
            "src\\/other.rs",
            "`fileNotes` names \"src/other.rs\", which is not a recorded file",
        ),
    ] {
        let output = edit(&project, &sed(&[(old, new)])).fails_with(message);
        let text = kept_text(&project, &output);
        assert!(text.contains(&new.replace("\\/", "/")), "{text}");
        assert_eq!(fs::read(project.checkpoint(SESSION)).unwrap(), before);
        project.remove(format!(".claude-checkpoints/{}", kept(&project)[0]));
    }
    let output =
        edit(&project, "printf 'goal = \"\\377\"' > \"$1\"").fails_with("could not read `");
    output.errs("hint: your text is kept, unredacted, in `");
}

#[test]
fn every_limit_that_is_passed_is_named() {
    let project = saved();
    let script = sed(&[
        ("the goal", &"g".repeat(501)),
        (
            "description = \"second\"",
            &format!("description = \"{}\"", "t".repeat(301)),
        ),
        ("a note", &"n".repeat(301)),
    ]);
    edit(&project, &script)
        .fails_with("`goal` has 501 characters (limit 500)")
        .errs("`tasks[1].description` has 301 characters (limit 300)")
        .errs("`fileNotes.\"src/main.rs\"` has 301 characters (limit 300)");
}

#[test]
fn secrets_are_redacted_before_they_are_written() {
    let project = saved();
    edit(
        &project,
        &sed(&[("a decision", "use API_KEY=abcd1234efgh5678")]),
    )
    .succeeds()
    .errs("warning: 1 secret redacted before writing");
    let checkpoint = project.saved(SESSION);
    assert_eq!(checkpoint["decisions"], json!(["use API_KEY=«redacted»"]));
    assert_eq!(checkpoint["meta"]["redactions"], 1);
}

#[test]
fn a_save_in_the_meantime_is_not_overwritten_and_the_text_is_kept() {
    let project = saved();
    let script = format!(
        "{}\n'{}' save --session {SESSION} --goal 'saved meanwhile' > /dev/null 2>&1",
        sed(&[("the goal", "edited goal")]),
        env!("CARGO_BIN_EXE_ckpt")
    );
    let output = edit(&project, &script).fails_with(
        "checkpoint `s1-first` was saved or deleted by somebody else meanwhile, so nothing was written",
    );
    assert!(kept_text(&project, &output).contains("edited goal"));
    assert_eq!(project.saved(SESSION)["goal"]["primary"], "saved meanwhile");
}

#[test]
fn a_checkpoint_that_was_deleted_in_the_meantime_does_not_come_back() {
    let project = saved();
    let script = format!(
        "{}\nrm '{}'",
        sed(&[("the goal", "edited goal")]),
        project.checkpoint(SESSION).display()
    );
    let output = edit(&project, &script).fails_with("deleted by somebody else meanwhile");
    assert!(kept_text(&project, &output).contains("edited goal"));
    assert!(!project.checkpoint(SESSION).exists());
}

#[test]
fn an_editor_that_fails_writes_nothing() {
    let project = saved();
    let before = fs::read(project.checkpoint(SESSION)).unwrap();
    edit(&project, "exit 3").fails_with("my editor` failed: exit status: 3");
    assert_eq!(kept(&project), [""; 0]);
    let script = sed(&[("the goal", "edited goal")]) + "\nexit 1";
    let output = edit(&project, &script).fails_with("failed: exit status: 1");
    assert!(kept_text(&project, &output).contains("edited goal"));
    edit(&project, "kill -9 $$").fails_with("failed: signal: 9");
    let output = edit(&project, "rm \"$1\"").fails_with("it is gone");
    assert!(output.stderr.contains("could not read"));
    assert!(!output.stderr.contains("hint"), "{}", output.stderr);
    assert_eq!(fs::read(project.checkpoint(SESSION)).unwrap(), before);
}

#[test]
fn an_editor_that_cannot_be_used_is_an_error_before_anything_is_written() {
    let project = saved();
    let before = project.stored_names();
    let with = |variables: &[(&str, &str)]| {
        let mut command = project.command(["edit", "--session", SESSION]);
        command.envs(variables.iter().copied());
        Output::of(&mut command)
    };
    with(&[])
        .fails_with("there is no editor to use")
        .errs("hint: set the variable EDITOR to one");
    with(&[("EDITOR", "ckpt-no-such-editor --wait")])
        .fails_with("could not start the editor `ckpt-no-such-editor`");
    with(&[("EDITOR", "'open")]).fails_with("the variable EDITOR, `'open`, cannot be used");
    with(&[("VISUAL", "   ")]).fails_with("the variable VISUAL, `   `, cannot be used");
    assert_eq!(project.stored_names(), before);
}

#[test]
fn visual_goes_before_editor_but_not_on_a_dumb_terminal() {
    let project = saved();
    let log = project.home().join("log");
    let script = format!(
        "echo \"$0 $1 $2\" >> '{}'; eval \"file=\\$$#\"; test -f \"$file\"",
        log.display()
    );
    let path = editor(&project, &script);
    let link = project.home().join("visual");
    std::os::unix::fs::symlink(project.home().join("my editor"), &link).unwrap();
    for term in ["xterm", "dumb"] {
        let mut command = project.command(["edit", SESSION]);
        command
            .env("EDITOR", format!("{path} --editor '; exit 1'"))
            .env("VISUAL", format!("{} --visual", link.display()))
            .env("TERM", term);
        Output::of(&mut command).succeeds().errs("Nothing changed.");
    }
    let log = fs::read_to_string(log).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].contains("visual --visual "), "{log}");
    assert!(lines[1].ends_with("my editor --editor ; exit 1"), "{log}");
}

#[test]
fn without_a_checkpoint_of_its_own_the_others_are_told_with_status_1() {
    let project = saved();
    let mut command = project.command(["edit"]);
    command.env("EDITOR", editor(&project, ":"));
    Output::of(&mut command)
        .exits(1)
        .errs("This session has no checkpoint; the project has these:")
        .errs("hint: name one: ckpt edit SELECTOR");
    project.ckpt(["edit", "other"]).exits(2);
}

#[test]
fn the_legacy_checkpoint_and_one_that_only_the_backup_has_can_be_edited() {
    let project = saved();
    let checkpoint = project.saved(SESSION);
    project.write(".claude-checkpoint", checkpoint.to_string());
    let editor = editor(&project, &sed(&[("the goal", "edited goal")]));
    let edit = |selector: &str| {
        let mut command = project.command(["edit", selector]);
        command.env("EDITOR", &editor);
        Output::of(&mut command)
    };
    edit("legacy").succeeds();
    assert!(project.read(".claude-checkpoint").contains("edited goal"));
    assert!(project.read(".claude-checkpoint.prev").contains("the goal"));
    project.put("s2", "{");
    project.put_backup("s2", &checkpoint);
    edit("s2").succeeds().errs("warning: this is the backup");
    assert_eq!(project.saved("s2")["goal"]["primary"], "edited goal");
    let backup = fs::read_to_string(project.backup("s2")).unwrap();
    assert_eq!(backup, checkpoint.to_string());
}

#[test]
fn an_old_text_over_its_limit_does_not_stand_in_the_way() {
    let project = saved();
    let mut checkpoint = project.saved(SESSION);
    checkpoint["summary"] = json!("s".repeat(5_000));
    checkpoint["goal"]["tasks"][0]["status"] = json!("waiting");
    project.put(SESSION, &checkpoint);
    edit(&project, &sed(&[("the goal", "edited goal")])).succeeds();
    checkpoint["goal"]["primary"] = json!("edited goal");
    checkpoint["meta"]["changedAt"] = json!("2026-10-08T02:23:55.001Z");
    assert_eq!(project.saved(SESSION), checkpoint);
}

#[test]
fn a_prune_leaves_the_text_that_an_editor_has_open_and_lists_it_once_it_is_closed() {
    let project = saved();
    let ckpt = env!("CARGO_BIN_EXE_ckpt");
    // An editor that saves to a new file, and a prune meanwhile; then something that is no text of a checkpoint.
    let script = format!(
        "cp \"$1\" \"$1.new\" && mv \"$1.new\" \"$1\"\n\
         touch -d '2026-09-01' \"$1\"\n\
         '{ckpt}' prune --broken --older-than 1d --yes >&2\n\
         '{ckpt}' prune \"$(basename \"$1\")\" --yes >&2 || echo left >&2\n\
         echo '[' > \"$1\""
    );
    let output = edit(&project, &script).exits(2);
    output
        .errs("Nothing to delete.")
        .errs("may still be open in an editor; nothing was deleted")
        .errs("left\n");
    let name = kept(&project)[0].clone();
    let listed = project.ckpt(["prune", "--broken", "--dry-run"]).succeeds();
    assert!(
        listed.stdout.contains(&name) && listed.stdout.contains("not redacted"),
        "{}",
        listed.stdout
    );
    project
        .ckpt(["prune", &name[..12], "--yes"])
        .succeeds()
        .errs("Deleted 1 unwritten edit and freed 2 bytes.\n");
    assert!(
        !project
            .stored_names()
            .iter()
            .any(|name| name.starts_with("edit-"))
    );
}

#[test]
fn a_copy_is_a_checkpoint_of_its_own_and_the_other_stays() {
    let project = saved();
    project.ckpt(["done", SESSION]).succeeds();
    let before = project.saved(SESSION);
    let copy = |script: &str| {
        let mut command = project.command(["edit", SESSION, "--copy", "docs"]);
        command.env("EDITOR", editor(&project, script));
        command.env("CKPT_NOW", "2026-10-09T10:00:00Z");
        Output::of(&mut command)
    };
    let output = copy(&sed(&[("the goal", "the other half")])).succeeds();
    assert!(
        output.stderr.contains("is called `docs`"),
        "{}",
        output.stderr
    );
    assert_eq!(project.saved(SESSION), before);
    let loaded = project.ckpt(["load", "docs", "--json", "--format", "full"]);
    let copied = loaded.succeeds().json()["checkpoint"].clone();
    assert_eq!(copied["goal"]["primary"], "the other half");
    assert_eq!(
        (&copied["name"], &copied["resumedFrom"]),
        (&json!("docs"), &json!(SESSION))
    );
    assert_eq!(copied["createdAt"], "2026-10-09T10:00:00.000Z");
    // What changed since is told by the moment of the save.
    for field in ["updatedAt", "git", "modifiedFiles", "later"] {
        assert_eq!(copied[field], before[field], "{field}");
    }
    assert!(copied["id"] != before["id"] && copied["sessionId"] != SESSION);
    assert!(copied.get("done").is_none(), "{copied}");

    // One that was not changed is a copy all the same, and takes the name; an empty text is none.
    let again = copy("true").succeeds();
    assert!(
        again.stderr.contains("the name `docs` was taken from"),
        "{}",
        again.stderr
    );
    let count = project.stored_names().len();
    copy(": > \"$1\"").succeeds();
    assert_eq!(project.stored_names().len(), count);
}

#[test]
fn a_copy_whose_name_cannot_be_one_is_refused_before_the_editor_opens() {
    let project = saved();
    for name in ["latest", "a b", "", SESSION] {
        let mut command = project.command(["edit", SESSION, "--copy", name]);
        command.env("EDITOR", editor(&project, "exit 7"));
        Output::of(&mut command).exits(2).errs("name");
    }
}

//! A deletion that the system refuses: the rest goes, and the status and the last line say so.

use super::trace;
use crate::harness::files::least;
use crate::harness::{Output, Project};

fn project() -> Project {
    let project = Project::bare_folder();
    for session in ["s1", "s2"] {
        project.put(session, least(session));
    }
    project
}

/// The command that deletes all, at whose calls of that number deleting is refused.
fn prune(project: &Project, options: &[&str], calls: &str) -> Output {
    let command = project.command([&["prune", "--older-than", "0d", "--yes"], options].concat());
    let inject = format!("inject=unlinkat:error=EACCES:when={calls}");
    Output::of(&mut trace::traced(
        &command,
        &["-o", "/dev/null", "-e", &inject],
    ))
}

#[test]
fn where_nothing_could_be_deleted_it_is_a_failure() {
    if !trace::is_possible() {
        return;
    }
    let project = project();
    let output = prune(&project, &[], "1+").exits(2);
    assert_eq!(output.stdout, "");
    let ending = "could not delete checkpoint `s2`: Permission denied (os error 13)\nNothing deleted.\nerror: 2 checkpoints could not be deleted\n";
    assert!(output.stderr.ends_with(ending), "{}", output.stderr);
    assert_eq!(project.stored_names(), [".lock", "s1.json", "s2.json"]);
}

#[test]
fn what_could_be_deleted_is_deleted_all_the_same() {
    if !trace::is_possible() {
        return;
    }
    let project = project();
    let output = prune(&project, &["--json"], "1").exits(2);
    let json = output.json();
    let [deleted] = &json["checkpoints"].as_array().unwrap()[..] else {
        panic!("{json}");
    };
    assert_eq!(json["warnings"].as_array().unwrap().len(), 1, "{json}");
    let stayed = match deleted["selector"].as_str() {
        Some("s1") => "s2",
        _ => "s1",
    };
    assert_eq!(project.stored_names(), [".lock", &format!("{stayed}.json")]);
    let ending = "error: 1 checkpoint could not be deleted\n";
    assert!(output.stderr.ends_with(ending), "{}", output.stderr);

    let leftover = ".claude-checkpoint.0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b.tmp";
    project.write(leftover, "12345");
    let mut command = project.command(["prune", "--older-than", "100y", "--yes"]);
    command.env("CKPT_NOW", "2100-01-01T00:00:00Z");
    let inject = "inject=unlinkat:error=EACCES:when=1+";
    Output::of(&mut trace::traced(
        &command,
        &["-o", "/dev/null", "-e", inject],
    ))
    .exits(2)
    .errs(&format!("warning: could not delete `{leftover}`: "))
    .errs("Nothing deleted.\nerror: 1 temporary file could not be deleted\n");
}

#[test]
fn each_file_is_opened_once_to_be_judged_however_many_there_are() {
    if !trace::is_possible() {
        return;
    }
    let project = Project::bare_folder();
    let names: Vec<String> = (0..300).map(|number| format!("foreign-{number}")).collect();
    for name in &names {
        project.put(name, "not a checkpoint");
    }
    let command = project.command(["prune", "--broken", "--dry-run"]);
    let trace = trace::lines(&command, b"");
    let opened = |file: &str| {
        let quoted = format!("\"{file}\"");
        let is_open = |line: &&String| line.contains("open") && line.contains(&quoted);
        trace.iter().filter(is_open).count()
    };
    for name in &names {
        let counts = [".json", ".json.prev"].map(|end| opened(&format!("{name}{end}")));
        assert_eq!(counts, [1, 1], "{name}");
    }
    let json = project
        .ckpt(["prune", "--broken", "--dry-run", "--json"])
        .succeeds()
        .json();
    assert_eq!(json["checkpoints"].as_array().unwrap().len(), names.len());
}

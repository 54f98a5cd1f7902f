//! Submodules: what is uncommitted in them counts, whoever has to read them, and what cannot be read is said.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::harness::Project;
#[cfg(unix)]
use crate::harness::files::write_program;

const SESSION: &str = "s1";
/// Forms of a repository: one that libgit2 reads and two that it does not.
const FORMS: [&str; 3] = [
    "--ref-format=files",
    "--ref-format=reftable",
    "--object-format=sha256",
];

/// A repository of a form with submodules of the same form; None where the git here does not know it.
fn with_submodules(form: &str, paths: &[&str]) -> Option<Project> {
    let project = Project::bare_folder();
    for folder in [""].iter().chain(paths) {
        project.write(format!("{folder}/file").trim_start_matches('/'), "1\n");
        let mut init = Command::new("git");
        init.args(["init", "-q", "-b", "main", form])
            .current_dir(project.path(folder));
        if !init.output().unwrap().status.success() {
            return None;
        }
    }
    for path in paths {
        let folder = project.path(path);
        project.git_at(&folder, ["add", "."]);
        project.git_at(&folder, ["commit", "-q", "-m", "first"]);
    }
    project.write(".gitignore", ".claude-checkpoint*\n");
    project.commit("first");
    Some(project)
}

fn recorded(project: &Project) -> Vec<String> {
    let saved = project.saved(SESSION);
    let files = saved["modifiedFiles"].as_array().unwrap().iter();
    files
        .map(|file| file["path"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn what_is_uncommitted_in_submodules_is_recorded_in_every_form() {
    for form in FORMS {
        let Some(project) = with_submodules(form, &["clean", "dirty", "moved", "new"]) else {
            continue;
        };
        project.write("dirty/file", "2\n");
        project.write("new/untracked", "2\n");
        let moved = project.path("moved");
        project.git_at(&moved, ["commit", "-q", "--allow-empty", "-m", "second"]);
        project.save(SESSION, json!({"goal": "g"})).stays_silent();
        assert_eq!(recorded(&project), ["dirty", "moved", "new"], "{form}");
        let hash = &project.saved(SESSION)["modifiedFiles"][1]["hash"];
        assert_eq!(
            *hash,
            project.git_at(&moved, ["rev-parse", "HEAD"]),
            "{form}"
        );
        let none: [&str; 0] = [];
        assert_eq!(project.changed_since(SESSION), none, "{form}");
        project.git_at(&moved, ["commit", "-q", "--allow-empty", "-m", "third"]);
        project.write("clean/untracked", "1\n");
        assert_eq!(project.changed_since(SESSION), ["clean", "moved"], "{form}");
    }
}

/// Leaves a submodule that nothing can read.
fn break_it(project: &Project, path: &str) {
    fs::write(project.path(path).join(".git/index"), "none").unwrap();
}

#[test]
fn a_submodule_that_cannot_be_read_is_warned_of_and_the_rest_is_known() {
    for form in FORMS {
        let Some(project) = with_submodules(form, &["a", "b"]) else {
            continue;
        };
        project.save(SESSION, json!({"goal": "g"})).stays_silent();
        break_it(&project, "a");
        project.write("b/file", "2\n");
        project.write("file", "2\n");
        const WARNING: &str = "submodule `a` was not looked into: ";
        let loaded = project.load(SESSION);
        assert_eq!(loaded["drift"]["changedSince"], json!(["b", "file"]));
        let warning = loaded["warnings"][0].as_str().unwrap();
        assert!(warning.starts_with(WARNING), "{form}: {warning}");
        let text = loaded["text"].as_str().unwrap();
        assert!(text.contains(&format!("Warning: {warning}\n")), "{text}");
        assert!(
            text.contains("in these submodules cannot be known: `a`\n"),
            "{text}"
        );
        project.save(SESSION, json!({"goal": "g"})).errs(WARNING);
        assert_eq!(recorded(&project), ["b", "file"], "{form}");
        assert_eq!(project.saved(SESSION)["meta"]["truncated"], json!(false));
    }
}

#[test]
fn where_a_submodule_cannot_be_read_nothing_is_said_to_be_as_it_was() {
    let project = with_submodules(FORMS[0], &["a"]).unwrap();
    project.save(SESSION, json!({"goal": "g"}));
    break_it(&project, "a");
    let text = project.load(SESSION)["text"].to_string();
    assert!(text.contains("No other file changed"), "{text}");
    assert!(!text.contains("Nothing changed since"), "{text}");
    project
        .ckpt(["diff", SESSION, "--exit-code"])
        .exits(2)
        .errs("not everything could be compared");
}

#[test]
fn many_submodules_that_cannot_be_read_are_one_warning() {
    let paths = ["a", "b", "c", "d", "e"];
    let project = with_submodules(FORMS[0], &paths).unwrap();
    for path in paths {
        break_it(&project, path);
    }
    let output = project.ckpt(["save", "--goal", "g", "--session", SESSION, "--json"]);
    let outcome: Value = output.succeeds().json();
    let warnings = outcome["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let expected = "5 submodules were not looked into (`a`, `b`, `c`, …); the first: ";
    let warning = warnings[0].as_str().unwrap();
    assert!(warning.starts_with(expected), "{warning}");
}

#[test]
#[cfg(unix)]
fn a_program_of_the_project_is_not_run_for_a_submodule_either() {
    let project = Project::repository();
    let submodule = project.commit_submodule("sub");
    // In a form that only the git command reads.
    project.git_at(&submodule, ["config", "core.repositoryFormatVersion", "1"]);
    project.git_at(&submodule, ["config", "extensions.partialClone", "origin"]);
    project.write("sub/file", "2\n");
    let marker = project.home().join("marker");
    fs::create_dir(project.path("bin")).unwrap();
    let script = format!("#!/bin/sh\necho ran > '{}'\n", marker.display());
    write_program(&project.path("bin/git"), &script);
    let own = project.path("bin");
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", own.display());
    project
        .ckpt_with(
            &[("PATH", &path)],
            ["save", "--goal", "g", "--session", SESSION],
        )
        .succeeds();
    assert_eq!(recorded(&project), ["bin/git", "sub"]);
    assert!(!marker.exists());
}

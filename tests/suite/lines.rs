//! The changed lines of what differs from a checkpoint.
#![cfg(unix)]

use std::process::Command;

use serde_json::{Value, json};

use crate::harness::Project;

/// A repository of a form with these files committed; None where the git here does not know it.
fn repository(option: &str) -> Option<Project> {
    let project = Project::bare_folder();
    let mut init = Command::new("git");
    init.args(["init", "-q", "-b", "main", option]);
    if !init
        .current_dir(project.root())
        .output()
        .unwrap()
        .status
        .success()
    {
        crate::harness::skipped(&format!("this git knows no {option}"));
        return None;
    }
    project.write(".gitignore", ".claude-checkpoint*\n");
    project.write("kept", "one\ntwo\nthree\n");
    project.write("clean", "one\ntwo\nthree\n");
    project.write("committed", "one\n");
    project.write("gone", "one\ntwo\n");
    project.write("moved", "one\ntwo\n");
    project.write("windows", "one\r\ntwo\r\n");
    project.write("last", "one");
    project.write("binary", b"\0one");
    project.write("latin", b"caf\xe9\n");
    project.write("Cargo.lock", "one\n");
    project.write("made", "one\n");
    project.write("big", "line\n".repeat(60_000));
    project.write(
        ".gitattributes",
        "made linguist-generated\n*.x filter=own\n*.lfs filter=lfs\n",
    );
    project.commit("first");
    Some(project)
}

/// The patches of `ckpt diff -p` by path.
fn patches(project: &Project) -> Vec<Value> {
    let diff = project
        .ckpt(["diff", "s1", "-p", "--json"])
        .succeeds()
        .json();
    diff["patches"].as_array().unwrap().clone()
}

fn patch(patches: &[Value], path: &str) -> Value {
    let found = patches.iter().find(|patch| patch["path"] == path);
    found
        .unwrap_or_else(|| panic!("no {path} in {patches:?}"))
        .clone()
}

#[test]
fn lines_are_shown_as_far_as_git_has_what_they_were() {
    for option in ["--quiet", "--object-format=sha256", "--ref-format=reftable"] {
        let Some(project) = repository(option) else {
            continue;
        };
        project.write("kept", "one\ntwo, edited\nthree\n");
        project.write("committed", "two\n");
        project.write("scratch", "never committed\n");
        project.save("s1", json!({"goal": "g"}));
        project.git(["add", "committed"]);
        project.git(["commit", "-qm", "as it was saved"]);
        project.write("committed", "two\nthree\n");
        project.write("kept", "one\nthree\n");
        project.write("scratch", "two\n");
        project.write("clean", "one\nTWO\nthree\n");
        project.write("new", "one\n");
        project.remove("gone");
        project.git(["mv", "moved", "renamed"]);
        project.write("windows", "one\nTWO\n");
        project.write("last", "one\ntwo");
        project.write("binary", b"\0two");
        project.write("latin", b"caf\xe8\ncaf\xe9\n");
        project.write("Cargo.lock", "two\n");
        project.write("made", "two\n");
        project.write("big", "line\n");
        let patches = patches(&project);
        let diff = |path: &str| {
            patch(&patches, path)["diff"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        let why = |path: &str| {
            patch(&patches, path)["why"]
                .as_str()
                .unwrap_or_default()
                .to_owned()
        };
        assert_eq!(diff("clean"), "@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n");
        assert_eq!(diff("committed"), "@@ -1 +1,2 @@\n two\n+three\n");
        assert_eq!(diff("new"), "@@ -0,0 +1 @@\n+one\n");
        assert_eq!(diff("gone"), "@@ -1,2 +0,0 @@\n-one\n-two\n");
        assert_eq!(diff("moved"), "@@ -1,2 +0,0 @@\n-one\n-two\n");
        assert_eq!(diff("renamed"), "@@ -0,0 +1,2 @@\n+one\n+two\n");
        assert_eq!(diff("windows"), "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n");
        assert!(
            diff("last").contains("\\ No newline at end of file"),
            "{}",
            diff("last")
        );
        assert!(diff("latin").contains("+caf\u{fffd}"), "{}", diff("latin"));
        for path in ["kept", "scratch"] {
            assert_eq!(why(path), "content at the save not kept", "{path}");
        }
        assert_eq!(why("binary"), "it is not text");
        assert_eq!(why("Cargo.lock"), "it is a lock file");
        assert_eq!(why("made"), "a program writes it");
        assert_eq!(why("big"), "it is larger than 256 KiB");
        assert_eq!(patch(&patches, "made")["added"], 1);
        // Nothing is stored for it.
        assert_eq!(project.git(["count-objects"]), {
            project.ckpt(["diff", "s1", "-p"]).succeeds();
            project.git(["count-objects"])
        });
    }
}

#[test]
fn what_git_keeps_in_another_form_is_named_alone() {
    let Some(project) = repository("--quiet") else {
        return;
    };
    project.write("a.x", "one\n");
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0000000000000000000000000000000000000000000000000000000000000000\nsize 4\n";
    project.write("a.lfs", pointer);
    project.commit("in other forms");
    let submodule = project.commit_submodule("sub");
    project.git(["config", "filter.own.clean", "cat"]);
    project.git(["config", "filter.lfs.clean", "git-lfs clean -- %f"]);
    project.save("s1", json!({"goal": "g"}));
    project.write("a.x", "two, longer\n");
    project.write("a.lfs", "what the pointer stands for\n");
    project.git_at(&submodule, ["commit", "-q", "--allow-empty", "-m", "more"]);
    let patches = patches(&project);
    for path in ["a.x", "a.lfs"] {
        assert_eq!(
            patch(&patches, path)["why"],
            "git keeps it in another form, by a filter or an encoding"
        );
    }
    assert_eq!(patch(&patches, "sub")["why"], "it is not a file");
}

#[test]
fn a_list_that_was_cut_tells_nothing_of_what_was_dropped() {
    let Some(project) = repository("--quiet") else {
        return;
    };
    for number in 0..120 {
        project.write(format!("many/{number}"), "one\n");
    }
    project.save("s1", json!({"goal": "g"}));
    // Later than the save, by the clock that counts here.
    project.write("clean", "two\n");
    let later = Command::new("touch")
        .args(["-d", "2030-01-01"])
        .arg(project.path("clean"))
        .status();
    assert!(later.unwrap().success());
    let patches = patches(&project);
    assert_eq!(
        patch(&patches, "clean")["why"],
        "content at the save not kept"
    );
}

#[test]
fn an_agent_gets_the_brief_first_and_no_more_than_it_can_use() {
    let Some(project) = repository("--quiet") else {
        return;
    };
    let lines = |word: &str, count: usize| -> String {
        (0..count)
            .map(|number| format!("{word} {number}\n"))
            .collect()
    };
    for number in 0..30 {
        project.write(format!("file{number}"), lines("before", 400));
    }
    project.write("small", "one\n```\nthree\n");
    project.commit("many");
    project.save("s1", json!({"goal": "g", "summary": "what was done"}));
    for number in 0..30 {
        project.write(format!("file{number}"), lines("after", 400 + number));
    }
    project.write("small", "one\n```\nTHREE\n");
    let brief = project.load("s1")["text"].as_str().unwrap().to_owned();
    let loaded = project.ckpt(["load", "--session", "s1", "--format", "diff", "--json"]);
    let loaded = loaded.succeeds().json();
    let text = loaded["text"].as_str().unwrap();
    let section = text.strip_prefix(brief.as_str()).unwrap();
    assert!(
        section.chars().count() <= 8_000,
        "{}",
        section.chars().count()
    );
    assert!(section.starts_with("\n## Changed lines"), "{section}");
    let small = section.find("- `small` +1 −1\n````diff\n").unwrap();
    for number in 0..30 {
        let named = section.find(&format!("- `file{number}` +{} −400\n", 400 + number));
        assert!(named.is_some_and(|at| at > small), "{number}: {section}");
    }
    assert!(section.contains("more lines of this difference"));
}

#[test]
fn no_secret_is_in_any_difference() {
    let Some(project) = repository("--quiet") else {
        return;
    };
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAvx\nkq9Zt7Qm3vB1\n-----END RSA PRIVATE KEY-----\n";
    project.write(
        "clean",
        format!("API_KEY=sk-before-1234567890abcdefghij\n{key}"),
    );
    project.commit("secrets");
    project.save("s1", json!({"goal": "g"}));
    project.write(
        "clean",
        format!("API_KEY=sk-after-1234567890abcdefghij\nmore\n{key}"),
    );
    project.write("new", "password: hunter2hunter2\n");
    for arguments in [
        &["diff", "s1", "-p"][..],
        &["diff", "s1", "-p", "--json"],
        &["load", "s1", "--format", "diff"],
    ] {
        let output = project.ckpt(arguments).succeeds().stdout;
        for secret in ["1234567890abcdefghij", "kq9Zt7Qm3vB1", "hunter2hunter2"] {
            assert!(!output.contains(secret), "{arguments:?}: {output}");
        }
        assert!(output.contains("+more"), "{output}");
    }
    project.git(["checkout", "-q", "clean"]);
    project.write(
        "clean",
        format!("API_KEY=sk-after-1234567890abcdefghij\n{key}"),
    );
    let patch = patch(&patches(&project), "clean");
    assert_eq!(patch["why"], "only redacted values differ");
}

#[test]
fn no_secret_of_the_corpus_is_in_any_difference() {
    const FILES: usize = 150;
    let corpus = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/redaction/visible.jsonl"
    );
    let Ok(corpus) = std::fs::read_to_string(corpus) else {
        return crate::harness::skipped("there is no corpus beside the project");
    };
    let rows: Vec<Value> = corpus
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let project = Project::repository();
    let name = |file: usize| format!("f{file}");
    (0..FILES).for_each(|file| project.write(name(file), "begin\n"));
    project.commit("before");
    project.save("s1", json!({"goal": "g"}));
    for file in 0..FILES {
        let texts = rows.iter().skip(file).step_by(FILES);
        let texts: String = texts
            .map(|row| format!("{}\n\n", row["text"].as_str().unwrap()))
            .collect();
        project.write(name(file), format!("begin\n{texts}"));
    }
    let patches = patches(&project);
    for (number, row) in rows.iter().enumerate() {
        let patch = patch(&patches, &name(number % FILES));
        let shown = patch["diff"].as_str().unwrap();
        for secret in row["secrets"].as_array().unwrap() {
            let secret = secret.as_str().unwrap();
            assert!(!shown.contains(secret), "{secret} of {}", row["id"]);
        }
    }
}

#[test]
fn without_git_lines_are_read_all_the_same() {
    let Some(project) = repository("--quiet") else {
        return;
    };
    project.save("s1", json!({"goal": "g"}));
    project.write("clean", "one\nTWO\nthree\n");
    let nowhere = project.home();
    let variables = [("PATH", nowhere.to_str().unwrap())];
    let output = project
        .ckpt_with(&variables, ["diff", "s1", "-p"])
        .succeeds();
    output.prints("@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n");
}

#[test]
fn lines_are_of_a_checkpoint_and_the_files_alone() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    for more in [
        &["s1", "-p", "--prev"][..],
        &["s1", "s1", "-p"],
        &["s1", "-p", "--name-only"],
    ] {
        project
            .ckpt(["diff"].iter().chain(more))
            .fails_with("cannot be used with");
    }
    project
        .ckpt(["diff", "s1", "-p"])
        .succeeds()
        .prints("Nothing changed.");
}

#[test]
fn a_checkpoints_file_that_is_loaded_shows_the_lines_too() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    project.write("README", "hello\nagain\n");
    let file = project.home().join("handed-over.json");
    std::fs::rename(project.checkpoint("s1"), &file).unwrap();
    let file = file.display().to_string();
    let load = project.ckpt(["load", &file, "--format", "diff"]).succeeds();
    assert!(load.stdout.contains("\n+again\n"), "{}", load.stdout);
    let brief = project.ckpt(["load", &file]).succeeds();
    assert!(!brief.stdout.contains("+again"), "{}", brief.stdout);
}

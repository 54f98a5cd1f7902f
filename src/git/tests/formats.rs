//! Repositories in forms that libgit2 cannot read: the git command reads them, and runs nothing else.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;

use super::fixture::{Fixture, assert_changes, patient, read, repository, status};
#[cfg(unix)]
use crate::env::Deadline;
#[cfg(unix)]
use crate::git::Error;
use crate::git::command::Git;
use crate::git::program::Surroundings;
use crate::git::{Base, Head, History, Opened};

/// Every fact about a repository that has the file `kept`, `sub/changed` and `gone` and nothing else.
#[track_caller]
fn assert_facts(fixture: &Fixture) {
    let head = fixture.git(&["rev-parse", "HEAD"]);
    let found = fixture.head();
    let branch = Some("main".to_owned());
    let commit = head.clone();
    assert_eq!(found, Some(Head { branch, commit }));
    assert_changes(&fixture.changes(), &[]);
    fixture.write("sub/changed", "2");
    fixture.remove("gone");
    fixture.write("new/file", "1");
    let expected = ["D gone", "?? new/file", "M sub/changed"];
    assert_changes(&status(&fixture.root, ""), &expected);
    assert_changes(&fixture.changes(), &expected);
    assert_changes(&fixture.changes_since(&head), &expected);
    fixture.commit();
    assert_changes(&fixture.changes(), &[]);
    let expected = ["D gone", "A new/file", "M sub/changed"];
    assert_changes(&fixture.changes_since(&head), &expected);
    let everything = fixture.repository().changes_since(Base::Empty).unwrap();
    assert_changes(
        &read(everything),
        &["A kept", "A new/file", "A sub/changed"],
    );
    let since = |commit: &str| fixture.repository().commits_since(commit).unwrap();
    assert_eq!(since(&head), History::Ahead { commits: 1 });
    assert_eq!(since(&head.replace(|_| true, "1")), History::Gone);
    assert_eq!(since("--all"), History::Gone);
    let subjects = |limit| fixture.repository().subjects_since(&head, limit).unwrap();
    fixture.git(&["commit", "-q", "--allow-empty", "-m", "one\n\nbody"]);
    fixture.git(&[
        "commit",
        "-q",
        "--allow-empty",
        "--allow-empty-message",
        "-m",
        "",
    ]);
    fixture.git(&["commit", "-q", "--allow-empty", "-m", "two"]);
    assert_eq!(subjects(10)[..3], ["two", "", "one"]);
    assert_eq!(subjects(1), ["two"]);
    assert!(fixture.repository().subjects_since("--all", 1).is_err());
    fixture.write(".gitignore", "*.o\n");
    assert!(fixture.repository().is_ignored("a.o").unwrap());
    assert!(!fixture.repository().is_ignored("a.c").unwrap());
    fixture.git(&["checkout", "-q", "--detach"]);
    assert_eq!(fixture.head().unwrap().branch, None);
    fixture.git(&["checkout", "-q", "--orphan", "unborn"]);
    assert_eq!(fixture.head(), None);
}

fn fill(fixture: &Fixture) {
    for path in ["kept", "sub/changed", "gone"] {
        fixture.write(path, "1");
    }
    fixture.commit();
}

/// A repository made with an option that the git here may be too old for.
fn made_with(option: &str) -> Option<Fixture> {
    let plain = Fixture::plain();
    if !plain
        .try_git(&["init", "-q", option, "probe"])
        .status
        .success()
    {
        eprintln!("skipped: this git knows no {option}");
        return None;
    }
    let fixture = Fixture::with(&[option]);
    fill(&fixture);
    Some(fixture)
}

#[test]
fn sha256_object_ids() {
    if let Some(fixture) = made_with("--object-format=sha256") {
        assert_facts(&fixture);
    }
}

#[test]
fn reftable_references() {
    if let Some(fixture) = made_with("--ref-format=reftable") {
        assert_facts(&fixture);
    }
}

#[test]
fn a_split_index() {
    let fixture = Fixture::new();
    fill(&fixture);
    fixture.git(&["update-index", "--split-index"]);
    assert_facts(&fixture);
}

#[test]
fn a_sparse_index() {
    let fixture = Fixture::new();
    fixture.write("elsewhere/deep/file", "1");
    fill(&fixture);
    fixture.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "sub"]);
    fixture.write("sub/changed", "2");
    assert_changes(&fixture.changes(), &["M sub/changed"]);
    let head = fixture.git(&["rev-parse", "HEAD"]);
    assert_changes(&fixture.changes_since(&head), &["M sub/changed"]);
}

#[test]
fn a_partial_clone_fetches_nothing() {
    let origin = Fixture::new();
    fill(&origin);
    origin.git(&["config", "uploadpack.allowFilter", "true"]);
    let first = origin.git(&["rev-parse", "HEAD"]);
    origin.write("kept", "2");
    origin.commit();
    let fixture = Fixture::plain();
    let url = format!("file://{}", origin.root.display());
    fixture.git(&["clone", "-q", "--filter=blob:none", &url, "."]);
    origin.remove(".git");
    fixture.write("sub/changed", "2");
    assert_changes(&fixture.changes(), &["M sub/changed"]);
    assert_changes(&fixture.changes_since(&first), &["M kept", "M sub/changed"]);
    let history = fixture.repository().commits_since(&first).unwrap();
    assert_eq!(history, History::Ahead { commits: 1 });
}

#[test]
fn lfs_files_are_known_to_the_command_too() {
    let fixture = Fixture::new();
    let digest = "486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7";
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize 5\n");
    fixture.write("a.bin", &pointer);
    fixture.write("b.bin", &pointer);
    fixture.commit();
    fixture.write(".gitattributes", "*.bin filter=lfs -text\n");
    let base = fixture.commit();
    fixture.git(&["config", "filter.lfs.clean", "git-lfs clean -- %f"]);
    fixture.write("a.bin", "world");
    fixture.write("b.bin", "World");
    let repository = repository(&fixture.root);
    assert_changes(&read(repository.changes().unwrap()), &["M b.bin"]);
    let since = repository.changes_since(Base::Commit(&base)).unwrap();
    assert_changes(&read(since), &["M b.bin"]);
}

#[cfg(unix)]
#[test]
fn nothing_that_the_repository_names_is_run() {
    let inner = Fixture::committed(&[("file", "1")]);
    let fixture = Fixture::committed(&[
        (".gitattributes", "* filter=own diff=own\n"),
        ("a", "1"),
        ("b", "1"),
    ]);
    let url = inner.root.to_str().unwrap();
    fixture.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        url,
        "sub",
    ]);
    let base = fixture.commit();
    fixture.write_program("../run", "#!/bin/sh\ntouch \"$0\".ran\ncat\n");
    let script = fixture.at("../run");
    let hooks = fixture.at("../hooks");
    fs::create_dir(&hooks).unwrap();
    for hook in [
        "post-index-change",
        "fsmonitor-watchman",
        "reference-transaction",
    ] {
        fs::copy(&script, hooks.join(hook)).unwrap();
    }
    let script = script.to_str().unwrap();
    for folder in ["", "sub"] {
        for name in [
            "core.fsmonitor",
            "core.sshCommand",
            "core.pager",
            "core.editor",
            "diff.external",
            "filter.own.clean",
            "filter.own.smudge",
            "filter.own.process",
            "diff.own.command",
            "diff.own.textconv",
            "pager.status",
            "pager.diff-index",
            "credential.helper",
        ] {
            fixture.git(&["-C", &format!("./{folder}"), "config", name, script]);
        }
        let hooks = hooks.to_str().unwrap();
        fixture.git(&[
            "-C",
            &format!("./{folder}"),
            "config",
            "core.hooksPath",
            hooks,
        ]);
        fixture.git(&[
            "-C",
            &format!("./{folder}"),
            "config",
            "filter.own.required",
            "true",
        ]);
    }
    fixture.write("a", "2");
    fixture.write("b", "1");
    fixture.write("sub/file", "2");
    fixture.write("new", "1");
    let repository = repository(&fixture.root);
    let expected = ["M a", "?? new", "M sub"];
    assert_changes(&read(repository.changes().unwrap()), &expected);
    let since = repository.changes_since(Base::Commit(&base)).unwrap();
    assert_changes(&read(since), &expected);
    repository.head().unwrap();
    repository.commits_since(&base).unwrap();
    repository.is_ignored("a").unwrap();
    assert_changes(&fixture.changes(), &expected);
    let nested = super::fixture::repository(&fixture.at("sub"));
    assert_changes(&read(nested.changes().unwrap()), &["M file"]);
    for folder in [fixture.at(".."), hooks] {
        let names = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let ran: Vec<_> = names
            .filter(|name| name.to_string_lossy().ends_with(".ran"))
            .collect();
        assert_eq!(ran, Vec::<std::ffi::OsString>::new());
    }
}

#[test]
fn the_command_writes_nothing() {
    let fixture = Fixture::new();
    fill(&fixture);
    let index = fs::read(fixture.at(".git/index")).unwrap();
    fs::write(fixture.at(".git/index.lock"), "").unwrap();
    // The same content at another time.
    fixture.write("kept", "1");
    let head = fixture.git(&["rev-parse", "HEAD"]);
    let repository = repository(&fixture.root);
    assert_eq!(read(repository.changes().unwrap()), []);
    assert_eq!(
        read(repository.changes_since(Base::Commit(&head)).unwrap()),
        []
    );
    assert_eq!(fs::read(fixture.at(".git/index")).unwrap(), index);
}

#[test]
fn a_repository_that_nothing_reads_says_why() {
    let fixture = Fixture::new();
    fixture.git(&["config", "core.repositoryFormatVersion", "1"]);
    fixture.git(&["config", "extensions.unheardOf", "true"]);
    let Opened::Unreadable(why) = super::fixture::open(&fixture.root) else {
        panic!("read");
    };
    assert!(why.contains("unheardof"), "{why}");
}

/// Surroundings with this program in the place of git.
#[cfg(unix)]
fn with_program(fixture: &Fixture, script: &str) -> Surroundings {
    fixture.write_program("../bin/git", script);
    let program = fixture.at("../bin/git").canonicalize().unwrap();
    Surroundings {
        program: Some(program),
        ..Surroundings::default()
    }
}

#[cfg(unix)]
#[test]
fn a_command_without_end_is_cut_off() {
    let fixture = Fixture::plain();
    let surroundings = with_program(&fixture, "#!/bin/sh\nexec /bin/cat /dev/zero\n");
    let git = |deadline| Git::new(&fixture.root, &surroundings, deadline).unwrap();
    let error = git(patient()).output(&["status"]).unwrap_err();
    assert!(
        error.to_string().contains("more than can be read"),
        "{error}"
    );
    let passed = Deadline::after(Duration::ZERO);
    assert_eq!(git(passed).output(&["status"]), Err(Error::TimedOut));
}

#[cfg(unix)]
#[test]
fn a_command_that_hangs_is_ended_with_what_it_started() {
    let fixture = Fixture::plain();
    let (ready, hints) = (fixture.at("../ready"), fixture.at("../held"));
    super::fixture::fifo(&fixture, "../held");
    let script = format!(
        "#!/bin/sh\n(exec 0<>'{}'; echo > '{}'; exec /bin/cat) &\nwait\n",
        hints.display(),
        ready.display()
    );
    let surroundings = with_program(&fixture, &script);
    let git = Git::new(&fixture.root, &surroundings, patient()).unwrap();
    let running = git.start(&["status"]).unwrap();
    while !ready.exists() {
        std::thread::yield_now();
    }
    drop(running);
    // Opening it for writing waits for a reader, of which there is none once the inner process has ended.
    let mut options = rustix::fs::OFlags::WRONLY | rustix::fs::OFlags::NONBLOCK;
    options |= rustix::fs::OFlags::CLOEXEC;
    while rustix::fs::open(&hints, options, rustix::fs::Mode::empty()).is_ok() {
        std::thread::yield_now();
    }
}

#[test]
fn without_a_command_this_program_answers() {
    let surroundings = Surroundings::default();
    assert!(Git::new(Path::new("/"), &surroundings, patient()).is_none());
}

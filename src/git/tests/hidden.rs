//! Filters of repositories that hide where their settings are, or that they are there at all: none is run.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::fixture::{Fixture, command, patient};
use super::nested::{FORMS, Make, git, init, inside_each_other};
use crate::env::Env;
use crate::git::{self as reading, Opened};

/// Has the file in a repository pass a filter that leaves a marker, and look as if it may have changed.
fn trap(folder: &Path, git_dir: &Path, marker: &Path) {
    let clean = format!("sh -c 'touch {}; cat'", marker.display());
    let config = git_dir.join("config");
    git(
        folder,
        &[
            "config",
            "-f",
            config.to_str().unwrap(),
            "filter.own.clean",
            &clean,
        ],
    );
    fs::create_dir_all(git_dir.join("info")).unwrap();
    fs::write(git_dir.join("info/attributes"), "file filter=own\n").unwrap();
    fs::write(folder.join("file"), "2").unwrap();
}

/// Reads what a save reads.
#[track_caller]
fn assert_not_run(fixture: &Fixture, marker: &Path, what: &str) {
    // Where the machine's settings are not asked for, git's files say which filters there are.
    let env = Env::from_process().with("GIT_CONFIG_NOSYSTEM", "1".into());
    let (_, opening) = reading::start(&fixture.root, &env, patient(), None).unwrap();
    if let Opened::Repository(repository) = opening.finish() {
        let _ = repository.changes();
    }
    assert!(!marker.exists(), "{what}");
    // The trap is one.
    let _ = command(&fixture.root).args(["status"]).output();
    assert!(marker.exists(), "{what}");
}

#[test]
fn a_filter_of_a_submodule_that_hides_where_its_files_are_is_not_run() {
    let hide: [(&str, Make); 3] = [
        ("in the folder itself", |folder| {
            for entry in fs::read_dir(folder.join(".git")).unwrap().flatten() {
                fs::rename(entry.path(), folder.join(entry.file_name())).unwrap();
            }
            fs::remove_dir(folder.join(".git")).unwrap();
            fs::write(folder.join(".git"), "gitdir: .\n").unwrap();
        }),
        ("in a folder with a space at the end", |folder| {
            fs::rename(folder.join(".git"), folder.join("real ")).unwrap();
            fs::create_dir(folder.join("real")).unwrap();
            fs::write(folder.join(".git"), "gitdir: real \n").unwrap();
        }),
        ("in a folder whose name is no text", |folder| {
            let common = OsStr::from_bytes(b"\xff");
            let own = folder.join(".git");
            fs::create_dir(folder.join(common)).unwrap();
            for name in ["config", "objects", "refs", "info"] {
                fs::rename(own.join(name), folder.join(common).join(name)).unwrap();
            }
            fs::write(own.join("commondir"), b"../\xff\n").unwrap();
        }),
    ];
    for (what, hide) in hide {
        for depth in ["a", "a/b"] {
            let fixture = inside_each_other(FORMS[0]).unwrap();
            let (folder, marker) = (fixture.at(depth), fixture.at("../ran"));
            trap(&folder, &folder.join(".git"), &marker);
            hide(&folder);
            assert_not_run(&fixture, &marker, &format!("{what}, {depth}"));
        }
        let fixture = inside_each_other(FORMS[0]).unwrap();
        let marker = fixture.at("../ran");
        trap(&fixture.root, &fixture.at(".git"), &marker);
        hide(&fixture.root);
        assert_not_run(&fixture, &marker, &format!("{what}, the project"));
    }
}

#[test]
fn a_filter_of_a_submodule_that_the_index_hides_is_not_run() {
    for depth in ["a", "a/b"] {
        let fixture = inside_each_other(FORMS[0]).unwrap();
        let (folder, marker) = (fixture.at(depth).join("x"), fixture.at("../ran"));
        let outer = fixture.at(depth);
        assert!(init(&folder, FORMS[0]));
        git(&outer, &["add", "x"]);
        git(&outer, &["commit", "-qm", "one more"]);
        trap(&folder, &folder.join(".git"), &marker);
        let index = outer.join(".git/index");
        let mut bytes = fs::read(&index).unwrap();
        let modes: Vec<usize> = (0..bytes.len() - 4)
            .filter(|&at| bytes[at..at + 4] == [0, 0, 0xe0, 0])
            .collect();
        for at in modes {
            bytes[at + 3] = 1;
        }
        fs::write(&index, bytes).unwrap();
        assert_not_run(&fixture, &marker, depth);
    }
}

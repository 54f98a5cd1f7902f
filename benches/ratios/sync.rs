//! A sync of what two machines have already, against the git commands that it takes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::measure::{Bench, command, command_with};
use crate::project::Project;

const EACH: usize = 50;

pub(crate) fn measure(bench: &Bench) {
    if !bench.wants("sync") {
        return;
    }
    let machines = [Project::new(20), Project::new(20)];
    let folder = machines[0].folder();
    let remote = folder.join("remote");
    let url = remote.to_str().unwrap();
    let home = folder.join("home");
    fs::create_dir(&home).unwrap();
    git(&folder, &["init", "-q", "--bare", url])();
    let syncs = machines.each_ref().map(|project| {
        let args = ["sync", url, "--as", "project", "--yes"];
        command_with(&bench.ckpt, &project.root, &args, None, &[("HOME", &home)])
    });
    for (name, project) in ["one", "two"].iter().zip(&machines) {
        project.git(&["config", "ckpt.machine", name]);
        for number in 0..EACH {
            let args = [
                "save",
                "--goal",
                "a goal",
                "--session",
                &format!("{name}-{number}"),
            ];
            command(&bench.ckpt, &project.root, &args, None)();
        }
    }
    let [mut one, mut two] = syncs;
    // What one machine has of the other's belongs to its own afterwards.
    for _ in 0..2 {
        one();
        two();
    }
    let refs = "refs/ckpt/project";
    let (scratch, names) = (folder.join("scratch"), folder.join("names"));
    let blobs: String = ["one", "two"]
        .map(|machine| {
            let tree = [
                "ls-tree",
                "-r",
                "--format=%(objectname)",
                &format!("{refs}/{machine}"),
            ];
            machines[0].git(&[&["--git-dir", url], &tree[..]].concat()) + "\n"
        })
        .concat();
    fs::write(&names, blobs).unwrap();
    let bare: Vec<(PathBuf, Vec<String>)> = [
        (
            &folder,
            &[
                "init",
                "-q",
                "--bare",
                "--template=",
                scratch.to_str().unwrap(),
            ][..],
        ),
        (&machines[0].root, &["config", "--get-regexp", "ckpt"]),
        (
            &scratch,
            &["ls-remote", "--refs", url, &format!("{refs}/*")],
        ),
        (
            &scratch,
            &[
                "fetch",
                "-q",
                "--depth=1",
                url,
                &format!("+{refs}/*:{refs}/*"),
            ],
        ),
        (&scratch, &["ls-tree", "-l", &format!("{refs}/one")]),
        (&scratch, &["ls-tree", "-l", &format!("{refs}/two")]),
    ]
    .map(|(at, args)| {
        (
            at.clone(),
            args.iter().map(|&word| word.to_owned()).collect(),
        )
    })
    .into();
    let reference = &mut || {
        for (at, args) in &bare {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            git(at, &args)();
        }
        command(
            Path::new("git"),
            &scratch,
            &["cat-file", "--batch"],
            Some(&names),
        )();
        fs::remove_dir_all(&scratch).unwrap();
    };
    let what = format!("sync, {EACH} checkpoints on each of two machines");
    bench.row(&what, "the git commands alone", 1.3, &mut one, reference);
}

fn git(at: &Path, args: &[&str]) -> impl FnMut() + use<> {
    command(Path::new("git"), at, args, None)
}

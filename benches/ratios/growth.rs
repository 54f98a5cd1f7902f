//! How cost grows: each row against the same with a tenth of what there is, or with none of it.

use crate::measure::{Bench, LOAD, SAVE, command, write_and_rename};
use crate::project::Project;

/// Ten times as much may take ten times as long.
const LINEAR: f64 = 10.0;
/// What must not show at all.
const NONE: f64 = 1.1;

const LIST: [&str; 3] = ["list", "--limit", "10"];

pub(crate) fn measure(bench: &Bench) {
    changed_files(bench);
    history(bench);
    checkpoints(bench);
    earlier(bench);
}

/// A row for a command, in a project where there is much and in one where there is little.
fn row(
    bench: &Bench,
    args: &[&str],
    (more, much): (&str, &Project),
    (less, little): (&str, &Project),
    goal: f64,
) {
    let mut run = command(&bench.ckpt, &much.root, args, None);
    let mut reference = command(&bench.ckpt, &little.root, args, None);
    let what = format!("{}, {more}", args[0]);
    bench.row(&what, less, goal, &mut run, &mut reference);
}

fn changed_files(bench: &Bench) {
    if !bench.wants("growth: changed files") {
        return;
    }
    let (few, many) = (Project::new(20_000), Project::new(20_000));
    few.change(1_000);
    many.change(10_000);
    let (many, few) = (
        ("10,000 of 20,000 files changed", &many),
        ("1,000 changed", &few),
    );
    row(bench, &SAVE, many, few, LINEAR);
    row(bench, &LOAD, many, few, LINEAR);
}

fn history(bench: &Bench) {
    if !bench.wants("growth: history") {
        return;
    }
    let (short, long, new) = (Project::new(20), Project::new(20), Project::new(20));
    long.commits(20_000);
    for (project, commits) in [(&short, 500), (&long, 500), (&new, 5_000)] {
        project.save(bench);
        project.commits(commits);
    }
    let (after_many, after_one) = (
        ("500 commits after 20,000", &long),
        ("500 commits after one", &short),
    );
    row(bench, &LOAD, after_many, after_one, NONE);
    let (more, less) = (("5,000 commits", &new), ("500 commits", &short));
    row(bench, &LOAD, more, less, LINEAR);
}

/// A save whose checkpoint has as many earlier ones as are kept, against one with none.
fn earlier(bench: &Bench) {
    if !bench.wants("growth: earlier saves") {
        return;
    }
    let (few, many) = (Project::new(20), Project::new(20));
    for _ in 0..53 {
        many.save(bench);
    }
    few.save(bench);
    few.save(bench);
    let history = few.root.join(".claude-checkpoints/history/legacy");
    let mut save = command(&bench.ckpt, &many.root, &SAVE, None);
    let mut reference = command(&bench.ckpt, &few.root, &SAVE, None);
    bench.row(
        "growth: save, 50 earlier saves",
        "none",
        1.1,
        &mut save,
        &mut || {
            // The one that the run before left; the full one deletes its oldest, too.
            for entry in std::fs::read_dir(&history).into_iter().flatten() {
                std::fs::remove_file(entry.unwrap().path()).unwrap();
            }
            reference();
        },
    );
}

fn checkpoints(bench: &Bench) {
    if !bench.wants("growth: checkpoints") {
        return;
    }
    let (few, many) = (Project::new(20), Project::new(20));
    for (project, count) in [(&few, 1_000), (&many, 10_000)] {
        project.save(bench);
        project.checkpoints(count);
    }
    let (more, less) = (("10,000 checkpoints", &many), ("1,000 checkpoints", &few));
    row(bench, &SAVE, more, less, NONE);
    row(bench, &LIST, more, less, LINEAR);
    let target = few.folder().join("written");
    let mut save = command(&bench.ckpt, &few.root, &SAVE, None);
    bench.row(
        "save",
        "write, fsync, rename",
        f64::INFINITY,
        &mut save,
        &mut || write_and_rename(&target),
    );
}

//! What has to be on the disk before what, so that a power cut is no worse than a kill.

use super::trace;
use super::{Ground, STOPPED, Start};
use crate::harness::Project;

/// The calls of a save that change the disk or sync it, each with what it names, in their order.
fn changes(start: Start) -> Vec<String> {
    let ground = Ground::new(Project::bare_folder(), start);
    let mut command = ground.project.command(Ground::arguments(STOPPED));
    command.envs(start.variables().iter().copied());
    ground.reset();
    let mut changes = Vec::new();
    for line in trace::lines(&command, &[]) {
        let what = match trace::call(&line) {
            Some((_, "mkdirat")) => "directory made",
            Some((_, "openat2")) if line.contains("O_EXCL") => "file made",
            Some((_, "fsync")) => "synced",
            Some((_, "renameat")) if line.contains("Z.json\"") => "backup kept",
            Some((_, "renameat")) if line.contains(".prev\"") => "backup placed",
            Some((_, "unlinkat")) if line.contains("Z.json\"") => "oldest deleted",
            Some((_, "renameat")) => "checkpoint placed",
            _ => continue,
        };
        changes.push(what.to_owned());
    }
    changes
}

#[test]
fn both_files_are_synced_before_either_is_renamed_and_the_directory_after_that() {
    if !trace::is_possible() {
        return;
    }
    let written = ["file made", "file made", "synced", "synced"];
    let placed = [
        "backup kept",
        "backup placed",
        "checkpoint placed",
        "synced",
    ];
    let made = ["directory made", "directory made"];
    assert_eq!(
        changes(Start::Both),
        [&written[..], &made, &placed].concat()
    );
    // The lock stands in the directory of the sessions, which is made for it.
    let legacy = changes(Start::Legacy);
    assert_eq!(legacy[3..], [&written[..], &made, &placed].concat());
    // Only a save that is done makes the history forget.
    let full = [&written[..], &placed, &["oldest deleted"]].concat();
    assert_eq!(changes(Start::History), full);
}

#[test]
fn a_new_directory_is_synced_into_its_parent() {
    if !trace::is_possible() {
        return;
    }
    let expected = [
        "directory made",
        "file made",
        "synced",
        "file made",
        "synced",
        "checkpoint placed",
        "synced",
    ];
    assert_eq!(changes(Start::Nothing), expected);
}

//! What has to be on the disk before what, so that a power cut is no worse than a kill.

use super::trace;
use super::{Ground, STOPPED, Start};
use crate::harness::Project;

/// The calls of a save that change the disk or sync it, each with what it names, in their order. Options are those
/// of strace.
fn changes(start: Start, options: &[&str]) -> Vec<String> {
    let ground = Ground::new(Project::bare_folder(), start);
    let mut command = ground.project.command(Ground::arguments(STOPPED));
    command.envs(start.variables().iter().copied());
    ground.reset();
    let mut changes = Vec::new();
    for line in trace::lines(&command, options, &[]) {
        let what = match trace::call(&line) {
            Some((_, "mkdirat")) => "directory made",
            Some((_, "openat2")) if line.contains("O_EXCL") => "file made",
            Some((_, "linkat")) if line.contains("INJECTED") => "link refused",
            Some((_, "linkat")) => "checkpoint linked",
            Some((_, "fsync")) => "synced",
            Some((_, "renameat")) if line.contains(".prev\"") => "backup placed",
            Some((_, "renameat")) => "checkpoint placed",
            _ => continue,
        };
        changes.push(what.to_owned());
    }
    changes
}

#[test]
fn a_file_is_synced_before_anything_is_renamed_and_the_directory_after_that() {
    if !trace::is_possible() {
        return;
    }
    let expected = [
        "file made",
        "synced",
        "checkpoint linked",
        "backup placed",
        "checkpoint placed",
        "synced",
    ];
    assert_eq!(changes(Start::Both, &[]), expected);
    // The lock stands in the directory of the sessions, which is made for it.
    assert_eq!(changes(Start::Legacy, &[])[2..], expected);
}

#[test]
fn a_backup_is_written_and_synced_where_there_are_no_links() {
    if !trace::is_possible() {
        return;
    }
    let expected = [
        "file made",
        "synced",
        "link refused",
        "file made",
        "synced",
        "backup placed",
        "checkpoint placed",
        "synced",
    ];
    let refused = ["-e", "inject=linkat:error=EPERM"];
    assert_eq!(changes(Start::Both, &refused), expected);
}

#[test]
fn a_new_directory_is_synced_into_its_parent() {
    if !trace::is_possible() {
        return;
    }
    let expected = [
        "directory made",
        "synced",
        "file made",
        "synced",
        "checkpoint placed",
        "synced",
    ];
    assert_eq!(changes(Start::Nothing, &[]), expected);
}

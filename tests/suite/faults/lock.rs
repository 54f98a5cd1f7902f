//! File systems that refuse locks, as some network and overlay file systems do.

use serde_json::json;

use super::trace;
use crate::harness::{Output, Project};

#[test]
fn a_file_system_without_locks_is_warned_of_at_every_save() {
    if !trace::is_possible() {
        return;
    }
    let project = Project::bare_folder();
    for error in ["ENOLCK", "EOPNOTSUPP", "ENOSYS"] {
        let command = project.command(["save", "--goal", error, "--session", "s1"]);
        let inject = format!("inject=flock:error={error}");
        let mut traced = trace::traced(&command, &["-o", "/dev/null", "-e", &inject]);
        Output::of(&mut traced)
            .succeeds()
            .errs("warning: this file system has no locks");
        assert_eq!(project.saved("s1")["goal"]["primary"], error);
    }
}

#[test]
fn a_lock_that_fails_in_another_way_is_an_error() {
    if !trace::is_possible() {
        return;
    }
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "old"}));
    for error in ["EIO", "EBADF", "EINVAL", "ENOMEM"] {
        let command = project.command(["save", "--goal", "new", "--session", "s1"]);
        let inject = format!("inject=flock:error={error}");
        let mut traced = trace::traced(&command, &["-o", "/dev/null", "-e", &inject]);
        Output::of(&mut traced).fails_with("could not lock `.lock`");
        assert_eq!(project.saved("s1")["goal"]["primary"], "old");
    }
}

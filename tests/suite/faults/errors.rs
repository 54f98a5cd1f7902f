//! Told by the system that it cannot, at every call that the disk can refuse.

use super::trace;
use super::{Ground, STOPPED, Start, repository};
use crate::harness::{Output, Project};

/// What a disk says that is full, broken, read-only, closed to the user, or over its quota.
const ERRORS: [&str; 5] = ["ENOSPC", "EIO", "EROFS", "EACCES", "EDQUOT"];
const REFUSED: [&str; 14] = [
    "fdatasync",
    "flock",
    "fsync",
    "getdents64",
    "linkat",
    "mkdir",
    "mkdirat",
    "open",
    "openat",
    "openat2",
    "renameat",
    "statx",
    "unlinkat",
    "write",
];

fn refuse_everywhere(project: impl Fn() -> Project, starts: &[Start], refused: &[&str]) {
    if !trace::is_possible() {
        return;
    }
    let (mut points, mut failed) = (0, 0);
    for start in starts {
        let ground = Ground::new(project(), *start);
        let mut command = ground.project.command(Ground::arguments(STOPPED));
        command.envs(start.variables().iter().copied());
        ground.reset();
        for (name, number) in trace::points(&command, &[], refused) {
            for error in ERRORS {
                let at = format!("{start:?}: {error} from {name} {number}");
                ground.reset();
                let inject = format!("inject={name}:error={error}:when={number}");
                let options = ["-o", "/dev/null", "-e", &inject];
                let output = Output::of(&mut trace::traced(&command, &options));
                points += 1;
                assert!(
                    !output.stderr.contains("panicked"),
                    "{at}: {}",
                    output.stderr
                );
                assert_eq!(ground.leftovers(), Vec::<String>::new(), "{at}");
                match output.status {
                    0 => assert_eq!(ground.inspect(&at).as_deref(), Some(STOPPED), "{at}"),
                    2 => {
                        failed += 1;
                        assert!(
                            output
                                .stderr
                                .lines()
                                .any(|line| line.starts_with("error: ")),
                            "{at}: {}",
                            output.stderr
                        );
                        assert!(
                            output.stderr.contains("(os error "),
                            "{at}: {}",
                            output.stderr
                        );
                        ground.inspect(&at);
                    }
                    status => panic!("{at}: status {status}: {}", output.stderr),
                }
            }
        }
    }
    trace::say(&format!(
        "{points} refusals, of which {failed} made the save fail"
    ));
    assert!(failed > 20, "{failed}");
}

#[test]
fn a_save_that_the_system_refuses_at_any_call_is_an_error_and_loses_nothing() {
    refuse_everywhere(
        Project::bare_folder,
        &[Start::Nothing, Start::Both, Start::History],
        &REFUSED,
    );
}

#[test]
fn a_save_over_other_files_that_the_system_refuses_is_an_error_and_loses_nothing() {
    let refused = [
        "fsync", "mkdirat", "openat2", "renameat", "unlinkat", "write",
    ];
    refuse_everywhere(
        Project::bare_folder,
        &[Start::Legacy, Start::Corrupt],
        &refused,
    );
}

#[test]
fn a_repository_that_the_system_refuses_to_read_costs_its_facts_and_not_the_save() {
    let refused = [
        "fsync",
        "getdents64",
        "openat",
        "openat2",
        "read",
        "renameat",
        "write",
    ];
    refuse_everywhere(repository, &[Start::Both], &refused);
}

/// A save that had the list of files, but not HEAD, would look like one before the first commit.
#[test]
fn a_head_that_cannot_be_read_once_does_not_make_every_file_changed() {
    if !trace::is_possible() {
        return;
    }
    let project = repository();
    let head = project.path(".git/HEAD").display().to_string();
    for number in 1..=8 {
        let save = project.command(["save", "--goal", "g", "--session", "s1"]);
        let inject = format!("inject=open,openat,read:error=EIO:when={number}");
        let options = ["-o", "/dev/null", "-P", &head, "-e", &inject];
        Output::of(&mut trace::traced(&save, &options)).succeeds();
        // What is uncommitted may be named where the list of it was not to be had.
        let mut changed = project.changed_since("s1");
        changed.retain(|path| !["README", "new/file.txt"].contains(&path.as_str()));
        assert_eq!(changed, Vec::<String>::new(), "at call {number}");
    }
}

//! Real disks that are full or read-only, made of memory where the tests run as root.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use super::trace;
use crate::harness::Project;

/// A file system of its own as a project's root, unmounted when dropped.
pub(super) struct Mounted {
    pub(super) project: Project,
    at: PathBuf,
}

impl Mounted {
    /// None where the tests may not mount.
    pub(super) fn tmpfs(options: &str) -> Option<Self> {
        let project = Project::bare_folder();
        let at = project.root();
        let mounted = mount(&["-t", "tmpfs", "-o", options, "ckpt-test"], &at);
        if !mounted {
            trace::say("skipped: mounting is not permitted");
        }
        mounted.then_some(Self { project, at })
    }
}

impl Mounted {
    /// Gives it another size.
    pub(super) fn resize(&self, options: &str) {
        assert!(mount(&["-o", &format!("remount,{options}")], &self.at));
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.at).status();
    }
}

fn mount(arguments: &[&str], at: &PathBuf) -> bool {
    let output = Command::new("mount").args(arguments).arg(at).output();
    output.is_ok_and(|output| output.status.success())
}

#[test]
fn a_full_disk_is_an_error_and_the_old_checkpoint_stays() {
    let Some(Mounted { ref project, .. }) = Mounted::tmpfs("size=64k") else {
        return;
    };
    project.save("s1", json!({"goal": "one"}));
    project.save("s1", json!({"goal": "two"}));
    let before = project.snapshot();
    let filler = project.path("filler");
    let _ = fs::write(&filler, vec![0; 1 << 20]);
    let long = "x".repeat(4_000);
    for mode in ["replace", "merge"] {
        project
            .try_save(
                "s1",
                &json!({"goal": "three", "summary": long, "mode": mode}),
            )
            .fails_with("No space left on device")
            .errs("hint: make room on the disk");
        let mut after = project.snapshot();
        after.remove(&filler);
        assert_eq!(after, before);
    }
    project.ckpt(["load", "s1"]).succeeds().prints("two");
    project.remove("filler");
    project.save("s1", json!({"goal": "three", "summary": long}));
    assert_eq!(project.saved("s1")["goal"]["primary"], "three");
}

#[test]
fn a_full_disk_keeps_no_empty_text_of_an_edit() {
    let Some(Mounted { ref project, .. }) = Mounted::tmpfs("size=64k") else {
        return;
    };
    project.save("s1", json!({"goal": "one"}));
    let before = project.stored_names();
    let _ = fs::write(project.path("filler"), vec![0; 1 << 20]);
    project
        .ckpt_with(&[("EDITOR", "true")], ["edit", "s1"])
        .fails_with("No space left on device")
        .errs("hint: make room on the disk");
    assert_eq!(project.stored_names(), before);
}

#[test]
fn a_disk_without_inodes_is_an_error_and_the_old_checkpoint_stays() {
    let Some(Mounted { ref project, .. }) = Mounted::tmpfs("nr_inodes=6") else {
        return;
    };
    // The root, the directory with what keeps it out of git, the lock and the checkpoint leave one.
    project.save("s1", json!({"goal": "one"}));
    project.write("filler", "");
    project
        .try_save("s1", &json!({"goal": "two"}))
        .fails_with("No space left on device")
        .errs("hint: make room on the disk");
    assert_eq!(project.saved("s1")["goal"]["primary"], "one");
    project.remove("filler");
    project
        .try_save("s1", &json!({"goal": "two"}))
        .fails_with("No space left on device")
        .errs("hint: make room on the disk");
    assert_eq!(project.stored_names(), [".lock", "s1.json"]);
}

#[test]
fn a_read_only_disk_is_read_and_a_save_is_an_error() {
    let Some(mounted) = Mounted::tmpfs("size=1m") else {
        return;
    };
    let project = &mounted.project;
    project.save("s1", json!({"goal": "one"}));
    assert!(mount(&["-o", "remount,ro"], &mounted.at));
    project
        .try_save("s1", &json!({"goal": "two"}))
        .fails_with("Read-only file system")
        .errs("hint: the disk can only be read");
    project.ckpt(["load", "s1"]).succeeds().prints("one");
    project.ckpt(["list"]).succeeds().prints("one");
    let remote = project.home().join("remote.git");
    let made = Command::new("git")
        .args(["init", "-q", "--bare"])
        .arg(&remote)
        .status();
    assert!(made.unwrap().success());
    let remote = remote.to_str().unwrap();
    project
        .ckpt(["sync", remote, "--yes"])
        .succeeds()
        .prints("to the remote: `s1` one")
        .errs("Read-only file system (os error 30); the next sync takes");
}

#[test]
fn a_folder_that_may_not_be_written_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let project = Project::bare_folder();
    fs::set_permissions(project.root(), fs::Permissions::from_mode(0o500)).unwrap();
    if fs::write(project.path("probe"), "").is_ok() {
        trace::say("skipped: this user may write everywhere");
        return;
    }
    project
        .try_save("s1", &json!({"goal": "g"}))
        .fails_with("Permission denied");
    fs::set_permissions(project.root(), fs::Permissions::from_mode(0o700)).unwrap();
}

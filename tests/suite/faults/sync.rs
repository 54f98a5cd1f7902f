//! A sync whose disk is full, which the system refuses, or which is killed: what came in is here as a whole or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

use super::disk::Mounted;
use super::trace;
use crate::harness::files::{least, with};
use crate::harness::{Output, Project};

/// What changes the disk.
const CHANGING: [&str; 4] = ["fsync", "mkdirat", "renameat", "unlinkat"];
const SESSIONS: [&str; 3] = ["backed-up", "missing", "plain"];

/// A remote that holds what another machine sent.
struct Remote(TempDir);

impl Remote {
    fn of(other: &Project) -> Self {
        let remote = Self(tempfile::tempdir().unwrap());
        let mut init = Command::new("git");
        init.args(["init", "-q", "--bare"]).arg(remote.0.path());
        assert!(init.status().unwrap().success());
        Output::of(&mut remote.sync(other, "other")).succeeds();
        remote
    }

    fn sync(&self, project: &Project, machine: &str) -> Command {
        let path = self.0.path().canonicalize().unwrap();
        let mut command = project.command(["sync", path.to_str().unwrap(), "--yes"]);
        command.envs([
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "ckpt.machine"),
            ("GIT_CONFIG_VALUE_0", machine),
        ]);
        command
    }
}

fn put(project: &Project, session: &str, goal: &str, minute: u32, size: usize) -> String {
    let checkpoint = with(
        least(goal),
        json!({
            "sessionId": session,
            "updatedAt": format!("2026-10-08T01:{minute:02}:00.000Z"),
            "summary": "x".repeat(size),
        }),
    );
    project.put(session, &checkpoint);
    checkpoint.to_string()
}

/// A machine with one checkpoint that has a backup and one that has none, both older than those of the other.
struct Ground {
    remote: Remote,
    project: Project,
    before: BTreeMap<PathBuf, Vec<u8>>,
}

impl Ground {
    fn new() -> Self {
        let other = Project::bare_folder();
        for session in SESSIONS {
            put(&other, session, "new", 30, 10);
        }
        let project = Project::bare_folder();
        let backup = put(&project, "backed-up", "older", 10, 10);
        project.put_backup("backed-up", backup);
        put(&project, "backed-up", "old", 20, 10);
        put(&project, "plain", "old", 20, 10);
        Self {
            remote: Remote::of(&other),
            before: project.snapshot(),
            project,
        }
    }

    fn reset(&self) {
        fs::remove_dir_all(self.project.path(".claude-checkpoints")).unwrap();
        for name in self.leftovers() {
            fs::remove_dir_all(self.project.home().join(name)).unwrap();
        }
        for (path, bytes) in &self.before {
            let path = path.strip_prefix(self.project.root()).unwrap();
            self.project.write(path, bytes);
        }
    }

    fn command(&self) -> Command {
        let mut command = self.remote.sync(&self.project, "here");
        command.env("TMPDIR", self.project.home());
        command
    }

    /// The command, at one of whose calls the system does something.
    fn at(&self, call: &str, number: usize, what: &str) -> Output {
        let inject = format!("inject={call}:{what}:when={number}");
        let mut traced = trace::traced(&self.command(), &["-o", "/dev/null", "-e", &inject]);
        Output::of(&mut traced)
    }

    /// The goals of the checkpoints, each of which has to be whole or missing.
    fn goals(&self) -> [Option<String>; 3] {
        SESSIONS.map(|session| {
            let exists = self.project.checkpoint(session).exists();
            exists.then(|| {
                let saved = self.project.saved(session);
                saved["goal"]["primary"].as_str().unwrap().to_owned()
            })
        })
    }

    #[track_caller]
    fn is_new(&self, at: &str) {
        let new = || Some("new".to_owned());
        assert_eq!(self.goals(), [new(), new(), new()], "{at}");
        let backup = fs::read_to_string(self.project.backup("backed-up")).unwrap();
        assert!(backup.contains("\"old\""), "{at}: {backup}");
        let history = self.project.history("backed-up").into_iter();
        let mut history = history.map(|save| fs::read_to_string(save).unwrap());
        assert!(history.any(|save| save.contains("older")), "{at}");
    }

    fn leftovers(&self) -> Vec<String> {
        let mut names = self.project.stored_names();
        let home = fs::read_dir(self.project.home()).unwrap();
        names.extend(home.map(|entry| entry.unwrap().file_name().into_string().unwrap()));
        names.retain(|name| name.ends_with(".tmp") || name.starts_with("ckpt-sync-"));
        names
    }
}

#[test]
fn a_sync_that_the_disk_refuses_at_any_call_leaves_everything_or_nothing_of_what_came() {
    if !trace::is_possible() {
        return;
    }
    let ground = Ground::new();
    let (mut as_before, mut renames) = (0, 0);
    let refused = [&CHANGING[..], &["openat2"]].concat();
    for (call, number) in trace::points(&ground.command(), &[], &refused) {
        ground.reset();
        let output = ground.at(&call, number, "error=ENOSPC");
        let at = format!("ENOSPC from {call} {number}: {}", output.stderr);
        assert!(!output.stderr.contains("panicked"), "{at}");
        if ground.project.snapshot() == ground.before {
            as_before += usize::from(output.status == 2);
            renames += usize::from(call == "renameat");
        } else if !output.stderr.contains("cannot be read and was passed over") {
            ground.is_new(&at);
        }
        let is_clean = call == "unlinkat" || ground.leftovers().is_empty();
        assert!(is_clean, "{at}: {:?}", ground.leftovers());
    }
    trace::say(&format!("{as_before} refusals left everything as it was"));
    // Both files and the backup of each that was here, and one of the new one.
    assert!(renames >= 6 && as_before > 15, "{renames} of {as_before}");
}

#[test]
fn a_sync_killed_at_any_call_leaves_each_whole_and_the_next_one_ends_it() {
    if !trace::is_possible() {
        return;
    }
    let ground = Ground::new();
    let mut killed = 0;
    for (call, number) in trace::points(&ground.command(), &[], &CHANGING) {
        ground.reset();
        let at = format!("killed at {call} {number}");
        let output = ground.at(&call, number, "signal=SIGKILL");
        killed += usize::from(output.status != 0);
        for goal in ground.goals().into_iter().flatten() {
            assert!(["old", "new"].contains(&goal.as_str()), "{at}: {goal}");
        }
        let later = "2100-01-01T00:00:00Z";
        Output::of(ground.command().env("CKPT_NOW", later)).succeeds();
        ground.is_new(&at);
        let prune = ["prune", "--older-than", "200y", "--yes"];
        let mut prune = ground.project.command(prune);
        Output::of(prune.env("CKPT_NOW", later)).succeeds();
        assert_eq!(ground.leftovers(), Vec::<String>::new(), "{at}");
    }
    trace::say(&format!("killed at {killed} points"));
    assert!(killed > 20, "{killed}");
}

#[test]
fn a_disk_that_fills_up_during_a_sync_holds_what_it_held() {
    let Some(here) = Mounted::tmpfs("size=1m") else {
        return;
    };
    let other = Project::bare_folder();
    let numbers = 0..60;
    for number in numbers.clone() {
        put(&other, &format!("s{number}"), "new", 30, 20_000);
    }
    let remote = Remote::of(&other);
    for number in numbers.clone().step_by(3) {
        let session = format!("s{number}");
        let backup = put(&here.project, &session, "older", 10, 1_000);
        here.project.put_backup(&session, backup);
        put(&here.project, &session, "old", 20, 1_000);
    }
    let before = here.project.snapshot();
    let mut command = remote.sync(&here.project, "here");
    Output::of(&mut command)
        .fails_with("nothing was received, and nothing was sent: ")
        .errs("No space left on device");
    assert_eq!(here.project.snapshot(), before);
    let own = Command::new("git")
        .args(["for-each-ref", "refs/ckpt/my-app/here"])
        .current_dir(remote.0.path())
        .output();
    assert_eq!(own.unwrap().stdout, b"");

    here.resize("size=16m");
    Output::of(&mut command).succeeds();
    for number in numbers {
        let session = format!("s{number}");
        assert_eq!(here.project.saved(&session)["goal"]["primary"], "new");
        let history = here.project.history(&session).len();
        assert_eq!(history, usize::from(number % 3 == 0), "{session}");
    }
}

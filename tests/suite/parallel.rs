//! Several processes at once, and the lock that serializes them (docs/contract.md, section 4).

use std::fs::{self, File};
use std::io::{Seek as _, Write as _};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::harness::{Output, Project};

const PROCESSES: usize = 8;

/// Starts all of them before it waits for any.
fn run_together(children: impl Iterator<Item = Child>) {
    let children: Vec<Child> = children.collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

fn start(project: &Project, arguments: &[&str]) -> Child {
    let mut command = project.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn sorted(values: &Value, field: Option<&str>) -> Vec<String> {
    let mut texts: Vec<String> = values
        .as_array()
        .unwrap()
        .iter()
        .map(|value| field.map_or(value, |field| &value[field]))
        .map(|value| value.as_str().unwrap().to_owned())
        .collect();
    texts.sort();
    texts
}

fn merge_together(project: &Project) {
    run_together((0..PROCESSES).map(|number| {
        let (decision, command) = (format!("d{number}"), format!("c{number}"));
        start(
            project,
            &[
                "save",
                "--session",
                "s1",
                "--merge",
                "--goal",
                "g",
                "--decision",
                &decision,
                "--command",
                &command,
            ],
        )
    }));
    let saved = project.saved("s1");
    let expected =
        |letter| -> Vec<String> { (0..PROCESSES).map(|n| format!("{letter}{n}")).collect() };
    assert_eq!(sorted(&saved["decisions"], None), expected('d'));
    assert_eq!(
        sorted(&saved["recentCommands"], Some("command")),
        expected('c')
    );
    assert_eq!(project.stored_names(), [".lock", "s1.json", "s1.json.prev"]);
}

#[test]
fn merges_by_eight_processes_at_once_lose_nothing() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    merge_together(&project);
}

#[test]
fn merges_by_eight_processes_at_once_lose_nothing_where_there_was_no_checkpoint() {
    merge_together(&Project::bare_folder());
}

#[test]
fn sessions_that_save_at_once_each_have_their_own() {
    let project = Project::bare_folder();
    run_together((0..PROCESSES).map(|number| {
        let name = format!("s{number}");
        start(&project, &["save", "--session", &name, "--goal", &name])
    }));
    for number in 0..PROCESSES {
        let name = format!("s{number}");
        assert_eq!(project.saved(&name)["goal"]["primary"], name);
    }
}

#[test]
fn a_reader_never_meets_half_a_checkpoint() {
    let project = Project::bare_folder();
    let summary = "x".repeat(4_000);
    let save = [
        "save",
        "--session",
        "s1",
        "--goal",
        "g",
        "--summary",
        &summary,
    ];
    project.ckpt(save).succeeds();
    let load = ["load", "s1", "--json"];
    let mut writers: Vec<Child> = (0..PROCESSES).map(|_| start(&project, &save)).collect();
    let mut running = true;
    while running {
        running = writers
            .iter_mut()
            .any(|writer| writer.try_wait().unwrap().is_none());
        let loaded = project.ckpt(load).succeeds().json();
        assert_eq!(loaded["fromBackup"], false, "{loaded}");
    }
    run_together(writers.into_iter());
}

#[test]
fn a_save_that_is_killed_leaves_the_old_or_the_new_checkpoint_and_no_lock() {
    let project = Project::bare_folder();
    let summary = "x".repeat(4_000);
    project.save("s1", json!({"goal": "g", "summary": summary}));
    let save = [
        "save",
        "--session",
        "s1",
        "--goal",
        "g",
        "--summary",
        &summary,
    ];
    for moment in 0..30 {
        let mut child = start(&project, &save);
        // Later and later into its work, as far as that can be said without a clock.
        for _ in 0..moment * 40 {
            fs::read(project.checkpoint("s1")).unwrap();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(project.saved("s1")["summary"], summary);
        let list = project.ckpt(["list", "--json"]).succeeds().json();
        assert_eq!(list["total"], 1, "{list}");
        assert_eq!(list["warnings"], json!([]));
    }
    project.save("s1", json!({"goal": "after"}));
    assert_eq!(project.saved("s1")["goal"]["primary"], "after");
}

#[test]
fn a_lock_file_that_a_killed_process_left_does_not_block() {
    let project = Project::bare_folder();
    project.write(".claude-checkpoints/.lock", "12345\n");
    project.save("s1", json!({"goal": "g"}));
    // It names nobody any more.
    assert_eq!(project.read(".claude-checkpoints/.lock"), "");
}

/// The lock, held by this process.
struct Held {
    lock: File,
    turns: usize,
}

impl Held {
    fn take(project: &Project) -> Self {
        let lock = File::options()
            .write(true)
            .open(project.path(".claude-checkpoints/.lock"))
            .unwrap();
        lock.lock().unwrap();
        Self { lock, turns: 0 }
    }

    /// Makes it look as if another process had its turn now, for one that keeps the lock is not waited for so long as a busy
    /// machine may need to start the others.
    fn pass_on(&mut self) {
        self.turns += 1;
        self.lock.set_len(0).unwrap();
        self.lock.rewind().unwrap();
        write!(self.lock, "1 turn-{}", self.turns).unwrap();
    }

    fn release(self) {
        self.lock.unlock().unwrap();
    }
}

/// Waits until so many stand in line, and the one that came last still does.
fn await_line(project: &Project, count: usize, held: &mut Held, last: &mut Child) {
    while waiting(project) < count {
        assert!(last.try_wait().unwrap().is_none(), "it waits for no turn");
        held.pass_on();
        std::thread::yield_now();
    }
}

fn waiting(project: &Project) -> usize {
    fs::read_dir(project.path(".claude-checkpoints/.queue")).map_or(0, Iterator::count)
}

#[test]
fn those_who_wait_take_their_turns_in_the_order_of_their_coming() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    let mut held = Held::take(&project);
    let mut children = Vec::new();
    for number in 0..PROCESSES {
        let decision = format!("d{number}");
        let save = [
            "save",
            "--session",
            "s1",
            "--merge",
            "--decision",
            &decision,
        ];
        let mut child = start(&project, &save);
        await_line(&project, number + 1, &mut held, &mut child);
        children.push(child);
    }
    // One that died while it waited holds up nobody.
    children[0].kill().unwrap();
    children.remove(0).wait().unwrap();
    held.release();
    run_together(children.into_iter());
    let expected: Vec<String> = (1..PROCESSES).map(|number| format!("d{number}")).collect();
    assert_eq!(project.saved("s1")["decisions"], json!(expected));
    assert_eq!(project.stored_names(), [".lock", "s1.json", "s1.json.prev"]);
}

#[test]
fn many_short_turns_are_waited_for_longer_than_a_long_one() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    let mut held = Held::take(&project);
    let mut waiter = start(&project, &["save", "--session", "s1", "--goal", "waited"]);
    await_line(&project, 1, &mut held, &mut waiter);
    let begun = std::time::Instant::now();
    while begun.elapsed() < std::time::Duration::from_secs(7) {
        held.pass_on();
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    held.release();
    run_together(std::iter::once(waiter));
    assert_eq!(project.saved("s1")["goal"]["primary"], "waited");
}

#[test]
fn a_lock_is_waited_for_and_then_taken() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    let mut held = Held::take(&project);
    let waiting = start(&project, &["save", "--session", "s1", "--goal", "waited"]);
    // Reading needs no lock.
    project.ckpt(["load", "s1"]).succeeds();
    held.pass_on();
    project.ckpt(["list"]).succeeds();
    assert_eq!(project.saved("s1")["goal"]["primary"], "g");
    held.release();
    run_together(std::iter::once(waiting));
    assert_eq!(project.saved("s1")["goal"]["primary"], "waited");
}

/// What the error calls this process.
fn holder() -> String {
    match cfg!(target_os = "linux") {
        true => format!("process {}", std::process::id()),
        false => "another process".to_owned(),
    }
}

#[test]
fn a_lock_that_stays_held_is_an_error_and_nothing_is_written() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    let _held = Held::take(&project);
    let before = project.snapshot();
    Output::of(&mut project.command(["save", "--session", "s1", "--goal", "other"]))
        .fails_with("has held the lock `.lock` for 5 s")
        .errs(&holder());
    assert_eq!(project.snapshot(), before);
    assert!(fs::exists(project.path(".claude-checkpoints/.lock")).unwrap());
}

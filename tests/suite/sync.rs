//! `ckpt sync`: several machines, one remote, and what a hostile one can do.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::harness::files::{least, with, write_program};
use crate::harness::pty::Terminal;
use crate::harness::{Output, Project};

const ID: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

/// A machine with its own home and its own copy of the project.
struct Machine {
    name: String,
    project: Project,
}

impl Machine {
    /// With a project that is in no repository.
    fn new(name: &str) -> Self {
        Self::with(name, Project::bare_folder())
    }

    fn with(name: &str, project: Project) -> Self {
        let name = name.to_owned();
        Self { name, project }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.project.command(arguments);
        command.envs([
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "ckpt.machine"),
            ("GIT_CONFIG_VALUE_0", &self.name),
        ]);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Output::of(&mut self.command(arguments))
    }

    fn sync(&self, remote: &Remote) -> Value {
        let url = remote.url();
        self.run(&["sync", &url, "--yes", "--json"])
            .succeeds()
            .json()
    }

    /// Saves at a minute of the day.
    fn save(&self, session: &str, goal: &str, minute: u32) {
        let now = time(minute);
        let mut command = self.command(&["save", "--session", session, "--goal", goal]);
        Output::of(command.env("CKPT_NOW", now)).succeeds();
    }

    /// The goal of each session.
    fn goals(&self) -> BTreeMap<String, String> {
        let list = self.run(&["list", "--limit", "0", "--json"]).succeeds();
        let list = list.json();
        let entries = list["entries"].as_array().unwrap().iter();
        entries
            .map(|entry| (text(&entry["selector"]), text(&entry["goal"])))
            .collect()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn time(minute: u32) -> String {
    format!("2026-10-07T{:02}:{:02}:00Z", minute / 60, minute % 60)
}

/// A bare repository on the disk.
struct Remote {
    base: TempDir,
}

impl Remote {
    fn new() -> Self {
        let remote = Self {
            base: tempfile::tempdir().unwrap(),
        };
        remote.git(&["init", "-q", "--bare", "."]);
        remote
    }

    fn path(&self) -> &Path {
        self.base.path()
    }

    fn url(&self) -> String {
        self.path().canonicalize().unwrap().display().to_string()
    }

    fn git_with(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        use std::io::Write as _;
        let mut git = Command::new("git")
            .args(arguments)
            .current_dir(self.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        git.stdin.take().unwrap().write_all(input).unwrap();
        let output = git.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        output.stdout
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = self.git_with(arguments, b"");
        String::from_utf8_lossy(&output).trim().to_owned()
    }

    /// A commit of files, given by mode, path and content, as a ref.
    fn put(&self, reference: &str, files: &[(&str, &str, &[u8])]) {
        let mut stream =
            format!("commit {reference}\ncommitter a <a> 0 +0000\ndata 0\n").into_bytes();
        stream.extend_from_slice(b"deleteall\n");
        for (mode, path, content) in files {
            stream.extend(format!("M {mode} inline {path}\ndata {}\n", content.len()).into_bytes());
            stream.extend_from_slice(content);
            stream.push(b'\n');
        }
        self.git_with(&["fast-import", "--quiet", "--force"], &stream);
    }

    /// Everything that its objects hold.
    fn objects(&self) -> String {
        let all = ["cat-file", "--batch", "--batch-all-objects"];
        String::from_utf8_lossy(&self.git_with(&all, b"")).into_owned()
    }
}

/// Paths below a folder with content and mode.
fn snapshot(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                folders.push(path);
            } else if metadata.is_file() {
                let content = fs::read(&path).unwrap();
                files.insert(path, (metadata.permissions().mode(), content));
            }
        }
    }
    files
}

#[test]
fn what_one_machine_saved_the_other_goes_on_with_and_sees_where_it_came_from() {
    let remote = Remote::new();
    let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
    laptop.save("s1", "one", 1);
    let sent = laptop.sync(&remote);
    assert_eq!(sent["sent"], json!([{"selector": "s1", "goal": "one"}]));
    assert_eq!(sent["remote"], json!(remote.url()));
    assert_eq!(laptop.sync(&remote)["unchanged"], json!(1));

    let received = desktop.sync(&remote);
    let expected = json!([{"selector": "s1", "goal": "one", "machine": "laptop", "change": "new"}]);
    assert_eq!(received["received"], expected);
    desktop
        .run(&["load", "s1"])
        .succeeds()
        .prints("2026-10-07 00:01:00 UTC, from laptop)");
    let list = desktop.run(&["list", "--json"]).succeeds().json();
    assert_eq!(list["entries"][0]["machine"], json!("laptop"));

    desktop.save("s1", "two", 2);
    desktop.sync(&remote);
    let back = laptop.sync(&remote);
    assert_eq!(back["received"][0]["change"], json!("newer"));
    laptop
        .run(&["load", "s1"])
        .succeeds()
        .prints("from desktop)");
    laptop.save("s1", "three", 3);
    let own = laptop.run(&["load", "s1"]).succeeds();
    assert!(!own.stdout.contains("from desktop"), "{}", own.stdout);
}

/// What a brief says of a checkpoint.
fn brief(machine: &Machine, selector: &str) -> String {
    machine.run(&["load", selector]).succeeds().stdout
}

#[test]
fn what_a_newer_one_replaced_is_the_save_before_it() {
    let remote = Remote::new();
    let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
    laptop.save("s1", "one", 1);
    laptop.sync(&remote);
    desktop.save("s1", "of the desktop", 2);
    desktop.sync(&remote);
    laptop.sync(&remote);
    let written = fs::metadata(laptop.project.checkpoint("s1")).unwrap();
    let written = written.modified().unwrap().duration_since(UNIX_EPOCH);
    // What a session's start tells is when it was saved, not when it came.
    assert_eq!(written.unwrap().as_secs(), 1_791_331_320);
    assert!(brief(&laptop, "s1").contains("of the desktop"));
    let before = brief(&laptop, "s1@{1}");
    assert!(before.contains("\none\n"), "{before}");
    assert!(!before.contains("from desktop"), "{before}");
    // The other way round nothing came, so nothing went into the history.
    assert!(desktop.project.history("s1").is_empty());
}

#[test]
fn the_projects_own_checkpoint_goes_along() {
    let remote = Remote::new();
    let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
    let note = |machine: &Machine, note: &str, minute| {
        let mut save = machine.command(&["save", "--project", "--decision", note]);
        Output::of(save.env("CKPT_NOW", time(minute))).succeeds();
    };
    note(&laptop, "the first note", 1);
    assert_eq!(laptop.sync(&remote)["sent"][0]["selector"], "project");
    assert_eq!(laptop.sync(&remote)["unchanged"], 1);
    let received = desktop.sync(&remote);
    assert_eq!(received["received"][0]["selector"], "project");
    assert_eq!(received["received"][0]["change"], "new");
    let there = brief(&desktop, "project");
    assert!(
        there.contains("the first note") && there.contains("from laptop)"),
        "{there}"
    );
    // Merged here, it is this machine's.
    note(&desktop, "the second note", 3);
    let merged = brief(&desktop, "project");
    assert!(
        merged.contains("the first note") && merged.contains("the second note"),
        "{merged}"
    );
    assert!(!merged.contains("from laptop"), "{merged}");
    desktop.sync(&remote);
    // The newest wins, and what was here is the save before it.
    note(&laptop, "an older note", 2);
    assert_eq!(laptop.sync(&remote)["received"][0]["change"], "newer");
    let newest = brief(&laptop, "project");
    assert!(
        newest.contains("the second note") && newest.contains("from desktop)"),
        "{newest}"
    );
    assert!(brief(&laptop, "project@{1}").contains("an older note"));
    let stopped = laptop.run(&["sync", &remote.url(), "--stop", "--json"]);
    assert_eq!(stopped.succeeds().json()["withdrawn"], json!(["project"]));
}

#[test]
fn a_list_says_which_machine_a_checkpoint_came_from() {
    let remote = Remote::new();
    let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
    laptop.save("s1", "one", 1);
    laptop.sync(&remote);
    desktop.sync(&remote);
    desktop.save("s2", "two", 2);
    let list = desktop.run(&["list"]).succeeds().stdout;
    let line = |goal: &str| list.lines().find(|line| line.contains(goal)).unwrap();
    assert!(line("one").contains(" ago, from laptop"), "{list}");
    assert!(!line("two").contains("from"), "{list}");
    assert!(!laptop.run(&["list"]).stdout.contains("from"));
    let mut command = desktop.command(&["prune"]);
    command.env("TERM", "xterm-256color");
    let mut terminal = Terminal::open(&command, 80, 24);
    terminal.shows("two").types("\u{1b}[B").shows("from laptop");
    terminal.ends_on("\u{1b}");
}

#[test]
fn whatever_the_order_the_newest_is_everywhere_in_the_end() {
    // A linear congruential generator (Knuth, MMIX), for orders that repeat.
    let mut state: u64 = 1;
    let mut pick = |of: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % of
    };
    for _ in 0..6 {
        let remote = Remote::new();
        let repository = Machine::with("a", Project::repository());
        let machines = [repository, Machine::new("b"), Machine::new("c")];
        let mut newest: BTreeMap<String, (u32, String)> = BTreeMap::new();
        for minute in 1..18 {
            let machine = &machines[pick(3) as usize];
            let session = format!("s{}", pick(3));
            match pick(5) {
                0 | 1 => {
                    let goal = format!("{session} of minute {minute}");
                    machine.save(&session, &goal, minute);
                    newest.insert(session, (minute, goal));
                }
                2 => {
                    // A restore of what is not there says so, and changes nothing.
                    machine.run(&["restore", &format!("{session}@{{1}}")]);
                }
                _ => {
                    machine.sync(&remote);
                }
            }
        }
        // A restore makes an older save the present one; its machine takes the newest again where another has it.
        for round in 0..2 {
            for machine in &machines {
                machine.sync(&remote);
            }
            let goals: Vec<_> = machines.iter().map(Machine::goals).collect();
            if round == 1 {
                assert_eq!(goals[0], goals[1]);
                assert_eq!(goals[0], goals[2]);
            }
        }
        for (session, (_, goal)) in newest {
            let somewhere = machines.iter().any(|machine| {
                let log = machine.run(&["log", &session, "--json"]);
                machine.goals().get(&session) == Some(&goal) || log.stdout.contains(&goal)
            });
            assert!(somewhere, "{session}: {goal}");
        }
    }
}

#[test]
fn what_was_edited_named_or_marked_since_the_save_is_the_newer_one() {
    let changes = |word: &str| {
        let editor = format!("sed -i s/^goal.*/goal='\"{word}\"'/");
        [
            (vec!["edit", "s1"], editor),
            (vec!["name", "s1", "auth"], String::new()),
            (vec!["name", "s1", ""], String::new()),
            (vec!["done", "s1"], String::new()),
            (vec!["done", "s1", "--undo"], String::new()),
        ]
    };
    // What stands before and behind the old goal in any order of texts.
    for word in ["a", "z"] {
        let remote = Remote::new();
        let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
        laptop.save("s1", "mid", 1);
        laptop.sync(&remote);
        desktop.sync(&remote);
        for (arguments, editor) in changes(word) {
            // The clock of the one that changes it may be behind.
            let mut command = laptop.command(&arguments);
            command.env("EDITOR", editor).env("CKPT_NOW", time(0));
            Output::of(&mut command).succeeds();
            let changed = laptop.project.saved("s1");
            for machine in [&laptop, &desktop, &laptop] {
                machine.sync(&remote);
            }
            assert_eq!(laptop.project.saved("s1"), changed, "{arguments:?}");
            let mut there = desktop.project.saved("s1");
            there["meta"].as_object_mut().unwrap().remove("machine");
            assert_eq!(there, changed, "{arguments:?}");
        }
        desktop.save("s1", "saved later", 2);
        assert_eq!(desktop.project.saved("s1")["meta"].get("changedAt"), None);
        for machine in [&desktop, &laptop] {
            machine.sync(&remote);
        }
        assert_eq!(laptop.goals()["s1"], "saved later");
    }
}

#[test]
fn what_was_deleted_elsewhere_stays_here_and_what_is_deleted_here_is_withdrawn() {
    let remote = Remote::new();
    let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
    laptop.save("s1", "one", 1);
    laptop.sync(&remote);
    desktop.sync(&remote);
    fs::remove_file(laptop.project.checkpoint("s1")).unwrap();
    let own = ["for-each-ref", "--format=%(refname)"];
    assert_eq!(
        remote.git(&own),
        "refs/ckpt/my-app/desktop\nrefs/ckpt/my-app/laptop"
    );
    desktop.run(&["sync", &remote.url(), "--stop"]).succeeds();
    let outcome = laptop.sync(&remote);
    assert_eq!(outcome["withdrawn"], json!(["s1"]));
    assert_eq!(desktop.goals().len(), 1);
}

#[test]
fn what_builds_on_a_save_of_a_clock_that_is_ahead_is_the_newer_one() {
    let project = ["save", "--project", "--decision"];
    let merge = ["save", "--session", "s1", "--merge", "--decision"];
    let replace = ["save", "--session", "s1", "--goal", "g", "--decision"];
    for (save, kept) in [(&project[..], 3), (&merge, 3), (&replace, 1)] {
        let remote = Remote::new();
        let ahead = Machine::new("ahead");
        let right = Machine::new("right");
        ahead.save("s1", "g", 0);
        // Minutes of the true time; the first clock is an hour ahead.
        for (minute, machine, offset) in [(1, &ahead, 60), (2, &right, 0), (3, &ahead, 60)] {
            let url = remote.url();
            let note = minute.to_string();
            let saved = [save, &[&note]].concat();
            for arguments in [&["sync", &url, "--yes"][..], &saved, &["sync", &url]] {
                let mut command = machine.command(arguments);
                Output::of(command.env("CKPT_NOW", time(minute + offset))).succeeds();
            }
        }
        right.sync(&remote);
        let file = if save == project { "_project" } else { "s1" };
        for machine in [&ahead, &right] {
            let saved = machine.project.saved(file);
            let notes = saved["decisions"].as_array().unwrap();
            assert_eq!(notes.len(), kept, "{saved}");
            assert_eq!(notes[kept - 1], "3", "{saved}");
        }
    }
}

#[test]
fn a_time_that_cannot_be_true_is_not_built_on() {
    let project = Project::bare_folder();
    let save = |now: &str| {
        let save = ["save", "--session", "s1", "--goal", now];
        project.ckpt_with(&[("CKPT_NOW", now)], save).succeeds();
        project.saved("s1")["meta"]["changedAt"].clone()
    };
    assert_eq!(save("2026-10-08T10:00:00Z"), Value::Null);
    assert_eq!(save("2026-10-08T11:00:00Z"), Value::Null);
    assert_eq!(save("2026-10-08T10:30:00Z"), "2026-10-08T11:00:00.001Z");
    assert_eq!(save("2026-10-08T10:40:00Z"), "2026-10-08T11:00:00.002Z");
    assert_eq!(save("2026-10-08T11:00:00.001Z"), "2026-10-08T11:00:00.003Z");
    assert_eq!(save("2026-10-08T12:00:00Z"), Value::Null);
    assert_eq!(save("2030-01-01T00:00:00Z"), Value::Null);
    assert_eq!(save("2026-10-08T12:01:00Z"), Value::Null);
}

#[test]
fn a_name_or_a_mark_wins_over_no_later_save() {
    for arguments in [&["name", "s1", "auth"][..], &["done", "s1"]] {
        let remote = Remote::new();
        let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
        laptop.save("s1", "one", 1);
        laptop.sync(&remote);
        desktop.sync(&remote);
        desktop.save("s1", "two", 2);
        let mut command = laptop.command(arguments);
        Output::of(command.env("CKPT_NOW", time(3))).succeeds();
        for machine in [&laptop, &desktop, &laptop] {
            machine.sync(&remote);
        }
        for machine in [&laptop, &desktop] {
            assert_eq!(machine.goals()["s1"], "two");
        }
    }
}

/// What the remote holds of a machine, by name.
fn shelf(remote: &Remote, machine: &str) -> Vec<String> {
    let tree = format!("refs/ckpt/my-app/{machine}");
    let names = remote.git(&["ls-tree", "--name-only", &tree]);
    names.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn two_folders_of_one_machine_take_nothing_away_from_each_other() {
    let remote = Remote::new();
    let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
    let (first, second) = (laptop.project.root(), laptop.project.home().join("tree"));
    fs::create_dir(&second).unwrap();
    let run = |folder: &Path, arguments: &[&str]| {
        let mut command = laptop.command(arguments);
        Output::of(command.current_dir(folder)).succeeds()
    };
    let url = remote.url();
    let sync = |folder| run(folder, &["sync", &url, "--as", "my-app", "--yes", "--json"]).json();
    run(&first, &["save", "--session", "s1", "--goal", "first"]);
    run(&second, &["save", "--session", "s2", "--goal", "second"]);
    for folder in [&first, &second, &first, &second] {
        assert_eq!(sync(folder)["withdrawn"], json!([]));
    }
    assert_eq!(shelf(&remote, "laptop"), ["s1.json", "s2.json"]);
    // What one of them saves later, the other does not put back.
    let later = ["save", "--session", "s1", "--goal", "later"];
    let mut command = laptop.command(&later);
    Output::of(
        command
            .current_dir(&second)
            .env("CKPT_NOW", "2026-10-09T00:00:00Z"),
    )
    .succeeds();
    for folder in [&second, &first] {
        sync(folder);
    }
    desktop.sync(&remote);
    assert_eq!(desktop.goals()["s1"], "later");
    assert_eq!(laptop.goals()["s1"], "later");
    // What is restored in one folder, and known there, stays.
    run(&first, &["restore", "s1"]);
    assert_eq!(sync(&first)["received"].as_array().unwrap().len(), 1);
    desktop.run(&["sync", &url, "--stop"]).succeeds();
    run(&first, &["restore", "s1"]);
    assert_eq!(sync(&first)["received"], json!([]));
    assert_eq!(laptop.goals()["s1"], "first");
}

#[test]
fn a_checkpoint_of_the_largest_size_goes_from_machine_to_machine_as_it_is() {
    let remote = Remote::new();
    let machines = ["laptop", "desktop", "server"].map(Machine::new);
    let [laptop, desktop, server] = &machines;
    laptop.save("s1", "large", 1);
    let mut checkpoint = laptop.project.saved("s1");
    checkpoint["later"] = "".into();
    let length = serde_json::to_vec_pretty(&checkpoint).unwrap().len() + 1;
    checkpoint["later"] = "x".repeat(65_536 - length).into();
    laptop.project.put("s1", &checkpoint);
    laptop.sync(&remote);
    assert_eq!(desktop.sync(&remote)["warnings"], json!([]));
    laptop.run(&["sync", &remote.url(), "--stop"]).succeeds();
    desktop.sync(&remote);
    assert_eq!(server.sync(&remote)["warnings"], json!([]));
    for machine in &machines {
        assert_eq!(machine.project.saved("s1"), checkpoint);
        let size = fs::metadata(machine.project.checkpoint("s1"))
            .unwrap()
            .len();
        assert!(size <= 65_536, "{size}");
    }
}

#[test]
fn what_a_folder_lost_comes_back_and_its_copy_at_the_remote_stays() {
    let remote = Remote::new();
    let laptop = Machine::new("laptop");
    for session in ["s1", "s2"] {
        laptop.save(session, session, 1);
    }
    laptop.sync(&remote);
    // Damaged, and of a later version: neither is a copy to send.
    let project = &laptop.project;
    project.put("s1", "{");
    let mut later = project.saved("s2");
    later["version"] = 2.into();
    project.put("s2", later);
    let before = shelf(&remote, "laptop");
    for _ in 0..2 {
        let outcome = laptop.sync(&remote);
        assert_eq!(outcome["withdrawn"], json!([]), "{outcome}");
        assert_eq!(shelf(&remote, "laptop"), before);
    }
    // As after a clone, in which an agent saves before somebody syncs.
    for saves in [false, true] {
        fs::remove_dir_all(project.path(".claude-checkpoints")).unwrap();
        if saves {
            laptop.save("s3", "s3", 2);
        }
        let outcome = laptop.sync(&remote);
        assert_eq!(
            outcome["received"].as_array().unwrap().len(),
            2,
            "{outcome}"
        );
        assert_eq!(laptop.goals()["s1"], "s1");
        assert_eq!(laptop.goals().len(), 2 + usize::from(saves));
    }
    // What is deleted where it was sent from is deleted.
    project.ckpt(["prune", "s1", "--yes"]).succeeds();
    assert_eq!(laptop.sync(&remote)["withdrawn"], json!(["s1"]));
    assert_eq!(shelf(&remote, "laptop"), ["s2.json", "s3.json"]);
}

#[test]
fn a_remote_is_asked_about_once_and_never_without_a_terminal() {
    let remote = Remote::new();
    let machine = Machine::new("laptop");
    machine.save("s1", "one", 1);
    machine
        .run(&["sync", &remote.url()])
        .fails_with("without a terminal nobody can be asked about it; nothing was sent");
    assert_eq!(remote.git(&["for-each-ref"]), "");
    // Who agrees to look at a remote has not agreed to send there.
    machine
        .run(&["sync", &remote.url(), "--dry-run"])
        .fails_with("nothing was sent")
        .errs("pass --yes if it may be read");
    machine
        .run(&["sync", &remote.url(), "--dry-run", "--yes"])
        .succeeds();
    machine
        .run(&["sync", &remote.url()])
        .fails_with("nothing was sent");
    assert_eq!(remote.git(&["for-each-ref"]), "");
    machine.run(&["sync", &remote.url(), "--yes"]).succeeds();
    machine.run(&["sync", &remote.url()]).succeeds();
    machine
        .run(&["sync"])
        .fails_with("nothing says which remote to sync with")
        .errs("git config --global ckpt.sync URL");
    machine
        .run(&["sync", "origin"])
        .fails_with("there is no remote `origin` here");
}

#[test]
fn remotes_are_named_as_git_names_them_and_credentials_are_not_shown() {
    let remote = Remote::new();
    let machine = Machine::with("laptop", Project::repository());
    machine
        .project
        .git(["remote", "add", "backup", &remote.url()]);
    machine
        .project
        .git(["remote", "add", "origin", "https://example.com/me/app.git"]);
    machine.project.git(["config", "ckpt.sync", "backup"]);
    machine.save("s1", "one", 1);
    let outcome = machine.run(&["sync", "--yes", "--json"]).succeeds().json();
    assert_eq!(outcome["project"], json!("me/app"));
    assert_eq!(
        remote.git(&["for-each-ref", "--format=%(refname)"]),
        "refs/ckpt/me/app/laptop"
    );
    let secret = "https://me:hunter2hunter2@127.0.0.1:9/x.git";
    let output = machine.run(&["sync", secret]).exits(2);
    assert!(!output.stderr.contains("hunter2"), "{}", output.stderr);
}

#[test]
fn a_folder_of_a_repository_is_told_whose_name_it_goes_by() {
    let remote = Remote::new();
    let machine = Machine::with("laptop", Project::repository());
    let project = &machine.project;
    project.git(["remote", "add", "origin", "https://example.com/me/app.git"]);
    let folder = project.path("packages");
    fs::create_dir(&folder).unwrap();
    let (folder, url) = (folder.to_str().unwrap(), remote.url());
    for place in [folder, "."] {
        machine
            .run(&["-C", place, "save", "--goal", "g"])
            .succeeds();
    }
    let warnings = |place, more: &[&str]| {
        let sync = ["-C", place, "sync", &url, "--yes", "--json"];
        let outcome = machine.run(&[&sync, more].concat()).succeeds().json();
        let warnings = outcome["warnings"].as_array().unwrap().iter().map(text);
        warnings.filter(|it| it.contains("folders")).count()
    };
    assert_eq!(warnings(folder, &["--dry-run"]), 1);
    assert_eq!(warnings(folder, &["--as", "packages"]), 0);
    assert_eq!(warnings(".", &[]), 0);
}

#[test]
fn a_dry_run_tells_what_would_happen_and_changes_nothing() {
    let remote = Remote::new();
    let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
    laptop.save("s1", "one", 1);
    laptop.sync(&remote);
    desktop.save("s2", "two", 2);
    let before = (snapshot(remote.path()), snapshot(&desktop.project.root()));
    let url = remote.url();
    let dry = desktop.run(&["sync", &url, "--yes", "--dry-run", "--json"]);
    let dry = dry.succeeds().json();
    assert_eq!(dry["received"][0]["selector"], json!("s1"));
    assert_eq!(dry["sent"][0]["selector"], json!("s2"));
    let after = (snapshot(remote.path()), snapshot(&desktop.project.root()));
    assert_eq!(before, after);
}

#[test]
fn the_projects_repository_stays_as_it_was_and_nothing_of_it_runs() {
    let remote = Remote::new();
    let other = Machine::new("other");
    other.save("s2", "two", 2);
    other.sync(&remote);
    let project = Project::repository();
    let trap = project.home().join("sprung");
    let script = format!("#!/bin/sh\ntouch {}\n", trap.display());
    for hook in [
        "pre-push",
        "post-checkout",
        "reference-transaction",
        "post-merge",
    ] {
        let path = format!(".git/hooks/{hook}");
        project.write(&path, &script);
        fs::set_permissions(project.path(&path), fs::Permissions::from_mode(0o755)).unwrap();
    }
    project.write("bin/git", &script);
    fs::set_permissions(project.path("bin/git"), fs::Permissions::from_mode(0o755)).unwrap();
    let run = format!("touch {}", trap.display());
    for name in [
        "core.sshCommand",
        "core.fsmonitor",
        "core.gitProxy",
        "credential.helper",
        "alias.fetch",
        "alias.push",
        "gpg.program",
    ] {
        project.git(["config", name, &run]);
    }
    project.git(["config", "push.gpgSign", "true"]);
    project.git(["remote", "add", "origin", &remote.url()]);
    project.git(["config", "remote.origin.uploadpack", &run]);
    project.git(["config", "remote.origin.receivepack", &run]);
    let machine = Machine::with("laptop", project);
    machine.save("s1", "one", 1);
    let before = snapshot(&machine.project.path(".git"));
    let path = format!("{}:{}", machine.project.path("bin").display(), env!("PATH"));
    let mut command = machine.command(&["sync", "origin", "--as", "my-app", "--yes"]);
    Output::of(command.env("PATH", path)).succeeds();
    assert_eq!(before, snapshot(&machine.project.path(".git")));
    assert!(!trap.exists());
    assert_eq!(machine.goals().len(), 2);
}

#[test]
fn remotes_that_would_run_something_are_refused() {
    let machine = Machine::new("laptop");
    let trap = machine.project.home().join("sprung");
    let touch = format!("touch {}", trap.display());
    for url in [
        format!("ext::sh -c {touch}"),
        format!("--upload-pack={touch}:x"),
        format!("ssh://-oProxyCommand={touch}/x"),
        "fd::7/x".to_owned(),
    ] {
        machine.run(&["sync", "--yes", "--", &url]).exits(2);
        assert!(!trap.exists(), "{url}");
    }
}

#[test]
fn neither_history_nor_secrets_nor_paths_of_the_machine_are_sent() {
    let remote = Remote::new();
    let machine = Machine::with("laptop", Project::repository());
    machine
        .project
        .write("src/main.rs", "fn main() { /* in the file */ }\n");
    for minute in 1..5 {
        machine.save("s1", &format!("the goal of minute {minute}"), minute);
    }
    let planted = with(
        least("written by hand: export API_TOKEN=q8Zr2LxV0pTn5KdW"),
        json!({"sessionId": "s2"}),
    );
    machine.project.put("s2", planted);
    machine
        .project
        .write(".claude-checkpoint", least("of no session").to_string());
    machine.sync(&remote);
    let objects = remote.objects();
    assert!(objects.contains("the goal of minute 4"));
    let root = machine.project.root().display().to_string();
    for never in [
        "the goal of minute 3",
        "the goal of minute 1",
        "in the file",
        "q8Zr2LxV0pTn5KdW",
        "of no session",
        root.as_str(),
    ] {
        assert!(!objects.contains(never), "{never}");
    }
}

#[test]
fn what_a_hostile_remote_holds_is_left_out_and_named() {
    let remote = Remote::new();
    let good = with(least("good"), json!({"sessionId": ID}));
    let good = good.to_string();
    let future = with(
        least("x"),
        json!({"sessionId": "future", "updatedAt": "2099-01-01T00:00:00Z"}),
    );
    let huge = with(least("x"), json!({"summary": "x".repeat(70_000)}));
    let secret = with(
        least("export API_TOKEN=q8Zr2LxV0pTn5KdW"),
        json!({"sessionId": "secret", "summary": "\u{1b}[31mred"}),
    );
    let name = format!("{ID}.json");
    remote.put(
        "refs/ckpt/my-app/evil",
        &[
            ("100644", &name, good.as_bytes()),
            ("100644", "broken.json", b"{\"version\": 1,"),
            ("100644", "new.json", b"{\"version\": 2}"),
            ("100644", "other.json", good.as_bytes()),
            ("100644", "con.json", good.as_bytes()),
            ("100644", ".gitignore", b"!*"),
            ("100644", "future.json", future.to_string().as_bytes()),
            ("100644", "huge.json", huge.to_string().as_bytes()),
            ("100644", "secret.json", secret.to_string().as_bytes()),
            ("120000", "link.json", b"/etc/passwd"),
            ("100644", "deep/er.json", good.as_bytes()),
        ],
    );
    remote.put(
        "refs/ckpt/my-app/other/deeper",
        &[("100644", "deep.json", good.as_bytes())],
    );
    let machine = Machine::new("laptop");
    let outcome = machine.sync(&remote);
    let received: Vec<_> = outcome["received"].as_array().unwrap().iter().collect();
    let names: Vec<_> = received.iter().map(|one| text(&one["selector"])).collect();
    assert_eq!(names, [ID, "secret"]);
    let warnings = outcome["warnings"].to_string();
    for why in [
        "`broken.json` of machine `evil` was left out: it is not valid JSON",
        "`new.json` of machine `evil` was left out: it is of format version 2",
        "`other.json` of machine `evil` was left out: it says that it is another session's",
        "`con.json` of machine `evil` was left out: it does not have the name of a checkpoint",
        "`future.json` of machine `evil` was left out: it is dated in the future",
        "some that are not checkpoints",
    ] {
        assert!(warnings.contains(why), "{why}: {warnings}");
    }
    let stored = fs::read_to_string(machine.project.checkpoint("secret")).unwrap();
    assert!(!stored.contains("q8Zr2LxV0pTn5KdW"));
    let load = machine.run(&["load", "secret"]).succeeds();
    assert!(!load.stdout.contains('\u{1b}'));
}

#[test]
fn a_remote_that_holds_very_much_is_bounded() {
    let remote = Remote::new();
    let good = with(least("good"), json!({})).to_string();
    let names: Vec<String> = (0..100_000)
        .map(|number| format!("s{number}.json"))
        .collect();
    let files: Vec<_> = names
        .iter()
        .map(|name| ("100644", name.as_str(), good.as_bytes()))
        .collect();
    remote.put("refs/ckpt/my-app/many", &files);
    let machine = Machine::new("laptop");
    let outcome = machine.sync(&remote);
    let received = outcome["received"].as_array().unwrap().len();
    assert!((1..=501).contains(&received), "{received}");
    assert!(
        outcome["warnings"]
            .to_string()
            .contains("sent more than 500 files")
    );

    let commit = remote.git(&["rev-parse", "refs/ckpt/my-app/many"]);
    let refs: String = (0..50_000)
        .map(|number| format!("create refs/ckpt/my-app/machine{number} {commit}\n"))
        .collect();
    remote.git_with(&["update-ref", "--stdin"], refs.as_bytes());
    let url = remote.url();
    Machine::new("desktop")
        .run(&["sync", &url, "--yes"])
        .fails_with("the remote lists more refs than machines can have made");
}

#[test]
fn two_machines_of_one_name_do_not_overwrite_each_other() {
    let remote = Remote::new();
    let (one, two) = (Machine::new("host"), Machine::new("host"));
    one.save("s1", "one", 1);
    one.sync(&remote);
    two.save("s2", "two", 2);
    let before = remote.git(&["for-each-ref"]);
    two.run(&["sync", &remote.url(), "--yes"])
        .fails_with("another machine syncs `my-app` under the name `host`")
        .errs("ckpt.machine");
    assert_eq!(remote.git(&["for-each-ref"]), before);
}

/// A git that counts its calls and does something at one of them; the script gets `$n`, the number of the call.
fn counting(machine: &Machine, script: &str) -> String {
    let folder = machine.project.home().join("tools");
    fs::create_dir_all(&folder).unwrap();
    let count = machine.project.home().join("calls");
    let _ = fs::remove_file(&count);
    let path = std::env::var("PATH").unwrap();
    let script = format!(
        "#!/bin/sh\nPATH={path}\necho >> {count}\nn=$(wc -l < {count})\n{script}\nexec git \"$@\"\n",
        count = count.display()
    );
    write_program(&folder.join("git"), &script);
    format!("{}:{path}", folder.display())
}

/// The calls of git that a sync makes where this machine's ref is the only one, the last of them a push; and one for each
/// further machine.
const CALLS: usize = 8;

#[test]
fn a_sync_that_is_killed_or_fails_at_any_step_loses_nothing() {
    for script in [
        "kill -9 $PPID; exit 1",
        "git \"$@\"; kill -9 $PPID; exit 1",
        "echo 'fatal: No space left on device' >&2; exit 128",
    ] {
        for call in 1..=CALLS + 1 {
            let remote = Remote::new();
            let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
            laptop.save("s1", "older", 1);
            laptop.save("s2", "two", 2);
            desktop.save("s1", "newer", 3);
            desktop.sync(&remote);
            laptop.sync(&remote);
            desktop.save("s1", "newest", 4);
            desktop.sync(&remote);
            laptop.save("s2", "two again", 5);
            let path = counting(&laptop, &format!("[ $n = {call} ] && {{ {script}; }}"));
            let url = remote.url();
            let mut command = laptop.command(&["sync", &url]);
            let output = Output::of(command.env("PATH", path));
            // What one other machine sent is not worth an error, if it cannot be read.
            let said = output.status != 0 || output.stderr.contains("cannot be read");
            assert!(said, "{script} at call {call}: {}", output.stderr);
            let goals = laptop.goals();
            assert!(
                ["newer", "newest"].contains(&goals["s1"].as_str()),
                "{goals:?}"
            );
            assert_eq!(goals["s2"], "two again");
            laptop.sync(&remote);
            desktop.sync(&remote);
            let both = BTreeMap::from([("s1", "newest"), ("s2", "two again")]);
            let both: BTreeMap<_, _> = both
                .into_iter()
                .map(|(a, b)| (a.to_owned(), b.to_owned()))
                .collect();
            assert_eq!(laptop.goals(), both);
            assert_eq!(desktop.goals(), both);
        }
    }
}

#[test]
fn who_writes_to_the_own_ref_in_between_is_not_overwritten() {
    let remote = Remote::new();
    let machine = Machine::new("laptop");
    machine.save("s1", "one", 1);
    machine.sync(&remote);
    machine.save("s1", "two", 2);
    let theirs = with(least("theirs"), json!({}));
    remote.put(
        "refs/heads/theirs",
        &[("100644", "s9.json", theirs.to_string().as_bytes())],
    );
    let update = format!(
        "[ $n = {CALLS} ] && git -C {} update-ref refs/ckpt/my-app/laptop refs/heads/theirs",
        remote.path().display()
    );
    let path = counting(&machine, &update);
    let url = remote.url();
    let mut command = machine.command(&["sync", &url]);
    Output::of(command.env("PATH", path))
        .fails_with("another machine wrote to `refs/ckpt/my-app/laptop`");
    assert_eq!(
        remote.git(&["rev-parse", "refs/ckpt/my-app/laptop"]),
        remote.git(&["rev-parse", "refs/heads/theirs"])
    );
}

#[test]
fn without_a_git_command_it_says_so() {
    let machine = Machine::new("laptop");
    let mut command = machine.command(&["sync", "/nowhere", "--yes"]);
    let folder = machine.project.home().display().to_string();
    Output::of(command.env("PATH", folder))
        .fails_with("there is no git command on the search path");
}

/// `git daemon` on loopback, ended when dropped.
struct Daemon {
    child: Child,
    port: u16,
}

impl Daemon {
    /// None where there is no git daemon.
    fn of(remote: &Remote) -> Option<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        // The program itself: `git daemon` only starts it, and would be ended without it.
        let folder = remote.git(&["--exec-path"]);
        let mut child = Command::new(Path::new(&folder).join("git-daemon"))
            .args([
                "--reuseaddr",
                "--export-all",
                "--enable=receive-pack",
                "--verbose",
            ])
            .args(["--listen=127.0.0.1", &format!("--port={port}")])
            .arg(format!("--base-path={}", remote.path().display()))
            .arg(remote.path())
            .stderr(Stdio::piped())
            .spawn()
            .ok()?;
        // Its first line says that it listens.
        let mut line = String::new();
        let stderr = child.stderr.take().unwrap();
        use std::io::BufRead as _;
        let mut stderr = std::io::BufReader::new(stderr);
        stderr.read_line(&mut line).unwrap();
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        line.contains("Ready to rumble")
            .then_some(Self { child, port })
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn it_works_over_a_network() {
    let remote = Remote::new();
    let Some(daemon) = Daemon::of(&remote) else {
        crate::harness::skipped("there is no git daemon");
        return;
    };
    let url = format!("git://127.0.0.1:{}/", daemon.port);
    let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
    laptop.save("s1", "one", 1);
    laptop.run(&["sync", &url, "--yes"]).succeeds();
    desktop.run(&["sync", &url, "--yes"]).succeeds();
    assert_eq!(desktop.goals(), laptop.goals());
    drop(daemon);
    let before = snapshot(&desktop.project.root());
    desktop
        .run(&["sync", &url])
        .fails_with("could not read the remote");
    assert_eq!(snapshot(&desktop.project.root()), before);
}

#[test]
fn two_hundred_checkpoints_on_each_side_are_two_hundred_and_two_hundred_more() {
    let remote = Remote::new();
    let (laptop, desktop) = (Machine::new("laptop"), Machine::new("desktop"));
    for (machine, prefix) in [(&laptop, "l"), (&desktop, "d")] {
        for number in 0..200 {
            let session = format!("{prefix}{number}");
            let checkpoint = with(least(&session), json!({"sessionId": session}));
            machine.project.put(&session, checkpoint);
        }
    }
    laptop.sync(&remote);
    desktop.sync(&remote);
    laptop.sync(&remote);
    assert_eq!(laptop.goals().len(), 400);
    assert_eq!(laptop.goals(), desktop.goals());
}

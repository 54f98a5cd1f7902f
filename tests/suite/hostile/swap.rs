//! Links swapped in between check and use lead nowhere outside the project.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use super::{ended, mkfifo, start};
use crate::harness::Project;

/// Saves while the swapping goes on; each is some hundred chances.
const SAVES: usize = 60;

/// A folder beside the project with a victim in it.
fn outside(project: &Project) -> PathBuf {
    let outside = project.home().canonicalize().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("s1.json"), "the victim").unwrap();
    outside
}

/// What stands outside: names and contents.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut contents: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    contents.sort();
    contents
}

/// Runs `swap` over and over while `work` is done.
fn while_swapping(swap: impl Fn() + Sync, work: impl FnOnce()) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                swap();
            }
        });
        let _stop = Stop(&done);
        work();
    });
}

/// Says that it is over, also where the work fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Saves that may be refused, but that never panic.
fn save_often(project: &Project) {
    let mut done = 0;
    for number in 0..SAVES {
        let output = project.try_save("s1", &json!({"goal": format!("g{number}")}));
        assert!(matches!(output.status, 0 | 2), "{}", output.stderr);
        assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
        done += usize::from(output.status == 0);
    }
    assert!(done <= SAVES);
}

#[test]
fn a_directory_that_is_swapped_for_a_link_is_never_left() {
    let project = Project::bare_folder();
    let outside = outside(&project);
    let before = contents(&outside);
    project.save("s1", json!({"goal": "g"}));
    let (place, real, link) = (
        project.path(".claude-checkpoints"),
        project.path("real"),
        project.path("link"),
    );
    symlink(&outside, &link).unwrap();
    let swap = || {
        // A save that comes between may make the directory anew; then there is nothing to swap with.
        let _ = fs::rename(&place, &real);
        let _ = fs::rename(&link, &place);
        let _ = fs::rename(&place, &link);
        let _ = fs::rename(&real, &place);
    };
    while_swapping(swap, || save_often(&project));
    assert_eq!(contents(&outside), before);
}

#[test]
fn files_that_are_swapped_for_links_are_never_written_through() {
    let project = Project::bare_folder();
    let outside = outside(&project);
    let before = contents(&outside);
    let folder = project.path(".claude-checkpoints");
    project.save("s1", json!({"goal": "g"}));
    let swap = || {
        for name in ["s1.json", "s1.json.prev", ".lock"] {
            let place = folder.join(name);
            let _ = fs::rename(&place, folder.join("aside"));
            let _ = symlink(outside.join("s1.json"), &place);
            let _ = fs::remove_file(&place);
            let _ = fs::rename(folder.join("aside"), &place);
        }
    };
    while_swapping(swap, || save_often(&project));
    assert_eq!(contents(&outside), before);
}

#[test]
fn temporary_files_that_are_swapped_for_links_are_never_written_through() {
    let project = Project::bare_folder();
    let outside = outside(&project);
    let before = contents(&outside);
    let folder = project.path(".claude-checkpoints");
    project.save("s1", json!({"goal": "g"}));
    let swap = || {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().ends_with(".tmp") {
                let _ = fs::remove_file(entry.path());
                let _ = symlink(outside.join("s1.json"), entry.path());
            }
        }
        // What took a checkpoint's place is a link, which the next save would refuse.
        let main = folder.join("s1.json");
        if main.is_symlink() {
            let _ = fs::remove_file(main);
        }
    };
    while_swapping(swap, || save_often(&project));
    assert_eq!(contents(&outside), before);
}

#[test]
fn what_stands_outside_is_never_hashed() {
    let project = Project::bare_folder();
    let outside = outside(&project);
    fs::write(outside.join("secret"), "outside\n").unwrap();
    project.write("docs/secret", "inside\n");
    let inside = project.git(["hash-object", "docs/secret"]);
    let (place, real, link) = (
        project.path("docs"),
        project.path("real"),
        project.path("link"),
    );
    symlink(&outside, &link).unwrap();
    let swap = || {
        let _ = fs::rename(&place, &real);
        let _ = fs::rename(&link, &place);
        let _ = fs::rename(&place, &link);
        let _ = fs::rename(&real, &place);
    };
    while_swapping(swap, || {
        for _ in 0..SAVES {
            let arguments = json!({"goal": "g", "modifiedFiles": [{"path": "docs/secret"}]});
            project.save("s1", arguments);
            for file in project.saved("s1")["modifiedFiles"].as_array().unwrap() {
                let hash = file["hash"].as_str();
                assert!(hash.is_none_or(|hash| hash == inside), "{file}");
            }
        }
    });
}

/// Whoever opened one without looking first would wait for somebody who writes into it, for ever.
#[test]
fn files_that_are_swapped_for_fifos_hold_nothing_up() {
    let project = Project::repository();
    for goal in ["one", "two", "three"] {
        project.save(
            "s1",
            json!({"goal": goal, "modifiedFiles": [{"path": "README"}]}),
        );
    }
    project.git(["worktree", "add", "-q", "tree"]);
    project.write("tree/.mcp.json", "{}");
    let transcripts = project.home().join(".claude/projects");
    let folder = project
        .root()
        .display()
        .to_string()
        .replace(['/', '.'], "-");
    let transcript = transcripts.join(folder).join("s2.jsonl");
    fs::create_dir_all(transcript.parent().unwrap()).unwrap();
    fs::write(&transcript, "{}\n").unwrap();
    let state = project.home().join(".local/state/ckpt/sync.json");
    fs::create_dir_all(state.parent().unwrap()).unwrap();
    fs::write(&state, r#"{"owner": "me"}"#).unwrap();
    let [history] = &project.history("s1")[..] else {
        panic!("no history");
    };
    let tree = project.path("tree");
    let at =
        |arguments: [&'static str; 2]| [&["-C", tree.to_str().unwrap()], &arguments[..]].concat();
    let load = vec!["load", "s1"];
    let (fifo, aside) = (project.home().join("fifo"), project.home().join("aside"));
    mkfifo(&fifo);
    for (place, arguments) in [
        (project.checkpoint("s1"), load.clone()),
        (project.backup("s1"), vec!["load", "s1@{1}"]),
        (history.clone(), vec!["load", "s1@{2}"]),
        (project.path("README"), load.clone()),
        (transcript, at(["list", "--all"])),
        (project.path("tree/.git"), at(["list", "--all"])),
        (project.path("tree/.mcp.json"), at(["status", "--json"])),
        (state, vec!["sync", "/nowhere/at-all", "--yes"]),
    ] {
        let swap = || {
            let _ = fs::rename(&place, &aside);
            let _ = fs::rename(&fifo, &place);
            let _ = fs::rename(&place, &fifo);
            let _ = fs::rename(&aside, &place);
        };
        while_swapping(swap, || {
            for _ in 0..SAVES {
                let output = ended(start(project.command(&arguments)), &place.to_string_lossy());
                assert!(matches!(output.status, 0..=2), "{}", output.stderr);
                assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
            }
        });
    }
}

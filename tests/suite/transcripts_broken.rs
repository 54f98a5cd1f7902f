//! No transcript, however broken, changes how load and list end.

use std::fs;
#[cfg(unix)]
use std::path::Path;

use serde_json::json;

use crate::harness::Project;
use crate::harness::transcripts::{Transcript, folder};

const SESSION: &str = "0f9c1a2b-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const UNSAVED: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

/// The statuses of every command that reads transcripts, with a checkpoint of [`SESSION`].
fn statuses(project: &Project) -> Vec<i32> {
    let commands: [&[&str]; 6] = [
        &["load", "--session", SESSION],
        &["load", SESSION, "--json"],
        &["load"],
        &["load", "--latest"],
        &["list"],
        &["list", "--all", "--json"],
    ];
    commands
        .iter()
        .map(|command| project.ckpt(command.iter()).status)
        .collect()
}

/// Numbers that look random and are the same in every run (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

fn whole(project: &Project, session: &str) -> Vec<u8> {
    let transcript = Transcript::new(project, session, -3)
        .prompt("a prompt with ü and \" and \\")
        .runs("npm test", 1)
        .writes(project, "src/main.rs")
        .saves(SESSION)
        .compacts("a summary")
        .words("words")
        .calls("Bash", json!({"command": "sleep 9"}));
    (transcript.lines.join("\n") + "\n").into_bytes()
}

/// One change of the kinds that crashes, other versions and other programs make.
fn broken(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    const PIECES: [&[u8]; 12] = [
        b"\n",
        b"{",
        b"}",
        b"[[[[",
        b"null",
        b"\"",
        b"\xff\xfe",
        b"\0",
        b"-1e999",
        b"\\ud800",
        b",",
        b"{}",
    ];
    let at = random.below(bytes.len());
    let piece = PIECES[random.below(PIECES.len())];
    match random.below(5) {
        0 => bytes.truncate(at),
        1 => drop(bytes.splice(at..at, piece.iter().copied())),
        2 => {
            let end = (at + 1 + random.below(40)).min(bytes.len());
            bytes.splice(at..end, piece.iter().copied());
        }
        3 => bytes[at] ^= 1 << random.below(8),
        _ => {
            let part = bytes[at..].to_vec();
            bytes.extend(part);
        }
    }
    bytes
}

#[test]
fn no_change_of_a_transcript_changes_a_status() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "g"}));
    let expected = statuses(&project);
    assert_eq!(expected, [0, 0, 1, 0, 0, 0]);
    let folder = folder(&project.home().join(".claude"), &project);
    fs::create_dir_all(&folder).unwrap();
    let mut random = Random(0x5eed_c0de);
    for round in 0..40 {
        for session in [SESSION, UNSAVED] {
            let changes = 1 + random.below(12);
            let bytes = (0..changes).fold(whole(&project, session), |bytes, _| {
                if bytes.is_empty() {
                    bytes
                } else {
                    broken(bytes, &mut random)
                }
            });
            fs::write(folder.join(format!("{session}.jsonl")), &bytes).unwrap();
        }
        assert_eq!(statuses(&project), expected, "round {round}");
    }
}

#[test]
fn odd_files_in_its_place_change_no_status_either() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "g"}));
    let expected = statuses(&project);
    let folder = folder(&project.home().join(".claude"), &project);
    let deep = format!("{{\"type\":\"user\",\"message\":{}", "[".repeat(100_000));
    let long = "x".repeat(3 << 20);
    for content in ["", "\n\n\n", "null", "3", "[]", "{}", &deep, &long] {
        for session in [SESSION, UNSAVED] {
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(format!("{session}.jsonl")), content).unwrap();
        }
        assert_eq!(statuses(&project), expected);
    }
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "a file where the folder should be").unwrap();
    assert_eq!(statuses(&project), expected);
    fs::remove_file(&folder).unwrap();
    for session in [SESSION, UNSAVED] {
        fs::create_dir_all(folder.join(format!("{session}.jsonl"))).unwrap();
        fs::create_dir_all(folder.join(session)).unwrap();
        fs::write(folder.join(session).join("subagents"), "no folder").unwrap();
    }
    assert_eq!(statuses(&project), expected);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_passed_over_without_waiting() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "g"}));
    let expected = statuses(&project);
    let folder = folder(&project.home().join(".claude"), &project);
    fs::create_dir_all(&folder).unwrap();
    let transcript = |session: &str| folder.join(format!("{session}.jsonl"));
    let make_pipe = |path: &Path| {
        let made = std::process::Command::new("mkfifo")
            .arg(path)
            .status()
            .unwrap();
        assert!(made.success());
    };
    make_pipe(&transcript(SESSION));
    make_pipe(&transcript(UNSAVED));
    assert_eq!(statuses(&project), expected);
    let elsewhere = project.home().join("elsewhere.jsonl");
    Transcript::new(&project, SESSION, 5)
        .prompt("behind a link")
        .put_as(&elsewhere);
    for session in [SESSION, UNSAVED] {
        fs::remove_file(transcript(session)).unwrap();
        std::os::unix::fs::symlink(&elsewhere, transcript(session)).unwrap();
    }
    assert_eq!(statuses(&project), expected);
    let brief = project.ckpt(["load", SESSION]).succeeds();
    assert!(!brief.stdout.contains("behind a link"));
    use std::os::unix::fs::PermissionsExt as _;
    for session in [SESSION, UNSAVED] {
        fs::remove_file(transcript(session)).unwrap();
        fs::write(transcript(session), whole(&project, session)).unwrap();
        fs::set_permissions(transcript(session), fs::Permissions::from_mode(0o000)).unwrap();
    }
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).unwrap();
    let unreadable = statuses(&project);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(unreadable, expected);
}

#[test]
fn a_cut_last_line_and_invalid_utf_8_cost_those_lines_alone() {
    let project = Project::repository();
    project.save(SESSION, json!({"goal": "g"}));
    let folder = folder(&project.home().join(".claude"), &project);
    let first = Transcript::new(&project, SESSION, 0)
        .prompt("before")
        .lines
        .join("\n");
    let last = Transcript::new(&project, SESSION, 9)
        .runs("last", 0)
        .lines
        .join("\n");
    let mut bytes = first.into_bytes();
    bytes.extend(b"\n{\"type\":\"user\",\"message\":{\"content\":\"\xff\xfe\"}}\n");
    bytes.extend(last.as_bytes());
    bytes.extend(&last.as_bytes()[..last.len() / 3]);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{SESSION}.jsonl")), bytes).unwrap();
    let brief = project.ckpt(["load", SESSION]).succeeds().stdout;
    assert!(brief.contains("- The user asked: before"), "{brief}");
    assert!(brief.contains("`last`"), "{brief}");
}

//! A commit whose paths have no end: work on it is cut off, and nothing goes on in the background.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use super::{ended, start};
use crate::harness::{Output, Project};

/// The processes that work in a folder or below.
fn at_work(folder: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|process| {
            let cwd = fs::read_link(process.path().join("cwd"));
            cwd.is_ok_and(|cwd| cwd.starts_with(folder))
        })
        .map(|process| {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ")
        })
        .collect()
}

/// A commit of a tree with so many paths that no reader comes to their end.
fn endless(project: &Project) -> String {
    let make = |input: String| {
        let mut git = project.program("git");
        git.arg("mktree")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = git.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let blob = project.git(["hash-object", "-w", ".gitignore"]);
    let mut tree = make(
        (0..10)
            .map(|at| format!("100644 blob {blob}\t{at}\n"))
            .collect(),
    );
    for _ in 0..9 {
        tree = make(
            (0..10)
                .map(|at| format!("040000 tree {tree}\t{at}\n"))
                .collect(),
        );
    }
    project.git(["commit-tree", "-m", "endless", &tree])
}

#[test]
fn work_without_end_is_cut_off_and_over() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    let mut saved = project.saved("s1");
    let endless = endless(&project);
    let nowhere = project.home();
    for variables in [&[][..], &[("PATH", nowhere.to_str().unwrap())]] {
        saved["git"]["head"] = json!(endless);
        project.put("s1", saved.clone());
        let mut load = project.command(["load", "s1"]);
        load.envs(variables.iter().copied());
        let output = ended(start(load), "load").succeeds();
        // Where it is quick enough it comes to the end of what memory it may take first.
        let mut reasons = ["took too long", "Out of memory"].into_iter();
        let is_cut_off = reasons.any(|why| output.stdout.contains(why));
        assert!(is_cut_off, "{}", output.stdout);
        assert_eq!(at_work(&project.root()), Vec::<String>::new());
    }
    // The same as what HEAD has, beside an index that has nothing.
    project.git(["update-ref", "HEAD", &endless]);
    project.remove(".git/index");
    let save = project.command(["save", "--goal", "after", "--session", "s1"]);
    ended(start(save), "save").succeeds().errs("took too long");
    assert_eq!(at_work(&project.root()), Vec::<String>::new());
    assert_eq!(project.saved("s1")["git"]["head"], endless);
}

#[test]
fn a_commit_that_becomes_megabytes_is_told_by_its_header() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    let mut git = project.program("git");
    git.args([
        "hash-object",
        "-t",
        "commit",
        "--literally",
        "-w",
        "--stdin",
    ])
    .stdin(Stdio::piped())
    .stdout(Stdio::piped());
    let mut child = git.spawn().unwrap();
    let zeros = vec![b'0'; (32 << 20) + 1];
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &zeros).unwrap();
    let bomb = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let bomb = bomb.trim();
    let range = format!("{bomb}...HEAD");
    for (question, input) in [
        (
            &["rev-list", "--left-right", "--count", &range, "--"][..],
            "",
        ),
        (
            &["cat-file", "--batch-check"],
            &format!("{bomb}^{{commit}}"),
        ),
        (&["cat-file", "--batch"], &format!("{bomb}:a.txt")),
    ] {
        let mut command = project.command([&["__answer-as-git", "."], question].concat());
        let output = Output::with_input(&mut command, input.as_bytes());
        output.exits(128).errs(&format!("object {bomb} has "));
    }
    let mut saved = project.saved("s1");
    saved["git"]["head"] = json!(bomb);
    project.put("s1", saved);
    let nowhere = project.home();
    for variables in [&[][..], &[("PATH", nowhere.to_str().unwrap())]] {
        let loaded = project.ckpt_with(variables, ["load", "s1"]).succeeds();
        let cannot = "Whether files changed cannot be known";
        assert!(loaded.stdout.contains(cannot), "{}", loaded.stdout);
    }
}

/// A loose tree of a gigabyte of zeros, below the tree of a commit: the commit's id.
///
/// The tree's own id is made up, for nobody comes so far as to compare it (gitformat-loose(5), RFC 1951: fixed codes).
fn gigabyte(project: &Project) -> String {
    const LENGTH: usize = 1 << 30;
    let (mut bytes, mut bits, mut count) = (vec![0x78, 0x01], 0_u64, 0);
    let mut push = |code: u64, length: u32| {
        bits |= code << count;
        count += length;
        while count >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            count -= 8;
        }
    };
    let huffman = |code: u64, length: u32| code.reverse_bits() >> (64 - length);
    push(0b011, 3);
    for byte in format!("tree {LENGTH}\0\0").bytes() {
        push(huffman(0x30 + u64::from(byte), 8), 8);
    }
    for _ in 0..LENGTH / 258 {
        // 258 bytes more of the one before.
        push(huffman(0b1100_0101, 8), 8);
        push(0, 5);
    }
    push(0, 16);
    let tree = format!("ab{}", "12".repeat(19));
    let path = format!(".git/objects/ab/{}", &tree[2..]);
    project.write(path, bytes);
    let entry = [b"40000 sub\0\xab".to_vec(), vec![0x12; 19]].concat();
    let mut git = project.program("git");
    let hash = ["hash-object", "-t", "tree", "--literally", "-w", "--stdin"];
    git.args(hash).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = git.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), &entry).unwrap();
    let output = child.wait_with_output().unwrap();
    let top = String::from_utf8(output.stdout).unwrap();
    project.git(["commit-tree", "-m", "gigabyte", top.trim()])
}

#[test]
fn a_tree_below_another_that_becomes_a_gigabyte_is_refused_before_it_is_read() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g"}));
    let mut saved = project.saved("s1");
    let bomb = gigabyte(&project);
    saved["git"]["head"] = json!(bomb);
    project.put("s1", saved.clone());
    let nowhere = project.home();
    let variants = [
        (&[][..], "over limit"),
        (&[("PATH", nowhere.to_str().unwrap())], "Out of memory"),
    ];
    for (variables, why) in variants {
        let loaded = project.ckpt_with(variables, ["load", "s1"]).succeeds();
        for said in ["Whether files changed cannot be known", why] {
            assert!(loaded.stdout.contains(said), "{}", loaded.stdout);
        }
    }
    project.git(["update-ref", "HEAD", &bomb]);
    for (variables, why) in variants {
        let save = ["save", "--goal", "after", "--session", "s1"];
        project.ckpt_with(variables, save).succeeds().errs(why);
    }
}

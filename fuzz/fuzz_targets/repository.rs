//! Any files of a cloned repository that git reads as text: our own looks at them keep their promises, and what libgit2
//! makes of them in the place of git is an answer that our readers understand, or an error.
//!
//! libgit2 runs here in the fuzzer's process, which follows no call into another one. What is known to end it, or would
//! have it read the machine that this runs on, is taken out of the files first (see [`write`]).
#![no_main]
#![allow(
    dead_code,
    unfulfilled_lint_expectations,
    unused_imports,
    reason = "the modules of the program are used in part"
)]

#[path = "../../src/checkpoint/mod.rs"]
mod checkpoint;
#[path = "../../src/env.rs"]
mod env;
#[path = "../../src/files/mod.rs"]
mod files;
mod process {
    /// The fuzzer takes more memory than an answer may.
    pub(crate) fn bound_memory(_bytes: u64) {}
}
#[path = "../../src/git"]
mod git {
    mod error;
    mod facts;
    mod layout;
    mod porcelain;
    mod substitute;

    use std::ffi::OsString;
    use std::path::Path;

    use error::{Error, Result};
    use crate::checkpoint::drift::Head;
    use porcelain::{Indexed, Moved, Status, fields};

    /// The answer to a question; None where there is none.
    fn answer(question: &[&str], root: &Path) -> Option<Vec<u8>> {
        let question: Vec<OsString> = question.iter().map(OsString::from).collect();
        let mut output = Vec::new();
        let status = substitute::answer(&question, root, &mut output);
        (status == 0).then_some(output)
    }

    /// Asks libgit2 what git is asked, and reads what it says as git's words are read.
    pub(crate) fn ask(root: &Path) {
        if let Some(output) = answer(&["status"], root) {
            Status::parse(&output).expect("a status is understood");
        }
        if let Some(output) = answer(&["ls-files", "--", "a.txt"], root) {
            assert!(fields(&output).all(|field| Indexed::parse(field).is_some()));
        }
        if let Some(output) = answer(&["diff-tree", "HEAD", "HEAD", "--", "."], root) {
            Moved::parse(&output).expect("a difference is understood");
        }
        for path in ["a.txt", "./dir/b.txt", ".claude-checkpoints/s1.json"] {
            answer(&["check-ignore", path], root);
        }
        answer(&["rev-parse", "HEAD"], root);
        answer(&["diff-index", "HEAD", "--", "."], root);
    }

    /// Reads anything as what git prints.
    pub(crate) fn read(bytes: &[u8]) {
        let _ = Status::parse(bytes);
        let _ = Moved::parse(bytes);
        for field in fields(bytes) {
            let _ = Indexed::parse(field);
        }
    }

    /// Looks at the repository's own files as before git is asked. A filter driver that libgit2 finds in the
    /// configuration is known, or the look says that git has to be asked.
    pub(crate) fn look(root: &Path) {
        let git_dir = layout::git_dir(root).expect("there is a repository");
        let _ = (git_dir.fault(), git_dir.is_plain());
        let _ = (git_dir.format(), git_dir.edges());
        if let Some(head) = git_dir.head() {
            assert!(matches!(head.len(), 40 | 64) && head.bytes().all(|it| it.is_ascii_hexdigit()));
        }
        if let Some(name) = git_dir.reference() {
            assert!(name.split('/').all(|part| part != ".."), "{name}");
        }
        let file = root.join(".git/config");
        let names = settings(&file).into_iter();
        if let Some(known) = layout::drivers(&[], &[git_dir]) {
            for name in names {
                let driver = name.strip_prefix("filter.").and_then(|it| it.rsplit_once('.'));
                if let Some((driver, _)) = driver {
                    assert!(known.contains(driver), "`{driver}` would be run");
                }
            }
        }
    }

    /// The names of what libgit2 reads in a file of configuration.
    fn settings(file: &Path) -> Vec<String> {
        let mut settings = Vec::new();
        let Ok(config) = git2::Config::open(file) else {
            return settings;
        };
        let Ok(entries) = config.entries(None) else {
            return settings;
        };
        // What follows a mistake is not read by anybody.
        let _ = entries.for_each(|entry| {
            settings.extend(entry.name().ok().map(str::to_owned));
        });
        settings
    }
}

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use git2::{IndexEntry, IndexTime, Oid, Repository, Signature};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

/// A repository with two files and a submodule in its only commit.
static PROJECT: LazyLock<TempDir> = LazyLock::new(|| {
    let project = tempfile::tempdir().unwrap();
    let root = project.path();
    for folder in ["dir", "sub"] {
        fs::create_dir(root.join(folder)).unwrap();
    }
    for file in ["a.txt", "dir/b.txt", "new.txt"] {
        fs::write(root.join(file), file).unwrap();
    }
    let repository = Repository::init(root).unwrap();
    let mut index = repository.index().unwrap();
    for file in ["a.txt", "dir/b.txt"] {
        index.add_path(Path::new(file)).unwrap();
    }
    index
        .add(&IndexEntry {
            ctime: IndexTime::new(0, 0),
            mtime: IndexTime::new(0, 0),
            dev: 0,
            ino: 0,
            mode: 0o160_000,
            uid: 0,
            gid: 0,
            file_size: 0,
            id: Oid::from_str("1111111111111111111111111111111111111111").unwrap(),
            flags: 0,
            flags_extended: 0,
            path: b"sub".to_vec(),
        })
        .unwrap();
    index.write().unwrap();
    let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
    let who = Signature::now("a", "a@b").unwrap();
    repository
        .commit(Some("HEAD"), &who, &who, "one", &tree, &[])
        .unwrap();
    fs::write(root.join("dir/b.txt"), "changed").unwrap();
    project
});

/// What a file holds where the input has nothing for it.
static HEAD: LazyLock<Vec<u8>> = LazyLock::new(|| fs::read(PROJECT.path().join(".git/HEAD")).unwrap());

/// The files of an input, which NUL parts.
const FILES: [&str; 7] = [
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    ".git/config",
    ".git/info/exclude",
    ".git/info/attributes",
    ".git/HEAD",
];

fn write(bytes: &[u8]) {
    let mut parts = bytes.splitn(FILES.len(), |byte| *byte == 0);
    for name in FILES {
        let mut content = parts.next().unwrap_or_default().to_vec();
        match name {
            ".gitignore" | ".git/info/exclude" => {
                // The end of a rule that libgit2 looks for behind its buffer, and the start of one at which it stays.
                if content.ends_with(b"\\") {
                    content.push(b'\n');
                }
                content.retain(|byte| !b"\x0b\x0c".contains(byte));
            }
            // No path leads to files of the machine.
            ".git/config" | ".gitmodules" => content.retain(|byte| !b"/~%\\".contains(byte)),
            ".git/HEAD" if content.is_empty() => content.clone_from(&HEAD),
            _ => {}
        }
        fs::write(PROJECT.path().join(name), content).unwrap();
    }
}

fuzz_target!(|bytes: &[u8]| {
    git::read(bytes);
    LazyLock::force(&HEAD);
    write(bytes);
    git::look(PROJECT.path());
    git::ask(PROJECT.path());
});

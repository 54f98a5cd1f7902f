//! Who may use whom: the edges of docs/ARCHITECTURE.md, read off the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module with the modules of this crate that it may use beside itself.
const MODULES: [(&str, &[&str]); 12] = [
    ("checkpoint", &[]),
    ("redact", &[]),
    ("env", &[]),
    ("error", &["checkpoint"]),
    ("git", &["checkpoint", "env"]),
    ("store", &["checkpoint", "env", "error"]),
    ("transcript", &["checkpoint", "env", "redact"]),
    (
        "commands",
        &[
            "checkpoint",
            "env",
            "error",
            "git",
            "redact",
            "store",
            "transcript",
        ],
    ),
    ("hooks", &["checkpoint", "env", "store", "transcript"]),
    ("mcp", &["checkpoint", "commands", "env", "error"]),
    (
        "cli",
        &[
            "checkpoint",
            "commands",
            "env",
            "error",
            "generate",
            "hooks",
            "mcp",
            "redact",
        ],
    ),
    ("generate", &[]),
];

/// Each fenced crate with the only modules that may use it.
const CRATES: [(&str, &[&str]); 20] = [
    ("git2", &["git"]),
    ("sha1", &["git"]),
    ("clap", &["cli", "generate"]),
    ("clap_complete", &["cli", "generate"]),
    ("clap_mangen", &["generate"]),
    ("dialoguer", &["cli"]),
    ("rustix", &["cli", "git", "store"]),
    ("unicode_width", &["cli"]),
    ("owo_colors", &["cli"]),
    ("comfy_table", &["cli"]),
    ("rmcp", &["mcp"]),
    ("tokio", &["mcp"]),
    ("cap_std", &["git", "store", "transcript"]),
    ("cap_fs_ext", &["git", "store", "transcript"]),
    ("regex", &["commands"]),
    ("memchr", &["git", "transcript"]),
    ("similar", &["checkpoint", "cli"]),
    ("toml", &["checkpoint"]),
    ("shell_words", &["cli"]),
    ("signal_hook", &["cli"]),
];

/// What reads the clock, the environment or the working directory.
const SURROUNDINGS: [&str; 6] = [
    "env::var",
    "env::current_dir",
    "env::home_dir",
    "Timestamp::now",
    "SystemTime::now",
    "Instant::now",
];

struct Source {
    path: PathBuf,
    module: String,
    /// Without comments and without its tests.
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if path.file_name().unwrap() != "tests" {
                    folders.push(path);
                }
                continue;
            }
            if path.extension() != Some("rs".as_ref()) {
                continue;
            }
            let relative = path.strip_prefix(&root).unwrap();
            let first = relative
                .components()
                .next()
                .unwrap()
                .as_os_str()
                .to_str()
                .unwrap();
            let whole = fs::read_to_string(&path).unwrap();
            let code = whole.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let lines = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
            sources.push(Source {
                module: first.trim_end_matches(".rs").to_owned(),
                text: lines.collect::<Vec<_>>().join("\n"),
                path,
            });
        }
    }
    assert!(sources.len() > 20);
    sources
}

/// Whether a text names `path::` as a whole word.
fn names(text: &str, path: &str) -> bool {
    let needle = format!("{path}::");
    text.match_indices(&needle).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

#[test]
fn modules_use_only_what_they_may() {
    for source in sources() {
        let Some((_, allowed)) = MODULES.iter().find(|(name, _)| *name == source.module) else {
            assert_eq!(
                source.module,
                "main",
                "{} is in no module",
                source.path.display()
            );
            continue;
        };
        for (other, _) in MODULES {
            let forbidden = other != source.module && !allowed.contains(&other);
            let used = source.text.contains(&format!("crate::{other}"));
            assert!(
                !(forbidden && used),
                "{} uses {other}",
                source.path.display()
            );
        }
        assert!(
            !source.text.contains("use crate::{"),
            "{}: one `use crate::` a module",
            source.path.display()
        );
    }
}

#[test]
fn fenced_crates_stay_behind_their_fences() {
    for source in sources() {
        for (name, allowed) in CRATES {
            let inside = allowed.contains(&source.module.as_str());
            assert!(
                inside || !names(&source.text, name),
                "{} uses {name}",
                source.path.display()
            );
        }
    }
}

#[test]
fn only_env_reads_the_surroundings() {
    for source in sources().iter().filter(|source| source.module != "env") {
        for name in SURROUNDINGS {
            let read = source.text.contains(name);
            assert!(!read, "{} reads {name}", source.path.display());
        }
    }
}

#[test]
fn every_file_says_what_it_is() {
    for source in sources() {
        let whole = fs::read_to_string(&source.path).unwrap();
        assert!(
            whole.starts_with("//! "),
            "{} has no first line",
            source.path.display()
        );
    }
}

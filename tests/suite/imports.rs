//! Who may use whom: the edges of docs/ARCHITECTURE.md, read off the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each module with the modules of this crate that it may use beside itself.
const MODULES: [(&str, &[&str]); 15] = [
    ("checkpoint", &[]),
    ("redact", &[]),
    ("env", &[]),
    ("error", &["checkpoint", "redact"]),
    ("process", &["env"]),
    ("files", &["checkpoint", "env"]),
    ("git", &["checkpoint", "env", "files", "process"]),
    ("store", &["checkpoint", "env", "error"]),
    ("sync", &["env", "error", "files", "git", "process"]),
    ("transcript", &["checkpoint", "env", "redact"]),
    (
        "commands",
        &[
            "checkpoint",
            "env",
            "error",
            "files",
            "git",
            "redact",
            "store",
            "sync",
            "transcript",
        ],
    ),
    (
        "hooks",
        &["checkpoint", "commands", "env", "store", "transcript"],
    ),
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

/// Each layer of `redact` with the layers and files that it may use beside itself.
const LAYERS: [(&str, &[&str]); 7] = [
    ("span", &[]),
    ("lex", &["span"]),
    ("value", &["lex", "span"]),
    ("context", &["lex", "value"]),
    ("decide", &["context", "lex", "value"]),
    ("shapes", &["lex", "span", "value"]),
    ("find", &["context", "decide", "lex", "span", "value"]),
];

/// Each fenced crate with the only modules that may use it.
const CRATES: [(&str, &[&str]); 21] = [
    ("git2", &["git"]),
    ("sha1", &["files"]),
    ("clap", &["cli", "generate"]),
    ("clap_complete", &["cli", "generate"]),
    ("clap_mangen", &["generate"]),
    ("dialoguer", &["cli"]),
    ("rustix", &["cli", "env", "mcp", "process", "store"]),
    ("unicode_width", &["checkpoint", "cli"]),
    ("owo_colors", &["cli"]),
    ("comfy_table", &["cli"]),
    ("rmcp", &["mcp"]),
    ("tokio", &["mcp"]),
    ("cap_std", &["files", "store", "transcript"]),
    ("cap_fs_ext", &["files", "store", "transcript"]),
    ("regex", &["commands"]),
    ("memchr", &["git", "transcript"]),
    ("similar", &["checkpoint", "cli"]),
    ("tempfile", &["sync"]),
    ("toml", &["checkpoint", "transcript"]),
    ("shell_words", &["cli", "transcript"]),
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
    /// As in `git/index/entry`; a folder's `mod.rs` is the folder.
    file: String,
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
            let file = relative.with_extension("");
            let file = file.to_str().unwrap().replace('\\', "/");
            sources.push(Source {
                file: file.trim_end_matches("/mod").to_owned(),
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

/// The paths that a text names: those of its `use` declarations, and those within its code.
fn paths(text: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for declaration in text.split("use ").skip(1) {
        expand(declaration.split(';').next().unwrap(), "", &mut paths);
    }
    let inline = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    paths.extend(inline.filter(|path| path.contains("::")).map(str::to_owned));
    paths
}

/// Adds what `tree`, as in `a::{b, c::{d, e}}`, stands for.
fn expand(tree: &str, prefix: &str, paths: &mut Vec<String>) {
    let Some((start, rest)) = tree.split_once('{') else {
        paths.push(format!("{prefix}{}", tree.trim()));
        return;
    };
    let prefix = format!("{prefix}{}", start.trim());
    let mut depth = 0;
    let branches = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let branches = branches.split(|c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    for branch in branches.filter(|branch| !branch.trim().is_empty()) {
        expand(branch, &prefix, paths);
    }
}

/// The file that `path`, which `file` names, leads to, if it is one of `files`.
fn resolved(path: &str, file: &str, files: &BTreeSet<&str>) -> Option<String> {
    let mut at: Vec<&str> = file.split('/').collect();
    let mut parts = path.split("::").map(str::trim).peekable();
    match *parts.peek()? {
        "crate" => at.clear(),
        "self" | "super" => {}
        child if files.contains(format!("{file}/{child}").as_str()) => {}
        _ => return None,
    }
    while let Some(step) = parts.next_if(|part| ["crate", "self", "super"].contains(part)) {
        if step == "super" {
            at.pop()?;
        }
    }
    for part in parts {
        let next = [at.join("/").as_str(), part].join("/");
        if !files.contains(next.trim_start_matches('/')) {
            break;
        }
        at.push(part);
    }
    let found = at.join("/");
    files.contains(found.as_str()).then_some(found)
}

/// All that `from` uses, and what those use, and so on.
fn reached<'a>(edges: &'a BTreeMap<&str, BTreeSet<String>>, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        let next = edges[file].iter().map(String::as_str);
        open.extend(next.filter(|next| reached.insert(*next)));
    }
    reached
}

/// What a folder's files share stands in its `mod.rs`, which names them: that is no circle.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let sources = sources();
    let files: BTreeSet<&str> = sources.iter().map(|source| source.file.as_str()).collect();
    let edges: BTreeMap<&str, BTreeSet<String>> = sources
        .iter()
        .map(|source| {
            let used = paths(&source.text).into_iter();
            let used = used.filter_map(|path| resolved(&path, &source.file, &files));
            let beside = used.filter(|used| {
                let within = |file: &str, folder: &str| {
                    file.strip_prefix(folder)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                !within(&source.file, used) && used.split('/').next() == Some(&source.module)
            });
            (source.file.as_str(), beside.collect())
        })
        .collect();
    assert!(edges["commands/load"].contains("commands/facts"));
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges
        .keys()
        .map(|file| (*file, reached(&edges, file)))
        .collect();
    let circle = reached.iter().find(|(file, all)| all.contains(*file));
    if let Some((file, all)) = circle {
        let back = |other: &&&str| reached[**other].contains(file);
        let circle: Vec<&str> = all.iter().filter(back).copied().collect();
        panic!("these use each other in a circle: {}", circle.join(", "));
    }
}

#[test]
fn the_layers_of_redaction_use_only_those_below() {
    let mut seen = BTreeSet::new();
    for source in sources() {
        let Some((layer, allowed)) = LAYERS.iter().find(|(layer, _)| {
            let path = format!("redact/{layer}");
            source.file == path || source.file.starts_with(&(path + "/"))
        }) else {
            continue;
        };
        seen.insert(layer);
        for (other, _) in LAYERS {
            let forbidden = other != *layer && !allowed.contains(&other);
            let used = source.text.contains(&format!("crate::redact::{other}"));
            assert!(!(forbidden && used), "{} uses {other}", source.file);
        }
        assert!(!source.text.contains("super::super"), "{}", source.file);
    }
    assert_eq!(seen.len(), LAYERS.len());
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
fn every_function_fits_on_a_screen() {
    const LINES: usize = 60;
    let begins = |line: &str| {
        let words = line.trim_start().split(' ');
        let qualifiers = ["pub", "const", "async"];
        let mut words = words.skip_while(|word| {
            let word = word.split('(').next().unwrap();
            qualifiers.contains(&word) || word.ends_with(')')
        });
        words.next() == Some("fn")
    };
    for source in sources() {
        let lines: Vec<&str> = source.text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            if !begins(line) || line.ends_with('}') {
                continue;
            }
            let indent = line.len() - line.trim_start().len();
            let end = format!("{}}}", " ".repeat(indent));
            let length = lines[at..].iter().position(|line| *line == end);
            let length = length.map_or(0, |last| last + 1);
            assert!(
                length <= LINES,
                "{}: {length} lines: {}",
                source.path.display(),
                line.trim()
            );
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

//! Paths that an agent names: recorded from the root, dropped outside of it (docs/contract.md, section 7).

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::files::{least, recorded, with};

#[test]
fn paths_are_recorded_from_the_root_however_they_are_given() {
    let project = Project::bare_folder();
    project.write("src/a.rs", "a");
    let absolute = |name: &str| project.path(name).display().to_string();
    for (given, expected) in [
        ("src/a.rs".to_owned(), "src/a.rs"),
        ("./src//a.rs".to_owned(), "src/a.rs"),
        ("src/../src/./a.rs".to_owned(), "src/a.rs"),
        ("src/absent/../a.rs".to_owned(), "src/a.rs"),
        ("../my-app/src/a.rs".to_owned(), "src/a.rs"),
        (absolute("src/a.rs"), "src/a.rs"),
        (absolute("src/../src/a.rs"), "src/a.rs"),
        (absolute("not/there.rs"), "not/there.rs"),
        ("not/there.rs".to_owned(), "not/there.rs"),
        ("dir with space/ü.rs".to_owned(), "dir with space/ü.rs"),
    ] {
        let saved = project.save(
            "s1",
            json!({"goal": "g", "modifiedFiles": [{"path": given}]}),
        );
        let missing = match project.path(expected).exists() {
            true => json!([]),
            false => json!([format!(
                "`{expected}` was named but is not there; check the path"
            )]),
        };
        assert_eq!(saved.json()["warnings"], missing, "{given}");
        assert_eq!(
            recorded(&project.saved("s1")),
            [(expected, "agent", "-")],
            "{given}"
        );
    }
}

#[test]
fn a_path_given_twice_in_different_ways_is_one_file() {
    let project = Project::bare_folder();
    let given = json!([{"path": "a", "note": "n"}, {"path": "./a"}, {"path": project.path("a").display().to_string()}]);
    project.save("s1", json!({"goal": "g", "modifiedFiles": given}));
    assert_eq!(recorded(&project.saved("s1")), [("a", "agent", "n")]);
}

#[test]
fn paths_outside_the_project_are_dropped_with_a_warning_that_names_them() {
    let project = Project::bare_folder();
    let beside = project
        .root()
        .with_file_name("my-app-2")
        .display()
        .to_string();
    let outside = [
        "/etc/hosts",
        "../x",
        "src/../../x",
        "absent/../../x",
        beside.as_str(),
        "..",
    ];
    let given: Value = outside.iter().map(|path| json!({"path": path})).collect();
    let saved = project
        .save("s1", json!({"goal": "g", "modifiedFiles": given}))
        .json();
    let warning = saved["warnings"][0].as_str().unwrap();
    for path in outside {
        assert!(warning.contains(&format!("`{path}`")), "{warning}");
    }
    assert!(saved["text"].as_str().unwrap().contains(warning));
    assert_eq!(project.saved("s1")["modifiedFiles"], json!([]));
    assert_eq!(saved["counts"]["modifiedFiles"], 0);
}

#[test]
fn a_merge_treats_the_paths_of_other_writers_in_the_same_way() {
    let project = Project::bare_folder();
    let inside = project.path("a").display().to_string();
    let paths = ["/etc/hosts", "../x", &inside, "b/../c", "plain"];
    let files: Value = paths
        .iter()
        .map(|path| json!({"path": path, "note": "n"}))
        .collect();
    project.put("s1", with(least("g"), json!({"modifiedFiles": files})));
    let saved = project
        .save("s1", json!({"goal": "g", "mode": "merge"}))
        .json();
    let warning = saved["warnings"][0].as_str().unwrap();
    assert!(warning.ends_with(": `/etc/hosts`, `../x`"), "{warning}");
    assert_eq!(
        recorded(&project.saved("s1")),
        [
            ("a", "agent", "n"),
            ("c", "agent", "n"),
            ("plain", "agent", "n")
        ]
    );
}

#[cfg(unix)]
#[test]
fn links_are_resolved_before_it_is_judged_where_a_path_is() {
    use std::os::unix::fs::symlink;
    let project = Project::bare_folder();
    project.write("real/a.rs", "a");
    let outside = project.root().with_file_name("outside");
    std::fs::create_dir(&outside).unwrap();
    symlink(project.path("real"), project.path("inner")).unwrap();
    symlink(&outside, project.path("outer")).unwrap();
    symlink(project.root(), outside.join("back")).unwrap();
    let back = outside.join("back/real/a.rs").display().to_string();
    for (given, expected) in [
        ("inner/a.rs", Some("real/a.rs")),
        ("inner/absent.rs", Some("real/absent.rs")),
        ("outer/a.rs", None),
        ("outer/absent/a.rs", None),
        ("outer/../my-app/real/a.rs", Some("real/a.rs")),
        ("outer/back/real/a.rs", Some("real/a.rs")),
        (back.as_str(), Some("real/a.rs")),
    ] {
        let saved = project
            .save(
                "s1",
                json!({"goal": "g", "modifiedFiles": [{"path": given}]}),
            )
            .json();
        let file = project.saved("s1");
        let paths: Vec<&str> = recorded(&file).into_iter().map(|(path, ..)| path).collect();
        assert_eq!(paths, Vec::from_iter(expected), "{given}");
        assert_eq!(
            saved["warnings"].to_string().contains("outside"),
            expected.is_none(),
            "{given}"
        );
    }
}

#[test]
fn the_checkpoints_own_files_are_never_listed() {
    let project = Project::repository();
    project.write(".gitignore", "");
    project.commit("checkpoints are not ignored any more");
    project.save("s1", json!({"goal": "g"}));
    let own = [
        ".claude-checkpoints/s1.json",
        ".claude-checkpoints/.lock",
        ".claude-checkpoint",
        ".claude-checkpoints",
    ];
    let given: Value = own
        .iter()
        .map(|path| json!({"path": path, "note": "n"}))
        .collect();
    project
        .ckpt_with(
            &[("CHECKPOINT_SESSION_IDS", "legacy")],
            ["save", "--goal", "g"],
        )
        .succeeds();
    project.save("s1", json!({"goal": "g", "modifiedFiles": given}));
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    let saved = project.saved("s1");
    assert_eq!(saved["modifiedFiles"], json!([]));
    assert_eq!(saved["git"]["dirty"], false);
}

#[test]
fn names_that_only_begin_like_the_stores_own_are_listed() {
    let project = Project::repository();
    project.write(".gitignore", "");
    project.commit("ignore nothing");
    project.write(".claude-checkpointer.rs", "x");
    project.write(".claude-checkpoint.txt", "x");
    project.save("s1", json!({"goal": "g"}));
    project.save("s1", json!({"goal": "g"}));
    let files = project.saved("s1")["modifiedFiles"].clone();
    let paths: Vec<&str> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, [".claude-checkpoint.txt", ".claude-checkpointer.rs"]);
}

#[test]
fn the_checkpoints_of_a_folder_inside_are_no_files_of_the_project() {
    let project = Project::repository();
    project.write(".gitignore", "");
    project.commit("ignore nothing");
    let inside = project.path("src");
    let place = ["-C", inside.to_str().unwrap(), "save", "--goal", "g"];
    project.ckpt(place).succeeds();
    project.save("s1", json!({"goal": "g"}));
    assert_eq!(project.saved("s1")["modifiedFiles"], json!([]));
}

#[test]
fn a_path_comes_back_as_the_brief_shows_it() {
    let project = Project::repository();
    let names = [
        "two  spaces.txt",
        "at 9.41\u{202f}AM.png",
        " lead",
        "a\"b",
        "tab\there",
        "\"quoted\"",
    ];
    for name in names {
        project.write(name, "x");
    }
    project.save("s1", json!({"goal": "g"}));
    let brief = project.ckpt(["load", "s1"]).succeeds().stdout;
    let shown: Vec<&str> = brief
        .lines()
        .filter_map(|line| line.strip_prefix("- ")?.strip_suffix(" (??)"))
        .collect();
    assert_eq!(shown.len(), names.len(), "{brief}");
    project.commit("second");
    let given: Value = shown
        .iter()
        .map(|path| json!({"path": path, "note": "n"}))
        .collect();
    project.save("s2", json!({"goal": "g", "modifiedFiles": given}));
    let saved = project.saved("s2");
    let mut expected = names.map(|name| match name.starts_with('"') {
        true => r#""\"quoted\"""#.to_owned(),
        false => name.to_owned(),
    });
    expected.sort();
    let found: Vec<&str> = recorded(&saved).iter().map(|file| file.0).collect();
    assert_eq!(found, expected);
    let files = saved["modifiedFiles"].as_array().unwrap();
    assert!(files.iter().all(|file| file["hash"].is_string()), "{saved}");
    for name in names {
        project.write(name, "changed");
    }
    let brief = project.ckpt(["load", "s2"]).succeeds();
    brief
        .prints("`two  spaces.txt`")
        .prints("`at 9.41\u{202f}AM.png`");
}

#[cfg(target_os = "linux")]
#[test]
fn a_quoted_name_that_is_no_text_is_understood() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let project = Project::repository();
    let name = OsStr::from_bytes(b"caf\xe9  1.txt");
    project.write(name, "x");
    project.commit("second");
    let quoted = r#""caf\351  1.txt""#;
    let absolute = json!({"path": project.path("README"), "note": "plain"});
    let given = json!([{"path": quoted, "note": "n"}, absolute]);
    project.save("s1", json!({"goal": "g", "modifiedFiles": given}));
    let saved = project.saved("s1");
    assert_eq!(
        recorded(&saved),
        [(quoted, "agent", "n"), ("README", "agent", "plain")]
    );
    project.write(name, "changed");
    assert_eq!(project.changed_since("s1"), [quoted]);
}

#[test]
fn a_file_whose_name_is_in_quotes_is_itself() {
    let project = Project::repository();
    project.write("\"a\"", "quoted");
    project.write("a", "plain");
    project.commit("second");
    project.save(
        "s1",
        json!({"goal": "g", "modifiedFiles": [{"path": "\"a\""}]}),
    );
    assert_eq!(
        recorded(&project.saved("s1")),
        [(r#""\"a\"""#, "agent", "-")]
    );
    project.remove("\"a\"");
    project.save(
        "s2",
        json!({"goal": "g", "modifiedFiles": [{"path": "\"a\""}]}),
    );
    let saved = project.saved("s2");
    assert!(recorded(&saved).iter().any(|file| file.0 == "a"), "{saved}");
}

//! FIFOs, devices and huge files in the place of what is read: bounded, and said.

use std::fs::{self, File};
use std::os::unix::fs::symlink;

use serde_json::json;

use super::{ended, mkfifo, start};
use crate::harness::Project;
use crate::harness::files::{least, with};

/// What git or libgit2 read in a repository.
const READ: [&str; 14] = [
    ".git/HEAD",
    ".git/config",
    ".git/index",
    ".git/info/attributes",
    ".git/info/exclude",
    ".git/objects/info/alternates",
    ".git/packed-refs",
    ".git/refs/heads/main",
    ".git/shallow",
    ".gitattributes",
    ".gitignore",
    ".gitmodules",
    "src/.gitignore",
    "src/main.rs",
];

/// A repository with changes and a checkpoint from before.
fn repository() -> Project {
    let project = Project::repository();
    project.write("README", "changed\n");
    project.write("new.txt", "new\n");
    project.save("s1", json!({"goal": "before"}));
    project
}

/// Saves and loads everywhere at once, for most of the time is waiting.
fn all_end(projects: &[(String, Project)]) {
    for arguments in [
        &["save", "--goal", "after", "--session", "s1"][..],
        &["load", "--session", "s1"],
        &["list"],
    ] {
        let children: Vec<_> = projects
            .iter()
            .map(|(what, project)| (what, start(project.command(arguments))))
            .collect();
        for (what, child) in children {
            let what = format!("{arguments:?} with {what}");
            let output = ended(child, &what);
            assert_eq!(output.status, 0, "{what}: {}", output.stderr);
        }
    }
    for (what, project) in projects {
        assert_eq!(project.saved("s1")["goal"]["primary"], "after", "{what}");
    }
}

fn replaced(make: impl Fn(&std::path::Path), kind: &str) -> Vec<(String, Project)> {
    let projects = READ.iter().map(|place| {
        let project = repository();
        let path = project.path(place);
        let _ = fs::remove_file(&path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        make(&path);
        (format!("{kind} as {place}"), project)
    });
    projects.collect()
}

#[test]
fn no_command_waits_for_a_fifo() {
    all_end(&replaced(mkfifo, "a FIFO"));
}

#[test]
fn no_command_reads_a_device_for_ever() {
    all_end(&replaced(
        |path| symlink("/dev/zero", path).unwrap(),
        "/dev/zero",
    ));
}

#[test]
fn no_command_waits_for_what_the_configuration_points_to() {
    let mut projects = Vec::new();
    for setting in [
        "core.excludesFile",
        "core.attributesFile",
        "include.path",
        "core.worktree",
    ] {
        for target in ["fifo", "/dev/zero", "/"] {
            let project = repository();
            mkfifo(&project.path("fifo"));
            let target = project.path(target);
            project.git(["config", setting, target.to_str().unwrap()]);
            projects.push((format!("{setting} = {}", target.display()), project));
        }
    }
    all_end(&projects);
}

#[test]
fn no_command_waits_where_git_itself_has_to_read() {
    let mut projects = Vec::new();
    for place in [
        ".gitignore",
        ".gitattributes",
        ".git/info/exclude",
        "README",
    ] {
        let project = repository();
        project.git(["update-index", "--split-index"]);
        let _ = fs::remove_file(project.path(place));
        mkfifo(&project.path(place));
        projects.push((format!("a FIFO as {place}, with a split index"), project));
    }
    all_end(&projects);
}

const HUGE: u64 = 10 << 30;

fn sparse(project: &Project, place: &str) {
    project.write(place, "");
    File::options()
        .write(true)
        .open(project.path(place))
        .unwrap()
        .set_len(HUGE)
        .unwrap();
}

#[test]
fn huge_files_of_the_project_are_not_read_to_their_end() {
    let mut projects = Vec::new();
    for place in [
        "README",
        "new.txt",
        "src/main.rs",
        "untracked",
        ".gitignore",
        ".gitattributes",
    ] {
        let project = repository();
        sparse(&project, place);
        projects.push((format!("10 GiB as {place}"), project));
    }
    all_end(&projects);
}

#[test]
fn huge_files_that_are_named_or_recorded_stand_by_size_and_time() {
    let project = Project::bare_folder();
    sparse(&project, "named");
    project.save(
        "s1",
        json!({"goal": "g", "modifiedFiles": [{"path": "named"}]}),
    );
    let hash = project.saved("s1")["modifiedFiles"][0]["hash"].clone();
    let expected = format!("size:{HUGE},mtime:");
    assert!(hash.as_str().unwrap().starts_with(&expected), "{hash}");
    assert_eq!(project.changed_since("s1"), Vec::<String>::new());
    let file = File::options()
        .write(true)
        .open(project.path("named"))
        .unwrap();
    file.set_len(HUGE + 1).unwrap();
    assert_eq!(project.changed_since("s1"), ["named"]);
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    assert_eq!(project.changed_since("s1"), Vec::<String>::new());
}

#[test]
fn huge_files_in_the_place_of_checkpoints_are_refused() {
    let project = Project::bare_folder();
    for place in [
        ".claude-checkpoints/s1.json",
        ".claude-checkpoints/s1.json.prev",
        ".claude-checkpoint",
        "input.json",
    ] {
        sparse(&project, place);
    }
    for selector in ["s1", "legacy"] {
        project.ckpt(["load", selector]).fails_with("larger than");
    }
    project
        .try_save("s1", &json!({"goal": "g"}))
        .fails_with("larger than");
    project
        .ckpt(["save", "--input", "input.json"])
        .fails_with("larger than");
    let list = project.ckpt(["list", "--json"]).succeeds().json();
    assert_eq!(list["total"], 2, "{list}");
}

#[test]
fn special_files_that_are_named_or_recorded_are_not_opened() {
    let project = Project::bare_folder();
    mkfifo(&project.path("fifo"));
    symlink("/dev/zero", project.path("device")).unwrap();
    symlink("/", project.path("away")).unwrap();
    let paths = [
        "fifo",
        "device",
        "away/dev/zero",
        "/dev/zero",
        "../../../../dev/zero",
    ];
    let files: Vec<_> = paths.iter().map(|path| json!({"path": path})).collect();
    project.put(
        "s1",
        with(
            least("g"),
            json!({"sessionId": "s1", "modifiedFiles": files}),
        ),
    );
    let child = start(project.command(["load", "s1"]));
    ended(child, "load").succeeds();
    project.save(
        "s1",
        json!({"goal": "g", "mode": "merge", "modifiedFiles": files}),
    );
    for file in project.saved("s1")["modifiedFiles"].as_array().unwrap() {
        let is_link = file["path"] == "device";
        assert_eq!(file.get("hash").is_some(), is_link, "{file}");
    }
}

#[test]
fn a_submodule_that_is_waited_for_costs_no_other_fact() {
    for option in ["--split-index", "--no-split-index"] {
        let project = repository();
        let submodule = project.commit_submodule("sub");
        project.git(["update-index", option]);
        let head = project.git_at(&submodule, ["rev-parse", "HEAD"]);
        let object = submodule.join(format!(".git/objects/{}/{}", &head[..2], &head[2..]));
        fs::remove_file(&object).unwrap();
        mkfifo(&object);
        project.write("new.txt", "newer\n");
        let saved = project.save("s1", json!({"goal": "after"}));
        saved.errs("submodule `sub` was not looked into: ");
        let saved = project.saved("s1");
        assert_eq!(saved["git"]["head"], project.head(), "{option}");
        let paths = saved["modifiedFiles"].as_array().unwrap().iter();
        let paths: Vec<_> = paths.map(|file| file["path"].as_str().unwrap()).collect();
        assert_eq!(paths, ["new.txt"], "{option}");
    }
}

//! Whatever a repository's configuration names is never run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::harness::Project;
use crate::harness::files::write_program;

/// Every hook that git knows (githooks(5)).
const HOOKS: [&str; 28] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// Settings by which git runs a program (git-config(1)).
const PROGRAMS: [&str; 30] = [
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "diff.external",
    "diff.trap.command",
    "diff.trap.textconv",
    "difftool.trap.cmd",
    "filter.trap.clean",
    "filter.trap.process",
    "filter.trap.smudge",
    "gpg.program",
    "gpg.ssh.defaultKeyCommand",
    "interactive.diffFilter",
    "man.trap.cmd",
    "merge.trap.driver",
    "mergetool.trap.cmd",
    "pager.diff-index",
    "pager.ls-files",
    "pager.status",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "sequence.editor",
    "trailer.trap.command",
    "uploadpack.packObjectsHook",
    "web.browser",
];

/// Names of git commands, as aliases.
const ALIASES: [&str; 12] = [
    "check-attr",
    "check-ignore",
    "config",
    "diff",
    "diff-index",
    "hash-object",
    "log",
    "ls-files",
    "rev-list",
    "rev-parse",
    "status",
    "symbolic-ref",
];

struct Trapped {
    project: Project,
    marker: PathBuf,
}

impl Trapped {
    /// A repository whose every setting that can name a program names one that leaves a marker, and with a
    /// submodule of the same kind.
    fn new(format: &[&str], split: bool) -> Self {
        let project = Project::bare_folder();
        for folder in ["nested", "."] {
            project.write(format!("{folder}/plain.txt"), "plain\n");
            project.write(format!("{folder}/changed.txt"), "one\n");
            let folder = project.path(folder);
            let init = ["init", "-q", "-b", "main"];
            project.git_at(&folder, init.iter().chain(format));
            project.git_at(&folder, ["add", "."]);
            project.git_at(&folder, ["commit", "-q", "-m", "first"]);
        }
        project.write(".gitignore", ".claude-checkpoint*\n");
        project.write(
            ".gitmodules",
            "[submodule \"s\"]\n\tpath = s\n\turl = ext::trap\n",
        );
        project.commit("first");
        project.save("s1", json!({"goal": "before the traps"}));

        let marker = project.home().join("marker");
        let trap = project.home().join("trap");
        let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", marker.display());
        write_program(&trap, &script);
        let (trap_path, command) = (trap.to_str().unwrap(), format!("!{}", trap.display()));
        for folder in [project.path("nested"), project.root()] {
            if split {
                project.git_at(&folder, ["update-index", "--split-index"]);
            }
            for hook in HOOKS {
                for hooks in [".git/hooks", "hooks"].map(|hooks| folder.join(hooks)) {
                    fs::create_dir_all(&hooks).unwrap();
                    let _ = fs::remove_file(hooks.join(hook));
                    fs::hard_link(&trap, hooks.join(hook)).unwrap();
                }
            }
            let attributes = "* filter=trap diff=trap merge=trap -text\n";
            fs::write(folder.join(".gitattributes"), attributes).unwrap();
            fs::write(folder.join("changed.txt"), "two\n").unwrap();
            fs::write(folder.join("new.txt"), "new\n").unwrap();
            // Its stat data is stale, so that only its content can tell that it did not change.
            fs::write(folder.join("plain.txt"), "plain\n").unwrap();
            let set = |name: &str, value: &str| {
                project.git_at(&folder, ["config", name, value]);
            };
            for name in ALIASES {
                set(&format!("alias.{name}"), &command);
            }
            set("submodule.s.update", &command);
            set("submodule.s.url", &format!("ext::{trap_path}"));
            set("remote.origin.url", &format!("ext::{trap_path}"));
            set("remote.origin.promisor", "true");
            set("protocol.ext.allow", "always");
            set("status.submoduleSummary", "true");
            set("core.untrackedCache", "true");
            set("filter.trap.required", "true");
            set("core.hooksPath", folder.join("hooks").to_str().unwrap());
            // The last one, for setting it runs what was set before.
            for name in PROGRAMS {
                set(name, trap_path);
            }
        }
        let trapped = Self { project, marker };
        let _ = fs::remove_file(&trapped.marker);
        trapped
    }

    fn assert_nothing_ran(&self) {
        assert!(
            !self.marker.exists(),
            "{}",
            fs::read_to_string(&self.marker).unwrap()
        );
    }

    /// Every command, over a repository with everything to look into.
    fn run_everything(&self) {
        let project = &self.project;
        for arguments in [
            json!({"goal": "g"}),
            json!({"goal": "g", "mode": "merge", "modifiedFiles": [{"path": "plain.txt"}, {"path": "s"}]}),
        ] {
            project.save("s1", arguments);
            self.assert_nothing_ran();
        }
        let saved = project.saved("s1");
        let paths: Vec<&str> = saved["modifiedFiles"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["path"].as_str().unwrap())
            .collect();
        for path in ["changed.txt", "nested", "new.txt"] {
            assert!(paths.contains(&path), "{paths:?}");
        }
        project.write("changed.txt", "three\n");
        assert_eq!(project.changed_since("s1"), ["changed.txt"]);
        project.ckpt(["list"]).succeeds();
        project.ckpt(["nudge"]).succeeds();
        self.assert_nothing_ran();
    }
}

#[test]
fn the_traps_catch_git() {
    let trapped = Trapped::new(&[], false);
    let mut git = trapped.project.program("git");
    git.arg("status").output().unwrap();
    let caught = fs::read_to_string(&trapped.marker).unwrap();
    assert!(caught.contains("trap"), "{caught}");
}

#[test]
fn nothing_that_a_repository_names_is_run() {
    let trapped = Trapped::new(&[], false);
    trapped.run_everything();
}

#[test]
fn nothing_that_a_repository_names_is_run_where_git_itself_has_to_read_it() {
    for format in ["--object-format=sha256", "--ref-format=reftable"] {
        let probe = Project::bare_folder();
        let mut init = Command::new("git");
        init.args(["init", "-q", format]).current_dir(probe.root());
        if !init.output().unwrap().status.success() {
            // An older git, which cannot make such a repository.
            continue;
        }
        Trapped::new(&[format], false).run_everything();
    }
    Trapped::new(&[], true).run_everything();
}

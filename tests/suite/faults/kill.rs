//! Killed at every call that touches the disk.

use super::trace::{self, TOUCHING};
use super::{Ground, STOPPED, Start, repository};
use crate::harness::Project;

fn kill_everywhere(project: impl Fn() -> Project, starts: &[Start]) {
    if !trace::is_possible() {
        return;
    }
    let mut killed = 0;
    for start in starts {
        let ground = Ground::new(project(), *start);
        let mut command = ground.project.command(Ground::arguments(STOPPED));
        command.envs(start.variables().iter().copied());
        ground.reset();
        for (name, number) in trace::points(&command, &[], &TOUCHING) {
            let at = format!("{start:?}: killed at {name} {number}");
            ground.reset();
            let inject = format!("inject={name}:signal=SIGKILL:when={number}");
            let mut traced = trace::traced(&command, &["-o", "/dev/null", "-e", &inject]);
            let status = traced.status().unwrap();
            // A thread may have made fewer calls than the time before.
            killed += usize::from(!status.success());
            ground.inspect(&at);
        }
    }
    trace::say(&format!("killed at {killed} points"));
    assert!(killed > 40 * starts.len(), "{killed}");
}

#[test]
fn a_save_killed_at_any_call_leaves_the_old_or_the_new_checkpoint() {
    kill_everywhere(Project::bare_folder, &Start::ALL);
}

#[test]
fn a_save_in_a_repository_killed_at_any_call_leaves_the_old_or_the_new_checkpoint() {
    kill_everywhere(repository, &[Start::Both]);
}

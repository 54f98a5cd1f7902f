//! The server killed at every call that touches the disk, and told that it cannot at those of a save.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::trace::{self, TOUCHING};
use super::{Ground, Start, call};
use crate::harness::{Output, Project};

/// What the agent saves, one after the other.
const SAVES: [&str; 3] = ["one", "two", "three"];

/// A whole session of a client.
fn session() -> Vec<u8> {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let mut lines = vec![
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    lines.extend(SAVES.iter().zip(1..).map(|(goal, id)| call(id, goal)));
    lines
        .iter()
        .map(|line| format!("{line}\n"))
        .collect::<String>()
        .into_bytes()
}

fn run(command: &Command, inject: &str) -> Output {
    let mut traced = trace::traced(command, &["-o", "/dev/null", "-e", inject]);
    let mut child = traced.stdin(Stdio::piped()).spawn().unwrap();
    // A server that is killed early does not read its input.
    let _ = child.stdin.take().unwrap().write_all(&session());
    let output = child.wait_with_output().unwrap();
    Output {
        // Killed within a line, it has written a part of it.
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().unwrap_or(-1),
    }
}

/// Which saves were answered, and whether each went well.
fn answers(output: &Output) -> Vec<(usize, bool)> {
    let lines = output.stdout.lines();
    let answers = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    answers
        .filter(|answer| answer["id"] != 0)
        .map(|answer| {
            let failed = answer["result"]["isError"] == true;
            (answer["id"].as_u64().unwrap() as usize, !failed)
        })
        .collect()
}

/// What the files hold: 0 for the save before the session, else the number of the save.
fn in_force(ground: &Ground, at: &str) -> usize {
    let [main, backup] = ground.start.names();
    let number = |goal: String| match SAVES.iter().position(|save| *save == goal) {
        Some(index) => index + 1,
        None => 0,
    };
    let main = number(ground.goal(main, at).unwrap());
    // Between two renames the backup stands in the history already, and the new one not yet in its place.
    let backup = ground.goal(backup, at).map_or(0, number);
    assert!(backup <= main, "{at}");
    main
}

fn ground() -> (Ground, Command) {
    let ground = Ground::new(Project::bare_folder(), Start::Both);
    let mut command = ground.project.command(["serve"]);
    command.envs(ground.start.variables().iter().copied());
    (ground, command)
}

#[test]
fn a_server_killed_at_any_call_keeps_every_save_that_it_answered() {
    if !trace::is_possible() {
        return;
    }
    let (ground, command) = ground();
    let mut killed = 0;
    for (name, number) in trace::points(&command, &session(), &TOUCHING) {
        let at = format!("killed at {name} {number}");
        ground.reset();
        let output = run(
            &command,
            &format!("inject={name}:signal=SIGKILL:when={number}"),
        );
        killed += usize::from(output.status != 0);
        let promised = answers(&output).iter().map(|(id, _)| *id).max();
        let kept = in_force(&ground, &at);
        assert!(kept >= promised.unwrap_or_default(), "{at}: {kept}");
        ground.save("next");
    }
    trace::say(&format!("killed at {killed} points"));
    // How many calls fall to one thread differs from run to run; this only shows that the calls were found.
    assert!(killed > 20, "{killed}");
}

#[test]
fn a_server_that_the_system_refuses_answers_with_an_error_and_goes_on() {
    if !trace::is_possible() {
        return;
    }
    let (ground, command) = ground();
    let mut points = 0;
    let refused = ["flock", "fsync", "openat2", "renameat"];
    for (name, number) in trace::points(&command, &session(), &refused) {
        for error in ["ENOSPC", "EIO", "EROFS", "EACCES", "EDQUOT"] {
            let at = format!("{error} from {name} {number}");
            ground.reset();
            let output = run(
                &command,
                &format!("inject={name}:error={error}:when={number}"),
            );
            points += 1;
            assert_eq!((output.status, output.stderr.as_str()), (0, ""), "{at}");
            let answers = answers(&output);
            assert_eq!(answers.len(), SAVES.len(), "{at}: {}", output.stdout);
            let last_good = answers
                .iter()
                .filter(|(_, well)| *well)
                .map(|(id, _)| *id)
                .max();
            assert!(
                in_force(&ground, &at) >= last_good.unwrap_or_default(),
                "{at}"
            );
            assert_eq!(ground.leftovers(), Vec::<String>::new(), "{at}");
        }
    }
    trace::say(&format!("{points} refusals"));
    assert!(points >= 60, "{points}");
}

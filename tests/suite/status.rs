//! `ckpt status`: where, what, with which clients; and a line of it for a prompt, which never fails.

use serde_json::{Value, json};

use crate::harness::files::{least, with};
use crate::harness::{Output, Project};

fn status(project: &Project, arguments: &[&str]) -> Value {
    let output = project.ckpt([&["status", "--json"], arguments].concat());
    output.succeeds().json()
}

/// The line for what a client says on standard input.
fn line(project: &Project, told: &str, variables: &[(&str, &str)]) -> String {
    let mut command = project.command(["status", "--line"]);
    command.envs(variables.iter().copied());
    let output = Output::with_input(&mut command, told.as_bytes()).succeeds();
    output.stays_silent().stdout
}

#[test]
fn it_tells_where_and_why_and_what_is_kept() {
    let project = Project::repository();
    project.save(
        "s1",
        json!({"goal": "Sign in", "tasks": [{"description": "a", "status": "done"}, "b"]}),
    );
    project.save("s1", json!({"goal": "Sign in", "mode": "merge"}));
    project.write("README", "changed\n");
    let root = project.root();
    let root = root.to_str().unwrap();
    let status = status(&project, &["--session", "s1"]);
    assert_eq!(
        (&status["root"], &status["rootFrom"]),
        (&json!(root), &json!("workingDirectory"))
    );
    assert_eq!(status["path"], format!("{root}/.claude-checkpoints"));
    assert_eq!(status["checkpoints"], 1);
    assert_eq!(
        (&status["session"], &status["sessionSource"]),
        (&json!("s1"), &json!("argument"))
    );
    let kept = &status["checkpoint"];
    for (field, value) in [
        ("selector", json!("s1")),
        ("isCurrentSession", json!(true)),
        ("goal", json!("Sign in")),
        ("age", json!("just now")),
        ("tasksDone", json!(1)),
        ("tasks", json!(2)),
        ("changedSince", json!(1)),
        ("isPartlyCompared", json!(false)),
    ] {
        assert_eq!(kept[field], value, "{field}: {kept}");
    }
    assert!(kept["saves"].as_u64() >= Some(2), "{kept}");
    let output = project.ckpt(["status", "--session", "s1"]).succeeds();
    output
        .prints(&format!("Project     {root} (the working directory)\n"))
        .prints("(1 checkpoint)")
        .prints("Sign in\n")
        .prints("s1: this session's, saved just now, 1 of 2 tasks done, 1 file changed since, 2 saves kept");
    // For a person who is in no session it is the newest.
    let status = self::status(&project, &[]);
    assert_eq!(status["checkpoint"]["isCurrentSession"], false);
    assert_eq!(status.get("session"), None);
}

#[test]
fn it_says_why_the_root_is_the_one() {
    let project = Project::bare_folder();
    let home = project.home();
    let home = home.canonicalize().unwrap();
    let home = home.to_str().unwrap();
    let by_option = status(&project, &["-C", home]);
    assert_eq!(
        (&by_option["root"], &by_option["rootFrom"]),
        (&json!(home), &json!("option"))
    );
    assert_eq!(by_option["checkpoints"], 0);
    let variables = [("CHECKPOINT_PROJECT_ROOT", home)];
    let by_variable = project
        .ckpt_with(&variables, ["status", "--json"])
        .succeeds()
        .json();
    assert_eq!(
        (&by_variable["root"], &by_variable["rootFrom"]),
        (&json!(home), &json!("variable"))
    );
}

#[test]
fn clients_are_found_by_their_own_settings() {
    let project = Project::bare_folder();
    let clients = || status(&project, &[])["clients"].clone();
    assert_eq!(clients(), json!([]));
    let home = |name: &str, content: &str| {
        let path = project.home().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    };
    let server = r#"{"mcpServers": {"ckpt": {"command": "/x/ckpt", "args": ["serve"]}}}"#;
    home(".claude/settings.json", "{}");
    home(".codex/config.toml", "model = \"x\"\n");
    let found = |server: bool, hooks: bool| json!({"name": "Claude Code", "server": server, "hooks": hooks});
    assert_eq!(clients()[0], found(false, false));
    assert_eq!(
        clients()[1],
        json!({"name": "Codex CLI", "server": false, "hooks": false})
    );
    home(".claude.json", server);
    assert_eq!(clients()[0], found(true, false));
    let problems = status(&project, &[])["problems"].to_string();
    assert!(problems.contains("Claude Code has no hooks"), "{problems}");
    home(
        ".claude/settings.json",
        r#"{"hooks": {"SessionStart": [{"hooks": [{"command": "ckpt nudge"}]}]}}"#,
    );
    assert_eq!(clients()[0], found(true, true));
    home(".claude.json", "{");
    home(
        ".claude/settings.json",
        r#"{"enabledPlugins": {"session-checkpoint@ckpt": true}}"#,
    );
    assert_eq!(clients()[0], found(true, true));
    home(
        ".claude/settings.json",
        r#"{"enabledPlugins": {"session-checkpoint@ckpt": false}}"#,
    );
    assert_eq!(clients()[0], found(false, false));
    project.write(".mcp.json", server);
    assert_eq!(clients()[0], found(true, false));
    home(
        ".codex/config.toml",
        "[mcp_servers.ckpt]\ncommand = \"ckpt\"\nargs = [\"serve\"]\n",
    );
    assert_eq!(clients()[1]["server"], true);
}

#[test]
fn what_is_wrong_is_told_with_what_to_do() {
    let project = Project::bare_folder();
    project.put("broken", "{");
    let output = project.ckpt(["status"]).succeeds();
    output
        .errs("warning: 1 checkpoint cannot be read")
        .errs("hint: see why: ckpt list")
        .errs("warning: no client is set up to save checkpoints")
        .prints("none yet");
    project
        .ckpt(["status", "-C", "/nowhere"])
        .fails_with("/nowhere");
}

#[test]
fn a_variable_that_is_not_understood_is_told_of_by_the_status_alone() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    let odd = [
        ("CHECKPOINT_REMIND", "80k"),
        ("CHECKPOINT_TRANSCRIPTS", "never\u{1b}[2J"),
        (
            "SESSION_CHECKPOINT_NUDGE",
            "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5",
        ),
    ];
    project
        .ckpt_with(&odd, ["status"])
        .succeeds()
        .errs("warning: CHECKPOINT_REMIND is `80k`, which is not understood")
        .errs("hint: set it to a number of tokens such as 80000, or to `off`")
        .errs("warning: CHECKPOINT_TRANSCRIPTS is `never\u{fffd}[2J`, which")
        .errs("warning: SESSION_CHECKPOINT_NUDGE is `«redacted»`, which");
    project.ckpt_with(&odd, ["list"]).succeeds().stays_silent();
    project.ckpt_with(&odd, ["nudge"]).succeeds().stays_silent();
    for value in ["", "off", "No", "0", "1"] {
        let fine = odd.map(|(name, _)| (name, value));
        let status = project.ckpt_with(&fine, ["status"]).succeeds();
        assert!(!status.stderr.contains("understood"), "{}", status.stderr);
    }
}

#[test]
fn a_line_names_the_sessions_own_checkpoint_or_how_many_there_are() {
    let project = Project::bare_folder();
    assert_eq!(line(&project, "", &[]), "");
    project.put(
        "s1",
        with(
            least("Sign in with GitHub"),
            json!({"goal": {"primary": "Sign in with GitHub", "tasks": [
                {"description": "a", "status": "done"}, {"description": "b"},
            ]}}),
        ),
    );
    project.put("s2", least("Another"));
    let others = line(&project, "", &[]);
    assert!(
        others.starts_with("ckpt: 2 checkpoints, the newest saved "),
        "{others}"
    );
    let own = "ckpt: 1/2 Sign in with GitHub · saved 3m ago\n";
    assert_eq!(line(&project, r#"{"session_id": "s1"}"#, &[]), own);
    assert_eq!(line(&project, "", &[("CLAUDE_CODE_SESSION_ID", "s1")]), own);
    // The client tells its session and its project better than what surrounds the command.
    let root = project.root();
    let told = json!({"session_id": "s1", "workspace": {"project_dir": root, "current_dir": "/"}, "cwd": "/", "model": {}});
    let variables = [("CLAUDE_CODE_SESSION_ID", "s2"), ("PWD", "/")];
    let mut command = project.command(["status", "--line"]);
    command.current_dir("/").envs(variables);
    let output = Output::with_input(&mut command, told.to_string().as_bytes());
    assert_eq!(output.succeeds().stdout, own);
}

#[test]
fn any_trouble_prints_no_line_and_is_no_failure() {
    let project = Project::bare_folder();
    project.put("broken", "{");
    for told in [
        r#"{"session_id": "broken"}"#,
        r#"{"session_id": "../x", "cwd": "/nowhere"}"#,
        r#"{"session_id": 5}"#,
        "{",
        "\u{1b}[2J",
        r#"{"workspace": {"project_dir": "relative"}}"#,
    ] {
        let line = line(&project, told, &[]);
        assert!(
            line.is_empty() || line.starts_with("ckpt: 1 checkpoint, "),
            "{told}: {line}"
        );
    }
    assert_eq!(
        line(&project, "", &[("CHECKPOINT_PROJECT_ROOT", "/nowhere")]),
        ""
    );
    assert_eq!(line(&project, "", &[("CLAUDE_CODE_SESSION_ID", "a/b")]), "");
    // A text that would move the cursor, and a secret.
    let goal = "a\u{1b}[2J\u{202e}b\nc API_KEY=sk-ant-REDACTED";
    project.put("s1", least(goal));
    let line = line(&project, r#"{"session_id": "s1"}"#, &[]);
    assert_eq!(line.lines().count(), 1);
    assert!(
        !line.contains(['\u{1b}', '\u{202e}']) && !line.contains("abcdefghij"),
        "{line}"
    );
}

#[cfg(unix)]
#[test]
fn a_line_does_not_wait_for_input_that_never_ends() {
    let project = Project::bare_folder();
    project.put("s1", least("g"));
    let mut command = project.command(["status", "--line"]);
    command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Kept open until the command has ended by itself.
    let open = child.stdin.take();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut said).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(said.starts_with("ckpt: 1 checkpoint"), "{said}");
    drop(open);
}

//! Secrets do not reach the disk, a brief or a message (docs/contract.md, section 9).

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::json;

use crate::harness::files::{least, with};
use crate::harness::mcp::Server;
use crate::harness::{Output, Project};

const SECRET: &str = "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";

#[test]
fn no_field_lets_a_secret_through_and_the_warning_names_the_fields() {
    let project = Project::repository();
    let with = |text: &str| format!("{text} {SECRET}");
    let saved = project.save(
        "s1",
        json!({
            "goal": with("goal"),
            "summary": with("summary"),
            "tasks": [{"description": with("task"), "status": "done"}],
            "nextSteps": [with("step")],
            "decisions": [with("decision")],
            "modifiedFiles": [{"path": "README", "note": with("file")}],
            "recentCommands": [{"command": with("command"), "note": with("note")}],
        }),
    );
    let result = saved.json();
    assert_eq!(result["counts"]["redactions"], 8);
    let warning = result["warnings"][0].as_str().unwrap();
    assert_eq!(
        warning,
        "8 secrets redacted before writing, in `goal`, `tasks`, `summary`, `nextSteps`, `decisions`, \
         `recentCommands`, `modifiedFiles`"
    );
    let file = std::fs::read_to_string(project.checkpoint("s1")).unwrap();
    assert!(!file.contains(SECRET), "{file}");
    assert_eq!(file.matches("«redacted»").count(), 8);
    assert!(!saved.stdout.contains(SECRET) && !saved.stderr.contains(SECRET));
}

#[test]
fn names_flags_users_and_hosts_stay_readable() {
    let project = Project::bare_folder();
    let command = "curl -u bob:hunter2secret -H 'Authorization: Bearer abcdef0123456789' https://api.example.com";
    let input = json!({"goal": "g", "recentCommands": [{"command": command}]});
    project.save("s1", input);
    assert_eq!(
        project.saved("s1")["recentCommands"][0]["command"],
        "curl -u bob:«redacted» -H 'Authorization: Bearer «redacted»' https://api.example.com"
    );
}

#[test]
fn a_file_that_others_wrote_is_redacted_before_it_is_shown_or_built_upon() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g", "summary": "the PLACE"}));
    let file = project.checkpoint("s1");
    let edited = std::fs::read_to_string(&file)
        .unwrap()
        .replace("PLACE", SECRET);
    std::fs::write(&file, edited).unwrap();
    for arguments in [
        &["load", "--session", "s1"][..],
        &["load", "--session", "s1", "--json", "--format", "full"],
    ] {
        let shown = project.ckpt(arguments).succeeds().stdout;
        assert!(!shown.contains(SECRET), "{shown}");
        assert!(shown.contains("«redacted»"), "{shown}");
    }
    project.save("s1", json!({"goal": "g", "mode": "merge"}));
    assert_eq!(project.saved("s1")["summary"], "the «redacted»");
}

#[test]
fn the_command_redacts_its_input() {
    let project = Project::bare_folder();
    let text = format!("export GITHUB_TOKEN={SECRET}");
    let plain = Output::with_input(&mut project.command(["redact"]), text.as_bytes()).succeeds();
    assert_eq!(plain.stdout, "export GITHUB_TOKEN=«redacted»");
    let lines = format!("{}\n", json!({"id": 7, "text": text}));
    let lines = Output::with_input(
        &mut project.command(["redact", "--jsonl"]),
        lines.as_bytes(),
    );
    assert_eq!(
        lines.succeeds().stdout,
        "{\"id\":7,\"redacted\":\"export GITHUB_TOKEN=«redacted»\"}\n"
    );
    let wrong = Output::with_input(&mut project.command(["redact", "--jsonl"]), b"{}\n");
    wrong.fails_with("line 1 is not of the form");
}

#[test]
fn the_command_gives_each_line_out_as_it_comes() {
    let project = Project::bare_folder();
    let mut child = project
        .command(["redact"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for (line, expected) in [
        ("a\n", "a\n"),
        ("PASSWORD=winter99\n", "PASSWORD=«redacted»\n"),
        ("b\n", "b\n"),
    ] {
        input.write_all(line.as_bytes()).unwrap();
        let mut given = String::new();
        output.read_line(&mut given).unwrap();
        assert_eq!(given, expected);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_command_ends_at_a_line_without_end() {
    let project = Project::bare_folder();
    for arguments in [&["redact"][..], &["redact", "--jsonl"]] {
        let mut child = project
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let zeros = vec![0; 1024 * 1024];
        let taken = (0..64).take_while(|_| input.write_all(&zeros).is_ok());
        assert!(taken.count() < 20, "{arguments:?} reads on");
        drop(input);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(2));
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(
            said.contains("line 1 is longer than 16 MiB; nothing from it on was printed"),
            "{said}"
        );
    }
}

#[test]
fn neither_a_byte_order_mark_nor_an_invalid_byte_hides_a_secret() {
    let project = Project::bare_folder();
    let text = "\u{feff}PASSWORD=winter99 \u{1f511}\r\nb\r\n";
    let redacted = text.replace("winter99", "«redacted»");
    let little = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (input, expected) in [
        (text.as_bytes().to_vec(), redacted.as_str()),
        (little, &redacted),
        (big, &redacted),
        (
            b"caf\xe9 PASSWORD=winter99\nb \xff\n".to_vec(),
            "caf\u{fffd} PASSWORD=«redacted»\nb \u{fffd}\n",
        ),
        (b"PASSWORD=win\xffter99\n".to_vec(), "PASSWORD=«redacted»\n"),
    ] {
        let given = Output::with_input(&mut project.command(["redact"]), &input).succeeds();
        assert_eq!(given.stdout, expected);
    }
    for mark in [&b"\xef\xbb\xbf"[..], b""] {
        let line = [mark, b"{\"id\":1,\"text\":\"\xe9 PASSWORD=winter99\"}\n"].concat();
        let mut command = project.command(["redact", "--jsonl"]);
        let given = Output::with_input(&mut command, &line).succeeds();
        assert_eq!(
            given.stdout,
            "{\"id\":1,\"redacted\":\"\u{fffd} PASSWORD=«redacted»\"}\n"
        );
    }
}

#[test]
fn what_other_programs_wrote_beside_the_known_fields_is_redacted_too() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "g", "tasks": [{"description": "t"}]}));
    let mut checkpoint = project.saved("s1");
    checkpoint["later"] =
        json!({"list": [SECRET, {"apiToken": "winter", "kept": "as it is \"'\\\n"}], "n": 1});
    checkpoint["goal"]["tasks"][0]["status"] = json!(SECRET);
    checkpoint["goal"]["tasks"][0]["password"] = json!("winter");
    checkpoint["generator"] = json!({"name": SECRET, "version": "1", "x": SECRET});
    checkpoint["git"]["branch"] = json!(SECRET);
    checkpoint["project"]["name"] = json!(SECRET);
    project.write(
        ".claude-checkpoints/s1.json",
        serde_json::to_string(&checkpoint).unwrap(),
    );
    let arguments = ["load", "--session", "s1", "--json", "--format", "full"];
    let shown = project.ckpt(arguments).succeeds().stdout;
    assert!(
        !shown.contains(SECRET) && !shown.contains("winter"),
        "{shown}"
    );
    project.save("s1", json!({"summary": "s", "mode": "merge"}));
    let saved = project.saved("s1");
    let text = saved.to_string();
    assert!(!text.contains(SECRET) && !text.contains("winter"), "{text}");
    assert_eq!(
        saved["later"],
        json!({"list": ["«redacted»", {"apiToken": "«redacted»", "kept": "as it is \"'\\\n"}], "n": 1})
    );
}

#[test]
fn no_name_of_anything_lets_a_secret_through_when_it_is_written() {
    let project = Project::repository();
    project.git(["switch", "-q", "-c", &format!("topic/{SECRET}")]);
    let folder = project.path(SECRET);
    std::fs::create_dir(&folder).unwrap();
    let mut server = Server::start(&project);
    server.request(
        "initialize",
        json!({
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": SECRET, "version": SECRET},
        }),
    );
    server.notify("notifications/initialized");
    let save = json!({"goal": "g", "session": "s1", "projectRoot": folder});
    assert_eq!(
        server.call("save_session_checkpoint", save)["isError"],
        json!(false)
    );
    let file = folder.join(".claude-checkpoints/s1.json");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(SECRET), "{text}");
    let saved: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(saved["git"]["branch"], "topic/«redacted»");
    assert_eq!(saved["project"]["name"], "«redacted»");
    assert_eq!(saved["client"]["name"], "«redacted»");
    let loaded = server.call(
        "load_session_checkpoint",
        json!({"session": "s1", "projectRoot": folder}),
    );
    // What was cut out of the name then is cut out of it now.
    let drift = &loaded["structuredContent"]["drift"];
    assert_eq!(drift["branchChanged"], false, "{drift}");
    assert_eq!(drift["currentBranch"], "topic/«redacted»");
    server.close();

    project.save("s2", json!({"goal": "g"}));
    for arguments in [
        &["save", "--goal", "g", "--session", "s2", "--name", SECRET][..],
        &["name", "s2", SECRET],
    ] {
        let output = project.ckpt(arguments);
        output.fails_with("the name looks like a secret");
    }
    assert!(!project.read(".claude-checkpoints/s2.json").contains(SECRET));
}

#[test]
fn no_name_of_anything_that_others_wrote_lets_a_secret_through() {
    let project = Project::repository();
    let named = json!({
        "sessionId": "s1", "name": SECRET,
        "git": {"branch": SECRET, "head": project.head(), "dirty": false},
        "project": {"name": SECRET},
        "client": {"name": SECRET, "version": SECRET},
        "generator": {"name": SECRET, "version": SECRET},
        "meta": {"machine": SECRET},
        "goal": {"primary": "g", "tasks": [{"description": "t", "status": SECRET}]},
    });
    let put = || project.put("s1", with(least("g"), named.clone()));
    put();
    for arguments in [
        &["load", "s1"][..],
        &["load", "s1", "--json", "--format", "full"],
        &["list"],
        &["list", "--json"],
        &["log", "s1"],
        &["log", "s1", "--json"],
        &["diff", "s1", "--json"],
        &["status", "--json"],
        &["prune", "--older-than", "1d", "--dry-run", "--json"],
        &["resume", "s1", "--print"],
    ] {
        let output = project.ckpt(arguments);
        let said = format!("{}{}", output.stdout, output.stderr);
        assert!(!said.contains(SECRET), "{arguments:?}: {said}");
    }
    for arguments in [
        &["save", "--goal", "h", "--session", "s1"][..],
        &["save", "--merge", "--session", "s1"],
        &["name", "s1", "auth"],
        &["done", "s1"],
    ] {
        put();
        project.ckpt(arguments).succeeds();
        let file = project.read(".claude-checkpoints/s1.json");
        assert!(!file.contains(SECRET), "{arguments:?}: {file}");
    }
}

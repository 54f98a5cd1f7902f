//! What a session is about where nobody typed a plain prompt, and what clients put around those that were typed.

use serde_json::{Value, json};

use crate::harness::Project;
use crate::harness::transcripts::{LATER, Transcript, json_of};

const SESSION: &str = "77aa01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";
const CLEAN: &str = "88bb01ce-3c4d-4e5f-8a6b-7c8d9e0f1a2b";

fn user(content: Value) -> Value {
    json!({"type": "user", "message": {"role": "user", "content": content}})
}

fn begun(project: &Project) -> Transcript {
    Transcript::new(project, SESSION, 0)
}

/// What the list calls a session; None where it does not offer it.
fn goal(project: &Project) -> Option<String> {
    let listed = json_of(project, &["list", "--all"]);
    let entry = listed["entries"].as_array().unwrap().first()?.clone();
    assert_eq!(entry["selector"], SESSION);
    Some(entry["goal"].as_str().unwrap().to_owned())
}

fn brief(project: &Project) -> String {
    let output = project.ckpt_with(&[("CKPT_NOW", LATER)], ["load", SESSION]);
    output.succeeds().stdout
}

#[test]
fn a_session_without_a_typed_prompt_is_about_the_next_best() {
    let command = |name: &str, arguments: &str| {
        format!(
            "<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n<command-args>{arguments}</command-args>"
        )
    };
    let title = |kind: &str, field: &str, text: &str| {
        json!({"type": kind, field: text, "sessionId": SESSION}).to_string()
    };
    let project = Project::repository();
    let done = |transcript: Transcript| transcript.words("First the lexer.").runs("make", 0);
    for (transcript, expected, heading) in [
        (done(begun(&project).prompt(&command("fix", "T-481 login loops"))), "/fix T-481 login loops", "the first prompt"),
        (done(begun(&project).prompt(&command("review", ""))), "/review", "the first prompt"),
        (
            done(begun(&project).prompt(&command("review", "")).prompt("and now the tests")),
            "and now the tests",
            "the first prompt",
        ),
        (
            done(begun(&project)).raw(title("ai-title", "aiTitle", "Port the parser")).raw(title("custom-title", "customTitle", "Parser")),
            "Parser",
            "the session's title",
        ),
        (done(begun(&project)).raw(title("ai-title", "aiTitle", "Port the parser")), "Port the parser", "the session's title"),
        (done(begun(&project).compacts("port the parser")), "port the parser", "the client's summary"),
        (done(begun(&project)), "First the lexer.", "the agent's first words"),
        (begun(&project).runs("make", 0), "(no prompt)", "the first prompt"),
        (
            done(begun(&project).line(json!({"type": "user", "origin": {"kind": "scheduled"}, "message": {"content": "by a timer"}}))),
            "First the lexer.",
            "the agent's first words",
        ),
    ] {
        transcript.put(&project);
        assert_eq!(goal(&project).as_deref(), Some(expected));
        let heading = format!("## Goal ({heading})\n{expected}\n");
        let brief = brief(&project);
        assert!(brief.contains(&heading), "no {heading:?} in {brief}");
    }
}

#[test]
fn what_only_the_client_did_is_no_session() {
    let project = Project::repository();
    for (name, arguments) in [
        ("exit", ""),
        ("model", "opus"),
        ("rename", "Something"),
        ("clear", ""),
        ("compact", "keep X"),
    ] {
        begun(&project)
            .line(json!({"type": "system", "subtype": "local_command", "content": format!("<command-name>/{name}</command-name>")}))
            .prompt(&format!(
                "<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>\n            <command-args>{arguments}</command-args>"
            ))
            .prompt("<local-command-stdout>Done</local-command-stdout>")
            .raw(json!({"type": "custom-title", "customTitle": "t"}).to_string())
            .put(&project);
        assert_eq!(goal(&project), None, "/{name} {arguments}");
    }
}

#[test]
fn what_is_wrapped_around_a_prompt_is_none_of_it() {
    let project = Project::repository();
    let text = |text: &str| json!({"type": "text", "text": text});
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A".repeat(3 << 20)}});
    for content in [
        json!([
            text("<ide_opened_file>The user opened /x/notes.md.</ide_opened_file>"),
            text("Rewrite the docs")
        ]),
        json!("<ide_selection>Lines 3 to 9 of a.txt:\nfoo\n</ide_selection>\nRewrite the docs"),
        json!([
            text("Rewrite the docs"),
            text("<system-reminder>Mind the tests.</system-reminder>")
        ]),
        json!([text("[Image #1] Rewrite the docs"), image.clone()]),
        json!([image.clone(), text("Rewrite the docs")]),
        json!([
            image.clone(),
            image.clone(),
            image.clone(),
            text("Rewrite the docs")
        ]),
    ] {
        let human =
            json!({"origin": {"kind": "human"}, "promptSource": "typed", "entrypoint": "cli"});
        let mut line = user(content);
        line.as_object_mut()
            .unwrap()
            .extend(human.as_object().unwrap().clone());
        begun(&project).line(line).runs("make", 0).put(&project);
        assert_eq!(goal(&project).as_deref(), Some("Rewrite the docs"));
        assert!(brief(&project).contains("✓ `make`"));
    }
    begun(&project)
        .line(user(json!([image])))
        .runs("make", 0)
        .put(&project);
    assert_eq!(goal(&project).as_deref(), Some("(an image)"));
}

#[test]
fn an_image_in_the_middle_hides_nothing_before_it() {
    let project = Project::repository();
    let image = json!({"type": "image", "source": {"data": "A".repeat(5 << 20)}});
    begun(&project)
        .prompt("Build the page")
        .runs("npm run build", 0)
        .line(user(json!([{"type": "text", "text": "Like this"}, image])))
        .runs("npm test", 1)
        .put(&project);
    let brief = brief(&project);
    for fact in [
        "Build the page\n",
        "✓ `npm run build`",
        "- The user asked: Like this\n",
        "✗ exit 1 `npm test`",
    ] {
        assert!(brief.contains(fact), "no {fact:?} in {brief}");
    }
}

#[test]
fn what_was_typed_while_the_agent_worked_was_asked_once() {
    let project = Project::repository();
    let queued = |prompt: Value, mode: &str| json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": prompt, "commandMode": mode, "origin": {"kind": "human"}}});
    let operation = |operation: &str, content: &str| {
        json!({"type": "queue-operation", "operation": operation, "content": content, "sessionId": SESSION}).to_string()
    };
    let worked = || begun(&project).prompt("Build the exporter").runs("make", 0);
    for (transcript, expected) in [
        (
            worked()
                .raw(operation("enqueue", "use v2"))
                .raw(operation("remove", "use v2"))
                .line(queued(json!("use v2"), "prompt")),
            1,
        ),
        (
            worked().line(queued(
                json!([{"type": "text", "text": "use v2"}]),
                "prompt",
            )),
            1,
        ),
        // The client was killed before the agent was given it.
        (worked().raw(operation("enqueue", "use v2")), 1),
        (
            worked()
                .raw(operation("enqueue", "use v2"))
                .raw(operation("dequeue", ""))
                .prompt("use v2"),
            1,
        ),
        (
            worked()
                .raw(operation("enqueue", "use v2"))
                .raw(operation("remove", "use v2")),
            0,
        ),
        (
            worked()
                .raw(operation("enqueue", "use v2"))
                .raw(operation("popAll", "")),
            0,
        ),
        (
            worked().line(queued(json!("use v2"), "task-notification")),
            0,
        ),
        (
            worked().line(queued(
                json!("<task-notification>use v2</task-notification>"),
                "prompt",
            )),
            0,
        ),
    ] {
        transcript.words("Switching.").put(&project);
        let brief = brief(&project);
        assert_eq!(brief.matches("use v2").count(), expected, "{brief}");
        assert_eq!(
            brief.matches("- The user asked: use v2\n").count(),
            expected,
            "{brief}"
        );
    }
}

#[test]
fn what_a_person_called_the_session_is_told_and_without_secrets() {
    const SECRET: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let project = Project::repository();
    let titled = |text: &str| {
        json!({"type": "custom-title", "customTitle": text, "sessionId": SESSION}).to_string()
    };
    begun(&project)
        .prompt("fix the login")
        .raw(titled("Old name"))
        .runs("make", 0)
        .raw(titled(&format!("Login\n## loops {SECRET}")))
        .put(&project);
    let brief = brief(&project);
    assert!(
        brief.contains("- The user called the session: Login ## loops «redacted»\n"),
        "{brief}"
    );
    assert!(!brief.contains("Old name"), "{brief}");
    // Every other text that stands for a prompt is redacted, too.
    for line in [
        json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": SECRET}}),
        user(json!(format!(
            "<command-message>f</command-message><command-name>/f</command-name><command-args>{SECRET}</command-args>"
        ))),
        user(
            json!([{"type": "text", "text": format!("<ide_selection>x</ide_selection>{SECRET}")}]),
        ),
    ] {
        Transcript::new(&project, CLEAN, 0)
            .line(line)
            .runs("make", 0)
            .put(&project);
        let output = project.ckpt(["list", "--all", "--json"]).succeeds().stdout;
        assert!(
            !output.contains("ghp_") && output.contains("«redacted»"),
            "{output}"
        );
        let output = project.ckpt(["load", CLEAN]).succeeds().stdout;
        assert!(
            !output.contains("ghp_") && output.contains("«redacted»"),
            "{output}"
        );
    }
}

#[test]
fn what_cannot_be_read_hides_nothing_else() {
    let project = Project::repository();
    let lines = begun(&project)
        .prompt("Build the page")
        .runs("make", 0)
        .prompt("and test it");
    let path = lines.put(&project);
    let whole = std::fs::read(&path).unwrap();
    let with = |before: &[u8], after: &[u8]| [before, &whole, after].concat();
    let invalid = {
        let text = String::from_utf8(whole.clone()).unwrap();
        let (start, end) = text.split_once("and test it").unwrap();
        [start.as_bytes(), b"and \xff test it", end.as_bytes()].concat()
    };
    let unknown =
        b"{\"type\":\"never-seen\",\"uuid\":3,\"parentUuid\":[]}\n[1]\n{\"type\":\"user\"\n";
    let future = b"{\"type\":\"user\",\"timestamp\":\"2999-01-01T00:00:00.000Z\",\"message\":{\"content\":\"from then\"}}\n";
    for bytes in [
        with(b"\xef\xbb\xbf", b""),
        invalid,
        with(unknown, unknown),
        with(b"", future),
    ] {
        std::fs::write(&path, &bytes).unwrap();
        let brief = brief(&project);
        for fact in ["Build the page\n", "test it\n", "✓ `make`"] {
            assert!(brief.contains(fact), "no {fact:?} in {brief}");
        }
        assert!(!brief.contains("2999"), "{brief}");
        assert_eq!(goal(&project).as_deref(), Some("Build the page"));
    }
}

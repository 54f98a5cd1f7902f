//! The brief: what it says, how long it gets, and that no text in it can break its frame (docs/contract.md, section 10).

use serde_json::{Value, json};

use crate::harness::golden::assert_golden;
use crate::harness::{NOW, Output, Project};

const LATER: &str = "2026-10-08T02:26:00Z";

/// The project of the example: a branch, three changed files, tasks of every status, two commands.
fn example() -> Project {
    let project = Project::repository();
    for name in ["session", "github", "login"] {
        project.write(format!("src/auth/{name}.ts"), format!("// {name}\n"));
    }
    project.commit("second");
    project.git(["checkout", "-q", "-b", "feat/github-oauth"]);
    project.write("src/auth/session.ts", "// cookies\n");
    project.remove("src/auth/login.ts");
    project.write("src/auth/callback.ts", "// callback\n");
    project.save(
        "s1",
        json!({
            "goal": "Let people sign in with GitHub",
            "tasks": [
                {"description": "Register the OAuth app", "status": "done"},
                {"description": "Exchange the code in the callback", "status": "in_progress"},
                {"description": "Remove the password form", "status": "pending"},
                {"description": "Deploy to staging", "status": "blocked"},
            ],
            "summary": "The redirect works.\nThe callback gets its code but does not yet exchange it.",
            "nextSteps": ["Exchange the code", "Store the session"],
            "decisions": ["Cookies are SameSite=Lax: Strict loses them on the redirect"],
            "modifiedFiles": [{"path": "src/auth/session.ts", "note": "cookie options"}],
            "recentCommands": [
                {"command": "npm run build", "exitCode": 0},
                {"command": "npm test -- auth", "exitCode": 1, "note": "the callback test fails"},
            ],
        }),
    );
    project
}

fn brief(project: &Project) -> String {
    let mut command = project.command(["load", "--session", "s1"]);
    let output = Output::of(command.env("CKPT_NOW", LATER)).succeeds();
    assert_eq!(output.stderr, "");
    output.stdout
}

#[test]
fn where_nothing_changed_the_brief_can_be_trusted_as_it_is() {
    let brief = brief(&example());
    assert!((800..1_600).contains(&brief.len()), "{} bytes", brief.len());
    assert_golden("brief.md", &brief);
}

#[test]
fn what_changed_since_is_named() {
    let project = example();
    project.write("src/auth/session.ts", "// other cookies\n");
    project.write("src/auth/github.ts", "// other\n");
    project.git(["add", "src/auth/callback.ts"]);
    project.git(["commit", "-q", "-m", "callback"]);
    project.git(["checkout", "-q", "-b", "elsewhere"]);
    assert_golden("brief_changed.md", &brief(&project));
}

#[test]
fn the_json_of_a_load_is_the_tools_structured_content() {
    let project = example();
    project.write("src/auth/github.ts", "// other\n");
    let mut command = project.command(["load", "--session", "s1", "--json"]);
    let output = Output::of(command.env("CKPT_NOW", LATER)).succeeds();
    assert_golden("load.json", &project.normalized(&output.stdout));
}

#[test]
fn an_empty_section_is_left_out() {
    let project = Project::repository();
    project.save("s1", json!({"goal": "the goal"}));
    assert_golden("brief_least.md", &brief(&project));
}

#[test]
fn outside_a_repository_there_is_no_line_about_a_branch() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g", "modifiedFiles": [{"path": "a"}]}));
    assert_golden("brief_without_git.md", &brief(&project));
}

#[test]
fn a_command_is_shown_with_all_its_blanks() {
    let project = Project::bare_folder();
    let command = "printf 'a   b'";
    project.save(
        "s1",
        json!({"goal": "g", "recentCommands": [{"command": command, "exitCode": 0}]}),
    );
    let shown = format!("- ✓ `{command}`\n");
    project.ckpt(["load", "s1"]).succeeds().prints(&shown);
}

#[test]
fn a_command_shows_how_it_ended() {
    let project = Project::bare_folder();
    project.save(
        "s1",
        json!({"goal": "g", "recentCommands": [
            {"command": "fine", "exitCode": 0, "note": "n"},
            {"command": "killed", "exitCode": -9},
            {"command": "unknown"},
        ]}),
    );
    let brief = brief(&project);
    let at = brief.find("## Recent commands").unwrap();
    assert!(
        brief[at..].starts_with(
            "## Recent commands (last 3, oldest first)\n- ✓ `fine` — n\n- ✗ exit -9 `killed`\n- · `unknown`\n"
        ),
        "{brief}"
    );
}

#[test]
fn a_big_checkpoint_has_a_small_brief_that_counts_what_it_leaves_out() {
    let project = Project::repository();
    for number in 0..90 {
        project.write(format!("f{number:02}.txt"), "old");
    }
    let commands: Value = (0..50)
        .map(|n| json!({"command": format!("command {n:02}")}))
        .collect();
    let noted =
        json!([{"path": "f88.txt", "note": "it matters"}, {"path": "f89.txt", "note": "it too"}]);
    project.save(
        "s1",
        json!({"goal": "g", "recentCommands": commands, "modifiedFiles": noted}),
    );
    for number in 0..90 {
        project.write(format!("f{number:02}.txt"), "new");
    }
    let brief = brief(&project);
    let section = |title: &str| {
        let at = brief.find(&format!("## {title}")).unwrap();
        brief[at..].split("\n\n").next().unwrap()
    };
    let files = section("Files touched (90)");
    assert_eq!(files.matches(" (??)").count(), 40, "{files}");
    assert!(files.ends_with("- … and 50 more"), "{files}");
    assert!(
        files.contains("f88.txt (??) — it matters") && files.contains("f89.txt"),
        "{files}"
    );
    let commands = section("Recent commands (last 15 of 50, oldest first)");
    assert_eq!(commands.lines().count(), 16, "{commands}");
    assert!(
        commands.contains("command 35`\n") && commands.ends_with("command 49`"),
        "{commands}"
    );
    let since = section("Since this checkpoint");
    assert_eq!(since.matches("`f").count(), 40, "{since}");
    assert!(since.contains("… and 50 more"), "{since}");
    assert_eq!(project.changed_since("s1").len(), 90);
}

#[test]
fn at_the_caps_nothing_is_left_out() {
    let project = Project::repository();
    for number in 0..40 {
        project.write(format!("f{number:02}.txt"), "old");
    }
    let commands: Value = (0..15)
        .map(|n| json!({"command": format!("command {n:02}")}))
        .collect();
    project.save("s1", json!({"goal": "g", "recentCommands": commands}));
    for number in 0..40 {
        project.write(format!("f{number:02}.txt"), "new");
    }
    let brief = brief(&project);
    assert!(
        brief.contains("Recent commands (last 15, oldest first)") && !brief.contains('…'),
        "{brief}"
    );
}

#[test]
fn ages_are_counted_from_the_last_save() {
    let project = Project::bare_folder();
    project.save("s1", json!({"goal": "g"}));
    for (now, age) in [
        (NOW, "saved just now"),
        ("2026-10-08T02:25:55Z", "saved 2m ago"),
        ("2026-10-08T05:30:00Z", "saved 3h ago"),
        ("2026-10-11T02:23:55Z", "saved 3d ago"),
        ("2020-01-01T00:00:00Z", "dated in the future"),
    ] {
        project
            .ckpt_with(&[("CKPT_NOW", now)], ["load", "s1"])
            .prints(&format!("(checkpoint {age}, 2026-10-08 02:23:55 UTC)"));
    }
}

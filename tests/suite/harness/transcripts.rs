//! Transcripts as Claude Code 2.1.332 writes them, without the fields that nobody reads.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::Project;

/// [`super::NOW`] in seconds since 1970.
const SAVED: u64 = 1_791_426_235;
/// A time at which everything that tests make up has happened.
pub(crate) const LATER: &str = "2026-10-08T03:23:55Z";

/// What a command says as JSON, [`LATER`].
pub(crate) fn json_of(project: &Project, arguments: &[&str]) -> Value {
    let arguments = [arguments, &["--json"]].concat();
    project.ckpt_with(&[("CKPT_NOW", LATER)], arguments).json()
}

/// One session's lines; every line is a second later than the one before it.
pub(crate) struct Transcript {
    session: String,
    cwd: String,
    version: &'static str,
    at: u64,
    calls: usize,
    pub(crate) lines: Vec<String>,
}

impl Transcript {
    /// Begins so many seconds after [`SAVED`].
    pub(crate) fn new(project: &Project, session: &str, seconds: i64) -> Self {
        Self {
            session: session.to_owned(),
            cwd: project.root().display().to_string(),
            version: "2.1.332",
            at: SAVED.checked_add_signed(seconds).unwrap(),
            calls: 0,
            lines: Vec::new(),
        }
    }

    /// From here on in another working directory.
    pub(crate) fn at(mut self, cwd: impl Into<String>) -> Self {
        self.cwd = cwd.into();
        self
    }

    /// From here on by another version of the client.
    pub(crate) fn by(mut self, version: &'static str) -> Self {
        self.version = version;
        self
    }

    pub(crate) fn raw(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }

    /// A line of the conversation, with what all such lines have.
    pub(crate) fn line(mut self, fields: Value) -> Self {
        self.at += 1;
        let at = time_of(self.at);
        let mut line = json!({
            "parentUuid": null, "isSidechain": false, "timestamp": at, "cwd": self.cwd,
            "sessionId": self.session, "version": self.version, "gitBranch": "main",
        });
        let fields = fields.as_object().unwrap().clone();
        line.as_object_mut().unwrap().extend(fields);
        self.raw(line.to_string())
    }

    fn told(self, content: Value) -> Self {
        self.line(json!({"type": "user", "message": {"role": "user", "content": content}}))
    }

    fn did(self, content: Value, stop_reason: &str) -> Self {
        let message = json!({"role": "assistant", "content": content, "stop_reason": stop_reason});
        self.line(json!({"type": "assistant", "message": message}))
    }

    pub(crate) fn prompt(self, text: &str) -> Self {
        self.told(json!(text))
    }

    /// Words with which the agent goes on.
    pub(crate) fn words(self, text: &str) -> Self {
        self.did(json!([{"type": "text", "text": text}]), "tool_use")
    }

    /// Words with which the agent ends its turn.
    pub(crate) fn ends(self, text: &str) -> Self {
        self.did(json!([{"type": "text", "text": text}]), "end_turn")
    }

    /// A tool call without a result.
    pub(crate) fn calls(mut self, tool: &str, input: Value) -> Self {
        self.calls += 1;
        let id = format!("toolu_{}", self.calls);
        let call = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        self.did(call, "tool_use")
    }

    /// The result of the latest call.
    pub(crate) fn answers(self, content: Value, is_error: bool) -> Self {
        let id = format!("toolu_{}", self.calls);
        self.told(
            json!([{"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error}]),
        )
    }

    /// A command that ended with that status.
    pub(crate) fn runs(self, command: &str, code: i32) -> Self {
        let call = self.calls("Bash", json!({"command": command, "description": "d"}));
        match code {
            0 => call.answers(json!("out"), false),
            code => call.answers(json!(format!("Exit code {code}\nwrong")), true),
        }
    }

    /// A file that was written, by path from the root.
    pub(crate) fn writes(self, project: &Project, path: &str) -> Self {
        let input = json!({"file_path": project.path(path), "content": "c"});
        self.calls("Write", input)
            .answers(json!("File created successfully"), false)
    }

    /// A save whose checkpoint is that of `session`.
    pub(crate) fn saves(self, session: &str) -> Self {
        let result = json!({"text": "Saved", "session": session, "sessionSource": "env"});
        self.calls("mcp__ckpt__save_session_checkpoint", json!({"goal": "g"}))
            .answers(json!(result.to_string()), false)
    }

    /// Words after which the context holds so many tokens.
    pub(crate) fn holds(self, tokens: u64) -> Self {
        let usage = json!({
            "input_tokens": 1, "cache_creation_input_tokens": 2, "cache_read_input_tokens": tokens - 6,
            "output_tokens": 3, "service_tier": "standard",
        });
        let content = json!([{"type": "text", "text": "words"}]);
        let message = json!({"role": "assistant", "content": content, "usage": usage});
        self.line(json!({"type": "assistant", "message": message}))
    }

    /// What a hook said to the agent.
    pub(crate) fn hears(self, text: &str) -> Self {
        let attachment = json!({"type": "hook_additional_context", "content": [text]});
        self.line(json!({"type": "attachment", "attachment": attachment}))
    }

    /// The client's account of everything so far, in its wrapping.
    pub(crate) fn compacts(self, summary: &str) -> Self {
        let text = format!(
            "This session is being continued.\nSummary:\n{summary}\n\nIf you need specific details from before compaction (like code), read it."
        );
        self.line(json!({"type": "system", "subtype": "compact_boundary"}))
            .line(json!({
                "type": "user", "isCompactSummary": true, "message": {"role": "user", "content": text},
            }))
    }

    /// The client was ended in good order.
    pub(crate) fn exits(self) -> Self {
        let line = json!({"type": "cost-state", "sessionId": self.session, "totalCostUSD": 0.1});
        self.raw(line.to_string())
    }

    /// Writes it where the client would, in the home's configuration.
    pub(crate) fn put(&self, project: &Project) -> PathBuf {
        self.put_under(&project.home().join(".claude"), project)
    }

    /// Writes it under a configuration directory.
    pub(crate) fn put_under(&self, configuration: &Path, project: &Project) -> PathBuf {
        let folder = folder(configuration, project);
        self.put_as(&folder.join(format!("{}.jsonl", self.session)))
    }

    /// Writes it as that file, last written when its last line was.
    pub(crate) fn put_as(&self, path: &Path) -> PathBuf {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, self.lines.join("\n") + "\n").unwrap();
        let file = fs::File::options().append(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(self.at))
            .unwrap();
        path.to_owned()
    }
}

/// A session that worked and was killed in the middle of a command, begun so many seconds after [`SAVED`].
pub(crate) fn killed(project: &Project, session: &str, seconds: i64) -> Transcript {
    Transcript::new(project, session, seconds)
        .prompt("Let users sign in with GitHub")
        .words("First the route.")
        .writes(project, "src/auth/callback.ts")
        .writes(project, "README")
        .writes(project, "src/gone.ts")
        .runs("npm run build", 0)
        .prompt("now the cookie")
        .runs("npm test", 1)
        .words("One test is left.")
        .calls("Bash", json!({"command": "npm test -- session"}))
}

/// What a client writes down of the process in which a session runs.
#[cfg(target_os = "linux")]
pub(crate) fn process(project: &Project, session: &str, pid: u32, start: &str) {
    let folder = project.home().join(".claude/sessions");
    fs::create_dir_all(&folder).unwrap();
    let entry = json!({
        "pid": pid, "sessionId": session, "cwd": project.root(), "procStart": start, "kind": "interactive",
    });
    fs::write(folder.join(format!("{pid}.json")), entry.to_string()).unwrap();
}

/// When a process started, as its system counts.
#[cfg(target_os = "linux")]
pub(crate) fn start_of(pid: u32) -> String {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    fields.split_whitespace().nth(19).unwrap().to_owned()
}

/// So many seconds after [`SAVED`].
pub(crate) fn at(seconds: i64) -> SystemTime {
    let seconds = SAVED.checked_add_signed(seconds).unwrap();
    SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
}

/// The folder of a project's transcripts.
pub(crate) fn folder(configuration: &Path, project: &Project) -> PathBuf {
    let root = project.root().display().to_string();
    let name: String = root
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    configuration.join("projects").join(name)
}

/// RFC 3339 of a time on the day of [`SAVED`].
fn time_of(seconds: u64) -> String {
    let of_day = seconds % 86_400;
    let (hours, minutes, seconds) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("2026-10-08T{hours:02}:{minutes:02}:{seconds:02}.500Z")
}

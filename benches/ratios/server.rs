//! The MCP server against the least that rmcp makes one of.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use rmcp::{ServerHandler, ServiceExt as _};

use crate::measure::{Bench, command, median, milliseconds};
use crate::project::Project;

/// The argument by which this program serves instead of measuring.
pub(crate) const MINIMAL: &str = "--serve-minimal";
/// Calls after which memory is looked at.
const CALLS: usize = 1_000;

struct Minimal;

impl ServerHandler for Minimal {}

pub(crate) fn serve_minimal() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(async {
        let transport = (tokio::io::stdin(), tokio::io::stdout());
        Minimal
            .serve(transport)
            .await
            .unwrap()
            .waiting()
            .await
            .unwrap();
    });
}

struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Client {
    /// Starts a server and waits for its first answer.
    fn start(program: &Path, args: &[&str], folder: &Path) -> Self {
        Self::start_at(program, args, folder, &[])
    }

    /// The same with variables that hold paths.
    fn start_at(program: &Path, args: &[&str], folder: &Path, variables: &[(&str, &Path)]) -> Self {
        let mut child = Command::new(program)
            .args(args)
            .current_dir(folder)
            .env_remove("CLAUDE_CODE_SESSION_ID")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut client = Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        };
        client.ask(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#);
        client
    }

    /// Says that the client is ready for calls.
    fn ready(&mut self) {
        let message = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        writeln!(self.input, "{message}").unwrap();
    }

    fn ask(&mut self, message: &str) -> String {
        writeln!(self.input, "{message}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.contains("\"result\""), "{line}");
        line
    }

    /// Kibibytes that are resident.
    fn memory(&self) -> String {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.unwrap_or("unknown").trim().to_owned()
    }

    fn stop(mut self) {
        drop(self.input);
        self.child.wait().unwrap();
    }
}

pub(crate) fn measure(bench: &Bench) {
    if !bench.wants("serve") {
        return;
    }
    let project = Project::new(20);
    let root = &project.root;
    let own = bench.installed(&std::env::current_exe().unwrap());
    bench.row(
        "serve, start to first answer",
        "a minimal rmcp server",
        1.15,
        &mut || Client::start(&bench.ckpt, &["serve"], root).stop(),
        &mut || Client::start(&own, &[MINIMAL], root).stop(),
    );
    let mut client = Client::start(&bench.ckpt, &["serve"], root);
    client.ready();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_session_checkpoints","arguments":{}}}"#;
    client.ask(call);
    let before = client.memory();
    let times = (0..CALLS)
        .map(|_| milliseconds(&mut || drop(client.ask(call))))
        .collect();
    let mut list = command(&bench.ckpt, root, &["list"], None);
    let process = median((0..21).map(|_| milliseconds(&mut list)).collect());
    println!();
    println!(
        "A call of list_session_checkpoints: {:.3} ms (as a process: {process:.2} ms).",
        median(times)
    );
    println!(
        "Resident after one call: {before}; after {CALLS} more: {}.",
        client.memory()
    );
    client.stop();
    callers(bench, &project);
}

/// Saves by a server that learns of the session in one way or another.
fn callers(bench: &Bench, project: &Project) {
    const SESSION: &str = "7e1dcf04-52bf-425f-b989-7a8aeab984ff";
    /// After how long the client writes a call into its transcript (measured on Claude Code 2.1.332: 67 ms, the median).
    const WRITTEN_AFTER: Duration = Duration::from_millis(67);
    let root = &project.root;
    let save = |arguments: &str, meta: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"save_session_checkpoint","arguments":{{"goal":"g",{arguments}}},"_meta":{{{meta}}}}}}}"#
        )
    };
    let hooked = save(&format!(r#""hookSession":"{SESSION}""#), "");
    let named = save(&format!(r#""session":"{SESSION}""#), "");
    let [mut with, mut without] = [(); 2].map(|()| Client::start(&bench.ckpt, &["serve"], root));
    with.ready();
    without.ready();
    bench.row(
        "serve, a save with `hookSession`",
        "the same without",
        1.1,
        &mut || drop(with.ask(&hooked)),
        &mut || drop(without.ask(&named)),
    );
    with.stop();
    without.stop();

    let home = project.folder().join("home");
    let slug: String = root
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = home.join(".claude/projects").join(slug);
    fs::create_dir_all(&folder).unwrap();
    let line = "x".repeat(1_000) + "\n";
    for number in 0..20 {
        fs::write(
            folder.join(format!("2d1f7c04-52bf-425f-b989-{number:012}.jsonl")),
            line.repeat(1_000),
        )
        .unwrap();
    }
    let transcript = folder.join(format!("{SESSION}.jsonl"));
    let mut client = Client::start_at(&bench.ckpt, &["serve"], root, &[("HOME", &home)]);
    client.ready();
    let times = (0..21).map(|call| {
        let tool_use = format!("toolu_{call}");
        let written = format!(r#"{{"type":"assistant","cwd":{root:?},"sessionId":"{SESSION}","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"{tool_use}","name":"s","input":{{}}}}]}}}}"#);
        let path = transcript.clone();
        let writer = std::thread::spawn(move || {
            std::thread::sleep(WRITTEN_AFTER);
            let mut file = fs::File::options().create(true).append(true).open(path).unwrap();
            writeln!(file, "{written}").unwrap();
        });
        let meta = format!(r#""claudecode/toolUseId":"{tool_use}""#);
        let time = milliseconds(&mut || {
            let answer = client.ask(&save(r#""summary":"s""#, &meta));
            assert!(answer.contains(SESSION), "{answer}");
        });
        writer.join().unwrap();
        time
    });
    println!(
        "A save without a hook, whose call the client writes down after {} ms: {:.0} ms.",
        WRITTEN_AFTER.as_millis(),
        median(times.collect())
    );
    client.stop();
}

//! The MCP server against the least that rmcp makes one of.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

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
        let mut child = Command::new(program)
            .args(args)
            .current_dir(folder)
            .env_remove("CLAUDE_CODE_SESSION_ID")
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

    fn ask(&mut self, message: &str) {
        writeln!(self.input, "{message}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.contains("\"result\""), "{line}");
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
    writeln!(
        client.input,
        r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#
    )
    .unwrap();
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_session_checkpoints","arguments":{}}}"#;
    client.ask(call);
    let before = client.memory();
    let times = (0..CALLS)
        .map(|_| milliseconds(&mut || client.ask(call)))
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
}

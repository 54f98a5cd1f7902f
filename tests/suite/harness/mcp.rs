//! A client of `ckpt serve`: one line out, one line in.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use super::Project;

/// How long to wait for what never takes that long, before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    errors: Option<JoinHandle<String>>,
    /// Messages that came while another one was awaited.
    unread: VecDeque<Value>,
    last_id: u64,
}

/// How a server ended.
pub(crate) struct End {
    pub(crate) status: ExitStatus,
    /// What it wrote and nobody had read.
    pub(crate) unread: Vec<Value>,
}

impl Server {
    pub(crate) fn start(project: &Project) -> Self {
        Self::start_with(project, &[])
    }

    /// Starts a server that sees these variables beyond those that every command sees.
    pub(crate) fn start_with(project: &Project, variables: &[(&str, &str)]) -> Self {
        let mut command = project.command(["serve"]);
        command.envs(variables.iter().copied());
        Self::run(&mut command)
    }

    /// Starts a server by a command of one's own.
    pub(crate) fn run(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, output) = channel();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        std::thread::spawn(move || {
            for line in lines {
                let line = line.unwrap();
                let message = serde_json::from_str(&line)
                    .unwrap_or_else(|error| panic!("{error} in a line on stdout: {line}"));
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut errors = child.stderr.take().unwrap();
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            errors.read_to_string(&mut text).unwrap();
            text
        });
        Self {
            input: child.stdin.take(),
            child,
            output,
            errors: Some(errors),
            unread: VecDeque::new(),
            last_id: 0,
        }
    }

    /// A server whose session is open.
    pub(crate) fn open(project: &Project, capabilities: Value) -> Self {
        let mut server = Self::start(project);
        server.initialize("2025-11-25", capabilities);
        server
    }

    pub(crate) fn initialize(&mut self, version: &str, capabilities: Value) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let answer = self.request(
            "initialize",
            json!({"protocolVersion": version, "capabilities": capabilities, "clientInfo": client}),
        );
        self.notify("notifications/initialized");
        answer["result"].clone()
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes());
    }

    pub(crate) fn notify(&mut self, method: &str) {
        self.send(&json!({"jsonrpc": "2.0", "method": method}));
    }

    /// Sends a request and returns its id.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    pub(crate) fn ask_tool(&mut self, tool: &str, arguments: Value) -> u64 {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// The whole answer to a request, result or error.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// The result of a tool call, be it an error of the tool's own.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let id = self.ask_tool(tool, arguments);
        let answer = self.answer(id);
        assert!(answer.get("result").is_some(), "{answer}");
        answer["result"].clone()
    }

    pub(crate) fn answer(&mut self, id: u64) -> Value {
        self.await_message(|message| message.get("method").is_none() && message["id"] == id)
    }

    /// The next request that the server makes.
    pub(crate) fn asked(&mut self) -> Value {
        self.await_message(|message| message.get("method").is_some() && message.get("id").is_some())
    }

    /// The next message that `wanted` accepts; others wait for a later call.
    pub(crate) fn await_message(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.unread.iter().position(&wanted) {
            return self.unread.remove(index).unwrap();
        }
        loop {
            let message = self.output.recv_timeout(PATIENCE).unwrap();
            if wanted(&message) {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    /// Everything that came and was not awaited, by now.
    pub(crate) fn unread(&self) -> &VecDeque<Value> {
        &self.unread
    }

    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Sends a signal by its short name, such as `TERM`.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let kill = Command::new("kill")
            .arg(format!("-{name}"))
            .arg(self.child.id().to_string())
            .status()
            .unwrap();
        assert!(kill.success());
    }

    /// Kilobytes of memory, by their name in proc_pid_status(5).
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self, what: &str) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let line = status.lines().find(|line| line.starts_with(what)).unwrap();
        line.split_ascii_whitespace()
            .nth(1)
            .unwrap()
            .parse()
            .unwrap()
    }

    /// Waits for the server to end by itself.
    pub(crate) fn ended(mut self) -> End {
        let mut unread = Vec::from(std::mem::take(&mut self.unread));
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(message) => unread.push(message),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the server does not end"),
            }
        }
        let status = self.child.wait().unwrap();
        let errors = self.errors.take().unwrap().join().unwrap();
        assert_eq!(errors, "", "nothing goes wrong in these tests");
        End { status, unread }
    }

    /// Ends the input and expects a clean end.
    pub(crate) fn close(mut self) {
        self.close_input();
        let end = self.ended();
        assert!(end.status.success(), "{}", end.status);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test that failed leaves no server behind; one that ended well has none to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

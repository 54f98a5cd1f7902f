//! A command in a terminal of its own: keys for it, and what it leaves on the screen.

use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pty_process::Size;
use pty_process::blocking::{self, Pty};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, tcgetattr};

/// What has not been shown by then never will be; a test that hangs has failed.
const HANGING: Duration = Duration::from_secs(60);

pub(crate) struct Terminal {
    child: Child,
    pty: Arc<Pty>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Every byte that was written to the terminal.
    written: Vec<u8>,
}

/// What a terminal held when its command had ended.
pub(crate) struct Left {
    /// -1 where a signal ended it.
    pub(crate) status: i32,
    pub(crate) signal: Option<i32>,
    pub(crate) screen: String,
    pub(crate) written: String,
    /// Whether the cursor is to be seen.
    pub(crate) cursor: bool,
    /// Whether the terminal shows what is typed and hands it over line by line.
    pub(crate) echoes_lines: bool,
}

impl Terminal {
    /// Starts a command with all its streams in a terminal of that many columns and rows.
    pub(crate) fn open(command: &Command, columns: u16, rows: u16) -> Self {
        let (pty, pts) = blocking::open().unwrap();
        pty.resize(Size::new(rows, columns)).unwrap();
        let mut started = blocking::Command::new(command.get_program())
            .args(command.get_args())
            .env_clear();
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                started = started.env(name, value);
            }
        }
        if let Some(directory) = command.get_current_dir() {
            started = started.current_dir(directory);
        }
        let child = started.spawn(pts).unwrap();
        let pty = Arc::new(pty);
        let (sender, output) = mpsc::channel();
        let reader = Arc::clone(&pty);
        thread::spawn(move || {
            let mut buffer = [0; 4_096];
            // Reading fails once nobody has the other end open any more. Linux looks for input first and at the
            // other end second, so that last words that come in between are there only at the next try.
            let mut failures = 0;
            while failures < 2 {
                match (&*reader).read(&mut buffer) {
                    Ok(0) => break,
                    Ok(length) => {
                        if sender.send(buffer[..length].to_vec()).is_err() {
                            break;
                        }
                    }
                    Err(_) => failures += 1,
                }
            }
        });
        Self {
            child,
            pty,
            output,
            screen: vt100::Parser::new(size(rows), size(columns), 0),
            written: Vec::new(),
        }
    }

    /// Waits until the screen holds a text.
    #[track_caller]
    pub(crate) fn shows(&mut self, text: &str) -> &mut Self {
        self.until(&format!("{text:?}"), |screen| screen.contains(text))
    }

    /// Waits until the screen holds a text no longer.
    #[track_caller]
    pub(crate) fn hides(&mut self, text: &str) -> &mut Self {
        self.until(&format!("no {text:?}"), |screen| !screen.contains(text))
    }

    #[track_caller]
    fn until(&mut self, what: &str, holds: impl Fn(&str) -> bool) -> &mut Self {
        while !holds(&self.screen()) {
            match self.output.recv_timeout(HANGING) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("waits for {what}:\n{}", self.screen()),
                Err(RecvTimeoutError::Disconnected) => {
                    panic!("ended without {what}:\n{}", self.screen())
                }
            }
        }
        self
    }

    /// Types, once the command reads single keys.
    pub(crate) fn types(&mut self, keys: &str) -> &mut Self {
        while tcgetattr(&*self.pty)
            .unwrap()
            .local_modes
            .contains(LocalModes::ICANON)
        {
            if self.child.try_wait().unwrap().is_some() {
                panic!("ended before {keys:?} was typed:\n{}", self.screen());
            }
            thread::yield_now();
        }
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
        self
    }

    pub(crate) fn screen(&self) -> String {
        let (_, columns) = self.screen.screen().size();
        let rows = self.screen.screen().rows(0, columns.get());
        let rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
        rows.join("\n").trim_end().to_owned()
    }

    /// Waits for the command's end.
    pub(crate) fn ends(mut self) -> Left {
        loop {
            match self.output.recv_timeout(HANGING) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Timeout) => panic!("does not end:\n{}", self.screen()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = self.child.wait().unwrap();
        let modes = tcgetattr(&*self.pty).unwrap().local_modes;
        Left {
            status: status.code().unwrap_or(-1),
            signal: status.signal(),
            screen: self.screen(),
            written: String::from_utf8(std::mem::take(&mut self.written)).unwrap(),
            cursor: !self.screen.screen().hide_cursor(),
            echoes_lines: modes.contains(LocalModes::ICANON | LocalModes::ECHO),
        }
    }

    /// Sends the command a signal and waits for its end.
    pub(crate) fn ends_on_signal(self, signal: Signal) -> Left {
        let command = Pid::from_child(&self.child);
        kill_process(command, signal).unwrap();
        self.ends()
    }

    /// Types keys and waits for the command's end.
    pub(crate) fn ends_on(mut self, keys: &str) -> Left {
        self.types(keys);
        self.ends()
    }

    fn take(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.written.extend_from_slice(bytes);
    }
}

fn size(length: u16) -> NonZeroU16 {
    NonZeroU16::new(length).unwrap()
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has ended, or its test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

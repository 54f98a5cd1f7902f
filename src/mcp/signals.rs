//! SIGINT and SIGTERM as the end of input.

use std::io;

use anyhow::Context as _;

use super::connection::Connection;

/// Ends the connection at the first signal. Later ones are swallowed: clients send SIGTERM 0.1 s after SIGINT,
/// and the work in hand is to be finished all the same.
pub(super) fn watch(connection: Connection) -> anyhow::Result<()> {
    let mut signals = Signals::new().context("could not listen for signals")?;
    tokio::spawn(async move {
        loop {
            signals.next().await;
            connection.end();
        }
    });
    Ok(())
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn new() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) {
        self.0.recv().await;
    }
}

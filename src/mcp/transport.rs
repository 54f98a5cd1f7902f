//! The protocol on standard input and output: a line in, a line out.
//!
//! rmcp's own transport is not used, for what it does with odd input and at the end: it drops unparsable lines,
//! a last line without a newline and batches, takes an early notification for a fatal error, and gives the
//! calls in hand at most 5 s after the end of input and 2 s after a cancellation. Here the end of input is only
//! passed on once every request is answered.

use std::collections::VecDeque;
use std::future::{Future, ready};
use std::io;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta as _, JsonRpcMessage,
    ProtocolVersion, RequestId, ServerJsonRpcMessage, ServerResult,
};
use rmcp::transport::Transport;
use serde::Serialize;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::batch::{Batch, Batches, Due};
use super::connection::Connection;
use super::hangup;
use super::lines::{Line, Lines};
use super::message::{self, Incoming, Parsed};

pub(super) struct Stdio<R> {
    lines: Lines<R>,
    /// None once the transport is closed.
    output: Option<mpsc::UnboundedSender<Outgoing>>,
    writer: JoinHandle<()>,
    connection: Connection,
    /// Messages that were read together with the one that was passed on.
    waiting: VecDeque<ClientJsonRpcMessage>,
    batches: Batches,
    /// Whether the protocol version in force has batches.
    takes_batches: bool,
    /// Whether the session is open, by `initialize` or by a request that bears its version.
    is_open: bool,
}

/// A line to write, and the requests that it answers.
struct Outgoing {
    line: String,
    answered: Vec<RequestId>,
}

impl<R: AsyncRead + Send + Unpin> Stdio<R> {
    pub(super) fn new(
        input: R,
        output: impl AsyncWrite + Send + Unpin + 'static,
        connection: Connection,
    ) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        Self {
            lines: Lines::new(input),
            output: Some(sender),
            writer: tokio::spawn(write(output, receiver, connection.clone())),
            connection,
            waiting: VecDeque::new(),
            batches: Batches::default(),
            takes_batches: false,
            is_open: false,
        }
    }

    fn take(&mut self, line: Line) -> io::Result<()> {
        match line {
            Line::TooLong(head) => self.take_one(message::too_long(&head)),
            Line::Whole(line) => match message::parse(&line) {
                Parsed::Blank => Ok(()),
                Parsed::One(incoming) => self.take_one(incoming),
                Parsed::Many(_) if !self.takes_batches => self.take_one(message::no_batches()),
                Parsed::Many(items) => self.take_batch(items),
            },
        }
    }

    fn take_one(&mut self, incoming: Incoming) -> io::Result<()> {
        match incoming {
            Incoming::Refused(answer) => self.write(&answer),
            Incoming::Message(message) => self.accept(*message),
        }
    }

    fn take_batch(&mut self, items: Vec<Incoming>) -> io::Result<()> {
        let mut batch = Batch::default();
        let mut messages = Vec::new();
        for item in items {
            match item {
                Incoming::Refused(answer) => batch.add(*answer),
                Incoming::Message(message) => {
                    if let JsonRpcMessage::Request(request) = &*message {
                        batch.owe(request.id.clone());
                    }
                    messages.push(*message);
                }
            }
        }
        let due = self.batches.open(batch);
        self.write_due(due)?;
        messages
            .into_iter()
            .try_for_each(|message| self.accept(message))
    }

    /// Notes what a message means for the connection and passes it on.
    fn accept(&mut self, message: ClientJsonRpcMessage) -> io::Result<()> {
        match &message {
            JsonRpcMessage::Request(request) => {
                self.connection.owe(request.id.clone());
                self.is_open |= opens(&request.request);
            }
            // rmcp ends the server over anything but a request before the session is open.
            _ if !self.is_open => return Ok(()),
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    let due = self.batches.cancel(id);
                    self.connection.settle(id);
                    self.write_due(due)?;
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        self.waiting.push_back(message);
        Ok(())
    }

    fn write_due(&self, due: Due) -> io::Result<()> {
        match due {
            Due::Nothing => Ok(()),
            Due::One(message) => self.write(&message),
            Due::Many(messages) => self.write_line(&messages, answered(&messages)),
        }
    }

    fn write(&self, message: &ServerJsonRpcMessage) -> io::Result<()> {
        self.write_line(message, answered(std::slice::from_ref(message)))
    }

    fn write_line(&self, content: &impl Serialize, answered: Vec<RequestId>) -> io::Result<()> {
        let mut line = message::with_numbers(serde_json::to_string(content)?, &answered);
        line.push('\n');
        self.connection.queue();
        self.output
            .as_ref()
            .and_then(|output| output.send(Outgoing { line, answered }).ok())
            .ok_or_else(|| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for Stdio<R> {
    type Error = io::Error;

    /// Lines are written in the order of these calls, by a task of their own.
    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let JsonRpcMessage::Response(response) = &message
            && let ServerResult::InitializeResult(result) = &response.result
        {
            self.takes_batches = result.protocol_version == ProtocolVersion::V_2025_03_26;
        }
        let due = match answered(std::slice::from_ref(&message)).first() {
            Some(id) => self.batches.answer(id, message),
            None => Due::One(Box::new(message)),
        };
        ready(self.write_due(due))
    }

    /// Dropping the future loses nothing, as its one await that reads is [`Lines::next`].
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(message) = self.waiting.pop_front() {
                return Some(message);
            }
            let line = tokio::select! {
                biased;
                () = self.connection.ended() => break,
                () = self.connection.has_room() => tokio::select! {
                    biased;
                    () = self.connection.ended() => break,
                    line = self.lines.next() => line,
                },
                () = abandoned(&self.connection) => {
                    self.connection.break_off();
                    break;
                }
            };
            match line {
                Ok(Some(line)) => self.take(line).ok()?,
                Ok(None) | Err(_) => self.connection.end(),
            }
        }
        self.connection.settled().await;
        None
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output = None;
        tokio::select! {
            biased;
            // Its write may wait for a client that reads nothing more.
            () = self.connection.broken() => {
                self.writer.abort();
                Ok(())
            }
            written = &mut self.writer => written.map_err(io::Error::other),
        }
    }
}

/// Waits until the client has closed the input of a server that reads nothing more, and takes no answers either.
async fn abandoned(connection: &Connection) {
    hangup::input_closed().await;
    connection.stalled().await;
}

/// Whether rmcp takes a request for the opening of the session.
fn opens(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        request => request
            .get_meta()
            .missing_required_keys(&ProtocolVersion::V_2026_07_28)
            .is_empty(),
    }
}

/// The requests that messages answer.
fn answered(messages: &[ServerJsonRpcMessage]) -> Vec<RequestId> {
    messages
        .iter()
        .filter_map(|message| match message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
        })
        .collect()
}

async fn write(
    mut output: impl AsyncWrite + Unpin,
    mut lines: mpsc::UnboundedReceiver<Outgoing>,
    connection: Connection,
) {
    while let Some(Outgoing { line, answered }) = lines.recv().await {
        let written = async {
            output.write_all(line.as_bytes()).await?;
            output.flush().await
        };
        if written.await.is_err() {
            connection.break_off();
            return;
        }
        connection.written();
        for id in &answered {
            connection.settle(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_that_takes_no_answers_is_not_read_from_without_end() {
        const SENT: usize = 1_000;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let input = b"garbage\n".repeat(SENT);
            let (output, _unread) = tokio::io::duplex(1);
            let mut stdio = Stdio::new(&input[..], output, Connection::default());
            tokio::select! {
                biased;
                _ = stdio.receive() => panic!("it ended"),
                () = tokio::task::yield_now() => {}
            }
            let mut left = 0;
            while stdio.lines.next().await.unwrap().is_some() {
                left += 1;
            }
            assert_eq!(SENT - left, 64);
        });
    }
}

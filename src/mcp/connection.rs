//! What the parts of the server share about its connection: which answers are owed, and whether it is over.

use std::collections::HashSet;
use std::time::Duration;

use rmcp::model::RequestId;
use tokio::sync::watch;
use tokio::time::timeout;

/// How many answers may wait for a client that does not read them before nothing more is read from it.
const WAITING: usize = 64;
/// How long one answer may wait before the client counts as one that has stopped reading.
const STALL: Duration = Duration::from_millis(1_500);

#[derive(Debug, Default)]
struct State {
    /// Requests that were read and neither answered nor cancelled.
    owed: HashSet<RequestId>,
    /// Nothing more is read: end of input, or a signal.
    ended: bool,
    /// Nothing more can be written.
    broken: bool,
    /// Lines that wait to be written.
    waiting: usize,
    /// Lines that were.
    written: u64,
}

/// A handle on the connection's state; clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Connection(watch::Sender<State>);

impl Connection {
    pub(super) fn owe(&self, id: RequestId) {
        self.0.send_modify(|state| {
            state.owed.insert(id);
        });
    }

    pub(super) fn settle(&self, id: &RequestId) {
        self.0.send_modify(|state| {
            state.owed.remove(id);
        });
    }

    /// Notes that a line waits to be written.
    pub(super) fn queue(&self) {
        self.0.send_modify(|state| state.waiting += 1);
    }

    /// Notes that a line was written.
    pub(super) fn written(&self) {
        self.0.send_modify(|state| {
            state.waiting = state.waiting.saturating_sub(1);
            state.written += 1;
        });
    }

    pub(super) fn end(&self) {
        self.0.send_modify(|state| state.ended = true);
    }

    pub(super) fn break_off(&self) {
        self.0.send_modify(|state| state.broken = true);
    }

    /// Waits until nothing more is read.
    pub(super) async fn ended(&self) {
        self.until(|state| state.ended || state.broken).await;
    }

    /// Waits until every request is answered, or none can be any more.
    pub(super) async fn settled(&self) {
        self.until(|state| state.owed.is_empty() || state.broken)
            .await;
    }

    /// Waits until nothing more can be written.
    pub(super) async fn broken(&self) {
        self.until(|state| state.broken).await;
    }

    pub(super) fn is_broken(&self) -> bool {
        self.0.borrow().broken
    }

    /// Waits until few enough answers wait to be written.
    pub(super) async fn has_room(&self) {
        self.until(|state| state.waiting < WAITING).await;
    }

    /// Waits until an answer has waited for long.
    pub(super) async fn stalled(&self) {
        let mut states = self.0.subscribe();
        loop {
            let waiting = states.wait_for(|state| state.waiting > 0).await;
            // It fails only without a sender, and `self` is one.
            let Ok(written) = waiting.map(|state| state.written) else {
                return;
            };
            let next = states.wait_for(|state| state.written != written);
            if timeout(STALL, next).await.is_err() {
                return;
            }
        }
    }

    async fn until(&self, condition: impl FnMut(&State) -> bool) {
        // It fails only without a sender, and `self` is one.
        let _ = self.0.subscribe().wait_for(condition).await;
    }
}

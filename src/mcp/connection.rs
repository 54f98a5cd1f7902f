//! What the parts of the server share about its connection: which answers are owed, and whether it is over.

use std::collections::HashSet;

use rmcp::model::RequestId;
use tokio::sync::watch;

#[derive(Debug, Default)]
struct State {
    /// Requests that were read and neither answered nor cancelled.
    owed: HashSet<RequestId>,
    /// Nothing more is read: end of input, or a signal.
    ended: bool,
    /// Nothing more can be written.
    broken: bool,
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

    async fn until(&self, condition: impl FnMut(&State) -> bool) {
        // It fails only without a sender, and `self` is one.
        let _ = self.0.subscribe().wait_for(condition).await;
    }
}

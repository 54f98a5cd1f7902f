//! JSON-RPC batches, which protocol version 2025-03-26 has and no other: answered as one array.

use std::collections::HashSet;

use rmcp::model::{RequestId, ServerJsonRpcMessage};

/// The answers to one batch, held back until the last of them is there.
#[derive(Debug, Default)]
pub(super) struct Batch {
    owed: HashSet<RequestId>,
    answers: Vec<ServerJsonRpcMessage>,
}

impl Batch {
    pub(super) fn owe(&mut self, id: RequestId) {
        self.owed.insert(id);
    }

    /// Takes an answer that belongs to no request.
    pub(super) fn add(&mut self, answer: ServerJsonRpcMessage) {
        self.answers.push(answer);
    }

    fn is_complete(&self) -> bool {
        self.owed.is_empty()
    }
}

/// The batches whose answers are not complete.
#[derive(Debug, Default)]
pub(super) struct Batches(Vec<Batch>);

/// What is to be written next.
#[derive(Debug)]
pub(super) enum Due {
    Nothing,
    One(Box<ServerJsonRpcMessage>),
    Many(Vec<ServerJsonRpcMessage>),
}

impl Batches {
    pub(super) fn open(&mut self, batch: Batch) -> Due {
        self.0.push(batch);
        self.close_complete()
    }

    /// Takes an answer, to a batched request or not.
    pub(super) fn answer(&mut self, id: &RequestId, answer: ServerJsonRpcMessage) -> Due {
        for batch in &mut self.0 {
            if batch.owed.remove(id) {
                batch.answers.push(answer);
                return self.close_complete();
            }
        }
        Due::One(Box::new(answer))
    }

    /// Expects no answer to this request any more.
    pub(super) fn cancel(&mut self, id: &RequestId) -> Due {
        for batch in &mut self.0 {
            batch.owed.remove(id);
        }
        self.close_complete()
    }

    fn close_complete(&mut self) -> Due {
        match self.0.iter().position(Batch::is_complete) {
            Some(index) => match self.0.swap_remove(index).answers {
                answers if answers.is_empty() => Due::Nothing,
                answers => Due::Many(answers),
            },
            None => Due::Nothing,
        }
    }
}

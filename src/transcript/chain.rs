//! Follows the branch that a conversation ended in. A conversation is a tree: what was rewound stays in the file.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::ControlFlow;

use super::line::{Event, Line, Parent};

/// Follows a conversation from its last line to its first, from each line to the one that it answers.
///
/// Lines between two of the branch belong to another one. But where the line that should come next is missing, nothing
/// is known of branches, and all lines count.
#[derive(Debug, Default)]
pub(super) struct Chain {
    next: Next,
    /// The message before which everything counts again.
    rewound_to: Option<String>,
    /// The messages whose last form was taken already.
    records: HashSet<String>,
    /// The lines that count only if the next one of the branch is missing, the last first.
    waiting: Vec<Line<'static>>,
}

#[derive(Debug, Default, PartialEq)]
enum Next {
    /// The first that comes.
    #[default]
    Any,
    Line(String),
    /// The branch has begun.
    None,
}

impl Chain {
    /// Takes the next line towards the start and hands on what is known to count; breaks where `visit` does.
    pub(super) fn take(
        &mut self,
        line: Line<'_>,
        mut visit: impl FnMut(Line<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let (Next::Any, Some(leaf)) = (&self.next, &line.leaf) {
            self.next = Next::Line(leaf.clone().into_owned());
        }
        if self.is_taken_back(&line) {
            return ControlFlow::Continue(());
        }
        let Some(place) = &line.place else {
            return visit(line);
        };
        // Subagents have a tree of their own. Results stand beside the branch where calls ran beside each other.
        let is_result = |event: &Event| matches!(event, Event::Result { .. });
        let is_beside =
            line.is_subagents || !line.events.is_empty() && line.events.iter().all(is_result);
        let is_next = match &self.next {
            Next::Any => !line.is_subagents,
            Next::Line(next) => *next == place.id,
            Next::None => false,
        };
        if !is_next {
            if is_beside {
                return visit(line);
            }
            if !line.events.is_empty() && self.next != Next::None {
                self.waiting.push(line.into_owned());
            }
            return ControlFlow::Continue(());
        }
        self.next = match &place.parent {
            Parent::None => Next::None,
            Parent::Line(parent) => Next::Line(parent.clone().into_owned()),
            Parent::Before => Next::Any,
        };
        // A message's calls are a line each, of which one alone need be on the branch.
        let message = &place.message;
        for waiting in self.waiting.drain(..) {
            let is_of_message = |waiting: &Line<'_>| {
                let place = waiting.place.as_ref();
                !message.is_empty() && place.is_some_and(|place| place.message == *message)
            };
            if is_of_message(&waiting) {
                visit(waiting)?;
            }
        }
        visit(line)
    }

    /// Whether a line is an earlier form of a message, or of a message that a later line takes back.
    fn is_taken_back(&mut self, line: &Line<'_>) -> bool {
        if self.rewound_to.is_none() {
            self.rewound_to = line.rewound_to.clone().map(Cow::into_owned);
        }
        let Some(record) = &line.record else {
            return false;
        };
        let is_known = !self.records.insert(record.clone().into_owned());
        let is_rewound = self.rewound_to.is_some();
        if self.rewound_to.as_deref() == Some(record) {
            self.rewound_to = None;
        }
        is_known || is_rewound
    }

    /// Whether lines are held back until the next one of the branch is found.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Hands on what was held back, once there are no more lines.
    pub(super) fn finish(self, mut visit: impl FnMut(Line<'_>) -> ControlFlow<()>) {
        for line in self.waiting {
            if visit(line).is_break() {
                return;
            }
        }
    }
}

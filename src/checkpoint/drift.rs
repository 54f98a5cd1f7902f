//! What changed since a save: the recorded state against the state now.

use serde::Serialize;

/// SPEC section 8. A field that cannot be known is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Drift {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch_changed: Option<bool>,
    /// Left out when HEAD is detached, and outside a repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) current_branch: Option<String>,
    /// Commits reachable from HEAD and not from the saved HEAD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) commits_since: Option<u64>,
    pub(crate) changed_since: Vec<String>,
}

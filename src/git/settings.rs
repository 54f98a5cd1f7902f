//! What a scan has to know of a repository's configuration (git-config(1)), read once.

use std::path::PathBuf;

use git2::Repository;

/// As they were when the repository was opened: libgit2 looks for newer ones at each question.
#[derive(Debug)]
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "most of it is for the walk of our own")
)]
pub(super) struct Settings {
    /// `core.ignoreCase`
    pub(super) ignores_case: bool,
    /// `core.trustctime`
    pub(super) trusts_ctime: bool,
    /// `core.fileMode`
    pub(super) has_modes: bool,
    /// `core.checkStat` is `minimal`.
    pub(super) checks_little: bool,
    /// Whether git takes files that a sparse checkout leaves out for tracked ones once they are there
    /// (git-sparse-checkout(1), `sparse.expectFilesOutsideOfPatterns`).
    pub(super) expects_no_skipped: bool,
    /// `core.commitGraph`
    pub(super) uses_commit_graph: bool,
    /// `core.useReplaceRefs`
    pub(super) replaces_objects: bool,
    /// `status.showUntrackedFiles` is not `no`.
    pub(super) lists_untracked: bool,
    /// `core.autocrlf`
    pub(super) converts_line_ends: bool,
    /// `core.excludesFile`
    pub(super) excludes: Option<PathBuf>,
    /// `core.attributesFile`
    pub(super) attributes: Option<PathBuf>,
}

impl Settings {
    pub(super) fn read(repository: &Repository) -> Result<Self, git2::Error> {
        let config = repository.config()?.snapshot()?;
        let is = |name: &str, default: bool| config.get_bool(name).unwrap_or(default);
        let text = |name: &str| config.get_str(name).ok();
        let line_ends = text("core.autocrlf");
        Ok(Self {
            ignores_case: is("core.ignoreCase", false),
            trusts_ctime: is("core.trustctime", true),
            has_modes: is("core.fileMode", true),
            checks_little: text("core.checkStat")
                .is_some_and(|value| value.eq_ignore_ascii_case("minimal")),
            expects_no_skipped: is("core.sparseCheckout", false)
                && !is("sparse.expectFilesOutsideOfPatterns", false),
            uses_commit_graph: is("core.commitGraph", true),
            replaces_objects: is("core.useReplaceRefs", true),
            // Besides the truth values there are `normal` and `all`.
            lists_untracked: text("status.showUntrackedFiles") != Some("no")
                && is("status.showUntrackedFiles", true),
            // Besides the truth values there is `input`.
            converts_line_ends: line_ends.is_some() && is("core.autocrlf", true),
            excludes: config.get_path("core.excludesFile").ok(),
            attributes: config.get_path("core.attributesFile").ok(),
        })
    }
}

//! Repositories made with the git command, read by this module.

mod counts;
mod differential;
mod fixture;
mod formats;
mod history;
mod rules;
mod special;
mod submodules;
mod walk;
mod worktree;

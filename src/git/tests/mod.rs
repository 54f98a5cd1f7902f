//! Repositories made with the git command, read by this module.

mod counts;
mod differential;
mod fixture;
mod formats;
mod hashes;
#[cfg(unix)]
mod hidden;
mod history;
mod modules;
mod nested;
mod rules;
mod special;
mod submodules;
#[cfg(unix)]
mod unread;
mod walk;

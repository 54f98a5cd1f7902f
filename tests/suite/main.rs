//! Everything that a person or a client can see of `ckpt`, tested on the real binary.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod backup;
mod diff;
mod drift;
mod fit;
mod format;
mod harness;
mod imports;
mod lenient;
mod limits;
mod mcp;
mod merge;
mod parallel;
mod paths;
mod refused;
mod resumed_from;
mod root;
mod session;
mod store;

//! Everything that a person or a client can see of `ckpt`, tested on the real binary.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod diff;
mod drift;
mod harness;
mod imports;
mod mcp;

//! `ckpt`: session checkpoints for coding agents.

mod checkpoint;
mod env;
mod error;
#[allow(dead_code)]
mod git;

fn main() {}

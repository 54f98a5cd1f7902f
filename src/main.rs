//! `ckpt`: session checkpoints for coding agents.

mod checkpoint;
mod env;
mod error;

fn main() {}

//! `ckpt`: session checkpoints for coding agents.

mod checkpoint;
mod commands;
mod env;
mod error;

fn main() {}

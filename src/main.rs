//! `ckpt`: session checkpoints for coding agents.

mod checkpoint;
mod cli;
mod commands;
mod env;
mod error;
mod git;
mod mcp;
mod store;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}

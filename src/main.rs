//! `ckpt`: session checkpoints for coding agents.

mod checkpoint;
mod cli;
mod commands;
mod env;
mod error;
mod files;
mod generate;
mod git;
mod hooks;
mod mcp;
mod process;
mod redact;
mod store;
mod sync;
mod transcript;

use std::process::ExitCode;

use env::Env;
use hooks::Hook;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.peek().is_some_and(|name| name == git::SUBSTITUTE) {
        let folder = arguments.nth(1).unwrap_or_default();
        let questions: Vec<_> = arguments.collect();
        return git::answer_as_git(&questions, folder.as_ref(), &mut std::io::stdout().lock())
            .into();
    }
    // A hook must not reach clap, whose exit status 2 would block the client's tool call; with further
    // arguments, such as --help, it is a person who calls it.
    if let (Some(name), None) = (arguments.next(), arguments.next())
        && let Some(hook) = name.to_str().and_then(Hook::named)
    {
        hook.run(&Env::from_process());
        return ExitCode::SUCCESS;
    }
    cli::run(std::env::args_os())
}

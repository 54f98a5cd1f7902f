//! `ckpt serve`: the MCP server on standard input and output; the only user of tokio and rmcp.

mod batch;
mod call;
mod connection;
mod hangup;
mod instructions;
mod lines;
mod message;
mod prompts;
mod roots;
mod schemas;
mod server;
mod signals;
mod tools;
mod transport;

use std::time::Duration;

use anyhow::Context as _;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;

use crate::commands::{Context, Scope};
use crate::env::Env;
use connection::Connection;
use server::Server;
use transport::Stdio;

/// How long the work in hand may take once nothing more is read. A save gives up on its own after some 8 s
/// (git scan and lock), so this is only met when many calls are queued.
const GRACE: Duration = Duration::from_secs(30);

/// Serves until the end of input, SIGINT or SIGTERM, and answers what it has read by then. `scope` holds for the calls
/// that name no project root or session themselves; it fails where that is no valid one.
pub(crate) fn serve(scope: Scope) -> anyhow::Result<()> {
    if scope.project_root.is_some() || scope.session.is_some() {
        Context::new(Env::from_process(), scope.clone())?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("could not start the server")?;
    let served = runtime.block_on(run(scope));
    // A thread that waits for standard input cannot be interrupted, and waiting for it would hang after a signal.
    runtime.shutdown_background();
    served
}

/// Breaks the connection off where nothing more is read from it, and the client takes no answer either.
async fn give_up_on_a_deaf_client(connection: Connection) {
    connection.ended().await;
    connection.stalled().await;
    connection.break_off();
}

async fn run(scope: Scope) -> anyhow::Result<()> {
    let connection = Connection::default();
    signals::watch(connection.clone())?;
    tokio::spawn(give_up_on_a_deaf_client(connection.clone()));
    let server = Server::new(connection.clone(), scope);
    let calls = server.calls();
    let transport = Stdio::new(tokio::io::stdin(), tokio::io::stdout(), connection.clone());
    let session = async {
        match server.serve(transport).await {
            Ok(running) => {
                running.waiting().await.context("the server failed")?;
            }
            // The client left before it said anything of consequence, which is its right.
            Err(
                ServerInitializeError::ConnectionClosed(_)
                | ServerInitializeError::TransportError { .. },
            ) => {}
            Err(error) => return Err(error).context("could not open the session"),
        }
        // A call that the client cancelled is not waited for above, yet it may still be writing.
        let _last = calls.lock().await;
        Ok(())
    };
    let out_of_time = async {
        connection.ended().await;
        tokio::time::sleep(GRACE).await;
    };
    tokio::select! {
        result = session => result,
        () = out_of_time => anyhow::bail!("gave up on unfinished calls after {} s", GRACE.as_secs()),
    }
}

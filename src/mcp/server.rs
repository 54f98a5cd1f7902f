//! What the server answers to each request.

use std::path::PathBuf;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
    ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation,
    InputRequiredResult, InputResponses, ListPromptsResult, ListToolsResult, MetaObject,
    PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::Mutex;

use super::call;
use super::connection::Connection;
use super::instructions::INSTRUCTIONS;
use super::prompts::{self, Named};
use super::roots::{self, Roots};
use super::tools::{self, Tool};
use crate::commands::{Arguments, Scope};
use crate::env::{self, Env};
use crate::error::quoted;

/// The key under which a result of protocol version 2026-07-28 names the server.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// Requests that rmcp reports as unknown when only their parameters are malformed.
const KNOWN_METHODS: [&str; 6] = [
    "initialize",
    "prompts/get",
    "prompts/list",
    "server/discover",
    "tools/call",
    "tools/list",
];

pub(super) struct Server {
    connection: Connection,
    /// Held by the one call that runs; those that wait get it in the order in which they came.
    calls: Arc<Mutex<()>>,
    roots: Roots,
    /// The folder in which it was started; clients may delete it and make it anew while the server runs.
    started_in: Option<PathBuf>,
    /// The project and session that the server was started for.
    scope: Scope,
}

impl Server {
    pub(super) fn new(connection: Connection, scope: Scope) -> Self {
        Self {
            connection,
            calls: Arc::default(),
            roots: Roots::default(),
            started_in: Env::from_process().cwd,
            scope,
        }
    }

    /// Locked as long as a call runs.
    pub(super) fn calls(&self) -> Arc<Mutex<()>> {
        self.calls.clone()
    }

    /// Puts the client's root into the scope where that decides; returns the question that the client has to answer first,
    /// if there is one.
    async fn find_root(
        &self,
        scope: &mut Scope,
        answers: Option<&InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Option<InputRequiredResult> {
        let env = Env::from_process();
        if !scope.wants_client_root(&env) {
            return None;
        }
        if !is_stateless(context) {
            scope.client_root = self.roots.first(context, &self.connection).await;
        } else if let Some(answers) = answers {
            scope.client_root = roots::first_in(answers);
        } else if roots::announced(context) && env.os_var(env::SESSION_ID).is_none() {
            // Without a handshake the question costs every call a second round; and Claude Code, which
            // sets the variable, starts the server in the very folder that it would name.
            return Some(roots::question());
        }
        scope.is_guessed = scope.client_root.is_none() && roots::announced(context);
        None
    }

    async fn call(
        &self,
        tool: Tool,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> CallToolResponse {
        let mut arguments = Arguments::new(request.arguments.unwrap_or_default());
        let mut scope = match arguments.take_scope() {
            Ok(scope) => scope.or(&self.scope),
            Err(error) => return call::failed(&error).into(),
        };
        scope.started_in.clone_from(&self.started_in);
        scope.hint = call::caller_hint(&context.meta.0.0);
        scope.client = context.client_info().and_then(call::client);
        let answers = request.input_responses.as_ref();
        if let Some(question) = self.find_root(&mut scope, answers, context).await {
            return question.into();
        }
        let run = tokio::task::spawn_blocking(move || call::run(tool, scope, arguments));
        match run.await {
            Ok(result) => result,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => call::panicked(&*panic),
                Err(error) => call::failed(&error.into()),
            },
        }
        .into()
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts();
        ServerConfig::new(capabilities.build())
            .with_server_info(identity())
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        first_page(request)?;
        let mut result = ListToolsResult::with_all_items(tools::all());
        result.meta = signature(&context);
        Ok(result)
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        first_page(request)?;
        let mut result = ListPromptsResult::with_all_items(prompts::all());
        result.meta = signature(&context);
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let Some(prompt) = Named::of(&request.name) else {
            let error = format!("unknown prompt `{}`", quoted(&request.name));
            return Err(ErrorData::invalid_params(error, None));
        };
        let mut scope = Scope {
            started_in: self.started_in.clone(),
            hint: call::caller_hint(&context.meta.0.0),
            ..Scope::default()
        }
        .or(&self.scope);
        let answers = request.input_responses.as_ref();
        if let Some(question) = self.find_root(&mut scope, answers, &context).await {
            return Ok(question.into());
        }
        let arguments = request.arguments;
        let message = move || prompt.message(scope, arguments.as_ref());
        let mut result = tokio::task::spawn_blocking(message)
            .await
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))??;
        result.meta = signature(&context);
        Ok(result.into())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Tool::named(&request.name) else {
            let error = format!("unknown tool `{}`", quoted(&request.name));
            return Err(ErrorData::invalid_params(error, None));
        };
        let _turn = tokio::select! {
            biased;
            () = context.ct.cancelled() => {
                return Err(ErrorData::internal_error("cancelled before it began", None));
            }
            turn = self.calls.lock() => turn,
        };
        if self.connection.is_broken() {
            return Err(ErrorData::internal_error(
                "the client no longer reads answers",
                None,
            ));
        }
        let mut response = self.call(tool, request, &context).await;
        if let CallToolResponse::Complete(CallToolResult { meta, .. }) = &mut response {
            *meta = signature(&context);
        }
        Ok(response)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, .. } = request;
        Err(if KNOWN_METHODS.contains(&method.as_str()) {
            ErrorData::invalid_params(format!("malformed parameters of `{method}`"), None)
        } else {
            let error = format!("method `{}` not found", quoted(&method));
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, error, None)
        })
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.roots.changed();
    }
}

/// Every list of ours is a single page, so a cursor cannot come from us.
fn first_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|page| page.cursor) {
        Some(cursor) if !cursor.is_empty() => {
            Err(ErrorData::invalid_params("unknown cursor", None))
        }
        _ => Ok(()),
    }
}

fn identity() -> Implementation {
    Implementation::new("ckpt", env!("CARGO_PKG_VERSION")).with_title("Session checkpoints")
}

/// Whether a request carries its own protocol version, with no handshake before it.
fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= ProtocolVersion::NO_INITIALIZE.as_str())
}

/// The server's name for a result's metadata, where the protocol version asks for it.
fn signature(context: &RequestContext<RoleServer>) -> Option<MetaObject> {
    let info = is_stateless(context).then(|| serde_json::to_value(identity()).ok())??;
    let mut meta = MetaObject::new();
    meta.0.insert(SERVER_INFO.to_owned(), info);
    Some(meta)
}

//! The client's first root, the project root of servers that nothing else tells where they work.
#![expect(
    deprecated,
    reason = "roots are on their way out of the protocol, and clients still name the project with them"
)]

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use percent_encoding::percent_decode_str;
use rmcp::model::{
    ClientResult, InputRequest, InputRequests, InputRequiredResult, InputResponses,
    ListRootsRequest, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use rmcp::{RoleServer, ServiceError};
use serde_json::Value;

use super::connection::Connection;

/// How long a client has to answer.
const LIMIT: Duration = Duration::from_secs(2);
/// The name of our one question in an input-required result.
const QUESTION: &str = "roots";

/// The answer of a client with an `initialize` handshake, kept until it says that its roots changed.
#[derive(Debug, Default)]
pub(super) struct Roots(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// The inner None stands for a client that has no usable root.
    root: Option<Option<PathBuf>>,
    /// Counts the changes, so that an answer from before a change is not kept.
    changes: u64,
}

impl Roots {
    pub(super) fn changed(&self) {
        let mut kept = self.kept();
        kept.root = None;
        kept.changes += 1;
    }

    /// The client's first root, asked for once.
    pub(super) async fn first(
        &self,
        context: &RequestContext<RoleServer>,
        connection: &Connection,
    ) -> Option<PathBuf> {
        if !announced(context) {
            return None;
        }
        let changes = {
            let kept = self.kept();
            if let Some(root) = &kept.root {
                return root.clone();
            }
            kept.changes
        };
        let answer = tokio::select! {
            biased;
            // No answer can come any more.
            () = connection.ended() => None,
            answer = ask(context) => answer,
        };
        // A client that was too busy to answer in time is asked again at the next call.
        let root = answer?;
        let mut kept = self.kept();
        if kept.changes == changes {
            kept.root = Some(root.clone());
        }
        root
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the client says that it can be asked for roots.
pub(super) fn announced(context: &RequestContext<RoleServer>) -> bool {
    context
        .client_capabilities()
        .is_some_and(|capabilities| capabilities.roots.is_some())
}

/// The question as an answer, for protocol versions in which a server sends no requests.
pub(super) fn question() -> InputRequiredResult {
    let roots = InputRequest::ListRoots(ListRootsRequest::default());
    InputRequiredResult::from_input_requests(InputRequests::from([(QUESTION.to_owned(), roots)]))
}

/// The first root in what a client answered to [`question`]. Nothing is kept: these versions have no
/// notification that roots changed.
pub(super) fn first_in(responses: &InputResponses) -> Option<PathBuf> {
    let roots = responses.get(QUESTION)?.get("roots")?.as_array()?;
    first_path(
        roots
            .iter()
            .filter_map(|root| root.get("uri").and_then(Value::as_str)),
    )
}

/// The client's answer; None where none came in time.
async fn ask(context: &RequestContext<RoleServer>) -> Option<Option<PathBuf>> {
    let request = ServerRequest::ListRootsRequest(ListRootsRequest::default());
    let options = PeerRequestOptions::with_timeout(LIMIT);
    let asked = context
        .peer
        .send_request_with_option(request, options)
        .await;
    let answer = match asked {
        Ok(asked) => asked.await_response().await,
        Err(error) => Err(error),
    };
    match answer {
        Ok(ClientResult::ListRootsResult(result)) => {
            let uris = result.roots.iter().map(|root| root.uri.as_str());
            Some(first_path(uris))
        }
        Err(ServiceError::Timeout { .. }) => None,
        // It has said that it cannot tell.
        Ok(_) | Err(_) => Some(None),
    }
}

fn first_path<'a>(mut uris: impl Iterator<Item = &'a str>) -> Option<PathBuf> {
    uris.find_map(local_path)
}

/// The path of a `file` URI on this machine.
fn local_path(uri: &str) -> Option<PathBuf> {
    const SCHEME: &str = "file://";
    let scheme = uri.get(..SCHEME.len())?;
    if !scheme.eq_ignore_ascii_case(SCHEME) {
        return None;
    }
    let (host, path) = uri[SCHEME.len()..].split_at_checked(uri[SCHEME.len()..].find('/')?)?;
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return None;
    }
    decoded(path)
}

#[cfg(unix)]
fn decoded(path: &str) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let bytes: Vec<u8> = percent_decode_str(path).collect();
    Some(std::ffi::OsString::from_vec(bytes).into())
}

/// `/C:/x` is `C:/x` here, and editors write the colon as `%3A`.
#[cfg(windows)]
fn decoded(path: &str) -> Option<PathBuf> {
    let path = percent_decode_str(path).decode_utf8().ok()?;
    match path.as_bytes() {
        [b'/', drive, b':', ..] if drive.is_ascii_alphabetic() => Some(PathBuf::from(&path[1..])),
        _ => None,
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_first_local_file_root_counts() {
        let uris = [
            "http://x/",
            "file://host/share",
            "FILE://localhost/a%20b",
            "file:///c",
        ];
        assert_eq!(first_path(uris.into_iter()), Some(PathBuf::from("/a b")));
        assert_eq!(first_path(["file:", "", "file://", "é"].into_iter()), None);
    }

    #[test]
    fn escapes_are_decoded_and_stray_percent_signs_kept() {
        for (uri, path) in [
            ("file:///tmp/%C3%A9%23", "/tmp/é#"),
            ("file:///tmp/100%", "/tmp/100%"),
            ("file:///c%3A/x", "/c:/x"),
        ] {
            assert_eq!(local_path(uri), Some(PathBuf::from(path)), "{uri}");
        }
    }

    #[test]
    fn malformed_responses_are_no_root() {
        for response in [
            serde_json::json!({"roots": "junk"}),
            serde_json::json!([]),
            serde_json::json!({"roots": [1, {"uri": 2}]}),
        ] {
            let responses = InputResponses::from([(QUESTION.to_owned(), response)]);
            assert_eq!(first_in(&responses), None);
        }
    }
}

//! Whether the client has closed standard input, found out without reading it.

use std::future::pending;
use std::time::Duration;

/// How often that is looked for.
const PAUSE: Duration = Duration::from_millis(100);

/// Waits until whoever writes standard input has closed it; for ever where the system does not say.
pub(super) async fn input_closed() {
    loop {
        match is_closed() {
            Some(true) => return,
            Some(false) => tokio::time::sleep(PAUSE).await,
            None => pending().await,
        }
    }
}

#[cfg(unix)]
fn is_closed() -> Option<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    // A socket, which some clients use, can be closed for writing alone.
    #[cfg(target_os = "linux")]
    const CLOSED: PollFlags = PollFlags::HUP.union(PollFlags::ERR).union(PollFlags::RDHUP);
    #[cfg(not(target_os = "linux"))]
    const CLOSED: PollFlags = PollFlags::HUP.union(PollFlags::ERR);
    let input = rustix::stdio::stdin();
    let mut input = [PollFd::new(&input, CLOSED)];
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    poll(&mut input, Some(&at_once)).ok()?;
    Some(input[0].revents().intersects(CLOSED))
}

#[cfg(not(unix))]
fn is_closed() -> Option<bool> {
    None
}

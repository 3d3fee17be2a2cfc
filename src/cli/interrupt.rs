//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use super::Exit;

/// A flag that Ctrl-C sets, so that a run over `files` files ends between two of them. The second time it ends the process
/// at once, as it does the first time where there is no more than one: what is read may never end, and a file is old or
/// new whenever the process ends.
pub(super) fn watched(files: usize) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    if files < 2 {
        return flag;
    }
    let status = i32::from(Exit::Interrupted.code());
    // In this order: the first time, the flag is not set yet. Where no signal can be watched for, it ends the process,
    // which leaves every file old or new, too.
    let _ = flag::register_conditional_shutdown(SIGINT, status, Arc::clone(&flag))
        .and_then(|_| flag::register(SIGINT, Arc::clone(&flag)));
    flag
}

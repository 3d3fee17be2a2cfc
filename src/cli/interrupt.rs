//! Handling of Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use super::exit::Exit;

/// Returns a flag that Ctrl-C sets, so that a run over `files` files can end between two of them.
///
/// A second Ctrl-C ends the process at once. With fewer than two files, the flag is never set, and the first Ctrl-C
/// ends the process, because a single input may never end. Ending the process is safe, because files are replaced
/// atomically.
pub(super) fn watched(files: usize) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    if files < 2 {
        return flag;
    }
    let status = Exit::Interrupted as i32;
    // Registered in this order, the first signal finds the flag unset and does not shut down. If handlers cannot be
    // registered, Ctrl-C ends the process, which is safe too.
    let _ = flag::register_conditional_shutdown(SIGINT, status, Arc::clone(&flag))
        .and_then(|_| flag::register(SIGINT, Arc::clone(&flag)));
    flag
}

//! Signals that end a run: Ctrl-C, SIGTERM and SIGHUP.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, LazyLock};

use crate::exit::Exit;

/// Whether a signal was received. The process has one handler for each signal, so this is a static.
static IS_SET: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The number of the first signal.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Returns the flag that the first signal sets, so that the run can end between two files.
pub(crate) fn flag() -> &'static AtomicBool {
    &IS_SET
}

/// Returns whether the run has to end.
pub(crate) fn is_set() -> bool {
    IS_SET.load(Ordering::Relaxed)
}

/// Returns the exit status of a run that the first signal ended.
pub(crate) fn exit() -> Exit {
    Exit::of_signal(SIGNAL.load(Ordering::Relaxed))
}

/// Handles the signals during a run over `files` files.
///
/// The first signal sets the [`flag`], and a second one ends the process at once. With fewer than two files, the first
/// one does, because a single input may never end. Temporary files are removed in every case. If the handlers cannot be
/// registered, a signal ends the process, which is safe, because files are replaced atomically: the next run removes
/// the temporary files.
#[cfg(unix)]
pub(crate) fn watch(files: usize) {
    use std::thread;

    use absolve_site::files::remove_temp_files;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let mut signals = vec![SIGINT, SIGTERM];
    // The command `nohup` ignores it, and so must its children.
    if !is_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    let Ok(mut signals) = Signals::new(signals) else {
        return;
    };
    // Without the thread, the signals have no effect: the run goes on to its end.
    let _ = thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            if files > 1 && !is_set() {
                SIGNAL.store(signal, Ordering::Relaxed);
                IS_SET.store(true, Ordering::Relaxed);
                continue;
            }
            let _none = remove_temp_files();
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Handles Ctrl-C during a run over `files` files like the function for Unix, except that temporary files remain for
/// the next run.
#[cfg(not(unix))]
pub(crate) fn watch(files: usize) {
    use signal_hook::consts::SIGINT;
    use signal_hook::flag;

    SIGNAL.store(SIGINT, Ordering::Relaxed);
    if files > 1 {
        let status = Exit::Interrupted as i32;
        // Registered in this order, the first signal finds the flag unset and does not shut down.
        let _ = flag::register_conditional_shutdown(SIGINT, status, Arc::clone(&IS_SET))
            .and_then(|_| flag::register(SIGINT, Arc::clone(&IS_SET)));
    }
}

/// Returns whether the process was started with `signal` ignored. Known on Linux only.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

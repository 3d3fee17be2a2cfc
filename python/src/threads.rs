//! Work on several threads.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use pyo3::prelude::*;

/// Returns the number of threads for a `requested` one, which may be zero: one for each processor.
pub(crate) fn count(requested: usize) -> usize {
    match requested {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        _ => requested,
    }
}

/// Calls `work` with each of `jobs` on several threads, without the interpreter lock, and `deliver` with the results in
/// order, on this thread, with the lock. Results are delivered while other threads work. No thread outlives the call, so
/// nothing is left to be stopped if the caller stops early.
///
/// # Errors
/// Those of `deliver`.
pub(crate) fn process<J: Sync, T: Send>(
    py: Python<'_>,
    threads: usize,
    jobs: &[J],
    work: impl Fn(&J) -> T + Sync,
    mut deliver: impl FnMut(T) -> PyResult<()>,
) -> PyResult<()> {
    let results: Vec<Mutex<Option<T>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let take = |result: &Mutex<Option<T>>| {
        let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
        result.take()
    };
    let next = AtomicUsize::new(0);
    // Returns whether there was a job.
    let run = || {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(index) else {
            return false;
        };
        let result = work(job);
        *results[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(result);
        true
    };
    let mut undelivered = results.iter().peekable();
    let threads = threads.min(jobs.len());
    // Other threads of Python may keep the interpreter lock for a while. Alone, this thread asks for it once; otherwise,
    // its workers go on in the meantime.
    let interval = if threads == 1 { jobs.len() } else { 1 };
    thread::scope(|scope| {
        let workers: Vec<_> = (1..threads)
            .map(|_| scope.spawn(|| while run() {}))
            .collect();
        while py.detach(|| (0..interval).all(|_| run())) {
            while let Some(result) = undelivered.peek().copied().and_then(take) {
                undelivered.next();
                if let Err(error) = deliver(result) {
                    next.store(jobs.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        py.detach(|| {
            for worker in workers {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        });
        // Every index was taken by a thread, and all threads have ended.
        undelivered.filter_map(take).try_for_each(deliver)
    })
}

//! Runs jobs on all cores and delivers their results in the order of the jobs.
//!
//! # The problem
//!
//! Documents are independent of each other, so any thread may work on any of them. The output of a run must not depend
//! on that: results are printed or collected in the order of its inputs, and messages appear where a single thread
//! would print them. Documents also differ in size by orders of magnitude, so a slow one must neither stop the others
//! nor let their results pile up in memory.
//!
//! # The approach
//!
//! Worker threads take the next jobs from a shared iterator: one, or as many light ones as weigh `BATCH` bytes
//! together, because waking a thread that waits for the iterator takes as long as reading a document. Each batch has a
//! channel of its own for its results. While a worker still holds the lock of the iterator, it sends the receiver of
//! that channel (`StartedBatch`) to the calling thread, so the receivers arrive in the order of the jobs. The calling
//! thread empties one after the other.
//!
//! Two limits bound the memory: results may run ahead of the oldest outstanding batch by `AHEAD` batches for each
//! thread, the capacity of the channel of receivers, and the jobs that are started but not delivered may weigh `LOAD`
//! bytes. A worker that would exceed one of them waits until the oldest batch is delivered.
//!
//! A job whose result is too large to hold, such as a WARC archive of gigabytes, emits it in parts ([`EmitPart`]). Its
//! channel has room for one part; the next one waits until the job is the oldest outstanding one.
//!
//! # The end of a run
//!
//! If a result cannot be delivered, the calling thread drops all receivers. Every worker then fails to send, and ends.
//!
//! Rayon's parallel iterators deliver in no particular order or collect everything first, so this is written by hand.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Stack size of a worker, in bytes: that of a main thread on common systems, which deeply nested documents need.
const STACK: usize = 8 << 20;

/// Number of batches, for each thread, that may start before the oldest outstanding one is delivered.
const AHEAD: usize = 8;

/// Weight in bytes at which a batch has enough jobs. A job without weight is a batch.
const BATCH: usize = 256 << 10;

/// Weight in bytes of started, undelivered jobs at which no further job starts. The last one started may exceed it.
const LOAD: usize = 4 << 20;

/// Returns the number of threads of a run: the `requested` number, or one for each core.
#[must_use]
pub fn threads(requested: Option<usize>) -> usize {
    requested.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// Callback that delivers a part of a result before the job ends.
///
/// It may block until the results of all earlier jobs are delivered. It returns `false` if the run is over; the job
/// should then end without producing the rest.
pub type EmitPart<'h, A> = dyn FnMut(A) -> bool + Send + 'h;

/// Callback that takes the parts of results in order.
type Deliver<'d, A, E> = dyn FnMut(A, PartExtent) -> Result<(), E> + Send + 'd;

/// Position of a delivered part within the result of its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartExtent {
    /// More parts follow.
    Partial,
    /// The last part, or the whole result.
    Last,
}

/// Jobs that one worker does, and that are not delivered.
struct StartedBatch<'l, A> {
    jobs: usize,
    parts: Receiver<(A, PartExtent)>,
    share: LoadShare<'l>,
}

/// Total weight of the jobs that are started and not delivered, in bytes.
#[derive(Default)]
struct Load {
    bytes: Mutex<usize>,
    decreased: Condvar,
}

/// Weight of a batch in the load, which is subtracted on drop.
struct LoadShare<'l> {
    load: &'l Load,
    weight: usize,
}

impl Load {
    /// Waits until a further job may start.
    fn wait_for_room(&self) {
        let bytes = lock(&self.bytes);
        drop(self.decreased.wait_while(bytes, |bytes| *bytes >= LOAD));
    }

    /// Adds the weight of a batch.
    fn add(&self, weight: usize) -> LoadShare<'_> {
        *lock(&self.bytes) += weight;
        LoadShare { load: self, weight }
    }
}

impl Drop for LoadShare<'_> {
    fn drop(&mut self) {
        *lock(&self.load.bytes) -= self.weight;
        self.load.decreased.notify_all();
    }
}

/// Runs `work` for every job on `threads` threads and passes each result to `deliver` in the order of the jobs.
///
/// A job is taken from `jobs` when a thread is free. `weight` returns the memory that it occupies until its result is
/// delivered, in bytes; 4 MiB limit the sum. `work` may emit parts of a result that is too large to hold. `deliver` is
/// called on the calling thread. If the system has fewer threads, these do all the work.
///
/// After `is_interrupted` becomes true no job starts; running ones finish and are delivered.
///
/// # Errors
/// The error of `deliver`, which ends the run.
///
/// # Panics
/// `work` panicked.
pub fn for_each_ordered<J, A: Send, E: Send>(
    mut jobs: impl Iterator<Item = J> + Send,
    weight: impl Fn(&J) -> usize + Sync,
    threads: usize,
    is_interrupted: &AtomicBool,
    work: impl Fn(J, &mut EmitPart<'_, A>) -> A + Sync,
    mut deliver: impl FnMut(A, PartExtent) -> Result<(), E> + Send,
) -> Result<(), E> {
    let threads = threads.min(jobs.size_hint().1.unwrap_or(threads));
    // A single thread needs no channels, and delivers each result before it takes the next job.
    let run_alone = |jobs: &mut dyn Iterator<Item = J>, deliver: &mut Deliver<'_, A, E>| {
        while !is_interrupted.load(Ordering::Relaxed)
            && let Some(job) = jobs.next()
        {
            let mut delivered = Ok(());
            let last = work(job, &mut |part| {
                if delivered.is_ok() {
                    delivered = deliver(part, PartExtent::Partial);
                }
                delivered.is_ok()
            });
            delivered?;
            deliver(last, PartExtent::Last)?;
        }
        Ok(())
    };
    if threads <= 1 {
        return run_alone(&mut jobs, &mut deliver);
    }
    let jobs = Mutex::new(jobs);
    let load = Load::default();
    let worker = |start: SyncSender<_>| {
        while !is_interrupted.load(Ordering::Relaxed) {
            // Held until the receiver is sent, so that the receivers have the order of the jobs.
            let mut jobs = lock(&jobs);
            // The wait ends: all jobs that weigh are started, and the calling thread delivers the oldest one.
            load.wait_for_room();
            let (batch, weight) = next_batch(&mut *jobs, &weight);
            let (emit, parts) = mpsc::sync_channel(batch.len());
            let started = StartedBatch {
                jobs: batch.len(),
                parts,
                share: load.add(weight),
            };
            if batch.is_empty() || start.send(started).is_err() {
                break;
            }
            drop(jobs);
            for job in batch {
                let last = work(job, &mut |part| {
                    emit.send((part, PartExtent::Partial)).is_ok()
                });
                // An error means that the run is over. The next batch then fails to start.
                let _ = emit.send((last, PartExtent::Last));
            }
        }
    };
    thread::scope(|scope| {
        // Declared within the scope, so that they are dropped before it waits for the workers.
        let (start, started) = mpsc::sync_channel(AHEAD * threads);
        for number in 0..threads {
            let (worker, start) = (&worker, start.clone());
            let builder = thread::Builder::new().stack_size(STACK);
            let spawned = builder.spawn_scoped(scope, move || worker(start));
            match spawned {
                Err(_) if number == 0 => return run_alone(&mut *lock(&jobs), &mut deliver),
                Err(_) => break,
                Ok(_) => {}
            }
        }
        drop(start);
        for batch in started {
            let mut left = batch.jobs;
            for (part, extent) in batch.parts {
                deliver(part, extent)?;
                left -= usize::from(extent == PartExtent::Last);
            }
            drop(batch.share);
            // Its thread panicked; the scope propagates that.
            if left > 0 {
                break;
            }
        }
        Ok(())
    })
}

/// Returns the next jobs for one worker, and their weight.
fn next_batch<J>(
    jobs: &mut impl Iterator<Item = J>,
    weight: impl Fn(&J) -> usize,
) -> (Vec<J>, usize) {
    let (mut batch, mut total) = (Vec::new(), 0);
    while total < BATCH
        && let Some(job) = jobs.next()
    {
        let weight = weight(&job);
        batch.push(job);
        total += weight;
        if weight == 0 {
            break;
        }
    }
    (batch, total)
}

/// Locks `mutex`, also after another thread panicked: the panic is propagated when the scope of the threads ends.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    /// Runs jobs without weight whose results are delivered as a whole.
    fn for_each_whole<J, A, D>(
        jobs: &[J],
        threads: usize,
        is_interrupted: &AtomicBool,
        work: impl Fn(&J) -> A + Sync,
        mut deliver: D,
    ) -> Result<(), &'static str>
    where
        J: Sync,
        A: Send,
        D: FnMut(A) -> Result<(), &'static str> + Send,
    {
        let work = |job, _: &mut EmitPart<'_, A>| work(job);
        let deliver = |outcome, _| deliver(outcome);
        for_each_ordered(jobs.iter(), |_| 0, threads, is_interrupted, work, deliver)
    }

    #[test]
    fn for_each_ordered_delivers_in_order() {
        let jobs: Vec<u64> = (0..500).collect();
        for threads in [1, 2, 8] {
            let mut outcomes = Vec::new();
            let work = |&job: &u64| {
                // Some jobs take longer than the ones after them.
                thread::sleep(std::time::Duration::from_micros(job % 7 * 50));
                job
            };
            let deliver = |outcome| {
                outcomes.push(outcome);
                Ok(())
            };
            let done = for_each_whole(&jobs, threads, &AtomicBool::new(false), work, deliver);
            assert!(done.is_ok());
            assert_eq!(outcomes, jobs);
        }
    }

    #[test]
    fn for_each_ordered_bounds_how_far_jobs_run_ahead() {
        let jobs: Vec<usize> = (0..200).collect();
        let (delivered, furthest) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |&job: &usize| {
            if job == 0 {
                thread::sleep(std::time::Duration::from_millis(50));
            }
            furthest.fetch_max(
                job - delivered.load(Ordering::SeqCst).min(job),
                Ordering::SeqCst,
            );
        };
        let deliver = |()| {
            delivered.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        let done = for_each_whole(&jobs, 4, &AtomicBool::new(false), work, deliver);
        assert!(done.is_ok());
        assert_eq!(delivered.load(Ordering::SeqCst), 200);
        assert!(furthest.load(Ordering::SeqCst) <= 4 * AHEAD);
    }

    #[test]
    fn for_each_ordered_weighted_limits_the_load() {
        let (begun, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |job: usize, _: &mut EmitPart<'_, usize>| {
            most.fetch_max(begun.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(std::time::Duration::from_millis(1));
            begun.fetch_sub(1, Ordering::SeqCst);
            job
        };
        let mut outcomes = Vec::new();
        let deliver = |outcome, _| {
            outcomes.push(outcome);
            Ok::<_, ()>(())
        };
        let flag = AtomicBool::new(false);
        let done = for_each_ordered(0..40, |_| LOAD / 2 + 1, 8, &flag, work, deliver);
        assert!(done.is_ok());
        assert_eq!(outcomes, (0..40).collect::<Vec<_>>());
        // The weight of two jobs exceeds the limit.
        assert!(most.load(Ordering::SeqCst) <= 2, "{most:?}");
    }

    #[test]
    fn for_each_ordered_in_parts_delivers_in_order() {
        let jobs: Vec<usize> = (0..100).collect();
        for threads in [1, 2, 8] {
            let mut outcomes = Vec::new();
            let work = |&job: &usize, emit: &mut EmitPart<'_, [usize; 2]>| {
                thread::sleep(std::time::Duration::from_micros(job as u64 % 7 * 50));
                let is_wanted = (0..job % 4).all(|part| emit([job, part]));
                assert!(is_wanted, "{job}");
                [job, job % 4]
            };
            let deliver = |outcome, extent| {
                outcomes.push((outcome, extent));
                Ok::<_, ()>(())
            };
            let done = for_each_ordered(
                jobs.iter(),
                |_| 0,
                threads,
                &AtomicBool::new(false),
                work,
                deliver,
            );
            assert!(done.is_ok());
            let parts = |job: &usize| (0..=*job % 4).map(|part| [*job, part]).collect::<Vec<_>>();
            let expected: Vec<_> = jobs.iter().flat_map(parts).collect();
            let got: Vec<_> = outcomes.iter().map(|(outcome, _)| *outcome).collect();
            assert_eq!(got, expected);
            let is_rest = |(outcome, extent): &([usize; 2], PartExtent)| {
                (*extent == PartExtent::Last) == (outcome[1] == outcome[0] % 4)
            };
            assert!(outcomes.iter().all(is_rest));
        }
    }

    #[test]
    fn failed_delivery_of_a_part_ends_the_run() {
        for threads in [1, 4] {
            let work = |_: &usize, emit: &mut EmitPart<'_, ()>| while emit(()) {};
            let deliver = |(), _| Err("enough");
            let jobs = vec![0; 100];
            let never = AtomicBool::new(false);
            let result = for_each_ordered(jobs.iter(), |_| 0, threads, &never, work, deliver);
            assert_eq!(result, Err("enough"));
        }
    }

    #[test]
    fn failed_delivery_ends_the_run() {
        for threads in [1, 4] {
            let done = AtomicUsize::new(0);
            let work = |_: &usize| done.fetch_add(1, Ordering::SeqCst);
            let deliver = |_| Err("enough");
            let jobs = vec![0; 10_000];
            let result = for_each_whole(&jobs, threads, &AtomicBool::new(false), work, deliver);
            assert_eq!(result, Err("enough"));
            assert!(done.load(Ordering::SeqCst) < 10_000);
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn panic_in_a_job_ends_the_run() {
        let jobs: Vec<usize> = (0..1000).collect();
        let work = |&job: &usize| assert_ne!(job, 3);
        let _ = for_each_whole(&jobs, 4, &AtomicBool::new(false), work, |()| Ok(()));
    }
}

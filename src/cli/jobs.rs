//! Runs jobs on all cores and delivers their results in the order of the jobs.
//!
//! # The problem
//!
//! Documents are independent of each other, so any thread may work on any of them. The output of the command must not
//! depend on that: `links` prints documents in the order of its inputs, and messages appear where a single thread would
//! print them. Documents also differ in size by orders of magnitude, so a slow one must neither stop the others nor let
//! their results pile up in memory.
//!
//! # The approach
//!
//! Worker threads take the next job from a shared [`JobQueue`], work without holding a lock, and put the result into
//! a shared [`ReorderBuffer`]. The thread that completes the oldest outstanding job delivers its result, and the
//! results after it up to the next job that is still running. No thread is dedicated to delivery.
//!
//! Two limits bound the memory: results may run ahead of the oldest outstanding job by [`AHEAD`] jobs for each thread,
//! and the jobs that are started but not delivered may weigh [`LOAD`] bytes. A thread that would exceed one of them
//! waits until the buffer advances.
//!
//! A job whose result is too large to hold, such as a WARC archive of gigabytes, emits it in parts ([`EmitPart`]). A
//! part waits until its job is the oldest outstanding one, and is then delivered at once.
//!
//! # Invariants
//!
//! * Jobs are taken in order, so the oldest outstanding job is already running while a thread waits: the wait ends.
//! * [`ReorderBuffer::delivered`] is the index of the oldest outstanding job; `pending[0]` belongs to it.
//! * The locks are taken in the order queue, buffer.
//!
//! Rayon's parallel iterators deliver in no particular order or collect everything first, so this is written by hand.

use std::collections::VecDeque;
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::exit::Abort;

/// Stack size of a worker, in bytes: that of a main thread on common systems, which deeply nested documents need.
const STACK: usize = 8 << 20;

/// Number of jobs, for each thread, that may start before the oldest outstanding one is delivered.
const AHEAD: usize = 8;

/// Weight in bytes of started, undelivered jobs at which no further job starts. The last one started may exceed it.
const LOAD: usize = 4 << 20;

/// Returns the number of threads of a run: the `requested` number, or one for each core.
pub(super) fn threads(requested: Option<usize>) -> usize {
    requested.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// Results that cannot be delivered before those of earlier jobs, and the callback that delivers all results.
struct ReorderBuffer<A, D> {
    /// Number of results delivered, which is the index of the oldest outstanding job.
    delivered: usize,
    /// Results from the oldest outstanding job on; `None` for a job that is still running.
    pending: VecDeque<Option<Finished<A>>>,
    /// Total weight of the jobs that are started and not delivered, in bytes.
    load: usize,
    deliver: D,
    /// First reason to end the run early.
    abort: Option<Abort>,
    /// Whether the run ended early: no job starts any more, and nothing more is delivered.
    is_over: bool,
    /// Number of threads waiting on the condition variable. Without any, the system call of a notification is
    /// avoided.
    waiters: usize,
}

/// Result of a job, with the weight of that job.
struct Finished<A> {
    outcome: A,
    weight: usize,
}

/// Jobs that are not started yet.
struct JobQueue<I> {
    jobs: I,
    /// Number of jobs taken, which is the index of the next one.
    taken: usize,
}

/// Callback that delivers a part of a result before the job ends.
///
/// It blocks until the results of all earlier jobs are delivered. It returns `false` if the run is over; the job
/// should then end without producing the rest.
pub(super) type EmitPart<'h, A> = dyn FnMut(A) -> bool + Send + 'h;

/// Position of a delivered part within the result of its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartExtent {
    /// More parts follow.
    Partial,
    /// The last part, or the whole result.
    Last,
}

/// Runs `work` for every job on `threads` threads and passes each result to `deliver` in the order of the jobs.
///
/// A job is taken from `jobs` when a thread is free. `weight` returns the memory that it occupies until its result is
/// delivered, in bytes; [`LOAD`] limits the sum. `work` may emit parts of a result that is too large to hold.
///
/// Returns the number of results delivered. After `is_interrupted` becomes true no job starts; running ones finish and
/// are delivered.
///
/// # Errors
/// The error of `deliver`, which ends the run, or an error if no thread can be started.
pub(super) fn for_each_ordered<J, A, D>(
    mut jobs: impl Iterator<Item = J> + Send,
    weight: impl Fn(&J) -> usize + Sync,
    threads: usize,
    is_interrupted: &AtomicBool,
    work: impl Fn(J, &mut EmitPart<'_, A>) -> A + Sync,
    mut deliver: D,
) -> Result<usize, Abort>
where
    J: Send,
    A: Send,
    D: FnMut(A, PartExtent) -> Result<(), Abort> + Send,
{
    // A single thread needs no locks, and delivers each result before it takes the next job.
    if threads <= 1 {
        let mut done = 0;
        while !is_interrupted.load(Ordering::Relaxed)
            && let Some(job) = jobs.next()
        {
            let mut abort = None;
            let rest = work(job, &mut |part| {
                if abort.is_none() {
                    abort = deliver(part, PartExtent::Partial).err();
                }
                abort.is_none()
            });
            if let Some(abort) = abort {
                return Err(abort);
            }
            deliver(rest, PartExtent::Last)?;
            done += 1;
        }
        return Ok(done);
    }
    let queue = Mutex::new(JobQueue { jobs, taken: 0 });
    let buffer = Mutex::new(ReorderBuffer {
        delivered: 0,
        load: 0,
        pending: VecDeque::new(),
        deliver,
        abort: None,
        is_over: false,
        waiters: 0,
    });
    let advanced = Condvar::new();
    let worker = || {
        let _guard = EndRunOnPanic {
            buffer: &buffer,
            advanced: &advanced,
        };
        while !is_interrupted.load(Ordering::Relaxed) {
            // Held while waiting for room, so that the thread that waits for job `index` is also the one that takes it:
            // jobs are taken in order.
            let mut queue = lock(&queue);
            let index = queue.taken;
            let mut guard = lock(&buffer);
            while !guard.is_over && !guard.has_room(index, AHEAD * threads) {
                guard.waiters += 1;
                guard = advanced.wait(guard).unwrap_or_else(PoisonError::into_inner);
                guard.waiters -= 1;
            }
            if guard.is_over {
                break;
            }
            // Taking a job may read from a file: deliveries must not wait for that.
            drop(guard);
            let Some(job) = queue.jobs.next() else { break };
            queue.taken += 1;
            let weight = weight(&job);
            // Added before the queue is released, so that the next thread sees it in `has_room`.
            lock(&buffer).load += weight;
            drop(queue);
            let outcome = work(job, &mut |part| {
                let mut guard = lock(&buffer);
                // Never blocks for the oldest outstanding job, which is what the others wait for.
                while !guard.is_over && guard.delivered != index {
                    guard.waiters += 1;
                    guard = advanced.wait(guard).unwrap_or_else(PoisonError::into_inner);
                    guard.waiters -= 1;
                }
                guard.deliver(part, PartExtent::Partial);
                if guard.is_over {
                    advanced.notify_all();
                }
                !guard.is_over
            });
            let mut guard = lock(&buffer);
            guard.insert(index, Finished { outcome, weight });
            if guard.waiters > 0 {
                advanced.notify_all();
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            let started = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, worker);
            if let Err(error) = started {
                lock(&buffer).end(cannot_start_thread(&error));
                advanced.notify_all();
            }
        }
    });
    let buffer = buffer.into_inner().unwrap_or_else(PoisonError::into_inner);
    match buffer.abort {
        Some(abort) => Err(abort),
        None => Ok(buffer.delivered),
    }
}

fn cannot_start_thread(error: &io::Error) -> Abort {
    Abort::Usage(format!(
        "cannot start a thread: {error}\n  hint: use a smaller number of --threads"
    ))
}

/// Locks `mutex`, also after another thread panicked: the panic is propagated when the scope of the threads ends.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<A, D: FnMut(A, PartExtent) -> Result<(), Abort>> ReorderBuffer<A, D> {
    /// Delivers the next part unless the run is over; an error ends the run.
    fn deliver(&mut self, outcome: A, extent: PartExtent) {
        if !self.is_over
            && let Err(abort) = (self.deliver)(outcome, extent)
        {
            self.end(abort);
        }
    }

    /// Stores the result of job `index`, then delivers each result whose predecessors are all delivered.
    fn insert(&mut self, index: usize, outcome: Finished<A>) {
        let slot = index - self.delivered;
        if self.pending.len() <= slot {
            self.pending.resize_with(slot + 1, || None);
        }
        self.pending[slot] = Some(outcome);
        while !self.is_over
            && let Some(Some(_)) = self.pending.front()
            && let Some(Some(Finished { outcome, weight })) = self.pending.pop_front()
        {
            self.delivered += 1;
            self.load -= weight;
            self.deliver(outcome, PartExtent::Last);
        }
    }
}

impl<A, D> ReorderBuffer<A, D> {
    /// Returns whether job `index` may start. All jobs before it have started, so room becomes available eventually.
    fn has_room(&self, index: usize, ahead: usize) -> bool {
        index < self.delivered + ahead && self.load < LOAD
    }

    /// Ends the run. Of several reasons, the first is kept.
    fn end(&mut self, abort: Abort) {
        self.is_over = true;
        self.abort.get_or_insert(abort);
    }
}

/// Guard that ends the run if its thread panics: the result that the other threads wait for will never come.
struct EndRunOnPanic<'l, A, D> {
    buffer: &'l Mutex<ReorderBuffer<A, D>>,
    advanced: &'l Condvar,
}

impl<A, D> Drop for EndRunOnPanic<'_, A, D> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(self.buffer).is_over = true;
            self.advanced.notify_all();
        }
    }
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
    ) -> Result<usize, Abort>
    where
        J: Sync,
        A: Send,
        D: FnMut(A) -> Result<(), Abort> + Send,
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
            assert_eq!(done.ok(), Some(500));
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
        assert_eq!(done.ok(), Some(200));
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
            Ok(())
        };
        let flag = AtomicBool::new(false);
        let done = for_each_ordered(0..40, |_| LOAD / 2 + 1, 8, &flag, work, deliver);
        assert_eq!(done.ok(), Some(40));
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
                Ok(())
            };
            let done = for_each_ordered(
                jobs.iter(),
                |_| 0,
                threads,
                &AtomicBool::new(false),
                work,
                deliver,
            );
            assert_eq!(done.ok(), Some(100));
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
            let deliver = |(), _| Err(Abort::Usage("enough".to_owned()));
            let jobs = vec![0; 100];
            let never = AtomicBool::new(false);
            let result = for_each_ordered(jobs.iter(), |_| 0, threads, &never, work, deliver);
            assert!(matches!(result, Err(Abort::Usage(_))));
        }
    }

    #[test]
    fn failed_delivery_ends_the_run() {
        for threads in [1, 4] {
            let done = AtomicUsize::new(0);
            let work = |_: &usize| done.fetch_add(1, Ordering::SeqCst);
            let deliver = |_| Err(Abort::Usage("enough".to_owned()));
            let jobs = vec![0; 10_000];
            let result = for_each_whole(&jobs, threads, &AtomicBool::new(false), work, deliver);
            assert!(matches!(result, Err(Abort::Usage(_))));
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

//! All cores, and answers in the order of the jobs.

use std::collections::VecDeque;
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::Abort;

/// Of a thread: deep documents want as much as the main thread of a process has.
const STACK: usize = 8 << 20;

/// How many answers may wait for an earlier one, for each thread: this bounds what is held in memory.
const AHEAD: usize = 8;

/// How much the jobs weigh together that were begun and whose answers were not delivered, the last one aside.
const LOAD: usize = 4 << 20;

/// How many threads a run has.
pub(super) fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get))
}

/// Answers that wait for their turn.
struct ReorderBuffer<A, D> {
    /// How many were delivered.
    delivered: usize,
    /// The next ones, from the first that was not delivered; some are not there yet.
    waiting: VecDeque<Option<Finished<A>>>,
    /// What the jobs weigh that were begun and whose answers are not delivered.
    load: usize,
    deliver: D,
    /// What stopped the run before its end.
    stop: Option<Abort>,
    is_over: bool,
    /// How many threads wait for the line to move: to wake nobody costs a system call, too.
    waiters: usize,
}

/// An answer, and what its job weighs.
struct Finished<A> {
    outcome: A,
    weight: usize,
}

/// Jobs that are yet to be begun.
struct JobQueue<I> {
    jobs: I,
    /// How many were taken.
    taken: usize,
}

/// Does `work` for every job, on `threads` threads, and hands each answer to `deliver` in the order of the jobs; how many
/// were done. Jobs are not begun anymore once `is_interrupted`; those begun are brought to their end.
///
/// # Errors
/// What `deliver` returns ends the run; that no thread can be started.
pub(super) fn in_order<J, A, D>(
    jobs: &[J],
    threads: usize,
    is_interrupted: &AtomicBool,
    work: impl Fn(&J) -> A + Sync,
    deliver: D,
) -> Result<usize, Abort>
where
    J: Sync,
    A: Send,
    D: FnMut(A) -> Result<(), Abort> + Send,
{
    let threads = threads.min(jobs.len());
    in_order_of(jobs.iter(), |_| 0, threads, is_interrupted, work, deliver)
}

/// Hands over a part of an answer before all of it is there, once the answers of all jobs before are delivered; `false` if
/// the run is over and nobody wants the rest.
pub(super) type EmitPart<'h, A> = dyn FnMut(A) -> bool + 'h;

/// What is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartExtent {
    /// The beginning or the middle of an answer.
    Partial,
    /// All that is left of it.
    Last,
}

/// The same for jobs whose answers may be too much to be held: `work` hands over parts of them.
pub(super) fn in_order_by_parts<J, A, D>(
    jobs: &[J],
    threads: usize,
    is_interrupted: &AtomicBool,
    work: impl Fn(&J, &mut EmitPart<'_, A>) -> A + Sync,
    deliver: D,
) -> Result<usize, Abort>
where
    J: Sync,
    A: Send,
    D: FnMut(A, PartExtent) -> Result<(), Abort> + Send,
{
    let threads = threads.min(jobs.len());
    run(jobs.iter(), |_| 0, threads, is_interrupted, work, deliver)
}

/// The same for jobs that come one after another, each taken when there is a thread for it. `weight` is how much memory a
/// job takes until its answer is delivered, in bytes: [`LOAD`] says how many are begun.
pub(super) fn in_order_of<J, A, D>(
    jobs: impl Iterator<Item = J> + Send,
    weight: impl Fn(&J) -> usize + Sync,
    threads: usize,
    is_interrupted: &AtomicBool,
    work: impl Fn(J) -> A + Sync,
    mut deliver: D,
) -> Result<usize, Abort>
where
    J: Send,
    A: Send,
    D: FnMut(A) -> Result<(), Abort> + Send,
{
    let work = |job, _: &mut EmitPart<'_, A>| work(job);
    let deliver = |outcome, _| deliver(outcome);
    run(jobs, weight, threads, is_interrupted, work, deliver)
}

fn run<J, A, D>(
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
    if threads <= 1 {
        let mut done = 0;
        while !is_interrupted.load(Ordering::Relaxed)
            && let Some(job) = jobs.next()
        {
            let mut stop = None;
            let rest = work(job, &mut |part| {
                if stop.is_none() {
                    stop = deliver(part, PartExtent::Partial).err();
                }
                stop.is_none()
            });
            if let Some(stop) = stop {
                return Err(stop);
            }
            deliver(rest, PartExtent::Last)?;
            done += 1;
        }
        return Ok(done);
    }
    let source = Mutex::new(JobQueue { jobs, taken: 0 });
    let line = Mutex::new(ReorderBuffer {
        delivered: 0,
        load: 0,
        waiting: VecDeque::new(),
        deliver,
        stop: None,
        is_over: false,
        waiters: 0,
    });
    let moved = Condvar::new();
    let worker = || {
        let _guard = EndWhenPanicking {
            line: &line,
            moved: &moved,
        };
        while !is_interrupted.load(Ordering::Relaxed) {
            let mut source = lock(&source);
            let index = source.taken;
            let mut waiting = lock(&line);
            while !waiting.is_over && !waiting.has_room(index, AHEAD * threads) {
                waiting.waiters += 1;
                waiting = moved.wait(waiting).unwrap_or_else(PoisonError::into_inner);
                waiting.waiters -= 1;
            }
            if waiting.is_over {
                break;
            }
            drop(waiting);
            let Some(job) = source.jobs.next() else { break };
            source.taken += 1;
            let weight = weight(&job);
            lock(&line).load += weight;
            drop(source);
            let outcome = work(job, &mut |part| {
                let mut waiting = lock(&line);
                // The job whose turn it is never waits.
                while !waiting.is_over && waiting.delivered != index {
                    waiting.waiters += 1;
                    waiting = moved.wait(waiting).unwrap_or_else(PoisonError::into_inner);
                    waiting.waiters -= 1;
                }
                waiting.deliver(part, PartExtent::Partial);
                if waiting.is_over {
                    moved.notify_all();
                }
                !waiting.is_over
            });
            let mut waiting = lock(&line);
            waiting.take(index, Finished { outcome, weight });
            if waiting.waiters > 0 {
                moved.notify_all();
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            let started = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, worker);
            if let Err(error) = started {
                lock(&line).end(no_thread(&error));
                moved.notify_all();
            }
        }
    });
    let line = line.into_inner().unwrap_or_else(PoisonError::into_inner);
    match line.stop {
        Some(stop) => Err(stop),
        None => Ok(line.delivered),
    }
}

fn no_thread(error: &io::Error) -> Abort {
    Abort::Usage(format!(
        "no thread can be started: {error}; give a smaller number with --threads"
    ))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<A, D: FnMut(A, PartExtent) -> Result<(), Abort>> ReorderBuffer<A, D> {
    /// Delivers what is next, unless the run is over.
    fn deliver(&mut self, outcome: A, extent: PartExtent) {
        if !self.is_over
            && let Err(stop) = (self.deliver)(outcome, extent)
        {
            self.end(stop);
        }
    }

    /// Takes the answer to the job `index`, and delivers all whose turn it is.
    fn take(&mut self, index: usize, outcome: Finished<A>) {
        let place = index - self.delivered;
        if self.waiting.len() <= place {
            self.waiting.resize_with(place + 1, || None);
        }
        self.waiting[place] = Some(outcome);
        while !self.is_over
            && let Some(Some(_)) = self.waiting.front()
            && let Some(Some(Finished { outcome, weight })) = self.waiting.pop_front()
        {
            self.delivered += 1;
            self.load -= weight;
            self.deliver(outcome, PartExtent::Last);
        }
    }
}

impl<A, D> ReorderBuffer<A, D> {
    /// Whether the job `index` may be taken. All before it were, so that there is room again once they are delivered.
    fn has_room(&self, index: usize, ahead: usize) -> bool {
        index < self.delivered + ahead && self.load < LOAD
    }

    fn end(&mut self, stop: Abort) {
        self.is_over = true;
        self.stop.get_or_insert(stop);
    }
}

/// A thread that panics never hands in its answer: the others must not wait for it.
struct EndWhenPanicking<'l, A, D> {
    line: &'l Mutex<ReorderBuffer<A, D>>,
    moved: &'l Condvar,
}

impl<A, D> Drop for EndWhenPanicking<'_, A, D> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(self.line).is_over = true;
            self.moved.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn answers_come_in_the_order_of_the_jobs() {
        let jobs: Vec<u64> = (0..500).collect();
        for threads in [1, 2, 8] {
            let mut outcomes = Vec::new();
            let work = |&job: &u64| {
                // Some take longer than those after them.
                thread::sleep(std::time::Duration::from_micros(job % 7 * 50));
                job
            };
            let deliver = |outcome| {
                outcomes.push(outcome);
                Ok(())
            };
            let done = in_order(&jobs, threads, &AtomicBool::new(false), work, deliver);
            assert_eq!(done.ok(), Some(500));
            assert_eq!(outcomes, jobs);
        }
    }

    #[test]
    fn nobody_runs_ahead_of_a_slow_job() {
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
        let done = in_order(&jobs, 4, &AtomicBool::new(false), work, deliver);
        assert_eq!(done.ok(), Some(200));
        assert!(furthest.load(Ordering::SeqCst) <= 4 * AHEAD);
    }

    #[test]
    fn heavy_jobs_are_not_begun_together() {
        let (begun, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |job: usize| {
            most.fetch_max(begun.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(std::time::Duration::from_millis(1));
            begun.fetch_sub(1, Ordering::SeqCst);
            job
        };
        let mut outcomes = Vec::new();
        let deliver = |outcome| {
            outcomes.push(outcome);
            Ok(())
        };
        let flag = AtomicBool::new(false);
        let done = in_order_of(0..40, |_| LOAD / 2 + 1, 8, &flag, work, deliver);
        assert_eq!(done.ok(), Some(40));
        assert_eq!(outcomes, (0..40).collect::<Vec<_>>());
        // Two are more than that.
        assert!(most.load(Ordering::SeqCst) <= 2, "{most:?}");
    }

    #[test]
    fn parts_come_in_the_order_of_the_jobs() {
        let jobs: Vec<usize> = (0..100).collect();
        for threads in [1, 2, 8] {
            let mut outcomes = Vec::new();
            let work = |&job: &usize, hand_over: &mut EmitPart<'_, [usize; 2]>| {
                thread::sleep(std::time::Duration::from_micros(job as u64 % 7 * 50));
                let is_wanted = (0..job % 4).all(|part| hand_over([job, part]));
                assert!(is_wanted, "{job}");
                [job, job % 4]
            };
            let deliver = |outcome, extent| {
                outcomes.push((outcome, extent));
                Ok(())
            };
            let done = in_order_by_parts(&jobs, threads, &AtomicBool::new(false), work, deliver);
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
    fn parts_that_cannot_be_delivered_end_the_run() {
        for threads in [1, 4] {
            let work = |_: &usize, hand_over: &mut EmitPart<'_, ()>| while hand_over(()) {};
            let deliver = |(), _| Err(Abort::Usage("enough".to_owned()));
            let jobs = vec![0; 100];
            let never = AtomicBool::new(false);
            let result = in_order_by_parts(&jobs, threads, &never, work, deliver);
            assert!(matches!(result, Err(Abort::Usage(_))));
        }
    }

    #[test]
    fn what_cannot_be_delivered_ends_the_run() {
        for threads in [1, 4] {
            let done = AtomicUsize::new(0);
            let work = |_: &usize| done.fetch_add(1, Ordering::SeqCst);
            let deliver = |_| Err(Abort::Usage("enough".to_owned()));
            let jobs = vec![0; 10_000];
            let result = in_order(&jobs, threads, &AtomicBool::new(false), work, deliver);
            assert!(matches!(result, Err(Abort::Usage(_))));
            assert!(done.load(Ordering::SeqCst) < 10_000);
        }
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_not_waited_for() {
        let jobs: Vec<usize> = (0..1000).collect();
        let work = |&job: &usize| assert_ne!(job, 3);
        let _ = in_order(&jobs, 4, &AtomicBool::new(false), work, |()| Ok(()));
    }
}

//! Threads that process jobs in order.
//!
//! Runs over a folder use [`for_each_ordered`]. Iterators use a [`Pool`]: Python asks for one result after the other
//! and may stop at any time, the documents are objects of Python, which only the thread of the caller may create and
//! drop, and a process may be forked between two results. `for_each_ordered` calls back until all jobs are done.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use absolve_site::run::for_each_ordered;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::lock::lock;
use crate::python_io::{check_signals, error_of_io};

/// Returns the number of threads for a `requested` one, which may be zero: one for each processor.
pub(crate) fn count(requested: usize) -> usize {
    absolve_site::run::threads(Some(requested).filter(|&threads| threads > 0))
}

/// The most that a pool holds for each of its threads.
#[derive(Clone, Copy)]
pub(crate) struct Capacity {
    /// Number of jobs.
    pub(crate) jobs: usize,
    /// Number of bytes of their documents.
    pub(crate) bytes: usize,
}

/// Calls `work` for each file of a folder on several threads, and `deliver` for the results, in order.
///
/// # Errors
/// The exception of a signal handler, which ends the run.
pub(crate) fn for_each_file<J, T: Send>(
    py: Python<'_>,
    files: impl Iterator<Item = J> + Send,
    threads: usize,
    work: impl Fn(J) -> T + Send + Sync,
    mut deliver: impl FnMut(T) + Send,
) -> PyResult<()> {
    py.detach(|| {
        let never = AtomicBool::new(false);
        for_each_ordered(
            files,
            |_| 0,
            threads,
            &never,
            |file, _| work(file),
            |result, _| {
                check_signals().map_err(error_of_io)?;
                deliver(result);
                Ok(())
            },
        )
    })
}

/// Number of jobs that a thread without others processes before it asks for the interpreter lock. More would take more
/// memory, which is given back to the system when the results are used, and requested again.
const FEW: usize = 4;

/// The time after which other threads of Python keep the interpreter lock for so long that a thread without others asks
/// for it less often.
const LONG_WAIT: Duration = Duration::from_millis(1);

/// Threads that process jobs, whose results come in the order of the jobs.
///
/// The thread that asks for a result is one of the threads: it works while the result is not there. The others begin
/// when there is a second job, and end with the pool. No thread but that of the caller takes the interpreter lock. Jobs
/// may have objects of Python: each comes back with its result, and only the caller drops it.
pub(crate) struct Pool<J, T> {
    shared: Arc<Shared<J, T>>,
    threads: usize,
    workers: Vec<JoinHandle<()>>,
    capacity: Capacity,
    /// For each job in the pool, in order: the number of its bytes, and its result.
    jobs: VecDeque<(usize, Slot<J, T>)>,
    /// Number of jobs to process before asking for the interpreter lock, if there are no other threads.
    at_once: usize,
    /// The process that started the threads. Its copies, made by `fork`, have no threads.
    process: u32,
}

/// A job, and the result or the panic that it ended with.
type Processed<J, T> = (J, thread::Result<T>);

/// The place of the result of a job, which is there once the job is processed, and taken once.
type Slot<J, T> = Arc<OnceLock<Mutex<Option<Processed<J, T>>>>>;

struct Shared<J, T> {
    work: Box<dyn Fn(&J) -> T + Send + Sync>,
    state: Mutex<State<J, T>>,
    /// There is a job, or the pool is closed.
    has_job: Condvar,
}

struct State<J, T> {
    /// The jobs that no thread has taken.
    waiting: VecDeque<(J, Slot<J, T>)>,
    /// The number of threads that wait for a job.
    idle: usize,
    is_closed: bool,
}

impl<J: Send + 'static, T: Send + 'static> Pool<J, T> {
    /// Creates a pool that calls `work` for each job, on `threads` threads.
    pub(crate) fn new(
        threads: usize,
        capacity: Capacity,
        work: impl Fn(&J) -> T + Send + Sync + 'static,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                work: Box::new(work),
                state: Mutex::new(State {
                    waiting: VecDeque::new(),
                    idle: 0,
                    is_closed: false,
                }),
                has_job: Condvar::new(),
            }),
            threads,
            workers: Vec::new(),
            capacity,
            jobs: VecDeque::new(),
            at_once: FEW,
            process: process::id(),
        }
    }

    /// Returns whether the pool may take another job.
    pub(crate) fn has_room(&self) -> bool {
        let bytes: usize = self.jobs.iter().map(|(bytes, _)| bytes).sum();
        self.jobs.len() < self.threads * self.capacity.jobs
            && bytes < self.threads * self.capacity.bytes
    }

    /// Adds a job with a document of `bytes` bytes.
    ///
    /// # Errors
    /// Those of [`next`](Self::next).
    pub(crate) fn push(&mut self, job: J, bytes: usize) -> PyResult<()> {
        self.check_process()?;
        let slot = Slot::default();
        self.jobs.push_back((bytes, Arc::clone(&slot)));
        if self.jobs.len() > 1 {
            self.start_workers();
        }
        let mut state = lock(&self.shared.state);
        state.waiting.push_back((job, slot));
        if state.idle > 0 {
            self.shared.has_job.notify_one();
        }
        Ok(())
    }

    /// Returns the first job with its result; `None` if the pool has no jobs.
    ///
    /// # Errors
    /// `RuntimeError`: the pool was copied into another process, in which its threads do not exist.
    ///
    /// # Panics
    /// The job panicked.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<(J, T)>> {
        self.check_process()?;
        let Some((_, slot)) = self.jobs.pop_front() else {
            return Ok(None);
        };
        let is_alone = self.workers.is_empty();
        let at_least = if is_alone { self.at_once } else { 0 };
        if slot.get().is_none() {
            let worked_until = py.detach(|| {
                self.shared.work_until(&slot, at_least);
                Instant::now()
            });
            self.at_once = if worked_until.elapsed() > LONG_WAIT {
                2 * self.at_once.min(self.capacity.jobs)
            } else {
                FEW
            };
        }
        let processed = lock(slot.wait()).take();
        Ok(processed.map(|(job, result)| {
            let result = result.unwrap_or_else(|panic| resume_unwind(panic));
            (job, result)
        }))
    }

    /// Rejects a pool that belongs to another process: one of its threads may have held the mutex.
    fn check_process(&self) -> PyResult<()> {
        if self.process == process::id() {
            return Ok(());
        }
        let problem = "the documents are processed by the process that this one was forked from";
        Err(PyRuntimeError::new_err(problem))
    }

    /// Starts the threads beside that of the caller, if they do not exist.
    fn start_workers(&mut self) {
        while self.workers.len() + 1 < self.threads {
            let shared = Arc::clone(&self.shared);
            // Fewer threads do the same work.
            let Ok(worker) = thread::Builder::new().spawn(move || shared.work_until_closed())
            else {
                self.threads = self.workers.len() + 1;
                return;
            };
            self.workers.push(worker);
        }
    }
}

impl<J, T> Drop for Pool<J, T> {
    fn drop(&mut self) {
        // A copy of the process has no threads to join.
        if self.process != process::id() {
            self.workers.drain(..).for_each(std::mem::forget);
            return;
        }
        let mut state = lock(&self.shared.state);
        state.is_closed = true;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        self.shared.has_job.notify_all();
        // A thread finishes the job that it has taken.
        for worker in self.workers.drain(..) {
            // It cannot panic: panics of jobs are results.
            let _ = worker.join();
        }
        drop(waiting);
    }
}

impl<J, T> Shared<J, T> {
    /// Processes a job.
    fn process(&self, (job, slot): (J, Slot<J, T>)) {
        let result = catch_unwind(AssertUnwindSafe(|| (self.work)(&job)));
        // No other thread has the job.
        let _ = slot.set(Mutex::new(Some((job, result))));
    }

    /// Processes `at_least` jobs if there are so many, and more until the one of a slot is processed.
    fn work_until(&self, slot: &Slot<J, T>, mut at_least: usize) {
        while at_least > 0 || slot.get().is_none() {
            let Some(waiting) = lock(&self.state).waiting.pop_front() else {
                slot.wait();
                return;
            };
            self.process(waiting);
            at_least = at_least.saturating_sub(1);
        }
    }

    /// Processes jobs until the pool is closed.
    fn work_until_closed(&self) {
        let mut state = lock(&self.state);
        while !state.is_closed {
            if let Some(waiting) = state.waiting.pop_front() {
                drop(state);
                self.process(waiting);
                state = lock(&self.state);
            } else {
                state.idle += 1;
                let waited = self.has_job.wait(state);
                state = waited.unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
            }
        }
    }
}

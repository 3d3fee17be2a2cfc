//! The loop over the jobs of a run.
//!
//! [`run_jobs`] is the only one: it calls a [`Verb`] for each job, on all cores. `rewrite` and `mirror` implement it
//! for the jobs of a plan ([`write_run`]). `links`, `base` and `check` implement [`ReadVerb`](read_run::ReadVerb)
//! instead.

pub(crate) mod interrupt;
pub(crate) mod read_run;
pub(crate) mod write_run;

use absolve_site::run::{EmitPart, for_each_ordered};

use crate::exit::Abort;
use crate::print::job_result::{JobResult, JobSink};
use crate::print::printer::Printer;

/// A verb that processes jobs.
pub(crate) trait Verb: Sync {
    /// An input, with its output if the verb writes.
    type Job: Sync;

    /// Returns whether `job` is read as a stream.
    ///
    /// Such a job runs alone, because it may occupy all cores, and because results that wait for it would pile up.
    fn is_streamed(&self, job: &Self::Job) -> bool;

    /// Processes a job. Parts of a large result are emitted early.
    ///
    /// # Errors
    /// The run cannot continue, because standard output cannot be written.
    fn run_job(&self, job: &Self::Job, sink: &mut JobSink<'_>) -> Result<(), Abort>;
}

/// Runs `verb` for every job and delivers the results to `printer`, in the order of the jobs.
///
/// After an interrupt no job starts.
///
/// # Errors
/// Standard output or a report cannot be written.
pub(crate) fn run_jobs<V: Verb>(
    verb: &V,
    jobs: &[V::Job],
    threads: usize,
    printer: &mut Printer<'_>,
) -> Result<(), Abort> {
    for part in jobs.chunk_by(|a, b| !verb.is_streamed(a) && !verb.is_streamed(b)) {
        let work = |job, emit: &mut EmitPart<'_, Result<JobResult, Abort>>| {
            let emit = &mut |part| emit(Ok(part));
            let mut sink = JobSink::new(emit);
            verb.run_job(job, &mut sink).map(|()| sink.result)
        };
        let deliver =
            |job_result: Result<JobResult, Abort>, extent| printer.deliver(&job_result?, extent);
        for_each_ordered(
            part.iter(),
            |_| 0,
            threads,
            interrupt::flag(),
            work,
            deliver,
        )?;
    }
    Ok(())
}

//! Runs over the files of a folder, for every program that offers them.
//!
//! 1. [`walk`](crate::files::walk()) finds the files, and the run decides which of them are documents.
//! 2. [`OutputWriter`] prepares the output. Nothing is written before.
//! 3. [`for_each_ordered`] processes the files on all threads: [`MirrorRun`] converts documents, and the writer copies
//!    the others; [`CheckRun`] checks documents, and writes none. What it did is a value, from which the caller makes
//!    messages, reports or objects.
//! 4. The calling thread gets the results in the order of the files.
//!
//! Nothing here prints or interprets arguments.

mod captures;
mod check;
mod mirror;
mod output;

pub use absolve::ordered::{EmitPart, PartExtent, for_each_ordered, threads};
pub use captures::{CaptureProblem, Captures, MAX_RECORD, last_timestamp};
pub use check::CheckRun;
pub use mirror::{ConvertedPage, MirrorError, MirrorEvent, MirrorNote, MirrorOptions, MirrorRun};
pub use output::{FolderOutput, OutputWriter, Unwritten};

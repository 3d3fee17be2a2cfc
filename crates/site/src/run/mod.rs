//! Runs over the files of a folder, for every program that offers them.
//!
//! [`for_each_ordered`] processes files on all threads and delivers their results in order.

mod ordered;

pub use ordered::{EmitPart, PartExtent, for_each_ordered, threads};

//! The extension module `absolve._absolve`: absolve for Python.
//!
//! It has classes, which hold the results of the library, and no logic of its own about links or base URLs. The package
//! in `python/absolve` adds the functions that people call first, and re-exports everything.
//!
//! A document is `bytes` or `str` ([`input`]). Every class is immutable for Python, or checks that it is used by one
//! thread at a time. The interpreter lock is released while a document is processed; only a callback needs it, and
//! files of the caller that are read or written.

mod archive;
mod archive_report;
mod argument;
mod arrow;
mod base_url;
mod check;
mod container;
mod document_batches;
mod documents;
mod facts;
mod file_problem;
mod input;
mod link_batches;
mod link_buffer;
mod links;
mod lock;
mod many;
mod mirror;
mod options;
mod python_io;
mod report;
mod resolve;
mod rewrite_archive;
mod rewriter;
mod threads;
mod tree;
mod warc_batches;
mod warc_index;

/// The module.
#[pyo3::pymodule(gil_used = false)]
mod _absolve {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        archive::{Archive, Entity},
        archive_report::{ArchiveProblem, ArchiveReport},
        check::{Finding, SiteReport, check_site},
        file_problem::FileProblem,
        link_batches::{LinkBatch, LinkBatches},
        links::{Link, Links},
        many::RewrittenMany,
        mirror::{MirrorReport, mirror},
        python_io::write_file,
        report::{Rewritten, StreamReport},
        resolve::{ResolveError, relative, resolve},
        rewriter::{Rewriter, make_links_absolute},
        tree::rewrite_nodes,
        warc_batches::WarcLinkBatches,
        warc_index::WarcIndex,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

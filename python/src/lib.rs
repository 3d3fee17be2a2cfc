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

use pyo3::prelude::*;

/// Fills the module.
#[pymodule(gil_used = false)]
fn _absolve(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add(
        "ResolveError",
        module.py().get_type::<resolve::ResolveError>(),
    )?;
    module.add_class::<rewriter::Rewriter>()?;
    module.add_class::<report::Rewritten>()?;
    module.add_class::<report::StreamReport>()?;
    module.add_class::<check::Finding>()?;
    module.add_class::<links::Links>()?;
    module.add_class::<links::Link>()?;
    module.add_class::<many::RewrittenMany>()?;
    module.add_class::<link_batches::LinkBatches>()?;
    module.add_class::<link_batches::LinkBatch>()?;
    module.add_class::<warc_batches::WarcLinkBatches>()?;
    module.add_class::<warc_index::WarcIndex>()?;
    module.add_class::<archive::Archive>()?;
    module.add_class::<archive::Entity>()?;
    module.add_class::<archive_report::ArchiveReport>()?;
    module.add_class::<archive_report::ArchiveProblem>()?;
    module.add_class::<mirror::MirrorReport>()?;
    module.add_class::<check::SiteReport>()?;
    module.add_class::<file_problem::FileProblem>()?;
    module.add_function(wrap_pyfunction!(resolve::resolve, module)?)?;
    module.add_function(wrap_pyfunction!(resolve::relative, module)?)?;
    module.add_function(wrap_pyfunction!(rewriter::make_links_absolute, module)?)?;
    module.add_function(wrap_pyfunction!(tree::rewrite_nodes, module)?)?;
    module.add_function(wrap_pyfunction!(python_io::write_file, module)?)?;
    module.add_function(wrap_pyfunction!(mirror::mirror, module)?)?;
    module.add_function(wrap_pyfunction!(check::check_site, module)?)?;
    Ok(())
}

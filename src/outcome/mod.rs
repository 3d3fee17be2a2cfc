//! The outcome of each reference: the settings, the base URLs of a document, what becomes of a link, and its record.
//!
//! This module knows one reference at a time. `crate::rewrite` finds the references of a document and writes it.
//!
//! # Steps
//!
//! 1. [`options`] are the settings: a [`Rewriter`], to which `crate::rewrite` adds its functions.
//!    [`named_option`](mod@named_option) sets them by their names. [`index_files`] completes links to directories.
//! 2. [`bases`] determines the base URLs of a document from its BASE elements and from outside. [`scopes`] are the
//!    parts of an XML document with base URLs of their own. A [`resolution_base`] is a base URL, prepared for
//!    resolving.
//! 3. [`resolve`] determines the [`Outcome`] of a reference, which is part of a value ([`value_owner`]).
//!    [`browser_reading`] leaves alone what browsers would read otherwise.
//! 4. [`edit`] maps the edit of a value to an edit of the text, in the author's quoting.
//! 5. [`report`] has the records of links and documents, [`row`] links as rows of a table, and [`observed`] links
//!    without a record.

pub(crate) mod bases;
mod browser_reading;
pub(crate) mod dangling_markup;
pub(crate) mod edit;
mod index_files;
mod named_option;
pub(crate) mod observed;
pub(crate) mod options;
pub(crate) mod report;
pub(crate) mod resolution_base;
pub(crate) mod resolve;
mod row;
pub(crate) mod scopes;
pub(crate) mod value_owner;

pub use index_files::IndexFiles;
pub use named_option::{InvalidOption, check_base_url, check_encoding, named_option};
pub use observed::{LinkObserver, ObservedLink, TargetParts};
pub use options::{
    AbsoluteReferences, BaseElementPolicy, BaseOrigin, BaseScope, FragmentPolicy, IllFormedPolicy,
    LinkDetail, OutputForm, Rewriter, TestSettings,
};
// For `crate::check`, which reports BASE elements that have no effect.
pub(crate) use report::BaseElementReport;
pub use report::{
    BesideLink, Decision, LinkCounts, LinkReport, Outcome, Report, RewriteSummary, Rewritten,
    SkipReason,
};
pub use row::LinkRow;

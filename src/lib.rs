//! Makes every link in an HTML document absolute, with respect to the base URL that RFC 1808 defines for that document.
//!
//! ```
//! use absolve::{Document, Rewriter};
//!
//! let html = br#"<BASE href="http://www.ics.uci.edu/Test/a/b/c"><A HREF=../x>x</A>"#;
//! let rewritten = Rewriter::new().rewrite(&Document::new(html));
//! let expected = br#"<BASE href="http://www.ics.uci.edu/Test/a/b/c"><A HREF=http://www.ics.uci.edu/Test/a/x>x</A>"#;
//! assert_eq!(&*rewritten.bytes, expected);
//! ```
//!
//! # Rewriting
//!
//! [`make_absolute`] is for text with the default settings. [`Rewriter`] does the rest.
//!
//! A [`Document`] is bytes, with what the caller knows about them: base URLs from outside and the encoding.
//! [`Rewriter::rewrite`] replaces references in it and changes no other byte, in any encoding. A link that cannot be
//! resolved is left unchanged, with a [`SkipReason`]. [`Rewriter::rewrite_with`] calls a function for every link, which
//! can keep, replace or remove it. [`Document::style_sheet`] is for CSS files.
//!
//! # Links
//!
//! [`Rewriter::links`] lists the links of a document with their targets. A built-in table determines which attributes
//! are links, in groups that can be enabled separately ([`Preset`]). [`Rewriter::link`] adds links to it, and
//! [`Rewriter::skip`] excludes some. [`FragmentPolicy`], [`BaseElementPolicy`] and [`OutputForm`] adjust the output.
//!
//! # Base URL
//!
//! The base URL comes from one of four sources, in order of precedence: `BASE` in the document, the entity around the
//! document, the URL it was retrieved from, and a default. [`BaseCandidates`] selects it, and [`BaseReport`] explains
//! the selection.
//!
//! # Resolving
//!
//! [`resolve`] resolves one reference, [`resolution::explain`] also returns the steps, and a [`Resolver`] resolves many
//! against one base URL. The [`Profile`] is the standard that applies: RFC 1808, RFC 3986, or the URL Standard of
//! browsers.
//!
//! # Streams, archives and sites
//!
//! [`Rewriter::rewrite_stream`] rewrites a document while it is read, in bounded memory. The crate `absolve-archive`
//! finds the documents in HTTP dumps, mail, MHTML and WARC archives, and writes them back; `absolve-site` maps the
//! files of sites and downloaded folders to their URLs.
//!
//! # Checks
//!
//! [`Rewriter::check`] reports problems with the base URL and the links of a document.
//!
//! # Features
//!
//! Both are off by default.
//!
//! * `serde`: a [`LinkRow`], a [`Candidate`], [`LinkCounts`] and a trace of [`resolution`] can be serialized.
//! * `rcdom`: the module `tree` rewrites trees of html5ever and of other programs. It has types of `markup5ever_rcdom`,
//!   whose next version may change it.

// The readers have functions that trees alone need; an attribute for each of them would be ten.
#![cfg_attr(not(feature = "rcdom"), expect(dead_code, reason = "for trees"))]

mod base;
mod base_header;
pub mod check;
mod document;
mod encoding;
mod entries;
mod find;
mod grammar;
mod html;
mod json_feed;
mod limits;
mod link;
mod markup;
#[doc(hidden)]
pub mod names;
mod offset_map;
#[doc(hidden)]
pub mod ordered;
mod record;
mod reference;
mod replay;
mod rewrite;
mod saved_page;
mod scheme;
mod settings;
mod span;
mod splice;
pub mod stream;
mod text_offsets;
mod unsupported;
mod xml;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use base::{Base, BaseCandidates, BaseReport, BaseSource, Candidate, CandidateStatus};
pub use base_header::parse_base_header;
pub use document::{Document, DocumentKind, Excerpt, Position};
pub use entries::make_absolute;
pub use grammar::Grammar;
pub use html::BailOut;
pub use limits::Limit;
pub use link::{Link, LinkSelector, Preset, Role, SelectorError};
pub use record::{
    LinkCounts, LinkObserver, LinkReport, LinkRow, ObservedLink, Outcome, Report, RewriteSummary,
    Rewritten, SkipReason, TargetParts,
};
pub use reference::{Escape, Profile, ResolveError, Resolver, resolve};
pub use replay::Unwrap;
pub use rewrite::{BesideLink, Decision, ElementText, ElementTexts};
pub use saved_page::saved_from;
pub use settings::{
    AbsoluteReferences, BaseElementPolicy, BaseOrigin, BaseScope, FragmentPolicy, IllFormedPolicy,
    IndexFiles, LinkDetail, OutputForm, Rewriter,
};
pub use span::Span;
pub use splice::{Edit, splice};
pub use text_offsets::{TextOffsets, TextUnit};
pub use unsupported::{IllFormed, IllFormedReason, Unsupported};

/// Options by the names that users write, for commands and bindings; see [`Rewriter::with_option`].
pub mod options {
    pub use crate::names::UnknownName;
    pub use crate::settings::{
        InsertionPlace, InvalidOption, check_base_url, check_encoding, named_option,
    };
}

/// The parts of a reference, and the steps of resolving it.
pub mod resolution {
    pub use crate::reference::{
        Authority, Reference, RelativeForm, ResolutionStep, ResolutionTrace, explain, is_absolute,
        stripped,
    };
}

/// Trees: rewriting and listing the links of a document that is parsed already. With the feature `rcdom`.
#[cfg(feature = "rcdom")]
pub mod tree {
    pub use crate::html::tree::Tree;
    pub use crate::html::tree::node_list::{NodeChange, NodeList};
    pub use crate::rewrite::tree::{
        LinkPlace, RewrittenNodes, rewrite, rewrite_document, rewrite_nodes,
    };
    /// The version of `markup5ever_rcdom` whose trees [`Tree`] accepts.
    pub use markup5ever_rcdom;
}

/// Settings for tests and benchmarks. Not part of the interface: they change without notice.
#[doc(hidden)]
pub mod testing {
    pub use crate::html::Reader;
}

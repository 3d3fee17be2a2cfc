//! Makes every link in an HTML document absolute, with respect to the base URL that RFC 1808 gives that document.
//!
//! A document's base URL comes from one of four layers, the innermost first: from its own content (`BASE` in `HEAD`),
//! from the entity around it, from the URL it was retrieved under, from the application's default. [`BaseCandidates`]
//! decides; [`Rewriter`] finds the links of a document and resolves each against that base; [`resolve`] is the
//! resolver alone.
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
//! [`Rewriter::rewrite`] edits the bytes of a document and changes nothing else; [`Rewriter::rewrite_tree`] is for
//! people who hold a parsed tree, and [`Document::style_sheet`] for CSS.
//!
//! Documents inside HTTP dumps, mail, MHTML and WARC archives are found by `archive` and put back into them (feature
//! `containers`); `container` reads these formats from bytes alone.
//!
//! What is a link is a table, in groups ([`Preset`]) that are on or off; [`Rewriter::link`] and [`Rewriter::skip`] add
//! to it and take from it. [`FragmentPolicy`] and [`BaseElementPolicy`] say what becomes of fragments and of `BASE`.

#[cfg(feature = "containers")]
pub mod archive;
mod base;
mod check;
#[cfg(feature = "containers")]
pub mod container;
#[cfg(not(feature = "containers"))]
mod container;
mod encoding;
mod find;
mod grammar;
mod html;
mod link;
mod offset_map;
mod reference;
mod rewrite;
mod site;
mod span;
mod splice;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use base::{Base, BaseCandidates, BaseReport, BaseSource, Candidate, CandidateStatus};
pub use check::{CheckReport, Finding, Rule, UnknownRule};
pub use container::parse_base_header;
pub use grammar::{Grammar, UnknownGrammar};
pub use html::tree::Tree;
pub use html::{BailOut, Reader, Unsupported};
pub use link::{Link, LinkSelector, Preset, Role, SelectorError, UnknownPreset};
/// The crate whose trees [`Tree`] takes: the version of it that fits.
pub use markup5ever_rcdom;
pub use reference::{
    Escape, Profile, Reference, RelativeForm, ResolutionStep, ResolutionTrace, ResolveError,
    Resolver, is_absolute, resolve,
};
pub use rewrite::{
    AbsoluteReferences, BaseElementPolicy, BaseScope, BufferedReason, Decision, Document, Excerpt,
    FragmentPolicy, LinkCounts, LinkDetail, LinkReport, Outcome, OutputForm, Position, Report,
    RewriteSummary, Rewriter, Rewritten, SkipReason, SkippedCount, StreamError, StreamReport,
    links,
};
pub use site::{Layout, Mirror, MirrorScope, NoRoot, Page, Site, SiteError, UnknownLayout};
pub use span::Span;
pub use splice::Edit;

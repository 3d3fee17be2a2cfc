//! Limits of what a document may take beyond what its length justifies.
//!
//! Time and memory are linear in the length of nearly every document. Some few constructions multiply: every target
//! contains part of the base URL, a list such as `ping` has a link for every other byte, and html5ever compares each
//! tag with the elements that are open. The limits bound the product. They are relative to the length of the document
//! where that makes a difference, so they leave long documents alone and stop short ones that pretend to be long.

use crate::names::named_values;

/// A limit of what a document may take; [`Rewriter::limit`](crate::Rewriter::limit) sets its value.
///
/// No real page is known to exceed one of the defaults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The length of a base URL in bytes; 8,192 by default.
    ///
    /// Relative references that would resolve against a longer one are skipped
    /// ([`BaseTooLong`](crate::SkipReason::BaseTooLong)). The rest of the document is rewritten.
    ///
    /// # Source
    /// RFC 9110 section 4.1 recommends to support URIs of 8,000 bytes or more.
    BaseLength,
    /// The number of links; 8,192 by default. In addition, there may be one for each 32 bytes of the document.
    ///
    /// HTML that the fast reader cannot read may have as many attributes that may be links or determine whether others
    /// are.
    Links,
    /// The number of links in one value, such as a `srcset`, a style sheet or a `srcdoc`; 16,384 by default. In
    /// addition, there may be one for each 128 bytes of the document.
    ///
    /// A nested document with more tags that may contain links is [`TooDeep`](crate::SkipReason::TooDeep), and the rest
    /// of the document is rewritten.
    ValueLinks,
    /// The length of all targets together in bytes; 1,048,576 (1 MiB) by default. In addition, there may be 3 bytes for
    /// each byte of the document. A document in a container has at most 32,768 of the former, and 64 for each byte.
    ///
    /// A target in a nested document counts once more for each document around it.
    Growth,
    /// The number of different attributes in a tag; 512 by default.
    ///
    /// This is for HTML that the fast reader cannot read: that reader has no limit itself. With a selector, it is also
    /// for the attributes of a tag that may be links, as all are with `a[*]`.
    Attributes,
    /// The number of steps of html5ever for each byte of the document; 16 by default. In addition, there may be
    /// 4,194,304 steps for the whole document, which is enough for 2,000 elements within each other. A document in a
    /// container has at most 16,384 of these, and 10 for each byte.
    ///
    /// Nested documents, texts of feeds and conditional comments take their steps from those of the document.
    ///
    /// A step is the comparison of a tag with an open element, or something that takes as long. For the memory that
    /// they need, a BASE element takes 4,096 steps, an SVG STYLE 512, an element that a tag implies 160, and one of
    /// SVG or MathML 96. This is for HTML that the fast reader cannot read.
    ParserSteps,
    /// The number of findings of [`Rewriter::check`](crate::Rewriter::check); 16,384 by default. In addition, there may
    /// be one for each 512 bytes of the document.
    Findings,
}

named_values! { Limit, "limit":
    BaseLength => "base-length",
    Links => "links",
    ValueLinks => "value-links",
    Growth => "growth",
    Attributes => "attributes",
    ParserSteps => "parser-steps",
    Findings => "findings",
}

impl Limit {
    /// Returns the value that applies if none is set.
    #[must_use]
    pub const fn default_value(self) -> usize {
        match self {
            Self::BaseLength | Self::Links => 8192,
            Self::ValueLinks | Self::Findings => 1 << 14,
            Self::Growth => 1 << 20,
            Self::Attributes => 512,
            Self::ParserSteps => 16,
        }
    }
}

/// The place of a document, which determines how much more it may take than its length justifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    /// A document of its own.
    Outermost,
    /// One of any number of documents in a container.
    Container,
}

impl Placement {
    /// Returns the length that the targets of a document of `length` bytes may have together in addition to that in
    /// proportion. `limit` is that of a document of its own; one that the caller raised is for containers, too.
    pub(crate) fn free_growth(self, limit: usize, length: usize) -> usize {
        match self {
            Self::Outermost => limit,
            Self::Container if limit > Limit::Growth.default_value() => limit,
            Self::Container => limit.min((1 << 15) + 64 * length),
        }
    }

    /// Returns the number of steps that a document of `length` bytes may take in addition, for example to nest 2,000
    /// DIV elements.
    ///
    /// A container may have so many documents that each must justify its steps. Of the pages of the corpora, all but
    /// one would do with 16 steps for each byte, and 30,497 more; that one takes 22 for each byte.
    pub(crate) fn free_steps(self, length: usize) -> u64 {
        const MOST: u64 = 1 << 22;
        match self {
            Self::Outermost => MOST,
            Self::Container => MOST.min((1 << 14) + 10 * length as u64),
        }
    }
}

/// The value of every [`Limit`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits([usize; Limit::ALL.len()]);

impl Default for Limits {
    fn default() -> Self {
        let mut values = [0; Limit::ALL.len()];
        for limit in Limit::ALL {
            values[*limit as usize] = limit.default_value();
        }
        Self(values)
    }
}

impl Limits {
    pub(crate) fn get(&self, limit: Limit) -> usize {
        self.0[limit as usize]
    }

    /// Returns the number of steps of html5ever for `length` bytes of a document.
    pub(crate) fn steps(&self, length: usize) -> u64 {
        (self.get(Limit::ParserSteps) as u64).saturating_mul(length as u64)
    }

    /// Returns these limits with `value` for `limit`.
    pub(crate) fn with(mut self, limit: Limit, value: usize) -> Self {
        self.0[limit as usize] = value;
        self
    }
}

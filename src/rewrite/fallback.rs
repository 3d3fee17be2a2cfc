//! [`Fallback`]: the reasons for which a part of a visit, a pass or a stream gives up.
//!
//! | fallback | caught by | next attempt |
//! |---|---|---|
//! | `Section` | the visitor (`embedded`) | the section, on the general path |
//! | `BailedOut`, `LateBase` | `Pass::run`, if the text is exact | the next reader, or this one with the base |
//! | `Encoding` | `Pass::attempt` | the pass once more, in that encoding |
//! | `Unsupported` | `in_memory`, if the text is exact | none: the document is left unchanged |
//! | `Collect`, and those above on a skeleton | `in_memory` | exact text, and a sink that collects the edits |
//!
//! A stream rewrites the document as a whole, if nothing of it has been written.

use encoding_rs::Encoding;

use crate::html::BailOut;
use crate::unsupported::{IllFormed, Unsupported};
use crate::xml::XmlSegmentsError;

/// The reason why a pass, or the stream that visits a chunk, gave up.
#[derive(Debug)]
pub(crate) enum Fallback {
    /// A `meta` element declares this encoding, which is not the one in use.
    Encoding(&'static Encoding),
    /// The scanner bailed out.
    BailedOut(BailOut),
    /// A base URL of the whole document follows links that were visited.
    LateBase,
    /// The text must be exact, or all edits known before one is written:
    ///
    /// - a decision depends on what the masks of a skeleton hide, or the document has no skeleton;
    /// - an edit begins before the end of an earlier one, which has been written;
    /// - markup is to be inserted or removed;
    /// - the output would not be read as intended.
    Collect,
    /// A CDATA section may not be able to contain an edit of the markup in it. The visitor repeats the section.
    Section,
    /// The document cannot be decoded or parsed.
    Unsupported(Unsupported),
}

impl From<BailOut> for Fallback {
    fn from(bail_out: BailOut) -> Self {
        Self::BailedOut(bail_out)
    }
}

impl From<IllFormed> for Fallback {
    fn from(error: IllFormed) -> Self {
        Self::Unsupported(Unsupported::IllFormed(error))
    }
}

impl From<XmlSegmentsError> for Fallback {
    fn from(error: XmlSegmentsError) -> Self {
        match error {
            XmlSegmentsError::IllFormed(error) => error.into(),
            XmlSegmentsError::LateBase => Self::LateBase,
        }
    }
}

impl From<Unsupported> for Fallback {
    fn from(reason: Unsupported) -> Self {
        Self::Unsupported(reason)
    }
}

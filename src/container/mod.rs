//! What wraps a document: bytes of a wrapper in, entities and the header fields that concern their base URL out, and
//! bodies back in. No HTML, no resolving.
//!
//! Each module reads one kind of wrapper from bytes alone: [`http`] messages as a client prints them, [`mime`]
//! messages (mail, MHTML), [`warc`] archives. They share [`headers`], [`content_type`] and [`transfer`].
//! They know nothing of each other's kind, except that a WARC record can hold an HTTP message.
//!
//! Spans point into the buffer that was given. What is damaged is named by a [`ContainerError`] with its offset, and
//! what could be read before it is given all the same.

mod base_header;
#[cfg(feature = "containers")]
pub mod content_type;
#[cfg(feature = "containers")]
mod error;
#[cfg(feature = "containers")]
mod format;
#[cfg(feature = "containers")]
pub mod headers;
#[cfg(feature = "containers")]
pub mod http;
#[cfg(feature = "containers")]
pub mod mime;
#[cfg(feature = "containers")]
pub mod transfer;
#[cfg(feature = "containers")]
pub mod warc;

pub use base_header::parse_base_header;
#[cfg(feature = "containers")]
pub use error::{ContainerError, ContainerErrorKind};
#[cfg(feature = "containers")]
pub use format::Format;

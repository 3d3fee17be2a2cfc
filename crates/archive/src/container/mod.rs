//! Container formats: readers for HTTP messages, MIME messages and WARC archives, and the replacement of bodies in
//! them.
//!
//! A document is often stored inside something else: a response as `curl -i` prints it, an MHTML file, a web archive.
//! The container's header fields matter for links, because they determine base URLs (RFC 1808 sections 3.2 and 3.3).
//! This module parses the formats and nothing more: bytes in, entities, header fields and spans out; a new body in,
//! edits or new bytes out. It knows no HTML and resolves no reference. The [crate] interprets the
//! entities.
//!
//! - [`http`]: chains of responses as clients print them.
//! - [`mime`]: mail and MHTML, as a flat list of nested entities.
//! - [`warc`]: archives, record by record, plain or compressed.
//! - [`headers`], [`content_type`], [`transfer`]: the parts that these formats share.
//!
//! The formats do not know each other, except that a WARC record can contain an HTTP message.
//!
//! # Damaged input
//!
//! Real containers are truncated, carry wrong lengths, or were decoded by a client that kept the header fields of the
//! encoded form. A reader returns an error in place of a result only if the input does not begin like its format, or
//! if the head of the next WARC record cannot be read. In every other case it returns all it could read, together
//! with a [`ContainerError`]: a kind, and the byte offset of the problem.
//!
//! # Invariants
//!
//! - Spans point into the buffer that the caller passed, or into [`WarcRecord::head`](warc::WarcRecord::head).
//! - Reading and writing agree: a body that is replaced by its own decoded content yields no edit.
//! - A new body is stored in the codings in which the old one is really stored, whatever its header fields claim.
//! - A body that could not be decoded completely is never replaced, because that would lose the rest.
//!
//! # Cost
//!
//! Every reader takes linear time. HTTP and MIME readers hold spans of the caller's buffer, a WARC reader holds one
//! record. Everything that a short input could make large (decoded length, nesting, number of entities, parameters)
//! has a limit.
//!
//! # Crates not used
//!
//! `httparse`, `mail-parser` and `warc` would each replace a module. They do not provide what splicing requires:
//! spans of the source, the offset of an error, and records or fields that are copied byte for byte. Each module
//! names its reasons.

pub mod content_type;
mod decode_budget;
mod error;
mod format;
pub mod headers;
pub mod http;
pub mod mime;
pub mod transfer;
mod unsupported;
pub mod warc;

pub(crate) use decode_budget::DecodeBudget;
pub(crate) use error::write_all;
pub use error::{ContainerError, ContainerErrorKind};
pub use format::{FileType, Format, has_extension};
pub use unsupported::unsupported_format;

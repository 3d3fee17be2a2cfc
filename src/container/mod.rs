//! What wraps a document: bytes of a wrapper in, entities with their base candidates out. No HTML, no resolving.

mod base_header;

pub use base_header::parse_base_header;

//! Trees of documents in bytes: decoding before parsing, and encoding after serialization.

use encoding_rs::Encoding;
use markup5ever_rcdom::RcDom;

use super::Tree;
use crate::encoding;
use crate::html::encoding::decode;
use crate::html::tap;
use crate::unsupported::Unsupported;

impl Tree {
    /// Decodes `document` in its encoding and parses it.
    ///
    /// `transport` is the encoding that the transport declares (`charset` of a `Content-Type` header), as a label of
    /// the Encoding Standard; an unknown label is ignored. A BOM takes precedence over it, and it takes precedence
    /// over a `meta` element.
    ///
    /// # Errors
    /// Returns [`Unsupported`] if the document is too long or exceeds the default of a [`Limit`](crate::Limit), or if
    /// the Encoding Standard does not decode its encoding.
    pub fn parse_bytes(document: &[u8], transport: Option<&str>) -> Result<Self, Unsupported> {
        let transport = transport.and_then(|label| Encoding::for_label(label.as_bytes()));
        let decoded = decode(document, transport)?;
        Ok(Self {
            encoding: decoded.encoding,
            bom: decoded.bom.to_vec(),
            ..Self::from(tap::read_tree::<RcDom>(&decoded.text)?)
        })
    }

    /// Serializes the tree as HTML in the encoding of the bytes from which it was parsed, BOM included.
    ///
    /// A tree that was not parsed from bytes is serialized in UTF-8. A character that the encoding lacks becomes a
    /// numeric character reference. This includes scripts, styles and comments, where a parser will not decode it.
    #[must_use]
    pub fn serialize_bytes(&self) -> Vec<u8> {
        let mut bytes = self.bom.clone();
        bytes.extend(encoding::encode(&self.serialize(), self.encoding));
        bytes
    }
}

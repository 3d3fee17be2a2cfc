//! MIME messages: mail, mailboxes (mbox), and web pages saved as one file (MHTML).
//!
//! The structure is parsed in one pass over the lines; bodies are decoded only on request. Like mail readers, the
//! parser tolerates missing boundaries, missing empty lines and malformed header lines. It reports missing boundaries
//! and malformed lines in [`Message::errors`].
//!
//! Hand-written because `mail-parser` does not report where a message is damaged, and a new body must be spliced into
//! the message without changing any other byte.

mod body;
mod encoded_word;
mod mbox;
mod message;
mod structure;

pub use body::TransferEncoding;
pub use mbox::{MboxMessage, begins_mbox, split_mbox};
pub use message::{Content, MAX_ENTITIES, MAX_LEVELS, Message, MimeEntity};

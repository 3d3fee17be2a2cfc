//! Standard input, with a prefix that can be inspected before it is read.

use std::io::{self, Read};
use std::sync::OnceLock;

use super::input_kind::SNIFF_LEN;

/// Bytes already taken from standard input. The process has one standard input, so this is a static.
static PREFIX: OnceLock<Vec<u8>> = OnceLock::new();

/// Returns the first bytes of standard input, which [`reader`] will still yield.
///
/// A read error is ignored here: it occurs again in [`reader`], whose caller reports it.
pub(super) fn prefix() -> &'static [u8] {
    PREFIX.get_or_init(|| {
        let mut bytes = Vec::new();
        let mut prefix = io::stdin().lock().take(SNIFF_LEN as u64);
        let _ = prefix.read_to_end(&mut bytes);
        bytes
    })
}

/// Returns a reader over all of standard input, including the inspected prefix.
pub(super) fn reader() -> impl Read + Send {
    let prefix = PREFIX.get().map_or(&[][..], |bytes| bytes);
    prefix.chain(io::stdin())
}

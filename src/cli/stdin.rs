//! Standard input, whose beginning can be looked at before it is read.

use std::io::{self, Read};
use std::sync::OnceLock;

use super::input_kind::LOOKED_AT;

/// What was looked at. There is one standard input, so there is one of this.
static BEGINNING: OnceLock<Vec<u8>> = OnceLock::new();

/// How it begins; it is read all the same. What cannot be read is said by whoever reads it.
pub(super) fn beginning() -> &'static [u8] {
    BEGINNING.get_or_init(|| {
        let mut bytes = Vec::new();
        let _ = io::stdin()
            .lock()
            .take(LOOKED_AT as u64)
            .read_to_end(&mut bytes);
        bytes
    })
}

/// All of it.
pub(super) fn reader() -> impl Read + Send {
    let looked_at = BEGINNING.get().map_or(&[][..], |bytes| bytes);
    looked_at.chain(io::stdin())
}

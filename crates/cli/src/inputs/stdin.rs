//! Standard input, with a prefix that can be inspected before it is read.

use std::io::{self, IsTerminal, Read};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::inputs::kind::SNIFF_LEN;
use crate::print::terminal;

/// Bytes already taken from standard input. The process has one standard input, so this is a static.
static PREFIX: OnceLock<Vec<u8>> = OnceLock::new();

/// Whether a read reached the end. At a terminal, another one would wait for more.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Standard input up to its first end.
struct Stdin;

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || IS_OVER.load(Ordering::Relaxed) {
            return Ok(0);
        }
        let read = io::stdin().read(buffer)?;
        IS_OVER.fetch_or(read == 0, Ordering::Relaxed);
        Ok(read)
    }
}

/// Tells the user at a terminal that the command waits for a document.
pub(crate) fn announce() {
    if io::stdin().is_terminal() {
        let end = if cfg!(windows) {
            "Ctrl-Z and Enter"
        } else {
            "Ctrl-D"
        };
        terminal::print_message(&format!(
            "reading a document from the terminal; {end} ends it"
        ));
    }
}

/// Returns the first bytes of standard input, which [`reader`] will still yield.
///
/// A read error is ignored here: it occurs again in [`reader`], whose caller reports it.
pub(crate) fn prefix() -> &'static [u8] {
    PREFIX.get_or_init(|| {
        let mut bytes = Vec::new();
        let mut prefix = Stdin.take(SNIFF_LEN as u64);
        let _ = prefix.read_to_end(&mut bytes);
        bytes
    })
}

/// Returns a reader over all of standard input, including the inspected prefix.
pub(crate) fn reader() -> impl Read + Send {
    let prefix = PREFIX.get().map_or(&[][..], |bytes| bytes);
    prefix.chain(Stdin)
}

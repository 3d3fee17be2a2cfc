//! Connections whose end is known to be that of the server.
//!
//! A document without a length ends with its connection, and anybody on the way can end a connection early. TLS
//! therefore has the alert `close_notify` (RFC 8446 section 6.1), but `ureq` reads a document to the end without it.

use std::io;

use ureq::Error;
use ureq::unversioned::transport::{Buffers, ConnectionDetails, Connector, NextTimeout, Transport};

/// Makes the end of a TLS connection without `close_notify` an error.
#[derive(Debug)]
pub(super) struct RequireCloseNotify;

/// A connection of [`RequireCloseNotify`].
#[derive(Debug)]
pub(super) struct CheckedTransport<T>(T);

impl<T: Transport> Connector<T> for RequireCloseNotify {
    type Out = CheckedTransport<T>;

    fn connect(
        &self,
        _: &ConnectionDetails<'_>,
        chained: Option<T>,
    ) -> Result<Option<Self::Out>, Error> {
        Ok(chained.map(CheckedTransport))
    }
}

impl<T: Transport> Transport for CheckedTransport<T> {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.0.buffers()
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.0.transmit_output(amount, timeout)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.0.await_input(timeout).map_err(|error| match error {
            // `ureq` takes this kind of error for the end of the document.
            Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => Error::Io(
                io::Error::other("closed without close_notify, perhaps early"),
            ),
            error => error,
        })
    }

    fn is_open(&mut self) -> bool {
        self.0.is_open()
    }

    fn is_tls(&self) -> bool {
        self.0.is_tls()
    }
}

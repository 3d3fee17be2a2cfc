//! Documents in HTTP dumps, MIME messages and WARC archives: reading them, their base URLs, and replacing them.

mod archive;
mod http;
mod mbox;
mod mime;
mod places;
mod properties;
mod revisits;
mod transfer;
mod warc;

//! Documents inside HTTP dumps, MIME messages and WARC archives: found, with their base URLs, and put back.

mod support;

#[path = "containers/http.rs"]
mod http;
#[path = "containers/mime.rs"]
mod mime;
#[path = "containers/transfer.rs"]
mod transfer;
#[path = "containers/warc.rs"]
mod warc;

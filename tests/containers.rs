//! Documents in HTTP dumps, MIME messages and WARC archives: reading them, their base URLs, and replacing them.

#[path = "support/container_invariants.rs"]
mod container_invariants;
#[path = "support/process.rs"]
mod process;
mod support;

#[path = "containers/archive.rs"]
mod archive;
#[path = "containers/corpora.rs"]
mod corpora;
#[path = "containers/http.rs"]
mod http;
#[path = "containers/mbox.rs"]
mod mbox;
#[path = "containers/mime.rs"]
mod mime;
#[path = "containers/others.rs"]
mod others;
#[path = "containers/places.rs"]
mod places;
#[path = "containers/properties.rs"]
mod properties;
#[path = "containers/revisits.rs"]
mod revisits;
#[path = "containers/transfer.rs"]
mod transfer;
#[path = "containers/warc.rs"]
mod warc;

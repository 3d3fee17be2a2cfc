//! Payload digests of rewritten responses, for the `revisit` records that refer to them.
//!
//! A `revisit` record contains no payload: it refers to a response with the same payload, and readers find that
//! response by the payload digest (WARC 1.1 section 6.7). Rewriting the response changes its digest, so the digest of
//! later revisits must change with it.
//!
//! # Limits
//!
//! An archive is read once and in order, so a `revisit` record before its response, or in another archive, cannot be
//! updated. [`RecordForm::Conversion`](super::RecordForm::Conversion) changes no record and has no such limits. A
//! response from another URL is updated, too, but its relative links were resolved against its own URL.
//!
//! # Cost
//!
//! Memory for two digests and a URL for each rewritten response.

use std::collections::HashMap;

use absolve::{Edit, splice};

use crate::container::http::split_response;
use crate::container::warc::{NewRecord, WarcRecord};

/// The rewritten responses of an archive.
#[derive(Debug, Default)]
pub(super) struct RewrittenPayloads {
    /// By payload digest before rewriting, in lower case; in the order of the archive.
    by_digest: HashMap<String, Vec<RewrittenPayload>>,
}

/// The payload of a rewritten response.
#[derive(Debug)]
pub(super) struct RewrittenPayload {
    pub(super) target_uri: Option<String>,
    /// The payload digest after rewriting.
    digest: String,
    /// The length of the stored body before and after rewriting.
    body_lengths: (usize, usize),
}

impl RewrittenPayload {
    /// Returns `revisit`, which refers to this payload, for the rewritten payload.
    ///
    /// Its header fields of HTTP are those of the response, so a `Content-Length` changes, too.
    pub(super) fn revisit(&self, revisit: &WarcRecord) -> Option<NewRecord<'static>> {
        let block = revisit.block()?;
        let (old, new) = self.body_lengths;
        let mut edits = Vec::new();
        if let Ok(response) = split_response(block, 0) {
            for field in response.headers(block).all("Content-Length") {
                if block[field.value.start..field.value.end] == *old.to_string().as_bytes() {
                    edits.push(Edit::new(field.value, new.to_string()));
                }
            }
        }
        let block = splice(block, &edits).into_owned();
        Some(revisit.with_payload_of_other(&self.digest, block))
    }
}

impl RewrittenPayloads {
    /// Adds the response `record`, which now has the block `block` and the payload digest `digest`.
    pub(super) fn add(&mut self, record: &WarcRecord, block: &[u8], digest: String) {
        let Some(old) = payload_digest(record) else {
            return;
        };
        let target_uri = record.target_uri();
        let payloads = self.by_digest.entry(old).or_default();
        // An equal URL with an equal payload has an equal result.
        if !payloads
            .iter()
            .any(|payload| payload.target_uri == target_uri)
        {
            let body_len =
                |block| split_response(block, 0).map_or(0, |response| response.body.len());
            payloads.push(RewrittenPayload {
                target_uri,
                digest,
                body_lengths: (record.block().map_or(0, body_len), body_len(block)),
            });
        }
    }

    /// Returns the payload that `revisit` refers to: that of the URL it names, of its own URL, or the last one.
    pub(super) fn of(&self, revisit: &WarcRecord) -> Option<&RewrittenPayload> {
        let payloads = self.by_digest.get(&payload_digest(revisit)?)?;
        let of_url = |url: Option<String>| {
            let url = url?;
            payloads
                .iter()
                .rfind(|payload| payload.target_uri.as_ref() == Some(&url))
        };
        of_url(revisit.headers().text("WARC-Refers-To-Target-URI"))
            .or_else(|| of_url(revisit.target_uri()))
            .or(payloads.last())
    }
}

/// Returns the payload digest of a record, in lower case because writers differ.
fn payload_digest(record: &WarcRecord) -> Option<String> {
    let digest = record.headers().text("WARC-Payload-Digest")?;
    Some(digest.to_ascii_lowercase())
}

//! An example of a sink, for CONTRIBUTING: the number of links to each host, without writing anything.

use std::collections::BTreeMap;

use super::decision::Decider;
use super::fallback::Fallback;
use super::pass::Pass;
use super::simple::SimpleReference;
use super::sink::{Collected, Sink};
use super::source_text::{Segment, ValueSite};
use crate::document::Document;
use crate::markup::tokens::StartTag;
use crate::settings::RewriteSettings;
use crate::span::Span;
use crate::unsupported::Unsupported;

/// Counts the links to each host.
#[derive(Default)]
struct HostCounts {
    counts: BTreeMap<String, usize>,
}

impl<'t> Sink<'t> for HostCounts {
    /// No position is needed: lists take the general path, and what is not edited is not taken back.
    type Checkpoint = ();

    fn begin(&mut self) {
        self.counts.clear();
    }

    fn checkpoint(&mut self) {}

    fn rollback(&mut self, (): ()) {}

    fn push_simple(
        &mut self,
        _: &ValueSite<'_, 't>,
        _: &str,
        simple: &SimpleReference<'_>,
        _: impl Fn(Span) -> Option<Span>,
    ) -> bool {
        // All links take the general path, which reports their targets. That is slower, but simple.
        matches!(simple, SimpleReference::NoReference)
    }

    fn push(
        &mut self,
        _: &Segment<'_, 't>,
        _: Option<&StartTag<'t>>,
        collected: &mut Collected<'t>,
    ) -> Result<(), Fallback> {
        for link_report in collected.links.drain(..) {
            let Some(url) = link_report.target() else {
                continue;
            };
            let (_, rest) = url.split_once("://").unwrap_or_default();
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            *self.counts.entry(host.to_owned()).or_default() += 1;
        }
        collected.edits.clear();
        Ok(())
    }

    /// Returns 0: nothing is edited.
    fn edit_count(&self) -> usize {
        0
    }
}

/// Returns the number of links of `document` to each host.
fn host_counts(
    settings: &RewriteSettings,
    document: &Document<'_>,
) -> Result<BTreeMap<String, usize>, Unsupported> {
    let mut sink = HostCounts::default();
    let result = Pass::attempt(settings, document, |pass| {
        let source = pass.exact_text()?;
        pass.run(source.text(), &source, Decider::Keep, &mut sink)
    });
    match result {
        Err(Fallback::Unsupported(reason)) => Err(reason),
        // With exact text and a sink that writes nothing, there is no other reason to give up.
        Err(_) | Ok(_) => Ok(sink.counts),
    }
}

#[test]
fn host_counts_resolves_links_in_any_encoding() {
    let html = "<meta charset=shift_jis><a href=x>\u{65e5}</a><img srcset='/s 2x, //b/t 3x'>";
    let (bytes, ..) = encoding_rs::SHIFT_JIS.encode(html);
    let document = Document::new(&bytes).retrieved_from("http://a/d/e");
    let counts = host_counts(&RewriteSettings::default(), &document).expect("a supported encoding");
    let expected = [("a".to_owned(), 2), ("b".to_owned(), 1)];
    assert_eq!(counts, BTreeMap::from(expected));
}

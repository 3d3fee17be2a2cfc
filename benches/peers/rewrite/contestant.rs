//! The contestants: baselines, absolve and peers.
//!
//! Baselines do nothing with links. They show how much of the time is memory access.

use std::hint::black_box;
use std::ops::AddAssign;

use absolve::testing::Reader;
use absolve::tree::Tree;
use absolve::{BaseCandidates, BaseSource, LinkDetail, LinkObserver, ObservedLink, Outcome, Profile, Rewriter};

use super::corpus::Document;
use super::{html5ever_walk, lol};

/// A program to measure, which processes one document per call.
pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    /// Crate that determines the version.
    pub(crate) package: &'static str,
    pub(crate) run: Box<dyn FnMut(&Document) -> Work>,
}

/// The amount of work that a contestant did. The report shows it, so readers can check that the work is comparable.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Number of links rewritten or listed, or of `<` found.
    pub(crate) links: usize,
    /// Number of bytes written.
    pub(crate) written: usize,
    /// Number of documents that the contestant could not process.
    pub(crate) failed: usize,
}

impl Work {
    /// The work for a document that the contestant could not process.
    pub(crate) const FAILED: Self = Self {
        links: 0,
        written: 0,
        failed: 1,
    };
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.links += other.links;
        self.written += other.written;
        self.failed += other.failed;
    }
}

impl Contestant {
    fn new(
        name: &'static str,
        package: &'static str,
        run: impl FnMut(&Document) -> Work + 'static,
    ) -> Self {
        Self {
            name,
            package,
            run: Box::new(run),
        }
    }

    /// Returns all contestants, in the order of the report.
    pub(crate) fn all() -> Vec<Self> {
        vec![
            Self::new("memcpy", "std", memcpy()),
            Self::new("memcpy, new allocation", "std", memcpy_to_new_allocation),
            Self::new("memchr for <", "memchr", memchr),
            Self::new(
                "absolve rewrite",
                "absolve",
                rewrite(rewriter(Profile::Rfc1808)),
            ),
            Self::new(
                "absolve rewrite_into",
                "absolve",
                rewrite_into(rewriter(Profile::Rfc1808)),
            ),
            Self::new(
                "absolve rewrite, rfc3986",
                "absolve",
                rewrite(rewriter(Profile::Rfc3986)),
            ),
            Self::new(
                "absolve rewrite, whatwg",
                "absolve",
                rewrite(rewriter(Profile::Whatwg)),
            ),
            Self::new(
                "absolve rewrite, every link reported",
                "absolve",
                rewrite(Rewriter::new().link_detail(LinkDetail::All)),
            ),
            Self::new("absolve rewrite_observed", "absolve", rewrite_observed()),
            Self::new("absolve links", "absolve", links),
            Self::new(
                "absolve rewrite, reference reader",
                "absolve",
                rewrite(rewriter(Profile::Rfc1808).reader(Reader::Html5ever)),
            ),
            Self::new("absolve tree", "absolve", tree),
            Self::new("html5ever tree walk", "html5ever", html5ever_walk::rewrite),
            Self::new("lol_html selectors", "lol_html", lol::by_selectors()),
            Self::new("lol_html *", "lol_html", lol::by_any_element()),
        ]
    }
}

/// Returns the rewriter with the settings of the command.
fn rewriter(profile: Profile) -> Rewriter {
    Rewriter::new().profile(profile)
}

/// Copies into the same buffer each time.
fn memcpy() -> impl FnMut(&Document) -> Work {
    let mut copy = Vec::new();
    move |document| {
        copy.clear();
        copy.extend_from_slice(&document.bytes);
        Work {
            written: black_box(&copy).len(),
            ..Work::default()
        }
    }
}

/// Copies into a new allocation per document, as every function that returns a new document must.
fn memcpy_to_new_allocation(document: &Document) -> Work {
    Work {
        written: black_box(document.bytes.clone()).len(),
        ..Work::default()
    }
}

fn memchr(document: &Document) -> Work {
    let mut links = 0;
    for position in memchr::memchr_iter(b'<', &document.bytes) {
        black_box(position);
        links += 1;
    }
    Work {
        links,
        ..Work::default()
    }
}

/// Rewrites into the same buffer each time.
fn rewrite_into(rewriter: Rewriter) -> impl FnMut(&Document) -> Work {
    let mut output = Vec::new();
    move |document| {
        let input = absolve::Document::new(&document.bytes).retrieved_from(&document.url);
        output.clear();
        let appended = rewriter.rewrite_into(&input, &mut output, None);
        Work {
            links: appended.edited,
            written: black_box(&output).len(),
            failed: usize::from(appended.report.unsupported.is_some()),
        }
    }
}

/// Rewrites into the same buffer each time, and records each link in three numbers.
fn rewrite_observed() -> impl FnMut(&Document) -> Work {
    let rewriter = rewriter(Profile::Rfc1808);
    let (mut output, mut places) = (Vec::new(), LinkPlaces::default());
    move |document| {
        let input = absolve::Document::new(&document.bytes).retrieved_from(&document.url);
        output.clear();
        let summary = rewriter.rewrite_into(&input, &mut output, Some(&mut places));
        black_box(&places.0);
        Work {
            links: summary.edited,
            written: black_box(&output).len(),
            failed: usize::from(summary.report.unsupported.is_some()),
        }
    }
}

/// Start and end of each reference, and the length of the part of its target that is not in the document.
#[derive(Default)]
struct LinkPlaces(Vec<(usize, usize, usize)>);

impl LinkObserver for LinkPlaces {
    fn start_over(&mut self) {
        self.0.clear();
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        let span = link.span.unwrap_or_default();
        let written = match &link.outcome {
            Outcome::Resolved(target) => target.prefix.len(),
            Outcome::Absolute | Outcome::Skipped(_) => 0,
        };
        self.0.push((span.start, span.end, written));
    }
}

fn rewrite(rewriter: Rewriter) -> impl FnMut(&Document) -> Work {
    move |document| {
        let input = absolve::Document::new(&document.bytes).retrieved_from(&document.url);
        let rewritten = rewriter.rewrite(&input);
        Work {
            links: rewritten.edited,
            written: black_box(&rewritten.bytes).len(),
            failed: usize::from(rewritten.report.unsupported.is_some()),
        }
    }
}

fn links(document: &Document) -> Work {
    let input = absolve::Document::new(&document.bytes).retrieved_from(&document.url);
    let report = Rewriter::new().links(&input);
    Work {
        links: black_box(&report.links).len(),
        written: 0,
        failed: usize::from(report.unsupported.is_some()),
    }
}

fn tree(document: &Document) -> Work {
    let Ok(tree) = Tree::parse_bytes(&document.bytes, None) else {
        return Work::FAILED;
    };
    let candidates = BaseCandidates::new().with(BaseSource::Retrieval, &document.url);
    let report = absolve::tree::rewrite(&Rewriter::new(), &tree, &candidates, |_| absolve::Decision::Resolve);
    let resolved =
        |link_report: &&absolve::LinkReport<'_>| matches!(link_report.outcome, Outcome::Resolved(_));
    Work {
        links: report.links.iter().filter(resolved).count(),
        written: black_box(tree.serialize_bytes()).len(),
        failed: 0,
    }
}

//! The contestants: the floors, and absolve.

use std::hint::black_box;
use std::ops::AddAssign;

use absolve::{BaseCandidates, BaseSource, Profile, Reader, LinkDetail, Rewriter, Tree};

use super::corpus::Document;
use super::{html5ever_walk, lol};

/// Something that does its work on one document after the other.
pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) run: Box<dyn FnMut(&Document) -> Work>,
}

/// What a contestant is in the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It does nothing with links: no tool can be faster.
    Floor,
    /// It is ours.
    Own,
    /// It is another tool.
    Peer,
}

/// What a contestant did, so that one can see that it did it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// References written, links listed, or bytes found.
    pub(crate) links: usize,
    /// Bytes written.
    pub(crate) written: usize,
    /// Documents that it gave up.
    pub(crate) undone: usize,
}

impl Work {
    /// A document was given up.
    pub(crate) const UNDONE: Self = Self {
        links: 0,
        written: 0,
        undone: 1,
    };
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.links += other.links;
        self.written += other.written;
        self.undone += other.undone;
    }
}

impl Contestant {
    fn new(name: &'static str, kind: Kind, run: impl FnMut(&Document) -> Work + 'static) -> Self {
        Self {
            name,
            kind,
            run: Box::new(run),
        }
    }

    /// All of them.
    pub(crate) fn all() -> Vec<Self> {
        vec![
            Self::new("memcpy", Kind::Floor, memcpy()),
            Self::new("memcpy, new memory", Kind::Floor, memcpy_to_new_memory),
            Self::new("memchr of each <", Kind::Floor, memchr),
            Self::new("absolve", Kind::Own, rewrite(quiet(Profile::Rfc1808))),
            Self::new(
                "absolve, memory used again",
                Kind::Own,
                rewrite_into(quiet(Profile::Rfc1808)),
            ),
            Self::new(
                "absolve, rfc3986",
                Kind::Own,
                rewrite(quiet(Profile::Rfc3986)),
            ),
            Self::new(
                "absolve, whatwg",
                Kind::Own,
                rewrite(quiet(Profile::Whatwg)),
            ),
            Self::new(
                "absolve, every link told",
                Kind::Own,
                rewrite(Rewriter::new()),
            ),
            Self::new("absolve, links only", Kind::Own, links),
            Self::new(
                "absolve, reference reader",
                Kind::Own,
                rewrite(quiet(Profile::Rfc1808).reader(Reader::Reference)),
            ),
            Self::new("absolve, tree", Kind::Own, tree),
            Self::new("html5ever and a walk", Kind::Peer, html5ever_walk::rewrite),
            Self::new("lol_html, selectors", Kind::Peer, lol::by_selectors()),
            Self::new("lol_html, *", Kind::Peer, lol::by_any_element()),
        ]
    }
}

/// The rewriter as the command has it: nothing is told of links that came out well.
fn quiet(profile: Profile) -> Rewriter {
    Rewriter::new().profile(profile).link_detail(LinkDetail::SkippedOnly)
}

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

/// What it takes to have a copy at all, of which no byte was in memory before.
fn memcpy_to_new_memory(document: &Document) -> Work {
    Work {
        written: black_box(document.bytes.to_vec()).len(),
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

/// As [`rewrite`], into the same memory each time.
fn rewrite_into(rewriter: Rewriter) -> impl FnMut(&Document) -> Work {
    let mut output = Vec::new();
    move |document| {
        let input = absolve::Document::new(&document.bytes).retrieved_from(&document.url);
        output.clear();
        let appended = rewriter.rewrite_into(&input, &mut output);
        Work {
            links: appended.edited,
            written: black_box(&output).len(),
            undone: usize::from(appended.report.unsupported.is_some()),
        }
    }
}

fn rewrite(rewriter: Rewriter) -> impl FnMut(&Document) -> Work {
    move |document| {
        let input = absolve::Document::new(&document.bytes).retrieved_from(&document.url);
        let rewritten = rewriter.rewrite(&input);
        Work {
            links: rewritten.edited,
            written: black_box(&rewritten.bytes).len(),
            undone: usize::from(rewritten.report.unsupported.is_some()),
        }
    }
}

fn links(document: &Document) -> Work {
    let input = absolve::Document::new(&document.bytes).retrieved_from(&document.url);
    let report = Rewriter::new().links(&input);
    Work {
        links: black_box(&report.links).len(),
        written: 0,
        undone: usize::from(report.unsupported.is_some()),
    }
}

fn tree(document: &Document) -> Work {
    let Ok(tree) = Tree::parse_bytes(&document.bytes, None) else {
        return Work::UNDONE;
    };
    let candidates = BaseCandidates::new().with(BaseSource::Retrieval, &document.url);
    let report = Rewriter::new().rewrite_tree(&tree, &candidates);
    let resolved =
        |link_report: &&absolve::LinkReport<'_>| matches!(link_report.outcome, absolve::Outcome::Resolved(_));
    Work {
        links: report.links.iter().filter(resolved).count(),
        written: black_box(tree.serialize_bytes()).len(),
        undone: 0,
    }
}

//! Invariants of rewriting one document, shared by the property tests, the corpus tests and the fuzz targets.
//!
//! Every invariant is a function that takes the bytes of a document and its retrieval URL, and panics with the
//! document if the invariant does not hold. All of them accept any bytes, so each one also tests that nothing panics.
//!
//! | Function | Invariant |
//! |---|---|
//! | [`identity`] | With nothing to change, the output is the input, borrowed. |
//! | [`locality`] | Every byte outside the references is unchanged. |
//! | [`idempotence`] | Rewriting the output makes no further edit. |
//! | [`commuting`] | Parsing the output gives the tree that rewriting the parsed input gives. |
//! | [`deciding`] | `commuting`, with a callback that replaces, removes and keeps links. |
//! | [`spans`] | Spans are in bounds, ordered and disjoint, and each is exactly the reference. |
//! | [`absolute`] | Every reference of the output is absolute or was skipped, for the same reason as before. |
//!
//! [`style_sheet`] checks the same of CSS, except for commuting: a style sheet has no tree.

use std::borrow::Cow;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use absolve::tree::Tree;
use absolve::tree::markup5ever_rcdom::{Handle, NodeData};
use absolve::{
    BaseCandidates, BaseSource, Decision, Document, LinkReport, Outcome, Preset, Rewriter,
    Rewritten, SkipReason, Unsupported,
};
use encoding_rs::Encoding;

/// Retrieval URL for tests that do not depend on a particular one.
pub const URL: &str = "http://retrieval.example/dir/page.html?query#fragment";

fn document<'d>(bytes: &'d [u8], url: &'d str) -> Document<'d> {
    Document::new(bytes).retrieved_from(url)
}

/// Returns a rewriter with every preset on, so that every row of the link table is exercised.
fn rewriter() -> Rewriter {
    Preset::ALL
        .iter()
        .fold(crate::recording(), |rewriter, &preset| {
            rewriter.preset(preset)
        })
}

/// Formats the beginning of `bytes` for a failure message.
fn show(bytes: &[u8]) -> String {
    const MAX_LEN: usize = 2_000;
    format!(
        "{:?}",
        String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_LEN)])
    )
}

/// Identity: if no link is changed, the output is the input itself, borrowed.
///
/// Also asserts that the output is borrowed exactly if there are no edits, and that html5ever and this crate split
/// every tag alike (`mismatched_tags` is zero).
pub fn identity(bytes: &[u8], url: &str) {
    let rewritten = rewriter().rewrite_with(&document(bytes, url), |_| Decision::Keep);
    assert!(rewritten.edits.is_empty());
    let is_borrowed = matches!(rewritten.bytes, Cow::Borrowed(same) if std::ptr::eq(same, bytes));
    assert!(is_borrowed, "copied: {}", show(bytes));

    let rewritten = rewriter().rewrite(&document(bytes, url));
    let is_borrowed = matches!(rewritten.bytes, Cow::Borrowed(_));
    assert_eq!(is_borrowed, rewritten.edits.is_empty());
    if is_borrowed {
        assert_eq!(&*rewritten.bytes, bytes);
    }
    assert_eq!(
        rewritten.report.mismatched_tags,
        0,
        "a tag was not read: {}",
        show(bytes)
    );
}

/// Locality: every byte outside the references is unchanged.
///
/// The recorded edits are not consulted. The bytes between the links of the input are compared with the bytes between
/// the links that are found when the output is scanned again.
pub fn locality(bytes: &[u8], url: &str) {
    let rewritten = rewriter().rewrite(&document(bytes, url));
    let before = gaps(bytes, &rewritten.report.links);
    let after = rewriter().links(&document(&rewritten.bytes, url)).links;
    let mut after = gaps(&rewritten.bytes, &after);
    assert_eq!(
        before.len(),
        after.len(),
        "not as many links: {}",
        show(bytes)
    );
    for (index, before) in before.iter().enumerate() {
        // Two kinds of added bytes belong to the edited value, although they are outside its span:
        // - the equals sign and the quotes of an attribute that had no value before;
        // - the semicolon that terminates a character reference directly before the new text.
        for (unit, quote) in UNITS
            .iter()
            .flat_map(|unit| QUOTES.map(|quote| (unit, quote)))
        {
            let (equals_quote, quote) = (unit(&format!("={quote}")), unit(quote));
            let semicolon = unit(";");
            if let Some(rest) = after[index]
                .strip_suffix(&*equals_quote)
                .filter(|rest| *rest == *before)
                && let Some(next) = after
                    .get(index + 1)
                    .and_then(|next| next.strip_prefix(&*quote))
            {
                (after[index], after[index + 1]) = (rest, next);
            }
            if let Some(rest) = after[index]
                .strip_suffix(&*semicolon)
                .filter(|rest| *rest == *before)
            {
                assert!(ends_in_open_reference(rest), "in {}", show(bytes));
                after[index] = rest;
            }
        }
        assert_eq!(show(before), show(after[index]), "in {}", show(bytes));
        assert_eq!(*before, after[index]);
    }
}

/// A quotation mark added around a value, escaped once per level of `srcdoc` nesting.
const QUOTES: [&str; 4] = ["\"", "&quot;", "&amp;quot;", "&amp;amp;quot;"];

/// Encoders of ASCII text for ASCII-compatible encodings, UTF-16LE and UTF-16BE.
const UNITS: [fn(&str) -> Vec<u8>; 3] = [
    |text| text.as_bytes().to_vec(),
    |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
    |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
];

/// Returns whether `bytes` end in a character reference without a semicolon, at any level of escaping.
fn ends_in_open_reference(bytes: &[u8]) -> bool {
    // Drops the zero bytes of UTF-16, so that ASCII compares alike in every encoding.
    let bytes: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    let named = bytes.iter().rev();
    let name = named
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let bytes = &bytes[..bytes.len() - name];
    let bytes = bytes.strip_suffix(b"#").unwrap_or(bytes);
    name > 0 && (bytes.ends_with(b"&") || bytes.ends_with(b"amp;"))
}

/// Returns the bytes before, between and after the references.
fn gaps<'b>(bytes: &'b [u8], links: &[LinkReport<'_>]) -> Vec<&'b [u8]> {
    let mut gaps = Vec::with_capacity(links.len() + 1);
    let mut done = 0;
    for span in links.iter().filter_map(|link_report| link_report.link.span) {
        gaps.push(&bytes[done..span.start]);
        done = span.end;
    }
    gaps.push(&bytes[done..]);
    gaps
}

/// Idempotence: rewriting the rewritten document makes no edits.
pub fn idempotence(bytes: &[u8], url: &str) {
    let once = rewriter().rewrite(&document(bytes, url));
    let twice = rewriter().rewrite(&document(&once.bytes, url));
    assert!(
        twice.edits.is_empty(),
        "{:?} in {}, once {}",
        twice.edits,
        show(bytes),
        show(&once.bytes)
    );
}

/// Whether two trees were compared.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Made,
    /// The document has no tree, or its tree legitimately differs.
    NotMade,
}

impl Comparison {
    /// Returns [`Comparison::Made`] if both are.
    fn and(self, other: Self) -> Self {
        match self {
            Self::Made => other,
            Self::NotMade => self,
        }
    }
}

/// Number of documents, and of those whose trees were not compared.
#[derive(Debug, Default)]
pub struct Comparisons {
    documents: AtomicU64,
    not_made: AtomicU64,
}

impl Comparisons {
    pub fn count(&self, comparison: Comparison) {
        let not_made = comparison == Comparison::NotMade;
        self.documents.fetch_add(1, Ordering::Relaxed);
        self.not_made.fetch_add(not_made.into(), Ordering::Relaxed);
    }

    /// Prints the numbers, and asserts that at most `bound` in a thousand documents were not compared, give or take
    /// [`crate::deviation`].
    pub fn assert_not_made(&self, bound: u64, kind: &str) {
        let documents = self.documents.load(Ordering::Relaxed);
        let not_made = self.not_made.load(Ordering::Relaxed);
        let line = format!("{kind}: {documents} documents, trees of {not_made} not compared");
        // Past the output capture of the test harness. The line is only informative: ignore the error.
        let _ = writeln!(std::io::stderr(), "{line}");
        let most = (documents * bound).div_ceil(1000);
        assert!(not_made <= most + crate::deviation(most), "{line}");
    }
}

/// Commuting: parsing the rewritten document gives the same tree as rewriting the parsed document.
///
/// Not compared if
/// - a formatting element may be dropped, see [`may_drop_formatting`];
/// - the document cannot be parsed into a tree, because it is unsupported;
/// - no link of the document was written, because the output would be decoded differently;
/// - bytes left one of two links unchanged that are equal in a tree, see [`is_byte_only_skip`].
pub fn commuting(bytes: &[u8], url: &str) -> Comparison {
    commuting_in(&rewriter(), bytes, url, None)
}

/// Asserts that [`commuting`] holds with `rewriter`, and with the encoding that the transport declares.
pub fn commuting_in(
    rewriter: &Rewriter,
    bytes: &[u8],
    url: &str,
    encoding: Option<&str>,
) -> Comparison {
    let known = encoding.filter(|label| Encoding::for_label(label.as_bytes()).is_some());
    let encoding = known.or_else(|| decided_encoding(bytes));
    let rewritten = rewriter.rewrite(&document_in(bytes, url, encoding));
    let trees = Trees {
        rewriter,
        bytes,
        url,
        encoding,
    };
    trees.compare(&rewritten, |_| Decision::Resolve)
}

/// Returns the encoding to declare for a document that may have a query whose encoding only a browser decides: the
/// document keeps such a query, and a tree, which has no bytes, writes it in UTF-8.
fn decided_encoding(bytes: &[u8]) -> Option<&'static str> {
    let may_have_query = bytes.is_ascii() && bytes.contains(&b'?');
    // Character references, escapes of CSS and JSON, and U+FFFD for U+0000.
    let has_other_characters = bytes.iter().any(|byte| b"&\\\0".contains(byte));
    (may_have_query && has_other_characters).then_some("utf-8")
}

/// Returns [`document`] in the encoding that the transport declares.
fn document_in<'d>(bytes: &'d [u8], url: &'d str, encoding: Option<&'d str>) -> Document<'d> {
    let document = document(bytes, url);
    match encoding {
        Some(label) => document.encoding(label),
        None => document,
    }
}

/// A document whose tree is compared with that of the rewritten document.
struct Trees<'t> {
    rewriter: &'t Rewriter,
    bytes: &'t [u8],
    url: &'t str,
    encoding: Option<&'t str>,
}

impl Trees<'_> {
    /// Compares the tree of `rewritten` with the tree of the document, edited by the same decisions.
    fn compare(
        &self,
        rewritten: &Rewritten<'_>,
        decide: impl Fn(&LinkReport<'_>) -> Decision,
    ) -> Comparison {
        let bytes = self.bytes;
        if rewritten.report.unsupported == Some(Unsupported::AmbiguousMarkup) {
            // The tree of an unchanged document is the same. That of another tree could be edited: the markup may be in
            // a NOSCRIPT.
            assert_eq!(show(&rewritten.bytes), show(bytes));
            return Comparison::Made;
        }
        if rewritten.report.unwritten.is_some() {
            assert_eq!(show(&rewritten.bytes), show(bytes));
            return Comparison::NotMade;
        }
        let links = &rewritten.report.links;
        if may_drop_formatting(links, &decide) {
            return Comparison::NotMade;
        }
        let tree = match Tree::parse_bytes(bytes, self.encoding) {
            Ok(tree) => tree,
            // The fast reader needs no tree.
            Err(Unsupported::LimitExceeded(_)) => return Comparison::NotMade,
            Err(_) => {
                assert!(rewritten.report.unsupported.is_some(), "{}", show(bytes));
                return Comparison::NotMade;
            }
        };
        let outside = BaseCandidates::new().with(BaseSource::Retrieval, self.url);
        // A tree has no encoded bytes, so it could edit links that the document must leave unchanged.
        let (left, edited): (Vec<_>, Vec<_>) =
            links.iter().partition(|link| is_byte_only_skip(link));
        let is_left =
            |link_report: &LinkReport<'_>| left.iter().any(|left| is_same_link(left, link_report));
        if edited.into_iter().any(is_left) {
            return Comparison::NotMade;
        }
        let of_tree = absolve::tree::rewrite(self.rewriter, &tree, &outside, |link_report| {
            if is_left(link_report) {
                Decision::Keep
            } else {
                decide(link_report)
            }
        });
        for link_report in of_tree.links.iter().filter(|link| is_byte_only_skip(link)) {
            assert!(is_left(link_report), "{link_report:?} in {}", show(bytes));
        }
        let expected = events(&tree);
        let found = events(
            &Tree::parse_bytes(&rewritten.bytes, self.encoding).expect("a readable document"),
        );
        let context = || format!("in {}, rewritten {}", show(bytes), show(&rewritten.bytes));
        for (expected, found) in expected.iter().zip(&found) {
            assert_eq!(expected, found, "{}", context());
        }
        assert_eq!(expected.len(), found.len(), "{}", context());
        Comparison::Made
    }
}

/// Returns whether a link was skipped because of the encoding: the value cannot be cut out of the encoded bytes, or no
/// link was rewritten because the output would be decoded differently.
fn is_byte_only_skip(link_report: &LinkReport<'_>) -> bool {
    matches!(
        link_report.outcome,
        Outcome::Skipped(SkipReason::Undecodable | SkipReason::EncodingDeclaration)
    )
}

/// Returns whether editing may make the attributes of several formatting elements equal, to which the "Noah's Ark
/// clause" of the HTML standard applies.
///
/// The tree builder keeps at most three active formatting elements with equal names and attributes. Four that differ
/// in the input may be equal once they are rewritten, and then the two trees legitimately differ. Each of the four has
/// a link, unless its link was removed.
fn may_drop_formatting(
    links: &[LinkReport<'_>],
    decide: impl Fn(&LinkReport<'_>) -> Decision,
) -> bool {
    const FORMATTING: [&str; 13] = [
        "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
    ];
    FORMATTING.iter().any(|element| {
        let of_element = || {
            links
                .iter()
                .filter(|link_report| link_report.link.element == *element)
        };
        of_element().count() > 3
            || of_element().any(|link_report| decide(link_report) == Decision::Remove)
    })
}

/// Flattens a tree, template contents included, into one line for each node with all its data.
fn events(tree: &Tree) -> Vec<String> {
    enum Visit {
        Open(Handle),
        Close,
    }
    let mut events = Vec::new();
    let mut steps = vec![Visit::Open(tree.document().clone())];
    while let Some(step) = steps.pop() {
        let Visit::Open(node) = step else {
            events.push("close".to_owned());
            continue;
        };
        steps.push(Visit::Close);
        steps.extend(
            node.children
                .borrow()
                .iter()
                .rev()
                .map(|child| Visit::Open(child.clone())),
        );
        events.push(match &node.data {
            NodeData::Document => "document".to_owned(),
            NodeData::Doctype {
                name,
                public_id,
                system_id,
            } => format!(
                "doctype {:?} {:?} {:?}",
                &**name, &**public_id, &**system_id
            ),
            NodeData::Text { contents } => format!("text {:?}", &**contents.borrow()),
            NodeData::Comment { contents } => format!("comment {:?}", &**contents),
            NodeData::ProcessingInstruction { target, contents } => {
                format!("pi {target:?} {contents:?}")
            }
            NodeData::Element {
                name,
                attrs,
                template_contents,
                ..
            } => {
                if let Some(contents) = &*template_contents.borrow() {
                    steps.push(Visit::Open(contents.clone()));
                }
                let attributes = attrs.borrow();
                let attributes: Vec<_> = attributes
                    .iter()
                    .map(|attribute| (&attribute.name, &*attribute.value))
                    .collect();
                format!("element {name:?} {attributes:?}")
            }
        });
    }
    events
}

/// Number of references per document, evenly spaced, that [`spans`] replaces.
const CHECKED: usize = 6;

/// Spans: all spans are in bounds, ordered and disjoint, and that of a link is exactly the reference.
///
/// The latter is tested by replacing a few references in the source and scanning it again, see
/// [`replacement_is_read_back`].
pub fn spans(bytes: &[u8], url: &str) {
    let rewritten = rewriter().rewrite(&document(bytes, url));
    let mut done = 0;
    for edit in &rewritten.edits {
        assert!(
            done <= edit.span.start
                && edit.span.start <= edit.span.end
                && edit.span.end <= bytes.len()
        );
        done = edit.span.end;
    }
    let is_utf_8 = std::str::from_utf8(bytes).is_ok();
    let links = &rewritten.report.links;
    let mut done = 0;
    for link_report in links {
        let Some(span) = link_report.link.span else {
            assert!(
                !is_utf_8 || is_in_fragmented_text(link_report),
                "no span for {link_report:?} in {}",
                show(bytes)
            );
            continue;
        };
        assert!(
            done <= span.start && span.start <= span.end && span.end <= bytes.len(),
            "{link_report:?} in {}",
            show(bytes)
        );
        done = span.end;
    }
    // The replacement is written as ASCII bytes, which is wrong in UTF-16 and may change how other encodings decode.
    // `fixtures/rewrite/encoding-*` covers the spans in other encodings.
    let declares_an_encoding = bytes
        .windows(7)
        .any(|window| window.eq_ignore_ascii_case(b"charset"));
    let has_utf_16_bom = [&b"\xfe\xff"[..], b"\xff\xfe"]
        .iter()
        .any(|bom| bytes.starts_with(bom));
    // UTF-16 is also detected by its zero bytes.
    let has_zeros_at = |parity: usize| {
        let mut bytes = bytes.iter().skip(parity).step_by(2);
        bytes.all(|&byte| byte == 0)
    };
    let is_utf_16 = has_utf_16_bom || has_zeros_at(0) || has_zeros_at(1);
    if declares_an_encoding || is_utf_16 || !is_utf_8 {
        return;
    }
    let step = links.len().div_ceil(CHECKED).max(1);
    for index in (0..links.len()).step_by(step) {
        replacement_is_read_back(bytes, url, links, index);
    }
}

/// Returns whether the link is in fragmented text (an SVG `style` with markup in it), which has no span.
fn is_in_fragmented_text(link_report: &LinkReport<'_>) -> bool {
    link_report.link.element == "svg:style"
        && link_report.link.span.is_none()
        && !matches!(link_report.outcome, Outcome::Resolved(_))
}

/// Asserts that a reference written over the span of link `index` is read back, and that no other link changes.
///
/// This holds for every grammar and every level of escaping.
fn replacement_is_read_back(bytes: &[u8], url: &str, links: &[LinkReport<'_>], index: usize) {
    const OTHER: &str = "//other.example/x";
    // A document that is not parsed is no reference.
    let is_document = links[index].outcome == Outcome::Skipped(SkipReason::TooDeep);
    let Some(span) = links[index].link.span.filter(|_| !is_document) else {
        return;
    };
    let written = &bytes[span.start..span.end];
    if written.is_empty() {
        // The attribute may have no value at all, so there is nothing to replace.
        return;
    }
    let reference = links[index].link.reference.as_bytes();
    // Only these bytes can make the decoded reference differ from its source: character references, escapes of CSS
    // and JSON, normalized line breaks, and U+0000, which becomes U+FFFD.
    let has_escapes = written.iter().any(|byte| b"&\\\r\n\0".contains(byte));
    assert!(
        has_escapes || written == reference,
        "{:?} in {}",
        links[index],
        show(bytes)
    );
    let replaced = [&bytes[..span.start], OTHER.as_bytes(), &bytes[span.end..]].concat();
    let found = rewriter().links(&document(&replaced, url)).links;
    let references = |links: &[LinkReport<'_>]| -> Vec<String> {
        links
            .iter()
            .map(|link_report| link_report.link.reference.to_string())
            .collect()
    };
    let mut expected = references(links);
    OTHER.clone_into(&mut expected[index]);
    assert_eq!(
        references(&found),
        expected,
        "{:?} in {}",
        links[index],
        show(bytes)
    );
}

/// Absolute: every reference of the output is absolute, or is skipped for the same reason as before.
///
/// A resolved reference is the reported target, and an absolute one is unchanged.
pub fn absolute(bytes: &[u8], url: &str) {
    let rewritten = rewriter().rewrite(&document(bytes, url));
    let after = rewriter().links(&document(&rewritten.bytes, url)).links;
    assert_eq!(
        rewritten.report.links.len(),
        after.len(),
        "not as many links: {}",
        show(bytes)
    );
    for (before, after) in rewritten.report.links.iter().zip(&after) {
        let is_expected = match (&before.outcome, &after.outcome) {
            // These reasons arise while the document is written; listing the output need not report them.
            (
                Outcome::Skipped(
                    SkipReason::Undecodable
                    | SkipReason::EncodingDeclaration
                    | SkipReason::Unwritable
                    | SkipReason::UnknownOrigin,
                ),
                _,
            ) => is_same_link(before, after),
            (Outcome::Skipped(before), Outcome::Skipped(after)) => before == after,
            // The target has none of the line breaks of the reference, so it is read back exactly.
            (Outcome::Resolved(target), Outcome::Absolute) => *target == after.link.reference,
            (Outcome::Absolute, Outcome::Absolute) => before.link.reference == after.link.reference,
            _ => false,
        };
        assert!(
            is_expected,
            "{before:?} became {after:?} in {}",
            show(bytes)
        );
    }
}

/// Returns whether both reports describe the same link, except for its span.
fn is_same_link(a: &LinkReport<'_>, b: &LinkReport<'_>) -> bool {
    let key = |link_report: &LinkReport<'_>| {
        let link = link_report.link.clone().into_owned();
        (
            link.element,
            link.attribute,
            link.grammar,
            link.role,
            link.reference,
        )
    };
    key(a) == key(b)
}

/// Commuting with a callback: a document and its tree, edited by the same decisions, give the same tree.
///
/// The decision depends only on the link, so both ways of rewriting get the same one. See [`commuting`] for the
/// documents that are not compared.
pub fn deciding(bytes: &[u8], url: &str) -> Comparison {
    const TEXTS: [&str; 6] = [
        "",
        "x",
        "a\"b'c",
        " <d> & \r\n &amp; =`",
        "\u{e9}\u{4e2d}/",
        "'",
    ];
    let decide = |link_report: &LinkReport<'_>| {
        let link = &link_report.link;
        let length = link.reference.len() + link.element.len() + 3 * link.attribute.len();
        // A second BODY or HTML tag adds its attributes to the first element, if that lacks them. A document has both
        // tags, a tree has one element: removing an attribute from it would not restore that of the second tag.
        let merges = matches!(&*link.element, "body" | "html");
        match length % 4 {
            1 if merges => Decision::Keep,
            0 => Decision::Keep,
            1 => Decision::Remove,
            2 => Decision::Replace(TEXTS[length / 4 % TEXTS.len()].to_owned()),
            _ => Decision::Resolve,
        }
    };
    let rewriter = &rewriter();
    let encoding = decided_encoding(bytes);
    let rewritten = rewriter.rewrite_with(&document_in(bytes, url, encoding), decide);
    let trees = Trees {
        rewriter,
        bytes,
        url,
        encoding,
    };
    trees.compare(&rewritten, decide)
}

/// Asserts every invariant of documents, and returns whether `commuting` and `deciding` compared trees.
pub fn all(bytes: &[u8], url: &str) -> Comparison {
    for invariant in [identity, locality, idempotence, spans, absolute] {
        invariant(bytes, url);
    }
    commuting(bytes, url).and(deciding(bytes, url))
}

/// Asserts identity, locality, idempotence, spans and absolute for a style sheet.
pub fn style_sheet(bytes: &[u8], url: &str) {
    let sheet = |bytes| Document::style_sheet(bytes).retrieved_from(url);
    let rewritten = rewriter().rewrite(&sheet(bytes));
    assert_eq!(
        matches!(rewritten.bytes, Cow::Borrowed(_)),
        rewritten.edits.is_empty()
    );
    let links = &rewritten.report.links;
    let mut done = 0;
    for span in links.iter().filter_map(|link_report| link_report.link.span) {
        assert!(done <= span.start && span.start <= span.end && span.end <= bytes.len());
        done = span.end;
    }
    let again = rewriter().rewrite(&sheet(&rewritten.bytes));
    assert!(
        again.edits.is_empty(),
        "{:?} in {}",
        again.edits,
        show(bytes)
    );
    let before = gaps(bytes, links);
    let after = gaps(&rewritten.bytes, &again.report.links);
    assert_eq!(before, after, "in {}", show(bytes));
    for (before, after) in links.iter().zip(&again.report.links) {
        let is_expected = match (&before.outcome, &after.outcome) {
            (Outcome::Skipped(SkipReason::Undecodable), _) => {
                before.link.reference == after.link.reference
            }
            (Outcome::Skipped(before), Outcome::Skipped(after)) => before == after,
            (Outcome::Resolved(target), Outcome::Absolute) => *target == after.link.reference,
            (Outcome::Absolute, Outcome::Absolute) => before.link.reference == after.link.reference,
            _ => false,
        };
        assert!(
            is_expected,
            "{before:?} became {after:?} in {}",
            show(bytes)
        );
    }
}

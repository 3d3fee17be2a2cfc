//! What always holds, each a plain function: shared by the property tests, the corpus tests and the fuzz targets.
//!
//! Every function takes a document and the URL it was retrieved from, and panics with the reason if it does not hold.
#![allow(dead_code, reason = "each user uses its own part")]

use std::borrow::Cow;

use absolve::markup5ever_rcdom::{Handle, NodeData};
use absolve::{
    BaseCandidates, BaseSource, Decision, Document, LinkReport, Outcome, Preset, Rewriter,
    SkipReason, Tree,
};

/// The retrieval URL that tests use where none is at stake.
pub(crate) const URL: &str = "http://retrieval.example/dir/page.html?query#fragment";

fn document<'d>(bytes: &'d [u8], url: &'d str) -> Document<'d> {
    Document::new(bytes).retrieved_from(url)
}

/// Every link there is: what is off by default is read the same way.
fn rewriter() -> Rewriter {
    Preset::ALL
        .iter()
        .fold(Rewriter::new(), |rewriter, &preset| rewriter.preset(preset))
}

fn show(bytes: &[u8]) -> String {
    const LONGEST: usize = 2_000;
    format!(
        "{:?}",
        String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)])
    )
}

/// 1. With nothing to change the document comes back as it is, borrowed.
pub(crate) fn identity(bytes: &[u8], url: &str) {
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

/// 2. Every byte outside the references is unchanged, whatever the edits say: what stands between the links of the
///    document stands between the links of the rewritten one.
pub(crate) fn locality(bytes: &[u8], url: &str) {
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
        // An attribute without a value gets one: the equals sign and the quotes belong to the edited value. So does the
        // semicolon that a character reference right before the reference may need from now on.
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

/// The quotation mark that a value gets, in documents in attributes of one another.
const QUOTES: [&str; 4] = ["\"", "&quot;", "&amp;quot;", "&amp;amp;quot;"];

/// ASCII in encodings with units of one byte and of two.
const UNITS: [fn(&str) -> Vec<u8>; 3] = [
    |text| text.as_bytes().to_vec(),
    |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
    |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
];

/// Whether `bytes` end in a character reference without semicolon, however often its ampersand is escaped.
fn ends_in_open_reference(bytes: &[u8]) -> bool {
    // In UTF-16 every other byte is zero.
    let bytes: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
    let named = bytes.iter().rev();
    let name = named
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let bytes = &bytes[..bytes.len() - name];
    let bytes = bytes.strip_suffix(b"#").unwrap_or(bytes);
    name > 0 && (bytes.ends_with(b"&") || bytes.ends_with(b"amp;"))
}

/// What stands before, between and behind the references.
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

/// 3. Rewriting again changes nothing.
pub(crate) fn idempotence(bytes: &[u8], url: &str) {
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

/// 4. The tree of the rewritten document is the rewritten tree of the document.
pub(crate) fn commuting(bytes: &[u8], url: &str) {
    let rewritten = rewriter().rewrite(&document(bytes, url));
    let links = &rewritten.report.links;
    if has_formatting_link(links) {
        return;
    }
    let Ok(tree) = Tree::parse_bytes(bytes, None) else {
        return;
    };
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, url);
    let of_tree = rewriter().rewrite_tree(&tree, &outside).links;
    if left(links) != left(&of_tree) {
        // In a tree there are no bytes that could not be cut.
        return;
    }
    let expected = events(&tree);
    let found = events(&Tree::parse_bytes(&rewritten.bytes, None).expect("a readable document"));
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(
            expected,
            found,
            "in {}, rewritten {}",
            show(bytes),
            show(&rewritten.bytes)
        );
    }
    assert_eq!(
        expected.len(),
        found.len(),
        "in {}, rewritten {}",
        show(bytes),
        show(&rewritten.bytes)
    );
}

/// How many links were left because they could not be cut out of the document, or nothing was written at all.
fn left(links: &[LinkReport<'_>]) -> usize {
    let is_left = |link_report: &&LinkReport<'_>| {
        matches!(
            link_report.outcome,
            Outcome::Skipped(SkipReason::Undecodable | SkipReason::EncodingDeclaration)
        )
    };
    links.iter().filter(is_left).count()
}

/// Whether there is a link on an element of which the parser counts how many have the same attributes ("Noah's Ark
/// clause"): two that differ before may be the same after they were rewritten.
fn has_formatting_link(links: &[LinkReport<'_>]) -> bool {
    const FORMATTING: [&str; 13] = [
        "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
    ];
    links
        .iter()
        .any(|link_report| FORMATTING.contains(&&*link_report.link.element))
}

/// The nodes of a tree as one sequence, all their data included.
fn events(tree: &Tree) -> Vec<String> {
    enum ResolutionStep {
        Open(Handle),
        Close,
    }
    let mut events = Vec::new();
    let mut steps = vec![ResolutionStep::Open(tree.document().clone())];
    while let Some(step) = steps.pop() {
        let ResolutionStep::Open(node) = step else {
            events.push("close".to_owned());
            continue;
        };
        steps.push(ResolutionStep::Close);
        steps.extend(
            node.children
                .borrow()
                .iter()
                .rev()
                .map(|child| ResolutionStep::Open(child.clone())),
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
                    steps.push(ResolutionStep::Open(contents.clone()));
                }
                let attributes = attrs.borrow();
                let attributes: Vec<_> = attributes
                    .iter()
                    .map(|one| (&one.name, &*one.value))
                    .collect();
                format!("element {name:?} {attributes:?}")
            }
        });
    }
    events
}

/// How many references of a document are put to the test by replacing them.
const CHECKED: usize = 6;

/// 6. Spans are within the document, in order and disjoint, and each, cut out and read by a parser, is the reference;
///    so are the spans of the edits.
pub(crate) fn spans(bytes: &[u8], url: &str) {
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
                !is_utf_8 || is_scattered(link_report),
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
    // Other encodings are cut apart in the tests of the encodings.
    let declares_an_encoding = bytes
        .windows(7)
        .any(|window| window.eq_ignore_ascii_case(b"charset"));
    let has_mark = [&b"\xfe\xff"[..], b"\xff\xfe"]
        .iter()
        .any(|mark| bytes.starts_with(mark));
    if declares_an_encoding || has_mark || !is_utf_8 {
        return;
    }
    let step = links.len().div_ceil(CHECKED).max(1);
    for index in (0..links.len()).step_by(step) {
        stands_at_its_span(bytes, url, links, index);
    }
}

/// Whether the link is in text whose parts stand apart, which in a tree is not rewritten either.
fn is_scattered(link_report: &LinkReport<'_>) -> bool {
    link_report.link.element == "svg:style"
        && link_report.link.span.is_none()
        && !matches!(link_report.outcome, Outcome::Resolved(_))
}

/// What is put in the place of a reference is the reference then, and no other is another: whatever the value it
/// stands in, and however often it is escaped.
fn stands_at_its_span(bytes: &[u8], url: &str, links: &[LinkReport<'_>], index: usize) {
    const OTHER: &str = "//other.example/x";
    let Some(span) = links[index].link.span else {
        return;
    };
    let written = &bytes[span.start..span.end];
    if written.is_empty() {
        // There may be no value to stand in.
        return;
    }
    let plain = links[index].link.reference.as_bytes();
    let has_escapes = written.iter().any(|byte| b"&\\\r\n\0".contains(byte));
    assert!(
        has_escapes || written == plain,
        "{:?} in {}",
        links[index],
        show(bytes)
    );
    let other = [&bytes[..span.start], OTHER.as_bytes(), &bytes[span.end..]].concat();
    let found = rewriter().links(&document(&other, url)).links;
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

/// 7. After rewriting, no relative reference is left but those that were skipped, for the same reason as before.
pub(crate) fn absolute(bytes: &[u8], url: &str) {
    let rewritten = rewriter().rewrite(&document(bytes, url));
    let after = rewriter().links(&document(&rewritten.bytes, url)).links;
    assert_eq!(
        rewritten.report.links.len(),
        after.len(),
        "not as many links: {}",
        show(bytes)
    );
    for (before, after) in rewritten.report.links.iter().zip(&after) {
        let is_done = match (&before.outcome, &after.outcome) {
            // Known only once it is written.
            (
                Outcome::Skipped(
                    SkipReason::Undecodable
                    | SkipReason::EncodingDeclaration
                    | SkipReason::Unwritable,
                ),
                _,
            ) => is_same_link(before, after),
            (Outcome::Skipped(before), Outcome::Skipped(after)) => before == after,
            // The text between line breaks is joined when it is written, and read as it was written.
            (Outcome::Resolved(target), Outcome::Absolute) => *target == after.link.reference,
            (Outcome::Absolute, Outcome::Absolute) => before.link.reference == after.link.reference,
            _ => false,
        };
        assert!(is_done, "{before:?} became {after:?} in {}", show(bytes));
    }
}

/// Whether it is the same link, wherever it stands.
fn is_same_link(one: &LinkReport<'_>, other: &LinkReport<'_>) -> bool {
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
    key(one) == key(other)
}

/// 4, for whoever decides about each link: a document edited that way reads as a tree edited that way.
pub(crate) fn deciding(bytes: &[u8], url: &str) {
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
        // A second BODY or HTML gives the first one the attributes that it lacks: a tree knows one element, a document
        // two tags.
        let merges = matches!(&*link.element, "body" | "html");
        match length % 4 {
            1 if merges => Decision::Keep,
            0 => Decision::Keep,
            1 => Decision::Remove,
            2 => Decision::Replace(TEXTS[length / 4 % TEXTS.len()].to_owned()),
            _ => Decision::Resolve,
        }
    };
    let rewritten = rewriter().rewrite_with(&document(bytes, url), decide);
    let links = &rewritten.report.links;
    if rewritten.report.unwritten.is_some() || has_formatting_link(links) {
        return;
    }
    let Ok(tree) = Tree::parse_bytes(bytes, None) else {
        return;
    };
    let outside = BaseCandidates::new().with(BaseSource::Retrieval, url);
    let of_tree = rewriter().rewrite_tree_with(&tree, &outside, decide).links;
    if left(links) != left(&of_tree) {
        return;
    }
    let expected = events(&tree);
    let found = events(&Tree::parse_bytes(&rewritten.bytes, None).expect("a readable document"));
    assert_eq!(
        expected,
        found,
        "in {}, rewritten {}",
        show(bytes),
        show(&rewritten.bytes)
    );
}

/// Every invariant at once.
pub(crate) fn all(bytes: &[u8], url: &str) {
    for invariant in [
        deciding,
        identity,
        locality,
        idempotence,
        commuting,
        spans,
        absolute,
    ] {
        invariant(bytes, url);
    }
}

/// What holds for a style sheet: 1, 2, 3, 6 and 7.
pub(crate) fn style_sheet(bytes: &[u8], url: &str) {
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
        let is_done = match (&before.outcome, &after.outcome) {
            (Outcome::Skipped(SkipReason::Undecodable), _) => {
                before.link.reference == after.link.reference
            }
            (Outcome::Skipped(before), Outcome::Skipped(after)) => before == after,
            (Outcome::Resolved(target), Outcome::Absolute) => *target == after.link.reference,
            (Outcome::Absolute, Outcome::Absolute) => before.link.reference == after.link.reference,
            _ => false,
        };
        assert!(is_done, "{before:?} became {after:?} in {}", show(bytes));
    }
}

//! Agreement: every way of reading and rewriting a document gives the same result.
//!
//! Shared by the tests and the fuzz target.
//!
//! The crate has several drivers, chosen by the settings and by the document: the fast reader and the reference
//! reader (html5ever), the single pass and the general driver, a document in memory and a stream. Only speed and
//! memory may differ between them. [`agreement`] compares all of them on one document in one setting, and [`streams`]
//! compares the stream with the document in memory.

use std::io::{self, Cursor, Read};
use std::sync::LazyLock;

use crate::rewritten::apply;
use absolve::stream::{BufferedReason, StreamError, StreamReport};
use absolve::testing::Reader;
use absolve::{
    AbsoluteReferences, BailOut, Base, BaseElementPolicy, BaseOrigin, BaseScope, Decision,
    Document, FragmentPolicy, Grammar, LinkDetail, LinkObserver, LinkReport, LinkSelector,
    ObservedLink, Outcome, OutputForm, Preset, Profile, Report, Rewriter, Rewritten, Role,
    SkipReason, Span, Unsupported,
};

/// Retrieval URL of every document.
///
/// It contains `charset=`, which rewriting may write into the document, where it must not act as a declaration.
pub const URL: &str = "http://retrieval.example/charset=koi8-r/page.html?query#fragment";

/// Settings that take different code paths, each with a name for messages.
pub static SETTINGS: LazyLock<Vec<(&'static str, Rewriter)>> = LazyLock::new(|| {
    let all = || {
        Preset::ALL
            .iter()
            .copied()
            .fold(crate::recording(), Rewriter::preset)
    };
    let base = |policy| all().base_element(policy);
    vec![
        ("defaults", crate::recording()),
        ("all presets", all()),
        (
            "BASE anywhere",
            all()
                .profile(Profile::Whatwg)
                .base_scope(BaseScope::Document),
        ),
        (
            "every attribute of A, and custom rows",
            crate::recording()
                .link(selector("a[*]"), Grammar::Url)
                .link(selector("div[data-x]"), Grammar::Url)
                .link(selector("p[data-x=é][title]"), Grammar::Url)
                .link(selector("p[data-x^=\"é\"][lang]"), Grammar::Url)
                .link(selector("svg:*[viewBox]"), Grammar::Url)
                .link(selector("meta[content]"), Grammar::Url)
                .skip(selector("a[rel~=é][href]"))
                .skip(selector("img[src]")),
        ),
        (
            "custom rows only",
            crate::recording()
                .no_presets()
                .link(selector("object[classid]"), Grammar::Url)
                .link(selector("*[title]"), Grammar::Url)
                .link(selector("svg:style[#text]"), Grammar::Css),
        ),
        (
            "removed attributes",
            [
                "img[*]",
                "*[class]",
                "a[rel~=é][href]",
                "*[style]",
                "*[type]",
                "font[*]",
                "*[href]",
                "math:*[encoding]",
            ]
            .into_iter()
            .fold(all(), |rewriter, text| {
                rewriter.remove_attribute(selector(text))
            }),
        ),
        (
            "removed elements",
            [
                "script",
                "noscript",
                "style[type]",
                "img",
                "meta[name]",
                "link",
                "iframe",
                "#comment",
            ]
            .into_iter()
            .fold(all(), |rewriter, text| {
                rewriter.remove(text).expect("a selector")
            }),
        ),
        (
            "inserted markup",
            ["head", "head-end", "body-end"]
                .into_iter()
                .fold(all(), |rewriter, place| {
                    let markup = "<script src=x>y</script>";
                    rewriter
                        .with_option("insert", place, markup)
                        .expect("complete markup")
                }),
        ),
        ("insert BASE", base(BaseElementPolicy::Insert)),
        ("remove BASE", base(BaseElementPolicy::Remove)),
        ("keep BASE", base(BaseElementPolicy::Keep)),
        (
            "automatic fragments",
            all()
                .fragments(FragmentPolicy::Auto)
                .base_origin(BaseOrigin::Same),
        ),
        (
            "relative output",
            all()
                .fragments(FragmentPolicy::Keep)
                .output(OutputForm::Relative)
                .absolute_references(AbsoluteReferences::Normalize)
                .map("http://retrieval.example/", "http://other.example/a/"),
        ),
        (
            "moved documents",
            all().output(OutputForm::Relative).map_url(
                "http://retrieval.example/charset=koi8-r/page.html?query",
                "http://other.example/a/",
            ),
        ),
        (
            "kept values",
            all().keep_original("data-original").expect("a name"),
        ),
        (
            "unknown origin",
            base(BaseElementPolicy::Keep)
                .output(OutputForm::RootRelative)
                .unknown_origin("http://retrieval.example"),
        ),
        (
            "unknown origin, absolute output",
            base(BaseElementPolicy::Keep).unknown_origin("http://retrieval.example"),
        ),
        ("placeholders", all().placeholders(["/", "b"])),
    ]
});

fn selector(text: &str) -> LinkSelector {
    text.parse().expect(text)
}

/// Agreement: with `rewriter`, all drivers report the same links and write the same bytes for the document.
///
/// Compared are the fast reader and the reference reader, recording all links and skipped links only, with and
/// without a callback, listing and rewriting, into a buffer of the caller, and as a stream (see [`streams`]). `name`
/// is for messages, `encoding` is the encoding that the transport declares.
///
/// Returns the reason if the fast reader bailed out.
pub fn agreement(
    bytes: &[u8],
    encoding: Option<&str>,
    (name, rewriter): &(&str, Rewriter),
) -> Option<BailOut> {
    // What a driver records is compared with all links.
    let rewriter = &rewriter.clone().link_detail(LinkDetail::All);
    let document = Document::new(bytes).retrieved_from(URL);
    let document = match encoding {
        Some(label) => document.encoding(label),
        None => document,
    };
    let rewrite = |reader, detail| {
        let rewriter = rewriter.clone().reader(reader).link_detail(detail);
        rewriter.rewrite(&document)
    };
    let reference = rewrite(Reader::Html5ever, LinkDetail::All);
    let fast = rewrite(Reader::Fast, LinkDetail::All);
    let direct = rewrite(Reader::Fast, LinkDetail::SkippedOnly);
    // With a callback, the fast path for simple references is off.
    let decided = rewriter
        .clone()
        .reader(Reader::Fast)
        .rewrite_with(&document, |_| Decision::Resolve);
    let context = || describe(name, encoding, bytes);

    let bail_out = fast.report.bail_out;
    assert_eq!(reference.report.bail_out, None, "{}", context());
    same(&decided.report, &fast.report, "findings, decided", context);
    let mut fast_report = fast.report;
    fast_report.bail_out = None;
    same(
        &fast_report.base,
        &reference.report.base,
        "base URL",
        context,
    );
    same(
        &fast_report.links,
        &reference.report.links,
        "links",
        context,
    );
    same(&fast_report.tags, &reference.report.tags, "tags", context);
    same(&fast_report, &reference.report, "findings", context);
    same(&fast.edits, &reference.edits, "edits", context);
    same(&fast.edited, &reference.edited, "number of edits", context);
    same(&fast.bytes, &reference.bytes, "bytes", context);

    let listed = rewriter.clone().reader(Reader::Fast).links(&document);
    let kept = rewriter
        .clone()
        .reader(Reader::Fast)
        .rewrite_with(&document, |_| Decision::Keep);
    // A callback does not keep attributes and elements from being removed, which is perhaps not written.
    if !name.starts_with("removed") || kept.report.unwritten.is_none() {
        same(&listed, &kept.report, "links, listed", context);
    }
    same(&decided.edits, &fast.edits, "edits, decided", context);
    same(&decided.bytes, &fast.bytes, "bytes, decided", context);

    let is_skipped =
        |link_report: &&LinkReport<'_>| matches!(link_report.outcome, Outcome::Skipped(_));
    let skipped = fast_report
        .links
        .iter()
        .filter(is_skipped)
        .cloned()
        .collect();
    same(&direct.report.links, &skipped, "links skipped", context);
    let counts = (fast_report.counts, direct.report.counts);
    same(&counts.1, &counts.0, "counts", context);
    same(
        &totals(&direct.report),
        &totals(&fast_report),
        "findings, skipped",
        context,
    );
    same(&direct.report.bail_out, &bail_out, "bail-out", context);
    same(
        &direct.edited,
        &fast.edited,
        "number of edits, skipped",
        context,
    );
    same(&direct.bytes, &fast.bytes, "bytes, skipped", context);
    assert!(direct.edits.is_empty(), "{}", context());
    let mut appended = b"<a href=before>".to_vec();
    let recording_edits = rewriter.clone().link_detail(LinkDetail::Edits);
    let appending = recording_edits.rewrite_into(&document, &mut appended, None);
    same(
        &(&appending.report, appending.edited),
        &(&direct.report, direct.edited),
        "findings, appended",
        context,
    );
    let expected = [b"<a href=before>", &*direct.bytes].concat();
    same(&appended, &expected, "bytes, appended", context);
    // Where an edit ends within a reference may differ, but its effect is the same.
    let count = appending.edits.len();
    same(&count, &fast.edits.len(), "number of edits listed", context);
    let edited = apply(bytes, &appending.edits);
    same(&edited, &direct.bytes.to_vec(), "bytes, by edits", context);
    observers(&document, rewriter, (&listed, &fast_report), context);
    streams(bytes, encoding, &(name, rewriter.clone()));
    bail_out
}

/// Returns the fields of a report that do not depend on the links that are recorded.
///
/// The input of `check` is left out: it is complete only if all links are recorded.
fn totals(report: &Report<'_>) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        report.base.clone(),
        report.unsupported,
        report.unwritten,
        report.tags,
        report.mismatched_tags,
        report.counts,
    )
}

/// Asserts that observers receive the links of `listed` and, when the document is rewritten, those of `rewritten`.
fn observers(
    document: &Document<'_>,
    rewriter: &Rewriter,
    (listed, rewritten): (&Report<'_>, &Report<'_>),
    context: impl Fn() -> String + Copy,
) {
    let records = |report: &Report<'_>| report.links.iter().map(Record::of_report).collect();
    let mut records_of_list = Records::default();
    let observed = rewriter.observe(document, &mut records_of_list);
    let expected: Vec<Record> = records(listed);
    same(
        &records_of_list.links,
        &expected,
        "links, observed",
        context,
    );
    same(
        &observed.counts,
        &listed.counts,
        "counts, observed",
        context,
    );
    same(&observed.base, &listed.base, "base URL, observed", context);

    let (mut written, mut observed) = (Vec::new(), Vec::new());
    let mut records_of_rewriting = Records::default();
    let plain = rewriter.clone().link_detail(LinkDetail::SkippedOnly);
    let expected_summary = plain.rewrite_into(document, &mut written, None);
    let summary = plain.rewrite_into(document, &mut observed, Some(&mut records_of_rewriting));
    let expected: Vec<Record> = records(rewritten);
    same(
        &records_of_rewriting.links,
        &expected,
        "links, observed while rewriting",
        context,
    );
    same(
        &(totals(&summary.report), summary.edited),
        &(totals(&expected_summary.report), expected_summary.edited),
        "findings, observed while rewriting",
        context,
    );
    same(&observed, &written, "bytes, observed", context);

    let mut by_reference = Records::default();
    let reference = rewriter.clone().reader(Reader::Html5ever);
    reference.observe(document, &mut by_reference);
    let start_tags = &by_reference.start_tags;
    for other in [&records_of_list, &records_of_rewriting] {
        same(&other.start_tags, start_tags, "start tags", context);
    }
    for (record, start_tag) in by_reference.links.iter().zip(start_tags) {
        let contains = |tag: &Span, link: Span| tag.start < link.start && link.end < tag.end;
        let is_in_tag = start_tag
            .zip(record.span)
            .is_none_or(|(tag, link)| record.names[1] == "#text" || contains(&tag, link));
        same(&is_in_tag, &true, "start tag around the link", context);
        let is_tag = start_tag.is_none_or(|tag| {
            let bytes = &document.bytes()[tag.start..tag.end];
            // In ISO-2022-JP, an escape sequence and an incomplete character belong to the character after them.
            let may_begin_before = listed.encoding == Some("ISO-2022-JP");
            let is_utf16 = bytes.starts_with(b"\0<");
            bytes.starts_with(b"<") || is_utf16 || (may_begin_before && bytes.contains(&b'<'))
        });
        same(&is_tag, &true, "start tag", context);
    }
}

/// What an observer receives of a link, in a form that both kinds of records have.
#[derive(Debug, PartialEq, Eq)]
struct Record {
    names: [String; 2],
    grammar: Grammar,
    role: Role,
    reference: String,
    span: Option<Span>,
    outcome: Outcome,
    base: Option<Base>,
    depth: usize,
}

impl Record {
    fn of_report(link_report: &LinkReport<'_>) -> Self {
        let link = &link_report.link;
        Self {
            names: [&link.element, &link.attribute].map(ToString::to_string),
            grammar: link.grammar,
            role: link.role,
            reference: link.reference.to_string(),
            span: link.span,
            outcome: link_report.outcome.clone(),
            base: link_report.base.as_deref().cloned(),
            depth: link_report.depth,
        }
    }
}

/// An observer that records what it receives.
#[derive(Default)]
struct Records {
    links: Vec<Record>,
    /// The start tag of the element of each link.
    start_tags: Vec<Option<Span>>,
}

impl LinkObserver for Records {
    fn start_over(&mut self) {
        self.links.clear();
        self.start_tags.clear();
    }

    fn link(&mut self, link: &ObservedLink<'_>) {
        self.start_tags.push(link.start_tag);
        self.links.push(Record {
            names: [&*link.element, link.attribute].map(str::to_owned),
            grammar: link.grammar,
            role: link.role,
            reference: link.reference.to_owned(),
            span: link.span,
            outcome: match &link.outcome {
                Outcome::Resolved(target) => Outcome::Resolved(target.to_string()),
                Outcome::Absolute => Outcome::Absolute,
                Outcome::Skipped(reason) => Outcome::Skipped(*reason),
            },
            base: link.base.cloned(),
            depth: link.depth,
        });
    }
}

/// Formats a document and its setting for a failure message.
fn describe(name: &str, encoding: Option<&str>, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    format!(
        "with {name}, {encoding:?}: {text:?}\n{}",
        bytes.escape_ascii()
    )
}

/// Prefixes that make any document eligible for streaming.
///
/// Each is longer than the 1024 bytes in which a declaration of the encoding counts. The second and the third end
/// HEAD, so that the base URL is known after them.
static PREFIXES: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let space = " ".repeat(1024);
    [
        format!("<!--{space}-->"),
        format!("<title>t</title><p><a href=../a?b=&eacute;>{space}</a>"),
        format!("<base href=x/y/><body background=g>{space}<plaintex><svg><g></g></svg>"),
    ]
    .map(String::into_bytes)
});

/// Agreement of streams: the document, after one of [`PREFIXES`], is rewritten alike in memory and as a stream.
///
/// The prefix, the encoding and the length of the chunks depend on a hash of the bytes. Returns the reason if the
/// document was buffered as a whole.
pub fn streams(
    bytes: &[u8],
    encoding: Option<&str>,
    (name, rewriter): &(&str, Rewriter),
) -> Option<BufferedReason> {
    let hash = hash(bytes);
    let bytes = &[&PREFIXES[hash % 3], bytes].concat();
    // A document of unknown encoding is always buffered, so a few of them are enough.
    let encoding = encoding.or((!hash.is_multiple_of(16)).then_some("utf-8"));
    let window = [1, 7, 50, 1000][hash / 3 % 4];
    streams_in_windows(bytes, encoding, &(name, rewriter.clone()), window)
}

/// Asserts that the document itself is rewritten alike in memory and as a stream.
///
/// The stream has chunks of `window` bytes. Returns the reason if it was buffered as a whole.
pub fn streams_in_windows(
    bytes: &[u8],
    encoding: Option<&str>,
    (name, rewriter): &(&str, Rewriter),
    window: usize,
) -> Option<BufferedReason> {
    let document = |bytes| {
        let document = Document::new(bytes).retrieved_from(URL);
        match encoding {
            Some(label) => document.encoding(label),
            None => document,
        }
    };
    let whole = document(bytes);
    let rewriter = rewriter
        .clone()
        .link_detail(LinkDetail::SkippedOnly)
        .chunk_len(window);
    let expected = rewriter.rewrite(&whole);
    // For odd chunk lengths the caller has read a third of the document already.
    let (known, rest) = bytes.split_at(bytes.len() / 3 * (window % 2));
    let rest = Stuttering {
        rest,
        state: hash(bytes) | 1,
    };
    let spool = || Ok(Cursor::new(Vec::new()));
    let mut output = Vec::new();
    let streamed = rewriter.rewrite_stream(&document(known), rest, spool, &mut output);
    let context = || format!("in chunks of {window}, {}", describe(name, encoding, bytes));
    let streamed = match streamed {
        // Known only after a part was written. The caller discards that part.
        Err(StreamError::Unsupported(reason))
            if expected.report.unsupported == Some(reason)
                && reason == Unsupported::AmbiguousMarkup =>
        {
            return None;
        }
        streamed => streamed.unwrap_or_else(|error| panic!("{error}\n{}", context())),
    };
    same(
        &output,
        &expected.bytes.to_vec(),
        "bytes, streamed",
        context,
    );
    let lengths = (streamed.read, streamed.written);
    let actual = (bytes.len() as u64, output.len() as u64);
    same(&lengths, &actual, "lengths", context);
    let is_changed = *expected.bytes != *bytes;
    same(&streamed.is_changed, &is_changed, "change", context);
    same(
        &streamed.edited,
        &expected.edited,
        "edits, streamed",
        context,
    );
    same_report(&streamed, &expected, context);
    streamed.buffered
}

/// Asserts that the report of a stream and that of the document in memory agree, skip reasons included.
fn same_report(streamed: &StreamReport, expected: &Rewritten<'_>, context: impl Fn() -> String) {
    let (report, expected) = (&streamed.report, &expected.report);
    same(&report.base, &expected.base, "base URL", &context);
    same(&report.counts, &expected.counts, "counts", &context);
    let totals = |report: &Report<'_>| (report.tags, report.mismatched_tags, report.unsupported);
    same(&totals(report), &totals(expected), "tags", &context);
    same(
        &report.unwritten,
        &expected.unwritten,
        "unwritten",
        &context,
    );
    assert!(report.links.is_empty(), "{}", context());
    let mut reasons: Vec<SkipReason> = Vec::new();
    for link_report in &expected.links {
        if let Outcome::Skipped(reason) = link_report.outcome {
            reasons.push(reason);
        }
    }
    let counted: usize = streamed.skipped.iter().map(|skipped| skipped.count).sum();
    same(&counted, &reasons.len(), "number of reasons", &context);
    for skipped in &streamed.skipped {
        let is_equal = |reason: &&SkipReason| **reason == skipped.reason;
        let count = reasons.iter().filter(is_equal).count();
        same(&skipped.count, &count, skipped.reason.name(), &context);
    }
}

/// A reader that returns a few bytes at a time, or [`io::ErrorKind::Interrupted`].
struct Stuttering<'b> {
    rest: &'b [u8],
    state: usize,
}

impl Read for Stuttering<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.state = self
            .state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(1);
        let chosen = self.state >> 33;
        if chosen.is_multiple_of(8) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = buffer.len().min(chosen / 8 % 900 + 1);
        self.rest.read(&mut buffer[..length])
    }
}

/// Returns a hash of the bytes, from which the tests choose settings reproducibly.
fn hash(bytes: &[u8]) -> usize {
    bytes.iter().fold(bytes.len(), |hash, &byte| {
        hash.wrapping_mul(31).wrapping_add(byte.into())
    })
}

/// Asserts that two values are equal; `context` is only called if they are not.
#[track_caller]
fn same<T: PartialEq + std::fmt::Debug>(
    found: &T,
    expected: &T,
    what: &str,
    context: impl Fn() -> String,
) {
    assert!(
        found == expected,
        "{what}:\n   {found:?}\nis {expected:?}\n{}",
        context()
    );
}

/// Asserts [`agreement`] in every setting, and returns the first bail-out.
pub fn in_every_setting(bytes: &[u8], encoding: Option<&str>) -> Option<BailOut> {
    SETTINGS
        .iter()
        .map(|setting| agreement(bytes, encoding, setting))
        .fold(None, Option::or)
}

/// Asserts [`agreement`] in the default setting and in one other.
///
/// The other setting, and the encoding that the transport declares with it, depend on a hash of the bytes.
pub fn in_some_settings(bytes: &[u8]) {
    const LABELS: [&str; 6] = [
        "shift_jis",
        "gb18030",
        "windows-1251",
        "big5",
        "utf-16le",
        "euc-kr",
    ];
    let hash = hash(bytes);
    let encoding = LABELS.get(hash % 16).copied();
    agreement(bytes, None, &SETTINGS[0]);
    agreement(bytes, encoding, &SETTINGS[hash / 16 % SETTINGS.len()]);
}

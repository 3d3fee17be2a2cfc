//! The fast reader and the reference reader agree, and so do the two ways of rewriting: shared by the tests and the fuzz
//! target.
#![allow(dead_code, reason = "each user uses its own part")]

use std::io::{self, Cursor, Read};
use std::sync::LazyLock;

use absolve::{
    AbsoluteReferences, BailOut, BaseElementPolicy, BaseScope, BufferedReason, Decision, Document,
    FragmentPolicy, Grammar, LinkDetail, LinkReport, LinkSelector, Outcome, OutputForm, Preset,
    Profile, Reader, Report, Rewriter, Rewritten, SkipReason, StreamReport,
};

/// The retrieval URL; rewriting may write its words into the document.
pub(crate) const URL: &str = "http://retrieval.example/charset=koi8-r/page.html?query#fragment";

/// Settings that read or write documents in another way than others, each with a name for messages.
pub(crate) static SETTINGS: LazyLock<Vec<(&'static str, Rewriter)>> = LazyLock::new(|| {
    let all = || {
        Preset::ALL
            .iter()
            .copied()
            .fold(Rewriter::new(), Rewriter::preset)
    };
    let base = |policy| all().base_element(policy);
    vec![
        ("defaults", Rewriter::new()),
        ("all presets", all()),
        (
            "BASE anywhere",
            all()
                .profile(Profile::Whatwg)
                .base_scope(BaseScope::Document),
        ),
        (
            "every attribute of A, and rows of one's own",
            Rewriter::new()
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
            "rows of one's own alone",
            Rewriter::new()
                .no_presets()
                .link(selector("object[classid]"), Grammar::Url)
                .link(selector("*[title]"), Grammar::Url)
                .link(selector("svg:style[#text]"), Grammar::Css),
        ),
        ("BASE put in", base(BaseElementPolicy::Insert)),
        ("BASE taken out", base(BaseElementPolicy::Remove)),
        ("BASE kept", base(BaseElementPolicy::Keep)),
        (
            "fragments as the base URL says",
            all().fragments(FragmentPolicy::Auto),
        ),
        (
            "relative",
            all()
                .fragments(FragmentPolicy::Keep)
                .output(OutputForm::Relative)
                .absolute_references(AbsoluteReferences::Normalize)
                .map("http://retrieval.example/", "http://other.example/a/"),
        ),
        ("placeholders", all().placeholders(["/", "b"])),
    ]
});

fn selector(text: &str) -> LinkSelector {
    text.parse().expect(text)
}

/// With `rewriter`, the document reads the same with both readers, and is rewritten the same with all links recorded and
/// with those that are skipped; why the fast reader gave up, if it did.
///
/// `name` is for messages; `encoding` is what the transport says.
pub(crate) fn agreement(
    bytes: &[u8],
    encoding: Option<&str>,
    (name, rewriter): &(&str, Rewriter),
) -> Option<BailOut> {
    let document = Document::new(bytes).retrieved_from(URL);
    let document = match encoding {
        Some(label) => document.encoding(label),
        None => document,
    };
    let rewrite = |reader, detail| {
        let rewriter = rewriter.clone().reader(reader).link_detail(detail);
        rewriter.rewrite(&document)
    };
    let reference = rewrite(Reader::Reference, LinkDetail::All);
    let fast = rewrite(Reader::Fast, LinkDetail::All);
    let direct = rewrite(Reader::Fast, LinkDetail::SkippedOnly);
    // Where it is asked about each link, no reference is taken for a plain one.
    let asked = rewriter
        .clone()
        .reader(Reader::Fast)
        .rewrite_with(&document, |_| Decision::Resolve);
    let place = || {
        let text = String::from_utf8_lossy(bytes);
        format!(
            "with {name}, {encoding:?}: {text:?}\n{}",
            bytes.escape_ascii()
        )
    };

    let bail_out = fast.report.bail_out;
    assert_eq!(reference.report.bail_out, None, "{}", place());
    same(&asked.report, &fast.report, "findings, asked", place);
    let mut of_fast = fast.report;
    of_fast.bail_out = None;
    same(&of_fast.base, &reference.report.base, "base URL", place);
    same(&of_fast.links, &reference.report.links, "links", place);
    same(&of_fast.tags, &reference.report.tags, "tags", place);
    same(&of_fast, &reference.report, "findings", place);
    same(&fast.edits, &reference.edits, "edits", place);
    same(&fast.edited, &reference.edited, "number of edits", place);
    same(&fast.bytes, &reference.bytes, "bytes", place);

    let listed = rewriter.clone().reader(Reader::Fast).links(&document);
    let kept = rewriter
        .clone()
        .reader(Reader::Fast)
        .rewrite_with(&document, |_| Decision::Keep);
    same(&listed, &kept.report, "links, listed", place);
    same(&asked.edits, &fast.edits, "edits, asked", place);
    same(&asked.bytes, &fast.bytes, "bytes, asked", place);

    let is_skipped =
        |link_report: &&LinkReport<'_>| matches!(link_report.outcome, Outcome::Skipped(_));
    let skipped = of_fast.links.iter().filter(is_skipped).cloned().collect();
    same(&direct.report.links, &skipped, "links skipped", place);
    let counts = (of_fast.counts, direct.report.counts);
    same(&counts.1, &counts.0, "counts", place);
    // Only checking asks about what else there is, and has all links recorded.
    let found = |report: &Report<'_>| {
        (
            report.base.clone(),
            report.unsupported,
            report.unwritten,
            report.tags,
            report.mismatched_tags,
        )
    };
    same(
        &found(&direct.report),
        &found(&of_fast),
        "findings, skipped",
        place,
    );
    same(&direct.report.bail_out, &bail_out, "bail-out", place);
    same(
        &direct.edited,
        &fast.edited,
        "number of edits, skipped",
        place,
    );
    same(&direct.bytes, &fast.bytes, "bytes, skipped", place);
    assert!(direct.edits.is_empty(), "{}", place());
    let mut appended = b"<a href=before>".to_vec();
    let into = rewriter.clone().link_detail(LinkDetail::SkippedOnly);
    let appending = into.rewrite_into(&document, &mut appended);
    same(
        &(&appending.report, appending.edited, &appending.edits),
        &(&direct.report, direct.edited, &direct.edits),
        "findings and edits, appended",
        place,
    );
    let expected = [b"<a href=before>", &*direct.bytes].concat();
    same(&appended, &expected, "bytes, appended", place);
    streams(bytes, encoding, &(name, rewriter.clone()));
    bail_out
}

/// What a document may begin with whose rest is as good as any: it is long enough for the encoding to be known behind
/// it, and with two of them HEAD is over.
static BEGINNINGS: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let space = " ".repeat(1024);
    [
        format!("<!--{space}-->"),
        format!("<title>t</title><p><a href=../a?b=&eacute;>{space}</a>"),
        format!("<base href=x/y/><body background=g>{space}<plaintex><svg><g></g></svg>"),
    ]
    .map(String::into_bytes)
});

/// With `rewriter`, the document, behind a beginning that its bytes choose, is rewritten the same at once and while it is
/// read, in small windows; why it was not rewritten in windows to its end, if it was not.
pub(crate) fn streams(
    bytes: &[u8],
    encoding: Option<&str>,
    (name, rewriter): &(&str, Rewriter),
) -> Option<BufferedReason> {
    let sum = sum_of(bytes);
    let bytes = &[&BEGINNINGS[sum % 3], bytes].concat();
    // What nothing is known of is not rewritten in windows at all.
    let encoding = encoding.or((!sum.is_multiple_of(16)).then_some("utf-8"));
    let window = [1, 7, 50, 1000][sum / 3 % 4];
    streams_in_windows(bytes, encoding, &(name, rewriter.clone()), window)
}

/// The same for the document as it is, in windows of that length.
pub(crate) fn streams_in_windows(
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
        .window(window);
    let expected = rewriter.rewrite(&whole);
    // Some of it may be known before.
    let (known, rest) = bytes.split_at(bytes.len() / 3 * (window % 2));
    let rest = Stuttering {
        rest,
        state: sum_of(bytes) | 1,
    };
    let spool = || Ok(Cursor::new(Vec::new()));
    let mut output = Vec::new();
    let streamed = rewriter.rewrite_stream(&document(known), rest, spool, &mut output);
    let place = || {
        let text = String::from_utf8_lossy(bytes);
        format!(
            "with {name}, {encoding:?}, in windows of {window}: {text:?}\n{}",
            bytes.escape_ascii()
        )
    };
    let streamed = streamed.unwrap_or_else(|error| panic!("{error}\n{}", place()));
    same(&output, &expected.bytes.to_vec(), "bytes, streamed", place);
    let lengths = (streamed.read, streamed.written);
    let actual = (bytes.len() as u64, output.len() as u64);
    same(&lengths, &actual, "lengths", place);
    let is_changed = *expected.bytes != *bytes;
    same(&streamed.is_changed, &is_changed, "change", place);
    same(&streamed.edited, &expected.edited, "edits, streamed", place);
    same_findings(&streamed, &expected, place);
    streamed.buffered
}

fn same_findings(streamed: &StreamReport, expected: &Rewritten<'_>, place: impl Fn() -> String) {
    let (found, expected) = (&streamed.report, &expected.report);
    same(&found.base, &expected.base, "base URL", &place);
    same(&found.counts, &expected.counts, "counts", &place);
    let told = |report: &Report<'_>| (report.tags, report.mismatched_tags, report.unsupported);
    same(&told(found), &told(expected), "tags", &place);
    same(&found.unwritten, &expected.unwritten, "unwritten", &place);
    assert!(found.links.is_empty(), "{}", place());
    let mut reasons: Vec<SkipReason> = Vec::new();
    for link_report in &expected.links {
        if let Outcome::Skipped(reason) = link_report.outcome {
            reasons.push(reason);
        }
    }
    let counted: usize = streamed.skipped.iter().map(|skipped| skipped.count).sum();
    same(&counted, &reasons.len(), "number of reasons", &place);
    for skipped in &streamed.skipped {
        let is_it = |reason: &&SkipReason| **reason == skipped.reason;
        let count = reasons.iter().filter(is_it).count();
        same(&skipped.count, &count, skipped.reason.name(), &place);
    }
}

/// Gives a few bytes at a time, or says that it was interrupted.
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

/// A number that the bytes choose.
fn sum_of(bytes: &[u8]) -> usize {
    bytes.iter().fold(bytes.len(), |sum, &byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    })
}

#[track_caller]
fn same<T: PartialEq + std::fmt::Debug>(
    found: &T,
    expected: &T,
    what: &str,
    place: impl Fn() -> String,
) {
    assert!(
        found == expected,
        "{what}:\n   {found:?}\nis {expected:?}\n{}",
        place()
    );
}

/// [`agreement`] in every setting.
pub(crate) fn in_every_setting(bytes: &[u8], encoding: Option<&str>) -> Option<BailOut> {
    SETTINGS
        .iter()
        .map(|setting| agreement(bytes, encoding, setting))
        .fold(None, Option::or)
}

/// [`agreement`] in the default setting and another one, which the bytes choose, as they choose the encoding that the
/// transport names.
pub(crate) fn in_some_settings(bytes: &[u8]) {
    const LABELS: [&str; 6] = [
        "shift_jis",
        "gb18030",
        "windows-1251",
        "big5",
        "utf-16le",
        "euc-kr",
    ];
    let sum = sum_of(bytes);
    let encoding = LABELS.get(sum % 16).copied();
    agreement(bytes, None, &SETTINGS[0]);
    agreement(bytes, encoding, &SETTINGS[sum / 16 % SETTINGS.len()]);
}

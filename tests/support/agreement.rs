//! The fast reader and the reference reader agree, and so do the two ways of rewriting: shared by the tests and the fuzz
//! target.
#![allow(dead_code, reason = "each user uses its own part")]

use std::sync::LazyLock;

use absolve::{
    AbsoluteReferences, BailOut, BaseElementPolicy, BaseScope, Document, Findings, FragmentPolicy,
    Grammar, Judged, LinkSelector, Outcome, OutputForm, Preset, Profile, Reader, Record, Rewriter,
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
    let rewrite = |reader, record| {
        let rewriter = rewriter.clone().reader(reader).record(record);
        rewriter.rewrite(&document)
    };
    let reference = rewrite(Reader::Reference, Record::All);
    let fast = rewrite(Reader::Fast, Record::All);
    let direct = rewrite(Reader::Fast, Record::Skipped);
    let place = || {
        let text = String::from_utf8_lossy(bytes);
        format!(
            "with {name}, {encoding:?}: {text:?}\n{}",
            bytes.escape_ascii()
        )
    };

    let bail_out = fast.findings.bail_out;
    assert_eq!(reference.findings.bail_out, None, "{}", place());
    let mut of_fast = fast.findings;
    of_fast.bail_out = None;
    same(&of_fast.base, &reference.findings.base, "base URL", place);
    same(&of_fast.links, &reference.findings.links, "links", place);
    same(&of_fast.tags, &reference.findings.tags, "tags", place);
    same(&of_fast, &reference.findings, "findings", place);
    same(&fast.edits, &reference.edits, "edits", place);
    same(&fast.edited, &reference.edited, "number of edits", place);
    same(&fast.bytes, &reference.bytes, "bytes", place);

    let is_skipped = |judged: &&Judged<'_>| matches!(judged.outcome, Outcome::Skipped(_));
    let skipped = of_fast.links.iter().filter(is_skipped).cloned().collect();
    same(&direct.findings.links, &skipped, "links skipped", place);
    let counts = (of_fast.counts, direct.findings.counts);
    same(&counts.1, &counts.0, "counts", place);
    // Only checking asks about what else there is, and has all links recorded.
    let found = |findings: &Findings<'_>| {
        (
            findings.base.clone(),
            findings.unread,
            findings.unwritten,
            findings.tags,
            findings.unread_tags,
        )
    };
    same(
        &found(&direct.findings),
        &found(&of_fast),
        "findings, skipped",
        place,
    );
    same(&direct.findings.bail_out, &bail_out, "bail-out", place);
    same(
        &direct.edited,
        &fast.edited,
        "number of edits, skipped",
        place,
    );
    same(&direct.bytes, &fast.bytes, "bytes, skipped", place);
    assert!(direct.edits.is_empty(), "{}", place());
    bail_out
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
    let sum = bytes.iter().fold(bytes.len(), |sum, &byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    let encoding = LABELS.get(sum % 16).copied();
    agreement(bytes, None, &SETTINGS[0]);
    agreement(bytes, encoding, &SETTINGS[sum / 16 % SETTINGS.len()]);
}

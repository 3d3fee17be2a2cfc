//! What the rules say about themselves.

use super::Rule;

/// What a rule says about itself.
pub(super) struct Entry {
    pub(super) summary: &'static str,
    pub(super) section: &'static str,
    pub(super) explanation: &'static str,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

impl Entry {
    /// That of `rule`.
    pub(super) fn of(rule: Rule) -> &'static Self {
        match rule {
            Rule::BaseRelative => &BASE_RELATIVE,
            Rule::BaseEmpty => &BASE_EMPTY,
            Rule::BaseUnusable => &BASE_UNUSABLE,
            Rule::BaseOutsideHead => &BASE_OUTSIDE_HEAD,
            Rule::BaseRepeated => &BASE_REPEATED,
            Rule::BaseAfterLink => &BASE_AFTER_LINK,
            Rule::BaseWithoutSlash => &BASE_WITHOUT_SLASH,
            Rule::BaseTypeD => &BASE_TYPE_D,
            Rule::NoBase => &NO_BASE,
            Rule::FragmentLeavesDocument => &FRAGMENT_LEAVES_DOCUMENT,
            Rule::EmptyReference => &EMPTY_REFERENCE,
            Rule::RepeatedAttribute => &REPEATED_ATTRIBUTE,
            Rule::Placeholder => &PLACEHOLDER,
            Rule::LocalFile => &LOCAL_FILE,
            Rule::MissingAuthority => &MISSING_AUTHORITY,
            Rule::MisspelledScheme => &MISSPELLED_SCHEME,
            Rule::MissingScheme => &MISSING_SCHEME,
            Rule::ColonInFirstSegment => &COLON_IN_FIRST_SEGMENT,
            Rule::SingleLabelHost => &SINGLE_LABEL_HOST,
            Rule::NetworkPathInFile => &NETWORK_PATH_IN_FILE,
            Rule::Malformed => &MALFORMED,
            Rule::Backslash => &BACKSLASH,
            Rule::WhiteSpace => &WHITE_SPACE,
            Rule::DotsAboveRoot => &DOTS_ABOVE_ROOT,
            Rule::ProfilesDiffer => &PROFILES_DIFFER,
        }
    }
}

const BASE_RELATIVE: Entry = Entry {
    summary: "BASE is relative",
    section: "RFC 1808 section 10; HTML 4.01 section 12.4",
    explanation: "The `href` of BASE has to be an absolute URL: it is what other references are completed with, and in \
        RFC 1808 nothing completes it. Browsers, and this program, complete it with the URL the document was \
        retrieved from, which it does not have any more once it is saved, mailed, or moved.\n\n\
        It does not fire in the profile `whatwg` where the document's own URL is known: HTML allows a \
        relative BASE.\n\n\
        What to do: write the whole URL.",
    before: r#"<base href="/docs/">"#,
    after: r#"<base href="https://example.org/docs/">"#,
};

const BASE_EMPTY: Entry = Entry {
    summary: "BASE with an empty href",
    section: r#"RFC 1808 section 10; HTML, "the base element""#,
    explanation: "An empty BASE gives no base URL. To a browser it still is the first BASE, so that one behind it does \
        not count; to RFC 1808 the document has the base URL it would have without it.\n\n\
        What to do: remove the `href` (a `target` may stay), or write a URL.",
    before: r#"<base href="" target="_top">"#,
    after: r#"<base target="_top">"#,
};

const BASE_UNUSABLE: Entry = Entry {
    summary: "BASE that cannot be a base URL",
    section: "RFC 1808 sections 2.3 and 4",
    explanation: "References are completed with the scheme, host and path of the base URL. `mailto:`, `data:`, \
        `javascript:` and others have none of these, and a malformed URL has none that can be used: the BASE \
        is passed over, and the document has the base URL it would have without it.\n\n\
        What to do: write an absolute URL with a scheme such as `https`.",
    before: r#"<base href="javascript:void(0)">"#,
    after: r#"<base href="https://example.org/docs/">"#,
};

const BASE_OUTSIDE_HEAD: Entry = Entry {
    summary: "BASE that is not in HEAD",
    section: r#"RFC 1808 section 10; HTML, "the base element""#,
    explanation: "By RFC 1808 a BASE counts in HEAD, and nowhere else. Browsers go by the first one anywhere in the \
        document, so that the same document has one base URL here and another there. Often it was not \
        written into the body: an element that may not stand in HEAD, before it, ended HEAD.\n\n\
        A BASE in a template counts nowhere.\n\n\
        What to do: move it to HEAD, before anything that has a URL. `--base-scope document` makes it count.",
    before: r#"<head><title>x</title></head><body><base href="https://example.org/docs/"><a href="a.html">a</a>"#,
    after: r#"<head><title>x</title><base href="https://example.org/docs/"></head><body><a href="a.html">a</a>"#,
};

const BASE_REPEATED: Entry = Entry {
    summary: "BASE behind the one that counts",
    section: r#"HTML, "document base URL""#,
    explanation: "Of several BASE elements with an `href`, the first one counts for the whole document. Old programs \
        let each one count for what follows it.\n\n\
        What to do: leave one.",
    before: r#"<base href="https://example.org/a/"><base href="https://example.org/b/">"#,
    after: r#"<base href="https://example.org/a/">"#,
};

const BASE_AFTER_LINK: Entry = Entry {
    summary: "relative references before BASE",
    section: r#"HTML 4.01 section 12.4; HTML, "the base element""#,
    explanation: "BASE counts for the whole document, also for what stands before it. But who reads a document as it \
        arrives (the preload scanner of a browser, `wget`, a crawler) resolves those references without it, \
        and fetches other files.\n\n\
        References that lead to the same place without the BASE are not counted, nor are fragment-only and \
        empty ones.\n\n\
        What to do: make BASE the first element of HEAD that has a URL.",
    before: r#"<head><link rel="stylesheet" href="a.css"><base href="https://example.org/other/"></head>"#,
    after: r#"<head><base href="https://example.org/other/"><link rel="stylesheet" href="a.css"></head>"#,
};

const BASE_WITHOUT_SLASH: Entry = Entry {
    summary: "BASE with a directory that has no slash at the end",
    section: "RFC 1808 section 4, step 6",
    explanation: "A relative path takes the place of everything behind the last slash of the base URL: with the base \
        `https://example.org/docs`, `a.html` is `https://example.org/a.html`.\n\n\
        It fires where the last segment has no dot, the document's own URL is known and another one, and a \
        reference with a relative path goes by it. A BASE with the document's own URL is as it should be.\n\n\
        What to do: write a slash behind the directory.",
    before: r#"<base href="https://example.org/docs"><a href="a.html">a</a>"#,
    after: r#"<base href="https://example.org/docs/"><a href="a.html">a</a>"#,
};

const BASE_TYPE_D: Entry = Entry {
    summary: "base URL with ;type=d",
    section: "RFC 1808 section 5.3",
    explanation: "`;type=d` says of an FTP URL that it names a directory. RFC 1808 recommends not to use it where \
        there are relative references: without a slash at the end they drop the directory, and the parameter \
        is no part of what they are completed with.\n\n\
        What to do: end the path with a slash instead.",
    before: r#"<base href="ftp://example.org/pub/docs;type=d"><a href="a.txt">a</a>"#,
    after: r#"<base href="ftp://example.org/pub/docs/"><a href="a.txt">a</a>"#,
};

const NO_BASE: Entry = Entry {
    summary: "relative references, and no base URL",
    section: "RFC 1808 section 3.4",
    explanation: "Nothing says what the relative references of the document are relative to: it has no BASE that is \
        absolute, and nobody told where it comes from. They stay as they are. It fires once for a document, \
        at the first of them; fragment-only and empty references need no base URL to make sense, and are not \
        counted.\n\n\
        What to do: tell the URL of the document (`--url`), of what it was in (`--enclosing-base`), or one \
        of last resort (`--default-base`); or put a BASE with a whole URL into HEAD.",
    before: r#"<a href="a.html">a</a>"#,
    after: r#"<a href="https://example.org/docs/a.html">a</a>"#,
};

const FRAGMENT_LEAVES_DOCUMENT: Entry = Entry {
    summary: "fragment-only references that a BASE sends elsewhere",
    section: r#"RFC 1808 section 4; HTML, "document base URL""#,
    explanation: "A fragment-only reference is relative like any other: `#top` names a place in the document that the \
        base URL names. Where BASE names another document than this one, following it leaves this one.\n\n\
        It fires once for a document, at the first of them. `#` alone is not counted, nor is what HTML and \
        CSS take for a part of the document at hand (`usemap`, `url(#id)`, `use`). Where the document's own \
        URL is not known, it fires if BASE names a directory, and says so.\n\n\
        What to do: write the document's own URL before the `#`, or remove BASE and make the other \
        references absolute (`absolve rewrite --base-element remove --fragments keep`).",
    before: r##"<base href="https://example.org/"><a href="#top">top</a>"##,
    after: r#"<base href="https://example.org/"><a href="https://example.org/docs/page.html#top">top</a>"#,
};

const EMPTY_REFERENCE: Entry = Entry {
    summary: "empty reference that does not mean what it seems to",
    section: r#"RFC 1808 section 4, step 2a; HTML, "valid non-empty URL""#,
    explanation: "An empty `src` is no image and no script: browsers fetch nothing, older ones fetched the page a \
        second time. An empty `href` of a link is the base URL: with a BASE of another document it leads \
        there, and does not reload this one.\n\n\
        Without such a BASE, an empty `href` of a link or `action` of a form means the document itself, and \
        is no finding.\n\n\
        What to do: leave the attribute out until there is a value for it; write the URL of the document.",
    before: r#"<img src="" alt="">"#,
    after: r#"<img alt="">"#,
};

const REPEATED_ATTRIBUTE: Entry = Entry {
    summary: "attribute that the element has already",
    section: "HTML, parse error duplicate-attribute",
    explanation: "Of two attributes with the same name the first counts, and the other is as if it were not there: the \
        reference in it is never followed, and never made absolute.\n\n\
        Two that are written alike are no finding.\n\n\
        What to do: remove the one that is not meant.",
    before: r#"<img src="spacer.gif" src="photo.jpg" alt="">"#,
    after: r#"<img src="photo.jpg" alt="">"#,
};

const PLACEHOLDER: Entry = Entry {
    summary: "placeholder of a template, or what stands for a missing value",
    section: "RFC 1738 section 2.2 (unsafe characters)",
    explanation: "The reference holds what a template language would have replaced (`{{ url }}`, `{% url %}`, `<%= url \
        %>`, `${url}`), the same percent-encoded, or what a script writes for a value it does not have \
        (`undefined`, `null`, `NaN`, `[object Object]`). Followed, it leads to a file of that name.\n\n\
        `--placeholders` says what opens a placeholder.\n\n\
        What to do: in a template, nothing (`--ignore placeholder`); in a finished document, see why it was \
        not filled in.",
    before: r#"<a href="/user/{{ id }}">profile</a>"#,
    after: r#"<a href="/user/42">profile</a>"#,
};

const LOCAL_FILE: Entry = Entry {
    summary: "file of one machine",
    section: "RFC 1738 section 3.10",
    explanation: "`file:` URLs and paths with a drive letter name a file of whoever wrote the document. Nobody else \
        has it, and browsers do not go from a page on the web to a file.\n\n\
        `file:` is no finding in a document whose base URL is a file.\n\n\
        What to do: publish the file, and link to it there.",
    before: r#"<img src="C:\Pictures\photo.jpg" alt="">"#,
    after: r#"<img src="pictures/photo.jpg" alt="">"#,
};

const MISSING_AUTHORITY: Entry = Entry {
    summary: "scheme without a host behind it",
    section: "RFC 1808 section 5.2; RFC 3986 section 5.4.2",
    explanation: "`http:g` has a scheme, so to RFC 1808 it is absolute, and names nothing. Browsers read it as \
        relative if the base URL has the same scheme, and as `http://g/` if it has another. `http:/g`, \
        `http:///g` and `///g` are guessed at in the same way.\n\n\
        What to do: leave the scheme out if a path is meant; write two slashes and the host if not.",
    before: r#"<a href="http:docs/a.html">a</a>"#,
    after: r#"<a href="docs/a.html">a</a>"#,
};

const MISSPELLED_SCHEME: Entry = Entry {
    summary: "scheme with a slip of the pen",
    section: "RFC 1808 section 2.2",
    explanation: "The reference begins with what is not quite a scheme (`htpp:`, `http//`, `mailot:`), or with one too \
        many (`http://http://`). An unknown scheme leads nowhere, one without its colon is the name of a \
        directory, and behind a doubled one the second is taken for a host.\n\n\
        It fires where one letter is missing, too much, wrong, or has changed places with its neighbour, for \
        `http`, `https`, `mailto` and `javascript`.\n\n\
        What to do: correct it.",
    before: r#"<a href="htpp://example.org/">a</a>"#,
    after: r#"<a href="http://example.org/">a</a>"#,
};

const MISSING_SCHEME: Entry = Entry {
    summary: "relative reference that looks like a host or an address",
    section: "RFC 1808 section 2.2",
    explanation: "Without a scheme, or two slashes at least, `www.example.org` is the name of a file in the directory \
        of the base URL, and so is `someone@example.org`.\n\n\
        It fires where a reference begins with `www.` and a name, with a name that ends in `.com`, `.org`, \
        `.net`, `.edu` or `.gov`, with `://`, or with a slash before a whole URL; and where the reference of \
        a link is an address.\n\n\
        What to do: write the scheme before it. If a file is meant, write `./` before it.",
    before: r#"<a href="www.example.org/docs/">docs</a>"#,
    after: r#"<a href="https://www.example.org/docs/">docs</a>"#,
};

const COLON_IN_FIRST_SEGMENT: Entry = Entry {
    summary: "first path segment with a colon",
    section: "RFC 1808 section 5.3; RFC 3986 section 4.2",
    explanation: "What stands before the first colon is the scheme. A file `12:30.html` or `Talk:Start` cannot be \
        named like that, nor a host as `example.org:8080`.\n\n\
        Pages use schemes of their own, so an unknown scheme is a finding only if what follows looks like \
        the rest of a path (it ends as files on the web do, it is a port, it is a title as wikis have them) \
        or if what precedes begins with no letter.\n\n\
        What to do: write `./` before a path; RFC 1808 prefers that to `%3A`. Write `//` before a host.",
    before: r#"<a href="12:30.html">half past twelve</a>"#,
    after: r#"<a href="./12:30.html">half past twelve</a>"#,
};

const SINGLE_LABEL_HOST: Entry = Entry {
    summary: "two slashes before what looks like a directory",
    section: "RFC 1808 section 2.2 (net_path)",
    explanation: "Behind two slashes a host follows: `//images/logo.png` is the file `logo.png` of a host `images`. \
        Mostly a slash was added to a path that began with one.\n\n\
        It fires where the host has no dot, is not `localhost`, and not the host of the base URL.\n\n\
        What to do: take one slash away.",
    before: r#"<img src="//images/logo.png" alt="">"#,
    after: r#"<img src="/images/logo.png" alt="">"#,
};

const NETWORK_PATH_IN_FILE: Entry = Entry {
    summary: "reference without a scheme in a document that is a file",
    section: "RFC 1808 section 4, step 3",
    explanation: "`//example.org/a.css` takes its scheme from the base URL. In a document that is opened from a disk \
        that is `file`, and the reference leads to a file server.\n\n\
        What to do: write the scheme.",
    before: r#"<script src="//example.org/a.js"></script>"#,
    after: r#"<script src="https://example.org/a.js"></script>"#,
};

const MALFORMED: Entry = Entry {
    summary: "reference that is no URL to a browser",
    section: r#"URL Standard, "basic URL parser""#,
    explanation: "The URL Standard's parser fails: a port that is no number, a host with characters no host can have, \
        brackets without an address in them. A browser does not follow such a link at all. RFC 1808 has no \
        such errors, and its profile resolves it as if it were right.\n\n\
        What to do: look for a slip of the pen in host and port.",
    before: r#"<a href="http://example.org:port/">a</a>"#,
    after: r#"<a href="http://example.org:8080/">a</a>"#,
};

const BACKSLASH: Entry = Entry {
    summary: "backslash in a path",
    section: r#"RFC 1808 section 2.2; URL Standard, "path state""#,
    explanation: "A backslash may not stand in a URL. Browsers take it for a slash, other programs for part of a name: \
        `docs\\a.html` is one file to them, and is written `docs%5Ca.html`.\n\n\
        In a query or a fragment it is no slash to anybody, and no finding.\n\n\
        What to do: write a slash.",
    before: r#"<a href="docs\a.html">a</a>"#,
    after: r#"<a href="docs/a.html">a</a>"#,
};

const WHITE_SPACE: Entry = Entry {
    summary: "white space or invisible characters inside a reference",
    section: r#"RFC 1808 section 2.2; URL Standard, "URL writing""#,
    explanation: "Spaces, tabs, line breaks, control characters and characters that do not show may not stand in a \
        URL. Browsers drop tabs and line breaks, and encode the others; programs that split lists at spaces \
        see two references. What does not show was mostly pasted with the rest.\n\n\
        White space around a reference is dropped by everybody and is no finding, nor is any in `data:`, \
        `javascript:`, `mailto:` and the like.\n\n\
        What to do: write a space as `%20`; take the others away.",
    before: r#"<a href="my file.pdf">file</a>"#,
    after: r#"<a href="my%20file.pdf">file</a>"#,
};

const DOTS_ABOVE_ROOT: Entry = Entry {
    summary: "more .. than there are directories",
    section: "RFC 1808 section 5.2; RFC 3986 section 5.4.2",
    explanation: "The reference goes up further than the path of the base URL is deep. RFC 1808 keeps what is left \
        over (`http://a/../g`), RFC 3986 and browsers drop it (`http://a/g`). Either the reference is wrong, \
        or the base URL is: the document was moved, or `--url` names another place than the one it was \
        written for.\n\n\
        What to do: count again.",
    before: r#"<a href="../../../../a.html">a</a>"#,
    after: r#"<a href="../a.html">a</a>"#,
};

const PROFILES_DIFFER: Entry = Entry {
    summary: "reference that leads elsewhere in another profile",
    section: "RFC 1808 section 4; RFC 3986 section 5.2; URL Standard",
    explanation: "The three profiles give three targets, and a browser that follows them comes to different places. A \
        reference that begins with `;` is such a one where the base URL has a file: RFC 1808 keeps the file, \
        and RFC 3986 drops it.\n\n\
        It does not fire where another rule says the reason: `backslash`, `white-space`, `dots-above-root`, \
        `missing-authority` and others.\n\n\
        What to do: write the whole URL that is meant, or choose the profile that reads it as its author \
        did.",
    before: r#"<a href=";lang=en">English</a>"#,
    after: r#"<a href="page.html;lang=en">English</a>"#,
};

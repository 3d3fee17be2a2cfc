//! Arguments shared by the verbs that read documents.

use std::path::PathBuf;

use absolve::{BaseOrigin, BaseScope, Profile, Unwrap};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{ConfigArgs, FetchArgs, LimitArg, RunArgs, WalkArgs, named};
use crate::inputs::kind::InputFormat;

const BASE_URL: &str = "Base URL";
const LINK_SELECTION: &str = "Link selection";
const INPUT: &str = "Input";

/// Options of the verbs that read documents of any kind.
#[derive(Debug, Args)]
pub(crate) struct DocumentArgs {
    /// Files, directories or URLs; `-` or nothing is standard input
    ///
    /// An http or https URL is fetched and its redirects are followed. The last URL is the retrieval URL of the
    /// document, unless --url is given.
    ///
    /// A file can be a container of documents: an HTTP dump as printed by `curl -i`, a MIME message (mail, MHTML), a
    /// mailbox (mbox) or a WARC archive. Each document in it is processed with the base URL that the container
    /// provides.
    ///
    /// In a directory, documents are the files with the extensions html, htm, shtml, css, xhtml, xht, svg, rss, atom,
    /// rdf and opml, those with xml whose root element is in a known namespace, and those with json that are JSON
    /// Feeds. Containers are those with mht,
    /// mhtml, eml, mbox, warc, warc.gz and warc.zst. Letter case does not matter. Hidden files are included, and .git,
    /// .hg, .svn and .jj are skipped. .gitignore counts with --ignore-files, and symbolic links are followed with
    /// --follow.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) common: CommonArgs,

    /// Set the base URL of the encapsulating entity
    ///
    /// The base URL of the message or archive that contains the document (RFC 1808 section 3.2). It takes precedence
    /// over --url. Repeat the option for nested entities, innermost first.
    #[arg(long, value_name = "URL", help_heading = BASE_URL)]
    pub(crate) enclosing_base: Vec<String>,

    /// Set the base URL to use if there is no other
    ///
    /// The default base URL (RFC 1808 section 3.4).
    #[arg(long, value_name = "URL", help_heading = BASE_URL)]
    pub(crate) default_base: Option<String>,

    /// Set the input format [default: auto]
    ///
    /// The formats are html, css, xml, json-feed, http, mhtml, eml, mbox, warc and auto. auto determines the format by
    /// the file name, or by the media type of a fetched document. For other names and for standard input it examines
    /// the content: an HTTP dump begins with a status line, a MIME message with header fields that include
    /// MIME-Version, a mailbox with a line `From SENDER DATE`, a WARC archive with WARC/ (compressed or not), an XML
    /// document has a root element in a known namespace, for XHTML after an XML declaration, and a JSON Feed declares
    /// its version; everything else is HTML.
    ///
    /// In a directory, files of other formats are not read as documents.
    #[arg(long, value_parser = input_formats(), value_name = "FORMAT", default_value = "auto", hide_possible_values = true, hide_default_value = true, help_heading = INPUT)]
    pub(crate) input_format: InputFormat,

    /// Use the HTTP header fields Base, Content-Base and Content-Location as base URLs
    ///
    /// RFC 1808 and RFC 2068 define them as base URLs; RFC 7231 and later do not. In MIME messages they are always
    /// used.
    #[arg(long, hide_short_help = true, help_heading = BASE_URL)]
    pub(crate) legacy_headers: bool,

    /// Read more PATHs from FILE, one per line
    ///
    /// `-` is standard input. Empty lines are ignored.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub(crate) files_from: Option<PathBuf>,

    /// Read NUL-separated names (with --files-from)
    ///
    /// As written by `find -print0` and `git ls-files -z`.
    #[arg(short = '0', long, requires = "files_from", hide_short_help = true, help_heading = INPUT)]
    pub(crate) null: bool,

    /// Set the directory that --url refers to
    ///
    /// For files given individually: each gets the retrieval URL that corresponds to its path in DIR, and with
    /// --output the same path in the output directory. Required with --url for several files. By default, a PATH that
    /// is a directory is its own root.
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub(crate) root: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) fetch: FetchArgs,
}

/// Options of all verbs that read documents.
#[derive(Debug, Args)]
pub(crate) struct CommonArgs {
    /// Set the retrieval URL of the document or directory
    ///
    /// The URL that the document was retrieved from (RFC 1808 section 3.3). For a directory, the URL that it is
    /// published under: a/index.html and a/b.html in it have the retrieval URLs URL/a/ and URL/a/b.html. Several files
    /// named individually need --root. BASE in the document takes precedence.
    #[arg(short, long, value_name = "URL", help_heading = BASE_URL)]
    pub(crate) url: Option<String>,

    /// Use rfc1808, rfc3986 or whatwg [default: rfc1808]
    ///
    /// The standard that references are resolved by: rfc1808 is RFC 1808, rfc3986 is RFC 3986 (strict), and whatwg is
    /// the URL Standard, which browsers implement.
    #[arg(long, value_parser = named::parser(named::PROFILES), value_name = "NAME", default_value = "rfc1808", hide_possible_values = true, hide_default_value = true, help_heading = BASE_URL)]
    pub(crate) profile: Profile,

    /// Accept BASE in: head, document
    ///
    /// head accepts BASE in HEAD only, as RFC 1808 section 10 requires; document accepts it anywhere, as HTML does.
    /// The default is document with --profile whatwg and head otherwise.
    #[arg(long, value_parser = named::parser(named::BASE_SCOPES), value_name = "PLACE", hide_possible_values = true, help_heading = BASE_URL)]
    pub(crate) base_scope: Option<BaseScope>,

    /// Accept BASE of the origin: any, same [default: any]
    ///
    /// same ignores a BASE whose scheme, host or port is not that of the retrieval URL, such as one that somebody wrote
    /// into a page to send its links to another host. The next base URL applies then.
    #[arg(long, value_parser = named::parser(named::BASE_ORIGINS), value_name = "WHICH", default_value = "any", hide_possible_values = true, hide_default_value = true, hide_short_help = true, help_heading = BASE_URL)]
    pub(crate) base_origin: BaseOrigin,

    /// Read URLs of web archives as the captured ones: none, wayback [default: none]
    ///
    /// With wayback, `/web/20200903005938im_/https://example.org/a.png` is `https://example.org/a.png`, in links and in
    /// base URLs: the Wayback Machine and pywb write such URLs into the pages that they replay, on any host.
    #[arg(long, value_parser = named::parser(named::UNWRAPS), value_name = "FROM", default_value = "none", hide_possible_values = true, hide_default_value = true, hide_short_help = true, help_heading = BASE_URL)]
    pub(crate) unwrap: Unwrap,

    /// Set a limit of what a document may take
    ///
    /// A document that exceeds a limit is left unchanged and reported. No real page is known to exceed a default. k, M
    /// and G are powers of 1000. Several limits need several options.
    ///
    /// base-length: bytes of a base URL; only references relative to a longer one are left unchanged (default: 8192).
    /// links: links of a document, which may have one more for each 32 bytes of its length (default: 8192).
    /// value-links: links of one value, such as a srcset, which may have one more for each 128 bytes of the document
    /// (default: 16384).
    /// growth: bytes of all targets together, which may be 3 more for each byte of the document (default: 1048576).
    /// attributes: attributes of a tag, if html5ever has to parse the document (default: 512).
    /// parser-steps: steps that html5ever takes for each byte (default: 16).
    /// findings: findings of check, which may be one more for each 512 bytes of the document (default: 16384).
    /// decoded-size: bytes of a document in a container, after decoding (default: 16777216).
    /// decoded-ratio: bytes that each byte of a container may decode to, after half of those of a document
    /// (default: 32).
    /// record-size: bytes of a record of a WARC archive that is read as a whole (default: 8388608).
    #[arg(long, value_name = "NAME=NUMBER", value_parser = LimitArg::parse, help_heading = INPUT, hide_short_help = true)]
    pub(crate) limit: Vec<LimitArg>,

    /// Read XML documents in spite of errors
    ///
    /// By default, an XML document that is not well-formed is left unchanged and reported. With this option it is read
    /// as feed readers do: a stray `<` or `&` is text, an end tag closes the nearest element of that name or nothing,
    /// and unknown entities are skipped.
    #[arg(long, help_heading = INPUT, hide_short_help = true)]
    pub(crate) lenient: bool,

    /// Find more links, such as social, lazy, json-ld
    ///
    /// Several presets are separated by commas. The preset html is always on, unless `none` is given: it contains the
    /// links of HTML and its predecessors, SVG and MathML. social: Open Graph, Twitter cards and Windows tiles. lazy:
    /// data-src and similar attributes. rdfa: about and resource. json-ld: scripts of type application/ld+json.
    /// comments: markup in conditional comments. animation: URLs animated by SVG. legacy: links that only old
    /// software follows.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = presets(), hide_possible_values = true, help_heading = LINK_SELECTION)]
    pub(crate) preset: Vec<String>,

    /// Add a link, such as `div[data-image]=url`
    ///
    /// GRAMMAR is the syntax of the attribute value: url, url-set-space, url-list-comma, url-list-semicolon, srcset,
    /// refresh, css, url-or-css, url-or-curie, json-importmap, json-speculationrules, json-ld, html or text. The option
    /// can be repeated.
    #[arg(long, value_name = "EL[ATTR]=GRAMMAR", help_heading = LINK_SELECTION)]
    pub(crate) link: Vec<String>,

    /// Leave links unchanged, such as `a[ping]`
    ///
    /// They are left unchanged. Conditions are possible, as in `link[rel~=canonical][href]`. The option can be
    /// repeated.
    #[arg(long, value_name = "EL[ATTR]", help_heading = LINK_SELECTION)]
    pub(crate) skip: Vec<String>,

    /// Set the markers that open a template placeholder
    ///
    /// References that contain a placeholder are left unchanged. Markers are separated by spaces; an empty value
    /// disables placeholders. The default is `{{ {% {# {$ {!! ${ $!{ #{ @{ <% <? <!--# <# <@ [[ [% [=`.
    #[arg(long, value_name = "MARKERS", hide_short_help = true, help_heading = LINK_SELECTION)]
    pub(crate) placeholders: Option<String>,

    /// Set the character encoding [default: detect]
    ///
    /// The encoding that the transport declares, as a label of the Encoding Standard such as utf-8 or windows-1252. It
    /// takes precedence over the charset of a fetched document and over the declaration in the document; a byte order
    /// mark takes precedence over it.
    #[arg(long, value_name = "LABEL", help_heading = INPUT)]
    pub(crate) encoding: Option<String>,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// The value of `--preset` that disables every preset.
pub(crate) const NO_PRESET: &str = "none";

fn presets() -> PossibleValuesParser {
    let names = absolve::Preset::ALL.iter().map(|preset| preset.name());
    PossibleValuesParser::new(names.chain([NO_PRESET]))
}

fn input_formats() -> impl TypedValueParser<Value = InputFormat> {
    let names = InputFormat::all().map(|format| format.name);
    PossibleValuesParser::new(names).try_map(|name| {
        let mut formats = InputFormat::all();
        let format = formats.find(|format| format.name == name);
        format.ok_or("unknown name")
    })
}

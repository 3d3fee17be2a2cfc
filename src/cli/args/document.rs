//! What is typed for every verb that reads documents.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::{FetchArgs, RunArgs};

/// Options of the verbs that read documents.
#[derive(Debug, Args)]
pub(in crate::cli) struct DocumentArgs {
    /// Documents, directories of them, or http(s) URLs; `-`, or none at all, is standard input
    ///
    /// What stands at a URL is fetched, redirects are followed, and the last URL is its retrieval URL, unless --url gives
    /// another.
    ///
    /// A PATH can hold documents: an HTTP dump as `curl -i` prints it, a MIME message (mail, MHTML), a WARC archive. Each
    /// document in it is one of the run, with the base URL that its container gives it.
    ///
    /// In a directory, documents are the files whose names end in html, htm, xhtml, xht, shtml or css, in any case, and
    /// those in files whose names end in mht, mhtml, eml, warc or warc.gz. Hidden files are among them, .gitignore does not
    /// count, and symbolic links are not followed; .git, .hg, .svn and .jj are left out.
    #[arg(value_name = "PATH")]
    pub(in crate::cli) paths: Vec<PathBuf>,

    /// Retrieval URL of the document, or of the directory (RFC 1808 section 3.3)
    ///
    /// With a directory, the URL that it is published under: a/index.html and a/b.html in it have the retrieval URLs URL/a/
    /// and URL/a/b.html.
    #[arg(short, long, value_name = "URL")]
    pub(in crate::cli) url: Option<String>,

    /// Base URL of the entity around it, from the inside out (section 3.2)
    #[arg(long, value_name = "URL")]
    pub(in crate::cli) enclosing_base: Vec<String>,

    /// Base URL of last resort (section 3.4)
    #[arg(long, value_name = "URL")]
    pub(in crate::cli) default_base: Option<String>,

    /// Which standard decides: rfc1808, rfc3986, whatwg [default: rfc1808]
    ///
    /// rfc1808 is RFC 1808; rfc3986, RFC 3986, strict; whatwg, the URL Standard, as browsers have it.
    #[arg(long, value_enum, value_name = "NAME", default_value_t = ProfileArg::Rfc1808, hide_possible_values = true, hide_default_value = true)]
    pub(in crate::cli) profile: ProfileArg,

    /// Where a BASE counts: head, document [default: as the profile says]
    ///
    /// head is HEAD, as RFC 1808 section 10 has it; document, anywhere in the document, as HTML has it.
    #[arg(long, value_enum, value_name = "PLACE", hide_possible_values = true)]
    pub(in crate::cli) base_scope: Option<BaseScopeArg>,

    /// Links to look for besides html: social, lazy, rdfa, json-ld, comments, animation, legacy;
    /// none switches html off
    ///
    /// html is what HTML and its predecessors define, SVG and MathML included; social, Open Graph, Twitter cards and
    /// Windows tiles; lazy, data-src and its kin; rdfa, about and resource; json-ld, scripts of type
    /// application/ld+json; comments, markup in conditional comments; animation, URLs that SVG animates; legacy, what
    /// only old software follows. Several are separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = presets(), hide_possible_values = true)]
    pub(in crate::cli) preset: Vec<String>,

    /// Another link, such as `div[data-image]=url`; repeatable
    ///
    /// The grammar says how the value holds references: url, url-set-space, url-list-comma, url-list-semicolon, srcset,
    /// refresh, css, url-or-css, url-or-curie, pairs, json-importmap, json-speculationrules, json-ld, html.
    #[arg(long, value_name = "EL[ATTR]=GRAMMAR")]
    pub(in crate::cli) link: Vec<String>,

    /// Links to leave, such as `link[rel~=canonical][href]`; repeatable
    #[arg(long, value_name = "EL[ATTR]")]
    pub(in crate::cli) skip: Vec<String>,

    /// What opens a template's placeholder [default: {{ {% <% ${]
    ///
    /// References that hold one are left. Marks are separated by spaces; an empty text means that there are no placeholders.
    #[arg(long, value_name = "MARKS", hide_short_help = true)]
    pub(in crate::cli) placeholders: Option<String>,

    /// html, css, http, mhtml, eml, warc, or auto: by name, type or content [default: auto]
    ///
    /// auto goes by the name; of what is fetched, by its type. Only of other names, and of standard input, the content is
    /// looked at: it is an HTTP dump if it begins with a status line, a MIME message if it begins with header fields of
    /// which one is MIME-Version, a WARC archive if it begins with WARC/, compressed or not; otherwise it is HTML.
    ///
    /// In a directory, files of other formats are left as they are.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = InputFormat::Auto, hide_possible_values = true, hide_default_value = true)]
    pub(in crate::cli) input_format: InputFormat,

    /// HTTP header fields Base, Content-Base and Content-Location set base URLs
    ///
    /// As in RFC 1808 and RFC 2068; since RFC 7231 they do not. In MIME messages they always do.
    #[arg(long, hide_short_help = true)]
    pub(in crate::cli) legacy_headers: bool,

    /// The transport's word on the encoding [default: the document's own]
    #[arg(long, value_name = "LABEL")]
    pub(in crate::cli) encoding: Option<String>,

    #[command(flatten)]
    pub(in crate::cli) fetch: FetchArgs,

    #[command(flatten)]
    pub(in crate::cli) run: RunArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum ProfileArg {
    /// RFC 1808
    Rfc1808,
    /// RFC 3986, strict
    Rfc3986,
    /// The URL Standard, as browsers have it
    Whatwg,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(in crate::cli) enum BaseScopeArg {
    /// In HEAD (RFC 1808 section 10)
    Head,
    /// Anywhere in the document (HTML)
    Document,
}

/// The name that stands for no preset at all.
pub(in crate::cli) const NO_PRESET: &str = "none";

fn presets() -> PossibleValuesParser {
    let names = absolve::Preset::ALL.iter().map(|preset| preset.name());
    PossibleValuesParser::new(names.chain([NO_PRESET]))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum InputFormat {
    /// By the name, the type, or the content
    Auto,
    /// HTML
    Html,
    /// CSS style sheets
    Css,
    /// HTTP responses as a client prints them
    Http,
    /// MIME messages that hold pages
    Mhtml,
    /// Mail: MIME messages, too
    Eml,
    /// WARC archives, compressed or not
    Warc,
}

//! What was typed. No validation that needs the library: that is `settings`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Makes every link in an HTML document absolute, with respect to the base URL RFC 1808 gives that document.
#[derive(Debug, Parser)]
#[command(name = "absolve", version, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 done; 1 findings (--strict), or something would change (--check, --diff); 2 wrong usage, or something could not be read or written."
)]
pub(super) struct CommandLine {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Documents in, documents with absolute links out
    Rewrite(RewriteArgs),
    /// Every link: where it is, as written, resolved
    Links(LinksArgs),
    /// Which base URL a document has, from which layer, and why not the others
    Base(BaseArgs),
    /// The resolver alone: one result a line
    Resolve(ResolveArgs),
}

/// Options of the verbs that read documents.
#[derive(Debug, Args)]
pub(super) struct DocumentArgs {
    /// Documents to read; `-`, or none at all, is standard input
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,

    /// Retrieval URL of the document (RFC 1808 section 3.3)
    #[arg(short, long, value_name = "URL")]
    pub(super) url: Option<String>,

    /// Base URL of the entity around it, from the inside out (section 3.2)
    #[arg(long, value_name = "URL")]
    pub(super) enclosing_base: Vec<String>,

    /// Base URL of last resort (section 3.4)
    #[arg(long, value_name = "URL")]
    pub(super) default_base: Option<String>,

    /// Which standard decides: rfc1808, rfc3986, whatwg [default: rfc1808]
    ///
    /// rfc1808 is RFC 1808; rfc3986, RFC 3986, strict; whatwg, the URL Standard, as browsers have it.
    #[arg(long, value_enum, value_name = "NAME", default_value_t = ProfileArg::Rfc1808, hide_possible_values = true, hide_default_value = true)]
    pub(super) profile: ProfileArg,

    /// Where a BASE counts: head, document [default: as the profile says]
    ///
    /// head is HEAD, as RFC 1808 section 10 has it; document, anywhere in the document, as HTML has it.
    #[arg(long, value_enum, value_name = "PLACE", hide_possible_values = true)]
    pub(super) base_scope: Option<BaseScopeArg>,

    /// Links to look for besides html: social, lazy, rdfa, json-ld, comments, animation, legacy;
    /// none switches html off
    ///
    /// html is what HTML and its predecessors define, SVG and MathML included; social, Open Graph, Twitter cards and
    /// Windows tiles; lazy, data-src and its kin; rdfa, about and resource; json-ld, scripts of type
    /// application/ld+json; comments, markup in conditional comments; animation, URLs that SVG animates; legacy, what
    /// only old software follows. Several are separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = presets(), hide_possible_values = true)]
    pub(super) preset: Vec<String>,

    /// Another link, such as `div[data-image]=url`; repeatable
    ///
    /// The grammar says how the value holds references: url, url-set-space, url-list-comma, url-list-semicolon, srcset,
    /// refresh, css, url-or-css, url-or-curie, pairs, json-importmap, json-speculationrules, json-ld, html.
    #[arg(long, value_name = "EL[ATTR]=GRAMMAR")]
    pub(super) link: Vec<String>,

    /// Links to leave, such as `link[rel~=canonical][href]`; repeatable
    #[arg(long, value_name = "EL[ATTR]")]
    pub(super) skip: Vec<String>,

    /// What opens a template's placeholder [default: {{ {% <% ${]
    ///
    /// References that hold one are left. Marks are separated by spaces; an empty text means that there are no placeholders.
    #[arg(long, value_name = "MARKS")]
    pub(super) placeholders: Option<String>,

    /// html, css, or auto: by the name [default: auto]
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = InputFormat::Auto, hide_possible_values = true, hide_default_value = true)]
    pub(super) input_format: InputFormat,

    /// The transport's word on the encoding [default: the document's own]
    #[arg(long, value_name = "LABEL")]
    pub(super) encoding: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ProfileArg {
    /// RFC 1808
    Rfc1808,
    /// RFC 3986, strict
    Rfc3986,
    /// The URL Standard, as browsers have it
    Whatwg,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum BaseScopeArg {
    /// In HEAD (RFC 1808 section 10)
    Head,
    /// Anywhere in the document (HTML)
    Document,
}

/// The name that stands for no preset at all.
pub(super) const NO_PRESET: &str = "none";

fn presets() -> PossibleValuesParser {
    let names = absolve::Preset::ALL.iter().map(|preset| preset.name());
    PossibleValuesParser::new(names.chain([NO_PRESET]))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum InputFormat {
    /// CSS if the name ends in `.css`, otherwise HTML
    Auto,
    /// HTML
    Html,
    /// CSS style sheets
    Css,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "switches, as they are typed")]
pub(super) struct RewriteArgs {
    #[command(flatten)]
    pub(super) document: DocumentArgs,

    /// A file, or for several a directory [default: standard output]
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,

    /// Replace the inputs that change, each at once or not at all
    #[arg(short, long, conflicts_with = "output")]
    pub(super) in_place: bool,

    /// With --in-place: keep the originals, under their names and this
    #[arg(long, value_name = "SUFFIX", requires = "in_place")]
    pub(super) backup: Option<String>,

    /// Write nothing; list what would change, and exit with 1 if anything
    #[arg(long, conflicts_with_all = ["output", "in_place"])]
    pub(super) check: bool,

    /// Write nothing but a unified diff, and exit with 1 if there is any
    #[arg(long, conflicts_with_all = ["output", "in_place", "check"])]
    pub(super) diff: bool,

    /// Colours of a diff: auto, always, never [default: auto]
    ///
    /// auto is on a terminal, unless `NO_COLOR` is set.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t = ColorArg::Auto,
        hide_possible_values = true,
        hide_default_value = true
    )]
    pub(super) color: ColorArg,

    /// Links become absolute, relative, root-relative [default: absolute]
    ///
    /// relative is the shortest reference from the document's base URL; root-relative, the same from the root.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = FormArg::Absolute, hide_possible_values = true, hide_default_value = true)]
    pub(super) to: FormArg,

    /// Fragment-only references: resolve, keep, or auto [default: resolve]
    ///
    /// With resolve they become absolute like any other; with keep they stay; with auto they stay where they name the
    /// document itself, that is, where its base URL is its retrieval URL.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = FragmentsArg::Resolve, hide_possible_values = true, hide_default_value = true)]
    pub(super) fragments: FragmentsArg,

    /// BASE: absolutize, keep, remove, or insert [default: absolutize]
    ///
    /// With absolutize its href becomes absolute like any other; with keep it stays as it is; with remove the href
    /// goes, and the element if nothing else is on it, unless it could not be resolved; with insert a document whose
    /// base URL no BASE says gets one that does. A target is never lost.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = BaseElementArg::Absolutize, hide_possible_values = true, hide_default_value = true)]
    pub(super) base_element: BaseElementArg,

    /// Afterwards, move links below one URL to another; repeatable
    #[arg(long, value_name = "FROM=TO")]
    pub(super) map: Vec<String>,

    /// Write absolute references, too, as the profile would
    #[arg(long)]
    pub(super) normalize: bool,

    /// What is percent-encoded: url, none [default: url]
    ///
    /// url encodes what the URL Standard encodes, component by component; with none, the author's characters stay.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = EscapeArg::Url, hide_possible_values = true, hide_default_value = true)]
    pub(super) escape: EscapeArg,

    /// The source, edited, or the tree, serialised [default: source]
    ///
    /// With tree, quotes, letter case and white space in tags are the serialiser's.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Emit::Source, hide_possible_values = true, hide_default_value = true)]
    pub(super) emit: Emit,

    /// Exit with 1 if a reference could not be resolved or written
    #[arg(long)]
    pub(super) strict: bool,

    /// Say nothing about what was left as it was
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum ColorArg {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum FormArg {
    /// The target
    Absolute,
    /// The shortest reference from the document's base URL
    Relative,
    /// The same from the root
    RootRelative,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum FragmentsArg {
    /// They are resolved like any other
    Resolve,
    /// They stay
    Keep,
    /// They stay if they name the document itself: if its base URL is its retrieval URL
    Auto,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum BaseElementArg {
    /// It is made absolute, like any other link
    Absolutize,
    /// It stays as it is
    Keep,
    /// Its `href` goes, and the element if it has nothing else; not if it could not be resolved
    Remove,
    /// One is put in that says the base URL, if none says it
    Insert,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum EscapeArg {
    /// They are percent-encoded
    Url,
    /// They stay as the author wrote them
    None,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Emit {
    /// The document as it is, with links edited and no other byte changed
    Source,
    /// The parsed tree, serialised: quotes, case and white space in tags are the serialiser's
    Tree,
}

#[derive(Debug, Args)]
pub(super) struct LinksArgs {
    #[command(flatten)]
    pub(super) document: DocumentArgs,

    /// How links are listed
    #[arg(long, value_enum, default_value_t = LinksFormat::Text)]
    pub(super) format: LinksFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum LinksFormat {
    /// One line for people
    Text,
    /// One JSON object a line
    Jsonl,
    /// Comma-separated values, with a header
    Csv,
}

#[derive(Debug, Args)]
pub(super) struct BaseArgs {
    #[command(flatten)]
    pub(super) document: DocumentArgs,

    /// How the answer is given
    #[arg(long, value_enum, default_value_t = BaseFormat::Text)]
    pub(super) format: BaseFormat,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum BaseFormat {
    /// An explanation for people
    Text,
    /// One JSON object for each document
    Json,
}

#[derive(Debug, Args)]
pub(super) struct ResolveArgs {
    /// The base URL; "" for none
    #[arg(value_name = "BASE")]
    pub(super) base: String,

    /// Tell the steps taken, by their numbers in the standard
    #[arg(long)]
    pub(super) explain: bool,

    /// References; `-` reads them from standard input, one a line
    #[arg(value_name = "REF", required = true)]
    pub(super) references: Vec<String>,

    /// Which standard decides
    #[arg(long, value_enum, value_name = "NAME", default_value_t = ProfileArg::Rfc1808)]
    pub(super) profile: ProfileArg,
}

//! Arguments of `absolve rewrite`.

use std::path::PathBuf;

use absolve::{BaseElementPolicy, Escape, FragmentPolicy, OutputForm};
use clap::{Args, ValueEnum};

use super::{BasePathArgs, DocumentArgs, OutputArgs, named};

// Not in the short help, which has to fit a screen.
const EXAMPLES: &str = "\
Examples:
  absolve rewrite page.html --url https://example.org/docs/page.html
  absolve rewrite site --url https://example.org/ -o out
  absolve rewrite site --url https://example.org/ --in-place --backup .orig
  absolve rewrite https://example.org/ -o example.html";

#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct RewriteArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Write links as absolute, relative, root-relative [default: absolute]
    ///
    /// relative is the shortest reference from the document's base URL that does not begin with a slash; root-relative
    /// is the path from the root. Links to another scheme or host are always absolute.
    #[arg(long, value_parser = named::parser(named::OUTPUT_FORMS), value_name = "FORM", default_value = "absolute", hide_possible_values = true, hide_default_value = true)]
    pub(crate) to: OutputForm,

    /// Treat fragment-only references: resolve, keep, auto [default: resolve]
    ///
    /// resolve makes references such as #top absolute like any other; keep leaves them unchanged; auto leaves them
    /// unchanged if they refer to the document itself, that is, if its base URL is its retrieval URL.
    #[arg(long, value_parser = named::parser(named::FRAGMENT_POLICIES), value_name = "WHAT", default_value = "resolve", hide_possible_values = true, hide_default_value = true)]
    pub(crate) fragments: FragmentPolicy,

    /// Treat BASE: absolutize, keep, remove, insert [default: absolutize]
    ///
    /// absolutize makes its href absolute like any other link; keep leaves it unchanged; remove deletes the href, and
    /// the element if it has no other attribute, unless the href could not be resolved; insert adds a BASE if the
    /// base URL comes from elsewhere. The target attribute is always kept. With --base-path, the default is remove, and
    /// absolutize and insert cannot be used.
    #[arg(long, value_parser = named::parser(named::BASE_ELEMENT_POLICIES), value_name = "WHAT", hide_possible_values = true)]
    base_element: Option<BaseElementPolicy>,

    /// Move links from one URL prefix to another
    ///
    /// Applies to resolved links: with `--map https://old.example/=https://new.example/`, a link to
    /// `https://old.example/a` becomes `https://new.example/a`. The option can be repeated; the first match is used.
    /// Letter case of scheme and host, default ports, dot segments and needless percent-encoding make no difference.
    /// With --base-path, FROM and TO can be paths, such as `/old/=/new/`.
    #[arg(long, value_name = "FROM=TO")]
    pub(crate) map: Vec<String>,

    /// Write links to directories as: keep, explicit [default: keep]
    ///
    /// explicit names the index file of a directory of the input, so that links work where no server finds it, as on a
    /// disk (file://). Needs a directory, or --root, and --url or --base-path. Metadata links such as canonical are
    /// kept.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = IndexFilesArg::Keep, hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(crate) index_files: IndexFilesArg,

    /// Treat integrity in a directory: update, remove, keep [default: update]
    ///
    /// For link and script elements whose target is a style sheet of the directory that changes: update replaces the
    /// digest of its old bytes by that of the new ones, and warns if there is none; remove deletes the attribute. With
    /// --to relative and --index-files explicit, for pages on a disk, the default is remove, which deletes integrity
    /// and crossorigin from all elements whose target is in the directory: browsers refuse such files.
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub(crate) integrity: Option<IntegrityArg>,

    /// Remove elements or comments, such as `script[src]`
    ///
    /// Removes each element of an HTML document that the selector matches, with its content: script, style, noscript,
    /// iframe, meta, link, img and embed. All brackets are conditions, as in `script[src^=https://ads.example/]`.
    /// `#comment` selects comments, and `#comment[text~=toolbar]` those with a word in their text. What a parser would
    /// read otherwise without it is left unchanged and counted. The option can be repeated.
    #[arg(long, value_name = "EL[ATTR]", hide_short_help = true)]
    pub(crate) remove: Vec<String>,

    /// Remove attributes, such as `*[integrity]`
    ///
    /// Removes the attribute in the last brackets from every start tag that the selector matches; conditions are
    /// possible, as in `link[rel~=preload][crossorigin]`. Attributes on which the rest of the document depends are left
    /// unchanged and counted: those that set base URLs, `type` of input, `color`, `face` and `size` of font. The option
    /// can be repeated.
    #[arg(long, value_name = "EL[ATTR]", hide_short_help = true)]
    pub(crate) remove_attribute: Vec<String>,

    /// Insert the markup in FILE at the start of HEAD
    ///
    /// After the start tag of HEAD, or before the token that implies it. The markup is inserted as it is into every
    /// HTML document, and a second run inserts it again. It must end with a complete tag or comment. Where the place is
    /// not certain, it is left out and reported. The option can be repeated.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) insert_head: Vec<PathBuf>,

    /// Insert the markup in FILE at the end of HEAD
    ///
    /// Before the end tag of HEAD, or before the token that implies it. See --insert-head.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) insert_head_end: Vec<PathBuf>,

    /// Insert the markup in FILE at the end of BODY
    ///
    /// Before the last end tag of BODY; without one, before that of HTML, or at the end. See --insert-head.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) insert_body_end: Vec<PathBuf>,

    /// Normalize references that are already absolute
    ///
    /// They are percent-encoded and otherwise written as the standard of the profile requires. By default they are
    /// left unchanged.
    #[arg(long, hide_short_help = true)]
    pub(crate) normalize: bool,

    /// Percent-encode resolved links: url, none [default: url]
    ///
    /// url encodes the characters that the URL Standard encodes in each component; none keeps them as written.
    #[arg(long, value_parser = named::parser(named::ESCAPES), value_name = "HOW", default_value = "url", hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(crate) escape: Escape,

    /// Write the edited source or the serialized tree: source, tree [default: source]
    ///
    /// source changes nothing but links. tree normalizes quotes, letter case and white space in tags.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Emit::Source, hide_possible_values = true, hide_default_value = true, hide_short_help = true)]
    pub(crate) emit: Emit,

    /// Replace the records of WARC archives
    ///
    /// By default, a record is kept, and a record of type conversion with the rewritten document is added after it.
    /// All other records are copied as stored.
    #[arg(long, hide_short_help = true)]
    pub(crate) in_records: bool,

    #[command(flatten)]
    pub(crate) base_path: BasePathArgs,

    #[command(flatten)]
    pub(crate) document: DocumentArgs,
}

impl RewriteArgs {
    /// Returns the treatment of BASE, which depends on `--base-path` by default.
    pub(crate) fn base_element_policy(&self) -> BaseElementPolicy {
        self.base_element.unwrap_or(match self.base_path.base_path {
            Some(_) => BaseElementPolicy::Remove,
            None => BaseElementPolicy::Absolutize,
        })
    }

    /// Returns whether the output is opened from a disk.
    pub(crate) fn is_for_disk(&self) -> bool {
        self.to == OutputForm::Relative && self.index_files == IndexFilesArg::Explicit
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IndexFilesArg {
    /// Links to directories end as their targets do
    Keep,
    /// Links to directories name their index files
    Explicit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IntegrityArg {
    /// Replace the digests of files that change
    Update,
    /// Remove the attribute
    Remove,
    /// Leave it unchanged
    Keep,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Emit {
    /// The document with edited links and no other byte changed
    Source,
    /// The serialized tree, with normalized quotes, letter case and white space in tags
    Tree,
}

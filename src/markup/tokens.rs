//! Tokens of a document: start tags, attributes and the text of some elements, with their spans.
//!
//! Every reader produces this form for a whole document; the scanner of HTML and the reader of XML also do for one
//! segment at a time.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::attribute::Quoting;
use super::name::NameKey;
use crate::span::Span;

/// Language that markup is written in, which determines how values are decoded and escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Syntax {
    /// HTML.
    #[default]
    Html,
    /// XML.
    Xml,
}

/// The name that denotes a comment.
pub(crate) const COMMENT: &str = "#comment";

/// Tokens of a document or a segment of it, in document order. Spans are byte ranges of the text that was read.
#[derive(Debug, Default)]
pub(crate) struct Tokens<'t> {
    /// The language of the text.
    pub(crate) syntax: Syntax,
    /// The parts of the document with a base URL of their own, after that of the whole document. Empty in HTML.
    pub(crate) scopes: Vec<ElementScope>,
    /// All start tags that may contain a link, except those that `mismatches` counts. A comment is one with the name
    /// [`COMMENT`], if that is among the names of attributes to read.
    pub(crate) start_tags: Vec<StartTag<'t>>,
    /// The attributes of all start tags. One list for all of them takes one allocation instead of one for each tag.
    pub(crate) attributes: Vec<Attribute<'t>>,
    /// All BASE elements that have an `href`, in tree order, or the `xml:base` of the root.
    pub(crate) base_elements: Vec<BaseElement>,
    /// Spans of the markup in conditional comments.
    pub(crate) conditional_comments: Vec<Span>,
    /// Spans of the texts of NOSCRIPT elements, which are markup where no scripts run. Their tags are in `start_tags`.
    pub(crate) noscript_texts: Vec<Span>,
    /// The encoding declared by the first `meta` element that declares one: the effective one, which is UTF-8 for
    /// UTF-16, for example.
    pub(crate) declared_encoding: Option<&'static Encoding>,
    /// Offset at which HEAD begins: after its start tag, or where an omitted start tag would be. `None` if there is no
    /// HEAD.
    pub(crate) head_start: Option<usize>,
    /// Number of tags that were left out because splitting them did not agree with html5ever's token.
    pub(crate) mismatches: usize,
    /// Number of tags that were read, end tags included.
    pub(crate) tags: usize,
}

/// A part of the text of a document, which begins at the `end` of the [`ChunkTokens`] before it.
pub(crate) struct Chunk<'t> {
    pub(crate) text: &'t str,
    /// Whether the document ends with this chunk.
    pub(crate) is_last: bool,
}

/// The result of reading a [`Chunk`].
pub(crate) struct ChunkTokens<'t, S> {
    /// The tokens up to `end`, with spans in bytes of the chunk.
    ///
    /// `declared_encoding` is the declaration of the whole document up to there.
    pub(crate) tokens: Tokens<'t>,
    /// The end of the text that was read.
    ///
    /// The rest of the chunk is the beginning of something that does not end in it. The next chunk must begin with the
    /// rest, and be longer.
    pub(crate) end: usize,
    /// The state at `end`, in which the next chunk must be read.
    pub(crate) state: S,
}

/// A start tag.
#[derive(Debug)]
pub(crate) struct StartTag<'t> {
    /// Namespace of the element; HTML if the tree builder did not create an element for the tag.
    pub(crate) namespace: Namespace,
    /// Local name of the element: lower case in HTML, in the spelling of the standards in SVG and MathML.
    pub(crate) name: Cow<'t, str>,
    /// Key of the name, if known. The scanner sets it if the name is short and written in lower case.
    pub(crate) key: Option<NameKey>,
    /// From `<` to `>`, both included.
    pub(crate) span: Span,
    /// Index range of its attributes in [`Tokens::attributes`].
    pub(crate) attributes: Span,
    /// Text of the element, if that may contain links.
    pub(crate) text: Option<TextContent>,
    /// Whether it created a child of HEAD; set for BASE only.
    pub(crate) is_child_of_head: bool,
    /// Index of its scope in [`Tokens::scopes`]; 0 in HTML.
    pub(crate) scope: u32,
}

/// A part of a document with base URLs of its own: an element that has an `xml:base`, or an item of a feed, and its
/// descendants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ElementScope {
    /// Index of the enclosing scope; its own for the scope of the document.
    pub(crate) parent: u32,
    /// The value of `xml:base`, decoded. `None` for the scope of the document, whose base URL is established otherwise,
    /// and for an item of a feed without the attribute.
    pub(crate) xml_base: Option<String>,
    /// The link of the feed, for the scope of the document, or of an item of a feed, decoded.
    pub(crate) link: Option<String>,
}

/// Text of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextContent {
    /// Span between start tag and end tag.
    pub(crate) span: Span,
    /// Form of the text.
    pub(crate) kind: TextKind,
}

/// Form of the text of an element, which determines its decoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// Literal text without markup, as in SCRIPT and STYLE.
    Raw,
    /// Text of an SVG or MathML element, with character references and CDATA sections but no elements or comments.
    Foreign,
    /// Text of an element in XML, with references, CDATA sections, comments and processing instructions, but no
    /// elements.
    Xml,
    /// A text of XML that is one CDATA section, delimiters included in its span.
    XmlSection,
    /// A string of JSON, without its quotation marks.
    Json,
    /// Text whose parts are separated by markup. The string is the text in the tree; the span is not equal to it.
    Fragmented(String),
}

/// An attribute of a [`StartTag`].
#[derive(Debug)]
pub(crate) struct Attribute<'t> {
    /// Name, including the prefix of names such as `xlink:href`.
    pub(crate) name: Cow<'t, str>,
    /// Key of the name without prefix, if known. The scanner sets it if the name is short.
    pub(crate) key: Option<NameKey>,
    /// Whether its value may be a link. Otherwise it is only a condition for another link.
    pub(crate) may_be_link: bool,
    /// From the name to the end of the value, quotes included.
    pub(crate) span: Span,
    /// Value as written, without quotes.
    pub(crate) value: Span,
    /// Delimiters of the value.
    pub(crate) quoting: Quoting,
    /// Later attributes of the tag that repeat its name, which the parser ignores; each like `span`.
    pub(crate) duplicates: DuplicateAttributes,
}

/// Spans of attributes that repeat a name. Duplicates are rare, so an empty list takes one word and no allocation.
#[derive(Debug, Clone, Default)]
#[expect(
    clippy::box_collection,
    reason = "an empty list would take three words of each attribute, not one"
)]
pub(crate) struct DuplicateAttributes(Option<Box<Vec<Span>>>);

impl DuplicateAttributes {
    pub(crate) fn push(&mut self, span: Span) {
        self.0.get_or_insert_default().push(span);
    }

    fn shift(&mut self, offset: usize) {
        for span in self.0.iter_mut().flat_map(|spans| spans.iter_mut()) {
            *span = span.shifted(offset);
        }
    }

    pub(crate) fn spans(&self) -> &[Span] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

impl<'t> Tokens<'t> {
    /// Clears the tokens of one segment for the next. `declared_encoding` and `head_start`, which are properties of the
    /// whole document, remain.
    pub(crate) fn clear(&mut self) {
        self.start_tags.clear();
        self.attributes.clear();
        self.base_elements.clear();
        self.conditional_comments.clear();
        self.noscript_texts.clear();
        self.mismatches = 0;
        self.tags = 0;
    }

    /// Returns whether `offset` is in the text of a NOSCRIPT element.
    pub(crate) fn is_in_noscript(&self, offset: usize) -> bool {
        Span::any_contains(&self.noscript_texts, offset)
    }

    /// Moves the tokens of a part that begins at `offset` to the whole: their spans are then those of the whole text.
    pub(crate) fn shift(&mut self, offset: usize) {
        // Naming every field makes the compiler ask about a new one.
        let Self {
            start_tags,
            attributes,
            conditional_comments,
            noscript_texts,
            head_start,
            syntax: _,
            scopes: _,
            base_elements: _,
            declared_encoding: _,
            mismatches: _,
            tags: _,
        } = self;
        let shift = |span: &mut Span| *span = span.shifted(offset);
        for tag in start_tags {
            shift(&mut tag.span);
            if let Some(text) = &mut tag.text {
                shift(&mut text.span);
            }
        }
        for attribute in attributes {
            shift(&mut attribute.span);
            shift(&mut attribute.value);
            attribute.duplicates.shift(offset);
        }
        conditional_comments.iter_mut().for_each(shift);
        noscript_texts.iter_mut().for_each(shift);
        *head_start = head_start.map(|start| start + offset);
    }

    /// Returns the attributes of a start tag without duplicates.
    ///
    /// A BASE has all of its attributes; other tags have at least those that may be links or are conditions of links.
    pub(crate) fn attributes(&self, tag: &StartTag<'t>) -> &[Attribute<'t>] {
        &self.attributes[tag.attributes.start..tag.attributes.end]
    }

    /// Adds the comment at `span`.
    pub(crate) fn add_comment(&mut self, span: Span) {
        let end = self.attributes.len();
        self.start_tags.push(StartTag {
            namespace: Namespace::Html,
            name: Cow::Borrowed(COMMENT),
            key: None,
            span,
            attributes: Span::new(end, end),
            text: None,
            is_child_of_head: false,
            scope: 0,
        });
    }

    /// Returns the attribute of a start tag with that name, prefix included.
    pub(crate) fn attribute(&self, tag: &StartTag<'t>, name: &str) -> Option<&Attribute<'t>> {
        self.attributes(tag)
            .iter()
            .find(|attribute| attribute.name == name)
    }
}

impl Attribute<'_> {
    /// Returns whether its value is quoted and no other attribute repeats its name.
    pub(crate) fn is_quoted_and_unique(&self) -> bool {
        matches!(self.quoting, Quoting::Single | Quoting::Double) && self.duplicates.is_empty()
    }
}

/// Namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    /// HTML.
    Html,
    /// SVG.
    Svg,
    /// MathML.
    MathMl,
    /// Atom 1.0 and 0.3.
    Atom,
    /// RSS of every version: without a namespace if the root element is `rss`.
    Rss,
    /// RDF.
    Rdf,
    /// The content module of RSS.
    RssContent,
    /// Media RSS.
    Media,
    /// The podcast elements of iTunes.
    Itunes,
    /// The podcast namespace.
    Podcast,
    /// The comment API, known as "well-formed web".
    Wfw,
    /// OPML, which has no namespace.
    Opml,
    /// Sitemaps and their indexes.
    Sitemap,
    /// Images in sitemaps.
    SitemapImage,
    /// Videos in sitemaps.
    SitemapVideo,
    /// JSON Feed, whose members count as elements.
    JsonFeed,
    /// Any other namespace, or none.
    Other,
}

impl Namespace {
    /// All namespaces.
    pub(crate) const ALL: [Self; 17] = [
        Self::Html,
        Self::Svg,
        Self::MathMl,
        Self::Atom,
        Self::Rss,
        Self::Rdf,
        Self::RssContent,
        Self::Media,
        Self::Itunes,
        Self::Podcast,
        Self::Wfw,
        Self::Opml,
        Self::Sitemap,
        Self::SitemapImage,
        Self::SitemapVideo,
        Self::JsonFeed,
        Self::Other,
    ];

    /// Returns the prefix of local names in reports and selectors, which is empty for HTML and for unknown namespaces.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Html | Self::Other => "",
            Self::Svg => "svg:",
            Self::MathMl => "math:",
            Self::Atom => "atom:",
            Self::Rss => "rss:",
            Self::Rdf => "rdf:",
            Self::RssContent => "content:",
            Self::Media => "media:",
            Self::Itunes => "itunes:",
            Self::Podcast => "podcast:",
            Self::Wfw => "wfw:",
            Self::Opml => "opml:",
            Self::Sitemap => "sitemap:",
            Self::SitemapImage => "image:",
            Self::SitemapVideo => "video:",
            Self::JsonFeed => "jsonfeed:",
        }
    }

    /// Returns the namespace with that prefix in reports and selectors, given without the colon.
    pub(crate) fn of_prefix(prefix: &str) -> Option<Self> {
        let has_prefix = |namespace: &Self| namespace.prefix().strip_suffix(':') == Some(prefix);
        Self::ALL.into_iter().find(has_prefix)
    }

    /// Returns whether the text of an element of that name may contain links, in any of the namespaces of XML.
    pub(crate) fn any_text_may_contain_links(element: &str) -> bool {
        let mut all = Self::ALL.into_iter().filter(|one| *one != Self::JsonFeed);
        all.any(|namespace| namespace.text_may_contain_links(element))
    }

    /// Returns whether the text of an element of that name, ASCII case-insensitive, may contain links.
    ///
    /// The text of other elements is not searched for links.
    pub(crate) fn text_may_contain_links(self, element: &str) -> bool {
        let names: &[&str] = match self {
            Self::Html => &["style", "script"],
            Self::Svg => &["style"],
            Self::Atom => &[
                "content",
                "copyright",
                "icon",
                "id",
                "info",
                "logo",
                "rights",
                "subtitle",
                "summary",
                "tagline",
                "title",
                "uri",
                "url",
            ],
            Self::Rss => &[
                "comments",
                "description",
                "docs",
                "fullitem",
                "guid",
                "link",
                "url",
            ],
            Self::RssContent => &["encoded"],
            Self::Media => &["description"],
            Self::Itunes => &["new-feed-url"],
            Self::Wfw => &["comment", "commentRss"],
            Self::Opml => &["docs", "ownerId"],
            Self::Sitemap => &["loc"],
            Self::SitemapImage => &["license", "loc"],
            Self::SitemapVideo => &["content_loc", "player_loc", "thumbnail_loc"],
            // Only members that may be links are tokens.
            Self::JsonFeed => return true,
            Self::MathMl | Self::Rdf | Self::Podcast | Self::Other => &[],
        };
        // Lengths are compared first, and most names are written as they are here.
        names.iter().any(|name| {
            name.len() == element.len() && (*name == element || name.eq_ignore_ascii_case(element))
        })
    }
}

/// Location of a node in the tree, as far as BASE elements are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TreeLocation {
    /// Neither in HEAD nor in a template.
    Outside,
    /// In the HEAD portion of the document.
    Head,
    /// In the contents of a template, which form a document of their own.
    Template,
    /// An `xml:base` attribute of the root element, which is listed like a BASE element.
    Root,
}

/// Name and value of an attribute, copied from a source text or a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameAndValue {
    /// The name, with its prefix if it has one.
    pub(crate) name: String,
    /// The value.
    pub(crate) value: String,
}

impl BaseElement {
    /// Returns the value of the attribute with that name.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|attribute| attribute.name == name)?;
        Some(found.value.clone())
    }
}

/// A BASE element that has an `href`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BaseElement {
    /// The value of its `href`.
    pub(crate) href: String,
    /// All its attributes, `href` included.
    pub(crate) attributes: Vec<NameAndValue>,
    /// Its location.
    pub(crate) location: TreeLocation,
}

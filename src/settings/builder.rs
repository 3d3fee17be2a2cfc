//! [`Rewriter`]: the settings, one method for each. `crate::entries` has the methods that read documents.

use std::sync::Arc;

use super::{
    AbsoluteReferences, BaseElementPolicy, BaseOrigin, BaseScope, FragmentPolicy, IllFormedPolicy,
    IndexFiles, InsertionPlace, InvalidOption, LinkDetail, OutputForm, RewriteSettings,
};
use crate::grammar::Grammar;
use crate::html::Reader;
use crate::limits::Limit;
use crate::link::{LinkSelector, Preset};
use crate::reference::{Escape, Placeholders, Profile};
use crate::replay::Unwrap;

/// Makes the links of documents absolute, or lists them.
///
/// A rewriter consists of settings only. One value can rewrite any number of documents, on any number of threads. The
/// setters consume and return it, so that they can be chained; [`Rewriter::new`] lists the defaults.
///
/// # Examples
/// ```
/// use absolve::{Document, Rewriter};
///
/// let rewriter = Rewriter::new();
/// let document = Document::new(b"<A HREF = g>g</A>").retrieved_from("http://a/b/c");
/// assert_eq!(&*rewriter.rewrite(&document).bytes, b"<A HREF = http://a/b/g>g</A>");
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Rewriter {
    pub(crate) settings: RewriteSettings,
}

impl Rewriter {
    /// Returns a rewriter with the default settings.
    ///
    /// These are [`Profile::Rfc1808`], the links of [`Preset::Html`], escaping, absolute targets, and a report of the
    /// links that were skipped.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets which links rewriting records. The default is [`LinkDetail::SkippedOnly`], which is the fastest.
    ///
    /// [`links`](Self::links) always lists all links.
    pub fn link_detail(mut self, detail: LinkDetail) -> Self {
        self.settings.link_detail = detail;
        self
    }

    /// Sets the standard that determines how references resolve.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.settings.profile = profile;
        self
    }

    /// Sets in which part of a document a BASE element has an effect.
    ///
    /// The default depends on the profile: [`BaseScope::Document`] for [`Profile::Whatwg`], [`BaseScope::Head`] for the
    /// others.
    pub fn base_scope(mut self, scope: BaseScope) -> Self {
        self.settings.base_scope = Some(scope);
        self
    }

    /// Sets which origins a BASE element may have. The default is [`BaseOrigin::Any`].
    ///
    /// A BASE that somebody else wrote into a page sends every relative link to another host. `xml:base`, BASE in a
    /// `srcdoc`, and header fields of messages are not affected.
    pub fn base_origin(mut self, base_origin: BaseOrigin) -> Self {
        self.settings.base_origin = base_origin;
        self
    }

    /// Sets the value of a limit; see [`Limit`] for the defaults.
    ///
    /// A document that exceeds one is left unchanged ([`Unsupported::LimitExceeded`](crate::Unsupported)), except with
    /// [`Limit::BaseLength`]. Trees have no limits but that one, because their length is not known.
    pub fn limit(mut self, limit: Limit, value: usize) -> Self {
        self.settings.limits = self.settings.limits.with(limit, value);
        self
    }

    /// Sets whether characters that URLs do not allow are percent-encoded in targets. The default is [`Escape::Url`].
    pub fn escape(mut self, escape: Escape) -> Self {
        self.settings.escape = escape;
        self
    }

    /// Sets the form in which targets are written. The default is [`OutputForm::Absolute`].
    pub fn output(mut self, form: OutputForm) -> Self {
        self.settings.form = form;
        self
    }

    /// Sets the treatment of absolute references. The default is [`AbsoluteReferences::Keep`].
    ///
    /// `data:` URLs are always left unchanged.
    pub fn absolute_references(mut self, absolute: AbsoluteReferences) -> Self {
        self.settings.absolute = absolute;
        self
    }

    /// Sets the treatment of fragment-only references. The default is [`FragmentPolicy::Resolve`].
    pub fn fragments(mut self, fragments: FragmentPolicy) -> Self {
        self.settings.fragments = fragments;
        self
    }

    /// Sets the treatment of BASE elements. The default is [`BaseElementPolicy::Absolutize`].
    pub fn base_element(mut self, base_element: BaseElementPolicy) -> Self {
        self.settings.base_element = base_element;
        self
    }

    /// Sets the treatment of XML documents that are not well-formed. The default is [`IllFormedPolicy::Leave`].
    pub fn ill_formed_xml(mut self, ill_formed: IllFormedPolicy) -> Self {
        self.settings.ill_formed = ill_formed;
        self
    }

    /// Enables a preset, a group of links. [`Preset::Html`] is enabled by default.
    pub fn preset(mut self, preset: Preset) -> Self {
        self.settings.selection.add_preset(preset);
        self
    }

    /// Disables all presets, including [`Preset::Html`]. A BASE element still determines the base URL.
    pub fn no_presets(mut self) -> Self {
        self.settings.selection.clear_presets();
        self
    }

    /// Treats every attribute or text that `selector` matches as a link whose value has the given `grammar`.
    ///
    /// If several selectors match, the last one added applies. If the built-in table has a row for the attribute, its
    /// role and base rule are kept. Only the grammar changes, and with it the meaning of empty and fragment-only
    /// references. If the table has no such row:
    ///
    /// * its role is [`Role::Resource`](crate::Role::Resource), and it resolves against the document's base URL;
    /// * an empty reference is left unchanged, except in import maps, speculation rules and JSON-LD;
    /// * a fragment-only reference is left unchanged in CSS, and resolved elsewhere.
    ///
    /// The `href` of BASE is always a single URL.
    pub fn link(mut self, selector: LinkSelector, grammar: Grammar) -> Self {
        self.settings.selection.add(selector, grammar);
        self
    }

    /// Excludes the links that `selector` matches from rewriting.
    ///
    /// They are reported, but a relative reference is left unchanged with the reason
    /// [`Excluded`](crate::SkipReason::Excluded).
    pub fn skip(mut self, selector: LinkSelector) -> Self {
        self.settings.selection.skip(selector);
        self
    }

    /// Removes every attribute that `selector` matches, which is no link then: it is neither listed nor resolved.
    ///
    /// Attributes on which the rest of the document depends are left unchanged, and counted in
    /// [`LinkCounts::left`](crate::LinkCounts::left): `xml:base` and those that set the base URL of links, `type` of
    /// INPUT, `color`, `face` and `size` of FONT, `shadowrootmode` of TEMPLATE, `encoding` of ANNOTATION-XML in MathML.
    /// White space around an attribute remains. A selector of text has no effect. Of formatting elements such as B that
    /// are never closed and become equal, a parser reopens three at most (HTML, "push onto the list of active
    /// formatting elements").
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Rewriter};
    ///
    /// let rewriter = Rewriter::new().remove_attribute("*[integrity]".parse()?);
    /// let document = Document::new(b"<script src=a.js integrity=sha256-x></script>").retrieved_from("http://h/");
    /// let rewritten = rewriter.rewrite(&document);
    /// assert_eq!(&*rewritten.bytes, b"<script src=http://h/a.js ></script>");
    /// # Ok::<(), absolve::SelectorError>(())
    /// ```
    pub fn remove_attribute(mut self, selector: LinkSelector) -> Self {
        self.settings.selection.remove(selector);
        self
    }

    /// Inserts `markup` into HTML documents as it is. It is not searched for links.
    ///
    /// Several texts for one place are inserted in the order of the calls, and rewriting twice inserts twice. A text is
    /// not inserted, and counted in [`LinkCounts::left`](crate::LinkCounts::left), if the encoding of the document
    /// lacks one of its characters, or if its place is not certain: HEAD has a TEMPLATE, the end is in a comment or
    /// script, BODY is a FRAMESET or has no content. Other documents than HTML have no such places, and trees are left
    /// unchanged.
    ///
    /// # Errors
    /// The markup does not end with a complete tag or comment.
    ///
    /// # Examples
    /// ```
    /// use absolve::options::InsertionPlace;
    /// use absolve::{Document, Rewriter};
    ///
    /// let rewriter = Rewriter::new().insert(InsertionPlace::HeadStart, "<script src=/a.js></script>")?;
    /// let document = Document::new(b"<title>x</title><p>y");
    /// assert_eq!(&*rewriter.rewrite(&document).bytes, b"<script src=/a.js></script><title>x</title><p>y");
    /// # Ok::<(), absolve::options::InvalidOption>(())
    /// ```
    pub fn insert(mut self, place: InsertionPlace, markup: &str) -> Result<Self, InvalidOption> {
        self.settings.insert("insert", place, markup)?;
        Ok(self)
    }

    /// Removes the elements or comments that `selector` matches from HTML documents, with their content.
    ///
    /// The selector is like a [`LinkSelector`], but all its brackets are conditions: `script`, `img[src]`,
    /// `link[rel~=preload]`. The elements are SCRIPT, STYLE, NOSCRIPT, IFRAME, META, LINK, IMG and EMBED, whose end is
    /// certain. `#comment` selects comments, and `#comment[text~=toolbar]` those with a word in their text. Links in
    /// them are neither listed nor resolved.
    ///
    /// One without which a parser would read the rest otherwise is left unchanged, and counted in
    /// [`LinkCounts::left`](crate::LinkCounts::left): an element that implies HEAD or BODY, or one in a TEMPLATE or
    /// TABLE that a parser moves, or in a SELECT; IMG and EMBED that no text adjoins, which may reopen formatting
    /// elements; a comment between two texts that are one character reference. So is everything in NOSCRIPT, SVG and
    /// MathML, but for comments in the last two. Nested documents, trees and other documents than HTML are left
    /// unchanged.
    ///
    /// # Errors
    /// The selector is invalid, or its elements cannot be removed.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Rewriter};
    ///
    /// let rewriter = Rewriter::new().remove("script[src^=https://ads.example/]")?.remove("#comment")?;
    /// let document = Document::new(b"<head><script src=https://ads.example/a.js></script><!-- x --><title>x</title>");
    /// assert_eq!(&*rewriter.rewrite(&document).bytes, b"<head><title>x</title>");
    /// # Ok::<(), absolve::options::InvalidOption>(())
    /// ```
    pub fn remove(mut self, selector: &str) -> Result<Self, InvalidOption> {
        self.settings.remove("remove", selector)?;
        Ok(self)
    }

    /// Sets the attributes about which the callback of [`rewrite_beside`](Self::rewrite_beside) is asked besides links.
    pub fn beside(mut self, names: &'static [&'static str]) -> Self {
        self.settings.selection.set_beside(names);
        self
    }

    /// Sets the delimiters that open a template placeholder.
    ///
    /// The default is `{{ {% {# {$ {!! ${ $!{ #{ @{ <% <? <!--# <# <@ [[ [% [=`.
    ///
    /// A reference that contains one is left unchanged, and so are all references after it in a list such as `srcset`.
    /// If the `href` of BASE contains one, the base URL is unknown. A `%` that begins a percent-encoded ASCII
    /// character is not part of a delimiter. An empty string is ignored.
    pub fn placeholders<S: Into<String>>(mut self, openers: impl IntoIterator<Item = S>) -> Self {
        self.settings.placeholders = Placeholders::new(openers);
        self
    }

    /// Sets the web archives whose URLs are read as those of the captured documents, in links and in base URLs. The
    /// default is [`Unwrap::None`].
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Rewriter, Unwrap};
    ///
    /// let rewriter = Rewriter::new().unwrap_urls(Unwrap::Wayback);
    /// let document = Document::new(b"<img src=/web/20200903005938im_/https://h.example/i><a href=b>")
    ///     .retrieved_from("https://web.archive.org/web/20200903005938/https://h.example/d/");
    /// let rewritten = rewriter.rewrite(&document);
    /// assert_eq!(&*rewritten.bytes, b"<img src=https://h.example/i><a href=https://h.example/d/b>");
    /// ```
    pub fn unwrap_urls(mut self, unwrap: Unwrap) -> Self {
        self.settings.unwrap = unwrap;
        self
    }

    /// Returns the web archives whose URLs are read as those of the captured documents.
    #[must_use]
    pub fn unwrapped_urls(&self) -> Unwrap {
        self.settings.unwrap
    }

    /// Moves links whose target is `from` or below it to the corresponding URL below `to`. Both must be absolute URLs.
    ///
    /// If several mappings match, the first one added applies. A target is below `from` only at the end of a path
    /// segment: `http://h/a` matches `http://h/a/b` and `http://h/a?q`, but not `http://h/ab`. Both are compared in
    /// normal form (RFC 3986 sections 6.2.2 and 6.2.3), so `HTTP://H:80/x/../a` matches, too; the rest of a target is
    /// kept as written. `data:` URLs are never moved.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Rewriter};
    ///
    /// let rewriter = Rewriter::new().map("http://old.example/a", "https://new.example");
    /// let document = Document::new(b"<a href=g></a><a href=/b></a>").retrieved_from("http://old.example/a/");
    /// let rewritten = rewriter.rewrite(&document);
    /// assert_eq!(&*rewritten.bytes, b"<a href=https://new.example/g></a><a href=http://old.example/b></a>");
    /// ```
    pub fn map(mut self, from: &str, to: &str) -> Self {
        self.settings.map(from, to);
        self
    }

    /// Moves the document `from` to `to`, both absolute URLs, and with it every link to it, whatever its fragment.
    ///
    /// Unlike with [`map`](Self::map), URLs below `from` remain, `from` must be spelled as the target is, and the time
    /// for a link does not depend on the number of documents. This mapping comes first. With a relative
    /// [`OutputForm`], references lead from the place of the document itself, if its retrieval URL is mapped.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, OutputForm, Rewriter};
    ///
    /// let rewriter = Rewriter::new().map_url("http://h/a?b", "zim://c/a%3Fb").map_url("http://h/d/", "zim://c/d/");
    /// let document = Document::new(b"<a href=../a?b#e></a><a href=/a></a>").retrieved_from("http://h/d/");
    /// let rewritten = rewriter.output(OutputForm::Relative).rewrite(&document);
    /// assert_eq!(&*rewritten.bytes, b"<a href=../a%3Fb#e></a><a href=http://h/a></a>");
    /// ```
    pub fn map_url(mut self, from: &str, to: &str) -> Self {
        self.settings.map_url(from, to);
        self
    }

    /// Keeps each URL that is replaced in another attribute of its element, unless it has one of that name, such as
    /// `data-original`.
    ///
    /// Values that are lists or contain URLs, such as `srcset`, are not kept, and nothing is added to trees.
    ///
    /// # Errors
    /// The name does not begin with `data-`, or has other characters than ASCII letters, digits, `-`, `_` and `.`.
    ///
    /// # Examples
    /// ```
    /// use absolve::{Document, Rewriter};
    ///
    /// let document = Document::new(b"<a href=x>").retrieved_from("http://h/");
    /// let rewritten = Rewriter::new().keep_original("data-href")?.rewrite(&document);
    /// assert_eq!(&*rewritten.bytes, b"<a data-href=\"x\" href=http://h/x>");
    /// # Ok::<(), absolve::options::InvalidOption>(())
    /// ```
    pub fn keep_original(mut self, name: &str) -> Result<Self, InvalidOption> {
        self.settings.keep_original("keep_original", name)?;
        Ok(self)
    }

    /// Makes links to directories of a site name the files that a server sends for them. By default, they do not.
    ///
    /// The site is where [mappings](Self::map) move it, so targets that they move into it name the files, too. Metadata
    /// links such as `canonical` remain.
    pub fn index_files(mut self, index_files: IndexFiles) -> Self {
        self.settings.index_files = Some(Arc::new(index_files));
        self
    }

    /// Declares that `origin`, a scheme and host such as `https://site.invalid`, is that of documents of which only the
    /// path is known. By default, there is no such origin.
    ///
    /// It is never written. A link with such a target that would be absolute is left unchanged and reported as
    /// [`UnknownOrigin`](crate::SkipReason::UnknownOrigin), and with a relative [`OutputForm`] a reference to another
    /// host without scheme, such as `//h/a`, remains one. BASE elements must be [kept](BaseElementPolicy::Keep) or
    /// [removed](BaseElementPolicy::Remove).
    ///
    /// # Examples
    /// ```
    /// use absolve::{BaseElementPolicy, Document, OutputForm, Rewriter};
    ///
    /// let rewriter = Rewriter::new()
    ///     .unknown_origin("https://site.invalid")
    ///     .output(OutputForm::Relative)
    ///     .base_element(BaseElementPolicy::Remove);
    /// let document = Document::new(b"<base href=/docs/><a href=a/b>b</a><img src=//h/i>");
    /// let rewritten = rewriter.rewrite(&document.retrieved_from("https://site.invalid/docs/a/"));
    /// assert_eq!(&*rewritten.bytes, b"<a href=b>b</a><img src=//h/i>");
    /// ```
    pub fn unknown_origin(mut self, origin: &str) -> Self {
        self.settings.unknown_origin = Some(origin.to_owned());
        self
    }

    /// Sets the reader of HTML documents, on which the output does not depend. For tests and benchmarks.
    #[doc(hidden)]
    pub fn reader(mut self, reader: Reader) -> Self {
        self.settings.reader = reader;
        self
    }

    /// Sets the chunk length of streams in bytes, on which the output does not depend. For tests and benchmarks.
    ///
    /// The segments in which an XML document in memory is read have fewer tags if the length is small. The default is
    /// 512 KiB. A chunk is longer if HEAD, a tag or the text of an element such as SCRIPT does not fit, and shorter if
    /// the base URL is very long. A document that is shorter than a chunk is always buffered
    /// ([`BufferedReason::Short`](crate::stream::BufferedReason::Short)).
    #[doc(hidden)]
    pub fn chunk_len(mut self, bytes: usize) -> Self {
        self.settings.chunk_len = Some(bytes);
        self
    }

    /// Sets the option with this name, which is that of the command: `base-scope`, also as `base_scope` or `baseScope`.
    ///
    /// An option that is a pair has a `second` value: the number of `limit`, the replacement of `map`, the grammar of
    /// `link`. Options that are lists, such as `skip`, are set once for each item. The profile must be set before
    /// `map`, because it determines which URLs are absolute.
    ///
    /// # Errors
    /// The value is invalid, or there is no such option.
    ///
    /// # Examples
    /// ```
    /// use absolve::Rewriter;
    ///
    /// let rewriter = Rewriter::new().with_option("link", "div[data-image]", "url")?;
    /// let error = rewriter.with_option("to", "local", "").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "to: unknown form of targets: \"local\"; use one of absolute, relative, root-relative"
    /// );
    /// # Ok::<(), absolve::options::InvalidOption>(())
    /// ```
    pub fn with_option(
        mut self,
        option: &str,
        value: &str,
        second: &str,
    ) -> Result<Self, InvalidOption> {
        self.settings.set_option(option, value, second)?;
        Ok(self)
    }
}

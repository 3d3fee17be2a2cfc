//! Namespaces: which vocabulary a name belongs to. Prefixes mean nothing by themselves.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::markup::Namespace;

/// Namespace that a prefix is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// A namespace of elements, or an unknown one.
    Elements(Namespace),
    /// `XLink`, which has attributes only.
    XLink,
}

impl Bound {
    /// Returns the namespace with this name.
    fn of_name(name: &str) -> Self {
        Self::Elements(match name {
            "http://www.w3.org/1999/xhtml" => Namespace::Html,
            "http://www.w3.org/2000/svg" => Namespace::Svg,
            "http://www.w3.org/1998/Math/MathML" => Namespace::MathMl,
            "http://www.w3.org/1999/xlink" => return Self::XLink,
            "http://www.w3.org/2005/Atom" | "http://purl.org/atom/ns#" => Namespace::Atom,
            "http://purl.org/rss/1.0/"
            | "http://purl.org/net/rss1.1#"
            | "http://my.netscape.com/rdf/simple/0.9/"
            | "http://channel.netscape.com/rdf/simple/0.9/"
            | "http://my.netscape.com/publish/formats/rss-0.91.dtd"
            | "http://backend.userland.com/rss"
            | "http://backend.userland.com/rss2"
            | "http://backend.userland.com/RSS2"
            | "http://blogs.law.harvard.edu/tech/rss" => Namespace::Rss,
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#" => Namespace::Rdf,
            "http://purl.org/rss/1.0/modules/content/" => Namespace::RssContent,
            "http://search.yahoo.com/mrss/" | "http://search.yahoo.com/mrss" => Namespace::Media,
            "http://www.itunes.com/dtds/podcast-1.0.dtd" => Namespace::Itunes,
            "https://podcastindex.org/namespace/1.0" => Namespace::Podcast,
            "http://wellformedweb.org/CommentAPI/" => Namespace::Wfw,
            "http://www.sitemaps.org/schemas/sitemap/0.9"
            | "http://www.google.com/schemas/sitemap/0.9"
            | "http://www.google.com/schemas/sitemap/0.84" => Namespace::Sitemap,
            "http://www.google.com/schemas/sitemap-image/1.1" => Namespace::SitemapImage,
            "http://www.google.com/schemas/sitemap-video/1.1" => Namespace::SitemapVideo,
            _ => Namespace::Other,
        })
    }

    /// Returns the namespace of an element.
    fn of_element(self) -> Namespace {
        match self {
            Self::Elements(namespace) => namespace,
            Self::XLink => Namespace::Other,
        }
    }

    /// Returns the prefix by which the link table names the attributes of this namespace.
    fn table_prefix(self) -> Option<&'static str> {
        match self {
            Self::XLink => Some("xlink"),
            Self::Elements(Namespace::Rdf) => Some("rdf"),
            Self::Elements(_) => None,
        }
    }
}

/// The maximum number of prefixes that a prefix is compared with.
const FEW_PREFIXES: usize = 8;

/// The bindings in scope.
///
/// Each prefix has a stack of its own, so that a lookup takes constant time at any depth.
#[derive(Debug, Clone)]
pub(super) struct Bindings {
    /// Invariant: not empty. The first is that of names without a namespace.
    default: Vec<Bound>,
    /// The first prefixes that were bound, at most [`FEW_PREFIXES`]. Comparing with each is faster than hashing.
    first_prefixes: Vec<(Box<str>, Vec<Bound>)>,
    other_prefixes: HashMap<Box<str>, Vec<Bound>>,
    /// The prefixes that were bound, in order; the empty one is the default namespace.
    log: Vec<Box<str>>,
}

impl Bindings {
    /// Returns the bindings outside the root element: there are none.
    pub(super) fn new() -> Self {
        Self {
            default: vec![Bound::Elements(Namespace::Other)],
            first_prefixes: Vec::new(),
            other_prefixes: HashMap::new(),
            log: Vec::new(),
        }
    }

    /// Sets the vocabulary of elements without a namespace, which the name of the root element determines.
    ///
    /// # Source
    /// RSS 2.0, "Extending RSS": the elements of RSS 2.0 have no namespace; OPML 2.0, "What is a namespace?" likewise.
    pub(super) fn set_root(&mut self, name: &str) {
        if self.element(name) != (Namespace::Other, name) {
            return;
        }
        let namespace = match name {
            "rss" | "RSS" => Namespace::Rss,
            "opml" => Namespace::Opml,
            _ => return,
        };
        self.default[0] = Bound::Elements(namespace);
    }

    /// Returns the number of bindings, to which [`truncate`](Self::truncate) can return.
    pub(super) fn len(&self) -> usize {
        self.log.len()
    }

    /// Binds `prefix`, or the default namespace if it is empty, to the namespace with that name.
    pub(super) fn bind(&mut self, prefix: &str, name: &str) {
        // Namespaces in XML, section 6.2: an empty name undeclares the default namespace.
        let bound = if name.is_empty() {
            self.default[0]
        } else {
            Bound::of_name(name)
        };
        if prefix.is_empty() {
            self.default.push(bound);
        } else {
            self.stack_to_extend(prefix).push(bound);
        }
        self.log.push(prefix.into());
    }

    /// Removes the bindings that were made after there were `length` of them.
    #[inline]
    pub(super) fn truncate(&mut self, length: usize) {
        while self.log.len() > length {
            let Some(prefix) = self.log.pop() else {
                return;
            };
            if prefix.is_empty() {
                self.default.pop();
            } else {
                self.stack_to_extend(&prefix).pop();
            }
        }
    }

    /// Returns the namespace and the local name of an element.
    #[inline]
    pub(super) fn element<'n>(&self, name: &'n str) -> (Namespace, &'n str) {
        match split_prefix(name) {
            None => {
                let default = self.default.last();
                let namespace = default.map_or(Namespace::Other, |bound| bound.of_element());
                (namespace, name)
            }
            Some((prefix, local)) => {
                let bound = self.bound(prefix);
                (bound.map_or(Namespace::Other, Bound::of_element), local)
            }
        }
    }

    /// Returns the name of an attribute as the link table and reports have it.
    ///
    /// The attributes of known namespaces have a fixed prefix. `None` if the attribute only looks like one of those.
    pub(super) fn attribute<'n>(&self, name: &'n str) -> Option<Cow<'n, str>> {
        let Some((prefix, local)) = split_prefix(name) else {
            return Some(Cow::Borrowed(name));
        };
        if prefix == "xml" {
            return Some(Cow::Borrowed(name));
        }
        match self.bound(prefix).and_then(Bound::table_prefix) {
            Some(known) if known == prefix => Some(Cow::Borrowed(name)),
            Some(known) => Some(Cow::Owned(format!("{known}:{local}"))),
            None if prefix == "xlink" || prefix == "rdf" => None,
            None => Some(Cow::Borrowed(name)),
        }
    }

    #[inline]
    fn bound(&self, prefix: &str) -> Option<Bound> {
        let mut first = self.first_prefixes.iter();
        let stack = match first.find(|(known, _)| **known == *prefix) {
            Some((_, stack)) => stack,
            None if self.other_prefixes.is_empty() => return None,
            None => self.other_prefixes.get(prefix)?,
        };
        stack.last().copied()
    }

    /// Returns the stack of `prefix`, which is added if there is none.
    fn stack_to_extend(&mut self, prefix: &str) -> &mut Vec<Bound> {
        let mut first = self.first_prefixes.iter();
        let index = first.position(|(known, _)| **known == *prefix);
        match index {
            Some(index) => &mut self.first_prefixes[index].1,
            None if self.first_prefixes.len() < FEW_PREFIXES => {
                let index = self.first_prefixes.len();
                self.first_prefixes.push((prefix.into(), Vec::new()));
                &mut self.first_prefixes[index].1
            }
            None => self.other_prefixes.entry(prefix.into()).or_default(),
        }
    }
}

/// Splits a qualified name after its prefix; the colon is dropped. Returns `None` if it has no prefix.
#[inline]
fn split_prefix(name: &str) -> Option<(&str, &str)> {
    // Names are so short that a loop is faster than a search.
    let colon = name.bytes().position(|byte| byte == b':')?;
    Some((&name[..colon], &name[colon + 1..]))
}

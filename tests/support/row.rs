//! Rows of `fixtures/links/rows.tsv`, and documents that contain such a link.

/// Target of BASE in every generated HTML document.
pub const BASE: &str = "http://embedded/e/d";

/// A row of the table. `fixtures/links/README.md` documents its columns.
pub struct Row {
    pub element: String,
    pub attribute: String,
    pub scope: String,
    pub grammar: String,
    pub base: String,
    pub role: String,
    pub preset: String,
    pub empty: String,
    pub fragment: String,
}

/// A spelling of the same link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// Names in the letter case of the table, no white space.
    Plain,
    /// White space around the reference, or around the quoted string that contains it.
    Spaced,
    /// Names of elements, attributes and functions in upper case.
    UpperCase,
}

impl Spelling {
    fn name(self, name: &str) -> String {
        match self {
            Self::UpperCase => name.to_ascii_uppercase(),
            Self::Plain | Self::Spaced => name.to_owned(),
        }
    }

    fn around(self, text: &str) -> String {
        match self {
            Self::Spaced => format!(" \n{text}\t"),
            Self::Plain | Self::UpperCase => text.to_owned(),
        }
    }
}

impl Row {
    pub fn new(columns: Vec<String>) -> Self {
        let columns: [String; 10] = columns
            .try_into()
            .unwrap_or_else(|columns| panic!("not ten columns: {columns:?}"));
        let [
            element,
            attribute,
            scope,
            grammar,
            base,
            role,
            preset,
            empty,
            fragment,
            _source,
        ] = columns;
        Self {
            element,
            attribute,
            scope,
            grammar,
            base,
            role,
            preset,
            empty,
            fragment,
        }
    }

    pub fn name(&self) -> String {
        format!("{}[{}]", self.element, self.attribute)
    }

    pub fn is_css(&self) -> bool {
        self.element.starts_with("css:")
    }

    /// Returns the element that represents the row in a document, by its reported name.
    pub fn element_in_document(&self) -> &str {
        match self.element.split('[').next().unwrap_or_default() {
            "*" => "div",
            "svg:*" => "svg:g",
            "math:*" => "math:mrow",
            element => element,
        }
    }

    /// Returns the references before and after the tested one in a value with several references.
    pub fn neighbours(&self) -> (&'static [&'static str], &'static [&'static str]) {
        match &*self.grammar {
            "srcset" => (&[], &["http://x/other"]),
            "url-set-space" => (&["http://x/1"], &["http://x/2"]),
            "url-list-comma" | "url-list-semicolon" => (&["http://x/1"], &[]),
            _ => (&[], &[]),
        }
    }

    /// Returns a document that contains the link with `reference`, at a place where it is allowed, and a BASE if it is
    /// HTML.
    pub fn document(&self, reference: &str, spelling: Spelling) -> String {
        if self.is_css() {
            return self.style_sheet(reference, spelling);
        }
        let value = self.value(reference, spelling);
        let base = format!(
            "<{} {}={BASE}>",
            spelling.name("base"),
            spelling.name("href")
        );
        match &*self.element {
            "!DOCTYPE" => return format!("<!DOCTYPE html SYSTEM \"{value}\">{base}"),
            "#comment[if-IE]" => return format!("{base}<!--[if IE]>{value}<![endif]-->"),
            _ => {}
        }
        let (open, name) = match self.element_in_document().split_once(':') {
            Some(("svg", name)) => (spelling.name("<svg>"), name),
            Some(("math", "math")) => (String::new(), "math"),
            Some(("math", name)) => (spelling.name("<math>"), name),
            _ => (String::new(), self.element_in_document()),
        };
        let (written, others) = (spelling.name(name), self.other_attributes(spelling));
        let element = match &*self.attribute {
            "#text" | "#children" => format!("<{written}{others}>{value}</{written}>"),
            attribute => {
                let value = value.replace('&', "&amp;").replace('"', "&quot;");
                format!(
                    "<{written}{others} {}=\"{value}\">",
                    spelling.name(attribute)
                )
            }
        };
        match name {
            "html" | "head" => format!("{element}{base}"),
            "body" => format!("{base}{element}"),
            "base" => element,
            "frame" => format!("{base}<frameset>{element}"),
            "thead" | "tbody" | "tfoot" => format!("{base}<body><table>{element}"),
            "tr" => format!("{base}<body><table><tbody>{element}"),
            "td" | "th" => format!("{base}<body><table><tbody><tr>{element}"),
            _ => format!("{base}<body>{open}{element}"),
        }
    }

    /// Returns an XML document that contains the link with `reference`, and an `xml:base` if it is Atom.
    pub fn xml_document(&self, reference: &str) -> String {
        let (prefix, name) = self.element.split_once(':').unwrap_or(("", &self.element));
        let (others, value) = match &*self.grammar {
            "html" => (" type=\"html\"", format!("&lt;a href=\"{reference}\">")),
            // The role depends on it.
            _ if name == "link" && self.attribute == "href" => {
                (" rel=\"alternate\"", reference.to_owned())
            }
            _ => ("", reference.to_owned()),
        };
        let element = match &*self.attribute {
            "#text" => format!("<{name}{others}>{value}</{name}>"),
            attribute => format!("<{name}{others} {attribute}=\"{value}\"/>"),
        };
        match prefix {
            "" => format!("<{name} href=\"{value}\"?><a/>"),
            "atom" => format!(
                "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"{BASE}\">{element}</feed>"
            ),
            "rss" => format!("<rss><channel><item>{element}</item></channel></rss>"),
            "content" => format!(
                "<rss><channel><item xmlns=\"http://purl.org/rss/1.0/modules/content/\">{element}</item></channel></rss>"
            ),
            "sitemap" => format!(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url>{element}</url></urlset>"
            ),
            prefix => panic!("{}: no document for {prefix}", self.name()),
        }
    }

    /// Returns the attributes that make the row's attribute a link, each with a leading space.
    fn other_attributes(&self, spelling: Spelling) -> String {
        if self.attribute == "imagesrcset" {
            let (rel, destination) = (spelling.name("rel"), spelling.name("as"));
            return format!(" {rel}=preload {destination}=image");
        }
        let Some((_, condition)) = self.element.split_once('[') else {
            return String::new();
        };
        let condition = condition.trim_end_matches(']');
        let (attribute, value) = condition.split_once('=').unwrap_or((condition, "image"));
        let (attribute, rest) = match attribute.strip_suffix('^') {
            Some(attribute) if value == "msapplication-" => (attribute, "TileImage"),
            Some(attribute) => (attribute, "image"),
            None => (attribute, ""),
        };
        format!(" {}={value}{rest}", spelling.name(attribute))
    }

    /// Returns a value that contains `reference` in the row's grammar. The value of a trap is the reference itself.
    fn value(&self, reference: &str, spelling: Spelling) -> String {
        let bare = spelling.around(reference);
        let string = spelling.around(&format!("\"{reference}\""));
        if self.grammar == "html" {
            let (a, href) = (spelling.name("a"), spelling.name("href"));
            return format!("<{a} {href}=\"{bare}\">");
        }
        if self.scope == "trap" {
            return bare;
        }
        match &*self.grammar {
            "url" | "url-or-curie" => bare,
            "refresh" => format!("5; url={bare}"),
            // A candidate cannot be empty: "1x" would be the URL.
            "srcset" if reference.is_empty() => "http://x/other 2x".to_owned(),
            "srcset" => format!("{bare} 1x, http://x/other 2x"),
            "url-set-space" => format!("http://x/1 {bare} http://x/2"),
            "url-list-comma" => format!("http://x/1, {bare}"),
            "url-list-semicolon" => format!("http://x/1; {bare}"),
            "css" => {
                let url = format!("{}({string})", spelling.name("url"));
                match &*self.attribute {
                    "#text" => format!("a{{b:{url}}}"),
                    "style" => format!("background:{url}"),
                    _ => url,
                }
            }
            "json-importmap" => format!("{{\"imports\":{{\"x\":{string}}}}}"),
            "json-speculationrules" => {
                format!("{{\"prefetch\":[{{\"source\":\"list\",\"urls\":[{string}]}}]}}")
            }
            "json-ld" => format!("{{\"@id\":{string}}}"),
            grammar => panic!("{}: no value of grammar {grammar}", self.name()),
        }
    }

    fn style_sheet(&self, reference: &str, spelling: Spelling) -> String {
        let string = spelling.around(&format!("\"{reference}\""));
        let name = |name: &str| spelling.name(name);
        match (&*self.element, &*self.attribute) {
            ("css:*", function) => {
                format!("a{{b:{}({string})}}", name(function.trim_end_matches("()")))
            }
            ("css:@import", _) => format!("{} {string};", name("@import")),
            ("css:image-set()", _) => format!("a{{b:{}({string} 1x)}}", name("image-set")),
            ("css:@namespace", _) => format!("@namespace url({string});"),
            ("css:@font-face", _) => format!("@font-face{{src:local({string})}}"),
            _ => panic!("{}: no such style sheet", self.name()),
        }
    }
}

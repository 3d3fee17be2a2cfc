//! Elements of HTML, and of SVG and MathML in it.
//!
//! The tokenizer is that of html5gum. Its state is set as a tree builder does, as far as the tags of one element
//! determine it. CDATA sections, which HTML has in SVG and MathML only, are left out.

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, State, Tokenizer};

use super::texts::{ElementText, HIDDEN, cut};
use super::words::Words;

/// Elements of SVG and MathML, in lower case, whose content is HTML.
const INTEGRATION_POINTS: &[&str] = &[
    "desc",
    "foreignobject",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "title",
];

/// Reads the element whose start tag `source` begins with: for A elements its text, too.
///
/// `is_foreign` tells whether it is an element of SVG or MathML.
pub(super) fn read(source: &str, is_anchor: bool, is_foreign: bool) -> ElementText {
    let mut element = Element {
        is_anchor,
        open_foreign: is_foreign.then(|| "svg".to_owned()).into_iter().collect(),
        ..Element::default()
    };
    let handle = |event: CallbackEvent<'_>, _: Span<()>| element.handle(&event);
    let mut tokenizer = Tokenizer::new_with_emitter(source, CallbackEmitter::new(handle));
    while let Some(Ok(Next::State(state))) = tokenizer.next() {
        tokenizer.set_state(state);
    }
    drop(tokenizer);
    ElementText {
        text: is_anchor.then(|| element.words.into_text()),
        rel: element.rel,
        alt: element.alt,
    }
}

/// An instruction to the tokenizer.
enum Next {
    /// Reads the content of an element in this state.
    State(State),
    /// Stops: the element has ended.
    Stop,
}

/// The state of reading one element.
#[derive(Default)]
struct Element {
    is_anchor: bool,
    words: Words,
    rel: Option<String>,
    alt: Option<String>,
    /// The name of the element; `None` until its start tag is read.
    name: Option<String>,
    /// The name of the last start tag.
    tag: String,
    /// The name of the last attribute.
    attribute: Attribute,
    /// The name of an open element whose text is not shown, and the number of those of that name.
    hidden: Option<(String, usize)>,
    /// The names of `svg` and `math` elements that are open, and of the integration points in them.
    open_foreign: Vec<String>,
}

/// The name of an attribute.
#[derive(Default)]
enum Attribute {
    Rel,
    Alt,
    /// Any other one, or one of another element.
    #[default]
    Other,
}

impl Element {
    fn handle(&mut self, event: &CallbackEvent<'_>) -> Option<Next> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = String::from_utf8_lossy(name).into_owned();
                self.attribute = Attribute::Other;
                None
            }
            CallbackEvent::AttributeName { name } => {
                self.begin_attribute(name);
                None
            }
            CallbackEvent::AttributeValue { value } => {
                let value = || Some(cut(&String::from_utf8_lossy(value)));
                match self.attribute {
                    Attribute::Rel => self.rel = value(),
                    Attribute::Alt => self.alt = value(),
                    Attribute::Other => {}
                }
                None
            }
            CallbackEvent::CloseStartTag { self_closing } => self.start_tag(*self_closing),
            CallbackEvent::EndTag { name } => self.end_tag(&String::from_utf8_lossy(name)),
            CallbackEvent::String { value } => {
                // The tree builder ignores U+0000.
                let text = String::from_utf8_lossy(value).replace('\0', "");
                // An incomplete character may come before the start tag.
                let is_shown = self.name.is_some() && self.hidden.is_none();
                let is_complete = is_shown && self.words.push(&text);
                is_complete.then_some(Next::Stop)
            }
            CallbackEvent::Comment { .. }
            | CallbackEvent::Doctype { .. }
            | CallbackEvent::Error(_) => None,
        }
    }

    /// Begins an attribute with an empty value. Only the first one of a name counts, and only those of the element.
    fn begin_attribute(&mut self, name: &[u8]) {
        self.attribute = match name {
            _ if self.name.is_some() => Attribute::Other,
            b"rel" if self.rel.is_none() => {
                self.rel = Some(String::new());
                Attribute::Rel
            }
            b"alt" if self.alt.is_none() => {
                self.alt = Some(String::new());
                Attribute::Alt
            }
            _ => Attribute::Other,
        };
    }

    /// Ends the word at a tag, if that does.
    fn separate_words(&mut self, tag: &str) {
        if self.hidden.is_none() {
            self.words.tag(tag);
        }
    }

    /// Returns whether the open element is one of SVG or MathML.
    fn is_foreign(&self) -> bool {
        let innermost = self.open_foreign.last();
        innermost.is_some_and(|name| is_root(name))
    }

    /// Ends the start tag. In HTML, an element that closes itself is not empty.
    fn start_tag(&mut self, is_self_closing: bool) -> Option<Next> {
        let tag = std::mem::take(&mut self.tag);
        let is_foreign = self.is_foreign();
        let Some(element) = &self.name else {
            let is_empty = is_foreign && is_self_closing;
            self.name = Some(tag);
            return (is_empty || !self.is_anchor).then_some(Next::Stop);
        };
        if tag == *element {
            return Some(Next::Stop);
        }
        self.separate_words(&tag);
        let is_root = is_root(&tag);
        if is_self_closing && (is_foreign || is_root) {
            return None;
        }
        match &mut self.hidden {
            Some((hidden, count)) => *count += usize::from(*hidden == tag),
            None if HIDDEN.contains(&&*tag) => self.hidden = Some((tag.clone(), 1)),
            None => {}
        }
        let state = if is_foreign { None } else { state_after(&tag) };
        if is_root || (is_foreign && INTEGRATION_POINTS.contains(&&*tag)) {
            self.open_foreign.push(tag);
        }
        state.map(Next::State)
    }

    fn end_tag(&mut self, tag: &str) -> Option<Next> {
        if self.name.as_deref() == Some(tag) {
            return Some(Next::Stop);
        }
        self.separate_words(tag);
        if let Some((hidden, count)) = &mut self.hidden
            && hidden == tag
        {
            *count -= 1;
            if *count == 0 {
                self.hidden = None;
            }
        }
        if let Some(index) = self.open_foreign.iter().rposition(|open| open == tag) {
            self.open_foreign.truncate(index);
        }
        None
    }
}

/// Returns whether an element with this name begins SVG or MathML.
fn is_root(name: &str) -> bool {
    matches!(name, "svg" | "math")
}

/// Returns the state of the tokenizer in an element of HTML, if it is another one.
fn state_after(tag: &str) -> Option<State> {
    match tag {
        "script" => Some(State::ScriptData),
        "iframe" | "noembed" | "noframes" | "noscript" | "style" | "xmp" => Some(State::RawText),
        "textarea" | "title" => Some(State::RcData),
        "plaintext" => Some(State::PlainText),
        _ => None,
    }
}

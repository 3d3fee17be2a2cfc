//! A peer: `lol_html`, with the `url` crate in its element handlers, written once as its documentation suggests, with a
//! selector for each link, and once with one handler for every element. The quicker of the two counts.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::hint::black_box;

use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HandlerResult, HtmlRewriter, Selector, Settings};
use url::Url;

use super::attributes;
use super::contestant::Work;
use super::corpus::Document;

/// What the handlers share.
struct State {
    base: RefCell<Url>,
    links: Cell<usize>,
}

impl State {
    fn new(document: &Document) -> Option<Self> {
        Some(Self {
            base: RefCell::new(Url::parse(&document.url).ok()?),
            links: Cell::new(0),
        })
    }

    /// Rewrites that attribute.
    fn link(&self, element: &mut Element<'_, '_>, attribute: &str) -> HandlerResult {
        if let Some(reference) = element.get_attribute(attribute)
            && let Some(target) = attributes::target(&self.base.borrow(), &reference)
        {
            element.set_attribute(attribute, &target)?;
            self.links.set(self.links.get() + 1);
        }
        Ok(())
    }

    /// Notes the base URL that the BASE element gives to the links behind it.
    fn base(&self, element: &Element<'_, '_>) {
        if let Some(reference) = element.get_attribute("href") {
            let embedded = self.base.borrow().join(&reference);
            if let Ok(embedded) = embedded {
                self.base.replace(embedded);
            }
        }
    }
}

/// With a selector for each link. Selectors are parsed once, not for each document.
pub(crate) fn by_selectors() -> impl FnMut(&Document) -> Work {
    let base = parse("base[href]");
    let links = attributes::ATTRIBUTES
        .map(|(element, attribute)| (parse(&format!("{element}[{attribute}]")), attribute));
    move |document| {
        let Some(state) = State::new(document) else {
            return Work::UNDONE;
        };
        let mut settings = Settings::new().append_element_content_handler(on(&base, |element| {
            state.base(element);
            Ok(())
        }));
        for (selector, attribute) in &links {
            let link = on(selector, |element| state.link(element, attribute));
            settings = settings.append_element_content_handler(link);
        }
        rewrite(document, &state, settings)
    }
}

/// With one handler for every element.
pub(crate) fn by_any_element() -> impl FnMut(&Document) -> Work {
    let any = parse("*");
    move |document| {
        let Some(state) = State::new(document) else {
            return Work::UNDONE;
        };
        let settings = Settings::new().append_element_content_handler(on(&any, |element| {
            let name = element.tag_name();
            if name == "base" {
                state.base(element);
                return Ok(());
            }
            for attribute in attributes::of(&name) {
                state.link(element, attribute)?;
            }
            Ok(())
        }));
        rewrite(document, &state, settings)
    }
}

fn parse(selector: &str) -> Selector {
    selector.parse().expect("a selector of our own")
}

fn on<'s>(
    selector: &'s Selector,
    handler: impl FnMut(&mut Element<'_, '_>) -> HandlerResult + 's,
) -> (Cow<'s, Selector>, ElementContentHandlers<'s>) {
    let handlers = ElementContentHandlers::default().element(handler);
    (Cow::Borrowed(selector), handlers)
}

/// The document as a whole in one chunk, which is what `lol_html` likes best.
fn rewrite(document: &Document, state: &State, settings: Settings<'_, '_>) -> Work {
    let mut html = Vec::with_capacity(document.bytes.len());
    // Where it cannot tell how a browser reads the document, it is to guess: it would give it up otherwise.
    let settings = settings.with_strict(false);
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| html.extend_from_slice(chunk));
    let done = rewriter
        .write(&document.bytes)
        .and_then(|()| rewriter.end());
    if done.is_err() {
        return Work::UNDONE;
    }
    Work {
        links: state.links.get(),
        written: black_box(html).len(),
        undone: 0,
    }
}

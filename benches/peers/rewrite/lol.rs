//! A peer: `lol_html`, with the `url` crate in its element handlers.
//!
//! There are two variants: one with a selector for each link attribute, as its documentation suggests, and one with a
//! single handler for all elements. Ratios refer to the faster one.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::hint::black_box;

use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HandlerResult, HtmlRewriter, Selector, Settings};
use url::Url;

use super::attributes;
use super::contestant::Work;
use super::corpus::Document;

/// State that the handlers share.
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

    /// Rewrites the attribute, if the element has it and its value is a relative reference.
    fn rewrite_link(&self, element: &mut Element<'_, '_>, attribute: &str) -> HandlerResult {
        if let Some(reference) = element.get_attribute(attribute)
            && let Some(target) = attributes::target(&self.base.borrow(), &reference)
        {
            element.set_attribute(attribute, &target)?;
            self.links.set(self.links.get() + 1);
        }
        Ok(())
    }

    /// Records the base URL of a BASE element. It applies to the links after it.
    fn record_base(&self, element: &Element<'_, '_>) {
        if let Some(reference) = element.get_attribute("href") {
            let embedded = self.base.borrow().join(&reference);
            if let Ok(embedded) = embedded {
                self.base.replace(embedded);
            }
        }
    }
}

/// Returns the variant with a selector for each link attribute. Selectors are parsed once, not for each document.
pub(crate) fn by_selectors() -> impl FnMut(&Document) -> Work {
    let base = parse("base[href]");
    let links = attributes::ATTRIBUTES
        .map(|(element, attribute)| (parse(&format!("{element}[{attribute}]")), attribute));
    move |document| {
        let Some(state) = State::new(document) else {
            return Work::FAILED;
        };
        let mut settings = Settings::new().append_element_content_handler(on(&base, |element| {
            state.record_base(element);
            Ok(())
        }));
        for (selector, attribute) in &links {
            let link = on(selector, |element| state.rewrite_link(element, attribute));
            settings = settings.append_element_content_handler(link);
        }
        rewrite(document, &state, settings)
    }
}

/// Returns the variant with one handler for all elements.
pub(crate) fn by_any_element() -> impl FnMut(&Document) -> Work {
    let any = parse("*");
    move |document| {
        let Some(state) = State::new(document) else {
            return Work::FAILED;
        };
        let settings = Settings::new().append_element_content_handler(on(&any, |element| {
            let name = element.tag_name();
            if name == "base" {
                state.record_base(element);
                return Ok(());
            }
            for attribute in attributes::of(&name) {
                state.rewrite_link(element, attribute)?;
            }
            Ok(())
        }));
        rewrite(document, &state, settings)
    }
}

fn parse(selector: &str) -> Selector {
    selector.parse().expect("all selectors here are valid")
}

fn on<'s>(
    selector: &'s Selector,
    handler: impl FnMut(&mut Element<'_, '_>) -> HandlerResult + 's,
) -> (Cow<'s, Selector>, ElementContentHandlers<'s>) {
    let handlers = ElementContentHandlers::default().element(handler);
    (Cow::Borrowed(selector), handlers)
}

/// Rewrites the document, which is a single chunk: the fastest input for `lol_html`.
fn rewrite(document: &Document, state: &State, settings: Settings<'_, '_>) -> Work {
    let mut html = Vec::with_capacity(document.bytes.len());
    // In strict mode, lol_html stops at markup whose interpretation is ambiguous to it.
    let settings = settings.with_strict(false);
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| html.extend_from_slice(chunk));
    let result = rewriter
        .write(&document.bytes)
        .and_then(|()| rewriter.end());
    if result.is_err() {
        return Work::FAILED;
    }
    Work {
        links: state.links.get(),
        written: black_box(html).len(),
        failed: 0,
    }
}

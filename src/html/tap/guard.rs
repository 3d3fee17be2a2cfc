//! Workaround for two defects of html5ever 0.39 in the extraction of an encoding from `meta` elements.
//!
//! 1. html5ever extracts an encoding from every element that it treats like `meta`, such as `link`. [`MetaGuard`] drops
//!    the result unless the element is a `meta`.
//! 2. A value that ends with "charset", such as `content="text/html; charset"`, is indexed beyond its end, which
//!    panics. [`guarded`] appends U+0000 to such a value on its way to the tree builder, and [`unguard`] removes it on
//!    its way to the tree. No other value ends with U+0000, since the tokenizer replaces each by U+FFFD.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{StartTag, Tag, Token, TokenSink, TokenSinkResult};
use html5ever::{Attribute, local_name};

const WORD: &[u8] = b"charset";
/// The character appended to a value that would make html5ever panic.
const MARK: char = '\0';

/// A sink for tokens that passes them on with values [`guarded`], and returns encodings of `meta` elements only.
pub(crate) struct MetaGuard<S>(pub(crate) S);

impl<S: TokenSink> TokenSink for MetaGuard<S> {
    type Handle = S::Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<S::Handle> {
        let Token::TagToken(tag) = token else {
            return self.0.process_token(token, line);
        };
        let is_meta = tag.name == local_name!("meta");
        match self.0.process_token(Token::TagToken(guarded(tag)), line) {
            TokenSinkResult::EncodingIndicator(_) if !is_meta => TokenSinkResult::Continue,
            result => result,
        }
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// Returns `tag` with [`MARK`] appended to each value that html5ever would index beyond its end.
fn guarded(mut tag: Tag) -> Tag {
    // The elements that html5ever handles in the same match arm as `meta`.
    let is_read_like_meta = matches!(
        tag.name,
        local_name!("base")
            | local_name!("basefont")
            | local_name!("bgsound")
            | local_name!("link")
            | local_name!("meta")
    );
    if tag.kind == StartTag && is_read_like_meta {
        for attribute in &mut tag.attrs {
            // html5ever skips white space after the word before it looks for "=".
            let value = attribute
                .value
                .trim_end_matches(|c: char| c.is_ascii_whitespace());
            let start = value.len().saturating_sub(WORD.len());
            if value.as_bytes()[start..].eq_ignore_ascii_case(WORD) {
                attribute.value.push_char(MARK);
            }
        }
    }
    tag
}

/// Removes the [`MARK`] that [`guarded`] appended.
pub(super) fn unguard(attributes: &mut [Attribute]) {
    for attribute in attributes {
        if let Some(value) = attribute.value.strip_suffix(MARK) {
            attribute.value = StrTendril::from(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::html::tree::Tree;
    use crate::limits::Limits;

    #[test]
    fn guarded_values_that_end_with_charset_do_not_panic() {
        for content in [
            "charset",
            "text/html; CharSet \n",
            "charset=charset",
            "charset=utf-8",
        ] {
            let html = format!("<meta http-equiv=content-type content=\"{content}\">");
            let tree = Tree::parse(&html);
            assert!(tree.serialize().contains(&format!("content=\"{content}\"")));
            let tokens = crate::html::tap::read(
                &html,
                &crate::html::name_set::NameSet::all(),
                &Limits::default(),
                usize::MAX,
            )
            .expect("a simple document");
            assert_eq!((tokens.tags, tokens.mismatches), (1, 0));
            assert!(crate::html::encoding::decode(html.as_bytes(), None).is_ok());
        }
    }
}

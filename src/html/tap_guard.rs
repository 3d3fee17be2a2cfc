//! Keeps html5ever, as of 0.39, from two defects in how it extracts an encoding.
//!
//! It does so from every element that is treated like `meta`, such as `link`: what is no `meta` says nothing here. And
//! `content="text/html; charset"`, with nothing behind the word, makes it look behind the end, and panic.
//!
//! Such a value gets a U+0000 at its end on the way to the tree builder, and loses it on the way to the tree. No other value
//! ends in one: the tokenizer replaces them.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{StartTag, Tag, Token, TokenSink, TokenSinkResult};
use html5ever::{Attribute, local_name};

const WORD: &[u8] = b"charset";
const MARK: char = '\0';

/// A sink for tokens that passes them on with the values guarded.
pub(super) struct MetaGuard<S>(pub(super) S);

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

/// The tag with the values guarded that need it.
pub(super) fn guarded(mut tag: Tag) -> Tag {
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

/// The values of `attributes` as they were.
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

    #[test]
    fn a_charset_with_nothing_behind_it_is_no_panic() {
        for content in [
            "charset",
            "text/html; CharSet \n",
            "charset=charset",
            "charset=utf-8",
        ] {
            let html = format!("<meta http-equiv=content-type content=\"{content}\">");
            let tree = Tree::parse(&html);
            assert!(tree.serialize().contains(&format!("content=\"{content}\"")));
            let tokens = crate::html::tap::read(&html);
            assert_eq!((tokens.tags, tokens.mismatches), (1, 0));
            assert!(crate::html::encoding::decode(html.as_bytes(), None).is_ok());
        }
    }
}

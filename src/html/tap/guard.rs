//! Workaround for a defect of html5ever 0.40 (its rules for `InsertionMode::InHead`): it extracts an encoding from each
//! element that it handles like `meta`, such as `link`. [`MetaGuard`] drops the result unless the element is a `meta`.

use html5ever::local_name;
use html5ever::tokenizer::{Token, TokenSink, TokenSinkResult};

/// A sink for tokens that passes them on, and returns encodings of `meta` elements only.
pub(crate) struct MetaGuard<S>(pub(crate) S);

impl<S: TokenSink> TokenSink for MetaGuard<S> {
    type Handle = S::Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<S::Handle> {
        let Token::TagToken(tag) = token else {
            return self.0.process_token(token, line);
        };
        let is_meta = tag.name == local_name!("meta");
        match self.0.process_token(Token::TagToken(tag), line) {
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

#[cfg(test)]
mod tests {
    use crate::html::tap::{self, WorkLimits};
    use crate::html::tree::Tree;
    use crate::limits::Placement;

    #[test]
    fn values_that_end_with_charset_do_not_panic() {
        for content in [
            "charset",
            "text/html; CharSet \n",
            "charset=charset",
            "charset=utf-8",
        ] {
            let html = format!("<meta http-equiv=content-type content=\"{content}\">");
            let tree = Tree::parse(&html);
            assert!(tree.serialize().contains(&format!("content=\"{content}\"")));
            let names = crate::markup::name_set::NameSet::all();
            let mut limits = WorkLimits::of_length(html.len(), Placement::Outermost);
            let tokens = tap::read(&html, &names, &mut limits).expect("a simple document");
            assert_eq!((tokens.tags, tokens.mismatches), (1, 0));
            assert!(crate::html::encoding::decode(html.as_bytes(), None).is_ok());
        }
    }
}

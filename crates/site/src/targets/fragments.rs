//! The fragments that lead to an element of a document.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use percent_encoding::percent_decode_str;

use absolve::{Document, Grammar, Rewriter};

/// Lists identifiers, and the element that makes a browser open another document.
static REWRITER: LazyLock<Rewriter> = LazyLock::new(|| {
    let selected = [
        ("*[id]", Grammar::Url),
        ("a[name]", Grammar::Url),
        ("meta[http-equiv=refresh][content]", Grammar::Refresh),
    ];
    let rewriter = Rewriter::new().no_presets();
    selected
        .into_iter()
        .fold(rewriter, |rewriter, (selector, grammar)| {
            rewriter.link(selector.parse().expect("valid"), grammar)
        })
});

/// The fragments that lead to an element of a document: the hashes of its identifiers; and where it refreshes to.
#[derive(Debug, Clone, Default)]
pub struct FragmentSet {
    exact: HashSet<u64>,
    folded: HashSet<u64>,
    /// The URL that the document refreshes to.
    pub(super) refresh: Option<String>,
}

impl FragmentSet {
    /// Implements [`SiteTargets::fragments_of`](super::SiteTargets::fragments_of).
    pub(super) fn of(document: &Document<'_>) -> Self {
        let mut fragments = Self::default();
        for link_report in &REWRITER.links(document).links {
            if link_report.link.grammar == Grammar::Refresh {
                fragments.refresh = link_report.target().map(str::to_owned);
                continue;
            }
            let name = &*link_report.link.reference;
            fragments.exact.insert(hash(name));
            fragments.folded.insert(hash(&name.to_lowercase()));
        }
        fragments
    }

    /// Returns what to do about a fragment that leads to no element; `None` if it leads to one.
    ///
    /// # Source
    /// HTML, "find a potential indicated element": the fragment as it is, then percent-decoded.
    pub(super) fn help_for(&self, fragment: &str) -> Option<&'static str> {
        let decoded = percent_decode_str(fragment).decode_utf8_lossy();
        if self.exact.contains(&hash(fragment)) || self.exact.contains(&hash(&decoded)) {
            return None;
        }
        Some(if self.folded.contains(&hash(&decoded.to_lowercase())) {
            "correct the letter case, which counts in identifiers"
        } else {
            "add the id to the element, or correct the fragment"
        })
    }
}

/// Returns the part of a fragment that names an element; `None` if none is needed.
///
/// # Source
/// HTML, "scroll to the fragment": the empty fragment and `top` are the top of the document. URL Fragment Text
/// Directives: text after `:~:` names none. Deviations: fragments that begin like a path are left to scripts, and so
/// are ranges of lines, such as those of rustdoc.
pub(super) fn element_fragment(fragment: &str) -> Option<&str> {
    let fragment = fragment.split(":~:").next().unwrap_or_default();
    let is_for_others = fragment.starts_with(['/', '!']) || fragment.contains('(');
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_line_range = fragment
        .split_once('-')
        .is_some_and(|(first, last)| is_number(first) && is_number(last));
    let is_for_others = is_for_others || is_line_range;
    let is_top = fragment.is_empty() || fragment.eq_ignore_ascii_case("top");
    (!is_top && !is_for_others).then_some(fragment)
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_fragment_leaves_out_what_names_no_element() {
        for (fragment, expected) in [
            ("a", Some("a")),
            ("a:~:text=x", Some("a")),
            (":~:text=x", None),
            ("TOP", None),
            ("", None),
            ("/route", None),
            ("!x", None),
            ("svgView(viewBox(0,0,1,1))", None),
            ("203-207", None),
            ("203", Some("203")),
            ("203-a", Some("203-a")),
        ] {
            assert_eq!(element_fragment(fragment), expected, "{fragment}");
        }
    }
}

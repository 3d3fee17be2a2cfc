//! Redirects that the configuration files in a site declare.
//!
//! # The problem
//!
//! A link to a missing file may still lead to a document: the server can redirect it, or send another file. Files in
//! the site declare that: `_redirects`, and `.htaccess` with the directives of `mod_alias` and `mod_rewrite`. Some
//! rules depend on what is not known here, such as the time or the program of the reader, and some use regular
//! expressions that cannot be matched in linear time.
//!
//! # The approach
//!
//! [`Redirects::reactions`] returns the reactions of the server to a missing path: those that may occur, then the first
//! that is certain. A link is reported only if none of them leads to a file. What is not understood therefore hides
//! findings, and never causes one.

mod alias;
mod condition;
mod htaccess;
mod list;
mod pattern;
mod reaction;
mod rewrite_rule;
mod text;
mod words;

pub(super) use reaction::{Action, Reaction, Request};
pub(super) use text::PATH;

use htaccess::Htaccess;
use list::ListRule;

/// The paths that a server redirects.
#[derive(Debug, Clone, Default)]
pub(super) struct Redirects {
    list: Vec<ListRule>,
    files: Vec<Htaccess>,
}

impl Redirects {
    /// Adds the rules of a file `_redirects`.
    pub(super) fn add_list(&mut self, file: &str) {
        self.list.extend(file.lines().filter_map(ListRule::parse));
    }

    /// Adds the directives of a file `.htaccess`. `directory` is the decoded path of the URL of its directory, with a
    /// slash at the end.
    pub(super) fn add_htaccess(&mut self, directory: Vec<u8>, file: &str) {
        self.files.push(Htaccess::parse(directory, file));
    }

    /// Returns the reactions that the server may have, in order, up to the first that is certain. If none is certain,
    /// it may also look for a file.
    ///
    /// # Complexity
    /// Linear in the number of rules, and for each in the length of the path, multiplied by that of its expression.
    pub(super) fn reactions(&self, request: &Request<'_>) -> Vec<Reaction> {
        let segments = list::segments(request.path);
        let certain = |action| Reaction {
            action,
            is_certain: true,
        };
        let mut list = self.list.iter().filter_map(|rule| rule.action(&segments));
        if let Some(action) = list.next() {
            return vec![certain(action)];
        }
        let files = self.files.iter();
        let files = files.filter(|file| request.path.starts_with(&file.directory));
        let mut files: Vec<&Htaccess> = files.collect();
        // Those of deeper directories come first.
        files.sort_by_key(|file| std::cmp::Reverse(file.directory.len()));
        // The rules of `mod_rewrite` take precedence.
        let mut reactions = rewrites(&files, request);
        for file in &files {
            reactions.extend(file.redirects(request.path));
        }
        if files.iter().find_map(|file| file.has_fallback) == Some(true) {
            reactions.push(certain(Action::Serve));
        }
        let first = reactions.iter().position(|reaction| reaction.is_certain);
        reactions.truncate(first.map_or(reactions.len(), |first| first + 1));
        reactions
    }
}

/// Returns the reactions of the rules of `mod_rewrite`, up to the first that is certain. Those of the deepest directory
/// replace all others, unless they inherit them.
///
/// # Source
/// Apache, `mod_rewrite`, "`RewriteOptions` Directive": inherited rules apply as if they were in that directory.
fn rewrites(files: &[&Htaccess], request: &Request<'_>) -> Vec<Reaction> {
    let all = || files.iter().filter_map(|file| file.rewriting.as_ref());
    let is_enabled = all().find_map(|rewriting| rewriting.is_enabled);
    let deepest = files.iter().find(|file| file.rewriting.is_some());
    let Some(deepest) = deepest.filter(|_| is_enabled != Some(false)) else {
        return Vec::new();
    };
    let is_inheriting = all().any(|rewriting| rewriting.is_inheriting);
    let count = if is_inheriting { files.len() } else { 1 };
    let rules = all().take(count).flat_map(|rewriting| &rewriting.rules);
    deepest.rewrites(rules, request)
}

#[cfg(test)]
mod tests;

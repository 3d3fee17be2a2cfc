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
//! [`Redirects::reaction`] returns the reaction of the server to a missing path. `_redirects`, `Redirect` and
//! `RedirectMatch` are followed. A path that matches anything else, such as a `RewriteRule` or a directive in an `<If>`
//! section, is left to the server: such a link is not reported. What is not understood therefore hides findings, and
//! never causes one.

mod action;
mod apache_words;
mod htaccess;
mod mod_alias;
mod pattern;
mod redirects_file;

pub(super) use action::{Action, PATH};

use htaccess::Htaccess;
use redirects_file::FileRule;

/// The number of rules up to which a path is compared with each of them; more leave every path to the server. A limit
/// keeps the time linear in the number of links. Cloudflare Pages accepts 2,100.
const MAX_RULES: usize = 2_500;

/// The paths that a server redirects.
#[derive(Debug, Clone, Default)]
pub(super) struct Redirects {
    file_rules: Vec<FileRule>,
    /// Those of deeper directories come first.
    files: Vec<Htaccess>,
    rules: usize,
}

impl Redirects {
    /// Adds the rules of a file `_redirects`.
    pub(super) fn add_list(&mut self, file: &str) {
        let before = self.file_rules.len();
        self.file_rules
            .extend(file.lines().filter_map(FileRule::parse));
        self.rules += self.file_rules.len() - before;
    }

    /// Adds the directives of a file `.htaccess`. `directory` is the decoded path of the URL of its directory, with a
    /// slash at the end.
    pub(super) fn add_htaccess(&mut self, directory: Vec<u8>, file: &str) {
        let file = Htaccess::parse(directory, file);
        self.rules += file.rules();
        let is_deeper = |other: &Htaccess| other.directory.len() >= file.directory.len();
        let at = self.files.partition_point(is_deeper);
        self.files.insert(at, file);
    }

    /// Returns the names of files that some directory is served by, besides the usual ones.
    pub(super) fn index_names(&self) -> impl Iterator<Item = &str> {
        let names = self.files.iter().flat_map(|file| &file.index_names);
        names.map(String::as_str)
    }

    /// Returns the reaction to a decoded path at which there is no file, or `None` if no rule applies.
    ///
    /// # Complexity
    /// Linear in the number of rules, and for each in the length of the path, multiplied by that of its expression.
    pub(super) fn reaction(&self, path: &[u8]) -> Option<Action> {
        if self.rules > MAX_RULES {
            return Some(Action::Serve);
        }
        let segments = redirects_file::segments(path);
        if let Some(action) = self
            .file_rules
            .iter()
            .find_map(|rule| rule.action(&segments))
        {
            return Some(action);
        }
        let is_above = |file: &&Htaccess| path.starts_with(&file.directory);
        let files = || self.files.iter().filter(is_above);
        // The rules of `mod_rewrite` take precedence. Those of the directories above may be inherited.
        let mut enabled = files().take_while(|file| file.is_rewriting != Some(false));
        if enabled.any(|file| file.may_rewrite(path)) {
            return Some(Action::Serve);
        }
        let has_fallback = || files().find_map(|file| file.has_fallback) == Some(true);
        let alias = files().find_map(|file| file.redirect(path));
        alias.or_else(|| has_fallback().then_some(Action::Serve))
    }
}

#[cfg(test)]
mod tests;

//! A page of a mirror: what becomes of its links.

use super::layout::{Address, Layout, is_made_by_a_program, is_of_the_web};
use super::mirror::Mirror;
use super::path::{joined, name, reference};
use crate::grammar::Grammar;
use crate::link::{Link, Role};
use crate::reference::{Profile, Reference, without_line_breaks};
use crate::rewrite::{Decision, Document, LinkReport, Outcome, Rewriter};

/// Which links of a mirror become relative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MirrorScope {
    /// Those that a reader follows and a page is made of. What tells programs where the page is on the web stays
    /// absolute: `link` elements that are no resources (`canonical`, `alternate`), Open Graph and its kin, JSON-LD.
    #[default]
    Reading,
    /// All whose target is in the folder, but for names that are no places.
    All,
}

/// A page of a mirror, which decides about its links: see [`Mirror::page`].
#[derive(Debug, Clone)]
#[must_use]
pub struct Page<'m> {
    mirror: &'m Mirror,
    path: Vec<u8>,
    url: String,
}

/// Where a reference leads when the page is read from a disk.
struct OnDisk {
    path: Vec<u8>,
    has_query: bool,
    /// It leaves the directory of the page's host for that of another one.
    leaves_host: bool,
}

impl<'m> Page<'m> {
    pub(super) fn new(mirror: &'m Mirror, path: &[u8], url: String) -> Option<Self> {
        mirror.contains(path).then(|| Self {
            mirror,
            path: path.to_owned(),
            url,
        })
    }

    /// The URL that the page was retrieved from, as far as it is known.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The page as the index of a directory: with the URL of the directory that has the page's name. `None` if the folder
    /// has no such directory.
    ///
    /// wget gives a page the name that it asked for: `/dir` that was redirected to `/dir/` is `dir.html`.
    fn as_directory(&self) -> Option<Self> {
        let stem = self.path.strip_suffix(b".html")?;
        let is_directory = self.mirror.layout == Layout::Wget && self.mirror.has_directory(stem);
        let url = self.mirror.url_named(stem).filter(|_| is_directory)?;
        Some(Self {
            url: format!("{url}/"),
            ..self.clone()
        })
    }

    /// The page as one or the other, whichever more of its own relative references lead to files of the folder for.
    pub(super) fn told_by(self, document: &Document<'_>, rewriter: &Rewriter) -> Self {
        let Some(directory) = self.as_directory() else {
            return self;
        };
        let there = |page: &Self| {
            let document = document.clone().retrieved_from(&page.url);
            let found = rewriter.links(&document);
            let is_there = |link_report: &&LinkReport<'_>| match &link_report.outcome {
                Outcome::Resolved(target) => {
                    let file = self.mirror.find(target);
                    file.is_some_and(|file| file != page.path)
                }
                Outcome::Absolute | Outcome::Skipped(_) => false,
            };
            found.links.iter().filter(is_there).count()
        };
        if there(&directory) > there(&self) {
            directory
        } else {
            self
        }
    }

    /// What becomes of a link of the page: relative if its target is a file of the folder, absolute otherwise.
    ///
    /// For documents rewritten with the page's [`url`](Self::url) as their retrieval URL and
    /// [`BaseElementPolicy::Remove`](crate::BaseElementPolicy::Remove): a BASE that stayed would change where relative
    /// references lead. A reference that leads to the file already, read from a disk, stays as it is written; what is
    /// written is a reference of which the same is true, and so nothing changes in a second run.
    ///
    /// # Complexity
    /// Linear in the length of the target and of the page's path.
    #[must_use]
    pub fn decide(&self, link_report: &LinkReport<'_>) -> Decision {
        let link = &link_report.link;
        let Some(base) = &link_report.base else {
            // BASE is a placeholder, and stays.
            return Decision::Resolve;
        };
        if !self.is_converted(link) || (may_have_codebase(link) && base.url != self.url) {
            return Decision::Resolve;
        }
        let target = match &link_report.outcome {
            Outcome::Absolute => &*link.reference,
            Outcome::Resolved(target) => target,
            Outcome::Skipped(_) => return Decision::Resolve,
        };
        if !is_of_the_web(target) {
            return Decision::Resolve;
        }
        let on_disk = self.on_disk(&link.reference);
        // HTTrack's pages were made for reading from a disk, and so was what leads from host to host.
        let is_by_file = |on_disk: &&OnDisk| {
            on_disk.leaves_host || (self.mirror.layout == Layout::HtTrack && !on_disk.has_query)
        };
        let by_file = on_disk.as_ref().filter(is_by_file);
        if by_file.is_some_and(|on_disk| self.mirror.contains(&on_disk.path)) {
            return Decision::Keep;
        }
        let Some(address) = Address::parse(target) else {
            return Decision::Resolve;
        };
        let file = match self.mirror.find_address(&address) {
            Some(file) => file,
            None => match on_disk.as_ref().and_then(|own| self.lost(own, &address)) {
                Some(url) => match self.mirror.find(&url) {
                    Some(file) => file,
                    None => return Decision::Replace(url),
                },
                None => return Decision::Resolve,
            },
        };
        let keeps_query = self.mirror.layout == Layout::Site;
        if on_disk
            .is_some_and(|on_disk| on_disk.path == file && (keeps_query || !on_disk.has_query))
        {
            return Decision::Keep;
        }
        let mut written = reference(&self.path, file);
        match link.grammar {
            // A comma at its end would not be part of it.
            Grammar::Srcset => written = written.replace(',', "%2C"),
            // A bare specifier is no URL.
            Grammar::ImportMap if !written.starts_with('.') => written.insert_str(0, "./"),
            _ => {}
        }
        if let Some(query) = address.query.as_deref().filter(|_| keeps_query) {
            written = format!("{written}?{query}");
        }
        let fragment = Reference::split(target, Profile::Rfc3986).fragment;
        if let Some(fragment) = fragment {
            written = format!("{written}#{fragment}");
        }
        Decision::Replace(written)
    }

    /// Whether the link becomes relative if its target is there.
    fn is_converted(&self, link: &Link<'_>) -> bool {
        let is_for_programs = match &*link.element {
            "link" => matches!(link.role, Role::Navigation | Role::Metadata),
            "meta" | "script" => link.role == Role::Metadata,
            _ => false,
        };
        match link.role {
            // BASE goes. What others are relative to has to be there for them on a disk, too, which a file is not; and a
            // name is the same wherever it stands.
            Role::Base => false,
            Role::Identifier => !is_a_name(link),
            _ => !is_for_programs || self.mirror.scope == MirrorScope::All,
        }
    }

    /// Where a reference leads when the page is read from a disk; `None` if it is none from file to file.
    fn on_disk(&self, reference: &str) -> Option<OnDisk> {
        let text = without_line_breaks(reference);
        let parts = Reference::split(&text, Profile::Rfc3986);
        let is_path = parts.scheme.is_none() && parts.authority.is_none();
        // Browsers take a backslash for a slash.
        if !is_path || parts.path.starts_with('/') || parts.path.contains('\\') {
            return None;
        }
        let path = joined(&self.path, parts.path)?;
        let root = self.mirror.root_of(&self.path);
        Some(OnDisk {
            has_query: parts.query.is_some(),
            leaves_host: root.is_some_and(|root| !path.starts_with(&root.prefix))
                && self.mirror.root_of(&path).is_some(),
            path,
        })
    }

    /// The URL of a file that is not there, and that a reference was made to lead to when it was: what no author writes
    /// shows that it was made.
    fn lost(&self, on_disk: &OnDisk, target: &Address) -> Option<String> {
        if on_disk.has_query || self.mirror.layout != Layout::Wget {
            return None;
        }
        let own = name(&on_disk.path);
        let question_mark = own.iter().position(|&byte| byte == b'?');
        let is_query = question_mark.is_some_and(|at| !matches!(&own[at + 1..], b"" | b".html"));
        let stem = own.strip_suffix(b".html");
        let is_adjusted =
            self.mirror.habits.adjusts_extensions && stem.is_some_and(is_made_by_a_program);
        let is_made = is_query || is_adjusted || on_disk.leaves_host;
        let url = self.mirror.url_named(&on_disk.path).filter(|_| is_made)?;
        Some(match &target.fragment {
            Some(fragment) => format!("{url}#{fragment}"),
            None => url,
        })
    }
}

/// Whether the link may resolve against a `codebase`, which is not the page's URL.
fn may_have_codebase(link: &Link<'_>) -> bool {
    matches!(
        (&*link.element, &*link.attribute),
        ("applet", "code" | "object" | "archive") | ("object", "classid" | "archive" | "code")
    )
}

/// Whether the reference is a name only: those of SVG lead into a file all the same.
fn is_a_name(link: &Link<'_>) -> bool {
    matches!(
        &*link.attribute,
        "itemid" | "about" | "resource" | "definitionURL"
    )
}

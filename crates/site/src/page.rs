//! A page of a mirror, and the decisions about its links.

use absolve::resolution::{Reference, stripped};
use absolve::{
    BaseSource, Decision, Document, Grammar, Link, LinkReport, Outcome, Profile, Rewriter, Role,
};

use super::address::{Address, may_be_web_url};
use super::httrack;
use super::layout::{Layout, has_script_extension};
use super::mirror::{Mirror, MirrorScope};
use super::path::{file_name, join, relative_reference};

/// A page of a mirror, which decides about its links. Created by [`Mirror::page`].
#[derive(Debug, Clone)]
#[must_use]
pub struct Page<'m> {
    mirror: &'m Mirror,
    path: Vec<u8>,
    url: String,
}

/// The target of a reference when the page is read from a disk.
struct OnDisk {
    path: Vec<u8>,
    /// Whether the reference has a query that is not in the name: it may select another page.
    has_query: bool,
    /// Whether HTTrack appended the query to the name, which has a digest of it.
    has_digest: bool,
    /// Whether it is in the directory of another host.
    leaves_host: bool,
}

impl Mirror {
    /// Returns the page at `path`, which decides about its links; `None` if its URL is unknown because it is in no
    /// directory of a host, or if it is not part of the mirror.
    #[must_use]
    pub fn page(&self, path: &[u8]) -> Option<Page<'_>> {
        let url = self.url_of(path)?;
        self.contains(path).then(|| Page {
            mirror: self,
            path: path.to_owned(),
            url,
        })
    }

    /// Returns the page at `path` like [`page`](Self::page), but uses the links of `document` if its name is
    /// ambiguous.
    ///
    /// If the URL may be that of a directory, the links found by `rewriter` determine whether it is.
    ///
    /// # Complexity
    /// That of [`Rewriter::links`] if the name is ambiguous.
    #[must_use]
    pub fn page_of(
        &self,
        path: &[u8],
        document: &Document<'_>,
        rewriter: &Rewriter,
    ) -> Option<Page<'_>> {
        Some(self.page(path)?.choose_url_by_links(document, rewriter))
    }
}

impl Page<'_> {
    /// Returns the URL from which the page was retrieved, as far as it is known.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the page with the URL of the directory of the same name, or `None` if the folder contains no such
    /// directory.
    ///
    /// wget names a page after the request: `/dir`, which was redirected to `/dir/`, is stored as `dir.html`.
    fn as_directory(&self) -> Option<Self> {
        let stem = self.path.strip_suffix(b".html")?;
        let is_directory = self.mirror.layout == Layout::Wget
            && self.mirror.naming_style.adjusts_extensions != Some(false)
            && self.mirror.has_directory(stem);
        let url = self.mirror.url_with_index(stem).filter(|_| is_directory)?;
        Some(Self {
            url: format!("{url}/"),
            ..self.clone()
        })
    }

    /// Returns the page with the URL of the request, if the log of wget has another one: links that wget has converted
    /// already lead from the file, and resolve against its name.
    fn as_requested(&self) -> Option<Self> {
        let is_recorded = self.mirror.layout == Layout::Wget && self.mirror.has_record(&self.path);
        let url = self.mirror.url_by_name(&self.path);
        let url = url.filter(|url| is_recorded && *url != self.url)?;
        Some(Self {
            url,
            ..self.clone()
        })
    }

    /// Returns the page with this or another possible URL: the one for which more of its relative references lead to
    /// files of the folder.
    pub(super) fn choose_url_by_links(self, document: &Document<'_>, rewriter: &Rewriter) -> Self {
        let is_recorded = self.mirror.has_record(&self.path);
        let other = if is_recorded {
            self.as_requested()
        } else {
            self.as_directory()
        };
        let Some(other) = other else {
            return self;
        };
        let count_found = |page: &Self| {
            let document = document.clone().retrieved_from(&page.url);
            let found = rewriter.links(&document);
            let is_found = |link_report: &&LinkReport<'_>| match &link_report.outcome {
                Outcome::Resolved(target) => {
                    // A reference to the page itself leads to it, whatever the URL is.
                    let reference = stripped(&link_report.link.reference);
                    let is_to_page = reference.is_empty() || reference.starts_with('#');
                    !is_to_page && self.mirror.find(target).is_some()
                }
                Outcome::Absolute | Outcome::Skipped(_) => false,
            };
            found.links.iter().filter(is_found).count()
        };
        // From the URL of a host that is not in the folder, no link leads to a file, so counting would decide nothing.
        if !self.mirror.has_host(&self.url) && !other.is_converted_by_wget(document, rewriter) {
            return self;
        }
        let (found, found_by_other) = (count_found(&self), count_found(&other));
        // References that the first run wrote lead to files from the URL by name, but may do so from the other, too.
        let is_converted =
            || is_recorded && found > 0 && other.is_converted_by_wget(document, rewriter);
        if found_by_other > found || (found_by_other == found && is_converted()) {
            other
        } else {
            self
        }
    }

    /// Returns whether all relative references lead to files when the page is read from a disk. wget has converted such
    /// a page: authors also write references to directories, and to files that were not downloaded.
    fn is_converted_by_wget(&self, document: &Document<'_>, rewriter: &Rewriter) -> bool {
        let document = document.clone().retrieved_from(&self.url);
        let found = rewriter.links(&document);
        let is_file_or_absolute = |link_report: &LinkReport<'_>| match &link_report.outcome {
            Outcome::Resolved(target) if may_be_web_url(target) => {
                let on_disk = self.on_disk(&link_report.link.reference);
                on_disk.is_some_and(|on_disk| {
                    !on_disk.has_query && self.mirror.contains(&on_disk.path)
                })
            }
            Outcome::Resolved(_) | Outcome::Absolute | Outcome::Skipped(_) => true,
        };
        found.links.iter().all(is_file_or_absolute)
    }

    /// Decides about a link of the page: relative if its target is a file of the folder, absolute otherwise.
    ///
    /// The document must be rewritten with [`url`](Self::url) as its retrieval URL and with
    /// [`BaseElementPolicy::Remove`](absolve::BaseElementPolicy::Remove), because a BASE would change the targets of
    /// relative references. A reference that already leads to the file when the page is read from a disk is kept.
    /// Every relative reference that is written does so, so a second run changes nothing.
    ///
    /// # Complexity
    /// Linear in the length of the target and of the page's path.
    #[must_use]
    pub fn decide(&self, link_report: &LinkReport<'_>) -> Decision {
        let link = &link_report.link;
        let Some(base) = &link_report.base else {
            // BASE contains a placeholder and is kept, so targets are unknown.
            return Decision::Resolve;
        };
        if !self.is_converted(link) {
            let url = is_for_programs(link).then(|| self.converted_url(link));
            return url.flatten().map_or(Decision::Resolve, Decision::Replace);
        }
        if may_resolve_against_codebase(link) && base.url != self.url {
            return Decision::Resolve;
        }
        // The page itself, also where the name of its file does not tell its URL.
        if stripped(&link.reference).is_empty() && base.url == self.url {
            return Decision::Keep;
        }
        let Some(target) = link_report.target().filter(|url| may_be_web_url(url)) else {
            return Decision::Resolve;
        };
        let on_disk = self.on_disk(&link.reference);
        // HTTrack and programs that save pages convert links for reading from a disk, and so does wget with links
        // between the directories of hosts: no author writes such a path.
        let is_query = stripped(&link.reference).starts_with('?');
        let layout = self.mirror.layout;
        let is_for_disk = matches!(layout, Layout::HtTrack | Layout::Saved) && !is_query;
        let is_file_link = |on_disk: &&OnDisk| on_disk.leaves_host || is_for_disk;
        let file_link = on_disk.as_ref().filter(is_file_link);
        // HTTrack was interrupted if the name has a digest and the file is missing. Its URL may be in the list only.
        let file_link = file_link.filter(|on_disk| {
            let is_unlisted = on_disk.has_digest && !self.mirror.has_record(&on_disk.path);
            is_unlisted || self.mirror.contains(&on_disk.path)
        });
        if file_link.is_some_and(|on_disk| !on_disk.has_query) {
            return Decision::Keep;
        }
        let converted = self.converted_url(link);
        let target = converted.as_deref().unwrap_or(target);
        let Some(address) = Address::parse(target) else {
            return Decision::Resolve;
        };
        // For a redirect, HTTrack appends the query of the request to the file of another URL. The file of a link that
        // HTTrack did not convert has a digest of the query in its name.
        if file_link.is_some() && self.mirror.find_address(&address).is_none() {
            return Decision::Keep;
        }
        let missing_url = || self.missing_file_url(on_disk.as_ref()?, &address);
        let file = match self.mirror.find_address(&address) {
            Some(file) => file,
            None => match missing_url() {
                Some(url) => match self.mirror.find(&url) {
                    Some(file) => file,
                    None => return Decision::Replace(url),
                },
                None => return converted.map_or(Decision::Resolve, Decision::Replace),
            },
        };
        let keeps_query = self.mirror.layout == Layout::Site;
        if on_disk
            .is_some_and(|on_disk| on_disk.path == file && (keeps_query || !on_disk.has_query))
        {
            return Decision::Keep;
        }
        let mut written = relative_reference(&self.path, file);
        match link.grammar {
            // A comma at its end would separate candidates.
            Grammar::Srcset => written = written.replace(',', "%2C"),
            // Without `./` it would be a bare specifier, which is not a URL.
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

    /// Returns whether a link leads to a file of the folder when the page is read from a disk, after `decision`.
    #[must_use]
    pub fn leads_to_file(&self, link_report: &LinkReport<'_>, decision: &Decision) -> bool {
        let written = match decision {
            Decision::Replace(written) | Decision::ReplaceAdding(written, _) => written,
            _ => &*link_report.link.reference,
        };
        let on_disk = self.on_disk(written);
        on_disk.is_some_and(|on_disk| self.mirror.contains(&on_disk.path))
    }

    /// Returns whether a link leads to a file of the folder when the page is read from a disk, and no longer does after
    /// `decision`. Metadata links that remain absolute do not count.
    ///
    /// The names of files do not determine all URLs, so such a link may have led to the wrong file.
    #[must_use]
    pub fn loses_file(&self, link_report: &LinkReport<'_>, decision: &Decision) -> bool {
        let is_file = |reference: &str| {
            // A query may select another page.
            let on_disk = self.on_disk(reference).filter(|on_disk| !on_disk.has_query);
            on_disk.is_some_and(|on_disk| self.mirror.contains(&on_disk.path))
        };
        // On a disk, too, the browser resolves references against BASE.
        let base = link_report.base.as_ref();
        let has_base = base.is_none_or(|base| base.source == BaseSource::Embedded);
        let remains = match decision {
            Decision::Keep => true,
            Decision::Resolve => !matches!(link_report.outcome, Outcome::Resolved(_)),
            Decision::Replace(written) | Decision::ReplaceAdding(written, _) => is_file(written),
            Decision::Remove => false,
        };
        !remains
            && !has_base
            && self.is_converted(&link_report.link)
            && is_file(&link_report.link.reference)
    }

    /// Returns the URL to which a link leads after `decision`, without its fragment, if the folder could have its file
    /// and has not: it is on a host of the folder, and a reader follows it or the page needs it.
    #[must_use]
    pub fn missing<'l>(
        &self,
        link_report: &'l LinkReport<'_>,
        decision: &'l Decision,
    ) -> Option<&'l str> {
        let link = &link_report.link;
        let url = match decision {
            Decision::Replace(written) | Decision::ReplaceAdding(written, _) => written,
            Decision::Resolve => link_report.target()?,
            Decision::Keep | Decision::Remove => return None,
        };
        let url = before_fragment(url);
        let is_missing = matches!(link.role, Role::Navigation | Role::Resource)
            && self.is_converted(link)
            && self.mirror.has_host(url)
            && self.mirror.find(url).is_none();
        is_missing.then_some(url)
    }

    /// Returns whether the link becomes relative if its target exists.
    fn is_converted(&self, link: &Link<'_>) -> bool {
        match link.role {
            // The role `Base` is that of BASE, which is removed, and of `codebase`. References resolve against
            // `codebase`, on a disk too, so it must not lead to a file. An identifier must be the same in every
            // location.
            Role::Base => false,
            Role::Identifier => !is_identifier_attribute(link),
            _ => !is_for_programs(link) || self.mirror.scope == MirrorScope::All,
        }
    }

    /// Returns the URL of the file that a link leads to, if HTTrack converted the link. The name of the file is not
    /// that of the URL. The file may be missing if the list has its URL.
    fn converted_url(&self, link: &Link<'_>) -> Option<String> {
        if self.mirror.layout != Layout::HtTrack {
            return None;
        }
        let on_disk = self.on_disk(&link.reference)?;
        let is_known = self.mirror.contains(&on_disk.path) || self.mirror.has_record(&on_disk.path);
        let is_file = is_known && !on_disk.has_query;
        let url = self.mirror.url_of(&on_disk.path).filter(|_| is_file)?;
        let reference = stripped(&link.reference);
        Some(
            match Reference::split(&reference, Profile::Rfc3986).fragment {
                Some(fragment) => format!("{url}#{fragment}"),
                None => url,
            },
        )
    }

    /// Returns the target of a reference when the page is read from a disk; `None` if it is not a relative path.
    fn on_disk(&self, reference: &str) -> Option<OnDisk> {
        let text = stripped(reference);
        let parts = Reference::split(&text, Profile::Rfc3986);
        let is_path = parts.scheme.is_none() && parts.authority.is_none();
        // Browsers treat a backslash as a slash.
        if !is_path || parts.path.starts_with('/') || parts.path.contains('\\') {
            return None;
        }
        let path = join(&self.path, parts.path)?;
        let root = self.mirror.root_of(&self.path);
        let has_digest = |query| httrack::has_digest(file_name(&path), query);
        let has_digest =
            self.mirror.layout == Layout::HtTrack && parts.query.is_some_and(has_digest);
        Some(OnDisk {
            has_query: parts.query.is_some() && !has_digest,
            has_digest,
            leaves_host: root.is_some_and(|root| !path.starts_with(&root.prefix))
                && self.mirror.root_of(&path).is_some(),
            path,
        })
    }

    /// Returns the URL of a missing file if a downloader, not the author, wrote the reference to it.
    ///
    /// wget converts links to files that may be deleted later. Such a reference has a form that authors do not write:
    /// a query in the file name, an appended `.html`, or a path to the directory of another host.
    fn missing_file_url(&self, on_disk: &OnDisk, target: &Address) -> Option<String> {
        if on_disk.has_query || self.mirror.layout != Layout::Wget {
            return None;
        }
        let name = file_name(&on_disk.path);
        let question_mark = name.iter().position(|&byte| byte == b'?');
        let is_query = question_mark.is_some_and(|pos| !matches!(&name[pos + 1..], b"" | b".html"));
        let stem = name.strip_suffix(b".html");
        let is_adjusted = self.mirror.naming_style.adjusts_extensions == Some(true)
            && stem.is_some_and(has_script_extension);
        let is_made = is_query || is_adjusted || on_disk.leaves_host;
        let url = self.mirror.url_with_index(&on_disk.path);
        let url = url.filter(|_| is_made)?;
        Some(match &target.fragment {
            Some(fragment) => format!("{url}#{fragment}"),
            None => url,
        })
    }
}

/// Returns whether a link describes the page to programs, and no reader follows it.
fn is_for_programs(link: &Link<'_>) -> bool {
    matches!(&*link.element, "link" | "meta" | "script") && link.role == Role::Metadata
}

/// Returns whether the link may resolve against a `codebase` instead of the page's URL.
fn may_resolve_against_codebase(link: &Link<'_>) -> bool {
    matches!(
        (&*link.element, &*link.attribute),
        ("applet", "object" | "archive") | ("object", "classid" | "archive" | "code")
    )
}

/// Returns whether the reference is an identifier only. Others with that role, such as in SVG, lead into a file.
fn is_identifier_attribute(link: &Link<'_>) -> bool {
    matches!(
        &*link.attribute,
        "itemid" | "about" | "resource" | "definitionURL"
    )
}
/// Returns a URL without its fragment.
fn before_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or(url)
}

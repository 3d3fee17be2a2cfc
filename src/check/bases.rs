//! Rules about base URLs: BASE elements, and references that have no base or one that leads away.

use std::collections::{HashMap, VecDeque};

use super::{Checker, Rule, page, quoted, several};
use crate::base::{BaseSource, CandidateStatus};
use crate::grammar::{Grammar, single};
use crate::html::TreeLocation;
use crate::link::Role;
use crate::reference::{Profile, Reference, Resolver, is_absolute, without_line_breaks};
use crate::rewrite::{BaseElementReport, LinkReport, Outcome, SkipReason};

/// Adds what is to be said about the base URLs of the document.
pub(super) fn check(checker: &mut Checker<'_>) {
    for (base, index) in base_elements(checker) {
        element(checker, base, index);
    }
    type_d(checker);
    no_base(checker);
    fragments(checker);
    empty_references(checker);
}

/// The BASE elements of the document, and the index of the link that each is, if it is one.
fn base_elements<'r>(checker: &Checker<'r>) -> Vec<(&'r BaseElementReport, Option<usize>)> {
    let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (index, link_report) in checker.found.links.iter().enumerate() {
        let link = &link_report.link;
        if link_report.depth == 0 && link.element == "base" && link.attribute == "href" {
            places.entry(&link.reference).or_default().push_back(index);
        }
    }
    let bases = checker.found.remarks.bases.iter();
    bases
        .map(|base| {
            let span = single(&base.value);
            let value = &base.value[span.start..span.end];
            let index = places.get_mut(value).and_then(VecDeque::pop_front);
            (base, index)
        })
        .collect()
}

/// What is to be said about a BASE element.
fn element(checker: &mut Checker<'_>, base: &BaseElementReport, index: Option<usize>) {
    let value = base.value.trim();
    match (base.status, base.place) {
        (CandidateStatus::InTemplate, _) => {
            let message = "BASE in a template does not count".to_owned();
            let help = "move it to HEAD, or remove it";
            checker.add(Rule::BaseOutsideHead, index, message, help);
        }
        (CandidateStatus::NotFirst, _) => {
            let message = "another BASE counts, and this one does not".to_owned();
            let help = "leave one BASE with an href in the document";
            checker.add(Rule::BaseRepeated, index, message, help);
        }
        (CandidateStatus::OutsideHead, _) => {
            let message = "BASE outside HEAD: browsers go by it, RFC 1808 does not".to_owned();
            let help = "move it to HEAD, before anything that has a URL";
            checker.add(Rule::BaseOutsideHead, index, message, help);
        }
        (_, TreeLocation::Outside) => {
            let message = "BASE outside HEAD: it counts here, and not by RFC 1808".to_owned();
            let help = "move it to HEAD, before anything that has a URL";
            checker.add(Rule::BaseOutsideHead, index, message, help);
            counting(checker, base.status, value, index);
        }
        (status, TreeLocation::Head | TreeLocation::Template) => {
            counting(checker, status, value, index)
        }
    }
}

/// What is to be said about the BASE that counts.
fn counting(checker: &mut Checker<'_>, status: CandidateStatus, value: &str, index: Option<usize>) {
    let is_base = status.is_used();
    match status {
        CandidateStatus::Unusable(error) => {
            let message = format!("no base URL: {error}");
            let help = "give it a whole URL, such as https://example.org/dir/";
            checker.add(Rule::BaseUnusable, index, message, help);
        }
        _ if value.is_empty() => {
            let message = "an empty BASE says nothing, and hides any BASE behind it".to_owned();
            let help = "remove its href, or give it a whole URL";
            checker.add(Rule::BaseEmpty, index, message, help);
        }
        CandidateStatus::Relative => {
            let message = "BASE is relative, and nothing says to what".to_owned();
            let help =
                "give it a whole URL; or tell the document's own, with --url on the command line";
            checker.add(Rule::BaseRelative, index, message, help);
        }
        // HTML allows it.
        CandidateStatus::UsedAfterResolving if checker.profile() != Profile::Whatwg => {
            let url = checker
                .found
                .base
                .base
                .as_ref()
                .map_or("", |base| &base.url);
            let message = format!("BASE is relative: here it stands for {}", quoted(url));
            let help =
                "write it as a whole URL, so that it does not depend on where the document is";
            checker.add(Rule::BaseRelative, index, message, help);
        }
        _ => {}
    }
    if is_base {
        after_links(checker, index);
        without_slash(checker, index);
    }
}

/// Whether the reference goes by the embedded base of the document: it is relative, not empty and no fragment only.
fn goes_by_base(link_report: &LinkReport<'_>, profile: Profile) -> bool {
    let reference = &*link_report.link.reference;
    let is_embedded = || {
        let source = link_report.base.as_ref().map(|base| base.source);
        source == Some(BaseSource::Embedded)
    };
    link_report.depth == 0
        && link_report.link.role != Role::Base
        && !matches!(link_report.outcome, Outcome::Absolute)
        && !reference.is_empty()
        && !reference.starts_with('#')
        && is_embedded()
        && !is_absolute(reference, profile)
}

fn after_links(checker: &mut Checker<'_>, index: Option<usize>) {
    let (Some(end), Some(base)) = (index, checker.found.base.base.as_ref()) else {
        return;
    };
    let profile = checker.profile();
    let with = Resolver::new(&base.url, Profile::Whatwg).ok();
    let without = checker.own_url.as_ref();
    let without = without.and_then(|url| Resolver::new(url, Profile::Whatwg).ok());
    let leads_elsewhere = |reference: &str| match (&with, &without) {
        (Some(with), Some(without)) => with.resolve(reference) != without.resolve(reference),
        // Only the scheme of what is between two slashes and the path comes from the base.
        _ => !reference.starts_with("//"),
    };
    let before = checker.found.links[..end].iter().filter(|link_report| {
        goes_by_base(link_report, profile) && leads_elsewhere(&link_report.link.reference)
    });
    let mut before = before.map(|link_report| &link_report.link);
    let Some(first) = before.next() else { return };
    let number = 1 + before.count();
    let message = format!(
        "{} before this BASE, the first one {}[{}] {}",
        several(number, "relative reference"),
        first.element,
        first.attribute,
        quoted(&first.reference)
    );
    let help = "move BASE to the beginning of HEAD, before anything that has a URL";
    checker.add(Rule::BaseAfterLink, index, message, help);
}

fn without_slash(checker: &mut Checker<'_>, index: Option<usize>) {
    let Some(base) = checker.found.base.base.as_ref() else {
        return;
    };
    let split = Reference::split(&base.url, Profile::Rfc3986);
    let last = split.path.rsplit('/').next().unwrap_or_default();
    let is_directory = !last.is_empty()
        && split.query.is_none()
        && !last.contains(['.', ';', '=', '{', '%'])
        && split.authority.is_some();
    // The document's own URL is what it is; a BASE with that URL means that document.
    if !is_directory || checker.own_url.is_none() || page(&base.url) == checker.own_url {
        return;
    }
    let profile = checker.profile();
    let is_merged = |link_report: &&LinkReport<'_>| {
        goes_by_base(link_report, profile)
            && !link_report.link.reference.starts_with(['/', '\\', '?'])
    };
    if !checker
        .found
        .links
        .iter()
        .any(|link_report| is_merged(&link_report))
    {
        return;
    }
    let message = format!(
        "no slash at the end: relative references drop {}",
        quoted(last)
    );
    let help = format!("if {last} is a directory, write a slash behind it");
    checker.add(Rule::BaseWithoutSlash, index, message, help);
}

/// RFC 1808 section 5.3.
fn type_d(checker: &mut Checker<'_>) {
    let Some(base) = checker.found.base.base.as_ref() else {
        return;
    };
    let split = Reference::split(&base.url, Profile::Rfc1808);
    let is_ftp = split
        .scheme
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("ftp"));
    let is_directory = split
        .params
        .is_some_and(|params| params.eq_ignore_ascii_case("type=d"));
    let profile = checker.profile();
    let is_relative = |link_report: &LinkReport<'_>| {
        let reference = &*link_report.link.reference;
        !reference.is_empty() && link_report.base.is_some() && !is_absolute(reference, profile)
    };
    if !is_ftp || !is_directory || !checker.found.links.iter().any(is_relative) {
        return;
    }
    let elements = base_elements(checker);
    let used = elements
        .iter()
        .find(|(element, _)| element.status.is_used());
    let index = used.and_then(|&(_, index)| index);
    let message = format!(
        "the base URL {} names a directory by ;type=d, and relative references drop its last segment",
        quoted(&base.url)
    );
    let help = "end the path of the base URL with a slash, and leave out ;type=d";
    checker.add(Rule::BaseTypeD, index, message, help);
}

fn no_base(checker: &mut Checker<'_>) {
    let is_left = |link_report: &LinkReport<'_>| {
        link_report.outcome == Outcome::Skipped(SkipReason::NoBase)
            && link_report.link.role != Role::Base
            && !link_report.link.reference.is_empty()
            && !link_report.link.reference.starts_with('#')
    };
    // There is one, once the template is filled in.
    let bases = &checker.found.remarks.bases;
    let is_placeholder = bases
        .iter()
        .any(|base| base.status == CandidateStatus::Placeholder);
    let links = &checker.found.links;
    let first = links.iter().position(is_left);
    let Some(first) = first.filter(|_| !is_placeholder) else {
        return;
    };
    let number = links[first..]
        .iter()
        .filter(|link_report| is_left(link_report))
        .count();
    let message = format!(
        "{}, and no base URL is known",
        several(number, "relative reference")
    );
    let help = "tell the document's URL (--url on the command line), or put a BASE with a whole URL into HEAD";
    checker.add(Rule::NoBase, Some(first), message, help);
}

/// The embedded base URL, if it is the document's and does not name the document itself, or may not.
fn foreign_base(checker: &Checker<'_>) -> Option<String> {
    let base = checker.found.base.base.as_ref()?;
    let url = page(&base.url)?;
    let is_foreign = base.source == BaseSource::Embedded && checker.own_url.as_ref() != Some(&url);
    is_foreign.then_some(url)
}

fn fragments(checker: &mut Checker<'_>) {
    let Some(base) = foreign_base(checker) else {
        return;
    };
    // Not known to be this document, and not known to be another: a whole directory is hardly this document, and a BASE
    // with the URL of a page is mostly that page's own.
    let is_directory = base
        .split('?')
        .next()
        .is_some_and(|path| path.ends_with('/'));
    if checker.own_url.is_none() && !is_directory {
        return;
    }
    let doubt = if checker.own_url.is_none() {
        ", unless that is this document's own URL"
    } else {
        ""
    };
    let profile = checker.profile();
    let leaves = |link_report: &LinkReport<'_>| {
        let reference = without_line_breaks(&link_report.link.reference);
        let source = link_report.base.as_ref().map(|base| base.source);
        link_report.depth == 0
            && link_report.link.role == Role::Navigation
            && source == Some(BaseSource::Embedded)
            && reference.len() > 1
            && Reference::split(&reference, profile).is_fragment_only()
    };
    let links = &checker.found.links;
    let Some(first) = links.iter().position(leaves) else {
        return;
    };
    let number = links[first..]
        .iter()
        .filter(|link_report| leaves(link_report))
        .count();
    let verb = if number == 1 { "leads" } else { "lead" };
    let message = format!(
        "with this BASE, {} {verb} to {}{doubt}",
        several(number, "fragment-only reference"),
        quoted(&base)
    );
    let help = "write the document's own URL before the #, or remove BASE";
    checker.add(Rule::FragmentLeavesDocument, Some(first), message, help);
}

fn empty_references(checker: &mut Checker<'_>) {
    let base = foreign_base(checker);
    let links = &checker.found.links;
    let found: Vec<(usize, String, &str)> = links
        .iter()
        .enumerate()
        .filter(|(_, link_report)| link_report.link.reference.is_empty() && link_report.depth == 0)
        .filter_map(
            |(index, link_report)| match (&base, link_report.link.role) {
                (Some(base), Role::Navigation) if checker.own_url.is_some() => Some((
                    index,
                    format!(
                        "with this BASE, an empty reference leads to {}, not to this document",
                        quoted(base)
                    ),
                    "write the document's own URL",
                )),
                (_, Role::Resource) => Some((
                    index,
                    match link_report.link.grammar {
                        Grammar::Css => "an empty url() fetches nothing".to_owned(),
                        _ => format!(
                            "an empty {} fetches nothing, or the document itself",
                            link_report.link.attribute
                        ),
                    },
                    "leave it out until there is a value for it",
                )),
                _ => None,
            },
        )
        .collect();
    for (index, message, help) in found {
        checker.add(Rule::EmptyReference, Some(index), message, help);
    }
}

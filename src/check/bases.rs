//! Rules about base URLs: BASE elements, and references without a base URL or with that of another document.

use std::collections::{HashMap, VecDeque};

use super::checker::{Checker, Violation, counted, document_url, quoted};
use super::rule::Rule;
use crate::base::{BaseSource, CandidateStatus};
use crate::grammar::{Grammar, single};
use crate::link::Role;
use crate::markup::TreeLocation;
use crate::record::{BaseElementReport, LinkReport, Outcome, SkipReason};
use crate::reference::{Profile, Reference, Resolver, is_absolute, stripped};

/// Applies the rules to the base URLs of the document.
pub(super) fn check(checker: &mut Checker<'_>) {
    for (base, index) in base_elements(checker) {
        base_element(checker, base, index);
    }
    ftp_directory(checker);
    missing_base(checker);
    fragment_only_references(checker);
    empty_references(checker);
}

/// Returns the BASE elements of the document, each with the index of its link, if its `href` is one.
fn base_elements<'r>(checker: &Checker<'r>) -> Vec<(&'r BaseElementReport, Option<usize>)> {
    // A `BaseElementReport` has no span, so elements and links with the same reference are paired in document order.
    let mut indices: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (index, link_report) in checker.found.links.iter().enumerate() {
        let link = &link_report.link;
        if link_report.depth == 0 && link.element == "base" && link.attribute == "href" {
            indices.entry(&link.reference).or_default().push_back(index);
        }
    }
    let bases = checker.found.base_elements.iter();
    bases
        .map(|base| {
            let span = single(&base.value);
            let value = &base.value[span.start..span.end];
            let index = indices.get_mut(value).and_then(VecDeque::pop_front);
            (base, index)
        })
        .collect()
}

/// Applies the rules to a BASE element.
fn base_element(checker: &mut Checker<'_>, base: &BaseElementReport, index: Option<usize>) {
    let (rule, message, help) = match (base.status, base.location) {
        (CandidateStatus::InTemplate, _) => (
            Rule::BaseOutsideHead,
            "BASE inside a template has no effect",
            "move it to HEAD, or remove it",
        ),
        // Harmless: the same URL as in the one that counts.
        (CandidateStatus::NotFirst, _) if repeats_base(checker, base) => return,
        (CandidateStatus::NotFirst, _) => (
            Rule::BaseRepeated,
            "BASE has no effect: only the first one counts",
            "keep one BASE element with an href",
        ),
        (CandidateStatus::OutsideHead, _) => (
            Rule::BaseOutsideHead,
            "BASE outside HEAD is ignored here; browsers use it",
            "move it to HEAD, before the first element that has a URL",
        ),
        (status, location) => {
            if location == TreeLocation::Outside {
                let message = "BASE outside HEAD is used here; RFC 1808 ignores it".to_owned();
                let help = "move it to HEAD, before the first element that has a URL";
                checker.add(Violation::new(Rule::BaseOutsideHead, message, help), index);
            }
            effective_base_element(checker, status, base.value.trim(), index);
            return;
        }
    };
    checker.add(Violation::new(rule, message, help), index);
}

/// Returns whether a BASE has the value of the first one.
fn repeats_base(checker: &Checker<'_>, base: &BaseElementReport) -> bool {
    let first = checker.found.base_elements.first();
    first.is_some_and(|first| first.value.trim() == base.value.trim())
}

/// Applies the rules to the BASE element that counts.
fn effective_base_element(
    checker: &mut Checker<'_>,
    status: CandidateStatus,
    value: &str,
    index: Option<usize>,
) {
    let is_base = status.is_used() && is_base_resolvable(checker);
    let is_foreign = is_base && checker.found.base.is_foreign();
    if is_foreign || status == CandidateStatus::ForeignOrigin {
        let message = "BASE has another scheme, host or port than the document".to_owned();
        let help = "remove BASE, unless all links are meant for that host";
        checker.add(Violation::new(Rule::BaseForeignHost, message, help), index);
    }
    match status {
        CandidateStatus::Used if !is_base => {
            let message = "BASE has no hierarchy: relative references have no target".to_owned();
            let help = "write an absolute URL, such as https://example.org/dir/";
            checker.add(Violation::new(Rule::BaseUnusable, message, help), index);
        }
        CandidateStatus::Unusable(error) => {
            let message = format!("BASE cannot be used: {error}");
            let help = "write an absolute URL, such as https://example.org/dir/";
            checker.add(Violation::new(Rule::BaseUnusable, message, help), index);
        }
        _ if value.is_empty() => {
            let message = "empty BASE sets no base URL, and hides any later BASE".to_owned();
            let help = "remove its href, or write an absolute URL";
            checker.add(Violation::new(Rule::BaseEmpty, message, help), index);
        }
        CandidateStatus::Relative => {
            let message = "BASE is relative, and no other base URL is known".to_owned();
            let help = "write an absolute URL, or set the document's URL (--url)";
            checker.add(Violation::new(Rule::BaseRelative, message, help), index);
        }
        // HTML permits a relative BASE.
        CandidateStatus::UsedAfterResolving if checker.profile() != Profile::Whatwg => {
            let base = checker.found.base.base.as_ref();
            let url = quoted(base.map_or("", |base| &base.url));
            let message = format!("BASE is relative; it resolves to {url} here");
            let help = "write an absolute URL, which does not depend on the document's URL";
            checker.add(Violation::new(Rule::BaseRelative, message, help), index);
        }
        _ => {}
    }
    if is_base {
        references_before_base(checker, index);
        missing_final_slash(checker, index);
    }
}

/// Returns whether the reference resolves against the embedded base of the document, and is neither empty nor
/// fragment-only.
fn uses_embedded_base(link_report: &LinkReport<'_>, profile: Profile) -> bool {
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

/// Applies [`Rule::BaseAfterLink`]; the link at `index` is the BASE element.
fn references_before_base(checker: &mut Checker<'_>, index: Option<usize>) {
    let (Some(end), Some(base)) = (index, checker.found.base.base.as_ref()) else {
        return;
    };
    let profile = checker.profile();
    let with = Resolver::new(&base.url, Profile::Whatwg).ok();
    let without = checker.own_url.as_ref();
    let without = without.and_then(|url| Resolver::new(url, Profile::Whatwg).ok());
    let is_changed = |reference: &str| match (&with, &without) {
        (Some(with), Some(without)) => with.resolve(reference) != without.resolve(reference),
        // The document's URL is unknown: assume that it has only the scheme in common with the BASE URL.
        _ => !reference.starts_with("//"),
    };
    let before = checker.found.links[..end].iter().filter(|link_report| {
        uses_embedded_base(link_report, profile) && is_changed(&link_report.link.reference)
    });
    let mut before = before.map(|link_report| &link_report.link);
    let Some(first) = before.next() else { return };
    let number = 1 + before.count();
    let message = format!(
        "{} before this BASE; the first is {}[{}] {}",
        counted(number, "relative reference"),
        first.element,
        first.attribute,
        quoted(&first.reference)
    );
    let help = "make BASE the first element in HEAD that has a URL";
    checker.add(Violation::new(Rule::BaseAfterLink, message, help), index);
}

/// Applies [`Rule::BaseWithoutSlash`]; the link at `index` is the BASE element.
fn missing_final_slash(checker: &mut Checker<'_>, index: Option<usize>) {
    let Some(base) = checker.found.base.base.as_ref() else {
        return;
    };
    let split = Reference::split(&base.url, Profile::Rfc3986);
    let last = split.path.rsplit('/').next().unwrap_or_default();
    let is_directory = !last.is_empty()
        && split.query.is_none()
        && !last.contains(['.', ';', '=', '{', '%'])
        && split.authority.is_some();
    // A BASE element with the document's own URL is correct: it names this document.
    if !is_directory || checker.own_url.is_none() || document_url(&base.url) == checker.own_url {
        return;
    }
    let profile = checker.profile();
    let is_merged = |link_report: &LinkReport<'_>| {
        uses_embedded_base(link_report, profile)
            && !link_report.link.reference.starts_with(['/', '\\', '?'])
    };
    if !checker.found.links.iter().any(is_merged) {
        return;
    }
    let replaced = quoted(last);
    let message = format!("no slash at the end of BASE: relative paths replace {replaced}");
    let help = format!("if {last} is a directory, append a slash");
    checker.add(Violation::new(Rule::BaseWithoutSlash, message, help), index);
}

/// Applies [`Rule::BaseTypeD`] (RFC 1808 section 5.3) to the base URL, whether or not it comes from a BASE element.
fn ftp_directory(checker: &mut Checker<'_>) {
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
    let url = quoted(&base.url);
    let message = format!("relative paths ignore \";type=d\" in the base URL {url}");
    let help = "end the path of the base URL with a slash, and remove \";type=d\"";
    checker.add(Violation::new(Rule::BaseTypeD, message, help), index);
}

/// Returns the index of the first link that satisfies `condition`, and the number of all that do; `None` if none does.
fn first_and_number(
    checker: &Checker<'_>,
    condition: impl Fn(&LinkReport<'_>) -> bool,
) -> Option<(usize, usize)> {
    let links = checker.found.links.iter().enumerate();
    let mut indices = links.filter(|(_, link_report)| condition(link_report));
    let (first, _) = indices.next()?;
    Some((first, 1 + indices.count()))
}

/// Returns whether a reference that is relative to the base URL of the document has a target, or there is no base URL.
fn is_base_resolvable(checker: &Checker<'_>) -> bool {
    let base = checker.found.base.base.as_ref();
    base.is_none_or(|base| {
        Resolver::new(&base.url, checker.profile())
            .is_ok_and(|resolver| resolver.resolve("x").is_ok())
    })
}

/// Applies [`Rule::NoBase`].
fn missing_base(checker: &mut Checker<'_>) {
    let is_too_long = |link_report: &LinkReport<'_>| {
        link_report.outcome == Outcome::Skipped(SkipReason::BaseTooLong)
    };
    if let Some((first, number)) = first_and_number(checker, is_too_long) {
        let references = counted(number, "relative reference");
        let message = format!("{references}, but the base URL is too long");
        let help = "shorten the URL, or raise the limit (--limit base-length=BYTES)";
        checker.add(Violation::new(Rule::NoBase, message, help), Some(first));
        return;
    }
    let is_unresolved = |link_report: &LinkReport<'_>| {
        link_report.outcome == Outcome::Skipped(SkipReason::NoBase)
            && link_report.link.role != Role::Base
            && !link_report.link.reference.is_empty()
            && !link_report.link.reference.starts_with('#')
    };
    // The document has a base URL once its template is rendered.
    let bases = &checker.found.base_elements;
    let is_placeholder = bases
        .iter()
        .any(|base| base.status == CandidateStatus::Placeholder);
    // A BASE that no reference can be relative to is a finding of its own.
    let is_known = is_placeholder || !is_base_resolvable(checker);
    let found = first_and_number(checker, is_unresolved);
    let Some((first, number)) = found.filter(|_| !is_known) else {
        return;
    };
    let references = counted(number, "relative reference");
    let message = format!("{references}, but no base URL is known");
    let help = "set the document's URL (--url), or add a BASE with an absolute URL";
    checker.add(Violation::new(Rule::NoBase, message, help), Some(first));
}

/// Returns the base URL without its fragment if it comes from a BASE element and is not known to be the document's
/// own URL.
fn foreign_base(checker: &Checker<'_>) -> Option<String> {
    let base = checker.found.base.base.as_ref()?;
    let url = document_url(&base.url)?;
    let is_foreign = base.source == BaseSource::Embedded && checker.own_url.as_ref() != Some(&url);
    is_foreign.then_some(url)
}

/// Applies [`Rule::FragmentLeavesDocument`].
fn fragment_only_references(checker: &mut Checker<'_>) {
    let Some(base) = foreign_base(checker) else {
        return;
    };
    // If the document's URL is unknown, guess: a BASE URL of a page is usually the document's own, and a BASE URL of a
    // directory is usually not.
    let is_directory = base
        .split('?')
        .next()
        .is_some_and(|path| path.ends_with('/'));
    if checker.own_url.is_none() && !is_directory {
        return;
    }
    let doubt = if checker.own_url.is_none() {
        ", which may be another document"
    } else {
        ""
    };
    let profile = checker.profile();
    let leaves = |link_report: &LinkReport<'_>| {
        let reference = stripped(&link_report.link.reference);
        let source = link_report.base.as_ref().map(|base| base.source);
        link_report.depth == 0
            && link_report.link.role == Role::Navigation
            && source == Some(BaseSource::Embedded)
            && reference.len() > 1
            && Reference::split(&reference, profile).is_fragment_only()
    };
    let Some((first, number)) = first_and_number(checker, leaves) else {
        return;
    };
    let (references, base) = (counted(number, "fragment-only reference"), quoted(&base));
    let message = format!("BASE makes {references} point to {base}{doubt}");
    let help = "write the document's own URL before the #, or remove BASE";
    checker.add(
        Violation::new(Rule::FragmentLeavesDocument, message, help),
        Some(first),
    );
}

/// Applies [`Rule::EmptyReference`].
fn empty_references(checker: &mut Checker<'_>) {
    let base = foreign_base(checker);
    let found = checker.found;
    for (index, link_report) in found.links.iter().enumerate() {
        let link = &link_report.link;
        // HTML, "sort and normalize scopes": an empty scope prefix is the base URL, which is a useful prefix. No other
        // reference of an import map is empty.
        let is_scope_prefix = link.grammar == Grammar::ImportMap;
        if !link.reference.is_empty() || link_report.depth > 0 || is_scope_prefix {
            continue;
        }
        let (message, help) = match (&base, link.role) {
            (Some(base), Role::Navigation) if checker.own_url.is_some() => (
                format!(
                    "BASE makes an empty reference point to {}, not to this document",
                    quoted(base)
                ),
                "write the document's own URL",
            ),
            (_, Role::Resource) => (
                if link.grammar == Grammar::Css {
                    "empty url() fetches nothing".to_owned()
                } else {
                    let attribute = &link.attribute;
                    format!("empty {attribute} fetches nothing, or the document itself")
                },
                "remove it until there is a value for it",
            ),
            _ => continue,
        };
        checker.add(
            Violation::new(Rule::EmptyReference, message, help),
            Some(index),
        );
    }
}

//! Rules about single references.

use encoding_rs::UTF_8;

use super::checker::{Checker, Violation, quoted};
use super::rule::Rule;
use super::{guess, scheme};
use crate::grammar::Grammar;
use crate::link::{Link, Role};
use crate::record::{LinkReport, Outcome, SkipReason};
use crate::reference::{
    Authority, Escape, Profile, Reference, ResolveError, Resolver, is_absolute, normalize,
};
use crate::rewrite::resolve::LONGEST_REFERENCE;
use crate::rewrite::resolve::is_dangling_markup;
use crate::scheme::{needs_host, split_rfc1808};
use crate::xml::XML_BASE;

/// Rules that report a cause of [`Rule::ProfilesDiffer`]: if one of them fires, `ProfilesDiffer` is redundant.
const EXPLAIN_DIFFERENCES: [Rule; 8] = [
    Rule::Placeholder,
    Rule::LocalFile,
    Rule::MissingAuthority,
    Rule::MisspelledScheme,
    Rule::ColonInFirstSegment,
    Rule::Malformed,
    Rule::WhiteSpace,
    Rule::DotsAboveRoot,
];

/// Applies the rules to each reference of the document.
pub(super) fn check(checker: &mut Checker<'_>) {
    let found = checker.found;
    let mut resolvers = ProfileResolvers::default();
    for (index, link_report) in found.links.iter().enumerate() {
        for fired in violations(checker, link_report, &mut resolvers) {
            checker.add(fired, Some(index));
        }
    }
}

/// Returns the violations of one link, in a fixed order of rules.
fn violations(
    checker: &Checker<'_>,
    link_report: &LinkReport<'_>,
    resolvers: &mut ProfileResolvers,
) -> Vec<Violation> {
    let reference = &*link_report.link.reference;
    if link_report.link.grammar == Grammar::Text {
        return Vec::new();
    }
    let is_left_alone = matches!(
        link_report.outcome,
        Outcome::Skipped(
            SkipReason::Excluded | SkipReason::Local | SkipReason::TooDeep | SkipReason::Encoded
        )
    );
    if link_report.outcome == Outcome::Skipped(SkipReason::Identifier) {
        // In a JSON Feed, any string is an identifier (version 1.1, "id").
        if link_report.link.element == "jsonfeed:id" {
            return Vec::new();
        }
        let message = format!("the identifier {} is relative", quoted(reference));
        let help = "write an absolute URL or a tag: URI, and never change it afterwards";
        return vec![Violation::new(Rule::RelativeIdentifier, message, help)];
    }
    if link_report.outcome == Outcome::Skipped(SkipReason::InvalidCandidate) {
        let message = format!("browsers ignore the candidate {}", quoted(reference));
        let help = "write one descriptor after it: a width as 640w, or a density as 2x";
        return vec![Violation::new(Rule::Malformed, message, help)];
    }
    if reference.len() > LONGEST_REFERENCE
        && link_report.outcome == Outcome::Skipped(SkipReason::Malformed)
    {
        let message = format!("the reference has {} bytes", reference.len());
        let help = "shorten it: servers accept some 8,000 bytes";
        return vec![Violation::new(Rule::Malformed, message, help)];
    }
    let scheme = split_rfc1808(reference);
    if is_dangling_markup(reference, reference) {
        let message =
            "the reference has a line break and `<`: markup follows a quote that is not closed";
        let help =
            "close the quote before it; if somebody else wrote it, remove what they could insert";
        return vec![Violation::new(Rule::DanglingMarkup, message, help)];
    }
    if is_read_by_browsers(&link_report.link) && !reference.is_empty() {
        let message = "browsers ignore this xml:base";
        let help = "write absolute URLs, or make the links in this element absolute";
        return vec![Violation::new(Rule::XmlBaseIgnored, message, help)];
    }
    // Identifiers are compared, and never followed.
    if reference.is_empty() || is_left_alone || link_report.link.role == Role::Identifier {
        return Vec::new();
    }
    if scheme.is_some_and(|(scheme, _)| scheme::is_opaque(scheme)) {
        return Vec::new();
    }
    let mut violations = Vec::new();
    if let Some(violation) = placeholder(checker, reference) {
        // The final reference is unknown, so no other rule applies.
        return vec![violation];
    }
    let base = link_report.base.as_ref().map(|base| &*base.url);
    resolvers.prepare(base);
    violations.extend(likely_intent(link_report, scheme, base));
    let names_cause = |violation: &Violation| {
        matches!(
            violation.rule,
            Rule::MisspelledScheme | Rule::MissingAuthority
        )
    };
    if !violations.iter().any(names_cause) {
        violations.extend(malformed(reference, resolvers));
    }
    violations.extend(suspicious_characters(reference));
    violations.extend(dots_above_root(checker, reference, resolvers));
    let explains_difference = |violation: &Violation| EXPLAIN_DIFFERENCES.contains(&violation.rule);
    if !violations.iter().any(explains_difference) {
        violations.extend(profiles_differ(reference, resolvers));
    }
    violations
}

/// Returns whether a link is the `xml:base` of an element outside a feed.
fn is_read_by_browsers(link: &Link<'_>) -> bool {
    let prefix = link.element.split_once(':').map(|(prefix, _)| prefix);
    link.attribute == XML_BASE && matches!(prefix, None | Some("svg" | "math"))
}

/// Applies [`Rule::Placeholder`].
fn placeholder(checker: &Checker<'_>, reference: &str) -> Option<Violation> {
    let template_help = "render the template before publishing, or remove the link";
    if checker.settings.placeholders.are_contained_in(reference) {
        let message = format!("template placeholder in {}", quoted(reference));
        return Some(Violation::new(Rule::Placeholder, message, template_help));
    }
    if guess::is_missing_value(reference) {
        let message = format!("{} looks like a missing value", quoted(reference));
        let help = "supply the URL, or remove the link";
        return Some(Violation::new(Rule::Placeholder, message, help));
    }
    guess::has_encoded_placeholder(reference).then(|| {
        let written = quoted(reference);
        let message = format!("percent-encoded template placeholder in {written}");
        Violation::new(Rule::Placeholder, message, template_help)
    })
}

/// Applies the rules about references that probably do not mean what their author intended, and returns the first
/// violation.
fn likely_intent(
    link_report: &LinkReport<'_>,
    split: Option<(&str, &str)>,
    base: Option<&str>,
) -> Option<Violation> {
    let reference = &*link_report.link.reference;
    let is_scheme = |name: &str| split.is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case(name));
    let is_in_file = base.is_some_and(|base| {
        split_rfc1808(base).is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("file"))
    });
    if guess::is_drive_path(reference) || (is_scheme("file") && !is_in_file) {
        let message = format!("{} is a local file", quoted(reference));
        let help = "publish the file, and link to its URL";
        return Some(Violation::new(Rule::LocalFile, message, help));
    }
    if let Some(intended) = guess::with_right_scheme(reference) {
        let message = format!("misspelled or doubled scheme in {}", quoted(reference));
        let help = format!("write {}", quoted(&intended));
        return Some(Violation::new(Rule::MisspelledScheme, message, help));
    }
    if let Some((scheme, rest)) = split {
        if needs_host(scheme) && !has_authority(rest) {
            let message = format!("no host after \"{scheme}:\"; browsers guess, RFC 1808 does not");
            let help =
                format!("write {scheme}://HOST/ for a host, or remove \"{scheme}:\" for a path");
            return Some(Violation::new(Rule::MissingAuthority, message, help));
        }
        if guess::is_path_with_colon(scheme, rest) {
            let message = format!("\"{scheme}:\" is read as a scheme");
            let help = "write \"./\" before a path, or \"//\" before a host";
            return Some(Violation::new(Rule::ColonInFirstSegment, message, help));
        }
        return None;
    }
    if reference.starts_with("///") {
        let message = "no host after two slashes";
        let help = "write //HOST/ for a host, or a single slash for a path";
        return Some(Violation::new(Rule::MissingAuthority, message, help));
    }
    if let Some(intended) = guess::with_scheme(reference, &link_report.link.element) {
        let written = quoted(reference);
        let message = format!("{written} has no scheme, so it resolves as a path");
        let help = format!("write {}", quoted(&intended));
        return Some(Violation::new(Rule::MissingScheme, message, help));
    }
    if is_in_file && reference.starts_with("//") {
        let written = quoted(reference);
        let message = format!("{written} inherits the scheme \"file\" of the base URL");
        let help = format!("write {}", quoted(&format!("https:{reference}")));
        return Some(Violation::new(Rule::NetworkPathInFile, message, help));
    }
    let base_host = base.and_then(host);
    if guess::is_single_label(reference, base_host) {
        let written = quoted(reference);
        let message = format!("two slashes: {written} begins with a host, not a directory");
        let help = format!("if a path is meant, write {}", quoted(&reference[1..]));
        return Some(Violation::new(Rule::SingleLabelHost, message, help));
    }
    None
}

/// Returns the host of an absolute URL, without user information and port.
fn host(url: &str) -> Option<&str> {
    let authority = Reference::split(url, Profile::Rfc3986).authority?;
    Some(Authority::split(authority).host)
}

/// Returns whether `rest`, the text after a scheme and its colon, begins with two slashes and a host. Backslashes
/// count as slashes here: [`Rule::Backslash`] reports them.
fn has_authority(rest: &str) -> bool {
    let mut characters = rest.chars();
    let is_slash = |character: Option<char>| matches!(character, Some('/' | '\\'));
    is_slash(characters.next())
        && is_slash(characters.next())
        && !matches!(characters.next(), None | Some('/' | '\\' | '?' | '#'))
}

/// Applies [`Rule::Malformed`].
fn malformed(reference: &str, resolvers: &ProfileResolvers) -> Option<Violation> {
    let is_malformed = if is_absolute(reference, Profile::Whatwg) {
        browser_url(reference).is_none()
    } else {
        let resolved = resolvers
            .whatwg
            .as_ref()
            .map(|resolver| resolver.resolve(reference));
        resolved == Some(Err(ResolveError::ReferenceMalformed))
    };
    is_malformed.then(|| {
        let written = quoted(reference);
        let message = format!("invalid URL {written}: browsers do not follow it");
        Violation::new(Rule::Malformed, message, "check host and port for typos")
    })
}

/// Applies [`Rule::Backslash`] and [`Rule::WhiteSpace`].
fn suspicious_characters(reference: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    if path.contains('\\') {
        let message = "backslash: browsers read a slash, other programs a part of a name";
        let help = if path.contains(['"', '\'']) {
            "remove the backslash: HTML does not escape quotation marks with it".to_owned()
        } else {
            format!("write {}", quoted(&path.replace('\\', "/")))
        };
        violations.push(Violation::new(Rule::Backslash, message, help));
    }
    if let Some(blank) = reference
        .chars()
        .find(|&character| guess::is_blank(character))
    {
        let name = match blank {
            ' ' => "a space".to_owned(),
            '\n' | '\r' => "a line break".to_owned(),
            '\t' => "a tab".to_owned(),
            _ => format!("the character U+{:04X}", u32::from(blank)),
        };
        let help = match blank {
            ' ' => "write %20, or remove it",
            _ => "remove it",
        };
        let message = format!("{name} inside a reference");
        violations.push(Violation::new(Rule::WhiteSpace, message, help));
    }
    violations
}

/// Applies [`Rule::DotsAboveRoot`]: in RFC 1808 (section 5.2), the path of the target begins with `..` segments.
fn dots_above_root(
    checker: &Checker<'_>,
    reference: &str,
    resolvers: &ProfileResolvers,
) -> Option<Violation> {
    if !reference.contains("..") || is_absolute(reference, checker.profile()) {
        return None;
    }
    let written = Reference::split(reference, Profile::Rfc1808);
    let is_up = |segment: &&str| *segment == "..";
    if !written.path.split('/').any(|segment| is_up(&segment)) {
        return None;
    }
    let target = resolvers.rfc1808.as_ref()?.resolve(reference).ok()?;
    let path = Reference::split(&target, Profile::Rfc1808).path;
    let extra = path.split('/').skip(1).take_while(is_up).count();
    (extra > 0).then(|| {
        let message = format!("{extra} \"..\" too many: kept by RFC 1808, dropped by browsers");
        let help = "remove the extra \"..\", and check that the base URL is correct";
        Violation::new(Rule::DotsAboveRoot, message, help)
    })
}

/// Applies [`Rule::ProfilesDiffer`].
fn profiles_differ(reference: &str, resolvers: &ProfileResolvers) -> Option<Violation> {
    // A reference that is absolute in every profile has the same target in all of them.
    if [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg]
        .into_iter()
        .all(|profile| is_absolute(reference, profile))
    {
        return None;
    }
    let target = |resolver: &Option<Resolver>| {
        let target = resolver.as_ref()?.resolve(reference).ok()?.into_owned();
        browser_url(&target)
    };
    let [rfc1808, rfc3986, whatwg] =
        [&resolvers.rfc1808, &resolvers.rfc3986, &resolvers.whatwg].map(target);
    let (rfc1808, rfc3986, whatwg) = (rfc1808?, rfc3986?, whatwg?);
    if rfc1808 == rfc3986 && rfc3986 == whatwg {
        return None;
    }
    let is_rfc1808_alone = rfc3986 == whatwg;
    let [rfc1808, rfc3986, whatwg] = [rfc1808, rfc3986, whatwg].map(|target| quoted(&target));
    let message = if is_rfc1808_alone {
        format!("RFC 1808 resolves it to {rfc1808}, RFC 3986 and browsers to {whatwg}")
    } else {
        format!("RFC 1808 resolves it to {rfc1808}, RFC 3986 to {rfc3986}, browsers to {whatwg}")
    };
    let help = format!("write the intended target as an absolute URL, such as {whatwg}");
    Some(Violation::new(Rule::ProfilesDiffer, message, help))
}

/// Returns an absolute URL as a browser serializes it, or `None` if it is not a valid URL (URL Standard).
fn browser_url(url: &str) -> Option<String> {
    normalize(url, Profile::Whatwg, Escape::Url, UTF_8).ok()
}

/// A resolver per profile for one base URL, kept for the next link because adjacent links usually share their base.
#[derive(Default)]
struct ProfileResolvers {
    base: Option<String>,
    rfc1808: Option<Resolver>,
    rfc3986: Option<Resolver>,
    whatwg: Option<Resolver>,
}

impl ProfileResolvers {
    /// Creates the resolvers for `base`, unless they are already those for it.
    fn prepare(&mut self, base: Option<&str>) {
        if self.base.as_deref() == base {
            return;
        }
        let of = |profile| base.and_then(|base| Resolver::new(base, profile).ok());
        *self = Self {
            base: base.map(str::to_owned),
            rfc1808: of(Profile::Rfc1808),
            rfc3986: of(Profile::Rfc3986),
            whatwg: of(Profile::Whatwg),
        };
    }
}

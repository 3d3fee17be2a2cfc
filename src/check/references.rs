//! Rules about references, one by one.

use encoding_rs::UTF_8;

use super::{Checker, Rule, guess, quoted, scheme};
use crate::link::Role;
use crate::reference::{Escape, Profile, Reference, Resolver, is_absolute, normalize};
use crate::rewrite::{LinkReport, Outcome, SkipReason};

/// Rules whose finding says already why profiles differ.
const EXPLAIN_DIFFERENCES: [Rule; 9] = [
    Rule::Placeholder,
    Rule::LocalFile,
    Rule::MissingAuthority,
    Rule::MisspelledScheme,
    Rule::ColonInFirstSegment,
    Rule::Malformed,
    Rule::Backslash,
    Rule::WhiteSpace,
    Rule::DotsAboveRoot,
];

/// A rule that fires: which, and what to say.
struct Hit {
    rule: Rule,
    message: String,
    help: String,
}

impl Hit {
    fn new(rule: Rule, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            rule,
            message: message.into(),
            help: help.into(),
        }
    }
}

/// Adds what is to be said about the references of the document.
pub(super) fn check(checker: &mut Checker<'_>) {
    let found = checker.found;
    let mut resolvers = Resolvers::default();
    for (index, link_report) in found.links.iter().enumerate() {
        for Hit {
            rule,
            message,
            help,
        } in hits(checker, link_report, &mut resolvers)
        {
            checker.add(rule, Some(index), message, help);
        }
    }
}

fn hits(
    checker: &Checker<'_>,
    link_report: &LinkReport<'_>,
    resolvers: &mut Resolvers,
) -> Vec<Hit> {
    let reference = &*link_report.link.reference;
    let is_left_alone = matches!(
        link_report.outcome,
        Outcome::Skipped(SkipReason::Excluded | SkipReason::Local | SkipReason::TooDeep)
    );
    // Identifiers are compared, not followed.
    if reference.is_empty() || is_left_alone || link_report.link.role == Role::Identifier {
        return Vec::new();
    }
    let scheme = scheme::split(reference);
    if scheme.is_some_and(|(scheme, _)| scheme::is_opaque(scheme)) {
        return Vec::new();
    }
    let mut hits = Vec::new();
    if let Some(hit) = placeholder(checker, reference) {
        // What else it is, nobody can say yet.
        return vec![hit];
    }
    let base = link_report.base.as_ref().map(|base| &*base.url);
    resolvers.prepare(base);
    hits.extend(reading(link_report, scheme, base));
    let is_told = |hit: &Hit| matches!(hit.rule, Rule::MisspelledScheme | Rule::MissingAuthority);
    if !hits.iter().any(is_told) {
        hits.extend(malformed(reference, resolvers));
    }
    hits.extend(characters(reference));
    hits.extend(dots(checker, reference, resolvers));
    let is_explained = |hit: &Hit| EXPLAIN_DIFFERENCES.contains(&hit.rule);
    if !hits.iter().any(is_explained) {
        hits.extend(profiles(reference, resolvers));
    }
    hits
}

fn placeholder(checker: &Checker<'_>, reference: &str) -> Option<Hit> {
    let help = "fill the template in before the document is published, or leave the link out";
    if checker.rewriter.finds_placeholder(reference) {
        let message = format!("a template's placeholder is left in {}", quoted(reference));
        return Some(Hit::new(Rule::Placeholder, message, help));
    }
    let mark = guess::missing_value(reference)?;
    let message = format!(
        "{} holds {mark:?}, which stands where a value is missing",
        quoted(reference)
    );
    Some(Hit::new(Rule::Placeholder, message, help))
}

/// What the author may have meant, where that is likelier than what the reference says: the first reading that fits.
fn reading(
    link_report: &LinkReport<'_>,
    split: Option<(&str, &str)>,
    base: Option<&str>,
) -> Option<Hit> {
    let reference = &*link_report.link.reference;
    let is_scheme = |name: &str| split.is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case(name));
    let is_in_file = base.is_some_and(|base| {
        scheme::split(base).is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("file"))
    });
    if guess::is_drive_path(reference) || (is_scheme("file") && !is_in_file) {
        let message = format!("{} is a file of one machine", quoted(reference));
        let help = "link to where the file is published";
        return Some(Hit::new(Rule::LocalFile, message, help));
    }
    if let Some(meant) = guess::with_right_scheme(reference) {
        let message = format!(
            "{} does not begin with the scheme that seems to be meant",
            quoted(reference)
        );
        return Some(Hit::new(
            Rule::MisspelledScheme,
            message,
            format!("write {}", quoted(&meant)),
        ));
    }
    if let Some((scheme, rest)) = split {
        if scheme::has_host(scheme) && !has_authority(rest) {
            let message = format!("no host behind {scheme}: RFC 1808 goes nowhere, browsers guess");
            let help = format!("write {scheme}://host/, or leave out {scheme}: if a path is meant");
            return Some(Hit::new(Rule::MissingAuthority, message, help));
        }
        if guess::is_path_with_colon(scheme, rest) {
            let message = format!("{scheme}: reads as a scheme");
            let help = format!(
                "write {}, if a path is meant",
                quoted(&format!("./{reference}"))
            );
            return Some(Hit::new(Rule::ColonInFirstSegment, message, help));
        }
        return None;
    }
    if reference.starts_with("///") {
        let message = "no host behind two slashes";
        let help = "write //host/, or one slash if a path is meant";
        return Some(Hit::new(Rule::MissingAuthority, message, help));
    }
    let is_anchor = matches!(&*link_report.link.element, "a" | "area");
    if let Some(meant) = guess::with_scheme(reference, is_anchor) {
        let message = format!(
            "{} is relative: a file of that name, in the directory of the base URL",
            quoted(reference)
        );
        return Some(Hit::new(
            Rule::MissingScheme,
            message,
            format!("write {}", quoted(&meant)),
        ));
    }
    if is_in_file && reference.starts_with("//") {
        let message = format!(
            "{} takes the scheme of the base URL, which is file",
            quoted(reference)
        );
        let help = format!("write {}", quoted(&format!("https:{reference}")));
        return Some(Hit::new(Rule::NetworkPathInFile, message, help));
    }
    let base_host = base.and_then(host);
    if guess::is_single_label(reference, base_host) {
        let message = format!(
            "two slashes: {} begins with a host, not with a directory",
            quoted(reference)
        );
        let help = format!("write {}, if a path is meant", quoted(&reference[1..]));
        return Some(Hit::new(Rule::SingleLabelHost, message, help));
    }
    None
}

fn host(url: &str) -> Option<&str> {
    let authority = Reference::split(url, Profile::Rfc3986).authority?;
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':').next()
}

/// Whether two slashes and something follow a scheme; backslashes are another matter.
fn has_authority(rest: &str) -> bool {
    let mut characters = rest.chars();
    let is_slash = |character: Option<char>| matches!(character, Some('/' | '\\'));
    is_slash(characters.next())
        && is_slash(characters.next())
        && !matches!(characters.next(), None | Some('/' | '\\' | '?' | '#'))
}

fn malformed(reference: &str, resolvers: &Resolvers) -> Option<Hit> {
    let is_malformed = if is_absolute(reference, Profile::Whatwg) {
        browsers(reference).is_none()
    } else {
        resolvers
            .whatwg
            .as_ref()
            .is_some_and(|own| own.resolve(reference).is_err())
    };
    is_malformed.then(|| {
        let message = format!(
            "{} is no URL to a browser, which does not follow it",
            quoted(reference)
        );
        Hit::new(
            Rule::Malformed,
            message,
            "look for a slip of the pen in host and port",
        )
    })
}

/// Characters that are not what they seem.
fn characters(reference: &str) -> Vec<Hit> {
    let mut hits = Vec::new();
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    if path.contains('\\') {
        let message = "a backslash: a slash to browsers, a character like others to RFC 1808";
        let help = format!("write {}", quoted(&path.replace('\\', "/")));
        hits.push(Hit::new(Rule::Backslash, message, help));
    }
    if let Some(blank) = reference
        .chars()
        .find(|&character| guess::is_blank(character))
    {
        let what = match blank {
            ' ' => "a space".to_owned(),
            '\n' | '\r' => "a line break".to_owned(),
            '\t' => "a tab".to_owned(),
            _ => format!("the character U+{:04X}", u32::from(blank)),
        };
        let help = match blank {
            ' ' => "write %20, or take it away",
            _ => "take it away",
        };
        hits.push(Hit::new(
            Rule::WhiteSpace,
            format!("{what} inside a reference"),
            help,
        ));
    }
    hits
}

/// RFC 1808 section 5.2: `..` that is left over.
fn dots(checker: &Checker<'_>, reference: &str, resolvers: &Resolvers) -> Option<Hit> {
    if !reference.contains("..") || is_absolute(reference, checker.profile()) {
        return None;
    }
    let written = Reference::split(reference, Profile::Rfc1808);
    let is_up = |segment: &str| segment == "..";
    if !written.path.split('/').any(is_up) {
        return None;
    }
    let target = resolvers.rfc1808.as_ref()?.resolve(reference).ok()?;
    let path = Reference::split(&target, Profile::Rfc1808).path;
    let left_over = path
        .split('/')
        .skip(1)
        .take_while(|segment| is_up(segment))
        .count();
    (left_over > 0).then(|| {
        let message = format!(
            "{left_over} too many \"..\": RFC 1808 keeps what is left over, browsers drop it"
        );
        let help = "take them away, and see that the base URL is the right one";
        Hit::new(Rule::DotsAboveRoot, message, help)
    })
}

fn profiles(reference: &str, resolvers: &Resolvers) -> Option<Hit> {
    // What is absolute to all is followed as it is.
    if [Profile::Rfc1808, Profile::Rfc3986, Profile::Whatwg]
        .into_iter()
        .all(|profile| is_absolute(reference, profile))
    {
        return None;
    }
    let target = |resolver: &Option<Resolver>| {
        let target = resolver.as_ref()?.resolve(reference).ok()?.into_owned();
        browsers(&target)
    };
    let [rfc1808, rfc3986, whatwg] =
        [&resolvers.rfc1808, &resolvers.rfc3986, &resolvers.whatwg].map(target);
    let (rfc1808, rfc3986, whatwg) = (rfc1808?, rfc3986?, whatwg?);
    if rfc1808 == rfc3986 && rfc3986 == whatwg {
        return None;
    }
    let message = if rfc3986 == whatwg {
        format!(
            "RFC 1808 has {}, RFC 3986 and browsers {}",
            quoted(&rfc1808),
            quoted(&whatwg)
        )
    } else {
        format!(
            "RFC 1808 has {}, RFC 3986 {}, browsers {}",
            quoted(&rfc1808),
            quoted(&rfc3986),
            quoted(&whatwg)
        )
    };
    let help = format!(
        "write the one that is meant as a whole URL, such as {}",
        quoted(&whatwg)
    );
    Some(Hit::new(Rule::ProfilesDiffer, message, help))
}

/// An absolute URL as a browser that follows it writes it.
fn browsers(url: &str) -> Option<String> {
    normalize(url, Profile::Whatwg, Escape::Url, UTF_8).ok()
}

/// A resolver for each profile, for one base URL at a time: neighbours mostly have the same.
#[derive(Default)]
struct Resolvers {
    base: Option<String>,
    rfc1808: Option<Resolver>,
    rfc3986: Option<Resolver>,
    whatwg: Option<Resolver>,
}

impl Resolvers {
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

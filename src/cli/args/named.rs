//! Values of options that are enums of the library: their names and help texts on the command line.

use absolve::{BaseElementPolicy, BaseScope, Escape, FragmentPolicy, Layout, OutputForm, Profile};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A value of an option, with its name and its help text.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedValue<T> {
    name: &'static str,
    help: &'static str,
    value: T,
}

const fn named<T: Copy>(name: &'static str, help: &'static str, value: T) -> NamedValue<T> {
    NamedValue { name, help, value }
}

/// Returns a parser for the names in a table.
pub(super) fn parser<T: Copy + Send + Sync + 'static>(
    table: &'static [NamedValue<T>],
) -> impl TypedValueParser<Value = T> {
    let value = |row: &NamedValue<T>| PossibleValue::new(row.name).help(row.help);
    let names: Vec<PossibleValue> = table.iter().map(value).collect();
    PossibleValuesParser::new(names).try_map(|name| {
        let row = table.iter().find(|row| row.name == name);
        row.map(|row| row.value).ok_or("unknown name")
    })
}

/// The layout of a folder, or `None` to detect it. An alias because clap takes an `Option` for an optional argument.
pub(in crate::cli) type LayoutChoice = Option<Layout>;

pub(super) const PROFILES: &[NamedValue<Profile>] = &[
    named("rfc1808", "RFC 1808", Profile::Rfc1808),
    named("rfc3986", "RFC 3986 (strict)", Profile::Rfc3986),
    named(
        "whatwg",
        "The URL Standard, which browsers implement",
        Profile::Whatwg,
    ),
];

pub(super) const BASE_SCOPES: &[NamedValue<BaseScope>] = &[
    named(
        "head",
        "In HEAD only (RFC 1808 section 10)",
        BaseScope::Head,
    ),
    named(
        "document",
        "Anywhere in the document (HTML)",
        BaseScope::Document,
    ),
];

pub(super) const OUTPUT_FORMS: &[NamedValue<OutputForm>] = &[
    named("absolute", "Absolute URL", OutputForm::Absolute),
    named(
        "relative",
        "Shortest reference from the document's base URL",
        OutputForm::Relative,
    ),
    named(
        "root-relative",
        "Path from the root",
        OutputForm::RootRelative,
    ),
];

pub(super) const FRAGMENT_POLICIES: &[NamedValue<FragmentPolicy>] = &[
    named(
        "resolve",
        "Resolve them like any other reference",
        FragmentPolicy::Resolve,
    ),
    named("keep", "Leave them unchanged", FragmentPolicy::Keep),
    named(
        "auto",
        "Leave them unchanged if they refer to the document itself: its base URL is its retrieval URL",
        FragmentPolicy::Auto,
    ),
];

pub(super) const BASE_ELEMENT_POLICIES: &[NamedValue<BaseElementPolicy>] = &[
    named(
        "absolutize",
        "Make its `href` absolute like any other link",
        BaseElementPolicy::Absolutize,
    ),
    named("keep", "Leave it unchanged", BaseElementPolicy::Keep),
    named(
        "remove",
        "Delete its `href`, and the element if it has no other attribute, unless the `href` could not be resolved",
        BaseElementPolicy::Remove,
    ),
    named(
        "insert",
        "Add one if the base URL comes from elsewhere",
        BaseElementPolicy::Insert,
    ),
];

pub(super) const ESCAPES: &[NamedValue<Escape>] = &[
    named(
        "url",
        "Percent-encode as the URL Standard does",
        Escape::Url,
    ),
    named("none", "Keep the characters as written", Escape::None),
];

pub(super) const LAYOUTS: &[NamedValue<LayoutChoice>] = &[
    named(
        "auto",
        "HTTrack if its log is present, otherwise wget",
        None,
    ),
    named(
        "wget",
        "wget --recursive: the query in the file name",
        Some(Layout::Wget),
    ),
    named(
        "httrack",
        "HTTrack: a digest of the query in the file name",
        Some(Layout::HtTrack),
    ),
    named(
        "host-path",
        "Unchanged path of the URL",
        Some(Layout::HostPath),
    ),
    named("site", "Files of a static site", Some(Layout::Site)),
];
